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

/// Conjugate gradients, preconditioned by the diagonal, until `share` of the residual is left.
/// Where the matrix is found not to be positive, the last good direction, or else the first.
void ContactModel::findDirection(std::span<const SoftContact> contacts, double share,
                                 Values& residual, Values& direction, int& products) const {
  const Values inverse = diagonal(contacts).cwiseInverse();
  Values scaled = residual.cwiseProduct(inverse), search = scaled, product;
  direction.setZero(residual.size());
  double energy = residual.dot(scaled);
  const double enough = share * share * energy;
  for (bool first = true; products < options_.mostProducts && energy > enough; first = false) {
    ++products;
    product = options_.damping * search;
    for (const SoftContact& c : contacts)
      if (c.presses()) push(c, c.weight * change(c, search), product);
    hold(product);
    const double curvature = search.dot(product);
    if (!(curvature > 0.0)) {
      if (first) direction = search;
      return;
    }
    const double step = energy / curvature;
    direction += step * search;
    residual -= step * product;
    scaled = residual.cwiseProduct(inverse);
    const double next = residual.dot(scaled);
    search = scaled + (next / energy) * search;
    energy = next;
  }
}

void ContactModel::solve(std::span<SoftContact> contacts, std::size_t bodies,
                         const ContactModelOptions& options) {
  options_ = options;
  stride_ = options.turning ? 6 : 3;
  move_.setZero(at(bodies + mostWalls));
  Values resultant = resultants(contacts), direction;
  double norm = resultant.norm();
  const double enough = options.tolerance * norm;
  int products = 0;
  while (products < options.mostProducts && norm > enough) {
    // Contacts open and close on the way: a pass need not go to the end.
    findDirection(contacts, std::max(0.5 * enough / norm, 0.05), resultant, direction, products);
    for (SoftContact& c : contacts) c.opening = change(c, direction);
    const double length = lengthAlong(contacts, direction);
    move_ += length * direction;
    for (SoftContact& c : contacts) c.intrusion -= length * c.opening;
    resultant = resultants(contacts);
    norm = resultant.norm();
  }
}

}  // namespace scree::sim
