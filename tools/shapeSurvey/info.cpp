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
#include <cmath>
#include <functional>
#include <memory>

namespace scree::tools {
namespace {

using shape::Shape;

/// One radius, or null where each vertex has its own: those then follow.
void addRadius(JsonWriter& json, const Shape& s) {
  json.member("radius", s.radii.empty() ? std::optional(s.radius) : std::nullopt);
  if (!s.radii.empty()) json.key("radii").list(s.radii);
}

void addInfo(JsonWriter& json, const ShapeInfo& info) {
  const Shape& s = info.given;
  const auto known = [&](const auto& value) {
    return info.known ? std::optional(value) : std::nullopt;
  };
  json.beginObject().member("name", s.name);
  addRadius(json, s);
  json.member("vertices", s.vertices.size()).member("edges", s.edges.size());
  json.member("faces", s.faces.size()).member("isSurface", s.isSurface);
  json.member("preCompDone", s.preCompDone);
  json.member("closed", info.closed).member("convex", info.convex);
  json.member("openEdges", info.openEdges);
  json.member("volume", known(info.volume)).member("centre", known(info.centre));
  json.member("inertiaTensorPerMass", known(info.tensor));
  json.member("inertiaPerMass", known(info.moments));
  json.member("orientation", info.orientation).key("obb").beginObject();
  json.member("extent", info.box.extent).member("centre", info.box.centre);
  json.member("axes", Mat3(info.box.axes.transpose()));  // e1, e2, e3 one after the other
  json.member("volume", info.box.volume()).end();
  const shape::Aabb bounds = shape::boundsOf(s);
  json.key("bounds").beginObject().member("low", Vec3(bounds.low));
  json.member("high", Vec3(bounds.high)).end();
  if (info.density) {
    json.member("density", info.density);
    json.member("mass", known(*info.density * info.volume));
  }
  const mass::Morphology& m = info.morphology;
  json.member("area", m.area ? std::optional(m.area->area) : std::nullopt);
  json.member("areaAccuracy", m.area ? std::optional(m.area->accuracy) : std::nullopt);
  json.member("method", info.method).key("bound");
  addBound(json, info.bound);
  json.member("sphericity", m.sphericity).key("zingg");
  if (m.flatness)
    json.beginObject().member("flatness", m.flatness).member("elongation", m.elongation).end();
  else
    json.null();
  json.member("equivalentDiameter", m.equivalentDiameter);
  json.member("sieveOpening", m.sieveOpening);
  json.member("convexity", m.convexity).member("roundness", m.roundness).end();
}

std::string numbers(const Vec3& v) {
  return fmt::format("{:.12g} {:.12g} {:.12g}", v.x(), v.y(), v.z());
}

std::string tableOf(const ShapeInfo& info) {
  const Shape& s = info.given;
  std::string out = harmless(s.name) + "\n";
  const auto row = [&](const char* what, const std::string& value) {
    out += fmt::format("  {:<22}{}\n", what, value);
  };
  if (s.radii.empty()) {
    row("radius", fmt::format("{:.12g}", s.radius));
  } else {
    const auto [least, most] = std::ranges::minmax(s.radii);
    row("radii", fmt::format("{:.12g} to {:.12g}", least, most));
  }
  row("skeleton", fmt::format("{} vertices, {} edges, {} faces", s.vertices.size(), s.edges.size(),
                              s.faces.size()));
  row("kind", s.isSurface           ? "surface"
              : info.convex         ? "convex solid"
              : shape::isOfBalls(s) ? "union of balls"
              : info.closed         ? "closed, not convex"
                                    : "no faces that close");
  const shape::Aabb bounds = shape::boundsOf(s);
  row("bounding box", fmt::format("{} to {}", numbers(bounds.low), numbers(bounds.high)));
  row("  its sides", numbers(bounds.high - bounds.low));
  if (info.known) {
    if (info.density)
      row("mass",
          fmt::format("{:.12g}  (of density {:.12g})", *info.density * info.volume, *info.density));
    row("volume", fmt::format("{:.12g}  ({})", info.volume, info.method));
    row("centre", numbers(info.centre));
    row("I/m", numbers(info.moments));
    const Quat& q = info.orientation;
    row("orientation (w x y z)",
        fmt::format("{:.12g} {:.12g} {:.12g} {:.12g}", q.w(), q.x(), q.y(), q.z()));
  } else if (info.openEdges) {
    if (info.density) row("mass", "unknown: " + info.noSolid);
    row("volume", "unknown: " + info.noSolid);
  }
  row("box, half sides", numbers(info.box.extent));
  row("box, volume", fmt::format("{:.12g}", info.box.volume()));
  const mass::Morphology& m = info.morphology;
  if (m.area)
    row("area", m.area->accuracy > 0.0
                    ? fmt::format("{:.6g}  (to about {:.0e})", m.area->area, m.area->accuracy)
                    : fmt::format("{:.12g}", m.area->area));
  for (const auto& [name, value] : {std::pair("sphericity", m.sphericity),
                                    {"equivalentDiameter", m.equivalentDiameter},
                                    {"convexity", m.convexity},
                                    {"roundness", m.roundness}})
    if (value && std::isfinite(*value)) row(name, fmt::format("{:.6g}", *value));
  if (m.flatness)
    row("flatness, elongation",
        fmt::format("{:.6g} {:.6g}  ({}; Sneed and Folk {})", *m.flatness, m.elongation.value(),
                    mass::zinggClass(info.box), mass::sneedFolkClass(info.box)));
  row("sieve opening", fmt::format("{:.6g}", m.sieveOpening));
  return out;
}

/// Fills in what `compute` would find, in the frame of the file.
void takeReport(ShapeInfo& info, const mass::MassReport& report) {
  Shape surveyed = info.given;
  mass::survey(surveyed, report);
  info.known = true;
  info.closed = report.closed;
  info.convex = report.convex;
  info.bound = report.bound;
  info.method = mass::methodName(report.method);
  info.volume = surveyed.volume;
  info.moments = surveyed.inertiaPerMass;
  // A surface keeps its frame, but the report states its centroid.
  info.centre = report.solid.centre;
  info.tensor = report.solid.inertiaPerMass;
  info.orientation = surveyed.orientation;
  if (surveyed.position == Vec3::Zero() && !surveyed.isSurface) info.centre.setZero();
  info.box.extent = surveyed.obb.extent;
  info.box.centre = surveyed.position + rotated(surveyed.orientation, surveyed.obb.centre);
  info.box.axes = rotationMatrix(surveyed.orientation) * surveyed.obb.axes;
}

/// Fills in what the file gives of a surveyed shape.
void takeGiven(ShapeInfo& info) {
  const Shape& s = info.given;
  info.known = true;
  info.method = "given";
  info.volume = s.volume;
  info.moments = s.inertiaPerMass;
  info.tensor = s.inertiaPerMass.asDiagonal();
  info.box = s.obbGiven ? s.obb : shape::orientedBox(s, shape::BoxMethod::minimum);
  const shape::Core core = shape::coreOf(s);
  info.closed = core.closed;
  info.convex = core.convex;
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

std::string infoTable(const std::vector<ShapeInfo>& shapes) {
  std::string out;
  for (const ShapeInfo& info : shapes) out += tableOf(info) + "\n";
  out += "Lengths L in the unit of the file; area L², volume L³, I/m L²";
  if (std::ranges::any_of(shapes, [](const ShapeInfo& i) { return i.density.has_value(); }))
    out += "; mass in the unit of the density times L³";
  return out + ".\n";
}

std::string infoCsv(const std::vector<ShapeInfo>& shapes) {
  std::string out =
      "name,method,volume,mass,sideA,sideB,sideC,elongation,flatness,zinggClass,sneedFolkClass,"
      "sieveOpening,equivalentDiameter,area,sphericity,convexity,roundness\n";
  const auto put = [&](std::initializer_list<std::optional<double>> numbers) {
    for (const std::optional<double>& x : numbers)
      out += x && std::isfinite(*x) ? fmt::format(",{:.12g}", *x) : ",nan";
  };
  for (const ShapeInfo& info : shapes) {
    const mass::Morphology& m = info.morphology;
    Vec3 sides = 2.0 * info.box.extent;
    std::sort(sides.data(), sides.data() + 3, std::greater{});
    std::string name = harmless(info.given.name);
    if (name.find_first_of(",\"") != std::string::npos) {
      for (std::size_t at = 0; (at = name.find('"', at)) != std::string::npos; at += 2)
        name.insert(at, 1, '"');
      name = '"' + name + '"';
    }
    const double volume = info.known ? info.volume : HUGE_VAL;
    out += name + "," + info.method;
    put({volume, volume * info.density.value_or(HUGE_VAL), sides[0], sides[1], sides[2],
         m.elongation, m.flatness});
    out += "," + mass::zinggClass(info.box) + "," + mass::sneedFolkClass(info.box);
    put({m.sieveOpening, m.equivalentDiameter, m.area ? m.area->area : HUGE_VAL, m.sphericity,
         m.convexity, m.roundness});
    out += "\n";
  }
  return out;
}

std::string infoJson(const std::vector<ShapeInfo>& shapes) {
  JsonWriter json(1);
  json.beginObject().member("schema", 1).key("shapes").beginArray();
  for (const ShapeInfo& info : shapes) addInfo(json, info);
  return json.end().end().take() + "\n";
}

std::vector<ShapeInfo> infoOf(const InfoOptions& options, Diagnostics& diagnostics) {
  warnOfDensity(options.density, diagnostics);
  std::vector<Shape> shapes = shape::readShapesOrMesh(options.shapes, diagnostics, options.force);
  if (!options.shape.empty())
    shapes = std::vector<Shape>{Shape(shapeNamed(shapes, options.shape, options.shapes))};
  const bool isMesh = shape::namesMesh(options.shapes);
  std::vector<ShapeInfo> infos(shapes.size());
  std::vector<Diagnostics> warnings(shapes.size());
  parallelJobs(options.threads, shapes.size(), [&](std::size_t k) {
    ShapeInfo& info = infos[k];
    info.given = std::move(shapes[k]);
    info.density = options.density;
    bool ours = true;  // a sheet counts what its joints have in common twice
    try {
      if (info.given.preCompDone) {
        takeGiven(info);
      } else {
        const mass::MassReport report = mass::massReport(info.given, {.threads = options.threads});
        warnOfSurvey(info.given, report, warnings[k]);
        takeReport(info, report);
        ours = report.method != mass::Method::sheet;
      }
      if (isMesh && !ours) {
        Shape solid = info.given;
        solid.isSurface = false;  // as it was read: the edges of a surface are not counted
        const shape::Core core = shape::coreOf(solid);
        info.known = false;
        info.method = "none";
        info.openEdges = core.openEdges;
        info.noSolid = shape::whyNoSolid(core);
      }
    } catch (const GeometryError& error) {
      warnings[k].warn(error.what());
      if (!info.known) info.box = shape::orientedBox(info.given, shape::BoxMethod::minimum);
    }
    try {
      info.morphology = mass::morphology(
          info.given, info.known && ours ? std::optional(info.volume) : std::nullopt, info.box);
    } catch (const GeometryError& error) {
      if (warnings[k].warnings().empty()) warnings[k].warn(error.what());
    }
  });
  for (std::size_t k = 0; k < infos.size(); ++k) {
    // A file that gives its numbers needs none of ours.
    if (!infos[k].given.preCompDone)
      for (const std::string& warning : warnings[k].warnings()) diagnostics.warn(warning);
    if (infos[k].openEdges && options.density)
      warnOfUnknownMass(infos[k], options.shapes, diagnostics);
  }
  return infos;
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
            std::string text = fmt::format("{:>12} {:>9} {:>9} {:>9}  {:<17}  {}\n", "radius",
                                           "vertices", "edges", "faces", "state", "name");
            JsonWriter json(1);
            json.beginObject().member("schema", 1).key("shapes").beginArray();
            for (const Shape& s : shape::readShapesFromFile(*shapes, diagnostics)) {
              json.beginObject().member("name", s.name);
              addRadius(json, s);
              json.member("vertices", s.vertices.size()).member("edges", s.edges.size());
              json.member("faces", s.faces.size()).member("preCompDone", s.preCompDone);
              json.member("isSurface", s.isSurface).end();
              text += fmt::format("{:>12.6g} {:>9} {:>9} {:>9}  {:<17}  {}\n", s.radius,
                                  s.vertices.size(), s.edges.size(), s.faces.size(),
                                  std::string(s.preCompDone ? "computed" : "raw") +
                                      (s.isSurface ? ", surface" : ""),
                                  harmless(s.name));
            }
            text += "\nRadius in the unit of length of the file\n";
            return deliver("-", common.json ? json.end().end().take() + "\n" : text, "",
                           diagnostics, common);
          }};
}

}  // namespace scree::tools
