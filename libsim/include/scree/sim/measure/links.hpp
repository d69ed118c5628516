// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/shape.hpp"
#include "scree/sim/measure/snapshot.hpp"
#include "scree/sim/model/conf.hpp"
#include "scree/sim/model/surroundings.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace scree::sim {

/// What two bodies do to each other at one point, or a round wall to a body.
struct Link {
  enum class Kind : std::uint8_t { contact, bond, boundary };
  static constexpr BodyId none = UINT32_MAX;

  Kind kind = Kind::contact;
  Pairing pairing = Pairing::vertexVertex;
  BodyId i = 0;
  BodyId j = 0;                      ///< `none` for a round wall
  std::uint32_t iSub = 0, jSub = 0;  ///< sub-elements; jSub is the number of a round wall
  double dn = 0.0;                   ///< [L] gap, negative = overlap
  Vec3 n = Vec3::Zero();             ///< unit normal, from j to i
  Vec3 pos = Vec3::Zero();           ///< [L] point, as the file has it
  Vec3 armI = Vec3::Zero();          ///< [L] from the centre of i to the point
  Vec3 armJ = Vec3::Zero();          ///< [L] from the centre of j, or of its image beside i
  Vec3 vel = Vec3::Zero();           ///< [L/T] of j relative to i at the point
  double fn = 0.0;                   ///< [F] on i along n, viscosity included
  Vec3 ft = Vec3::Zero();            ///< [F] on i across n, viscosity of bonds included
  Vec3 mom = Vec3::Zero();           ///< [F L] on i
  double weight = 1.0;  ///< share of the stiffness of the pair, see `partnershipWeights`

  Vec3 force() const { return fn * n + ft; }  ///< [F] on i
  /// [L] centre of i less that of j, by the images that touch; of a round wall: less the point.
  Vec3 branch() const { return j == none ? Vec3(-armI) : Vec3(armJ - armI); }
  bool touches() const { return dn < 0.0; }
};

/// The arm from the centre of a body to a point of one of its links, by the nearest image. [L]
class Arms {
 public:
  explicit Arms(const PeriodicCell& cell) : used_(cell.used), h_(cell.h) {
    if (used_) inverse_ = h_.inverse();
  }
  Vec3 operator()(const Vec3& centre, const Vec3& point) const {
    const Vec3 arm = point - centre;
    if (!used_) return arm;
    const Vec3 cells = inverse_ * arm;
    return arm - h_ * Vec3(cells.array().round());
  }

 private:
  bool used_;
  Mat3 h_, inverse_ = Mat3::Identity();
};

/// All links of a conf-file: `Interactions` in their order, then contacts with round walls.
///
/// Bonds carry their viscosity, damp times the sliding velocity, across the normal, as in a run;
/// in files of `--compat rockable` and of Rockable it stands in ft already. In a periodic cell arms
/// reach to the nearest image. O(interactions).
/// @param shapes  as shapesOf(conf) gives them; needed where there are contacts with round walls
/// @throws ModelError for a contact of a body that is not there
std::vector<Link> linksOf(const Conf& conf, std::span<const shape::Shape> shapes = {});

/// Whether sumOfActions of `conf` needs shapes: masses for an attracting point, volumes for drag.
bool actionsNeedShapes(const Conf& conf);

/// What acts on each body but gravity, loads that a drive imposes, and damping: links, joints, body
/// force. [F], [F L] about the centre of mass, global axes.
///
/// Each sum runs over the links in their order, then over joints in theirs, then the body force at
/// the velocity that the file has. nan where a file cannot tell: bodies at a joint of unknown rest
/// length, and all free bodies where shapes are needed and not given. O(links + bodies).
std::vector<ForceAndMoment> sumOfActions(const Conf& conf, std::span<const Link> links,
                                         std::span<const shape::Shape> shapes = {});

}  // namespace scree::sim
