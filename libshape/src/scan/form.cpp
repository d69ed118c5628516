// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/polygon_math.hpp"
#include "scan/voxel_surface.hpp"

#include "scree/mass/moments.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/obb.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace scree::scan::detail {
namespace {

using shape::SurfaceMesh;

/// [L] Radius of the largest ball inside: a search from the deepest point of a grid, by steps that
/// halve. Distances are those of the vertices, which stand close together.
double inscribedRadius(std::vector<Vec3> surface, const Block& block, const Vec3& voxel,
                       const shape::Aabb& box) {
  const auto isInside = [&](const Vec3& p) {
    const Vec3 at = p.cwiseQuotient(voxel);
    return block.solid[block.at(static_cast<std::size_t>(at.x()), static_cast<std::size_t>(at.y()),
                                static_cast<std::size_t>(at.z()))] != 0;
  };
  double deepest = 0.0;
  Vec3 centre = box.centre(), step = box.halfSize() / 3.0;
  for (int n = 5; step.minCoeff() > 3e-3 * box.halfSize().minCoeff(); n = 3, step *= 0.5) {
    const Vec3 middle = centre;
    for (int k = 0; k < n * n * n; ++k) {
      const Vec3 p =
          middle + step.cwiseProduct(Vec3(k % n - n / 2, k / n % n - n / 2, k / n / n - n / 2));
      if (!isInside(p)) continue;
      double least = HUGE_VAL;
      for (const Vec3& v : surface) least = std::min(least, (v - p).squaredNorm());
      if (least > deepest * deepest) deepest = std::sqrt(least), centre = p;
    }
    // The places to come are within a step, and what is nearest to one of them within two more.
    if (deepest > 0.0)
      std::erase_if(surface, [&](const Vec3& v) {
        return (v - centre).norm() > deepest + 2.0 * step.norm();
      });
  }
  return deepest;
}

/// The vertex farthest from the centre in each cell of a grid. Its hull is that of all vertices
/// within some thousandths of the volume, in a fraction of the time.
std::vector<Vec3> outermost(const SurfaceMesh& mesh, const shape::Aabb& box, const Vec3& centre) {
  const double cell = 0.05 * box.halfSize().norm();
  std::map<std::array<int, 3>, Vec3> farthest;
  for (const Vec3& v : mesh.vertices) {
    const Eigen::Vector3i at = ((v - box.low) / cell).cast<int>();
    Vec3& most = farthest.try_emplace({at.x(), at.y(), at.z()}, v).first->second;
    if ((v - centre).squaredNorm() > (most - centre).squaredNorm()) most = v;
  }
  std::vector<Vec3> out;
  for (const auto& [place, v] : farthest) out.push_back(v);
  return out;
}

/// Sums of each vertex and its neighbours. Each neighbour follows its vertex in one quadrangle.
template <class T>
std::vector<T> withNeighbours(const QuadMesh& mesh, const std::vector<T>& values) {
  std::vector<T> out = values;
  for (const QuadMesh::Quad& q : mesh.quads)
    for (std::size_t s = 0; s < 4; ++s) out[q[s]] += values[q[(s + 1) % 4]];
  return out;
}

}  // namespace

Form formOf(const SurfaceMesh& mesh, const Block& block, const Vec3& voxel) {
  const mass::SolidProperties solid =
      mass::solidProperties(mass::meshMoments(mesh.vertices, mesh.faces));
  const shape::Aabb box = shape::detail::boxAround(mesh.vertices);
  shape::Core core;
  core.closed = true;
  core.vertices = mesh.vertices;
  core.faces = mesh.faces;
  core.hull = shape::convexHull(outermost(mesh, box, solid.centre));
  shape::Shape hull;  // what boxes and sieves feel of the body
  hull.vertices = core.hull.points;
  const Mat3 axes = rotationMatrix(mass::principalFrame(solid.inertiaPerMass).orientation);
  return {mass::morphology(hull, core, solid.volume, shape::boxAlong(hull, axes), axes),
          inscribedRadius(mesh.vertices, block, voxel, box)};
}

double roundnessOf(const QuadMesh& mesh, double inscribed, double voxel) {
  std::vector<Vec3> normals;
  std::vector<double> own(mesh.points.size(), 0.0);  // area
  for (const QuadMesh::Quad& q : mesh.quads) {
    const Vec3 normal = mesh.areaNormal(q);
    for (const std::uint32_t p : q) own[p] += 0.25 * normal.norm();
    normals.push_back(normal.normalized());
  }
  // The tensor of curvature times area is the sum over edges of the change of the normal times the
  // way across.
  std::vector<Mat3> tensors(mesh.points.size(), Mat3::Zero());
  for (std::size_t f = 0; f < mesh.quads.size(); ++f)
    for (std::size_t s = 0; s < 4; ++s) {
      const std::uint32_t a = mesh.quads[f][s], b = mesh.quads[f][(s + 1) % 4];
      if (b < a) continue;
      const Vec3 &here = normals[f], &there = normals[mesh.neighbours[f][s]];
      const Vec3 across = (mesh.points[b] - mesh.points[a]).cross(0.5 * (here + there));
      const Mat3 bend =
          0.25 * ((there - here) * across.transpose() + across * (there - here).transpose());
      tensors[a] += bend;
      tensors[b] += bend;
    }
  std::vector<double> area = own;
  for (int round = 0; round < 3; ++round) {
    tensors = withNeighbours(mesh, tensors);
    area = withNeighbours(mesh, area);
  }
  double corners = 0.0, bending = 0.0;
  for (std::size_t p = 0; p < tensors.size(); ++p) {
    if (!(area[p] > 0.0)) continue;
    // The larger of the two curvatures, from their sum and the sum of their squares.
    const Mat3 tensor = tensors[p] / area[p];
    const double half = 0.5 * tensor.trace(),
                 largest =
                     half + std::sqrt(std::max(0.0, 0.5 * tensor.squaredNorm() - half * half));
    if (!(largest * inscribed > 1.0)) continue;
    corners += own[p] * largest;
    bending += own[p] * largest * largest;
  }
  if (!(corners > 0.0)) return 1.0;
  // Smoothing widens edges as an instrument widens lines: widths add up by their squares.
  // In voxels, the radius that sharp edges of a cube and a box seem to have.
  constexpr double ofSharp = 3.2;
  const double seen = corners / bending, widened = ofSharp * voxel;
  return std::sqrt(std::max(0.0, seen * seen - widened * widened)) / inscribed;
}

}  // namespace scree::scan::detail
