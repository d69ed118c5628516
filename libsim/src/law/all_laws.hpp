// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "law/avalanche_law.hpp"
#include "law/default_law.hpp"
#include "law/geovisc_law.hpp"
#include "law/hertzmindlin_law.hpp"
#include "law/stickedlinks_law.hpp"

#include "scree/sim/law/law_info.hpp"

#include <string_view>
#include <variant>

namespace scree::sim {

/// Every law there is; look-up by name and `--list laws` follow from this line. The kernel of each
/// is compiled in a unit of engine/kernels/.
using AnyLaw =
    std::variant<DefaultLaw, AvalancheLaw, StickedLinksLaw, BcmLaw, GeoViscLaw, HertzMindlinLaw>;

/// A law with bonds states how they break: by `breakage`.
template <class L>
concept LawWithBonds = requires {
  { L::breakage } -> std::convertible_to<Breakage>;
};

template <ContactLaw Law>
constexpr LawInfo lawInfo() {
  LawInfo info{Law::name, Law::help, Law::needsRadius, Law::hysteresis, Law::inRockable};
  if constexpr (LawWithBonds<Law>) info.bonds = Law::breakage;
  return info;
}

/// Calls f with the law of this name, as a type. @returns whether there is one
template <class F>
bool withLaw(std::string_view name, F&& f) {
  return [&]<class... Laws>(const std::variant<Laws...>&) {
    return ((Laws::name == name ? (f(Laws()), true) : false) || ...);
  }(AnyLaw());
}

}  // namespace scree::sim
