// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/simulation.hpp"

#include <functional>
#include <string>
#include <vector>

namespace scree::sim {

/// Checks whether drivingSystem.txt was edited during a run, and reads it again then.
class DrivingWatch {
 public:
  /// @param files  where it may stand; the first that exists counts
  DrivingWatch(std::vector<std::string> files, std::function<void(const std::string&)> tell);

  /// Reads the file again where it has changed. A file with a mistake is reported once, and the run
  /// keeps its drives: a slip in an editor must not end a long run. So it does for a missing file.
  void look(Simulation& simulation);

 private:
  std::string read() const;  ///< empty where there is no file, or none that can be read

  std::vector<std::string> files_;
  std::function<void(const std::string&)> tell_;
  std::string text_;
};

}  // namespace scree::sim
