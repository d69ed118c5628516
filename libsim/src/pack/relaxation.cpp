// SPDX-License-Identifier: GPL-3.0-or-later
#include "relaxation.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {

double ContactModel::change(const SoftContact& c, const Values& x) const {
  const Eigen::Index a = at(c.a), b = at(c.b);
  double d = c.n.dot(x.segment<3>(a) - x.segment<3>(b));
  if (stride_ == 6) d += c.leverA.dot(x.segment<3>(a + 3)) - c.leverB.dot(x.segment<3>(b + 3));
  return d;
}

void ContactModel::push(const SoftContact& c, double force, Values& on) const {
  const Eigen::Index a = at(c.a), b = at(c.b);
  const Vec3 f = force * c.n;
  on.segment<3>(a) += f;
  on.segment<3>(b) -= f;
  if (stride_ == 6) {
    on.segment<3>(a + 3) += force * c.leverA;
    on.segment<3>(b + 3) -= force * c.leverB;
  }
}

void ContactModel::hold(Values& v) const {
  v.head(at(options_.driven)).setZero();
  v.tail(at(mostWalls)).setZero();
}

ContactModel::Values ContactModel::resultants(std::span<const SoftContact> contacts) const {
  Values sum = -options_.damping * move_;
  for (const SoftContact& c : contacts) push(c, c.force(), sum);
  hold(sum);
  return sum;
}

ContactModel::Values ContactModel::diagonal(std::span<const SoftContact> contacts) const {
  Values d = Values::Constant(move_.size(), options_.damping);
  for (const SoftContact& c : contacts) {
    if (!c.presses()) continue;
    const auto squares = [&](const Vec3& v) -> Vec3 { return c.weight * v.cwiseAbs2(); };
    const Eigen::Index a = at(c.a), b = at(c.b);
    const Vec3 n = squares(c.n);
    d.segment<3>(a) += n;
    d.segment<3>(b) += n;
    if (stride_ == 6) {
      d.segment<3>(a + 3) += squares(c.leverA);
      d.segment<3>(b + 3) += squares(c.leverB);
    }
  }
  return d;
}

double ContactModel::lengthAlong(std::span<const SoftContact> contacts,
                                 const Values& direction) const {
  // The derivative along the direction rises and is piecewise linear: Newton's method finds its
  // root in as many steps as sets of contacts change.
  const double held = options_.damping * move_.dot(direction),
               holding = options_.damping * direction.squaredNorm();
  double length = 1.0, low = 0.0, high = HUGE_VAL;
  for (int k = 0; k < 30; ++k) {
    double slope = held + length * holding, curvature = holding;
    for (const SoftContact& c : contacts) {
      const double rest = c.intrusion - length * c.opening;
      if (!(rest > 0.0)) continue;
      slope -= c.weight * c.opening * rest;
      curvature += c.weight * c.opening * c.opening;
    }
    if (slope > 0.0)
      high = std::min(high, length);
    else
      low = std::max(low, length);
    if (!(curvature > 0.0)) break;
    double next = length - slope / curvature;
    if (!(next > low && next < high)) next = high < HUGE_VAL ? 0.5 * (low + high) : 2.0 * low;
    if (std::abs(next - length) < 1e-6 * length) return next;
    length = next;
  }
  return low > 0.0 ? low : length;
}

