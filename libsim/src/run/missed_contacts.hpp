// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contact/shape_geometry.hpp"
#include "detect/neighbour_list.hpp"

#include "scree/sim/simulation.hpp"

#include <cstddef>
#include <vector>

namespace scree::sim {

/// Contacts that a run does not see where contacts live by list. Its lists, made each interVerlet
/// by distances of the file, do not hold them. Keeps lists of its own, by motion, beside those of
/// the run. Reads the state, never changes it.
class MissedContacts {
 public:
  explicit MissedContacts(const Simulation& simulation);
  MissedContacts(const MissedContacts&) = delete;  // its bodies point to its geometries
  MissedContacts& operator=(const MissedContacts&) = delete;

  struct Seen {
    std::size_t contacts = 0;
    BodyId i = 0, j = 0;  ///< of the first of them
  };
  /// Pairs of sub-elements that overlap as that program asks for it, and stand in no list of the
  /// run. Costs as much as three steps of 600 dodecahedra at rest, the first time nine.
  Seen look(const Simulation& simulation);

 private:
  std::vector<ShapeGeometry> geometries_;
  std::vector<BodyPose> poses_;
  NeighbourList all_;
};

}  // namespace scree::sim
