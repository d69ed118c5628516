// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of the table of kinds that measure place by place.
#pragma once

#include "kind.hpp"

namespace scree::tools {

KindEntry surfaceKind();
KindEntry fieldKind();

}  // namespace scree::tools
