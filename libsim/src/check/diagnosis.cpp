// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/check/diagnosis.hpp"

#include "detect/broad_phase.hpp"
#include "engine/rigid_motion.hpp"
#include "run_monitor.hpp"

#include "scree/base/parallel.hpp"
#include "scree/shape/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

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

Overlaps overlapsOf(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  /// Size of the smaller of the two that moves [L]; infinite if neither does.
  const auto sizeOf = [&](BodyId i, BodyId j) {
    double size = std::numeric_limits<double>::infinity();
    for (const BodyId k : {i, j})
      if (k >= b.driven) size = std::min(size, bodySize(b, simulation.shapes(), k));
    return size;
  };
  const auto add = [&](Overlaps& result, BodyId i, BodyId j, double share, double dn) {
    result.deep += share > deepOverlap;
    if (share > result.worst) {
      result.worst = share;
      result.worstDepth = -dn;
      result.i = std::min(i, j);
      result.j = std::max(i, j);
    }
  };
  std::vector<Overlaps> parts(rangesOf(b.size(), simulation.threads()));
  parallelFor(simulation.threads(), parts.size(), [&](std::size_t part) {
    Overlaps own;
    forEachTouchingPair(
        simulation,
        [&](const NeighbourPair& pair, const PairPool& pool) {
          const auto [count, deepest] = pool.touching(pair);
          own.contacts += count;
          const double size = sizeOf(pair.a, pair.b);
          if (-deepest / size <= std::min(own.worst, deepOverlap)) return;
          pool.forEachTouching(pair, [&](std::uint32_t, const Candidate&, const ContactState& s) {
            add(own, pair.a, pair.b, -s.dn / size, s.dn);
          });
        },
        part, parts.size());
    parts[part] = own;
  });
  Overlaps result;
  for (const Overlaps& part : parts) {
    const std::size_t contacts = result.contacts + part.contacts, deep = result.deep + part.deep;
    if (part.worst > result.worst) result = part;
    result.contacts = contacts;
    result.deep = deep;
  }
  const auto addOne = [&](BodyId i, BodyId j, double dn) {
    ++result.contacts;
    add(result, i, j, -dn / sizeOf(i, j), dn);
  };
  const Bonds& bonds = simulation.bonds();
  for (const Interface& face : bonds.interfaces)
    bonds.forEachOf(face, [&](const Bond& bond) {
      if (bond.dn < 0.0) addOne(face.i, face.j, bond.dn);
    });
  for (const BoundaryTouch& t : simulation.boundaryTouches()) {
    const BodyId k = simulation.bodyOrder().body(t.body);
    addOne(k, k, t.dn);
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

bool ConvexCores::faceParts(const Bodies& b, BodyId of, BodyId in, const Vec3& branch) const {
  const Solid &tips = solids_[b.shape[of]], &solid = solids_[b.shape[in]];
  if (solid.planes.empty()) return false;
  const double hOf = b.homothety[of], hIn = b.homothety[in];
  // The face that the centre of the other body is farthest beyond parts most pairs.
  const Vec3 centre = turnedBack(b.q[in], branch);
  const auto beyond = [&](const HalfSpace& p) { return p.normal.dot(centre) - hIn * p.offset; };
  const HalfSpace& face = *std::ranges::max_element(solid.planes, {}, beyond);
  const Vec3 normal = hOf * turnedBack(b.q[of], rotated(b.q[in], face.normal));
  const double apart = beyond(face), slack = slackOf(b, in);
  return std::ranges::none_of(tips.corners,
                              [&](const Vec3& tip) { return apart + normal.dot(tip) < -slack; });
}

bool ConvexCores::hasCornerIn(const Bodies& b, BodyId of, BodyId in, const Vec3& branch) const {
  const Solid& solid = solids_[b.shape[in]];
  if (solid.planes.empty()) return false;
  const double slack = slackOf(b, in);
  return std::ranges::any_of(solids_[b.shape[of]].corners, [&](const Vec3& tip) {
    const Vec3 p = turnedBack(b.q[in], branch + rotated(b.q[of], b.homothety[of] * tip));
    return std::ranges::all_of(solid.planes, [&](const HalfSpace& plane) {
      return plane.normal.dot(p) - b.homothety[in] * plane.offset < -slack;
    });
  });
}

Crossings ConvexCores::crossings(const Simulation& simulation) const {
  Crossings result;
  if (!anySolid_) return result;
  const Bodies& b = simulation.bodies();
  const Contacts& contacts = engineOf(simulation).lists().contacts;
  for (std::size_t r = 0; r < contacts.pairs.size(); ++r) {
    const BodyId i = contacts.pairs[r].a, j = contacts.pairs[r].b;
    Vec3 branch = b.pos[i] - b.pos[j];
    if (!contacts.shifts.empty()) branch -= simulation.cell().h * contacts.shifts[r].cast<double>();
    if (branch.norm() > size(b, i) + size(b, j)) continue;
    // A face of one body that parts it from the other does so for the corners of both.
    if (faceParts(b, i, j, branch) || faceParts(b, j, i, -branch)) continue;
    if (!hasCornerIn(b, i, j, branch) && !hasCornerIn(b, j, i, -branch)) continue;
    if (result.pairs++ == 0) result.i = i, result.j = j;
  }
  inFile(simulation, result.i, result.j);
  return result;
}

}  // namespace scree::sim
