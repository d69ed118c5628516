// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

namespace scree {

/// Each message once, in the order of their first appearance, with a count where it came more than
/// once: "MESSAGE (3 times)". Messages that differ by their place in one file alone, as
/// "FILE:LINE:COLUMN: ", count as one: the first place stands, with "(3 times, last in line 17)".
/// O(n log n).
std::vector<std::string> onceEach(std::span<const std::string> messages);

}  // namespace scree
