// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.hpp"
#include "run_outputs.hpp"

#include "scree/base/files.hpp"
#include "scree/base/json_writer.hpp"
#include "scree/base/version.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <sys/resource.h>
#include <type_traits>

namespace scree::sim {

std::string runJson(const Simulation& simulation, const RunOptions& options, const std::string& end,
                    double wallSeconds, const std::vector<std::string>& outputs,
                    const std::string& stateHash, const std::map<int, std::string>& confHashes,
                    const RunMonitor& monitor, const std::optional<RestWatch>& rest,
                    const Ending& ending) {
  JsonWriter json(1);
  json.beginObject().member("schema", 1).member("program", "rockable");
  json.member("version", version()).member("revision", revision());
  json.member("compiler", compiler()).member("architecture", architecture());
  json.member("input", options.input).key("inputs").beginArray();
  for (const InputFile& file : options.inputs)
    json.beginObject()
        .member("role", file.role)
        .member("path", file.hash.empty() ? file.path : relativeTo(file.path, options.folder))
        .member("hash", file.hash)
        .end();
  json.end();
  if (!options.start.resumedWith.empty()) {
    const InputFile& file = options.start.resumedWith.front();
    json.key("resumedWith").beginObject();
    json.member("path", file.hash.empty() ? file.path : relativeTo(file.path, options.folder));
    json.member("hash", file.hash).end();
  }
  if (!options.doneFile.empty())
    json.member("done",
                options.doneFile == "-" ? "-" : relativeTo(options.doneFile, options.folder));
  json.member("end", end);
  if (!ending.by.empty())
    json.key("ending")
        .beginObject()
        .member("by", ending.by)
        .member("step", ending.step)
        .member("atRest", ending.atRest)
        .end();
  json.member("steps", simulation.stepIndex()).member("time", simulation.time());
  json.member("tmax", simulation.input().tmax);
  json.member("interConf", simulation.input().interConf);
  json.member("bodies", simulation.bodies().size());
  json.member("contacts", simulation.contactCount());
  json.member("wallSeconds", wallSeconds).key("stages").beginObject();
  for (std::size_t s = 0; s < StageTimes::count; ++s)
    json.member(StageTimes::names[s],
                engineOf(simulation).stageTimes().seconds(static_cast<StageTimes::Stage>(s)));
  json.end().member("stateHash", stateHash);
  json.key("confHashes").beginObject();
  for (const auto& [number, hash] : confHashes) json.member(confName(number, false), hash);
  json.end().key("compat");
  simulation.compat() ? json.value("rockable") : json.null();
  json.member("threads", simulation.threads()).member("seed", options.seed);
  json.key("warnings").list(options.warnings).key("findings").list(monitor.findings());
  const RunQuality& quality = monitor.quality();
  json.key("quality").beginObject();
  json.member("energyResidual", quality.energyResidual);
  json.member("energyGain", quality.energyGain);
  json.member("energySupplied", quality.energySupplied);
  json.member("checks", quality.checks);
  json.member("largestOverlap", quality.largestOverlap);
  json.member("skinViolations", quality.skinViolations);
  json.member("momentumError", quality.momentumError);
  json.key("bounds").beginObject();
  json.member("energyResidual", RunQuality::mostResidual);
  json.member("energyGain", RunQuality::mostEnergyGain);
  json.member("largestOverlap", RunQuality::mostOverlap).member("skinViolations", 0);
  json.member("momentumError", RunQuality::mostMomentumError).end();
  // A run that failed has a state that none of the checks has seen, such as NaN.
  json.member("withinBounds", quality.withinBounds() && end != "failed").end();
  const RunSightings watch = monitor.sightings();
  json.key("watch").beginObject().member("looks", watch.looks);
  json.member("deepAtStart", watch.deepAtStart).key("seen").beginObject();
  for (const auto& [name, s] : watch.seen) {
    json.key(name).beginObject().member("looks", s.looks).member("worst", s.worst);
    json.member("time", s.time).member("i", s.i).member("j", s.j).end();
  }
  json.end().end();
  if (rest)
    json.key("rest")
        .beginObject()
        .member("unbalanced", rest->ratios().unbalanced)
        .member("energy", rest->ratios().energy)
        .member("calmSince", rest->calmSince())
        .end();
  json.member("missedContacts", monitor.missedContacts());
  json.member("skinExceeded", monitor.skinExceeded());
  json.member("bodyListUpdates", engineOf(simulation).lists().bodyUpdates);
  json.member("pairSearches", simulation.pairSearches());
  json.member("stateBytes", simulation.memoryBytes());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  json.member("peakMemoryBytes", static_cast<std::uint64_t>(usage.ru_maxrss) * 1024u);
  json.key("outputs").list(outputs);
  return json.end().take() + "\n";
}

RunRecord readRunRecord(const std::string& path) { return runRecord(readFile(path), path); }

namespace {

/// Whether a parser of JSON takes memory in proportion to `text`. A record of a run is flat, and
/// few of its values are shorter than 8 bytes. That limits the depth and the number of values.
bool isModest(std::string_view text) {
  constexpr std::size_t deepest = 16, free = 4000, bytesPerValue = 8;
  std::size_t depth = 0, values = 0;
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quoted && c == '\\')
      ++k;
    else if (c == '"')
      quoted = !quoted;
    else if (quoted)
      continue;
    else if (c == '{' || c == '[') {
      values += 4;  // the memory of a container
      if (++depth > deepest) return false;
    } else if (c == '}' || c == ']')
      depth -= depth > 0 ? 1 : 0;
    else if (c == ',')
      ++values;
    else if (c == ':')
      values += 2;
  }
  return values <= free + text.size() / bytesPerValue;
}

