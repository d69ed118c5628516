// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/diagnosis.hpp"

#include "engine/engine.hpp"
#include "missed_contacts.hpp"
#include "step/contact_kernel.hpp"
#include "step/rigid_motion.hpp"

#include "scree/shape/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
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

namespace {

/// Times between now and the end of the run among which a course has its extreme values.
std::array<double, 4> turningTimes(const Simulation& simulation, const Tempo& tempo) {
  const double t = simulation.time(), end = std::max(t, simulation.input().tmax);
  return {t, std::clamp(tempo.t1, t, end), std::clamp(tempo.t2, t, end), end};
}

/// Of courses of one value the last.
std::vector<const Tempo*> coursesThatAct(const Simulation& simulation) {
  const std::vector<Tempo>& all = simulation.input().tempos;
  std::vector<const Tempo*> act;
  for (auto tempo = all.begin(); tempo != all.end(); ++tempo)
    if (std::none_of(tempo + 1, all.end(), [&](const Tempo& later) {
          return later.what == tempo->what && later.parameter == tempo->parameter &&
                 later.group1 == tempo->group1 && later.group2 == tempo->group2;
        }))
      act.push_back(&*tempo);
  return act;
}

/// The law with the stiffest parameters that each pair of groups gets until the end of the run.
std::unique_ptr<ContactKernel> stiffestKernel(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  std::vector<std::uint32_t> groups(b.group.begin(), b.group.end());
  for (const Boundary& boundary : simulation.input().boundaries) groups.push_back(boundary.group);
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  auto kernel = makeKernel(engineOf(simulation).kernel().law(), groups);
  Parameters values = engineOf(simulation).state().parameters;
  const auto contactTime = [&](std::uint32_t g1, std::uint32_t g2) {
    kernel->setParameters(
        kernel->index(g1, g2),
        ParameterSource(
            [&](std::string_view k) { return values.lawParameter(std::string(k), g1, g2); },
            [&](std::string_view k, bool first) {
              return values.groupParameter(k, first ? g1 : g2);
            }));
    return kernel->contactTime(kernel->index(g1, g2), 1.0, 1.0);
  };
  for (const std::uint32_t g1 : groups)
    for (const std::uint32_t g2 : groups)
      if (g1 <= g2) contactTime(g1, g2);
  for (const Tempo* course : coursesThatAct(simulation)) {
    const Tempo& tempo = *course;
    const auto known = [&](std::uint32_t g) {
      return std::binary_search(groups.begin(), groups.end(), g);
    };
    if (tempo.what != Tempo::What::pair || !known(tempo.group1) || !known(tempo.group2)) continue;
    const auto timeWith = [&](double value) {
      values.setLawParameter(tempo.parameter, tempo.group1, tempo.group2, value);
      return contactTime(tempo.group1, tempo.group2);
    };
    double stiffest = tempo.at(simulation.time()), shortest = timeWith(stiffest);
    for (const double t : turningTimes(simulation, tempo))
      if (const double time = timeWith(tempo.at(t)); time < shortest) {
        shortest = time;
        stiffest = tempo.at(t);
      }
    timeWith(stiffest);
  }
  return kernel;
}

/// Least density of each group until the end of the run over that of now.
std::map<std::uint32_t, double> lightening(const Simulation& simulation) {
  std::map<std::uint32_t, double> shares;
  for (const Tempo* tempo : coursesThatAct(simulation)) {
    const double now = engineOf(simulation).state().parameters.densityOf(tempo->group1);
    if (tempo->what != Tempo::What::density || !(now > 0.0)) continue;
    double least = tempo->at(simulation.time());
    for (const double t : turningTimes(simulation, *tempo)) least = std::min(least, tempo->at(t));
    shares[tempo->group1] = least / now;
  }
  return shares;
}

}  // namespace

double shortestContactTime(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Least {
    double first = infinity, second = infinity;  // masses of the two lightest
    double radius = 0.0;                         // the largest rounding
    std::size_t bodies = 0;
  };
  std::map<std::uint32_t, Least> groups;
  const auto lighter = lightening(simulation);
  for (std::size_t k = 0; k < b.size(); ++k) {
    Least& least = groups[b.group[k]];
    double mass = k < b.driven ? infinity : b.mass[k];
    if (const auto share = lighter.find(b.group[k]); share != lighter.end()) mass *= share->second;
    ++least.bodies;
    least.second = std::min(least.second, std::max(mass, least.first));
    least.first = std::min(least.first, mass);
    least.radius = std::max(least.radius, b.homothety[k] * simulation.shapes()[b.shape[k]].radius);
  }
  const bool courses = !simulation.input().tempos.empty();
  const auto stiffest = courses ? stiffestKernel(simulation) : nullptr;
  const ContactKernel& kernel = courses ? *stiffest : engineOf(simulation).kernel();
  double shortest = infinity;
  for (const auto& [g1, a] : groups)
    for (const auto& [g2, c] : groups) {
      if (g1 == g2 && a.bodies < 2) continue;
      const double inverse = 1.0 / a.first + 1.0 / (g1 == g2 ? a.second : c.first);
      // A vertex on a face has the radius of its body; no other contact is flatter.
      if (inverse > 0.0)
        shortest = std::min(shortest, kernel.contactTime(kernel.index(g1, g2), 1.0 / inverse,
                                                         std::max(a.radius, c.radius)));
    }
  return shortest;
}

}  // namespace scree::sim
