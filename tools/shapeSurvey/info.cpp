// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages.hpp"
#include "shapeSurvey.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>

namespace scree::tools {
namespace {

using shape::Shape;

/// Volume, centre, inertia and box in the frame of the file, wherever they come from.
struct Facts {
  bool known = false;
  std::string method;
  double volume = 0.0;
  Vec3 centre = Vec3::Zero(), moments = Vec3::Zero();
  Mat3 tensor = Mat3::Zero();
  Quat orientation = Quat::Identity();
  shape::Obb box;
};

Facts factsOf(const ShapeInfo& info) {
  Facts facts;
  const Shape& s = info.surveyed;
  facts.known = (info.given.preCompDone || info.report.has_value()) && !info.openEdges;
  facts.volume = s.volume;
  facts.moments = s.inertiaPerMass;
  facts.box = s.obb;
  if (info.given.preCompDone) {
    facts.method = "given";
    facts.tensor = s.inertiaPerMass.asDiagonal();
    if (!info.given.obbGiven) facts.box = shape::orientedBox(s, info.box);
  } else if (info.report) {
    facts.method = info.openEdges ? "none" : mass::methodName(info.report->method);
    // A surface keeps its frame; its centroid is printed all the same.
    facts.centre = info.report->solid.centre;
    facts.tensor = info.report->solid.inertiaPerMass;
    facts.orientation = s.orientation;
    const Mat3 turn = rotationMatrix(s.orientation);
    facts.box.centre = s.position + rotated(s.orientation, s.obb.centre);
    facts.box.axes = turn * s.obb.axes;
    if (s.position == Vec3::Zero() && !s.isSurface) facts.centre.setZero();
  } else {
    facts.method = "none";
    facts.box = shape::orientedBox(s, info.box);
  }
  return facts;
}

/// One radius, or null where each vertex has its own: those then follow.
void addRadius(JsonWriter& json, const Shape& s) {
  json.member("radius", s.radii.empty() ? std::optional(s.radius) : std::nullopt);
  if (!s.radii.empty()) json.key("radii").list(s.radii);
}

void addMeasures(JsonWriter& json, const mass::Morphology& m) {
  json.member("sphericity", m.sphericity).key("zingg");
  if (m.flatness)
    json.beginObject().member("flatness", m.flatness).member("elongation", m.elongation).end();
  else
    json.null();
  json.member("equivalentDiameter", m.equivalentDiameter);
  json.member("sieveOpening", m.sieveOpening);
  json.member("convexity", m.convexity).member("roundness", m.roundness);
}

void addInfo(JsonWriter& json, const ShapeInfo& info) {
  const Shape& s = info.given;
  const Facts facts = factsOf(info);
  const auto known = [&](const auto& value) {
    return facts.known ? std::optional(value) : std::nullopt;
  };
  json.beginObject().member("name", s.name);
  addRadius(json, s);
  json.member("vertices", s.vertices.size()).member("edges", s.edges.size());
  json.member("faces", s.faces.size()).member("isSurface", s.isSurface);
  json.member("preCompDone", s.preCompDone);
  json.member("closed", info.report && info.report->closed);
  json.member("convex", info.report && info.report->convex);
  json.member("openEdges", info.openEdges);
  json.member("volume", known(facts.volume)).member("centre", known(facts.centre));
  json.member("inertiaTensorPerMass", known(facts.tensor));
  json.member("inertiaPerMass", known(facts.moments));
  json.member("orientation", facts.orientation).key("obb").beginObject();
  json.member("extent", facts.box.extent).member("centre", facts.box.centre);
  json.member("axes", Mat3(facts.box.axes.transpose()));  // e1, e2, e3 one after the other
  json.member("volume", facts.box.volume()).end();
  const shape::Aabb bounds = shape::boundsOf(s);
  json.key("bounds").beginObject().member("low", Vec3(bounds.low));
  json.member("high", Vec3(bounds.high)).end();
  if (info.density) {
    json.member("density", info.density);
    json.member("mass", known(*info.density * facts.volume));
  }
  const auto& area = info.morphology.area;
  json.member("area", area ? std::optional(area->area) : std::nullopt);
  json.member("areaAccuracy", area ? std::optional(area->accuracy) : std::nullopt);
  json.member("method", facts.method).key("bound");
  addBound(json, info.report && !s.preCompDone ? info.report->bound : std::nullopt);
  addMeasures(json, info.morphology);
  if (s.preCompDone && info.report && !s.isSurface) {
    const auto& solid = info.report->solid;
    json.key("computed").beginObject().member("volume", solid.volume);
    json.member("centre", solid.centre).member("inertiaTensorPerMass", solid.inertiaPerMass);
    json.member("method", mass::methodName(info.report->method)).end();
  }
  json.end();
}

std::string numbers(const Vec3& v) {
  return fmt::format("{:.12g} {:.12g} {:.12g}", v.x(), v.y(), v.z());
}

std::string tableOf(const ShapeInfo& info) {
  const Shape& s = info.given;
  const Facts facts = factsOf(info);
  std::string out = harmless(s.name) + "\n";
  const auto row = [&](const char* what, const std::string& value) {
    out += fmt::format("  {:<22}{}\n", what, value);
  };
  if (s.radii.empty()) row("radius", fmt::format("{:.12g}", s.radius));
  if (!s.radii.empty()) {
    const auto [least, most] = std::ranges::minmax(s.radii);
    row("radii", fmt::format("{:.12g} to {:.12g}", least, most));
  }
  row("skeleton", fmt::format("{} vertices, {} edges, {} faces", s.vertices.size(), s.edges.size(),
                              s.faces.size()));
  const char* kind = s.isSurface           ? "surface"
                     : !info.report        ? "no solid"
                     : info.report->convex ? "convex solid"
                     : shape::isOfBalls(s) ? "union of balls"
                                           : "closed, not convex";
  row("kind", kind);
  const shape::Aabb bounds = shape::boundsOf(s);
  row("bounding box", fmt::format("{} to {}", numbers(bounds.low), numbers(bounds.high)));
  row("  its sides", numbers(bounds.high - bounds.low));
  if (info.openEdges) {
    const std::string unknown = "unknown: " + info.noSolid;
    if (info.density) row("mass", unknown);
    row("volume", unknown);
  }
  if (info.density && facts.known)
    row("mass",
        fmt::format("{:.12g}  (of density {:.12g})", *info.density * facts.volume, *info.density));
  if (facts.known) {
    row("volume", fmt::format("{:.12g}  ({})", facts.volume, facts.method));
    row("centre", numbers(facts.centre));
    row("I/m", numbers(facts.moments));
    const Quat& q = facts.orientation;
    row("orientation (w x y z)",
        fmt::format("{:.12g} {:.12g} {:.12g} {:.12g}", q.w(), q.x(), q.y(), q.z()));
  }
  if (s.preCompDone && info.report && !s.isSurface) {
    row("computed: volume", fmt::format("{:.12g}  ({})", info.report->solid.volume,
                                        mass::methodName(info.report->method)));
    row("computed: I/m", numbers(info.report->solid.inertiaPerMass.diagonal()));
  }
  row("box, half sides", numbers(facts.box.extent));
  row("box, volume", fmt::format("{:.12g}", facts.box.volume()));
  if (const auto& area = info.morphology.area)
    row("area", area->accuracy > 0.0
                    ? fmt::format("{:.6g}  (to about {:.0e})", area->area, area->accuracy)
                    : fmt::format("{:.12g}", area->area));
  const mass::Morphology& m = info.morphology;
  const auto measure = [&](const char* name, const std::optional<double>& value) {
    if (value && std::isfinite(*value)) row(name, fmt::format("{:.6g}", *value));
  };
  measure("sphericity", m.sphericity);
  measure("equivalentDiameter", m.equivalentDiameter);
  measure("convexity", m.convexity);
  measure("roundness", m.roundness);
  if (m.flatness)
    row("flatness, elongation",
        fmt::format("{:.6g} {:.6g}  ({}; Sneed and Folk {})", *m.flatness, m.elongation.value(),
                    mass::zinggClass(facts.box), mass::sneedFolkClass(facts.box)));
  row("sieve opening", fmt::format("{:.6g}", m.sieveOpening));
  return out;
}

/// Says that the mass of an open mesh is unknown, and which command closes it.
void warnOfUnknownMass(const ShapeInfo& info, const std::string& file, Diagnostics& diagnostics) {
  std::string close;
  if (file != "-" && *info.openEdges > 0)
    close = fmt::format("; shapeSurvey import {} --radius 0 {} -o {} closes it", shellFile(file),
                        "--fill-holes", shellFile(info.given.name + ".shp"));
  diagnostics.warn(fmt::format("{}: mass unknown, since {}{}", file, info.noSolid, close));
}

}  // namespace

void measureForm(ShapeInfo& info) {
  // The file's own volume may be that of another body (see `check`): ours is taken where there is
  // one. A sheet counts what its joints have in common twice.
  std::optional<double> volume;
  if (info.report && info.report->method != mass::Method::sheet) volume = info.report->solid.volume;
  info.morphology = mass::morphology(info.given, volume, factsOf(info).box);
}

std::string infoTable(const std::vector<ShapeInfo>& shapes) {
  std::string out;
  for (const ShapeInfo& info : shapes) out += tableOf(info) + "\n";
  out += "Lengths L in the unit of the file; area L², volume L³, I/m L²";
  if (std::any_of(shapes.begin(), shapes.end(),
                  [](const auto& i) { return i.density.has_value(); }))
    out += "; mass in the unit of the density times L³";
  return out + ".\n";
}

std::string infoCsv(const std::vector<ShapeInfo>& shapes) {
  std::string out =
      "name,method,volume,mass,sideA,sideB,sideC,elongation,flatness,zinggClass,sneedFolkClass,"
      "sieveOpening,equivalentDiameter,area,sphericity,convexity,roundness\n";
  const auto number = [](double x) {
    return std::isfinite(x) ? fmt::format("{:.12g}", x) : std::string("nan");
  };
  const auto value = [&](const std::optional<double>& x) { return number(x.value_or(HUGE_VAL)); };
  for (const ShapeInfo& info : shapes) {
    const Facts facts = factsOf(info);
    const mass::Morphology& m = info.morphology;
    const double volume = facts.known ? facts.volume : HUGE_VAL;
    Vec3 sides = 2.0 * facts.box.extent;
    std::sort(sides.data(), sides.data() + 3, std::greater{});
    std::string name = info.given.name;
    if (name.find_first_of(",\"") != std::string::npos) {
      for (std::size_t at = 0; (at = name.find('"', at)) != std::string::npos; at += 2)
        name.insert(at, 1, '"');
      name = '"' + name + '"';
    }
    out += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", harmless(name), facts.method,
        number(volume), number(volume * info.density.value_or(HUGE_VAL)), number(sides[0]),
        number(sides[1]), number(sides[2]), value(m.elongation), value(m.flatness),
        mass::zinggClass(facts.box), mass::sneedFolkClass(facts.box), number(m.sieveOpening),
        value(m.equivalentDiameter), number(m.area ? m.area->area : HUGE_VAL), value(m.sphericity),
        value(m.convexity), value(m.roundness));
  }
  return out;
}

