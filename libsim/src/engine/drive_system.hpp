// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/staged_motion.hpp"
#include "engine/world.hpp"

#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/drives.hpp"

#include <cstdint>
#include <vector>

namespace scree::sim {

/// Drives of a run: controls, servos, what they leave free, and where driven bodies stood when the
/// step began. Controls act one after the other, in the order of their file.
class DriveSystem {
 public:
  explicit DriveSystem(Drives drives = {}) : drives_(std::move(drives)) {}

  /// @throws ModelError for drives that contradict each other, or that nothing can follow
  static void check(const World& world, const Drives& drives);
  /// Finds turns and degrees of freedom, and sets servos for the time of `world`.
  void start(const World& world);
  /// Other drives from now on; components that are no longer driven come to rest.
  void replace(const World& world, Drives drives, Bodies& bodies);
  /// Servos of the step from `before` to the time of `world`.
  void set(const World& world, double before);

  /// Remembers where driven bodies stand, at the start of a step.
  void remember(const Bodies& bodies);
  /// First half of a step of velocity Verlet. Imposed velocities and spins move bodies; imposed
  /// forces and moments move their component as velocity Verlet does. Components without control
  /// stay.
  void move(Bodies& bodies, double dt) const;
  /// Imposed velocities and spins onto the bodies: contacts see what a body moves with. Several of
  /// one component add up. A body with an imposed spin keeps no other component of spin than those
  /// that moments drive.
  /// @param mean  those of the step on average, which move bodies; or those of its end
  void setVelocities(bool mean, Bodies& bodies) const;
  /// Imposed forces and moments onto the sums, before contacts add theirs.
  /// @param mean  the means over the step, not the values at its end
  void addForces(Bodies& bodies, bool mean = false) const;
  /// Second half: accelerations of force- and moment-controlled components, each held back by
  /// itself, and velocities by `dt` [T]. Gravity does not act on driven bodies.
  void finish(const Restraint& restraint, Bodies& bodies, double dt) const;
  /// Takes imposed forces and moments off sums by body.
  void takeOffImposed(std::vector<Vec3>& force, std::vector<Vec3>& moment) const;
  /// Whether a driven body stays though it shows its contacts a velocity.
  bool hasBelts(const Bodies& bodies) const;

  const Drives& drives() const { return drives_; }
  const DegreesOfFreedom& degreesOfFreedom(std::size_t k) const { return degreesOfFreedom_[k]; }
  const Vec3& startPos(std::size_t k) const { return startPos_[k]; }
  const Quat& startQ(std::size_t k) const { return startQ_[k]; }
  /// Whether there was a step that remembered where driven bodies stood.
  bool hasBegun() const { return startPos_.size() == degreesOfFreedom_.size(); }
  /// Exchanges the drives for others, without a look at bodies.
  void swap(Drives& other) { std::swap(drives_, other); }

 private:
  void setDegreesOfFreedom(std::uint32_t driven);

  Drives drives_;
  std::vector<DegreesOfFreedom> degreesOfFreedom_;  ///< of driven bodies
  std::vector<Vec3> startPos_;
  std::vector<Quat> startQ_;
};

}  // namespace scree::sim
