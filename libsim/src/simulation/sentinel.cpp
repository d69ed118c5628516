// SPDX-License-Identifier: GPL-3.0-or-later
#include "sentinel.hpp"

#include "scree/sim/run.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::sim {

void Sentinel::Sighting::add(double size, double t, BodyId a, BodyId b) {
  ++looks;
  if (looks > 1 && size <= worst) return;
  worst = size;
  time = t;
  i = a;
  j = b;
}

Sentinel::Sentinel(const Simulation& simulation)
    : cores_(simulation.shapes()),
      reach_(std::min(simulation.input().DVerlet, simulation.input().dVerlet)),
      pathAtList_(simulation.bodies().path) {
  // A file that sets no distances was not written with lists in mind.
  nextList_ = reach_ > 0.0 ? nextOutputStep(simulation.stepIndex(), simulation.input().interVerlet,
                                            simulation.timeStep())
                           : UINT64_MAX;
}

void Sentinel::look(const Simulation& simulation) {
  ++looks_;
  const double t = simulation.time();
  const Overlaps overlaps = overlapsOf(simulation);
  if (overlaps.deep > 0) deep_.add(overlaps.worst, t, overlaps.i, overlaps.j);
  if (overlaps.nearlyThrough > 0)
    through_.add(static_cast<double>(overlaps.nearlyThrough), t, overlaps.i, overlaps.j);
  if (const auto crossings = cores_.crossings(simulation); crossings.pairs > 0)
    crossed_.add(static_cast<double>(crossings.pairs), t, crossings.i, crossings.j);
  // Where space is periodic the cell does work, which the budget does not count.
  if (!simulation.input().cell.used) {
    const EnergyBudget e = simulation.energyBudget();
    const double share = std::abs(e.residual) / std::max(e.exchanged, 1e-300);
    if (share > mostResidual && std::abs(e.residual) > mostResidual * e.translation)
      energy_.add(share, t, 0, 0);
  }
  const Bodies& b = simulation.bodies();
  const auto thickness = [&](BodyId k) {
    return b.homothety[k] * simulation.shapes()[b.shape[k]].radius;
  };
  for (const PairRow& row : simulation.lists().contacts.rows) {
    const double move = b.lastMove[row.a] + b.lastMove[row.b],
                 radii = thickness(row.a) + thickness(row.b);
    if (radii > 0.0 && move > radii) {
      fast_.add(move / radii, t, row.a, row.b);
      break;  // one a look
    }
  }
}

void Sentinel::lists(const Simulation& simulation) {
  const std::vector<double>& path = simulation.bodies().path;
  bool outrun = false;
  for (std::size_t k = 0; k < path.size(); ++k) outrun |= path[k] - pathAtList_[k] > 0.5 * reach_;
  outruns_ += outrun;
  pathAtList_ = path;
  nextList_ =
      nextOutputStep(simulation.stepIndex(), simulation.input().interVerlet, simulation.timeStep());
}

std::vector<std::string> Sentinel::findings() const {
  std::vector<std::string> found;
  const auto tell = [&](const Sighting& s, const std::string& what, const std::string& advice) {
    if (s.looks > 0)
      found.push_back(fmt::format("{} (bodies {} and {} at t = {:.6g}; seen in {} of {} looks): {}",
                                  what, s.i, s.j, s.time, s.looks, looks_, advice));
  };
  tell(deep_, fmt::format("overlaps of up to {:.3g} % of the size of a body", 100.0 * deep_.worst),
       "above 1 % results depend on the stiffness; raise knContact, with a smaller dt");
  tell(through_, "overlaps as deep as the rounding of both bodies",
       "their skeletons touch and contacts may turn inside out; raise knContact");
  tell(crossed_, "bodies with corners inside each other's skeleton",
       "they have passed into each other; raise knContact or lower dt");
  tell(fast_, fmt::format("near bodies move by {:.3g} times their rounding a step", fast_.worst),
       "they can pass through each other; lower dt");
  if (energy_.looks > 0)
    found.push_back(fmt::format(
        "the energy does not close: {:.3g} % of what is exchanged is missing or too much at t = "
        "{:.6g} (seen in {} of {} looks): see energy.txt; lower dt",
        100.0 * energy_.worst, energy_.time, energy_.looks, looks_));
  return found;
}

}  // namespace scree::sim
