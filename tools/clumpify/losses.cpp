// SPDX-License-Identifier: GPL-3.0-or-later
#include "losses.hpp"

#include "targets.hpp"

#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::tools {

void Losses::serious(const std::string& what, std::string_view then) {
  if (!options_.lossy)
    throw ModelError(
        fmt::format("{} {}: {}; {}", options_.toOption, options_.to, what, options_.remedy));
  diagnostics_.warn(fmt::format("{} {}: {}; {}", options_.toOption, options_.to, what, then));
}

void Losses::minor(const std::string& what) {
  if (std::find(said_.begin(), said_.end(), what) != said_.end()) return;
  said_.push_back(what);
  diagnostics_.warn(fmt::format("{} {}: {}", options_.toOption, options_.to, what));
}

std::optional<std::uint32_t> confGroup(const clump::Carried& carried) {
  constexpr std::int64_t most = 1'000'000;  // of the format
  for (const clump::PackGroup& g : carried.groups) {
    if (g.slot != confSlot) continue;
    if (const auto number = parseInteger(g.name); number && *number >= 0 && *number <= most)
      return static_cast<std::uint32_t>(*number);
  }
  return std::nullopt;
}

void reportNames(const ConvertOptions& options, const Target& target, Losses& losses) {
  if (!options.shapeNames.empty() && !target.names)
    losses.minor("names of shapes have no place in this format and are left out");
}

void reportPack(const clump::ShapePack& pack, const ConvertOptions& options, const Target& target,
                Losses& losses) {
  reportNames(options, target, losses);
  if (!target.cell && (pack.cell.array() != 0.0).any())
    losses.minor("the periodic cell has no place in this format and is left out");
  if (pack.userData) losses.minor("the user data have no place in this format and are left out");
  const auto commented = [](const clump::PackParticle& p) {
    return std::any_of(p.members.begin(), p.members.end(), [](const clump::PackMember& m) {
      return !m.before().empty() || !m.comment().empty();
    });
  };
  if (!pack.trailing.empty() ||
      std::any_of(pack.particles.begin(), pack.particles.end(), commented))
    losses.minor("comments have no place in this format and are left out");
  if (options.densityGiven && !target.density &&
      std::any_of(pack.particles.begin(), pack.particles.end(),
                  [](const clump::PackParticle& p) { return !p.carried().density; }))
    losses.minor("the density of --density has no place in this format and is left out");
}

void reportId(const clump::PackParticle& p, std::size_t number, Losses& losses) {
  if (p.id != static_cast<std::int64_t>(number))
    losses.minor("IDs have no place in this format; particles are numbered in their order");
}

void reportParticle(const clump::PackParticle& p, const Target& target, Losses& losses) {
  if (p.carried().given && !target.mass)
    losses.serious(
        fmt::format("particle {} has given mass properties, which this format cannot hold", p.id),
        "they are left out");
  if (p.carried().density && !target.density)
    losses.minor("densities have no place in this format and are left out");
  const std::size_t held = target.group && confGroup(p.carried()) ? 1 : 0;
  if (p.carried().groups.size() > held || !p.carried().pebbleGroups.empty())
    losses.minor("groups have no place in this format and are left out");
  if (!p.carried().others.empty())
    losses.minor("user keys of #@ lines have no place in this format and are left out");
}

}  // namespace scree::tools
