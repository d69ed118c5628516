// SPDX-License-Identifier: GPL-3.0-or-later
#include "scan/voxel_surface.hpp"

#include "base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::scan::detail {
namespace {

using Quad = QuadMesh::Quad;

/// Whether voxels of the eight at a corner of the lattice are connected through faces.
/// @param mask  has bit x + 2y + 4z for each
bool connected(unsigned mask) {
  unsigned reached = mask & (~mask + 1), before = 0;  // from the first one on
  while (std::exchange(before, reached) != reached)
    reached |= mask & ((reached & 0x55) << 1 | (reached & 0xaa) >> 1 | (reached & 0x33) << 2 |
                       (reached & 0xcc) >> 2 | (reached & 0x0f) << 4 | (reached & 0xf0) >> 4);
  return reached == mask;
}

/// Finds the quadrangles across the four sides of each.
void joinSides(QuadMesh& mesh) {
  struct Side {
    std::uint64_t ends;
    std::uint32_t quad, number;
  };
  std::vector<Side> sides;
  sides.reserve(4 * mesh.quads.size());
  for (std::uint32_t f = 0; f < mesh.quads.size(); ++f)
    for (std::uint32_t s = 0; s < 4; ++s) {
      const auto [low, high] = std::minmax(mesh.quads[f][s], mesh.quads[f][(s + 1) % 4]);
      sides.push_back({std::uint64_t{low} << 32 | high, f, s});
    }
  std::ranges::sort(sides, {}, &Side::ends);
  mesh.neighbours.resize(mesh.quads.size());
  for (std::size_t k = 0; k + 1 < sides.size(); k += 2) {
    mesh.neighbours[sides[k].quad][sides[k].number] = sides[k + 1].quad;
    mesh.neighbours[sides[k + 1].quad][sides[k + 1].number] = sides[k].quad;
  }
}

class Smoothing {
 public:
  Smoothing(QuadMesh& mesh, const Vec3& voxel)
      : mesh_(mesh),
        begin_(mesh.points),
        most_(0.5 * voxel),
        volume_(enclosedVolume(mesh)),
        sum_(mesh.points.size()),
        sides_(mesh.points.size(), 0.0) {
    for (const Quad& q : mesh.quads)
      for (const std::uint32_t p : q) sides_[p] += 1.0;
  }

  /// Averages alone: the wider the steps of the surface are, the more often.
  void even() {
    const double side = elementary::cbrt(volume_ / (8.0 * most_.prod()));  // of a cube, in voxels
    for (int round = 0; round < static_cast<int>(1.2 * side); ++round) {
      average();
      if (round % 4 == 3) restoreVolume();  // else all points would reach their limit
    }
    restoreVolume();
  }

  void sharp() {
    for (int round = 0; round < 8; ++round) average();
    restoreVolume();
    const std::vector<Vec3> normals = sharpenedNormals();
    speed_.assign(mesh_.points.size(), Vec3::Zero());
    for (int round = 0; round < 24; ++round) follow(normals);
    restoreVolume();
  }

 private:
  void moveWithin(std::size_t p, const Vec3& to) {
    mesh_.points[p] = begin_[p] + (to - begin_[p]).cwiseMax(-most_).cwiseMin(most_);
  }

  /// Each point moves half way to the mean of its neighbours.
  void average() {
    std::ranges::fill(sum_, Vec3::Zero());
    for (const Quad& q : mesh_.quads)  // each neighbour follows its point in one quadrangle
      for (std::size_t s = 0; s < 4; ++s) sum_[q[s]] += mesh_.points[q[(s + 1) % 4]];
    for (std::size_t p = 0; p < sum_.size(); ++p)
      moveWithin(p, 0.5 * (mesh_.points[p] + sum_[p] / sides_[p]));
  }

  /// Moves the surface along its normals until it encloses the volume that it had.
  void restoreVolume() {
    for (int round = 0; round < 5; ++round) {
      const double missing = volume_ - enclosedVolume(mesh_);
      if (std::abs(missing) < 1e-7 * volume_) return;
      std::ranges::fill(sum_, Vec3::Zero());
      double area = 0.0;
      for (const Quad& q : mesh_.quads) {
        const Vec3 normal = mesh_.areaNormal(q);
        area += normal.norm();
        for (const std::uint32_t p : q) sum_[p] += normal;
      }
      for (std::size_t p = 0; p < sum_.size(); ++p)
        moveWithin(p, mesh_.points[p] + missing / area * sum_[p].normalized());
    }
  }

  std::vector<Vec3> sharpenedNormals() const {
    std::vector<Vec3> normals;
    for (const Quad& q : mesh_.quads) normals.push_back(mesh_.areaNormal(q).normalized());
    std::vector<double> weight;  // first the bending: mean square of the angles with neighbours
    for (std::size_t f = 0; f < normals.size(); ++f) {
      double bending = 0.0;
      for (const std::uint32_t g : mesh_.neighbours[f])
        bending += 0.5 * (1.0 - normals[f].dot(normals[g]));
      weight.push_back(bending);
    }
    std::vector<double> sorted = weight;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    constexpr double noise = 0.07;  // 4 degrees: what is left of the steps
    const double usual = noise * noise + *middle;
    for (double& w : weight) {
      const double ratio = usual / (usual + w);
      w = ratio * ratio;
    }
    std::vector<Vec3> next(normals.size());
    for (int round = 0; round < 12; ++round) {
      for (std::size_t f = 0; f < normals.size(); ++f) {
        Vec3 sum = weight[f] * normals[f];
        for (const std::uint32_t g : mesh_.neighbours[f]) {
          const double alike = std::max(0.0, normals[f].dot(normals[g])), square = alike * alike;
          sum += weight[g] * square * square * normals[g];
        }
        next[f] = sum.normalized();
      }
      std::swap(normals, next);
    }
    return normals;
  }

