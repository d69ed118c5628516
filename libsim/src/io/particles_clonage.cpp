// SPDX-License-Identifier: GPL-3.0-or-later
#include "all_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace scree::sim {

/// Copies of the bodies first to last, moved by (dx, dy, dz), at the end of the list. Clusters of
/// copies are new ones, one for each cluster copied; contacts and bonds are not copied.
void particlesClonage(CommandContext& context, CommandArguments& arguments) {
  const auto [first, last] = bodyRange(context, arguments);
  const Vec3 shift = arguments.vec3("shift");
  Conf& conf = context.conf;
  if (first < conf.nDriven)
    context.diagnostics.warn(
        arguments.error(fmt::format("copies of driven bodies ({} of them) are free bodies",
                                    std::min<std::size_t>(conf.nDriven, last + 1) - first)));
  std::int32_t most = 0;
  for (const ParticleRecord& p : conf.particles) most = std::max(most, p.cluster);
  std::map<std::int32_t, std::int32_t> renamed;
  for (std::size_t k = first; k <= last; ++k) {
    ParticleRecord copy = conf.particles[k];
    const auto [cluster, isNew] = renamed.try_emplace(copy.cluster, 0);
    if (isNew) {
      if (most == INT32_MAX) throw arguments.error("no cluster number is left");
      cluster->second = ++most;
    }
    copy.cluster = cluster->second;
    copy.pos += shift;
    conf.particles.push_back(copy);
    if (k < conf.particleLines.size()) {  // complaints about a copy name the line of the original
      conf.particleLines.resize(conf.particles.size() - 1);
      conf.particleLines.push_back(conf.particleLines[k]);
    }
  }
}

}  // namespace scree::sim
