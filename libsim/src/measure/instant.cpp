// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/instant.hpp"

#include "detect/neighbour_list.hpp"
#include "engine/body_forces.hpp"
#include "engine/boundaries.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/measure/stress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

namespace scree::sim {

std::vector<ContactKey> gluedKeys(const Conf& conf) {
  std::vector<ContactKey> glued;
  for (const InterfaceRecord& face : conf.interfaces)
    for (const BondRecord& b : face.bonds)
      glued.push_back({face.i, face.j, b.pairing, b.iSub, b.jSub});
  std::sort(glued.begin(), glued.end());
  return glued;
}

std::vector<double> partnershipWeights(const Conf& conf) {
  const bool byOverlap = conf.contactPartnership == "OverlapWeight";
  if (!byOverlap && conf.contactPartnership != "NumberWeight") return {};
  const std::vector<ContactKey> glued = gluedKeys(conf);
  const auto shares = [&](const InteractionRecord& r) {
    return r.dn < 0.0 && !std::binary_search(glued.begin(), glued.end(), r.key);
  };
  const auto part = [&](const auto& r) { return byOverlap ? r.dn : 1.0; };
  std::map<std::pair<BodyId, BodyId>, double> sums, atBoundaries;
  for (const InteractionRecord& r : conf.interactions)
    if (shares(r)) sums[bodyPair(r.key.i, r.key.j)] += part(r);
  for (const BoundaryTouch& t : conf.boundaryTouches) atBoundaries[{t.boundary, t.body}] += part(t);
  std::vector<double> weights;
  for (const InteractionRecord& r : conf.interactions)
    weights.push_back(shares(r) ? part(r) / sums[bodyPair(r.key.i, r.key.j)] : 1.0);
  for (const BoundaryTouch& t : conf.boundaryTouches)
    weights.push_back(part(t) / atBoundaries[{t.boundary, t.body}]);
  return weights;
}

std::vector<InteractionRecord> boundaryContacts(const Conf& conf,
                                                std::span<const shape::Shape> shapes) {
  std::vector<InteractionRecord> contacts;
  for (const BoundaryTouch& t : conf.boundaryTouches) {
    const bool known = t.body < conf.particles.size() && t.boundary < conf.boundaries.size();
    const shape::Shape* shape = nullptr;
    if (known && conf.particles[t.body].shapeName < shapes.size())
      shape = &shapes[conf.particles[t.body].shapeName];
    const bool isCone = shape && conf.boundaries[t.boundary].kind == Boundary::Kind::cone;
    if (!shape || t.vertex >= shape->vertices.size() * (isCone ? 2 : 1))
      throw ModelError(
          fmt::format("{}: #scree touch {} {} {}: expected an existing boundary, body and vertex",
                      conf.source, t.boundary, t.body, t.vertex));
    const ParticleRecord& p = conf.particles[t.body];
    const bool acrossAxis = t.vertex >= shape->vertices.size();
    const std::size_t number = t.vertex - (acrossAxis ? shape->vertices.size() : 0);
    const Vec3 vertex = p.pos + rotated(p.q, p.homothety * shape->vertices[number]);
    const auto sub = static_cast<std::uint32_t>(number);
    Vec3 n = Vec3::Zero();
    if (acrossAxis)
      farSideOfCone(conf.boundaries[t.boundary], vertex, n);
    else
      conf.boundaries[t.boundary].distance(vertex, n);
    const Vec3 point = vertex - n * (p.homothety * shape->radiusAt(number) + 0.5 * t.dn);
    contacts.push_back({{t.body, UINT32_MAX, Pairing::vertexVertex, sub, t.boundary},
                        n,
                        t.dn,
                        point,
                        t.vel,
                        t.fn,
                        t.ft,
                        t.mom});
  }
  return contacts;
}

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

/// A value that is computed when it is first used, and then kept.
template <class T, class Make>
const T& kept(std::optional<T>& value, Make&& make) {
  if (!value) value.emplace(make());
  return *value;
}

}  // namespace

