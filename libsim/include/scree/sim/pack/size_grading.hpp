// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace scree::sim {

/// What a share of bodies is counted by. All bodies of a packing have one density as a rule, so
/// shares of mass are shares of volume.
enum class Measure { number, mass };

/// A cumulated size distribution F(d): the share of bodies, by number or by mass, up to the size d.
/// Sizes [L] are the diameters of balls of the same volume.
///
///     uniform:A,B             F = (d - A) / (B - A)
///     lognormal:MEDIAN,SIGMA  ln d is normal about ln MEDIAN with the standard deviation SIGMA
///     fuller:A,B,Q            F = (d^Q - A^Q) / (B^Q - A^Q), the curve of Fuller and Thompson cut
///                             off at A (Trans. ASCE 59, 67-143, 1907); A = 0 is refused
///     beta:A,B,P,Q            cumulated beta distribution with exponents P, Q between A and B
///                             (C. Voivret et al., Phys. Rev. E 76, 021301, 2007)
///     FILE.csv                columns `d` and `passing`, both ascending, `passing` from 0 to 1, or
///                             from 0 to 100; linear in between
class SizeGrading {
 public:
  /// @throws UsageError for an unknown form or numbers out of range; ParseError, IoError for a
  /// table
  static SizeGrading parse(const std::string& text);

  /// Size [L] up to which the share `f` of [0, 1] goes: the inverse of F.
  double quantile(double f) const;
  double cumulated(double d) const;  ///< F(d)
  const std::string& text() const { return text_; }

 private:
  enum class Kind { uniform, lognormal, fuller, table };
  Kind kind_ = Kind::uniform;
  std::string text_;
  double a_ = 0.0, b_ = 0.0, q_ = 1.0;
  double lowPower_ = 0.0, powerRange_ = 0.0;       ///< fuller: A^Q, B^Q - A^Q
  std::vector<std::pair<double, double>> points_;  ///< table and beta: size, share
};

/// `number` sizes [L] that follow a grading, from the largest to the smallest, without chance: each
/// stands in the middle of its own share of the curve. Where the curve counts mass, the share of a
/// body is its volume over that of all.
///
/// The realised curve differs from the target by half the share of the largest body at most.
/// O(number log(1/precision)).
std::vector<double> sizesOf(const SizeGrading& grading, Measure measure, std::size_t number);
/// As many sizes as have the total volume [L³] that is nearest to `volume`.
std::vector<double> sizesOfVolume(const SizeGrading& grading, Measure measure, double volume);

/// Largest distance between the target and the curve of `sizes`, in the measure of the target.
double distance(const SizeGrading& grading, Measure measure, const std::vector<double>& sizes);

/// Largest number of bodies that a packing may have.
inline constexpr std::size_t mostPackedBodies = 100'000'000;

}  // namespace scree::sim
