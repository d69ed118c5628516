// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/table.hpp"
#include "scree/sim/model/conf.hpp"

#include <vector>

namespace scree::tools {

/// Columns of what differs: step, t, body, other, sub, quantity, a, b, difference.
std::vector<sim::Column> differenceColumns();

/// What two states differ in, largest first; empty where they are the same.
///
/// Bodies are compared by number, contacts and touches of round walls by their keys, interfaces by
/// their pairs, parameters by name. Two numbers differ where |a - b| > tolerance max(|a|, |b|);
/// two that are no numbers are equal. What one state alone has is 1 against 0, of quantity
/// `contact`, `touch`, `interface` or `bodies`. `body` is -1 for what belongs to the whole; `other`
/// is the second body of a contact, `sub` names its sub-elements.
/// O(bodies + contacts).
std::vector<sim::Row> differences(const sim::Conf& a, const sim::Conf& b, double tolerance);

}  // namespace scree::tools
