// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/body_forces.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/sim/measure/instant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace scree::sim {
namespace {

Bodies bodiesOf(const Conf& conf, std::span<const shape::Shape> shapes) {
  Bodies b;
  b.driven = conf.nDriven;
  b.resize(conf.particles.size());
  for (std::size_t k = 0; k < b.size(); ++k) {
    const ParticleRecord& p = conf.particles[k];
    b.pos[k] = p.pos;
    b.vel[k] = p.vel;
    b.q[k] = p.q;
    b.spin[k] = p.vrot;
    b.homothety[k] = p.homothety;
    const double h = p.homothety;
    b.mass[k] = p.shapeName < shapes.size()
                    ? h * h * h * shapes[p.shapeName].volume * conf.densityOf(p.group)
                    : std::nan("");
    b.force[k] = b.moment[k] = Vec3::Zero();
  }
  return b;
}

void addJoints(const Conf& conf, std::vector<ForceAndMoment>& sums) {
  Bodies b = bodiesOf(conf, {});
  for (const SpringJoint& joint : conf.joints) {
    if (joint.i >= b.size() || joint.j >= b.size()) continue;
    if (joint.restLength >= 0.0) {
      addJointForces({&joint, 1}, b);
      continue;
    }
    for (const BodyId k : {joint.i, joint.j}) {
      b.force[k] = Vec3::Constant(std::nan(""));
      b.moment[k] = b.force[k];
    }
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    sums[k].force += b.force[k];
    sums[k].moment += b.moment[k];
  }
}

}  // namespace

std::vector<Link> linksOf(const Conf& conf, std::span<const shape::Shape> shapes) {
  const std::vector<ContactKey> glued = gluedKeys(conf);
  const std::vector<double> weights = partnershipWeights(conf);
  // Files of a summed clock, and those without a clock, have the viscous part of bonds in ft.
  const bool viscosityApart = conf.runState && !conf.summedClock;
  const Arms arm(conf.cell);
  const std::size_t n = conf.particles.size();
  const auto linkOf = [&](Link::Kind kind, const InteractionRecord& r) {
    Link link;
    link.kind = kind;
    link.pairing = r.key.pairing;
    link.i = r.key.i;
    link.j = r.key.j;
    link.iSub = r.key.iSub;
    link.jSub = r.key.jSub;
    link.dn = r.dn;
    link.n = r.n;
    link.pos = r.pos;
    link.armI = arm(conf.particles[link.i].pos, r.pos);
    if (link.j != Link::none) link.armJ = arm(conf.particles[link.j].pos, r.pos);
    link.vel = r.vel;
    link.fn = r.fn;
    link.ft = r.ft;
    link.mom = r.mom;
    return link;
  };
  std::vector<Link> links;
  links.reserve(conf.interactions.size() + conf.boundaryTouches.size());
  for (std::size_t k = 0; k < conf.interactions.size(); ++k) {
    const InteractionRecord& r = conf.interactions[k];
    if (r.key.i >= n || r.key.j >= n)
      throw conf.errorAtInteraction(
          k, fmt::format("Interactions: expected bodies below {}, found {} and {}", n, r.key.i,
                         r.key.j));
    const bool isBond = std::binary_search(glued.begin(), glued.end(), r.key);
    Link link = linkOf(isBond ? Link::Kind::bond : Link::Kind::contact, r);
    if (isBond && viscosityApart) link.ft += r.damp * (r.vel - r.vel.dot(r.n) * r.n);
    if (!weights.empty()) link.weight = weights[k];
    links.push_back(link);
  }
  for (const InteractionRecord& r : boundaryContacts(conf, shapes))
    links.push_back(linkOf(Link::Kind::boundary, r));
  return links;
}

bool actionsNeedShapes(const Conf& conf) {
  return conf.bodyForce && !std::holds_alternative<PreferredDirection>(*conf.bodyForce);
}

std::vector<ForceAndMoment> sumOfActions(const Conf& conf, std::span<const Link> links,
                                         std::span<const shape::Shape> shapes) {
  std::vector<ForceAndMoment> sums(conf.particles.size());
  for (const Link& link : links) {
    const Vec3 f = link.force();
    sums[link.i].force += f;
    sums[link.i].moment += link.armI.cross(f) + link.mom;
    if (link.j == Link::none) continue;
    sums[link.j].force -= f;
    sums[link.j].moment -= link.armJ.cross(f) + link.mom;
  }
  if (!conf.joints.empty()) addJoints(conf, sums);
  if (!conf.bodyForce) return sums;
  const Bodies b = bodiesOf(conf, shapes);
  const Drag drag = conf.summedClock ? Drag::components : Drag::velocity;
  for (std::size_t k = conf.nDriven; k < sums.size(); ++k) {
    const ParticleRecord& p = conf.particles[k];
    const double area =
        p.shapeName < shapes.size()
            ? p.homothety * p.homothety * portablePow(shapes[p.shapeName].volume, 2.0 / 3.0)
            : std::nan("");
    const ForceAndMoment own = bodyForceOn(*conf.bodyForce, b, k, area, drag);
    sums[k].force += own.force;
    sums[k].moment += own.moment;
  }
  return sums;
}

}  // namespace scree::sim
