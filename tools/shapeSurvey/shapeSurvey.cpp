// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapeSurvey.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <fmt/format.h>

namespace scree::tools {

std::vector<shape::Shape> chosenShapes(std::vector<shape::Shape> shapes, const std::string& name,
                                       const std::string& path) {
  if (name.empty()) return shapes;
  if (const shape::Shape* found = shape::findShape(shapes, name)) return {*found};
  throw ModelError(
      fmt::format("{}: no shape '{}'{}", inputName(path), name, suggestion(name, namesOf(shapes))));
}

void warnOfSurvey(const shape::Shape& shape, const mass::MassReport& report,
                  Diagnostics& diagnostics) {
  const auto warn = [&](const std::string& what) {
    diagnostics.warn(fmt::format("shape '{}': {}", shape.name, what));
  };
  if (report.limited)
    warn(
        fmt::format("the work limit was reached before the tolerance: the bound of the volume is "
                    "{:.2g} of its value",
                    report.bound ? report.bound->volume : 0.0));
  if (report.method == mass::Method::sheet &&
      shape.faces.size() > mass::MassOptions::sheetTriangles)
    warn(
        fmt::format("a surface of {} faces is treated as a sheet, area times thickness; --method "
                    "certified gives proven bounds",
                    shape.faces.size()));
  shape::Aabb box;
  for (const Vec3& v : shape.vertices) box.add(v);
  if (report.core.flatness > 1e-6 * 2.0 * box.halfSize().norm())
    warn(fmt::format("faces are not plane: corners deviate by up to {:.2g} in the unit of the file",
                     report.core.flatness));
}

void checkOutput(const std::string& output, const CommonOptions& common,
                 const std::vector<std::string>& inputs) {
  checkReportGoesElsewhere(common.json, output);
  checkFiles(inputs, {output}, common);
}

int deliver(const std::string& output, const std::string& result, const std::string& report,
            const Diagnostics& diagnostics, const CommonOptions& common) {
  printWarnings(diagnostics, common);
  sayDetail(common, "ready");
  writeFile(output, result, common.existing());
  if (common.json && !report.empty()) printResult(report);
  return 0;
}

}  // namespace scree::tools
