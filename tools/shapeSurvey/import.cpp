// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/mesh/import.hpp"

#include "read_image.hpp"
#include "shapeSurvey.hpp"

#include "scree/shape/shape_file.hpp"

#include <climits>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace scree::tools {
namespace {

using mesh::ImportReport;
using mesh::ImportStep;
using shape::MeshCheck;

std::string kindOf(const MeshCheck& c) {
  return fmt::format("{}, {}{}{}", c.closed() ? "closed" : "open",
                     c.manifold() ? "manifold" : "not manifold",
                     c.oriented() ? "" : ", inconsistently wound",
                     c.selfIntersections.count ? ", intersects itself" : "");
}

std::string sidesText(const Vec3& sides) {
  return fmt::format("{:.6g} x {:.6g} x {:.6g}", sides.x(), sides.y(), sides.z());
}

void addCheck(JsonWriter& json, const MeshCheck& c) {
  json.beginObject().member("vertices", c.vertices).member("faces", c.faces);
  json.member("components", c.components).member("closed", c.closed());
  json.member("manifold", c.manifold()).member("oriented", c.oriented());
  for (const shape::Defect& defect : shape::defects) {
    const MeshCheck::Finding& finding = c.*defect.finding;
    json.key(defect.name).beginObject().member("count", finding.count);
    json.key("faces").list(finding.faces).end();
  }
  json.end();
}

std::string lineOf(const ImportStep& s) {
  std::string line = fmt::format("  {}: {} vertices, {} faces", s.step, s.vertices, s.faces);
  if (s.distance)
    line +=
        fmt::format(", surfaces {:.3g} to {:.3g} apart", s.distance->atLeast, s.distance->atMost);
  for (const auto& [name, value] : s.figures) line += fmt::format(", {} {:.6g}", name, value);
  return line;
}

std::vector<std::string> linesOf(const ImportReport& r) {
  std::vector<std::string> lines{
      fmt::format("{}: {} vertices, {} faces, {}; {}", r.file, r.found.vertices, r.found.faces,
                  counted(r.found.components, "part"), kindOf(r.found)),
      "  box: " + sidesText(r.sides) + " in the unit of the mesh"};
  for (const std::string& finding : shape::findings(r.found))
    lines.push_back("  found: " + finding);
  bool scaled = false;
  for (const ImportStep& s : r.steps) {
    scaled |= s.step == "scale";
    lines.push_back(lineOf(s));
  }
  if (!r.steps.empty())
    lines.push_back(fmt::format("  became {}: {} vertices, {} faces; {}", fmt::join(r.shapes, ", "),
                                r.left.vertices, r.left.faces, kindOf(r.left)));
  lines.push_back(fmt::format("  box of the body, rounding included: {}{}", sidesText(r.sidesLeft),
                              scaled ? ", scaled" : " in the unit of the mesh"));
  return lines;
}

std::string jsonOf(const std::vector<ImportReport>& reports) {
  JsonWriter json(2);
  json.beginObject().member("schema", 1).key("meshes").beginArray();
  for (const ImportReport& r : reports) {
    json.beginObject().member("file", r.file).key("shapes").list(r.shapes);
    json.member("sides", r.sides).member("sidesLeft", r.sidesLeft).key("found");
    addCheck(json, r.found);
    json.key("steps").beginArray();
    for (const ImportStep& s : r.steps) {
      json.beginObject().member("step", s.step).member("vertices", s.vertices);
      json.member("faces", s.faces).member("volume", s.volume).key("distance");
      if (s.distance)
        json.beginObject()
            .member("atLeast", s.distance->atLeast)
            .member("atMost", s.distance->atMost)
            .end();
      else
        json.null();
      for (const auto& [name, value] : s.figures) json.member(name, value);
      json.end();
    }
    json.end().key("left");
    addCheck(json, r.left);
    json.end();
  }
  return json.end().end().take() + "\n";
}

}  // namespace

