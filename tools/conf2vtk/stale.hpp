// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kinds.hpp"
#include "series.hpp"

#include <string>
#include <vector>

namespace scree::tools {

/// Takes pieces out of the series whose conf-file is gone, or has another content by now. These are
/// pieces of the kinds of this call, and of those that only earlier calls made. Collections of the
/// latter are written again, or removed where nothing is left. Conf-files are looked for in the
/// folders of the items.
/// @param sources  fingerprints of the items
/// @return how many pieces left the series
std::size_t dropStale(std::vector<Kind>& kinds, const std::vector<SeriesItem>& items,
                      const std::vector<std::string>& sources, const std::string& folder);

/// Removes from the folders of all kinds the pieces that no collection lists, and what calls that
/// were killed left half-written.
void removeUnlisted(const std::vector<Kind>& kinds, const std::string& folder);

}  // namespace scree::tools
