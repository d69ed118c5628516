// SPDX-License-Identifier: GPL-3.0-or-later
#include "links.hpp"

#include "arrays.hpp"

#include "scree/sim/measure/law_values.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace scree::tools {

namespace {

/// Contact points are seen from the centres of both bodies, which may be images of each other.
struct PairSums {
  Vec3 force = Vec3::Zero(), normal = Vec3::Zero();
  double weight = 0.0;
  Vec3 armI = Vec3::Zero(), armJ = Vec3::Zero(), point = Vec3::Zero();  ///< times weights
  std::int32_t count = 0, wall = -1;
};

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

/// Adds the bonds of an interface.
void addBonds(const Scene& scene, const sim::InterfaceRecord& face, bool broken,
              std::vector<DrawnBond>& bonds) {
  const sim::Conf& conf = *scene.conf;
  if (face.i >= conf.particles.size() || face.j >= conf.particles.size()) return;
  const auto &pi = conf.particles[face.i], &pj = conf.particles[face.j];
  const bool inner = pi.cluster == pj.cluster;
  for (const sim::BondRecord& record : face.bonds) {
    DrawnBond bond{face.i, face.j, record, broken ? 0 : inner ? 1 : 2};
    bond.bonds = static_cast<std::int32_t>(face.bonds.size());
    bond.dn0 = face.dn0 + record.extraGap;
    bond.area = face.area.value_or(0.0) / static_cast<double>(face.bonds.size());
    Vec3 arm = armOf(scene, bond);
    if (const std::size_t place = placeOf(conf, bond); place < conf.interactions.size()) {
      const sim::Link& link = scene.links()[place];
      bond.dn = link.dn;
      bond.fn = link.fn;
      bond.ft = link.ft.norm();
      arm = link.armI;
      if (!broken)
        bond.yield = sim::bondYield(
            face.params ? *face.params : sim::bondParameters(conf, inner, pi.group, pj.group),
            conf.interactions[place]);
    }
    bond.tubeRadius = 0.03 * 0.5 * (scene.size(bond.i) + scene.size(bond.j));
    bond.from = pi.pos;
    bond.point = pi.pos + arm;
    // The image of j that stands beside i.
    bond.to = bond.point - sim::Arms(conf.cell)(pj.pos, bond.point);
    bonds.push_back(bond);
  }
}

/// The pairs of bodies that bonds of a file join, sorted.
std::vector<std::pair<BodyId, BodyId>> bondedPairs(const sim::Conf& conf) {
  std::vector<std::pair<BodyId, BodyId>> pairs;
  for (const sim::InterfaceRecord& face : conf.interfaces)
    pairs.push_back(sim::bodyPair(face.i, face.j));
  std::ranges::sort(pairs);
  return pairs;
}

}  // namespace

std::vector<Chain> chainsOf(const Scene& scene) {
  std::map<std::pair<sim::BodyId, sim::BodyId>, PairSums> pairs;
  for (const sim::Link& link : scene.links()) {
    if (!acts(link)) continue;
    const bool atWall = link.j == Scene::noBody;
    const bool inOrder = atWall || link.i < link.j;
    const sim::BodyId low = inOrder ? link.i : link.j, high = inOrder ? link.j : link.i;
    PairSums& sums = pairs[{low, atWall ? Scene::noBody - link.jSub : high}];
    // Where no contact has a force, all count alike.
    const double sign = inOrder ? 1.0 : -1.0, weight = std::max(std::abs(link.fn), 1e-300);
    const Vec3 &armI = inOrder ? link.armI : link.armJ, &armJ = inOrder ? link.armJ : link.armI;
    sums.force += sign * link.force();
    sums.normal += sign * weight * link.n;
    sums.weight += weight;
    sums.armI += weight * armI;
    sums.armJ += weight * armJ;
    sums.point += weight * link.pos;
    ++sums.count;
    if (atWall) sums.wall = static_cast<std::int32_t>(link.jSub);
  }
  std::vector<Chain> chains;
  double sumOfForces = 0.0;
  for (const auto& [bodies, sums] : pairs) {
    Chain chain{bodies.first, sums.wall >= 0 ? Scene::noBody : bodies.second};
    chain.wall = sums.wall;
    const Vec3 armI = sums.armI / sums.weight, armJ = sums.armJ / sums.weight,
               point = sums.point / sums.weight;
    // The free body stands where it is; the other one, or its image, is seen from it. The centre of
    // a driven body may be anywhere: the line ends at the contact.
    const auto centre = [&](sim::BodyId body) { return scene.conf->particles[body].pos; };
    const bool cell = scene.conf->cell.used;
    if (sums.wall >= 0) {
      chain.from = centre(chain.i);
      chain.to = cell ? Vec3(chain.from + armI) : point;
    } else if (!scene.driven(chain.i)) {
      chain.from = centre(chain.i);
      if (scene.driven(chain.j))
        chain.to = cell ? Vec3(chain.from + armI) : point;
      else
        chain.to = cell ? Vec3(chain.from + armI - armJ) : centre(chain.j);
    } else {
      chain.from = cell ? Vec3(centre(chain.j) + armJ) : point;
      chain.to = scene.driven(chain.j) ? chain.from : centre(chain.j);
    }
    const Vec3 normal = sums.normal.norm() > 0.0 ? Vec3(sums.normal.normalized()) : Vec3::Zero();
    chain.fn = sums.force.dot(normal);
    chain.ft = (sums.force - chain.fn * normal).norm();
    chain.points = sums.count;
    sumOfForces += std::abs(chain.fn);
    chains.push_back(chain);
  }
  if (sumOfForces > 0.0) {
    const double mean = sumOfForces / static_cast<double>(chains.size());
    for (Chain& chain : chains) {
      const bool freeI = !scene.driven(chain.i), freeJ = chain.wall < 0 && !scene.driven(chain.j);
      const double size = freeI && freeJ ? 0.5 * (scene.size(chain.i) + scene.size(chain.j))
                                         : scene.size(freeI ? chain.i : chain.j);
      chain.tubeRadius = size * std::min(0.5, 0.15 * std::sqrt(std::abs(chain.fn) / mean));
    }
  }
  return chains;
}

std::vector<DrawnBond> bondsOf(const Scene& scene) {
  std::vector<DrawnBond> bonds;
  for (const sim::InterfaceRecord& face : scene.conf->interfaces)
    addBonds(scene, face, false, bonds);
  if (scene.reference == nullptr) return bonds;
  const auto holding = bondedPairs(*scene.conf);
  for (const sim::InterfaceRecord& face : scene.reference->interfaces)
    if (!std::ranges::binary_search(holding, sim::bodyPair(face.i, face.j)))
      addBonds(scene, face, true, bonds);
  return bonds;
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
  const auto holding = bondedPairs(*scene.conf);
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
