// SPDX-License-Identifier: GPL-3.0-or-later
// The onset of jamming, by soft bodies that are compressed and released.
#include "growing_packing.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::sim {
namespace {

/// [-] mean overlaps over the mean size.
constexpr double none = 1e-9;        ///< less counts as no contact
constexpr double compressed = 1e-3;  ///< well beyond jamming
/// Balls cannot pass into each other.
constexpr double compressedBalls = 2e-2;
constexpr double least = 3e-6, wanted = 8e-6, most = 2e-5;  ///< At its onset.
/// [-] Root mean square of the resultants over the mean contact force: on the way, at the end, and
/// at the end for balls. For thousands of balls, ten times less would cost more than all before.
constexpr double roughBalance = 1e-2, balance = 1e-4, balanceOfBalls = 1e-3;
/// [-] to which the pressure falls in one stage.
constexpr double stage = 0.4;

/// Bodies that turn: compressed in steps, then back to the onset in proportion to the overlap.
class Decompression {
 public:
  Decompression(GrowingPacking& growth, const FillOptions& options)
      : growth_(growth), soft_(growth.soft()), options_(options), size_(growth.size()) {}

  void run() {
    double overlap = minimised(roughBalance);
    for (int k = 0; k < 100 && overlap < compressed; ++k) {
      soft_.setScale(1.005 * soft_.scale());
      overlap = minimised(roughBalance, 30);
      // Bodies that still make way are not jammed.
      if (overlap >= compressed && !balanced_) overlap = minimised(roughBalance);
      report(0.3 + 0.002 * k);
    }
    decompress(overlap);
  }

 private:
  double unit() const { return size_ * soft_.scale(); }
  /// Mean overlap over the mean size once forces are balanced, or 0 where no body is held.
  double minimised(double to, int steps = 300) {
    balanced_ = soft_.minimise(to, none * unit(), steps);
    return soft_.load().deepest > none * unit() ? soft_.load().mean / unit() : 0.0;
  }
  void report(double share) const {
    if (options_.progress) options_.progress(share);
  }

  /// Back to the onset, where the overlap goes to zero in proportion to the scale.
  void decompress(double overlap) {
    double slope = 0.7;                 // d(overlap) / d(ln scale), updated on the way
    double before = 0.0, change = 0.0;  // the overlap before the last step, and that step
    for (int k = 0; k < 200; ++k) {
      report(0.5 + k / 400.0);
      overlap = minimised(overlap > 1e-4 ? roughBalance : 0.1 * roughBalance);
      if (overlap >= least && overlap <= most) {
        overlap = minimised(balance, 600);
        if (balanced_ && overlap >= least && overlap <= most) return;
      }
      if (overlap > most) {
        if (before > overlap && change < 0.0)
          slope = std::clamp((overlap - before) / change, 0.4, 5.0);
        const double down = (overlap - std::max(0.1 * overlap, wanted)) / slope;
        // After a step up, half of it at most: both sides of the onset are known.
        change = change > 0.0 ? -std::min(down, 0.5 * change) : -down;
        before = overlap;
      } else {
        // Steps halve when they turn back, and go on as they are while no force is found.
        if (change == 0.0) change = 1e-3;
        if (change < 0.0) change *= -0.5;
        before = 0.0;
      }
      soft_.setScale(soft_.scale() * (1.0 + change));
    }
    growth_.requireRoomAt(soft_.scale());
    throw ModelError(
        fmt::format("fill --jammed: no balanced state at the onset of jamming was found near a "
                    "solid fraction of {:.4f}; another --seed may help",
                    growth_.fractionAt(soft_.scale())));
  }

  GrowingPacking& growth_;
  SoftPacking& soft_;
  const FillOptions& options_;
  double size_;
  bool balanced_ = false;
};

/// Balls: a pressure that falls in stages.
class Depressurising {
 public:
  Depressurising(GrowingPacking& growth, const FillOptions& options)
      : growth_(growth), soft_(growth.soft()), options_(options) {}

  void run() {
    // At first, contacts are as many as those of balls that are just held. Later the virial goes
    // with the overlap, whatever their number.
    double virial = 3.0 * static_cast<double>(growth_.number()) * compressedBalls * unit() * unit();
    soft_.minimise(roughBalance, 0.0, lists, virial);
    for (int k = 0; k < 100; ++k) {
      if (options_.progress) options_.progress(0.3 + 0.7 * k / 12.0);
      const double now = overlap();
      if (now <= 1.3 * wanted) break;
      virial = std::max(stage, wanted / now) * soft_.load().virial;
      if (!soft_.minimise(roughBalance, 0.0, lists, virial)) break;
    }
    if (overlap() <= 1.3 * wanted && soft_.minimise(balanceOfBalls, 0.0, lists, virial)) return;
    growth_.requireRoomAt(soft_.scale());
    throw ModelError(fmt::format(
        "fill --jammed: no balanced state at the onset of jamming was found near a solid "
        "fraction of {:.4f}: at a mean overlap of {:.2g} of the size, {:.2g} of the mean force "
        "is not balanced; another --seed may help",
        growth_.fractionAt(soft_.scale()), overlap(),
        soft_.load().force > 0.0 ? soft_.load().resultant / soft_.load().force : 0.0));
  }

 private:
  static constexpr int lists = 400;  ///< of contacts, at most in one stage
  double unit() const { return growth_.size() * soft_.scale(); }
  double overlap() const { return soft_.load().mean / unit(); }

  GrowingPacking& growth_;
  SoftPacking& soft_;
  const FillOptions& options_;
};

/// Who is held by whom, where forces are carried.
Coordination coordinationIn(const SoftPacking& soft, std::size_t bodies) {
  const std::size_t driven = soft.driven();
  std::vector<HeldPair> pairs;
  for (const auto& [a, b] : soft.loadedPoints()) {
    if (pairs.empty() || pairs.back().a != a || pairs.back().b != b)
      pairs.push_back({a, b, 1});
    else
      pairs.back().points = std::min(pairs.back().points + 1, 3U);
  }
  std::vector<std::uint32_t> needed(driven, 0);
  for (std::size_t k = 0; k < bodies; ++k) needed.push_back(soft.isBall(k) ? 4 : 7);
  return coordinationOf(bodies + driven, driven, pairs, needed);
}

}  // namespace

FillResult fillJammed(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                      const Container& container, const FillOptions& options) {
  GrowingPacking growth(shapes, plan, container, options);
  SoftPacking& soft = growth.soft();
  // Until bodies are near each other everywhere.
  growth.grow(1e9, 0.02);
  growth.requireRoomAt(soft.scale());
  const double size = growth.size();
  soft.setShell(std::max(0.0, 0.005 * size - 2.0 * soft.smallestRounding()) * soft.scale());
  if (soft.turning())
    Decompression(growth, options).run();
  else
    Depressurising(growth, options).run();
  growth.requireRoomAt(soft.scale());
  JammedState state;
  state.solidFraction = growth.fractionAt(soft.scale());
  state.overlap = soft.load().mean / (size * soft.scale());
  state.resultant = soft.load().resultant / soft.load().force;
  state.coordination = coordinationIn(soft, plan.size());
  if (!(state.coordination.constraints > 0.0))
    throw ModelError(fmt::format(
        "fill --jammed: all {} bodies are rattlers, since the {} pairs that carry load hold none "
        "at "
        "enough points; more bodies (--number, or a larger container) or another --seed may help",
        plan.size(), state.coordination.contacts));
  growth.backOff();
  FillResult result = growth.result();
  result.complete = true;
  result.reached = state.solidFraction;
  result.jammed = state;
  return result;
}

}  // namespace scree::sim
