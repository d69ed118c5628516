// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/instant.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::sim {

/// Volume times Love-Weber stress of each body, [F L], compression positive.
///
///     `V_i σ_i = -Σ f ⊗ (c - x_i)` over all forces f on i: contacts, bonds, round walls, joints.
///
/// f acts at the point c, for a joint the middle of its spring. Summed over a set of bodies this is
/// V σ = Σ f ⊗ b of the set. The branch vector b joins both centres or, if one body alone belongs
/// to the set, goes from c to its centre. Independent of the origin. O(forces).
/// Source: J. Weber, Bull. liaison P. et Ch. 20, 1966; J. Christoffersen, M. M. Mehrabadi,
/// S. Nemat-Nasser, J. Appl. Mech. 48, 339-344, 1981.
std::vector<Mat3> bodyVirials(const Instant& instant);

/// Stresses p = tr σ/3 and q = √(3/2 s:s), s the deviator of the symmetric part.
double meanStress(const Mat3& tensor);
double deviatoricStress(const Mat3& tensor);

/// Invariants and principal axes of a stress. Axes are those of the symmetric part, as columns of
/// unit length with the largest component positive.
struct Invariants {
  double p = 0.0;     ///< meanStress
  double q = 0.0;     ///< deviatoricStress
  double lode = 0.0;  ///< cos 3θ = 27/2 det s/q³; 1: triaxial compression; nan where q is 0
  double skew = 0.0;  ///< norm of the antisymmetric part over that of the whole
  Vec3 values = Vec3::Zero();          ///< principal values, descending
  Mat3 directions = Mat3::Identity();  ///< principal axes, in the same order
};
Invariants invariantsOf(const Mat3& tensor);

/// A grid of equal boxes along the axes. Fields are computed at the middles of the boxes.
struct FieldGrid {
  Vec3 low = Vec3::Zero(), spacing = Vec3::Ones();  ///< [L]
  std::array<std::int64_t, 3> count{1, 1, 1};       ///< boxes along x, y, z

  std::size_t size() const { return static_cast<std::size_t>(count[0] * count[1] * count[2]); }
  /// Middle of box k; x runs fastest.
  Vec3 place(std::size_t k) const;
};

/// Fields at the places of a grid, in the order of place().
struct CoarseFields {
  std::vector<double> density, solid;  ///< [M/L³], [-] Σ m φ and Σ V φ
  std::vector<Vec3> velocity;          ///< [L/T] of the mass there; nan where there is none
  std::vector<double> temperature;     ///< [L²/T²] tr σᵏ/(3ρ); nan where there is no mass
  std::vector<Mat3> contact, kinetic;  ///< [F/L²] stress, compression positive
};

/// Coarse-grained fields of the chosen bodies, with the kernel φ(r) = A (1 - r²/c²)³ for r < c.
/// With c = √11 width and A = 315/(64 π c³) it integrates to 1, with the s.d. `width` along axes.
///
///     `ρ = Σ m φ(x - x_i)`, `ρ v = Σ m v_i φ`, `σᵏ = Σ m (v_i - v)⊗(v_i - v) φ`.
///     `σ = -Σ f ⊗ a ∫ φ(x - x_i - s a) ds` over s from 0 to 1, for each force f at x_i + a.
///
/// The integral of σ over space is exactly Σ V_i σ_i of bodyVirials. The integral along the arm a
/// is exact, too. Bodies of a periodic cell count with all their images. Needs shapes.
/// O(forces * places within reach).
/// Source: I. Goldhirsch, Granular Matter 12, 239-252, 2010.
CoarseFields coarseFields(const Instant& instant, std::span<const char> chosen,
                          const FieldGrid& grid, double width);

}  // namespace scree::sim
