// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapeSurvey.hpp"

#include "methods.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace scree::tools {
namespace {

using mass::MassReport;
using mass::Method;
using shape::Shape;

mass::SurveyOptions surveyOptions(const ComputeOptions& options) {
  mass::SurveyOptions survey;
  survey.keepFrame = options.keepFrame;
  survey.recompute = options.recompute;
  if (options.box == "pca")
    survey.box = shape::BoxMethod::pca;
  else if (options.box == "aabb")
    survey.box = shape::BoxMethod::aabb;
  else if (options.box == "imposed")
    survey.imposedBox = true;
  else if (options.box != "min")
    throw UsageError(fmt::format("--obb {}: expected min, pca, aabb or imposed", options.box));
  survey.mass = massOptions(options);
  return survey;
}

std::string reportLine(const Shape& shape, const MassReport& report) {
  return fmt::format("{}: volume {:.12g}, I/m {:.12g} {:.12g} {:.12g} ({})", shape.name,
                     shape.volume, shape.inertiaPerMass.x(), shape.inertiaPerMass.y(),
                     shape.inertiaPerMass.z(), worthOf(report));
}

void warnAbout(const Shape& shape, const MassReport& report, Diagnostics& diagnostics) {
  if (report.limited)
    diagnostics.warn(fmt::format(
        "shape '{}': the work limit came before the tolerance: its volume is within {:.2g}",
        shape.name, report.bound ? report.bound->volume : 0.0));
  if (report.method == Method::sheet && shape.faces.size() > mass::MassOptions::sheetTriangles)
    diagnostics.warn(
        fmt::format("shape '{}': a surface of {} faces is taken as a sheet, area times "
                    "thickness; --method certified gives proven bounds",
                    shape.name, shape.faces.size()));
  shape::Aabb box;
  for (const Vec3& v : shape.vertices) box.add(v);
  if (report.flatness > 1e-6 * 2.0 * box.halfSize().norm())
    diagnostics.warn(
        fmt::format("shape '{}': faces are not plane: corners stand off by up to {:.2g}",
                    shape.name, report.flatness));
}

}  // namespace

std::vector<Shape> computed(const ComputeOptions& options, Diagnostics& diagnostics,
                            std::vector<std::string>& report) {
  const mass::SurveyOptions survey = surveyOptions(options);
  std::vector<Shape> shapes = shape::readShapesFromFile(options.shapes, diagnostics);
  std::vector<std::optional<MassReport>> reports(shapes.size());
  parallelJobs(options.threads, shapes.size(), [&](std::size_t k) {
    if (shapes[k].preCompDone && !options.recompute) return;
    reports[k] = mass::massReport(shapes[k], survey.mass);
    mass::survey(shapes[k], *reports[k], survey);
  });
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    if (!reports[k]) {
      report.push_back(fmt::format("{}: has been computed already, left as it is", shapes[k].name));
      continue;
    }
    warnAbout(shapes[k], *reports[k], diagnostics);
    report.push_back(reportLine(shapes[k], *reports[k]));
  }
  return shapes;
}

std::vector<ShapeInfo> infoOf(const InfoOptions& options, Diagnostics& diagnostics) {
  std::vector<Shape> shapes = shape::readShapesFromFile(options.shapes, diagnostics);
  if (!options.shape.empty()) {
    std::vector<std::string_view> names;
    for (const Shape& s : shapes) names.push_back(s.name);
    const Shape* found = shape::findShape(shapes, options.shape);
    if (!found)
      throw ModelError(fmt::format("{}: no shape '{}'{}", inputName(options.shapes), options.shape,
                                   suggestion(options.shape, names)));
    shapes = std::vector<Shape>{Shape(*found)};
  }
  std::vector<ShapeInfo> infos(shapes.size());
  std::vector<std::string> complaints(shapes.size());
  parallelJobs(options.threads, shapes.size(), [&](std::size_t k) {
    ShapeInfo& info = infos[k];
    info.given = info.surveyed = std::move(shapes[k]);
    try {
      info.report = mass::massReport(info.given);
      mass::survey(info.surveyed, *info.report);
    } catch (const GeometryError& error) {
      complaints[k] = error.what();
    }
    try {
      measureForm(info);
    } catch (const GeometryError& error) {
      if (complaints[k].empty()) complaints[k] = error.what();
    }
  });
  for (std::size_t k = 0; k < infos.size(); ++k) {
    // A file that gives its numbers needs none of ours.
    if (!complaints[k].empty() && !infos[k].given.preCompDone) diagnostics.warn(complaints[k]);
    if (infos[k].report && !infos[k].given.preCompDone)
      warnAbout(infos[k].given, *infos[k].report, diagnostics);
  }
  return infos;
}

std::string keywordTable() {
  std::string out = "| keyword | arguments | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const shape::ShapeKeyword& k : shape::shapeKeywords()) {
    std::string arguments;
    for (const char c : k.arguments) {
      if (c == '|') arguments += '\\';  // a bar would end the cell
      arguments += c;
    }
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", k.name, arguments, k.unit, k.byDefault,
                       k.help);
  }
  return out;
}

std::string keywordJson() {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const shape::ShapeKeyword& k : shape::shapeKeywords()) {
    nlohmann::ordered_json item{{"name", k.name}};
    if (!k.arguments.empty()) item["arguments"] = k.arguments;
    if (!k.unit.empty()) item["unit"] = k.unit;
    if (!k.byDefault.empty()) item["default"] = k.byDefault;
    item["help"] = k.help;
    rows.push_back(std::move(item));
  }
  return nlohmann::ordered_json{{"schema", 1}, {"keywords", rows}}.dump(1) + "\n";
}

}  // namespace scree::tools
