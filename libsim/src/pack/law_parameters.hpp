// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loads.hpp"

#include "scree/sim/law/law_info.hpp"
#include "scree/sim/pack/complete.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace scree::sim {

/// @throws ModelError for a value that is not finite, below 0, or 0 where it must be `positive`
void checkRange(double value, std::string_view what, bool positive);
/// @throws ModelError where no body has this group
void checkGroup(const std::set<std::uint32_t>& groups, std::uint32_t group, std::string_view what);

/// The shortest time that a step has to resolve.
struct ShortestContact {
  double time = 0.0;   ///< [T]
  std::string reason;  ///< of the time step
};

/// Sets all parameters of a law for all pairs of `groups` in `result.conf`, with the reasons of
/// those that are chosen. @throws ModelError for settings that the law does not have
ShortestContact setLawParameters(const LawInfo& law, const PackSettings& settings,
                                 const std::set<std::uint32_t>& groups, const Scales& scales,
                                 const Load& load, CompletedConf& result);

}  // namespace scree::sim
