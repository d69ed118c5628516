// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kinds.hpp"
#include "series.hpp"

#include <set>
#include <string>
#include <vector>

namespace scree::tools {

/// Hashes of the folders of the items, as they are seen from `folder`; empty for standard input.
std::vector<std::string> hashesOfFolders(const std::vector<SeriesItem>& items,
                                         const std::string& folder);

/// The pieces in `folder` that its collections name, of all kinds; relative to it.
std::set<std::string> listedPieces(const std::string& folder);

/// Takes pieces out of the series whose conf-file is gone, or has another content by now. These are
/// pieces of the kinds of this call, and of those that only earlier calls made. Collections of the
/// latter are written again, or removed where nothing is left. Conf-files are looked for in the
/// folders of the items; pieces of conf-files in other folders stay.
/// @param sources  fingerprints of the items
/// @param folders  of the items, from `hashesOfFolders`
/// @return how many pieces left the series
std::size_t dropStale(std::vector<Kind>& kinds, const std::vector<SeriesItem>& items,
                      const std::vector<std::string>& sources,
                      const std::vector<std::string>& folders, const std::string& folder);

/// Removes the pieces that a collection named before and none names now, and what calls that were
/// killed left half-written. Other files stay, and links to folders are not followed.
/// @param before  from `listedPieces`
void removeUnlisted(const std::set<std::string>& before, const std::string& folder);

}  // namespace scree::tools
