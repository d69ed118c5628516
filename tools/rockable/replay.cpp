// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/version.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace scree::tools {
namespace {

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
  const auto isIn = [](const std::vector<sim::InputFile>& files, const sim::InputFile& file) {
    return std::ranges::any_of(
        files, [&](const sim::InputFile& f) { return f.role == file.role && f.hash == file.hash; });
  };
  for (const auto& [from, to] : {std::pair(&record.inputs, &now), std::pair(&now, &record.inputs)})
    for (const sim::InputFile& file : *from)
      if (!isIn(*to, file))
        throw ModelError(fmt::format(
            "{}: cannot be replayed: {} changed since the run; replay from the folder where it "
            "began",
            record.path, file.path));
}

}  // namespace

int replay(const std::string& recordPath, const CommonOptions& common) {
  endOnSignals(common.verbosity == 0);
  const sim::RunRecord record = sim::readRunRecord(recordPath);
  const std::string path = confOf(record);
  Diagnostics diagnostics;
  sim::Conf conf = sim::readConfFromFile(path, diagnostics);
  conf.seed = record.seed.value_or(0);
  const std::vector<std::string> confFiles = sim::confFilesOf(conf, path);
  sim::RunInput input =
      sim::readRunInput(std::move(conf), confFiles, diagnostics, record.compat == "rockable");
  checkSameFiles(record, input.files);
  input.conf.tmax = record.tmax;  // a run that was resumed may have gone on for longer
  input.conf.interConf = record.interConf;
  sim::Simulation simulation(std::move(input.conf), std::move(input.shapes),
                             std::move(input.drives),
                             {threadCount(common.jobs), record.compat == "rockable"}, diagnostics);
  if (record.steps < simulation.stepIndex())
    throw ModelError(fmt::format("{}: the run made {} steps, but its input is at step {} already",
                                 record.path, record.steps, simulation.stepIndex()));
  stopOnSignals();
  const std::uint64_t first = simulation.stepIndex(), all = record.steps - first;
  const Progress progress = progressBar(common, "replay");
  while (simulation.stepIndex() < record.steps && !stopRequested().load()) {
    simulation.steps(std::min(record.steps - simulation.stepIndex(), 1 + all / 100),
                     {{}, &stopRequested()});
    if (progress)
      progress(static_cast<double>(simulation.stepIndex() - first) / static_cast<double>(all));
  }
  if (simulation.stepIndex() < record.steps) {
    say(common, fmt::format("{}: replay stopped after {} of {} steps; nothing has been compared",
                            record.path, simulation.stepIndex(), record.steps));
    return stoppedResumable;
  }

  const std::string hash = fmt::format("{:016x}", simulation.stateHash());
  const bool same = hash == record.stateHash;
  if (common.json) {
    JsonWriter json(1);
    json.beginObject().member("schema", 1).member("replay", record.path);
    json.member("steps", record.steps).member("stateHash", hash);
    json.member("recordedStateHash", record.stateHash).member("same", same);
    printResult(json.end().take() + "\n");
  }
  if (!same)
    throw ModelError(fmt::format(
        "{}: the state after {} steps differs: {} by revision {} ({}), {} by revision {} ({})",
        record.path, record.steps, record.stateHash, record.revision, record.compiler, hash,
        revision(), compiler()));
  say(common, fmt::format("{}: replayed {} steps: inputs unchanged, state {} as recorded",
                          record.path, record.steps, hash));
  return 0;
}

}  // namespace scree::tools
