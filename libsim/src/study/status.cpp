// SPDX-License-Identifier: GPL-3.0-or-later
// How far the runs of a study have come, by the files that they leave.
#include "scree/base/files.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;

/// Longer than rockable lets pass between two checkpoints.
constexpr std::chrono::seconds longestSilence(400);

/// Whether a run has written a file lately.
bool isAlive(const fs::path& folder) {
  std::error_code ignored;
  const auto now = fs::file_time_type::clock::now();
  return std::ranges::any_of(fs::directory_iterator(folder, ignored), [&](const auto& entry) {
    return now - entry.last_write_time(ignored) < longestSilence;
  });
}

}  // namespace

StudyStatus studyStatus(const std::string& folder) {
  const Table runs = readTable((fs::path(folder) / "runs.csv").string(),
                               [](const Table&, std::size_t k) { return k == 0; });
  StudyStatus status;
  status.runs = runs.rows.size();
  std::vector<std::string> warnings;
  double wall = 0.0, left = 0.0;  // [s] of the runs that are done; runs that are left, with parts
  for (const Row& row : runs.rows) {
    const std::string run = std::get<std::string>(row.at(0));
    const fs::path place = fs::path(folder) / run,
                   failed = fs::path(folder) / "logs" / (run + ".failed");
    const RunRecord record = earlierRun(place.string());
    std::error_code ignored;
    for (const std::string& warning : record.warnings) warnings.push_back(warning);
    std::string fault = record.fault.empty() && record.status == "failed" ? "failed" : record.fault;
    if (fs::exists(failed, ignored) &&
        !fs::exists(fs::path(folder) / "tables" / (run + ".csv"), ignored))
      fault = readFile(failed.string());
    std::ranges::replace(fault, '\n', ' ');
    if (!fault.empty()) {
      ++status.failed;
      status.failures.push_back(fmt::format("{}: {}", run, fault));
      continue;
    }
    if (record.isFinished()) {
      ++status.done;
      wall += record.wallSeconds;
      continue;
    }
    left += record.tmax > 0.0 ? 1.0 - std::clamp(record.time / record.tmax, 0.0, 1.0) : 1.0;
    if (record.path.empty())
      ++status.waiting;
    else if (record.status != "stopped" && isAlive(place))
      ++status.running;
    else
      ++status.stopped;
  }
  status.secondsLeft = left == 0.0 ? 0.0 : left * wall / static_cast<double>(status.done);
  status.warnings = onceEach(warnings);
  return status;
}

}  // namespace scree::sim
