// SPDX-License-Identifier: GPL-3.0-or-later
#include "all_commands.hpp"

namespace scree::sim {

/// Sizes of the bodies first to last, uniform from hmin to hmax; masses follow.
void homothetyRange(CommandContext& context, CommandArguments& arguments) {
  const auto [first, last] = bodyRange(context, arguments);
  const double least = arguments.positive("least homothety"),
               most = arguments.positive("largest homothety");
  if (most < least) throw arguments.error("the largest homothety is below the smallest");
  const auto seed = static_cast<std::uint64_t>(arguments.integer("seed", 0, std::int64_t{1} << 53));
  Lots lots = drawLots(context, "homothetyRange", seed);
  for (std::size_t k = first; k <= last; ++k)
    context.conf.particles[k].homothety = lots.uniform(least, most);
}

}  // namespace scree::sim
