// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "verb.hpp"

namespace scree::tools {

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
