// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact_model.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

/// Σ f(k) for k in [0, n): four sums side by side, always the same ones.
template <class F>
double sumOf(std::size_t n, F&& f) {
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4) {
    s0 += f(k);
    s1 += f(k + 1);
    s2 += f(k + 2);
    s3 += f(k + 3);
  }
  for (; k < n; ++k) s0 += f(k);
  return (s0 + s1) + (s2 + s3);
}

template <class Real>
double dot(const std::vector<Real>& a, const std::vector<Real>& b) {
  return sumOf(a.size(), [&](std::size_t k) { return double{a[k]} * double{b[k]}; });
}

template <class Real>
double dot3(const Real* a, const std::array<Real, 3>& b) {
  return double{a[0]} * double{b[0]} + double{a[1]} * double{b[1]} + double{a[2]} * double{b[2]};
}

template <class Real>
void add3(Real* a, Real factor, const std::array<Real, 3>& b) {
  a[0] += factor * b[0];
  a[1] += factor * b[1];
  a[2] += factor * b[2];
}

template <class Real>
void addSquares(Real* a, Real factor, const std::array<Real, 3>& b) {
  for (std::size_t k = 0; k < 3; ++k) a[k] += factor * b[k] * b[k];
}

template <class Real>
std::array<Real, 3> rounded(const Vec3& v) {
  return {static_cast<Real>(v[0]), static_cast<Real>(v[1]), static_cast<Real>(v[2])};
}

/// Calls f(contact) for all of them, in their order.
template <class Chunks, class F>
void forEach(Chunks& chunks, F&& f) {
  for (auto& chunk : chunks)
    for (auto& contact : chunk) f(contact);
}

}  // namespace

template <class Real>
ModelContact<Real>::ModelContact(const SoftContact& c)
    : a(c.a),
      b(c.b),
      n(rounded<Real>(c.n)),
      leverA(rounded<Real>(c.leverA)),
      leverB(rounded<Real>(c.leverB)),
      intrusion(static_cast<Real>(c.intrusion)),
      weight(static_cast<Real>(c.weight)) {}

template <class Real>
double ContactModel<Real>::change(const Contact& c, const Values& x) const {
  const Real *a = x.data() + stride_ * c.a, *b = x.data() + stride_ * c.b;
  double d = dot3(a, c.n) - dot3(b, c.n);
  if (stride_ == 6) d += dot3(a + 3, c.leverA) - dot3(b + 3, c.leverB);
  return d;
}

template <class Real>
void ContactModel<Real>::push(const Contact& c, double force, Values& on) const {
  Real *a = on.data() + stride_ * c.a, *b = on.data() + stride_ * c.b;
  const auto f = static_cast<Real>(force);
  add3(a, f, c.n);
  add3(b, -f, c.n);
  if (stride_ == 6) {
    add3(a + 3, f, c.leverA);
    add3(b + 3, -f, c.leverB);
  }
}

template <class Real>
void ContactModel<Real>::hold(Values& v) const {
  const auto zero = [&](std::size_t body) {
    std::fill_n(v.begin() + static_cast<std::ptrdiff_t>(stride_ * body), stride_, Real{0});
  };
  for (std::size_t k = 0; k < options_.driven; ++k) zero(k);
  for (std::size_t k = 0; k < mostWalls; ++k) zero(bodies_ + k);
}

template <class Real>
void ContactModel<Real>::findResultants(const Chunks& contacts) {
  const auto damping = static_cast<Real>(options_.damping);
  for (std::size_t k = 0; k < move_.size(); ++k) resultant_[k] = -damping * move_[k];
  forEach(contacts, [&](const Contact& c) {
    if (c.presses()) push(c, double{c.weight} * double{c.intrusion}, resultant_);
  });
  hold(resultant_);
}

