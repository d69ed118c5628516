// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/fill.hpp"

#include "soft_packing.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/sim/pack/scatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace scree::sim {
namespace {

/// Growth begins at this solid fraction, where bodies find places at random within some attempts.
constexpr double looseFraction = 0.2;
/// [-] of the size of the smallest body: distance from which contacts act, at first and at least.
constexpr double widestShell = 0.08, narrowestShell = 1e-4;

double cubed(double x) { return x * x * x; }

class Filler {
 public:
  Filler(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
         const Container& container, const FillOptions& options)
      : container_(container), options_(options) {
    if (!container.convex()) throw ModelError("fill in a mesh is not available yet; scatter is");
    full_ = solidVolume(shapes, plan) / container.volume();
    double start = std::min(looseFraction, full_);
    ScatterOptions o;
    o.seed = options.seed;
    o.group = options.group;
    ScatterResult loose;
    for (int attempt = 0; attempt < 4; ++attempt, start *= 0.5) {
      std::vector<PlannedBody> small = plan;
      scale_ = portablePow(start / full_, 1.0 / 3.0);
      for (PlannedBody& b : small) b.homothety *= scale_;
      loose = scatter(shapes, small, container, o);
      if (loose.bodies.size() == plan.size()) break;
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

  SoftPacking& soft() { return *soft_; }
  double fractionAt(double scale) const { return full_ * cubed(scale); }
  double size() const { return 0.5 * (smallest_ + largest_); }

  /// Growth up to a scale of `target`, with contacts that act from `least` of the smallest size on.
  /// @returns whether it is reached
  bool grow(double target, double least) {
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

  /// Shrinks until no gap is below 0; places stay.
  void backOff() {
    soft_->setShell(0.0);
    soft_->clear(HUGE_VAL, 0);
    for (int k = 0; k < 60 && soft_->load().deepest > 0.0; ++k) {
      soft_->setScale(soft_->scale() * (1.0 - 1.001 * soft_->neededShrinkage() - 1e-13));
      soft_->clear(HUGE_VAL, 0);
    }
    if (soft_->load().deepest > 0.0 || soft_->crossings() > 0)
      throw ModelError(
          "fill: bodies have passed into each other; a larger --seed or rounder "
          "shapes may do");
  }

  FillResult result() const {
    FillResult r;
    r.bodies = soft_->bodies();
    r.solidFraction = r.reached = fractionAt(soft_->scale());
    for (std::size_t k = 0; k < r.bodies.size(); ++k)
      r.bodies[k].cluster = static_cast<std::int32_t>(k + 1);
    return r;
  }

  void report() const {
    if (options_.progress)
      options_.progress(
          std::clamp((soft_->scale() - scale_) / std::max(1.0 - scale_, 1e-9), 0.0, 1.0));
  }

 private:
  const Container& container_;
  const FillOptions& options_;
  std::unique_ptr<SoftPacking> soft_;
  double full_ = 0.0;                      ///< solid fraction at scale 1
  double scale_ = 1.0;                     ///< at which growth begins
  double smallest_ = 0.0, largest_ = 0.0;  ///< [L] outer diameters at scale 1
};

}  // namespace

FillResult fill(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                const Container& container, const FillOptions& options) {
  Filler filler(shapes, plan, container, options);
  const bool complete = filler.grow(1.0, narrowestShell);
  filler.backOff();
  FillResult result = filler.result();
  result.complete = complete;
  return result;
}

FillResult fillJammed(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                      const Container& container, const FillOptions& options) {
  Filler filler(shapes, plan, container, options);
  SoftPacking& soft = filler.soft();
  // Until bodies are near each other everywhere.
  filler.grow(1e9, 0.02);
  const double size = filler.size();
  soft.setShell(std::max(0.0, 0.005 * size - 2.0 * soft.smallestRounding()) * soft.scale());
  // [-] of the size: mean overlaps that count as none, as well beyond jamming, and as its onset.
  constexpr double none = 1e-9, compressed = 3e-3, least = 3e-6, wanted = 8e-6, most = 2e-5;
  bool balanced = false;
  const auto minimised = [&](double balance, int moves) {
    const double unit = size * soft.scale();
    balanced = soft.minimise(balance, none * unit, moves);
    return soft.load().deepest > none * unit ? soft.load().mean / unit : 0.0;
  };
  double overlap = minimised(1e-2, 1000);
  for (int k = 0; k < 100 && overlap < compressed; ++k) {
    soft.setScale(1.005 * soft.scale());
    overlap = minimised(1e-2, 1000);
    if (options.progress) options.progress(0.3 + 0.002 * k);
  }
  // Back to the onset, where the overlap goes to zero in proportion to the scale.
  double slope = 0.7;  // d(overlap) / d(ln scale), updated on the way
  SoftPacking::Snapshot jammed = soft.snapshot();
  double jammedOverlap = 0.0;  // of that snapshot, the least found
  double up = 0.0;             // last step down
  for (int k = 0; k < 60; ++k) {
    overlap = minimised(overlap > 1e-4 ? 1e-3 : 1e-4, 4000);
    if (options.progress) options.progress(0.5 + k / 150.0);
    if (overlap >= least && overlap <= most) {
      overlap = minimised(1e-5, 20'000);
      if (balanced && overlap >= least && overlap <= most) break;
    }
    if (overlap > most) {
      if (jammedOverlap > overlap && up > 0.0)
        slope = std::clamp((jammedOverlap - overlap) / up, 0.4, 5.0);
      jammed = soft.snapshot();
      jammedOverlap = overlap;
      up = (overlap - std::max(0.25 * overlap, wanted)) / slope;
    } else {
      // Too far: from the last jammed state again, by half of the step.
      soft.restore(jammed);
      up *= 0.5;
    }
    soft.setScale(soft.scale() * (1.0 - up));
  }
  if (!(overlap >= least && overlap <= most))
    throw ModelError("fill --jammed: no state at the onset of jamming was found");
  JammedState state;
  state.solidFraction = filler.fractionAt(soft.scale());
  state.overlap = soft.load().mean / (size * soft.scale());
  state.coordination = coordinationOf(plan.size(), 0, soft.contactPairs());
  filler.backOff();
  FillResult result = filler.result();
  result.complete = true;
  result.reached = state.solidFraction;
  result.jammed = state;
  return result;
}

}  // namespace scree::sim
