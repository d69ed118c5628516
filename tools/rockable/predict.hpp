// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/simulation.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace scree::tools {

/// How long a run takes and how large its conf-files are, from steps made in memory.
struct Prediction {
  std::uint64_t measured = 0;  ///< steps of the run itself that were made
  std::size_t ahead = 0;       ///< later states at which steps were made
  double perStep = 0.0;        ///< [s] mean of the whole run
  double seconds = 0.0;        ///< of the whole run; 0 where nothing could be measured
  std::string failure;         ///< message of the error where steps fail
  /// Size of the text of a conf-file after a share of the run.
  struct ConfSize {
    double share = 0.0;  ///< from 0 to 1
    double bytes = 0.0;
  };
  std::vector<ConfSize> confSizes;  ///< sorted by share; the first is that of the start

  /// [bytes] of a conf-file after this share of the run, from 0 to 1.
  double confBytesAt(double share) const;
};

/// Makes steps of the run for up to 1.5 s; where the run is over by then, that is its time. Else
/// looks ahead, since a step costs more once bodies have met. For this a run is made with steps up
/// to 16 times as long, of which 20 fit into the shortest contact. It covers the whole time, or as
/// much as 3 s of processor time a thread allow. At six times of it, steps of the run itself are
/// measured.
///
/// There is no look ahead with bonds, servos, forces on driven bodies, `--compat`, a periodic cell,
/// tempos or law HertzMindlin. Then the later half of the steps measured counts.
///
/// A conf-file grows with the contacts. Its size is that of the states at the same times.
/// @param simulation  at its start; is left in a later state
/// @param drives      that it was made with
Prediction predictedTime(sim::Simulation& simulation, const sim::Drives& drives,
                         std::uint64_t steps);

}  // namespace scree::tools
