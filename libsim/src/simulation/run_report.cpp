// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_report.hpp"

#include "scree/base/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <sys/resource.h>

namespace scree::sim {

std::string runJson(const Simulation& simulation, const RunOptions& options, const std::string& end,
                    double wallSeconds, const std::vector<std::string>& outputs) {
  nlohmann::ordered_json json;
  json["schema"] = 1;
  json["program"] = "rockable";
  json["version"] = version();
  json["input"] = options.input;
  json["end"] = end;
  json["steps"] = simulation.stepIndex();
  json["time"] = simulation.time();
  json["bodies"] = simulation.bodies().size();
  json["contacts"] = simulation.contactCount();
  json["wallSeconds"] = wallSeconds;
  for (std::size_t s = 0; s < StageTimes::count; ++s)
    json["stages"][std::string(StageTimes::names[s])] =
        simulation.stageTimes().seconds(static_cast<StageTimes::Stage>(s));
  json["stateHash"] = fmt::format("{:016x}", simulation.stateHash());
  json["threads"] = simulation.threads();
  json["seed"] = nullptr;  // nothing is left to chance
  json["warnings"] = options.warnings;
  json["missedContacts"] = 0;  // lists go by path lengths, which no body can outrun
  json["bodyListUpdates"] = simulation.lists().bodyUpdates;
  json["pairSearches"] = simulation.lists().pairSearches;
  json["stateBytes"] = simulation.memoryBytes();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  json["peakMemoryBytes"] = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024u;
  json["outputs"] = outputs;
  return json.dump(1) + "\n";
}

EarlierRun earlierRun(const std::string& folder) {
  EarlierRun earlier;
  const std::string path = (std::filesystem::path(folder) / "run.json").string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return earlier;
  const auto json = nlohmann::json::parse(readFile(path), nullptr, false);
  if (!json.is_object() || json.value("program", nlohmann::json()) != "rockable") return earlier;
  earlier.done = json.value("end", nlohmann::json()) == "tmax";
  if (const auto time = json.find("time"); time != json.end() && time->is_number())
    earlier.time = *time;
  if (const auto outputs = json.find("outputs"); outputs != json.end() && outputs->is_array())
    for (const auto& output : *outputs)
      if (output.is_string()) earlier.outputs.push_back(output);
  return earlier;
}

}  // namespace scree::sim
