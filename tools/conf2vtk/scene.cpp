// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.hpp"

#include "scree/base/parallel.hpp"
#include "scree/mass/moments.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/rounded_surface.hpp"
#include "scree/sim/measure/domain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace scree::tools {

namespace {

/// Moves the points that belong to no face along their normals until `volume` is enclosed.
void fitVolume(shape::RoundedSurface& surface, const shape::ConvexHull& hull, double r,
               double volume) {
  std::vector<std::size_t> movable;
  for (std::size_t p = 0; p < surface.points.size(); ++p) {
    const Vec3& n = surface.normals[p];
    if (std::ranges::none_of(hull.normals,
                             [&](const Vec3& face) { return (face - n).squaredNorm() < 1e-9; }))
      movable.push_back(p);
  }
  if (movable.empty()) return;
  double moved = 0.0;
  const auto moveTo = [&](double d) {
    for (const std::size_t p : movable) surface.points[p] += (d - moved) * surface.normals[p];
    moved = d;
    return shape::signedVolume(surface.points, surface.cells);
  };
  // The volume is a smooth, growing function of so small a shift: secants meet it at once.
  double d0 = 0.0, v0 = moveTo(d0), d1 = 0.01 * r;
  for (int k = 0; k < 8; ++k) {
    const double v1 = moveTo(d1);
    if (std::abs(v1 - volume) <= 1e-12 * volume || v1 == v0) break;
    const double next = std::clamp(d1 + (volume - v1) * (d1 - d0) / (v1 - v0), 0.0, 0.3 * r);
    d0 = std::exchange(d1, next);
    v0 = v1;
  }
}

DrawnShape drawn(const shape::Shape& shape, int fineness, bool united) {
  DrawnShape result;
  if (fineness > 0) result.rounded = roundedOutline(shape, fineness, united);
  result.skeleton = skeletonOutline(shape);
  result.box = boxOutline(shape);
  for (std::size_t v = 0; v < shape.vertices.size(); ++v)
    result.reach = std::max(result.reach, shape.vertices[v].norm() + shape.radiusAt(v));
  result.isFlat = shape.vertices.size() > 2 && shape::convexHull(shape.vertices, 1e-6).rank == 2;
  result.shape = shape;
  return result;
}

}  // namespace

Outline roundedOutline(const shape::Shape& shape, int fineness, bool united) {
  if (shape.vertices.empty()) return {};
  const shape::Core core = shape.radius > 0.0 ? shape::coreOf(shape) : shape::Core{};
  std::optional<shape::RoundedSurface> surface;
  if (core.convex && core.hull.rank == 3) {
    // A little less than whole, so that the arcs of a dodecahedron (63.4 degrees) get two thirds.
    surface = shape::roundedSurface(shape, std::max(1.0, fineness - 0.2));
    fitVolume(*surface, core.hull, shape.radius,
              mass::sweptHullMoments(core.hull, shape.radius).m0);
  } else {
    // Balls and rods are finer: a ball of 4 q segments around loses some 1 / q² of its volume.
    const double segments = !shape.faces.empty() ? fineness : fineness == 1 ? 3.0 : 3.4 * fineness;
    if (!core.convex && united) surface = shape::unionSurface(shape, segments);
    if (!surface) surface = shape::roundedSurface(shape, segments);
  }
  return {
      std::move(surface->points), std::move(surface->normals), {}, {}, std::move(surface->cells)};
}

Outline skeletonOutline(const shape::Shape& shape) {
  Outline out;
  out.points = shape.vertices;
  std::vector<bool> used(shape.vertices.size(), false);
  for (std::size_t f = 0; f < shape.faces.size(); ++f)
    for (const std::uint32_t corner : shape.faces[f]) used[corner] = true;
  for (const auto& [from, to] : shape.edges) used[from] = used[to] = true;
  for (const auto& [from, to] : shape::freeEdges(shape.edges, shape.faces))
    out.lines.add({from, to});
  for (std::uint32_t v = 0; v < used.size(); ++v)
    if (!used[v]) out.vertices.add({v});
  out.polygons = shape.faces;
  return out;
}

Outline boxOutline(const shape::Shape& shape) {
  Outline out;
  const shape::Obb& box = shape.obb;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 signs(corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0);
    out.points.push_back(box.centre + box.axes * box.extent.cwiseProduct(signs));
  }
  for (const auto& face : {std::array<std::uint32_t, 4>{0, 2, 3, 1},
                           {4, 5, 7, 6},
                           {0, 1, 5, 4},
                           {2, 6, 7, 3},
                           {0, 4, 6, 2},
                           {1, 3, 7, 5}})
    out.polygons.add(face);
  return out;
}

