// SPDX-License-Identifier: GPL-3.0-or-later
// From what a conf-file says of bodies to bodies that move.
#include "model.hpp"

#include "scree/base/math.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace scree::sim {

void refuseWhatIsMissing(const Conf& conf) {
  for (const OtherLine& line : conf.others) {
    if (line.keyword == "DataExtractor") continue;  // a matter of the run
    if (line.keyword == "useSoftParticles")
      throw ParseError(
          line.where,
          "useSoftParticles: bodies are rigid here, and the keyword has no effect in any "
          "version of the program it comes from; take the line out");
    throw ParseError(line.where, fmt::format("{}: not available in this version", line.keyword));
  }
  const auto wantPositive = [&](const std::string& keyword, double barrier, double exponent) {
    if (barrier > 0.0 && !(exponent > 0.0))
      throw conf.errorAt(keyword,
                         fmt::format("{}: expected a number above 0, found {}", keyword, exponent));
  };
  wantPositive("VelocityBarrierExponent", conf.velocityBarrier, conf.velocityBarrierExponent);
  wantPositive("AngularVelocityBarrierExponent", conf.angularVelocityBarrier,
               conf.angularVelocityBarrierExponent);
  if (conf.cell.used && !conf.joints.empty())
    throw conf.errorAt("initSpringJoint",
                       "initSpringJoint: a joint has no nearest image, so it cannot stand in a "
                       "periodic cell; take one of the two out");
}

void refuseAsRockable(const Conf& conf, const std::vector<shape::Shape>& shapes) {
  for (const Boundary& boundary : conf.boundaries)
    if (boundary.moves())
      throw conf.errorAt("",
                         "#scree boundaryMotion: boundaries that move or turn are unknown to "
                         "Rockable; run without --compat rockable");
  for (std::size_t k = 0; k < conf.particles.size(); ++k)
    if (const shape::Shape& s = shapes[conf.particles[k].shapeName]; !s.radii.empty())
      throw conf.errorAtParticle(
          k, fmt::format("body {}: shape '{}' has a radius for each ball (radii), which Rockable "
                         "does not know; run it without --compat rockable",
                         k, s.name));
}

Bodies makeBodies(const Conf& conf, const BodyOrder& order, bool keepLengths, Model& model,
                  std::vector<Placed>& placed, Diagnostics& diagnostics) {
  Bodies bodies;
  const std::size_t n = conf.particles.size();
  for (const shape::Shape& s : model.shapes) model.geometries.push_back(shapeGeometry(s));
  bodies.resize(n);
  bodies.driven = conf.nDriven;
  model.radius.resize(n);
  placed.resize(n);
  std::size_t bent = 0, firstBent = 0;  // orientations that are not of length 1
  double worstBend = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    const ParticleRecord& p = conf.particles[k];
    const shape::Shape& shape = model.shapes[p.shapeName];
    const double h = p.homothety, density = conf.densityOf(p.group);
    const bool driven = k < conf.nDriven;
    bodies.pos[k] = p.pos;
    bodies.vel[k] = p.vel;
    bodies.acc[k] = p.acc;
    bodies.q[k] = p.q;
    // An orientation that is a unit one to rounding is left as it is, so that a restart keeps its
    // bits.
    if (const double off = std::abs(p.q.norm() - 1.0); off > 1e-6 && !keepLengths) {
      if (bent++ == 0) firstBent = k;
      worstBend = std::max(worstBend, off);
      bodies.q[k].normalize();
    }
    bodies.spin[k] = p.vrot;
    bodies.spinAcc[k] = p.arot;
    bodies.homothety[k] = h;
    bodies.shape[k] = p.shapeName;
    bodies.group[k] = p.group;
    setMass(conf, model, bodies, k);
    if (!driven) {
      if (!(density > 0.0))
        throw conf.errorAtParticle(
            k, fmt::format("body {} has no mass: there is no density for group {}", order.number(k),
                           p.group));
      if (!(bodies.mass[k] > 0.0) || !(bodies.inertia[k].minCoeff() > 0.0))
        throw conf.errorAtParticle(
            k, fmt::format("body {} has no mass: shape '{}' states volume {} and I/m {} {} {}",
                           order.number(k), shape.name, shape.volume, shape.inertiaPerMass[0],
                           shape.inertiaPerMass[1], shape.inertiaPerMass[2]));
    }
    bodies.reach[k] = h * model.geometries[p.shapeName].reach;
    bodies.lastMove[k] = (p.vel.norm() + p.vrot.norm() * bodies.reach[k]) * conf.dt;
    model.radius[k] = h * shape.radius;
    placed[k].turn = h * Mat3::Identity();
    placed[k].scale = h;
    placed[k].radius = model.radius[k];
    placed[k].shape = &model.geometries[p.shapeName];
  }
  if (bent > 0)
    diagnostics.warn(conf.errorAtParticle(
        firstBent,
        fmt::format("orientation of body {} has length {:.6g}, not 1{}: brought to length 1",
                    order.number(firstBent), conf.particles[firstBent].q.norm(),
                    bent > 1 ? fmt::format(", and those of {} more bodies (off by up to {:.2g})",
                                           bent - 1, worstBend)
                             : "")));
  if (conf.bodyForce && std::holds_alternative<ViscousFluid>(*conf.bodyForce))
    for (std::size_t k = 0; k < n; ++k) {
      const double h = conf.particles[k].homothety;
      model.dragArea.push_back(h * h *
                               portablePow(model.shapes[bodies.shape[k]].volume, 2.0 / 3.0));
    }
  model.restraint = {conf.numericalDampingCoeff, conf.velocityBarrier, conf.velocityBarrierExponent,
                     conf.angularVelocityBarrier, conf.angularVelocityBarrierExponent};
  return bodies;
}

void setMass(const Conf& conf, const Model& model, Bodies& bodies, std::size_t k) {
  const double h = bodies.homothety[k];
  const shape::Shape& shape = model.shapes[bodies.shape[k]];
  bodies.mass[k] = h * h * h * shape.volume * conf.densityOf(bodies.group[k]);
  bodies.inertia[k] = bodies.mass[k] * h * h * shape.inertiaPerMass;
}

}  // namespace scree::sim
