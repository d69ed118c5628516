// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/instant.hpp"
#include "scree/sim/model/conf.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace scree::sim {

/// Contacts of a body: those with an overlap, and bonds.
struct ContactCounts {
  std::int64_t points = 0;    ///< contacts and bonds, several of which may be with one body
  std::int64_t partners = 0;  ///< bodies; each round wall is one more
  double overlap = 0.0;       ///< [L] the largest
};

/// Counts for each body. Bodies that meet through several images are one pair. O(links log links).
std::vector<ContactCounts> contactCounts(const Instant& instant);

/// How far bodies are from rest. The resultant of a body is the sum of all forces on it, its weight
/// included; nan stands where there is nothing to compare with.
struct ForceBalance {
  std::int64_t bodies = 0;
  double resultant = 0.0;  ///< [F] mean over the bodies
  double force = 0.0;      ///< [F] mean over the contacts on them
  double rms = 0.0;        ///< Ratio of the root mean squares of both.
  /// Values of bodies with two contacts or more. `worst` is the largest ratio of the resultant to
  /// the largest normal force on a body, `worstOverMean` that to the mean one.
  double worst = 0.0, worstOverMean = 0.0;
  Vec3 sum = Vec3::Zero();  ///< [F] of the resultants
};

/// Balance of the bodies that are `chosen`, one flag a body. staticBalance.txt of a run and the
/// table `balance` of extract show the same numbers.
ForceBalance forceBalance(const Instant& instant, const std::vector<char>& chosen);

/// One contact as fabric counts it: a point, or all points of a pair of bodies together.
struct Touching {
  BodyId i = 0, j = 0;     ///< j: Link::none for a round wall
  Vec3 n = Vec3::Zero();   ///< unit, from j to i
  double fn = 0.0;         ///< [F] along n
  Vec3 ft = Vec3::Zero();  ///< [F] across n
};

/// Contacts that touch, and bonds. With `byPairs`, one for each pair of bodies. Its normal is the
/// direction of the whole force on i, or of the sum of normals where the force is 0.
std::vector<Touching> touchingOf(const Instant& instant, bool byPairs);

/// F = Σ n ⊗ n / count, of trace 1; nan without contacts. Of the normals, a = 15/2 (F - I/3) is the
/// second term of their distribution.
Mat3 fabricOf(const std::vector<Touching>& contacts);

/// Anisotropies of normal and tangential forces over directions, given that of the normals `a`.
///
///     `F^n = Σ fn n⊗n/(1 + a:nn) / count`, `f0 = tr F^n`, `a_n = 15/2 dev F^n/f0`
///     `F^t = Σ ft⊗n/(1 + a:nn) / count`, `a_t = 5 dev sym F^t/f0`
///
/// Source: N. Guo & J. Zhao, Computers and Geotechnics 47, 1-15, 2013.
struct ForceAnisotropies {
  Mat3 normal, tangential;
};
ForceAnisotropies forceAnisotropies(const std::vector<Touching>& contacts, const Mat3& a);

/// Sets of bodies that unbroken bonds connect.
struct BondedParts {
  std::vector<std::vector<BodyId>> bodies;  ///< Of each part, ascending; a single body is one, too.
  /// [L] What to add to the position of a body so that its part is in one piece. Images along bonds
  /// in a periodic cell, else 0. One entry for each body.
  std::vector<Vec3> shift;
};

/// Parts by the interfaces, in the order of their first bodies. O((bodies + interfaces) log).
/// @param chosen  one flag a body: others belong to no part and connect nothing
BondedParts bondedParts(const Conf& conf, std::span<const char> chosen);

/// The lowest body of its part, for each body; all bodies count.
std::vector<BodyId> fragmentLabels(const Conf& conf);

/// Load on a driven body or a round wall.
struct WallLoad {
  std::int64_t points = 0;     ///< contacts with an overlap, and bonds
  double fn = 0.0;             ///< [F] sum of the normal forces
  Vec3 force = Vec3::Zero();   ///< [F] on the wall; of a driven body as Instant::actions has it
  Vec3 moment = Vec3::Zero();  ///< [F L] about its centre, or the centre of the round wall
  /// [L²] Inner area, and [F/L²] the normal force over it. Known for the walls of a domain of plane
  /// walls (wallDomain), of which the part counts that borders on it, not what reaches beyond; for
  /// balls; and for a cylinder between two ends square to it. Else nan.
  double area = notKnown, pressure = notKnown;
};
struct WallLoads {
  std::vector<WallLoad> driven;  ///< one a driven body
  std::vector<WallLoad> round;   ///< one a round wall, in the order of Conf::boundaries
};
/// Sums over links in their order. O(links).
WallLoads wallLoads(const Instant& instant);

}  // namespace scree::sim
