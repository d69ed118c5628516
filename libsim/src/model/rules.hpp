// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run may compute in more than one way.
#pragma once

#include "scree/sim/model/drives.hpp"

#include <cstdint>

namespace scree::sim {

/// Velocities that the drag of a fluid follows.
enum class Drag : std::uint8_t {
  velocity,   ///< against the velocity, by its square
  components  ///< along +x, +y, +z, by the squares of its components
};

struct BondRules {
  bool turningSprings = true;    ///< TurningSprings; else FixedSprings
  bool innerGaps = true;         ///< gaps at rest inside a cluster are those of the file; else 0
  bool energyOfTables = false;   ///< loads by the parameters of tables; else by those of the bond
  bool viscosityOfBonds = true;  ///< by stiffness and restitution of bonds, and effective mass
  bool completed = true;         ///< a missing exponent is 2; what is missing brings a warning
  bool looseStayListed = false;  ///< broken bonds stay listed, pressed or not, with their moment
};

/// How a run computes. The values here are those of correct physics. An engine that
/// follows published numbers sets others. Parts depend on a rule, never on the engine.
struct Rules {
  bool byList = false;       ///< contacts live by list (PairOptions); else by their gap
  bool summedClock = false;  ///< the time is a sum of steps, and periods count from their last end
  bool orderOfFile = false;  ///< bodies keep the order of the file, in which forces are summed
  bool anyRestitution = false;  ///< one outside 0 to 1 brings a warning, and no error
  Drag drag = Drag::velocity;
  BondRules bonds;
  DriveRules drives;
};

}  // namespace scree::sim
