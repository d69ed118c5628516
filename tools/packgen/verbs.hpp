// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include <functional>

namespace scree::tools {

/// One verb of packgen: its command line, and what runs when it is given.
struct Verb {
  CLI::App* app = nullptr;
  std::function<int()> run;  ///< returns the exit code; errors are thrown
};

/// Each adds its verb to the command line. Options live as long as `run` does; `common` must
/// outlive it. One file for each verb: verb_NAME.cpp.
Verb addLatticeVerb(CLI::App& app, const CommonOptions& common);
Verb addFromVerb(CLI::App& app, const CommonOptions& common);
Verb addSettleVerb(CLI::App& app, const CommonOptions& common);
Verb addCompactVerb(CLI::App& app, const CommonOptions& common);
Verb addInfoVerb(CLI::App& app, const CommonOptions& common);
Verb addFillVerb(CLI::App& app, const CommonOptions& common);
Verb addMaterialVerb(CLI::App& app, const CommonOptions& common);
Verb addScatterVerb(CLI::App& app, const CommonOptions& common);

}  // namespace scree::tools