void ContactModel::solve(std::span<SoftContact> contacts, std::size_t bodies,
                         const ContactModelOptions& options) {
  options_ = options;
  stride_ = options.turning ? 6 : 3;
  move_.setZero(at(bodies + mostWalls));
  Values resultant = resultants(contacts), direction;
  const auto multiply = [&](const Values& x, Values& product) {
    product = options_.damping * x;
    for (const SoftContact& c : contacts)
      if (c.presses()) push(c, c.weight * change(c, x), product);
    hold(product);
  };
  double norm = resultant.norm();
  const double enough = options.tolerance * norm;
  int products = 0;
  while (products < options.mostProducts && norm > enough) {
    const Values inverse = diagonal(contacts).cwiseInverse();
    // Contacts open and close on the way: a pass need not go to the end.
    conjugateGradients(
        multiply, [&](const Values& v, Values& scaled) { scaled = v.cwiseProduct(inverse); },
        std::max(0.5 * enough / norm, 0.05), options.mostProducts, resultant, direction, products);
    for (SoftContact& c : contacts) c.opening = change(c, direction);
    const double length = lengthAlong(contacts, direction);
    move_ += length * direction;
    for (SoftContact& c : contacts) c.intrusion -= length * c.opening;
    resultant = resultants(contacts);
    norm = resultant.norm();
  }
}

namespace {

/// [-] of the stiffness of a contact.
constexpr double leastBallDamping = 1e-7, mostBallDamping = 1.0;
/// Steps are shorter than the first, or longer than the second, where damping rises or falls.
constexpr double shortStep = 0.3, longStep = 0.8, dampingChange = 5.0;
/// [-] of the resultants remains after the solution of a step, and most of its products.
constexpr double solved = 0.02;
constexpr int mostProducts = 5000;
/// [-] of the stiffness of a contact, in the preconditioner alone: balls held by one or two.
constexpr double loose = 1e-3;
/// [-] of the longest move: growth of the two radii of a contact within one list of contacts.
constexpr double shareOfGrowth = 0.2;
/// [-] by which the virial may be off at the end.
constexpr double virialError = 0.01;

}  // namespace

void BallRelaxation::hold(Values& x) const {
  x.head(at(options_.driven)).setZero();
  x.segment(at(bodies_), at(mostWalls)).setZero();
  if (options_.virial < 0.0) growthOf(x) = 0.0;
}

BallRelaxation::Pressing BallRelaxation::pressing(std::size_t contact, const Values& x) const {
  const SoftContact& c = contacts_[contact];
  const Vec3 moved = x.segment<3>(at(c.a)) - x.segment<3>(at(c.b));
  Pressing p{c.n, HUGE_VAL, 0.0};
  double closer = -c.n.dot(moved);
  if (std::isfinite(c.apart)) {  // not a wall
    const Vec3 apart = c.apart * c.n + moved;
    p.distance = apart.norm();
    closer = c.apart - p.distance;
    p.n = apart * (1.0 / p.distance);
  }
  p.force = c.weight * (c.intrusion + closer + radii_[contact] * growthOf(x));
  return p;
}

void BallRelaxation::findForces(const Values& x, Values& force) {
  force.setZero(x.size());
  growthOf(force) = options_.virial;
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Pressing p = pressing(k, x);
    if (!(p.force > 0.0)) continue;
    sum += p.force;
    ++count;
    force.segment<3>(at(contacts_[k].a)) += p.force * p.n;
    force.segment<3>(at(contacts_[k].b)) -= p.force * p.n;
    growthOf(force) -= p.force * radii_[k];
  }
  hold(force);
  mean_ = count > 0 ? sum / static_cast<double>(count) : 0.0;
}

void BallRelaxation::findLinks() {
  links_.clear();
  blocks_.assign(bodies_ + mostWalls, Mat3((damping_ + loose) * Mat3::Identity()));
  double growth = 0.0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Pressing p = pressing(k, at_);
    if (!(p.force > 0.0)) continue;
    const SoftContact& c = contacts_[k];
    links_.push_back({at(c.a), at(c.b), p.n, radii_[k], c.weight, -p.force / p.distance});
    const Mat3 block = c.weight * p.n * p.n.transpose();
    blocks_[c.a] += block;
    blocks_[c.b] += block;
    growth += c.weight * radii_[k] * radii_[k];
  }
  for (Mat3& block : blocks_) block = block.inverse().eval();
  growthScale_ = growth > 0.0 ? 1.0 / growth : 1.0;
}

