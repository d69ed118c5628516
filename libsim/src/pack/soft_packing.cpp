// SPDX-License-Identifier: GPL-3.0-or-later
#include "soft_packing.hpp"

#include "step/pair_forces.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::sim {
namespace {

constexpr std::size_t bodyGrain = 400;
/// Pairs and bodies whose contacts are found together.
constexpr std::size_t rowsTogether = 512, bodiesTogether = 256, blocksTogether = 64;
/// How far contacts are looked for beyond the shell: a share of the smallest radius, or of the
/// shell. Half of it is the longest move of a step, for which the contacts found are enough.
constexpr double farthestLook = 0.04, farthestLookOfBalls = 0.3, shareOfShell = 0.5;
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
      planned_(std::move(bodies)),
      driven_(container.convex() ? 0 : 1),
      container_(container),
      threads_(threads),
      geometry_(shapes_),
      periodic_(container.periodic()) {
  const std::size_t n = planned_.size();
  if (periodic_) images_.set(container.box().high.asDiagonal());
  for (std::uint32_t k = 0; k < shapes_.size(); ++k) regions_.emplace_back(geometry_.geometry(k));
  state_.resize(n);
  state_.driven = driven_;
  poses_.resize(n);
  outer_.resize(n);
  smallest_ = rounding_ = HUGE_VAL;
  for (std::size_t k = 0; k < n; ++k) {
    const PlacedBody& b = planned_[k];
    state_.pos[k] = b.pos;
    state_.q[k] = b.q;
    state_.homothety[k] = b.homothety;
    state_.shape[k] = b.shape;
    state_.displacement[k] = 0.0;
    state_.vel[k] = state_.spin[k] = Vec3::Zero();
    outer_[k] = b.homothety * geometry_.outerRadius(b.shape);
    state_.lastMove[k] = 0.01 * outer_[k];
    rounding_ = std::min(rounding_, b.homothety * shapes_[b.shape].leastRadius());
    if (k < driven_) continue;
    turning_ = turning_ || !geometry_.isBall(b.shape);
    largest_ = std::max(largest_, outer_[k]);
    smallest_ = std::min(smallest_, outer_[k]);
  }
  apart_.resize(n);
}

double SoftPacking::lever(std::size_t k) const { return 0.6325 * scale_ * outer_[k]; }

void SoftPacking::setScale(double scale) {
  // Surfaces move out by the growth of the radius; lists take that for motion.
  const double change = std::abs(scale - scale_);
  for (std::size_t k = 0; k < outer_.size(); ++k)
    account(k, 1.01 * change * (k < driven_ ? shapes_[planned_[k].shape].radius : outer_[k]));
  scale_ = scale;
}

void SoftPacking::setShell(double shell) {
  if (shell > shell_)  // contacts reach farther: lists take that for motion
    for (std::size_t k = 0; k < outer_.size(); ++k) account(k, 0.51 * (shell - shell_));
  shell_ = shell;
}

void SoftPacking::setLook(double look) {
  if (look > look_)
    for (std::size_t k = 0; k < outer_.size(); ++k) account(k, 0.51 * (look - look_));
  look_ = look;
}

void SoftPacking::restore(const Snapshot& snapshot) {
  for (std::size_t k = driven_; k < outer_.size(); ++k) {
    const double turned =
        2.0 * (state_.q[k].coeffs() - snapshot.q[k].coeffs()).norm() * outer_[k] * scale_;
    account(k, (state_.pos[k] - snapshot.pos[k]).norm() + turned);
    state_.pos[k] = snapshot.pos[k];
    state_.q[k] = snapshot.q[k];
  }
  if (snapshot.scale != scale_) setScale(snapshot.scale);
}

void SoftPacking::account(std::size_t k, double moved) {
  state_.lastMove[k] = moved;
  state_.displacement[k] += moved;
}

void SoftPacking::place() {
  parallelFor(
      threads_, poses_.size(),
      [&](std::size_t k) {
        PlacedBody body = planned_[k];
        body.pos = state_.pos[k];
        body.q = state_.q[k];
        if (k >= driven_) body.homothety *= scale_;
        poses_[k] = geometry_.poseOf(body);
        if (k < driven_) poses_[k].radius *= scale_;  // a mesh is rounded by a share of the bodies
        // Half of the shell on each: contacts act once surfaces are nearer than all of it.
        poses_[k].radius += 0.5 * (shell_ + look_);
        state_.boundingRadius[k] = body.homothety * geometry_.geometry(body.shape).boundingRadius;
      },
      bodyGrain);
}

void SoftPacking::evaluatePair(std::size_t r, std::vector<SoftContact>& found) {
  Contacts& contacts = lists_.contacts;
  NeighbourPair& pair = contacts.pairs[r];
  const double displacement = state_.displacement[pair.a] + state_.displacement[pair.b];
  if (pair.skipUntil > displacement) return;
  const BodyPose& a = poses_[pair.a];
  BodyPose b = poses_[pair.b];
  if (periodic_) b.pos += images_.offset(contacts.shifts[r]);
  const Vec3 branch = a.pos - b.pos;
  const double perA = 1.0 / lever(pair.a), perB = 1.0 / lever(pair.b);
  double skipUntil = pair.expires;
  for (Candidate& c : contacts.candidatesOf(pair)) {
    if (c.skipUntil > displacement) {
      skipUntil = std::min(skipUntil, c.skipUntil);
      continue;
    }
    Touch touch;
    double rest = 0.0;
    const BodyPose &i = c.swapped ? b : a, &j = c.swapped ? a : b;
    const Vec3 away = c.swapped ? Vec3(-branch) : branch;
    if (!touches(c, i, j, away, touch, rest)) {
      c.skipUntil = displacement + std::max(rest - pair.slack, 0.0);
      skipUntil = std::min(skipUntil, c.skipUntil);
      continue;
    }
    c.skipUntil = displacement;
    skipUntil = displacement;
    SoftContact contact;
    contact.weight =
        contactWeight(c, i, regions_[state_.shape[c.swapped ? pair.b : pair.a]], j,
                      regions_[state_.shape[c.swapped ? pair.a : pair.b]], away, touch);
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
    // A mesh stays as large as it is when bodies grow.
    contact.branch = pair.a < driven_ ? armB.dot(contact.n) : contact.n.dot(branch);
    const Rounding rounding = roundingOf<true>(c.pairing, i, j, c.iSub, c.jSub);
    contact.apart = touch.dn + rounding.i + rounding.j;
    found.push_back(contact);
  }
  pair.skipUntil = skipUntil;
}

void SoftPacking::meetWalls(std::size_t k, std::vector<SoftContact>& found) const {
  const BodyPose& p = poses_[k];
  std::array<Container::Wall, mostWalls> walls;
  const double outer = scale_ * outer_[k] + shell_ + look_;
  int n = container_.wallsAt(p.pos, walls);
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
      contact.b = static_cast<BodyId>(state_.size()) + static_cast<BodyId>(w);
      contact.n = wall.inwards;
      const Vec3 point = arm - radius * wall.inwards;
      contact.leverA = point.cross(wall.inwards) / lever(k);
      contact.intrusion = radius - wall.depth - look_;
      contact.branch = -point.dot(wall.inwards);
      contact.apart = HUGE_VAL;
      found.push_back(contact);
    }
  }
}

