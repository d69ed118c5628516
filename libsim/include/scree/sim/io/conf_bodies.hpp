// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/sim/model/conf.hpp"

#include <string>

namespace scree::sim {

/// A conf-file without its contacts: the lines of `Interactions` are passed over, several times
/// faster than they are read, and conf.interactions is empty. For measurements that need bodies
/// alone. A list that ends too early is refused; what else is wrong in it goes unnoticed.
Conf readBodiesFromFile(const std::string& path, Diagnostics& diagnostics, int threads = 1);

}  // namespace scree::sim
