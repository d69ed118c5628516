// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include "scree/sim/pack/complete.hpp"

#include <map>
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

/// -o and --library, and --drive.
void addOutputOptions(CLI::App& verb, std::string& output, std::string& library);
void addDriveOption(CLI::App& verb, std::string& drive);
/// --mu, --en2, --kr and --mur of a packing that is there, by keyword.
void addContactOptions(CLI::App& verb, std::map<std::string, sim::PairSetting>& contacts);
/// FILE[:NAME], several times.
void addShapeOption(CLI::App& verb, const std::string& names, std::vector<std::string>& files,
                    const std::string& help, const std::string& form = "FILE[:NAME]...");

/// The number of the conf-file `output`, from which the numbers of a run go on: conf7 and conf7.zst
/// are number 7, other names 0.
int outputNumber(const std::string& output);

}  // namespace scree::tools
