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

Json jsonArray(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Json jsonRows(const Mat3& m) {
  Json out = Json::array();
  for (Eigen::Index r = 0; r < 3; ++r)
    for (Eigen::Index c = 0; c < 3; ++c) out.push_back(m(r, c));
  return out;
}

Json jsonQuat(const Quat& q) { return {q.w(), q.x(), q.y(), q.z()}; }

}  // namespace scree::tools
