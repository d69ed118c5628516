// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that give interfaces parameters of their own.
#include "all_commands.hpp"

#include <fmt/format.h>

namespace scree::sim {
namespace {

bool isInner(const Conf& conf, const InterfaceRecord& face) {
  return conf.particles[face.i].cluster == conf.particles[face.j].cluster;
}

BondParameters tableOf(const Conf& conf, const InterfaceRecord& face) {
  return bondParameters(conf, isInner(conf, face), conf.particles[face.i].group,
                        conf.particles[face.j].group);
}

/// From here on each interface goes by its own parameters, which are what it went by so far.
void ownParameters(Conf& conf) {
  for (InterfaceRecord& face : conf.interfaces)
    if (!conf.paramsInInterfaces || !face.params) face.params = tableOf(conf, face);
  conf.paramsInInterfaces = 1;
}

}  // namespace

/// Values of the tables into the interfaces inside clusters, or into those between them. As the
/// format has it, rolling and bending parameters are copied between clusters alone.
void copyParamsToInterfaces(CommandContext& context, CommandArguments& arguments) {
  const bool inner = arguments.choice("which interfaces", {"inner", "outer"}) == 0;
  Conf& conf = context.conf;
  ownParameters(conf);
  for (InterfaceRecord& face : conf.interfaces) {
    if (isInner(conf, face) != inner) continue;
    const BondParameters table = tableOf(conf, face);
    BondParameters& p = *face.params;
    p.kn = table.kn;
    p.kt = table.kt;
    p.fn0 = table.fn0;
    p.ft0 = table.ft0;
    p.power = table.power;
    if (inner) continue;
    p.kr = table.kr;
    p.mom0 = table.mom0;
  }
}

/// Draws one parameter of each interface from a Weibull law: P(X > x) = exp(-(x/lambda)^m).
void setVariableStickParams(CommandContext& context, CommandArguments& arguments) {
  constexpr double BondParameters::*members[] = {&BondParameters::kn,  &BondParameters::kt,
                                                 &BondParameters::kr,  &BondParameters::fn0,
                                                 &BondParameters::ft0, &BondParameters::mom0};
  const std::size_t member =
      arguments.choice("parameter", {"kn", "kt", "kr", "fn0", "ft0", "mom0"});
  const bool inner = arguments.choice("which interfaces", {"inner", "outer"}) == 0;
  const double lambda = arguments.positive("lambda"), m = arguments.positive("m");
  const std::int64_t seed = arguments.integer("seed", 0, INT64_MAX);
  Conf& conf = context.conf;
  ownParameters(conf);
  Lots lots = drawLots(context, arguments.keyword(), static_cast<std::uint64_t>(seed));
  std::size_t count = 0;
  for (InterfaceRecord& face : conf.interfaces) {
    if (isInner(conf, face) != inner) continue;
    (*face.params).*members[member] = lots.weibull(m, lambda);
    ++count;
  }
  context.diagnostics.note(
      fmt::format("setVariableStickParams: {} interfaces, seed {}", count, seed));
}

/// kt = ratio kn in every interface.
void setStiffnessRatioInterfaces(CommandContext& context, CommandArguments& arguments) {
  const double ratio = arguments.notNegative("ratio");
  ownParameters(context.conf);
  for (InterfaceRecord& face : context.conf.interfaces) face.params->kt = ratio * face.params->kn;
}

}  // namespace scree::sim