template <class Real>
void ContactModel<Real>::solveActive(const Chunks& contacts, double enough, int& products) {
  const auto damping = static_cast<Real>(options_.damping);
  std::ranges::fill(diagonal_, damping);
  forEach(contacts, [&](const Contact& c) {
    if (!c.presses()) return;
    Real *a = diagonal_.data() + stride_ * c.a, *b = diagonal_.data() + stride_ * c.b;
    addSquares(a, c.weight, c.n);
    addSquares(b, c.weight, c.n);
    if (stride_ == 6) {
      addSquares(a + 3, c.weight, c.leverA);
      addSquares(b + 3, c.weight, c.leverB);
    }
  });
  // The residual of the quadratic begins as the resultants.
  std::ranges::fill(direction_, Real{0});
  Values& residual = resultant_;
  const std::size_t size = residual.size();
  for (std::size_t k = 0; k < size; ++k) search_[k] = residual[k] / diagonal_[k];
  const auto energyOf = [&] {
    return sumOf(size, [&](std::size_t k) {
      return double{residual[k]} * double{residual[k]} / double{diagonal_[k]};
    });
  };
  double energy = energyOf();
  while (products < options_.mostProducts && energy > 0.0) {
    ++products;
    for (std::size_t k = 0; k < size; ++k) product_[k] = damping * search_[k];
    forEach(contacts, [&](const Contact& c) {
      if (c.presses()) push(c, double{c.weight} * change(c, search_), product_);
    });
    hold(product_);
    const double curvature = dot(search_, product_);
    if (!(curvature > 0.0)) break;
    const auto step = static_cast<Real>(energy / curvature);
    for (std::size_t k = 0; k < size; ++k) {
      direction_[k] += step * search_[k];
      residual[k] -= step * product_[k];
    }
    if (dot(residual, residual) <= enough * enough) break;
    const double next = energyOf();
    const auto ratio = static_cast<Real>(next / energy);
    energy = next;
    for (std::size_t k = 0; k < size; ++k)
      search_[k] = residual[k] / diagonal_[k] + ratio * search_[k];
  }
}

template <class Real>
double ContactModel<Real>::lengthAlong(const Chunks& contacts) const {
  // The derivative along the direction rises and is piecewise linear: Newton's method finds its
  // root in as many steps as sets of contacts change.
  const double held = options_.damping * dot(move_, direction_),
               holding = options_.damping * dot(direction_, direction_);
  double length = 1.0, low = 0.0, high = HUGE_VAL;
  for (int k = 0; k < 30; ++k) {
    double slope = held + length * holding, curvature = holding;
    forEach(contacts, [&](const Contact& c) {
      const double opening = c.opening, rest = double{c.intrusion} - length * opening;
      if (!(rest > 0.0)) return;
      slope -= double{c.weight} * opening * rest;
      curvature += double{c.weight} * opening * opening;
    });
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

template <class Real>
void ContactModel<Real>::solve(Chunks& contacts, std::size_t bodies,
                               const ContactModelOptions& options) {
  options_ = options;
  bodies_ = bodies;
  stride_ = options.turning ? 6 : 3;
  const std::size_t size = stride_ * (bodies + mostWalls);
  for (Values* v : {&move_, &resultant_, &direction_, &search_, &product_, &diagonal_})
    v->assign(size, Real{0});
  findResultants(contacts);
  double norm = std::sqrt(dot(resultant_, resultant_));
  const double enough = options.tolerance * norm;
  int products = 0;
  while (products < options.mostProducts && norm > enough) {
    // Contacts open and close on the way: a pass need not go to the end.
    solveActive(contacts, std::max(0.5 * enough, 0.05 * norm), products);
    forEach(contacts, [&](Contact& c) { c.opening = static_cast<Real>(change(c, direction_)); });
    const auto length = static_cast<Real>(lengthAlong(contacts));
    for (std::size_t k = 0; k < size; ++k) move_[k] += length * direction_[k];
    forEach(contacts, [&](Contact& c) { c.intrusion -= length * c.opening; });
    findResultants(contacts);
    norm = std::sqrt(dot(resultant_, resultant_));
  }
}

template <class Real>
void ContactModel<Real>::free() {
  for (Values* v : {&move_, &resultant_, &direction_, &search_, &product_, &diagonal_}) *v = {};
}

template struct ModelContact<float>;
template struct ModelContact<double>;
template class ContactModel<float>;
template class ContactModel<double>;

}  // namespace scree::sim