Verb addImportVerb(CLI::App& app, const CommonOptions& common) {
  const auto o = std::make_shared<mesh::ImportOptions>();
  const auto image = std::make_shared<ImageImport>();
  const auto output = std::make_shared<std::string>("-");
  CLI::App& verb = addVerb(
      app, "import",
      "Turn meshes (STL, OBJ, PLY, OFF) or the grains of a labelled image into shapes",
      "  shapeSurvey make boulder | shapeSurvey export - -o rock.off\n"
      "  shapeSurvey import rock.off --radius 0.01 -o rock.shp\n"
      "  shapeSurvey import rock.off --radius 0.02 --surface --name Quarry -o quarry.shp\n"
      "  shapeSurvey import rock.off --radius 0.05 --wrap --simplify 200 --inset -o wrapped.shp\n"
      "  shapeSurvey import rock.off --radius 0.01 --hull --size 0.5 | shapeSurvey compute -\n"
      "  head -c 8000 /dev/zero | tr '\\0' '\\1' > scan.raw\n"
      "  shapeSurvey import scan.raw --size-of 20,20,20 --type uint8 --voxel 1e-5 --border keep "
      "--radius 1e-5 --inset -o grains.shp --conf scan.conf",
      "The mesh becomes the core, so the body is larger by the radius on all sides, unless\n"
      "--inset is given.\n"
      "An image has a positive number for the voxels of each grain and 0 elsewhere: TIFF, "
      "MetaImage,\n"
      "NRRD, or raw. A grey image is refused: segment it first (watershed in ITK, scikit-image, "
      "spam).\n"
      "Roundness in its table is nan below 10 voxels in the inscribed radius, and about 0.2 too\n"
      "large at 12.\n"
      "Steps run in the order of this list, and the deviation that each causes is printed.");
  verb.add_option("MESH", o->meshes,
                  "Mesh files; - is standard input. Or an image: a file, a folder or a quoted "
                  "pattern of slices")
      ->required();
  verb.add_option("--radius", o->radius, "Radius of the rounding, in the unit of the file")
      ->check(numberFrom(0.0, 1e50))
      ->required();
  verb.add_option("--name", o->name, "Name of the shape (default: the name of the file)")
      ->check([](const std::string& name) { return shape::nameProblem(name); });
  verb.add_option("--weld", o->weld, "Join vertices nearer than this, in the unit of the mesh")
      ->check(numberFrom(0.0, 1e50));
  verb.add_flag("--fill-holes", o->fillHoles, "Close holes by triangles on their rims");
  verb.add_flag("--wrap", o->wrap, "Wrap a broken mesh in a closed one (alpha wrap)");
  verb.add_flag("--hull", o->hull, "Take the convex hull of the mesh");
  verb.add_option("--simplify", o->simplify, "Collapse edges down to this many vertices")
      ->check(CLI::Range(4, INT_MAX));
  CLI::Option* surface = verb.add_flag("--surface", o->surface,
                                       "Import an open surface without volume: a terrain, a wall");
  const auto positive = [&](const char* name, std::optional<double>& value, const char* help) {
    return verb.add_option(name, value, help)->check(positiveNumber());
  };
  const std::array<CLI::Option*, 4> scales{
      positive("--scale", o->scale, "Multiply all coordinates"),
      positive("--size", o->size, "Scale to this largest outer side, in the unit of the file"),
      positive("--volume", o->volume, "Scale to this volume, in the unit of the file"),
      positive("--mass", o->mass, "Scale to this mass, in the units of --density and the file")};
  CLI::Option* density =
      positive("--density", o->density,
               "Mass over volume, for --mass and for masses in the report: in kg/m3 if lengths are "
               "in m and masses in kg");
  scales[3]->needs(density);
  verb.add_flag("--inset", o->inset,
                "Move the faces in by the radius, so that the rounded surface matches the mesh");
  verb.add_option("--coplanar", o->coplanar,
                  "Merge faces whose normals are within this many degrees into polygons")
      ->check(numberFrom(0.0, 45.0));
  CLI::Option* decompose =
      verb.add_option("--decompose", o->decompose,
                      "Cover the body by at most this many convex shapes NAME_1, NAME_2, ...")
          ->check(CLI::Range(1, 1000));
  verb.add_flag("--split", o->split, "Make one shape NAME_1, NAME_2, ... of each connected solid")
      ->excludes(decompose);
  verb.add_option("-o,--output", *output, "Shape-file to write; - is standard output")
      ->capture_default_str();
  const std::vector<CLI::Option*> ofImages = addImageOptions(verb, *image);
  std::vector<CLI::Option*> ofMeshes(scales.begin(), scales.end());
  for (const char* name :
       {"--weld", "--fill-holes", "--wrap", "--simplify", "--surface", "--split"})
    ofMeshes.push_back(verb.get_option(name));
  for (CLI::Option* one : scales)
    for (CLI::Option* other : scales)
      if (one != other) one->excludes(other);
  for (const char* solid :
       {"--volume", "--mass", "--hull", "--inset", "--wrap", "--decompose", "--split"})
    surface->excludes(verb.get_option(solid));
  return {
      &verb, [o, output, image, ofImages, ofMeshes, &common] {
        const bool isImage = namesImage(o->meshes.front()) || !image->voxel.empty();
        for (const CLI::Option* option : isImage ? ofMeshes : ofImages)
          if (option->count() > 0)
            throw UsageError(
                fmt::format("{}: is for {}", option->get_name(), isImage ? "meshes" : "images"));
        if (o->name && o->meshes.size() > 1)
          throw UsageError("--name: names one shape, but there are several meshes");
        if (o->inset && !(o->radius > 0.0)) throw UsageError("--inset needs a --radius above 0");
        o->threads = threadCount(common.jobs);
        if (isImage) {
          if (o->meshes.size() > 1 || o->meshes.front() == "-")
            throw UsageError(
                "expected one image: a file, a folder, or a quoted pattern of its slices");
          image->path = o->meshes.front();
          image->output = *output;
          image->grains.import = *o;
          return importImage(*image, common);
        }
        o->force = common.force;
        checkOutput(*output, common, o->meshes);
        Diagnostics diagnostics(common.strict);
        if (o->density) warnOfDensity(*o->density, diagnostics);
        std::vector<mesh::ImportReport> reports;
        const std::vector<shape::Shape> shapes = mesh::imported(*o, diagnostics, reports);
        for (const mesh::ImportReport& report : reports)
          for (const std::string& line : linesOf(report)) say(common, line);
        return deliver(*output, shape::shapesText(shapes), jsonOf(reports), diagnostics, common);
      }};
}

}  // namespace scree::tools
