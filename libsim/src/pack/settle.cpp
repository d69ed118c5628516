// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/settle.hpp"

#include "loads.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

Packing packingOf(const Conf& conf, std::span<const shape::Shape> shapes) {
  Packing a;
  a.shapes.assign(shapes.begin(), shapes.end());
  a.boundaries = conf.boundaries;
  a.cell = conf.cell;
  for (std::size_t k = 0; k < conf.particles.size(); ++k) {
    const ParticleRecord& p = conf.particles[k];
    PlacedBody body;
    body.shape = p.shapeName;
    body.group = p.group;
    body.cluster = p.cluster;
    body.homothety = p.homothety;
    body.pos = p.pos;
    body.q = p.q;
    body.motion = Motion(p.vel, p.vrot);
    body.driven = k < conf.nDriven;
    a.bodies.push_back(std::move(body));
  }
  return a;
}

/// The least value of a parameter among the groups that are there.
double leastOf(const std::vector<PairValue>& values) {
  double least = HUGE_VAL;
  for (const PairValue& v : values)
    if (v.value > 0.0) least = std::min(least, v.value);
  return least;
}

}  // namespace

double imbalanceOf(const Simulation& simulation, const Drives& drives) {
  double worst = 0.0;
  const std::vector<Vec3>& all = simulation.bodies().force;
  std::vector<Vec3> contacts = all, moments = simulation.bodies().moment;
  simulation.takeOffImposed(contacts, moments);
  for (const Control& c : drives.controls) {
    if (c.what != Imposed::force) continue;
    const double imposed = all[c.body][c.axis] - contacts[c.body][c.axis];
    if (imposed != 0.0) worst = std::max(worst, std::abs(all[c.body][c.axis] / imposed));
  }
  if (drives.cell && drives.cell->pressure != 0.0)
    for (int axis = 0; axis < 3; ++axis)
      if (drives.cell->byStress(axis, axis))
        worst = std::max(
            worst, std::abs(simulation.cellStress()(axis, axis) / drives.cell->pressure + 1.0));
  return worst;
}

/// The ratios as settle() judges them.
RestRatios ratiosOf(const Simulation& simulation, double leastElastic) {
  RestRatios ratios = restRatios(simulation);
  if (!(leastElastic > 0.0)) return ratios;
  const EnergyBudget e = simulation.energyBudget();
  const double kinetic = e.translation + e.rotation;
  if (kinetic > 0.0) ratios.energy = std::min(ratios.energy, kinetic / leastElastic);
  return ratios;
}

Settled settle(Simulation& simulation, const Drives& drives, const SettleOptions& options) {
  Settled result;
  const double start = simulation.time();
  const std::uint64_t first = simulation.stepIndex();
  const std::uint64_t last =
      first + stepsUntil(start, start + options.longest, simulation.timeStep());
  const RestRule rule = options.rest.value_or(RestRule());
  RestRule watched = rule;
  if (options.leastElastic > 0.0) watched.energy = HUGE_VAL;  // judged below
  RestWatch watch(watched, HUGE_VAL);
  while (simulation.stepIndex() < last && !result.stopped) {
    const std::uint64_t next =
        std::min(last, RestWatch::nextStep(simulation.stepIndex())) - simulation.stepIndex();
    for (std::uint64_t made = 0; made < next && !result.stopped;) {
      StepWatch steps;
      steps.stop = options.stop;
      made += simulation.steps(next - made, steps);
      result.stopped = options.stop && options.stop->load();
    }
    if (options.progress) options.progress((simulation.time() - start) / options.longest);
    if (!options.rest || result.stopped) continue;
    if (watch.step(simulation) && imbalanceOf(simulation, drives) < options.balance &&
        ratiosOf(simulation, options.leastElastic).energy < rule.energy) {
      result.atRest = true;
      break;
    }
  }
  simulation.requireFinite();
  result.ratios = ratiosOf(simulation, options.leastElastic);
  result.imbalance = imbalanceOf(simulation, drives);
  result.time = simulation.time() - start;
  result.steps = simulation.stepIndex() - first;
  return result;
}

Conf asBeginning(const Simulation& simulation) {
  Conf conf = simulation.conf();
  conf.t = 0.0;
  conf.runState = RunState{};
  conf.energy.reset();
  conf.bondedArea.reset();
  conf.precision = -1;
  return conf;
}

void scaleStiffness(Conf& conf, double factor) {
  const double root = std::sqrt(factor);
  for (const char* name : {"knContact", "ktContact", "krContact"})
    if (const auto found = conf.lawParameters.find(name); found != conf.lawParameters.end())
      for (PairValue& v : found->second) v.value *= factor;
  if (const auto found = conf.lawParameters.find("viscTContact"); found != conf.lawParameters.end())
    for (PairValue& v : found->second) v.value *= root;
  if (const auto found = conf.groupParameters.find("youngModulus");
      conf.forceLaw == "HertzMindlin" && found != conf.groupParameters.end())
    for (GroupValue& v : found->second) v.value *= factor;
  conf.dt = roundedDown(conf.dt / root);
}

double stiffnessFactor(const Conf& conf, double found, double overlap) {
  const double ratio = found / overlap;
  return conf.forceLaw == "HertzMindlin" ? ratio * std::sqrt(ratio) : ratio;
}

std::vector<std::string> stiffen(Conf& conf, std::span<const shape::Shape> shapes, double pressure,
                                 double overlap) {
  const Packing packing = packingOf(conf, shapes);
  const Scales scales = scalesOf(packing, conf);
  const Load load = loadOf(packing, conf, scales, {pressure, 0.0});
  std::vector<std::string> reasons;
  std::string reason;
  double factor = 0.0, now = 0.0, needed = 0.0;
  std::string keyword;
  if (conf.forceLaw == "HertzMindlin") {
    keyword = "youngModulus";
    now = HUGE_VAL;
    double poisson = 0.0;
    for (const GroupValue& v : conf.groupParameters["youngModulus"]) now = std::min(now, v.value);
    for (const GroupValue& v : conf.groupParameters["poissonRatio"])
      poisson = std::max(poisson, v.value);
    needed = chosenModulus(scales, load, overlap, poisson, reason);
  } else {
    keyword = "knContact";
    now = leastOf(conf.lawParameters["knContact"]);
    needed = chosenStiffness(scales, load, overlap, reason);
  }
  factor = needed / now;
  if (!std::isfinite(now) || !(factor > 1.0)) return reasons;
  scaleStiffness(conf, factor);
  reasons.push_back(fmt::format("{} {:.6g}, was {:.6g}: {}; the time step becomes {:.6g} s",
                                keyword, needed, now, reason, conf.dt));
  return reasons;
}

}  // namespace scree::sim
