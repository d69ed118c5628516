// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/mass/morphology.hpp"

#include "base/angles.hpp"
#include "base/elementary.hpp"
#include "detail/polygon_math.hpp"

#include "scree/mass/moments.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/shape/obb.hpp"
#include "scree/shape/rounded_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace scree::mass {
namespace {

using shape::Aabb;
using shape::Core;
using shape::Shape;

/// A triangle of an offset surface: its points are centre + r normal.
struct Patch {
  std::array<Vec3, 3> centre, normal;
};

/// Adds up the area of patches that nothing covers.
class ShownArea {
 public:
  /// @param solid  hides what is inside of it; null: nothing is
  ShownArea(const shape::SurfaceDistance& skeleton, double r, double size,
            const shape::SurfaceMesh* solid)
      : skeleton_(skeleton), r_(r), coarse_(size / 40.0), fine_(size / 1000.0), solid_(solid) {}

  void add(const Patch& patch) {
    Aabb box;
    for (std::size_t k = 0; k < 3; ++k) box.add(point(patch, k));
    Near all;
    skeleton_.tree().forEachNear(box.grown(2.0 * r_), [&](std::uint32_t t) { all.push_back(t); });
    add(patch, exactArea(patch), 0, all);
  }

  double shown = 0.0;
  double undecided = 0.0;  ///< of the smallest pieces that are partly covered

 private:
  Vec3 point(const Patch& p, std::size_t k) const { return p.centre[k] + r_ * p.normal[k]; }

  bool onSphere(const Patch& p) const {
    return std::max((p.centre[1] - p.centre[0]).norm(), (p.centre[2] - p.centre[0]).norm()) <=
           1e-9 * r_;
  }

  /// The parts of a cell have exact areas where they are plane, of one sphere, or of one cylinder.
  double exactArea(const Patch& p) const {
    const double flat = 0.5 * (point(p, 1) - point(p, 0)).cross(point(p, 2) - point(p, 0)).norm();
    const double a01 = angleBetween(p.normal[0], p.normal[1]),
                 a12 = angleBetween(p.normal[1], p.normal[2]),
                 a20 = angleBetween(p.normal[2], p.normal[0]);
    const double widest = std::max({a01, a12, a20});
    if (widest < 1e-9) return flat;
    if (onSphere(p)) {
      const auto& [a, b, c] = p.normal;
      return r_ * r_ * std::abs(solidAngleOfUnits(a, b, c));
    }
    return flat * 0.5 * widest / elementary::sin(0.5 * widest);  // chords against arcs
  }

  /// Triangles that may cover a point of a patch.
  using Near = std::vector<std::uint32_t>;

  bool covered(const Vec3& p, const Near& near) const {
    return std::ranges::any_of(
               near,
               [&](std::uint32_t t) { return skeleton_.distance(p, t) < r_ * (1.0 - 1e-7); }) ||
           (solid_ != nullptr && shape::encloses(solid_->vertices, solid_->faces, p));
  }

  /// @param around  triangles that may cover the patch that this one is a part of
  void add(const Patch& p, double area, int depth, const Near& around) {
    const std::array<Vec3, 3> at{point(p, 0), point(p, 1), point(p, 2)};
    const double longest =
        std::max({(at[1] - at[0]).norm(), (at[2] - at[1]).norm(), (at[0] - at[2]).norm()});
    // Arcs bulge beyond their corners.
    const Aabb box = shape::detail::boxAround(at).grown(r_ + std::min(r_, longest));
    Near near;
    for (const std::uint32_t t : around) {
      if (shape::detail::boxAround(skeleton_.triangles()[t]).overlaps(box)) near.push_back(t);
    }
    if (longest <= coarse_ || depth >= 24) {
      Vec3 middle = Vec3::Zero(), normal = Vec3::Zero();
      for (std::size_t k = 0; k < 3; ++k) {
        middle += p.centre[k] / 3.0;
        normal += p.normal[k];
      }
      const bool middleCovered = covered(middle + r_ * normal.normalized(), near);
      int hidden = middleCovered;
      // Corners drawn in a little: those that two patches share say nothing about either.
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 n = (0.98 * p.normal[k] + 0.02 * normal / 3.0).normalized();
        hidden += covered(0.98 * p.centre[k] + 0.02 * middle + r_ * n, near);
      }
      const bool mixed = hidden != 0 && hidden != 4;
      if (!mixed || longest <= fine_ || depth >= 24) {
        shown += area * (4 - hidden) / 4.0;
        if (mixed) undecided += area;
        return;
      }
    }
    // Halved across its longest side.
    std::size_t k = 0;
    if ((at[2] - at[1]).norm() > (at[1] - at[0]).norm()) k = 1;
    if ((at[0] - at[2]).norm() > (at[(k + 1) % 3] - at[k]).norm()) k = 2;
    const std::size_t a = k, b = (k + 1) % 3;
    const Vec3 centre = 0.5 * (p.centre[a] + p.centre[b]);
    const Vec3 normal = (p.normal[a] + p.normal[b]).normalized();
    Patch first = p, second = p;
    first.centre[b] = second.centre[a] = centre;
    first.normal[b] = second.normal[a] = normal;
    // Planes and cylinders unroll: the halves are equal. On a sphere they are not.
    double part = 0.5;
    if (onSphere(p)) {
      const double ofFirst = exactArea(first), both = ofFirst + exactArea(second);
      if (!(both > 0.0)) return;
      part = ofFirst / both;
    }
    add(first, area * part, depth + 1, near);
    add(second, area * (1.0 - part), depth + 1, near);
  }

