// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/instant.hpp"

#include <cstdint>
#include <vector>

namespace scree::sim {

/// One contact as fabric counts it: a point, or all points of a pair of bodies together.
struct Touching {
  BodyId i = 0, j = 0;     ///< j: Link::none for a round wall
  Vec3 n = Vec3::Zero();   ///< unit, from j to i
  double fn = 0.0;         ///< [F] along n
  Vec3 ft = Vec3::Zero();  ///< [F] across n
};

/// Contacts that touch, and bonds. With `byPairs`, one for each pair of bodies: its normal is the
/// direction of the whole force on i, or of the sum of normals where the force is 0.
std::vector<Touching> touchingOf(const Instant& instant, bool byPairs);

/// Sums over contacts, from which tensors follow; parts add up.
struct FabricSums {
  std::int64_t count = 0;
  Mat3 nn = Mat3::Zero();  ///< Σ n ⊗ n

  void add(const Touching& c) {
    ++count;
    nn += c.n * c.n.transpose();
  }
  /// F = Σ n ⊗ n / count, of trace 1; nan without contacts.
  Mat3 fabric() const;
  /// a = 15/2 (F - I/3), the second term of the distribution of normals.
  Mat3 anisotropy() const;
};

/// Anisotropies of normal and tangential forces over directions, given that of the normals `a`:
///
///     F^n = Σ fn n⊗n/(1 + a:nn) / count,  f0 = tr F^n,  a_n = 15/2 dev F^n/f0
///     F^t = Σ ft⊗n/(1 + a:nn) / count,    a_t = 5 dev sym F^t/f0
///
/// Source: N. Guo & J. Zhao, Computers and Geotechnics 47, 1-15, 2013.
struct ForceAnisotropies {
  Mat3 normal, tangential;
};
ForceAnisotropies forceAnisotropies(const std::vector<Touching>& contacts, const Mat3& a);

}  // namespace scree::sim
