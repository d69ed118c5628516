// SPDX-License-Identifier: GPL-3.0-or-later
// The method, its proof and measurements: docs/mass-properties.md.
#include "scree/mass/certified.hpp"

#include "base/elementary.hpp"
#include "leaf.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scree::mass {
namespace {

using detail::LeafResult;
using detail::Skeleton;
using detail::Sums;

/// An element seen from a box.
struct Near {
  std::uint32_t element;
  bool crosses;     ///< it bounds a solid, and may pass through the box
  double f, reach;  ///< distance at the centre; slope · half size
  Vec3 slope;       ///< at the centre
};

Vec3 toCorner(const Vec3& halfSize, unsigned c) {
  return halfSize.cwiseProduct(Vec3(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1));
}

/// The vertex of an element that is its nearest point to all of a box, if one is. Where it is to
/// the corners it is all over the box, for such regions are convex.
const Vec3* onlyVertex(const detail::Element& e, const Vec3& centre, const Vec3& halfSize,
                       const std::array<double, 8>& f) {
  if (e.kind != detail::Element::Kind::triangle) return nullptr;
  for (const Vec3& p : e.corner) {
    bool all = true;
    for (unsigned c = 0; c < 8 && all; ++c)
      all = f[c] == (centre + toCorner(halfSize, c) - p).norm() - e.radius;
    if (all) return &p;
  }
  return nullptr;
}

/// Drops elements that are nowhere in the box nearer than some other one, but those that cross it.
/// Where the radius is many times the edges of a mesh, a few stay in place of hundreds.
///
/// As f is convex and l the tangent plane of another distance, f - l is largest at a corner. Where
/// no corner has it above 0, the first is the nearer one all over the box. The dropped one is then
/// within the first, or one that hides that, so the union is the same. Of many triangles that all
/// have the same vertex as nearest point one stays. O(n), O(n²) up to 48.
void dropHidden(const Skeleton& skeleton, const Vec3& centre, const Vec3& halfSize,
                std::vector<Near>& near) {
  constexpr std::size_t enough = 4, pairwise = 48, manyFaces = 12;
  if (near.size() <= enough) return;
  struct AtCorners {
    std::array<double, 8> f, tangent;
  };
  std::vector<AtCorners> at(near.size());
  std::array<std::size_t, 9> nearest{};  // at each corner, and at the centre
  for (std::size_t k = 0; k < near.size(); ++k) {
    const detail::Element& e = skeleton.elements[near[k].element];
    for (unsigned c = 0; c < 8; ++c) {
      const Vec3 way = toCorner(halfSize, c);
      Vec3 slope;
      at[k].f[c] = detail::distanceTo(skeleton, e, centre + way, slope);
      at[k].tangent[c] = near[k].f + near[k].slope.dot(way);
      if (at[k].f[c] < at[nearest[c]].f[c]) nearest[c] = k;
    }
    if (near[k].f < near[nearest[8]].f) nearest[8] = k;
  }
  std::vector<bool> dropped(near.size(), false);
  const auto hides = [&](std::size_t i, std::size_t j) {
    if (i == j || dropped[i]) return false;
    for (unsigned c = 0; c < 8; ++c)
      if (at[i].f[c] > at[j].tangent[c]) return false;
    return true;
  };
  std::size_t left = near.size();
  const auto drop = [&](std::size_t j) {
    dropped[j] = true;
    --left;
  };
  for (std::size_t j = 0; j < near.size(); ++j)
    if (!near[j].crosses &&
        std::ranges::any_of(nearest, [&](std::size_t i) { return hides(i, j); }))
      drop(j);
  if (left > enough && left <= pairwise)
    for (std::size_t j = 0; j < near.size(); ++j) {
      if (dropped[j] || near[j].crosses) continue;
      for (std::size_t i = 0; i < near.size() && !dropped[j]; ++i)
        if (hides(i, j)) drop(j);
    }
  if (left > manyFaces) {
    std::vector<const Vec3*> vertex(near.size(), nullptr);
    for (std::size_t j = 0; j < near.size(); ++j) {
      if (dropped[j]) continue;
      const detail::Element& e = skeleton.elements[near[j].element];
      vertex[j] = onlyVertex(e, centre, halfSize, at[j].f);
      if (!vertex[j] || near[j].crosses) continue;
      for (std::size_t i = 0; i < j && !dropped[j]; ++i)
        if (vertex[i] && !dropped[i] && *vertex[i] == *vertex[j] &&
            skeleton.elements[near[i].element].radius == e.radius)
          drop(j);
    }
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < near.size(); ++k)
    if (!dropped[k]) near[kept++] = near[k];
  near.resize(kept);
}

/// Relative error that rounding may add to the sums.
constexpr double roundingBound = 1e-12;

/// A box that is not settled yet: what may reach it, and the solids whose surface may cross it.
struct Cell {
  Vec3 centre, half;
  std::vector<std::uint32_t> elements, solids;
  int depth = 0;
};
/// A cell that was settled up to an error, and may be looked at again.
struct OpenLeaf {
  Cell cell;
  Sums body;
  double more = 0.0, less = 0.0;
};

/// Result of one cell.
struct Outcome {
  Sums settled;
  std::vector<Cell> children;  ///< none or two
  std::vector<OpenLeaf> open;  ///< none or one
  std::size_t work = 0;
};

class Certifier {
 public:
  Certifier(const Skeleton& skeleton, const CertifiedOptions& options)
      : skeleton_(skeleton), options_(options) {}

