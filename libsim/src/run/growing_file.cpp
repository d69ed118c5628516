// SPDX-License-Identifier: GPL-3.0-or-later
#include "growing_file.hpp"

#include "base/safe_write.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/growing_table.hpp"
#include "scree/sim/measure/table.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

namespace scree::sim {

namespace {

/// Calls f(line, time) for the whole lines of a table, with no time for a comment; for none where
/// there is no file. A pipe would have no end.
template <class F>
void forEachLine(const std::string& path, F&& f) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;
  const std::string content = readFile(path);
  const std::string_view text = wholeLines(content);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string_view line = text.substr(begin, end + 1 - begin);
    f(line, parseNumber(line.substr(0, line.find_first_of(" \t,\n"))));
    begin = end + 1;
  }
}

double lastTime(double t) { return std::max(t, tableTime(t)); }

}  // namespace

std::string linesUpTo(const std::string& path, double t) {
  std::string kept;
  forEachLine(path, [&](std::string_view line, const std::optional<double>& time) {
    if (line[0] == '#' || (time && *time <= lastTime(t))) kept += line;
  });
  return kept;
}

std::string firstLine(const std::string& path) {
  std::string first;
  forEachLine(path, [&](std::string_view line, const std::optional<double>&) {
    if (first.empty()) first = line;
  });
  return first;
}

std::size_t timesBetween(const std::string& path, double from, double to) {
  std::size_t count = 0;
  std::optional<double> before;
  forEachLine(path, [&](std::string_view, const std::optional<double>& time) {
    if (!time || !(*time > lastTime(from) && *time <= lastTime(to))) return;
    count += !before || *before != *time;
    before = time;
  });
  return count;
}

void appendTo(const std::string& folder, const std::string& name, const std::string& lines) {
  appendToFile((std::filesystem::path(folder) / name).string(), lines);
}

}  // namespace scree::sim
