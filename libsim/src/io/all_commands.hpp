// SPDX-License-Identifier: GPL-3.0-or-later
// One function a command, each in a file of its own name.
#pragma once

#include "scree/base/rng.hpp"
#include "scree/sim/io/commands.hpp"

#include <utility>
#include <variant>

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

/// Random numbers for one command.
class Lots {
 public:
  explicit Lots(Rng rng) : source_(rng) {}
  explicit Lots(LibstdcxxRng rng) : source_(rng) {}

  double uniform(double from, double to);
  /// Of the law P(X > x) = exp(-(x/scale)^shape).
  double weibull(double shape, double scale);
  /// Uniform on the unit sphere, by roots and products alone (G. Marsaglia, Ann. Math. Statist.
  /// 43(2), 645-646, 1972). As in Rockable: x turned by a quaternion whose four parts are uniform
  /// from -1 to 1, brought to length 1; that is not uniform.
  Vec3 direction();

 private:
  std::variant<Rng, LibstdcxxRng> source_;
};

/// The random numbers of one command. They depend on Conf::seed (`rockable --seed`) and on the seed
/// that the command itself names. They also depend on how many commands drew random numbers before
/// it; never on the clock. As in Rockable: an engine of libstdc++ for each command, whose seed is
/// the sum of the two; 0 is that program's fixed one. Other seeds of the line make it take the
/// clock.
Lots drawLots(CommandContext& context, const std::string& command, std::uint64_t own);

/// The arguments `first last`, bodies that there are.
std::pair<std::size_t, std::size_t> bodyRange(CommandContext& context, CommandArguments& arguments);

}  // namespace scree::sim
