// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/stress.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {

namespace {

/// Calls f(body, arm, force) for each force on a body at centre + arm. First of links in their
/// order, of either side; then of joints, with the middle of the spring as the point. NaN where the
/// rest length of a joint is not known.
template <class F>
void eachLoad(const Instant& instant, F&& f) {
  for (const Link& link : instant.links()) {
    const Vec3 force = link.force();
    f(link.i, link.armI, force);
    if (link.j != Link::none) f(link.j, link.armJ, Vec3(-force));
  }
  for (const SpringJoint& s : instant.conf().joints) {
    if (s.i >= instant.bodyCount() || s.j >= instant.bodyCount()) continue;
    const ParticleRecord &i = instant.body(s.i), &j = instant.body(s.j);
    const Vec3 armI = rotated(i.q, s.onI), armJ = rotated(j.q, s.onJ);
    const Vec3 way = (j.pos - i.pos) + (armJ - armI);
    const double length = way.norm();
    if (length == 0.0) continue;
    const double rest = s.restLength < 0.0 ? std::nan("") : s.restLength;
    const Vec3 force = way * (s.stiffness * (length - rest) / length);
    f(s.i, Vec3(armI + 0.5 * way), force);
    f(s.j, Vec3(armJ - 0.5 * way), Vec3(-force));
  }
}

}  // namespace

std::vector<Mat3> bodyVirials(const Instant& instant) {
  std::vector<Mat3> sums(instant.bodyCount(), Mat3::Zero());
  eachLoad(instant, [&](BodyId body, const Vec3& arm, const Vec3& force) {
    sums[body] -= force * arm.transpose();
  });
  return sums;
}

double meanStress(const Mat3& tensor) { return tensor.trace() / 3.0; }

double deviatoricStress(const Mat3& tensor) {
  const Mat3 s = 0.5 * (tensor + tensor.transpose()) - meanStress(tensor) * Mat3::Identity();
  return std::sqrt(1.5 * s.squaredNorm());
}

Invariants invariantsOf(const Mat3& tensor) {
  Invariants v;
  const Mat3 symmetric = 0.5 * (tensor + tensor.transpose());
  v.p = meanStress(tensor);
  const Mat3 s = symmetric - v.p * Mat3::Identity();
  v.q = deviatoricStress(tensor);
  v.lode = v.q > 0.0 ? 13.5 * s.determinant() / (v.q * v.q * v.q) : std::nan("");
  const double size = tensor.norm();
  v.skew = size == 0.0 ? 0.0 : (tensor - symmetric).norm() / size;
  if (!symmetric.allFinite()) {
    v.values = Vec3::Constant(std::nan(""));
    v.directions = Mat3::Constant(std::nan(""));
    return v;
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(symmetric);
  for (int k = 0; k < 3; ++k) {
    v.values[k] = solver.eigenvalues()[2 - k];
    Vec3 direction = solver.eigenvectors().col(2 - k);
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction[largest] < 0.0) direction = -direction;
    v.directions.col(k) = direction;
  }
  return v;
}

namespace {

class Kernel {
 public:
  explicit Kernel(double width)
      : cut_(std::sqrt(11.0) * width), height_(315.0 / (64.0 * pi * cut_ * cut_ * cut_)) {}

  double cut() const { return cut_; }
  double operator()(const Vec3& d) const {
    const double u = 1.0 - d.squaredNorm() / (cut_ * cut_);
    return u > 0.0 ? height_ * u * u * u : 0.0;
  }
  /// The integral of φ(d - s a) over s from 0 to 1.
  double along(const Vec3& d, const Vec3& a) const {
    // The part of the line within reach; φ is of degree 6 in s there, so 4 Gauss points are exact.
    const double aa = a.squaredNorm();
    if (aa == 0.0) return (*this)(d);
    const double middle = d.dot(a) / aa, out = d.squaredNorm() - middle * middle * aa;
    const double rest = (cut_ * cut_ - out) / aa;
    if (!(rest > 0.0)) return 0.0;
    const double half = std::sqrt(rest);
    const double from = std::max(0.0, middle - half), to = std::min(1.0, middle + half);
    if (!(from < to)) return 0.0;
    constexpr double places[] = {0.33998104358485626, 0.86113631159405258};
    constexpr double weights[] = {0.65214515486254614, 0.34785484513745386};
    double sum = 0.0;
    for (int k = 0; k < 2; ++k)
      for (const double sign : {-1.0, 1.0}) {
        const double s = 0.5 * (from + to) + 0.5 * (to - from) * sign * places[k];
        sum += weights[k] * (*this)(d - s * a);
      }
    return 0.5 * (to - from) * sum;
  }

