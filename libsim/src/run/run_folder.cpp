// SPDX-License-Identifier: GPL-3.0-or-later
// What a run finds in its folder.
#include "base/safe_write.hpp"
#include "io/conf_precision.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

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

/// Whether run.json lists the file, though perhaps not its hash. A run that goes on from a state
/// before those that a kill has left knows their names alone.
bool isListed(const std::string& path, const RunRecord& record) {
  return std::ranges::find(record.outputs, fs::path(path).filename().string()) !=
         record.outputs.end();
}

/// Whether a saved state has its last block, which each has. The reader counts its lines.
bool isWhole(std::string_view text) { return text.find("\nInterfaces ") != std::string_view::npos; }

}  // namespace

bool isFinished(const std::string& end) {
  return end == "tmax" || end == "extractor" || end == "rest";
}

bool runIsDone(const std::string& folder, double tmax, double dt) {
  const RunRecord earlier = earlierRun(folder);
  if (earlier.end == "extractor" || earlier.end == "rest") return true;
  return earlier.end == "tmax" && stepsUntil(earlier.time, tmax, dt) == 0;
}

void removeLeftovers(const std::string& folder) {
  std::set<std::string> folders{folder};
  std::error_code ignored;
  for (const std::string& output : earlierRun(folder).outputs) {
    fs::path on(folder);
    for (const fs::path& part : fs::path(output).lexically_normal().parent_path()) {
      on /= part;
      // Nothing outside, whatever run.json names.
      if (part == ".." || part.is_absolute() || !fs::is_directory(fs::symlink_status(on, ignored)))
        break;
      folders.insert(on.string());
    }
  }
  for (const std::string& each : folders) removeDeadTemporaries(each);
}

std::string newestState(const std::string& folder, Diagnostics& diagnostics, int threads) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return {};
  const RunRecord record = earlierRun(folder);
  // What stands there may be of the run that this one replaces.
  if (record.end == "starting") return {};
  // Time of a state that a run can go on from to the bit; nothing for a broken or rounded file.
  const auto timeOf = [&](const std::string& path) -> std::optional<double> {
    if (!fs::is_regular_file(path, ignored)) return std::nullopt;  // a pipe would have no end
    try {
      const bool foreign = isForeign(path, record);
      const auto refuseForeign = [&] {
        if (foreign)
          throw ModelError(fmt::format("{}: is no state of the run of {}", path,
                                       (fs::path(folder) / "run.json").string()));
      };
      if (!isListed(path, record)) refuseForeign();
      TextReader in = TextReader::fromFile(path);
      const std::string_view text = in.rest();
      Diagnostics quiet;
      const Conf conf = readConf(in, quiet, threads);
      if (!conf.runState || !hasAllDigits(conf.precision)) return std::nullopt;
      refuseForeign();
      if (!isWhole(text))
        throw ModelError(fmt::format("{}: ends before its line Interfaces", path));
      if (fs::path(path).filename() == "restart.conf" && !record.path.empty() &&
          conf.runState->step > record.steps)
        throw ModelError(fmt::format("{}: is no state of the run of {}, which ends earlier", path,
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
    if (const auto t = timeOf(restart.string()); t && (!latest || *t >= *latest))
      newest = restart.string();
  return newest;
}

}  // namespace scree::sim
