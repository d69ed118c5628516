// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/table.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>
#include <vector>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;

/// The first body that differs in what a run never changes; none where the cases are the same.
std::optional<std::size_t> otherBody(const Conf& input, const Conf& state) {
  const auto &a = input.particles, &b = state.particles;
  if (a.size() != b.size()) return std::min(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    if (input.shapeNameOf(a[k]) != state.shapeNameOf(b[k]) || a[k].group != b[k].group ||
        a[k].cluster != b[k].cluster ||
        std::abs(a[k].homothety - b[k].homothety) > 1e-9 * b[k].homothety)
      return k;
  return std::nullopt;
}

struct FoundState {
  std::string path;
  Conf conf;
};

/// The conf-file of the run with the latest time that holds all digits. None where the run was
/// killed before it began. A file that looks like a state but cannot be read warns.
std::optional<FoundState> newestState(const std::string& folder, const RunRecord& record,
                                      Diagnostics& diagnostics) {
  std::optional<FoundState> newest;
  // Before it has begun, the states there may be those of the run that this one replaces.
  if (record.path.empty() || record.status == "starting") return newest;
  const auto isOfRun = [&](const std::string& path) {
    const auto number = confNumber(path);
    if (!number || std::ranges::any_of(record.inputs, [&](const InputFile& file) {
          return sameFile(file.path, path);
        }))
      return true;
    return *number <= std::numeric_limits<int>::max() &&
           record.confHashes.contains(static_cast<int>(*number));
  };
  const auto consider = [&](const std::string& path) {
    if (!isRegularFile(path) || !isOfRun(path)) return;
    try {
      TextReader in = TextReader::fromFile(path);
      // Each saved state has this block; the reader counts its lines.
      const bool whole = in.rest().find("\nInterfaces ") != std::string_view::npos;
      Diagnostics quiet;
      Conf conf = readConf(in, quiet);
      const auto& saved = conf.state().runState;
      if (!saved || !hasAllDigits(conf.precision)) return;
      if (!whole || (!confNumber(path) && saved->step > record.steps))
        throw ModelError(fmt::format("{}: is no whole state of the run of {}", path, record.path));
      if (!newest || conf.t > newest->conf.t) newest = {path, std::move(conf)};
    } catch (const Error& error) {
      diagnostics.warn(fmt::format("{}; the run does not resume from it", error.what()));
    }
  };
  const std::vector<std::string> series = confSeries({folder});
  for (auto path = series.rbegin(); path != series.rend() && !newest; ++path) consider(*path);
  consider((fs::path(folder) / "restart.conf").string());
  return newest;
}

/// Compares another conf-file than the one that the run began with, with a state of the run. Its
/// commands may add bodies: then bodies are not compared.
/// @throws ModelError where `state` cannot be one of the run of `conf`; warns unless tmax,
/// interConf or precision have changed
void checkOtherFile(const Conf& conf, const FoundState& state, RunOptions& run,
                    Diagnostics& diagnostics) {
  if (const auto k = otherBody(conf, state.conf); k && conf.commands.empty())
    throw ModelError(fmt::format(
        "{}: differs from the case of {} in body {}; name the conf-file that the run began from, "
        "or another folder with -o",
        run.input, state.path, *k));
  const bool isNews = conf.tmax != run.earlier->tmax || conf.interConf != run.earlier->interConf ||
                      conf.precision != state.conf.precision;
  const std::string read = "only tmax, interConf and precision are read from it";
  if (isNews)
    run.tell(fmt::format("{}: {}", run.input, read));
  else
    diagnostics.warn(fmt::format("{}: differs from the conf-file with which this run began; {}",
                                 run.input, read));
}

}  // namespace

bool continueRun(Conf& conf, RunOptions& run, const ResumeRequest& request,
                 Diagnostics& diagnostics) {
  const RunRecord& record = *run.earlier;
  const auto refuseOption = [&](const std::string& began) {
    throw ModelError(
        fmt::format("{}: this run began {}; resume it without this option, or run the case with it "
                    "into another folder with -o",
                    run.folder, began));
  };
  if (record.seed && request.seed.value_or(*record.seed) != *record.seed)
    refuseOption(fmt::format("with --seed {}", *record.seed));
  const bool known = !record.path.empty() && record.status != "starting";
  if (known && request.compat && record.compat.empty()) refuseOption("without --compat rockable");
  const std::uint64_t seed = record.seed.value_or(request.seed.value_or(0));
  conf.seed = seed;
  const bool same =
      request.conf != "-" && std::ranges::any_of(record.inputs, [&](const InputFile& file) {
        return file.role == "conf" && !file.hash.empty() && file.hash == fileHash(request.conf);
      });
  const bool isDone = record.isFinished() &&
                      (record.status != "tmax" || stepsUntil(record.time, conf.tmax, conf.dt) == 0);
  if (isDone && same) return false;
  std::optional<FoundState> state = newestState(run.folder, record, diagnostics);
  if (!state) {
    if (isDone)
      throw ModelError(
          fmt::format("{}: no conf-file of the run is left that shows whether it is a run of {}; "
                      "choose another folder with -o",
                      run.folder, run.input));
    run.tell(
        fmt::format("{}: no state at full precision to resume from; the run starts again "
                    "from {}",
                    run.folder, run.input));
    run.beginsAgain = true;
    return true;
  }
  if (state->conf.t - conf.tmax > 1.5 * state->conf.dt)  // the last step may pass tmax
    throw ModelError(fmt::format("{}: tmax = {} is before t = {} of {}: nothing to run; raise tmax",
                                 run.input, conf.tmax, tableTime(state->conf.t), state->path));
  if (!same) checkOtherFile(conf, *state, run, diagnostics);
  if (isDone) return false;
  run.precision = conf.precision;
  run.firstConf = conf.iconf;
  run.resumed = true;
  state->conf.tmax = conf.tmax;  // the input may ask for more by now
  state->conf.interConf = conf.interConf;
  conf = std::move(state->conf);
  conf.seed = seed;
  run.tell(fmt::format("resuming from {} at t = {}, in the unit of the file", state->path,
                       tableTime(conf.t)));
  return true;
}

void keepInputs(RunOptions& run, double time, Diagnostics& diagnostics) {
  const std::vector<InputFile>& before = run.earlier->inputs;
  const auto hashOf = [](const std::vector<InputFile>& files, const std::string& role) {
    const auto found = std::ranges::find(files, role, &InputFile::role);
    return found == files.end() ? "" : found->hash;
  };
  for (const std::string role : {"shapes", "extractors"})
    if (hashOf(before, role) != hashOf(run.inputs, role))
      diagnostics.warn(fmt::format(
          "the file of {} has changed since this run began; results up to t = {} are of before",
          role, tableTime(time)));
  run.seed = run.earlier->seed;
  run.resumedWith = std::exchange(run.inputs, before);
}

}  // namespace scree::sim
