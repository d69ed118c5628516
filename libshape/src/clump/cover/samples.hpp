// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "symmetry.hpp"

#include "scree/clump/solid_distance.hpp"
#include "scree/mass/unions.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::clump::detail {

/// [L] About `count` points of the surface of a solid, rounded where it is, each of the same share
/// of its area.
///
/// They stand at equal steps of the area summed over the triangles of the surface, each placed
/// within its triangle by a sequence of low discrepancy (M. Roberts' R2), so that no chance is
/// involved. A point that a rounded solid hides is left out.
std::vector<Vec3> surfacePoints(const SolidDistance& solid, std::size_t count);

/// Balls inside a solid that touch its surface at two points or more: candidates for a cover.
///
/// One ball for each of about `samples` points spread over the core by area: the largest ball
/// within the solid that touches the surface there. It is found by shrinking a ball through the
/// point, centred on the inner normal. Each step takes the ball through the surface point nearest
/// to the centre, until none is nearer. The method is that of J. Ma, S. W. Bae & S. Choi, Vis.
/// Comput. 28, 7-19, 2012. Each radius is the depth of the centre, so that no ball leaves the
/// solid. A rounded solid also has the balls of its radius on the faces of its core. Each radius is
/// above 0. O(samples log n).
std::vector<Ball> medialBalls(const SolidDistance& solid, std::size_t samples, int threads);

/// Depth below the surface of a solid, tabulated on a grid and interpolated linearly between its
/// points. For searches, where a hundred times the speed matters more than the last digits.
class DepthGrid {
 public:
  /// @param spacing  [L] of the grid. @param margin  [L] how far it reaches beyond the box
  DepthGrid(const SolidDistance& solid, double spacing, double margin, int threads);
  /// [L] positive inside; beyond the grid, the depth at its border less the distance to it.
  double operator()(const Vec3& p) const;
  /// Ratio of the volumes of intersection and union of the solid and balls, by the grid points in
  /// each.
  double iou(std::span<const Ball> balls) const;
  /// [L] Grid points in the solid, the lowest first.
  std::vector<Vec3> pointsInside() const;

 private:
  Vec3 place(std::size_t x, std::size_t y, std::size_t z) const {
    return origin_ +
           spacing_ * Vec3(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
  }

  Vec3 origin_, upper_;
  double spacing_;
  std::array<std::size_t, 3> size_{};
  std::vector<float> depth_;
  std::size_t inside_ = 0;  ///< points in the solid
};

/// Candidates for a cover. Volumes are numbers of points in the solid; a candidate holds its points
/// as bits.
class CandidatePool {
 public:
  /// @param points  in the solid, the lowest first; must outlive the pool
  CandidatePool(const std::vector<Vec3>& points, const SymmetryGroup& group,
                std::vector<Orbit> candidates, int threads);

  const std::vector<Orbit>& candidates() const { return candidates_; }

  /// Makes these the balls that cover.
  void cover(std::span<const Ball> balls);
  /// Takes the candidate of at most `room` balls that gains most for each of its balls to those
  /// that cover; none where none gains. @param size  only orbits of so many balls; 0: any
  const Orbit* takeBest(std::size_t room, std::size_t size = 0);

 private:
  using Bits = std::vector<std::uint64_t>;
  Bits bitsOf(std::span<const Ball> balls) const;

  const std::vector<Vec3>& points_;
  std::vector<Orbit> candidates_;
  std::vector<Bits> held_;  ///< points of each candidate
  Bits free_;               ///< points that no ball covers
};

}  // namespace scree::clump::detail
