// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/mass/moments.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::mass {

/// All points within `radius` of a skeleton of points, segments and triangles and, where `solid`,
/// of what its triangles enclose: points about which they wind at least once.
struct RoundedPart {
  std::vector<Vec3> vertices;  ///< [L]
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::array<std::uint32_t, 2>> segments;
  std::vector<std::uint32_t> points;
  double radius = 0.0;  ///< [L]
  /// The triangles close: each edge runs as often one way as the other; counter-clockwise seen from
  /// outside, around cavities from inside the cavity.
  bool solid = false;
};

/// Image of the unit ball under y -> centre + stretch y.
struct EllipsoidPart {
  Vec3 centre = Vec3::Zero();
  Mat3 stretch = Mat3::Identity();  ///< [L] regular; columns along the axes, as long as they are
};

/// A union of parts; what several of them share counts once.
struct CertifiedBody {
  std::vector<RoundedPart> parts;
  std::vector<EllipsoidPart> ellipsoids;
};

/// How far numbers may be from the truth at most.
struct MassBound {
  double volume = 0.0;   ///< relative
  double centre = 0.0;   ///< in units of the diameter of the ball of equal volume
  double inertia = 0.0;  ///< of the tensor per mass, Frobenius norms
};

struct CertifiedOptions {
  double tolerance = 1e-5;  ///< relative, of the volume
  /// Cells and parts of cells to look at before it stops with the bound it has. Not a time: the
  /// result must not depend on the machine. A million takes about a second.
  std::size_t work = 60'000'000;
  int threads = 1;
};

/// Volume, centre and inertia with proven bounds.
struct CertifiedMass {
  SolidProperties solid;  ///< in the frame of the body
  MassBound bound;
  std::size_t cells = 0;  ///< cells and parts of cells looked at
  bool limited = false;  ///< the work limit, or the resolution of double, came before the tolerance
};

/// Mass properties of a union of rounded skeletons, solids and ellipsoids.
///
/// Boxes are halved until each is wholly inside, wholly outside, or near so few pieces that it can
/// be cut along planes into parts with one ball, cylinder or ellipsoid each, which are exact. What
/// is left are thin tubes along the creases between skew cylinders; they are counted with half
/// their volume as error, and halved until their sum is within the tolerance. The bounds are
/// proven up to rounding, for which 1e-12 is added. Same bits for any number of threads.
/// Derivation and measurements: docs/mass-properties.md.
/// @throws GeometryError if the body is empty, has no volume, or numbers that are not finite
CertifiedMass certifiedMass(const CertifiedBody& body, const CertifiedOptions& options = {});

}  // namespace scree::mass
