// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/world.hpp"
#include "model/contacts.hpp"

#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/energy.hpp"
#include "scree/sim/model/surroundings.hpp"

#include <optional>
#include <vector>

namespace scree::sim {

struct ContactSums;

/// The periodic cell of a run and how it moves, bodies with it. Owns the vectors of the cell, the
/// images they make, the loading and the stress. The work of what moves the cell goes to an
/// EnergyLedger.
///
/// Sums over bodies run in the order of bodies, in blocks of fixed length (orderedSum). Sums over
/// contacts run by their first body, then in the order of bodies.
struct CellMotion {
  static constexpr BodyId noBody = UINT32_MAX;

  PeriodicCell cell;                   ///< as it stands now
  std::optional<CellLoading> loading;  ///< none: it stands still
  Images images;
  double mass = 0.0;           ///< [M]
  Mat3 change = Mat3::Zero();  ///< of h in the last step
  Mat3 strain = Mat3::Zero();  ///< that times the inverse of h before
  double strainNorm = 0.0;
  Mat3 velocityOfContacts = Mat3::Zero();  ///< of h [L/T] when contacts were evaluated
  Mat3 stress = Mat3::Zero();              ///< [F/L²] mean, compression negative
  BodyId first = noBody, second = noBody;  ///< the two bodies that need most room

  CellMotion() = default;
  explicit CellMotion(const PeriodicCell& ofFile);

  bool used() const { return cell.used; }
  const Images* imagesOrNull() const { return cell.used ? &images : nullptr; }
  bool byStress(int r, int c) const { return loading && loading->byStress(r, c); }
  /// [1/T] gradient of the velocity of the cell; 0 without one.
  Mat3 flow() const { return used() ? Mat3(images.velocity * images.inverse) : Mat3(Mat3::Zero()); }

  /// Refuses what cannot move with a cell, and finds the bodies that need most room.
  /// @throws ParseError, or ModelError where the cell is too narrow for its bodies
  void start(const Conf& file, const World& world);
  void setMass(const World& world);  ///< from the masses of the bodies
  /// @throws ModelError where two bodies could touch two images of each other
  void requireRoom(const World& world) const;

  /// First half of a step: moves the cell, and bodies by what its velocity jumps.
  void begin(const World& world, Bodies& bodies, Contacts& contacts, EnergyLedger& ledger);
  /// Replaces the vector of a sheared cell that leans by half the width of the cell or more, by a
  /// shorter one of the same lattice: it then leans the other way. All images stay where they are.
  void flip(Contacts& contacts, EnergyLedger& ledger);
  /// Bodies that have left the cell come back at their other side; their pairs keep their images.
  void wrap(const World& world, Bodies& bodies, Contacts& contacts, EnergyLedger& ledger);
  /// Second half: stress, acceleration of the cell and of the bodies with it.
  /// @param dt  [T]; 0: at the start, where nothing moves on
  void finish(const World& world, const Contacts& contacts, const ContactSums& sums,
              const std::optional<Mat3>& bondVirial, double dt, Bodies& bodies,
              EnergyLedger& ledger);
  /// Takes the mean momentum (or the mean velocity) against the flow from the bodies.
  void removeMeanMotion(const World& world, bool byMass, Bodies& bodies, EnergyLedger& ledger);
  /// Whether a correction of period `period` [T] is due at the end of this step.
  static bool isDue(const World& world, double period);

  /// [L] bound on how much nearer body k came to any body of its pairs, or to its image, in this
  /// step. It counts the motion `moved` of body k and its share of the strain.
  double motionAgainst(const Vec3& pos, const Vec3& moved, double boundingRadius) const {
    return (moved - strain * (pos - moved)).norm() + affineReach * strainNorm * boundingRadius;
  }
  /// V σ [F L] of contacts and bonds, compression negative.
  Mat3 virial(const World& world, const Contacts& contacts, const ContactSums& sums,
              const std::optional<Mat3>& bondVirial) const;
  /// Σ m w wᵀ [F L] of velocities against the flow.
  Mat3 fluctuationPressure(const World& world) const;
  double fluctuationEnergy(const World& world) const;  ///< [F L] kinetic, of translations
  double energy() const;  ///< [F L] kinetic, of components that follow a stress.
  /// Half of what the flow of a step puts into the potential energy, at one of its ends.
  void lift(const World& world, const Mat3& strainOfStep, EnergyLedger& ledger) const;

 private:
  void requireBoundariesFit(const Conf& file) const;
  /// Two bodies of a listed pair are at most this many sums of their radii apart. It bounds the
  /// distance over which the strain of the cell moves them relative to each other.
  static constexpr double affineReach = 2.5;

  void account(double dt, const Mat3& accBefore, const Mat3& virialNow, const Mat3& pressure,
               EnergyLedger& ledger) const;

  std::vector<char> leaves_;  ///< scratch of wrap()
};

/// Factor on sums of moves, so that many small ones after a long way are not lost.
inline constexpr double roundedUp = 1.0 + 0x1p-51;

/// Adds to the accumulated displacement of body k what it has moved by since it stood at `pos`,
/// `q`. @param cell  the periodic cell, against which it counts; null without one
/// @param radius  [L] rounding of the body
inline void accountMotion(Bodies& bodies, std::size_t k, const Vec3& pos, const Quat& q,
                          const CellMotion* cell, double radius) {
  const Vec3 moved = bodies.pos[k] - pos;
  const double move =
      (cell ? cell->motionAgainst(bodies.pos[k], moved, bodies.boundingRadius[k] + radius)
            : moved.norm()) +
      2.0 * (bodies.q[k].coeffs() - q.coeffs()).norm() * bodies.boundingRadius[k];
  bodies.lastMove[k] = move;
  if (move != 0.0) bodies.displacement[k] = (bodies.displacement[k] + move) * roundedUp;
}

}  // namespace scree::sim
