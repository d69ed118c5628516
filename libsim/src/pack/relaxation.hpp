// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts of a packing as springs whose directions are frozen, and the moves that relax them.
#pragma once

#include "scree/base/math.hpp"
#include "scree/sim/model/contact_key.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace scree::sim {

/// One contact point of two bodies, or of a body and a wall of the container, linearised where the
/// bodies stand. A small move changes its intrusion by
///     `-n·(x_a - x_b) - leverA·turn_a + leverB·turn_b`.
/// Here turns are multiplied by a length of the body, so that they are lengths as well.
struct SoftContact {
  BodyId a = 0, b = 0;    ///< walls are numbered on from the number of bodies
  Vec3 n = Vec3::Zero();  ///< unit, towards a
  Vec3 leverA = Vec3::Zero(), leverB = Vec3::Zero();  ///< [-] arm × n over the length of the body
  double intrusion = 0.0;                             ///< [L] below 0: still apart
  double weight = 1.0;                                ///< [-] stiffness, see ContactRegions
  double branch = 0.0;   ///< [L] along n from the centre of b, or from the wall, to that of a
  double apart = 0.0;    ///< [L] distance of the skeletons; infinite for a wall
  double opening = 0.0;  ///< [L] by which a move reduces the intrusion; scratch of ContactModel

  bool presses() const { return intrusion > 0.0 && weight != 0.0; }
  double force() const { return presses() ? weight * intrusion : 0.0; }
};
/// Most walls that a container has.
inline constexpr std::size_t mostWalls = 6;

/// Limits of ContactModel.
struct ContactModelOptions {
  double tolerance = 0.1;  ///< [-] remaining share of the resultants
  int mostProducts = 100;  ///< products with the matrix of contacts
  double damping = 1e-6;   ///< [-] stiffness that holds each body where it stands
  std::size_t driven = 0;  ///< the first so many bodies do not move
  bool turning = true;     ///< false: turns have no effect (balls)
};

/// Moves of all bodies that minimise the energy Σ weight/2 max(0, intrusion)² of contacts with
/// frozen normals. That energy is convex and piecewise quadratic. Each pass solves the quadratic of
/// the contacts that carry force by conjugate gradients, preconditioned by the diagonal. It then
/// finds the minimum along that direction with contacts that open and close.
///
/// All sums run in the order of contacts and bodies on one thread, so results do not depend on the
/// number of threads. O(contacts) for each product.
class ContactModel {
 public:
  /// @param contacts  used up: their intrusions become those after the moves
  /// @param bodies  their number
  void solve(std::span<SoftContact> contacts, std::size_t bodies,
             const ContactModelOptions& options);
  /// [L] the moves found
  Vec3 move(std::size_t body) const { return move_.segment<3>(at(body)); }
  Vec3 turn(std::size_t body) const {
    return stride_ == 6 ? Vec3(move_.segment<3>(at(body) + 3)) : Vec3(Vec3::Zero());
  }

 private:
  using Values = Eigen::VectorXd;
  Eigen::Index at(std::size_t body) const { return static_cast<Eigen::Index>(body) * stride_; }
  double change(const SoftContact& c, const Values& x) const;
  void push(const SoftContact& c, double force, Values& on) const;
  void hold(Values& v) const;  ///< zero for bodies that do not move, and for walls
  Values resultants(std::span<const SoftContact> contacts) const;
  Values diagonal(std::span<const SoftContact> contacts) const;
  void findDirection(std::span<const SoftContact> contacts, double share, Values& residual,
                     Values& direction, int& products) const;
  double lengthAlong(std::span<const SoftContact> contacts, const Values& direction) const;

  ContactModelOptions options_;
  Eigen::Index stride_ = 6;
  Values move_;
};

}  // namespace scree::sim
