// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"

#include <string>
#include <vector>

namespace scree::sim {

/// A processing command of a conf-file: carried out once, after all of the file is read, and not
/// written again. See commands/commands.hpp.
struct Command {
  std::string keyword;
  std::vector<std::string> arguments;  ///< the words behind it
  SourcePlace where;                   ///< of the keyword
};

}  // namespace scree::sim
