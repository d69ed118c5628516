// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies of a conf where they stand, for commands that look at their geometry.
#pragma once

#include "contact/kinematics.hpp"

#include "scree/sim/io/commands.hpp"

#include <utility>
#include <vector>

namespace scree::sim {

struct Standing {
  std::vector<ShapeGeometry> geometries;
  std::vector<BodyPose> poses;

  explicit Standing(const CommandContext& context);
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;

  /// Pairs a < b whose boxes are nearer than `gap`, sorted. O(n log n + pairs).
  std::vector<std::pair<BodyId, BodyId>> pairsNearerThan(double gap) const;
};

/// Glues pairs of bodies that are not glued yet. Takes new interfaces, with the contacts that hold
/// their (unloaded) state, and keeps the lists of the conf sorted.
class Gluing {
 public:
  Gluing(CommandContext& context, const Standing& standing);
  /// Whether an interface glues the pair already. O(log interfaces).
  bool isGlued(BodyId a, BodyId b) const;
  void add(InterfaceRecord face);
  /// Puts the new interfaces into the conf; all other contacts of their pairs end.
  /// @param alsoEnds  for each contact of other pairs, whether it ends, too
  void finish(bool (*alsoEnds)(const Conf&, const InteractionRecord&) = nullptr);

  std::size_t interfaces = 0, bonds = 0;  ///< new ones

 private:
  CommandContext& context_;
  const Standing& standing_;
  std::vector<std::pair<BodyId, BodyId>> glued_;
  std::vector<InterfaceRecord> added_;
};

}  // namespace scree::sim
