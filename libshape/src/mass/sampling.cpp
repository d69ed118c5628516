// SPDX-License-Identifier: GPL-3.0-or-later
#include "skeleton.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/mass/certified.hpp"

#include <bit>

namespace scree::mass {
namespace {

using detail::Element;
using detail::inBodyUnits;
using detail::Skeleton;

/// Tells points inside from points outside.
class Inside {
 public:
  explicit Inside(const Skeleton& skeleton) : skeleton_(skeleton) {
    std::vector<shape::Aabb> boxes;
    for (const Element& e : skeleton.elements) {
      shape::Aabb box;
      if (e.kind == Element::Kind::ellipsoid) {
        const detail::Ellipsoid& ball = skeleton.ellipsoids[e.ellipsoid];
        const Vec3 reach = ball.stretch.rowwise().norm();
        box.add(Vec3(ball.c - reach));
        box.add(Vec3(ball.c + reach));
      } else {
        for (const Vec3& v : e.corner) box.add(v);
      }
      boxes.push_back(box.grown(e.radius));
    }
    tree_ = shape::AabbTree(boxes, 4);
  }

  bool operator()(const Vec3& p) const {
    bool in = false;
    shape::Aabb box;
    box.add(p);
    tree_.forEachNear(box, [&](std::uint32_t k) {
      Vec3 slope;
      in = in || detail::distanceTo(skeleton_, skeleton_.elements[k], p, slope) < 0.0;
    });
    for (const detail::Solid& solid : skeleton_.solids) in = in || solid.contains(p);
    return in;
  }

 private:
  const Skeleton& skeleton_;
  shape::AabbTree tree_;
};

}  // namespace

SobolPoints::SobolPoints() {
  // Initial odd numbers and recurrences of the three primitive polynomials.
  std::array<std::uint32_t, 30> a{1}, b{1, 1}, c{1, 3, 7};
  for (std::size_t k = 1; k < 30; ++k) a[k] = (a[k - 1] << 1) ^ a[k - 1];
  for (std::size_t k = 2; k < 30; ++k) b[k] = (b[k - 1] << 1) ^ (b[k - 2] << 2) ^ b[k - 2];
  for (std::size_t k = 3; k < 30; ++k) c[k] = (c[k - 2] << 2) ^ (c[k - 3] << 3) ^ c[k - 3];
  const std::array<std::array<std::uint32_t, 30>, 3> m{a, b, c};
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t k = 0; k < 30; ++k) direction_[d][k] = m[d][k] << (29 - k);
}

Vec3 SobolPoints::next() {
  const auto bit = static_cast<std::size_t>(std::countr_one(count_++));
  if (bit >= 30) throw GeometryError("the Sobol sequence of 30 bits is exhausted");
  Vec3 p;
  for (std::size_t d = 0; d < 3; ++d) {
    x_[d] ^= direction_[d][bit];
    p[static_cast<Eigen::Index>(d)] = x_[d] * 0x1.0p-30;
  }
  return p;
}

SolidProperties sobolMass(const CertifiedBody& body, std::size_t points) {
  const Skeleton skeleton = detail::skeletonOf(body);
  const Inside inside(skeleton);
  const Vec3 low = skeleton.box.low, size = skeleton.box.high - low;
  SobolPoints sequence;
  const double weight = size.prod() / static_cast<double>(points);
  SolidProperties solid;
  std::size_t hits = 0;
  for (std::size_t k = 0; k < points; ++k) {
    const Vec3 p = low + sequence.next().cwiseProduct(size);
    if (!inside(p)) continue;
    ++hits;
    solid.centre += p;
  }
  if (hits == 0) throw GeometryError("no sampling point is inside the body; use more points");
  solid.volume = weight * static_cast<double>(hits);
  solid.centre /= static_cast<double>(hits);
  for (std::size_t k = 0; k < points; ++k) {
    const Vec3 p = low + sequence.next().cwiseProduct(size);
    if (!inside(p)) continue;
    const Vec3 d = p - solid.centre;
    solid.inertiaPerMass +=
        weight / solid.volume * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  return inBodyUnits(skeleton, solid);
}

SolidProperties gridMass(const CertifiedBody& body, double cellSize, int threads) {
  const Skeleton skeleton = detail::skeletonOf(body);
  const Inside inside(skeleton);
  const double d = cellSize / skeleton.scale;
  const Vec3 low = skeleton.box.low, size = skeleton.box.high - low;
  const Vec3 cells = (size / d).array().ceil();
  if (!(d > 0.0) || !(cells.prod() <= 1e9))
    throw GeometryError("the grid has more than 1e9 cells; use larger cells");
  const auto nx = static_cast<std::size_t>(cells.x()), ny = static_cast<std::size_t>(cells.y()),
             nz = static_cast<std::size_t>(cells.z());
  std::vector<Moments> planes(nz);
  parallelFor(threads, nz, [&](std::size_t k) {
    Moments sum;
    for (std::size_t j = 0; j < ny; ++j)
      for (std::size_t i = 0; i < nx; ++i) {
        const Vec3 p = low + d * Vec3(static_cast<double>(i) + 0.5, static_cast<double>(j) + 0.5,
                                      static_cast<double>(k) + 0.5);
        if (!inside(p)) continue;
        sum.m0 += 1.0;
        sum.m1 += p;
        sum.m2 += p * p.transpose();
      }
    planes[k] = sum;
  });
  Moments total;
  for (const Moments& m : planes) total += m;
  const double cube = d * d * d;
  total.m2 += total.m0 * d * d / 12.0 * Mat3::Identity();
  total.m0 *= cube;
  total.m1 *= cube;
  total.m2 *= cube;
  return inBodyUnits(skeleton, solidProperties(total));
}

}  // namespace scree::mass
