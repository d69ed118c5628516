// SPDX-License-Identifier: GPL-3.0-or-later
#include "all_commands.hpp"

#include "scree/base/math.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::sim {

Lots drawLots(CommandContext& context, const std::string& command, std::uint64_t own) {
  Conf& conf = context.conf;
  if (!conf.drewLots)
    context.diagnostics.note(fmt::format("{}: drawn with seed {} (--seed)", command, conf.seed));
  conf.drewLots = true;
  if (context.libstdcxxLots) return Lots(LibstdcxxRng(conf.seed + own));
  // Mixed as splitmix64 does (Steele, Lea & Flood, OOPSLA 2014), so that neighbouring numbers have
  // nothing in common.
  std::uint64_t mixed = conf.seed;
  for (const std::uint64_t part : {own, ++context.draws}) {
    mixed += 0x9e3779b97f4a7c15u * (part + 1);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    mixed ^= mixed >> 31;
  }
  return Lots(Rng(mixed));
}

double Lots::uniform(double from, double to) {
  return std::visit([&](auto& rng) { return rng.uniform(from, to); }, source_);
}

double Lots::weibull(double shape, double scale) {
  if (auto* libstdcxx = std::get_if<LibstdcxxRng>(&source_))
    return libstdcxx->weibull(shape, scale);
  const double share = -portableLog(1.0 - uniform(0.0, 1.0));  // exponential, mean 1
  const double draw = portablePow(share, 1.0 / shape);
  return scale * draw;
}

Vec3 Lots::direction() {
  if (std::holds_alternative<LibstdcxxRng>(source_)) {
    const double w = uniform(-1.0, 1.0), x = uniform(-1.0, 1.0), y = uniform(-1.0, 1.0),
                 z = uniform(-1.0, 1.0);
    return rotated(Quat(w, x, y, z).normalized(), Vec3::UnitX());
  }
  for (;;) {
    const double x = uniform(-1.0, 1.0), y = uniform(-1.0, 1.0), s = x * x + y * y;
    if (!(s < 1.0)) continue;
    const double r = 2.0 * std::sqrt(1.0 - s);
    return {r * x, r * y, 1.0 - 2.0 * s};
  }
}

std::pair<std::size_t, std::size_t> bodyRange(CommandContext& context,
                                              CommandArguments& arguments) {
  const std::size_t n = context.conf.particles.size();
  if (n == 0) throw arguments.error("there are no bodies");
  const auto last = static_cast<std::int64_t>(n) - 1;
  const std::int64_t first = arguments.integer("first body", 0, last);
  return {static_cast<std::size_t>(first),
          static_cast<std::size_t>(arguments.integer("last body", first, last))};
}

}  // namespace scree::sim
