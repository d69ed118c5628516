// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clump/symmetry.hpp"
#include "inside_ascent.hpp"
#include "symmetric_covers.hpp"

#include "scree/clump/cover.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace scree::clump::detail {

/// Balls, and how good they are: volume inside, else the ratio of volumes.
struct FoundCover {
  std::vector<Ball> balls;
  double worth = -1.0;
  std::size_t searched = 0;  ///< balls of the search, with those that were dropped since
};

/// About `count` of the balls, evenly spread over their order.
std::vector<Ball> someOf(const std::vector<Ball>& balls, std::size_t count);

/// Medial balls from which the candidates of one orbit come, at most.
inline constexpr std::size_t orbitPlaces = 250;

/// Rounds of a longer search, for each orbit, of 24 at most.
inline constexpr double fitRounds = 4.0;
/// Rays across the size of a solid.
inline constexpr double raysAcross = 100.0;
/// Of the size of a solid, by which its mesh may miss a symmetry.
inline constexpr double symmetryTolerance = 1e-5;

/// What all searches for the cover of one solid share. Lends the solid and the options.
struct CoverWork {
  /// @throws GeometryError if no ball of the given least radius fits, or, in a best fit, if that
  /// radius is larger than the solid
  CoverWork(const SolidDistance& solid, const mass::SolidProperties& body,
            const CoverOptions& options);

  const SolidDistance& solid;
  const mass::SolidProperties& body;
  const CoverOptions& options;
  double size, tolerance;    ///< [L] cube root of the volume, 1e-4 of it
  double margin;             ///< [L] by which grids of a best fit reach beyond the box of the solid
  double least;              ///< [L] least radius
  SymmetryGroup symmetry;    ///< of the solid
  std::vector<Ball> medial;  ///< with the protrusion
  struct {
    double from = 0.0, share = 1.0;
  } part;  ///< of the work that the present search is

  double spacing(double cubes) const;  ///< [L] of so many cubes that fill the solid
  void report(double done) const;
  void reportPart(double done) const { report(part.from + part.share * done); }
  bool bestFit() const { return !options.inside && options.overlap; }
  double radiusAt(const Vec3& centre) const;  ///< [L] largest of a ball inside there.
  /// [L] of a candidate there. In a best fit it is not below a least radius that is given.
  double candidateRadiusAt(const Vec3& centre) const;
  Ball largestInside() const;  ///< the largest found
  /// @param radius  [L] of equal balls; 0: as large as fits
  InsideAscent ascentFor(const SymmetryGroup& group, double radius = 0.0) const;
  /// @param depth  for a best fit
  CoverSearch shared(double effort, const DepthField* depth = nullptr) const;
  /// [L³] of the union of the balls beyond the solid, at most; 0 where none may leave it.
  double outside(std::span<const Ball> balls) const;

 private:
  void raiseToLeast();
};

}  // namespace scree::clump::detail
