// SPDX-License-Identifier: GPL-3.0-or-later
#include "ball_relaxation.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

/// [-] of the stiffness of a contact.
constexpr double leastDamping = 1e-7, mostDamping = 1.0;
/// Steps are shorter than the first, or longer than the second, where damping rises or falls.
constexpr double shortStep = 0.3, longStep = 0.8, dampingChange = 5.0;
/// [-] what remains of the resultants after the solution of a step, and most of its products.
constexpr double solved = 0.02;
constexpr int mostProducts = 5000;
/// [-] of the stiffness of a contact, in the preconditioner alone: balls held by one or two.
constexpr double loose = 1e-3;
/// [-] of the longest move: growth of the two radii of a contact within one list of contacts.
constexpr double shareOfGrowth = 0.2;
/// [-] by which the virial may be off at the end.
constexpr double virialError = 0.01;

}  // namespace

void BallRelaxation::hold(State& x) const {
  std::fill_n(x.moves.begin(), options_.driven, Vec3(Vec3::Zero()));
  std::fill_n(x.moves.end() - mostWalls, mostWalls, Vec3(Vec3::Zero()));
  if (options_.virial < 0.0) x.growth = 0.0;
}

double BallRelaxation::dot(const State& x, const State& y) const {
  double sum = x.growth * y.growth;
  for (std::size_t b = options_.driven; b < bodies_; ++b) sum += x.moves[b].dot(y.moves[b]);
  return sum;
}

void BallRelaxation::add(State& x, double factor, const State& y) const {
  for (std::size_t b = options_.driven; b < bodies_; ++b) x.moves[b] += factor * y.moves[b];
  x.growth += factor * y.growth;
}

BallRelaxation::Pressing BallRelaxation::pressing(std::size_t contact, const State& at) const {
  const SoftContact& c = contacts_[contact];
  const Vec3 moved = at.moves[c.a] - at.moves[c.b];
  Pressing p{c.n, HUGE_VAL, 0.0};
  double closer = -c.n.dot(moved);
  if (std::isfinite(c.apart)) {  // not a wall
    const Vec3 apart = c.apart * c.n + moved;
    p.distance = apart.norm();
    closer = c.apart - p.distance;
    p.n = apart * (1.0 / p.distance);
  }
  p.force = c.weight * (c.intrusion + closer + radii_[contact] * (at.growth - 1.0));
  return p;
}

void BallRelaxation::findForces(const State& at, State& force) {
  std::fill(force.moves.begin(), force.moves.end(), Vec3(Vec3::Zero()));
  force.growth = options_.virial;
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Pressing p = pressing(k, at);
    if (!(p.force > 0.0)) continue;
    sum += p.force;
    ++count;
    force.moves[contacts_[k].a] += p.force * p.n;
    force.moves[contacts_[k].b] -= p.force * p.n;
    force.growth -= p.force * radii_[k];
  }
  hold(force);
  mean_ = count > 0 ? sum / static_cast<double>(count) : 0.0;
}

void BallRelaxation::findLinks() {
  links_.clear();
  std::fill(blocks_.begin(), blocks_.end(), Mat3((damping_ + loose) * Mat3::Identity()));
  double growth = 0.0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Pressing p = pressing(k, at_);
    if (!(p.force > 0.0)) continue;
    const SoftContact& c = contacts_[k];
    links_.push_back({c.a, c.b, p.n, radii_[k], c.weight, -p.force / p.distance});
    const Mat3 block = c.weight * p.n * p.n.transpose();
    blocks_[c.a] += block;
    blocks_[c.b] += block;
    growth += c.weight * radii_[k] * radii_[k];
  }
  for (Mat3& block : blocks_) block = block.inverse().eval();
  growthScale_ = growth > 0.0 ? 1.0 / growth : 1.0;
}

void BallRelaxation::multiply(const State& x, State& product) const {
  for (std::size_t b = 0; b < product.moves.size(); ++b) product.moves[b] = damping_ * x.moves[b];
  product.growth = 0.0;
  for (const Link& l : links_) {
    const Vec3 d = x.moves[l.a] - x.moves[l.b];
    const double along = l.n.dot(d);
    const double opens = l.stiffness * (along - l.radii * x.growth);
    const Vec3 push = (opens - l.across * along) * l.n + l.across * d;
    product.moves[l.a] += push;
    product.moves[l.b] -= push;
    product.growth -= l.radii * opens;
  }
  hold(product);
}

void BallRelaxation::precondition(const State& x, State& scaled) const {
  for (std::size_t b = options_.driven; b < bodies_; ++b) scaled.moves[b] = blocks_[b] * x.moves[b];
  scaled.growth = growthScale_ * x.growth;
}