/// [bytes] No system call takes a longer path, and its parts would take memory.
constexpr std::size_t longestPath = 4096;

/// Whether a name, read from a folder, is that of something in the folder.
bool staysWithin(std::string_view name) {
  if (name.starts_with('/') || name.size() > longestPath) return false;
  int depth = 0;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    if (part == "..") {
      if (--depth < 0) return false;
    } else if (!part.empty() && part != ".") {
      ++depth;
    }
    begin = end + 1;
  }
  return depth > 0;
}

/// The record under "watch"; missing values are 0.
RunSightings sightingsOf(const nlohmann::json& json) {
  RunSightings all;
  const auto take = [](const nlohmann::json& from, const char* key, auto& to) {
    using To = std::remove_reference_t<decltype(to)>;
    const auto found = from.find(key);
    if (found == from.end()) return;
    if constexpr (std::is_floating_point_v<To>) {
      if (found->is_number()) to = found->template get<To>();
    } else {
      if (found->is_number_unsigned() &&
          found->template get<std::uint64_t>() <= std::numeric_limits<To>::max())
        to = found->template get<To>();
    }
  };
  take(json, "looks", all.looks);
  take(json, "deepAtStart", all.deepAtStart);
  const auto seen = json.find("seen");
  if (seen == json.end() || !seen->is_object()) return all;
  for (const auto& [name, from] : seen->items()) {
    if (!from.is_object()) continue;
    Sighting& to = all.seen[name];
    take(from, "looks", to.looks);
    take(from, "worst", to.worst);
    take(from, "time", to.time);
    take(from, "i", to.i);
    take(from, "j", to.j);
  }
  return all;
}

}  // namespace

RunRecord runRecord(const std::string& content, const std::string& path) {
  const auto json =
      isModest(content) ? nlohmann::json::parse(content, nullptr, false) : nlohmann::json();
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
  const auto fromHere = [&](const std::string& file) {
    if (file.size() > longestPath)
      throw ModelError(fmt::format("{}: expected paths of at most {} bytes, found one of {}", path,
                                   longestPath, file.size()));
    const std::filesystem::path relative(file);
    return (std::filesystem::path(path).parent_path() / relative).lexically_normal().string();
  };
  const auto inputFile = [&](const nlohmann::json& input) {
    InputFile file;
    for (auto [key, value] : {std::pair("role", &file.role), std::pair("path", &file.path),
                              std::pair("hash", &file.hash)})
      if (const auto found = input.find(key); found != input.end() && found->is_string())
        *value = *found;
    if (!file.hash.empty()) file.path = fromHere(file.path);
    return file;
  };
  record.input = text("input");
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
    record.quality.energyGain = known("energyGain");
    record.quality.energySupplied = known("energySupplied").value_or(0.0);
    record.quality.largestOverlap = known("largestOverlap").value_or(0.0);
    record.quality.momentumError = known("momentumError");
    for (auto [key, value] : {std::pair("skinViolations", &record.quality.skinViolations),
                              std::pair("checks", &record.quality.checks)})
      if (const auto found = quality->find(key);
          found != quality->end() && found->is_number_unsigned())
        *value = *found;
  }
  if (const auto hashes = json.find("confHashes"); hashes != json.end() && hashes->is_object())
    for (const auto& [name, hash] : hashes->items())
      if (const auto conf = confNumber(name);
          conf && *conf <= std::numeric_limits<int>::max() && hash.is_string())
        record.confHashes[static_cast<int>(*conf)] = hash;
  if (const auto watch = json.find("watch"); watch != json.end() && watch->is_object())
    record.watch = sightingsOf(*watch);
  if (const auto skin = json.find("skinExceeded"); skin != json.end() && skin->is_number_unsigned())
    record.watch.skinExceeded = *skin;
  if (const auto findings = json.find("findings"); findings != json.end() && findings->is_array())
    for (const auto& finding : *findings)
      if (finding.is_string()) record.findings.push_back(finding);
  if (const auto outputs = json.find("outputs"); outputs != json.end() && outputs->is_array())
    for (const auto& output : *outputs)
      if (output.is_string() && staysWithin(output.get_ref<const std::string&>()))
        record.outputs.push_back(output);
  if (const auto inputs = json.find("inputs"); inputs != json.end() && inputs->is_array())
    for (const auto& input : *inputs)
      if (input.is_object()) record.inputs.push_back(inputFile(input));
  if (const auto last = json.find("resumedWith"); last != json.end() && last->is_object()) {
    record.resumedWith = inputFile(*last);
    record.resumedWith.role = "conf";
  }
  if (const std::string done = text("done"); !done.empty() && done != "-")
    record.doneFile = fromHere(done);
  return record;
}

std::string doneText(const RunRecord& record) {
  JsonWriter json;
  json.beginObject().member("schema", 1).member("end", record.end);
  json.member("steps", record.steps).member("time", record.time);
  json.member("stateHash", record.stateHash).end();
  return json.take() + "\n";
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

bool isOutput(const std::string& file, const RunRecord& record) {
  const std::filesystem::path folder = std::filesystem::path(record.path).parent_path();
  return std::ranges::any_of(record.outputs, [&](const std::string& output) {
    return sameFile((folder / output).string(), file);
  });
}

bool isFinished(const std::string& end) {
  return end == "tmax" || end == "extractor" || end == "rest";
}

}  // namespace scree::sim
