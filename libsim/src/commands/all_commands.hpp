// SPDX-License-Identifier: GPL-3.0-or-later
// One function a command, each in a file of its own name.
#pragma once

#include "scree/base/rng.hpp"
#include "scree/sim/commands/commands.hpp"

#include <utility>

namespace scree::sim {

void homothetyRange(CommandContext& context, CommandArguments& arguments);
void particlesClonage(CommandContext& context, CommandArguments& arguments);
void randomlyOrientedVelocities(CommandContext& context, CommandArguments& arguments);
void randomlyOrientedVelocitiesClusters(CommandContext& context, CommandArguments& arguments);
void copyParamsToInterfaces(CommandContext& context, CommandArguments& arguments);
void setStiffnessRatioInterfaces(CommandContext& context, CommandArguments& arguments);
void setVariableStickParams(CommandContext& context, CommandArguments& arguments);
void stickBCM(CommandContext& context, CommandArguments& arguments);
void stickClusters(CommandContext& context, CommandArguments& arguments);
void stickVerticesInClusters(CommandContext& context, CommandArguments& arguments);
void stickVerticesInClustersMoments(CommandContext& context, CommandArguments& arguments);
void setAllVelocities(CommandContext& context, CommandArguments& arguments);

/// Random numbers for one command: those of Conf::seed (`rockable --seed`), of the seed that the
/// command itself names, and of how many commands drew lots before it. Never of the clock.
Rng drawLots(CommandContext& context, const std::string& command, std::uint64_t own);

/// Uniform on the unit sphere, by roots and products alone: the same bits on every machine.
/// Source: G. Marsaglia, Ann. Math. Statist. 43(2), 645-646, 1972.
Vec3 drawDirection(Rng& rng);

/// The arguments `first last`, bodies that there are.
std::pair<std::size_t, std::size_t> bodyRange(CommandContext& context, CommandArguments& arguments);

}  // namespace scree::sim
