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
  while (simulation.stepIndex() < last) {
    const std::uint64_t next =
        std::min(last, RestWatch::nextStep(simulation.stepIndex())) - simulation.stepIndex();
    for (std::uint64_t made = 0; made < next;) made += simulation.steps(next - made, {});
    if (options.progress) options.progress((simulation.time() - start) / options.longest);
    if (options.rest && watch.step(simulation) &&
        imbalanceOf(simulation, drives) < options.balance &&
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
  conf.makeState().runState = RunState{};
  conf.makeState().energy.reset();
  conf.makeState().bondedArea.reset();
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
  const Scales scales = scalesOf(conf, shapes);
  const Load load = loadOf(conf, shapes, scales, {pressure, 0.0});
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
    needed = leastModulus(scales, load, overlap, poisson, reason);
  } else {
    keyword = "knContact";
    now = leastOf(conf.lawParameters["knContact"]);
    needed = leastStiffness(scales, load, overlap, reason);
  }
  if (needed > 0.0) needed = roundedUp(needed);
  factor = needed / now;
  if (!std::isfinite(now) || !(factor > 1.0)) return reasons;
  scaleStiffness(conf, factor);
  reasons.push_back(fmt::format("{} {:.6g}, was {:.6g}: {}; the time step becomes {:.6g} s",
                                keyword, needed, now, reason, conf.dt));
  return reasons;
}

CarriedLoad carriedLoad(const Simulation& simulation) {
  const Conf conf = simulation.conf();
  const Instant instant(conf, simulation.shapes());
  const Domain& domain = instant.domain();
  CarriedLoad carried;
  Mat3 virial = Mat3::Zero();
  double solid = 0.0, mass = 0.0;
  for (std::size_t k = conf.nDriven; k < instant.bodyCount(); ++k) {
    virial += instant.virials()[k];
    solid += instant.volumes()[k];
    mass += instant.masses()[k];
  }
  carried.stress = virial.diagonal() / domain.volume;
  carried.solidFraction = solid / domain.volume;
  if (domain.kind != Domain::Kind::walls) return carried;
  const WallLoads loads = wallLoads(instant);
  for (const WallFace& face : wallFaces(instant)) {
    const double area = loads.driven[face.body].area, pressure = loads.driven[face.body].pressure;
    if (!(area > 0.0)) continue;
    CarriedLoad::Wall wall{face, pressure + 0.0, mass * std::abs(conf.gravity[face.axis]) / area};
    wall.group = conf.particles[face.body].group;
    for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k)
      if (const double mu = conf.lawParameter("muContact", wall.group, conf.particles[k].group);
          mu > wall.friction)
        wall.friction = mu, wall.ofBodies = conf.particles[k].group;
    carried.walls.push_back(wall);
  }
  return carried;
}

std::string describe(const CarriedLoad& carried, const PressedAxes& axes) {
  std::string walls;
  for (const CarriedLoad::Wall& wall : carried.walls)
    if (axes[static_cast<std::size_t>(wall.face.axis)])
      walls += fmt::format("{}{}{} {:.4g}", walls.empty() ? "; on the walls " : ", ",
                           "xyz"[wall.face.axis], wall.face.side > 0 ? '+' : '-', wall.stress);
  return fmt::format("stress inside {:.4g} {:.4g} {:.4g} Pa along x y z{}{}", carried.stress[0],
                     carried.stress[1], carried.stress[2], walls, walls.empty() ? "" : " Pa");
}

namespace {

constexpr int mostStiffenings = 4;  ///< each brings overlaps near to what is allowed

void warnOfLoad(const CarriedLoad& carried, const PressOptions& options, Diagnostics& diagnostics) {
  constexpr double allowed = 0.01;  // as for the walls that press
  const double p = options.pressure;
  double worst = 0.0, weights = 0.0;
  const CarriedLoad::Wall* rough = nullptr;
  for (const CarriedLoad::Wall& wall : carried.walls) {
    if (wall.friction > 0.0 && !rough) rough = &wall;
    if (!(*options.axes)[static_cast<std::size_t>(wall.face.axis)]) continue;
    worst = std::max(worst, std::abs(wall.stress - p) - wall.weight);
    weights = std::max(weights, wall.weight);
  }
  for (int axis = 0; axis < 3; ++axis)
    if ((*options.axes)[static_cast<std::size_t>(axis)])
      worst = std::max(worst, std::abs(carried.stress[axis] - p) - weights);
  if (!(worst > allowed * p)) return;
  diagnostics.warn(fmt::format(
      "{}: the packing is at rest, but off the pressure {:.6g} Pa by up to {:.3g} %: {}{}",
      options.name, p, 100.0 * worst / p, describe(carried, *options.axes),
      rough ? fmt::format(". Friction at the walls carries load; --mu {},{}=0, when the packing is "
                          "made, avoids it",
                          rough->group, rough->ofBodies)
            : ""));
}

/// Refuses a periodic cell that would become narrower than twice its largest body, at a solid
/// fraction of 0.64 and after the strain of a triaxial drive.
void requireRoomToPress(const PressOptions& options, const Conf& conf,
                        std::span<const shape::Shape> shapes) {
  if (!conf.cell.used || !options.axes) return;
  constexpr double dense = 0.64;  // of equal balls, jammed
  Images images;
  images.set(conf.cell.h);
  const Instant instant(conf, shapes);
  double solid = 0.0;
  for (const double volume : instant.volumes()) solid += volume;
  const auto count = static_cast<double>(std::ranges::count(*options.axes, true));
  const double pressed = portablePow(solid / (dense * images.volume()), 1.0 / count);
  const bool triaxial = options.drive && options.drive->kind == DrivePlan::Kind::triaxial;
  double width = HUGE_VAL;
  for (int axis = 0; axis < 3; ++axis) {
    const double shrinkage = (*options.axes)[static_cast<std::size_t>(axis)] ? pressed : 1.0;
    const double strain = triaxial && axis == 1 ? options.drive->strain : 0.0;
    width = std::min(width, images.width(axis) * std::min(shrinkage, 1.0) * (1.0 - strain));
  }
  if (const double largest = scalesOf(conf, shapes).largest; 2.0 * largest >= width)
    throw ModelError(fmt::format(
        "{}: pressed to a solid fraction of {:g}, the periodic cell will be {:.4g} wide, less than "
        "twice the largest body, {:.4g}, which would meet its own image; use a larger cell",
        options.name, dense, width, largest));
}

}  // namespace

