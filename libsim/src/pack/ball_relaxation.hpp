// SPDX-License-Identifier: GPL-3.0-or-later
// Balls that relax to balanced forces while the list of their near contacts holds.
#pragma once

#include "contact_model.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace scree::sim {

/// Moves of balls that minimise the energy Σ weight/2 max(0, intrusion)² of their contacts. The
/// contacts are found once. The distance of the two centres then sets the direction and the
/// intrusion of each, so that the energy is exact while no ball moves farther than the contacts
/// were looked for. One evaluation costs a hundredth of finding the contacts.
///
/// Minimiser: conjugate gradients (E. Polak & G. Ribière, 1969) with restarts, scaled by the number
/// of contacts of each ball; secants find the minimum along a line. Sums run in a fixed order on
/// one thread.
class BallRelaxation {
 public:
  /// Moves until the resultants (root mean square of the bodies from `driven` on) are below
  /// `balance` [-] of the mean force of contacts, a ball has moved by `farthest` [L], or `most`
  /// lines are searched.
  /// @param bodies  their number, walls follow
  void run(std::span<const SoftContact> contacts, std::size_t bodies, std::size_t driven,
           double balance, double farthest, int most);
  const Vec3& move(std::size_t body) const { return move_[body]; }  ///< [L]

 private:
  using Vectors = std::vector<Vec3>;
  void findForces(const Vectors& at);
  double forceAlong() const;           ///< minus the derivative of the energy along direction_
  double searchLine(double farthest);  ///< @returns how far to go along direction_

  std::span<const SoftContact> contacts_;
  std::size_t driven_ = 0, bodies_ = 0;
  Vectors move_, trial_, direction_, force_, before_;
  std::vector<double> weight_;  ///< [-] of each ball: a large one with many contacts is stiff
  double mean_ = 0.0;           ///< [L] mean force of contacts that press
  double length_ = 0.0;         ///< of the last line
};

}  // namespace scree::sim
