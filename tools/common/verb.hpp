// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include <functional>
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

/// Parses `words`, a command line without the name of the tool, and returns the verb that they
/// name. @throws UsageError
const Verb& parsedVerb(CLI::App& app, std::vector<std::string> words,
                       const std::vector<Verb>& verbs);

}  // namespace scree::tools
