// SPDX-License-Identifier: GPL-3.0-or-later
#include "soft_packing.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace scree::sim {
namespace {

/// Bodies whose contacts one thread finds, and such blocks that are found together.
constexpr std::size_t bodiesTogether = 64, blocksTogether = 64;
/// Distance beyond the shell within which contacts are found: a share of the smallest radius, or of
/// the shell. Half of it is the longest move of a step, for which the contacts found are enough.
constexpr double farthestLook = 0.04, farthestLookOfBalls = 0.3, shareOfShell = 0.3;
/// Stiffness of a contact while bodies are pushed apart: this, plus a part that grows with the
/// square of its intrusion over the shell. Deep contacts open first, at the cost of others.
constexpr double softness = 0.1;
/// Steps without progress after which bodies are not pushed apart any longer.
constexpr int patience = 15;
/// [-] of the stiffness of a contact. With the most, moves follow the resultants and are short.
constexpr double leastDamping = 1e-6, firstDamping = 1e-3, mostDamping = 1e4;

/// [-] of the length of an edge: over that part at either end the weight falls to zero.
constexpr double edgeEnd = 0.1;

/// Weight of a foot on an edge of i, at `foot` relative to its centre.
double weightAlong(const BodyPose& i, std::uint32_t edge, const Vec3& foot) {
  const shape::Edge& e = i.shape->edges[edge];
  const Vec3 begin = i.arm(i.shape->vertices[e[0]]), along = i.arm(i.shape->vertices[e[1]]) - begin;
  const double s = (foot - begin).dot(along) / along.squaredNorm();
  return std::clamp(std::min(s, 1.0 - s) / edgeEnd, 0.0, 1.0);
}

}  // namespace

ContactRegions::ContactRegions(const ShapeGeometry& g) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Vec3>> sides;
  for (const ShapeGeometry::Face& f : g.faces) {
    const auto all = g.sidesOf(f);
    for (std::size_t k = 0; k < all.size(); ++k)
      sides[std::minmax(all[k].corner, all[(k + 1) % all.size()].corner)].push_back(all[k].normal);
  }
  alongEdges_.resize(g.vertices.size());
  for (const shape::Edge& e : g.edges) {
    outOfFace_.push_back(sides[std::minmax(e[0], e[1])]);
    const Vec3 d = (g.vertices[e[1]] - g.vertices[e[0]]).normalized();
    alongEdges_[e[0]].push_back(d);
    alongEdges_[e[1]].push_back(-d);
  }
}

bool ContactRegions::ofEdge(std::uint32_t edge, const Vec3& n) const {
  return std::ranges::all_of(outOfFace_[edge], [&](const Vec3& out) { return out.dot(n) >= 0.0; });
}

bool ContactRegions::ofVertex(std::uint32_t vertex, const Vec3& n) const {
  return std::ranges::all_of(alongEdges_[vertex],
                             [&](const Vec3& along) { return along.dot(n) <= 0.0; });
}

double contactWeight(const Candidate& c, const BodyPose& i, const ContactRegions& ofI,
                     const BodyPose& j, const ContactRegions& ofJ, const Vec3& branch,
                     const Touch& touch) {
  switch (c.pairing) {
    case Pairing::vertexVertex:
      if (i.shape->edges.empty() && j.shape->edges.empty()) return 1.0;
      return (ofJ.ofVertex(c.jSub, j.inBody(touch.n)) ? 1.0 : 0.0) +
             (ofI.ofVertex(c.iSub, i.inBody(-touch.n)) ? 1.0 : 0.0);
    case Pairing::vertexEdge:
      return ofJ.ofEdge(c.jSub, j.inBody(touch.n)) ? 1.0 : 0.0;
    case Pairing::vertexFace:
      return 1.0;
    case Pairing::edgeEdge: {
      const Vec3 footI = touch.arm + touch.n * (i.radius + 0.5 * touch.dn);
      const Vec3 footJ = footI + branch - touch.n * (touch.dn + i.radius + j.radius);
      return weightAlong(i, c.iSub, footI) * weightAlong(j, c.jSub, footJ);
    }
  }
  return 1.0;
}

