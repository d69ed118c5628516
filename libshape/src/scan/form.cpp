// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/mass/moments.hpp"
#include "scree/scan/grains.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/obb.hpp"

#include <algorithm>
#include <cmath>
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

/// [L] Radius of the largest ball inside: a search from the deepest point of a grid, by steps that
/// halve. Distances are those of the vertices, which stand close together.
double inscribedRadius(const SurfaceMesh& mesh, const std::vector<Vec3>& normals,
                       const shape::Aabb& box) {
  const auto depth = [&](const Vec3& p) {
    double least = HUGE_VAL;
    std::size_t at = 0;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      if (const double d = (mesh.vertices[v] - p).squaredNorm(); d < least) least = d, at = v;
    return normals[at].dot(mesh.vertices[at] - p) > 0.0 ? std::sqrt(least) : 0.0;
  };
  double deepest = 0.0;
  Vec3 centre = box.centre(), step = box.halfSize() / 3.0;
  for (int n = 5; step.minCoeff() > 3e-3 * box.halfSize().minCoeff(); n = 3, step *= 0.5) {
    const Vec3 middle = centre;
    for (int k = 0; k < n * n * n; ++k) {
      const Vec3 place(k % n - n / 2, k / n % n - n / 2, k / n / n - n / 2);
      const Vec3 p = middle + step.cwiseProduct(place);
      if (const double d = depth(p); d > deepest) deepest = d, centre = p;
    }
  }
  return deepest;
}

/// The vertex farthest from the centre in each cell of a grid. Its hull is that of all vertices
/// within some thousandths of the volume, in a fraction of the time.
std::vector<Vec3> outermost(const SurfaceMesh& mesh, const shape::Aabb& box, const Vec3& centre) {
  const double cell = 0.05 * box.halfSize().norm();
  using Place = std::tuple<int, int, int, double, std::size_t>;
  std::vector<Place> places;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Eigen::Vector3i at = ((mesh.vertices[v] - box.low) / cell).cast<int>();
    places.emplace_back(at.x(), at.y(), at.z(), -(mesh.vertices[v] - centre).squaredNorm(), v);
  }
  std::ranges::sort(places);
  const auto sameCell = [](const Place& p, const Place& q) {
    return std::get<0>(p) == std::get<0>(q) && std::get<1>(p) == std::get<1>(q) &&
           std::get<2>(p) == std::get<2>(q);
  };
  places.erase(std::ranges::unique(places, sameCell).begin(), places.end());
  std::vector<Vec3> out;
  for (const Place& place : places) out.push_back(mesh.vertices[std::get<4>(place)]);
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

/// Wadell's roundness (1932) of a closed surface of triangles: the mean radius of the corners over
/// the radius of the largest inscribed ball. Corners are where the larger principal curvature k is
/// above that of the inscribed ball, as of B. Zhao & J. Wang, Powder Technology 291, 262-275, 2016.
/// Each part of them counts by how far it turns: the mean radius is the integral of k over the one
/// of k². 1 without corners.
///
/// Curvatures are those of S. Rusinkiewicz, "Estimating curvatures and their derivatives on
/// triangle meshes", 3DPVT 2004, averaged over neighbours.
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
    corners += own[p] * largest;
    bending += own[p] * largest * largest;
  }
  return corners > 0.0 ? corners / (bending * inscribed) : 1.0;
}

}  // namespace

Form formOf(const SurfaceMesh& mesh, const SurfaceMesh& even, double voxel) {
  const mass::SolidProperties solid =
      mass::solidProperties(mass::meshMoments(mesh.vertices, mesh.faces));
  shape::Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  shape::Core core;
  core.closed = true;
  core.vertices = mesh.vertices;
  core.faces = mesh.faces;
  core.hull = shape::convexHull(outermost(mesh, box, solid.centre));
  shape::Shape hull;  // what boxes and sieves feel of the body
  hull.vertices = core.hull.points;
  const Mat3 axes = rotationMatrix(mass::principalFrame(solid.inertiaPerMass).orientation);
  Form form{mass::morphology(hull, core, solid.volume, shape::boxAlong(hull, axes), axes),
            inscribedRadius(mesh, normalsOf(mesh), box)};
  constexpr double enough = 10.0;  // voxels; with fewer, edges of all kinds look alike
  if (form.inscribed >= enough * voxel) form.roundness = roundnessOf(even, form.inscribed);
  return form;
}

}  // namespace scree::scan
