// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/files.hpp"
#include "scree/sim/extract/extractors.hpp"
#include "scree/sim/simulation.hpp"

#include <string>
#include <vector>

namespace scree::sim {

/// The tables that dataExtractors.txt asks for: one blank-separated line a record, after one
/// comment line with the names of the columns. Records are made at the first step of a run and each
/// `period` steps from there, as users of the format expect.
class RunTables {
 public:
  RunTables(const std::string& folder, const std::vector<ScriptedExtractor>& extractors,
            const Simulation& simulation, bool resumed, Existing existing);
  void write(const Simulation& simulation);

 private:
  std::string folder_;
  const std::vector<ScriptedExtractor>& extractors_;
};

}  // namespace scree::sim