SoftPacking::SoftPacking(const std::vector<shape::Shape>& shapes, std::vector<PlacedBody> bodies,
                         const Container& container, int threads)
    : shapes_(container.withMeshWall(shapes, bodies)),
      driven_(container.convex() ? 0 : 1),
      container_(container),
      threads_(threads),
      geometry_(shapes_),
      periodic_(container.periodic()) {
  if (periodic_) images_.set(container.box().high.asDiagonal());
  for (std::uint32_t k = 0; k < shapes_.size(); ++k) regions_.emplace_back(geometry_.geometry(k));
  smallest_ = rounding_ = HUGE_VAL;
  const std::size_t n = bodies.size();
  bodies_.driven = driven_;
  for (std::size_t k = 0; k < n; ++k) {
    const PlacedBody& b = bodies[k];
    bodies_.pos.push_back(b.pos);
    bodies_.q.push_back(b.q);
    bodies_.homothety.push_back(b.homothety);
    bodies_.shape.push_back(b.shape);
    outer_.push_back(b.homothety * geometry_.outerRadius(b.shape));
    rounding_ = std::min(rounding_, b.homothety * shapes_[b.shape].leastRadius());
    if (k < driven_) continue;
    group_ = b.group;
    turning_ = turning_ || !geometry_.isBall(b.shape);
    largest_ = std::max(largest_, outer_[k]);
    smallest_ = std::min(smallest_, outer_[k]);
  }
  for (auto* values : {&bodies_.displacement, &bodies_.lastMove, &bodies_.boundingRadius})
    values->resize(n);
  bodies_.force.resize(n);
  bodies_.moment.resize(n);
  apart_.resize(n);
  poses_.resize(n);
}

double SoftPacking::lever(std::size_t k) const { return 0.6325 * scale_ * outer_[k]; }

void SoftPacking::setScale(double scale) {
  // Surfaces move out by the growth of the radius; lists take that for motion.
  const double change = std::abs(scale - scale_);
  for (std::size_t k = 0; k < outer_.size(); ++k)
    travel(k, 1.01 * change * (k < driven_ ? shapes_[bodies_.shape[k]].radius : outer_[k]));
  scale_ = scale;
}

void SoftPacking::setReach(double& reach, double to) {
  if (to > reach)  // contacts reach farther: lists take that for motion
    for (std::size_t k = 0; k < outer_.size(); ++k) travel(k, 0.51 * (to - reach));
  reach = to;
}

void SoftPacking::restore(const Snapshot& snapshot) {
  for (std::size_t k = driven_; k < outer_.size(); ++k) {
    Vec3& pos = bodies_.pos[k];
    Quat& q = bodies_.q[k];
    const double turned = 2.0 * (q.coeffs() - snapshot.q[k].coeffs()).norm() * outer_[k] * scale_;
    travel(k, (pos - snapshot.pos[k]).norm() + turned);
    pos = snapshot.pos[k];
    q = snapshot.q[k];
  }
  if (snapshot.scale != scale_) setScale(snapshot.scale);
}

BodyPose SoftPacking::poseOf(std::size_t k) const {
  BodyPose p = geometry_.poseOf(
      {bodies_.shape[k], group_, 0, false, homothety(k), bodies_.pos[k], bodies_.q[k]});
  if (k < driven_) p.radius *= scale_;  // A mesh is rounded by a share of the bodies.
  // Half of the shell on each: contacts act once surfaces are nearer than all of it.
  p.radius += 0.5 * (shell_ + look_);
  return p;
}

BodyPose SoftPacking::imageBeside(const NeighbourPair& pair) const {
  const Contacts& all = lists_.contacts;
  const auto number = static_cast<std::size_t>(&pair - all.pairs.data());
  return periodic_ ? imageOf(poses_[pair.b], images_, all.shifts[number]) : poses_[pair.b];
}

