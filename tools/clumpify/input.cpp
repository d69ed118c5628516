// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"

#include "sphere_sources.hpp"

#include "scree/base/condition.hpp"
#include "scree/clump/pack_transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace scree::tools {
namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

/// The line that shows the format of a text: the first behind comments, where `#format` is none.
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

/// What a text of that format is called.
std::string_view kindOf(std::string_view format) {
  if (format == "shp") return "a shape-file";
  if (format == "conf") return "a conf-file";
  return format == "csv" ? "a CSV table" : "a table of spheres, as YADE has them";
}

}  // namespace

std::string inputName(const std::string& path) { return path == "-" ? "standard input" : path; }

void checkInputs(std::span<const std::string> paths) {
  if (std::ranges::count(paths, std::string_view("-")) > 1)
    throw UsageError("-: standard input can be read only once");
}

std::string_view formatShown(const TextReader& in) {
  const std::string_view line = firstLine(in);
  const std::string_view word = line.substr(0, line.find_first_of(blanks));
  if (word == "<") return "shp";
  if (word == "Rockable") return "conf";
  if (word == "#format" || isSphereRow(line)) return "yade";
  return isCsvHeader(line) ? "csv" : "shapepack";
}

std::vector<double> particleValues(const clump::ShapePack& pack, std::string_view option,
                                   const std::string& formula,
                                   const clump::ClumpMassOptions& mass) {
  try {
    return clump::particleNumbers(pack, Condition(formula, clump::particleNames()), mass);
  } catch (const ExpressionError& error) {
    throw UsageError(fmt::format("{} '{}': character {}: {}", option, shown(formula),
                                 error.at() + 1, error.what()));
  }
}

clump::ShapePack packFrom(const std::string& path, Diagnostics& diagnostics,
                          const std::string& fromNan) {
  TextReader in = TextReader::fromFile(path);
  return packFrom(in, diagnostics, fromNan);
}

clump::ShapePack packFrom(TextReader& in, Diagnostics& diagnostics, const std::string& fromNan) {
  if (fromNan != "particle" && fromNan != "line")
    throw UsageError(
        fmt::format("--from-nan: expected line or particle, found '{}'", shown(fromNan)));
  if (const std::string_view format = formatShown(in); format != "shapepack")
    throw ModelError(fmt::format(
        "{}: this is {}, expected a ShapePack; clumpify convert {} --from {} --to shapepack writes "
        "one{}",
        in.name(), kindOf(format), shown(in.name() == "standard input" ? "-" : in.name()), format,
        format == "shp" ? "; shapeSurvey info gives the mass properties of shapes" : ""));
  return clump::readShapePack(
      in, diagnostics, fromNan == "line" ? clump::SharedNodes::line : clump::SharedNodes::particle);
}

}  // namespace scree::tools
