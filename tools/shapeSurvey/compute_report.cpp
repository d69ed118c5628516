// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods.hpp"
#include "shapeSurvey.hpp"

#include "scree/base/json_writer.hpp"

#include <fmt/format.h>

namespace scree::tools {

std::vector<std::string> computeLines(const std::vector<ComputeReport>& reports) {
  std::vector<std::string> lines;
  for (const ComputeReport& r : reports) {
    if (!r.mass) {
      lines.push_back(fmt::format("{}: already computed, unchanged", r.name));
      continue;
    }
    const Vec3& i = r.shape.inertiaPerMass;
    lines.push_back(fmt::format("{}: volume {:.12g}, I/m {:.12g} {:.12g} {:.12g} ({})", r.name,
                                r.shape.volume, i.x(), i.y(), i.z(), worthOf(*r.mass)));
    std::string boxes = fmt::format("  box {:.9g}; least {:.9g}, pca {:.9g}, aabb {:.9g}",
                                    r.shape.obb.volume(), r.leastBox, r.pcaBox, r.alignedBox);
    if (r.imposedBox) boxes += fmt::format(", imposed {:.9g}", *r.imposedBox);
    lines.push_back(std::move(boxes));
  }
  if (!lines.empty()) lines.emplace_back("lengths L in the unit of the file; volumes L³, I/m L²");
  return lines;
}

void addBound(JsonWriter& json, const std::optional<mass::MassBound>& bound) {
  if (!bound) {
    json.null();
    return;
  }
  json.beginObject()
      .member("volume", bound->volume)
      .member("centre", bound->centre)
      .member("inertia", bound->inertia)
      .end();
}

std::string computeJson(const std::vector<ComputeReport>& reports, const ComputeOptions& options) {
  JsonWriter json(1);
  json.beginObject().member("schema", 1).key("shapes").beginArray();
  for (const ComputeReport& r : reports) {
    json.beginObject().member("name", r.name).member("computed", r.mass.has_value());
    if (r.mass) {
      json.member("method", mass::methodName(r.mass->method));
      json.member("volume", r.shape.volume);
      json.member("inertiaPerMass", r.shape.inertiaPerMass).key("bound");
      addBound(json, r.mass->bound);
      json.member("limited", r.mass->limited).key("obb").beginObject();
      json.member("chosen", options.box).member("volume", r.shape.obb.volume());
      json.member("min", r.leastBox).member("pca", r.pcaBox);
      json.member("aabb", r.alignedBox).member("imposed", r.imposedBox).end();
    }
    json.end();
  }
  return json.end().end().take() + "\n";
}

}  // namespace scree::tools
