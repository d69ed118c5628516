// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that grow and push each other apart, by the contact geometry and lists of runs.
#pragma once

#include "detect/neighbour_list.hpp"
#include "pack/body_overlap.hpp"

#include "scree/shape/shape.hpp"
#include "scree/sim/pack/container.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace scree::sim {

/// A packing without friction, weight and inertia of its own: contacts are springs between the
/// rounded surfaces, which act from a distance `shell` on, and minimisation of their energy moves
/// the bodies. All bodies can be scaled together.
///
/// Contacts of one pair share a stiffness of 1. Minimiser: FIRE (E. Bitzek et al., Phys. Rev. Lett.
/// 97, 170201, 2006), with turns weighted by the outer radius of each body. The same bits for any
/// number of threads.
class SoftPacking {
 public:
  /// @param bodies  with their homothety at scale 1
  SoftPacking(const std::vector<shape::Shape>& shapes, std::vector<PlacedBody> bodies,
              const Container& container, int threads);
  SoftPacking(const SoftPacking&) = delete;
  SoftPacking& operator=(const SoftPacking&) = delete;

  double scale() const { return scale_; }
  void setScale(double scale);
  double shell() const { return shell_; }  ///< [L]
  void setShell(double shell);
  double largestRadius() const { return largest_; }      ///< [L] at scale 1, about the centre
  double smallestRadius() const { return smallest_; }    ///< [L] likewise
  double smallestRounding() const { return rounding_; }  ///< [L] likewise

  /// What contacts do as the bodies stand.
  struct Load {
    double deepest = 0.0;      ///< [L] largest intrusion: shell less gap
    double mean = 0.0;         ///< [L] mean intrusion of pairs in contact, walls included
    std::size_t contacts = 0;  ///< pairs in contact, walls included
    double force = 0.0;        ///< [L] root mean square of the resultants
  };
  const Load& load() const { return load_; }
  /// [L] least gap of all pairs and walls, as far as it is below the shell.
  double leastGap() const { return shell_ - load_.deepest; }

  /// Moves the bodies until the deepest intrusion is below `enough` [L], or `most` times.
  /// @returns whether it is
  bool clear(double enough, int most);
  /// Moves the bodies until forces are balanced: the resultants (root mean square) are below
  /// `balance` [-] of the mean contact force, or no pair is in contact by more than `nothing` [L].
  /// @returns whether that is reached within `most` moves
  bool minimise(double balance, double nothing, int most);

  /// The pairs in contact; a wall of the container has the number of bodies and more.
  std::vector<std::pair<BodyId, BodyId>> contactPairs() const;
  /// [-] The share of their size that bodies have to lose so that no gap is below 0.
  double neededShrinkage() const;
  /// Pairs of which the skeletons cross: there should be none.
  std::size_t crossings() const;

  /// The bodies as they stand, with the scale in their homothety, centres in the periodic cell.
  std::vector<PlacedBody> bodies() const;
  struct Snapshot {
    std::vector<Vec3> pos;
    std::vector<Quat> q;
    double scale = 1.0;
  };
  Snapshot snapshot() const { return {state_.pos, state_.q, scale_}; }
  void restore(const Snapshot& snapshot);

 private:
  struct RowPush {
    Vec3 force = Vec3::Zero(), momentA = Vec3::Zero(), momentB = Vec3::Zero();
    double deepest = 0.0;     ///< [L] largest intrusion
    double apart = HUGE_VAL;  ///< [L] least distance of skeletons in contact
    double shrinkage = 0.0;   ///< [-] see neededShrinkage
  };
  void place();
  void evaluate();
  void evaluateRow(std::size_t r);
  void pushOfWalls(std::size_t k);
  void restart();  ///< of the minimiser: no velocities
  void move();     ///< one step of the minimiser, then evaluate()
  void account(std::size_t k, double moved);

  const std::vector<shape::Shape>& shapes_;
  std::vector<PlacedBody> planned_;
  const Container& container_;
  int threads_;
  BodyOverlap geometry_;
  Bodies state_;
  std::vector<Placed> placed_;
  NeighbourList lists_;
  Images images_;
  bool periodic_;
  double scale_ = 1.0, shell_ = 0.0, largest_ = 0.0, smallest_ = 0.0, rounding_ = 0.0;
  std::vector<double> outer_;  ///< [L] radius about the centre at scale 1, rounding included
  std::vector<RowPush> rows_;
  std::vector<double> apart_;  ///< [L] of each body the least distance from skeletons in contact
  std::vector<double> wallDeepest_, wallShrinkage_;
  std::vector<std::uint32_t> wallContacts_;  ///< walls that a body touches, a bit for each
  Load load_;

  // The minimiser
  double step_ = 0.0, mixing_ = 0.0;
  int downhill_ = 0;
};

}  // namespace scree::sim
