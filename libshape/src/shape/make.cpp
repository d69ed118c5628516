// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/make.hpp"

#include "base/elementary.hpp"
#include "detail/half_edges.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::shape {
namespace {

/// Size of the skeleton, or a complaint.
double inner(const char* what, double outer, double radius, bool mayBeFlat) {
  const double left = outer - 2.0 * radius;
  // A size given as twice the radius is meant so, whatever its last digit says.
  if (mayBeFlat && std::abs(left) <= 1e-12 * outer) return 0.0;
  if (!(outer > 0.0) || !(left > 0.0))
    throw UsageError(
        fmt::format("{} {:g}: the size includes the rounding, so it must be more than "
                    "twice the radius {:g}",
                    what, outer, radius));
  return left;
}

Shape named(const char* name, double radius) {
  if (!(radius >= 0.0)) throw UsageError("the radius must not be negative");
  Shape shape;
  shape.name = name;
  shape.radius = radius;
  return shape;
}

/// Directions spread at random, then driven apart a little: evenly, but not regularly.
std::vector<Vec3> spreadDirections(int count, Rng& rng) {
  std::vector<Vec3> directions;
  for (int k = 0; k < count; ++k) directions.push_back(rng.direction());
  for (int round = 0; round < 40; ++round) {
    std::vector<Vec3> push(directions.size(), Vec3::Zero());
    for (std::size_t i = 0; i < directions.size(); ++i)
      for (std::size_t j = 0; j < directions.size(); ++j) {
        const Vec3 apart = directions[i] - directions[j];
        const double d2 = apart.squaredNorm();
        if (d2 > 0.0) push[i] += apart / (d2 * std::sqrt(d2));
      }
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const Vec3 along = push[i] - push[i].dot(directions[i]) * directions[i];
      const double step = 0.3 / std::sqrt(static_cast<double>(count));
      if (along.norm() > 0.0)
        directions[i] =
            (directions[i] + std::min(step, 0.02 * along.norm()) * along.normalized()).normalized();
    }
  }
  return directions;
}

/// The polyhedron { x : n.x <= d for all planes } around the origin, through the hull of the dual
/// points n/d. Corners of that hull are our faces, and its faces our corners. Empty unless bounded
/// by all planes.
SurfaceMesh polyhedronOfPlanes(const std::vector<Vec3>& normals,
                               const std::vector<double>& distances) {
  std::vector<Vec3> dual;
  for (std::size_t k = 0; k < normals.size(); ++k) dual.push_back(normals[k] / distances[k]);
  const ConvexHull hull = convexHull(dual);
  SurfaceMesh mesh;
  if (hull.rank < 3 || hull.points.size() != normals.size()) return {};
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const double distance = hull.normals[f].dot(hull.points[hull.faces[f][0]]);
    if (!(distance > 1e-3 * hull.points[hull.faces[f][0]].norm()))
      return {};  // far corner, or none
    mesh.vertices.push_back(hull.normals[f] / distance);
  }
  const detail::Sides sides(hull.faces);
  for (std::uint32_t v = 0; v < hull.points.size(); ++v) {
    const std::vector<std::uint32_t> corners = sides.around(v);
    if (corners.size() < 3) return {};
    mesh.faces.add(corners);
  }
  return mesh;
}

}  // namespace

Shape shapeFromMesh(const SurfaceMesh& mesh, double radius) {
  Shape shape;
  shape.radius = radius;
  shape.vertices = mesh.vertices;
  shape.edges = edgesOf(mesh.faces);
  shape.faces = mesh.faces;
  return shape;
}

Shape makeSphere(double diameter) {
  if (!(diameter > 0.0)) throw UsageError("a sphere needs a diameter above 0");
  Shape shape = named("Sphere", 0.5 * diameter);
  shape.vertices.push_back(Vec3::Zero());
  return shape;
}

