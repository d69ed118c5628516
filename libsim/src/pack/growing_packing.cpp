// SPDX-License-Identifier: GPL-3.0-or-later
#include "growing_packing.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/sim/pack/fill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

/// GrowingPacking begins at this solid fraction, where bodies find places at random within some
/// attempts.
constexpr double looseFraction = 0.2;
/// [-] of the size of the smallest body: distance from which contacts act at first.
constexpr double widestShell = 0.08;

}  // namespace

GrowingPacking::GrowingPacking(const std::vector<shape::Shape>& shapes,
                               const std::vector<PlannedBody>& plan, const Container& container,
                               const FillOptions& options)
    : container_(container), options_(options), number_(plan.size()) {
  full_ = solidVolume(shapes, plan) / container.volume();
  double start = std::min(looseFraction, full_);
  ScatterOptions o;
  o.seed = options.seed;
  o.group = options.group;
  o.thorough = false;
  ScatterResult loose;
  for (int attempt = 0; attempt < 4; ++attempt) {
    std::vector<PlannedBody> small = plan;
    scale_ = portablePow(start / full_, 1.0 / 3.0);
    for (PlannedBody& b : small) b.homothety *= scale_;
    loose = scatter(shapes, small, container, o);
    if (loose.bodies.size() == plan.size()) break;
    start *= 0.5;
  }
  if (loose.bodies.size() < plan.size())
    throw ModelError(
        fmt::format("--container {}: the bodies have no room to begin with, even at a solid "
                    "fraction of {:.3g}",
                    container.text(), 2.0 * start));
  for (std::size_t k = 0; k < plan.size(); ++k) loose.bodies[k].homothety = plan[k].homothety;
  soft_ =
      std::make_unique<SoftPacking>(shapes, std::move(loose.bodies), container, options.threads);
  soft_->setScale(scale_);
  smallest_ = 2.0 * soft_->smallestRadius();
  largest_ = 2.0 * soft_->largestRadius();
  soft_->setShell(widestShell * smallest_ * scale_);
}

void GrowingPacking::requireRoomAt(double scale) const {
  if (!container_.periodic()) return;
  // The rule of runs in a periodic cell.
  const double across = 2.0 * scale * soft_->largestRadius();
  if (2.0 * across < container_.box().high.minCoeff()) return;
  throw ModelError(fmt::format(
      "--container {}: the largest body is {:.6g} across at a solid fraction of {:.4f}, more than "
      "half of the cell, so it would meet its own image; use more bodies or a larger cell",
      container_.text(), across, fractionAt(scale)));
}

bool GrowingPacking::grow(double target, double least) {
  soft_->clear(0.5 * soft_->shell(), 400);
  SoftPacking::Snapshot good = soft_->snapshot();
  double gap = soft_->leastGap();  // of `good`, above 0
  while (soft_->scale() < target) {
    const double shell = soft_->shell(), scale = soft_->scale();
    // The two largest come nearer by a part of the shell, and of the least gap.
    const double closer = std::min(0.3 * shell, 0.6 * gap);
    soft_->setScale(std::min(target, scale * (1.0 + closer / (scale * largest_))));
    const bool clear = soft_->clear(0.5 * shell, 300);
    if (soft_->leastGap() > 0.15 * shell) {
      good = soft_->snapshot();
      gap = soft_->leastGap();
      report();
      if (clear) continue;
    } else {
      soft_->restore(good);
    }
    if (0.5 * shell < least * smallest_) return false;
    // So that the least gap is half of it at most.
    soft_->setShell(std::min(0.5 * shell, 2.0 * gap));
    soft_->clear(0.5 * soft_->shell(), 300);
    if (soft_->leastGap() >= gap) {
      good = soft_->snapshot();
      gap = soft_->leastGap();
    } else {
      soft_->restore(good);
    }
  }
  return true;
}

void GrowingPacking::backOff() {
  soft_->setShell(0.0);
  soft_->clear(HUGE_VAL, 0);
  for (int k = 0; k < 60 && soft_->load().deepest > 0.0; ++k) {
    soft_->setScale(soft_->scale() * (1.0 - 1.001 * soft_->load().shrinkage - 1e-13));
    soft_->clear(HUGE_VAL, 0);
  }
  if (soft_->load().deepest > 0.0 || soft_->crossings() > 0)
    throw ModelError(
        "fill: bodies have passed into each other; another --seed or rounder shapes "
        "may help");
}

FillResult GrowingPacking::result() const {
  FillResult r;
  r.bodies = soft_->bodies();
  r.solidFraction = r.reached = fractionAt(soft_->scale());
  for (std::size_t k = 0; k < r.bodies.size(); ++k)
    r.bodies[k].cluster = static_cast<std::int32_t>(k + 1);
  return r;
}

void GrowingPacking::report() const {
  if (options_.progress)
    options_.progress(
        std::clamp((soft_->scale() - scale_) / std::max(1.0 - scale_, 1e-9), 0.0, 1.0));
}

}  // namespace scree::sim
