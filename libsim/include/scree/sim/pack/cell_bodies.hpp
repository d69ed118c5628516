// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of a tessellation as rounded bodies, glued where they share faces.
#pragma once

#include "scree/base/parallel.hpp"
#include "scree/sim/measure/selection.hpp"
#include "scree/sim/pack/packing.hpp"
#include "scree/sim/pack/tessellation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scree::sim {

/// Elastic constants and strengths of the rock that bonds stand for.
struct BondStrength {
  double young = 0.0, poisson = 0.0;     ///< [F/L²], [-]
  double tensile = 0.0, cohesion = 0.0;  ///< [F/L²]
  double gc = 0.0;                       ///< [F/L] energy of a new surface; 0: by `tensile`
  double weibull = 0.0;                  ///< modulus of the scatter of strengths; 0: none

  /// Reads `young=E,poisson=NU,tensile=S,cohesion=C[,gc=G][,weibull=M]`.
  /// @throws UsageError for a value that is missing, not above 0, or a strength above E/10
  static BondStrength parse(const std::string& text);
  /// Whether a text begins with one of its words.
  static bool begins(const std::string& text);
};

/// Parameters of the bonds of a face, each bond its share of them, unless the law is BCM.
///
///     `kn = E A / d`, d the distance of centres along the normal (of cells that are not convex,
///     and whose centres lie aside, their distance);
///     `kt = kn / (2 (1 + nu))`; `fn0 = S A`, `ft0 = C A`, power 2, no moments;
///     `gc = S² d / (4 E)` unless given: the energy that `kn` holds at `S A`, over 2 A.
///
/// @param scatter  [-] factor of the strengths; its square is that of gc
BondParameters bondOf(const BondStrength& strength, double area, double distance, double scatter);

struct CellBodyOptions {
  double radius = 0.0;  ///< [L] of the rounding
  std::optional<BondStrength> bond;
  bool byEnergy = false;            ///< the law is BCM: bonds share the stiffness in a run
  std::optional<double> leastArea;  ///< [L²] of a face that is bonded; empty: 1e-3 of the mean cell
  double persistence = 0.0;         ///< share of the faces on joints that are open
  std::vector<JointSet> sets;       ///< strengths of their own
  std::optional<Selection> driven;  ///< bodies that are, and stand first; empty: none
  double density = 2700.0;          ///< [M/L³] for the masses in `driven`
  std::uint32_t group = 1;
  std::int32_t cluster = 1;
  std::uint64_t seed = 1;
  int threads = 1;
  Progress progress{};
};

struct CellBodies {
  Packing packing;             ///< with its bonds; one shape for cells that differ by a shift
  std::vector<Cell> cells;     ///< of each body
  std::size_t dropped = 0;     ///< cells of a mesh or a file that had no room, and are left out
  double droppedVolume = 0.0;  ///< [L³]
  double solidFraction = 0.0;  ///< [-] of the rounded bodies in the solid
  double faceArea = 0.0;       ///< [L²] that cells share
  double bondedArea = 0.0;     ///< [L²] of the faces that are bonded
  double meanStiffness = 0.0;  ///< [F/L] kn of a bond, on average
  /// [L] Diameters of balls as large as cells that 10, 25, 50, 75 and 90 % of the volume pass.
  std::vector<double> sizes;
  std::vector<std::string> notes;  ///< a line each
};

/// Rounded bodies that reach the sides of their cells. Planes are moved in by the radius, so faces
/// of neighbours are parallel, and their skeletons are two radii apart.
///
/// A cell of a file, or one that a mesh cut off, is left out where no ball of the radius fits. A
/// bonded face has bonds at corners of the part that the faces of both bodies have in common, three
/// or more off a line. Each acts between a vertex and a face, or two edges. O(n log n).
/// @throws UsageError where no cell has room for the radius; GeometryError where a solid has none
CellBodies bodiesOf(Tessellation tessellation, const CellBodyOptions& options);

/// A face that two cells share: the part that both have in common.
struct SharedFace {
  std::uint32_t i = 0, j = 0;  ///< cells, i < j
  std::uint32_t sideOfI = 0, sideOfJ = 0;
  double area = 0.0;          ///< [L²]
  Vec3 shift = Vec3::Zero();  ///< [L] of cell j to its image beside i
};
/// All of them, by i, j, side. @throws UsageError for cells larger than half the period
std::vector<SharedFace> sharedFaces(const std::vector<Cell>& cells, const PeriodicCell& period);

}  // namespace scree::sim
