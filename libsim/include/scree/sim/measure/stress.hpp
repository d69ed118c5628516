// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/instant.hpp"

#include <span>
#include <vector>

namespace scree::sim {

/// Volume times Love-Weber stress of each body, [F L], compression positive:
///
///     V_i σ_i = -Σ f ⊗ (c - x_i)   over the links of i, f the force on i at the point c
///
/// Summed over the bodies of a set this is V σ = Σ f ⊗ b of the set: b is the branch between the
/// centres where both bodies belong to it, from point to centre where one does. Joints count with
/// the middle of their spring as the point. Independent of the origin. O(links).
/// Source: J. Weber, Bull. liaison P. et Ch. 20, 1966; J. Christoffersen, M. M. Mehrabadi,
/// S. Nemat-Nasser, J. Appl. Mech. 48, 339-344, 1981.
std::vector<Mat3> bodyVirials(const Instant& instant);

/// m w ⊗ w of each body, [F L], w its velocity less the mean of the set `chosen` (by mass), and in
/// a periodic cell against its flow. Zero for bodies outside of the set.
std::vector<Mat3> kineticVirials(const Instant& instant, std::span<const char> chosen);

/// p = tr σ/3 and q = √(3/2 s:s), s the deviator of the symmetric part.
double meanStress(const Mat3& tensor);
double deviatoricStress(const Mat3& tensor);

/// What does not depend on axes. Principal values descend; directions are the columns, of unit
/// length, the largest component positive.
struct Invariants {
  double p = 0.0;     ///< meanStress
  double q = 0.0;     ///< deviatoricStress
  double lode = 0.0;  ///< cos 3θ = 27/2 det s/q³; 1: triaxial compression; nan where q is 0
  double skew = 0.0;  ///< norm of the antisymmetric part over that of the whole
  Vec3 values = Vec3::Zero();
  Mat3 directions = Mat3::Identity();
};
Invariants invariantsOf(const Mat3& tensor);

}  // namespace scree::sim
