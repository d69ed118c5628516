// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapeSurvey.hpp"
#include "vtk/write_vtp.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/rounded_surface.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <span>

namespace scree::tools {
namespace {

using shape::MeshFormat;
using shape::Shape;

struct Format {
  std::string_view name;
  MeshFormat mesh;  ///< guess: VTP, which is no mesh format of libshape
};
constexpr std::array<Format, 5> formats{{{"stl", MeshFormat::stl},
                                         {"obj", MeshFormat::obj},
                                         {"ply", MeshFormat::ply},
                                         {"off", MeshFormat::off},
                                         {"vtp", MeshFormat::guess}}};

const Format* formatNamed(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto* found = std::ranges::find(formats, name, &Format::name);
  return found == formats.end() ? nullptr : found;
}

/// Mesh, normals and loose edges that are written for a shape.
struct Drawing {
  shape::SurfaceMesh mesh;
  std::vector<Vec3> normals;       ///< of a rounded surface
  std::vector<shape::Edge> edges;  ///< that no face has
};

Drawing skeletonOf(const Shape& s) {
  Drawing out;
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

Drawing drawingOf(const Shape& s, const ExportOptions& options) {
  Drawing out;
  if (options.fineness > 0 && s.radius > 0.0) {
    shape::RoundedSurface surface = shape::roundedSurface(s, options.fineness);
    out.mesh = {std::move(surface.points), std::move(surface.cells)};
    out.normals = std::move(surface.normals);
  } else {
    out = skeletonOf(s);
  }
  if (options.original) {
    for (Vec3& v : out.mesh.vertices) v = s.position + rotated(s.orientation, v);
    for (Vec3& n : out.normals) n = rotated(s.orientation, n);
  }
  return out;
}

std::string vtp(const Drawing& drawing, const Shape& s, bool ascii) {
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
  return vtp::vtpText(piece, {.compression = vtp::Compression::zlib, .ascii = ascii});
}

std::string bytesOf(const Drawing& drawing, const Shape& s, const Format& format, bool ascii) {
  if (format.name == "vtp") return vtp(drawing, s, ascii);
  const bool lines = format.mesh == MeshFormat::obj && !drawing.edges.empty();
  if (drawing.mesh.faces.empty() && !lines)
    throw GeometryError(
        fmt::format("shape '{}' has no faces to write to {}{}", s.name, format.name,
                    s.radius > 0.0 ? "; --rounded 4 draws its rounded surface" : ""));
  return shape::meshBytes(
      drawing.mesh, format.mesh,
      {.name = s.name, .ascii = ascii, .normals = drawing.normals, .edges = drawing.edges});
}

/// The file of each shape, and the format.
struct Targets {
  const Format* format = nullptr;
  std::vector<std::string> files;
};

Targets targetsOf(const std::vector<Shape>& shapes, const ExportOptions& o) {
  namespace fs = std::filesystem;
  Targets targets;
  const std::string ending = fs::path(o.output).extension().string();
  const Format* byEnding = ending.empty() ? nullptr : formatNamed(ending.substr(1));
  targets.format = o.format.empty() ? byEnding : formatNamed(o.format);
  if (!o.format.empty() && !targets.format)
    throw UsageError(fmt::format("--format {}: expected stl, obj, ply, off or vtp", o.format));
  std::error_code none;
  const bool folder =
      o.output != "-" && (o.output.ends_with('/') || fs::is_directory(o.output, none) ||
                          (!byEnding && shapes.size() > 1));
  if (!targets.format) {
    if (!folder)
      throw UsageError(fmt::format(
          "-o {}: expected a file ending in .stl, .obj, .ply, .off or .vtp, or --format",
          o.output));
    targets.format = formatNamed("stl");
  }
  if (folder) {
    for (const std::string& name : fileNames(shapes))
      targets.files.push_back(
          (fs::path(o.output) / fmt::format("{}.{}", name, targets.format->name)).string());
  } else if (shapes.size() > 1) {
    throw UsageError(
        fmt::format("{} holds {} shapes: choose one with --shape NAME, or give a folder (-o DIR/)",
                    inputName(o.shapes), shapes.size()));
  } else {
    targets.files.push_back(o.output);
  }
  return targets;
}

/// Notes of what the written mesh is not.
void warnAbout(const Shape& s, const Drawing& drawing, const Format& format,
               const ExportOptions& options, Diagnostics& diagnostics) {
  if (options.fineness > 0 && s.radius > 0.0 && !shape::coreOf(s).convex)
    diagnostics.warn(
        fmt::format("shape '{}' is not convex: its rounded surface is written piece by piece, and "
                    "pieces may intersect",
                    s.name));
  if (format.mesh != MeshFormat::obj && format.name != "vtp" && !drawing.edges.empty())
    diagnostics.warn(fmt::format("shape '{}': {} edge{} without a face, which {} cannot hold",
                                 s.name, drawing.edges.size(), drawing.edges.size() == 1 ? "" : "s",
                                 format.name));
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

std::vector<std::string> fileNames(const std::vector<Shape>& shapes) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const Shape& s : shapes) {
    std::string name = s.name.substr(0, 200);
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c)) && !std::strchr("._-+", c)) c = '_';
    if (name.front() == '.' || name.front() == '-') name.front() = '_';
    std::string unique = name;
    for (int k = 2; !taken.insert(unique).second; ++k) unique = fmt::format("{}_{}", name, k);
    names.push_back(unique);
  }
  return names;
}

