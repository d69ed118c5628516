// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/shape_file.hpp"

#include "scree/base/files.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_map>
#include <utility>

namespace scree::shape {
namespace {

constexpr std::string_view ofBodyMark = "properties=body";

void refuseSecond(const TextReader& in, const char* keyword, bool isSecond) {
  if (isSecond)
    throw in.error(fmt::format("{}: given twice in one shape; is a '>' missing?", keyword));
}

/// Reads the index of a vertex. check() checks it where the vertices follow later.
std::uint32_t vertexIndex(TextReader& in, const Shape& s, const char* what, std::size_t k) {
  const auto v = static_cast<std::uint32_t>(in.integer(what, 0, UINT32_MAX - 1));
  if (const std::size_t n = s.vertices.size(); n > 0 && v >= n)
    throw in.error(fmt::format("shape '{}': {} {} names vertex {}, there are {} (0 to {})", s.name,
                               what, k, v, n, n - 1));
  return v;
}

void readVertices(TextReader& in, Shape& s) {
  refuseSecond(in, "nv", !s.vertices.empty());
  const std::size_t n = in.count("nv", 6);
  s.vertices.reserve(n);
  for (std::size_t k = 0; k < n; ++k) s.vertices.push_back(in.vec3("vertex"));
}

void readEdges(TextReader& in, Shape& s) {
  refuseSecond(in, "ne", !s.edges.empty());
  const std::size_t n = in.count("ne", 4);
  s.edges.reserve(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint32_t a = vertexIndex(in, s, "edge", k);
    s.edges.push_back({a, vertexIndex(in, s, "edge", k)});
  }
}

void readFaces(TextReader& in, Shape& s) {
  refuseSecond(in, "nf", !s.faces.empty());
  const std::size_t n = in.count("nf", 8);
  std::vector<std::uint32_t> corners;
  for (std::size_t k = 0; k < n; ++k) {
    corners.resize(in.count("number of corners of a face", 2));
    if (corners.size() < 3)
      throw in.error(fmt::format("a face needs at least 3 corners, found {}", corners.size()));
    for (std::uint32_t& corner : corners) corner = vertexIndex(in, s, "face", k);
    s.faces.add(corners);
  }
}

/// Numbers up to the next keyword: how many vertices there are may only follow.
void readRadii(TextReader& in, Shape& s) {
  refuseSecond(in, "radii", !s.radii.empty());
  do s.radii.push_back(in.positive("radii"));
  while (!in.atEnd() && (in.peek().front() == '$' || parseNumber(in.peek())));
}

void readPreCompDone(TextReader& in, Shape& s) {
  const std::string_view word = in.word("preCompDone");
  s.preCompDone = word == "y" || word == "yes";
  if (!s.preCompDone && word != "n" && word != "no")
    throw in.error(fmt::format("preCompDone: expected y or n, found '{}'", word.substr(0, 40)));
}

std::vector<ShapeKeyword> makeKeywords() {
  using R = TextReader;
  using W = TextWriter;
  using S = Shape;
  // Numbers that Scree keeps for other programs.
  const auto whole = [](auto name, auto byDefault, auto help, int least, int S::*member) {
    const auto read = [=](R& in, S& s) {
      s.*member = static_cast<int>(in.integer(name, least, INT32_MAX));
    };
    const auto write = [=](W& out, const S& s) { out.line(name, s.*member); };
    return ShapeKeyword{name, "n", "", byDefault, help, read, write};
  };
  // Axes of the box, which a shape has if its file has one of the lines of the box.
  const auto axis = [](auto name, auto byDefault, auto help, int k) {
    const auto read = [=](R& in, S& s) {
      s.obb.axes.col(k) = in.vec3("obb axis");
      s.obbGiven = true;
    };
    const auto write = [=](W& out, const S& s) {
      if (s.obbGiven) out.line(name, Vec3(s.obb.axes.col(k)));
    };
    return ShapeKeyword{name, "x y z", "", byDefault, help, read, write};
  };
  const auto readSizes = [](R& in, const char* name, Vec3& sizes) {
    for (double& x : sizes) x = in.notNegative(name);
  };
  return {
      {"name", "word", "", "", "name by which conf-files refer to the shape; no blank",
       [](R& in, S& s) { s.name = in.word("name"); },
       [](W& out, const S& s) { out.line("name", s.name); }},
      {"radius", "r", "L", "0", "radius of the rounding (Minkowski radius)",
       [](R& in, S& s) { s.radius = in.notNegative("radius"); },
       [](W& out, const S& s) {
         if (s.radii.empty()) out.line("radius", s.radius);
       }},
      {"radii", "r1 ... rN", "L", "",
       "instead of radius: a radius for each vertex of a shape without edges and faces, a clump",
       readRadii,
       [](W& out, const S& s) {
         if (s.radii.empty()) return;
         out.put("radii");
         for (const double r : s.radii) out.put(r);
         out.endLine();
       }},
      {"preCompDone", "y|n", "", "n",
       "y: volume, I/m and box are given, and the vertices are in the principal frame",
       readPreCompDone,
       [](W& out, const S& s) { out.line("preCompDone", s.preCompDone ? "y" : "n"); }},
      {"volume", "V", "L³", "0", "volume of the rounded body",
       [](R& in, S& s) { s.volume = in.notNegative("volume"); },
       [](W& out, const S& s) { out.line("volume", s.volume); }},
      {"I/m", "I1 I2 I3", "L²", "0 0 0", "principal moments of inertia divided by mass",
       [=](R& in, S& s) { readSizes(in, "I/m", s.inertiaPerMass); },
       [](W& out, const S& s) { out.line("I/m", s.inertiaPerMass); }},
      {"obb.extent", "a b c", "L", "", "half side lengths of the oriented box, rounding included",
       [=](R& in, S& s) {
         readSizes(in, "obb.extent", s.obb.extent);
         s.obbGiven = true;
       },
       [](W& out, const S& s) {
         if (s.obbGiven) out.line("obb.extent", s.obb.extent);
       }},
      {"obb.center", "x y z", "L", "0 0 0", "centre of the oriented box, body frame",
       [](R& in, S& s) {
         s.obb.centre = in.vec3("obb.center");
         s.obbGiven = true;
       },
       [](W& out, const S& s) {
         if (s.obbGiven) out.line("obb.center", s.obb.centre);
       }},
      axis("obb.e1", "1 0 0", "first axis of the oriented box, body frame", 0),
      axis("obb.e2", "0 1 0", "second axis", 1),
      axis("obb.e3", "0 0 1", "third axis", 2),
      whole("OBBtreeLevel", "0", "kept for older programs; without effect", INT32_MIN,
            &S::obbTreeLevel),
      {"position", "x y z", "L", "0 0 0", "centre of mass in the frame of the source",
       [](R& in, S& s) { s.position = in.vec3("position"); },
       [](W& out, const S& s) { out.line("position", s.position); }},
      {"orientation", "w x y z", "", "1 0 0 0", "turns the body frame into the frame of the source",
       [](R& in, S& s) {
         s.orientation = in.quaternion("orientation");
         if (std::abs(s.orientation.norm() - 1.0) > 1e-3)
           throw in.error("orientation: expected a unit quaternion w x y z");
       },
       [](W& out, const S& s) { out.line("orientation", s.orientation); }},
      {"isSurface", "", "", "", "the faces bound no volume: a terrain or a wall",
       [](R&, S& s) { s.isSurface = true; },
       [](W& out, const S& s) {
         if (s.isSurface) out.line("isSurface");
       }},
      whole("MCnstep", "10000", "kept for programs that sample; without effect", 0,
            &S::monteCarloSteps),
      whole("fibObbOption", "2", "kept for programs that choose boxes by it; without effect",
            INT32_MIN, &S::obbOption),
      {"nv", "N, then N times x y z", "L", "", "vertices: the centres of the rounding balls",
       readVertices,
       [](W& out, const S& s) {
         out.line("nv", s.vertices.size());
         for (const Vec3& v : s.vertices) out.line(v);
       }},
      {"ne", "N, then N times i j", "", "0", "edges, as pairs of vertices counted from 0",
       readEdges,
       [](W& out, const S& s) {
         out.line("ne", s.edges.size());
         for (const Edge& e : s.edges) out.line(e[0], e[1]);
       }},
      {"nf", "N, then N times k i1 ... ik", "", "0", "faces: planar polygons", readFaces,
       [](W& out, const S& s) {
         out.line("nf", s.faces.size());
         for (std::size_t f = 0; f < s.faces.size(); ++f) {
           out.put(s.faces[f].size());
           for (const std::uint32_t corner : s.faces[f]) out.put(corner);
           out.endLine();
         }
       }},
  };
}

/// Refuses a shape that lacks something, once it is complete.
void check(const Shape& s, const TextReader& in, const ShapePlaces& places) {
  const auto refuse = [&](const std::string& message, std::string_view keyword = "<") {
    throw in.errorAt(places.of(keyword), fmt::format("shape '{}' {}", s.name, message));
  };
  if (s.name.empty()) refuse("has no name");
  if (s.vertices.empty()) refuse("has no vertices (nv)");
  const auto checkIndex = [&](std::uint32_t v, std::string_view keyword) {
    if (v >= s.vertices.size())
      refuse(fmt::format("names vertex {}, there are {}", v, s.vertices.size()), keyword);
  };
  for (const Edge& e : s.edges) checkIndex(std::max(e[0], e[1]), "ne");
  for (std::size_t f = 0; f < s.faces.size(); ++f) checkIndex(std::ranges::max(s.faces[f]), "nf");
  if (!s.radii.empty() && !isOfBalls(s))
    refuse("has radii, and edges or faces: those have one radius", "radii");
  if (!s.radii.empty() && s.radii.size() != s.vertices.size())
    refuse(fmt::format("has {} radii for {} vertices; give one for each", s.radii.size(),
                       s.vertices.size()),
           "radii");
  if (s.radius == 0.0 && s.radii.empty() && s.faces.empty())
    refuse("has neither radius nor faces, so it has no volume");
}

}  // namespace

const std::vector<ShapeKeyword>& shapeKeywords() {
  static const std::vector<ShapeKeyword> keywords = makeKeywords();
  return keywords;
}

std::string_view ShapePlaces::of(std::string_view keyword) const {
  const auto found = std::ranges::find(keywords, keyword);
  return found != keywords.end() ? *found : opening;
}

std::vector<Shape> readShapes(TextReader& in, Diagnostics& diagnostics,
                              std::vector<ShapePlaces>* places) {
  std::unordered_map<std::string_view, const ShapeKeyword*> byName;
  for (const ShapeKeyword& k : shapeKeywords()) byName.emplace(k.name, &k);
  std::vector<Shape> shapes;
  std::unordered_map<std::string, std::size_t> seen;
  ShapePlaces place;
  bool ofBody = false;
  while (!in.atEnd()) {
    const std::string_view opening = in.word("shape");
    if (opening == "#@") ofBody = TextReader(in).restOfLine() == ofBodyMark;
    if (opening != "<") continue;  // words between shapes carry no meaning
    place.opening = opening;
    Shape shape;
    shape.ofBody = std::exchange(ofBody, false);
    bool radiusGiven = false;
    for (;;) {
      if (in.atEnd())
        throw in.errorAt(
            opening,
            fmt::format("shape '{}' is not closed: expected '>' before the end of the file",
                        shape.name));
      const std::string_view word = in.word("keyword");
      if (word == ">") break;
      if (word[0] == '#' || word[0] == '!' || word[0] == '/') {
        in.skipLine();
        continue;
      }
      if (word == "<")
        throw in.error(fmt::format("expected '>' to end shape '{}', found '<'", shape.name));
      const auto found = byName.find(word);
      if (found == byName.end()) {
        diagnostics.warn(
            in.error(fmt::format("unknown keyword '{}' in a shape{}", word.substr(0, 40),
                                 suggestion(word, namesOf(shapeKeywords())))));
        while (in.nextOnSameLine() && in.peek() != ">") in.word("");  // its arguments
        continue;
      }
      radiusGiven |= word == "radius";
      if (radiusGiven && (word == "radii" || !shape.radii.empty()))
        throw in.error("radius and radii in one shape; use one of them");
      place.keywords.push_back(word);
      found->second->read(in, shape);
    }
    check(shape, in, place);
    for (const double r : shape.radii) shape.radius = std::max(shape.radius, r);
    if (!seen.emplace(shape.name, shapes.size()).second)
      throw in.errorAt(opening, fmt::format("a shape '{}' is defined already", shape.name));
    shapes.push_back(std::move(shape));
    if (places) places->push_back(std::move(place));
    place = {};
  }
  if (shapes.empty()) throw in.errorAtNext("expected shapes between '<' and '>', found none");
  return shapes;
}

std::vector<Shape> readShapesFromFile(const std::string& path, Diagnostics& diagnostics) {
  TextReader in = TextReader::fromFile(path);
  return readShapes(in, diagnostics);
}

std::string shapesText(const std::vector<Shape>& shapes) {
  TextWriter out;
  for (const Shape& shape : shapes) {
    if (shape.ofBody) out.line("#@", ofBodyMark);
    out.line("<");
    for (const ShapeKeyword& k : shapeKeywords()) k.write(out, shape);
    out.line(">").endLine();
  }
  return out.take();
}

std::string nameProblem(std::string_view name) {
  if (name.empty()) return "a shape's name must not be empty";
  for (const char c : name)
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f')
      return "a shape's name has no blank and no control character";
  if (name[0] == '#' || name[0] == '/' || name[0] == '!')
    return "a shape's name must not begin with '#', '/' or '!': readers treat that as a comment";
  if (name == "<" || name == ">") return "a shape's name must not be '<' or '>'";
  return {};
}

const Shape* findShape(const std::vector<Shape>& shapes, std::string_view name) {
  const auto found = std::ranges::find(shapes, name, &Shape::name);
  return found != shapes.end() ? &*found : nullptr;
}

bool namesMesh(const std::string& path) {
  return meshFormatOf(withoutZst(path)) != MeshFormat::guess;
}

std::vector<Shape> readShapesOrMesh(const std::string& path, Diagnostics& diagnostics, bool force) {
  if (!namesMesh(path)) return readShapesFromFile(path, diagnostics);
  MeshReading reading{.force = force, .deviations = {}};
  const SurfaceMesh mesh = readMeshFromFile(path, &reading);
  if (const std::string warning = reading.warning(); !warning.empty())
    diagnostics.warn(path + ": " + warning);
  Shape shape = shapeFromMesh(mesh, 0.0);
  shape.name = std::filesystem::path(withoutZst(path)).stem().string();
  const Core core = coreOf(shape);
  shape.isSurface = !core.closed;
  if (core.reversedParts > 0)
    diagnostics.warn(fmt::format(
        "{}: parts that count against the winding of their faces (cavities, or inside out): {}",
        path, core.reversedParts));
  for (const Vec3& v : core.vertices)
    if (core.arranged)
      shape.uncertainty = std::max(shape.uncertainty, 2e-16 * v.cwiseAbs().maxCoeff());
  if (core.closed && core.hull.rank == 3) {
    const SurfaceMesh solid = withoutLooseVertices({core.vertices, core.faces});
    shape.vertices = solid.vertices;
    shape.faces = solid.faces;
    shape.edges = edgesOf(solid.faces);
  }
  return {std::move(shape)};
}

}  // namespace scree::shape
