// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/measure/instant.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::sim {
namespace {

void append(Row& row, const Vec3& v) { row.insert(row.end(), {v.x(), v.y(), v.z()}); }

}  // namespace

std::vector<Column> TrackBody::columns() {
  return {{"t", "s"},    {"x", "m"},      {"y", "m"},      {"z", "m"},      {"vx", "m/s"},
          {"vy", "m/s"}, {"vz", "m/s"},   {"qw", "-"},     {"qx", "-"},     {"qy", "-"},
          {"qz", "-"},   {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}, {"fx", "N"},
          {"fy", "N"},   {"fz", "N"},     {"mx", "N.m"},   {"my", "N.m"},   {"mz", "N.m"}};
}

Row TrackBody::row(const Snapshot& s) const {
  const std::size_t n = s.particles.size();
  if (body >= n)
    throw ModelError(
        n == 0 ? fmt::format("{}: there is no body {}: the file has no bodies", s.source, body)
               : fmt::format("{}: there is no body {}: the file has {} bodies, numbered 0 to {}",
                             s.source, body, n, n - 1));
  const ParticleRecord& p = s.particles[body];
  const ForceAndMoment sum =
      s.instant ? s.instant->actions()[body]
                : ForceAndMoment{Vec3::Constant(std::nan("")), Vec3::Constant(std::nan(""))};
  Row row;
  row.reserve(20);
  row.emplace_back(s.t);
  append(row, p.pos);
  append(row, p.vel);
  row.insert(row.end(), {p.q.w(), p.q.x(), p.q.y(), p.q.z()});
  append(row, p.vrot);
  append(row, sum.force);
  append(row, sum.moment);
  return row;
}

}  // namespace scree::sim
