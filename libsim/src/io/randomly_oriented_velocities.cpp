// SPDX-License-Identifier: GPL-3.0-or-later
#include "all_commands.hpp"

#include <map>

namespace scree::sim {

/// One speed for all bodies that are not driven, each in a direction of its own, uniform on the
/// sphere.
void randomlyOrientedVelocities(CommandContext& context, CommandArguments& arguments) {
  const double speed = arguments.notNegative("speed");
  Conf& conf = context.conf;
  Lots lots = drawLots(context, "randomlyOrientedVelocities", 0);
  for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k)
    conf.particles[k].vel = speed * lots.direction();
}

/// The same with one direction a cluster; option 1 turns those that point up (+y) down.
void randomlyOrientedVelocitiesClusters(CommandContext& context, CommandArguments& arguments) {
  const double speed = arguments.notNegative("speed");
  const bool down = arguments.integer("option", 0, 1) == 1;
  Conf& conf = context.conf;
  Lots lots = drawLots(context, "randomlyOrientedVelocitiesClusters", 0);
  std::map<std::int32_t, Vec3> ofCluster;
  for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k) {
    const auto [cluster, isNew] = ofCluster.try_emplace(conf.particles[k].cluster, Vec3::Zero());
    if (isNew) {
      Vec3 direction = lots.direction();
      if (down && direction.y() > 0.0) direction.y() = -direction.y();
      cluster->second = speed * direction;
    }
    conf.particles[k].vel = cluster->second;
  }
}

}  // namespace scree::sim
