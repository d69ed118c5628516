// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts of a packing as springs, and the moves that relax them.
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
  double branch = 0.0;  ///< [L] along n from the centre of b, or from the wall, to that of a
  double apart = 0.0;   ///< [L] distance of the skeletons; infinite for a wall

  bool presses() const { return intrusion > 0.0 && weight != 0.0; }
  double force() const { return presses() ? weight * intrusion : 0.0; }
};
/// Most walls that a container has.
inline constexpr std::size_t mostWalls = 6;

/// Goal and limits of relaxed().
struct RelaxationOptions {
  std::size_t driven = 0;      ///< the first so many bodies do not move
  double tolerance = 0.0;      ///< [-] done at this share of the resultants of the start, or
  double balance = 0.0;        ///< [-] of the mean force (root mean square)
  double farthest = HUGE_VAL;  ///< [L] longest move of a body
  double shell = 0.0;          ///< [L] Distance from which contacts act; does not grow.
  /// [L²] Sum of force times distance of the centres at the end: a pressure times three volumes.
  /// All bodies grow or shrink until it is reached. Below 0: sizes stay.
  double virial = -1.0;
  double hold = 0.0;        ///< [-] stiffness that holds each body where it stands
  double damping = 1e-3;    ///< [-] first damping of Newton's method
  int mostProducts = 5000;  ///< products with the matrix of contacts, in each step
  int mostSteps = 100;      ///< of Newton's method
};
/// Moves that relax contacts.
struct Relaxed {
  std::vector<Vec3> move, turn;  ///< [L] of each body; turns are empty for balls
  double growth = 1.0;           ///< [-] of all bodies
  double damping = 0.0;          ///< at the end
};

/// Moves of bodies, and one growth of all, that minimise
///     Σ weight/2 max(0, intrusion)² + hold/2 Σ move² - virial · growth
/// The contacts are found once. With `turning` their normals are frozen, so that the energy is
/// convex and piecewise quadratic. Without it all bodies are balls: the distance of two centres
/// sets direction and intrusion of a contact, so the energy is exact while no ball moves farther
/// than the search for contacts covers. One evaluation costs a hundredth of finding the contacts.
///
/// Minimiser: Newton's method with the damping of Levenberg and Marquardt, which rises where
/// contacts that open or close make steps short. Each step is solved by conjugate gradients,
/// preconditioned by the blocks of the bodies; secants find the minimum along it (J. Nocedal &
/// S. J. Wright, Numerical Optimization, 2006, chapters 7 and 10). The second derivative includes
/// the turn of the normals of balls; where the energy curves down, that part is left out. Sums run
/// in a fixed order on one thread, so results do not depend on the number of threads.
/// @param bodies  their number, walls follow
Relaxed relaxed(std::span<const SoftContact> contacts, std::size_t bodies, bool turning,
                const RelaxationOptions& options);

}  // namespace scree::sim
