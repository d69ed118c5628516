// SPDX-License-Identifier: GPL-3.0-or-later
#include "growing_file.hpp"

#include "base/safe_write.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/extract/table.hpp"

#include <algorithm>
#include <filesystem>

namespace scree::sim {

std::string linesUpTo(const std::string& path, double t) {
  std::string kept;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return kept;
  const std::string text = readFile(path);
  const double last = std::max(t, tableTime(t));
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;  // a line that was cut short
    const std::string_view line = std::string_view(text).substr(begin, end + 1 - begin);
    const auto time = parseNumber(line.substr(0, line.find_first_of(" \t,\n")));
    if (line[0] == '#' || (time && *time <= last)) kept += line;
    begin = end + 1;
  }
  return kept;
}

void appendTo(const std::string& folder, const std::string& name, const std::string& lines) {
  appendToFile((std::filesystem::path(folder) / name).string(), lines);
}

}  // namespace scree::sim
