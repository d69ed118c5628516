// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/body_plan.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/shape/obb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace scree::sim {
namespace {

/// [L] Size of a shape at homothety 1, in the measure of the grading: the sieve opening, or the
/// diameter of the ball of equal volume.
double sizeOf(const shape::Shape& shape, const PlanOptions& options) {
  return options.bySieve ? shape::sieveOpening(2.0 * shape.obb.extent)
                         : portablePow(6.0 / pi * shape.volume, 1.0 / 3.0);
}

/// Shares that sum to 1, one for each shape.
std::vector<double> sharesOf(const std::vector<shape::Shape>& shapes, const PlanOptions& options) {
  if (shapes.empty()) throw ModelError("there are no shapes to pack");
  std::vector<double> shares = options.shares;
  if (shares.empty()) shares.assign(shapes.size(), 1.0);
  double sum = 0.0;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (!(shares[k] >= 0.0) || !std::isfinite(shares[k]))
      throw ModelError(fmt::format("shape '{}': expected a share not below 0, found {:.6g}",
                                   shapes[k].name, shares[k]));
    if (shares[k] > 0.0 && !(shapes[k].volume > 0.0))
      throw ModelError(
          fmt::format("shape '{}' has no volume, so it cannot be packed", shapes[k].name));
    sum += shares[k];
  }
  if (!(sum > 0.0)) throw ModelError("the shares of the shapes sum to 0");
  for (double& share : shares) share /= sum;
  return shares;
}

/// Distributes amounts among indices, so that the sum of each is always near its share.
class Quotas {
 public:
  /// @param weights  factor on the amount that an index gets
  Quotas(std::vector<double> shares, std::vector<double> weights)
      : shares_(std::move(shares)), weights_(std::move(weights)), given_(shares_.size()) {}
  /// Gives `amount`, times its weight, to the index that is then farthest behind its share.
  /// @returns that index
  std::uint32_t next(double amount) {
    const auto behind = [&](std::size_t k) {
      return shares_[k] * (total_ + amount * weights_[k]) - given_[k];
    };
    std::size_t best = 0;
    for (std::size_t k = 1; k < shares_.size(); ++k)
      if (behind(k) > behind(best)) best = k;
    given_[best] += amount * weights_[best];
    total_ += amount * weights_[best];
    return static_cast<std::uint32_t>(best);
  }

 private:
  std::vector<double> shares_, weights_, given_;
  double total_ = 0.0;
};

/// Converts the shares of the options to shares of the number of bodies, all of homothety 1.
std::vector<double> numberShares(const std::vector<shape::Shape>& shapes,
                                 std::vector<double> shares, const PlanOptions& options) {
  if (options.shareBy == Measure::number) return shares;
  double sum = 0.0;
  for (std::size_t k = 0; k < shares.size(); ++k)
    if (shares[k] > 0.0) sum += shares[k] /= shapes[k].volume;
  for (double& share : shares) share /= sum;
  return shares;
}

[[noreturn]] void refuseNumber(double number) {
  throw ModelError(fmt::format("expected 1 to {} bodies, found {:.6g}", mostPackedBodies, number));
}

/// Plans `number` bodies or, if that is 0, as many as come nearest to the total `volume` [L³].
std::vector<PlannedBody> planned(const std::vector<shape::Shape>& shapes,
                                 const PlanOptions& options, std::size_t number, double volume) {
  const std::vector<double> shares = sharesOf(shapes, options);
  if (number > mostPackedBodies) refuseNumber(static_cast<double>(number));
  std::vector<PlannedBody> bodies;
  if (options.grading) {
    // Volumes of bodies over those of balls of their sizes, which may be sieve openings.
    const bool byNumber = options.shareBy == Measure::number;
    std::vector<double> solid(shapes.size(), 1.0);
    double ballsPerVolume = 0.0;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const double d = sizeOf(shapes[k], options);
      if (options.bySieve && shares[k] > 0.0) solid[k] = shapes[k].volume / (pi / 6.0 * d * d * d);
      ballsPerVolume += byNumber ? shares[k] * solid[k] : shares[k] / solid[k];
    }
    if (byNumber) ballsPerVolume = 1.0 / ballsPerVolume;
    Quotas quotas(shares, byNumber ? std::vector<double>(shapes.size(), 1.0) : solid);
    for (const double d :
         number > 0 ? options.grading->sizes(options.gradingBy, number)
                    : options.grading->sizesOfVolume(options.gradingBy, ballsPerVolume * volume)) {
      const std::uint32_t k = quotas.next(byNumber ? 1.0 : d * d * d);
      bodies.push_back({k, d / sizeOf(shapes[k], options)});
    }
    return bodies;
  }
  const std::vector<double> numbers = numberShares(shapes, shares, options);
  double mean = 0.0;
  for (std::size_t k = 0; k < shapes.size(); ++k) mean += numbers[k] * shapes[k].volume;
  if (!(volume / mean < static_cast<double>(mostPackedBodies))) refuseNumber(volume / mean);
  Quotas quotas(numbers, std::vector<double>(shapes.size(), 1.0));
  for (double sum = 0.0; number == 0 || bodies.size() < number;) {
    const PlannedBody body{quotas.next(1.0), 1.0};
    const double bodyVolume = shapes[body.shape].volume;
    if (number == 0 && !bodies.empty() && sum + bodyVolume - volume > volume - sum) break;
    bodies.push_back(body);
    sum += bodyVolume;
  }
  // The largest first.
  std::ranges::stable_sort(bodies, std::greater(),
                           [&](const PlannedBody& b) { return shapes[b.shape].volume; });
  return bodies;
}

}  // namespace

std::vector<PlannedBody> plannedNumber(const std::vector<shape::Shape>& shapes,
                                       const PlanOptions& options, std::size_t number) {
  if (number == 0) refuseNumber(0.0);
  return planned(shapes, options, number, 0.0);
}

std::vector<PlannedBody> plannedVolume(const std::vector<shape::Shape>& shapes,
                                       const PlanOptions& options, double volume) {
  return planned(shapes, options, 0, volume);
}

double solidVolume(const std::vector<shape::Shape>& shapes,
                   const std::vector<PlannedBody>& bodies) {
  double sum = 0.0;
  for (const PlannedBody& b : bodies)
    sum += b.homothety * b.homothety * b.homothety * shapes[b.shape].volume;
  return sum;
}

RealisedGrading realisedGrading(const std::vector<shape::Shape>& shapes, const PlanOptions& options,
                                const std::vector<PlannedBody>& bodies) {
  std::vector<std::pair<double, double>> sizes;  // with the weight of each body
  double total = 0.0, below = 0.0;
  for (const PlannedBody& b : bodies) {
    const double h = b.homothety, weight = options.gradingBy == Measure::number
                                               ? 1.0
                                               : h * h * h * shapes[b.shape].volume;
    sizes.emplace_back(h * sizeOf(shapes[b.shape], options), weight);
    total += weight;
  }
  std::ranges::sort(sizes);
  RealisedGrading made{.halfLargest = 0.5 * sizes.back().second / total};
  for (const auto& [d, weight] : sizes) {
    const double target = options.grading->cumulated(d), share = weight / total;
    made.distance =
        std::max({made.distance, std::abs(below - target), std::abs(below + share - target)});
    below += share;
  }
  return made;
}

}  // namespace scree::sim
