// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapeSurvey.hpp"

#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace scree::tools {
namespace {

using mass::MassReport;
using shape::Shape;
using Choice = mass::MassOptions::Choice;

constexpr std::array<std::pair<std::string_view, Choice>, 6> methods{
    {{"auto", Choice::automatic},
     {"exact", Choice::exact},
     {"certified", Choice::certified},
     {"montecarlo", Choice::montecarlo},
     {"grid", Choice::grid},
     {"octree", Choice::octree}}};
using shape::BoxMethod;
constexpr std::array<std::pair<std::string_view, BoxMethod>, 4> boxes{
    {{"min", BoxMethod::minimum},
     {"pca", BoxMethod::pca},
     {"aabb", BoxMethod::aabb},
     {"imposed", BoxMethod::minimum}}};

/// The row of this name. @throws UsageError that lists the names there are
template <class Rows>
auto chosen(const Rows& rows, const std::string& name, const char* option) {
  std::vector<std::string_view> names;
  for (const auto& [known, value] : rows) {
    if (known == name) return value;
    names.push_back(known);
  }
  throw UsageError(fmt::format("{} {}: expected {}{}", option, name, fmt::join(names, ", "),
                               suggestion(name, names)));
}

/// Method and, where there is one, bound: "certified, within 8e-07".
std::string worthOf(const MassReport& report) {
  std::string out(mass::methodName(report.method));
  if (report.method == mass::Method::certified && report.bound)
    out += fmt::format(", within {:.2g}", report.bound->volume);
  return out;
}

}  // namespace

void warnOfSurvey(const Shape& shape, const MassReport& report, Diagnostics& diagnostics) {
  if (report.limited)
    diagnostics.warn(
        fmt::format("shape '{}': the work limit was reached before the tolerance: the bound of the "
                    "volume is {:.2g} of its value",
                    shape.name, report.bound ? report.bound->volume : 0.0));
  if (report.method == mass::Method::sheet &&
      shape.faces.size() > mass::MassOptions::sheetTriangles)
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

void warnOfDensity(const std::optional<double>& density, Diagnostics& diagnostics) {
  constexpr double least = 100.0, most = 25000.0;
  if (density && !(*density >= least && *density <= most))
    diagnostics.warn(
        fmt::format("--density {:g} is outside {:g} to {:g}, where solids are in kg/m3: water has "
                    "1000, rock 2700; in g/cm3 or t/m3 multiply by 1000",
                    *density, least, most));
}

std::vector<ComputeReport> computed(const ComputeOptions& options, Diagnostics& diagnostics) {
  mass::SurveyOptions survey;
  survey.keepFrame = options.keepFrame;
  survey.recompute = options.recompute;
  survey.imposedBox = options.box == "imposed";
  survey.box = chosen(boxes, options.box, "--obb");
  survey.mass.method = chosen(methods, options.method, "--method");
  survey.mass.tolerance = options.tolerance;
  survey.mass.threads = options.threads;
  std::vector<Shape> shapes = shape::readShapesFromFile(options.shapes, diagnostics);
  std::vector<ComputeReport> reports(shapes.size());
  parallelJobs(options.threads, shapes.size(), [&](std::size_t k) {
    ComputeReport& r = reports[k];
    r.shape = std::move(shapes[k]);
    if (r.shape.preCompDone && !options.recompute) return;
    r.mass = mass::massReport(r.shape, survey.mass);
    mass::survey(r.shape, *r.mass, survey);
  });
  for (const ComputeReport& r : reports)
    if (r.mass) warnOfSurvey(r.shape, *r.mass, diagnostics);
  return reports;
}

std::vector<std::string> computeLines(const std::vector<ComputeReport>& reports) {
  std::vector<std::string> lines;
  for (const ComputeReport& r : reports) {
    const Vec3& i = r.shape.inertiaPerMass;
    lines.push_back(
        r.mass ? fmt::format("{}: volume {:.12g}, I/m {:.12g} {:.12g} {:.12g} ({}); box {:.9g}",
                             r.shape.name, r.shape.volume, i.x(), i.y(), i.z(), worthOf(*r.mass),
                             r.shape.obb.volume())
               : fmt::format("{}: already computed, unchanged", r.shape.name));
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
    json.beginObject().member("name", r.shape.name).member("computed", r.mass.has_value());
    if (r.mass) {
      json.member("method", mass::methodName(r.mass->method));
      json.member("volume", r.shape.volume);
      json.member("inertiaPerMass", r.shape.inertiaPerMass).key("bound");
      addBound(json, r.mass->bound);
      json.member("limited", r.mass->limited).key("obb").beginObject();
      json.member("chosen", options.box).member("volume", r.shape.obb.volume()).end();
    }
    json.end();
  }
  return json.end().end().take() + "\n";
}

Verb addComputeVerb(CLI::App& app, const CommonOptions& common) {
  const auto o = std::make_shared<ComputeOptions>();
  CLI::App& verb = addVerb(app, "compute", "Compute volume, inertia, box and body frame of shapes",
                           "  shapeSurvey make boulder --seed 3 -o shapes.shp\n"
                           "  shapeSurvey compute shapes.shp -o surveyed.shp\n"
                           "  shapeSurvey compute surveyed.shp --recompute --obb aabb\n"
                           "  shapeSurvey compute shapes.shp --json -o again.shp\n"
                           "  shapeSurvey compute shapes.shp --method certified --tolerance 1e-8",
                           "Leaves shapes with preCompDone y unchanged.");
  verb.add_option("SHAPES", o->shapes, "Shape-file; - is standard input")->required();
  verb.add_option("-o,--output", o->output, "Shape-file to write; - is standard output")
      ->capture_default_str();
  verb.add_option("--method", o->method,
                  "auto (closed form if there is one, else certified), exact, certified. For "
                  "comparison: montecarlo (MCnstep points), grid, octree")
      ->capture_default_str();
  verb.add_option("--tolerance", o->tolerance, "Allowed relative error of a certified volume")
      ->capture_default_str()
      ->check(numberFrom(1e-11, 1.0));
  verb.add_option("--obb", o->box,
                  "Box: min (least volume), pca, aabb, or imposed (axes of the file)")
      ->capture_default_str();
  verb.add_flag("--keep-frame", o->keepFrame,
                "Do not move the vertices; their frame must be principal");
  verb.add_flag("--recompute", o->recompute, "Also compute shapes with preCompDone y");
  return {&verb, [o, &common] {
            o->threads = threadCount(common.jobs);
            checkOutput(o->output, common);
            Diagnostics diagnostics(common.strict);
            const std::vector<ComputeReport> reports = computed(*o, diagnostics);
            std::vector<Shape> shapes;
            for (const ComputeReport& r : reports) shapes.push_back(r.shape);
            for (const std::string& line : computeLines(reports)) say(common, line);
            return deliver(o->output, shape::shapesText(shapes), computeJson(reports, *o),
                           diagnostics, common);
          }};
}

}  // namespace scree::tools
