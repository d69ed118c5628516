// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/files.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/simulation.hpp"

#include <string>
#include <vector>

namespace scree::sim {

/// The tables that dataExtractors.txt requests: one line of names, then one line a record. Records
/// are made at the first step of a run and each `period` steps from there, as users of the format
/// expect, and at the last step of a run that comes to its end.
class RunTables {
 public:
  /// @param begun  the impacts that had begun in the state from which the run goes on
  RunTables(const std::string& folder, const std::vector<ScriptedExtractor>& extractors,
            const Simulation& simulation, bool resumed, const std::vector<ImpactPeak>& begun);
  /// The next step after `step` at which a record is due, or an extractor may end the run.
  std::uint64_t nextStep(std::uint64_t step) const;
  /// @param last  the run ends here: writes the records that are not due as well
  void write(const Simulation& simulation, bool last = false);
  /// Impacts that have begun, one an extractor of impacts.
  std::vector<ImpactPeak> begun() const;
  /// Whether an extractor wants the run to end now, and why.
  Ending endsRun(const Simulation& simulation);

 private:
  /// Contacts of one body, summed up.
  struct Compression : ImpactPeak {
    double power = 0.0;   ///< [F L/T] of normal forces; above 0 while the contacts compress
    double weight = 0.0;  ///< [F] sum of normal forces
  };
  static Compression compressionOf(const Simulation& simulation, BodyId body);
  void append(const ScriptedExtractor& e, const std::vector<Row>& rows, double t) const;
  bool leftBox(const Simulation& simulation, BodyId body);

  std::string folder_;
  const std::vector<ScriptedExtractor>& extractors_;
  bool blanks_;
  std::vector<Compression> before_;  ///< of extractors of impacts, one step earlier
  std::vector<ImpactPeak> peak_;     ///< since their contacts began to compress
  /// The box around the driven bodies, and where they stood when it was made.
  shape::Aabb box_;
  std::vector<Vec3> boxPos_;
  std::vector<Quat> boxTurn_;
};

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

/// Whether tables of a run have the form of Rockable: blanks between cells, names behind #.
bool tablesHaveBlanks(const Simulation& simulation);
/// A line of names, with its end.
std::string headerLine(const std::vector<Column>& columns, bool blanks);
/// Lines with blanks between their cells as a table of a run has them: with commas, or as Rockable.
std::string tableLines(std::string lines, bool blanks);

}  // namespace scree::sim
