// SPDX-License-Identifier: GPL-3.0-or-later
#include "driving_watch.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace scree::sim {
namespace {

std::string firstOf(const std::vector<std::string>& files) {
  std::error_code ignored;
  for (const std::string& file : files)
    if (std::filesystem::is_regular_file(file, ignored)) return file;
  return {};
}

}  // namespace

DrivingWatch::DrivingWatch(std::vector<std::string> files,
                           std::function<void(const std::string&)> tell)
    : files_(std::move(files)), tell_(std::move(tell)), text_(read()) {}

std::string DrivingWatch::read() const {
  const std::string file = firstOf(files_);
  if (file.empty()) return {};
  try {
    return readFile(file);
  } catch (const IoError&) {
    return {};  // an editor may be about to put another one in its place
  }
}

void DrivingWatch::look(Simulation& simulation) {
  std::string text = read();
  if (text.empty() || text == text_) return;
  text_ = std::move(text);
  const std::string name = firstOf(files_);
  const auto say = [this](const std::string& message) {
    if (tell_) tell_(message);
  };
  try {
    TextReader in(name, text_);
    Diagnostics diagnostics;
    simulation.setDrives(
        readDriving(in, simulation.bodies().driven, simulation.bodies().size(), diagnostics));
    for (const std::string& warning : diagnostics.warnings()) say(warning);
    say(fmt::format("{}: has changed and acts from t = {} on", name, simulation.time()));
  } catch (const Error& error) {
    say(fmt::format("{}; the previous drives stay in force", error.what()));
  }
}

}  // namespace scree::sim