void SoftPacking::evaluate() {
  place();
  lists_.update(state_, poses_, threads_, periodic_ ? &images_ : nullptr);
  const std::size_t pairs = lists_.contacts.pairs.size(),
                    rowBlocks = (pairs + rowsTogether - 1) / rowsTogether,
                    bodies = periodic_ || !container_.convex() ? 0 : state_.size(),
                    bodyBlocks = (bodies + bodiesTogether - 1) / bodiesTogether;
  // Some blocks at a time, so that contacts are not held twice.
  const std::size_t blocks = rowBlocks + bodyBlocks;
  found_.resize(std::min(blocks, blocksTogether));
  contacts_.clear();
  for (std::size_t from = 0; from < blocks; from += blocksTogether) {
    const std::size_t here = std::min(blocksTogether, blocks - from);
    parallelFor(threads_, here, [&](std::size_t n) {
      std::vector<SoftContact>& found = found_[n];
      found.clear();
      if (const std::size_t block = from + n; block < rowBlocks) {
        for (std::size_t r = block * rowsTogether; r < std::min((block + 1) * rowsTogether, pairs);
             ++r)
          evaluatePair(r, found);
      } else {
        const std::size_t first = (block - rowBlocks) * bodiesTogether;
        for (std::size_t k = first; k < std::min(first + bodiesTogether, bodies); ++k)
          meetWalls(k, found);
      }
    });
    std::size_t needed = contacts_.size();
    for (std::size_t n = 0; n < here; ++n) needed += found_[n].size();
    if (needed > contacts_.capacity()) contacts_.reserve(needed + needed / 8);
    for (std::size_t n = 0; n < here; ++n)
      contacts_.insert(contacts_.end(), found_[n].begin(), found_[n].end());
  }
  sumUp();
}

void SoftPacking::sumUp() {
  load_ = Load();
  const std::size_t n = state_.size();
  const double far = shell_ + look_ + 2.0 * rounding_ * scale_;  // of all that are not in contact
  for (std::size_t k = 0; k < n; ++k) {
    state_.force[k] = state_.moment[k] = Vec3::Zero();
    apart_[k] = far;
  }
  double sum = 0.0, forces = 0.0;
  for (std::size_t first = 0, end = 0; first < contacts_.size(); first = end) {
    const BodyId a = contacts_[first].a, b = contacts_[first].b;
    double deepest = 0.0;
    for (; end < contacts_.size() && contacts_[end].a == a && contacts_[end].b == b; ++end) {
      const SoftContact& c = contacts_[end];
      apart_[a] = std::min(apart_[a], c.apart);
      if (b < n) apart_[b] = std::min(apart_[b], c.apart);
      const double f = c.force();
      deepest = std::max(deepest, c.intrusion);
      if (!(f > 0.0)) continue;
      forces += f;
      load_.energy += 0.5 * f * c.intrusion;
      load_.virial += f * c.branch;
      state_.force[a] += f * c.n;
      state_.moment[a] += f * c.leverA;
      if (b >= n) continue;
      state_.force[b] -= f * c.n;
      state_.moment[b] -= f * c.leverB;
    }
    if (!(deepest > 0.0)) continue;
    ++load_.contacts;
    sum += deepest;
    load_.deepest = std::max(load_.deepest, deepest);
  }
  double left = 0.0;
  for (std::size_t k = driven_; k < n; ++k) {
    left += state_.force[k].squaredNorm();
    if (turning_) left += state_.moment[k].squaredNorm();
  }
  load_.resultant = std::sqrt(left / static_cast<double>(std::max<std::size_t>(n - driven_, 1)));
  if (load_.contacts == 0) return;
  load_.mean = sum / static_cast<double>(load_.contacts);
  load_.force = forces / static_cast<double>(load_.contacts);
}