DrawnShapes drawnShapes(std::vector<shape::Shape> shapes, int fineness, int threads) {
  constexpr std::size_t mostUnited = 1000;  // faces; some milliseconds each
  const std::size_t count = shapes.size();
  DrawnShapes all;
  all.shapes = std::move(shapes);
  all.drawn.resize(count);
  // Faces of the shapes that may be united: rounded, not convex, and not too many for one shape.
  std::vector<std::size_t> concave(count, 0);
  if (fineness > 0)
    parallelJobs(threads, count, [&](std::size_t k) {
      const shape::Shape& s = all.shapes[k];
      if (!s.isSurface && s.radius > 0.0 && s.faces.size() <= mostUnited &&
          !shape::coreOf(s).convex)
        concave[k] = s.faces.size();
    });
  const bool united = std::accumulate(concave.begin(), concave.end(), 0UL) <= mostUnited;
  parallelJobs(threads, count,
               [&](std::size_t k) { all.drawn[k] = drawn(all.shapes[k], fineness, united); });
  return all;
}

double Scene::radius(std::size_t body) const {
  return conf->particles[body].homothety * shapeOf(body).shape.radius;
}
bool Scene::isFlatWall(std::size_t body) const { return driven(body) && shapeOf(body).isFlat; }
Mat3 Scene::stress(std::size_t body) const {
  const double volume = instant->volumes()[body];
  return volume > 0.0 ? Mat3(instant->virials()[body] / volume) : Mat3(Mat3::Zero());
}
double Scene::mobilisation(std::size_t link) const {
  const sim::Link& l = links()[link];
  if (!l.touches() || l.kind == sim::Link::Kind::bond) return std::nan("");
  const double bound = law->frictionBound(l);
  return bound == 0.0 ? std::nan("") : l.ft.norm() / bound;
}
Vec3 Scene::displacement(std::size_t body) const {
  if (reference == nullptr || body >= reference->particles.size()) return Vec3::Zero();
  const Vec3 moved = conf->particles[body].pos - reference->particles[body].pos;
  if (!conf->cell.used) return moved;
  return moved - sim::Lattice(conf->cell.h).nearest(moved);
}
double Scene::rotationAngle(std::size_t body) const {
  if (reference == nullptr || body >= reference->particles.size()) return 0.0;
  const Quat turn = conf->particles[body].q * reference->particles[body].q.conjugate();
  return 2.0 * std::atan2(turn.vec().norm(), std::abs(turn.w()));
}
double Scene::size(std::size_t body) const {
  const double mean = std::cbrt(shapeOf(body).shape.obb.extent.prod());
  return mean > 0.0 ? conf->particles[body].homothety * mean : radius(body);
}

Scene sceneOf(const sim::Conf& conf, const DrawnShapes& shapes, const sim::Conf* reference) {
  Scene scene;
  scene.conf = &conf;
  scene.shapes = &shapes;
  scene.reference = reference;
  scene.instant = std::make_shared<const sim::Instant>(conf, shapes.shapes);
  scene.law = std::make_shared<const sim::LawValues>(*scene.instant);
  scene.counts = sim::contactCounts(*scene.instant);
  scene.damage = damageOf(scene);
  scene.fragment = sim::fragmentLabels(conf);
  return scene;
}

namespace {

struct PairSums {
  Vec3 force = Vec3::Zero(), normal = Vec3::Zero(), point = Vec3::Zero();  ///< point times weights
  double weight = 0.0;
  std::int32_t count = 0, wall = -1;
};

using sim::BodyId;

/// Place of a bond from the centre of i: the middle of its edge, or beyond its vertex.
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
    const auto bodies = link.pair();
    PairSums& sums = pairs[bodies];
    // Where no contact has a force, or a file tells none, all count alike.
    const double sign = link.i == bodies.first ? 1.0 : -1.0,
                 weight = std::isnan(link.fn) ? 1.0 : std::max(std::abs(link.fn), 1e-300);
    sums.force += sign * link.force();
    sums.normal += sign * weight * link.n;
    sums.weight += weight;
    sums.point += weight * beside(centre(bodies.first), link.pos);
    ++sums.count;
    if (link.j == Scene::noBody) sums.wall = static_cast<std::int32_t>(link.jSub);
  }
  std::vector<Chain> chains;
  double sumOfForces = 0.0;
  for (const auto& [bodies, sums] : pairs) {
    Chain chain{bodies.first, sums.wall >= 0 ? Scene::noBody : bodies.second, sums.wall};
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
