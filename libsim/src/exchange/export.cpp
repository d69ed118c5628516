// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of an export that do not depend on its target: what each carries, what of it a scene
// has, and the table of bodies.
#include "exchange/targets.hpp"
#include "law/contact_law.hpp"
#include "measure/kind_parts.hpp"

#include "scree/base/files.hpp"
#include "scree/base/table.hpp"
#include "scree/base/version.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/law/law_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

constexpr std::string_view carried = "carried", approximated = "approximated", lost = "lost";

FateRow both(std::string_view items, std::string_view fate, std::string_view text) {
  return {items, {fate, text}, {fate, text}};
}

const std::vector<FateRow> table{
    {"Particles", {carried, "case.conf"}, {carried, "case.data, case.infile, bodies.csv"}},
    both("shapeFile, density", carried,
         "shapes or spheres in the size of each body, with its mass"),
    both("t, tmax, dt", carried, "(tmax - t) / dt steps, rounded"),
    both("interConf", carried, "outputs every interConf / dt steps, rounded"),
    both("gravity", carried, "on free bodies"),
    {"forceLaw Default",
     {carried, "contact_multimat_polyhedron"},
     {approximated,
      "friction limit by the whole normal force: with damping, tens of percent of the speed after "
      "an oblique rebound"}},
    {"forceLaw StickedLinks, forceLaw BCM",
     {approximated, "friction limit by the elastic part of the normal force alone"},
     {approximated, "friction of walls acts at R, not R - d/2: 2 % of the speed in a rebound"}},
    both("forceLaw Avalanche", approximated,
         "spring and dashpot of nominal restitution sqrt(en2), not two stiffnesses"),
    both("forceLaw GeoVisc, forceLaw HertzMindlin", lost, "no counterpart"),
    both("youngModulus, poissonRatio, viscTContact", carried, "not needed by the laws above"),
    {"knContact, ktContact, muContact, en2Contact, en2ContactFromViscRate",
     {carried, "by pair of groups, and of group and driver"},
     {carried, "by pair of types; the root of `damping tsuji` with the same dashpot"}},
    both("krContact, murContact", lost, "no rolling resistance"),
    both("knInnerBond, ktInnerBond, krInnerBond, fn0InnerBond, ft0InnerBond, mom0InnerBond, "
         "powInnerBond, en2InnerBond, gcInnerBond, knOuterBond, ktOuterBond, krOuterBond, "
         "fn0OuterBond, ft0OuterBond, mom0OuterBond, powOuterBond, en2OuterBond, gcOuterBond, "
         "Interfaces, ParamsInInterfaces",
         lost, "glued bodies are loose"),
    both("ContactPartnership", lost, "each contact of a pair has the whole stiffness"),
    both("Interactions", lost, "friction forces begin at 0"),
    {"nDriven plates", {carried, "register_rshape"}, {approximated, "an endless plane"}},
    {"nDriven others", {carried, "register_rshape"}, {lost, "not there"}},
    both("#scree boundary ball, #scree boundary plane, #scree boundary cylinder", carried,
         "a wall; cylinders along x, y or z, with their spin"),
    both("#scree boundary cone", lost, "not there"),
    both("#scree boundaryMotion", lost, "walls turn only if they are cylinders"),
    {"Control velocity, Control spin",
     {carried, "LINEAR_MOTION, vrot"},
     {lost, "driven bodies stay at rest"}},
    both("nDriven moving, Control force, Control moment, Servo ramp, Servo shaker, Servo "
         "triangle_shaker, Servo sawtooth_shaker, Servo tritriIsostaticCompression, Servo "
         "tritriBiaxialCompression, Servo tritriCustom, Servo tritriLodeAngle",
         lost, "driven bodies stay at rest"),
    both("usePeriodicCell, h", carried, "if h is diagonal"),
    both("vh, ah, mh, dh, cellMomentumCorrection, cellVelocityCorrection, useKineticStress, "
         "PeriodicLoading",
         lost, "the cell stays as it is"),
    both("numericalDampingCoeff, VelocityBarrier, AngularVelocityBarrier, VelocityBarrierExponent, "
         "AngularVelocityBarrierExponent, Tempo, initSpringJoint, BodyForce, Integrator Euler, "
         "Integrator Beeman, Integrator RungeKutta4",
         lost, "no counterpart"),
    both("DataExtractor", lost, "`extract` makes tables of imported states"),
    both("Integrator velocityVerlet, AddOrRemoveInteractions, UpdateNL, interVerlet, DVerlet, "
         "dVerlet, parallel_mode, dynamicUpdateNL, dispUpdateNL, angleUpdateNL, cellMinSizes, "
         "preventCrossingLength, boxForLinkCellsOpt, iconf, separator, precision, glue_with_walls, "
         "useSoftParticles",
         carried, "the same, or not needed"),
    both("stickVerticesInClusters, stickVerticesInClustersMoments, stickBCM, stickClusters, "
         "copyParamsToInterfaces, setVariableStickParams, setStiffnessRatioInterfaces, "
         "setAllVelocities, randomlyOrientedVelocities, randomlyOrientedVelocitiesClusters, "
         "homothetyRange, particlesClonage",
         carried, "carried out before the export"),
};

