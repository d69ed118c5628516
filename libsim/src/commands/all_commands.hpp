// SPDX-License-Identifier: GPL-3.0-or-later
// One function a command, each in a file of its own name.
#pragma once

#include "scree/sim/commands/commands.hpp"

namespace scree::sim {

void setAllVelocities(CommandContext& context, CommandArguments& arguments);

}  // namespace scree::sim
