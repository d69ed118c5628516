// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies as a file has them, and the order in which a run keeps them.
#include "engine/world.hpp"
#include "model/contacts.hpp"

#include "scree/base/math.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace scree::sim {

void refuseWhatIsMissing(const Conf& conf) {
  for (const OtherLine& line : conf.others)
    if (line.keyword == "useSoftParticles")
      throw ParseError(line.where,
                       "useSoftParticles: bodies are rigid, and no version of Rockable uses the "
                       "keyword; remove the line");
  const auto wantPositive = [&](const std::string& keyword, double barrier, double exponent) {
    if (barrier > 0.0 && !(exponent > 0.0))
      throw conf.errorAt(keyword,
                         fmt::format("{}: expected a number above 0, found {}", keyword, exponent));
  };
  wantPositive("VelocityBarrierExponent", conf.velocityBarrier, conf.velocityBarrierExponent);
  wantPositive("AngularVelocityBarrierExponent", conf.angularVelocityBarrier,
               conf.angularVelocityBarrierExponent);
  if (conf.cell.used && !conf.joints.empty())
    throw conf.errorAt(
        "initSpringJoint",
        "initSpringJoint: joints cannot cross a periodic cell; remove the joint or the cell");
}

Bodies makeBodies(const Conf& conf, const Model& model, const BodyOrder& order, bool keepLengths,
                  Diagnostics& diagnostics) {
  Bodies bodies;
  const std::size_t n = conf.particles.size();
  bodies.resize(n);
  bodies.driven = conf.nDriven;
  const bool drags = conf.bodyForce && std::holds_alternative<ViscousFluid>(*conf.bodyForce);
  std::size_t bent = 0, firstBent = 0;  // orientations that are not of length 1
  double worstBend = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    const BodyId number = order.number(k);
    const ParticleRecord& p = conf.particles[number];
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
      if (bent++ == 0) firstBent = number;
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
            number,
            fmt::format("body {} has no mass: there is no density for group {}", number, p.group));
      if (!(bodies.mass[k] > 0.0) || !(bodies.inertia[k].minCoeff() > 0.0))
        throw conf.errorAtParticle(
            number, fmt::format("body {} has no mass: shape '{}' states volume {} and I/m {} {} {}",
                                number, shape.name, shape.volume, shape.inertiaPerMass[0],
                                shape.inertiaPerMass[1], shape.inertiaPerMass[2]));
      // Its moments overflow first, except those of a small body. It would be NaN after a step.
      if (!std::isfinite(bodies.mass[k] + bodies.inertia[k].sum()))
        throw conf.errorAtParticle(
            number,
            fmt::format("body {} has an infinite mass or moment of inertia: homothety {:g}, "
                        "density {:g}, and shape '{}' of volume {:g}",
                        number, h, density, shape.name, shape.volume));
    }
    bodies.boundingRadius[k] = h * model.geometries[p.shapeName].boundingRadius;
    bodies.lastMove[k] = (p.vel.norm() + p.vrot.norm() * bodies.boundingRadius[k]) * conf.dt;
    bodies.radius[k] = h * shape.radius;
    bodies.dragArea[k] = drags ? h * h * portablePow(shape.volume, 2.0 / 3.0) : 0.0;
  }
  if (bent > 0)
    diagnostics.warn(conf.errorAtParticle(
        firstBent,
        fmt::format("orientation of body {} has length {:.6g}, not 1{}: normalised", firstBent,
                    conf.particles[firstBent].q.norm(),
                    bent > 1 ? fmt::format(", and those of {} more bodies (off by up to {:.2g})",
                                           bent - 1, worstBend)
                             : "")));
  return bodies;
}

std::vector<BodyPose> initialPoses(const Model& model, const Bodies& bodies) {
  std::vector<BodyPose> poses(bodies.size());
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    poses[k].turn = bodies.homothety[k] * Mat3::Identity();
    poses[k].scale = bodies.homothety[k];
    poses[k].radius = bodies.radius[k];
    poses[k].shape = &model.geometries[bodies.shape[k]];
  }
  return poses;
}

Restraint restraintOf(const Conf& conf) {
  return {conf.numericalDampingCoeff, conf.velocityBarrier, conf.velocityBarrierExponent,
          conf.angularVelocityBarrier, conf.angularVelocityBarrierExponent};
}

void setMass(const Parameters& parameters, const Model& model, Bodies& bodies, std::size_t k) {
  const double h = bodies.homothety[k];
  const shape::Shape& shape = model.shapes[bodies.shape[k]];
  bodies.mass[k] = h * h * h * shape.volume * parameters.densityOf(bodies.group[k]);
  bodies.inertia[k] = bodies.mass[k] * h * h * shape.inertiaPerMass;
}

BodyOrder startOrder(const Conf& conf, bool may, bool complete, Diagnostics& diagnostics) {
  const std::vector<ParticleRecord>& particles = conf.particles;
  // A file whose bodies somebody has changed goes on in its own order.
  const auto fits = [&] {
    if (conf.state().order.size() != particles.size()) return false;
    for (std::size_t k = 0; k < std::min<std::size_t>(conf.nDriven, particles.size()); ++k)
      if (conf.state().order[k] != k) return false;
    return true;
  };
  std::vector<BodyId> numbers;
  if (complete && may && fits()) {
    numbers = conf.state().order;
  } else {
    if (complete && may && !conf.state().order.empty())
      diagnostics.warn(conf.errorAt(
          "#scree order", fmt::format("#scree order: does not match {} bodies with {} driven; the "
                                      "order of the file is used, and last digits may differ",
                                      particles.size(), conf.nDriven)));
    if (!complete && may) {
      std::vector<Vec3> places;
      for (const ParticleRecord& p : particles) places.push_back(p.pos);
      numbers = orderByPlace(places, conf.nDriven);
    }
  }
  try {
    return BodyOrder(std::move(numbers), conf.nDriven);
  } catch (const ModelError& error) {
    throw conf.errorAt("#scree order", fmt::format("#scree order: {}", error.what()));
  }
}

std::optional<BodyOrder> betterOrder(const BodyOrder& now, const Bodies& bodies,
                                     const Contacts& contacts) {
  BodyOrder fresh(orderByPlace(now.toFile(bodies.pos), bodies.driven), bodies.driven);
  // By contacts that touch, which are part of the state: lists are not.
  const auto distance = [](std::uint64_t a, std::uint64_t b) { return a < b ? b - a : a - b; };
  std::uint64_t before = 0, then = 0;
  for (const NeighbourPair& pair : contacts.pairs) {
    if (pair.a < bodies.driven) continue;
    bool touching = false;
    contacts.forEachTouching(pair, [&touching](auto&&...) { touching = true; });
    if (!touching) continue;
    before += distance(pair.a, pair.b);
    then += distance(fresh.body(now.number(pair.a)), fresh.body(now.number(pair.b)));
  }
  // Share of the bodies that contacts span now, below which it is worth rebuilding all lists.
  constexpr double worthIt = 0.7;
  if (static_cast<double>(then) < worthIt * static_cast<double>(before)) return fresh;
  return std::nullopt;
}

}  // namespace scree::sim