void SoftPacking::evaluatePair(NeighbourPair& pair, std::vector<SoftContact>& found) {
  const double path = bodies_.displacement[pair.a] + bodies_.displacement[pair.b];
  if (pair.skipUntil > path) return;
  const BodyPose &a = poses_[pair.a], b = imageBeside(pair);
  const ContactRegions &ofA = regions_[bodies_.shape[pair.a]],
                       &ofB = regions_[bodies_.shape[pair.b]];
  const Vec3 branch = a.pos - b.pos;
  const double perA = 1.0 / lever(pair.a), perB = 1.0 / lever(pair.b);
  pair.skipUntil = pair.expires;
  for (Candidate& c : lists_.contacts.candidatesOf(pair)) {
    Touch touch;
    double rest = 0.0;
    const BodyPose &i = c.swapped ? b : a, &j = c.swapped ? a : b;
    const Vec3 away = c.swapped ? Vec3(-branch) : branch;
    if (c.skipUntil > path || !touches(c, i, j, away, touch, rest)) {
      // Never below 0, which stands for a contact with a history.
      if (!(c.skipUntil > path)) c.skipUntil = std::max(path + rest - pair.slack, 0.0);
      pair.skipUntil = std::min(pair.skipUntil, c.skipUntil);
      continue;
    }
    c.skipUntil = pair.skipUntil = 0.0;
    SoftContact contact;
    contact.weight =
        contactWeight(c, i, c.swapped ? ofB : ofA, j, c.swapped ? ofA : ofB, away, touch);
    // Another contact of the two bodies is nearer, and counts instead.
    if (contact.weight == 0.0) continue;
    contact.a = pair.a;
    contact.b = pair.b;
    contact.n = c.swapped ? Vec3(-touch.n) : touch.n;
    // The point from the centre of a, and of b.
    const Vec3 armA = c.swapped ? Vec3(touch.arm - branch) : touch.arm, armB = armA + branch;
    contact.leverA = perA * armA.cross(contact.n);
    contact.leverB = perB * armB.cross(contact.n);
    contact.intrusion = -touch.dn - look_;
    contact.weight *= stiffening(contact.intrusion);
    const Rounding rounding = roundingOf<true>(c.pairing, i, j, c.iSub, c.jSub);
    contact.apart = touch.dn + rounding.i + rounding.j;
    contact.branch = contact.n.dot(branch);
    if (pair.a < driven_) {
      // A mesh stays as large as it is when bodies grow, except for its rounding.
      contact.branch = armB.dot(contact.n) + scale_ * shapes_[bodies_.shape[pair.a]].radius;
      // A ball that moves along a face stays as far from it as it is.
      if (!turning_ && c.pairing == Pairing::vertexFace) contact.apart = HUGE_VAL;
    }
    found.push_back(contact);
  }
}

double SoftPacking::stiffening(double intrusion) const {
  if (!pushing_) return 1.0;
  const double share = shell_ > 0.0 ? std::clamp(intrusion / shell_, 0.0, 1.0) : 0.0;
  return softness + share * share;
}

void SoftPacking::meetWalls(std::size_t k, std::vector<SoftContact>& found) const {
  const double outer = scale_ * outer_[k] + shell_ + look_;
  const BodyPose& p = poses_[k];
  const std::vector<Boundary>& walls = container_.walls();
  for (std::size_t w = 0; w < walls.size(); ++w) {
    SoftContact contact;
    contact.n = Vec3::UnitX();
    if (!(walls[w].distance(bodies_.pos[k], contact.n) < outer)) continue;
    contact.a = static_cast<BodyId>(k);
    contact.b = static_cast<BodyId>(bodies_.size() + w);
    contact.apart = HUGE_VAL;
    for (std::uint32_t v = 0; v < p.shape->vertices.size(); ++v) {
      // The wall has half of the shell, too.
      const double radius = p.radiusAt(v) + 0.5 * (shell_ + look_);
      const Vec3 arm = p.arm(p.shape->vertices[v]);
      const double depth = walls[w].distance(p.pos + arm, contact.n);
      if (!(radius > depth)) continue;
      const Vec3 point = arm - radius * contact.n;
      contact.leverA = point.cross(contact.n) / lever(k);
      contact.intrusion = radius - depth - look_;
      contact.weight = stiffening(contact.intrusion);
      contact.branch = -point.dot(contact.n);
      found.push_back(contact);
    }
  }
}