  CertifiedMass run() {
    search(rootCell(),
           [](double volume, double error) { return std::max(volume - error, 0.1 * error); });
    return report();
  }

  /// @param low, high  of the box, in the frame of the skeleton
  CertifiedVolume volumeIn(const Vec3& low, const Vec3& high) {
    Cell box = rootCell();
    box.half = 0.5 * (high - low);
    box.centre = 0.5 * (low + high);
    const double whole = 8.0 * box.half.prod();
    search(std::move(box), [whole](double, double) { return whole; });
    const double s = skeleton_.scale, unit = s * s * s;
    return {unit * total().m0, unit * (uncertainty() + roundingBound * whole), work_,
            limited_ || uncertainty() > options_.tolerance * whole};
  }

 private:
  /// Settles cells until the uncertainty is within the tolerance of the volume that
  /// `reference(volume, uncertainty)` returns.
  template <class Reference>
  void search(Cell root, Reference&& reference) {
    const double whole = 8.0 * root.half.prod();
    std::vector<Cell> cells;
    cells.push_back(std::move(root));
    double part = options_.tolerance * whole * 1e-3;
    for (int round = 0; round < 40; ++round) {
      settle(std::move(cells), part);
      cells.clear();
      const double error = uncertainty(), volume = reference(total().m0, error);
      if (error <= options_.tolerance * volume) break;
      if (limited_) break;
      const double wanted = 0.7 * options_.tolerance * volume;
      part *= std::clamp(elementary::pow(wanted / error, 1.3), 1e-4, 0.5);
      cells = reopen(part);
      if (cells.empty()) {
        if (part < 1e-26) break;  // as fine as numbers go
      }
    }
  }

  Cell rootCell() const {
    Cell root;
    // A little off, so that faces of made bodies do not lie in the faces of cells for ever.
    const Vec3 size = skeleton_.box.high - skeleton_.box.low;
    root.half = 0.5 * size * 1.01 + Vec3::Constant(1e-3 * size.maxCoeff());
    root.centre = skeleton_.box.centre() + Vec3(0.00137, -0.00091, 0.00053).cwiseProduct(size);
    root.elements.resize(skeleton_.elements.size());
    std::iota(root.elements.begin(), root.elements.end(), 0u);
    root.solids.resize(skeleton_.solids.size());
    std::iota(root.solids.begin(), root.solids.end(), 0u);
    return root;
  }

