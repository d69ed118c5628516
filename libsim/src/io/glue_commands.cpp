// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that glue bodies.
#include "contact/bond_geometry.hpp"
#include "contact/kinematics.hpp"
#include "detect/broad_phase.hpp"
#include "detect/near_distance.hpp"
#include "detect/sub_search.hpp"

#include "scree/sim/io/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace scree::sim {
namespace {

/// Bodies of a conf where they stand, in its periodic cell if it has one.
struct Standing {
  std::vector<ShapeGeometry> geometries;
  std::vector<BodyPose> poses;
  std::optional<Images> images;

  Standing(const Conf& conf, std::span<const shape::Shape> shapes) {
    geometries.reserve(shapes.size());
    for (const shape::Shape& s : shapes) geometries.push_back(shapeGeometry(s));
    for (const ParticleRecord& p : conf.particles) {
      const ShapeGeometry& shape = geometries[p.shapeName];
      poses.push_back({p.pos, p.homothety * rotationMatrix(p.q.normalized()), Vec3::Zero(),
                       Vec3::Zero(), p.homothety, p.homothety * shape.radius, &shape});
    }
    if (conf.cell.used) images.emplace().set(conf.cell.h);
  }
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;

  /// Pairs a < b whose boxes, or images, are nearer than `gap`, sorted. O(n log n + pairs).
  std::vector<std::pair<BodyId, BodyId>> pairsNearerThan(double gap) const {
    std::vector<shape::Aabb> boxes;
    for (const BodyPose& p : poses) {
      shape::Aabb& box = boxes.emplace_back(boxOf(p, p.radius + 0.5 * gap));
      if (images) box.move(-images->offset(images->cellsOff(p.pos)));
    }
    return images ? overlappingImages(boxes, images->h, 0, 1) : overlappingPairs(boxes, 0, 1);
  }
  /// Body b, or its image that stands nearest to body a.
  BodyPose beside(BodyId a, BodyId b) const {
    if (!images) return poses[b];
    return imageOf(poses[b], *images, images->nearest(poses[a].pos - poses[b].pos));
  }
};

/// Glues pairs of bodies that are not glued yet. Takes new interfaces, with the contacts that hold
/// their (unloaded) state, and keeps the lists of the conf sorted.
class Gluing {
 public:
  Gluing(Conf& conf, std::span<const shape::Shape> shapes) : standing(conf, shapes), conf_(conf) {
    for (const InterfaceRecord& r : conf.interfaces) glued_.push_back(bodyPair(r.i, r.j));
    std::ranges::sort(glued_);
  }
  /// Whether an interface glues the pair already. O(log interfaces).
  bool isGlued(BodyId a, BodyId b) const {
    return std::ranges::binary_search(glued_, bodyPair(a, b));
  }
  void add(InterfaceRecord face) {
    ++interfaces;
    bonds += face.bonds.size();
    added_.push_back(std::move(face));
  }
  /// Puts the new interfaces into the conf; all other contacts of their pairs end.
  /// @param alsoEnds  for each contact of other pairs, whether it ends, too
  void finish(bool (*alsoEnds)(const Conf&, const InteractionRecord&) = nullptr) {
    const auto pairOf = [](const InterfaceRecord& r) { return bodyPair(r.i, r.j); };
    std::vector<std::pair<BodyId, BodyId>> fresh;
    for (const InterfaceRecord& r : added_) fresh.push_back(pairOf(r));
    std::ranges::sort(fresh);
    std::erase_if(conf_.interactions, [&](const InteractionRecord& r) {
      return std::ranges::binary_search(fresh, bodyPair(r.key.i, r.key.j)) ||
             (alsoEnds && !isGlued(r.key.i, r.key.j) && alsoEnds(conf_, r));
    });
    for (InterfaceRecord& face : added_) {
      const BodyPose &i = standing.poses[face.i], j = standing.beside(face.i, face.j);
      for (const BondRecord& b : face.bonds) {
        const Touch touch = bondGeometry(b.pairing, i, j, i.pos - j.pos, b.iSub, b.jSub);
        conf_.interactions.push_back(
            {{face.i, face.j, b.pairing, b.iSub, b.jSub}, touch.n, touch.dn, i.pos + touch.arm});
      }
      const ParticleRecord &pi = conf_.particles[face.i], &pj = conf_.particles[face.j];
      if (conf_.paramsInInterfaces && !face.params)
        face.params = bondParameters(conf_, pi.cluster == pj.cluster, pi.group, pj.group);
      conf_.interfaces.push_back(std::move(face));
    }
    std::ranges::sort(conf_.interactions, {}, &InteractionRecord::key);
    std::ranges::stable_sort(conf_.interfaces, {}, pairOf);
    conf_.interactionLines.clear();
    conf_.interfaceLines.clear();
  }

