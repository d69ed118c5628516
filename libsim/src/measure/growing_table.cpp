// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/growing_table.hpp"

#include "base/safe_write.hpp"

namespace scree::sim {

std::string_view wholeLines(std::string_view text) noexcept {
  return text.substr(0, text.rfind('\n') + 1);  // npos + 1 is 0
}

void appendLines(const std::string& path, std::string_view lines) { appendToFile(path, lines); }

}  // namespace scree::sim