/// Whether a keyword says something that has an effect.
bool isInUse(const ConfKeyword& keyword, const Conf& conf) {
  const std::string name(keyword.name);
  if (!keyword.write)
    return std::ranges::find(conf.others, name, &OtherLine::keyword) != conf.others.end();
  if (name.ends_with("Bond") && conf.interfaces.empty()) return false;
  if (const auto rows = conf.lawParameters.find(name); rows != conf.lawParameters.end())
    return std::ranges::any_of(rows->second, [](const auto& row) { return row.second != 0.0; });
  if (name == "Interactions") return false;  // by their forces
  Conf defaults;
  defaults.cell.used = conf.cell.used && name != "usePeriodicCell";
  TextWriter now, otherwise;
  keyword.write(now, conf);
  keyword.write(otherwise, defaults);
  return now.text() != otherwise.text();
}

std::set<std::string> itemsOf(const RunInput& scene) {
  const Conf& conf = scene.conf;
  std::set<std::string> items;
  for (const ConfKeyword& keyword : confKeywords())
    if (isInUse(keyword, conf)) items.insert(std::string(keyword.name));
  items.insert(fmt::format("forceLaw {}",
                           lawNamed(conf.forceLaw.empty() ? "Avalanche" : conf.forceLaw).name));
  items.insert("Integrator " + conf.integrator);
  if (conf.interfaces.empty()) items.erase("Interfaces");
  std::set<BodyId> plates;
  for (const WallSide& side : platesOf(Instant(conf, scene.shapes))) plates.insert(side.body);
  if (!plates.empty()) items.insert("nDriven plates");
  if (conf.nDriven > plates.size()) items.insert("nDriven others");
  for (std::size_t k = 0; k < conf.nDriven; ++k)
    if (!conf.particles[k].vel.isZero(0.0) || !conf.particles[k].vrot.isZero(0.0))
      items.insert("nDriven moving");
  const auto rubs = [](const auto& contact) {
    return !contact.ft.isZero(0.0) || !contact.mom.isZero(0.0);
  };
  if (std::ranges::any_of(conf.interactions, rubs) ||
      std::ranges::any_of(conf.boundaryTouches, rubs))
    items.insert("Interactions");
  if (!scene.extractors.empty()) items.insert("DataExtractor");
  for (const Boundary& b : conf.boundaries) {
    items.insert(fmt::format("#scree boundary {}", b.name()));
    if (b.vel != Vec3::Zero() || (b.spin != Vec3::Zero() && b.kind != Boundary::Kind::cylinder))
      items.insert("#scree boundaryMotion");
  }
  constexpr std::string_view imposed[] = {"velocity", "force", "spin", "moment"};
  for (const Control& c : constantControls(scene.drives))
    if (c.value != Vec3::Zero())
      items.insert(fmt::format("Control {}", imposed[static_cast<int>(c.what)]));
  if (scene.drivingFile.empty()) return items;
  for (TextReader in = TextReader::fromFile(scene.drivingFile); !in.atEnd(); in.skipLine()) {
    const std::string_view word = in.word("keyword");
    if (word == "Servo") items.insert(fmt::format("Servo {}", in.word("servo")));
    if (word == "PeriodicLoading") items.insert("PeriodicLoading");
  }
  return items;
}

/// All bodies, as `packgen from` reads them: by poses of the frames in which shapes were modelled.
std::string bodiesTable(const RunInput& scene) {
  const Conf& conf = scene.conf;
  std::vector<Row> rows;
  for (std::size_t k = 0; k < conf.particles.size(); ++k) {
    const ParticleRecord& p = conf.particles[k];
    const shape::Shape& s = scene.shapes[p.shapeName];
    const Quat q = p.q * s.orientation.conjugate();
    const Vec3 x = p.pos - rotated(q, p.homothety * s.position);
    rows.push_back(
        rowOf(s.name, p.group, p.cluster, p.homothety, k < conf.nDriven, x, q, p.vel, p.vrot));
  }
  return tableText(
      TableFormat::csv,
      {"scree " + version(), "bodies of " + conf.source + ", one a row from body 0",
       columnsFrom("shape group cluster homothety driven x:m y:m z:m qw qx qy qz vx:m/s vy:m/s "
                   "vz:m/s wx:rad/s wy:rad/s wz:rad/s")},
      rows);
}

}  // namespace

