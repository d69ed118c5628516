// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages.hpp"
#include "methods.hpp"
#include "run_tool.hpp"
#include "shapeSurvey.hpp"
#include "verb.hpp"
#include "verbs.hpp"
#include "vtk/write_vtp.hpp"

#include "scree/base/parallel.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

namespace {

using namespace scree;
using namespace scree::tools;

CLI::App& addMake(CLI::App& app, MakeOptions& o) {
  CLI::App& verb = addVerb(
      app, "make", "Make a boulder, a stepped slope, a box, a sphere, a prism or a plate",
      "  shapeSurvey make boulder --faces 30 --size 1 --radius 0.02 --seed 1 -o boulder.shp\n"
      "  shapeSurvey make slope --steps 6 --size 12 6 4 --radius 0.05 -o slope.shp\n"
      "  shapeSurvey make box --size 1 --radius 0.1 | shapeSurvey info -",
      "Sizes are outer sizes, rounding included: X Y Z of a box or boulder (or one for all), the\n"
      "diameter of a sphere, X Y of a plate, diameter and height of a prism. A slope has length,\n"
      "height and width, with y up.");
  verb.add_option("KIND", o.kind, "boulder, slope, box, sphere, prism or plate")->required();
  verb.add_option("--size", o.size, "Outer sizes, one to three numbers, in the unit of the file")
      ->expected(1, 3);
  verb.add_option("--faces", o.faces, "Number of faces of a boulder (30) or a prism (5)");
  verb.add_option("--steps", o.steps, "Number of steps of a slope (5)");
  verb.add_option(
      "--radius", o.radius,
      "Radius of the rounding, in the unit of the file (default: 2 % of the smallest size)");
  verb.add_option("--seed", o.seed, "Seed of a boulder")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "expected a whole number not below 0, found " + text
                                     : std::string();
      })
      ->capture_default_str();
  verb.add_option("--name", o.name, "Name of the shape (default: the kind)");
  verb.add_option("-o,--output", o.output, "Shape-file to write; - is standard output")
      ->capture_default_str();
  return verb;
}

CLI::App& addCompute(CLI::App& app, ComputeOptions& o) {
  CLI::App& verb = addVerb(app, "compute", "Compute volume, inertia, box and body frame of shapes",
                           "  shapeSurvey make boulder --seed 3 -o shapes.shp\n"
                           "  shapeSurvey compute shapes.shp -o surveyed.shp\n"
                           "  shapeSurvey compute surveyed.shp --recompute --obb aabb\n"
                           "  shapeSurvey compute shapes.shp --json -o again.shp\n"
                           "  shapeSurvey compute shapes.shp --method certified --tolerance 1e-8",
                           "Leaves shapes with preCompDone y unchanged.");
  verb.add_option("SHAPES", o.shapes, "Shape-file; - is standard input")->required();
  verb.add_option("-o,--output", o.output, "Shape-file to write; - is standard output")
      ->capture_default_str();
  addMethodOptions(verb, o);
  verb.add_option("--obb", o.box,
                  "Box: min (least volume), pca, aabb, or imposed (axes of the file)")
      ->capture_default_str();
  verb.add_flag("--keep-frame", o.keepFrame,
                "Do not move the vertices; their frame must be principal");
  verb.add_flag("--recompute", o.recompute, "Also compute shapes with preCompDone y");
  return verb;
}

CLI::App& addInfo(CLI::App& app, InfoOptions& o) {
  CLI::App& verb = addVerb(app, "info", "Print the properties of shapes or of a mesh",
                           "  shapeSurvey make boulder -o shapes.shp\n"
                           "  shapeSurvey info shapes.shp --shape Boulder --json\n"
                           "  shapeSurvey export shapes.shp -o boulder.stl\n"
                           "  shapeSurvey info boulder.stl --density 2700\n"
                           "  shapeSurvey make prism --faces 8 | shapeSurvey info -");
  verb.add_option("SHAPES", o.shapes,
                  "Shape-file, or mesh (.stl .obj .ply .off); - is a shape-file on standard input")
      ->required();
  verb.add_option("--shape", o.shape, "Name of the shape to print (default: all)");
  verb.add_option(
      "--density", o.density,
      "Mass over volume; prints masses as well, in kg if lengths are in m and this is in kg/m3");
  verb.add_option("--obb", o.box,
                  "Box of shapes without one: min (least volume, about 10 ms each), pca or aabb")
      ->capture_default_str();
  return verb;
}

