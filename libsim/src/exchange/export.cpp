// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of an export that do not depend on its target.
#include "exchange/targets.hpp"
#include "law/contact_law.hpp"

#include "scree/base/table.hpp"
#include "scree/base/version.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

/// All bodies, as `packgen from` reads them: by poses of the frames in which shapes were modelled.
std::string bodiesTable(const RunInput& scene) {
  const Conf& conf = scene.conf;
  std::vector<Row> rows;
  for (std::size_t k = 0; k < conf.particles.size(); ++k) {
    const ParticleRecord& p = conf.particles[k];
    const shape::Shape& s = scene.shapes[p.shapeName];
    const Quat q = p.q * s.orientation.conjugate();
    const Vec3 x = p.pos - rotated(q, p.homothety * s.position);
    Row& row = rows.emplace_back(Row{s.name, std::int64_t{p.group}, std::int64_t{p.cluster},
                                     p.homothety, std::int64_t{k < conf.nDriven}});
    row.insert(row.end(), x.begin(), x.end());
    for (const double v : {q.w(), q.x(), q.y(), q.z()}) row.emplace_back(v);
    row.insert(row.end(), p.vel.begin(), p.vel.end());
    row.insert(row.end(), p.vrot.begin(), p.vrot.end());
  }
  return tableText(
      TableFormat::csv,
      {"scree " + version(), "bodies of " + conf.source + ", one a row from body 0",
       columnsFrom("shape group cluster homothety driven x:m y:m z:m qw qx qy qz vx:m/s vy:m/s "
                   "vz:m/s wx:rad/s wy:rad/s wz:rad/s")},
      rows);
}

}  // namespace

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

std::vector<ExportFile> exported(const RunInput& scene, Target target, Diagnostics& diagnostics) {
  const ExportCase given(scene);
  std::string report;
  for (const auto& [item, fate] : lossesOf(scene, target)) {
    const std::string line = fmt::format("{}: {}: {}", fate.name(), item, fate.text);
    const bool isLost = fate.kind == Fate::Kind::lost;
    if (isLost && target != Target::csv && item.starts_with("forceLaw"))
      throw ModelError(
          fmt::format("{}: {}; choose Default or StickedLinks", scene.conf.source, line));
    report += line + '\n';
    isLost ? diagnostics.warn(line) : diagnostics.note(line);
  }
  std::vector<ExportFile> files = target == Target::exadem   ? exademFiles(given)
                                  : target == Target::lammps ? lammpsFiles(given)
                                                             : std::vector<ExportFile>();
  if (target == Target::csv) files.push_back({"shapes.shp", shape::shapesText(scene.shapes)});
  files.push_back({"bodies.csv", bodiesTable(scene)});
  files.push_back({"losses.txt", report});
  return files;
}

}  // namespace scree::sim
