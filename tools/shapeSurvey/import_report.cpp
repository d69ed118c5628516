// SPDX-License-Identifier: GPL-3.0-or-later
#include "import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace scree::tools {
namespace {

using Json = nlohmann::ordered_json;
using shape::MeshCheck;

std::string kindOf(const MeshCheck& c) {
  return fmt::format("{}, {}{}{}", c.closed() ? "closed" : "open",
                     c.manifold() ? "manifold" : "not manifold",
                     c.oriented() ? "" : ", not wound alike",
                     c.selfIntersections.count ? ", intersects itself" : "");
}

std::string sidesText(const Vec3& sides) {
  return fmt::format("{:.6g} x {:.6g} x {:.6g}", sides.x(), sides.y(), sides.z());
}

Json sidesJson(const Vec3& sides) { return Json{sides.x(), sides.y(), sides.z()}; }

Json checkJson(const MeshCheck& c) {
  const auto finding = [](const MeshCheck::Finding& f) {
    return Json{{"count", f.count}, {"faces", f.faces}};
  };
  return {{"vertices", c.vertices},
          {"faces", c.faces},
          {"components", c.components},
          {"closed", c.closed()},
          {"manifold", c.manifold()},
          {"oriented", c.oriented()},
          {"openEdges", finding(c.openEdges)},
          {"nonManifoldEdges", finding(c.nonManifoldEdges)},
          {"wrongEdges", finding(c.wrongEdges)},
          {"pinchedVertices", finding(c.pinchedVertices)},
          {"degenerateFaces", finding(c.degenerateFaces)},
          {"duplicateFaces", finding(c.duplicateFaces)},
          {"selfIntersections", finding(c.selfIntersections)}};
}

}  // namespace

std::vector<std::string> importLines(const std::vector<ImportReport>& reports) {
  std::vector<std::string> lines;
  for (const ImportReport& r : reports) {
    lines.push_back(fmt::format("{}: {} vertices, {} faces, {} part{}; {}", r.file,
                                r.found.vertices, r.found.faces, r.found.components,
                                r.found.components == 1 ? "" : "s", kindOf(r.found)));
    lines.push_back("  box: " + sidesText(r.sides) + " in the unit of the mesh");
    for (const std::string& finding : shape::findings(r.found))
      lines.push_back(fmt::format("  found: {}", finding));
    for (const ImportStep& s : r.steps) lines.push_back(fmt::format("  {}: {}", s.step, s.text));
    if (!r.steps.empty())
      lines.push_back(fmt::format("  became {}: {} vertices, {} faces; {}",
                                  fmt::join(r.shapes, ", "), r.left.vertices, r.left.faces,
                                  kindOf(r.left)));
    const bool scaled = std::any_of(r.steps.begin(), r.steps.end(),
                                    [](const ImportStep& s) { return s.step == "scale"; });
    lines.push_back(fmt::format("  box of the body, rounding included: {}{}",
                                sidesText(r.sidesLeft),
                                scaled ? ", scaled" : " in the unit of the mesh"));
  }
  return lines;
}

std::string importJson(const std::vector<ImportReport>& reports) {
  Json meshes = Json::array();
  for (const ImportReport& r : reports) {
    Json steps = Json::array();
    for (const ImportStep& s : r.steps) {
      Json step{{"step", s.step}, {"vertices", s.vertices}, {"faces", s.faces}};
      step["volume"] = s.volume ? Json(*s.volume) : Json();
      step["distance"] =
          s.distance ? Json{{"atLeast", s.distance->atLeast}, {"atMost", s.distance->atMost}}
                     : Json();
      for (const auto& [name, value] : s.figures) step[name] = value;
      steps.push_back(std::move(step));
    }
    meshes.push_back({{"file", r.file},
                      {"shapes", r.shapes},
                      {"sides", sidesJson(r.sides)},
                      {"sidesLeft", sidesJson(r.sidesLeft)},
                      {"found", checkJson(r.found)},
                      {"steps", std::move(steps)},
                      {"left", checkJson(r.left)}});
  }
  return Json{{"schema", 1}, {"meshes", std::move(meshes)}}.dump(2) + "\n";
}

}  // namespace scree::tools
