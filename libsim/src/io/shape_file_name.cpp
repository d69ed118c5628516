// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/model/conf.hpp"

#include <fmt/format.h>

#include <string_view>

namespace scree::sim {
namespace {

/// The characters that end a word of a TextReader.
constexpr std::string_view wordEnds = " \t\n\v\f\r";

std::string_view nameOf(char wordEnd) {
  switch (wordEnd) {
    case ' ':
      return "a blank";
    case '\t':
      return "a tab";
    case '\n':
      return "a line end";
    case '\r':
      return "a carriage return";
    case '\v':
      return "a vertical tab";
    default:
      return "a form feed";
  }
}

}  // namespace

std::string shapeFileFrom(const std::string& folder, const Conf& conf) {
  if (conf.shapeFile.empty()) return {};
  return relativeTo(shapeFileOf(conf), folder);
}

std::string whyNoShapeFileName(const std::string& name) {
  const std::size_t at = name.find_first_of(wordEnds);
  if (at == std::string::npos) return {};
  return fmt::format("a conf-file cannot name the shape-file '{}', since {} ends a name there",
                     printable(name), nameOf(name[at]));
}

}  // namespace scree::sim
