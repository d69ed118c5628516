// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_monitor.hpp"

#include "scree/sim/simulation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace scree::sim {
namespace {

/// Checks of overlaps during the shortest contact. One of five falls within a tenth of the contact
/// time from the deepest point, where a linear spring has 95 % of its largest overlap.
constexpr double looksPerContact = 5.0;
/// [steps] Shortest period of these checks, each of which costs a fifth of a step.
constexpr std::uint64_t leastPeriod = 20;

/// [F] Sum of the magnitudes of all forces of contacts, bonds and round boundaries.
double sumOfForces(const Simulation& simulation) {
  double sum = 0.0;
  const auto add = [&](const auto& f) { sum += std::sqrt(f.fn * f.fn + f.ft.squaredNorm()); };
  const Contacts& contacts = engineOf(simulation).lists().contacts;
  for (const NeighbourPair& pair : contacts.pairs)
    contacts.forEachTouching(
        pair, [&](std::uint32_t, const Candidate&, const ContactState& s) { add(s); });
  for (const Interface& face : simulation.bonds().interfaces)
    simulation.bonds().forEachOf(face, add);
  for (const BoundaryTouch& t : simulation.boundaryTouches()) add(t);
  return sum;
}

/// A share as text with two digits, "0.012 %"; from 10 % to 1e6 % with all digits, "123 %".
std::string percent(double share) {
  const double p = 100.0 * share;
  return p >= 10.0 && p < 1e6 ? fmt::format("{:.0f} %", p) : fmt::format("{:.2g} %", p);
}

}  // namespace

RunMonitor::RunMonitor(const Simulation& simulation)
    : cores_(simulation.shapes()),
      reach_(std::min(simulation.input().DVerlet, simulation.input().dVerlet)),
      contactTime_(shortestContactTime(simulation)),
      order_(simulation.bodyOrder()),
      reorderings_(simulation.reorderings()),
      displacementAtList_(simulation.bodies().displacement) {
  if (simulation.stepIndex() == 0) {
    take(overlapsOf(simulation), simulation.time());
    lastOverlaps_ = 0;
  }
  const Bodies& b = simulation.bodies();
  double thinnest = HUGE_VAL;
  bool anySharp = false;
  for (std::size_t k = 0; k < b.size(); ++k) {
    thickness_.push_back(b.homothety[k] * simulation.shapes()[b.shape[k]].leastRadius());
    anySharp |= thickness_[k] == 0.0;
    if (thickness_[k] > 0.0) thinnest = std::min(thinnest, thickness_[k]);
  }
  // Two bodies move by more than the sum of their thicknesses only if one of them moves by more
  // than its own or, where one is sharp (thickness 0), by more than half that of the other.
  for (std::size_t k = 0; k < b.size(); ++k) {
    const double thick =
        anySharp ? 0.5 * (thickness_[k] > 0.0 ? thickness_[k] : thinnest) : thickness_[k];
    slow_.push_back(std::min(thick, largestLeap * bodySize(b, simulation.shapes(), k)));
  }
  const double perContact = contactTime_ / simulation.timeStep();
  overlapPeriod_ = static_cast<std::uint64_t>(
      std::clamp(perContact / looksPerContact, double(leastPeriod), double(period)));
  // Lists without a margin (DVerlet or dVerlet of 0) are not checked.
  if (engineOf(simulation).rules().byList && reach_ > 0.0)
    nextList_ = nextOutputStep(simulation.stepIndex(), simulation.input().interVerlet,
                               simulation.timeStep());
}

void RunMonitor::follow(const Simulation& simulation) {
  if (reorderings_ == simulation.reorderings()) return;
  reorderings_ = simulation.reorderings();
  for (auto* ofBodies : {&displacementAtList_, &thickness_, &slow_})
    *ofBodies = simulation.bodyOrder().toRun(order_.toFile(*ofBodies));
  order_ = simulation.bodyOrder();
}

