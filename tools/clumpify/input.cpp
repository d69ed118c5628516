// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"

#include <fmt/format.h>

namespace scree::tools {

clump::ShapePack packFrom(const std::string& path, Diagnostics& diagnostics,
                          const std::string& fromNan) {
  if (fromNan != "particle" && fromNan != "line")
    throw UsageError(
        fmt::format("--from-nan: expected line or particle, found '{}'", shown(fromNan)));
  TextReader in = TextReader::fromFile(path);
  if (in.peek() == "<")
    throw UsageError(fmt::format(
        "{}: this is a shape-file, expected a ShapePack; shapeSurvey info gives the mass "
        "properties of shapes",
        in.name()));
  return clump::readShapePack(
      in, diagnostics, fromNan == "line" ? clump::SharedNodes::line : clump::SharedNodes::particle);
}

}  // namespace scree::tools
