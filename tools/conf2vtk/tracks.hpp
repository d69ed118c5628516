// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "seen.hpp"
#include "vtk/poly_piece.hpp"

namespace scree::tools {

/// The way of each body that moves by forces as one line through its centres, for the whole series.
/// Points have `time` and `speed`; cells have `id`, `group` and `length` (way along the line). In a
/// periodic cell a line goes on outside of the cell: each step is the shortest one.
/// @param doubles  `speed` with 64 bits
vtp::PolyPiece tracksPiece(const SeenSeries& series, bool doubles);

}  // namespace scree::tools
