// SPDX-License-Identifier: GPL-3.0-or-later
#include "soft_packing.hpp"

#include "step/row_forces.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace scree::sim {
namespace {

// Longer steps than that are unstable for bodies that many others press.
constexpr double largestStep = 0.2, firstStep = 0.1, firstMixing = 0.1;
constexpr std::size_t rowGrain = 200, bodyGrain = 400;

/// Sums of a minimiser step, added in fixed order.
struct Sums {
  double power = 0.0, force2 = 0.0, velocity2 = 0.0;
  Sums& operator+=(const Sums& o) {
    power += o.power;
    force2 += o.force2;
    velocity2 += o.velocity2;
    return *this;
  }
};

}  // namespace

SoftPacking::SoftPacking(const std::vector<shape::Shape>& shapes, std::vector<PlacedBody> bodies,
                         const Container& container, int threads)
    : shapes_(shapes),
      planned_(std::move(bodies)),
      container_(container),
      threads_(threads),
      geometry_(shapes),
      periodic_(container.periodic()) {
  const std::size_t n = planned_.size();
  if (periodic_) images_.set(container.box().high.asDiagonal());
  state_.resize(n);
  placed_.resize(n);
  outer_.resize(n);
  smallest_ = rounding_ = HUGE_VAL;
  for (std::size_t k = 0; k < n; ++k) {
    const PlacedBody& b = planned_[k];
    state_.pos[k] = b.pos;
    state_.q[k] = b.q;
    state_.homothety[k] = b.homothety;
    state_.shape[k] = b.shape;
    state_.path[k] = 0.0;
    state_.vel[k] = state_.spin[k] = Vec3::Zero();
    outer_[k] = b.homothety * geometry_.outerRadius(b.shape);
    largest_ = std::max(largest_, outer_[k]);
    smallest_ = std::min(smallest_, outer_[k]);
    rounding_ = std::min(rounding_, b.homothety * shapes[b.shape].leastRadius());
    state_.lastMove[k] = 0.01 * outer_[k];
  }
  apart_.resize(n);
  wallDeepest_.resize(n);
  wallShrinkage_.resize(n);
  wallContacts_.resize(n);
  restart();
}

void SoftPacking::setScale(double scale) {
  // Surfaces move out by the growth of the radius; lists take that for motion.
  const double change = std::abs(scale - scale_);
  for (std::size_t k = 0; k < outer_.size(); ++k) account(k, 1.01 * change * outer_[k]);
  scale_ = scale;
}

void SoftPacking::setShell(double shell) {
  if (shell > shell_)  // contacts reach farther: lists take that for motion
    for (std::size_t k = 0; k < outer_.size(); ++k) account(k, 0.51 * (shell - shell_));
  shell_ = shell;
}

void SoftPacking::restore(const Snapshot& snapshot) {
  for (std::size_t k = 0; k < outer_.size(); ++k) {
    const double turned =
        2.0 * (state_.q[k].coeffs() - snapshot.q[k].coeffs()).norm() * outer_[k] * scale_;
    account(k, (state_.pos[k] - snapshot.pos[k]).norm() + turned);
    state_.pos[k] = snapshot.pos[k];
    state_.q[k] = snapshot.q[k];
  }
  setScale(snapshot.scale);
}

void SoftPacking::account(std::size_t k, double moved) {
  state_.lastMove[k] = moved;
  state_.path[k] += moved;
}

void SoftPacking::place() {
  parallelFor(
      threads_, placed_.size(),
      [&](std::size_t k) {
        PlacedBody body = planned_[k];
        body.pos = state_.pos[k];
        body.q = state_.q[k];
        body.homothety *= scale_;
        placed_[k] = geometry_.placed(body);
        // Half of the shell on each: contacts act once surfaces are nearer than all of it.
        placed_[k].radius += 0.5 * shell_;
        state_.reach[k] = body.homothety * geometry_.geometry(body.shape).reach;
      },
      bodyGrain);
}

