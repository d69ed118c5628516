// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"
#include "signals.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/version.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdlib.h>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// Where temporary files go. The exception of std::filesystem::temp_directory_path() names no
/// folder; and a variable without a value counts as not set, as for mktemp.
std::string folderOfTemporaries() {
  for (const char* variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
    if (const char* folder = std::getenv(variable); folder && *folder) return folder;
  return "/tmp";
}

/// A folder that goes, with all in it, when the work is done.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const std::string folder = folderOfTemporaries();
    std::string name = (fs::path(folder) / "scree-replay-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw IoError(fmt::format("{}: cannot make a temporary folder there: {}; TMPDIR chooses it",
                                folder, std::strerror(errno)));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string changedSince(const sim::InputFile& file) {
  std::error_code ignored;
  if (!fs::exists(file.path, ignored)) return fmt::format("{} no longer exists", file.path);
  const std::string now = sim::fileHash(file.path);
  return now == file.hash
             ? ""
             : fmt::format("{} has changed ({}: {}, was {})", file.path, file.role, now, file.hash);
}

/// The conf-file of a run whose inputs are all as they were.
std::string unchangedConf(const sim::RunRecord& record) {
  const auto conf = std::find_if(record.inputs.begin(), record.inputs.end(),
                                 [](const sim::InputFile& f) { return f.role == "conf"; });
  if (conf == record.inputs.end())
    throw ModelError(fmt::format("{}: lists no inputs, so nothing can be replayed", record.path));
  std::vector<std::string> changes;
  for (const sim::InputFile& file : record.inputs) {
    if (file.hash.empty())
      throw ModelError(
          fmt::format("{}: the run read its conf-file from standard input, which is "
                      "not kept; it cannot be replayed",
                      record.path));
    if (const std::string change = changedSince(file); !change.empty()) changes.push_back(change);
  }
  if (!changes.empty())
    throw ModelError(
        fmt::format("{}: cannot be replayed: {}", record.path, fmt::join(changes, "; ")));
  return conf->path;
}

/// drivingSystem.txt and dataExtractors.txt are found by their place, which the current folder is
/// part of.
void checkSameFiles(const sim::RunRecord& record, const sim::RunInput& input) {
  const auto has = [](const std::vector<sim::InputFile>& files, const sim::InputFile& wanted) {
    return std::any_of(files.begin(), files.end(), [&](const sim::InputFile& f) {
      return f.role == wanted.role && f.hash == wanted.hash;
    });
  };
  for (const sim::InputFile& file : record.inputs)
    if (!has(input.files, file))
      throw ModelError(fmt::format(
          "{}: the run read {}, which is not found from the current folder; replay from the folder "
          "where it was started",
          record.path, file.path));
  for (const sim::InputFile& file : input.files)
    if (!has(record.inputs, file))
      throw ModelError(
          fmt::format("{}: the run did not read {}, which exists now", record.path, file.path));
}

/// The first conf-file whose state is not the recorded one, or "".
std::string firstThatDiffers(const sim::RunRecord& recorded, const sim::RunRecord& replayed) {
  for (const auto& [number, hash] : recorded.confHashes) {
    const auto now = replayed.confHashes.find(number);
    if (now != replayed.confHashes.end() && now->second != hash)
      return sim::confName(number, false);
  }
  return {};
}

/// "version 0.1.0 (revision 3572414d01fc, GNU 12.2.0, x86_64)".
std::string buildText(const std::string& version, const std::string& revision,
                      const std::string& compiler, const std::string& architecture) {
  if (revision.empty()) return "version " + version;  // of a run.json before these were recorded
  return fmt::format("version {} (revision {}, {}, {})", version, revision, compiler, architecture);
}

}  // namespace

int replay(const RockableOptions& options) {
  endOnSignals(options.common.verbosity == 0);
  const sim::RunRecord record = sim::readRunRecord(options.replay);
  const std::string path = unchangedConf(record);
  Diagnostics diagnostics;
  sim::Conf conf = sim::readConfFromFile(path, diagnostics, threadCount(options.common.jobs));
  conf.seed = record.seed.value_or(0);
  const std::vector<std::string> confFiles = sim::confFilesOf(conf, path);
  sim::RunInput input =
      sim::readRunInput(std::move(conf), confFiles, diagnostics, record.compat == "rockable");
  checkSameFiles(record, input);
  input.conf.tmax = record.tmax;  // a run that was resumed may have gone on for longer
  input.conf.interConf = record.interConf;
  input.conf.shapeFile.clear();  // the conf-files that are written are not read again
  sim::Simulation simulation(
      std::move(input.conf), std::move(input.shapes), std::move(input.drives),
      {threadCount(options.common.jobs), record.compat == "rockable"}, diagnostics);
  if (record.steps < simulation.stepIndex())
    throw ModelError(fmt::format("{}: the run made {} steps, but its input is at step {} already",
                                 record.path, record.steps, simulation.stepIndex()));
  tidyUpOnSignals();
  const TemporaryFolder folder;
  sim::RunOptions run;
  run.folder = folder.path();
  run.input = path;
  run.inputs = std::move(input.files);
  run.extractors = std::move(input.extractors);
  run.steps = record.steps - simulation.stepIndex();
  run.keepLast = 1;
  run.checkpoint = 0.0;
  run.progress = progressBar(options.common, "replay");
  run.stop = &stopRequested();
  sim::run(simulation, run);
  if (stopRequested().load() && simulation.stepIndex() < record.steps) {
    say(options.common,
        fmt::format("{}: replay stopped after {} of {} steps; nothing has been compared",
                    record.path, simulation.stepIndex(), record.steps));
    return stoppedResumable;
  }

  const std::string hash = fmt::format("{:016x}", simulation.stateHash());
  const std::string parted =
      firstThatDiffers(record, sim::readRunRecord((fs::path(folder.path()) / "run.json").string()));
  const bool same = hash == record.stateHash && simulation.stepIndex() == record.steps;
  if (options.common.json) {
    JsonWriter json(1);
    json.beginObject().member("schema", 1).member("replay", record.path);
    json.member("steps", simulation.stepIndex()).member("stateHash", hash);
    json.member("recordedSteps", record.steps);
    json.member("recordedStateHash", record.stateHash);
    json.member("same", same).key("firstThatDiffers");
    parted.empty() ? json.null() : json.value(parted);
    printResult(json.end().take() + "\n");
  }
  if (!same)
    throw ModelError(fmt::format(
        "{}: the state differs: {} after {} steps by {}, {} after {} steps by this "
        "program, {}{}",
        record.path, record.stateHash, record.steps,
        buildText(record.version, record.revision, record.compiler, record.architecture), hash,
        simulation.stepIndex(), buildText(version(), revision(), compiler(), architecture()),
        parted.empty() ? "" : fmt::format("; {} is the first state that differs", parted)));
  say(options.common, fmt::format("{}: replayed {} steps: inputs unchanged, state {} as recorded",
                                  record.path, record.steps, hash));
  return 0;
}

}  // namespace scree::tools
