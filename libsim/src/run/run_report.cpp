// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_report.hpp"

#include "engine/engine.hpp"

#include "scree/base/version.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <sys/resource.h>

namespace scree::sim {

std::string runJson(const Simulation& simulation, const RunOptions& options, const std::string& end,
                    double wallSeconds, const std::vector<std::string>& outputs,
                    const std::map<int, std::string>& confHashes, const RunMonitor& monitor,
                    const std::optional<RestWatch>& rest, const Ending& ending) {
  nlohmann::ordered_json json;
  json["schema"] = 1;
  json["program"] = "rockable";
  json["version"] = version();
  json["revision"] = revision();
  json["compiler"] = compiler();
  json["architecture"] = architecture();
  json["input"] = options.input;
  json["inputs"] = nlohmann::ordered_json::array();
  for (const InputFile& file : options.inputs)
    json["inputs"].push_back(
        {{"role", file.role},
         {"path", file.hash.empty() ? file.path : relativeTo(file.path, options.folder)},
         {"hash", file.hash}});
  json["end"] = end;
  if (!ending.by.empty())
    json["ending"] = {{"by", ending.by}, {"step", ending.step}, {"atRest", ending.atRest}};
  json["steps"] = simulation.stepIndex();
  json["time"] = simulation.time();
  json["tmax"] = simulation.input().tmax;
  json["interConf"] = simulation.input().interConf;
  json["bodies"] = simulation.bodies().size();
  json["contacts"] = simulation.contactCount();
  json["wallSeconds"] = wallSeconds;
  for (std::size_t s = 0; s < StageTimes::count; ++s)
    json["stages"][std::string(StageTimes::names[s])] =
        simulation.engine().stageTimes().seconds(static_cast<StageTimes::Stage>(s));
  json["stateHash"] = fmt::format("{:016x}", simulation.stateHash());
  json["confHashes"] = nlohmann::ordered_json::object();
  for (const auto& [number, hash] : confHashes) json["confHashes"][confName(number, false)] = hash;
  json["compat"] =
      simulation.compat() ? nlohmann::ordered_json("rockable") : nlohmann::ordered_json();
  json["threads"] = simulation.threads();
  json["seed"] = options.seed ? nlohmann::ordered_json(*options.seed) : nullptr;
  json["warnings"] = options.warnings;
  json["findings"] = monitor.findings();
  const RunQuality& quality = monitor.quality();
  const auto known = [](const std::optional<double>& x) {
    return x && std::isfinite(*x) ? nlohmann::ordered_json(*x) : nlohmann::ordered_json();
  };
  json["quality"] = {{"energyResidual", known(quality.energyResidual)},
                     {"largestOverlap", quality.largestOverlap},
                     {"skinViolations", quality.skinViolations},
                     {"momentumError", known(quality.momentumError)},
                     {"bounds",
                      {{"energyResidual", RunQuality::mostResidual},
                       {"largestOverlap", RunQuality::mostOverlap},
                       {"skinViolations", 0},
                       {"momentumError", RunQuality::mostMomentumError}}},
                     {"withinBounds", quality.withinBounds()}};
  if (rest) {
    const auto finite = [](double x) {
      return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json();
    };
    json["rest"] = {{"unbalanced", finite(rest->ratios().unbalanced)},
                    {"energy", finite(rest->ratios().energy)},
                    {"calmSince", finite(rest->calmSince())}};
  }
  json["missedContacts"] = monitor.missedContacts();
  json["listsOutrun"] = monitor.skinExceeded();
  json["bodyListUpdates"] = simulation.engine().lists().bodyUpdates;
  json["pairSearches"] = simulation.pairSearches();
  json["stateBytes"] = simulation.memoryBytes();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  json["peakMemoryBytes"] = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024u;
  json["outputs"] = outputs;
  // Names of files may be bytes that are no UTF-8, which JSON has not.
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

RunRecord readRunRecord(const std::string& path) { return runRecord(readFile(path), path); }

RunRecord runRecord(const std::string& content, const std::string& path) {
  const auto json = nlohmann::json::parse(content, nullptr, false);
  if (!json.is_object() || json.value("program", nlohmann::json()) != "rockable")
    throw ModelError(fmt::format("{}: expected the run.json of a run of rockable", path));
  RunRecord record;
  record.path = path;
  const auto text = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const auto number = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? found->get<double>() : 0.0;
  };
  record.version = text("version");
  record.revision = text("revision");
  record.compiler = text("compiler");
  record.architecture = text("architecture");
  record.end = text("end");
  if (const auto ending = json.find("ending"); ending != json.end() && ending->is_object()) {
    if (const auto by = ending->find("by"); by != ending->end() && by->is_string())
      record.ending.by = *by;
    if (const auto at = ending->find("step"); at != ending->end() && at->is_number_unsigned())
      record.ending.step = *at;
    if (const auto rest = ending->find("atRest"); rest != ending->end() && rest->is_boolean())
      record.ending.atRest = *rest;
  }
  record.compat = text("compat");
  record.stateHash = text("stateHash");
  if (const auto steps = json.find("steps"); steps != json.end() && steps->is_number_unsigned())
    record.steps = *steps;
  if (const auto seed = json.find("seed"); seed != json.end() && seed->is_number_unsigned())
    record.seed = *seed;
  record.time = number("time");
  record.tmax = number("tmax");
  record.interConf = number("interConf");
  if (const auto rest = json.find("rest"); rest != json.end() && rest->is_object())
    if (const auto since = rest->find("calmSince"); since != rest->end() && since->is_number())
      record.calmSince = *since;
  if (const auto quality = json.find("quality"); quality != json.end() && quality->is_object()) {
    const auto known = [&](const char* key) -> std::optional<double> {
      const auto found = quality->find(key);
      if (found == quality->end() || !found->is_number()) return std::nullopt;
      return found->get<double>();
    };
    record.quality.energyResidual = known("energyResidual");
    record.quality.largestOverlap = known("largestOverlap").value_or(0.0);
    record.quality.momentumError = known("momentumError");
    if (const auto skin = quality->find("skinViolations");
        skin != quality->end() && skin->is_number_unsigned())
      record.quality.skinViolations = *skin;
  }
  if (const auto hashes = json.find("confHashes"); hashes != json.end() && hashes->is_object())
    for (const auto& [name, hash] : hashes->items())
      if (const auto conf = confNumber(name);
          conf && *conf <= std::numeric_limits<int>::max() && hash.is_string())
        record.confHashes[static_cast<int>(*conf)] = hash;
  if (const auto outputs = json.find("outputs"); outputs != json.end() && outputs->is_array())
    for (const auto& output : *outputs)
      if (output.is_string()) record.outputs.push_back(output);
  if (const auto inputs = json.find("inputs"); inputs != json.end() && inputs->is_array())
    for (const auto& input : *inputs) {
      if (!input.is_object()) continue;
      InputFile file;
      for (auto [key, value] : {std::pair("role", &file.role), std::pair("path", &file.path),
                                std::pair("hash", &file.hash)})
        if (const auto found = input.find(key); found != input.end() && found->is_string())
          *value = *found;
      const std::filesystem::path relative(file.path);
      if (!file.hash.empty())
        file.path =
            (std::filesystem::path(path).parent_path() / relative).lexically_normal().string();
      record.inputs.push_back(std::move(file));
    }
  return record;
}

RunRecord earlierRun(const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / "run.json").string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  try {
    return readRunRecord(path);
  } catch (const ModelError&) {
    return {};  // somebody else's
  }
}

bool isOutput(const std::string& file, const std::string& folder) {
  const std::vector<std::string> outputs = earlierRun(folder).outputs;
  return std::any_of(outputs.begin(), outputs.end(), [&](const std::string& output) {
    std::error_code ignored;
    return std::filesystem::equivalent(std::filesystem::path(folder) / output, file, ignored);
  });
}

}  // namespace scree::sim
