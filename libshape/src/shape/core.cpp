// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/polygon_math.hpp"
#include "detail/winding.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace scree::shape {
namespace {

using detail::areaVector;
using detail::forEachTriangle;
using detail::middle;

/// Second moments are fifth powers of coordinates: beyond these limits they leave the range of
/// double.
void checkMagnitude(const Shape& shape) {
  constexpr double largest = 1e50, smallest = 1e-50;
  double extent = 0.0;
  for (const Vec3& v : shape.vertices) {
    if (!(v.cwiseAbs().maxCoeff() <= largest))
      throw GeometryError(
          fmt::format("shape '{}': a coordinate is beyond {:g}", shape.name, largest));
    extent = std::max(extent, (v - shape.vertices[0]).cwiseAbs().maxCoeff());
  }
  if (!(shape.radius <= largest))
    throw GeometryError(fmt::format("shape '{}': the radius is beyond {:g}", shape.name, largest));
  for (const double r : shape.radii)
    if (r < smallest)
      throw GeometryError(
          fmt::format("shape '{}': one of its radii is below {:g}", shape.name, smallest));
  if ((extent > 0.0 && extent < smallest) || (shape.radius > 0.0 && shape.radius < smallest))
    throw GeometryError(fmt::format("shape '{}': its size is below {:g}", shape.name, smallest));
}

/// Whether the edges of points on a line cover it from end to end.
bool coversSegment(const Shape& shape, const ConvexHull& hull) {
  const Vec3 along = (hull.points[1] - hull.points[0]).normalized();
  const auto place = [&](std::uint32_t v) {
    return (shape.vertices[v] - hull.points[0]).dot(along);
  };
  std::vector<std::array<double, 2>> spans;
  for (const Edge& e : shape.edges)
    spans.push_back({std::min(place(e[0]), place(e[1])), std::max(place(e[0]), place(e[1]))});
  std::sort(spans.begin(), spans.end());
  const double length = (hull.points[1] - hull.points[0]).norm();
  double reach = 0.0;
  for (const auto& [from, to] : spans) {
    if (from > reach + 1e-12 * length) return false;
    reach = std::max(reach, to);
  }
  return reach >= length * (1.0 - 1e-12);
}

/// Whether each point of a plate's hull is on exactly one face, up to the total area. With all
/// faces wound alike, edges that have no opposite must lie in the outline of the hull.
bool tilesHull(const Shape& shape, const ConvexHull& hull) {
  const Vec3& n = hull.normals[0];
  std::vector<std::array<std::uint32_t, 2>> open;
  for (std::size_t f = 0; f < shape.faces.size(); ++f) {
    const auto c = shape.faces[f];
    const bool forward = areaVector(shape.vertices, c).dot(n) > 0.0;
    for (std::size_t k = 0; k < c.size(); ++k) {
      const std::uint32_t a = c[k], b = c[(k + 1) % c.size()];
      if (a != b) open.push_back(forward ? std::array{a, b} : std::array{b, a});
    }
  }
  std::sort(open.begin(), open.end());
  const auto outline = hull.faces[0];
  Aabb box;
  for (const Vec3& v : hull.points) box.add(v);
  const double within = 1e-9 * box.halfSize().norm();
  for (const auto& [a, b] : open) {
    if (std::binary_search(open.begin(), open.end(), std::array{b, a})) continue;
    bool onRim = false;
    for (std::size_t k = 0; k < outline.size() && !onRim; ++k) {
      const Vec3 &p = hull.points[outline[k]], &q = hull.points[outline[(k + 1) % outline.size()]];
      const Vec3 out = (q - p).cross(n).normalized();
      onRim = std::abs(out.dot(shape.vertices[a] - p)) <= within &&
              std::abs(out.dot(shape.vertices[b] - p)) <= within;
    }
    if (!onRim) return false;
  }
  return true;
}

/// Whether an earlier face has the same corners.
std::vector<char> repeats(const Polygons& faces) {
  std::vector<std::pair<std::vector<std::uint32_t>, std::size_t>> sorted;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    sorted.emplace_back(std::vector<std::uint32_t>(faces[f].begin(), faces[f].end()), f);
    std::sort(sorted.back().first.begin(), sorted.back().first.end());
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<char> out(faces.size(), 0);
  for (std::size_t k = 1; k < sorted.size(); ++k)
    out[sorted[k].second] = sorted[k].first == sorted[k - 1].first;
  return out;
}

}  // namespace

double signedVolume(std::span<const Vec3> vertices, const Polygons& faces) {
  double sum = 0.0;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Vec3 origin = vertices[faces[0][0]];
    forEachTriangle(vertices, faces[f], [&](const Vec3& a, const Vec3& b, const Vec3& c) {
      sum += (a - origin).dot((b - origin).cross(c - origin)) / 6.0;
    });
  }
  return sum;
}

Core coreOf(const Shape& shape) {
  Core core;
  checkMagnitude(shape);
  core.hull = convexHull(shape.vertices, shape.faces);
  core.faces = shape.faces;
  double area = 0.0;
  const std::vector<char> repeated = repeats(shape.faces);
  for (std::size_t f = 0; f < shape.faces.size(); ++f) {
    const Vec3 vector = areaVector(shape.vertices, shape.faces[f]);
    if (!repeated[f]) area += vector.norm();
    if (shape.faces[f].size() == 3 || !(vector.norm() > 0.0)) continue;
    const Vec3 normal = vector.normalized(), m = middle(shape.vertices, shape.faces[f]);
    for (const std::uint32_t v : shape.faces[f])
      core.flatness = std::max(core.flatness, std::abs(normal.dot(shape.vertices[v] - m)));
  }
  if (core.hull.rank == 0) {
    core.convex = core.closed = true;
    return core;
  }
  if (core.hull.rank == 1) {
    core.convex = core.closed = coversSegment(shape, core.hull);
    return core;
  }
  Aabb box;
  for (const Vec3& v : core.hull.points) box.add(v);
  const double size = 2.0 * box.halfSize().norm();
  const double tolerance = std::clamp(10.0 * core.flatness / size, 1e-9, 1e-4);
  const auto near = [&](double a, double b) { return std::abs(a - b) <= tolerance * std::abs(b); };
  const double hullArea = core.hull.area();
  if (core.hull.rank == 2) {
    // A plate may be listed with one face or with both sides, and in pieces.
    core.convex = near(area, hullArea) && tilesHull(shape, core.hull);
    core.closed = core.convex;
    return core;
  }
  if (shape.isSurface || shape.faces.empty()) return core;
  detail::WoundFaces wound = detail::woundFaces(shape.vertices, shape.faces);
  core.closed = wound.closed;
  core.turned = wound.turned;
  core.openEdges = wound.openEdges;
  core.faces = std::move(wound.faces);
  if (core.closed) {
    const double volume = signedVolume(shape.vertices, core.faces);
    core.convex = near(area, hullArea) && near(volume, core.hull.volume());
  } else {
    core.convex = core.closed = near(area, hullArea);
  }
  return core;
}

}  // namespace scree::shape
