// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/check/diagnosis.hpp"

#include "engine/engine.hpp"
#include "engine/rigid_motion.hpp"
#include "run_monitor.hpp"

#include "scree/shape/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace scree::sim {
namespace {

/// Beyond this a shape is a terrain or a scan, where the test of each corner costs too much.
constexpr std::size_t mostCorners = 300;

/// Two bodies of a run as the file numbers them, the lower one first.
void inFile(const Simulation& simulation, BodyId& i, BodyId& j) {
  std::tie(i, j) = bodyPair(simulation.bodyOrder().number(i), simulation.bodyOrder().number(j));
}

}  // namespace

double bodySize(const Bodies& bodies, const std::vector<shape::Shape>& shapes, std::size_t k) {
  return 2.0 * (bodies.boundingRadius[k] + bodies.homothety[k] * shapes[bodies.shape[k]].radius);
}

std::string pairName(BodyId i, BodyId j) {
  return i == j ? fmt::format("body {} and a boundary", i) : fmt::format("bodies {} and {}", i, j);
}

void forEachContact(const Simulation& simulation,
                    const std::function<void(BodyId, BodyId, double)>& f) {
  const bool byList = engineOf(simulation).rules().byList;
  const Bodies& b = simulation.bodies();
  const Contacts& contacts = engineOf(simulation).lists().contacts;
  for (const NeighbourPair& pair : contacts.pairs) {
    if (!byList && pair.skipUntil > b.displacement[pair.a] + b.displacement[pair.b])
      continue;  // all skipped
    contacts.forEachTouching(pair, [&](std::uint32_t, const Candidate&, const ContactState& s) {
      f(pair.a, pair.b, s.dn);
    });
  }
}

Overlaps overlapsOf(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  const auto& shapes = simulation.shapes();
  Overlaps result;
  const auto add = [&](BodyId i, BodyId j, double dn) {
    ++result.contacts;
    double size = std::numeric_limits<double>::infinity(), radii = 0.0;
    for (const BodyId k : {i, j}) {
      if (k >= b.driven) size = std::min(size, bodySize(b, shapes, k));
      radii += b.homothety[k] * shapes[b.shape[k]].radius;
      if (i == j) break;  // a boundary has no rounding
    }
    if (!std::isfinite(size)) return;  // two driven bodies
    const double share = -dn / size;
    result.deep += share > deepOverlap;
    // The skeletons of sharp bodies touch whenever the bodies do.
    result.nearlyThrough += radii > 0.0 && -dn > 0.9 * radii;
    if (share > result.worst) {
      result.worst = share;
      result.worstDepth = -dn;
      result.i = std::min(i, j);
      result.j = std::max(i, j);
    }
  };
  forEachContact(simulation, add);
  const Bonds& bonds = simulation.bonds();
  for (const Interface& face : bonds.interfaces)
    for (std::uint32_t k = face.first; k < face.first + face.count; ++k)
      if (const double dn = bonds.bonds[k].dn; dn < 0.0) add(face.i, face.j, dn);
  for (const BoundaryTouch& t : simulation.boundaryTouches()) {
    const BodyId k = simulation.bodyOrder().body(t.body);
    add(k, k, t.dn);
  }
  inFile(simulation, result.i, result.j);
  return result;
}

ConvexCores::ConvexCores(const std::vector<shape::Shape>& shapes) {
  for (const shape::Shape& s : shapes) {
    Solid solid;
    if (s.vertices.size() <= mostCorners) {
      const shape::Core core = shape::coreOf(s);
      solid.corners = core.hull.points;
      for (const Vec3& p : solid.corners) solid.size = std::max(solid.size, p.norm());
      if (core.convex && !s.isSurface && core.hull.rank == 3)
        for (std::size_t f = 0; f < core.hull.normals.size(); ++f) {
          const Vec3& corner = solid.corners[core.hull.faces[f][0]];
          solid.planes.push_back({core.hull.normals[f], core.hull.normals[f].dot(corner)});
        }
    }
    anySolid_ |= !solid.planes.empty();
    solids_.push_back(std::move(solid));
  }
}

double ConvexCores::cornersApart(const Bodies& b, BodyId of, BodyId in, const Vec3& branch) const {
  const Solid &tips = solids_[b.shape[of]], &solid = solids_[b.shape[in]];
  if (solid.planes.empty() || tips.corners.empty()) return HUGE_VAL;
  const double hOf = b.homothety[of], hIn = b.homothety[in];
  if (const double balls = branch.norm() - hOf * tips.size - hIn * solid.size; balls > 0.0)
    return balls;
  // The face that the centre of the other body is farthest beyond parts most pairs.
  const Vec3 centre = turnedBack(b.q[in], branch);
  double beyond = -HUGE_VAL;
  const Plane* best = nullptr;
  for (const Plane& plane : solid.planes)
    if (const double d = plane.normal.dot(centre) - hIn * plane.offset; d > beyond) {
      beyond = d;
      best = &plane;
    }
  const Vec3 normal = turnedBack(b.q[of], rotated(b.q[in], best->normal));
  double lowest = HUGE_VAL;
  for (const Vec3& tip : tips.corners) lowest = std::min(lowest, normal.dot(tip));
  if (const double apart = beyond + hOf * lowest; apart > 0.0) return apart;
  // Else each corner may be beyond a face of its own.
  const double slack = 1e-9 * hIn * solid.size;
  double nearest = HUGE_VAL;
  for (const Vec3& tip : tips.corners) {
    const Vec3 p = turnedBack(b.q[in], branch + rotated(b.q[of], hOf * tip));
    double apart = -HUGE_VAL;
    for (const Plane& plane : solid.planes)
      apart = std::max(apart, plane.normal.dot(p) - hIn * plane.offset);
    if (apart < -slack) return apart;
    nearest = std::min(nearest, apart);
  }
  return std::max(nearest, 0.0);
}

ConvexCores::Crossings ConvexCores::crossings(const Simulation& simulation) {
  Crossings result;
  if (!anySolid_) return result;
  const Bodies& b = simulation.bodies();
  const Contacts& contacts = engineOf(simulation).lists().contacts;
  if (reorderings_ != simulation.reorderings()) apart_.clear();
  reorderings_ = simulation.reorderings();
  // All points of two bodies come nearer to each other by no more than what both accumulated
  // displacements grow by.
  before_.swap(apart_);
  apart_.clear();
  auto known = before_.begin();
  for (std::size_t r = 0; r < contacts.pairs.size(); ++r) {
    const BodyId i = contacts.pairs[r].a, j = contacts.pairs[r].b;
    const double displacement = b.displacement[i] + b.displacement[j];
    while (known != before_.end() && std::pair(known->a, known->b) < std::pair(i, j)) ++known;
    if (known != before_.end() && known->a == i && known->b == j && known->until > displacement) {
      apart_.push_back(*known);
      continue;
    }
    Vec3 branch = b.pos[i] - b.pos[j];
    if (!contacts.shifts.empty()) branch -= simulation.cell().h * contacts.shifts[r].cast<double>();
    const double apart = std::min(cornersApart(b, i, j, branch), cornersApart(b, j, i, -branch));
    apart_.push_back({i, j, displacement + std::max(apart, 0.0)});
    if (apart < 0.0 && result.pairs++ == 0) {
      result.i = i;
      result.j = j;
    }
  }
  inFile(simulation, result.i, result.j);
  return result;
}

}  // namespace scree::sim
