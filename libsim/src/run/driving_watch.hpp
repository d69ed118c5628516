// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/simulation.hpp"

#include <functional>
#include <string>
#include <vector>

namespace scree::sim {

/// Looks whether drivingSystem.txt was edited during a run, and takes over what it says now.
class DrivingWatch {
 public:
  /// @param files  where it may stand; the first that exists counts
  DrivingWatch(std::vector<std::string> files, std::function<void(const std::string&)> tell);

  /// A file that cannot be used is told of once, and the run goes on as before: a slip in an editor
  /// ends no long run. One that is gone leaves the drives as they are.
  void look(Simulation& simulation);

 private:
  std::string read() const;  ///< empty where there is no file, or none that can be read

  std::vector<std::string> files_;
  std::function<void(const std::string&)> tell_;
  std::string text_;
};

}  // namespace scree::sim
