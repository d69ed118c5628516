// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/run_input.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/io/commands.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;

/// The place of a file named by convention: beside one of `confFiles` or in the current folder; ""
/// if there is none. @throws IoError for a link without its file
std::string companion(const std::string& name, std::vector<std::string> confFiles) {
  std::error_code ignored;
  confFiles.emplace_back("-");
  for (const std::string& confFile : confFiles) {
    const fs::path place = fs::path(confFile == "-" ? "" : confFile).parent_path() / name;
    if (fs::exists(place, ignored)) return place.string();
    if (fs::is_symlink(fs::symlink_status(place, ignored)))
      throw IoError(fmt::format("{}: is a link to {}, which does not exist or cannot be reached",
                                place.string(), fs::read_symlink(place, ignored).string()));
  }
  return {};
}

/// A state that a run has left and that is run on from elsewhere may miss what drove it there.
void warnOfLostDrives(const std::string& confFile, Diagnostics& diagnostics) {
  if (confFile == "-") return;
  const RunRecord record = earlierRun(fs::path(confFile).parent_path().string());
  if (!isOutput(confFile, record)) return;
  for (const InputFile& file : record.inputs)
    if (file.role == "driving")
      diagnostics.warn(
          fmt::format("{}: the run that wrote this state was driven by {}, which is neither beside "
                      "it nor in the current folder; this run has no drives; copy the file there",
                      confFile, file.path));
}

}  // namespace

std::string fileHash(const std::string& path) {
  std::error_code ignored;
  if (fs::is_fifo(path, ignored)) return {};
  const std::unique_ptr<XXH64_state_t, decltype(&XXH64_freeState)> state(XXH64_createState(),
                                                                         XXH64_freeState);
  if (!state) throw std::bad_alloc();
  XXH64_reset(state.get(), 0);
  constexpr std::size_t atOnce = std::size_t{1} << 18;
  std::string text = readPart(path, 0, atOnce);
  const bool packed = isCompressed(text);
  if (packed) text = readFile(path);
  for (std::uint64_t read = 0; !text.empty();) {
    XXH64_update(state.get(), text.data(), text.size());
    read += text.size();
    text = packed ? "" : readPart(path, read, atOnce);
  }
  return fmt::format("{:016x}", XXH64_digest(state.get()));
}

std::vector<std::string> confFilesOf(const Conf& conf, const std::string& path) {
  if (conf.redirectedFrom.empty()) return {path};
  return {path, conf.source};
}

RunInput readRunInput(Conf conf, const std::vector<std::string>& confFiles,
                      Diagnostics& diagnostics, bool libstdcxxLots) {
  RunInput input;
  for (const std::string& file : confFiles)
    input.files.push_back({file == confFiles.front() ? "conf" : "redirection", inputName(file),
                           file == "-" ? "" : fileHash(file)});
  input.shapes = shapesOf(conf, diagnostics);
  if (!conf.particles.empty()) {
    const std::string shapes = shapeFileOf(conf);
    input.files.push_back({"shapes", shapes, fileHash(shapes)});
  }
  input.extractors = dataExtractorsOf(conf, diagnostics);
  // May change what drives and tables refer to.
  runCommands(conf, input.shapes, diagnostics, libstdcxxLots);
  input.drivingFile = companion("drivingSystem.txt", confFiles);
  if (const std::string& file = input.drivingFile; !file.empty()) {
    TextReader in = TextReader::fromFile(file);
    input.drives = readDriving(in, conf.nDriven, conf.particles.size(), diagnostics);
    input.files.push_back({"driving", file, fileHash(file)});
  } else {
    warnOfLostDrives(confFiles.front(), diagnostics);
  }
  if (const std::string file = companion("dataExtractors.txt", confFiles); !file.empty()) {
    TextReader in = TextReader::fromFile(file);
    for (ScriptedExtractor& e : readDataExtractors(in, diagnostics))
      input.extractors.push_back(std::move(e));
    input.files.push_back({"extractors", file, fileHash(file)});
  }
  checkDistinctFiles(input.extractors);
  input.conf = std::move(conf);
  return input;
}

void completeTrack(Track& track, const std::string& file) {
  std::error_code ignored;
  const fs::path place = fs::weakly_canonical(file, ignored), folder = place.parent_path();
  const RunRecord record = earlierRun(folder.string());
  Diagnostics quiet;
  for (const InputFile& input : record.inputs) {
    std::vector<ScriptedExtractor> lines;
    if (input.role == "extractors") {
      TextReader in = TextReader::fromFile(input.path);
      lines = readDataExtractors(in, quiet);
    } else if (input.role == "conf") {
      lines = dataExtractorsOf(readBodiesFromFile(input.path, quiet), quiet);
    }
    for (const auto& [extractor, name, period, where] : lines) {
      if (!extractor.kind->inRun.starts_with("Track") || extractor.values.empty() ||
          fs::weakly_canonical(folder / name, ignored) != place)
        continue;
      track.id = extractor.body();
      track.left =
          record.ending.status == "extractor" && !record.ending.atRest &&
          record.ending.by.starts_with(fmt::format("TrackRockfall: body {} ", extractor.body()));
    }
  }
}

}  // namespace scree::sim
