// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/error.hpp"
#include "scree/clump/compose.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::clump {
namespace {

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

/// Whether the faces of the shape are those of the hull of its vertices. They are where each lies
/// in a plane of the hull, and together they have its area.
bool facesAreHull(const shape::Shape& shape, const shape::ConvexHull& hull) {
  double size = 0.0, area = 0.0;
  for (const Vec3& v : hull.points) size = std::max(size, (v - hull.points.front()).norm());
  for (std::size_t f = 0; f < shape.faces.size(); ++f) {
    const auto corners = shape.faces[f];
    bool found = false;
    for (std::size_t h = 0; h < hull.faces.size() && !found; ++h) {
      const Vec3& on = hull.points[hull.faces[h][0]];
      found = std::all_of(corners.begin(), corners.end(), [&](std::uint32_t v) {
        return std::fabs(hull.normals[h].dot(shape.vertices[v] - on)) <= 1e-9 * size;
      });
    }
    if (!found) return false;
    Vec3 sum = Vec3::Zero();
    const Vec3& o = shape.vertices[corners[0]];
    for (std::size_t k = 2; k < corners.size(); ++k)
      sum += (shape.vertices[corners[k - 1]] - o).cross(shape.vertices[corners[k]] - o);
    area += 0.5 * sum.norm();
  }
  return std::fabs(area - hull.area()) <= 1e-9 * hull.area();
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
    throw GeometryError(fmt::format("shape '{}' {}; pebbles are balls, rods and convex polyhedra",
                                    shape.name, why));
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
  if (hull.rank < 3) refuse("is flat");
  if (!facesAreHull(shape, hull)) refuse("is not convex");
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

}  // namespace scree::clump