void RunMonitor::goOn(const RunQuality& earlier, const RunSightings& seen,
                      const Simulation& simulation) {
  if (earlier.checks > 0) quality_ = earlier;  // includes the look at the start
  seen_ = seen;
  lastLook_ = lastOverlaps_ = simulation.stepIndex();
}

void RunMonitor::look(const Simulation& simulation) {
  if (lastLook_ == simulation.stepIndex()) return;
  lookAtBodies(simulation);
  lookAtEnergy(simulation);
}

void RunMonitor::lookAtOverlaps(const Simulation& simulation) {
  if (lastOverlaps_ == simulation.stepIndex()) return;
  lastOverlaps_ = simulation.stepIndex();
  take(overlapsOf(simulation), simulation.time());
}

void RunMonitor::take(const Overlaps& overlaps, double t) {
  ++quality_.checks;
  quality_.largestOverlap = std::max(quality_.largestOverlap, overlaps.worst);
  if (overlaps.deep > 0) seen_["deep"].add(overlaps.worst, t, overlaps.i, overlaps.j);
}

void RunMonitor::lookAtBodies(const Simulation& simulation) {
  if (lastLook_ == simulation.stepIndex()) return;
  lastLook_ = simulation.stepIndex();
  lookAtOverlaps(simulation);
  const double t = simulation.time();
  if (const auto crossings = cores_.crossings(simulation); crossings.pairs > 0)
    seen_["crossed"].add(static_cast<double>(crossings.pairs), t, crossings.i, crossings.j);
}

void RunMonitor::lookAtEnergy(const Simulation& simulation) {
  belts_ |= simulation.hasBelts();
  if (belts_) return;
  const double t = simulation.time();
  const EnergyBudget e = simulation.energyBudget();
  // Before anything has happened the residual is rounding, and its share means nothing.
  const double rounding = roundingOfEnergies(simulation);
  if (!(e.exchanged > std::max(leastExchange * std::abs(e.held()), rounding))) return;
  lookAtGain(simulation, e);
  const double share = std::abs(e.residual) / e.exchanged;
  // However little was exchanged, a residual below 1 % of the kinetic energy is no finding.
  const double least = std::max(RunQuality::mostResidual * e.translation, rounding);
  if (share > RunQuality::mostResidual && !(std::abs(e.residual) > least)) return;
  quality_.energyResidual = std::max(quality_.energyResidual.value_or(0.0), share);
  if (share > RunQuality::mostResidual) seen_["energy"].add(share, t, 0, 0);
}

double RunMonitor::roundingOfEnergies(const Simulation& simulation) const {
  const Bodies& b = simulation.bodies();
  double length = 0.0, mass = 0.0;
  for (std::size_t k = 0; k < b.size(); ++k) {
    length = std::max(length, b.pos[k].cwiseAbs().maxCoeff() + b.boundingRadius[k]);
    if (k >= b.driven) mass += b.mass[k];
  }
  const double place = std::numeric_limits<double>::epsilon() * length,
               frequency = pi / contactTime_;
  const double forces = sumOfForces(simulation) +
                        mass * (simulation.input().gravity.norm() + frequency * frequency * place);
  return static_cast<double>(simulation.stepIndex()) * place * forces;
}

void RunMonitor::lookAtGain(const Simulation& simulation, const EnergyBudget& e) {
  const EnergyLedger& ledger = engineOf(simulation).state().energy.ledger;
  // Bodies that rise again do not reduce what was supplied: the largest value so far counts.
  quality_.energySupplied =
      std::max(quality_.energySupplied, ledger.start - ledger.startPotential +
                                            std::max(0.0, ledger.startPotential - e.potential) +
                                            std::max(0.0, e.putIn()));
  const double made = std::max(0.0, -e.switching);
  double gain = 0.0;
  if (quality_.energySupplied > 0.0)
    gain = std::min(made / quality_.energySupplied, RunQuality::largestGain);
  else if (made > leastExchange * e.exchanged)
    gain = RunQuality::largestGain;  // out of nothing
  else
    return;
  quality_.energyGain = std::max(quality_.energyGain.value_or(0.0), gain);
  if (gain > RunQuality::mostEnergyGain) seen_["gain"].add(gain, simulation.time(), 0, 0);
}

