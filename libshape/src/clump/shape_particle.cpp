// SPDX-License-Identifier: GPL-3.0-or-later
#include "clump/member_geometry.hpp"

#include "scree/base/error.hpp"
#include "scree/clump/compose.hpp"
#include "scree/clump/formats.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace scree::clump {
namespace {

using Kind = MemberType::Kind;

PackMember memberOf(std::string_view type, const Vec3& centre, double radius) {
  PackMember m;
  for (const MemberType& t : memberTypes())
    if (t.name == type) m.type = &t;
  m.centre = centre;
  m.radius = radius;
  return m;
}

PackMember tetra(const std::array<Vec3, 4>& corners, double rounding) {
  Vec3 middle = Vec3::Zero();
  for (const Vec3& c : corners) middle += 0.25 * c;
  double reach = 0.0;
  for (const Vec3& c : corners) reach = std::max(reach, (c - middle).norm());
  PackMember m = memberOf("Tetra", middle, reach);
  m.rounding() = rounding;
  for (const Vec3& c : corners) {
    m.raw().insert(m.raw().end(), c.begin(), c.end());
    m.nodes().push_back(c);
  }
  return m;
}

}  // namespace

PackParticle shapeParticle(const shape::Shape& shape, const ShapePose& pose, std::int64_t id) {
  PackParticle particle;
  particle.id = id;
  const double radius = pose.scale * shape.radius;
  const auto placed = [&](const Vec3& v) -> Vec3 {
    return pose.position + rotated(pose.orientation, pose.scale * v);
  };
  const auto refuse = [&](const char* why) {
    throw GeometryError(fmt::format(
        "shape '{}' {}; pebbles are balls, rods, plates and convex polyhedra", shape.name, why));
  };
  if (shape.faces.empty()) {
    if (!(radius > 0.0)) refuse("has no faces and no radius, so no volume");
    std::vector<bool> used(shape.vertices.size(), false);
    for (const auto& [a, b] : shape.edges) {
      const Vec3 p = placed(shape.vertices[a]), q = placed(shape.vertices[b]);
      const Vec3 half = 0.5 * (q - p);
      PackMember m = memberOf("Capsule", p + half, half.norm() + radius);
      m.raw().assign(half.begin(), half.end());
      particle.members.push_back(std::move(m));
      used[a] = used[b] = true;
    }
    for (std::size_t v = 0; v < used.size(); ++v)
      if (!used[v])
        particle.members.push_back(
            memberOf("Sphere", placed(shape.vertices[v]), pose.scale * shape.radiusAt(v)));
    return particle;
  }
  if (shape.isSurface) refuse("is a surface");
  const shape::ConvexHull hull = shape::convexHull(shape.vertices);
  if (!shape::coreOf(shape).convex) refuse("is not convex");
  if (hull.rank < 3) {
    if (hull.rank < 2 || !(radius > 0.0)) refuse("is flat and has no radius, so no volume");
    const auto corners = hull.faces[0];  // two triangles at a time
    const auto at = [&](std::size_t k) -> Vec3 {
      return placed(hull.points[corners[std::min(k, corners.size() - 1)]]);
    };
    for (std::size_t k = 1; k + 1 < corners.size(); k += 2)
      particle.members.push_back(tetra({at(0), at(k), at(k + 1), at(k + 2)}, radius));
    return particle;
  }
  const Vec3 first = placed(hull.points[0]);
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const auto corners = hull.faces[f];
    if (std::find(corners.begin(), corners.end(), 0u) != corners.end()) continue;
    for (std::size_t k = 2; k < corners.size(); ++k)
      particle.members.push_back(
          tetra({first, placed(hull.points[corners[0]]), placed(hull.points[corners[k - 1]]),
                 placed(hull.points[corners[k]])},
                radius));
  }
  return particle;
}

bool statesOtherMass(const shape::Shape& shape) {
  if (!shape.preCompDone) return false;
  const mass::MassReport report = mass::massReport(shape);
  const mass::SolidProperties& own = report.solid;
  const double same = std::max(1e-5, report.bound ? 2.0 * report.bound->inertia : 0.0);
  const Mat3 moments = shape.inertiaPerMass.asDiagonal();
  const double size = std::sqrt(own.inertiaPerMass.trace());
  return std::fabs(shape.volume - own.volume) > same * own.volume ||
         own.centre.norm() > same * size ||
         (moments - own.inertiaPerMass).norm() > same * own.inertiaPerMass.norm();
}

GivenMass statedMass(const shape::Shape& shape, const ShapePose& pose) {
  const double h = pose.scale, volume = h * h * h * shape.volume;
  const Mat3 turn = rotationMatrix(pose.orientation);
  const Mat3 moments = shape.inertiaPerMass.asDiagonal();
  const Mat3 inertia = volume * h * h * (turn * moments * turn.transpose());
  const GivenMass given{volume, pose.position, 0.5 * (inertia + inertia.transpose())};
  if (const std::string problem = inertiaProblem(given.inertia); !problem.empty())
    throw GeometryError(fmt::format("shape '{}': its I/m {}", shape.name, problem));
  return given;
}

