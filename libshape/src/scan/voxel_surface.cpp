// SPDX-License-Identifier: GPL-3.0-or-later
#include "scan/voxel_surface.hpp"

#include "base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace scree::scan::detail {
namespace {

using Quad = std::array<std::uint32_t, 4>;

/// The eight voxels at a corner of the lattice: bit x + 2y + 4z of a mask. Two neighbours have a
/// face between them, number axis * 4 + the bits of the two other axes.
constexpr int facesAtCorner = 12;
constexpr std::size_t other(std::size_t axis, std::size_t by) { return (axis + by) % 3; }

/// Number of the face between voxel v, with bit `axis` clear, and its neighbour along the axis.
constexpr std::size_t faceNumber(std::size_t v, std::size_t axis) {
  return axis * 4 + (v >> other(axis, 1) & 1) + 2 * (v >> other(axis, 2) & 1);
}

/// Surfaces that meet at a corner, and the one that each of its faces belongs to, for all masks.
struct Fans {
  std::array<std::uint8_t, 256> count{};
  std::array<std::array<std::uint8_t, facesAtCorner>, 256> of{};
};

Fans fansOfMasks() {
  Fans fans;
  for (std::size_t mask = 0; mask < 256; ++mask) {
    std::array<std::uint8_t, facesAtCorner> root{};
    std::iota(root.begin(), root.end(), std::uint8_t{0});
    const auto find = [&](std::uint8_t f) {
      while (root[f] != f) f = root[f];
      return f;
    };
    const auto solid = [&](std::size_t v) { return (mask >> v & 1) != 0; };
    std::array<bool, facesAtCorner> shown{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t v = 0; v < 8; ++v)
        if (!(v >> axis & 1)) shown[faceNumber(v, axis)] = solid(v) != solid(v | 1U << axis);
    // Around each of the six edges at the corner stand four faces: those shown are one surface.
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t side = 0; side < 2; ++side) {
        const std::size_t b = other(axis, 1), c = other(axis, 2), v = side << axis;
        const std::array<std::size_t, 4> around{faceNumber(v, b), faceNumber(v | 1U << c, b),
                                                faceNumber(v, c), faceNumber(v | 1U << b, c)};
        std::size_t first = facesAtCorner;
        for (const std::size_t f : around) {
          if (!shown[f]) continue;
          if (first == facesAtCorner) first = f;
          const std::uint8_t x = find(static_cast<std::uint8_t>(first)),
                             y = find(static_cast<std::uint8_t>(f));
          root[std::max(x, y)] = std::min(x, y);
        }
      }
    std::array<std::uint8_t, facesAtCorner> number{};
    for (std::uint8_t f = 0; f < facesAtCorner; ++f) {
      if (!shown[f]) continue;
      if (find(f) == f) number[f] = fans.count[mask]++;
      fans.of[mask][f] = number[find(f)];
    }
  }
  return fans;
}

/// Builds the surface of a block, a layer of corners at a time.
class SurfaceBuilder {
 public:
  explicit SurfaceBuilder(const Block& block)
      : block_(block),
        mask_{Layer(block.size[0] * block.size[1]), Layer(mask_[0].size())},
        first_{Indices(mask_[0].size()), Indices(mask_[0].size())} {}

  QuadMesh run() {
    for (std::size_t k = 1; k < block_.size[2]; ++k) {
      std::swap(mask_[0], mask_[1]);
      std::swap(first_[0], first_[1]);
      addCorners(k);
      addFaces(k);
    }
    return std::move(mesh_);
  }

 private:
  using Layer = std::vector<std::uint8_t>;
  using Indices = std::vector<std::uint32_t>;

  bool solid(std::size_t i, std::size_t j, std::size_t k) const {
    return block_.solid[block_.at(i, j, k)] != 0;
  }

