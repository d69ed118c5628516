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

/// A folder that goes, with all in it, when the work is done.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const char* chosen = std::getenv("TMPDIR");
    const std::string folder = chosen && *chosen ? chosen : "/tmp";
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

/// The conf-file of a run.
std::string confOf(const sim::RunRecord& record) {
  const auto conf = std::ranges::find(record.inputs, "conf", &sim::InputFile::role);
  if (conf == record.inputs.end() || conf->hash.empty())
    throw ModelError(
        fmt::format("{}: names no conf-file that was kept; it cannot be replayed", record.path));
  return conf->path;
}

/// Refuses inputs that are not those of the run. drivingSystem.txt and dataExtractors.txt are found
/// by their place, which the current folder is part of.
void checkSameFiles(const sim::RunRecord& record, const std::vector<sim::InputFile>& now) {
  const auto missingIn = [](const std::vector<sim::InputFile>& files, const sim::InputFile& file) {
    return std::ranges::none_of(
        files, [&](const sim::InputFile& f) { return f.role == file.role && f.hash == file.hash; });
  };
  std::vector<std::string> changed;
  for (const auto& [from, to] : {std::pair(&record.inputs, &now), std::pair(&now, &record.inputs)})
    for (const sim::InputFile& file : *from)
      if (missingIn(*to, file) && std::ranges::find(changed, file.path) == changed.end())
        changed.push_back(file.path);
  if (!changed.empty())
    throw ModelError(fmt::format(
        "{}: cannot be replayed: {} changed since the run; replay from the folder where it began",
        record.path, fmt::join(changed, ", ")));
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

}  // namespace

int replay(const RockableOptions& options) {
  endOnSignals(options.common.verbosity == 0);
  const sim::RunRecord record = sim::readRunRecord(options.replay);
  const std::string path = confOf(record);
  Diagnostics diagnostics;
  sim::Conf conf = sim::readConfFromFile(path, diagnostics, threadCount(options.common.jobs));
  conf.seed = record.seed.value_or(0);
  const std::vector<std::string> confFiles = sim::confFilesOf(conf, path);
  sim::RunInput input =
      sim::readRunInput(std::move(conf), confFiles, diagnostics, record.compat == "rockable");
  checkSameFiles(record, input.files);
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
        "{}: the state differs: {} after {} steps by revision {} ({}), {} after {} steps by "
        "revision "
        "{} ({}){}",
        record.path, record.stateHash, record.steps, record.revision, record.compiler, hash,
        simulation.stepIndex(), revision(), compiler(),
        parted.empty() ? "" : fmt::format("; {} is the first state that differs", parted)));
  say(options.common, fmt::format("{}: replayed {} steps: inputs unchanged, state {} as recorded",
                                  record.path, record.steps, hash));
  return 0;
}

}  // namespace scree::tools