  /// Level by level in chunks of fixed length: result and work limit do not depend on threads.
  void settle(std::vector<Cell> cells, double part) {
    constexpr std::size_t chunk = 1024;
    while (!cells.empty()) {
      std::vector<Cell> next;
      for (std::size_t begin = 0; begin < cells.size(); begin += chunk) {
        const std::size_t count = std::min(chunk, cells.size() - begin);
        const bool stop = work_ >= options_.work;
        std::vector<Outcome> outcomes(count);
        parallelJobsInBlocks(count, [&](std::size_t k) {
          if (stop)
            leaveOpen(std::move(cells[begin + k]), outcomes[k]);
          else
            examine(cells[begin + k], part, outcomes[k]);
        });
        limited_ |= stop;
        for (Outcome& outcome : outcomes) {
          settled_ += outcome.settled;
          work_ += outcome.work;
          for (Cell& child : outcome.children) next.push_back(std::move(child));
          for (OpenLeaf& leaf : outcome.open) open_.push_back(std::move(leaf));
        }
      }
      cells = std::move(next);
    }
  }

  template <class F>
  void parallelJobsInBlocks(std::size_t n, F&& f) const {
    constexpr std::size_t block = 16;
    parallelJobs(options_.threads, (n + block - 1) / block, [&](std::size_t b) {
      for (std::size_t k = b * block, end = std::min(n, (b + 1) * block); k < end; ++k) f(k);
    });
  }

  static void settleWhole(const Cell& cell, Outcome& out) {
    out.settled.add(detail::boxSums(cell.half), cell.centre);
  }

  static void leaveOpen(Cell cell, Outcome& out) {
    OpenLeaf leaf;
    const double volume = 8.0 * cell.half.prod();
    leaf.body.add(detail::boxSums(cell.half), cell.centre, 0.5);
    leaf.more = leaf.less = 0.5 * volume;
    leaf.cell = std::move(cell);
    out.open.push_back(std::move(leaf));
    ++out.work;
  }

  void examine(Cell& cell, double part, Outcome& out) const {
    ++out.work;
    const double h = cell.half.norm();
    // Distances, and which solids pass through.
    std::vector<Near> near;
    near.reserve(cell.elements.size());
    std::vector<std::uint32_t> crossing;
    double lowest = 1e300;
    for (const std::uint32_t id : cell.elements) {
      const detail::Element& e = skeleton_.elements[id];
      Vec3 slope;
      const double f = detail::distanceTo(skeleton_, e, cell.centre, slope);
      lowest = std::min(lowest, f);
      const double reach = slope.cwiseAbs().dot(cell.half);
      const bool crosses = e.solid != detail::nothing && f + e.radius <= reach;
      near.push_back({id, crosses, f, reach, slope});
      if (crosses && (crossing.empty() || crossing.back() != e.solid)) crossing.push_back(e.solid);
    }
    if (lowest <= -h) return settleWhole(cell, out);
    for (const std::uint32_t s : cell.solids)
      if (!std::binary_search(crossing.begin(), crossing.end(), s) &&
          skeleton_.solids[s].contains(cell.centre))
        return settleWhole(cell, out);
    std::erase_if(near, [&](const Near& n) { return n.f > lowest + 2.0 * h || n.f > n.reach; });
    if (near.empty()) return;
    dropHidden(skeleton_, cell.centre, cell.half, near);
    std::vector<std::uint32_t> kept;
    for (const Near& n : near) kept.push_back(n.element);

    const double volume = 8.0 * cell.half.prod();
    const detail::LeafLimits limits{.part = part};
    LeafResult leaf = detail::solveLeaf(skeleton_, cell.centre, cell.half, kept, crossing, limits);
    out.work += leaf.parts;
    cell.elements = std::move(kept);
    cell.solids = std::move(crossing);
    if (leaf.complete) {
      if (leaf.more + leaf.less == 0.0) {
        out.settled += leaf.body;
      } else {
        out.open.push_back({std::move(cell), leaf.body, leaf.more, leaf.less});
      }
      return;
    }
    if (volume <= part || cell.depth > 150) return leaveOpen(std::move(cell), out);
    halve(std::move(cell), out);
  }