  /// Each point moves to the mean of its projections on the planes that its quadrangles should
  /// have, and goes on as it did before: a third of the rounds then do.
  void follow(const std::vector<Vec3>& normals) {
    std::ranges::fill(sum_, Vec3::Zero());
    for (std::size_t f = 0; f < normals.size(); ++f) {
      const Quad& q = mesh_.quads[f];
      const Vec3& n = normals[f];
      const double plane = 0.25 * n.dot(mesh_.points[q[0]] + mesh_.points[q[1]] +
                                        mesh_.points[q[2]] + mesh_.points[q[3]]);
      for (const std::uint32_t p : q) sum_[p] += (plane - n.dot(mesh_.points[p])) * n;
    }
    for (std::size_t p = 0; p < sum_.size(); ++p) {
      const Vec3 before = mesh_.points[p];
      moveWithin(p, before + 0.7 * speed_[p] + 1.3 / sides_[p] * sum_[p]);
      speed_[p] = mesh_.points[p] - before;
    }
  }

  QuadMesh& mesh_;
  const std::vector<Vec3> begin_;
  const Vec3 most_;
  const double volume_;
  std::vector<Vec3> sum_;      // of each point
  std::vector<Vec3> speed_;    // of each point in the round before
  std::vector<double> sides_;  // quadrangles at each point
};

}  // namespace

std::size_t fillContacts(Block& block) {
  std::size_t filled = 0;
  std::array<bool, 256> sound{};
  for (unsigned mask = 0; mask < 256; ++mask)
    sound[mask] = connected(mask) && connected(mask ^ 255U);
  // The void voxel at a corner with most of the grain beside it.
  const auto best = [&](std::size_t corner) {
    std::pair<int, std::size_t> most{-1, 0};
    for (unsigned v = 0; v < 8; ++v) {
      const std::size_t at = corner - block.offset(v);
      if (block.solid[at]) continue;
      int beside = 0;
      for (const std::size_t next : block.neighbours(at))
        if (next < block.solid.size()) beside += block.solid[next];
      most = std::max(most, {beside, at});
    }
    return most.second;
  };
  for (std::size_t before = SIZE_MAX; std::exchange(before, filled) != filled;)
    block.forEachCorner([&](std::size_t at, const Vec3&) {
      for (; !sound[block.around(at)]; ++filled) block.solid[best(at)] = 1;
    });
  return filled;
}

QuadMesh voxelSurface(const Block& block) {
  QuadMesh mesh;
  std::vector<std::uint32_t> pointAt(block.solid.size());
  block.forEachCorner([&](std::size_t at, const Vec3& place) {
    if (const unsigned mask = block.around(at); mask == 0 || mask == 255) return;
    pointAt[at] = static_cast<std::uint32_t>(mesh.points.size());
    mesh.points.push_back(place);
  });
  const auto strides = block.strides();
  block.forEachCorner([&](std::size_t at, const Vec3&) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t b = strides[(axis + 1) % 3], c = strides[(axis + 2) % 3];
      if (block.solid[at] == block.solid[at - strides[axis]]) continue;
      Quad quad{pointAt[at], pointAt[at + b], pointAt[at + b + c], pointAt[at + c]};
      if (block.solid[at]) std::swap(quad[1], quad[3]);
      mesh.quads.push_back(quad);
    }
  });
  joinSides(mesh);
  return mesh;
}

void smooth(QuadMesh& mesh, const Vec3& voxel, Edges edges) {
  for (Vec3& p : mesh.points) p = p.cwiseProduct(voxel);
  Smoothing smoothing(mesh, voxel);
  if (edges == Edges::sharp)
    smoothing.sharp();
  else
    smoothing.even();
}

double enclosedVolume(const QuadMesh& mesh) {
  double sum = 0.0;
  for (const Quad& q : mesh.quads)
    sum += mesh.areaNormal(q).dot(mesh.points[q[0]] + mesh.points[q[1]] + mesh.points[q[2]] +
                                  mesh.points[q[3]]);
  return sum / 12.0;
}

shape::SurfaceMesh trianglesOf(const QuadMesh& mesh) {
  shape::SurfaceMesh out{mesh.points, {}};
  for (const auto& [a, b, c, d] : mesh.quads) {
    const bool alongAc = (mesh.points[c] - mesh.points[a]).squaredNorm() <=
                         (mesh.points[d] - mesh.points[b]).squaredNorm();
    if (alongAc) {
      out.faces.add({a, b, c});
      out.faces.add({a, c, d});
    } else {
      out.faces.add({a, b, d});
      out.faces.add({b, c, d});
    }
  }
  return out;
}

}  // namespace scree::scan::detail
