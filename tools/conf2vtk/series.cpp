// SPDX-License-Identifier: GPL-3.0-or-later
#include "series.hpp"

#include "scree/base/compression.hpp"
#include "scree/base/files.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>

namespace scree::tools {
namespace {

std::string tagOf(const std::string& name) {
  std::string stem(withoutZst(name));
  for (const char* const ending : {".txt", ".conf", ".cnf", ".dat"})
    if (stem.ends_with(ending) && stem.size() > std::string(ending).size())
      stem.resize(stem.size() - std::string(ending).size());
  std::size_t digits = stem.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(stem[digits - 1]))) --digits;
  const std::string number = stem.substr(digits);
  // Four digits whatever the series, so that adding to it renames nothing.
  if (!number.empty()) return fmt::format("{:0>4}", number);
  return stem;
}

}  // namespace

std::vector<SeriesItem> seriesOf(const std::vector<std::string>& paths, int every) {
  if (std::ranges::find(paths, "-") != paths.end()) {
    if (paths.size() > 1) throw UsageError("- (standard input) cannot stand beside other files");
    return {{"-", "stdin", inputName("-")}};
  }
  std::vector<SeriesItem> items;
  std::map<std::string, std::string> pathOf;
  std::size_t k = 0;
  for (const std::string& path : sim::confSeries(paths)) {
    const std::string name = std::filesystem::path(path).filename().string();
    const std::string tag = tagOf(name);
    const auto [there, isNew] = pathOf.emplace(tag, path);
    if (!isNew)
      throw UsageError(fmt::format("{} and {} are both number {}: give each number once",
                                   there->second, path, tag));
    if (k++ % static_cast<std::size_t>(std::max(every, 1)) == 0) items.push_back({path, tag, name});
  }
  return items;
}

void reportTimes(const std::vector<SeriesItem>& items, const std::vector<double>& times,
                 Diagnostics& diagnostics) {
  std::optional<std::size_t> before;
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (before && times[k] < times[*before])
      diagnostics.warn(fmt::format(
          "{}: its time {} is before the {} of {}: the collections are sorted by time",
          items[k].path, shortest(times[k]), shortest(times[*before]), items[*before].path));
    if (before && times[k] == times[*before])
      diagnostics.warn(fmt::format("{}: same time {} as {}: ParaView shows one of the two",
                                   items[k].path, shortest(times[k]), items[*before].path));
    before = k;
  }
}

}  // namespace scree::tools
