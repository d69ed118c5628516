// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/instant.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::sim {

/// A grid of equal boxes along the axes, whose middles are the places of a field.
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

/// Coarse-grained fields of the chosen bodies, with the kernel φ(r) = A (1 - r²/c²)³ for r < c,
/// c = √11 width, A = 315/(64 π c³): it integrates to 1, and `width` is its standard deviation
/// along each axis.
///
///     ρ = Σ m φ(x - x_i),  ρ v = Σ m v_i φ,  σᵏ = Σ m (v_i - v)⊗(v_i - v) φ
///     σ = -Σ f ⊗ a ∫ φ(x - x_i - s a) ds over s from 0 to 1, for each force f at x_i + a
///
/// so that the integral of σ over space is Σ V_i σ_i of bodyVirials, exactly; the integral along
/// the arm a is that of a polynomial. Bodies of a periodic cell count with all their images. Needs
/// shapes. O(forces * places within reach).
/// Source: I. Goldhirsch, Granular Matter 12, 239-252, 2010.
CoarseFields coarseFields(const Instant& instant, std::span<const char> chosen,
                          const FieldGrid& grid, double width);

}  // namespace scree::sim