std::vector<Link> linksOf(const Conf& conf, std::span<const shape::Shape> shapes) {
  const std::vector<ContactKey> glued = gluedKeys(conf);
  const std::vector<double> weights = partnershipWeights(conf);
  const bool viscosityApart = conf.state().viscosityApart();
  Images images;
  if (conf.cell.used) images.set(conf.cell.h);
  const std::size_t n = conf.particles.size();
  const auto linkOf = [&](Link::Kind kind, const InteractionRecord& r) {
    const auto armOf = [&](BodyId k) -> Vec3 {
      if (k == Link::none) return Vec3::Zero();
      const Vec3 arm = r.pos - conf.particles[k].pos;
      return conf.cell.used ? Vec3(arm - images.offset(images.nearest(arm))) : arm;
    };
    return Link{kind,  r.key.pairing,  r.key.i,        r.key.j, r.key.iSub, r.key.jSub, r.dn,  r.n,
                r.pos, armOf(r.key.i), armOf(r.key.j), r.vel,   r.fn,       r.ft,       r.mom, 1.0};
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
    links.push_back(link);
  }
  for (const InteractionRecord& r : boundaryContacts(conf, shapes))
    links.push_back(linkOf(Link::Kind::boundary, r));
  for (std::size_t k = 0; k < weights.size(); ++k) links[k].weight = weights[k];
  return links;
}

bool missesContacts(const Conf& conf) {
  if (conf.state().edit && conf.state().edit->contactsMissing) return true;
  const std::vector<ContactKey> glued = gluedKeys(conf);
  return !conf.state().runState && conf.boundaryTouches.empty() &&
         std::ranges::all_of(conf.interactions, [&](const InteractionRecord& r) {
           return std::ranges::binary_search(glued, r.key);
         });
}

