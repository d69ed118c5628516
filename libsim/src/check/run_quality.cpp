// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/check/run_quality.hpp"

#include "engine/engine.hpp"
#include "run_monitor.hpp"

#include "scree/sim/simulation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace scree::sim {
namespace {

/// "0.012 %", "100 %": two digits, and no exponent for what people read as a number.
std::string percent(double share) {
  const double p = 100.0 * share;
  return p >= 10.0 && p < 1e6 ? fmt::format("{:.0f} %", p) : fmt::format("{:.2g} %", p);
}

}  // namespace

void Sighting::add(double size, double t, std::uint32_t a, std::uint32_t b) {
  ++looks;
  if (looks > 1 && size <= worst) return;
  worst = size;
  time = t;
  i = a;
  j = b;
}

bool RunQuality::withinBounds() const {
  return !failed && energyResidual.value_or(0.0) <= mostResidual &&
         energyGain.value_or(0.0) <= mostEnergyGain && largestOverlap <= mostOverlap &&
         skinViolations == 0;
}

std::string describe(const RunQuality& quality) {
  const auto known = [](const std::optional<double>& share) {
    return share ? percent(*share) : "unknown";
  };
  return fmt::format(
      "energy residual {}, energy gain {}, largest overlap {} of a size in {} check{}, skin "
      "violations {}",
      known(quality.energyResidual), known(quality.energyGain), percent(quality.largestOverlap),
      quality.checks, quality.checks == 1 ? "" : "s", quality.skinViolations);
}

double sumOfForces(const Simulation& simulation) {
  double sum = 0.0;
  const auto add = [&](const auto& f) { sum += std::sqrt(f.fn * f.fn + f.ft.squaredNorm()); };
  const Contacts& contacts = engineOf(simulation).lists().contacts;
  for (const NeighbourPair& pair : contacts.pairs)
    contacts.forEachTouching(
        pair, [&](std::uint32_t, const Candidate&, const ContactState& s) { add(s); });
  for (const Bond& b : simulation.bonds().all()) add(b);
  for (const BoundaryTouch& t : simulation.boundaryTouches()) add(t);
  return sum;
}

}  // namespace scree::sim
