// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that glue, for the table of commands.
#pragma once

#include "scree/sim/io/commands.hpp"

namespace scree::sim {

void stickBCM(CommandContext& context, CommandArguments& arguments);
void stickClusters(CommandContext& context, CommandArguments& arguments);
void stickVerticesInClusters(CommandContext& context, CommandArguments& arguments);
void stickVerticesInClustersMoments(CommandContext& context, CommandArguments& arguments);

}  // namespace scree::sim