void SoftPacking::evaluate() {
  const std::size_t n = bodies_.size();
  parallelFor(
      threads_, n,
      [&](std::size_t k) {
        poses_[k] = poseOf(k);
        bodies_.boundingRadius[k] = homothety(k) * poses_[k].shape->boundingRadius;
      },
      bodiesTogether);
  lists_.update(bodies_, poses_, threads_, periodic_ ? &images_ : nullptr);
  const double far = shell_ + look_ + 2.0 * rounding_ * scale_;  // of all that are not in contact
  std::ranges::fill(bodies_.force, Vec3(Vec3::Zero()));
  std::ranges::fill(bodies_.moment, Vec3(Vec3::Zero()));
  std::ranges::fill(apart_, far);
  load_ = Load();
  Sums sums;
  contacts_.clear();
  const bool walls = !periodic_ && container_.convex();
  // Some blocks at a time, so that contacts are not held twice.
  found_.resize(blocksTogether);
  for (std::size_t from = 0; from < n; from += bodiesTogether * blocksTogether) {
    parallelFor(threads_, blocksTogether, [&](std::size_t block) {
      std::vector<SoftContact>& found = found_[block];
      found.clear();
      const std::size_t first = from + block * bodiesTogether;
      for (std::size_t k = first; k < std::min(first + bodiesTogether, n); ++k) {
        lists_.contacts.forEachPairOf(static_cast<BodyId>(k), [&](std::uint32_t r) {
          evaluatePair(lists_.contacts.pairs[r], found);
        });
        if (walls) meetWalls(k, found);
      }
    });
    for (const std::vector<SoftContact>& found : found_) {
      sumUp(found, sums);
      contacts_.insert(contacts_.end(), found.begin(), found.end());
    }
  }
  sumUpBodies(sums);
}

void SoftPacking::sumUp(std::span<const SoftContact> found, Sums& sums) {
  const std::size_t n = bodies_.size();
  for (std::size_t first = 0, end = 0; first < found.size(); first = end) {
    const BodyId a = found[first].a, b = found[first].b;
    double deepest = 0.0;
    for (; end < found.size() && found[end].a == a && found[end].b == b; ++end) {
      const SoftContact& c = found[end];
      apart_[a] = std::min(apart_[a], c.apart);
      if (b < n) apart_[b] = std::min(apart_[b], c.apart);
      if (const double overlap = c.intrusion - shell_; overlap >= 0.0 && c.branch > 0.0)
        load_.shrinkage = std::max(load_.shrinkage, overlap / c.branch);
      const double f = c.force();
      deepest = std::max(deepest, c.intrusion);
      if (!(f > 0.0)) continue;
      sums.forces += f;
      load_.energy += 0.5 * f * c.intrusion;
      load_.virial += f * c.branch;
      bodies_.force[a] += f * c.n;
      bodies_.moment[a] += f * c.leverA;
      if (b >= n) continue;
      bodies_.force[b] -= f * c.n;
      bodies_.moment[b] -= f * c.leverB;
    }
    if (!(deepest > 0.0)) continue;
    ++load_.contacts;
    sums.intrusions += deepest;
    load_.deepest = std::max(load_.deepest, deepest);
  }
}

void SoftPacking::sumUpBodies(const Sums& sums) {
  const std::size_t n = bodies_.size();
  double left = 0.0;
  for (std::size_t k = driven_; k < n; ++k) {
    left += bodies_.force[k].squaredNorm();
    if (turning_) left += bodies_.moment[k].squaredNorm();
  }
  load_.resultant = std::sqrt(left / static_cast<double>(std::max<std::size_t>(n - driven_, 1)));
  if (load_.contacts == 0) return;
  load_.mean = sums.intrusions / static_cast<double>(load_.contacts);
  load_.force = sums.forces / static_cast<double>(load_.contacts);
}

void SoftPacking::moveBody(std::size_t k, const Vec3& move, const Vec3& turn, double longest) {
  const bool turns = !geometry_.isBall(bodies_.shape[k]);
  const double outer = scale_ * outer_[k], angle = turns ? turn.norm() / lever(k) : 0.0;
  const double far = move.norm() + angle * outer;
  // No point moves by more than 0.4 of what parts it from another skeleton: none passes through.
  const double most = turning_ ? std::min(longest, 0.4 * std::max(apart_[k], 0.0)) : longest;
  const double share = far > most ? most / far : 1.0;
  if (!(far > 0.0)) {
    travel(k, 0.0);
    return;
  }
  const Vec3 moved = share * move;
  bodies_.pos[k] += moved;
  double displacement = moved.norm();
  if (turns) {
    // Half the angle, as a rational turn: no sine, and exactly a rotation.
    const Vec3 half = (0.5 * share / lever(k)) * turn;
    Quat by(1.0, half[0], half[1], half[2]);
    by.normalize();
    Quat& q = bodies_.q[k];
    const Quat before = q;
    q = (by * before).normalized();
    displacement += 2.0 * (q.coeffs() - before.coeffs()).norm() * outer;
  }
  travel(k, displacement);
}

