// SPDX-License-Identifier: GPL-3.0-or-later
#include "soft_packing.hpp"

#include "engine/pair_forces.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::sim {
namespace {

/// Bodies whose walls, and blocks of pairs whose contacts, are found together.
constexpr std::size_t bodiesTogether = 256, blocksTogether = 16;
/// Distance beyond the shell within which contacts are found: a share of the smallest radius, or of
/// the shell. Half of it is the longest move of a step, for which the contacts found are enough.
constexpr double farthestLook = 0.04, farthestLookOfBalls = 0.3, shareOfShell = 0.3;
/// Margin of pairs as a share of the smallest radius, and of their candidates as one of that look.
constexpr double marginOfPairs = 0.2, skinOfLook = 0.5;
/// Stiffness of a contact while bodies are pushed apart: this, plus a part that grows with the
/// square of its intrusion over the shell. Deep contacts open first, at the cost of those that are
/// not deep.
constexpr double softness = 0.1;
/// Steps without progress after which bodies are not pushed apart any longer.
constexpr int patience = 15;
/// [-] of the stiffness of a contact. With the most, moves follow the resultants and are short.
constexpr double leastDamping = 1e-6, firstDamping = 1e-3, mostDamping = 1e4;

}  // namespace

std::vector<shape::Shape> SoftPacking::withWall(const std::vector<shape::Shape>& shapes,
                                                std::vector<PlacedBody>& bodies,
                                                const Container& container) {
  if (container.convex()) return shapes;
  Packing walled{shapes, std::move(bodies), {}, {}};
  container.addWalls(walled);
  bodies = std::move(walled.bodies);
  return std::move(walled.shapes);
}

SoftPacking::SoftPacking(const std::vector<shape::Shape>& shapes, std::vector<PlacedBody> bodies,
                         const Container& container, int threads)
    : shapes_(withWall(shapes, bodies, container)),
      driven_(container.convex() ? 0 : 1),
      container_(container),
      threads_(threads),
      geometry_(shapes_),
      near_(bodies.size()),
      periodic_(container.periodic()) {
  if (periodic_) images_.set(container.box().high.asDiagonal());
  for (std::uint32_t k = 0; k < shapes_.size(); ++k) regions_.emplace_back(geometry_.geometry(k));
  smallest_ = rounding_ = HUGE_VAL;
  const std::size_t n = bodies.size();
  pos_.reserve(n);
  q_.reserve(n);
  for (std::size_t k = 0; k < n; ++k) {
    const PlacedBody& b = bodies[k];
    pos_.push_back(b.pos);
    q_.push_back(b.q);
    homothety_.push_back(b.homothety);
    shape_.push_back(b.shape);
    outer_.push_back(b.homothety * geometry_.outerRadius(b.shape));
    rounding_ = std::min(rounding_, b.homothety * shapes_[b.shape].leastRadius());
    if (k < driven_) continue;
    group_ = b.group;
    turning_ = turning_ || !geometry_.isBall(b.shape);
    largest_ = std::max(largest_, outer_[k]);
    smallest_ = std::min(smallest_, outer_[k]);
  }
  force_.resize(n);
  moment_.resize(n);
  apart_.resize(n);
}

double SoftPacking::lever(std::size_t k) const { return 0.6325 * scale_ * outer_[k]; }

void SoftPacking::setScale(double scale) {
  // Surfaces move out by the growth of the radius; lists take that for motion.
  const double change = std::abs(scale - scale_);
  for (std::size_t k = 0; k < outer_.size(); ++k)
    near_.travel(k, 1.01 * change * (k < driven_ ? shapes_[shape_[k]].radius : outer_[k]));
  scale_ = scale;
}

void SoftPacking::setShell(double shell) {
  if (shell > shell_)  // contacts reach farther: lists take that for motion
    for (std::size_t k = 0; k < outer_.size(); ++k) near_.travel(k, 0.51 * (shell - shell_));
  shell_ = shell;
}

void SoftPacking::setLook(double look) {
  if (look > look_)
    for (std::size_t k = 0; k < outer_.size(); ++k) near_.travel(k, 0.51 * (look - look_));
  look_ = look;
}

void SoftPacking::restore(const Snapshot& snapshot) {
  for (std::size_t k = driven_; k < outer_.size(); ++k) {
    const double turned =
        2.0 * (q_[k].coeffs() - snapshot.q[k].coeffs()).norm() * outer_[k] * scale_;
    near_.travel(k, (pos_[k] - snapshot.pos[k]).norm() + turned);
    pos_[k] = snapshot.pos[k];
    q_[k] = snapshot.q[k];
  }
  if (snapshot.scale != scale_) setScale(snapshot.scale);
}

