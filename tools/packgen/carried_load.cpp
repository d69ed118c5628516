// SPDX-License-Identifier: GPL-3.0-or-later
#include "carried_load.hpp"

#include "write_pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::tools {

CarriedLoad carriedLoad(const sim::Simulation& simulation) {
  const sim::Conf conf = simulation.conf();
  const sim::Instant instant(conf, simulation.shapes());
  const sim::Domain& domain = instant.domain();
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
  if (domain.kind != sim::Domain::Kind::walls) return carried;
  const sim::WallPressures pressures = sim::wallPressures(instant, sim::wallLoads(instant));
  for (const sim::WallFace& face : sim::wallFaces(instant)) {
    const auto& [area, pressure] = pressures.driven[face.body];
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

void checkCarried(const CarriedLoad& carried, const Pressing& pressing, const std::string& source,
                  const CommonOptions& common, Diagnostics& diagnostics) {
  constexpr double allowed = 0.01;  // as for the walls that press
  const double p = pressing.pressure;
  std::string walls;
  double worst = 0.0, weights = 0.0;
  const CarriedLoad::Wall* rough = nullptr;
  for (const CarriedLoad::Wall& wall : carried.walls) {
    if (wall.friction > 0.0 && !rough) rough = &wall;
    if (!(*pressing.axes)[static_cast<std::size_t>(wall.face.axis)]) continue;
    walls += fmt::format("{}{}{} {:.4g}", walls.empty() ? "" : ", ", "xyz"[wall.face.axis],
                         wall.face.side > 0 ? '+' : '-', wall.stress);
    worst = std::max(worst, std::abs(wall.stress - p) - wall.weight);
    weights = std::max(weights, wall.weight);
  }
  for (int axis = 0; axis < 3; ++axis)
    if ((*pressing.axes)[static_cast<std::size_t>(axis)])
      worst = std::max(worst, std::abs(carried.stress[axis] - p) - weights);
  const std::string figures = fmt::format(
      "stress inside {:.4g} {:.4g} {:.4g} Pa along x y z{}", carried.stress[0], carried.stress[1],
      carried.stress[2], walls.empty() ? "" : fmt::format("; on the walls {} Pa", walls));
  say(common, fmt::format("{}; solid fraction {:.6f}", figures, carried.solidFraction));
  if (!(worst > allowed * p)) return;
  std::string advice;
  if (rough)
    advice = ". Friction at the walls carries load; " + smoothAdvice(rough->group, rough->ofBodies);
  diagnostics.warn(
      fmt::format("{}: the packing is at rest, but off the pressure {:.6g} Pa by up "
                  "to {:.3g} %: {}{}",
                  source, p, 100.0 * worst / p, figures, advice));
}

void reportStress(JsonWriter& json, const sim::Simulation& simulation) {
  const CarriedLoad carried = carriedLoad(simulation);
  json.key("stress").beginArray();
  for (int axis = 0; axis < 3; ++axis) json.value(carried.stress[axis]);
  json.end();
  json.key("solidFraction").value(carried.solidFraction);
}

}  // namespace scree::tools