  static void halve(Cell cell, Outcome& out) {
    Eigen::Index axis = 0;
    cell.half.maxCoeff(&axis);
    ++cell.depth;
    cell.half[axis] *= 0.5;
    Cell other = cell;
    cell.centre[axis] -= cell.half[axis];
    other.centre[axis] += cell.half[axis];
    out.children.push_back(std::move(cell));
    out.children.push_back(std::move(other));
  }

  /// Takes out the leaves that a finer look would improve.
  std::vector<Cell> reopen(double part) {
    std::vector<Cell> again;
    std::vector<OpenLeaf> kept;
    for (OpenLeaf& leaf : open_) {
      if (leaf.more + leaf.less > part)
        again.push_back(std::move(leaf.cell));
      else
        kept.push_back(std::move(leaf));
    }
    open_ = std::move(kept);
    return again;
  }

  Sums total() const {
    Sums sum = settled_;
    for (const OpenLeaf& leaf : open_) sum += leaf.body;
    return sum;
  }
  double uncertainty() const {
    double more = 0.0, less = 0.0;
    for (const OpenLeaf& leaf : open_) {
      more += leaf.more;
      less += leaf.less;
    }
    return std::max(more, less);
  }

  CertifiedMass report() const {
    const Moments moments = total().moments();
    CertifiedMass out;
    out.cells = work_;
    out.limited = limited_;
    const SolidProperties unit = solidProperties(moments);
    // The moments of what is uncertain, seen from the centre.
    double u0 = 0.0, u1 = 0.0, u2 = 0.0;
    for (const OpenLeaf& leaf : open_) {
      const double u = std::max(leaf.more, leaf.less);
      const double far = (leaf.cell.centre - unit.centre).norm() + leaf.cell.half.norm();
      u0 += u;
      u1 += u * far;
      u2 += u * far * far;
    }
    const double v = unit.volume, left = v - u0;
    const double size = skeleton_.box.halfSize().norm();
    MassBound& bound = out.bound;
    const double infinite = std::numeric_limits<double>::infinity();
    if (left > 0.0) {
      const double spread = 0.5 * unit.inertiaPerMass.trace();  // of the covariance
      const double centre = u1 / left;
      bound.volume = uncertainty() / v + roundingBound;
      bound.centre = (centre + roundingBound * size) / elementary::cbrt(6.0 * v / pi);
      bound.inertia = (std::sqrt(2.0) * ((u2 + spread * u0) / left + centre * centre) +
                       roundingBound * size * size) /
                      unit.inertiaPerMass.norm();
    } else {
      bound.volume = bound.centre = bound.inertia = infinite;
    }
    if (bound.volume > options_.tolerance + 2.0 * roundingBound) out.limited = true;
    const double s = skeleton_.scale;
    out.solid.volume = v * s * s * s;
    out.solid.centre = skeleton_.origin + s * unit.centre;
    out.solid.inertiaPerMass = s * s * unit.inertiaPerMass;
    return out;
  }

  const Skeleton& skeleton_;
  CertifiedOptions options_;
  Sums settled_;
  std::vector<OpenLeaf> open_;
  std::size_t work_ = 0;
  bool limited_ = false;
};

}  // namespace

CertifiedMass certifiedMass(const CertifiedBody& body, const CertifiedOptions& options) {
  if (!(options.tolerance > 0.0)) throw GeometryError("a tolerance must be above 0");
  const Skeleton skeleton = detail::skeletonOf(body);
  return Certifier(skeleton, options).run();
}

CertifiedVolume certifiedVolume(const CertifiedBody& body, const Vec3& low, const Vec3& high,
                                const CertifiedOptions& options) {
  if (!(options.tolerance > 0.0)) throw GeometryError("a tolerance must be above 0");
  if (!low.allFinite() || !high.allFinite() || !(high.array() > low.array()).all())
    throw GeometryError("a box needs two corners, the second above the first along each axis");
  if (body.parts.empty() && body.ellipsoids.empty()) return {};
  const Skeleton skeleton = detail::skeletonOf(body);
  return Certifier(skeleton, options)
      .volumeIn((low - skeleton.origin) / skeleton.scale,
                (high - skeleton.origin) / skeleton.scale);
}

}  // namespace scree::mass