std::string infoJson(const std::vector<ShapeInfo>& shapes) {
  JsonWriter json(1);
  json.beginObject().member("schema", 1).key("shapes").beginArray();
  for (const ShapeInfo& info : shapes) addInfo(json, info);
  return json.end().end().take() + "\n";
}

std::string listTable(const std::vector<Shape>& shapes) {
  std::size_t width = 4;
  for (const Shape& s : shapes) width = std::max(width, harmless(s.name).size());
  std::string out = fmt::format("{:<{}}  {:>12} {:>9} {:>9} {:>9}  {}\n", "name", width, "radius",
                                "vertices", "edges", "faces", "state");
  for (const Shape& s : shapes)
    out += fmt::format("{:<{}}  {:>12.6g} {:>9} {:>9} {:>9}  {}{}\n", harmless(s.name), width,
                       s.radius, s.vertices.size(), s.edges.size(), s.faces.size(),
                       s.preCompDone ? "computed" : "raw", s.isSurface ? ", surface" : "");
  return out + "\nRadius in the unit of length of the file\n";
}

std::string listJson(const std::vector<Shape>& shapes) {
  JsonWriter json(1);
  json.beginObject().member("schema", 1).key("shapes").beginArray();
  for (const Shape& s : shapes) {
    json.beginObject().member("name", s.name);
    addRadius(json, s);
    json.member("vertices", s.vertices.size()).member("edges", s.edges.size());
    json.member("faces", s.faces.size()).member("preCompDone", s.preCompDone);
    json.member("isSurface", s.isSurface).end();
  }
  return json.end().end().take() + "\n";
}

