// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_room.hpp"

#include "side_files.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/extract/table.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

const InputFile* confOf(const std::vector<InputFile>& inputs) {
  const auto found = std::find_if(inputs.begin(), inputs.end(),
                                  [](const InputFile& file) { return file.role == "conf"; });
  return found == inputs.end() ? nullptr : &*found;
}

/// Whether both runs began from the same conf-file: the same place, or the same content. Nothing is
/// known of one that came on standard input.
bool sameInput(const RunRecord& earlier, const RunOptions& options) {
  const InputFile *before = confOf(earlier.inputs), *now = confOf(options.inputs);
  if (!before || !now || before->hash.empty() || now->hash.empty()) return false;
  return before->hash == now->hash || sameFile(before->path, now->path);
}

}  // namespace

RunRoom::RunRoom(const RunOptions& options, const Simulation& simulation, RunRecord earlier)
    : options_(options), simulation_(simulation), earlier_(std::move(earlier)) {}

std::string RunRoom::earlierInput() const {
  const InputFile* conf = confOf(earlier_.inputs);
  return conf ? conf->path : "another input";
}

std::string RunRoom::path(const std::string& name) const {
  return (fs::path(options_.folder) / name).string();
}

bool isInput(const std::string& file, const RunOptions& options) {
  return sameFile(file, options.input) ||
         std::any_of(options.inputs.begin(), options.inputs.end(),
                     [&](const InputFile& input) { return sameFile(file, input.path); });
}

bool RunRoom::isInput(const std::string& file) const { return sim::isInput(file, options_); }

std::string RunRoom::inputNumbered(int number) const {
  for (const bool compressed : {false, true})
    if (const std::string file = path(confName(number, compressed)); isInput(file)) return file;
  return {};
}

bool RunRoom::stays(const std::string& name) const {
  if (isInput(path(name))) return true;
  if (!options_.continues || name == "restart.conf") return false;
  const std::int64_t last =
      std::max<std::int64_t>(simulation_.iconf(), confNumber(options_.input).value_or(0));
  const std::optional<std::int64_t> number = confNumber(name);
  return !number || *number <= last;
}

std::vector<std::string> RunRoom::leaving() const {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const std::string& name : earlier_.outputs) {
    // Only files that stand in this folder, whatever its run.json names.
    const fs::file_type type = fs::symlink_status(path(name), ignored).type();
    const bool file = type == fs::file_type::regular || type == fs::file_type::symlink;
    if (!fs::path(name).has_parent_path() && !stays(name) && file) names.push_back(name);
  }
  return names;
}

std::vector<std::string> RunRoom::remove() const {
  std::error_code ignored;
  for (const std::string& name : leaving()) fs::remove(path(name), ignored);
  std::vector<std::string> kept;
  for (const std::string& name : earlier_.outputs)
    if (!fs::path(name).has_parent_path() && stays(name)) kept.push_back(name);
  return kept;
}

void RunRoom::refuseOtherRun() const {
  if (earlier_.path.empty() || options_.existing == Existing::replace || options_.continues ||
      leaving().empty())
    return;
  const bool finished = isFinished(earlier_.end), same = sameInput(earlier_, options_);
  if (same && (finished || options_.beginsAgain)) return;
  throw IoError(fmt::format(
      "{}: holds {} run of {}, up to t = {}; {}--force replaces it, -o writes into another folder",
      options_.folder, finished ? "a finished" : "an unfinished", earlierInput(),
      tableTime(earlier_.time),
      same       ? "--resume continues it, "
      : finished ? "--resume keeps it if that file is given, "
                 : "--resume continues it if that file is given, "));
}

void RunRoom::check() const {
  refuseOtherRun();
  const std::vector<std::string>& earlier = earlier_.outputs;
  const auto mayWrite = [&](const std::string& name) {
    if (std::find(earlier.begin(), earlier.end(), name) == earlier.end() && !isInput(path(name)))
      checkMayWrite(path(name), options_.existing);
  };
  for (const std::string& name : SideFiles::names()) mayWrite(name);
  for (const char* name : {"checkplots.txt", "restart.conf"}) mayWrite(name);
  if (!options_.extractors.empty()) mayWrite("extractedDataDoc.txt");
  for (const ScriptedExtractor& e : options_.extractors) mayWrite(e.file);
  std::error_code code;
  if (!fs::is_directory(options_.folder, code)) return;
  // Conf-files that this run will write, whoever they are from.
  const Conf& conf = simulation_.input();
  const double expected = static_cast<double>(stepsUntil(simulation_.time(), conf.tmax, conf.dt)) *
                          conf.dt / conf.interConf;
  for (const std::string& file : confSeries({options_.folder})) {
    const std::int64_t number = confNumber(file).value();
    if (number >= conf.iconf && static_cast<double>(number - conf.iconf) < expected + 1.5)
      for (const bool compressed : {false, true}) mayWrite(confName(number, compressed));
  }
}

}  // namespace scree::sim
