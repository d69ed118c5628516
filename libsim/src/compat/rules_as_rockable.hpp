// SPDX-License-Identifier: GPL-3.0-or-later
// What a run with `--compat rockable` computes in its own way, and what it refuses.
#pragma once

#include "state/model.hpp"

#include "scree/base/error.hpp"

namespace scree::sim::asRockable {

/// The rules of such a run; docs/compatibility.md has the reasons.
Rules rules();
/// @throws ParseError for what Rockable has not: boundaries that move, clumps with a radius for
/// each ball, a periodic cell with the search OBBtree
void refuse(const Model& model);
/// @throws ModelError for drives that Rockable has not
void refuse(const Conf& conf, const Drives& drives);
/// The law that Rockable uses where a file names none. @throws ParseError for a law it has not
void chooseLaw(Conf& conf, Diagnostics& diagnostics);

}  // namespace scree::sim::asRockable