BodyPose SoftPacking::poseOf(std::size_t k) const {
  PlacedBody body;
  body.shape = shape_[k];
  body.homothety = homothety(k);
  body.pos = pos_[k];
  body.q = q_[k];
  BodyPose p = geometry_.poseOf(body);
  if (k < driven_) p.radius *= scale_;  // A mesh is rounded by a share of the bodies.
  // Half of the shell on each: contacts act once surfaces are nearer than all of it.
  p.radius += 0.5 * (shell_ + look_);
  return p;
}

void SoftPacking::evaluatePair(std::size_t block, NearPairs::Pair& pair,
                               std::vector<SoftContact>& found) {
  const double path = near_.path(pair);
  if (static_cast<double>(pair.skipUntil) > path) return;
  const BodyPose a = poseOf(pair.a);
  BodyPose b = poseOf(pair.b);
  if (periodic_) b.pos += images_.offset(near_.shift(pair));
  const Vec3 branch = a.pos - b.pos;
  const double perA = 1.0 / lever(pair.a), perB = 1.0 / lever(pair.b);
  float skipUntil = pair.expires;
  for (NearPairs::Sub& sub : near_.candidates(block, pair)) {
    if (static_cast<double>(sub.skipUntil) > path) {
      skipUntil = std::min(skipUntil, sub.skipUntil);
      continue;
    }
    const Candidate c = sub.candidate();
    Touch touch;
    double rest = 0.0;
    const BodyPose &i = c.swapped ? b : a, &j = c.swapped ? a : b;
    const Vec3 away = c.swapped ? Vec3(-branch) : branch;
    if (!touches(c, i, j, away, touch, rest)) {
      sub.skipUntil = near_.bound(path + rest);
      skipUntil = std::min(skipUntil, sub.skipUntil);
      continue;
    }
    sub.skipUntil = skipUntil = -1.0F;
    SoftContact contact;
    contact.weight = contactWeight(c, i, regions_[shape_[c.swapped ? pair.b : pair.a]], j,
                                   regions_[shape_[c.swapped ? pair.a : pair.b]], away, touch);
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
      contact.branch = armB.dot(contact.n) + scale_ * shapes_[shape_[pair.a]].radius;
      // A ball that moves along a face stays as far from it as it is.
      if (!turning_ && c.pairing == Pairing::vertexFace) contact.apart = HUGE_VAL;
    }
    found.push_back(contact);
  }
  pair.skipUntil = skipUntil;
}

double SoftPacking::stiffening(double intrusion) const {
  if (!pushing_) return 1.0;
  const double share = shell_ > 0.0 ? std::clamp(intrusion / shell_, 0.0, 1.0) : 0.0;
  return softness + share * share;
}

void SoftPacking::meetWalls(std::size_t k, std::vector<SoftContact>& found) const {
  std::array<Container::Wall, mostWalls> walls;
  const double outer = scale_ * outer_[k] + shell_ + look_;
  const int n = container_.wallsAt(pos_[k], walls);
  if (std::none_of(walls.begin(), walls.begin() + n,
                   [&](const auto& w) { return w.depth < outer; }))
    return;
  const BodyPose p = poseOf(k);
  for (int w = 0; w < n; ++w) {
    if (!(walls[static_cast<std::size_t>(w)].depth < outer)) continue;
    for (std::uint32_t v = 0; v < p.shape->vertices.size(); ++v) {
      // The wall has half of the shell, too.
      const double radius = p.radiusAt(v) + 0.5 * (shell_ + look_);
      const Vec3 arm = p.arm(p.shape->vertices[v]);
      std::array<Container::Wall, mostWalls> here;
      container_.wallsAt(p.pos + arm, here);
      const Container::Wall& wall = here[static_cast<std::size_t>(w)];
      if (!(radius > wall.depth)) continue;
      SoftContact contact;
      contact.a = static_cast<BodyId>(k);
      contact.b = static_cast<BodyId>(pos_.size()) + static_cast<BodyId>(w);
      contact.n = wall.inwards;
      const Vec3 point = arm - radius * wall.inwards;
      contact.leverA = point.cross(wall.inwards) / lever(k);
      contact.intrusion = radius - wall.depth - look_;
      contact.weight = stiffening(contact.intrusion);
      contact.branch = -point.dot(wall.inwards);
      contact.apart = HUGE_VAL;
      found.push_back(contact);
    }
  }
}

void SoftPacking::freeLists() {
  near_.free();
  contacts_ = {};
  contactsOfBalls_ = {};
}

