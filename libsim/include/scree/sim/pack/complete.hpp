// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/model/conf.hpp"
#include "scree/sim/pack/arrangement.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace scree::sim {

/// A parameter of a force law: one value for all pairs of groups, and exceptions.
struct PairSetting {
  double general = 0.0;
  std::vector<PairValue> special;
};
/// A parameter of a group of bodies: one value for all groups, and exceptions.
struct GroupSetting {
  double general = 0.0;
  std::vector<GroupValue> special;
};
/// What a drive adds to the loads of a scene.
struct DriveLoad {
  double pressure = 0.0;  ///< [F/L²]
  double speed = 0.0;     ///< [L/T] of walls
};
struct PackSettings {
  std::string law = "Default";        ///< one of allLaws()
  double density = 2700.0;            ///< [M/L³]
  std::vector<GroupValue> densities;  ///< exceptions, by group
  std::optional<PairSetting> kn;      ///< [F/L]; absent: chosen
  std::optional<PairSetting> kt;      ///< [F/L]; absent: 0.8 kn
  PairSetting en2{0.1, {}}, mu{0.5, {}}, kr, mur;
  std::optional<GroupSetting> young;  ///< [F/L²] law HertzMindlin; absent: chosen
  GroupSetting poisson{0.3, {}};      ///< [-] law HertzMindlin
  std::optional<PairSetting> viscT;   ///< [F T/L] law GeoVisc; absent: chosen
  /// Parameters of the bonds of a law, by the keywords of conf-files (knInnerBond and so on).
  std::map<std::string, PairSetting> bonds;
  DriveLoad drive;
  Vec3 gravity{0.0, -9.81, 0.0};        ///< [L/T²]
  double duration = 1.0;                ///< [T]
  std::optional<double> dt, interConf;  ///< [T]; absent: chosen
  double overlap = 0.005;  ///< [-] of the size of a body: what the stiffness chosen allows
  int iconf = 0;
};

struct CompletedConf {
  Conf conf;
  std::vector<std::string> reasons;   ///< how what was chosen came about, a line each
  std::vector<std::string> warnings;  ///< what of the settings will not do
};
/// A conf-file that lacks nothing: masses, law, time step, neighbour distances, driven bodies
/// first. `shapeFile` stays empty. Chosen from the sizes and masses of the free bodies:
///     knContact    so that contacts at the bottom, which carry the weight above and the pressure
///                  of the drive, overlap by `overlap` of the smallest size at most, and the
///                  heaviest body after a fall over the free height by `overlap` of the largest;
///                  without gravity, pressure and speeds 1e6.
///                  Heights and loads are those of the bodies as they stand; the duration has no
///                  influence
///     youngModulus by the same rule, with the law HertzMindlin, which has no knContact
///     viscTContact 2 sqrt(0.8 kn m), with the law GeoVisc: critical for a spring of 0.8 kn
///     dt           pi sqrt(m/kn) / 25, m half the smallest mass; pi sqrt(I/kr) / 25 if shorter
///     interConf    duration / 50
///     dVerlet      0.05 of the smallest body's thickness; DVerlet 0.1 of it
///     interVerlet  the time in which the fastest body expected moves half dVerlet
/// @throws ModelError for an unknown law, a parameter that the law does not have, a value out of
/// range, a group that no body has, a free body without mass, no bodies
CompletedConf completed(const Arrangement& arrangement, const PackSettings& settings);

}  // namespace scree::sim