  const Standing standing;
  std::size_t interfaces = 0, bonds = 0;  ///< new ones

 private:
  Conf& conf_;
  std::vector<std::pair<BodyId, BodyId>> glued_;
  std::vector<InterfaceRecord> added_;
};

/// Lets the bonds of an interface rest at the gaps at which they are glued. Gaps that are equal but
/// for rounding, 1e-9 of `size`, count as equal, and gaps within that as 0.
void restAt(const std::vector<double>& gaps, double size, InterfaceRecord& face) {
  double mean = 0.0, farthest = 0.0;
  for (const double gap : gaps) mean += gap / static_cast<double>(gaps.size());
  for (const double gap : gaps) farthest = std::max(farthest, std::abs(gap - mean));
  const double rounding = 1e-9 * size;
  face.dn0 = std::abs(mean) > rounding || farthest > rounding ? mean : 0.0;
  for (std::size_t k = 0; farthest > rounding && k < gaps.size(); ++k)
    face.bonds[k].extraGap = gaps[k] - mean;
}

struct NearContact {
  Candidate candidate;
  Vec3 point = Vec3::Zero();  ///< from the centre of the lower body
  double dn = 0.0;
};

/// Contacts of two bodies that stand over each other and are nearer than `epsilon`.
std::vector<NearContact> contactsNearerThan(double epsilon, const BodyPose& a, const BodyPose& b,
                                            NearSubElements& near) {
  findNear(a, b, epsilon, near);
  BodyPose thickA = a, thickB = b;  // what is nearer than epsilon touches with half of it on each
  thickA.radius += 0.5 * epsilon;
  thickB.radius += 0.5 * epsilon;
  const Vec3 branch = a.pos - b.pos;
  std::vector<NearContact> found;
  for (const Candidate& c : near.candidates) {
    Touch touch;
    double rest = 0.0;
    const Vec3 d = c.swapped ? Vec3(-branch) : branch;
    if (!touches(c, c.swapped ? thickB : thickA, c.swapped ? thickA : thickB, d, touch, rest))
      continue;
    touch = bondGeometry(c.pairing, c.swapped ? b : a, c.swapped ? a : b, d, c.iSub, c.jSub);
    found.push_back({c, c.swapped ? Vec3(touch.arm + d) : touch.arm, touch.dn});
  }
  return found;
}

/// The contact nearest to the mean point of all; of several as near, to rounding, the last.
const NearContact& central(const std::vector<NearContact>& contacts) {
  Vec3 mean = Vec3::Zero();
  for (const NearContact& c : contacts) mean += c.point;
  mean /= static_cast<double>(contacts.size());
  double farthest = 0.0;
  for (const NearContact& c : contacts) farthest = std::max(farthest, (c.point - mean).norm());
  const NearContact* best = &contacts.front();
  for (const NearContact& c : contacts)
    if ((c.point - mean).norm() <= (best->point - mean).norm() + 1e-9 * farthest) best = &c;
  return *best;
}

}  // namespace

void glue(Conf& conf, std::span<const shape::Shape> shapes,
          std::vector<InterfaceRecord> interfaces) {
  Gluing gluing(conf, shapes);
  for (InterfaceRecord& face : interfaces) gluing.add(std::move(face));
  gluing.finish();
}

