// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include "scree/sim/pack/complete.hpp"

#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

/// Options that all verbs share which write a conf-file.
struct PackOptions {
  std::vector<std::string> libraries;    ///< FILE or FILE:NAME
  std::vector<std::string> otherInputs;  ///< names of files that are read too; others do no harm
  std::string output = "conf0", library;
  std::optional<double> wallMargin;  ///< [L] set: walls around all bodies
  sim::PackSettings settings;
  bool gravityGiven = false, durationGiven = false, allowOverlap = false;
  std::string drive;  ///< as DrivePlan::parse takes it; empty: none
};

/// Adds them to the command line of `verb`, except the one that names the shapes.
/// @param placed  bodies stand where the user puts them: with options for walls around them all,
///                and for bodies that overlap
void addPackOptions(CLI::App& verb, PackOptions& options, bool placed = true);

/// @throws UsageError for a value that no packing can have
void checkSettings(const sim::PackSettings& settings);

}  // namespace scree::tools
