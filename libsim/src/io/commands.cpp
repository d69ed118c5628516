// SPDX-License-Identifier: GPL-3.0-or-later
#include "all_commands.hpp"

#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace scree::sim {

const std::string& CommandArguments::word(std::string_view what) {
  if (next_ == command_.arguments.size())
    throw error(fmt::format("expected {}, found the end of the arguments", what));
  return command_.arguments[next_++];
}

double CommandArguments::number(std::string_view what) {
  const std::string& text = word(what);
  const auto value = parseNumber(text);
  if (!value || !std::isfinite(*value))
    throw error(fmt::format("{}: expected a number, found '{}'", what, text.substr(0, 40)));
  return *value;
}

double CommandArguments::positive(std::string_view what) {
  const double value = number(what);
  if (!(value > 0.0))
    throw error(fmt::format("{}: expected a number above 0, found {}", what, value));
  return value;
}

double CommandArguments::notNegative(std::string_view what) {
  const double value = number(what);
  if (!(value >= 0.0))
    throw error(fmt::format("{}: expected a number not below 0, found {}", what, value));
  return value;
}

std::int64_t CommandArguments::integer(std::string_view what, std::int64_t least,
                                       std::int64_t most) {
  const std::string& text = word(what);
  const auto value = parseInteger(text);
  if (!value || *value < least || *value > most)
    throw error(fmt::format("{}: expected a whole number from {} to {}, found '{}'", what, least,
                            most, text.substr(0, 40)));
  return *value;
}

Vec3 CommandArguments::vec3(std::string_view what) {
  const double x = number(what), y = number(what);
  return {x, y, number(what)};
}

std::size_t CommandArguments::choice(std::string_view what,
                                     std::initializer_list<std::string_view> allowed) {
  const std::string& text = word(what);
  std::string list;
  for (const std::string_view* a = allowed.begin(); a != allowed.end(); ++a) {
    if (text == *a) return static_cast<std::size_t>(a - allowed.begin());
    list += (list.empty() ? "" : ", ") + std::string(*a);
  }
  throw error(fmt::format("{}: expected one of {}; found '{}'{}", what, list, text.substr(0, 40),
                          suggestion(text, {allowed.begin(), allowed.size()})));
}

ParseError CommandArguments::error(const std::string& message) const {
  return ParseError(command_.where, fmt::format("{}: {}", command_.keyword, message));
}

const std::vector<CommandInfo>& allCommands() {
  static const std::vector<CommandInfo> table{
      {"setAllVelocities", "x y z", "one velocity for all bodies that are not driven",
       setAllVelocities},
      {"randomlyOrientedVelocities", "speed",
       "one speed for all bodies that are not driven, each in a random direction",
       randomlyOrientedVelocities},
      {"randomlyOrientedVelocitiesClusters", "speed option",
       "the same with one direction per cluster; option 1: no direction points up (+y)",
       randomlyOrientedVelocitiesClusters},
      {"homothetyRange", "first last hmin hmax seed",
       "random sizes of the bodies first to last, uniform from hmin to hmax", homothetyRange},
      {"particlesClonage", "first last dx dy dz",
       "copies of the bodies first to last, shifted, in new clusters, without contacts",
       particlesClonage},
      {"stickVerticesInClusters", "epsilon",
       "glue bodies of a cluster where vertices are nearer than epsilon; driven bodies are not "
       "glued",
       stickVerticesInClusters},
      {"stickVerticesInClustersMoments", "epsilon",
       "the same, and with glue_with_walls yes driven bodies too", stickVerticesInClustersMoments},
      {"stickBCM", "epsilon",
       "the same for law BCM: each interface also gets the area between its bonds", stickBCM},
      {"stickClusters", "epsilon",
       "glue bodies of different clusters nearer than epsilon, each pair by one bond in the middle",
       stickClusters},
      {"copyParamsToInterfaces", "inner|outer",
       "copy parameters of the tables into the interfaces within or between clusters; sets "
       "ParamsInInterfaces 1",
       copyParamsToInterfaces},
      {"setVariableStickParams", "name inner|outer lambda m seed",
       "draw kn, kt, kr, fn0, ft0 or mom0 of each interface from a Weibull distribution of scale "
       "lambda and shape m; sets ParamsInInterfaces 1",
       setVariableStickParams},
      {"setStiffnessRatioInterfaces", "ratio",
       "kt = ratio kn in every interface; sets ParamsInInterfaces 1", setStiffnessRatioInterfaces},
  };
  return table;
}

void runCommands(Conf& conf, std::span<const shape::Shape> shapes, Diagnostics& diagnostics,
                 bool libstdcxxLots) {
  const std::vector<Command> commands = std::exchange(conf.commands, {});
  CommandContext context{conf, shapes, diagnostics, libstdcxxLots, 0};
  for (const Command& command : commands)
    for (const CommandInfo& info : allCommands())
      if (info.name == command.keyword) {
        CommandArguments arguments(command);
        info.run(context, arguments);
      }
}

}  // namespace scree::sim
