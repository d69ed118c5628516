// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/make.hpp"

#include "shapeSurvey.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace scree::tools {
namespace {

using shape::Shape;

Shape makeOne(const MakeOptions& options) {
  const std::string& kind = options.kind;
  const bool faces = kind == "boulder" || kind == "prism";
  if ((options.faces && !faces) || (options.steps && kind != "slope"))
    throw UsageError(fmt::format("{}: --{} has no meaning here", kind,
                                 options.faces && !faces ? "faces" : "steps"));
  if (kind == "slope" && options.size.size() == 1)
    throw UsageError("slope: --size takes length, height and width");
  std::vector<double> s;
  /// Takes the sizes of the kind, and returns the radius.
  const auto takeSizes = [&](std::vector<double> byDefault, const char* what) {
    s = options.size.empty() ? byDefault : options.size;
    // One number stands for all of them, where they mean the same.
    if (s.size() == 1) s.assign(byDefault.size(), s[0]);
    if (s.size() != byDefault.size())
      throw UsageError(fmt::format("{}: --size takes {}", kind, what));
    return options.radius.value_or(0.02 * std::ranges::min(s));
  };
  if (kind == "boulder") {
    double radius = takeSizes({1.0, 0.85, 0.7}, "one size or three");
    if (options.size.size() == 1) {  // the largest; the others follow as in crushed rock
      s = {s[0], 0.85 * s[0], 0.7 * s[0]};
      radius = options.radius.value_or(0.02 * s[2]);
    }
    return shape::makeBoulder(options.faces.value_or(30), Vec3(s[0], s[1], s[2]), radius,
                              options.seed);
  }
  if (kind == "slope") {
    takeSizes({10.0, 5.0, 4.0}, "length, height and width");
    return shape::makeSlope(options.steps.value_or(5), s[0], s[1], s[2],
                            options.radius.value_or(0.05));
  }
  if (kind == "prism") {
    const double radius = takeSizes({1.0, 1.0}, "diameter and height");
    return shape::makePrism(std::max(options.faces.value_or(5), 0) - 2, s[0], s[1], radius);
  }
  if (kind == "box") {
    const double radius = takeSizes({1.0, 1.0, 1.0}, "one size or three");
    return shape::makeBox(Vec3(s[0], s[1], s[2]), radius);
  }
  if (kind == "plate") {
    const double radius = takeSizes({1.0, 1.0}, "one size or two");
    return shape::makePlate(s[0], s[1], radius);
  }
  if (kind == "sphere") {
    if (options.radius && !options.size.empty())
      throw UsageError("sphere: --size (the diameter) and --radius exclude each other");
    takeSizes({1.0}, "the diameter");
    return shape::makeSphere(options.radius ? 2.0 * *options.radius : s[0]);
  }
  throw UsageError(
      fmt::format("unknown kind '{}': expected boulder, slope, box, sphere, prism or plate", kind));
}

}  // namespace

Shape madeShape(const MakeOptions& options) {
  Shape shape = makeOne(options);
  if (options.name) shape.name = *options.name;
  if (const std::string problem = shape::nameProblem(shape.name); !problem.empty())
    throw UsageError("--name: " + problem);
  return shape;
}

std::string madeText(const MakeOptions& options, const Shape& shape) {
  // Words outside '<' and '>' carry no meaning in a shape-file.
  std::string head = "# shapeSurvey make " + options.kind;
  if (!options.size.empty()) head += " --size";
  for (const double s : options.size) head += fmt::format(" {}", shortest(s));
  if (options.faces) head += fmt::format(" --faces {}", *options.faces);
  if (options.steps) head += fmt::format(" --steps {}", *options.steps);
  if (options.radius) head += fmt::format(" --radius {}", shortest(*options.radius));
  if (options.kind == "boulder") head += fmt::format(" --seed {}", options.seed);
  return head + "\n" + shape::shapesText({shape});
}

std::function<std::string(const std::string&)> numberFrom(double least, double most) {
  return [least, most](const std::string& text) {
    const std::optional<double> x = parseNumber(text);
    if (x && *x >= least && *x <= most) return std::string();
    return fmt::format("expected a number from {:g} to {:g}, found {}", least, most, text);
  };
}

void checkOutput(const std::string& output, const CommonOptions& common,
                 const std::vector<std::string>& inputs) {
  checkNotInputs({output}, inputs);
  checkReportGoesElsewhere(common.json, output);
  checkMayWrite(output, common.existing());
}

int deliver(const std::string& output, const std::string& result, const std::string& report,
            const Diagnostics& diagnostics, const CommonOptions& common) {
  printWarnings(diagnostics, common);
  sayDetail(common, "ready");
  writeFile(output, result, common.existing());
  if (common.json && !report.empty()) printResult(report);
  return 0;
}

Verb addMakeVerb(CLI::App& app, const CommonOptions& common) {
  const auto o = std::make_shared<MakeOptions>();
  CLI::App& verb = addVerb(
      app, "make", "Make a boulder, a stepped slope, a box, a sphere, a prism or a plate",
      "  shapeSurvey make boulder --faces 30 --size 1 --radius 0.02 --seed 1 -o boulder.shp\n"
      "  shapeSurvey make slope --steps 6 --size 12 6 4 --radius 0.05 -o slope.shp\n"
      "  shapeSurvey make box --size 1 --radius 0.1 | shapeSurvey info -",
      "Sizes are outer sizes, rounding included: X Y Z of a box or boulder (or one for all), the\n"
      "diameter of a sphere, X Y of a plate, diameter and height of a prism. A slope has length,\n"
      "height and width, with y up.");
  verb.add_option("KIND", o->kind, "boulder, slope, box, sphere, prism or plate")->required();
  verb.add_option("--size", o->size, "Outer sizes, one to three numbers, in the unit of the file")
      ->expected(1, 3)
      ->check(numberFrom(1e-50, 1e50));  // second moments are fifth powers of sizes
  verb.add_option("--faces", o->faces, "Number of faces of a boulder (30) or a prism (5)");
  verb.add_option("--steps", o->steps, "Number of steps of a slope (5)");
  verb.add_option(
          "--radius", o->radius,
          "Radius of the rounding, in the unit of the file (default: 2 % of the smallest size)")
      ->check(numberFrom(0.0, 1e50));
  verb.add_option("--seed", o->seed, "Seed of a boulder")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "expected a whole number not below 0, found " + text
                                     : std::string();
      })
      ->capture_default_str();
  verb.add_option("--name", o->name, "Name of the shape (default: the kind)");
  verb.add_option("-o,--output", o->output, "Shape-file to write; - is standard output")
      ->capture_default_str();
  return {&verb, [o, &common] {
            checkOutput(o->output, common);
            const Shape shape = madeShape(*o);
            if (o->kind == "boulder") say(common, fmt::format("seed {}", o->seed));
            JsonWriter json(1);
            json.beginObject().member("schema", 1).member("file", o->output);
            json.member("name", shape.name).member("radius", shape.radius);
            json.member("vertices", shape.vertices.size()).member("edges", shape.edges.size());
            json.member("faces", shape.faces.size());
            if (o->kind == "boulder") json.member("seed", o->seed);
            return deliver(o->output, madeText(*o, shape), json.end().take() + "\n", Diagnostics(),
                           common);
          }};
}

}  // namespace scree::tools
