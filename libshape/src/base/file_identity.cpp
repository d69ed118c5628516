// SPDX-License-Identifier: GPL-3.0-or-later
#include "file_identity.hpp"

#include <filesystem>
#include <system_error>

namespace scree {

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code unknown;
  return std::filesystem::equivalent(a, b, unknown);
}

}  // namespace scree
