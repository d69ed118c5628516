// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/run.hpp"

#include <string>
#include <vector>

namespace scree::sim {

/// Whether `file`, by whatever path or link, is an input of the run.
bool isInput(const std::string& file, const RunOptions& options);

/// Whether each run may write a file of this name into its folder.
bool isOfRun(const std::string& name);

/// The files in the folder of outputs before a run begins there, and which of them may go.
class RunFolder {
 public:
  /// @param options, simulation  of the run that begins; they must outlive this object
  RunFolder(const RunOptions& options, const Simulation& simulation, RunRecord earlier);

  const RunRecord& earlier() const { return earlier_; }
  /// Whether `file` is an input of the run that begins.
  bool isInput(const std::string& file) const;
  /// The input in this folder that has the name of conf-file `number`, compressed or not; or "".
  std::string inputNumbered(int number) const;

  /// @throws IoError where the folder holds an unfinished run or a run of another input. Also where
  /// it holds a file that no earlier run has written and this one would replace.
  void check() const;
  /// The files of the earlier run that remove() removes.
  std::vector<std::string> leaving() const;
  /// Removes them. @returns what of the outputs of the earlier run stays
  std::vector<std::string> remove() const;
  /// Removes a file of a run from the folder; nothing where that is an input or no file there.
  void remove(const std::string& name) const;

  std::string path(const std::string& name) const;

 private:
  void refuseOtherRun() const;
  void checkFiles() const;
  bool isFile(const std::string& name) const;
  bool stays(const std::string& name) const;

  const RunOptions& options_;
  const Simulation& simulation_;
  RunRecord earlier_;
};

}  // namespace scree::sim