std::size_t findContacts(Conf& conf, std::span<const shape::Shape> shapes) {
  if (shapes.empty() || !missesContacts(conf)) return 0;
  std::vector<ContactKey> listed;
  for (const InteractionRecord& r : conf.interactions) listed.push_back(r.key);
  std::ranges::sort(listed);
  std::vector<ShapeGeometry> geometries;
  for (const shape::Shape& s : shapes) geometries.push_back(shapeGeometry(s));
  Bodies bodies = bodiesOf(conf, shapes);
  std::vector<BodyPose> poses;
  for (const ParticleRecord& p : conf.particles) {
    const ShapeGeometry& shape = geometries[p.shapeName];
    bodies.boundingRadius[poses.size()] = p.homothety * shape.boundingRadius;
    poses.push_back({p.pos, p.homothety * rotationMatrix(p.q.normalized()), p.vel, p.vrot,
                     p.homothety, p.homothety * shape.radius, &shape});
  }
  Images images;
  if (conf.cell.used) {
    images.set(Lattice(conf.cell.h).vectors());
    images.velocity = conf.cell.vh * conf.cell.h.inverse() * images.h;
  }
  NeighbourList list;
  for (const InterfaceRecord& face : conf.interfaces)
    list.bonded.push_back(bodyPair(face.i, face.j));
  std::ranges::sort(list.bonded);
  list.update(bodies, poses, 1, conf.cell.used ? &images : nullptr);
  const Vec3 unknown = Vec3::Constant(std::nan(""));
  for (const NeighbourPair& pair : list.contacts.pairs)
    for (const Candidate& c : list.contacts.candidatesOf(pair)) {
      const BodyId first = c.swapped ? pair.b : pair.a, second = c.swapped ? pair.a : pair.b;
      const ContactKey key{first, second, c.pairing, c.iSub, c.jSub};
      if (std::ranges::binary_search(listed, key)) continue;
      const BodyPose& i = poses[first];
      BodyPose j = poses[second];
      if (conf.cell.used) j = imageOf(j, images, images.nearest(i.pos - j.pos));
      Touch touch;
      double rest = 0.0;
      if (!touches(c, i, j, Vec3(i.pos - j.pos), touch, rest)) continue;
      const Vec3 point = i.pos + touch.arm;
      const Vec3 vel = j.vel + j.spin.cross(point - j.pos) - i.vel - i.spin.cross(touch.arm);
      conf.interactions.push_back(
          {key, touch.n, touch.dn, point, vel, std::nan(""), unknown, unknown});
    }
  std::ranges::sort(conf.interactions, {}, &InteractionRecord::key);
  std::set<std::tuple<std::uint32_t, BodyId, std::uint32_t>> touching;
  for (const BoundaryTouch& t : conf.boundaryTouches)
    touching.emplace(t.boundary, t.body, t.vertex);
  // A plane repeats with the cell of the file.
  if (conf.cell.used) images.set(conf.cell.h);
  for (std::uint32_t b = 0; b < conf.boundaries.size(); ++b)
    for (BodyId k = static_cast<BodyId>(conf.nDriven); k < poses.size(); ++k) {
      const BodyPose& p = poses[k];
      Boundary wall = conf.boundaries[b];
      if (conf.cell.used && wall.kind == Boundary::Kind::plane)
        wall = BoundaryContacts::planeBelow(wall, p.pos, images);
      const auto own = static_cast<std::uint32_t>(p.shape->vertices.size());
      const std::uint32_t all = wall.kind == Boundary::Kind::cone ? 2 * own : own;
      for (std::uint32_t v = 0; v < all; ++v) {
        const Vec3 arm = p.arm(p.shape->vertices[v % own]), x = p.pos + arm;
        const double radius = p.radiusAt(v % own);
        Vec3 n;
        const double dn = (v < own ? wall.distance(x, n) : farSideOfCone(wall, x, n)) - radius;
        if (!(dn < 0.0) || touching.contains({b, k, v})) continue;
        const Vec3 lever = arm - n * (radius + 0.5 * dn);
        const Vec3 vel = wall.velocityAt(p.pos + lever) - p.vel - p.spin.cross(lever);
        conf.boundaryTouches.push_back({b, k, v, dn, std::nan(""), unknown, unknown, vel});
      }
    }
  return conf.interactions.size() - listed.size() + conf.boundaryTouches.size() - touching.size();
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
  const Drag drag = conf.state().summedClock ? Drag::components : Drag::velocity;
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

Instant::Instant(const Conf& conf, std::span<const shape::Shape> shapes)
    : conf_(conf),
      shapes_(shapes),
      flow_(conf.cell.used ? Mat3(conf.cell.vh * conf.cell.h.inverse()) : Mat3(Mat3::Zero())),
      weights_(partnershipWeights(conf)) {
  if (!conf.boundaryTouches.empty()) atBoundaries_ = boundaryContacts(conf, shapes);
}

const std::vector<double>& Instant::volumes() const {
  return kept(volumes_, [&] {
    std::vector<double> all;
    for (const ParticleRecord& p : conf_.particles) {
      const double h = p.homothety;
      all.push_back(p.shapeName < shapes_.size() ? h * h * h * shapes_[p.shapeName].volume
                                                 : notKnown);
    }
    return all;
  });
}

const std::vector<double>& Instant::masses() const {
  return kept(masses_, [&] {
    std::vector<double> all = volumes();
    for (std::size_t k = 0; k < all.size(); ++k) all[k] *= conf_.densityOf(body(k).group);
    return all;
  });
}

const std::vector<Vec3>& Instant::inertias() const {
  return kept(inertias_, [&] {
    std::vector<Vec3> all;
    for (std::size_t k = 0; k < bodyCount(); ++k) {
      const double h = body(k).homothety;
      all.push_back(body(k).shapeName < shapes_.size()
                        ? Vec3(masses()[k] * h * h * shapeOf(k).inertiaPerMass)
                        : Vec3::Constant(notKnown));
    }
    return all;
  });
}

const std::vector<Link>& Instant::links() const {
  return kept(links_, [&] { return linksOf(conf_, shapes_); });
}

const std::vector<ForceAndMoment>& Instant::actions() const {
  return kept(actions_, [&] { return sumOfActions(conf_, links(), shapes_); });
}

const std::vector<Mat3>& Instant::virials() const {
  return kept(virials_, [&] { return bodyVirials(*this); });
}

const Domain& Instant::hull() const {
  return kept(hull_, [&] { return hullDomain(*this); });
}

const Domain& Instant::domain() const {
  if (!domain_) domain_ = cellDomain(*this);
  if (!domain_) domain_ = wallDomain(*this);
  return domain_ ? *domain_ : hull();
}

KineticEnergy Instant::kineticEnergy(std::size_t body) const {
  const ParticleRecord& p = conf_.particles[body];
  const Vec3 vel = conf_.cell.used ? Vec3(p.vel - flow_ * p.pos) : p.vel;
  return sim::kineticEnergy(masses()[body], inertias()[body], p.q, vel, p.vrot);
}

}  // namespace scree::sim