void SoftPacking::evaluateRow(std::size_t r) {
  Contacts& contacts = lists_.contacts;
  PairRow& row = contacts.rows[r];
  RowPush& push = rows_[r];
  push = RowPush();
  const double path = state_.path[row.a] + state_.path[row.b];
  if (row.wakes > path) return;
  const Placed& a = placed_[row.a];
  Placed b = placed_[row.b];
  if (periodic_) b.pos += images_.offset(contacts.shifts[r]);
  const Vec3 between = a.pos - b.pos;
  double wakes = row.expires;
  int active = 0;
  for (Candidate& c : contacts.candidatesOf(row)) {
    if (c.wake > path) {
      wakes = std::min(wakes, c.wake);
      continue;
    }
    Touch touch;
    double rest = 0.0;
    const bool touching = c.swapped ? touches(c, b, a, -between, touch, rest)
                                    : touches(c, a, b, between, touch, rest);
    if (!touching) {
      c.wake = path + std::max(rest - row.slack, 0.0);
      wakes = std::min(wakes, c.wake);
      continue;
    }
    c.wake = path;
    wakes = path;
    ++active;
    // On a, at a point from the centre of a.
    const Vec3 n = c.swapped ? Vec3(-touch.n) : touch.n;
    const Vec3 armA = c.swapped ? Vec3(touch.arm - between) : touch.arm;
    const Vec3 force = -touch.dn * n;
    push.force += force;
    push.momentA += armA.cross(force);
    push.momentB -= (armA + between).cross(force);
    push.deepest = std::max(push.deepest, -touch.dn);
    const Rounding rounding =
        roundingOf<true>(c.pairing, c.swapped ? b : a, c.swapped ? a : b, c.iSub, c.jSub);
    push.apart = std::min(push.apart, touch.dn + rounding.i + rounding.j);
    const double overlap = -touch.dn - shell_, lever = n.dot(between);
    if (overlap >= 0.0 && lever > 0.0) push.shrinkage = std::max(push.shrinkage, overlap / lever);
  }
  row.wakes = wakes;
  if (active > 1) {
    const double share = 1.0 / active;
    push.force *= share;
    push.momentA *= share;
    push.momentB *= share;
  }
}

void SoftPacking::pushOfWalls(std::size_t k) {
  wallDeepest_[k] = wallShrinkage_[k] = 0.0;
  wallContacts_[k] = 0;
  if (periodic_) return;
  const Placed& p = placed_[k];
  std::array<Container::Wall, 6> walls;
  const double outer = scale_ * outer_[k] + shell_;
  int n = container_.wallsAt(p.pos, walls);
  bool near = false;
  for (int w = 0; w < n; ++w) near = near || walls[static_cast<std::size_t>(w)].depth < outer;
  if (!near) return;
  std::array<Vec3, 6> force, moment;
  std::array<int, 6> count{};
  force.fill(Vec3::Zero());
  moment.fill(Vec3::Zero());
  for (std::uint32_t v = 0; v < p.shape->vertices.size(); ++v) {
    const double radius = p.radiusAt(v) + 0.5 * shell_;  // the wall has half of the shell, too
    const Vec3 arm = p.arm(p.shape->vertices[v]);
    n = container_.wallsAt(p.pos + arm, walls);
    for (std::size_t w = 0; w < static_cast<std::size_t>(n); ++w) {
      const double intrusion = radius - walls[w].depth;
      if (intrusion <= 0.0) continue;
      ++count[w];
      const Vec3 f = intrusion * walls[w].inwards;
      force[w] += f;
      moment[w] += arm.cross(f);
      wallDeepest_[k] = std::max(wallDeepest_[k], intrusion);
      wallContacts_[k] |= 1U << w;
      const double overlap = intrusion - shell_;
      const double lever = scale_ * shapes_[planned_[k].shape].radiusAt(v) * planned_[k].homothety -
                           arm.dot(walls[w].inwards);
      if (overlap >= 0.0 && lever > 0.0)
        wallShrinkage_[k] = std::max(wallShrinkage_[k], overlap / lever);
    }
  }
  for (std::size_t w = 0; w < 6; ++w)
    if (count[w] > 0) {
      state_.force[k] += force[w] / count[w];
      state_.moment[k] += moment[w] / count[w];
    }
}

