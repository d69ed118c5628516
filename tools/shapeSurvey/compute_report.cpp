// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods.hpp"
#include "shapeSurvey.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scree::tools {
namespace {

using Json = nlohmann::ordered_json;

Json list(const Vec3& v) { return Json{v.x(), v.y(), v.z()}; }

}  // namespace

std::vector<std::string> computeLines(const std::vector<ComputeReport>& reports) {
  std::vector<std::string> lines;
  for (const ComputeReport& r : reports) {
    if (!r.mass) {
      lines.push_back(fmt::format("{}: has been computed already, left as it is", r.name));
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

std::string computeJson(const std::vector<ComputeReport>& reports, const ComputeOptions& options) {
  Json out{{"schema", 1}, {"shapes", Json::array()}};
  for (const ComputeReport& r : reports) {
    Json item{{"name", r.name}, {"computed", r.mass.has_value()}};
    if (r.mass) {
      item["method"] = mass::methodName(r.mass->method);
      item["volume"] = r.shape.volume;
      item["inertiaPerMass"] = list(r.shape.inertiaPerMass);
      item["bound"] = r.mass->bound ? Json{{"volume", r.mass->bound->volume},
                                           {"centre", r.mass->bound->centre},
                                           {"inertia", r.mass->bound->inertia}}
                                    : Json();
      item["limited"] = r.mass->limited;
      item["obb"] = {
          {"chosen", options.box}, {"volume", r.shape.obb.volume()},
          {"min", r.leastBox},     {"pca", r.pcaBox},
          {"aabb", r.alignedBox},  {"imposed", r.imposedBox ? Json(*r.imposedBox) : Json()}};
    }
    out["shapes"].push_back(std::move(item));
  }
  return out.dump(1) + "\n";
}

}  // namespace scree::tools
