// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/model/conf.hpp"
#include "scree/sim/pack/arrangement.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scree::sim {

/// A parameter of a force law: one value for all pairs of groups, and exceptions.
struct PairSetting {
  double general = 0.0;
  std::vector<PairValue> special;
};
struct PackSettings {
  std::string law = "Default";
  double density = 2700.0;            ///< [M/L³]
  std::vector<GroupValue> densities;  ///< exceptions, by group
  std::optional<PairSetting> kn;      ///< [F/L]; absent: chosen
  std::optional<PairSetting> kt;      ///< [F/L]; absent: 0.8 kn
  PairSetting en2{0.1, {}}, mu{0.5, {}}, kr, mur;
  Vec3 gravity{0.0, -9.81, 0.0};        ///< [L/T²]
  double duration = 1.0;                ///< [T]
  std::optional<double> dt, interConf;  ///< [T]; absent: chosen
  int iconf = 0;
};

struct CompletedConf {
  Conf conf;
  std::vector<std::string> reasons;   ///< how what was chosen came about, a line each
  std::vector<std::string> warnings;  ///< what of the settings will not do
};
/// A conf-file that lacks nothing: masses, law, time step, neighbour distances, driven bodies
/// first. `shapeFile` stays empty. Chosen from the sizes and masses of the free bodies:
///     knContact    so that all free bodies in one column, standing on the smallest of them, press
///     it
///                  in by 0.1 % of its size: 1000 n^(1/3) m g / size, of the heaviest and the
///                  smallest; and so that a fall over the height of the pack presses it in by 5 %;
///                  without gravity 1e6
///     dt           pi sqrt(m/kn) / 25, m half the smallest mass; pi sqrt(I/kr) / 25 if shorter
///     interConf    duration / 50
///     dVerlet      0.05 of the smallest body's thickness; DVerlet 0.1 of it
///     interVerlet  the time in which the fastest body expected moves half dVerlet
/// @throws ModelError for an unknown law, a value out of range, a group that no body has, a free
/// body without mass, no bodies
CompletedConf completed(const Arrangement& arrangement, const PackSettings& settings);

}  // namespace scree::sim
