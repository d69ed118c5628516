// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/make.hpp"

#include "shapeSurvey.hpp"

#include "scree/base/text_writer.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace scree::tools {
namespace {

using shape::Shape;

struct MakeOptions {
  std::string kind;
  std::vector<double> size;  ///< outer sizes; empty: the kind's own
  std::optional<double> radius;
  std::optional<int> faces, steps;
  std::uint64_t seed = 1;
  std::string name;  ///< empty: the kind's own
  std::string output = "-";
};

/// Outer sizes of each kind of shape by default. One size given stands for the first of them, and
/// the others keep their proportion.
const std::map<std::string, std::vector<double>> sizesByDefault{
    {"boulder", {1.0, 0.85, 0.7}}, {"slope", {10.0, 5.0, 4.0}},
    {"box", {1.0, 1.0, 1.0}},      {"sphere", {1.0}},
    {"prism", {1.0, 1.0}},         {"plate", {1.0, 1.0}}};

Shape made(const MakeOptions& o) {
  const std::string& kind = o.kind;
  if ((o.faces && kind != "boulder" && kind != "prism") || (o.steps && kind != "slope"))
    throw UsageError("--faces is for boulder and prism, --steps for slope");
  if (kind == "sphere" && o.radius && !o.size.empty())
    throw UsageError("sphere: --size (the diameter) and --radius exclude each other");
  std::vector<double> s = sizesByDefault.at(kind);
  if (o.size.size() > 1 && o.size.size() != s.size())
    throw UsageError(fmt::format("{}: --size takes {} numbers, or one", kind, s.size()));
  if (o.size.size() == 1)
    for (double& x : s) x *= o.size[0] / sizesByDefault.at(kind)[0];
  if (o.size.size() > 1) s = o.size;
  const double radius = o.radius.value_or(kind == "slope" ? 0.05 : 0.02 * std::ranges::min(s));
  if (kind == "boulder")
    return shape::makeBoulder(o.faces.value_or(30), Vec3(s[0], s[1], s[2]), radius, o.seed);
  if (kind == "slope") return shape::makeSlope(o.steps.value_or(5), s[0], s[1], s[2], radius);
  if (kind == "prism")
    return shape::makePrism(std::max(o.faces.value_or(5), 0) - 2, s[0], s[1], radius);
  if (kind == "box") return shape::makeBox(Vec3(s[0], s[1], s[2]), radius);
  if (kind == "plate") return shape::makePlate(s[0], s[1], radius);
  return shape::makeSphere(o.radius ? 2.0 * *o.radius : s[0]);
}

/// The options that make a shape again. Words outside '<' and '>' carry no meaning in a shape-file.
std::string madeBy(const MakeOptions& o) {
  std::string head = "# shapeSurvey make " + o.kind;
  if (!o.size.empty()) head += " --size";
  for (const double s : o.size) head += " " + shortest(s);
  if (o.faces) head += fmt::format(" --faces {}", *o.faces);
  if (o.steps) head += fmt::format(" --steps {}", *o.steps);
  if (o.radius) head += " --radius " + shortest(*o.radius);
  if (o.kind == "boulder") head += fmt::format(" --seed {}", o.seed);
  return head + "\n";
}

}  // namespace

Verb addMakeVerb(CLI::App& app, const CommonOptions& common) {
  const auto o = std::make_shared<MakeOptions>();
  CLI::App& verb = addVerb(
      app, "make", "Make a boulder, a stepped slope, a box, a sphere, a prism or a plate",
      "  shapeSurvey make boulder --faces 30 --size 1 --radius 0.02 --seed 1 -o boulder.shp\n"
      "  shapeSurvey make slope --steps 6 --size 12 6 4 --radius 0.05 -o slope.shp\n"
      "  shapeSurvey make box --size 1 --radius 0.1 | shapeSurvey info -",
      "Sizes are outer sizes, rounding included: X Y Z of a box or boulder, the diameter of a\n"
      "sphere, X Y of a plate, diameter and height of a prism. A slope has length, height and\n"
      "width, with y up. One number scales all sizes of the kind.");
  verb.add_option("KIND", o->kind, "boulder, slope, box, sphere, prism or plate")
      ->check(CLI::IsMember(&sizesByDefault))
      ->required();
  verb.add_option("--size", o->size, "Outer sizes, one to three numbers, in the unit of the file")
      ->expected(1, 3)
      ->check(positiveNumber());
  verb.add_option("--faces", o->faces, "Number of faces of a boulder (30) or a prism (5)");
  verb.add_option("--steps", o->steps, "Number of steps of a slope (5)");
  verb.add_option(
          "--radius", o->radius,
          "Radius of the rounding, in the unit of the file (default: 2 % of the smallest size)")
      ->check(numberFrom(0.0, 1e50));
  verb.add_option("--seed", o->seed, "Seed of a boulder")->capture_default_str();
  verb.add_option("--name", o->name, "Name of the shape (default: the kind)")
      ->check([](const std::string& name) { return shape::nameProblem(name); });
  verb.add_option("-o,--output", o->output, "Shape-file to write; - is standard output")
      ->capture_default_str();
  return {&verb, [o, &common] {
            checkOutput(o->output, common);
            Shape shape = made(*o);
            if (!o->name.empty()) shape.name = o->name;
            JsonWriter json(1);
            json.beginObject().member("schema", 1).member("file", o->output);
            json.member("name", shape.name).member("radius", shape.radius);
            json.member("vertices", shape.vertices.size()).member("edges", shape.edges.size());
            json.member("faces", shape.faces.size());
            if (o->kind == "boulder") {
              say(common, fmt::format("seed {}", o->seed));
              json.member("seed", o->seed);
            }
            return deliver(o->output, madeBy(*o) + shape::shapesText({shape}),
                           json.end().take() + "\n", Diagnostics(), common);
          }};
}

}  // namespace scree::tools