bool BallRelaxation::solve(bool turning) {
  const auto multiply = [&](const Values& x, Values& product) {
    product = damping_ * x;
    growthOf(product) = 0.0;
    for (const Link& l : links_) {
      const Vec3 d = x.segment<3>(l.a) - x.segment<3>(l.b);
      const double along = l.n.dot(d), across = turning ? l.across : 0.0;
      const double opens = l.stiffness * (along - l.radii * growthOf(x));
      const Vec3 push = (opens - across * along) * l.n + across * d;
      product.segment<3>(l.a) += push;
      product.segment<3>(l.b) -= push;
      growthOf(product) -= l.radii * opens;
    }
    hold(product);
  };
  const auto precondition = [&](const Values& x, Values& scaled) {
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      scaled.segment<3>(at(b)) = blocks_[b] * x.segment<3>(at(b));
    growthOf(scaled) = growthScale_ * growthOf(x);
  };
  Values residual = force_;
  int products = 0;
  return conjugateGradients(multiply, precondition, solved, mostProducts, residual, direction_,
                            products);
}

double BallRelaxation::longestLine() const {
  double most = HUGE_VAL;
  for (std::size_t b = options_.driven; b < bodies_; ++b) {
    const double speed = direction_.segment<3>(at(b)).norm();
    if (speed > 0.0)
      most =
          std::min(most, std::max(options_.farthest - at_.segment<3>(at(b)).norm(), 0.0) / speed);
  }
  if (const double speed = std::abs(growthOf(direction_)); speed > 0.0) {
    const double growth = shareOfGrowth * options_.farthest / largest_;
    most = std::min(most, std::max(growth - std::abs(growthOf(at_)), 0.0) / speed);
  }
  return most;
}

double BallRelaxation::searchLine(double farthest) {
  const double first = force_.dot(direction_);
  double low = 0.0, atLow = first, high = HUGE_VAL, atHigh = 0.0;
  double length = std::min(1.0, farthest);
  const auto between = [&] {
    return low + (high - low) * std::clamp(atLow / (atLow - atHigh), 0.1, 0.9);
  };
  for (int k = 0; k < 12; ++k) {
    trial_ = at_ + length * direction_;
    findForces(trial_, trialForce_);
    const double here = trialForce_.dot(direction_);
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
  const double square = force_.head(at(bodies_)).squaredNorm();
  if (!(square > 0.0)) return 0.0;
  return std::sqrt(square / static_cast<double>(bodies_ - options_.driven)) / mean_;
}

void BallRelaxation::run(std::span<const SoftContact> contacts, std::size_t bodies,
                         const BallRelaxationOptions& options) {
  contacts_ = contacts;
  bodies_ = bodies;
  options_ = options;
  damping_ = options.damping;
  at_.setZero(at(bodies + mostWalls) + 1);
  radii_.clear();
  largest_ = options.farthest;
  for (const SoftContact& c : contacts) {
    // The branch of a wall is the radius of the ball.
    radii_.push_back(std::isfinite(c.apart) ? c.apart + c.intrusion - options.shell : c.branch);
    largest_ = std::max(largest_, radii_.back());
  }
  findForces(at_, force_);
  for (int k = 0; k < options.mostSteps; ++k) {
    const bool pressed =
        options.virial < 0.0 || std::abs(growthOf(force_)) < virialError * options.virial;
    if (pressed && imbalance() <= options.balance) return;
    findLinks();
    if (!solve(true)) solve(false);
    const double farthest = longestLine(), length = searchLine(farthest);
    if (!(length > 0.0)) return;
    std::swap(at_, trial_);
    std::swap(force_, trialForce_);
    if (length < shortStep) damping_ = std::min(dampingChange * damping_, mostBallDamping);
    if (length > longStep) damping_ = std::max(damping_ / dampingChange, leastBallDamping);
    if (length >= 0.99 * farthest) return;
  }
}

}  // namespace scree::sim
