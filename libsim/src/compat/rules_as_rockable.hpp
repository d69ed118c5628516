// SPDX-License-Identifier: GPL-3.0-or-later
// What a run with `--compat rockable` computes in its own way, and what it refuses.
#pragma once

#include "engine/model.hpp"

#include "scree/base/error.hpp"

#include <span>
#include <string>

namespace scree::sim::asRockable {

/// The rules of such a run; docs/compatibility.md has the reasons.
Rules rules();
/// @throws ParseError for what Rockable has not: boundaries that move, clumps with a radius for
/// each ball, a periodic cell with the search OBBtree
void refuse(const Conf& file, std::span<const shape::Shape> shapes);
/// @param source  name of the file, for the message; @param cell  whether it has a periodic cell
/// @throws ModelError for drives that Rockable has not
void refuse(const std::string& source, bool cell, const Drives& drives);
/// The law that Rockable uses where a file names none. @throws ParseError for a law it has not
void chooseLaw(Conf& conf, Diagnostics& diagnostics);

}  // namespace scree::sim::asRockable
