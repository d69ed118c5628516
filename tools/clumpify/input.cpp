// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace scree::tools {
namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

}  // namespace

std::string_view firstLine(const TextReader& in) {
  std::string_view text = in.rest();
  for (;;) {
    const auto from = text.find_first_not_of(blanks);
    if (from == std::string_view::npos) return {};
    text.remove_prefix(from);
    const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    const bool comment = line[0] == '#' || line[0] == '!' || line[0] == '/';
    if (!comment || line.substr(0, line.find_first_of(blanks)) == "#format") return line;
    text.remove_prefix(line.size());
  }
}

std::string firstWord(const TextReader& in) {
  const std::string_view line = firstLine(in);
  return std::string(line.substr(0, line.find_first_of(blanks)));
}

clump::ShapePack packFrom(const std::string& path, Diagnostics& diagnostics,
                          const std::string& fromNan) {
  if (fromNan != "particle" && fromNan != "line")
    throw UsageError(
        fmt::format("--from-nan: expected line or particle, found '{}'", shown(fromNan)));
  TextReader in = TextReader::fromFile(path);
  if (firstWord(in) == "<")
    throw UsageError(fmt::format(
        "{}: this is a shape-file, expected a ShapePack; shapeSurvey info gives the mass "
        "properties of shapes",
        in.name()));
  return clump::readShapePack(
      in, diagnostics, fromNan == "line" ? clump::SharedNodes::line : clump::SharedNodes::particle);
}

}  // namespace scree::tools
