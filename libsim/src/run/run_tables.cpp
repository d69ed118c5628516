// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_tables.hpp"

#include "engine/engine.hpp"

#include "scree/base/files.hpp"
#include "scree/base/table.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/instant.hpp"
#include "scree/sim/measure/law_values.hpp"
#include "scree/sim/model/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

namespace scree::sim {

namespace {

/// Records are due at steps 1, 1 + period, 1 + 2 periods ...
bool isDue(const ScriptedExtractor& e, std::uint64_t step) {
  return step > 0 && (step - 1) % e.period == 0;
}

/// [F L] that the contacts of a body with others hold along their normals.
double energyAt(const Instant& instant, BodyId body) {
  const LawValues law(instant);
  double sum = 0.0;
  for (const Link& link : instant.links())
    if (link.kind == Link::Kind::contact && link.touches() && (link.i == body || link.j == body))
      sum += law.springs(link).energy;
  return sum;
}

/// Lines with blanks between their cells as a table of a run has them: with commas, or as Rockable.
std::string tableLines(std::string lines, bool blanks) {
  if (!blanks) std::ranges::replace(lines, ' ', ',');
  return lines;
}

}  // namespace

std::string headerLine(const std::vector<Column>& columns, const Simulation& simulation) {
  TextWriter header;
  if (simulation.compat()) header.put("#");
  for (const Column& c : columns) header.put(c.name);
  header.endLine();
  return tableLines(header.take(), simulation.compat());
}

RunTables::RunTables(const std::string& folder, const std::vector<ScriptedExtractor>& extractors,
                     const Simulation& simulation, bool resumed,
                     const std::vector<ImpactPeak>& begun)
    : folder_(folder),
      extractors_(extractors),
      blanks_(simulation.compat()),
      lastTime_(simulation.time()) {
  const auto begin = [&](const std::string& name, const std::string& header, double until) {
    const std::string path = (std::filesystem::path(folder) / name).string();
    const std::string kept = resumed ? linesUpTo(path, until) : std::string();
    writeFile(path, kept.empty() ? header : kept, Existing::replace);
  };
  std::string energy = "t";
  for (const EnergyColumn& c : energyColumns) energy += fmt::format(" {}", c.name);
  const std::string columns[] = {"t translation rotation", "t worst worstOverMean",
                                 "t timeOverWall detect contacts", energy};
  for (std::size_t k = 0; k < ofConfs.size(); ++k)  // the first three of Rockable have no names
    begin(ofConfs[k],
          blanks_ && k < 3 ? std::string() : headerLine(columnsFrom(columns[k]), simulation),
          lastTime_);
  std::size_t known = 0;  // impacts that had begun
  for (const ScriptedExtractor& e : extractors_) {
    const bool impacts = e.extractor.is("Impacts");
    before_.push_back(impacts ? compressionOf(simulation, e.extractor.body()) : Compression());
    peak_.push_back(impacts && known < begun.size() ? begun[known++] : before_.back());
    // A run that came to its end and goes on, since tmax is later now, has a record there.
    const bool hasRecord = impacts || isDue(e, simulation.stepIndex());
    begin(e.file, headerLine(e.extractor.columns(), simulation),
          simulation.time() - (hasRecord ? 0.0 : 0.5 * simulation.timeStep()));
  }
}

std::uint64_t RunTables::nextStep(std::uint64_t step) const {
  std::uint64_t next = UINT64_MAX;  // records are due at steps 1, 1 + period, 1 + 2 periods ...
  for (const ScriptedExtractor& e : extractors_) {
    if (e.extractor.is("TrackRockfall")) return step + 1;
    const std::uint64_t rest = step % e.period, left = rest == 0 ? 0 : e.period - rest;
    if (left < UINT64_MAX - step) next = std::min(next, step + left + 1);
  }
  return next;
}

void RunTables::append(const std::string& name, const std::vector<Row>& rows, double t) const {
  TextWriter out;
  for (Row row : rows) {
    row.front() = tableTime(t);  // each row begins with it
    for (const Cell& cell : row) std::visit([&](const auto& value) { out.put(value); }, cell);
    out.endLine();
  }
  appendLines((std::filesystem::path(folder_) / name).string(), tableLines(out.take(), blanks_));
}

RunTables::Compression RunTables::compressionOf(const Simulation& simulation, BodyId body) {
  Compression sum;
  const std::size_t own = simulation.bodyOrder().body(body);
  const Vec3& centre = simulation.bodies().pos[own];
  Images images;
  const bool inCell = simulation.cell().used;
  if (inCell) images.set(simulation.cell().h);
  double largest = 0.0;
  for (const InteractionRecord& r : simulation.interactions(body)) {
    if (!(r.fn > 0.0)) continue;
    sum.power += r.fn * r.vel.dot(r.n);
    sum.weight += r.fn;
    sum.force += (r.key.i == body ? 1.0 : -1.0) * (r.fn * r.n + r.ft);
    const Vec3 away = inCell ? images.offset(images.nearest(r.pos - centre)) : Vec3(Vec3::Zero());
    sum.place += r.fn * (r.pos - away);
    if (r.fn > largest) sum.other = r.key.i == body ? r.key.j : r.key.i;
    largest = std::max(largest, r.fn);
  }
  if (sum.weight > 0.0) sum.place /= sum.weight;
  sum.speed = simulation.bodies().vel[own].norm();
  return sum;
}

std::vector<ImpactPeak> RunTables::begun() const {
  std::vector<ImpactPeak> all;
  for (std::size_t k = 0; k < extractors_.size(); ++k)
    if (extractors_[k].extractor.is("Impacts")) all.push_back(peak_[k]);
  return all;
}

void RunTables::write(const Simulation& simulation, bool last) {
  const double t = simulation.time();
  std::optional<Conf> conf;
  std::optional<Instant> instant;
  for (std::size_t k = 0; k < extractors_.size(); ++k) {
    const ScriptedExtractor& e = extractors_[k];
    if (e.extractor.is("Impacts")) {
      if (last) continue;
      const Compression now = compressionOf(simulation, e.extractor.body()),
                        then = std::exchange(before_[k], now);
      ImpactPeak& peak = peak_[k];
      // An impact begins where contacts compress that did not.
      if (!(then.power > 0.0) || now.force.norm() > peak.force.norm()) peak = now;
      if (!(then.power > 0.0) || now.power > 0.0 || peak.force.norm() < e.extractor.values[1])
        continue;
      if (!conf) instant.emplace(conf.emplace(simulation.conf()), simulation.shapes());
      append(e.file,
             {{t, peak.place.x(), peak.place.y(), peak.place.z(), peak.force.norm(), peak.force.x(),
               peak.force.y(), peak.force.z(), energyAt(*instant, e.extractor.body()), peak.speed,
               static_cast<std::int64_t>(peak.other)}},
             t);
      continue;
    }
    if (isDue(e, simulation.stepIndex()) == last) continue;
    // A record follows from the state that a file would hold, so both agree to the bit.
    if (!conf) instant.emplace(conf.emplace(simulation.conf()), simulation.shapes());
    append(e.file, e.extractor.rows(*instant), t);
  }
}

void RunTables::writeOfConf(const Simulation& simulation, const Conf& conf, double wallSeconds) {
  const double t = simulation.time(), wall = std::max(wallSeconds, 1e-9);
  // Rows follow from the state that the file holds, so extract finds the same numbers there.
  const Instant instant(conf, simulation.shapes());
  const EnergyBudget e = energyBudget(instant, simulation.energyBudget().cell);
  append("kineticEnergy.txt", {{t, e.translation, e.rotation}}, t);
  Row energy{t};
  for (const EnergyColumn& c : energyColumns) energy.emplace_back(e.*c.value);
  append("energy.txt", {energy}, t);
  std::vector<char> isFree(instant.bodyCount(), 1);
  std::fill_n(isFree.begin(), conf.nDriven, 0);
  if (const ForceBalance b = forceBalance(instant, isFree); !std::isnan(b.worst))
    append("staticBalance.txt", {{t, b.worst, b.worstOverMean}}, t);
  const StageTimes& stages = engineOf(simulation).stageTimes();
  const double detect = stages.seconds(StageTimes::detect),
               contacts = stages.seconds(StageTimes::contacts);
  // Sums are estimates from some of the steps, which later ones may lower.
  const auto share = [wall](double now, double before) {
    return std::clamp(100.0 * (now - before) / wall, 0.0, 100.0);
  };
  append("perf.txt",
         {{t, (t - lastTime_) / wall, share(detect, lastDetect_), share(contacts, lastContacts_)}},
         t);
  lastTime_ = t;
  lastDetect_ = detect;
  lastContacts_ = contacts;
}

bool RunTables::leftBox(const Simulation& simulation, BodyId body) {
  const Bodies& b = simulation.bodies();
  // A terrain of a million vertices is gone through once, not each step.
  if (const std::span moved(b.displacement.data(), b.driven); !std::ranges::equal(moved_, moved)) {
    moved_.assign(moved.begin(), moved.end());
    box_ = {};
    for (std::size_t k = 0; k < b.driven; ++k)
      box_.add(boundingBox(simulation.shapes()[b.shape[k]], b.pos[k], b.q[k], b.homothety[k]));
  }
  return hasLeft(box_, simulation.input().boundaries, simulation.input().gravity,
                 b.pos[simulation.bodyOrder().body(body)]);
}

Ending RunTables::endsRun(const Simulation& simulation) {
  for (const ScriptedExtractor& e : extractors_) {
    if (!e.extractor.is("TrackRockfall")) continue;
    const auto ending = [&](const char* what, bool atRest) {
      return Ending{fmt::format("TrackRockfall: body {} {}", e.extractor.body(), what), "extractor",
                    atRest, simulation.stepIndex()};
    };
    const Bodies& b = simulation.bodies();
    const BodyId body = simulation.bodyOrder().body(e.extractor.body());
    if (rests(e.extractor, b.vel[body], b.spin[body], b.acc[body], simulation.input().gravity,
              simulation.time() - simulation.startTime()))
      return ending("rests", true);
    if (leftBox(simulation, e.extractor.body()))
      return ending("has left the box around the driven bodies", false);
  }
  return {};
}

}  // namespace scree::sim
