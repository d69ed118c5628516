// SPDX-License-Identifier: GPL-3.0-or-later
#include "bonds.hpp"

#include "scree/sim/measure/law_values.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace scree::tools {
namespace {

using sim::BodyId;

/// The place of a bond among the interactions, where the file lists it; else their number.
std::size_t placeOf(const sim::Conf& conf, const DrawnBond& bond) {
  const sim::ContactKey key{bond.i, bond.j, bond.bond.pairing, bond.bond.iSub, bond.bond.jSub};
  const auto found =
      std::ranges::lower_bound(conf.interactions, key, {}, &sim::InteractionRecord::key);
  return found != conf.interactions.end() && found->key == key
             ? static_cast<std::size_t>(found - conf.interactions.begin())
             : conf.interactions.size();
}

/// Where a bond is, seen from the centre of i: the middle of its edge, or beyond its vertex.
Vec3 armOf(const Scene& scene, const DrawnBond& bond) {
  const shape::Shape& shape = scene.shapeOf(bond.i).shape;
  const sim::ParticleRecord& p = scene.conf->particles[bond.i];
  Vec3 local = Vec3::Zero();
  if (bond.bond.pairing == sim::Pairing::edgeEdge) {
    if (bond.bond.iSub < shape.edges.size()) {
      const shape::Edge& e = shape.edges[bond.bond.iSub];
      local = 0.5 * (shape.vertices[e[0]] + shape.vertices[e[1]]);
    }
  } else if (bond.bond.iSub < shape.vertices.size()) {
    local = shape.vertices[bond.bond.iSub];
  }
  return rotated(p.q, p.homothety * local);
}

/// A point on the line from the bond to one of its ends, a tube radius away from the bend. The ring
/// of a tube at a bend lies across the mean direction. Without such points beside it, the tube
/// would narrow along its whole length.
Vec3 besideBend(const DrawnBond& bond, const Vec3& end) {
  const double length = (end - bond.point).norm();
  const double share = length > 0.0 ? std::min(0.25, bond.tubeRadius / length) : 0.0;
  return bond.point + share * (end - bond.point);
}

class BondList {
 public:
  explicit BondList(const Scene& scene) : scene_(scene), conf_(*scene.conf), arm_(conf_.cell) {}

  void add(const sim::InterfaceRecord& face, bool broken) {
    if (face.i >= conf_.particles.size() || face.j >= conf_.particles.size()) return;
    const auto &pi = conf_.particles[face.i], &pj = conf_.particles[face.j];
    const bool inner = pi.cluster == pj.cluster;
    for (const sim::BondRecord& record : face.bonds) {
      DrawnBond bond;
      bond.i = face.i;
      bond.j = face.j;
      bond.bond = record;
      bond.state = broken ? 0 : inner ? 1 : 2;
      bond.bonds = static_cast<std::int32_t>(face.bonds.size());
      bond.dn0 = face.dn0;
      bond.area = face.area.value_or(0.0) / static_cast<double>(face.bonds.size());
      Vec3 arm = armOf(scene_, bond);
      if (const std::size_t place = placeOf(conf_, bond); place < conf_.interactions.size()) {
        const sim::Link& link = scene_.links()[place];
        bond.dn = link.dn;
        bond.fn = link.fn;
        bond.ft = link.ft.norm();
        arm = link.armI;
        if (!broken) {
          bond.yield = sim::bondYield(
              face.params ? *face.params : sim::bondParameters(conf_, inner, pi.group, pj.group),
              conf_.interactions[place]);
        }
      }
      bond.tubeRadius = 0.03 * 0.5 * (scene_.size(bond.i) + scene_.size(bond.j));
      bond.from = pi.pos;
      bond.point = pi.pos + arm;
      // The image of j that stands beside i.
      bond.to = bond.point - arm_(pj.pos, bond.point);
      bonds.push_back(bond);
    }
  }

  std::vector<DrawnBond> bonds;

 private:
  const Scene& scene_;
  const sim::Conf& conf_;
  sim::Arms arm_;
};

}  // namespace

