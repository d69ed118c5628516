// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/settle.hpp"

#include "loads.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/stress.hpp"
#include "scree/sim/model/images.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace scree::sim {
namespace {

constexpr int mostStiffenings = 4;  ///< each brings overlaps near to what is allowed
constexpr double balance = 0.01;    ///< [-] of drives, at rest

/// Largest deviation of force-driven bodies, or of the cell, from what their drives request. [-]
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

void scaleStiffness(Conf& conf, double factor) {
  for (const auto& [name, by] : {std::pair("knContact", factor),
                                 {"ktContact", factor},
                                 {"krContact", factor},
                                 {"viscTContact", std::sqrt(factor)}})
    if (const auto found = conf.lawParameters.find(name); found != conf.lawParameters.end())
      for (auto& [groups, v] : found->second) v *= by;
  if (const auto found = conf.groupParameters.find("youngModulus");
      found != conf.groupParameters.end())
    for (auto& [group, v] : found->second) v *= factor;
  // Steps in a contact stay as many: contacts last √(m/k), with HertzMindlin k^(-2/5).
  conf.dt = roundedDown(conf.dt / std::sqrt(factor));
}

/// Measures what the packing carries, and warns where that is off the pressure.
void measureStress(const Simulation& simulation, const PressOptions& options,
                   PressedPacking& result, Diagnostics& diagnostics) {
  constexpr double allowed = 0.01;  // as for the walls that press
  const Conf conf = simulation.conf();
  const Instant instant(conf, simulation.shapes());
  const Domain& domain = instant.domain();
  Mat3 virial = Mat3::Zero();
  double solid = 0.0, mass = 0.0;
  for (std::size_t k = conf.nDriven; k < instant.bodyCount(); ++k) {
    virial += instant.virials()[k];
    solid += instant.volumes()[k];
    mass += instant.masses()[k];
  }
  result.stress = virial.diagonal() / domain.volume;
  result.solidFraction = solid / domain.volume;
  double worst = 0.0;
  for (int axis = 0; axis < 3; ++axis)
    if ((*options.axes)[static_cast<std::size_t>(axis)])
      worst =
          std::max(worst, std::abs(result.stress[axis] - options.pressure) -
                              mass * conf.gravity.norm() / portablePow(domain.volume, 2.0 / 3.0));
  if (worst > allowed * options.pressure)
    diagnostics.warn(
        fmt::format("{}: at rest, but off the pressure {:.6g} Pa by up to {:.3g} %: stress inside "
                    "{:.4g} {:.4g} {:.4g} Pa. Friction at the walls carries load: set their "
                    "muContact to 0 in the file",
                    options.name, options.pressure, 100.0 * worst / options.pressure,
                    result.stress[0], result.stress[1], result.stress[2]));
}

}  // namespace

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
  for (int look = 0; simulation.stepIndex() < last && !result.atRest; ++look) {
    const std::uint64_t next =
        std::min(last, RestWatch::nextStep(simulation.stepIndex())) - simulation.stepIndex();
    for (std::uint64_t made = 0; made < next;) made += simulation.steps(next - made, {});
    if (options.progress) options.progress((simulation.time() - start) / options.longest);
    result.atRest = options.rest && watch.step(simulation) &&
                    imbalanceOf(simulation, drives) < balance &&
                    ratiosOf(simulation, options.leastElastic).energy < rule.energy;
    if (look % 10 != 9 && !result.atRest) continue;
    const CriticalStep critical = criticalStep(simulation);
    if (simulation.timeStep() > 0.8 * critical.dt) {
      result.tooLong = critical;
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
  conf.makeState().runState = RunState{};
  conf.makeState().energy.reset();
  conf.makeState().bondedArea.reset();
  conf.precision = -1;
  return conf;
}

std::string stiffen(Conf& conf, std::span<const shape::Shape> shapes, double pressure,
                    double overlap) {
  const Stiffness least = leastStiffness(conf, loadOf(conf, shapes, {pressure, 0.0}), overlap);
  const bool hertz = conf.forceLaw == "HertzMindlin";
  double now = HUGE_VAL;
  for (const ParticleRecord& a : conf.particles) {  // of a group with itself and the first body's
    const double value = hertz ? conf.groupParameter("youngModulus", a.group)
                               : conf.lawParameter("knContact", a.group, a.group);
    if (value > 0.0) now = std::min(now, value);
  }
  if (!(least.value > 0.0) || !(roundedUp(least.value) > now)) return {};
  scaleStiffness(conf, roundedUp(least.value) / now);
  return fmt::format("{} {:.6g}, was {:.6g}: {}; the time step becomes {:.6g} s",
                     hertz ? "youngModulus" : "knContact", roundedUp(least.value), now,
                     least.reason, conf.dt);
}

double stiffenFor(Conf& conf, double found, double overlap) {
  const double ratio = found / overlap;
  const double factor = conf.forceLaw == "HertzMindlin" ? ratio * std::sqrt(ratio) : ratio;
  scaleStiffness(conf, factor);
  return factor;
}

void requireRoomToPress(const PressOptions& options, const PeriodicCell& cell, double solid,
                        double largest) {
  if (!cell.used || !options.axes) return;
  constexpr double dense = 0.64;  // of equal balls, jammed
  Images images;
  images.set(cell.h);
  const auto count = static_cast<double>(std::ranges::count(*options.axes, true));
  const double pressed = portablePow(solid / (dense * images.volume()), 1.0 / count);
  const bool triaxial = options.drive && options.drive->kind == DrivePlan::Kind::triaxial;
  double width = HUGE_VAL;
  for (int axis = 0; axis < 3; ++axis) {
    const double shrinkage = (*options.axes)[static_cast<std::size_t>(axis)] ? pressed : 1.0;
    const double strain = triaxial && axis == 1 ? options.drive->strain : 0.0;
    width = std::min(width, images.width(axis) * std::min(shrinkage, 1.0) * (1.0 - strain));
  }
  if (2.0 * largest >= width)
    throw ModelError(
        fmt::format("{}: pressed to a solid fraction of {:g}, the periodic cell will be {:.4g} "
                    "wide, less than twice the largest body, {:.4g}",
                    options.name, dense, width, largest));
}

DriveFiles heldBy(const PressOptions& options, Conf conf, std::span<const shape::Shape> shapes) {
  changeContacts(conf, options.contacts);
  if (options.drive) return driveFiles(*options.drive, conf, shapes, options.duration.has_value());
  if (options.axes) return {pressureLines(conf, shapes, options.pressure, *options.axes), {}, {}};
  return {};
}

PressedPacking pressedPacking(RunInput input, const PressOptions& options,
                              Diagnostics& diagnostics) {
  Conf& conf = input.conf;
  if (conf.source.empty()) conf.source = options.name;
  PressedPacking result;
  SettleOptions settling{.longest = conf.tmax, .rest = options.rest, .progress = options.progress};
  double pressure = options.pressure;
  if (options.axes) {
    const Grains grains = grainsOf(conf, input.shapes);
    requireRoomToPress(options, conf.cell, grains.mass / grains.density,
                       loadOf(conf, input.shapes).largest);
    result.drive.driving = pressureLines(conf, input.shapes, options.pressure, *options.axes);
    TextReader in("--pressure", result.drive.driving);
    input.drives = readDriving(in, conf.nDriven, conf.particles.size(), diagnostics);
    // Weight would push walls out that a lower pressure holds, and bodies to one side.
    if (!options.gravity && conf.gravity != Vec3::Zero())
      options.note("gravity becomes 0 0 0; --gravity sets another");
    // The time in which a pressure compresses a loose packing and brings it to rest.
    settling.longest = std::max(10.0 * settling.longest,
                                500.0 * grains.size * std::sqrt(grains.density / options.pressure));
    // Elastic energy of contacts that overlap by `overlap` times a size, in the volume over 0.6.
    settling.leastElastic =
        1.5 * options.overlap * options.pressure * grains.mass / grains.density / 0.6;
  } else if (options.rest) {
    settling.longest *= 100.0;  // a guard: balls that roll need many times their fall
  }
  settling.longest = options.until.value_or(settling.longest);
  if (options.gravity || options.axes) conf.gravity = options.gravity.value_or(Vec3::Zero());
  if (options.drive)
    pressure = std::max(pressure, driveLoad(*options.drive, conf, input.shapes).pressure);
  const bool mayStiffen = !options.keepStiffness && (pressure > 0.0 || options.gravity);
  if (mayStiffen)
    if (const std::string reason = stiffen(conf, input.shapes, pressure, options.overlap);
        !reason.empty())
      options.note(reason);

  const double tmax = options.duration.value_or(conf.tmax);
  std::unique_ptr<Simulation> simulation;
  // Few contacts may carry all of the load, which no rule foresees.
  for (int attempt = 0;; ++attempt) {
    simulation.reset();  // never two at a time
    simulation = std::make_unique<Simulation>(conf, input.shapes, input.drives, options.threads,
                                              diagnostics);
    result.settled = settle(*simulation, input.drives, settling);
    if (const auto& critical = result.settled.tooLong; critical && attempt < mostStiffenings) {
      conf.dt = roundedDown(0.3 * critical->dt);
      options.note(fmt::format("body {} has contacts: {}; repeated with a time step of {:.6g} s",
                               critical->body.value_or(0), critical->contacts, conf.dt));
      continue;
    }
    if (options.rest && !result.settled.atRest)
      throw ModelError(
          fmt::format("{}: not at rest after {:.6g} s: {}, forces of drives off by {:.2g}; --until "
                      "sets a longer time, --rest other limits",
                      options.name, result.settled.time, describe(result.settled.ratios),
                      result.settled.imbalance));
    const Overlaps& o = result.overlaps = overlapsOf(*simulation);
    if (!mayStiffen || attempt == mostStiffenings || !(o.worst > 2.0 * options.overlap)) break;
    const double factor = stiffenFor(conf, o.worst, options.overlap);
    options.note(
        fmt::format("{} overlap by {:.2g} % of a size: repeated with contacts {:.3g} times as "
                    "stiff; the time step becomes {:.6g} s",
                    pairName(o.i, o.j), 100.0 * o.worst, factor, conf.dt));
  }
  if (const Overlaps& o = result.overlaps; o.deep > 0)
    diagnostics.warn(
        fmt::format("{}: {} overlap by {:.2g} % of a size; stiffer contacts keep it below 1 %",
                    options.name, pairName(o.i, o.j), 100.0 * o.worst));
  if (options.axes) measureStress(*simulation, options, result, diagnostics);
  result.conf = asBeginning(*simulation);
  changeContacts(result.conf, options.contacts);
  result.shapes = simulation->shapes();
  result.conf.tmax = tmax;
  if (options.duration) result.conf.interConf = std::max(tmax / 50.0, result.conf.dt);
  if (options.drive)
    result.drive =
        driveFiles(*options.drive, result.conf, result.shapes, options.duration.has_value());
  if (options.interConf) result.conf.interConf = *options.interConf;
  return result;
}

}  // namespace scree::sim
