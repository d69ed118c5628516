// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/measure/domain.hpp"
#include "scree/sim/model/conf.hpp"
#include "scree/sim/model/energy.hpp"
#include "scree/sim/model/surroundings.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace scree::sim {

/// Value of a quantity that nothing tells.
inline constexpr double notKnown = std::numeric_limits<double>::quiet_NaN();

/// Keys of the bonds of all interfaces, sorted: an interaction with one of them is a bond.
std::vector<ContactKey> gluedKeys(const Conf& conf);

/// The share of the stiffness of its pair that each of conf.interactions, and after them each of
/// conf.boundaryTouches, has by `ContactPartnership`; bonds share nothing. Empty where all are 1.
std::vector<double> partnershipWeights(const Conf& conf);

/// Contacts with round boundaries as if those were bodies: key.i is the body, key.j the highest
/// number there is, iSub the vertex, n points inwards.
/// @param shapes  as shapesOf(conf) gives them
std::vector<InteractionRecord> boundaryContacts(const Conf& conf,
                                                std::span<const shape::Shape> shapes);

/// The action of two bodies on each other at one point, or of a round wall on a body.
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
  /// The two bodies, the lower one first; round walls are numbered from above.
  std::pair<BodyId, BodyId> pair() const {
    return j == none ? std::pair(i, none - jSub) : bodyPair(i, j);
  }
};

/// All links of a conf-file: `Interactions` in their order, then contacts with round walls.
///
/// Bonds carry their viscosity, damp times the sliding velocity, across the normal, as in a run. In
/// files of Rockable, and of runs with a summed clock, ft holds it already. In a periodic cell arms
/// reach to the nearest image. O(interactions).
/// @param shapes  as shapesOf(conf) gives them; needed where there are contacts with round walls
/// @throws ModelError for a contact of a body that is not there
std::vector<Link> linksOf(const Conf& conf, std::span<const shape::Shape> shapes = {});

/// Whether contacts may be missing from a state: it lists bonds alone and is no state of a run, or
/// packgen has marked it so.
bool missesContacts(const Conf& conf);

/// Finds the contacts that a state misses, if `missesContacts`, from where its bodies and
/// boundaries stand, and adds them to it: sub-elements that overlap. Their forces and moments are
/// nan, since the file does not tell them. O(n log n).
/// @returns how many were found
std::size_t findContacts(Conf& conf, std::span<const shape::Shape> shapes);

/// Whether sumOfActions of `conf` needs shapes: masses for an attracting point, volumes for drag.
bool actionsNeedShapes(const Conf& conf);

/// Sum of the actions on each body but gravity, loads that a drive imposes, and damping: links,
/// joints, body force. [F], [F L] about the centre of mass, global axes.
///
/// Each sum runs over the links in their order, then over joints in theirs, then the body force at
/// the velocity of the file. Bodies at a joint of unknown rest length have nan. So do all free
/// bodies where shapes are needed and not given. O(links + bodies).
std::vector<ForceAndMoment> sumOfActions(const Conf& conf, std::span<const Link> links,
                                         std::span<const shape::Shape> shapes = {});

/// One instant of a run or of a conf-file, with what follows from it, each computed when it is
/// first used and then kept. A run and its files agree to the last bit, since both stand on a Conf.
///
/// Used by one thread at a time; lends `conf` and `shapes`, which must outlive it.
class Instant {
 public:
  /// @param shapes  as shapesOf(conf) gives them, or empty where they are not known
  explicit Instant(const Conf& conf, std::span<const shape::Shape> shapes = {});
  Instant(const Instant&) = delete;
  Instant& operator=(const Instant&) = delete;

  const Conf& conf() const { return conf_; }
  std::span<const shape::Shape> shapes() const { return shapes_; }
  std::size_t bodyCount() const { return conf_.particles.size(); }
  bool isDriven(std::size_t body) const { return body < conf_.nDriven; }
  const ParticleRecord& body(std::size_t k) const { return conf_.particles[k]; }
  const shape::Shape& shapeOf(std::size_t body) const {
    return shapes_[conf_.particles[body].shapeName];
  }
  /// [L] See boundingBox. Needs shapes.
  shape::Aabb boxOf(std::size_t body) const {
    const ParticleRecord& p = conf_.particles[body];
    return boundingBox(shapeOf(body), p.pos, p.q, p.homothety);
  }
  bool hasShapes() const { return !shapes_.empty() || conf_.particles.empty(); }

  const std::vector<double>& volumes() const;  ///< [L³] of each body; nan without shapes
  const std::vector<double>& masses() const;   ///< [M] volume times the density of the group
  const std::vector<Vec3>& inertias() const;   ///< [M L²] principal, body frame
  const std::vector<Link>& links() const;      ///< see linksOf
  const std::vector<ForceAndMoment>& actions() const;  ///< see sumOfActions
  const std::vector<Mat3>& virials() const;            ///< see bodyVirials
  const Domain& hull() const;                          ///< see hullDomain
  const Domain& domain() const;                        ///< The first of cell, walls and hull.

  /// [L/T] Velocity of the image that stands `shift` away: faster by what the cell moves.
  Vec3 velocity(std::size_t body, const Vec3& shift) const {
    return shift == Vec3::Zero() ? conf_.particles[body].vel
                                 : Vec3(conf_.particles[body].vel + flow_ * shift);
  }
  /// Kinetic energy of a body; in a periodic cell, with its velocity less the flow of the cell
  /// at its centre.
  KineticEnergy kineticEnergy(std::size_t body) const;

  /// See partnershipWeights; 1 for each where that is empty.
  double weight(std::size_t interaction) const {
    return weights_.empty() ? 1.0 : weights_[interaction];
  }
  /// See boundaryContacts.
  const std::vector<InteractionRecord>& atBoundaries() const { return atBoundaries_; }

 private:
  const Conf& conf_;
  std::span<const shape::Shape> shapes_;
  Mat3 flow_;  ///< [1/T] velocity gradient of the periodic cell
  std::vector<double> weights_;
  std::vector<InteractionRecord> atBoundaries_;
  mutable std::optional<std::vector<double>> volumes_, masses_;
  mutable std::optional<std::vector<Vec3>> inertias_;
  mutable std::optional<std::vector<Link>> links_;
  mutable std::optional<std::vector<ForceAndMoment>> actions_;
  mutable std::optional<std::vector<Mat3>> virials_;
  mutable std::optional<Domain> hull_, domain_;
};

}  // namespace scree::sim
