// SPDX-License-Identifier: GPL-3.0-or-later
// Balls that relax to balanced forces while the list of their near contacts holds.
#pragma once

#include "contact_model.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace scree::sim {

/// Goal and limits of BallRelaxation.
struct BallRelaxationOptions {
  std::size_t driven = 0;  ///< the first so many bodies do not move
  double balance = 1e-4;   ///< [-] of the mean force: resultants (root mean square) at the end
  double farthest = 0.0;   ///< [L] longest move of a ball
  double shell = 0.0;      ///< [L] Distance from which contacts act; does not grow.
  /// [L²] Sum of force times distance of the centres at the end: a pressure times three volumes.
  /// All balls grow or shrink until it is reached. Below 0: sizes stay.
  double virial = -1.0;
  double damping = 1e-3;  ///< [-] first stiffness that holds each ball where it stands
  int mostSteps = 100;    ///< of Newton's method
};

/// Moves of balls, and one growth factor of all radii, that minimise
///     Σ weight/2 max(0, intrusion)² - virial · growth
/// The contacts are found once. The distance of the two centres then sets the direction and the
/// intrusion of each. So the energy is exact while no ball moves farther than the search for
/// contacts covers. One evaluation costs a hundredth of finding the contacts.
///
/// Minimiser: Newton's method with the damping of Levenberg and Marquardt, which rises where
/// contacts that open or close make steps short. Each step is solved by conjugate gradients,
/// preconditioned by the 3×3 blocks of the balls; secants find the minimum along it (J. Nocedal &
/// S. J. Wright, Numerical Optimization, 2006, chapters 7 and 10). The second derivative includes
/// the turn of the normals; where the energy curves down, that part is left out. Sums run in a
/// fixed order on one thread.
class BallRelaxation {
 public:
  /// Moves until forces are balanced and the virial is reached within 1 %, a ball has moved by
  /// `farthest`, or the steps are used up.
  /// @param bodies  their number, walls follow
  void run(std::span<const SoftContact> contacts, std::size_t bodies,
           const BallRelaxationOptions& options);
  Vec3 move(std::size_t body) const { return at_.segment<3>(at(body)); }  ///< [L]
  double growth() const { return 1.0 + growthOf(at_); }                   ///< [-] of all radii
  double damping() const { return damping_; }                             ///< at the end

 private:
  /// Moves of bodies and walls, or forces on them, and the growth as one more unknown.
  using Values = Eigen::VectorXd;
  /// A contact that presses, as it stands at `at_`.
  struct Link {
    Eigen::Index a, b;
    Vec3 n;
    double radii;      ///< [L] what a growth of 1 adds to the intrusion
    double stiffness;  ///< [-] along n
    double across;     ///< [-] across n: minus force over distance
  };
  struct Pressing {
    Vec3 n;
    double distance = HUGE_VAL;  ///< [L] of the centres
    double force = 0.0;          ///< [L] below 0 where the two are apart
  };

  static Eigen::Index at(std::size_t body) { return 3 * static_cast<Eigen::Index>(body); }
  static double growthOf(const Values& x) { return x[x.size() - 1]; }
  static double& growthOf(Values& x) { return x[x.size() - 1]; }
  Pressing pressing(std::size_t contact, const Values& at) const;
  void findForces(const Values& at, Values& force);
  void findLinks();
  void hold(Values& x) const;
  bool solve(bool turning);            ///< false where the energy curves down
  double searchLine(double farthest);  ///< @returns how far to go along direction_
  double longestLine() const;          ///< within the reach of the contacts found
  double imbalance() const;            ///< [-] of the mean force

  std::span<const SoftContact> contacts_;
  std::vector<double> radii_;  ///< [L] of each contact: sum of the radii of its two balls
  double largest_ = 0.0;       ///< [L] of these
  BallRelaxationOptions options_;
  std::size_t bodies_ = 0;
  Values at_, trial_, force_, trialForce_, direction_;
  std::vector<Link> links_;
  std::vector<Mat3> blocks_;            ///< inverse diagonal blocks
  double growthScale_ = 1.0;            ///< inverse of the diagonal of the growth
  double damping_ = 1e-3, mean_ = 0.0;  ///< [-], and [L] mean force of contacts that press
};

}  // namespace scree::sim
