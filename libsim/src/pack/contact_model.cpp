// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact_model.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  // Four sums side by side, always the same ones.
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  std::size_t k = 0;
  for (; k + 4 <= a.size(); k += 4) {
    s0 += a[k] * b[k];
    s1 += a[k + 1] * b[k + 1];
    s2 += a[k + 2] * b[k + 2];
    s3 += a[k + 3] * b[k + 3];
  }
  for (; k < a.size(); ++k) s0 += a[k] * b[k];
  return (s0 + s1) + (s2 + s3);
}

double dot3(const double* a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void add3(double* a, double factor, const Vec3& b) {
  a[0] += factor * b[0];
  a[1] += factor * b[1];
  a[2] += factor * b[2];
}

}  // namespace

double ContactModel::change(const SoftContact& c, const Values& x) const {
  const double *a = x.data() + stride_ * c.a, *b = x.data() + stride_ * c.b;
  double d = dot3(a, c.n) - dot3(b, c.n);
  if (stride_ == 6) d += dot3(a + 3, c.leverA) - dot3(b + 3, c.leverB);
  return d;
}

void ContactModel::push(const SoftContact& c, double force, Values& on) const {
  double *a = on.data() + stride_ * c.a, *b = on.data() + stride_ * c.b;
  add3(a, force, c.n);
  add3(b, -force, c.n);
  if (stride_ == 6) {
    add3(a + 3, force, c.leverA);
    add3(b + 3, -force, c.leverB);
  }
}

void ContactModel::hold(Values& v) const {
  const auto zero = [&](std::size_t body) {
    std::fill_n(v.begin() + static_cast<std::ptrdiff_t>(stride_ * body), stride_, 0.0);
  };
  for (std::size_t k = 0; k < options_.driven; ++k) zero(k);
  for (std::size_t k = 0; k < mostWalls; ++k) zero(bodies_ + k);
}

void ContactModel::findResultants(std::span<const SoftContact> contacts) {
  for (std::size_t k = 0; k < move_.size(); ++k) resultant_[k] = -options_.damping * move_[k];
  for (std::size_t k = 0; k < contacts.size(); ++k)
    if (intrusion_[k] > 0.0) push(contacts[k], contacts[k].weight * intrusion_[k], resultant_);
  hold(resultant_);
}

void ContactModel::solveActive(std::span<const SoftContact> contacts, double enough,
                               int& products) {
  active_.clear();
  std::fill(diagonal_.begin(), diagonal_.end(), options_.damping);
  for (std::uint32_t k = 0; k < contacts.size(); ++k) {
    const SoftContact& c = contacts[k];
    if (!(intrusion_[k] > 0.0) || c.weight == 0.0) continue;
    active_.push_back(k);
    double *a = diagonal_.data() + stride_ * c.a, *b = diagonal_.data() + stride_ * c.b;
    add3(a, c.weight, c.n.cwiseProduct(c.n));
    add3(b, c.weight, c.n.cwiseProduct(c.n));
    if (stride_ == 6) {
      add3(a + 3, c.weight, c.leverA.cwiseProduct(c.leverA));
      add3(b + 3, c.weight, c.leverB.cwiseProduct(c.leverB));
    }
  }
  // The residual of the quadratic begins as the resultants.
  std::fill(direction_.begin(), direction_.end(), 0.0);
  Values& residual = resultant_;
  for (std::size_t k = 0; k < residual.size(); ++k) scaled_[k] = residual[k] / diagonal_[k];
  search_ = scaled_;
  double energy = dot(residual, scaled_);
  while (products < options_.mostProducts && energy > 0.0) {
    ++products;
    for (std::size_t k = 0; k < search_.size(); ++k) product_[k] = options_.damping * search_[k];
    for (const std::uint32_t k : active_) {
      const SoftContact& c = contacts[k];
      push(c, c.weight * change(c, search_), product_);
    }
    hold(product_);
    const double curvature = dot(search_, product_);
    if (!(curvature > 0.0)) break;
    const double step = energy / curvature;
    for (std::size_t k = 0; k < search_.size(); ++k) {
      direction_[k] += step * search_[k];
      residual[k] -= step * product_[k];
    }
    if (dot(residual, residual) <= enough * enough) break;
    for (std::size_t k = 0; k < residual.size(); ++k) scaled_[k] = residual[k] / diagonal_[k];
    const double next = dot(residual, scaled_), ratio = next / energy;
    energy = next;
    for (std::size_t k = 0; k < search_.size(); ++k) search_[k] = scaled_[k] + ratio * search_[k];
  }
}

double ContactModel::lengthAlong(std::span<const SoftContact> contacts) const {
  // The derivative along the direction rises and is piecewise linear: Newton's method finds its
  // root in as many steps as sets of contacts change.
  const double held = options_.damping * dot(move_, direction_),
               holding = options_.damping * dot(direction_, direction_);
  double length = 1.0, low = 0.0, high = HUGE_VAL;
  for (int k = 0; k < 30; ++k) {
    double slope = held + length * holding, curvature = holding;
    for (std::size_t m = 0; m < contacts.size(); ++m) {
      const double rest = intrusion_[m] - length * opening_[m];
      if (!(rest > 0.0)) continue;
      slope -= contacts[m].weight * opening_[m] * rest;
      curvature += contacts[m].weight * opening_[m] * opening_[m];
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

void ContactModel::solve(std::span<const SoftContact> contacts, std::size_t bodies,
                         const ContactModelOptions& options) {
  options_ = options;
  bodies_ = bodies;
  stride_ = options.turning ? 6 : 3;
  const std::size_t size = stride_ * (bodies + mostWalls);
  for (Values* v : {&move_, &resultant_, &direction_, &search_, &product_, &scaled_, &diagonal_})
    v->assign(size, 0.0);
  intrusion_.resize(contacts.size());
  opening_.resize(contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) intrusion_[k] = contacts[k].intrusion;
  findResultants(contacts);
  double norm = std::sqrt(dot(resultant_, resultant_));
  const double enough = options.tolerance * norm;
  int products = 0;
  while (products < options.mostProducts && norm > enough) {
    // Contacts open and close on the way: a pass need not go to the end.
    solveActive(contacts, std::max(0.5 * enough, 0.05 * norm), products);
    for (std::size_t k = 0; k < contacts.size(); ++k) opening_[k] = change(contacts[k], direction_);
    const double length = lengthAlong(contacts);
    for (std::size_t k = 0; k < size; ++k) move_[k] += length * direction_[k];
    for (std::size_t k = 0; k < contacts.size(); ++k) intrusion_[k] -= length * opening_[k];
    findResultants(contacts);
    norm = std::sqrt(dot(resultant_, resultant_));
  }
}

}  // namespace scree::sim
