// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/check/rest.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/kinds.hpp"
#include "scree/sim/simulation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace scree::sim {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double ratio(double part, double whole) {
  if (part == 0.0) return 0.0;
  return whole > 0.0 ? part / whole : infinite;
}

}  // namespace

RestRatios restRatios(const Simulation& simulation) {
  // Contacts and bonds come sorted by key, so the sum does not depend on threads.
  double sum = 0.0;
  std::size_t count = 0;
  const auto add = [&](double fn, const Vec3& ft) {
    if (fn == 0.0 && ft == Vec3::Zero()) return;
    sum += std::sqrt(fn * fn + ft.squaredNorm());
    ++count;
  };
  for (const InteractionRecord& r : simulation.interactions()) add(r.fn, r.ft);
  for (const BoundaryTouch& t : simulation.boundaryTouches()) add(t.fn, t.ft);

  const Bodies& bodies = simulation.bodies();
  double resultants = 0.0;
  for (std::size_t k = bodies.driven; k < bodies.size(); ++k)
    resultants += (bodies.force[k] + bodies.mass[k] * simulation.input().gravity).norm();
  const std::size_t free = bodies.size() - bodies.driven;

  RestRatios ratios;
  ratios.unbalanced = free == 0 ? 0.0
                                : ratio(resultants / static_cast<double>(free),
                                        count ? sum / static_cast<double>(count) : 0.0);
  const EnergyBudget e = simulation.energyBudget();
  ratios.energy =
      ratio(e.translation + e.rotation, e.normal + e.tangential + e.rolling + e.bonds + e.joints);
  return ratios;
}

std::string describe(const RestRatios& ratios) {
  return fmt::format("unbalanced force {:.2g}, kinetic over elastic energy {:.2g}",
                     ratios.unbalanced, ratios.energy);
}

RestRule restRule(const std::string& text) {
  std::vector<double> values;
  for (const std::string& part : partsOf(text, ','))
    values.push_back(parseNumber(part).value_or(std::nan("")));
  if (values.size() != 3 || !(values[0] > 0.0 && values[1] > 0.0 && values[2] >= 0.0) ||
      !std::isfinite(values[0] + values[1] + values[2]))
    throw UsageError(
        fmt::format("--rest: expected UNBALANCED,ENERGY,SECONDS (for example 1e-3,1e-3,0.1) with "
                    "two ratios above 0 and a time of 0 or more, found '{}'",
                    text.substr(0, 60)));
  return {values[0], values[1], values[2]};
}

bool RestWatch::step(const Simulation& simulation) {
  if (simulation.stepIndex() % period != 0) return false;
  ratios_ = restRatios(simulation);
  const double t = simulation.time();
  if (!(ratios_.unbalanced < rule_.unbalanced) || !(ratios_.energy < rule_.energy)) {
    calmSince_ = infinite;
    return false;
  }
  if (calmSince_ > t) calmSince_ = t;
  const double duration = rule_.duration < 0.0 ? 1000.0 * simulation.timeStep() : rule_.duration;
  return t - calmSince_ >= duration - 1e-6 * simulation.timeStep();
}

}  // namespace scree::sim
