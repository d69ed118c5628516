// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_folder.hpp"

#include "base/safe_write.hpp"
#include "run_tables.hpp"

#include "scree/base/files.hpp"
#include "scree/base/table.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;

const InputFile* confOf(const std::vector<InputFile>& inputs) {
  const auto found = std::find_if(inputs.begin(), inputs.end(),
                                  [](const InputFile& file) { return file.role == "conf"; });
  return found == inputs.end() ? nullptr : &*found;
}

/// Whether the earlier run, as it was begun or last resumed, is one of the same conf-file: the same
/// place, or the same content. Nothing is known of one that came on standard input.
bool sameInput(const RunRecord& earlier, const RunOptions& options) {
  const InputFile *before = earlier.resumedWith.role.empty() ? confOf(earlier.inputs)
                                                             : &earlier.resumedWith,
                  *now = confOf(options.inputs);
  if (!before || !now || before->hash.empty() || now->hash.empty()) return false;
  return before->hash == now->hash || sameFile(before->path, now->path);
}

/// Names of the files in its folder that a run is going to write, as far as can be known.
std::vector<std::string> namesToWrite(const RunOptions& options, const Simulation& simulation) {
  std::vector<std::string> names = SideFiles::names();
  names.insert(names.end(), {"checkplots.txt", "restart.conf", "run.json"});
  if (!options.extractors.empty()) names.emplace_back("extractedDataDoc.txt");
  for (const ScriptedExtractor& e : options.extractors) names.push_back(e.file);
  std::error_code code;
  if (!fs::is_directory(options.folder, code)) return names;
  for (const std::string& file : confSeries({options.folder}))
    if (const std::int64_t number = confNumber(file).value(); number >= simulation.iconf())
      for (const bool compressed : {false, true}) names.push_back(confName(number, compressed));
  return names;
}

}  // namespace

RunFolder::RunFolder(const RunOptions& options, const Simulation& simulation, RunRecord earlier)
    : options_(options), simulation_(simulation), earlier_(std::move(earlier)) {}

std::string RunFolder::path(const std::string& name) const {
  return (fs::path(options_.folder) / name).string();
}

bool isInput(const std::string& file, const RunOptions& options) {
  const auto isOne = [&](const InputFile& input) { return sameFile(file, input.path); };
  return sameFile(file, options.input) || std::ranges::any_of(options.inputs, isOne) ||
         std::ranges::any_of(options.start.resumedWith, isOne);
}

bool isOfRun(const std::string& name) {
  const auto& side = SideFiles::names();
  return confNumber(name) || name == "run.json" || name == "restart.conf" ||
         name == "checkplots.txt" || name == "extractedDataDoc.txt" ||
         std::find(side.begin(), side.end(), name) != side.end();
}

bool RunFolder::isInput(const std::string& file) const { return sim::isInput(file, options_); }

std::string RunFolder::inputNumbered(int number) const {
  for (const bool compressed : {false, true})
    if (const std::string file = path(confName(number, compressed)); isInput(file)) return file;
  return {};
}

bool RunFolder::stays(const std::string& name) const {
  if (isInput(path(name))) return true;
  if (!options_.start.continues || name == "restart.conf") return false;
  const std::int64_t last =
      std::max<std::int64_t>(simulation_.iconf(), confNumber(options_.input).value_or(0));
  const std::optional<std::int64_t> number = confNumber(name);
  return !number || *number <= last;
}

std::vector<std::string> RunFolder::leaving() const {
  std::vector<std::string> names;
  for (const std::string& name : earlier_.outputs)
    if (!stays(name) && isFile(name)) names.push_back(name);
  return names;
}

/// Only what stands in this folder itself, whatever its run.json names.
bool RunFolder::isFile(const std::string& name) const {
  std::error_code ignored;
  const fs::file_type type = fs::symlink_status(path(name), ignored).type();
  return !fs::path(name).has_parent_path() &&
         (type == fs::file_type::regular || type == fs::file_type::symlink);
}