bool BallRelaxation::solve() {
  residual_ = force_;
  std::fill(direction_.moves.begin(), direction_.moves.end(), Vec3(Vec3::Zero()));
  direction_.growth = 0.0;
  precondition(residual_, scaled_);
  search_ = scaled_;
  double energy = dot(residual_, scaled_);
  const double enough = solved * solved * energy;
  for (int k = 0; k < mostProducts && energy > enough; ++k) {
    multiply(search_, product_);
    const double curvature = dot(search_, product_);
    if (!(curvature > 0.0)) {
      if (k == 0) direction_ = search_;  // no ball touches another: all grow
      return false;
    }
    const double step = energy / curvature;
    add(direction_, step, search_);
    add(residual_, -step, product_);
    precondition(residual_, scaled_);
    const double next = dot(residual_, scaled_), ratio = next / energy;
    energy = next;
    for (std::size_t b = options_.driven; b < bodies_; ++b)
      search_.moves[b] = scaled_.moves[b] + ratio * search_.moves[b];
    search_.growth = scaled_.growth + ratio * search_.growth;
  }
  return true;
}

double BallRelaxation::longestLine() const {
  double most = HUGE_VAL;
  for (std::size_t b = options_.driven; b < bodies_; ++b) {
    const double speed = direction_.moves[b].norm();
    if (speed > 0.0)
      most = std::min(most, std::max(options_.farthest - at_.moves[b].norm(), 0.0) / speed);
  }
  const double growth = shareOfGrowth * options_.farthest / largest_;
  if (direction_.growth != 0.0)
    most = std::min(
        most, std::max(growth - std::abs(at_.growth - 1.0), 0.0) / std::abs(direction_.growth));
  return most;
}

double BallRelaxation::searchLine(double farthest) {
  const double first = dot(force_, direction_);
  double low = 0.0, atLow = first, high = HUGE_VAL, atHigh = 0.0;
  double length = std::min(1.0, farthest);
  const auto between = [&] {
    return low + (high - low) * std::clamp(atLow / (atLow - atHigh), 0.1, 0.9);
  };
  for (int k = 0; k < 12; ++k) {
    trial_ = at_;
    add(trial_, length, direction_);
    findForces(trial_, trialForce_);
    const double here = dot(trialForce_, direction_);
    if (std::abs(here) <= 0.1 * first || (here > 0.0 && length >= farthest)) break;
    if (here > 0.0) {
      low = length;
      atLow = here;
      length = high < HUGE_VAL ? between() : std::min(4.0 * length, farthest);
    } else {
      high = length;
      atHigh = here;
      length = between();
    }
  }
  return length;
}

double BallRelaxation::imbalance() const {
  double square = 0.0;
  for (std::size_t b = options_.driven; b < bodies_; ++b) square += force_.moves[b].squaredNorm();
  if (!(square > 0.0)) return 0.0;
  return std::sqrt(square / static_cast<double>(bodies_ - options_.driven)) / mean_;
}

void BallRelaxation::run(std::span<const SoftContact> contacts, std::size_t bodies,
                         const BallRelaxationOptions& options) {
  contacts_ = contacts;
  bodies_ = bodies;
  options_ = options;
  damping_ = options.damping;
  const std::size_t size = bodies + mostWalls;
  for (State* s : {&at_, &trial_, &force_, &trialForce_, &direction_, &residual_, &search_,
                   &scaled_, &product_}) {
    s->moves.assign(size, Vec3::Zero());
    s->growth = 0.0;
  }
  at_.growth = 1.0;
  blocks_.resize(size);
  radii_.clear();
  largest_ = options.farthest;
  for (const SoftContact& c : contacts) {
    // Of a wall the branch is the radius of the ball.
    radii_.push_back(std::isfinite(c.apart) ? c.apart + c.intrusion - options.shell : c.branch);
    largest_ = std::max(largest_, radii_.back());
  }
  findForces(at_, force_);
  for (int k = 0; k < options.mostSteps; ++k) {
    const bool pressed =
        options.virial < 0.0 || std::abs(force_.growth) < virialError * options.virial;
    if (pressed && imbalance() <= options.balance) return;
    findLinks();
    if (!solve()) {
      for (Link& l : links_) l.across = 0.0;
      solve();
    }
    const double farthest = longestLine(), length = searchLine(farthest);
    if (!(length > 0.0)) return;
    std::swap(at_, trial_);
    std::swap(force_, trialForce_);
    if (length < shortStep) damping_ = std::min(dampingChange * damping_, mostDamping);
    if (length > longStep) damping_ = std::max(damping_ / dampingChange, leastDamping);
    if (length >= 0.99 * farthest) return;
  }
}

}  // namespace scree::sim
