// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/drives.hpp"
#include "engine/world.hpp"

#include <span>
#include <string>
#include <vector>

namespace scree::sim {

/// What driven bodies have done in a step, for the account of their work.
struct DrivenMotion {
  std::span<const Control> controls;
  std::span<const DegreesOfFreedom> degreesOfFreedom;
  std::span<const Vec3> startPos;  ///< [L] at the start of the step; empty before the first one
  std::span<const Quat> startQ;
};

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
  /// First half of a step of velocity Verlet.
  void move(Bodies& bodies, double dt) const { moveDriven(drives_, degreesOfFreedom_, bodies, dt); }
  /// Imposed velocities: of the step on average (`mean`), or of its end.
  void setVelocities(bool mean, Bodies& bodies) const {
    setImposedVelocities(drives_, degreesOfFreedom_, mean, bodies);
  }
  void addForces(Bodies& bodies) const { addImposedForces(drives_, bodies); }
  /// Second half: accelerations, and velocities by `dt` [T].
  void finish(const Restraint& restraint, Bodies& bodies, double dt) const {
    finishDriven(drives_, restraint, bodies, dt);
  }
  /// Takes imposed forces and moments off sums by body.
  void takeOffImposed(std::vector<Vec3>& force, std::vector<Vec3>& moment) const;
  /// Whether a driven body stays though it shows its contacts a velocity.
  bool hasBelts(const Bodies& bodies) const;

  const Drives& drives() const { return drives_; }
  const DegreesOfFreedom& degreesOfFreedom(std::size_t k) const { return degreesOfFreedom_[k]; }
  const Vec3& startPos(std::size_t k) const { return startPos_[k]; }
  const Quat& startQ(std::size_t k) const { return startQ_[k]; }
  DrivenMotion motion() const { return {drives_.controls, degreesOfFreedom_, startPos_, startQ_}; }
  /// Exchanges the drives for others, without a look at bodies.
  void swap(Drives& other) { std::swap(drives_, other); }

 private:
  Drives drives_;
  std::vector<DegreesOfFreedom> degreesOfFreedom_;  ///< of driven bodies
  std::vector<Vec3> startPos_;
  std::vector<Quat> startQ_;
};

}  // namespace scree::sim
