// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "law/stickedlinks_law.hpp"

namespace scree::sim {

/// Bonded cells: contacts are those of StickedLinks; bonds break by energy (see bond_law.hpp).
struct BcmLaw : StickedLinksLaw {
  static constexpr std::string_view name = "BCM";
  static constexpr std::string_view help =
      "contacts as StickedLinks; bonds share a stiffness and break by fracture energy";
  using Contacts = StickedLinksLaw;
  static constexpr Breakage breakage = Breakage::fractureEnergy;
};

}  // namespace scree::sim