void SoftPacking::evaluate() {
  place();
  lists_.update(state_, placed_, threads_, periodic_ ? &images_ : nullptr);
  const Contacts& contacts = lists_.contacts;
  rows_.resize(contacts.rows.size());
  parallelFor(
      threads_, rows_.size(), [&](std::size_t r) { evaluateRow(r); }, rowGrain);
  parallelFor(
      threads_, state_.size(),
      [&](std::size_t k) {
        Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
        double apart = shell_ + 2.0 * rounding_ * scale_;  // from all that are not in contact
        for (const std::uint32_t r : contacts.rowsAsSecond(static_cast<BodyId>(k))) {
          force -= rows_[r].force;
          moment += rows_[r].momentB;
          apart = std::min(apart, rows_[r].apart);
        }
        for (std::uint32_t r = contacts.firstStart[k]; r < contacts.firstStart[k + 1]; ++r) {
          force += rows_[r].force;
          moment += rows_[r].momentA;
          apart = std::min(apart, rows_[r].apart);
        }
        apart_[k] = apart;
        state_.force[k] = force;
        state_.moment[k] = moment;
        pushOfWalls(k);
      },
      bodyGrain);
  load_ = Load();
  double sum = 0.0;
  for (const RowPush& push : rows_) {
    if (!(push.deepest > 0.0)) continue;
    ++load_.contacts;
    sum += push.deepest;
    load_.deepest = std::max(load_.deepest, push.deepest);
  }
  double force2 = 0.0;
  for (std::size_t k = 0; k < state_.size(); ++k) {
    force2 += state_.force[k].squaredNorm();
    if (wallContacts_[k] == 0) continue;
    load_.contacts += static_cast<std::size_t>(std::popcount(wallContacts_[k]));
    sum += wallDeepest_[k] * std::popcount(wallContacts_[k]);
    load_.deepest = std::max(load_.deepest, wallDeepest_[k]);
  }
  if (load_.contacts > 0) load_.mean = sum / static_cast<double>(load_.contacts);
  load_.force = std::sqrt(force2 / static_cast<double>(std::max<std::size_t>(state_.size(), 1)));
}

void SoftPacking::restart() {
  step_ = firstStep;
  mixing_ = firstMixing;
  downhill_ = 0;
  for (std::size_t k = 0; k < state_.size(); ++k) state_.vel[k] = state_.spin[k] = Vec3::Zero();
}