CLI::App& addList(CLI::App& app, std::string& shapes) {
  CLI::App& verb = addVerb(app, "list", "List the shapes of a file",
                           "  shapeSurvey make sphere -o sphere.shp\n"
                           "  shapeSurvey list sphere.shp\n"
                           "  shapeSurvey list - --json < sphere.shp");
  verb.add_option("SHAPES", shapes, "Shape-file; - is standard input")->required();
  return verb;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Make, import, measure, check, export and draw the shapes of bodies.",
               "shapeSurvey"};
  CommonOptions common;
  common.libraries.push_back({"VTK", vtp::vtkVersion()});
  MakeOptions makeOptions;
  ImportOptions importOptions;
  ComputeOptions computeOptions;
  InfoOptions infoOptions;
  ExportOptions exportOptions;
  CheckOptions checkOptions;
  ImageOptions imageOptions;
  std::string listed, tables;
  addCommonOptions(
      app, common,
      "  shapeSurvey make boulder --faces 30 --size 1 --radius 0.02 --seed 1 -o boulder.shp\n"
      "  shapeSurvey compute boulder.shp -o surveyed.shp\n"
      "  shapeSurvey info surveyed.shp --json");
  app.require_subcommand(0, 1);
  app.add_option("--list", tables, "Print a table: keywords (of shape-files)");
  const CLI::App& makeVerb = addMake(app, makeOptions);
  const CLI::App& importVerb = addImport(app, importOptions);
  const CLI::App& computeVerb = addCompute(app, computeOptions);
  const CLI::App& infoVerb = addInfo(app, infoOptions);
  const CLI::App& listVerb = addList(app, listed);
  const CLI::App& exportVerb = addExport(app, exportOptions);
  const CLI::App& imageVerb = addImage(app, imageOptions);
  const CLI::App& checkVerb = addCheck(app, checkOptions);

  return runTool(app, argc, argv, common, [&] {
    if (app.get_subcommands().empty()) {
      if (tables.empty()) refuseWithoutVerb(app);
      if (tables != "keywords")
        throw UsageError(fmt::format("--list {}: expected keywords", tables));
      printResult(common.json ? keywordJson() : keywordTable());
      return 0;
    }
    Diagnostics diagnostics(common.strict);
    const int threads = threadCount(common.jobs);
    std::string result, output = "-", report;
    // Before the work: whether the result may go there, and the report to standard output.
    const auto resultGoesTo = [&](const std::string& file,
                                  const std::vector<std::string>& otherThan = {}) {
      output = file;
      checkNotInputs({file}, otherThan);
      checkReportGoesElsewhere(common.json, file);
      checkMayWrite(file, common.existing());
    };
    if (makeVerb.parsed()) {
      resultGoesTo(makeOptions.output);
      const shape::Shape shape = madeShape(makeOptions);
      result = madeText(makeOptions, shape);
      report = madeJson(makeOptions, shape);
      if (makeOptions.kind == "boulder") say(common, fmt::format("seed {}", makeOptions.seed));
    } else if (importVerb.parsed()) {
      importOptions.threads = threads;
      resultGoesTo(importOptions.output, importOptions.meshes);
      warnOfDensity(importOptions.density, diagnostics);
      std::vector<ImportReport> reports;
      result = shape::shapesText(imported(importOptions, diagnostics, reports));
      for (const std::string& line : importLines(reports)) say(common, line);
      report = importJson(reports);
    } else if (computeVerb.parsed()) {
      computeOptions.threads = threads;
      resultGoesTo(computeOptions.output);
      const std::vector<ComputeReport> reports = computed(computeOptions, diagnostics);
      std::vector<shape::Shape> shapes;
      for (const ComputeReport& r : reports) shapes.push_back(r.shape);
      result = shape::shapesText(shapes);
      for (const std::string& line : computeLines(reports)) say(common, line);
      report = computeJson(reports, computeOptions);
    } else if (infoVerb.parsed()) {
      infoOptions.threads = threads;
      const std::vector<ShapeInfo> infos = infoOf(infoOptions, diagnostics);
      result = common.json ? infoJson(infos) : infoTable(infos);
    } else if (listVerb.parsed()) {
      const std::vector<shape::Shape> shapes = shape::readShapesFromFile(listed, diagnostics);
      result = common.json ? listJson(shapes) : listTable(shapes);
    } else if (imageVerb.parsed()) {
      imageOptions.threads = threads;
      resultGoesTo(imageOptions.output, {imageOptions.shapes});
      result = pictureOf(imageOptions, diagnostics);
      report = imageJson(imageOptions, result.size());
    } else if (checkVerb.parsed()) {
      checkOptions.threads = threads;
      checkOptions.existing = common.existing();
      checkOptions.json = common.json;
      checkOptions.strict = common.strict;
      const CheckResult check = checked(checkOptions);
      if (checkOptions.output == "-")
        say(common, check.text);
      else
        printResult(harmless(check.text));
      return check.sound ? 0 : 3;
    } else if (exportVerb.parsed()) {
      exportOptions.threads = threads;
      exportOptions.existing = common.existing();
      checkReportGoesElsewhere(common.json, exportOptions.output);
      const std::vector<ExportedFile> files = exported(exportOptions, diagnostics);
      printWarnings(diagnostics, common);
      for (const ExportedFile& f : files)
        say(common,
            fmt::format("{}: {} vertices, {} faces of '{}'", f.file, f.vertices, f.faces, f.shape));
      if (common.json) printResult(exportJson(files));
      return 0;
    } else {
      throw UsageError(app.get_subcommands().front()->get_name() + " is not available yet");
    }
    printWarnings(diagnostics, common);
    sayDetail(common, fmt::format("{} ready", app.get_subcommands().front()->get_name()));
    writeFile(output, result, common.existing());
    if (common.json && !report.empty()) printResult(report);
    return 0;
  });
}
