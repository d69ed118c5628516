// SPDX-License-Identifier: GPL-3.0-or-later
// The onset of jamming, by compression and decompression of soft bodies.
#include "growing_packing.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#ifdef PACK_DEBUG
#include <cstdio>
#include <cstdlib>
#include <ctime>
#endif

namespace scree::sim {
namespace {

/// [-] mean overlaps over the mean size.
constexpr double none = 1e-9;                               ///< less counts as no contact
constexpr double compressed = 1e-3;                         ///< well beyond jamming
constexpr double least = 3e-6, wanted = 8e-6, most = 2e-5;  ///< at its onset
/// [-] root mean square of the resultants over the mean contact force, on the way and at the end.
constexpr double roughBalance = 1e-2, balance = 1e-4;

class Jamming {
 public:
  Jamming(GrowingPacking& growth, const FillOptions& options)
      : growth_(growth), soft_(growth.soft()), options_(options), size_(growth.size()) {}

  void run() {
    double overlap = minimised(roughBalance);
    for (int k = 0; k < 100 && overlap < compressed; ++k) {
      soft_.setScale(1.005 * soft_.scale());
      overlap = minimised(roughBalance, 30);
      report(0.3 + 0.002 * k);
    }
    decompress(overlap);
  }

 private:
  double unit() const { return size_ * soft_.scale(); }
  /// Mean overlap over the mean size once forces are balanced, or 0 where no body is held.
  double minimised(double to, int steps = 2000) {
    balanced_ = soft_.minimise(to, none * unit(), steps);
    const double overlap = soft_.load().deepest > none * unit() ? soft_.load().mean / unit() : 0.0;
#ifdef PACK_DEBUG
    if (std::getenv("PACK_DEBUG"))
      std::fprintf(stderr, "%.1f s scale %.8f phi %.6f overlap %.3e bal %.2e to %.1e ok %d\n",
                   double(std::clock()) / CLOCKS_PER_SEC, soft_.scale(),
                   growth_.fractionAt(soft_.scale()), overlap,
                   soft_.load().force > 0 ? soft_.load().resultant / soft_.load().force : 0.0, to,
                   balanced_);
#endif
    return overlap;
  }
  void report(double share) const {
    if (options_.progress) options_.progress(share);
  }

  /// Back to the onset, where the overlap goes to zero in proportion to the scale.
  void decompress(double overlap) {
    double slope = 0.7;  // d(overlap) / d(ln scale), updated on the way
    SoftPacking::Snapshot jammed = soft_.snapshot();
    double jammedOverlap = 0.0, down = 0.0;  // of that snapshot, and the last step
    for (int k = 0; k < 60; ++k) {
      overlap = minimised(overlap > 1e-4 ? roughBalance : 0.1 * roughBalance);
      report(0.5 + k / 150.0);
      if (overlap >= least && overlap <= most) {
        overlap = minimised(balance);
        if (balanced_ && overlap >= least && overlap <= most) return;
      }
      if (overlap > most) {
        if (jammedOverlap > overlap && down > 0.0)
          slope = std::clamp((jammedOverlap - overlap) / down, 0.4, 5.0);
        jammed = soft_.snapshot();
        jammedOverlap = overlap;
        down = (overlap - std::max(0.1 * overlap, wanted)) / slope;
      } else {
        // Too far: from the last jammed state again, by half of the step.
        soft_.restore(jammed);
        down *= 0.5;
      }
      soft_.setScale(soft_.scale() * (1.0 - down));
    }
    throw ModelError("fill --jammed: no state at the onset of jamming was found");
  }

  GrowingPacking& growth_;
  SoftPacking& soft_;
  const FillOptions& options_;
  double size_;
  bool balanced_ = false;
};

/// Pairs in contact, each once.
std::vector<std::pair<BodyId, BodyId>> pairsOf(const std::vector<SoftContact>& contacts) {
  std::vector<std::pair<BodyId, BodyId>> pairs;
  for (const SoftContact& c : contacts)
    if (pairs.empty() || pairs.back() != std::pair(c.a, c.b)) pairs.emplace_back(c.a, c.b);
  return pairs;
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
  state.coordination =
      coordinationOf(plan.size() + soft.driven(), soft.driven(), pairsOf(soft.contacts()));
  growth.backOff();
  FillResult result = growth.result();
  result.complete = true;
  result.reached = state.solidFraction;
  result.jammed = state;
  return result;
}

}  // namespace scree::sim