/// Glues all pairs of vertices nearer than `epsilon` of bodies of one cluster.
/// @param walls     driven bodies, too
/// @param withArea  each interface gets the area of its bonds
void stickVertices(CommandContext& context, TextReader& arguments, bool walls, bool withArea) {
  const double epsilon = arguments.positive("epsilon");
  const Conf& conf = context.conf;
  Gluing gluing(context.conf, context.shapes);
  const Standing& standing = gluing.standing;
  NearSubElements near;
  double area = 0.0, widest = 0.0;
  for (const auto& [a, b] : standing.pairsNearerThan(epsilon)) {
    if (conf.particles[a].cluster != conf.particles[b].cluster || gluing.isGlued(a, b)) continue;
    if (a < conf.nDriven && !walls) continue;
    const BodyPose &i = standing.poses[a], j = standing.beside(a, b);
    findNear(i, j, epsilon, near);
    InterfaceRecord face;
    face.i = a;
    face.j = b;
    std::vector<Vec3> points;
    std::vector<double> gaps;
    for (const Candidate& c : near.candidates) {
      if (c.pairing != Pairing::vertexVertex) continue;
      const Touch touch = bondGeometry(c.pairing, i, j, i.pos - j.pos, c.iSub, c.jSub);
      if (touch.dn >= epsilon) continue;
      face.bonds.push_back({c.pairing, c.iSub, c.jSub, Vec3::Zero()});
      points.push_back(touch.arm);
      gaps.push_back(touch.dn);
      widest = std::max(widest, std::abs(touch.dn));
    }
    if (face.bonds.empty()) continue;
    if (!context.asPublished) restAt(gaps, i.radius + i.scale * i.shape->boundingRadius, face);
    if (withArea) {
      face.area = bondArea(points);
      area += *face.area;
    }
    gluing.add(std::move(face));
  }
  gluing.finish();
  std::string note = fmt::format("{}: {} bonds in {} interfaces", context.keyword, gluing.bonds,
                                 gluing.interfaces);
  if (withArea && gluing.interfaces > 0)
    note += fmt::format(", with an area of {:.6g} in all", area);
  if (widest > 1e-6 * epsilon)
    note += fmt::format(", {} gaps and overlaps of up to {:.6g}",
                        context.asPublished ? "loaded by" : "unloaded at", widest);
  context.diagnostics.note(note);
}

/// Glues bodies of different clusters by one bond each pair, at the contact in their middle.
void stickClusters(CommandContext& context, TextReader& arguments) {
  const double epsilon = arguments.positive("epsilon");
  const Conf& conf = context.conf;
  Gluing gluing(context.conf, context.shapes);
  const Standing& standing = gluing.standing;
  NearSubElements near;
  for (const auto& [a, b] : standing.pairsNearerThan(epsilon)) {
    if (conf.particles[a].cluster == conf.particles[b].cluster || gluing.isGlued(a, b)) continue;
    if (a < conf.nDriven && (b < conf.nDriven || !conf.glueWithWalls)) continue;
    const auto contacts =
        contactsNearerThan(epsilon, standing.poses[a], standing.beside(a, b), near);
    if (contacts.empty()) continue;
    const NearContact& chosen = central(contacts);
    const Candidate& c = chosen.candidate;
    InterfaceRecord face;
    face.i = c.swapped ? b : a;
    face.j = c.swapped ? a : b;
    face.dn0 = chosen.dn;
    face.bonds = {{c.pairing, c.iSub, c.jSub, Vec3::Zero()}};
    gluing.add(std::move(face));
  }
  gluing.finish([](const Conf& all, const InteractionRecord& r) {
    return r.key.i >= all.nDriven && r.key.j >= all.nDriven &&
           all.particles[r.key.i].cluster != all.particles[r.key.j].cluster;
  });
  context.diagnostics.note(
      fmt::format("stickClusters: {} interfaces of one bond each", gluing.interfaces));
}

}  // namespace scree::sim