void SoftPacking::evaluate() {
  const Images* images = periodic_ ? &images_ : nullptr;
  const bool newLists = !near_.complete();
  if (newLists) freeLists();
  model_.free();
  const NearPairs::PoseOf poses = [this](std::size_t k) { return poseOf(k); };
  if (newLists) near_.rebuild(poses, driven_, marginOfPairs * smallest_ * scale_, images, threads_);
  const double skin = skinOfLook * look_;
  const std::size_t pairBlocks = near_.blocks(),
                    bodies = periodic_ || !container_.convex() ? 0 : pos_.size(),
                    bodyBlocks = (bodies + bodiesTogether - 1) / bodiesTogether;
  const double far = shell_ + look_ + 2.0 * rounding_ * scale_;  // of all that are not in contact
  std::ranges::fill(force_, Vec3(Vec3::Zero()));
  std::ranges::fill(moment_, Vec3(Vec3::Zero()));
  std::ranges::fill(apart_, far);
  load_ = Load();
  Sums sums;
  contactsOfBalls_.clear();
  // Some blocks at a time, so that contacts are not held twice.
  const std::size_t blocks = pairBlocks + bodyBlocks;
  const bool forBalls = !pushing_ && !turning_;
  contacts_.resize(forBalls ? 0 : blocks);
  found_.resize(std::min(blocks, blocksTogether));
  scratch_.resize(found_.size());
  for (std::size_t from = 0; from < blocks; from += blocksTogether) {
    const std::size_t here = std::min(blocksTogether, blocks - from);
    parallelFor(threads_, here, [&](std::size_t n) {
      std::vector<SoftContact>& found = found_[n];
      found.clear();
      const std::size_t block = from + n;
      if (block < pairBlocks) {
        near_.renew(block, poses, skin, images, scratch_[n]);
        for (NearPairs::Pair& pair : near_.block(block)) evaluatePair(block, pair, found);
      } else {
        const std::size_t first = (block - pairBlocks) * bodiesTogether;
        for (std::size_t k = first; k < std::min(first + bodiesTogether, bodies); ++k)
          meetWalls(k, found);
      }
      if (forBalls) return;
      std::vector<ModelContact>& kept = contacts_[block];
      if (kept.capacity() > found.size() + found.size() / 4) kept = {};
      kept.clear();
      kept.reserve(found.size());
      for (const SoftContact& c : found) kept.emplace_back(c);
    });
    for (std::size_t n = 0; n < here; ++n) {
      sumUp(found_[n], sums);
      if (forBalls)
        contactsOfBalls_.insert(contactsOfBalls_.end(), found_[n].begin(), found_[n].end());
    }
  }
  sumUpBodies(sums);
}

void SoftPacking::sumUp(std::span<const SoftContact> found, Sums& sums) {
  const std::size_t n = pos_.size();
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
      force_[a] += f * c.n;
      moment_[a] += f * c.leverA;
      if (b >= n) continue;
      force_[b] -= f * c.n;
      moment_[b] -= f * c.leverB;
    }
    if (!(deepest > 0.0)) continue;
    ++load_.contacts;
    sums.intrusions += deepest;
    load_.deepest = std::max(load_.deepest, deepest);
  }
}

void SoftPacking::sumUpBodies(const Sums& sums) {
  const std::size_t n = pos_.size();
  double left = 0.0;
  for (std::size_t k = driven_; k < n; ++k) {
    left += force_[k].squaredNorm();
    if (turning_) left += moment_[k].squaredNorm();
  }
  load_.resultant = std::sqrt(left / static_cast<double>(std::max<std::size_t>(n - driven_, 1)));
  if (load_.contacts == 0) return;
  load_.mean = sums.intrusions / static_cast<double>(load_.contacts);
  load_.force = sums.forces / static_cast<double>(load_.contacts);
}

void SoftPacking::moveBody(std::size_t k, const Vec3& move, const Vec3& turn, double longest) {
  const bool turns = !geometry_.isBall(shape_[k]);
  const double outer = scale_ * outer_[k], angle = turns ? turn.norm() / lever(k) : 0.0;
  const double far = move.norm() + angle * outer;
  // No point goes farther than 0.4 of what parts it from another skeleton: with both bodies moving,
  // none can pass through another.
  const double most = turning_ ? std::min(longest, 0.4 * std::max(apart_[k], 0.0)) : longest;
  const double share = far > most ? most / far : 1.0;
  if (!(far > 0.0)) {
    near_.travel(k, 0.0);
    return;
  }
  const Vec3 moved = share * move;
  pos_[k] += moved;
  double displacement = moved.norm();
  if (turns) {
    // Half the angle, as a rational turn: no sine, and exactly a rotation.
    const Vec3 half = (0.5 * share / lever(k)) * turn;
    Quat by(1.0, half[0], half[1], half[2]);
    by.normalize();
    const Quat before = q_[k];
    q_[k] = (by * before).normalized();
    displacement += 2.0 * (q_[k].coeffs() - before.coeffs()).norm() * outer;
  }
  near_.travel(k, displacement);
}

