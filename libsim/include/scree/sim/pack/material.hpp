// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace scree::sim {

struct Material {
  double young = 0.0;        ///< [F/L²] Young's modulus
  double poisson = 0.0;      ///< [-] Poisson's ratio, from 0 to 0.5
  double size = 0.0;         ///< [L] diameter of a grain
  double density = 2700.0;   ///< [M/L³]
  double restitution = 0.3;  ///< [-] of speeds, from 0 to 1
  double overlap = 0.005;  ///< [-] over the size, at which the linear spring carries the true force
};

/// Parameters of the law Default, and how they came about.
struct MaterialParameters {
  double kn = 0.0;        ///< [F/L]
  double kt = 0.0;        ///< [F/L]
  double en2 = 0.0;       ///< [-]
  double dt = 0.0;        ///< [T]
  double force = 0.0;     ///< [F] of the contact at the overlap given
  double duration = 0.0;  ///< [T] of an undamped contact
  std::vector<std::string> reasons;
};

/// Linear contact parameters of two equal balls of a material.
///
///     `kn`   Secant of Hertz's law at the overlap δ = overlap · size: `4/3 E* √(R* δ)`, with
///            `E* = E / (2 (1 - ν²))` and `R* = size / 4`.
///     `kt`   `kn 2 (1 - ν) / (2 - ν)`, from the ratio of Mindlin's tangential to Hertz's normal
///            stiffness.
///     `en2`  Gives a collision the requested restitution, see springDashpotRestitution().
///     `dt`   `π √(m/kn) / 25`, m half the mass of a ball.
/// Sources: H. Hertz, J. reine angew. Math. 92, 156-171, 1881; R. D. Mindlin, J. Appl. Mech. 16,
/// 259-268, 1949.
/// @throws UsageError for a value out of range
MaterialParameters materialParameters(const Material& material);

}  // namespace scree::sim
