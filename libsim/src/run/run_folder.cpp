// SPDX-License-Identifier: GPL-3.0-or-later
// What a run finds in its folder.
#include "base/safe_write.hpp"
#include "io/conf_precision.hpp"

#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <set>

namespace scree::sim {

namespace fs = std::filesystem;

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
  // What stands there may be of the run that this one replaces.
  if (earlierRun(folder).end == "starting") return {};
  // Time of a state that a run can go on from to the bit; nothing for a broken or rounded file.
  const auto timeOf = [&](const std::string& path) -> std::optional<double> {
    if (!fs::is_regular_file(path, ignored)) return std::nullopt;  // a pipe would have no end
    try {
      Diagnostics quiet;
      const Conf conf = readConfFromFile(path, quiet, threads);
      if (conf.runState && hasAllDigits(conf.precision)) return conf.t;
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
