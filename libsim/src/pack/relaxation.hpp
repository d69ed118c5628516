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

/// Preconditioned conjugate gradients for A x = residual, from x = 0. Leaves the last residual in
/// `residual`. Ends once that, measured by the preconditioner, is `share` of the first.
/// @param multiply  (v, product): product = A v
/// @param scale  (v, scaled): scaled = M⁻¹ v
/// @param products  counts the products made
/// @returns false where A is found not to be positive; x is then the last good one, or at the first
/// product the scaled residual
template <class Multiply, class Scale>
bool conjugateGradients(Multiply&& multiply, Scale&& scale, double share, int most,
                        Eigen::VectorXd& residual, Eigen::VectorXd& x, int& products) {
  Eigen::VectorXd scaled(residual.size()), product(residual.size());
  scale(residual, scaled);
  Eigen::VectorXd search = scaled;
  x.setZero(residual.size());
  double energy = residual.dot(scaled);
  const double enough = share * share * energy;
  for (bool first = true; products < most && energy > enough; first = false) {
    ++products;
    multiply(search, product);
    const double curvature = search.dot(product);
    if (!(curvature > 0.0)) {
      if (first) x = search;
      return false;
    }
    const double step = energy / curvature;
    x += step * search;
    residual -= step * product;
    scale(residual, scaled);
    const double next = residual.dot(scaled);
    search = scaled + (next / energy) * search;
    energy = next;
  }
  return true;
}

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
  double lengthAlong(std::span<const SoftContact> contacts, const Values& direction) const;

  ContactModelOptions options_;
  Eigen::Index stride_ = 6;
  Values move_;
};

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