  /// Corner (i, j, k) is the low one of voxel (i, j, k).
  void addCorners(std::size_t k) {
    for (std::size_t j = 1; j < block_.size[1]; ++j)
      for (std::size_t i = 1; i < block_.size[0]; ++i) {
        std::size_t mask = 0;
        for (std::size_t v = 0; v < 8; ++v)
          mask |= std::size_t{solid(i - 1 + (v & 1), j - 1 + (v >> 1 & 1), k - 1 + (v >> 2))} << v;
        const std::size_t at = i + block_.size[0] * j;
        mask_[1][at] = static_cast<std::uint8_t>(mask);
        first_[1][at] = static_cast<std::uint32_t>(mesh_.points.size());
        const Vec3 point(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        for (std::uint8_t n = fans_.count[mask]; n > 0; --n) mesh_.points.push_back(point);
      }
  }

  /// Faces whose highest corners are in layer k.
  void addFaces(std::size_t k) {
    for (std::size_t j = 1; j < block_.size[1]; ++j)
      for (std::size_t i = 1; i < block_.size[0]; ++i) {
        // Voxel (i, j, k - 1), against its lower neighbours along x and y, and against the one
        // above.
        const bool here = solid(i, j, k - 1);
        if (here != solid(i - 1, j, k - 1)) addFace(0, {i, j, k - 1}, k, !here);
        if (here != solid(i, j - 1, k - 1)) addFace(1, {i, j, k - 1}, k, !here);
        if (here != solid(i, j, k)) addFace(2, {i, j, k}, k, here);
      }
  }

  /// @param low   corner of the face
  /// @param k     the layer of corners that was added last
  /// @param below  whether the solid is on the side of lower coordinates
  void addFace(std::size_t axis, std::array<std::size_t, 3> low, std::size_t k, bool below) {
    Quad quad{};
    for (std::size_t c = 0; c < 4; ++c) {
      const std::size_t onB = c == 1 || c == 2, onC = c >= 2;
      std::array<std::size_t, 3> corner = low;
      corner[other(axis, 1)] += onB;
      corner[other(axis, 2)] += onC;
      const std::size_t layer = corner[2] == k, at = corner[0] + block_.size[0] * corner[1];
      // Seen from its corner, the face lies on the other side.
      const std::size_t face = axis * 4 + (1 - onB) + 2 * (1 - onC);
      quad[c] = first_[layer][at] + fans_.of[mask_[layer][at]][face];
    }
    if (!below) std::swap(quad[1], quad[3]);
    mesh_.quads.push_back(quad);
  }

  const Block& block_;
  const Fans fans_ = fansOfMasks();
  std::array<Layer, 2> mask_;
  std::array<Indices, 2> first_;
  QuadMesh mesh_;
};

/// Twice the area of a quadrangle times its mean normal.
Vec3 areaNormal(const QuadMesh& mesh, const Quad& q) {
  return (mesh.points[q[2]] - mesh.points[q[0]]).cross(mesh.points[q[3]] - mesh.points[q[1]]);
}

/// The quadrangles across the four sides of each.
std::vector<Quad> neighboursOf(const QuadMesh& mesh) {
  struct Side {
    std::uint32_t low, high, quad, number;
  };
  std::vector<Side> sides;
  sides.reserve(4 * mesh.quads.size());
  for (std::uint32_t f = 0; f < mesh.quads.size(); ++f)
    for (std::uint32_t s = 0; s < 4; ++s) {
      const auto [low, high] = std::minmax(mesh.quads[f][s], mesh.quads[f][(s + 1) % 4]);
      sides.push_back({low, high, f, s});
    }
  std::ranges::sort(sides, {}, [](const Side& s) { return std::pair(s.low, s.high); });
  std::vector<Quad> out(mesh.quads.size());
  for (std::size_t k = 0; k + 1 < sides.size(); k += 2) {
    out[sides[k].quad][sides[k].number] = sides[k + 1].quad;
    out[sides[k + 1].quad][sides[k + 1].number] = sides[k].quad;
  }
  return out;
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
    for (int round = 0; round < 4; ++round) average();
    restoreVolume();
    const std::vector<Vec3> normals = sharpenedNormals();
    for (int round = 0; round < 80; ++round) follow(normals);
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
        const Vec3 normal = areaNormal(mesh_, q);
        area += 0.5 * normal.norm();
        for (const std::uint32_t p : q) sum_[p] += normal;
      }
      for (std::size_t p = 0; p < sum_.size(); ++p)
        moveWithin(p, mesh_.points[p] + missing / area * sum_[p].normalized());
    }
  }

  std::vector<Vec3> sharpenedNormals() const {
    std::vector<Vec3> normals;
    for (const Quad& q : mesh_.quads) normals.push_back(areaNormal(mesh_, q).normalized());
    const std::vector<Quad> neighbours = neighboursOf(mesh_);
    std::vector<double> weight;  // first the bending: mean square of the angles with neighbours
    for (std::size_t f = 0; f < normals.size(); ++f) {
      double bending = 0.0;
      for (const std::uint32_t g : neighbours[f])
        bending += 0.5 * (1.0 - normals[f].dot(normals[g]));
      weight.push_back(bending);
    }
    std::vector<double> sorted = weight;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    constexpr double noise = 0.07;  // 4 degrees: what is left of the steps
    const double usual = noise * noise + *middle;
    for (double& w : weight) {
      const double ratio = usual / (usual + w), square = ratio * ratio;
      w = square * square * square;
    }
    std::vector<Vec3> next(normals.size());
    for (int round = 0; round < 12; ++round) {
      for (std::size_t f = 0; f < normals.size(); ++f) {
        Vec3 sum = weight[f] * normals[f];
        for (const std::uint32_t g : neighbours[f]) {
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
  /// have.
  void follow(const std::vector<Vec3>& normals) {
    std::ranges::fill(sum_, Vec3::Zero());
    for (std::size_t f = 0; f < normals.size(); ++f) {
      const Quad& q = mesh_.quads[f];
      const Vec3& n = normals[f];
      const double plane = 0.25 * n.dot(mesh_.points[q[0]] + mesh_.points[q[1]] +
                                        mesh_.points[q[2]] + mesh_.points[q[3]]);
      for (const std::uint32_t p : q) sum_[p] += (plane - n.dot(mesh_.points[p])) * n;
    }
    for (std::size_t p = 0; p < sum_.size(); ++p)
      moveWithin(p, mesh_.points[p] + 1.6 / sides_[p] * sum_[p]);
  }

  QuadMesh& mesh_;
  const std::vector<Vec3> begin_;
  const Vec3 most_;
  const double volume_;
  std::vector<Vec3> sum_;      // of each point
  std::vector<double> sides_;  // quadrangles at each point
};

}  // namespace

std::size_t fillEdgeContacts(Block& block) {
  const auto strides = block.strides();
  std::vector<std::uint8_t>& solid = block.solid;
  const auto solidBeside = [&](std::size_t at) {
    int count = 0;
    for (const std::size_t s : strides) count += solid[at - s] + solid[at + s];
    return count;
  };
  std::size_t filled = 0;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t k = 1; k + 1 < block.size[2]; ++k)
      for (std::size_t j = 1; j + 1 < block.size[1]; ++j)
        for (std::size_t i = 1; i + 1 < block.size[0]; ++i)
          for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::size_t at = block.at(i, j, k), b = strides[other(axis, 1)],
                              c = strides[other(axis, 2)];
            for (const auto& [corner, across] :
                 {std::pair(at, at + b + c), std::pair(at + b, at + c)}) {
              const std::size_t p = corner == at ? at + b : at,
                                q = corner == at ? at + c : at + b + c;
              if (!solid[corner] || !solid[across] || solid[p] || solid[q]) continue;
              // The void voxel with more of the grain around it; never one of the outer layer.
              const auto inside = [&](std::size_t v) {
                const std::size_t x = v % block.size[0], y = v / block.size[0] % block.size[1],
                                  z = v / strides[2];
                return x > 0 && y > 0 && z > 0 && x + 1 < block.size[0] && y + 1 < block.size[1] &&
                       z + 1 < block.size[2];
              };
              const bool first = inside(p) && (!inside(q) || solidBeside(p) >= solidBeside(q));
              solid[first ? p : q] = 1;
              ++filled;
              again = true;
            }
          }
  }
  return filled;
}

QuadMesh voxelSurface(const Block& block) { return SurfaceBuilder(block).run(); }

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
    sum += areaNormal(mesh, q).dot(mesh.points[q[0]] + mesh.points[q[1]] + mesh.points[q[2]] +
                                   mesh.points[q[3]]);
  return sum / 24.0;
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
