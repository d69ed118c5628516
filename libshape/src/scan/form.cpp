// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"

#include "scree/scan/grains.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/obb.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <tuple>

namespace scree::scan {
namespace {

using shape::SurfaceMesh;

/// Outward unit normals of the vertices, by area.
std::vector<Vec3> normalsOf(const SurfaceMesh& mesh) {
  std::vector<Vec3> normals(mesh.vertices.size(), Vec3::Zero());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const auto corner = mesh.faces[f];
    const Vec3 &a = mesh.vertices[corner[0]], &b = mesh.vertices[corner[1]],
               &c = mesh.vertices[corner[2]];
    for (const std::uint32_t p : corner) normals[p] += (b - a).cross(c - a);
  }
  for (Vec3& n : normals) n.normalize();
  return normals;
}

/// [L] Radius of the largest ball inside: a search from the two deepest points of a grid, by steps
/// that halve. Distances are those of the vertices, which stand close together.
double inscribedRadius(const SurfaceMesh& mesh, const std::vector<Vec3>& normals,
                       const shape::Aabb& box, const Vec3& centre) {
  const auto depth = [&](const Vec3& p) {
    if (((p - box.low).array() < 0.0 || (p - box.high).array() > 0.0).any()) return 0.0;
    double least = HUGE_VAL;
    std::size_t at = 0;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      if (const double d = (mesh.vertices[v] - p).squaredNorm(); d < least) least = d, at = v;
    return normals[at].dot(mesh.vertices[at] - p) > 0.0 ? std::sqrt(least) : 0.0;
  };
  constexpr int steps = 5;
  std::vector<std::pair<double, Vec3>> starts{{depth(centre), centre}};
  const Vec3 side = 2.0 * box.halfSize() / steps;
  for (int k = 0; k < steps * steps * steps; ++k) {
    const Vec3 place(k % steps + 0.5, k / steps % steps + 0.5, k / steps / steps + 0.5);
    const Vec3 p = box.low + side.cwiseProduct(place);
    starts.emplace_back(depth(p), p);
  }
  std::ranges::stable_sort(starts, std::greater{}, [](const auto& s) { return s.first; });
  double best = 0.0;
  for (std::size_t s = 0; s < 2; ++s) {
    auto [deepest, at] = starts[s];
    for (double step = 0.5 * side.minCoeff(); step > 3e-3 * side.minCoeff();) {
      const double before = deepest;
      for (int k = 0; k < 14; ++k) {  // along the axes and the diagonals
        const Vec3 way = k < 6 ? (k % 2 == 0 ? 1.0 : -1.0) * Vec3::Unit(k / 2)
                               : Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k < 10 ? 1 : -1).normalized();
        const Vec3 p = at + step * way;
        if (const double d = depth(p); d > deepest) {
          deepest = d;
          at = p;
          break;
        }
      }
      if (!(deepest > before)) step *= 0.5;
    }
    best = std::max(best, deepest);
  }
  return best;
}

/// The vertex farthest from the centre in each cell of a grid, whose cells are some faces wide. Its
/// hull is that of all vertices within some thousandths of the volume, in a fraction of the time.
std::vector<Vec3> outermost(const SurfaceMesh& mesh, const shape::Aabb& box, const Vec3& centre,
                            double area) {
  const double cell = 2.5 * std::sqrt(2.0 * area / static_cast<double>(mesh.faces.size()));
  struct Place {
    std::array<int, 3> cell;
    double distance;
    std::size_t vertex;
  };
  std::vector<Place> places;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3 at = (mesh.vertices[v] - box.low) / cell;
    places.push_back(
        {{static_cast<int>(at.x()), static_cast<int>(at.y()), static_cast<int>(at.z())},
         -(mesh.vertices[v] - centre).squaredNorm(),
         v});
  }
  std::ranges::sort(places, {}, [](const Place& p) { return std::tuple(p.cell, p.distance); });
  std::vector<Vec3> out;
  for (std::size_t k = 0; k < places.size(); ++k)
    if (k == 0 || places[k].cell != places[k - 1].cell)
      out.push_back(mesh.vertices[places[k].vertex]);
  return out;
}

