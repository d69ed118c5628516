// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "convert.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

/// What a conversion loses: refused, left out, or reported.
class Losses {
 public:
  Losses(const ConvertOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics) {}

  /// A body, its shape, or its given mass. @throws ModelError unless lossy
  /// @param then  what happens where it is lossy
  void serious(const std::string& what, std::string_view then);
  /// Anything else, once a kind. Under --strict an error.
  void minor(const std::string& what);

 private:
  const ConvertOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<std::string> said_;
};

/// What serious() says of a particle that no file of the format holds.
inline constexpr std::string_view particleLeftOut = "it is left out";

struct Target;

/// A group of a conf-file stands in a `#@` line as `group=NUMBER:conf`.
inline constexpr std::string_view confSlot = "conf";
/// The number of the group of a conf-file that a particle carries, if any.
std::optional<std::uint32_t> confGroup(const clump::Carried& carried);

/// Reports names of shapes that the target does not hold.
void reportNames(const ConvertOptions& options, const Target& target, Losses& losses);
/// Reports what belongs to no particle, names of shapes, and a --density that has no effect.
void reportPack(const clump::ShapePack& pack, const ConvertOptions& options, const Target& target,
                Losses& losses);
/// Reports IDs that are lost where particles are numbered from 0 in their order.
/// @param number  that the particle has in the output
void reportId(const clump::PackParticle& particle, std::size_t number, Losses& losses);
/// Reports what a particle carries and the target does not hold.
void reportParticle(const clump::PackParticle& particle, const Target& target, Losses& losses);

}  // namespace scree::tools
