// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/extract/snapshot.hpp"
#include "scree/sim/extract/table.hpp"

#include <string_view>
#include <vector>

namespace scree::sim {

/// The motion of one body and the forces of its contacts: 20 columns.
///
/// Force and moment (about the centre of mass) are sums over contacts and bonds, without gravity: a
/// contact gives f = fn n + ft to i and -f to j, with the moment of f at the contact point and
/// `mom`.
struct TrackBody {
  static constexpr std::string_view name = "TrackBody";
  static constexpr bool needsShapes = false;

  BodyId body = 0;

  static std::vector<Column> columns();
  /// @throws ModelError naming file and count if there is no such body
  Row row(const Snapshot& s) const;
};

}  // namespace scree::sim
