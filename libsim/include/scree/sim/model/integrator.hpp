// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace scree::sim {

/// How a step is made; docs/decisions/0004-integrators.md has orders and reasons.
enum class Integrator : std::uint8_t { velocityVerlet, Euler, Beeman, RungeKutta4 };

struct IntegratorInfo {
  std::string_view name;  ///< the word of conf-files
  Integrator integrator;
  std::string_view help;
};

inline constexpr std::array integrators{
    IntegratorInfo{"velocityVerlet", Integrator::velocityVerlet,
                   "order 2, one evaluation of forces a step; rotation by exact splitting"},
    IntegratorInfo{"Euler", Integrator::Euler, "order 1, explicit; for comparison"},
    IntegratorInfo{"Beeman", Integrator::Beeman, "order 3, one evaluation a step"},
    IntegratorInfo{"RungeKutta4", Integrator::RungeKutta4, "order 4, four evaluations a step"}};

/// The integrator of a name that has been read and checked.
constexpr Integrator integratorNamed(std::string_view name) {
  for (const IntegratorInfo& i : integrators)
    if (i.name == name) return i.integrator;
  return Integrator::velocityVerlet;
}

}  // namespace scree::sim
