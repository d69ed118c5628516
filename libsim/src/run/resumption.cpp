// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/resumption.hpp"

#include "base/elementary.hpp"

#include "scree/base/files.hpp"
#include "scree/base/table.hpp"
#include "scree/sim/io/commands.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string_view>
#include <vector>

namespace scree::sim {

namespace fs = std::filesystem;

namespace {

/// Whether a run of this record has not written a conf-file of a series. Before it writes one, its
/// run.json has its hash. Nothing is known without a run.json.
bool isForeign(const std::string& path, const RunRecord& record) {
  const auto number = confNumber(path);
  return !record.path.empty() && number &&
         (*number > std::numeric_limits<int>::max() ||
          !record.confHashes.contains(static_cast<int>(*number))) &&
         std::ranges::none_of(record.inputs,
                              [&](const InputFile& f) { return sameFile(f.path, path); });
}

/// The digits that a file leaves of a number, relative to it.
double roundingOf(const Conf& file) {
  return file.precision < 0 ? 1e-9 : std::max(1e-9, 2.0 * elementary::pow(10.0, -file.precision));
}

/// The first body that differs in what a run never changes; none where the cases are the same.
std::optional<std::size_t> otherBody(const Conf& input, const Conf& state) {
  const auto &a = input.particles, &b = state.particles;
  if (a.size() != b.size()) return std::min(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    if (input.shapeNameOf(a[k]) != state.shapeNameOf(b[k]) || a[k].group != b[k].group ||
        a[k].cluster != b[k].cluster ||
        std::abs(a[k].homothety - b[k].homothety) > roundingOf(state) * b[k].homothety)
      return k;
  return std::nullopt;
}

/// The case as a run begins it: commands may add bodies or change clusters.
Conf afterCommands(Conf conf, bool asRockable) {
  if (conf.commands.empty()) return conf;
  Diagnostics ignored;
  const std::vector<shape::Shape> shapes = shapesOf(conf, ignored);
  runCommands(conf, shapes, ignored, asRockable);
  return conf;
}

const InputFile* fileOf(const std::vector<InputFile>& files, std::string_view role) {
  const auto found = std::ranges::find(files, role, &InputFile::role);
  return found == files.end() ? nullptr : &*found;
}

}  // namespace

std::string newestState(const std::string& folder, const RunRecord& record,
                        Diagnostics& diagnostics, int threads) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return {};
  // The states there may be those of the run that this one replaces.
  if (record.status == "starting") return {};
  // Time of a state that a run can go on from to the bit; nothing for a broken or rounded file.
  const auto timeOf = [&](const std::string& path) -> std::optional<double> {
    if (!fs::is_regular_file(path, ignored)) return std::nullopt;  // a pipe would have no end
    const std::string name = fs::path(path).filename().string();
    const bool foreign = isForeign(path, record);
    // A run that goes on from a state before those that a kill has left knows their names alone.
    if (foreign && std::ranges::find(record.outputs, name) != record.outputs.end())
      return std::nullopt;
    try {
      TextReader in = TextReader::fromFile(path);
      // Each saved state has this block; the reader counts its lines.
      const bool whole = in.rest().find("\nInterfaces ") != std::string_view::npos;
      Diagnostics quiet;
      const Conf conf = readConf(in, quiet, threads);
      if (!conf.runState || !hasAllDigits(conf.precision)) return std::nullopt;
      const bool isLater =
          name == "restart.conf" && !record.path.empty() && conf.runState->step > record.steps;
      if (foreign || !whole || isLater)
        throw ModelError(fmt::format("{}: is no whole state of the run of {}", path,
                                     (fs::path(folder) / "run.json").string()));
      return conf.t;
    } catch (const Error& error) {
      diagnostics.warn(fmt::format("{}; the run does not resume from it", error.what()));
    }
    return std::nullopt;
  };
  std::string newest;
  std::optional<double> latest;
  const std::vector<std::string> series = confSeries({folder});
  for (auto path = series.rbegin(); path != series.rend() && !latest; ++path)
    if ((latest = timeOf(*path))) newest = *path;
  if (const fs::path restart = fs::path(folder) / "restart.conf";
      fs::is_regular_file(restart, ignored))
    if (const auto t = timeOf(restart.string()); t && (!latest || *t > *latest))
      newest = restart.string();
  return newest;
}

bool Resumption::isDone(double tmax, double dt) const {
  if (record_.status == "extractor" || record_.status == "rest") return true;
  return record_.status == "tmax" && stepsUntil(record_.time, tmax, dt) == 0;
}

std::uint64_t Resumption::seed() const {
  if (record_.seed && request_.seed.value_or(*record_.seed) != *record_.seed)
    throw ModelError(
        fmt::format("{}: this run began with --seed {}; resume it without this option, or run the "
                    "case with it into another folder with -o",
                    request_.folder, *record_.seed));
  return record_.seed.value_or(request_.seed.value_or(0));
}

/// @throws ModelError where --compat is given and the run began without
void Resumption::requireSameMechanics(bool asRockable) const {
  if (request_.compat && !asRockable)
    throw ModelError(
        fmt::format("{}: this run began without --compat rockable; resume it without this option, "
                    "or run the case with it into another folder with -o",
                    request_.folder));
}

/// Whether the conf-file is still the one that the run began from.
bool Resumption::isSameConfFile() const {
  return request_.conf != "-" && std::ranges::any_of(record_.inputs, [&](const InputFile& f) {
           return f.role == "conf" && !f.hash.empty() && f.hash == fileHash(request_.conf);
         });
}

/// Warns where the conf-file is another one than the run began with and does not differ in tmax,
/// interConf or precision alone.
/// @throws ModelError where the run cannot be one of `conf` up to its tmax
void Resumption::compare(const Conf& conf, const Conf& saved, const std::string& state,
                         Diagnostics& diagnostics) const {
  if (const auto k = otherBody(afterCommands(conf, record_.compat == "rockable"), saved))
    throw ModelError(fmt::format(
        "{}: differs from the case of {} in body {}; name the conf-file that the run began from, "
        "or another folder with -o",
        request_.conf, state, *k));
  if (saved.t - conf.tmax > 1.5 * saved.dt)  // the last step may pass tmax
    throw ModelError(fmt::format("{}: tmax = {} is before t = {} of {}: nothing to run; raise tmax",
                                 request_.conf, conf.tmax, tableTime(saved.t), state));
  if (isSameConfFile()) return;
  const std::vector<std::string> changed = changedParameters(conf, saved);
  const bool explained = record_.inputs.empty() || conf.tmax != record_.tmax ||
                         conf.interConf != record_.interConf || conf.precision != saved.precision;
  if (changed.empty() && explained) return;
  diagnostics.warn(fmt::format(
      "{}: differs from the conf-file with which this run began{}{}; only tmax, interConf and "
      "precision are read from it",
      inputName(request_.conf), changed.empty() ? "" : ", in ", fmt::join(changed, ", ")));
}

void Resumption::continueFrom(Conf& conf, RunOptions& run, Diagnostics& diagnostics) const {
  run.precision = conf.precision;
  run.start.firstConf = conf.iconf;
  run.start.firstStep = conf.runState ? conf.runState->step : 0;
  const std::string state = newestState(request_.folder, record_, diagnostics, request_.threads);
  if (state.empty()) {
    if (!record_.path.empty() && record_.status != "starting")
      requireSameMechanics(record_.compat == "rockable");
    request_.tell(
        fmt::format("{}: no state at full precision to resume from; the run starts again "
                    "from {}",
                    request_.folder, inputName(request_.conf)));
    run.start.beginsAgain = true;
    return;
  }
  Conf saved = readConfFromFile(state, diagnostics, request_.threads);
  requireSameMechanics(saved.summedClock.has_value());
  compare(conf, saved, state, diagnostics);
  if (record_.path.empty() && saved.runState->step > 0)
    diagnostics.warn(fmt::format(
        "{}: no run.json that can be read: its figures and findings are lost", request_.folder));
  saved.tmax = conf.tmax;  // the input may ask for more by now
  saved.interConf = conf.interConf;
  conf = std::move(saved);
  run.start.resumed = true;
  request_.tell(
      fmt::format("resuming from {} at t = {}, in the unit of the file", state, tableTime(conf.t)));
}

void Resumption::keepInputs(RunOptions& run, double time, Diagnostics& diagnostics) const {
  for (const char* role : {"shapes", "extractors"}) {
    const InputFile *before = fileOf(record_.inputs, role), *now = fileOf(run.inputs, role);
    if (record_.inputs.empty() || (!before && !now)) continue;
    if (!before || !now || before->hash != now->hash)
      diagnostics.warn(
          fmt::format("{} has changed since this run began; results up to t = {} are of before",
                      (now ? now : before)->path, tableTime(time)));
  }
  run.seed = record_.seed;
  run.start.resumedWith = run.inputs;
  if (!record_.inputs.empty()) run.inputs = record_.inputs;
}

void Resumption::checkDone(const Conf& conf, Diagnostics& diagnostics) const {
  requireSameMechanics(record_.compat == "rockable");
  if (isSameConfFile()) return;
  const std::vector<std::string> series = confSeries({request_.folder});
  if (series.empty())
    throw ModelError(fmt::format(
        "{}: no conf-file of the run is left that shows whether it is a run of {}; choose another "
        "folder with -o",
        request_.folder, request_.conf));
  compare(conf, readConfFromFile(series.back(), diagnostics, request_.threads), series.back(),
          diagnostics);
}

}  // namespace scree::sim
