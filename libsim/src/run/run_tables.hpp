// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/files.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/simulation.hpp"

#include <string>
#include <vector>

namespace scree::sim {

/// The tables that dataExtractors.txt requests: one blank-separated line a record, after one
/// comment line with the names of the columns. Records are made at the first step of a run and each
/// `period` steps from there, as users of the format expect.
class RunTables {
 public:
  RunTables(const std::string& folder, const std::vector<ScriptedExtractor>& extractors,
            const Simulation& simulation, bool resumed);
  /// The next step after `step` at which a record is due, or an extractor may end the run.
  std::uint64_t nextStep(std::uint64_t step) const;
  void write(const Simulation& simulation);
  /// Why an extractor wants the run to end now; empty: it goes on.
  std::string endsRun(const Simulation& simulation);

 private:
  bool leftBox(const Simulation& simulation, BodyId body);

  std::string folder_;
  const std::vector<ScriptedExtractor>& extractors_;
  /// The box around the driven bodies, and where they stood when it was made.
  shape::Aabb box_;
  std::vector<Vec3> boxPos_;
  std::vector<Quat> boxTurn_;
};

/// The first line of a table, with its end.
std::string headerOf(const ScriptedExtractor& extractor);

/// The columns of the tables, as extractedDataDoc.txt explains them.
std::string tablesText(const std::vector<ScriptedExtractor>& extractors);

}  // namespace scree::sim