void RunMonitor::lookAtFast(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  const NeighbourList& lists = engineOf(simulation).lists();
  struct Worst {
    double size = 0.0;
    BodyId i = 0, j = 0;
  } through, leaping;
  const auto take = [](Worst& worst, double size, BodyId i, BodyId j) {
    if (size > worst.size) worst = {size, i, j};
  };
  // Two bodies that went through each other in this step are nearer now than they have moved.
  const auto pair = [&](std::size_t r) {
    const auto [i, j] = std::pair(lists.contacts.pairs[r].a, lists.contacts.pairs[r].b);
    const double move = b.lastMove[i] + b.lastMove[j], thick = thickness_[i] + thickness_[j];
    if (thick > 0.0 && move > thick && lists.clearance(r, b) < move)
      take(through, move / thick, i, j);
  };
  const Contacts& contacts = lists.contacts;
  for (std::size_t k = 0; k < slow_.size(); ++k) {
    if (!(b.lastMove[k] > slow_[k])) continue;
    const auto body = static_cast<BodyId>(k);
    if (const double size = bodySize(b, simulation.shapes(), k); b.lastMove[k] > largestLeap * size)
      take(leaping, b.lastMove[k] / size, body, body);
    if (contacts.firstStart.size() <= k + 1) continue;
    for (std::uint32_t r = contacts.firstStart[k]; r < contacts.firstStart[k + 1]; ++r) pair(r);
    for (const std::uint32_t r : contacts.pairsAsSecond(body)) pair(r);
  }
  const auto tell = [&](const char* name, const Worst& worst) {
    const auto [i, j] =
        bodyPair(simulation.bodyOrder().number(worst.i), simulation.bodyOrder().number(worst.j));
    if (worst.size > 0.0) seen_[name].add(worst.size, simulation.time(), i, j);
  };
  tell("fast", through);
  tell("leap", leaping);
}

void RunMonitor::lists(const Simulation& simulation) {
  const std::vector<double>& displacement = simulation.bodies().displacement;
  bool exceeded = false;
  for (std::size_t k = 0; k < displacement.size(); ++k)
    exceeded |= displacement[k] - displacementAtList_[k] > 0.5 * reach_;
  quality_.skinViolations += exceeded;
  displacementAtList_ = displacement;
  nextList_ =
      nextOutputStep(simulation.stepIndex(), simulation.input().interVerlet, simulation.timeStep());
}

std::vector<std::string> RunMonitor::findings() const {
  std::vector<std::string> found;
  const auto tell = [&](const char* name, bool ofPair, const char* before, double scale,
                        const char* after) {
    const auto at = seen_.find(name);
    if (at == seen_.end()) return;
    const Sighting& s = at->second;
    const std::string who = !ofPair      ? ""
                            : s.i == s.j ? fmt::format("body {} ", s.i)
                                         : pairName(s.i, s.j) + " ";
    found.push_back(fmt::format("{} {:.3g} {} ({}at t = {:.6g}; checks that found it: {})", before,
                                scale * s.worst, after, who, s.time, s.looks));
  };
  tell("deep", true, "overlaps of up to", 100.0, "% of the size of a body");
  tell("crossed", true, "bodies with corners inside each other's core, in", 1.0, "pairs");
  tell("fast", true, "near bodies move by", 1.0,
       "times their rounding in a step and can pass through each other");
  tell("leap", true, "bodies move by", 1.0,
       "times their size in a step and can pass through other bodies");
  tell("energy", false, "the energy budget does not close: the residual is", 100.0,
       "% of the energy exchanged");
  tell("gain", false, "contacts have made energy:", 100.0, "% of all that was supplied");
  return found;
}

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

}  // namespace scree::sim