Shape makeBox(const Vec3& size, double radius) {
  Shape shape = named("Box", radius);
  const Vec3 h =
      0.5 * Vec3(inner("size x", size.x(), radius, true), inner("size y", size.y(), radius, true),
                 inner("size z", size.z(), radius, true));
  // The order of corners and faces of the example in the format's description.
  const std::array<Vec3, 8> corners{Vec3(h.x(), h.y(), -h.z()),   Vec3(-h.x(), h.y(), -h.z()),
                                    Vec3(-h.x(), -h.y(), -h.z()), Vec3(h.x(), -h.y(), -h.z()),
                                    Vec3(h.x(), h.y(), h.z()),    Vec3(-h.x(), h.y(), h.z()),
                                    Vec3(-h.x(), -h.y(), h.z()),  Vec3(h.x(), -h.y(), h.z())};
  if ((h.array() > 0.0).all()) {
    shape.vertices.assign(corners.begin(), corners.end());
    shape.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                   {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    for (const auto& face :
         {std::array{0u, 3u, 2u, 1u}, std::array{4u, 5u, 6u, 7u}, std::array{0u, 1u, 5u, 4u},
          std::array{2u, 3u, 7u, 6u}, std::array{1u, 2u, 6u, 5u}, std::array{0u, 4u, 7u, 3u}})
      shape.faces.add(face);
    return shape;
  }
  // Flat in one direction or more: the hull of what is left.
  const ConvexHull hull = convexHull(corners);
  shape.vertices = hull.points;
  shape.faces = hull.faces;
  if (hull.rank == 2) shape.edges = edgesOf(hull.faces);
  if (hull.rank == 1) shape.edges = {{0, 1}};
  return shape;
}

Shape makePlate(double sizeX, double sizeY, double radius) {
  if (!(radius > 0.0)) throw UsageError("a plate needs a radius: half its thickness");
  Shape shape = makeBox(Vec3(sizeX, sizeY, 2.0 * radius), radius);
  if (shape.faces.size() != 1)
    throw UsageError("a plate needs two sizes of more than twice the radius");
  shape.name = "Plate";
  return shape;
}

Shape makePrism(int sides, double across, double height, double radius) {
  if (sides < 3) throw UsageError("a prism needs at least 5 faces: two ends and three sides");
  Shape shape = named("Prism", radius);
  const double r = 0.5 * inner("diameter", across, radius, false);
  const double h = 0.5 * inner("height", height, radius, false);
  const auto n = static_cast<std::uint32_t>(sides);
  for (const double z : {-h, h})
    for (std::uint32_t k = 0; k < n; ++k) {
      const double angle = 2.0 * pi * k / n;
      shape.vertices.emplace_back(r * elementary::cos(angle), r * elementary::sin(angle), z);
    }
  std::vector<std::uint32_t> bottom, top;
  for (std::uint32_t k = 0; k < n; ++k) {
    bottom.push_back(n - 1 - k);
    top.push_back(n + k);
  }
  shape.faces.add(bottom);
  shape.faces.add(top);
  for (std::uint32_t k = 0; k < n; ++k) shape.faces.add({k, (k + 1) % n, n + (k + 1) % n, n + k});
  shape.edges = edgesOf(shape.faces);
  return shape;
}

Shape makeBoulder(int faces, const Vec3& size, double radius, std::uint64_t seed) {
  if (faces < 4 || faces > 10000) throw UsageError("a boulder has between 4 and 10000 faces");
  Rng rng(seed);
  const Vec3 core(inner("size x", size.x(), radius, false),
                  inner("size y", size.y(), radius, false),
                  inner("size z", size.z(), radius, false));
  // The planes touch a ball, which an affine map then makes the ellipsoid. Few planes may leave the
  // body open on one side, or nearly so. Many planes make very short edges here and there. Of some
  // attempts, the one whose shortest edge is longest counts.
  SurfaceMesh mesh;
  double longest = 0.0;
  const int attempts = std::clamp(1000 / faces, 1, 20);
  for (int attempt = 0; attempt < attempts || (mesh.vertices.empty() && attempt < 200); ++attempt) {
    const std::vector<Vec3> normals = spreadDirections(faces, rng);
    SurfaceMesh candidate = polyhedronOfPlanes(normals, std::vector<double>(normals.size(), 1.0));
    if (std::ranges::any_of(candidate.vertices, [](const Vec3& v) { return v.norm() > 4.0; }))
      continue;
    double shortest = 1e300;
    for (const Edge& e : edgesOf(candidate.faces))
      shortest = std::min(shortest, (candidate.vertices[e[0]] - candidate.vertices[e[1]]).norm());
    if (candidate.vertices.empty() || shortest <= longest) continue;
    longest = shortest;
    mesh = std::move(candidate);
  }
  if (mesh.vertices.empty())
    throw GeometryError("no boulder with these faces found; try another seed");
  const Aabb box = detail::boxAround(mesh.vertices);
  for (Vec3& v : mesh.vertices)
    v = (v - box.centre()).cwiseProduct(core).cwiseQuotient(box.high - box.low);
  Shape shape = shapeFromMesh(mesh, radius);
  shape.name = "Boulder";
  return shape;
}

Shape makeSlope(int steps, double length, double height, double width, double radius) {
  if (steps < 1 || steps > 100000) throw UsageError("a slope has between 1 and 100000 steps");
  if (!(length > 0.0) || !(height > 0.0) || !(width > 0.0))
    throw UsageError("length, height and width of a slope must be above 0");
  Shape shape = named("Slope", radius);
  shape.isSurface = true;
  const double tread = length / (steps + 1), riser = height / steps;
  for (int k = 0; k <= steps; ++k)
    for (const double x : {k * tread, (k + 1) * tread})
      for (const double z : {-0.5 * width, 0.5 * width})
        shape.vertices.emplace_back(x, (steps - k) * riser, z);
  // Pairs of vertices across the slope, from top to bottom: a quad between each two.
  const auto pairs = static_cast<std::uint32_t>(2 * (steps + 1));
  for (std::uint32_t p = 0; p + 1 < pairs; ++p)
    shape.faces.add({2 * p, 2 * p + 1, 2 * p + 3, 2 * p + 2});
  shape.edges = edgesOf(shape.faces);
  return shape;
}

}  // namespace scree::shape
