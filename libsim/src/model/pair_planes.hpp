// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace scree::sim {

/// The candidates of a pair that has very many, such as that of a boulder on a terrain, sorted by
/// the plane of a face of one body that tells most of the other's vertices and edges apart from it.
/// Made with the list of the pair; `ManyContactPair` asks it once a step.
struct PairPlanes {
  /// Candidates that cannot touch while the ends of one of their sub-elements lie more than the
  /// radii off the plane of a face of the other body: the face they are with, or one whose side the
  /// edge is that they are with.
  struct Group {
    std::uint32_t face;
    bool ofB;                    ///< it is one of b
    std::uint32_t ends;          ///< 1: vertices, 2: edges
    std::uint32_t first, count;  ///< in the arrays below
  };
  std::vector<Group> groups;
  std::vector<std::uint32_t> place;  ///< of each in its pair
  /// First and second ends [L], body frame at homothety 1; vertices have none of the second.
  std::array<std::vector<float>, 3> begin, end;

  std::vector<std::uint32_t> others;  ///< places of those that are in no group
  /// Places of all that touched when they were looked at last, and maybe of some that have ended.
  std::vector<std::uint32_t> touched;

  std::size_t memoryBytes() const {
    return sizeof(PairPlanes) + groups.capacity() * sizeof(Group) +
           place.capacity() * (sizeof(std::uint32_t) + 6 * sizeof(float)) +
           (others.capacity() + touched.capacity()) * sizeof(std::uint32_t);
  }
};

}  // namespace scree::sim