DriveFiles heldBy(const PressOptions& options, Conf conf, std::span<const shape::Shape> shapes) {
  changeContacts(conf, options.contacts);
  if (options.drive) return driveFiles(*options.drive, conf, shapes, options.duration.has_value());
  if (options.axes) return {pressureLines(conf, shapes, options.pressure, *options.axes), {}, {}};
  return {};
}

PressedPacking pressedPacking(RunInput input, const PressOptions& options,
                              Diagnostics& diagnostics) {
  const auto note = [&](const std::string& text) {
    if (options.note) options.note(text);
  };
  Conf& conf = input.conf;
  if (conf.source.empty()) conf.source = options.name;
  requireRoomToPress(options, conf, input.shapes);
  PressedPacking result;
  SettleOptions settling{.longest = conf.tmax, .rest = options.rest, .progress = options.progress};
  if (options.axes) {
    const std::string lines = pressureLines(conf, input.shapes, options.pressure, *options.axes);
    TextReader in("--pressure", lines);
    input.drives = readDriving(in, conf.nDriven, conf.particles.size(), diagnostics);
    result.drive.driving = lines;
  }
  // Weight would push walls out that a lower pressure holds, and bodies to one side.
  if (options.axes && !options.gravity && conf.gravity != Vec3::Zero())
    note("gravity becomes 0 0 0; --gravity sets another");
  if (options.gravity || options.axes) conf.gravity = options.gravity.value_or(Vec3::Zero());
  double pressure = options.pressure;
  if (options.drive)
    pressure = std::max(pressure, driveLoad(*options.drive, conf, input.shapes).pressure);
  const bool mayStiffen = !options.keepStiffness && (pressure > 0.0 || options.gravity);
  if (mayStiffen)
    for (const std::string& reason : stiffen(conf, input.shapes, pressure, options.overlap))
      note(reason);

  // Only a guard against bodies that never rest: balls that roll need many times their fall.
  if (options.rest) settling.longest *= options.axes ? 10.0 : 100.0;
  if (options.axes)
    settling.longest =
        std::max(settling.longest, pressingTime(conf, input.shapes, options.pressure));
  settling.longest = options.until.value_or(settling.longest);
  const double tmax = options.duration.value_or(conf.tmax);
  std::unique_ptr<Simulation> simulation;
  // Few contacts may carry all of the load, which no rule foresees.
  for (int attempt = 0;; ++attempt) {
    if (options.axes)
      settling.leastElastic = pressingEnergy(conf, input.shapes, options.pressure, options.overlap);
    const bool last = !mayStiffen || attempt == mostStiffenings;
    simulation.reset();  // never two at a time
    const Drives acting = input.drives;
    simulation =
        last ? std::make_unique<Simulation>(std::move(conf), std::move(input.shapes),
                                            std::move(input.drives), options.threads, diagnostics)
             : std::make_unique<Simulation>(conf, input.shapes, input.drives, options.threads,
                                            diagnostics);
    result.settled = settle(*simulation, acting, settling);
    if (options.rest && !result.settled.atRest)
      throw ModelError(fmt::format(
          "{}: not at rest after {:.6g} s: {}{}; --until sets a longer time, --rest other limits",
          options.name, result.settled.time, describe(result.settled.ratios),
          result.settled.imbalance > settling.balance
              ? fmt::format(", forces of walls are off their target by {:.2g}",
                            result.settled.imbalance)
              : ""));
    const Overlaps overlaps = result.overlaps = overlapsOf(*simulation);
    if (last || !(overlaps.worst > 2.0 * options.overlap)) break;
    const double factor = stiffnessFactor(conf, overlaps.worst, options.overlap);
    scaleStiffness(conf, factor);
    note(
        fmt::format("{} overlap by {:.2g} % of a size: repeated with contacts {:.3g} times as "
                    "stiff; the time step becomes {:.6g} s",
                    pairName(overlaps.i, overlaps.j), 100.0 * overlaps.worst, factor, conf.dt));
  }
  if (result.overlaps.deep > 0)
    diagnostics.warn(
        fmt::format("{}: {} overlap by {:.2g} % of a size; stiffer contacts (the choice of "
                    "packgen, or a larger --kn) keep it below 1 %",
                    options.name, pairName(result.overlaps.i, result.overlaps.j),
                    100.0 * result.overlaps.worst));
  if (options.axes) {
    result.carried = carriedLoad(*simulation);
    warnOfLoad(result.carried, options, diagnostics);
  }
  result.conf = asBeginning(*simulation);
  changeContacts(result.conf, options.contacts);
  result.shapes.assign(simulation->shapes().begin(), simulation->shapes().end());
  result.conf.tmax = tmax;
  if (options.duration) result.conf.interConf = std::max(tmax / 50.0, result.conf.dt);
  if (options.drive)
    result.drive =
        driveFiles(*options.drive, result.conf, result.shapes, options.duration.has_value());
  if (options.interConf) result.conf.interConf = *options.interConf;
  return result;
}

}  // namespace scree::sim
