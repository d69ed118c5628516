// SPDX-License-Identifier: GPL-3.0-or-later
#include "standing.hpp"

#include "contact/bond_geometry.hpp"
#include "detect/broad_phase.hpp"

#include <algorithm>

namespace scree::sim {

Standing::Standing(const CommandContext& context) {
  geometries.reserve(context.shapes.size());
  for (const shape::Shape& s : context.shapes) geometries.push_back(shapeGeometry(s));
  for (const ParticleRecord& p : context.conf.particles) {
    BodyPose body;
    body.pos = p.pos;
    body.turn = p.homothety * rotationMatrix(p.q.normalized());
    body.scale = p.homothety;
    body.radius = p.homothety * geometries[p.shapeName].radius;
    body.shape = &geometries[p.shapeName];
    poses.push_back(body);
  }
}

std::vector<std::pair<BodyId, BodyId>> Standing::pairsNearerThan(double gap) const {
  std::vector<shape::Aabb> boxes;
  for (const BodyPose& p : poses) {
    const Vec3 centre = p.pos + p.arm(p.shape->box.centre());
    const Vec3 half = p.turn.cwiseAbs() * p.shape->box.halfSize();
    const double grown = p.radius + 0.5 * gap +
                         1e-12 * (centre.cwiseAbs().maxCoeff() + half.maxCoeff());  // rounding
    shape::Aabb box;
    box.low = (centre - half).array() - grown;
    box.high = (centre + half).array() + grown;
    boxes.push_back(box);
  }
  return overlappingPairs(boxes, 0, 1);
}

Gluing::Gluing(CommandContext& context, const Standing& standing)
    : context_(context), standing_(standing) {
  if (context.conf.cell.used)
    context.diagnostics.warn(context.conf.errorAt(
        "usePeriodicCell", "bodies on opposite sides of the periodic cell are not glued"));
  for (const InterfaceRecord& r : context.conf.interfaces) glued_.push_back(bodyPair(r.i, r.j));
  std::sort(glued_.begin(), glued_.end());
}

bool Gluing::isGlued(BodyId a, BodyId b) const {
  return std::binary_search(glued_.begin(), glued_.end(), bodyPair(a, b));
}

void Gluing::add(InterfaceRecord face) {
  ++interfaces;
  bonds += face.bonds.size();
  added_.push_back(std::move(face));
}

void Gluing::finish(bool (*alsoEnds)(const Conf&, const InteractionRecord&)) {
  Conf& conf = context_.conf;
  const auto pairLess = [](const InterfaceRecord& x, const InterfaceRecord& y) {
    return bodyPair(x.i, x.j) < bodyPair(y.i, y.j);
  };
  std::vector<std::pair<BodyId, BodyId>> fresh;
  for (const InterfaceRecord& r : added_) fresh.push_back(bodyPair(r.i, r.j));
  std::sort(fresh.begin(), fresh.end());
  std::erase_if(conf.interactions, [&](const InteractionRecord& r) {
    const std::pair<BodyId, BodyId> pair = bodyPair(r.key.i, r.key.j);
    return std::binary_search(fresh.begin(), fresh.end(), pair) ||
           (alsoEnds && !std::binary_search(glued_.begin(), glued_.end(), pair) &&
            alsoEnds(conf, r));
  });
  for (InterfaceRecord& face : added_) {
    const BodyPose &i = standing_.poses[face.i], &j = standing_.poses[face.j];
    for (const BondRecord& b : face.bonds) {
      const Touch touch = bondGeometry(b.pairing, i, j, i.pos - j.pos, b.iSub, b.jSub);
      InteractionRecord r;
      r.key = {face.i, face.j, b.pairing, b.iSub, b.jSub};
      r.n = touch.n;
      r.dn = touch.dn;
      r.pos = i.pos + touch.arm;
      conf.interactions.push_back(r);
    }
    if (conf.paramsInInterfaces)
      face.params =
          bondParameters(conf, conf.particles[face.i].cluster == conf.particles[face.j].cluster,
                         conf.particles[face.i].group, conf.particles[face.j].group);
    conf.interfaces.push_back(std::move(face));
  }
  std::sort(conf.interactions.begin(), conf.interactions.end(),
            [](const InteractionRecord& x, const InteractionRecord& y) { return x.key < y.key; });
  std::stable_sort(conf.interfaces.begin(), conf.interfaces.end(), pairLess);
  conf.interactionLines.clear();
  conf.interfaceLines.clear();
  added_.clear();
}

}  // namespace scree::sim
