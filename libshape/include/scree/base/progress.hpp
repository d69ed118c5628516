// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace scree {

/// What long work calls now and then: the share that is done, in [0, 1]. May be empty.
using Progress = std::function<void(double done)>;

}  // namespace scree
