// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the search for a cover: symmetries of the solid, samples of it, moves of all balls.
#pragma once

#include "scree/clump/solid_distance.hpp"
#include "scree/mass/moments.hpp"
#include "scree/mass/unions.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace scree::clump {

using mass::Ball;

/// Turns and reflections about a point that carry a solid onto itself.
struct SymmetryGroup {
  Vec3 centre = Vec3::Zero();                   ///< [L] which all maps keep
  std::vector<Mat3> maps = {Mat3::Identity()};  ///< orthogonal; the first is the identity
  bool trivial() const { return maps.size() == 1; }
};

/// Symmetries of a solid among the 48 maps that exchange and reverse axes: those of the frame, or
/// the principal ones where these have more. x goes to centre + map (x - centre).
/// @param body       mass properties of the solid
/// @param tolerance  [L] by which corners and middles of faces may miss the surface
SymmetryGroup symmetryOf(const SolidDistance& solid, const mass::SolidProperties& body,
                         double tolerance);

/// A ball together with its images under a group of symmetries: the unit that a symmetric cover
/// adds and moves. Under the trivial group it is the ball alone.
struct Orbit {
  Ball ball;
  Mat3 moves = Mat3::Identity();  ///< projects a displacement onto those that keep the number
                                  ///< of images: a centre on a mirror plane stays on it
  std::vector<std::uint32_t> maps = {0};  ///< one map of the group for each image; the first is 0

  std::size_t size() const { return maps.size(); }
};

/// The balls of orbits, orbit by orbit; the ball of an orbit itself is the first of its images.
std::vector<Ball> imagesOf(const SymmetryGroup& group, std::span<const Orbit> orbits);
/// Places of the balls of the orbits themselves among these.
std::vector<std::size_t> firstBalls(std::span<const Orbit> orbits);

/// Orbits of candidates. Each place also counts moved to the nearest plane, axis and point that
/// maps keep, where its orbit has fewer balls. Repeated orbits and those without a radius are left
/// out.
/// @param tolerance  [L] points that are so near to each other are one
/// @param radiusAt   [L] of a ball at a centre; 0 where there is none
std::vector<Orbit> candidateOrbits(const SymmetryGroup& group, std::span<const Vec3> places,
                                   double tolerance,
                                   const std::function<double(const Vec3&)>& radiusAt);

namespace detail {

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
/// within the solid that touches the surface there (J. Ma, S. W. Bae & S. Choi, Vis. Comput. 28,
/// 7-19, 2012). A rounded solid also has the balls of its radius on the faces of its core. Each
/// radius is the depth of the centre, and above 0. O(samples log n).
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

struct MoveOptions {
  double size = 0.0;         ///< [L] of the solid: cube root of its volume
  double leastRadius = 0.0;  ///< [L]
  bool equal = false;        ///< all balls keep a common radius
  std::uint64_t seed = 1;
  int threads = 1;
};

/// Steps of an ascent inside a solid.
struct AscentSteps {
  double first = 0.0, least = 0.0;  ///< [L] scale of a step, at the beginning and at the end
  int most = 0;                     ///< steps
  double enough = 1e-6;             ///< gain of volume below which a step is the last, relative
};

/// Moves balls within a solid to where their union has more volume. Equal balls keep their radius,
/// others are as large as each can be.
///
/// The visible part of a ball gives the rates at which the volume changes with its centre and its
/// radius, which the faces near it limit: a small concave problem for each ball. All move at once,
/// and the step shrinks where the exact volume did not grow: sequential linear programming with a
/// proximal term (A. S. Lewis & S. J. Wright, Math. Program. 158, 2016).
/// @returns [L³] the volume of the union, exact
double fillInside(const SolidDistance& solid, const SymmetryGroup& group,
                  std::vector<Orbit>& orbits, const AscentSteps& steps, const MoveOptions& options);

/// Moves balls towards a larger ratio of the volumes of intersection and union (IoU).
///
/// The slope is an integral over the part of each sphere that no other ball covers, for an ascent
/// (Adam, D. P. Kingma & J. Ba, ICLR 2015). Each step uses other directions, so that what a finite
/// set of them misses averages out.
void improveIou(const DepthGrid& depth, const SymmetryGroup& group, std::vector<Orbit>& orbits,
                const MoveOptions& options);

/// Moves balls towards a smaller largest distance between their surface and that of the solid.
///
/// The distance is sampled: gaps at points of the surface, protrusions at visible points of the
/// balls. Descends on a high power mean of all, which the largest dominate, and keeps the best
/// set that it met. O(steps (samples n + points n)) for n balls.
void reduceDistance(const SolidDistance& solid, const DepthGrid& depth, const SymmetryGroup& group,
                    std::vector<Orbit>& orbits, const MoveOptions& options);

/// Stretches a set of balls a little, so that centre and inertia per mass of their union become
/// those of the solid: centres by the linear map of the second moments, radii by the cube root of
/// its determinant, and again until the exact moments agree.
void matchInertia(const mass::SolidProperties& body, const SymmetryGroup& group,
                  std::vector<Orbit>& orbits, const MoveOptions& options);

}  // namespace detail

}  // namespace scree::clump
