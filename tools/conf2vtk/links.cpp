// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.hpp"

#include "scree/sim/measure/domain.hpp"
#include "scree/sim/measure/law_values.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace scree::tools {

namespace {

struct PairSums {
  Vec3 force = Vec3::Zero(), normal = Vec3::Zero(), point = Vec3::Zero();  ///< point times weights
  double weight = 0.0;
  std::int32_t count = 0, wall = -1;
};

using sim::BodyId;

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

/// Adds the bonds of an interface. @param load  of the interface, as LawValues has it
void addBonds(const Scene& scene, const sim::InterfaceRecord& face, bool broken, double load,
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
    bond.load = load;
    if (const auto* const listed = sim::listedBond(conf, face, record)) {
      const sim::Link& link =
          scene.links()[static_cast<std::size_t>(listed - conf.interactions.data())];
      bond.dn = link.dn;
      bond.fn = link.fn;
      bond.ft = link.ft.norm();
      arm = link.armI;
      if (!broken)
        bond.yield = sim::bondYield(
            face.params ? *face.params : sim::bondParameters(conf, inner, pi.group, pj.group),
            *listed);
    }
    bond.tubeRadius = 0.03 * 0.5 * (scene.size(bond.i) + scene.size(bond.j));
    bond.from = pi.pos;
    bond.point = pi.pos + arm;
    // The image of j that stands beside i.
    bond.to = pj.pos;
    if (conf.cell.used) bond.to += sim::Lattice(conf.cell.h).nearest(bond.point - pj.pos);
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
  const sim::Conf& conf = *scene.conf;
  const sim::Lattice lattice(conf.cell.used ? conf.cell.h : Mat3(Mat3::Identity()));
  // A point, or its image that stands nearest to `from`.
  const auto beside = [&](const Vec3& from, const Vec3& p) {
    return conf.cell.used ? Vec3(p - lattice.nearest(p - from)) : p;
  };
  const auto centre = [&](sim::BodyId body) { return conf.particles[body].pos; };
  std::map<std::pair<sim::BodyId, sim::BodyId>, PairSums> pairs;
  for (const sim::Link& link : scene.links()) {
    // Neither an overlap nor a force.
    if (link.dn > 0.0 && link.fn == 0.0 && link.ft.isZero(0.0)) continue;
    const bool atWall = link.j == Scene::noBody;
    const auto bodies =
        atWall ? std::pair(link.i, Scene::noBody - link.jSub) : sim::bodyPair(link.i, link.j);
    PairSums& sums = pairs[bodies];
    // Where no contact has a force, or a file tells none, all count alike.
    const double sign = link.i == bodies.first ? 1.0 : -1.0,
                 weight = std::isnan(link.fn) ? 1.0 : std::max(std::abs(link.fn), 1e-300);
    sums.force += sign * link.force();
    sums.normal += sign * weight * link.n;
    sums.weight += weight;
    sums.point += weight * beside(centre(bodies.first), link.pos);
    ++sums.count;
    if (atWall) sums.wall = static_cast<std::int32_t>(link.jSub);
  }
  std::vector<Chain> chains;
  double sumOfForces = 0.0;
  for (const auto& [bodies, sums] : pairs) {
    Chain chain{bodies.first, sums.wall >= 0 ? Scene::noBody : bodies.second};
    chain.wall = sums.wall;
    // A free body stands where it is, and the other one, or its image, beside it. The centre of a
    // driven body may be anywhere: the line ends at the contact.
    const bool freeI = !scene.driven(chain.i), freeJ = sums.wall < 0 && !scene.driven(chain.j);
    const Vec3 root = centre(freeI || !freeJ ? chain.i : chain.j),
               point = beside(root, sums.point / sums.weight);
    chain.from = freeI || !freeJ ? root : point;
    chain.to = freeJ ? beside(root, centre(chain.j)) : point;
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
  const std::vector<double> loads = scene.law->bondLoads();
  for (std::size_t k = 0; k < loads.size(); ++k)
    addBonds(scene, scene.conf->interfaces[k], false, loads[k], bonds);
  if (scene.reference == nullptr) return bonds;
  const auto holding = bondedPairs(*scene.conf);
  for (const sim::InterfaceRecord& face : scene.reference->interfaces)
    if (!std::ranges::binary_search(holding, sim::bodyPair(face.i, face.j)))
      addBonds(scene, face, true, 1.0, bonds);
  return bonds;
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
