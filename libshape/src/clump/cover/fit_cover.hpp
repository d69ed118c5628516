// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "depth_field.hpp"
#include "medial_balls.hpp"
#include "occupancy.hpp"

#include "scree/base/rng.hpp"

#include <cstdint>
#include <vector>

namespace scree::clump::detail {

/// A set of balls whose union is as close to a solid as it can be, by the ratio of the volumes of
/// intersection and union (IoU). Balls may leave the solid.
///
/// The ratio grows where a ball grows over the solid and falls where it grows beyond it, by one
/// over the ratio more. Its change with a centre or a radius is an integral over the part of the
/// sphere that no other ball covers: that gives the slope for a descent (Adam, D. P. Kingma &
/// J. Ba, ICLR 2015). Between descents the ball that matters least is placed where most is missing.
class FitCover {
 public:
  /// @param grid  without balls; it is used as long as this lives
  FitCover(const DepthField& depth, const std::vector<Ball>& candidates, Occupancy& grid,
           double leastRadius, double size);

  const std::vector<Ball>& balls() const { return balls_; }
  double iou() const { return grid_.iou(); }

  /// Adds the candidate, as large as inside or a little larger, that gains most; of candidates,
  /// only every `stride`-th counts. @returns false where none gains
  bool addBest(std::size_t stride = 1);
  /// Moves all balls together to a better place.
  void descend(int steps, double firstStep);
  /// Takes one to three neighbours away, places them again and descends, `rounds` times. Early
  /// rounds may keep what is a little worse; the best set found is what remains.
  void exchange(int rounds, Rng& random);
  /// Goes back to the best balls found so far.
  void settle();

 private:
  struct Slope {
    Vec3 centre = Vec3::Zero();
    double radius = 0.0;
  };
  void slopes(double blur, std::vector<Slope>& out) const;
  double value(const Occupancy::Count& count) const;
  void replaceAll(std::vector<Ball> balls);
  void remember();

  const DepthField& depth_;
  const std::vector<Ball>& candidates_;
  Occupancy& grid_;
  double leastRadius_, size_;
  std::vector<Vec3> directions_;
  std::vector<Ball> balls_, best_;
  double bestIou_ = 0.0;
};

}  // namespace scree::clump::detail