std::vector<ExportedFile> exported(const ExportOptions& options, Diagnostics& diagnostics) {
  const std::vector<Shape> shapes = chosenShapes(options.shapes, options.shape, diagnostics);
  const Targets targets = targetsOf(shapes, options);
  checkNotInputs(targets.files, {options.shapes});
  for (const std::string& file : targets.files) checkMayWrite(file, options.existing);
  std::vector<ExportedFile> files(shapes.size());
  // Shapes in portions: what one portion writes is in memory at a time.
  constexpr std::size_t portion = 64;
  for (std::size_t from = 0; from < shapes.size(); from += portion) {
    const std::size_t count = std::min(portion, shapes.size() - from);
    std::vector<Drawing> drawings(count);
    std::vector<std::string> bytes(count);
    parallelJobs(options.threads, count, [&](std::size_t k) {
      drawings[k] = drawingOf(shapes[from + k], options);
      bytes[k] = bytesOf(drawings[k], shapes[from + k], *targets.format, options.ascii);
    });
    for (std::size_t k = 0; k < count; ++k) {
      const Shape& s = shapes[from + k];
      warnAbout(s, drawings[k], *targets.format, options, diagnostics);
      writeFile(targets.files[from + k], bytes[k], options.existing);
      files[from + k] = {targets.files[from + k], s.name, drawings[k].mesh.vertices.size(),
                         drawings[k].mesh.faces.size(), bytes[k].size()};
    }
  }
  return files;
}

std::string exportJson(const std::vector<ExportedFile>& files) {
  JsonWriter json(1);
  json.beginObject().member("schema", 1).key("files").beginArray();
  for (const ExportedFile& f : files)
    json.beginObject()
        .member("file", f.file)
        .member("shape", f.shape)
        .member("vertices", f.vertices)
        .member("faces", f.faces)
        .member("bytes", f.bytes)
        .end();
  return json.end().end().take() + "\n";
}

Verb addExportVerb(CLI::App& app, const CommonOptions& common) {
  const auto o = std::make_shared<ExportOptions>();
  CLI::App& verb = addVerb(
      app, "export", "Write shapes as meshes: STL, OBJ, PLY, OFF, VTP",
      "  shapeSurvey make boulder --radius 0.05 -o boulders.shp\n"
      "  shapeSurvey export boulders.shp --shape Boulder -o boulder.obj\n"
      "  shapeSurvey export boulders.shp --rounded 6 -o boulder.stl\n"
      "  shapeSurvey export boulders.shp --rounded 6 --format vtp -o meshes/",
      "Writes the core as polygons in the body frame, or with --rounded the rounded body. Several\n"
      "shapes go into a folder, one file each.");
  verb.add_option("SHAPES", o->shapes, "Shape-file; - is standard input")->required();
  verb.add_option("--shape", o->shape, "Name of the shape to write (default: all)");
  verb.add_option("-o,--output", o->output,
                  "File, or folder (DIR/) for several; - is standard output")
      ->required();
  verb.add_option("--format", o->format,
                  "stl, obj, ply, off or vtp (default: by the ending of FILE, stl for a folder)");
  verb.add_option("--rounded", o->fineness,
                  "Write the rounded surface, with this many segments for an arc of 90 degrees")
      ->check(CLI::Range(1, 64));
  verb.add_flag("--original", o->original,
                "Use the frame of the source: rotated by orientation, shifted by position");
  verb.add_flag("--ascii", o->ascii, "Write STL, PLY and VTP as text");
  return {&verb, [o, &common] {
            o->threads = threadCount(common.jobs);
            o->existing = common.existing();
            checkReportGoesElsewhere(common.json, o->output);
            Diagnostics diagnostics(common.strict);
            const std::vector<ExportedFile> files = exported(*o, diagnostics);
            printWarnings(diagnostics, common);
            for (const ExportedFile& f : files)
              say(common, fmt::format("{}: {} vertices, {} faces of '{}'", f.file, f.vertices,
                                      f.faces, f.shape));
            if (common.json) printResult(exportJson(files));
            return 0;
          }};
}

}  // namespace scree::tools
