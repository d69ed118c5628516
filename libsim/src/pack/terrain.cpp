// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/terrain.hpp"

#include "detail/polygon_math.hpp"
#include "measure/kind_parts.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/table.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace scree::sim {
namespace {

using shape::Aabb;

/// Twice the area of the triangle a, b, (x, z) in plan; exchanging a and b changes its sign alone.
double sideOf(const Vec3& a, const Vec3& b, double x, double z) {
  if (std::tuple(b.x(), b.z()) < std::tuple(a.x(), a.z())) return -sideOf(b, a, x, z);
  return (b.x() - a.x()) * (z - a.z()) - (b.z() - a.z()) * (x - a.x());
}

constexpr std::array<std::string_view, 8> gridKeywords{"ncols",     "nrows",       "xllcorner",
                                                       "xllcenter", "yllcorner",   "yllcenter",
                                                       "cellsize",  "nodata_value"};

shape::SurfaceMesh meshOf(const HeightGrid& grid) {
  shape::SurfaceMesh mesh;
  const std::vector<double>& y = grid.values;
  for (std::size_t k = 0; k < y.size(); ++k)
    mesh.vertices.emplace_back(grid.x(k % grid.columns), y[k], grid.z(k / grid.columns));
  const auto south = static_cast<std::uint32_t>(grid.columns);
  for (std::uint32_t k = 0; k + south < y.size(); ++k) {
    if ((k + 1) % south == 0 || std::isnan(y[k] + y[k + 1] + y[k + south] + y[k + south + 1]))
      continue;
    mesh.faces.add({k + south, k + 1, k});
    mesh.faces.add({k + south, k + south + 1, k + 1});
  }
  return shape::withoutLooseVertices(mesh);
}

/// By the even-odd rule.
bool isInside(const std::vector<Vec2>& outline, double x, double z) {
  bool inside = false;
  for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
    const Vec2 &a = outline[j], &b = outline[i];
    if ((a.y() > z) == (b.y() > z)) continue;
    if (a.x() + (z - a.y()) / (b.y() - a.y()) * (b.x() - a.x()) > x) inside = !inside;
  }
  return inside;
}

}  // namespace

HeightGrid unknownGrid(double columns, double rows, double west, double south, double cell) {
  if (!(columns * rows <= 1e8))
    throw ModelError(fmt::format("a raster of {:.0f} by {:.0f} cells is too large; the most is 1e8",
                                 columns, rows));
  HeightGrid grid;
  grid.columns = static_cast<std::size_t>(columns), grid.rows = static_cast<std::size_t>(rows);
  grid.west = west, grid.south = south, grid.cell = cell;
  grid.values.assign(grid.columns * grid.rows, std::nan(""));
  return grid;
}