std::vector<std::string> FateRow::all() const {
  std::vector<std::string> parts = partsOf(items, ',');
  for (std::string& part : parts) part.erase(0, part.find_first_not_of(' '));
  return parts;
}

const std::vector<FateRow>& fateTable() { return table; }

std::vector<Loss> lossesOf(const RunInput& scene, Target target) {
  std::vector<Loss> losses;
  if (target == Target::csv) return losses;
  const std::set<std::string> items = itemsOf(scene);
  for (const FateRow& row : table)
    for (const std::string& item : row.all())
      if (const Fate& fate = target == Target::exadem ? row.exadem : row.lammps;
          fate.name != carried && items.contains(item))
        losses.push_back({item, fate});
  return losses;
}

std::vector<Control> constantControls(const Drives& drives) {
  std::set<std::size_t> ofServos;
  for (const Servo& servo : drives.servos)
    ofServos.insert(servo.controls.begin(), servo.controls.end());
  std::vector<Control> controls;
  for (std::size_t k = 0; k < drives.controls.size(); ++k)
    if (!ofServos.contains(k)) controls.push_back(drives.controls[k]);
  return controls;
}

std::vector<WallSide> platesOf(const Instant& instant) {
  std::vector<WallSide> plates;
  for (const WallSide& side : wallSides(instant)) {
    const bool isHill = instant.shapeOf(side.body).faces.size() > 6;
    // A sheet with a face on each side is one wall.
    const bool isThere = std::ranges::any_of(plates, [&](const WallSide& other) {
      return side.body == other.body && side.space.normal == other.space.normal &&
             side.space.offset == other.space.offset;
    });
    if (!isHill && !isThere) plates.push_back(side);
  }
  return plates;
}

ExportCase::ExportCase(const RunInput& all)
    : scene(all), conf(all.conf), instant(all.conf, all.shapes) {
  const auto counted = [&](double time) {
    return static_cast<std::uint64_t>(std::clamp(std::round(time / conf.dt), 0.0, 9e15));
  };
  every = std::max<std::uint64_t>(counted(conf.interConf), 1);
  // Where the run ends with an output, it does so in spite of rounding.
  const double outputs = (conf.tmax - conf.t) / conf.interConf, whole = std::round(outputs);
  steps = whole >= 1.0 && whole < 1e9 && std::abs(outputs - whole) < 1e-6 * whole
              ? every * static_cast<std::uint64_t>(whole)
              : counted(conf.tmax - conf.t);
  for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k) {
    const ParticleRecord& p = conf.particles[k];
    reach = std::max(reach, p.homothety * boundingRadius(instant.shapeOf(k)));
    groups.insert(p.group);
    if (!(instant.masses()[k] > 0.0))
      throw conf.errorAtParticle(k, fmt::format("body {} has no mass", k));
  }
  if (groups.empty()) throw ModelError(fmt::format("{}: no free body", conf.source));
  remark = fmt::format("scree {}, packgen export of {}", version(), printable(conf.source));
}

LinearContact linearContact(const Conf& conf, std::uint32_t group1, std::uint32_t group2) {
  const auto value = [&](const char* name) { return conf.lawParameter(name, group1, group2); };
  return {value("knContact"), value("ktContact"), value("muContact"),
          0.5 * normalViscosity(1.0, value("en2Contact"), 1.0)};
}

int cylinderAxis(const Boundary& wall) {
  const int axis = axisOf(wall.axis);
  if (axis < 0)
    throw ModelError("cylinders must be along x, y or z; packgen transform --rotate turns a scene");
  return axis;
}

std::map<std::string, std::string> exported(const RunInput& scene, Target target,
                                            Diagnostics& diagnostics) {
  const ExportCase given(scene);
  std::string report;
  for (const auto& [item, fate] : lossesOf(scene, target)) {
    const std::string line = fmt::format("{}: {}: {}", fate.name, item, fate.text);
    const bool isLost = fate.name == lost;
    if (isLost && item.starts_with("forceLaw"))
      throw ModelError(
          fmt::format("{}: {}; choose Default or StickedLinks", scene.conf.source, line));
    report += line + '\n';
    isLost ? diagnostics.warn(line) : diagnostics.note(line);
  }
  auto files = target == Target::exadem   ? exademFiles(given)
               : target == Target::lammps ? lammpsFiles(given)
                                          : std::map<std::string, std::string>();
  if (target == Target::csv) files["shapes.shp"] = shape::shapesText(scene.shapes);
  files["bodies.csv"] = bodiesTable(scene);
  files["losses.txt"] = report;
  return files;
}

}  // namespace scree::sim
