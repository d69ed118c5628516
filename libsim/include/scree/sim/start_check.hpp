// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/sim/simulation.hpp"

namespace scree::sim {

/// What will go wrong with a run, found before its first step: each as one warning with the value
/// that would do.
/// - A restitution `en2...` outside 0 to 1, of a pair of groups or of a `Tempo`. This one throws,
///   unless the run departs from right physics where Rockable does.
/// - Pairs of groups that can meet and have no `muContact`: their friction is 0.
/// - A time step beyond the critical one.
/// - Overlaps deeper than 1 % of a size, and bodies that fall without end; both only at the begin
///   of a run, not where one goes on.
/// @param begins  the state is the first one of a run
/// @throws ParseError as above, and for each warning where `diagnostics` is strict
void checkStart(const Simulation& simulation, bool begins, Diagnostics& diagnostics);

}  // namespace scree::sim