namespace {

bool hasCorners(const PackMember& m) { return m.kind() == Kind::tetra || m.kind() == Kind::facet; }

/// Whether convex solids fill the hull of their corners. Flat polygons are made thick for that.
bool fill(std::vector<std::vector<Vec3>> solids, const shape::ConvexHull& hull) {
  if (hull.rank > 2)
    return mass::polyhedronUnionMoments(solids, solids[0][0]).m0 >= hull.volume() * (1.0 - 1e-12);
  double size = 0.0;
  for (const Vec3& v : hull.points) size = std::max(size, (v - hull.points.front()).norm());
  const Vec3 up = size * hull.normals.front();
  std::vector<Vec3> corners;
  for (std::vector<Vec3>& polygon : solids) {
    std::vector<Vec3> slab;
    for (const Vec3& v : polygon) slab.insert(slab.end(), {v - up, v + up});
    polygon = slab;
    corners.insert(corners.end(), slab.begin(), slab.end());
  }
  return fill(solids, shape::convexHull(corners));
}

void addHull(const PackParticle& p, shape::Shape& s,
             const std::function<void(const std::string&)>& refuse) {
  std::vector<Vec3> corners;
  std::vector<std::vector<Vec3>> solids;
  for (const PackMember& m : p.members) {
    if (!hasCorners(m)) refuse("has polyhedra and other shapes together");
    if (m.rounding() != p.members.front().rounding())
      refuse("has polyhedra of different roundings");
    solids.push_back(polyhedronCorners(m));
    if (solids.back().empty())
      refuse(fmt::format("has a {} without thickness, which has no volume", m.type->name));
    corners.insert(corners.end(), solids.back().begin(), solids.back().end());
  }
  const shape::ConvexHull hull = shape::convexHull(corners);
  const bool plate = hull.rank == 2 && p.members.front().rounding() > 0.0;
  if (hull.rank < 3 && !plate) refuse("is flat");
  if (!fill(solids, hull)) refuse("has polyhedra that fill no convex body");
  s.radius = p.members.front().rounding();
  s.vertices = hull.points;
  s.faces = hull.faces;
  s.edges = shape::edgesOf(hull.faces);
}

void addSkeleton(const PackParticle& p, shape::Shape& s,
                 const std::function<void(const std::string&)>& refuse) {
  std::vector<double> radii;
  bool rods = false;
  for (const PackMember& m : p.members) {
    if (m.kind() != Kind::sphere && m.kind() != Kind::capsule)
      refuse(fmt::format("has a member of type {}, which a shape-file cannot hold", m.type->name));
    radii.push_back(isBall(m) ? m.radius : capsuleRadius(m));
    rods = rods || !isBall(m);
  }
  const auto [least, most] = std::ranges::minmax(radii);
  s.radius = most;
  // The radius of a capsule is a difference, so that equal ones may differ by rounding.
  if (most - least > (rods ? 1e-12 * most : 0.0)) {
    if (rods)
      refuse(
          fmt::format("has a Capsule and radii from {:g} to {:g}, but only spheres can have "
                      "individual radii in a shape",
                      least, most));
    s.radii = radii;
  }
  for (const PackMember& m : p.members) {
    const auto n = static_cast<std::uint32_t>(s.vertices.size());
    if (isBall(m)) {
      s.vertices.push_back(m.centre);
      continue;
    }
    s.vertices.push_back(m.centre - capsuleHalfShaft(m));
    s.vertices.push_back(m.centre + capsuleHalfShaft(m));
    s.edges.push_back({n, n + 1});
  }
}

}  // namespace

shape::Shape particleShape(const PackParticle& p, bool ownRadii) {
  const std::function<void(const std::string&)> refuse = [&](const std::string& why) {
    throw GeometryError(fmt::format("particle {} {}", p.id, why));
  };
  if (p.members.empty()) refuse("has no shape");
  if (p.unclumped && p.members.size() > 1) refuse("has members that are not clumped");
  shape::Shape s;
  s.name = fmt::format("particle{}", p.id);
  if (std::any_of(p.members.begin(), p.members.end(), hasCorners))
    addHull(p, s, refuse);
  else
    addSkeleton(p, s, refuse);
  if (!ownRadii && !s.radii.empty())
    refuse(fmt::format("has radii from {:g} to {:g}, but a shape of this format has one radius",
                       s.leastRadius(), s.radius));
  mass::MassReport report;
  if (p.carried().given)
    report.solid = massOf(p).solid;
  else
    report = mass::massReport(s);
  mass::survey(s, report);
  s.ofBody = p.carried().given && shape::isOfBalls(s);
  return s;
}

}  // namespace scree::clump
