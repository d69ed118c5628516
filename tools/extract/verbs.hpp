// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds that do not measure a series of conf-files: they compare two, or read tables.
#pragma once

#include "extract.hpp"
#include "kind.hpp"

namespace scree::tools {

/// `diff A B`, `join TABLE...`, `exceedance TABLE...`. @returns the exit code
int runVerb(const KindEntry& entry, const ExtractOptions& options, const CommonOptions& common);

/// `--postpro commands.txt CONF...`
int extractPostpro(const ExtractOptions& options, const CommonOptions& common);

}  // namespace scree::tools
