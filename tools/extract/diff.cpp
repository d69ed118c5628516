// SPDX-License-Identifier: GPL-3.0-or-later
#include "diff.hpp"

#include "compare.hpp"

#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/run_input.hpp"
#include "scree/sim/simulation.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// Conf-files of a folder by their numbers.
std::map<std::int64_t, std::string> filesOf(const std::string& folder) {
  std::map<std::int64_t, std::string> files;
  for (const std::string& path : sim::confSeries({folder}))
    if (const auto number = sim::confNumber(path)) files[*number] = path;
  if (files.empty()) throw IoError(fmt::format("{}: there is no conf-file in it", folder));
  return files;
}

/// Resumes a run from one of its files, with the drives of its first input.
std::unique_ptr<sim::Simulation> runFrom(const std::string& folder, const std::string& file,
                                         int threads, Diagnostics& diagnostics) {
  const sim::RunRecord record = sim::earlierRun(folder);
  sim::Conf conf = sim::readConfFromFile(file, diagnostics, threads);
  std::vector<std::string> confFiles{file};
  for (const sim::InputFile& input : record.inputs)
    if (input.role == "conf" || input.role == "redirection") confFiles.push_back(input.path);
  sim::RunInput input = sim::readRunInput(std::move(conf), confFiles, diagnostics);
  return std::make_unique<sim::Simulation>(
      std::move(input.conf), std::move(input.shapes), std::move(input.drives),
      sim::SimulationOptions(threads, record.compat == "rockable"), diagnostics);
}

/// The first step after a common state at which two runs differ; at most `most` of them.
std::vector<sim::Row> firstDifference(sim::Simulation& a, sim::Simulation& b, double tolerance,
                                      std::uint64_t most, std::uint64_t& made) {
  for (made = 1; made <= most; ++made) {
    a.step();
    b.step();
    // The hash covers all of the state but accelerations and parameters, which act a step later.
    if (tolerance == 0.0 && a.stateHash() == b.stateHash()) continue;
    std::vector<sim::Row> rows = differences(a.conf(), b.conf(), tolerance);
    if (!rows.empty()) return rows;
  }
  made = most;
  return {};
}

}  // namespace

DiffOutcome diff(const DiffOptions& options, Diagnostics& diagnostics) {
  std::error_code code;
  for (const std::string& path : {options.a, options.b})
    if (path != "-" && !fs::exists(path, code))
      throw IoError(fmt::format("{}: no such file", path));
  const bool folders = fs::is_directory(options.a, code);
  if (folders != fs::is_directory(options.b, code))
    throw UsageError(fmt::format(
        "diff: expected two conf-files or two folders, found '{}' and '{}'", options.a, options.b));
  DiffOutcome outcome;
  const auto read = [&](const std::string& path) {
    return sim::readConfFromFile(path, diagnostics, options.threads);
  };
  if (!folders) {
    outcome.rows = differences(read(options.a), read(options.b), options.tolerance);
    outcome.compared = 1;
    if (options.first && outcome.rows.size() > 1) outcome.rows.resize(1);
    return outcome;
  }
  const auto inA = filesOf(options.a), inB = filesOf(options.b);
  for (const auto& [number, path] : inA)
    if (!inB.contains(number)) outcome.alone.push_back(path);
  for (const auto& [number, path] : inB)
    if (!inA.contains(number)) outcome.alone.push_back(path);
  std::optional<std::int64_t> equal;  // number of the last files that agree
  for (const auto& [number, path] : inA) {
    const auto other = inB.find(number);
    if (other == inB.end()) continue;
    ++outcome.compared;
    const sim::Conf a = read(path), b = read(other->second);
    std::vector<sim::Row> rows = differences(a, b, options.tolerance);
    if (rows.empty()) {
      equal = number;
      continue;
    }
    if (!options.first) {
      outcome.rows.insert(outcome.rows.end(), rows.begin(), rows.end());
      continue;
    }
    if (!equal || !a.runState) {
      outcome.rows = std::move(rows);
      return outcome;
    }
    const auto runA = runFrom(options.a, inA.at(*equal), options.threads, diagnostics);
    const auto runB = runFrom(options.b, inB.at(*equal), options.threads, diagnostics);
    const std::uint64_t most = a.runState->step - runA->stepIndex();
    outcome.rows = firstDifference(*runA, *runB, options.tolerance, most, outcome.stepsRerun);
    // Files differ though runs do not: somebody changed a file, or another program wrote it.
    if (outcome.rows.empty()) {
      diagnostics.warn(
          fmt::format("{} and {} differ, but the runs from {} agree when this program repeats "
                      "them. Another program wrote one of these files (see run.json), or it was "
                      "changed after its run",
                      path, other->second, inA.at(*equal)));
      outcome.rows = std::move(rows);
    }
    return outcome;
  }
  if (outcome.compared == 0)
    throw ModelError(
        fmt::format("diff: {} and {} have no conf-file of the same number", options.a, options.b));
  return outcome;
}

}  // namespace scree::tools
