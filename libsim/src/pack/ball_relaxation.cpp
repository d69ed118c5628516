// SPDX-License-Identifier: GPL-3.0-or-later
#include "ball_relaxation.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {

void BallRelaxation::findForces(const Vectors& at) {
  std::fill(force_.begin(), force_.end(), Vec3(Vec3::Zero()));
  double sum = 0.0;
  std::size_t count = 0;
  for (const SoftContact& c : contacts_) {
    const Vec3 moved = at[c.a] - at[c.b];
    Vec3 n = c.n;
    double closer = -n.dot(moved);
    if (std::isfinite(c.apart)) {  // not a wall
      const Vec3 apart = c.apart * c.n + moved;
      const double distance = apart.norm();
      closer = c.apart - distance;
      n = apart * (1.0 / distance);
    }
    const double force = c.weight * (c.intrusion + closer);
    if (!(force > 0.0)) continue;
    sum += force;
    ++count;
    force_[c.a] += force * n;
    force_[c.b] -= force * n;
  }
  std::fill_n(force_.begin(), driven_, Vec3(Vec3::Zero()));
  std::fill_n(force_.end() - mostWalls, mostWalls, Vec3(Vec3::Zero()));
  mean_ = count > 0 ? sum / static_cast<double>(count) : 0.0;
}

double BallRelaxation::forceAlong() const {
  double sum = 0.0;
  for (std::size_t b = driven_; b < bodies_; ++b) sum += force_[b].dot(direction_[b]);
  return sum;
}

double BallRelaxation::searchLine(double farthest) {
  // So that no ball leaves the reach of the contacts found.
  double most = HUGE_VAL;
  for (std::size_t b = driven_; b < bodies_; ++b) {
    const double speed = direction_[b].norm();
    if (speed > 0.0) most = std::min(most, std::max(farthest - move_[b].norm(), 0.0) / speed);
  }
  const double first = forceAlong();
  double low = 0.0, atLow = first, high = HUGE_VAL, atHigh = 0.0;
  double length = std::min(length_ > 0.0 ? length_ : 0.25, most);
  for (int k = 0; k < 6; ++k) {
    for (std::size_t b = driven_; b < bodies_; ++b) trial_[b] = move_[b] + length * direction_[b];
    findForces(trial_);
    const double here = forceAlong();
    if (std::abs(here) <= 0.1 * first || (here > 0.0 && length >= most)) break;
    if (here > 0.0) {
      // Still downhill: by the slope so far, but not beyond all measure.
      const double next =
          here < atLow ? length + (length - low) * here / (atLow - here) : 4.0 * length;
      low = length;
      atLow = here;
      length = high < HUGE_VAL ? low + (high - low) * atLow / (atLow - atHigh)
                               : std::min({next, 4.0 * length, most});
    } else {
      high = length;
      atHigh = here;
      length = low + (high - low) * atLow / (atLow - atHigh);
    }
  }
  return length;
}

void BallRelaxation::run(std::span<const SoftContact> contacts, std::size_t bodies,
                         std::size_t driven, double balance, double farthest, int most) {
  contacts_ = contacts;
  bodies_ = bodies;
  driven_ = driven;
  const std::size_t size = bodies + mostWalls;
  for (Vectors* v : {&move_, &trial_, &direction_, &force_, &before_})
    v->assign(size, Vec3::Zero());
  weight_.assign(size, 0.0);
  for (const SoftContact& c : contacts) {
    weight_[c.a] += 0.25 * c.weight;
    weight_[c.b] += 0.25 * c.weight;
  }
  for (double& w : weight_) w = 1.0 / std::max(w, 1.0);
  findForces(move_);
  length_ = 0.0;
  double last = 0.0;  // weighted square of the forces before
  for (int k = 0; k < most; ++k) {
    double square = 0.0, weighted = 0.0, mixed = 0.0;
    for (std::size_t b = driven; b < bodies; ++b) {
      square += force_[b].squaredNorm();
      weighted += weight_[b] * force_[b].squaredNorm();
      mixed += weight_[b] * force_[b].dot(before_[b]);
    }
    if (std::sqrt(square / static_cast<double>(bodies - driven)) <= balance * mean_) return;
    double keep = last > 0.0 ? std::max(0.0, (weighted - mixed) / last) : 0.0;
    for (std::size_t b = driven; b < bodies; ++b)
      direction_[b] = weight_[b] * force_[b] + keep * direction_[b];
    if (!(forceAlong() > 0.0))
      for (std::size_t b = driven; b < bodies; ++b) direction_[b] = weight_[b] * force_[b];
    last = weighted;
    before_ = force_;
    const double length = searchLine(farthest);
    if (!(length > 0.0)) return;
    length_ = length;
    move_ = trial_;
    double longest2 = 0.0;
    for (std::size_t b = driven; b < bodies; ++b)
      longest2 = std::max(longest2, move_[b].squaredNorm());
    if (longest2 >= 0.99 * farthest * farthest) return;
  }
}

}  // namespace scree::sim
