// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/sim/model/contact_key.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace scree::sim {

/// Stiffness and strength of the bonds of one interface. A strength of 0 puts no limit.
struct BondParameters {
  double kn = 0.0, kt = 0.0;    ///< [F/L] normal and tangential stiffness
  double kr = 0.0;              ///< [F L] rolling stiffness, per radian
  double fn0 = 0.0, ft0 = 0.0;  ///< [F] tensile and shear strength
  double mom0 = 0.0;            ///< [F L] bending strength
  double power = 0.0;           ///< [-] exponent of the yield surface
  double gc = 0.0;              ///< [F/L] energy of fracture (law BCM)
};

/// One bond of an interface: between sub-element iSub of body i and jSub of body j.
struct BondRecord {
  Pairing pairing = Pairing::vertexVertex;
  std::uint32_t iSub = 0, jSub = 0;
  Vec3 slip = Vec3::Zero();  ///< [L] summed up so far; law BCM as Rockable computes it, else 0
  double extraGap = 0.0;     ///< [L] gap at rest less that of its interface
};
/// One line of the Interfaces block: the bonds that glue two bodies.
struct InterfaceRecord {
  BodyId i = 0, j = 0;
  double dn0 = 0.0;                      ///< [L] gap at rest
  std::optional<BondParameters> params;  ///< where the line has them
  std::optional<double> area;            ///< [L²] that its bonds stand for; where it is known
  std::vector<BondRecord> bonds;
};

/// A bond as it runs, put together from its lane.
struct Bond {
  std::uint32_t iSub = 0, jSub = 0;
  Pairing pairing = Pairing::vertexVertex;
  double dn0 = 0.0;          ///< [L] gap at rest
  double dn = 0.0;           ///< [L] gap at the last evaluation, of either sign
  double fn = 0.0;           ///< [F] on i along n; negative where it pulls
  Vec3 n = Vec3::Zero();     ///< unit, from j to i, at the last evaluation; 0: none yet
  Vec3 arm = Vec3::Zero();   ///< [L] point where it acts, from the centre of i
  Vec3 ft = Vec3::Zero();    ///< [F] on i, across n; the elastic part, which is memory
  Vec3 mom = Vec3::Zero();   ///< [F L] on i; memory
  Vec3 vel = Vec3::Zero();   ///< [L/T] of j relative to i at the point
  Vec3 slip = Vec3::Zero();  ///< [L] see BondRecord
};

/// Four bonds of an interface side by side, as forces are computed. The last bond of an interface
/// also fills the lanes behind it. Members as those of Bond.
struct alignas(32) BondLanes {  // as wide as a register: else half of all loads touch two lines
  static constexpr std::size_t count = 4;
  using Numbers = std::array<double, count>;
  using Vectors = std::array<Numbers, 3>;  ///< x, y and z

  Numbers dn0{}, dn{}, fn{};
  Vectors n{}, arm{}, ft{}, mom{}, vel{}, slip{};
  std::array<std::uint32_t, count> iSub{}, jSub{};
  std::array<Pairing, count> pairing{};

  /// Copies a bond out of its lane, or into it. @param lane  below `count`
  Bond bond(std::size_t lane) const;
  void set(std::size_t lane, const Bond& bond);
};

/// All bonds of one pair of bodies: lanes[first, end()).
struct Interface {
  BodyId i = 0, j = 0;  ///< in the order of the file; n points from j to i
  std::uint32_t first = 0, count = 0;
  bool inner = true;  ///< both bodies belong to one cluster
  bool breaks = false;
  double damp = 0.0;      ///< [M/T] viscosity of each bond
  double area = -1.0;     ///< [L²]; below 0: not known, then no energy breaks it
  BondParameters own;     ///< of each bond
  BondParameters energy;  ///< those that the energy of law BCM goes by
  std::pair<BodyId, BodyId> pair() const { return bodyPair(i, j); }
  std::size_t end() const { return first + (count + BondLanes::count - 1) / BondLanes::count; }
};

/// Energies of all bonds at the last step, for the balance of a run.
struct BondEnergies {
  double elastic = 0.0;     ///< [F L] stored now
  double absorbed = 0.0;    ///< [F L] gain of `elastic` by the motion of the last step
  double dissipated = 0.0;  ///< [F L] by viscosity, in the last step
  /// [F L] that opened and sheared bonds held, in the interfaces that broke in the last step; and
  /// what pressed bonds held there.
  double broken = 0.0, pressed = 0.0;
};

/// Area of glued faces, and how much of it has come apart since the start.
struct BondedArea {
  double all = 0.0, broken = 0.0;  ///< [L²] of all interfaces then; of those that have broken since
};

/// Interfaces sorted by their pair, lower body first; at most one a pair. A pair that stands here
/// has no contacts until its interface breaks.
struct Bonds {
  std::vector<Interface> interfaces;
  std::vector<BondLanes> lanes;
  /// For each body the interfaces it takes part in: incidence[start[k] .. start[k+1]).
  std::vector<std::uint32_t> incidenceStart, incidence;
  BondEnergies energies;
  std::uint64_t breaking = 0;  ///< interfaces that break at the end of this step
  std::uint64_t brokenInterfaces = 0, brokenBonds = 0;  ///< since this run began
  BondedArea area;

  bool empty() const { return interfaces.empty(); }
  /// Calls f(bond) with a copy of each bond of an interface, in the order of the file.
  template <class F>
  void forEachOf(const Interface& face, F&& f) const {
    for (std::size_t k = 0; k < face.count; ++k)
      f(lanes[face.first + k / BondLanes::count].bond(k % BondLanes::count));
  }
  std::vector<Bond> all() const;  ///< copies, interface by interface
  /// Adds the lanes of a new interface, and sets its `first` and `count`.
  void add(Interface face, std::span<const Bond> bonds);
};

}  // namespace scree::sim
