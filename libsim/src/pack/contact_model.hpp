// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts of a packing as springs whose directions are frozen, and the moves that relax them.
#pragma once

#include "scree/base/math.hpp"
#include "scree/sim/model/contact_key.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
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
  double apart = 0.0;   ///< [L] distance of the skeletons

  double force() const { return intrusion > 0.0 ? weight * intrusion : 0.0; }
};
/// Most walls that a container has.
inline constexpr std::size_t mostWalls = 6;

/// A SoftContact as ContactModel has it. There are some for each body, so it is kept small. Single
/// precision is enough for moves that are then tested by the contacts they lead to. Near a balance
/// of forces double precision is needed.
template <class Real>
struct ModelContact {
  BodyId a = 0, b = 0;
  std::array<Real, 3> n{}, leverA{}, leverB{};
  Real intrusion = 0, weight = 1;
  Real opening = 0;  ///< [L] what a move takes off the intrusion; scratch of the model

  explicit ModelContact(const SoftContact& c);
  bool presses() const { return intrusion > 0 && weight != 0; }
};
static_assert(sizeof(ModelContact<float>) == 56);
template <class Real>
using ContactChunks = std::vector<std::vector<ModelContact<Real>>>;  ///< one after the other

/// How far ContactModel goes.
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
/// @tparam Real  float or double: of moves and contacts; sums over all of them are in double
template <class Real>
class ContactModel {
 public:
  using Contact = ModelContact<Real>;
  using Chunks = ContactChunks<Real>;
  /// @param contacts  used up: their intrusions become those after the moves
  /// @param bodies  their number
  void solve(Chunks& contacts, std::size_t bodies, const ContactModelOptions& options);
  /// [L] the moves found
  Vec3 move(std::size_t body) const { return at(move_, body, 0); }
  Vec3 turn(std::size_t body) const {
    return stride_ == 6 ? at(move_, body, 3) : Vec3(Vec3::Zero());
  }
  void free();  ///< the moves, and all memory
  std::size_t bytes() const { return 6 * move_.capacity() * sizeof(Real); }

 private:
  using Values = std::vector<Real>;
  Vec3 at(const Values& v, std::size_t body, std::size_t from) const {
    const Real* p = v.data() + stride_ * body + from;
    return {p[0], p[1], p[2]};
  }
  double change(const Contact& c, const Values& x) const;
  void push(const Contact& c, double force, Values& on) const;
  void hold(Values& v) const;  ///< zero for bodies that do not move, and for walls
  void findResultants(const Chunks& contacts);
  void solveActive(const Chunks& contacts, double enough, int& products);
  double lengthAlong(const Chunks& contacts) const;

  ContactModelOptions options_;
  std::size_t bodies_ = 0, stride_ = 6;
  Values move_, resultant_;  ///< u and -gradient at u
  Values direction_, search_, product_, diagonal_;
};

}  // namespace scree::sim
