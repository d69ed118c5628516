// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapeSurvey.hpp"

#include "export.hpp"
#include "methods.hpp"
#include "run_tool.hpp"

#include "scree/base/files.hpp"
#include "scree/base/json_writer.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::tools {
namespace {

using mass::MassReport;
using mass::Method;
using shape::Shape;

shape::BoxMethod boxMethod(const std::string& name, const char* choices) {
  if (name == "min") return shape::BoxMethod::minimum;
  if (name == "pca") return shape::BoxMethod::pca;
  if (name == "aabb") return shape::BoxMethod::aabb;
  throw UsageError(fmt::format("--obb {}: expected {}", name, choices));
}

mass::SurveyOptions surveyOptions(const ComputeOptions& options) {
  mass::SurveyOptions survey;
  survey.keepFrame = options.keepFrame;
  survey.recompute = options.recompute;
  survey.imposedBox = options.box == "imposed";
  if (!survey.imposedBox) survey.box = boxMethod(options.box, "min, pca, aabb or imposed");
  survey.mass = massOptions(options);
  return survey;
}

void warnAbout(const Shape& shape, const MassReport& report, Diagnostics& diagnostics) {
  if (report.limited)
    diagnostics.warn(
        fmt::format("shape '{}': the work limit was reached before the tolerance: the bound of the "
                    "volume is {:.2g} of its value",
                    shape.name, report.bound ? report.bound->volume : 0.0));
  if (report.method == Method::sheet && shape.faces.size() > mass::MassOptions::sheetTriangles)
    diagnostics.warn(
        fmt::format("shape '{}': a surface of {} faces is treated as a sheet, area times "
                    "thickness; --method certified gives proven bounds",
                    shape.name, shape.faces.size()));
  shape::Aabb box;
  for (const Vec3& v : shape.vertices) box.add(v);
  if (report.flatness > 1e-6 * 2.0 * box.halfSize().norm())
    diagnostics.warn(fmt::format(
        "shape '{}': faces are not plane: corners deviate by up to {:.2g} in the unit of the file",
        shape.name, report.flatness));
}

}  // namespace

void warnOfDensity(const std::optional<double>& density, Diagnostics& diagnostics) {
  constexpr double least = 100.0, most = 25000.0;
  if (density && !(*density >= least && *density <= most))
    diagnostics.warn(
        fmt::format("--density {:g} is outside {:g} to {:g}, where solids are in kg/m3: water has "
                    "1000, rock 2700; in g/cm3 or t/m3 multiply by 1000",
                    *density, least, most));
}

std::vector<ComputeReport> computed(const ComputeOptions& options, Diagnostics& diagnostics) {
  const mass::SurveyOptions survey = surveyOptions(options);
  std::vector<Shape> shapes = shape::readShapesFromFile(options.shapes, diagnostics);
  std::vector<ComputeReport> reports(shapes.size());
  parallelJobs(options.threads, shapes.size(), [&](std::size_t k) {
    ComputeReport& r = reports[k];
    r.shape = std::move(shapes[k]);
    Shape& s = r.shape;
    r.name = s.name;
    if (s.preCompDone && !options.recompute) return;
    if (s.obbGiven) r.imposedBox = shape::boxAlong(s, s.obb.axes).volume();
    r.mass = mass::massReport(s, survey.mass);
    mass::survey(s, *r.mass, survey);
    using shape::BoxMethod;
    const auto box = [&](BoxMethod method) {
      const bool have = !survey.imposedBox && survey.box == method;
      return (have ? s.obb : shape::orientedBox(s, method)).volume();
    };
    r.leastBox = box(BoxMethod::minimum);
    r.pcaBox = box(BoxMethod::pca);
    r.alignedBox = box(BoxMethod::aabb);
  });
  for (const ComputeReport& r : reports)
    if (r.mass) warnAbout(r.shape, *r.mass, diagnostics);
  return reports;
}

namespace {

/// Says that the mass of an open mesh is unknown, and which command closes it.
void warnOfUnknownMass(const ShapeInfo& info, const std::string& file, Diagnostics& diagnostics) {
  std::string close;
  if (file != "-")
    close = fmt::format("; shapeSurvey import {} --radius 0 {} -o {} closes it", shellFile(file),
                        *info.openEdges > 0 ? "--fill-holes" : "--wrap",
                        shellFile(info.given.name + ".shp"));
  diagnostics.warn(
      fmt::format("{}: mass unknown, since {}{}", file, whyUnknown(*info.openEdges), close));
}

}  // namespace

std::string whyUnknown(std::size_t openEdges) {
  if (openEdges == 0) return "its faces bound no volume";
  return fmt::format("the mesh is open ({} edge{} without a second face)", openEdges,
                     openEdges == 1 ? "" : "s");
}

std::vector<ShapeInfo> infoOf(const InfoOptions& options, Diagnostics& diagnostics) {
  if (options.density && !(*options.density > 0.0 && *options.density <= 1e50))
    throw UsageError(
        fmt::format("--density {:g}: expected a number above 0, up to 1e50", *options.density));
  warnOfDensity(options.density, diagnostics);
  std::vector<Shape> shapes = shape::readShapesOrMesh(options.shapes, diagnostics);
  if (!options.shape.empty())
    shapes = std::vector<Shape>{Shape(shapeNamed(shapes, options.shape, options.shapes))};
  mass::SurveyOptions survey;
  survey.box = boxMethod(options.box, "min, pca or aabb");
  const bool isMesh = shape::namesMesh(options.shapes);
  std::vector<ShapeInfo> infos(shapes.size());
  std::vector<std::string> complaints(shapes.size());
  parallelJobs(options.threads, shapes.size(), [&](std::size_t k) {
    ShapeInfo& info = infos[k];
    info.given = info.surveyed = std::move(shapes[k]);
    info.box = survey.box;
    info.density = options.density;
    try {
      info.report = mass::massReport(info.given);
      mass::survey(info.surveyed, *info.report, survey);
      if (isMesh && info.report->method == mass::Method::sheet) {
        Shape solid = info.given;
        solid.isSurface = false;  // as it was read: the edges of a surface are not counted
        info.openEdges = shape::coreOf(solid).openEdges;
      }
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
    if (infos[k].openEdges && options.density)
      warnOfUnknownMass(infos[k], options.shapes, diagnostics);
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
  JsonWriter json(1);
  json.beginObject().member("schema", 1).key("keywords").beginArray();
  for (const shape::ShapeKeyword& k : shape::shapeKeywords()) {
    json.beginObject().member("name", k.name);
    if (!k.arguments.empty()) json.member("arguments", k.arguments);
    if (!k.unit.empty()) json.member("unit", k.unit);
    if (!k.byDefault.empty()) json.member("default", k.byDefault);
    json.member("help", k.help).end();
  }
  return json.end().end().take() + "\n";
}

}  // namespace scree::tools
