// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include <functional>
#include <string>
#include <vector>

namespace scree::tools {

/// A verb of a tool: its part of the command line, and the function that it runs.
struct Verb {
  CLI::App* app = nullptr;
  std::function<int()> run;  ///< returns the exit code; errors are thrown
};

/// Parses the command line as runTool() does and runs the verb that it names.
/// @param noVerb  what runs without a verb; empty: the command line is refused with a list of verbs
int runVerbs(CLI::App& app, int argc, char** argv, CommonOptions& options,
             const std::vector<Verb>& verbs, const std::function<int()>& noVerb = {});

/// Parses a command line without the name of the tool. @returns its verb. @throws UsageError
const Verb& parsedVerb(CLI::App& app, std::vector<std::string> words,
                       const std::vector<Verb>& verbs);

/// A check of an option: a number from `least` to `most`, not NaN.
std::function<std::string(const std::string&)> numberFrom(double least, double most);
/// A check of an option: any text but an empty one, such as an unset variable of a script.
std::string notEmpty(const std::string& text);
/// As numberFrom() for factors, sizes and densities: moments are fifth powers of sizes.
std::function<std::string(const std::string&)> positiveNumber();

/// Warns of a density that no solid has in kg/m³: below 100 or above 25,000.
void warnOfDensity(double density, Diagnostics& diagnostics);

/// Refuses, before anything is read, what one verb may not do with its files: read standard input
/// twice, write two results to one file, replace an input, or replace a file without --force.
/// @param outputs  "" is none
/// @throws UsageError, IoError
void checkFiles(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                const CommonOptions& common);

}  // namespace scree::tools
