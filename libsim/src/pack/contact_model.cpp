// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact_model.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

/// Calls f(contact) for all of them, in their order.
template <class Chunks, class F>
void forEach(Chunks& chunks, F&& f) {
  for (auto& chunk : chunks)
    for (auto& contact : chunk) f(contact);
}

}  // namespace

double ContactModel::change(const ModelContact& c, const Values& x) const {
  const Eigen::Index a = at(c.a), b = at(c.b);
  double d = c.n.cast<double>().dot(x.segment<3>(a) - x.segment<3>(b));
  if (stride_ == 6)
    d += c.leverA.cast<double>().dot(x.segment<3>(a + 3)) -
         c.leverB.cast<double>().dot(x.segment<3>(b + 3));
  return d;
}

void ContactModel::push(const ModelContact& c, double force, Values& on) const {
  const Eigen::Index a = at(c.a), b = at(c.b);
  const Vec3 f = force * c.n.cast<double>();
  on.segment<3>(a) += f;
  on.segment<3>(b) -= f;
  if (stride_ == 6) {
    on.segment<3>(a + 3) += force * c.leverA.cast<double>();
    on.segment<3>(b + 3) -= force * c.leverB.cast<double>();
  }
}

void ContactModel::hold(Values& v) const {
  v.head(at(options_.driven)).setZero();
  v.tail(at(mostWalls)).setZero();
}

ContactModel::Values ContactModel::resultants(const ContactChunks& contacts) const {
  Values sum = -options_.damping * move_;
  forEach(contacts, [&](const ModelContact& c) {
    if (c.presses()) push(c, double{c.weight} * double{c.intrusion}, sum);
  });
  hold(sum);
  return sum;
}

ContactModel::Values ContactModel::diagonal(const ContactChunks& contacts) const {
  Values d = Values::Constant(move_.size(), options_.damping);
  forEach(contacts, [&](const ModelContact& c) {
    if (!c.presses()) return;
    const auto squares = [&](const Eigen::Vector3f& v) -> Vec3 {
      return double{c.weight} * v.cast<double>().cwiseAbs2();
    };
    const Eigen::Index a = at(c.a), b = at(c.b);
    const Vec3 n = squares(c.n);
    d.segment<3>(a) += n;
    d.segment<3>(b) += n;
    if (stride_ == 6) {
      d.segment<3>(a + 3) += squares(c.leverA);
      d.segment<3>(b + 3) += squares(c.leverB);
    }
  });
  return d;
}

double ContactModel::lengthAlong(const ContactChunks& contacts, const Values& direction) const {
  // The derivative along the direction rises and is piecewise linear: Newton's method finds its
  // root in as many steps as sets of contacts change.
  const double held = options_.damping * move_.dot(direction),
               holding = options_.damping * direction.squaredNorm();
  double length = 1.0, low = 0.0, high = HUGE_VAL;
  for (int k = 0; k < 30; ++k) {
    double slope = held + length * holding, curvature = holding;
    forEach(contacts, [&](const ModelContact& c) {
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

void ContactModel::solve(ContactChunks& contacts, std::size_t bodies,
                         const ContactModelOptions& options) {
  options_ = options;
  stride_ = options.turning ? 6 : 3;
  move_.setZero(at(bodies + mostWalls));
  Values resultant = resultants(contacts), direction;
  const auto multiply = [&](const Values& x, Values& product) {
    product = options_.damping * x;
    forEach(contacts, [&](const ModelContact& c) {
      if (c.presses()) push(c, double{c.weight} * change(c, x), product);
    });
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
    forEach(contacts,
            [&](ModelContact& c) { c.opening = static_cast<float>(change(c, direction)); });
    const double length = lengthAlong(contacts, direction);
    move_ += length * direction;
    forEach(contacts, [&](ModelContact& c) {
      c.intrusion = static_cast<float>(double{c.intrusion} - length * double{c.opening});
    });
    resultant = resultants(contacts);
    norm = resultant.norm();
  }
}

}  // namespace scree::sim
