// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/staged_motion.hpp"
#include "engine/world.hpp"

#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/drives.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

/// Sets Control::turns, once the controls are complete. O(controls log controls).
void markTurns(Drives& drives);

/// Sets the values of all servo controls at time t, and their means since `before`. Pressures act
/// on the walls where they stand.
/// @param radius  rounding radius of each body [L], for the distance between walls
void setServos(Drives& drives, double before, double t, const Bodies& bodies,
               const std::vector<double>& radius);

/// Takes velocity and spin from the components that `before` has driven and `now` no longer does:
/// they stay where they are.
void releaseDriven(const Drives& before, const Drives& now, Bodies& bodies);

/// Finds the degrees of freedom that the controls leave to each of the first `driven` bodies.
void setDegreesOfFreedom(const Drives& drives, std::uint32_t driven,
                         std::vector<DegreesOfFreedom>& degreesOfFreedom);

/// Imposed velocities and spins onto the bodies: contacts see what a body moves with. Several of
/// one component add up. A body with an imposed spin keeps no other component of spin than those
/// that moments drive.
/// @param mean  those of the step on average, which move bodies; or those of its end
void setImposedVelocities(const Drives& drives,
                          const std::vector<DegreesOfFreedom>& degreesOfFreedom, bool mean,
                          Bodies& bodies);

/// First half of a step of velocity Verlet for driven bodies. Imposed velocities and spins move
/// them; imposed forces and moments move their component as velocity Verlet does. Components
/// without control stay.
void moveDriven(const Drives& drives, const std::vector<DegreesOfFreedom>& degreesOfFreedom,
                Bodies& bodies, double dt);
/// Imposed forces and moments onto the sums, before contacts add theirs.
void addImposedForces(const Drives& drives, Bodies& bodies);
/// Second half for force- and moment-controlled components, each held back by itself. Gravity does
/// not act on driven bodies.
void finishDriven(const Drives& drives, const Restraint& restraint, Bodies& bodies, double dt);

/// Motion of driven bodies in a step, for the account of their work.
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