 private:
  double cut_, height_;
};

/// Calls f(place number, x - point) for places of a grid in a box around a segment, for all images.
class Reach {
 public:
  Reach(const FieldGrid& grid, const PeriodicCell& cell, double cut)
      : grid_(grid), cell_(cell), cut_(cut) {
    high_ = grid.low;
    for (int k = 0; k < 3; ++k)
      high_[k] += grid.spacing[k] * static_cast<double>(grid.count[static_cast<std::size_t>(k)]);
  }

  template <class F>
  void operator()(const Vec3& point, const Vec3& arm, F&& f) const {
    forEachImage(cell_, point + 0.5 * arm, 0.5 * arm.norm() + cut_, grid_.low, high_,
                 [&](const Vec3& shift) { placesAt(point + shift, arm, f); });
  }

 private:
  template <class F>
  void placesAt(const Vec3& point, const Vec3& arm, F&& f) const {
    const Vec3 low = point.cwiseMin(point + arm) - Vec3::Constant(cut_),
               high = point.cwiseMax(point + arm) + Vec3::Constant(cut_);
    std::array<std::int64_t, 3> from{}, to{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto a = static_cast<Eigen::Index>(k);
      const double n = static_cast<double>(grid_.count[k]);
      const double first = std::ceil((low[a] - grid_.low[a]) / grid_.spacing[a] - 0.5),
                   last = std::floor((high[a] - grid_.low[a]) / grid_.spacing[a] - 0.5);
      if (!(last >= 0.0 && first < n)) return;
      from[k] = static_cast<std::int64_t>(std::max(first, 0.0));
      to[k] = static_cast<std::int64_t>(std::min(last, n - 1.0));
    }
    for (std::int64_t z = from[2]; z <= to[2]; ++z)
      for (std::int64_t y = from[1]; y <= to[1]; ++y)
        for (std::int64_t x = from[0]; x <= to[0]; ++x) {
          const auto place =
              static_cast<std::size_t>((z * grid_.count[1] + y) * grid_.count[0] + x);
          f(place, Vec3(grid_.place(place) - point));
        }
  }

  const FieldGrid& grid_;
  const PeriodicCell& cell_;
  double cut_;
  Vec3 high_;
};

}  // namespace

Vec3 FieldGrid::place(std::size_t k) const {
  const auto nx = static_cast<std::size_t>(count[0]), ny = static_cast<std::size_t>(count[1]);
  const std::size_t row = k / nx, layer = row / ny;
  const Vec3 box(static_cast<double>(k % nx), static_cast<double>(row % ny),
                 static_cast<double>(layer));
  return low + spacing.cwiseProduct(box + Vec3::Constant(0.5));
}

CoarseFields coarseFields(const Instant& instant, std::span<const char> chosen,
                          const FieldGrid& grid, double width) {
  const Kernel kernel(width);
  const Reach reach(grid, instant.conf().cell, kernel.cut());
  const std::size_t n = grid.size();
  CoarseFields fields;
  fields.density.assign(n, 0.0);
  fields.solid.assign(n, 0.0);
  std::vector<Vec3> momentum(n, Vec3(Vec3::Zero()));
  fields.contact.assign(n, Mat3::Zero());
  fields.kinetic.assign(n, Mat3::Zero());
  const auto eachBody = [&](auto&& f) {
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      const ParticleRecord& p = instant.body(k);
      reach(p.pos, Vec3::Zero(), [&](std::size_t place, const Vec3& d) {
        const double weight = kernel(d);
        if (weight > 0.0)
          f(k, place, weight, instant.velocity(k, Vec3(grid.place(place) - d - p.pos)));
      });
    }
  };
  eachBody([&](std::size_t k, std::size_t place, double weight, const Vec3& velocity) {
    const double mass = instant.masses()[k] * weight;
    fields.density[place] += mass;
    fields.solid[place] += instant.volumes()[k] * weight;
    momentum[place] += mass * velocity;
  });
  for (std::size_t k = 0; k < n; ++k)
    fields.velocity.push_back(fields.density[k] > 0.0 ? Vec3(momentum[k] / fields.density[k])
                                                      : Vec3(Vec3::Constant(notKnown)));
  eachBody([&](std::size_t k, std::size_t place, double weight, const Vec3& velocity) {
    const Vec3 w = velocity - fields.velocity[place];
    fields.kinetic[place] += instant.masses()[k] * weight * w * w.transpose();
  });
  for (std::size_t k = 0; k < n; ++k)
    fields.temperature.push_back(
        fields.density[k] > 0.0 ? fields.kinetic[k].trace() / (3.0 * fields.density[k]) : notKnown);
  eachLoad(instant, [&](BodyId body, const Vec3& arm, const Vec3& force) {
    if (!chosen[body]) return;
    const Mat3 load = -force * arm.transpose();
    reach(instant.body(body).pos, arm, [&](std::size_t place, const Vec3& d) {
      const double weight = kernel.along(d, arm);
      if (weight > 0.0) fields.contact[place] += weight * load;
    });
  });
  return fields;
}

}  // namespace scree::sim
