// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/simulation.hpp"

#include <string>

namespace scree::sim {

/// The small tables beside the conf-files: a line of names, then one line a conf-file; first column
/// the time. Of a run that follows Rockable, as that program writes them.
class SideFiles {
 public:
  /// Begins them, or continues those of a stopped run: lines later than the present time go.
  SideFiles(const std::string& folder, const Simulation& simulation, bool resumed);
  /// @param wallSeconds  since the last line
  void write(const Simulation& simulation, double wallSeconds);

  static const std::vector<std::string>& names();

 private:
  std::string folder_;
  double lastTime_;
  bool blanks_;
  double lastDetect_ = 0.0, lastContacts_ = 0.0;
};

}  // namespace scree::sim
