// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/instant.hpp"

#include <cstdint>
#include <vector>

namespace scree::sim {

/// What touches a body: contacts with an overlap, and bonds.
struct ContactCounts {
  std::int64_t points = 0;    ///< contacts and bonds, several of which may be with one body
  std::int64_t partners = 0;  ///< bodies; each round wall is one more
  double overlap = 0.0;       ///< [L] the largest
};

/// Of each body. Two bodies that meet through several images of a cell are one pair.
/// O(links log links).
std::vector<ContactCounts> contactCounts(const Instant& instant);

}  // namespace scree::sim
