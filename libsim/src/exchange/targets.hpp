// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that the writers of all targets share.
#pragma once

#include "scree/sim/exchange/exchange.hpp"
#include "scree/sim/measure/instant.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace scree::sim {

/// The inner sides of those driven bodies that are flat walls: plates and boxes.
std::vector<WallSide> platesOf(const Instant& instant);

/// The controls that no servo changes.
std::vector<Control> constantControls(const Drives& drives);

/// A scene with what several writers compute from it.
struct ExportCase {
  explicit ExportCase(const RunInput& scene);

  const RunInput& scene;
  const Conf& conf;
  Instant instant;
  std::string remark;              ///< comment of its files: what was exported
  std::uint64_t steps, every;      ///< of the run; between two outputs
  double reach = 0.0;              ///< [L] farthest point of a free body from its centre
  std::set<std::uint32_t> groups;  ///< of free bodies
};

/// A linear contact of two groups as other programs describe it.
struct LinearContact {
  double kn = 0.0, kt = 0.0, mu = 0.0;  ///< [F/L], [F/L], [-]
  double damping = 0.0;                 ///< [-] a: the dashpot is 2 a √(kn m), normalViscosity()
};
LinearContact linearContact(const Conf& conf, std::uint32_t group1, std::uint32_t group2);

/// Number of the axis of a cylinder. @throws ModelError for one that is not along x, y or z
int cylinderAxis(const Boundary& wall);

std::map<std::string, std::string> exademFiles(const ExportCase& given);
std::map<std::string, std::string> lammpsFiles(const ExportCase& given);

}  // namespace scree::sim
