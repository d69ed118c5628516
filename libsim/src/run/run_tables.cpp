// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_tables.hpp"

#include "base/safe_write.hpp"
#include "engine/rigid_motion.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/table.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/instant.hpp"
#include "scree/sim/measure/law_values.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
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

}  // namespace

bool tablesHaveBlanks(const Simulation& simulation) { return simulation.compat(); }

std::string tableLines(std::string lines, bool blanks) {
  if (!blanks) std::ranges::replace(lines, ' ', ',');
  return lines;
}

std::string headerLine(const std::vector<Column>& columns, bool blanks) {
  TextWriter header;
  if (blanks) header.put("#");
  for (const Column& c : columns) header.put(c.name);
  header.endLine();
  return tableLines(header.take(), blanks);
}

RunTables::RunTables(const std::string& folder, const std::vector<ScriptedExtractor>& extractors,
                     const Simulation& simulation, bool resumed,
                     const std::vector<ImpactPeak>& begun)
    : folder_(folder), extractors_(extractors), blanks_(tablesHaveBlanks(simulation)) {
  std::size_t known = 0;  // impacts that had begun
  for (const ScriptedExtractor& e : extractors_) {
    const bool impacts = e.extractor.is("Impacts");
    before_.push_back(impacts ? compressionOf(simulation, e.extractor.body()) : Compression());
    peak_.push_back(impacts && known < begun.size() ? begun[known++] : before_.back());
    const std::string path = (std::filesystem::path(folder) / e.file).string();
    // A run that came to its end and goes on, since tmax is later now, has a record there.
    const bool hasRecord = impacts || isDue(e, simulation.stepIndex());
    const double until = simulation.time() - (hasRecord ? 0.0 : 0.5 * simulation.timeStep());
    const std::string kept = resumed ? linesUpTo(path, until) : std::string();
    writeFile(path, kept.empty() ? headerLine(e.extractor.columns(), blanks_) : kept,
              Existing::replace);
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

void RunTables::append(const ScriptedExtractor& e, const std::vector<Row>& rows, double t) const {
  TextWriter out;
  for (Row row : rows) {
    row.front() = tableTime(t);  // each extractor begins with it
    for (const Cell& cell : row) std::visit([&](const auto& value) { out.put(value); }, cell);
    out.endLine();
  }
  appendLines((std::filesystem::path(folder_) / e.file).string(), tableLines(out.take(), blanks_));
}

RunTables::Compression RunTables::compressionOf(const Simulation& simulation, BodyId body) {
  Compression sum;
  double largest = 0.0;
  for (const InteractionRecord& r : simulation.interactions(body)) {
    if (!(r.fn > 0.0)) continue;
    sum.power += r.fn * r.vel.dot(r.n);
    sum.weight += r.fn;
    sum.force += (r.key.i == body ? 1.0 : -1.0) * (r.fn * r.n + r.ft);
    sum.place += r.fn * r.pos;
    if (r.fn > largest) sum.other = r.key.i == body ? r.key.j : r.key.i;
    largest = std::max(largest, r.fn);
  }
  if (sum.weight > 0.0) sum.place /= sum.weight;
  sum.speed = simulation.bodies().vel[simulation.bodyOrder().body(body)].norm();
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
      append(e,
             {{t, peak.place.x(), peak.place.y(), peak.place.z(), peak.force.norm(), peak.force.x(),
               peak.force.y(), peak.force.z(), energyAt(*instant, e.extractor.body()), peak.speed,
               static_cast<std::int64_t>(peak.other)}},
             t);
      continue;
    }
    if (isDue(e, simulation.stepIndex()) == last) continue;
    // A record follows from the state that a file would hold, so both agree to the bit.
    if (!conf) instant.emplace(conf.emplace(simulation.conf()), simulation.shapes());
    append(e, e.extractor.rows(*instant), t);
  }
}

bool RunTables::leftBox(const Simulation& simulation, BodyId body) {
  const Bodies& b = simulation.bodies();
  if (b.driven == 0) return false;
  const auto driven = b.pos.begin() + b.driven;
  const auto sameTurns = [&] {
    for (std::size_t k = 0; k < b.driven; ++k)
      if (b.q[k].coeffs() != boxTurn_[k].coeffs()) return false;
    return true;
  };
  // A terrain of a million vertices is gone through once, not each step.
  if (boxPos_.size() != b.driven || !std::equal(b.pos.begin(), driven, boxPos_.begin()) ||
      !sameTurns()) {
    boxPos_.assign(b.pos.begin(), driven);
    boxTurn_.assign(b.q.begin(), b.q.begin() + b.driven);
    box_ = {};
    for (std::size_t k = 0; k < b.driven; ++k) {
      const shape::Shape& s = simulation.shapes()[b.shape[k]];
      for (std::size_t v = 0; v < s.vertices.size(); ++v) {
        shape::Aabb ball;
        ball.add(b.pos[k] + rotated(b.q[k], b.homothety[k] * s.vertices[v]));
        box_.add(ball.grown(b.homothety[k] * s.radiusAt(v)));
      }
    }
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
    if (rests(e.extractor, b.vel[body], b.spin[body], simulation.time() - simulation.startTime(),
              simulation.input().gravity.norm()))
      return ending("rests", true);
    if (leftBox(simulation, e.extractor.body()))
      return ending("has left the box around the driven bodies", false);
  }
  return {};
}

}  // namespace scree::sim