std::vector<DrawnBond> bondsOf(const Scene& scene) {
  BondList list(scene);
  std::vector<std::pair<BodyId, BodyId>> holding;
  for (const sim::InterfaceRecord& face : scene.conf->interfaces) {
    holding.push_back(sim::bodyPair(face.i, face.j));
    list.add(face, false);
  }
  std::ranges::sort(holding);
  if (scene.reference != nullptr)
    for (const sim::InterfaceRecord& face : scene.reference->interfaces)
      if (!std::ranges::binary_search(holding, sim::bodyPair(face.i, face.j))) list.add(face, true);
  return std::move(list.bonds);
}

vtp::PolyPiece bondsPiece(const Scene& scene, bool doubles) {
  vtp::PolyPiece piece;
  std::vector<DrawnBond> bonds = bondsOf(scene);
  std::erase_if(bonds, [&](const DrawnBond& b) { return !scene.showsBetween(b.i, b.j); });
  const std::vector<double> damage = damageOf(scene);
  const auto add = [&](const char* name, const char* unit, auto zero, const auto& value) {
    std::vector<decltype(zero)> values;
    for (const DrawnBond& b : bonds) values.push_back(static_cast<decltype(zero)>(value(b)));
    piece.cellData.push_back({name, unit, 1, std::move(values)});
  };
  const auto addReal = [&](const char* name, const char* unit, const auto& value) {
    std::vector<double> values;
    for (const DrawnBond& b : bonds) values.push_back(value(b));
    piece.cellData.push_back(realArray(name, unit, std::move(values), doubles));
  };
  using B = DrawnBond;
  add("id_i", "", std::int32_t{}, [](const B& b) { return b.i; });
  add("id_j", "", std::int32_t{}, [](const B& b) { return b.j; });
  add("type", "", std::uint8_t{}, [](const B& b) { return b.bond.pairing; });
  add("sub_i", "", std::int32_t{}, [](const B& b) { return b.bond.iSub; });
  add("sub_j", "", std::int32_t{}, [](const B& b) { return b.bond.jSub; });
  add("state", "", std::uint8_t{}, [](const B& b) { return b.state; });
  add("bonds", "", std::int32_t{}, [](const B& b) { return b.bonds; });
  add("dn", "m", double{}, [](const B& b) { return b.dn; });
  add("dn0", "m", double{}, [](const B& b) { return b.dn0; });
  add("fn", "N", double{}, [](const B& b) { return b.fn; });
  add("ft_norm", "N", double{}, [](const B& b) { return b.ft; });
  add("area", "m2", double{}, [](const B& b) { return b.area; });
  addReal("yield", "", [](const B& b) { return b.yield; });
  addReal("damage", "", [&](const B& b) { return std::max(damage[b.i], damage[b.j]); });
  std::vector<double> radii;
  for (const DrawnBond& b : bonds) {
    const auto first = static_cast<std::uint32_t>(piece.points.size());
    radii.insert(radii.end(), 5, b.tubeRadius);
    for (const Vec3& p : {b.from, besideBend(b, b.from), b.point, besideBend(b, b.to), b.to})
      piece.points.push_back(p);
    piece.lines.add({first, first + 1, first + 2, first + 3, first + 4});
  }
  piece.pointData.push_back(realArray("tube_radius", "m", std::move(radii), doubles));
  piece.scalars = "state";
  return piece;
}

std::vector<double> damageOf(const Scene& scene) {
  const std::size_t n = scene.bodyCount();
  std::vector<double> damage(n, 0.0);
  if (scene.reference == nullptr) return damage;
  std::vector<std::pair<BodyId, BodyId>> holding;
  for (const sim::InterfaceRecord& face : scene.conf->interfaces)
    holding.push_back(sim::bodyPair(face.i, face.j));
  std::ranges::sort(holding);
  const auto& faces = scene.reference->interfaces;
  const bool areas = std::ranges::all_of(faces, [](const auto& f) { return f.area.has_value(); });
  std::vector<double> all(n, 0.0);
  for (const sim::InterfaceRecord& face : faces) {
    const double part = areas ? *face.area : static_cast<double>(face.bonds.size());
    const bool broken = !std::ranges::binary_search(holding, sim::bodyPair(face.i, face.j));
    for (const BodyId body : {face.i, face.j}) {
      if (body >= n) continue;
      all[body] += part;
      if (broken) damage[body] += part;
    }
  }
  for (std::size_t b = 0; b < n; ++b)
    if (all[b] > 0.0) damage[b] /= all[b];
  return damage;
}

}  // namespace scree::tools
