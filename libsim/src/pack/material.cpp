// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/material.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/sim/law/law_info.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace scree::sim {
namespace {

void check(std::string_view option, double value, bool good, std::string_view range) {
  if (!std::isfinite(value) || !good)
    throw UsageError(fmt::format("{}: expected a number {}, found {:.6g}", option, range, value));
}

/// The en2 of collisions that end at the speed ratio `e`; 0, critical damping, where none do.
double nominalRestitution(double e) {
  double low = 0.0, high = 1.0;
  if (e <= springDashpotRestitution(0.0)) return 0.0;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (springDashpotRestitution(middle) < e ? low : high) = middle;
  }
  return high;
}

void check(const Material& m) {
  check("--young", m.young, m.young > 0.0, "above 0");
  check("--poisson", m.poisson, m.poisson >= 0.0 && m.poisson <= 0.5, "from 0 to 0.5");
  check("--size", m.size, m.size > 0.0, "above 0");
  check("--density", m.density, m.density > 0.0, "above 0");
  check("--restitution", m.restitution, m.restitution >= 0.0 && m.restitution <= 1.0,
        "from 0 to 1");
  check("--overlap", m.overlap, m.overlap > 0.0 && m.overlap <= 0.1, "above 0, up to 0.1");
}

}  // namespace

MaterialParameters materialParameters(const Material& m) {
  check(m);
  MaterialParameters p;
  const double contactModulus = m.young / (2.0 * (1.0 - m.poisson * m.poisson));
  const double contactRadius = 0.25 * m.size, depth = m.overlap * m.size;
  p.kn = 4.0 / 3.0 * contactModulus * std::sqrt(contactRadius * depth);
  p.force = p.kn * depth;
  const double ratio = 2.0 * (1.0 - m.poisson) / (2.0 - m.poisson);
  p.kt = ratio * p.kn;
  p.en2 = nominalRestitution(m.restitution);
  const double mass = m.density * pi / 6.0 * m.size * m.size * m.size;
  p.duration = pi * std::sqrt(0.5 * mass / p.kn);
  p.dt = p.duration / 25.0;
  p.reasons = {
      fmt::format("kn {:.6g} N/m: two balls of {:.6g} m with E* = E / (2 (1 - nu^2)) = {:.4g} Pa "
                  "and R* = {:.4g} m carry {:.4g} N at an overlap of {:.3g} % (Hertz); kn is that "
                  "force over the overlap",
                  p.kn, m.size, contactModulus, contactRadius, p.force, 100.0 * m.overlap),
      fmt::format("kt {:.6g} N/m: kn 2 (1 - nu) / (2 - nu) = {:.4g} kn (Mindlin)", p.kt, ratio),
      p.en2 > 0.0
          ? fmt::format(
                "en2 {:.6g}: with it a collision under the law Default, whose damper cannot "
                "pull, ends at {:.4g} of its speed; Avalanche takes the square, {:.4g}",
                p.en2, m.restitution, m.restitution * m.restitution)
          : fmt::format(
                "en2 0: critical damping, which leaves {:.4g} of the speed, the least under "
                "the law Default; Avalanche takes the square of the restitution, {:.4g}",
                springDashpotRestitution(0.0), m.restitution * m.restitution),
      fmt::format("dt {:.4g} s: mass {:.4g} kg, a contact lasts pi sqrt(m/kn) = {:.3g} s with half "
                  "of it, resolved in 25 steps",
                  p.dt, mass, p.duration)};
  return p;
}

}  // namespace scree::sim
