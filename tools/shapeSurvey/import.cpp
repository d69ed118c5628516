// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages.hpp"
#include "shapeSurvey.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/shape/shape_file.hpp"

#include <climits>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

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
  const auto finding = [&](std::string_view name, const MeshCheck::Finding& f) {
    json.key(name).beginObject().member("count", f.count).key("faces").list(f.faces).end();
  };
  json.beginObject().member("vertices", c.vertices).member("faces", c.faces);
  json.member("components", c.components).member("closed", c.closed());
  json.member("manifold", c.manifold()).member("oriented", c.oriented());
  finding("openEdges", c.openEdges);
  finding("nonManifoldEdges", c.nonManifoldEdges);
  finding("wrongEdges", c.wrongEdges);
  finding("pinchedVertices", c.pinchedVertices);
  finding("degenerateFaces", c.degenerateFaces);
  finding("duplicateFaces", c.duplicateFaces);
  finding("selfIntersections", c.selfIntersections);
  json.end();
}

}  // namespace

std::vector<std::string> importLines(const std::vector<ImportReport>& reports) {
  std::vector<std::string> lines;
  for (const ImportReport& r : reports) {
    lines.push_back(fmt::format("{}: {} vertices, {} faces, {} part{}; {}", r.file,
                                r.found.vertices, r.found.faces, r.found.components,
                                r.found.components == 1 ? "" : "s", kindOf(r.found)));
    lines.push_back("  box: " + sidesText(r.sides) + " in the unit of the mesh");
    for (const std::string& finding : shape::findings(r.found))
      lines.push_back(fmt::format("  found: {}", finding));
    for (const ImportStep& s : r.steps) lines.push_back(fmt::format("  {}: {}", s.step, s.text));
    if (!r.steps.empty())
      lines.push_back(fmt::format("  became {}: {} vertices, {} faces; {}",
                                  fmt::join(r.shapes, ", "), r.left.vertices, r.left.faces,
                                  kindOf(r.left)));
    const bool scaled = std::any_of(r.steps.begin(), r.steps.end(),
                                    [](const ImportStep& s) { return s.step == "scale"; });
    lines.push_back(fmt::format("  box of the body, rounding included: {}{}",
                                sidesText(r.sidesLeft),
                                scaled ? ", scaled" : " in the unit of the mesh"));
  }
  return lines;
}

std::string importJson(const std::vector<ImportReport>& reports) {
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

Verb addImportVerb(CLI::App& app, const CommonOptions& common) {
  const auto o = std::make_shared<mesh::ImportOptions>();
  const auto output = std::make_shared<std::string>("-");
  CLI::App& verb = addVerb(
      app, "import", "Turn meshes (STL, OBJ, PLY, OFF) into shapes",
      "  shapeSurvey make boulder | shapeSurvey export - -o rock.off\n"
      "  shapeSurvey import rock.off --radius 0.01 -o rock.shp\n"
      "  shapeSurvey import rock.off --radius 0.02 --surface --name Quarry -o quarry.shp\n"
      "  shapeSurvey import rock.off --radius 0.05 --wrap --simplify 200 --inset -o wrapped.shp\n"
      "  shapeSurvey import rock.off --radius 0.01 --hull --size 0.5 | shapeSurvey compute -",
      "The mesh becomes the core, so the body is larger by the radius on all sides, unless\n"
      "--inset is given.\n"
      "Steps run in the order of this list, and the deviation that each causes is printed.");
  verb.add_option("MESH", o->meshes, "Mesh files; - is standard input")->required();
  verb.add_option("--radius", o->radius, "Radius of the rounding, in the unit of the file")
      ->check(numberFrom(0.0, 1e50))
      ->required();
  verb.add_option("--name", o->name, "Name of the shape (default: the name of the file)")
      ->check([](const std::string& name) { return shape::nameProblem(name); });
  verb.add_option("--weld", o->weld, "Join vertices nearer than this, in the unit of the mesh")
      ->check(numberFrom(0.0, 1e50));
  verb.add_flag("--fill-holes", o->fillHoles, "Close holes by triangles on their rims");
  CLI::Option* wrap =
      verb.add_flag("--wrap", o->wrap, "Wrap a broken mesh in a closed one (alpha wrap)");
  CLI::Option* hull = verb.add_flag("--hull", o->hull, "Take the convex hull of the mesh");
  verb.add_option("--simplify", o->simplify, "Collapse edges down to this many vertices")
      ->check(CLI::Range(4, INT_MAX));
  CLI::Option* surface = verb.add_flag("--surface", o->surface,
                                       "Import an open surface without volume: a terrain, a wall");
  CLI::Option* scale = verb.add_option("--scale", o->scale, "Multiply all coordinates")
                           ->check(numberFrom(1e-50, 1e50));
  CLI::Option* size =
      verb.add_option(
              "--size", o->size,
              "Scale to this largest outer side, in the unit of the file, rounding included")
          ->check(numberFrom(1e-50, 1e50));
  CLI::Option* volume =
      verb.add_option("--volume", o->volume,
                      "Scale to this volume, in the unit of the file, as compute reports it")
          ->check(numberFrom(1e-50, 1e50));
  CLI::Option* mass = verb.add_option("--mass", o->mass,
                                      "Scale to this mass, in the units of --density and the file")
                          ->check(numberFrom(1e-50, 1e50));
  CLI::Option* density =
      verb.add_option(
              "--density", o->density,
              "Mass over volume, for --mass and for masses in the report: in kg/m3 if lengths are "
              "in m and masses in kg")
          ->check(numberFrom(1e-50, 1e50));
  CLI::Option* inset = verb.add_flag(
      "--inset", o->inset,
      "Move the faces in by the radius, so that the rounded surface matches the mesh");
  verb.add_option("--coplanar", o->coplanar,
                  "Merge faces whose normals are within this many degrees into polygons")
      ->check(numberFrom(0.0, 45.0));
  CLI::Option* decompose =
      verb.add_option("--decompose", o->decompose,
                      "Cover the body by at most this many convex shapes NAME_1, NAME_2, ...")
          ->check(CLI::Range(1, 1000));
  CLI::Option* split = verb.add_flag("--split", o->split,
                                     "Make one shape NAME_1, NAME_2, ... of each connected solid");
  split->excludes(decompose);
  verb.add_option("-o,--output", *output, "Shape-file to write; - is standard output")
      ->capture_default_str();
  mass->needs(density);
  for (CLI::Option* one : {scale, size, volume, mass})
    for (CLI::Option* other : {scale, size, volume, mass})
      if (one != other) one->excludes(other);
  for (CLI::Option* solid : {volume, mass, hull, inset, wrap, decompose, split})
    surface->excludes(solid);
  return {&verb, [o, output, &common] {
            if (o->name && o->meshes.size() > 1)
              throw UsageError("--name: names one shape, but there are several meshes");
            if (o->inset && !(o->radius > 0.0))
              throw UsageError("--inset needs a --radius above 0");
            o->threads = threadCount(common.jobs);
            o->force = common.force;
            checkOutput(*output, common, o->meshes);
            Diagnostics diagnostics(common.strict);
            warnOfDensity(o->density, diagnostics);
            std::vector<mesh::ImportReport> reports;
            const std::vector<shape::Shape> shapes = mesh::imported(*o, diagnostics, reports);
            for (const std::string& line : importLines(reports)) say(common, line);
            return deliver(*output, shape::shapesText(shapes), importJson(reports), diagnostics,
                           common);
          }};
}

}  // namespace scree::tools