void SoftPacking::move() {
  // Of each body the turn counts as a motion of points at 0.63 of its outer radius.
  const auto lever = [&](std::size_t k) { return 0.6325 * scale_ * outer_[k]; };
  const Sums sums = orderedSum(threads_, state_.size(), Sums(), [&](std::size_t k) {
    const double inverse = 1.0 / lever(k);
    const Vec3 turning =
        geometry_.isBall(planned_[k].shape) ? Vec3(Vec3::Zero()) : Vec3(state_.moment[k] * inverse);
    state_.vel[k] += step_ * state_.force[k];
    state_.spin[k] += step_ * turning;  // times the lever, so a velocity
    Sums s;
    s.power = state_.force[k].dot(state_.vel[k]) + turning.dot(state_.spin[k]);
    s.force2 = state_.force[k].squaredNorm() + turning.squaredNorm();
    s.velocity2 = state_.vel[k].squaredNorm() + state_.spin[k].squaredNorm();
    return s;
  });
  double keep = 1.0, along = 0.0;
  if (sums.power > 0.0) {
    keep = 1.0 - mixing_;
    along = sums.force2 > 0.0 ? mixing_ * std::sqrt(sums.velocity2 / sums.force2) : 0.0;
    if (++downhill_ > 5) {
      step_ = std::min(1.1 * step_, largestStep);
      mixing_ *= 0.99;
    }
  } else {
    keep = 0.0;
    step_ *= 0.5;
    mixing_ = firstMixing;
    downhill_ = 0;
    step_ = std::max(step_, 1e-3);
  }
  const double most = 0.1 * smallest_ * scale_;
  parallelFor(
      threads_, state_.size(),
      [&](std::size_t k) {
        state_.vel[k] = keep * state_.vel[k] + along * state_.force[k];
        if (!geometry_.isBall(planned_[k].shape))
          state_.spin[k] = keep * state_.spin[k] + along / lever(k) * state_.moment[k];
        // No point goes farther than 0.4 of what parts it from another skeleton: with both bodies
        // moving, none can pass through another.
        const double speed = state_.vel[k].norm() + 1.6 * state_.spin[k].norm(),
                     limit = std::min(most, 0.4 * std::max(apart_[k], 0.0));
        const double step = speed * step_ > limit ? limit / speed : step_;
        const Vec3 moved = step * state_.vel[k];
        state_.pos[k] += moved;
        double path = moved.norm();
        if (!geometry_.isBall(planned_[k].shape)) {
          // Half the angle, as a rational turn: no sine, and exactly a rotation.
          const Vec3 half = (0.5 * step / lever(k)) * state_.spin[k];
          Quat turn(1.0, half[0], half[1], half[2]);
          turn.normalize();
          const Quat before = state_.q[k];
          state_.q[k] = (turn * before).normalized();
          path += 2.0 * (state_.q[k].coeffs() - before.coeffs()).norm() * scale_ * outer_[k];
        }
        account(k, path);
      },
      bodyGrain);
  evaluate();
}

bool SoftPacking::clear(double enough, int most) {
  restart();
  evaluate();
  for (int k = 0; k < most && load_.deepest > enough; ++k) move();
  return load_.deepest <= enough;
}

bool SoftPacking::minimise(double balance, double nothing, int most) {
  restart();
  evaluate();
  for (int k = 0; k < most; ++k) {
    if (load_.deepest <= nothing || load_.force <= balance * load_.mean) return true;
    move();
  }
  return false;
}

std::vector<std::pair<BodyId, BodyId>> SoftPacking::contactPairs() const {
  std::vector<std::pair<BodyId, BodyId>> pairs;
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (rows_[r].deepest > 0.0)
      pairs.emplace_back(lists_.contacts.rows[r].a, lists_.contacts.rows[r].b);
  const auto n = static_cast<BodyId>(state_.size());
  for (BodyId k = 0; k < n; ++k)
    for (BodyId w = 0; w < 6; ++w)
      if (wallContacts_[k] >> w & 1U) pairs.emplace_back(k, n + w);
  return pairs;
}

double SoftPacking::neededShrinkage() const {
  double most = 0.0;
  for (const RowPush& push : rows_) most = std::max(most, push.shrinkage);
  for (const double s : wallShrinkage_) most = std::max(most, s);
  return most;
}

std::size_t SoftPacking::crossings() const {
  std::size_t count = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const PairRow& row = lists_.contacts.rows[r];
    Placed b = placed_[row.b];
    if (periodic_) b.pos += images_.offset(lists_.contacts.shifts[r]);
    const double outer = scale_ * (outer_[row.a] + outer_[row.b]);
    if ((placed_[row.a].pos - b.pos).squaredNorm() < outer * outer)
      count +=
          geometry_.skeletonsCross(planned_[row.a].shape, placed_[row.a], planned_[row.b].shape, b);
  }
  return count;
}

std::vector<PlacedBody> SoftPacking::bodies() const {
  std::vector<PlacedBody> result = planned_;
  for (std::size_t k = 0; k < result.size(); ++k) {
    result[k].pos = state_.pos[k];
    if (periodic_) result[k].pos -= images_.offset(images_.cellsOff(state_.pos[k]));
    result[k].q = state_.q[k];
    result[k].homothety *= scale_;
  }
  return result;
}

}  // namespace scree::sim