void SoftPacking::relaxBalls(double balance, double virial) {
  balls_.run(contactsOfBalls_, pos_.size(),
             {.driven = driven_,
              .balance = balance,
              // Two balls that come towards each other move as far as contacts are looked for.
              .farthest = 0.45 * look_,
              .shell = shell_,
              .virial = virial,
              .damping = damping_});
  damping_ = balls_.damping();
  for (std::size_t k = driven_; k < pos_.size(); ++k)
    moveBody(k, balls_.move(k), Vec3::Zero(), HUGE_VAL);
  if (balls_.growth() != 1.0) setScale(scale_ * balls_.growth());
  evaluate();
}

bool SoftPacking::descend(double tolerance, int products) {
  model_.solve(contacts_, pos_.size(),
               {.tolerance = tolerance,
                .mostProducts = products,
                .damping = damping_,
                .driven = driven_,
                .turning = turning_});
  const Snapshot before = snapshot();
  const Load load = load_;
  const double longest = 0.5 * look_;
  for (std::size_t k = driven_; k < pos_.size(); ++k)
    moveBody(k, model_.move(k), model_.turn(k), longest);
  evaluate();
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

void SoftPacking::push(bool pushing) {
  if (pushing != pushing_) {
    contacts_ = {};
    contactsOfBalls_ = {};
  }
  pushing_ = pushing;
}

bool SoftPacking::clear(double enough, int most) {
  push(true);
  setLook(std::max(farthestLook * smallest_ * scale_, shareOfShell * shell_));
  damping_ = firstDamping;
  evaluate();
  // Bodies that have no room stay where they are: no use to go on.
  double best = load_.deepest;
  int inVain = 0;
  for (int k = 0; k < most && load_.deepest > enough && inVain < patience; ++k) {
    descend(0.2, 15);
    ++inVain;
    if (load_.deepest < 0.95 * best) {
      best = load_.deepest;
      inVain = 0;
    }
  }
  return load_.deepest <= enough;
}

bool SoftPacking::minimise(double balance, double nothing, int most, double virial) {
  push(false);
  setLook((turning_ ? farthestLook : farthestLookOfBalls) * smallest_ * scale_);
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
    if (!turning_) {
      relaxBalls(0.9 * balance, virial);
      continue;
    }
    // As exactly as the step may come near the goal.
    const double wanted = 0.3 * balance * load_.force / load_.resultant;
    descend(std::clamp(wanted, 1e-3, 0.1), 300);
  }
  return done();
}

std::vector<std::pair<BodyId, BodyId>> SoftPacking::loadedPoints() const {
  std::vector<std::pair<BodyId, BodyId>> loaded;
  const auto add = [&](const auto& c) {
    if (c.intrusion > 0 && c.weight > 0) loaded.emplace_back(c.a, c.b);
  };
  std::ranges::for_each(contactsOfBalls_, add);
  for (const auto& chunk : contacts_) std::ranges::for_each(chunk, add);
  return loaded;
}

std::size_t SoftPacking::crossings() {
  if (!near_.complete()) evaluate();
  std::size_t count = 0;
  for (std::size_t block = 0; block < near_.blocks(); ++block)
    for (const NearPairs::Pair& pair : near_.block(block)) {
      const BodyPose a = poseOf(pair.a);
      BodyPose b = poseOf(pair.b);
      if (periodic_) b.pos += images_.offset(images_.nearest(a.pos - b.pos));
      const auto outer = [&](BodyId k) { return (k < driven_ ? 1.0 : scale_) * outer_[k]; };
      const double reach = outer(pair.a) + outer(pair.b);
      if ((a.pos - b.pos).squaredNorm() < reach * reach)
        count += geometry_.skeletonsCross(shape_[pair.a], a, shape_[pair.b], b);
    }
  return count;
}

std::size_t SoftPacking::bytes() const {
  std::size_t kept = contacts_.capacity() * sizeof(contacts_[0]);
  for (const auto& chunk : contacts_) kept += chunk.capacity() * sizeof(ModelContact);
  return near_.bytes() + kept + contactsOfBalls_.capacity() * sizeof(SoftContact) +
         pos_.capacity() *
             (3 * sizeof(Vec3) + sizeof(Quat) + 3 * sizeof(double) + sizeof(shape_[0]));
}

std::vector<PlacedBody> SoftPacking::bodies() const {
  std::vector<PlacedBody> result(pos_.size() - driven_);
  for (std::size_t n = 0; n < result.size(); ++n) {
    const std::size_t k = n + driven_;
    PlacedBody& body = result[n];
    body.shape = shape_[k];
    body.group = group_;
    body.pos = pos_[k];
    if (periodic_) body.pos -= images_.offset(images_.cellsOff(pos_[k]));
    body.q = q_[k];
    body.homothety = homothety(k);
  }
  return result;
}

}  // namespace scree::sim
