// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace scree::tools {

std::string firstWord(const TextReader& in) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  std::string_view text = in.rest();
  for (;;) {
    const auto from = text.find_first_not_of(blanks);
    if (from == std::string_view::npos) return "";
    text.remove_prefix(from);
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    const bool comment = word[0] == '#' || word[0] == '!' || word[0] == '/';
    if (!comment || word == "#format") return std::string(word);
    text.remove_prefix(std::min(text.find_first_of("\r\n"), text.size()));
  }
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
