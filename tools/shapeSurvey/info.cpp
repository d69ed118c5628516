// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapeSurvey.hpp"

#include "scree/base/parallel.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/obb.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace scree::tools {
namespace {

using shape::Shape;
using Json = nlohmann::ordered_json;

struct InfoOptions {
  std::string shapes, shape;  ///< file, of shapes or of a mesh; name of one shape, or empty for all
  std::optional<double> density;  ///< [M/L³] prints masses
  std::string table;              ///< file of the table, or "-"; empty: none
  int threads = 1;
};

/// Columns of the table, as places in the JSON of a shape.
constexpr std::array<const char*, 16> columns{
    "/name",           "/method",     "/volume",       "/mass",
    "/sideA",          "/sideB",      "/sideC",        "/zingg/elongation",
    "/zingg/flatness", "/zinggClass", "/sieveOpening", "/equivalentDiameter",
    "/area",           "/sphericity", "/convexity",    "/roundness"};

Json jsonOf(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Json jsonOf(const Mat3& m) {  // row by row
  Json out = Json::array();
  for (int k = 0; k < 9; ++k) out.push_back(m(k / 3, k % 3));
  return out;
}
Json jsonOf(const std::optional<double>& x) { return x ? Json(*x) : Json(); }

Json asInFile(const Shape& s) {
  return {{"name", s.name},
          {"radius", s.radii.empty() ? Json(s.radius) : Json()},
          {"radii", s.radii.empty() ? Json() : Json(s.radii)},
          {"vertices", s.vertices.size()},
          {"edges", s.edges.size()},
          {"faces", s.faces.size()},
          {"isSurface", s.isSurface},
          {"preCompDone", s.preCompDone}};
}

/// Mass properties and box of one shape, in the frame of its file.
struct Solid {
  bool known = false;  ///< whether volume, centre and inertia are known
  shape::Core core;
  std::string method = "none";
  std::optional<mass::MassBound> bound;
  double volume = 0.0;                                 ///< [L³]
  Vec3 centre = Vec3::Zero(), moments = Vec3::Zero();  ///< [L]; [L²] principal, over mass
  Mat3 tensor = Mat3::Zero();                          ///< [L²] about the centre, over mass
  Quat orientation = Quat::Identity();                 ///< principal frame -> frame of the file
  shape::Obb box;
};

/// The numbers that `compute` would write, in the frame of the file.
Solid computed(const Shape& s, const mass::MassReport& report) {
  Shape surveyed = s;
  mass::survey(surveyed, report);
  // A surface keeps its frame, but the report states its centroid.
  Vec3 centre = report.solid.centre;
  if (surveyed.position == Vec3::Zero() && !surveyed.isSurface) centre.setZero();
  const shape::Obb around{surveyed.obb.extent,
                          surveyed.position + rotated(surveyed.orientation, surveyed.obb.centre),
                          rotationMatrix(surveyed.orientation) * surveyed.obb.axes};
  return {true,
          report.core,
          std::string(mass::methodName(report.method)),
          report.bound,
          surveyed.volume,
          centre,
          surveyed.inertiaPerMass,
          report.solid.inertiaPerMass,
          surveyed.orientation,
          around};
}

/// The numbers of a surveyed file.
Solid given(const Shape& s) {
  return {true,
          shape::coreOf(s),
          "given",
          {},
          s.volume,
          Vec3::Zero(),
          s.inertiaPerMass,
          s.inertiaPerMass.asDiagonal(),
          Quat::Identity(),
          s.obbGiven ? s.obb : shape::orientedBox(s, shape::BoxMethod::minimum)};
}

/// Members that depend on volume, centre and inertia: null where those are not known.
void addSolid(Json& out, const Solid& solid, const std::optional<double>& density) {
  const auto known = [&](const Json& value) { return solid.known ? value : Json(); };
  out["closed"] = solid.core.closed;
  out["convex"] = solid.core.convex;
  out["method"] = solid.method;
  out["volume"] = known(solid.volume);
  out["density"] = jsonOf(density);
  out["mass"] = density ? known(*density * solid.volume) : Json();
  out["centre"] = known(jsonOf(solid.centre));
  out["inertiaTensorPerMass"] = known(jsonOf(solid.tensor));
  out["inertiaPerMass"] = known(jsonOf(solid.moments));
  const Quat& q = solid.orientation;
  out["orientation"] = {q.w(), q.x(), q.y(), q.z()};
  out["bound"] = !solid.bound ? Json()
                              : Json{{"volume", solid.bound->volume},
                                     {"centre", solid.bound->centre},
                                     {"inertia", solid.bound->inertia}};
  out["obb"] = {{"extent", jsonOf(solid.box.extent)},
                {"centre", jsonOf(solid.box.centre)},
                {"axes", jsonOf(Mat3(solid.box.axes.transpose()))},  // e1, e2, e3 in turn
                {"volume", solid.box.volume()}};
}

/// All properties of a shape, or of a mesh; its members: docs/tools/shapeSurvey.md.
Json infoOf(const Shape& s, bool isMesh, const InfoOptions& o, Diagnostics& warnings) {
  Json out = asInFile(s);
  const shape::Aabb bounds = shape::boundsOf(s);
  out["bounds"] = {{"low", jsonOf(Vec3(bounds.low))}, {"high", jsonOf(Vec3(bounds.high))}};
  out["openEdges"] = out["noSolid"] = nullptr;
  Solid solid;
  std::optional<mass::Morphology> form;
  try {
    bool ours = true;  // a sheet counts what its joints have in common twice
    if (s.preCompDone) {
      solid = given(s);
    } else {
      const mass::MassReport report = mass::massReport(s, {.threads = o.threads});
      warnOfSurvey(s, report, warnings);
      solid = computed(s, report);
      ours = report.method != mass::Method::sheet;
    }
    if (isMesh && !ours) {
      Shape body = s;
      body.isSurface = false;  // as it was read: the edges of a surface are not counted
      const shape::Core core = shape::coreOf(body);
      solid.known = false;
      solid.method = "none";
      out["openEdges"] = core.openEdges;
      out["noSolid"] = shape::whyNoSolid(core);
    }
    // A surface keeps its frame.
    const Mat3 axes =
        solid.known && !s.isSurface ? rotationMatrix(solid.orientation) : solid.box.axes;
    form = mass::morphology(s, solid.core,
                            solid.known && ours ? std::optional(solid.volume) : std::nullopt,
                            solid.box, axes);
  } catch (const GeometryError& error) {
    warnings.warn(error.what());
    if (!solid.known) solid.box = shape::orientedBox(s, shape::BoxMethod::minimum);
  }
  addSolid(out, solid, o.density);
  if (form) addForm(out, *form);
  return out;
}

/// Known properties line by line.
std::string listOf(const Json& shapes) {
  std::string out;
  for (const Json& shape : shapes) out += listText(shape) + "\n";
  return out +
         "Lengths L in the unit of the file; area L², volume L³, inertiaPerMass L²; mass in the "
         "unit of the density times L³.\n";
}

std::string jsonText(const Json& shapes) {
  const Json all{{"schema", 1}, {"shapes", shapes}};
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

int printInfo(InfoOptions& o, const CommonOptions& common) {
  if (common.json && !o.table.empty()) throw UsageError("--table and --json exclude each other");
  if (!o.table.empty()) checkOutput(o.table, common, {o.shapes});
  o.threads = threadCount(common.jobs);
  Diagnostics diagnostics(common.strict);
  if (o.density) warnOfDensity(*o.density, diagnostics);
  const std::vector<Shape> shapes =
      chosenShapes(shape::readShapesOrMesh(o.shapes, diagnostics, common.force), o.shape, o.shapes);
  const bool isMesh = shape::namesMesh(o.shapes);
  std::vector<Json> infos(shapes.size());
  std::vector<Diagnostics> warnings(shapes.size());
  parallelJobs(o.threads, shapes.size(),
               [&](std::size_t k) { infos[k] = infoOf(shapes[k], isMesh, o, warnings[k]); });
  for (std::size_t k = 0; k < infos.size(); ++k) {
    // A file that gives its numbers needs none of ours.
    if (!shapes[k].preCompDone)
      for (const std::string& warning : warnings[k].warnings()) diagnostics.warn(warning);
    if (infos[k]["mass"].is_number() && infos[k]["mass"] > 1e6)
      diagnostics.warn(fmt::format(
          "{}: {:.3g} kg and {:.3g} m if lengths are in metres; for shapes in millimetres, import "
          "them with --scale 0.001",
          shapes[k].name, infos[k]["mass"].get<double>(),
          2.0 * shape::boundsOf(shapes[k]).halfSize().maxCoeff()));
    if (!o.density || infos[k]["openEdges"].is_null()) continue;
    diagnostics.warn(fmt::format("{}: mass unknown, since {}", o.shapes,
                                 infos[k]["noSolid"].get<std::string>()));
  }
  const std::string text = common.json       ? jsonText(infos)
                           : o.table.empty() ? listOf(infos)
                                             : formTable(infos, {});
  return deliver(o.table.empty() ? "-" : o.table, text, "", diagnostics, common);
}

}  // namespace

void addForm(Json& out, const mass::Morphology& form) {
  for (int k = 0; k < 3; ++k) out[std::string("side") + "ABC"[k]] = form.lengths[k];
  out["zingg"] = !form.flatness ? Json()
                                : Json{{"elongation", jsonOf(form.elongation)},
                                       {"flatness", jsonOf(form.flatness)}};
  out["zinggClass"] = mass::zinggClass(form.lengths);
  out["sieveOpening"] = form.sieveOpening;
  out["equivalentDiameter"] = jsonOf(form.equivalentDiameter);
  out["area"] = form.area ? Json(form.area->area) : Json();
  out["areaAccuracy"] = form.area ? Json(form.area->accuracy) : Json();
  out["sphericity"] = jsonOf(form.sphericity);
  out["convexity"] = jsonOf(form.convexity);
  out["roundness"] = jsonOf(form.roundness);
}

std::string formTable(const Json& rows, const std::vector<std::string>& more) {
  std::vector<std::string> all(columns.begin(), columns.end());
  all.insert(all.end(), more.begin(), more.end());
  std::string out, separator;
  for (const std::string_view column : all)
    out += std::exchange(separator, ",") + std::string(column.substr(column.rfind('/') + 1));
  for (const Json& row : rows) {
    separator = "\n";
    for (const std::string& column : all) {
      const Json::json_pointer at(column);
      std::string cell = row.contains(at) ? textOf(row[at]) : "nan";
      if (cell.find_first_of(",\"") != std::string::npos) {
        for (std::size_t k = 0; (k = cell.find('"', k)) != std::string::npos; k += 2)
          cell.insert(k, 1, '"');
        cell = '"' + cell + '"';
      }
      out += std::exchange(separator, ",") + cell;
    }
  }
  return out + "\n";
}

Verb addInfoVerb(CLI::App& app, const CommonOptions& common) {
  const auto o = std::make_shared<InfoOptions>();
  CLI::App& verb = addVerb(app, "info", "Print the properties of shapes or of a mesh",
                           "  shapeSurvey make boulder -o shapes.shp\n"
                           "  shapeSurvey info shapes.shp --shape Boulder --json\n"
                           "  shapeSurvey info shapes.shp --table form.csv\n"
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
      ->check(positiveNumber());
  verb.add_option("--table", o->table,
                  "Write one row of form and size a shape to this CSV file instead; - is standard "
                  "output");
  return {&verb, [o, &common] { return printInfo(*o, common); }};
}

Verb addListVerb(CLI::App& app, const CommonOptions& common) {
  const auto path = std::make_shared<std::string>();
  CLI::App& verb = addVerb(app, "list", "List the shapes of a file",
                           "  shapeSurvey make sphere -o sphere.shp\n"
                           "  shapeSurvey list sphere.shp\n"
                           "  shapeSurvey list - --json < sphere.shp");
  verb.add_option("SHAPES", *path, "Shape-file; - is standard input")->required();
  return {&verb, [path, &common] {
            Diagnostics diagnostics(common.strict);
            std::string text = fmt::format("{:>12} {:>9} {:>9} {:>9}  {:<17}  {}\n", "radius",
                                           "vertices", "edges", "faces", "state", "name");
            Json shapes = Json::array();
            for (const Shape& s : shape::readShapesFromFile(*path, diagnostics)) {
              shapes.push_back(asInFile(s));
              text += fmt::format("{:>12.6g} {:>9} {:>9} {:>9}  {:<17}  {}\n", s.radius,
                                  s.vertices.size(), s.edges.size(), s.faces.size(),
                                  std::string(s.preCompDone ? "computed" : "raw") +
                                      (s.isSurface ? ", surface" : ""),
                                  harmless(s.name));
            }
            text += "\nRadius in the unit of length of the file\n";
            return deliver("-", common.json ? jsonText(shapes) : text, "", diagnostics, common);
          }};
}

}  // namespace scree::tools
