// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include "scree/sim/measure/kinds.hpp"

#include <map>
#include <string>
#include <vector>

namespace scree::tools {

/// The options that all kinds share.
struct ExtractOptions {
  std::vector<std::string> inputs;  ///< conf-files or tables
  std::vector<std::string> add;     ///< NAME=VALUE
  std::string columns;              ///< names with commas; empty: all
  int digits = 0;                   ///< significant digits; 0: shortest exact text
  std::string output, format, script, postpro, plot;
  bool list = false, append = false, follow = false;
  bool oneSeries = false;  ///< files of several folders are one series
  std::string command;     ///< as typed, for the head of tables

  bool goesOn() const { return append || follow; }
  /// The files of `-o` and `--plot`, which must be no inputs.
  std::vector<std::string> written() const;
};

/// One call of a kind.
struct KindCall {
  const sim::Kind& kind;
  std::map<std::string, std::string> given;  ///< options by name
};

/// Names of runs by their first files: the first of these that tells them apart. Names of their
/// folders, names of the files where all stand in one folder, names of folders above, paths.
std::vector<std::string> runNames(const std::vector<std::string>& firstFiles);

// Each returns the exit code.

/// Measures conf-files, or tracks with `--track`.
int measureKind(const KindCall& call, const ExtractOptions& options, const CommonOptions& common);
/// `--script dataExtractors.txt CONF...`
int measureScript(const ExtractOptions& options, const CommonOptions& common);
/// `diff A B`: 3 where they differ, as `rockable --replay`.
int runDiff(const KindCall& call, const ExtractOptions& options, const CommonOptions& common);
/// `join TABLE...`
int runJoin(const KindCall& call, const ExtractOptions& options, const CommonOptions& common);
/// `quality RUN...`
int runQuality(const KindCall& call, const ExtractOptions& options, const CommonOptions& common);
/// `exceedance TABLE...`
int runExceedance(const KindCall& call, const ExtractOptions& options, const CommonOptions& common);
/// `--postpro commands.txt CONF...`
int runPostpro(const ExtractOptions& options, const CommonOptions& common);

}  // namespace scree::tools