void RunFolder::remove(const std::string& name) const {
  std::error_code ignored;
  if (isFile(name) && !isInput(path(name))) fs::remove(path(name), ignored);
}

std::vector<std::string> RunFolder::remove() const {
  for (const std::string& name : leaving()) remove(name);
  std::vector<std::string> kept;
  for (const std::string& name : earlier_.outputs)
    if (!fs::path(name).has_parent_path() && stays(name)) kept.push_back(name);
  return kept;
}

void RunFolder::refuseOtherRun() const {
  if (earlier_.path.empty() || options_.existing == Existing::replace || options_.start.continues ||
      leaving().empty())
    return;
  const bool finished = isFinished(earlier_.status), same = sameInput(earlier_, options_);
  if (same && (finished || options_.start.beginsAgain)) return;
  throw IoError(
      fmt::format("{}: holds {} run of {}, up to t = {}; --resume {} it with its own file, --force "
                  "replaces it, "
                  "-o writes into another folder",
                  options_.folder, finished ? "a finished" : "an unfinished", earlier_.input,
                  tableTime(earlier_.time), finished ? "keeps" : "continues"));
}

void RunFolder::check() const {
  refuseOtherRun();
  checkFiles();
}

void RunFolder::checkFiles() const {
  for (const std::string& name : namesToWrite(options_, simulation_)) {
    const bool isOwn = std::ranges::find(earlier_.outputs, name) != earlier_.outputs.end() ||
                       (name == "run.json" && !earlier_.path.empty());
    // A run that goes on in place does not write the state at the start.
    const bool stays = options_.start.continues && confNumber(name) == simulation_.iconf();
    if (!isOwn && !stays && !isInput(path(name))) checkMayWrite(path(name), options_.existing);
  }
}

void checkInputs(const RunOptions& options, const Simulation& simulation) {
  for (const std::string& name : namesToWrite(options, simulation)) {
    const std::string file = (fs::path(options.folder) / name).string();
    // The state that a run begins from may go, once there is a later one.
    const bool mayGo = name == "restart.conf" || confNumber(name) == simulation.iconf();
    const auto isLost = [&](const InputFile& input) {
      return sameFile(input.path, file) &&
             !(mayGo && (input.role == "conf" || input.role == "redirection"));
    };
    if (std::ranges::any_of(options.inputs, isLost) ||
        std::ranges::any_of(options.start.resumedWith, isLost) ||
        (!mayGo && sameFile(options.input, file)))
      throw IoError(fmt::format(
          "{}: is an input of this run and would be overwritten; choose another folder with -o",
          file));
  }
}

void checkShapeFile(const RunOptions& options, const Simulation& simulation) {
  const std::string name = shapeFileFrom(options.folder, simulation.input());
  const std::string refusal = whyNoShapeFileName(name);
  if (refusal.empty()) return;
  throw ModelError(fmt::format("{}: {}; rename it, or choose -o in the folder of the shape-file",
                               options.folder, refusal));
}

void checkDoneFile(const RunOptions& options, const RunRecord& earlier) {
  const std::string& file = options.doneFile;
  if (file.empty() || file == "-") return;
  if (isInput(file, options))
    throw IoError(fmt::format(
        "--done {}: is an input of this run and would be overwritten; choose another name", file));
  const fs::path name = relativeTo(file, options.folder);
  const auto isTable = [&](const ScriptedExtractor& e) {
    return name == fs::path(e.file).lexically_normal();
  };
  if (isOfRun(name.begin()->string()) || std::ranges::any_of(options.extractors, isTable) ||
      std::ranges::find(earlier.outputs, name.string()) != earlier.outputs.end())
    throw IoError(fmt::format(
        "--done {}: is the name of a file that the run itself writes; choose another name", file));
  checkCanWrite(file, sameFile(file, earlier.doneFile) ? Existing::replace : options.existing);
}

}  // namespace scree::sim
