// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "settled_pack.hpp"

#include "scree/sim/measure/loads.hpp"
#include "scree/sim/measure/stress.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace scree::tools {

/// What a pressed packing carries.
struct CarriedLoad {
  Vec3 stress = Vec3::Zero();  ///< [F/L²] inside, along x, y and z, compression positive
  double solidFraction = 0.0;
  struct Wall {
    sim::WallFace face;
    double stress = 0.0;  ///< [F/L²] of the bodies on it
    double weight = 0.0;  ///< [F/L²] of all bodies along its axis
    double friction = 0.0;
    std::uint32_t group = 0, ofBodies = 0;  ///< that have this friction
  };
  std::vector<Wall> walls;
};
CarriedLoad carriedLoad(const sim::Simulation& simulation);

/// Prints what the packing carries, and warns where that is not the pressure.
void checkCarried(const CarriedLoad& carried, const Pressing& pressing, const std::string& source,
                  const CommonOptions& common, Diagnostics& diagnostics);

/// Adds the stress inside and the solid fraction, as extract measures them.
void reportStress(JsonWriter& json, const sim::Simulation& simulation);

}  // namespace scree::tools
