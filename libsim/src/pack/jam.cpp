// SPDX-License-Identifier: GPL-3.0-or-later
// The onset of jamming, by soft bodies under a pressure that falls.
#include "growing_packing.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace scree::sim {
namespace {

/// [-] mean overlaps over the mean size.
/// Well beyond jamming. Bodies that turn have to stay far from passing into each other.
constexpr double compressedBalls = 2e-2, compressed = 1e-3;
constexpr double wanted = 8e-6;  ///< at its onset
constexpr double most = 1e-4;    ///< more is not the onset
/// [-] root mean square of the resultants over the mean contact force: on the way, at the end, and
/// where the last digits would cost more than all before.
constexpr double roughBalance = 1e-2, balance = 1e-4, fairBalance = 1e-3;
/// [-] by which the pressure falls in one stage.
constexpr double stage = 0.4;

class Jamming {
 public:
  Jamming(GrowingPacking& growth, const FillOptions& options)
      : growth_(growth), soft_(growth.soft()), options_(options) {}

  void run() {
    // At first, contacts are as many as those of balls that are just held. Later the virial goes
    // with the overlap, whatever their number.
    const double first = soft_.turning() ? compressed : compressedBalls;
    double virial = 3.0 * static_cast<double>(growth_.number()) * first * unit() * unit();
    soft_.minimise(roughBalance, 0.0, longStage, virial);
    for (int k = 0; k < 100; ++k) {
      if (options_.progress) options_.progress(0.3 + 0.7 * k / 12.0);
      const double now = overlap();
      if (now > 0.0 && now <= 1.3 * wanted) break;
      const double share = now > 0.0 ? std::max(stage, wanted / now) : stage;
      virial = share * soft_.load().virial;
      if (!soft_.minimise(roughBalance, 0.0, longStage, virial)) break;
      keep();
    }
    if (kept_ && soft_.minimise(fairBalance, 0.0, longStage, virial)) {
      keep();
      if (soft_.minimise(balance, 0.0, shortStage, virial)) keep();
    }
    if (!kept_)
      throw ModelError(fmt::format(
          "fill --jammed: no balanced state at the onset of jamming was found near a solid "
          "fraction of {:.4f}: at a mean overlap of {:.2g} of the size, {:.2g} of the mean force "
          "is not balanced; another --seed may help",
          growth_.fractionAt(soft_.scale()), overlap(),
          soft_.load().force > 0.0 ? soft_.load().resultant / soft_.load().force : 0.0));
    soft_.restore(*kept_);
    soft_.minimise(HUGE_VAL, 0.0, 0);
  }

 private:
  static constexpr int longStage = 400, shortStage = 4;  ///< lists of contacts
  double unit() const { return growth_.size() * soft_.scale(); }
  double overlap() const { return soft_.load().mean / unit(); }
  /// The state as it stands, if it is at the onset of jamming.
  void keep() {
    if (overlap() <= most) kept_ = soft_.snapshot();
  }

  GrowingPacking& growth_;
  SoftPacking& soft_;
  const FillOptions& options_;
  std::optional<SoftPacking::Snapshot> kept_;
};

/// Who is held by whom, where forces are carried.
Coordination coordinationIn(const SoftPacking& soft, std::size_t bodies) {
  const std::size_t driven = soft.driven();
  std::vector<HeldPair> pairs;
  for (const SoftContact& c : soft.contacts()) {
    if (pairs.empty() || pairs.back().a != c.a || pairs.back().b != c.b)
      pairs.push_back({c.a, c.b, 1});
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
  const double size = growth.size();
  soft.setShell(std::max(0.0, 0.005 * size - 2.0 * soft.smallestRounding()) * soft.scale());
  Jamming(growth, options).run();
  JammedState state;
  state.solidFraction = growth.fractionAt(soft.scale());
  state.overlap = soft.load().mean / (size * soft.scale());
  state.resultant = soft.load().resultant / soft.load().force;
  state.coordination = coordinationIn(soft, plan.size());
  growth.backOff();
  FillResult result = growth.result();
  result.complete = true;
  result.reached = state.solidFraction;
  result.jammed = state;
  return result;
}

}  // namespace scree::sim
