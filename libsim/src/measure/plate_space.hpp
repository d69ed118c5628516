// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/stress.hpp"

#include <optional>

namespace scree::sim {

/// The convex space that driven plates (shapes with one face) of any direction leave to the free
/// bodies, alone or with one round boundary.
///
/// A plate counts as the half-space that begins at its rounded surface, on the side of the mean
/// position of the free bodies. Plates alone, a ball alone, and a cylinder between plates across
/// its axis have exact volumes. Nothing for other combinations, and where a side is open. Needs
/// shapes.
std::optional<Domain> plateSpace(const Instant& instant);

}  // namespace scree::sim
