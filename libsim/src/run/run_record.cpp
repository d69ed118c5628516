// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/files.hpp"
#include "scree/base/json_writer.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <concepts>
#include <filesystem>
#include <limits>
#include <ranges>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;

template <class T, class Of>
concept Is = std::same_as<std::remove_const_t<T>, Of>;

// Each calls f with names and members of an object of run.json, for writing and for reading.
void members(auto& f, Is<InputFile> auto& file) {
  f("role", file.role, "path", file.path, "hash", file.hash);
}
void members(auto& f, Is<Ending> auto& ending) {
  f("by", ending.by, "status", ending.status, "step", ending.step, "atRest", ending.atRest);
}
void members(auto& f, Is<RunQuality> auto& quality) {
  bool within = quality.withinBounds();
  f("energyResidual", quality.energyResidual, "energyGain", quality.energyGain, "energySupplied",
    quality.energySupplied, "checks", quality.checks, "largestOverlap", quality.largestOverlap,
    "skinViolations", quality.skinViolations, "failed", quality.failed, "withinBounds", within);
}
void members(auto& f, Is<Sighting> auto& sighting) {
  f("looks", sighting.looks, "worst", sighting.worst, "time", sighting.time);
  f("i", sighting.i, "j", sighting.j);
}
void members(auto& f, Is<RestRatios> auto& ratios) {
  f("unbalanced", ratios.unbalanced, "energy", ratios.energy);
}
void members(auto& f, Is<RunRecord> auto& record) {
  f("version", record.version, "revision", record.revision, "compiler", record.compiler);
  f("architecture", record.architecture, "input", record.input, "inputs", record.inputs);
  f("resumedWith", record.resumedWith, "done", record.doneFile, "status", record.status);
  f("ending", record.ending, "fault", record.fault, "steps", record.steps, "time", record.time);
  f("tmax", record.tmax, "interConf", record.interConf, "bodies", record.bodies);
  f("contacts", record.contacts, "wallSeconds", record.wallSeconds, "stages", record.stages);
  f("stateHash", record.stateHash, "confHashes", record.confHashes, "compat", record.compat);
  f("threads", record.threads, "seed", record.seed, "warnings", record.warnings);
  f("findings", record.findings, "quality", record.quality, "watch", record.watch);
  f("rest", record.rest, "calmSince", record.calmSince);
  f("missedContacts", record.quality.skinViolations, "bodyListUpdates", record.bodyListUpdates);
  f("pairSearches", record.pairSearches, "peakMemoryBytes", record.peakMemoryBytes);
  f("outputs", record.outputs);
}

template <class T>
concept Map = requires {
  typename T::mapped_type;
};

std::string keyText(const std::string& key) { return key; }
std::string keyText(int number) { return confName(number, false); }

/// An empty text is null.
class Writer {
 public:
  explicit Writer(JsonWriter& json) : json_(json) {}

  template <class T, class... More>
  void operator()(const std::string& name, const T& value, const More&... more) {
    json_.key(name);
    put(value);
    if constexpr (sizeof...(more) > 0) (*this)(more...);
  }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (std::same_as<T, std::string>) {
      value.empty() ? json_.null() : json_.value(value);
    } else if constexpr (requires { json_.value(value); }) {
      json_.value(value);
    } else if constexpr (Map<T>) {
      json_.beginObject();
      for (const auto& [key, item] : value) (*this)(keyText(key), item);
      json_.end();
    } else if constexpr (std::ranges::range<T>) {
      json_.beginArray();
      for (const auto& item : value) put(item);
      json_.end();
    } else {
      json_.beginObject();
      members(*this, value);
      json_.end();
    }
  }

  JsonWriter& json_;
};

using Json = nlohmann::json;

/// The JSON of a text; null where it is none. A record of a run is flat, and few of its values are
/// shorter than 8 bytes: limits of depth and number keep memory in proportion to the text.
Json parsed(const std::string& text) {
  using Event = Json::parse_event_t;
  std::size_t left = 4000 + text.size() / 8;
  const auto isModest = [&](int depth, Event event, Json&) {
    const std::size_t weight = event == Event::object_start || event == Event::array_start ? 4
                               : event == Event::key                                       ? 2
                                                                                           : 1;
    if (depth > 16 || weight > left) throw std::length_error("expected a record of a run");
    left -= weight;
    return true;
  };
  try {
    return Json::parse(text, isModest, false);
  } catch (const std::length_error&) {
    return {};
  }
}

/// A member of an object; null where there is none.
const Json& member(const Json& from, const std::string& key) {
  static const Json none;
  if (!from.is_object()) return none;
  const auto found = from.find(key);
  return found == from.end() ? none : *found;
}

