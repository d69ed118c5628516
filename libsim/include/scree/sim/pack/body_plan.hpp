// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace scree::sim {

/// Measure by which a share of bodies is counted. All bodies of a packing have one density as a
/// rule, so shares of mass are shares of volume.
enum class Measure { number, mass };

/// A cumulated size distribution F(d): the share of bodies, by number or by mass, up to the size d.
/// Sizes [L] are those of PlanOptions::bySieve.
///
///     `uniform:A,B`             `F = (d - A) / (B - A)`.
///     `lognormal:MEDIAN,SIGMA`  Normal distribution of ln d about ln MEDIAN, of standard
///                               deviation SIGMA.
///     `fuller:A,B,Q`            `F = (d^Q - A^Q) / (B^Q - A^Q)`, the curve of Fuller and Thompson
///                               cut off at A (Trans. ASCE 59, 67-143, 1907). A = 0 is refused.
///     `beta:A,B,P,Q`            Cumulated beta distribution with exponents P, Q between A and B
///                               (C. Voivret et al., Phys. Rev. E 76, 021301, 2007).
///     `FILE.csv`                Columns `d` and `passing`, the sizes rising or falling, `passing`
///                               up to 1, or up to 100. Linear in between. Bodies that pass the
///                               smallest size have that size.
class SizeGrading {
 public:
  /// @throws UsageError for an unknown form or bad numbers; ParseError, IoError for a table
  static SizeGrading parse(const std::string& text);

  /// The size [L] up to which the share of bodies is `f`, 0 to 1: the inverse of F.
  double quantile(double f) const;
  double cumulated(double d) const;  ///< F(d)
  const std::string& text() const { return text_; }

  /// `number` sizes [L] that follow the grading, in descending order, without chance. Each stands
  /// for an equal part of the number of bodies: it is the median of the part if the curve counts
  /// number, the size of its mean volume if it counts mass. The realised curve meets the target
  /// where a part begins, and is off by less than the share of the largest body.
  std::vector<double> sizes(Measure measure, std::size_t number) const;
  /// The same, for the number of bodies whose total volume is nearest to `volume` [L³].
  std::vector<double> sizesOfVolume(Measure measure, double volume) const;

 private:
  std::string text_;
  /// Sizes [L], each with the share of bodies up to it; linear in between.
  std::vector<std::pair<double, double>> points_;
};

/// Largest number of bodies that a packing may have.
inline constexpr std::size_t mostPackedBodies = 100'000'000;

struct PlannedBody {
  std::uint32_t shape = 0;
  double homothety = 1.0;
};

/// Rules that determine the bodies of a packing.
struct PlanOptions {
  std::vector<double> shares;          ///< of each shape, not below 0; empty: equal shares
  Measure shareBy = Measure::number;   ///< what the shares count
  std::optional<SizeGrading> grading;  ///< empty: each shape at its own size
  Measure gradingBy = Measure::mass;
  /// Sizes are square openings that a body passes; else diameters of balls of equal volume.
  bool bySieve = false;
};

/// `number` bodies whose shapes and sizes follow the options by quotas, not by chance. The count
/// (or volume) of each shape differs from its share by one body at most. From the largest to the
/// smallest volume. @throws ModelError for shares that sum to 0, or a shape without volume
std::vector<PlannedBody> plannedNumber(const std::vector<shape::Shape>& shapes,
                                       const PlanOptions& options, std::size_t number);
/// The same, for the number of bodies whose total volume is nearest to `volume` [L³].
/// @throws ModelError also where that would be more than mostPackedBodies
std::vector<PlannedBody> plannedVolume(const std::vector<shape::Shape>& shapes,
                                       const PlanOptions& options, double volume);

/// Sum of the volumes of the bodies [L³].
double solidVolume(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& bodies);

/// How near bodies come to a grading, in the measure of the target.
struct RealisedGrading {
  double distance = 0.0;     ///< [-] largest gap between both curves, below 2 halfLargest
  double halfLargest = 0.0;  ///< [-] half the share of the largest body
};
/// @pre `options.grading`, and there are bodies
RealisedGrading realisedGrading(const std::vector<shape::Shape>& shapes, const PlanOptions& options,
                                const std::vector<PlannedBody>& bodies);

}  // namespace scree::sim
