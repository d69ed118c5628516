// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace scree::tools {

void checkEnding(std::string_view option, const std::string& file, std::string_view ending) {
  if (file.empty() || file == "-" || file.ends_with(ending)) return;
  throw UsageError(fmt::format("{} {}: expected a name that ends in {}, the only format", option,
                               shown(file), ending));
}

void checkOutputs(std::vector<std::string> files) {
  std::erase(files, "");
  for (std::string& file : files)
    if (file != "-") file = std::filesystem::path(file).lexically_normal().string();
  std::sort(files.begin(), files.end());
  const auto twice = std::adjacent_find(files.begin(), files.end());
  if (twice == files.end()) return;
  throw UsageError(*twice == "-"
                       ? std::string("two results would go to standard output; name a file for one")
                       : fmt::format("{}: two results would go to this file; name another for one",
                                     shown(*twice)));
}

}  // namespace scree::tools
