// SPDX-License-Identifier: GPL-3.0-or-later
#include "not_inputs.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <sys/stat.h>
#include <utility>

namespace scree::tools {

namespace {

using Identity = std::optional<std::pair<dev_t, ino_t>>;

Identity identityOf(const std::string& path) {
  struct stat info {};
  if (path == "-" || ::stat(path.c_str(), &info) != 0) return {};
  return std::pair(info.st_dev, info.st_ino);
}

}  // namespace

bool sameFile(const std::string& a, const std::string& b) {
  const Identity first = identityOf(a);
  return first && first == identityOf(b);
}

void checkNotInputs(const std::vector<std::string>& written, const std::vector<std::string>& read) {
  // A set, so that many outputs and many inputs take no time.
  std::set<std::pair<dev_t, ino_t>> inputs;
  for (const std::string& path : read)
    if (const Identity own = identityOf(path)) inputs.insert(*own);
  for (const std::string& path : written)
    if (const Identity own = identityOf(path); own && inputs.contains(*own))
      throw UsageError(
          fmt::format("{}: this file is an input; choose another name for the output", path));
}

}  // namespace scree::tools