std::vector<ShapeInfo> infoOf(const InfoOptions& options, Diagnostics& diagnostics) {
  warnOfDensity(options.density, diagnostics);
  std::vector<Shape> shapes = shape::readShapesOrMesh(options.shapes, diagnostics, options.force);
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
      info.report = mass::massReport(info.given, {.threads = options.threads});
      mass::survey(info.surveyed, *info.report, survey);
      if (isMesh && info.report->method == mass::Method::sheet) {
        Shape solid = info.given;
        solid.isSurface = false;  // as it was read: the edges of a surface are not counted
        const shape::Core core = shape::coreOf(solid);
        info.openEdges = core.openEdges;
        info.noSolid = shape::whyNoSolid(core);
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
      warnOfSurvey(infos[k].given, *infos[k].report, diagnostics);
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

Verb addInfoVerb(CLI::App& app, const CommonOptions& common) {
  const auto o = std::make_shared<InfoOptions>();
  const auto table = std::make_shared<bool>(false);
  CLI::App& verb = addVerb(app, "info", "Print the properties of shapes or of a mesh",
                           "  shapeSurvey make boulder -o shapes.shp\n"
                           "  shapeSurvey info shapes.shp --shape Boulder --json\n"
                           "  shapeSurvey export shapes.shp -o boulder.stl\n"
                           "  shapeSurvey info boulder.stl --density 2700\n"
                           "  shapeSurvey make prism --faces 8 | shapeSurvey info -");
  verb.add_option("SHAPES", o->shapes,
                  "Shape-file, or mesh (.stl .obj .ply .off); - is a shape-file on standard input")
      ->required();
  verb.add_option("--shape", o->shape, "Name of the shape to print (default: all)");
  verb.add_option(
          "--density", o->density,
          "Mass over volume; prints masses as well, in kg if lengths are in m and this is in kg/m3")
      ->check(numberFrom(1e-50, 1e50));
  verb.add_option("--obb", o->box,
                  "Box of shapes without one: min (least volume, about 10 ms each), pca or aabb")
      ->capture_default_str();
  verb.add_flag("--table", *table, "Print one row of form and size a shape as CSV");
  return {&verb, [o, table, &common] {
            o->threads = threadCount(common.jobs);
            o->force = common.force;
            if (*table && common.json) throw UsageError("--table and --json exclude each other");
            Diagnostics diagnostics(common.strict);
            const std::vector<ShapeInfo> infos = infoOf(*o, diagnostics);
            const std::string out = common.json ? infoJson(infos)
                                    : *table    ? infoCsv(infos)
                                                : infoTable(infos);
            return deliver("-", out, "", diagnostics, common);
          }};
}

Verb addListVerb(CLI::App& app, const CommonOptions& common) {
  const auto shapes = std::make_shared<std::string>();
  CLI::App& verb = addVerb(app, "list", "List the shapes of a file",
                           "  shapeSurvey make sphere -o sphere.shp\n"
                           "  shapeSurvey list sphere.shp\n"
                           "  shapeSurvey list - --json < sphere.shp");
  verb.add_option("SHAPES", *shapes, "Shape-file; - is standard input")->required();
  return {&verb, [shapes, &common] {
            Diagnostics diagnostics(common.strict);
            const std::vector<Shape> read = shape::readShapesFromFile(*shapes, diagnostics);
            return deliver("-", common.json ? listJson(read) : listTable(read), "", diagnostics,
                           common);
          }};
}

}  // namespace scree::tools