  const shape::SurfaceDistance& skeleton_;
  double r_, coarse_, fine_;
  const shape::SurfaceMesh* solid_;
};

/// Area of a union of balls, to rounding.
double areaOfBalls(const Shape& shape) {
  std::vector<Ball> balls;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v)
    balls.push_back({shape.vertices[v], shape.radiusAt(v)});
  double area = 0.0;
  for (const VisiblePart& part : visibleParts(balls)) area += part.area;
  return area;
}

/// Faces, then edges and vertices that none of the others holds, as triangles without area.
shape::SurfaceMesh elementsOf(const Shape& shape, const shape::SurfaceMesh& solid) {
  shape::SurfaceMesh mesh = solid;
  std::vector<char> held(mesh.vertices.size(), 0);
  for (std::size_t f = 0; f < solid.faces.size(); ++f)
    for (const std::uint32_t v : solid.faces[f]) held[v] = 1;
  for (const auto& [a, b] : shape::freeEdges(shape.edges, solid.faces)) {
    held[a] = held[b] = 1;
    mesh.faces.add({a, b, b});
  }
  for (std::uint32_t v = 0; v < held.size(); ++v)
    if (!held[v]) mesh.faces.add({v, v, v});
  return mesh;
}

SurfaceArea areaOf(const Shape& shape, const Core& core) {
  if (!shape.radii.empty() || (shape::isOfBalls(shape) && core.faces.empty() && !core.convex))
    return {areaOfBalls(shape), 0.0};
  if (core.convex) return {sweptHullArea(core.hull, shape.radius), 0.0};
  if (shape.radius == 0.0) {
    double sum = 0.0;
    for (std::size_t f = 0; f < core.faces.size(); ++f)
      sum += shape::detail::areaVector(core.vertices, core.faces[f]).norm();
    return {core.closed ? sum : 2.0 * sum, 0.0};  // an open sheet has two sides
  }
  const double reach = shape::detail::boxAround(shape.vertices).halfSize().norm() + shape.radius;
  shape::SurfaceMesh solid{core.vertices, core.faces};
  // A bent polygon is drawn as if it were plane: its own triangles would cover it.
  if (core.flatness > 1e-9 * reach) solid = shape::triangulated(solid);
  Shape body = shape;
  body.vertices = solid.vertices;
  body.faces = solid.faces;
  const shape::SurfaceMesh elements = elementsOf(shape, solid);
  const shape::SurfaceDistance skeleton(elements);
  const bool free = core.closed && elements.faces.size() > solid.faces.size();
  ShownArea sum(skeleton, shape.radius, 2.0 * reach, free ? &solid : nullptr);
  const shape::RoundedSurface surface = shape::roundedSurface(body, 2);
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (std::size_t c = 0; c < surface.cells.size(); ++c) {
    triangles.clear();
    shape::triangulate(surface.points, surface.cells[c], triangles);
    for (const auto& t : triangles) {
      Patch patch;
      for (std::size_t k = 0; k < 3; ++k) {
        patch.normal[k] = surface.normals[t[k]];
        patch.centre[k] = surface.points[t[k]] - shape.radius * patch.normal[k];
      }
      sum.add(patch);
    }
  }
  // The area of sheets outside of a solid is missing, since they are not drawn.
  if (!(sum.shown > 0.0) || !core.sheets.empty()) return {sum.shown, 1.0};
  return {sum.shown, std::max(1e-6, sum.undecided / sum.shown)};
}

}  // namespace

Vec3 principalLengths(const Shape& shape, const Mat3& axes) {
  Vec3 sides = 2.0 * shape::boxAlong(shape, axes).extent;
  std::sort(sides.data(), sides.data() + 3, std::greater{});
  return sides;
}

std::string zinggClass(const Vec3& s) {
  if (!(s[1] > 0.0)) return {};
  const bool wide = 3.0 * s[1] >= 2.0 * s[0], thick = 3.0 * s[2] >= 2.0 * s[1];
  return wide ? thick ? "equant" : "disc" : thick ? "rod" : "blade";
}

Morphology morphology(const Shape& shape, const Core& core, std::optional<double> volume,
                      const shape::Obb& box, const Mat3& axes) {
  Morphology out;
  out.area = areaOf(shape, core);
  out.lengths = principalLengths(shape, axes);
  out.sieveOpening = shape::sieveOpening(2.0 * box.extent);
  if (out.lengths[1] > 0.0) {
    out.flatness = out.lengths[2] / out.lengths[1];
    out.elongation = out.lengths[1] / out.lengths[0];
  }
  if (core.convex && shape.radius > 0.0)
    out.roundness = shape.radius / (shape.radius + inscribedBall(core.hull).radius);
  else if (core.convex && core.hull.rank == 3)
    out.roundness = 0.0;
  if (!volume || !(*volume > 0.0)) return out;
  out.equivalentDiameter = elementary::cbrt(6.0 * *volume / pi);
  if (out.area->area > 0.0)
    out.sphericity = pi * *out.equivalentDiameter * *out.equivalentDiameter / out.area->area;
  if (!shape.radii.empty()) return out;  // no closed form for the hull of different balls
  const double hull = sweptHullMoments(core.hull, shape.radius).m0;
  if (hull > 0.0) out.convexity = std::min(1.0, *volume / hull);
  return out;
}

}  // namespace scree::mass
