// SPDX-License-Identifier: GPL-3.0-or-later
#include "particle_shapes.hpp"

#include "scree/base/error.hpp"
#include "scree/clump/clump_mass.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace scree::tools {
namespace {

using Kind = clump::MemberType::Kind;

/// Whether convex solids fill the hull of their corners.
bool fills(const std::vector<std::vector<Vec3>>& solids, const shape::ConvexHull& hull,
           const Vec3& origin) {
  return mass::polyhedronUnionMoments(solids, origin).m0 >= hull.volume() * (1.0 - 1e-12);
}

bool hasCorners(const clump::PackMember& m) {
  return m.kind() == Kind::tetra || m.kind() == Kind::facet;
}

/// Corners of a tetrahedron, or of a facet as a prism; none if the facet has no volume.
std::vector<Vec3> cornersOf(const clump::PackMember& m) {
  if (m.kind() == Kind::tetra) return m.nodes();
  clump::PackParticle single;
  single.members = {m};
  const mass::CertifiedBody body = clump::bodyOf(single);
  return body.parts.empty() ? std::vector<Vec3>{} : body.parts.front().vertices;
}

/// Whether flat polygons fill the hull of their corners, which is flat, too.
bool fillsFlat(const std::vector<std::vector<Vec3>>& polygons, const shape::ConvexHull& hull) {
  double size = 0.0;
  for (const Vec3& v : hull.points) size = std::max(size, (v - hull.points.front()).norm());
  const Vec3 up = size * hull.normals.front();
  std::vector<Vec3> corners;
  std::vector<std::vector<Vec3>> slabs;
  for (const std::vector<Vec3>& polygon : polygons) {
    std::vector<Vec3> slab;
    for (const Vec3& v : polygon) {
      slab.push_back(v - up);
      slab.push_back(v + up);
    }
    corners.insert(corners.end(), slab.begin(), slab.end());
    slabs.push_back(std::move(slab));
  }
  return fills(slabs, shape::convexHull(corners), corners.front());
}

void addHull(const clump::PackParticle& p, shape::Shape& s,
             const std::function<void(const std::string&)>& refuse) {
  std::vector<Vec3> corners;
  std::vector<std::vector<Vec3>> solids;
  for (const clump::PackMember& m : p.members) {
    if (!hasCorners(m)) refuse("has polyhedra and other shapes together");
    if (m.rounding() != p.members.front().rounding())
      refuse("has polyhedra of different roundings");
    solids.push_back(cornersOf(m));
    if (solids.back().empty())
      refuse(
          fmt::format("has {} without thickness, which has no volume", withArticle(m.type->name)));
    corners.insert(corners.end(), solids.back().begin(), solids.back().end());
  }
  const shape::ConvexHull hull = shape::convexHull(corners);
  const bool plate = hull.rank == 2 && p.members.front().rounding() > 0.0;
  if (hull.rank < 3 && !plate) refuse("is flat");
  if (plate ? !fillsFlat(solids, hull) : !fills(solids, hull, corners.front()))
    refuse("has polyhedra that fill no convex body");
  s.radius = p.members.front().rounding();
  s.vertices = hull.points;
  s.faces = hull.faces;
  std::set<shape::Edge> edges;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const auto loop = hull.faces[f];
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const std::uint32_t a = loop[k], b = loop[(k + 1) % loop.size()];
      edges.insert({std::min(a, b), std::max(a, b)});
    }
  }
  s.edges.assign(edges.begin(), edges.end());
}

void addSkeleton(const clump::PackParticle& p, shape::Shape& s,
                 const std::function<void(const std::string&)>& refuse) {
  std::vector<double> radii;
  bool rods = false;
  for (const clump::PackMember& m : p.members) {
    if (m.kind() != Kind::sphere && m.kind() != Kind::capsule)
      refuse(fmt::format("has {}, which a shape-file cannot hold", withArticle(m.type->name)));
    radii.push_back(clump::isBall(m) ? m.radius : clump::capsuleRadius(m));
    rods = rods || !clump::isBall(m);
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
  for (const clump::PackMember& m : p.members) {
    const auto n = static_cast<std::uint32_t>(s.vertices.size());
    if (clump::isBall(m)) {
      s.vertices.push_back(m.centre);
      continue;
    }
    s.vertices.push_back(m.centre - clump::capsuleHalfShaft(m));
    s.vertices.push_back(m.centre + clump::capsuleHalfShaft(m));
    s.edges.push_back({n, n + 1});
  }
}

}  // namespace

std::string withArticle(std::string_view type) {
  const bool vowel = !type.empty() && std::string_view("AEIOU").find(type[0]) != std::string::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", type);
}

shape::Shape particleShape(const clump::PackParticle& p, bool ownRadii) {
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
  if (p.carried().given) {
    clump::ShapePack single;
    single.particles = {p};
    report.solid = clump::packMasses(single).front().solid;
  } else {
    report = mass::massReport(s);
  }
  mass::survey(s, report);
  return s;
}

}  // namespace scree::tools
