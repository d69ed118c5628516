// SPDX-License-Identifier: GPL-3.0-or-later
#include "all_commands.hpp"

namespace scree::sim {

/// One velocity for all bodies that are not driven.
void setAllVelocities(CommandContext& context, CommandArguments& arguments) {
  const Vec3 velocity = arguments.vec3("velocity");
  Conf& conf = context.conf;
  for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k)
    conf.particles[k].vel = velocity;
}

}  // namespace scree::sim
