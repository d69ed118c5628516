// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/cone.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/measure/instant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

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
  const auto part = [&](const InteractionRecord& r) { return byOverlap ? r.dn : 1.0; };
  std::map<std::pair<BodyId, BodyId>, double> sums;
  for (const InteractionRecord& r : conf.interactions)
    if (shares(r)) sums[bodyPair(r.key.i, r.key.j)] += part(r);
  std::vector<double> weights;
  weights.reserve(conf.interactions.size());
  for (const InteractionRecord& r : conf.interactions)
    weights.push_back(shares(r) ? part(r) / sums[bodyPair(r.key.i, r.key.j)] : 1.0);
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
    InteractionRecord r;
    r.key = {t.body, UINT32_MAX, Pairing::vertexVertex, static_cast<std::uint32_t>(number),
             t.boundary};
    r.dn = t.dn;
    if (acrossAxis)
      farSideOfCone(conf.boundaries[t.boundary], vertex, r.n);
    else
      conf.boundaries[t.boundary].distance(vertex, r.n);
    r.pos = vertex - r.n * (p.homothety * shape->radiusAt(number) + 0.5 * t.dn);
    r.fn = t.fn;
    r.ft = t.ft;
    r.mom = t.mom;
    r.vel = t.vel;
    contacts.push_back(r);
  }
  return contacts;
}

}  // namespace scree::sim
