// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/mass/moments.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::mass {

/// All points within `radius` of a skeleton of points, segments and triangles. Where `solid`, also
/// what its triangles enclose: points about which they wind at least once.
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

/// Mass properties of a union of rounded skeletons, solids and ellipsoids: boxes are halved until
/// their parts are exact or the rest is within the tolerance (docs/mass-properties.md). The bounds
/// are proven up to rounding, for which 1e-12 is added. Same bits for any number of threads.
/// @throws GeometryError if the body is empty, has no volume, or numbers that are not finite
CertifiedMass certifiedMass(const CertifiedBody& body, const CertifiedOptions& options = {});

/// Volume of what a box holds of a union, with a proven bound.
struct CertifiedVolume {
  double volume = 0.0;  ///< [L³]
  double bound = 0.0;   ///< [L³] how far it may be from the truth at most
  std::size_t cells = 0;
  bool limited = false;  ///< as in CertifiedMass
};

/// Volume of the part of a union in the box from `low` to `high`, found as certifiedMass finds it.
/// `options.tolerance` is a share of the volume of the box. Cost as n log n with n pieces of
/// bodies at most.
/// @throws GeometryError if a number is not finite, or the box has no volume
CertifiedVolume certifiedVolume(const CertifiedBody& body, const Vec3& low, const Vec3& high,
                                const CertifiedOptions& options = {});

// Methods of other programs, for comparison, without a bound.

/// Points of the three-dimensional Sobol sequence in Gray-code order, from (.5, .5, .5) on.
/// Source: P. Bratley & B. L. Fox, Algorithm 659, ACM TOMS 14, 1988; 30 bits, polynomials x + 1,
/// x² + x + 1, x³ + x + 1.
class SobolPoints {
 public:
  SobolPoints();
  Vec3 next();  ///< each coordinate in (0, 1)

 private:
  std::array<std::array<std::uint32_t, 30>, 3> direction_;
  std::array<std::uint32_t, 3> x_{};
  std::uint32_t count_ = 0;
};

/// As Rockable does it: `points` Sobol points in the body's box give volume and centre. The next
/// `points` give the inertia about that centre, over the volume of the first.
/// @throws GeometryError if no point is inside
SolidProperties sobolMass(const CertifiedBody& body, std::size_t points);

/// As Woo does it: cubes of the given size whose centre is inside count in full, with their own
/// inertia. @throws GeometryError if none is inside, or there would be more than 1e9 of them
SolidProperties gridMass(const CertifiedBody& body, double cellSize, int threads = 1);

/// [L³] The body has at least `inside` and at most `inside + undecided`.
struct OctreeBounds {
  double inside = 0.0, undecided = 0.0;
};

/// As PFC does it: boxes wholly inside any one pebble count, boxes outside all are dropped, others
/// are cut in eight. This ends when the extrapolated volume changes by less than `tolerance`, or
/// before more than `boxes` have been cut.
///
/// Volume, first and second moments are extrapolated alike, as if the error halved with each level.
/// At most, the volume is that of the boxes inside and cut together. The inside of a closed part
/// counts where its surface does not pass the box.
/// @throws GeometryError if no box is inside
SolidProperties innerOctreeMass(const CertifiedBody& body, std::size_t boxes = 1'000'000,
                                double tolerance = 1e-5, OctreeBounds* bounds = nullptr);

}  // namespace scree::mass
