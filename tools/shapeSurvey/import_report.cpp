// SPDX-License-Identifier: GPL-3.0-or-later
#include "import.hpp"

#include "scree/base/json_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace scree::tools {
namespace {

using shape::MeshCheck;

std::string kindOf(const MeshCheck& c) {
  return fmt::format("{}, {}{}{}", c.closed() ? "closed" : "open",
                     c.manifold() ? "manifold" : "not manifold",
                     c.oriented() ? "" : ", inconsistently wound",
                     c.selfIntersections.count ? ", intersects itself" : "");
}

std::string sidesText(const Vec3& sides) {
  return fmt::format("{:.6g} x {:.6g} x {:.6g}", sides.x(), sides.y(), sides.z());
}

void addCheck(JsonWriter& json, const MeshCheck& c) {
  const auto finding = [&](std::string_view name, const MeshCheck::Finding& f) {
    json.key(name).beginObject().member("count", f.count).key("faces").list(f.faces).end();
  };
  json.beginObject().member("vertices", c.vertices).member("faces", c.faces);
  json.member("components", c.components).member("closed", c.closed());
  json.member("manifold", c.manifold()).member("oriented", c.oriented());
  finding("openEdges", c.openEdges);
  finding("nonManifoldEdges", c.nonManifoldEdges);
  finding("wrongEdges", c.wrongEdges);
  finding("pinchedVertices", c.pinchedVertices);
  finding("degenerateFaces", c.degenerateFaces);
  finding("duplicateFaces", c.duplicateFaces);
  finding("selfIntersections", c.selfIntersections);
  json.end();
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
  JsonWriter json(2);
  json.beginObject().member("schema", 1).key("meshes").beginArray();
  for (const ImportReport& r : reports) {
    json.beginObject().member("file", r.file).key("shapes").list(r.shapes);
    json.member("sides", r.sides).member("sidesLeft", r.sidesLeft).key("found");
    addCheck(json, r.found);
    json.key("steps").beginArray();
    for (const ImportStep& s : r.steps) {
      json.beginObject().member("step", s.step).member("vertices", s.vertices);
      json.member("faces", s.faces).member("volume", s.volume).key("distance");
      if (s.distance)
        json.beginObject()
            .member("atLeast", s.distance->atLeast)
            .member("atMost", s.distance->atMost)
            .end();
      else
        json.null();
      for (const auto& [name, value] : s.figures) json.member(name, value);
      json.end();
    }
    json.end().key("left");
    addCheck(json, r.left);
    json.end();
  }
  return json.end().end().take() + "\n";
}

}  // namespace scree::tools
