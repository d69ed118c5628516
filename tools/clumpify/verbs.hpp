// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "verb.hpp"

namespace scree::tools {

/// Each adds its verb to the command line. Options live as long as `run` does; `common` must
/// outlive it. One file a verb: NAME.cpp.
Verb addMassVerb(CLI::App& app, const CommonOptions& common);
Verb addConvertVerb(CLI::App& app, const CommonOptions& common);
Verb addTransformVerb(CLI::App& app, const CommonOptions& common);
Verb addCoverVerb(CLI::App& app, const CommonOptions& common);
Verb addQualityVerb(CLI::App& app, const CommonOptions& common);
Verb addLumpVerb(CLI::App& app, const CommonOptions& common);
Verb addCreateVerb(CLI::App& app, const CommonOptions& common);
Verb addAddVerb(CLI::App& app, const CommonOptions& common);

}  // namespace scree::tools
