// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/aabb_tree.hpp"
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/simulation.hpp"

#include <string>
#include <vector>

namespace scree::sim {

/// The tables of a run: one line of names, then one line a record, first column the time. Of a run
/// that follows Rockable, as that program writes them.
///
/// Records of those that dataExtractors.txt requests are made at the first step of a run and each
/// `period` steps from there, as users of the format expect, and at the last step of a run that
/// comes to its end. Other tables have a line for each conf-file.
class RunTables {
 public:
  /// Names of the tables with a line for each conf-file.
  static inline const std::vector<std::string> ofConfs{"kineticEnergy.txt", "staticBalance.txt",
                                                       "perf.txt", "energy.txt"};

  /// Begins all tables, or continues those of a stopped run: lines later than its time go.
  /// @param begun  the impacts that had begun in the state from which the run goes on
  RunTables(const std::string& folder, const std::vector<ScriptedExtractor>& extractors,
            const Simulation& simulation, bool resumed, const std::vector<ImpactPeak>& begun);
  /// The next step after `step` at which a record is due, or an extractor may end the run.
  std::uint64_t nextStep(std::uint64_t step) const;
  /// @param last  the run ends here: writes the records that are not due as well
  void write(const Simulation& simulation, bool last = false);
  /// Writes a line of each of `ofConfs` for the conf-file of the present state.
  /// @param wallSeconds  since the last line
  void writeOfConf(const Simulation& simulation, const Conf& conf, double wallSeconds);
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
  void append(const std::string& name, const std::vector<Row>& rows, double t) const;
  bool leftBox(const Simulation& simulation, BodyId body);

  std::string folder_;
  const std::vector<ScriptedExtractor>& extractors_;
  bool blanks_;
  std::vector<Compression> before_;  ///< of extractors of impacts, one step earlier
  std::vector<ImpactPeak> peak_;     ///< since their contacts began to compress
  double lastTime_, lastDetect_ = 0.0, lastContacts_ = 0.0;  ///< of ofConfs
  shape::Aabb box_;                                          ///< around the driven bodies
  std::vector<double> moved_;  ///< [L] what these had moved by when it was made
};

/// The line of names of a table of a run, with its end; where the run follows Rockable, blanks
/// between cells and names behind #.
std::string headerLine(const std::vector<Column>& columns, const Simulation& simulation);

}  // namespace scree::sim