bool SoftPacking::relax(RelaxationOptions options) {
  const bool exact = !turning_ && !pushing_;  // the contacts found hold for the whole move
  options.driven = driven_;
  options.shell = shell_;
  options.damping = exact ? damping_ : 0.0;
  options.hold = exact ? 0.0 : damping_;
  // Two balls that come towards each other move as far as contacts are looked for.
  if (!pushing_) options.farthest = 0.45 * look_;
  const Relaxed moves = relaxed(contacts_, bodies_.size(), turning_, options);
  const Snapshot before = snapshot();
  const Load load = load_;
  const double longest = exact ? HUGE_VAL : 0.5 * look_;
  for (std::size_t k = driven_; k < bodies_.size(); ++k)
    moveBody(k, moves.move[k], turning_ ? moves.turn[k] : Vec3(Vec3::Zero()), longest);
  if (moves.growth != 1.0) setScale(scale_ * moves.growth);
  evaluate();
  if (exact) {
    damping_ = moves.damping;
    return true;
  }
  // Near the balance the energy has no digits left: the resultants show whether it came nearer.
  if (load_.energy < load.energy || load_.resultant < load.resultant) {
    damping_ = std::max(0.2 * damping_, leastDamping);
    return true;
  }
  restore(before);
  evaluate();
  damping_ = std::min(10.0 * damping_, mostDamping);
  return false;
}

bool SoftPacking::clear(double enough, int most) {
  pushing_ = true;
  setReach(look_, std::max(farthestLook * smallest_ * scale_, shareOfShell * shell_));
  damping_ = firstDamping;
  evaluate();
  // Bodies that have no room stay where they are: no use to go on.
  double best = load_.deepest;
  int inVain = 0;
  for (int k = 0; k < most && load_.deepest > enough && inVain < patience; ++k) {
    relax({.tolerance = 0.2, .mostProducts = 15, .mostSteps = 1});
    ++inVain;
    if (load_.deepest < 0.95 * best) {
      best = load_.deepest;
      inVain = 0;
    }
  }
  return load_.deepest <= enough;
}

bool SoftPacking::minimise(double balance, double nothing, int most, double virial) {
  pushing_ = false;
  setReach(look_, (turning_ ? farthestLook : farthestLookOfBalls) * smallest_ * scale_);
  damping_ = firstDamping;
  evaluate();
  const auto done = [&] {
    if (virial > 0.0)
      return std::abs(load_.virial - virial) < 0.05 * virial &&
             load_.resultant <= balance * load_.force;
    return load_.deepest <= nothing || load_.resultant <= balance * load_.force;
  };
  for (int k = 0; k < most; ++k) {
    if (done()) return true;
    RelaxationOptions options{.balance = 0.9 * balance, .virial = virial};
    if (turning_) {
      // As exactly as the step may come near the goal.
      options.tolerance = std::clamp(0.3 * balance * load_.force / load_.resultant, 1e-3, 0.1);
      options.balance = 0.0;
      options.mostProducts = 300;
      options.mostSteps = 10;
    }
    relax(options);
  }
  return done();
}

std::vector<std::pair<BodyId, BodyId>> SoftPacking::loadedPoints() const {
  std::vector<std::pair<BodyId, BodyId>> loaded;
  for (const SoftContact& c : contacts_)
    if (c.presses()) loaded.emplace_back(c.a, c.b);
  return loaded;
}

std::size_t SoftPacking::crossings() {
  evaluate();
  std::size_t count = 0;
  for (const NeighbourPair& pair : lists_.contacts.pairs) {
    const BodyPose &a = poses_[pair.a], b = imageBeside(pair);
    const auto outer = [&](BodyId k) { return (k < driven_ ? 1.0 : scale_) * outer_[k]; };
    const double reach = outer(pair.a) + outer(pair.b);
    if ((a.pos - b.pos).squaredNorm() < reach * reach)
      count += geometry_.skeletonsCross(bodies_.shape[pair.a], a, bodies_.shape[pair.b], b);
  }
  return count;
}

std::vector<PlacedBody> SoftPacking::bodies() const {
  std::vector<PlacedBody> result(bodies_.size() - driven_);
  for (std::size_t n = 0; n < result.size(); ++n) {
    const std::size_t k = n + driven_;
    PlacedBody& body = result[n];
    body = {bodies_.shape[k], group_, 0, false, homothety(k), bodies_.pos[k], bodies_.q[k]};
    if (periodic_) body.pos -= images_.offset(images_.cellsOff(body.pos));
  }
  return result;
}

}  // namespace scree::sim
