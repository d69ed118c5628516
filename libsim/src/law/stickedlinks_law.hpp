// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "law/linear_law.hpp"

#include "scree/sim/law/law_info.hpp"

#include <cmath>

namespace scree::sim {

/// Contacts of bodies that may also be bonded (see bond_law.hpp). Linear spring and dashpot along
/// n, Coulomb friction and rolling resistance bounded by the whole normal force.
///
///     `fn  = max(0, -kn dn + damp vel·n)`.
///     `ft  = last.ft  + kt dt vel_t`, cut back to `|ft|  <= mu fn`.
///     `mom = last.mom + kr dt spin`, cut back to `|mom| <= mur fn`.
///
/// Unlike Default, damping raises the bound of friction, as the model was published.
/// Source: the conf-file format (seed: forceLaw StickedLinks); J.-Y. Delenne, M. S. El Youssoufi,
/// F. Cherblanc, J.-C. Bénet, Int. J. Numer. Anal. Meth. Geomech. 28, 1577-1594, 2004.
struct StickedLinksLaw : LinearLaw {
  static constexpr std::string_view name = "StickedLinks";
  static constexpr std::string_view help =
      "contacts as Default with friction by the whole fn; bonds with a yield surface";
  static constexpr Breakage breakage = Breakage::yieldSurface;
  static ContactForce force(const ContactKinematics& k, const Params& p, const ContactForce& last,
                            double dt) noexcept {
    ContactForce f;
    f.fn = std::max(0.0, -p.kn * k.dn + k.damp * k.vel.dot(k.n));
    f.ft = clamped(tangentialTrial(k, p.kt, last.ft, dt), std::abs(p.mu * f.fn));
    f.mom = clamped(last.mom + (p.kr * dt) * k.spin, std::abs(p.mur * f.fn));
    return f;
  }
};

/// Bonded cells: contacts are those of StickedLinks; bonds break by energy (see bond_law.hpp).
struct BcmLaw : StickedLinksLaw {
  static constexpr std::string_view name = "BCM";
  static constexpr std::string_view help =
      "contacts as StickedLinks; bonds share a stiffness and break by fracture energy";
  using Contacts = StickedLinksLaw;
  static constexpr Breakage breakage = Breakage::fractureEnergy;
};

}  // namespace scree::sim
