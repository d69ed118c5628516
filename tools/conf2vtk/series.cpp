// SPDX-License-Identifier: GPL-3.0-or-later
#include "conf2vtk.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace scree::tools {
namespace fs = std::filesystem;

namespace {

/// The number at the end of a name before its ending, on four digits at least, so that names stay
/// the same when the series grows; without a number the name.
std::string tagOf(const std::string& name) {
  const std::string stem(
      withoutZst(name).substr(0, name.find('.', name.find_last_of("0123456789") + 1)));
  const std::size_t number = stem.find_last_not_of("0123456789") + 1;
  return number < stem.size() ? fmt::format("{:0>4}", stem.substr(number)) : stem;
}

}  // namespace

std::vector<SeriesItem> seriesOf(const std::vector<std::string>& paths, const Span& span,
                                 FileFailures& failures) {
  if (std::ranges::find(paths, "-") != paths.end()) {
    if (paths.size() > 1)
      throw UsageError("- (standard input) cannot be combined with other files");
    return {{"-", "stdin", inputName("-")}};
  }
  std::vector<SeriesItem> items;
  std::map<std::string, std::string> pathOf;
  std::size_t k = 0;
  for (const std::string& path : sim::confSeries(paths)) {
    const std::string name = fs::path(path).filename().string();
    const std::string tag = tagOf(name);
    const auto [there, isNew] = pathOf.emplace(tag, path);
    if (!isNew) {
      if (withoutZst(path) == withoutZst(there->second)) continue;  // one file, named twice
      throw ModelError(fmt::format("{}: has the same number {} as {}; convert one run at a time",
                                   path, tag, there->second));
    }
    if (!span.whole()) {
      try {
        const double time = sim::readTimeFromFile(path);
        if (time < span.from || time > span.to) continue;
      } catch (const IoError& error) {
        failures.add(error);  // its time is unknown
        continue;
      } catch (const Error&) {  // damaged: reading reports it later
      }
    }
    if (k++ % static_cast<std::size_t>(std::max(span.every, 1)) == 0)
      items.push_back({path, tag, name});
  }
  return items;
}

ReadConf readOfSeries(const SeriesItem& item, const ReadConf* like, Diagnostics& diagnostics) {
  TextReader in = TextReader::fromFile(item.path);
  ReadConf read;
  read.endsLine = in.rest().ends_with('\n');
  read.conf = sim::readConf(in, diagnostics);
  if (like == nullptr) return read;
  const auto early = [&](const std::string& what) {
    throw ParseError({in.name(), 0, 0}, what + ": it is incomplete");
  };
  for (const char* const list : {"Interactions", "Interfaces"})
    if (like->conf.places.contains(list) && !read.conf.places.contains(list))
      early(fmt::format("has no '{}', as other files of the series have", list));
  if (like->endsLine && !read.endsLine) early("its last line has no end");
  if (read.conf.particles.size() < like->conf.particles.size())
    throw ModelError(fmt::format(
        "{}: has {} bodies, {} has {}: it belongs to another run; convert it separately", item.path,
        read.conf.particles.size(), like->conf.source, like->conf.particles.size()));
  return read;
}

}  // namespace scree::tools
