// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapeSurvey.hpp"
#include "vtk/write_vtp.hpp"

#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/rounded_surface.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace scree::tools {
namespace {

using shape::MeshFormat;
using shape::Shape;

struct ExportOptions {
  std::string shapes, shape;  ///< file; name of one shape, or empty for the only one
  std::string output;         ///< file, its format by its ending
  int fineness = 0;           ///< segments of an arc of 90 degrees; 0: the skeleton
};

/// Mesh, normals and loose edges that are written for a shape.
struct Drawing {
  shape::SurfaceMesh mesh;
  std::vector<Vec3> normals;       ///< of a rounded surface
  std::vector<shape::Edge> edges;  ///< that no face has
};

Drawing drawingOf(const Shape& s, double fineness) {
  if (fineness > 0.0 && s.radius > 0.0) {
    shape::RoundedSurface surface = shape::roundedSurface(s, fineness);
    return {{std::move(surface.points), std::move(surface.cells)}, std::move(surface.normals), {}};
  }
  const shape::Core core = shape::coreOf(s);
  Drawing out{{core.vertices, core.faces}, {}, {}};
  out.edges = shape::freeEdges(s.edges, out.mesh.faces);
  std::erase_if(out.edges, [](const shape::Edge& e) { return e[0] == e[1]; });
  return out;
}

std::string vtp(const Drawing& drawing, const Shape& s) {
  vtp::PolyPiece piece;
  piece.points = drawing.mesh.vertices;
  piece.polygons = drawing.mesh.faces;
  for (const shape::Edge& e : drawing.edges) piece.lines.add({e[0], e[1]});
  if (piece.polygons.empty() && piece.lines.empty())
    for (std::uint32_t v = 0; v < piece.points.size(); ++v) piece.vertices.add({v});
  if (!drawing.normals.empty()) {
    std::vector<float> values;
    for (const Vec3& n : drawing.normals)
      for (const double x : n) values.push_back(static_cast<float>(x));
    piece.pointData.push_back({"Normals", "", 3, std::move(values)});
    piece.normals = "Normals";
  }
  piece.fieldData.push_back(
      {"radius", "", 1, s.radii.empty() ? std::vector<double>{s.radius} : s.radii});
  piece.texts.emplace_back("name", std::vector<std::string>{s.name});
  return vtp::vtpText(piece, {.compression = vtp::Compression::zlib, .ascii = false});
}

int exportShape(const ExportOptions& o, const CommonOptions& common) {
  checkOutput(o.output, common, {o.shapes});
  const std::string ending = std::filesystem::path(o.output).extension().string();
  const MeshFormat format = shape::meshFormatOf(ending);
  if (ending != ".vtp" && format == MeshFormat::guess)
    throw UsageError(
        fmt::format("-o {}: expected a file ending in .stl, .obj, .ply, .off or .vtp", o.output));
  Diagnostics diagnostics(common.strict);
  const std::vector<Shape> shapes =
      chosenShapes(shape::readShapesFromFile(o.shapes, diagnostics), o.shape, o.shapes);
  if (shapes.size() > 1)
    throw UsageError(fmt::format("{} holds {} shapes: choose one with --shape NAME",
                                 inputName(o.shapes), shapes.size()));
  const Shape& s = shapes.front();
  const Drawing drawing = drawingOf(s, o.fineness);
  const bool hasLines = ending == ".obj" || ending == ".vtp";
  if (ending != ".vtp" && drawing.mesh.faces.empty() && !(hasLines && !drawing.edges.empty()))
    throw GeometryError(
        fmt::format("shape '{}' has no faces to write; --rounded 4 draws the "
                    "rounded surface",
                    s.name));
  if (!drawing.edges.empty() && !hasLines)
    diagnostics.warn(fmt::format(
        "shape '{}': {} has no lines, so edges without a face are left out", s.name, ending));
  if (!drawing.normals.empty() && !shape::coreOf(s).convex)
    diagnostics.warn(
        fmt::format("shape '{}' is not convex: its rounded surface is written piece by piece, and "
                    "pieces may intersect",
                    s.name));
  const std::string bytes = ending == ".vtp"
                                ? vtp(drawing, s)
                                : shape::meshBytes(drawing.mesh, format, s.name, drawing.edges);
  JsonWriter json(1);
  json.beginObject().member("schema", 1).key("files").beginArray().beginObject();
  json.member("file", o.output).member("shape", s.name);
  json.member("vertices", drawing.mesh.vertices.size());
  json.member("faces", drawing.mesh.faces.size()).member("bytes", bytes.size());
  say(common, fmt::format("{}: {} vertices, {} faces of '{}'", o.output,
                          drawing.mesh.vertices.size(), drawing.mesh.faces.size(), s.name));
  return deliver(o.output, bytes, json.end().end().end().take() + "\n", diagnostics, common);
}

}  // namespace

Verb addExportVerb(CLI::App& app, const CommonOptions& common) {
  const auto o = std::make_shared<ExportOptions>();
  CLI::App& verb =
      addVerb(app, "export", "Write a shape as a mesh: STL, OBJ, PLY, OFF, VTP",
              "  shapeSurvey make boulder --radius 0.05 -o boulders.shp\n"
              "  shapeSurvey export boulders.shp --shape Boulder -o boulder.obj\n"
              "  shapeSurvey export boulders.shp --rounded 6 -o boulder.stl\n"
              "  shapeSurvey export boulders.shp --rounded 6 -o boulder.vtp",
              "Writes the core as polygons in the body frame, or with --rounded the rounded body.");
  verb.add_option("SHAPES", o->shapes, "Shape-file; - is standard input")->required();
  verb.add_option("--shape", o->shape, "Name of the shape to write, where there are several");
  verb.add_option("-o,--output", o->output, "File, its format by its ending")->required();
  verb.add_option("--rounded", o->fineness,
                  "Write the rounded surface, with this many segments for an arc of 90 degrees")
      ->check(CLI::Range(1, 64));
  return {&verb, [o, &common] { return exportShape(*o, common); }};
}

}  // namespace scree::tools
