// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/law/avalanche_law.hpp"
#include "scree/sim/law/bcm_law.hpp"
#include "scree/sim/law/default_law.hpp"
#include "scree/sim/law/geovisc_law.hpp"
#include "scree/sim/law/stickedlinks_law.hpp"

#include <string>
#include <variant>
#include <vector>

namespace scree::sim {

/// Every law there is; look-up by name and `--list laws` follow from this line.
using AnyLaw = std::variant<DefaultLaw, AvalancheLaw, StickedLinksLaw, BcmLaw, GeoViscLaw>;
static_assert(ContactLaw<DefaultLaw> && ContactLaw<AvalancheLaw> && ContactLaw<StickedLinksLaw> &&
              ContactLaw<BcmLaw> && ContactLaw<GeoViscLaw>);

/// The law a conf-file names; "Avalanches", of older files, is Avalanche.
/// @throws ModelError naming the laws there are
AnyLaw lawNamed(std::string_view name);

/// A law with bonds says how they break: by a type YieldSurface or FractureEnergy.
template <class L>
concept LawWithBonds = requires {
  typename L::BondCriterion;
};

struct LawInfo {
  std::string_view name, help;
};
std::vector<LawInfo> allLaws();

}  // namespace scree::sim
