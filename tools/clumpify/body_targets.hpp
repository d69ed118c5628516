// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "targets.hpp"

namespace scree::tools {

// Targets that take particles as shapes. Shapes of one file have different names: `particle7`, and
// `particle7-2` for the second shape of ID 7, since an ID may return. Members that are not clumped
// are shapes of their own, and the lost mark is reported.

/// A shape-file.
std::vector<ConvertedFile> toShapes(const clump::ShapePack& pack, const Target& target,
                                    const ConvertOptions& options, Losses& losses, Diagnostics&);

/// Bodies at rest; a single sphere is a scaled unit ball. Bodies have the group that they carry, or
/// else one for their density.
std::vector<ConvertedFile> toConf(const clump::ShapePack& pack, const Target& target,
                                  const ConvertOptions& options, Losses& losses,
                                  Diagnostics& diagnostics);

}  // namespace scree::tools
