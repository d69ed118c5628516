// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapeSurvey.hpp"
#include "vtk/write_vtp.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/rounded_surface.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>

namespace scree::tools {
namespace {

using shape::MeshFormat;
using shape::Shape;

/// Mesh, normals and loose edges that are written for a shape.
struct Drawing {
  shape::SurfaceMesh mesh;
  std::vector<Vec3> normals;       ///< of a rounded surface
  std::vector<shape::Edge> edges;  ///< that no face has
};

Drawing drawingOf(const Shape& s, double fineness) {
  Drawing out;
  if (fineness > 0.0 && s.radius > 0.0) {
    shape::RoundedSurface surface = shape::roundedSurface(s, fineness);
    out.mesh = {std::move(surface.points), std::move(surface.cells)};
    out.normals = std::move(surface.normals);
    return out;
  }
  const shape::Core core = shape::coreOf(s);
  out.mesh = {core.vertices, core.faces};
  const std::vector<shape::Edge> sides = shape::edgesOf(out.mesh.faces);
  for (const shape::Edge& e : s.edges)
    if (e[0] != e[1] &&
        !std::binary_search(sides.begin(), sides.end(),
                            shape::Edge{std::min(e[0], e[1]), std::max(e[0], e[1])}))
      out.edges.push_back(e);
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

std::string bytesOf(const Drawing& drawing, const Shape& s, const std::string& format) {
  if (format == ".vtp") return vtp(drawing, s);
  const bool lines = format == ".obj" && !drawing.edges.empty();
  if (drawing.mesh.faces.empty() && !lines)
    throw GeometryError(
        fmt::format("shape '{}' has no faces to write{}", s.name,
                    s.radius > 0.0 ? "; --rounded 4 draws its rounded surface" : ""));
  return shape::meshBytes(drawing.mesh, shape::meshFormatOf(format), s.name, drawing.edges);
}

}  // namespace

std::vector<Shape> chosenShapes(const std::string& path, const std::string& name,
                                Diagnostics& diagnostics) {
  std::vector<Shape> shapes = shape::readShapesFromFile(path, diagnostics);
  if (name.empty()) return shapes;
  return {shapeNamed(shapes, name, path)};
}

const Shape& shapeNamed(const std::vector<Shape>& shapes, const std::string& name,
                        const std::string& path) {
  if (const Shape* found = shape::findShape(shapes, name)) return *found;
  std::vector<std::string_view> names;
  for (const Shape& s : shapes) names.push_back(s.name);
  std::string hint = suggestion(name, names);
  if (hint.empty()) {
    constexpr std::size_t most = 10;
    hint = fmt::format("; it has {}{}",
                       fmt::join(std::span(names).first(std::min(most, names.size())), ", "),
                       names.size() > most ? fmt::format(" and {} more", names.size() - most) : "");
  }
  throw ModelError(fmt::format("{}: no shape '{}'{}", inputName(path), name, hint));
}

ExportedFile exported(const ExportOptions& o, Diagnostics& diagnostics) {
  const std::string format = std::filesystem::path(o.output).extension().string();
  if (format != ".vtp" && shape::meshFormatOf(format) == MeshFormat::guess)
    throw UsageError(
        fmt::format("-o {}: expected a file ending in .stl, .obj, .ply, .off or .vtp", o.output));
  const std::vector<Shape> shapes = chosenShapes(o.shapes, o.shape, diagnostics);
  if (shapes.size() > 1)
    throw UsageError(fmt::format("{} holds {} shapes: choose one with --shape NAME",
                                 inputName(o.shapes), shapes.size()));
  const Shape& s = shapes.front();
  const Drawing drawing = drawingOf(s, o.fineness);
  const std::string bytes = bytesOf(drawing, s, format);
  if (o.fineness > 0 && s.radius > 0.0 && !shape::coreOf(s).convex)
    diagnostics.warn(
        fmt::format("shape '{}' is not convex: its rounded surface is written piece by piece, and "
                    "pieces may intersect",
                    s.name));
  if (format != ".obj" && format != ".vtp" && !drawing.edges.empty())
    diagnostics.warn(fmt::format(
        "shape '{}': {} has no lines, so edges without a face are left out", s.name, format));
  writeFile(o.output, bytes, o.existing);
  return {s.name, drawing.mesh.vertices.size(), drawing.mesh.faces.size(), bytes.size()};
}

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
  return {&verb, [o, &common] {
            o->existing = common.existing();
            checkOutput(o->output, common, {o->shapes});
            Diagnostics diagnostics(common.strict);
            const ExportedFile f = exported(*o, diagnostics);
            printWarnings(diagnostics, common);
            say(common, fmt::format("{}: {} vertices, {} faces of '{}'", o->output, f.vertices,
                                    f.faces, f.shape));
            if (!common.json) return 0;
            JsonWriter json(1);
            json.beginObject().member("schema", 1).key("files").beginArray().beginObject();
            json.member("file", o->output).member("shape", f.shape);
            json.member("vertices", f.vertices).member("faces", f.faces);
            printResult(json.member("bytes", f.bytes).end().end().end().take() + "\n");
            return 0;
          }};
}

}  // namespace scree::tools
