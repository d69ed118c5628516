// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages.hpp"
#include "rockable.hpp"

#include "scree/base/files.hpp"
#include "scree/base/json_writer.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/law/law_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace scree::tools {
namespace {

/// Rows that a report shows of a list that may be long.
constexpr std::size_t mostRows = 8;
/// [s] for which a run waits at each conf-file, besides its text: two files are made and renamed,
/// and four tables grow. Measured on a local disk: 1.0 to 2.9 ms (60 files of 2 kB, 30 of 13 kB).
constexpr double fileSeconds = 1.5e-3;

/// Bodies of one shape and group.
struct Kind {
  std::size_t free = 0, driven = 0;
  double mass = 0.0, least = std::numeric_limits<double>::infinity(),
         most = 0.0;  ///< [M] free ones
};
using Kinds = std::map<std::tuple<std::string, std::uint32_t>, Kind>;

Kinds kindsOf(const sim::Simulation& simulation) {
  const sim::Bodies& b = simulation.bodies();
  Kinds kinds;
  for (std::size_t k = 0; k < b.size(); ++k) {
    Kind& kind = kinds[{simulation.shapes()[b.shape[k]].name, b.group[k]}];
    if (k < b.driven) {
      ++kind.driven;
      continue;
    }
    ++kind.free;
    kind.mass += b.mass[k];
    kind.least = std::min(kind.least, b.mass[k]);
    kind.most = std::max(kind.most, b.mass[k]);
  }
  return kinds;
}

/// Pairs of groups that can meet: the restitution that the file requests and what comes out.
struct PairRestitution {
  std::uint32_t g1, g2;
  double nominal, effective;
};
std::vector<PairRestitution> restitutions(const sim::Simulation& simulation) {
  const sim::Bodies& b = simulation.bodies();
  const std::set<std::uint32_t> all(b.group.begin(), b.group.end()),
      moving(b.group.begin() + b.driven, b.group.end());
  std::vector<PairRestitution> rows;
  for (const std::uint32_t g1 : all)
    for (const std::uint32_t g2 : all) {
      if (g1 > g2 || !(moving.contains(g1) || moving.contains(g2))) continue;
      if (const auto e = simulation.restitution(g1, g2))
        rows.push_back({g1, g2, e->requested, e->effective});
    }
  return rows;
}

/// Conf-files after `first` steps up to `last`.
std::uint64_t confFiles(std::uint64_t first, std::uint64_t last, double period, double dt) {
  if (last <= first) return 0;
  const double perOutput = period / dt;
  if (perOutput <= 1.0) return last - first;
  const auto outputs = [&](std::uint64_t step) {
    return std::floor((static_cast<double>(step) + 0.5 + 1e-9) / perOutput);
  };
  return static_cast<std::uint64_t>(outputs(last) - outputs(first));
}

std::string duration(double seconds) {
  if (seconds < 100.0) return fmt::format("{:.2g} s", seconds);
  if (seconds < 6000.0) return fmt::format("{:.0f} min", seconds / 60.0);
  if (seconds < 2e5) return fmt::format("{:.1f} h", seconds / 3600.0);
  return fmt::format("{:.3g} days", seconds / 86400.0);
}

/// The time of a run and the size of its conf-files, from steps made in memory.
struct Prediction {
  std::uint64_t measured = 0;  ///< steps of the run that were made
  double perStep = 0.0;        ///< [s] mean of the whole run
  double seconds = 0.0;        ///< of the whole run; 0 where nothing could be measured
  double fileBytes = 0.0;      ///< of a conf-file after these steps
  double perFile = 0.0;        ///< [s] for which the run waits at a conf-file
  std::string failure;         ///< message of the error where steps fail
};

/// Text of the conf-file of a state; of a large one a part stands for the whole.
void addText(const sim::Simulation& simulation, bool compress, Prediction& result) {
  constexpr std::size_t most = 20'000;  // bodies or contacts
  const auto begin = std::chrono::steady_clock::now();
  sim::Conf conf = simulation.conf();
  const std::size_t all = std::max(conf.particles.size(), conf.interactions.size()),
                    share = std::max<std::size_t>(1, all / most);
  const auto thin = [&](auto& lines) {
    for (std::size_t k = 0; k * share < lines.size(); ++k) lines[k] = lines[k * share];
    lines.resize((lines.size() + share - 1) / share);
  };
  thin(conf.particles);
  thin(conf.interactions);
  thin(conf.interfaces);
  const auto sizeOf = [&](const std::string& text) {
    return compress ? compressed(text).size() : text.size();
  };
  const auto copied = std::chrono::steady_clock::now();
  const std::size_t bytes = sizeOf(sim::confText(conf));
  const auto end = std::chrono::steady_clock::now();
  const std::chrono::duration<double> copy = copied - begin, write = end - copied;
  conf.particles.clear();
  conf.interactions.clear();
  conf.interfaces.clear();
  const std::size_t rest = share > 1 ? sizeOf(sim::confText(conf)) : 0;
  result.fileBytes = static_cast<double>(rest + share * (bytes - rest));
  result.perFile = copy.count() + static_cast<double>(share) * write.count() + fileSeconds;
}

/// Makes steps of the run for up to 1.5 s. Steps after them cost what the later half of them did.
/// @param simulation  at its start; is left in a later state
Prediction predictedTime(sim::Simulation& simulation, std::uint64_t steps, bool compress) {
  Prediction result;
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::pair<std::uint64_t, double>> ends;  // steps, [s] after each part
  try {
    while (result.measured < steps && (ends.empty() || ends.back().second < 1.5)) {
      result.measured += simulation.steps(
          std::min<std::uint64_t>({steps - result.measured, 1 + result.measured / 8, 1000}));
      ends.emplace_back(
          result.measured,
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
  } catch (const ModelError& error) {
    result.failure = error.what();
  }
  addText(simulation, compress, result);
  if (ends.empty()) return result;
  const auto [made, spent] = ends.back();
  const auto half =
      std::ranges::lower_bound(ends, made / 2, {}, [](auto& end) { return end.first; });
  const double later = half->first < made
                           ? (spent - half->second) / static_cast<double>(made - half->first)
                           : spent / static_cast<double>(made);
  result.seconds = spent + later * static_cast<double>(steps - made);
  result.perStep = result.seconds / static_cast<double>(steps);
  return result;
}

/// The figures of the report.
struct Report {
  Kinds kinds;
  double mass = 0.0;
  sim::Overlaps overlaps;
  sim::ConvexCores::Crossings crossings;
  double contactTime = 0.0;
  sim::CriticalStep critical;
  std::vector<PairRestitution> restitution;
  std::uint64_t steps = 0, files = 0;
  bool compress = false;
  double allBytes = 0.0;  ///< of all conf-files that the run will write
  std::size_t stateBytes = 0;
  Prediction time;

  bool knowsContactTime() const { return std::isfinite(contactTime); }
};

Report reportOn(sim::Simulation& simulation, const sim::CriticalStep& critical, bool compress) {
  const sim::Conf& conf = simulation.input();
  Report r;
  r.compress = compress;
  r.kinds = kindsOf(simulation);
  for (const auto& [name, kind] : r.kinds) r.mass += kind.mass;
  r.overlaps = sim::overlapsOf(simulation);
  r.crossings = sim::ConvexCores(simulation.shapes()).crossings(simulation);
  r.contactTime = sim::shortestContactTime(simulation);
  r.critical = critical;
  r.restitution = restitutions(simulation);
  const std::uint64_t first = simulation.stepIndex();
  r.steps = sim::stepsUntil(simulation.time(), conf.tmax, conf.dt);
  r.files = confFiles(first, first + r.steps, conf.interConf, conf.dt);
  r.stateBytes = simulation.memoryBytes();
  r.time = predictedTime(simulation, r.steps, compress);
  r.allBytes = r.time.fileBytes * static_cast<double>(r.files);
  if (r.time.measured > 0) r.time.seconds += r.time.perFile * static_cast<double>(r.files);
  return r;
}

std::string asJson(const Report& r, const sim::Conf& conf, double t, std::size_t bodies,
                   const std::vector<sim::ScriptedExtractor>& extractors) {
  const auto known = [](bool isKnown, double value) {
    return isKnown ? std::optional(value) : std::nullopt;
  };
  JsonWriter json(1);
  json.beginObject().member("schema", 1).member("bodies", bodies);
  json.member("driven", conf.nDriven).member("mass", r.mass).key("kinds").beginArray();
  for (const auto& [key, kind] : r.kinds) {
    json.beginObject().member("shape", std::get<0>(key)).member("group", std::get<1>(key));
    json.member("free", kind.free).member("driven", kind.driven);
    json.member("mass", kind.mass);
    json.member("leastMass", known(kind.free > 0, kind.least));
    json.member("mostMass", known(kind.free > 0, kind.most)).end();
  }
  json.end().member("forceLaw", conf.forceLaw).member("integrator", conf.integrator);
  json.member("contacts", r.overlaps.contacts);
  json.member("largestOverlap", r.overlaps.worstDepth);
  json.member("largestOverlapOverSize", r.overlaps.worst);
  json.member("deepOverlaps", r.overlaps.deep).key("worstPair");
  if (r.overlaps.worst > 0.0) {
    json.beginArray().value(r.overlaps.i);
    r.overlaps.i == r.overlaps.j ? json.null() : json.value(r.overlaps.j);
    json.end();
  } else {
    json.null();
  }
  json.member("bodiesInsideOthers", r.crossings.pairs).member("dt", conf.dt);
  json.member("contactPeriod", known(r.knowsContactTime(), r.contactTime));
  json.member("stepsPerContact", known(r.knowsContactTime(), r.contactTime / conf.dt));
  json.member("dtOverCritical", known(std::isfinite(r.critical.dt), conf.dt / r.critical.dt));
  json.key("criticalBody");
  r.critical.body ? json.value(*r.critical.body) : json.null();
  json.key("restitution").beginArray();
  for (const PairRestitution& row : r.restitution)
    json.beginObject()
        .key("groups")
        .list(std::array{row.g1, row.g2})
        .member("nominal", row.nominal)
        .member("effective", row.effective)
        .end();
  json.end().member("t", t).member("tmax", conf.tmax).member("steps", r.steps);
  json.member("confFiles", r.files).key("firstConf");
  r.files > 0 ? json.value(sim::confName(conf.iconf + 1, r.compress)) : json.null();
  json.member("confFileBytes", static_cast<std::uint64_t>(std::round(r.time.fileBytes)));
  json.member("confFilesBytes", static_cast<std::uint64_t>(std::round(r.allBytes)))
      .key("tables")
      .beginArray();
  for (const sim::ScriptedExtractor& e : extractors)
    json.beginObject()
        .member("kind", e.extractor.kind->name)
        .member("file", e.file)
        .member("records", r.steps == 0 ? 0 : (r.steps - 1) / e.period + 1)
        .end();
  json.end().member("stateBytes", r.stateBytes);
  json.member("secondsPerStep", known(r.time.measured > 0, r.time.perStep));
  json.member("predictedSeconds", known(r.time.measured > 0, r.time.seconds)).key("failure");
  r.time.failure.empty() ? json.null() : json.value(r.time.failure);
  return json.end().take() + "\n";
}

void addOverlaps(std::string& out, const Report& r) {
  out += fmt::format("contacts        {} at the start", r.overlaps.contacts);
  if (r.overlaps.worst > 0.0)
    out += fmt::format("; deepest overlap {:.3g}, {:.2g} % of the size of a body ({})",
                       r.overlaps.worstDepth, 100.0 * r.overlaps.worst,
                       sim::pairName(r.overlaps.i, r.overlaps.j));
  out += '\n';
  if (r.overlaps.deep > 0)
    out += fmt::format("                {} deeper than {:.0f} %: they will push bodies apart\n",
                       r.overlaps.deep, 100.0 * sim::deepOverlap);
  if (r.overlaps.nearlyThrough > 0)
    out += fmt::format("                {} as deep as the rounding: the cores touch\n",
                       r.overlaps.nearlyThrough);
  if (r.crossings.pairs > 0)
    out +=
        fmt::format("                {} pairs of bodies inside each other, the first {} and {}\n",
                    r.crossings.pairs, r.crossings.i, r.crossings.j);
}

void addTimeStep(std::string& out, const Report& r, const sim::Conf& conf) {
  out += fmt::format("time step       {:.4g}", conf.dt);
  if (r.knowsContactTime()) {
    const double perContact = r.contactTime / conf.dt, share = conf.dt / r.critical.dt;
    out += fmt::format(", {:.3g} to the shortest contact of {:.4g}, {:.2g} of the critical step",
                       perContact, r.contactTime, share);
    if (r.critical.body)
      out += fmt::format(" {:.4g} (body {}, {} contact{})", r.critical.dt, *r.critical.body,
                         r.critical.contacts, r.critical.contacts == 1 ? "" : "s");
    if (share > 1.0)
      out += "; contacts will be unstable";
    else if (perContact < sim::leastStepsPerContact)
      out += fmt::format("; an accurate bounce needs {:g} or more", sim::leastStepsPerContact);
  }
  out += '\n';
  for (std::size_t k = 0; k < std::min(r.restitution.size(), mostRows); ++k) {
    const PairRestitution& row = r.restitution[k];
    out += fmt::format(
        "restitution     groups {}-{}: {:.3g} requested by en2Contact, {:.3g} effective\n", row.g1,
        row.g2, row.nominal, row.effective);
  }
  if (r.restitution.size() > mostRows)
    out += fmt::format("                and {} more\n", r.restitution.size() - mostRows);
}

std::string asText(const Report& r, const sim::Conf& conf, double t, std::size_t bodies,
                   const std::vector<sim::ScriptedExtractor>& extractors,
                   const std::string& folder) {
  std::string out =
      fmt::format("bodies          {} ({} driven), {:.6g} total mass of free bodies\n", bodies,
                  conf.nDriven, r.mass);
  std::size_t shown = 0;
  for (const auto& [key, kind] : r.kinds) {
    if (++shown > mostRows) break;
    out += fmt::format("                {}, group {}:", std::get<0>(key), std::get<1>(key));
    if (kind.free > 0)
      out += kind.most - kind.least <= 1e-9 * kind.most
                 ? fmt::format(" {} of {:.4g}", kind.free, kind.most)
                 : fmt::format(" {} of {:.4g} to {:.4g}", kind.free, kind.least, kind.most);
    if (kind.driven > 0) out += fmt::format("{} {} driven", kind.free > 0 ? "," : "", kind.driven);
    out += '\n';
  }
  if (r.kinds.size() > mostRows)
    out += fmt::format("                and {} more kinds\n", r.kinds.size() - mostRows);
  out += fmt::format("law             {}, {}\n", conf.forceLaw, conf.integrator);
  addOverlaps(out, r);
  addTimeStep(out, r, conf);
  out += fmt::format("steps           {} from t = {:.9g} to {:.9g}\n", r.steps, t, conf.tmax);
  const std::string first = sim::confName(conf.iconf + 1, r.compress);
  if (r.files == 0)
    out += fmt::format("outputs         no conf-file after conf{}", conf.iconf);
  else if (r.files == 1)
    out += "outputs         " + first;
  else
    out += fmt::format("outputs         {} to conf{:.0f}{}", first,
                       static_cast<double>(conf.iconf) + static_cast<double>(r.files),
                       r.compress ? ".zst" : "");
  out += fmt::format(", in {}", folder);
  if (r.files > 0) out += fmt::format(", {:.3g} MB", 1e-6 * r.allBytes);
  out += '\n';
  for (std::size_t k = 0; k < std::min(extractors.size(), mostRows); ++k)
    out += fmt::format("                {}: {} records of {}\n", extractors[k].file,
                       r.steps == 0 ? 0 : (r.steps - 1) / extractors[k].period + 1,
                       extractors[k].extractor.kind->name);
  if (extractors.size() > mostRows)
    out += fmt::format("                and {} more tables\n", extractors.size() - mostRows);
  out += fmt::format("state           {:.2f} MB\n", 1e-6 * static_cast<double>(r.stateBytes));
  if (!r.time.failure.empty())
    out += fmt::format("run time        unknown: {}\n", r.time.failure);
  else if (r.time.measured > 0)
    out += fmt::format("run time        about {} ({:.3g} microseconds per step, from {} steps)\n",
                       duration(r.time.seconds), 1e6 * r.time.perStep, r.time.measured);
  out += "units           those of the conf-file: times T, lengths L, masses M\n";
  return harmless(out);  // names of shapes, tables and the folder
}

}  // namespace

CheckReport checkReport(sim::Simulation& simulation, const sim::CriticalStep& critical,
                        const RockableOptions& options,
                        const std::vector<sim::ScriptedExtractor>& extractors) {
  const double t = simulation.time();
  const Report r = reportOn(simulation, critical, options.compress);
  const std::size_t bodies = simulation.bodies().size();
  return {options.common.json
              ? asJson(r, simulation.input(), t, bodies, extractors)
              : asText(r, simulation.input(), t, bodies, extractors, options.folder),
          r.time.failure};
}

}  // namespace scree::tools
