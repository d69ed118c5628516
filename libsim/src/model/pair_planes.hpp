// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace scree::sim {

/// The candidates of a many-contact pair, such as that of a boulder on a terrain. They are sorted
/// by the plane of the face of one body that excludes most of the other's vertices and edges. Made
/// with the list of the pair; `ManyContactPair` uses it once a step.
struct PairPlanes {
  /// Candidates excluded by the plane of a face of one body. They cannot touch while the ends of
  /// the other body's sub-element lie more than the radii off it. The face is that of the
  /// candidate, or one that has the edge of the candidate as a side.
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

  std::vector<std::uint32_t> others;  ///< Places of those that are in no group.
  /// Places of all that touched at the last evaluation, and maybe of some that have ended.
  std::vector<std::uint32_t> touched;

  std::size_t memoryBytes() const {
    return sizeof(PairPlanes) + groups.capacity() * sizeof(Group) +
           place.capacity() * (sizeof(std::uint32_t) + 6 * sizeof(float)) +
           (others.capacity() + touched.capacity()) * sizeof(std::uint32_t);
  }
};

}  // namespace scree::sim
