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
namespace {

/// Calls f(name in run.json, value) for each figure of a RunQuality, const or not.
template <class Quality, class F>
void forEachFigure(Quality& quality, const F& f) {
  f("energyResidual", quality.energyResidual);
  f("energyGain", quality.energyGain);
  f("energySupplied", quality.energySupplied);
  f("checks", quality.checks);
  f("largestOverlap", quality.largestOverlap);
  f("skinViolations", quality.skinViolations);
  f("momentumError", quality.momentumError);
}

}  // namespace

std::string runJson(const Simulation& simulation, const RunOptions& options,
                    const std::string& status, double wallSeconds,
                    const std::vector<std::string>& outputs, const std::string& stateHash,
                    const std::map<int, std::string>& confHashes, const RunMonitor& monitor,
                    const std::optional<RestWatch>& rest, const Ending& ending) {
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
  json.member("status", status);
  if (!ending.by.empty())
    json.key("ending")
        .beginObject()
        .member("by", ending.by)
        .member("status", statusOf(ending.how))
        .member("step", ending.step)
        .member("atRest", ending.atRest)
        .end();
  const std::string fault = faultOf(simulation, monitor.quality(), status == "tmax");
  json.key("fault");
  fault.empty() ? json.null() : json.value(fault);
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
  forEachFigure(quality, [&](const char* name, const auto& value) { json.member(name, value); });
  json.key("bounds").beginObject();
  json.member("energyResidual", RunQuality::mostResidual);
  json.member("energyGain", RunQuality::mostEnergyGain);
  json.member("largestOverlap", RunQuality::mostOverlap).member("skinViolations", 0);
  json.member("momentumError", RunQuality::mostMomentumError).end();
  // A run that failed has a state that none of the checks has seen, such as NaN.
  json.member("withinBounds", quality.withinBounds() && status != "failed").end();
  json.key("watch").beginObject().key("seen").beginObject();
  for (const auto& [name, s] : monitor.sightings()) {
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
  json.member("missedContacts", quality.skinViolations);
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
  if (name.size() > longestPath) return false;
  const std::filesystem::path path = std::filesystem::path(name).lexically_normal();
  return path.is_relative() && !path.empty() && path != "." && *path.begin() != "..";
}

using Json = nlohmann::json;

/// A member of an object; null where there is none.
const Json& member(const Json& from, const char* key) {
  static const Json none;
  if (!from.is_object()) return none;
  const auto found = from.find(key);
  return found == from.end() ? none : *found;
}

/// Takes a member that has the type of `to`; leaves `to` as it is else.
template <class To>
void take(const Json& from, const char* key, To& to) {
  const Json& value = member(from, key);
  if constexpr (std::is_same_v<To, std::string>) {
    if (value.is_string()) to = value.get<std::string>();
  } else if constexpr (std::is_same_v<To, bool>) {
    if (value.is_boolean()) to = value.get<bool>();
  } else if constexpr (std::is_floating_point_v<To>) {
    if (value.is_number()) to = value.get<To>();
  } else if constexpr (std::is_unsigned_v<To>) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<To>::max())
      to = value.get<To>();
  } else {
    using Own = typename To::value_type;
    if (std::is_floating_point_v<Own> ? value.is_number() : value.is_number_unsigned())
      to = value.get<Own>();
  }
}

}  // namespace

RunRecord runRecord(const std::string& content, const std::string& path) {
  const Json json = isModest(content) ? Json::parse(content, nullptr, false) : Json();
  if (member(json, "program") != "rockable")
    throw ModelError(fmt::format("{}: expected the run.json of a run of rockable", path));
  RunRecord record;
  record.path = path;
  const auto fromHere = [&](const std::string& file) {
    if (file.size() > longestPath)
      throw ModelError(fmt::format("{}: expected paths of at most {} bytes, found one of {}", path,
                                   longestPath, file.size()));
    const std::filesystem::path relative(file);
    return (std::filesystem::path(path).parent_path() / relative).lexically_normal().string();
  };
  const auto inputFile = [&](const Json& input) {
    InputFile file;
    take(input, "role", file.role);
    take(input, "path", file.path);
    take(input, "hash", file.hash);
    if (!file.hash.empty()) file.path = fromHere(file.path);
    return file;
  };
  take(json, "input", record.input);
  take(json, "version", record.version);
  take(json, "revision", record.revision);
  take(json, "compiler", record.compiler);
  take(json, "architecture", record.architecture);
  take(json, "status", record.status);
  take(json, "fault", record.fault);
  take(json, "compat", record.compat);
  take(json, "stateHash", record.stateHash);
  take(json, "steps", record.steps);
  take(json, "seed", record.seed);
  take(json, "time", record.time);
  take(json, "tmax", record.tmax);
  take(json, "interConf", record.interConf);
  take(member(json, "rest"), "calmSince", record.calmSince);
  const Json& ending = member(json, "ending");
  take(ending, "by", record.ending.by);
  take(ending, "step", record.ending.step);
  take(ending, "atRest", record.ending.atRest);
  record.ending.how = member(ending, "status") == "rest" ? RunEnd::rest : RunEnd::extractor;
  forEachFigure(record.quality,
                [&](const char* name, auto& value) { take(member(json, "quality"), name, value); });
  if (const Json& seen = member(member(json, "watch"), "seen"); seen.is_object())
    for (const auto& [name, from] : seen.items()) {
      Sighting& to = record.watch[name];
      take(from, "looks", to.looks);
      take(from, "worst", to.worst);
      take(from, "time", to.time);
      take(from, "i", to.i);
      take(from, "j", to.j);
    }
  if (const Json& hashes = member(json, "confHashes"); hashes.is_object())
    for (const auto& [name, hash] : hashes.items())
      if (const auto conf = confNumber(name);
          conf && *conf <= std::numeric_limits<int>::max() && hash.is_string())
        record.confHashes[static_cast<int>(*conf)] = hash;
  const auto each = [&](const char* key, auto&& f) {
    if (const Json& list = member(json, key); list.is_array())
      for (const Json& item : list) f(item);
  };
  each("findings", [&](const Json& item) {
    if (item.is_string()) record.findings.push_back(item);
  });
  each("outputs", [&](const Json& item) {
    if (item.is_string() && staysWithin(item.get_ref<const std::string&>()))
      record.outputs.push_back(item);
  });
  each("inputs", [&](const Json& item) {
    if (item.is_object()) record.inputs.push_back(inputFile(item));
  });
  if (const Json& last = member(json, "resumedWith"); last.is_object()) {
    record.resumedWith = inputFile(last);
    record.resumedWith.role = "conf";
  }
  std::string done;
  take(json, "done", done);
  if (!done.empty() && done != "-") record.doneFile = fromHere(done);
  return record;
}

std::string doneText(const RunRecord& record) {
  JsonWriter json;
  json.beginObject().member("schema", 1).member("status", record.status);
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

bool isFinished(const std::string& status) {
  return status == "tmax" || status == "extractor" || status == "rest";
}

}  // namespace scree::sim
