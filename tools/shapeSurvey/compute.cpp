// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapeSurvey.hpp"

#include "scree/base/parallel.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <map>

namespace scree::tools {
namespace {

using mass::MassReport;
using shape::BoxMethod;
using shape::Shape;
using Choice = mass::MassOptions::Choice;

struct ComputeOptions {
  std::string shapes, output = "-", box = "min";
  mass::SurveyOptions survey;
};

const std::map<std::string, BoxMethod> boxes{{"min", BoxMethod::minimum},
                                             {"pca", BoxMethod::pca},
                                             {"aabb", BoxMethod::aabb},
                                             {"imposed", BoxMethod::minimum}};

/// Brings the shapes into their body frames. @returns a report of each that was not so before
std::vector<std::optional<MassReport>> surveyed(std::vector<Shape>& shapes,
                                                const mass::SurveyOptions& options) {
  std::vector<std::optional<MassReport>> reports(shapes.size());
  parallelJobs(options.mass.threads, shapes.size(), [&](std::size_t k) {
    if (shapes[k].preCompDone && !options.recompute) return;
    reports[k] = mass::massReport(shapes[k], options.mass);
    mass::survey(shapes[k], *reports[k], options);
  });
  return reports;
}

std::string lineOf(const Shape& s, const std::optional<MassReport>& report) {
  if (!report) return s.name + ": already computed, unchanged";
  const Vec3& i = s.inertiaPerMass;
  std::string method(mass::methodName(report->method));
  if (report->method == mass::Method::certified && report->bound)
    method += fmt::format(", within {:.2g}", report->bound->volume);
  return fmt::format("{}: volume {:.12g}, I/m {:.12g} {:.12g} {:.12g} ({}); box {:.9g}", s.name,
                     s.volume, i.x(), i.y(), i.z(), method, s.obb.volume());
}

void addReport(JsonWriter& json, const Shape& s, const std::optional<MassReport>& report,
               const std::string& box) {
  json.beginObject().member("name", s.name).member("computed", report.has_value());
  if (report) {
    json.member("method", mass::methodName(report->method)).member("volume", s.volume);
    json.member("inertiaPerMass", s.inertiaPerMass).key("bound");
    if (const auto& bound = report->bound)
      json.beginObject()
          .member("volume", bound->volume)
          .member("centre", bound->centre)
          .member("inertia", bound->inertia)
          .end();
    else
      json.null();
    json.member("limited", report->limited).key("obb").beginObject();
    json.member("chosen", box).member("volume", s.obb.volume()).end();
  }
  json.end();
}

int compute(ComputeOptions& o, const CommonOptions& common) {
  o.survey.imposedBox = o.box == "imposed";
  o.survey.box = boxes.at(o.box);
  o.survey.mass.threads = threadCount(common.jobs);
  checkOutput(o.output, common);
  Diagnostics diagnostics(common.strict);
  std::vector<Shape> shapes = shape::readShapesFromFile(o.shapes, diagnostics);
  const std::vector<std::optional<MassReport>> reports = surveyed(shapes, o.survey);
  JsonWriter json(1);
  json.beginObject().member("schema", 1).key("shapes").beginArray();
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    if (reports[k]) warnOfSurvey(shapes[k], *reports[k], diagnostics);
    say(common, lineOf(shapes[k], reports[k]));
    addReport(json, shapes[k], reports[k], o.box);
  }
  say(common, "lengths L in the unit of the file; volumes L³, I/m L²");
  return deliver(o.output, shape::shapesText(shapes), json.end().end().take() + "\n", diagnostics,
                 common);
}

}  // namespace

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
  addChoice(verb, "--method", o->survey.mass.method,
            {{"auto", Choice::automatic},
             {"certified", Choice::certified},
             {"exact", Choice::exact},
             {"grid", Choice::grid},
             {"montecarlo", Choice::montecarlo},
             {"octree", Choice::octree}},
            "auto (closed form if there is one, else certified), exact, certified. For "
            "comparison: montecarlo (MCnstep points), grid, octree")
      ->default_str("auto");
  verb.add_option("--tolerance", o->survey.mass.tolerance,
                  "Allowed relative error of a certified volume")
      ->capture_default_str()
      ->check(numberFrom(1e-11, 1.0));
  verb.add_option("--obb", o->box,
                  "Box: min (least volume), pca, aabb, or imposed (axes of the box in the file)")
      ->check(CLI::IsMember(&boxes))
      ->capture_default_str();
  verb.add_flag("--keep-frame", o->survey.keepFrame,
                "Do not move the vertices; their frame must be principal");
  verb.add_flag("--recompute", o->survey.recompute, "Also compute shapes with preCompDone y");
  return {&verb, [o, &common] { return compute(*o, common); }};
}

}  // namespace scree::tools
