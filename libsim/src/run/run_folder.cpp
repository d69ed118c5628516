// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/safe_write.hpp"
#include "run_outputs.hpp"

#include "scree/base/files.hpp"
#include "scree/base/table.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/instant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;

std::string within(const RunOptions& options, const std::string& name) {
  return (fs::path(options.folder) / name).string();
}

bool isListed(const RunRecord& earlier, const std::string& name) {
  return std::ranges::count(earlier.outputs, name) > 0;
}

/// Whether the earlier run, as it was begun or last resumed, is one of the same conf-file: the same
/// place, or the same content. Nothing is known of one that came on standard input.
bool sameInput(const RunRecord& earlier, const RunOptions& options) {
  const auto confOf = [](const std::vector<InputFile>& inputs) {
    const auto found = std::ranges::find(inputs, "conf", &InputFile::role);
    return found == inputs.end() ? InputFile() : *found;
  };
  const InputFile before = earlier.resumedWith.role.empty() ? confOf(earlier.inputs)
                                                            : earlier.resumedWith,
                  now = confOf(options.inputs);
  return !before.hash.empty() && !now.hash.empty() &&
         (before.hash == now.hash || sameFile(before.path, now.path));
}

/// Whether each run may write a file of this name into its folder.
bool isOfRun(const std::string& name) {
  return confNumber(name) || name == "run.json" || name == "restart.conf" ||
         std::ranges::count(RunTables::ofConfs, name) > 0;
}

/// Names of the files in its folder that a run is going to write, as far as can be known.
std::vector<std::string> namesToWrite(const RunOptions& options, const Simulation& simulation) {
  std::vector<std::string> names = RunTables::ofConfs;
  names.insert(names.end(), {"restart.conf", "run.json"});
  for (const ScriptedExtractor& e : options.extractors) names.push_back(e.file);
  if (!isFolder(options.folder)) return names;
  for (const std::string& file : confSeries({options.folder}))
    if (const std::int64_t number = confNumber(file).value(); number >= simulation.iconf())
      for (const bool compressed : {false, true}) names.push_back(confName(number, compressed));
  return names;
}

void checkTables(const RunOptions& options, const Simulation& simulation) {
  if (options.extractors.empty()) return;
  const Conf start = simulation.conf();
  const Instant instant(start, simulation.shapes());
  checkDistinctFiles(options.extractors);
  for (const ScriptedExtractor& e : options.extractors) {
    const fs::path name = fs::path(e.file).lexically_normal();
    const std::string path = within(options, e.file);
    if (isOfRun(name.begin()->string()) || confNumber(e.file) || namesCompressed(e.file) ||
        namesTemporary(name.filename().string()) || isInput(path, options))
      throw ParseError(e.where,
                       fmt::format("'{}' cannot be a table: it is an input, a file that the run "
                                   "itself writes or removes, or compressed (.zst)",
                                   e.file));
    try {
      e.extractor.rows(instant);
    } catch (const ModelError& error) {
      throw ParseError(e.where, error.what());
    }
    const std::string first = options.resumed ? firstLineOf(path) : "";
    if (!first.empty() && first != headerLine(e.extractor.columns(), simulation))
      throw ModelError(fmt::format(
          "{}: its columns are not those of {} in {}; resume the run with the lines of this file "
          "that it began with, or give the table another name",
          path, e.extractor.kind->inRun, e.where.file));
  }
  checkPlaceOfTables(options.folder, options.extractors);
}

void checkDoneFile(const RunOptions& options) {
  const std::string& file = options.doneFile;
  if (file.empty() || file == "-") return;
  const RunRecord& earlier = *options.earlier;
  const fs::path name = relativeTo(file, options.folder);
  const auto isTable = [&](const ScriptedExtractor& e) {
    return name == fs::path(e.file).lexically_normal();
  };
  if (isInput(file, options) || isOfRun(name.begin()->string()) ||
      std::ranges::any_of(options.extractors, isTable) || isListed(earlier, name.string()))
    throw IoError(
        fmt::format("--done {}: is an input or an output of this run; choose another name", file));
  checkCanWrite(file, sameFile(file, earlier.doneFile) ? Existing::replace : options.existing);
}

}  // namespace

bool isInput(const std::string& file, const RunOptions& options) {
  const auto isOne = [&](const InputFile& input) { return sameFile(file, input.path); };
  return sameFile(file, options.input) || std::ranges::any_of(options.inputs, isOne) ||
         std::ranges::any_of(options.resumedWith, isOne);
}

void checkOutputs(const RunOptions& options, const Simulation& simulation) {
  checkTables(options, simulation);
  for (const std::string& name : namesToWrite(options, simulation)) {
    const std::string file = within(options, name);
    // The state that a run begins from may go, once there is a later one.
    const bool mayGo = name == "restart.conf" || confNumber(name) == simulation.iconf();
    const auto isLost = [&](const InputFile& input) {
      return sameFile(input.path, file) &&
             !(mayGo && (input.role == "conf" || input.role == "redirection"));
    };
    if (std::ranges::any_of(options.inputs, isLost) ||
        std::ranges::any_of(options.resumedWith, isLost) ||
        (!mayGo && sameFile(options.input, file)))
      throw IoError(fmt::format(
          "{}: is an input of this run and would be overwritten; choose another folder with -o",
          file));
  }
  checkDoneFile(options);
  const std::string refusal = whyNoShapeFileName(shapeFileFrom(options.folder, simulation.input()));
  if (!refusal.empty())
    throw ModelError(fmt::format("{}: {}; rename it, or choose -o in the folder of the shape-file",
                                 options.folder, refusal));
}

std::vector<std::string> leavingFiles(const RunOptions& options, const RunRecord& earlier) {
  std::vector<std::string> names;
  for (const std::string& name : earlier.outputs) {
    // Only what stands in this folder itself, whatever its run.json names.
    std::error_code ignored;
    const fs::file_type type = fs::symlink_status(within(options, name), ignored).type();
    if (!fs::path(name).has_parent_path() && !isInput(within(options, name), options) &&
        (type == fs::file_type::regular || type == fs::file_type::symlink))
      names.push_back(name);
  }
  return names;
}

void checkFolder(const RunOptions& options, const Simulation& simulation,
                 const RunRecord& earlier) {
  const bool mayGo = sameInput(earlier, options) && (earlier.isFinished() || options.beginsAgain);
  if (!earlier.path.empty() && options.existing == Existing::refuse && !mayGo &&
      !leavingFiles(options, earlier).empty())
    throw IoError(fmt::format(
        "{}: holds {} run of {}, up to t = {}; --resume {} it with its own file, --force replaces "
        "it, -o writes into another folder",
        options.folder, earlier.isFinished() ? "a finished" : "an unfinished", earlier.input,
        tableTime(earlier.time), earlier.isFinished() ? "keeps" : "continues"));
  for (const std::string& name : namesToWrite(options, simulation)) {
    const bool isOwn = isListed(earlier, name) || (name == "run.json" && !earlier.path.empty());
    const std::string file = within(options, name);
    if (!isOwn && !isInput(file, options)) checkMayWrite(file, options.existing);
  }
}

}  // namespace scree::sim
