// SPDX-License-Identifier: GPL-3.0-or-later
#include "cover_goal.hpp"

#include <fmt/format.h>

namespace scree::clump::detail {

bool CoverGoal::reached(const std::vector<Ball>& balls) const {
  const mass::SolidProperties all = solidOf(ballUnionMoments(balls, work_.options.threads));
  if (work_.options.volumeRatio)
    return all.volume - work_.outside(balls) >= *work_.options.volumeRatio * work_.body.volume;
  if (work_.options.inertiaError)
    return inertiaErrorOf(work_.body, all) <= *work_.options.inertiaError;
  if (work_.options.hausdorff) {
    const double accuracy = 1e-3 * *work_.options.hausdorff;
    return uncoveredBy(work_.solid, balls, accuracy).atMost <= *work_.options.hausdorff &&
           protrudingFrom(work_.solid, balls, accuracy).atMost <= *work_.options.hausdorff;
  }
  if (work_.options.inside && work_.options.protrusion == 0.0)
    return all.volume >= *work_.options.iou * work_.body.volume;
  return coverQuality(work_.solid, work_.body, balls, {.threads = work_.options.threads})
             .iou.atLeast >= *work_.options.iou;
}

/// What the goal limits, as the balls have it.
double CoverGoal::valueOf(const std::vector<Ball>& balls) const {
  const mass::SolidProperties all = solidOf(ballUnionMoments(balls, work_.options.threads));
  if (work_.options.volumeRatio) return (all.volume - work_.outside(balls)) / work_.body.volume;
  if (work_.options.inertiaError) return inertiaErrorOf(work_.body, all);
  const CoverQuality q = coverQuality(work_.solid, work_.body, balls,
                                      {.tolerance = 1e-3, .threads = work_.options.threads});
  return work_.options.hausdorff ? q.hausdorff().atMost : q.iou.atLeast;
}
double CoverGoal::missingBy(const std::vector<Ball>& balls) const {
  const double value = valueOf(balls);
  if (work_.options.volumeRatio) return *work_.options.volumeRatio - value;
  if (work_.options.iou) return *work_.options.iou - value;
  return value - (work_.options.hausdorff ? *work_.options.hausdorff : *work_.options.inertiaError);
}
std::string CoverGoal::reachedBy(const std::vector<Ball>& balls) const {
  const char* name = work_.options.volumeRatio    ? "volume ratio"
                     : work_.options.inertiaError ? "inertia error"
                     : work_.options.hausdorff    ? "Hausdorff distance"
                                                  : "IoU";
  return fmt::format("{} {:.4g}", name, valueOf(balls));
}

}  // namespace scree::clump::detail