bool keyFrom(const std::string& text, std::string& key) {
  key = text;
  return true;
}
bool keyFrom(const std::string& text, int& number) {
  const auto found = confNumber(text);
  if (!found || *found > std::numeric_limits<int>::max()) return false;
  number = static_cast<int>(*found);
  return true;
}

/// Takes members that have the type of ours; leaves others as they are.
class Reader {
 public:
  explicit Reader(const Json& from) : from_(from) {}

  template <class T, class... More>
  void operator()(const std::string& name, T& value, More&... more) {
    take(member(from_, name), value);
    if constexpr (sizeof...(more) > 0) (*this)(more...);
  }

 private:
  template <class T>
  static void take(const Json& from, T& to) {
    if constexpr (std::same_as<T, std::string>) {
      if (from.is_string()) to = from.get<std::string>();
    } else if constexpr (std::same_as<T, bool>) {
      if (from.is_boolean()) to = from.get<bool>();
    } else if constexpr (std::floating_point<T>) {
      if (from.is_number()) to = from.get<T>();
    } else if constexpr (std::integral<T>) {
      if (from.is_number_unsigned() && std::in_range<T>(from.get<std::uint64_t>()))
        to = from.get<T>();
    } else if constexpr (requires { to.has_value(); }) {
      if (from.is_number()) take(from, to.emplace());
    } else if constexpr (Map<T>) {
      if (!from.is_object()) return;
      for (const auto& [text, item] : from.items())
        if (typename T::key_type key{}; keyFrom(text, key)) take(item, to[key]);
    } else if constexpr (std::ranges::range<T>) {
      if (!from.is_array()) return;
      for (const Json& item : from) take(item, to.emplace_back());
    } else {
      Reader of(from);
      members(of, to);
    }
  }

  const Json& from_;
};

/// [bytes] No system call takes a longer path, and its parts would take memory.
constexpr std::size_t longestPath = 4096;

/// Whether a name, read from a folder, is that of something in the folder.
bool staysWithin(std::string_view name) {
  if (name.size() > longestPath) return false;
  const fs::path path = fs::path(name).lexically_normal();
  return path.is_relative() && !path.empty() && path != "." && *path.begin() != "..";
}

/// Calls f(path) for each path of a record that its file gives from its own folder.
template <class F>
void forEachPath(RunRecord& record, const F& f) {
  for (InputFile& file : record.inputs)
    if (!file.hash.empty()) f(file.path);
  if (!record.resumedWith.hash.empty()) f(record.resumedWith.path);
  if (!record.doneFile.empty() && record.doneFile != "-") f(record.doneFile);
}

}  // namespace

std::string runJson(const RunRecord& record) {
  RunRecord fromFolder = record;
  const std::string folder = fs::path(record.path).parent_path().string();
  forEachPath(fromFolder, [&](std::string& file) { file = relativeTo(file, folder); });
  JsonWriter json(1);
  json.beginObject().member("schema", 1).member("program", "rockable");
  Writer to(json);
  members(to, fromFolder);
  return json.end().take() + "\n";
}

RunRecord readRunRecord(const std::string& path) { return runRecord(readFile(path), path); }

RunRecord runRecord(const std::string& content, const std::string& path) {
  const Json json = parsed(content);
  if (member(json, "program") != "rockable")
    throw ModelError(fmt::format("{}: expected the run.json of a run of rockable", path));
  RunRecord record;
  record.path = path;
  Reader from(json);
  members(from, record);
  forEachPath(record, [&](std::string& file) {
    if (file.size() > longestPath)
      throw ModelError(fmt::format("{}: expected paths of at most {} bytes, found one of {}", path,
                                   longestPath, file.size()));
    file = (fs::path(path).parent_path() / file).lexically_normal().string();
  });
  std::erase_if(record.outputs, [](const std::string& name) { return !staysWithin(name); });
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
  const std::string path = (fs::path(folder) / "run.json").string();
  if (!isRegularFile(path)) return {};
  try {
    return readRunRecord(path);
  } catch (const ModelError&) {
    return {};  // somebody else's
  }
}

bool isOutput(const std::string& file, const RunRecord& record) {
  const fs::path folder = fs::path(record.path).parent_path();
  return std::ranges::any_of(record.outputs, [&](const std::string& output) {
    return sameFile((folder / output).string(), file);
  });
}

bool RunRecord::isFinished() const {
  return status == "tmax" || status == "extractor" || status == "rest";
}

}  // namespace scree::sim