void SoftPacking::moveBody(std::size_t k, const Vec3& move, const Vec3& turn, double longest) {
  const bool turns = !geometry_.isBall(planned_[k].shape);
  const double outer = scale_ * outer_[k], angle = turns ? turn.norm() / lever(k) : 0.0;
  const double far = move.norm() + angle * outer;
  // No point goes farther than 0.4 of what parts it from another skeleton: with both bodies moving,
  // none can pass through another.
  const double most = turning_ ? std::min(longest, 0.4 * std::max(apart_[k], 0.0)) : longest;
  const double share = far > most ? most / far : 1.0;
  if (!(far > 0.0)) {
    account(k, 0.0);
    return;
  }
  const Vec3 moved = share * move;
  state_.pos[k] += moved;
  double displacement = moved.norm();
  if (turns) {
    // Half the angle, as a rational turn: no sine, and exactly a rotation.
    const Vec3 half = (0.5 * share / lever(k)) * turn;
    Quat by(1.0, half[0], half[1], half[2]);
    by.normalize();
    const Quat before = state_.q[k];
    state_.q[k] = (by * before).normalized();
    displacement += 2.0 * (state_.q[k].coeffs() - before.coeffs()).norm() * outer;
  }
  account(k, displacement);
}

void SoftPacking::relaxBalls(double balance, double virial) {
  balls_.run(contacts_, state_.size(),
             {.driven = driven_,
              .balance = balance,
              // Two balls that come towards each other move as far as contacts are looked for.
              .farthest = 0.45 * look_,
              .shell = shell_,
              .virial = virial,
              .damping = damping_});
  damping_ = balls_.damping();
  for (std::size_t k = driven_; k < state_.size(); ++k)
    moveBody(k, balls_.move(k), Vec3::Zero(), HUGE_VAL);
  if (balls_.growth() != 1.0) setScale(scale_ * balls_.growth());
  evaluate();
}

bool SoftPacking::descend(double tolerance, int products) {
  model_.solve(contacts_, state_.size(),
               {.tolerance = tolerance,
                .mostProducts = products,
                .damping = damping_,
                .driven = driven_,
                .turning = turning_});
  const Snapshot before = snapshot();
  const Load load = load_;
  const double longest = 0.5 * look_;
  for (std::size_t k = driven_; k < state_.size(); ++k)
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

bool SoftPacking::clear(double enough, int most) {
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

std::vector<SoftContact> SoftPacking::contacts() const {
  std::vector<SoftContact> loaded;
  for (const SoftContact& c : contacts_)
    if (c.force() > 0.0) loaded.push_back(c);
  return loaded;
}

double SoftPacking::neededShrinkage() const {
  double most = 0.0;
  for (const SoftContact& c : contacts_)
    if (const double overlap = c.intrusion - shell_; overlap >= 0.0 && c.branch > 0.0)
      most = std::max(most, overlap / c.branch);
  return most;
}

std::size_t SoftPacking::crossings() const {
  std::size_t count = 0;
  for (std::size_t r = 0; r < lists_.contacts.pairs.size(); ++r) {
    const NeighbourPair& pair = lists_.contacts.pairs[r];
    BodyPose b = poses_[pair.b];
    if (periodic_) b.pos += images_.offset(lists_.contacts.shifts[r]);
    const auto outer = [&](BodyId k) { return (k < driven_ ? 1.0 : scale_) * outer_[k]; };
    const double reach = outer(pair.a) + outer(pair.b);
    if ((poses_[pair.a].pos - b.pos).squaredNorm() < reach * reach)
      count += geometry_.skeletonsCross(planned_[pair.a].shape, poses_[pair.a],
                                        planned_[pair.b].shape, b);
  }
  return count;
}

std::vector<PlacedBody> SoftPacking::bodies() const {
  std::vector<PlacedBody> result(planned_.begin() + driven_, planned_.end());
  for (std::size_t n = 0; n < result.size(); ++n) {
    const std::size_t k = n + driven_;
    result[n].pos = state_.pos[k];
    if (periodic_) result[n].pos -= images_.offset(images_.cellsOff(state_.pos[k]));
    result[n].q = state_.q[k];
    result[n].homothety *= scale_;
  }
  return result;
}

}  // namespace scree::sim