HeightGrid readGrid(TextReader in) {
  std::map<std::string, double> header{{"nodata_value", -9999.0}};
  const auto mayBeNan = [&](const std::string& what) {
    const auto value = parseNumber(in.word(what));
    if (!value || std::isinf(*value)) throw in.error(what + ": expected a number");
    return *value;
  };
  while (!in.atEnd() && !parseNumber(in.peek())) {
    const std::string_view word = in.word("keyword");
    const std::string name = lowerCase(word);
    if (std::ranges::find(gridKeywords, name) == gridKeywords.end())
      throw in.error(fmt::format("unknown keyword '{}' of an ESRI ASCII grid{}", shown(word),
                                 suggestion(name, gridKeywords)));
    header[name] = name == "ncols" || name == "nrows"
                       ? static_cast<double>(in.integer(name, 1, 1'000'000'000))
                   : name == "nodata_value" ? mayBeNan(name)
                   : name == "cellsize"     ? in.positive(name)
                                            : in.number(name);
  }
  const auto oneOf = [&](std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (const auto found = header.find(name); found != header.end()) return *found;
    throw in.errorAtNext(fmt::format("the header has no {}", fmt::join(names, " or ")));
  };
  const double columns = oneOf({"ncols"}).second, rows = oneOf({"nrows"}).second,
               cell = oneOf({"cellsize"}).second;
  const auto [xName, x] = oneOf({"xllcorner", "xllcenter"});
  const auto [yName, y] = oneOf({"yllcorner", "yllcenter"});
  const double noHeight = header["nodata_value"];
  if (2.0 * columns * rows > static_cast<double>(in.rest().size()) + 1.0)
    throw in.errorAtNext(fmt::format(
        "{:.0f} by {:.0f} values are more than the rest of the file can hold", columns, rows));
  HeightGrid grid = unknownGrid(columns, rows, xName == "xllcorner" ? x : x - 0.5 * cell,
                                yName == "yllcorner" ? y : y - 0.5 * cell, cell);
  for (double& value : grid.values)
    if (const double read = mayBeNan("height");
        !(std::abs(read - noHeight) <= 1e-6 * std::abs(noHeight)))
      value = read;
  if (!in.atEnd()) throw in.errorAtNext("expected the end of the grid");
  return grid;
}

std::string gridText(const HeightGrid& grid) {
  std::string text = fmt::format(
      "ncols {}\nnrows {}\nxllcorner {}\nyllcorner {}\ncellsize {}\nNODATA_value -9999\n",
      grid.columns, grid.rows, grid.west, grid.south, grid.cell);
  for (std::size_t k = 0; k < grid.values.size(); ++k)
    text += fmt::format("{}{}", std::isnan(grid.values[k]) ? -9999.0 : grid.values[k],
                        (k + 1) % grid.columns == 0 ? '\n' : ' ');
  return text;
}

shape::SurfaceMesh readTerrain(const std::string& path, bool force, Diagnostics& diagnostics) {
  const std::string bytes = readFile(path), name = inputName(path);
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n"),
                    end = bytes.find_first_of(" \t\r\n", begin);
  shape::SurfaceMesh mesh;
  if (begin != std::string::npos &&
      std::ranges::find(gridKeywords, lowerCase(bytes.substr(begin, end - begin))) !=
          gridKeywords.end()) {
    mesh = meshOf(readGrid(TextReader(name, bytes)));
  } else {
    shape::MeshReading reading;
    reading.force = force;
    mesh = shape::withoutDuplicateFaces(shape::readMesh(name, bytes, &reading));
    if (!reading.deviations.empty()) diagnostics.warn(name + ": " + reading.warning());
  }
  for (const Vec3& v : mesh.vertices)
    if (!(v.cwiseAbs().maxCoeff() <= 1e9))
      throw ModelError(fmt::format("{}: a coordinate is beyond 1e9", name));
  return mesh;
}

std::vector<Vec2> readPoints(const std::string& path) {
  CsvReader table(TextReader::fromFile(path));
  const auto x = table.column("x"), z = table.column("z");
  if (!x || !z) throw table.headerError("expected columns x and z");
  std::vector<Vec2> points;
  while (table.next()) points.emplace_back(table.number(*x), table.number(*z));
  return points;
}

Packing terrainOf(std::span<const TerrainSource> sources, const TerrainOptions& options) {
  Aabb box;
  for (const TerrainSource& source : sources)
    for (const Vec3& v : source.mesh.vertices) box.add(v);
  std::map<std::array<double, 3>, shape::SurfaceMesh> bodies;  // by group, row, column
  std::vector<std::size_t> facesOf(options.zones.size(), 0);
  for (const TerrainSource& source : sources)
    for (std::size_t f = 0; f < source.mesh.faces.size(); ++f) {
      const auto corners = source.mesh.faces[f];
      Vec3 middle = Vec3::Zero();
      for (const std::uint32_t c : corners)
        middle += source.mesh.vertices[c] / static_cast<double>(corners.size());
      std::array<double, 3> key{static_cast<double>(source.group), 0.0, 0.0};
      for (std::size_t k = 0; k < options.zones.size(); ++k)
        if (isInside(options.zones[k].outline, middle.x(), middle.z())) {
          key[0] = options.zones[k].group;
          ++facesOf[k];
        }
      if (options.tile) {
        key[1] = std::floor((middle.z() - box.low.z()) / *options.tile);
        key[2] = std::floor((middle.x() - box.low.x()) / *options.tile);
      }
      shape::SurfaceMesh& mesh = bodies[key];
      std::vector<std::uint32_t> own;
      for (const std::uint32_t c : corners) {
        own.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
        mesh.vertices.push_back(source.mesh.vertices[c]);
      }
      mesh.faces.add(own);
    }
  if (const auto empty = std::ranges::find(facesOf, 0u); empty != facesOf.end())
    throw ModelError(
        fmt::format("--zone {}: no face of the terrain has its middle inside this outline",
                    empty - facesOf.begin() + 1));

  Packing packing;
  std::set<std::array<double, 6>> taken;  // edges
  for (const auto& [key, mesh] : bodies) {
    shape::Shape shape = shape::shapeFromMesh(
        shape::mergedCoplanar(shape::welded(mesh, 0.0), 0.0, 1e-12).mesh, options.radius);
    std::erase_if(shape.edges, [&](const shape::Edge& edge) {
      const auto key6 = [&](const Vec3& a, const Vec3& b) {
        return std::array{a.x(), a.y(), a.z(), b.x(), b.y(), b.z()};
      };
      const Vec3 &a = shape.vertices[edge[0]], &b = shape.vertices[edge[1]];
      return !taken.insert(std::min(key6(a, b), key6(b, a))).second;
    });
    PlacedBody body{static_cast<std::uint32_t>(packing.shapes.size()),
                    static_cast<std::uint32_t>(key[0]), 0, true};
    const Aabb own = shape::detail::boxAround(shape.vertices);
    body.pos = own.centre().array().round();  // whole numbers, so that differences are exact
    for (Vec3& v : shape.vertices) v -= body.pos;
    shape.isSurface = true;
    shape.name = fmt::format("Terrain_{}", packing.shapes.size() + 1);
    packing.shapes.push_back(std::move(shape));
    packing.bodies.push_back(body);
  }
  parallelJobs(options.threads, packing.shapes.size(), [&](std::size_t k) {
    mass::SurveyOptions survey;
    survey.mass.method = mass::MassOptions::Choice::sheet;
    mass::survey(packing.shapes[k], survey);
    packing.shapes[k].position = packing.bodies[k].pos;  // where the source has its origin
  });
  return packing;
}

void addTriangles(const shape::Shape& shape, const PlacedBody& body,
                  std::vector<TerrainTriangle>& triangles) {
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, double radius) {
    const auto at = [&](std::uint32_t v) -> Vec3 {
      return body.pos + rotated(body.q, body.homothety * shape.vertices[v]);
    };
    triangles.push_back({at(a), at(b), at(c), body.homothety * radius});
  };
  for (const auto& [a, b, c] : shape::trianglesOf({shape.vertices, shape.faces}))
    add(a, b, c, shape.radius);
  if (!shape.faces.empty()) return;
  for (const auto& [a, b] : shape.edges) add(a, b, b, shape.radius);
  if (!shape.edges.empty()) return;
  for (std::uint32_t v = 0; v < shape.vertices.size(); ++v) add(v, v, v, shape.radiusAt(v));
}

HeightField::HeightField(std::vector<TerrainTriangle> triangles)
    : triangles_(std::move(triangles)) {
  std::vector<Aabb> boxes(triangles_.size());
  for (std::size_t t = 0; t < boxes.size(); ++t) {
    for (const Vec3* v : {&triangles_[t].a, &triangles_[t].b, &triangles_[t].c}) boxes[t].add(*v);
    box_.add(boxes[t]);
    mostRadius_ = std::max(mostRadius_, triangles_[t].radius);
  }
  tree_ = shape::AabbTree(boxes, 4);
}

std::optional<double> HeightField::heightAt(double x, double z) const {
  std::optional<double> highest;
  tree_.forEachNear({{x, -1e300, z}, {x, 1e300, z}}, [&](std::uint32_t k) {
    const auto& [a, b, c, radius] = triangles_[k];
    const double ab = sideOf(a, b, x, z), bc = sideOf(b, c, x, z), ca = sideOf(c, a, x, z),
                 sum = ab + bc + ca;
    if (!((ab >= 0.0 && bc >= 0.0 && ca >= 0.0) || (ab <= 0.0 && bc <= 0.0 && ca <= 0.0))) return;
    if (sum == 0.0) return;  // it stands upright, and its neighbours have its edges
    const double y = (bc * a.y() + ca * b.y() + ab * c.y()) / sum + 0.0;  // no -0
    if (!highest || y > *highest) highest = y;
  });
  return highest;
}

std::optional<double> HeightField::clearHeight(const shape::Shape& shape, double homothety,
                                               const Quat& q, double x, double z) const {
  std::vector<Vec3> at;
  for (const Vec3& v : shape.vertices) at.push_back(rotated(q, homothety * v) + Vec3(x, 0.0, z));
  const Aabb box = shape::detail::boxAround(at);
  const double own = homothety * shape.radius;
  Aabb column = box.grown(own + mostRadius_);
  column.low.y() = -1e300, column.high.y() = 1e300;
  std::vector<std::pair<double, std::uint32_t>> near;  // from the highest one on
  tree_.forEachNear(column, [&](std::uint32_t k) {
    const auto& [a, b, c, radius] = triangles_[k];
    near.emplace_back(-std::max({a.y(), b.y(), c.y()}) - radius, k);
  });
  std::ranges::sort(near);
  const auto faces = shape::trianglesOf({shape.vertices, shape.faces});

  // Sub-element by sub-element: the differences of their points are a polygon, whose rounding the
  // y axis leaves at the height in question.
  double best = -HUGE_VAL;
  for (const auto& [depth, k] : near) {
    if (own - depth - box.low.y() <= best) break;  // the others are lower still
    const TerrainTriangle& t = triangles_[k];
    const std::array<Vec3, 3> corner{t.a, t.b, t.c};
    const auto take = [&](std::initializer_list<Vec3> polygon, double reach) {
      best = std::max(best, topOver({polygon.begin(), polygon.size()}, reach + t.radius, best));
    };
    for (std::uint32_t v = 0; v < at.size(); ++v)
      take({corner[0] - at[v], corner[1] - at[v], corner[2] - at[v]},
           homothety * shape.radiusAt(v));
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 &from = corner[i], &to = corner[(i + 1) % 3];
      for (const auto& [a, b] : shape.edges)
        take({from - at[a], to - at[a], to - at[b], from - at[b]}, own);
      for (const auto& [a, b, c] : faces) take({from - at[a], from - at[b], from - at[c]}, own);
    }
  }
  if (best == -HUGE_VAL) return {};
  return best;
}

HeightGrid gridOf(const HeightField& field, double cell) {
  const Vec3 low = field.box().low, size = field.box().high - low;
  HeightGrid grid = unknownGrid(std::floor(size.x() / cell + 1e-9) + 1.0,
                                std::floor(size.z() / cell + 1e-9) + 1.0, low.x() - 0.5 * cell,
                                -field.box().high.z() - 0.5 * cell, cell);
  for (std::size_t k = 0; k < grid.values.size(); ++k)
    if (const auto y = field.heightAt(grid.x(k % grid.columns), grid.z(k / grid.columns)))
      grid.values[k] = *y;
  return grid;
}

}  // namespace scree::sim