/// Curvature of a surface along two directions across its normal: a symmetric tensor in space.
std::vector<Mat3> curvatures(const SurfaceMesh& mesh, const std::vector<Vec3>& normals,
                             std::vector<double>& area) {
  std::vector<Mat3> out(mesh.vertices.size(), Mat3::Zero());
  area.assign(mesh.vertices.size(), 0.0);
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const auto corner = mesh.faces[f];
    const Vec3 along = mesh.vertices[corner[1]] - mesh.vertices[corner[0]];
    const Vec3 twice = along.cross(mesh.vertices[corner[2]] - mesh.vertices[corner[0]]);
    const double size = 0.5 * twice.norm();
    if (!(size > 0.0)) continue;
    const Vec3 n = twice / (2.0 * size), u = along.normalized(), v = n.cross(u);
    // Least squares of: tensor * side = change of the normal, over the three sides.
    Mat3 system = Mat3::Zero();  // unknowns uu, uv, vv
    Vec3 right = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t from = corner[k], to = corner[(k + 1) % 3];
      const Vec3 side = mesh.vertices[to] - mesh.vertices[from], bend = normals[to] - normals[from];
      const double x = side.dot(u), y = side.dot(v);
      const Vec3 first(x, y, 0.0), second(0.0, x, y);
      system += first * first.transpose() + second * second.transpose();
      right += bend.dot(u) * first + bend.dot(v) * second;
    }
    const Vec3 found = system.ldlt().solve(right);
    const Mat3 tensor = found[0] * u * u.transpose() +
                        found[1] * (u * v.transpose() + v * u.transpose()) +
                        found[2] * v * v.transpose();
    for (const std::uint32_t p : corner) {
      out[p] += size / 3.0 * tensor;
      area[p] += size / 3.0;
    }
  }
  return out;
}

/// Sums of each vertex and its neighbours. Each neighbour comes once with a side of a triangle.
template <class T>
std::vector<T> withNeighbours(const SurfaceMesh& mesh, const std::vector<T>& values) {
  std::vector<T> out = values;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const auto corner = mesh.faces[f];
    for (std::size_t k = 0; k < 3; ++k) out[corner[k]] += values[corner[(k + 1) % 3]];
  }
  return out;
}

}  // namespace

double roundnessOf(const SurfaceMesh& mesh, double inscribed) {
  const std::vector<Vec3> normals = normalsOf(mesh);
  std::vector<double> own, area;
  std::vector<Mat3> tensors = curvatures(mesh, normals, own);
  area = own;
  for (int round = 0; round < 2; ++round) {
    tensors = withNeighbours(mesh, tensors);
    area = withNeighbours(mesh, area);
  }
  double corners = 0.0, bending = 0.0;
  for (std::size_t p = 0; p < tensors.size(); ++p) {
    if (!(area[p] > 0.0)) continue;
    // The larger of the two curvatures across the normal, from trace and determinant.
    const Mat3 tensor = tensors[p] / area[p];
    const Vec3 u = normals[p].unitOrthogonal(), v = normals[p].cross(u);
    const double uu = u.dot(tensor * u), uv = u.dot(tensor * v), vv = v.dot(tensor * v);
    const double half = 0.5 * (uu + vv),
                 largest = half + std::sqrt(0.25 * (uu - vv) * (uu - vv) + uv * uv);
    if (!(largest * inscribed > 1.0)) continue;
    corners += own[p];
    bending += own[p] * largest;
  }
  return corners > 0.0 ? corners / (bending * inscribed) : 1.0;
}

Form formOf(const SurfaceMesh& mesh) {
  Form form;
  form.volume = shape::signedVolume(mesh.vertices, mesh.faces);
  shape::Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  Vec3 centre = Vec3::Zero();
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const auto corner = mesh.faces[f];
    const Vec3 &a = mesh.vertices[corner[0]], &b = mesh.vertices[corner[1]],
               &c = mesh.vertices[corner[2]];
    const double size = 0.5 * (b - a).cross(c - a).norm();
    form.area += size;
    centre += size / 3.0 * (a + b + c);
  }
  centre /= form.area;
  const shape::ConvexHull hull = shape::convexHull(outermost(mesh, box, centre, form.area));
  form.convexity = std::min(1.0, form.volume / hull.volume());
  shape::Shape corners;
  corners.vertices = hull.points;
  form.box = shape::orientedBox(corners, shape::BoxMethod::minimum);
  form.sides = 2.0 * form.box.extent;
  std::sort(form.sides.data(), form.sides.data() + 3, std::greater{});
  form.sphericity = elementary::cbrt(36.0 * pi * form.volume * form.volume) / form.area;
  form.inscribed = inscribedRadius(mesh, normalsOf(mesh), box, centre);
  form.roundness = roundnessOf(mesh, form.inscribed);
  return form;
}

}  // namespace scree::scan
