// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of places: coarse-grained fields on a grid, the upper surface of a heap.
#include "kind_parts.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/sim/measure/stress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

namespace scree::sim {
namespace {

/// A body in the axes of the map: (u, height, v).
struct MapBody {
  BodyId number = 0;
  std::vector<Vec3> vertices;
  std::vector<double> radii;
  const shape::Shape* shape = nullptr;
  const std::vector<std::array<std::uint32_t, 3>>* triangles = nullptr;
  double radius = 0.0;  // of edges and faces
  shape::Aabb box;
};

/// Largest height of a body above the point (u, v); -HUGE_VAL beside it.
double heightOver(const MapBody& body, double u, double v) {
  double highest = -HUGE_VAL;
  const auto take = [&](double radius, const auto&... corner) {
    const std::array polygon{Vec3(body.vertices[corner] - Vec3(u, 0.0, v))...};
    highest = std::max(highest, topOver(polygon, radius, highest));
  };
  for (const auto& [a, b, c] : *body.triangles) take(body.radius, a, b, c);  // the highest first
  for (const auto& [a, b] : body.shape->edges) take(body.radius, a, b);
  for (std::size_t k = 0; k < body.vertices.size(); ++k) take(body.radii[k], k);
  return highest;
}

}  // namespace

double topOver(std::span<const Vec3> p, double reach, double least) {
  shape::Aabb box;
  for (const Vec3& v : p) box.add(v);
  if (box.low.x() > reach || box.high.x() < -reach || box.low.z() > reach ||
      box.high.z() < -reach || box.high.y() + reach <= least)
    return -HUGE_VAL;
  const Vec3 base(0.0, p[0].y(), 0.0);  // heights count from here, so that no digits are lost
  const Vec3 side1 = p.size() < 3 ? Vec3(Vec3::Zero()) : Vec3(p[1] - p[0]), side2 = p.back() - p[0];
  Vec3 n = side1.cross(side2);
  // The sides cover a polygon that is thin or upright.
  if (std::abs(n.y()) > 1e-12 * side1.norm() * side2.norm()) {
    n /= n.y() < 0.0 ? -n.norm() : n.norm();
    const double y = (n.dot(p[0] - base) + reach) / n.y();
    const Vec3 foot = base + Vec3(0.0, y, 0.0) - reach * n;
    bool left = true, right = true;
    for (std::size_t k = 0; k < p.size(); ++k) {
      const double side = (p[(k + 1) % p.size()] - p[k]).cross(foot - p[k]).dot(n);
      left &= side >= 0.0, right &= side <= 0.0;
    }
    if (left || right) return base.y() + y;  // where the axis leaves a convex body
  }
  double top = -HUGE_VAL;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Vec3 a = p[k] - base, u = p[(k + 1) % p.size()] - p[k];
    const double beside = a.x() * a.x() + a.z() * a.z(), length2 = u.squaredNorm();
    if (beside <= reach * reach) top = std::max(top, a.y() + std::sqrt(reach * reach - beside));
    // A point y of the axis is `reach` away from the line of the side: c2 y² + 2 c1 y + c0 = 0.
    const double along = -a.dot(u), c2 = (u.x() * u.x() + u.z() * u.z()) / length2;
    if (!(c2 > 0.0)) continue;
    const double c1 = -a.y() - along * u.y() / length2,
                 c0 = a.squaredNorm() - along * along / length2 - reach * reach;
    const double root = c1 * c1 - c2 * c0;
    if (root < 0.0) continue;
    const double y = (std::sqrt(root) - c1) / c2, place = along + y * u.y();
    if (place >= 0.0 && place <= length2) top = std::max(top, y);
  }
  return base.y() + top;
}

TopSurface topSurface(const Instant& instant, const std::vector<char>& chosen, double cell) {
  TopSurface surface;
  const MapAxes axes(instant.conf().gravity);
  std::vector<std::vector<std::array<std::uint32_t, 3>>> triangles;
  for (const shape::Shape& s : instant.shapes())
    triangles.push_back(shape::trianglesOf({s.vertices, s.faces}));
  std::vector<MapBody> bodies;
  shape::Aabb all;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    const ParticleRecord& p = instant.body(k);
    MapBody& body = bodies.emplace_back();
    body.number = static_cast<BodyId>(k);
    body.shape = &instant.shapeOf(k);
    body.triangles = &triangles[p.shapeName];
    body.radius = p.homothety * body.shape->radius;
    for (std::size_t m = 0; m < body.shape->vertices.size(); ++m) {
      const Vec3 x = p.pos + rotated(p.q, p.homothety * body.shape->vertices[m]);
      body.vertices.emplace_back(x[axes.u], axes.sign * x[axes.up], x[axes.v]);
      body.radii.push_back(p.homothety * body.shape->radiusAt(m));
      const Vec3& v = body.vertices.back();
      body.box.add(shape::Aabb{v, v}.grown(body.radii.back()));
    }
    all.add(body.box);
  }
  if (bodies.empty()) return surface;
  const auto& [low, high] = all;
  surface.lowest = low.y();
  // Cells whose middle lies between two bounds.
  const auto first = [&](double x) { return std::ceil(x / cell - 0.5); };
  const auto last = [&](double x) { return std::floor(x / cell - 0.5); };
  const double u0 = first(low.x()), v0 = first(low.z()), nu = last(high.x()) - u0 + 1.0,
               nv = last(high.z()) - v0 + 1.0;
  if (!(nu * nv <= 1e8))
    throw ModelError(fmt::format(
        "surface: a raster of {} by {} cells is too large; use a larger --cell", nu, nv));
  if (nu < 1.0 || nv < 1.0) return surface;
  const auto columns = static_cast<std::size_t>(nu);
  std::vector<double> heights(columns * static_cast<std::size_t>(nv), -HUGE_VAL);
  std::vector<BodyId> owners(heights.size(), 0);
  for (const MapBody& body : bodies) {
    const auto left = static_cast<std::int64_t>(first(body.box.low.x()) - u0),
               right = static_cast<std::int64_t>(last(body.box.high.x()) - u0),
               bottom = static_cast<std::int64_t>(first(body.box.low.z()) - v0),
               top = static_cast<std::int64_t>(last(body.box.high.z()) - v0);
    for (std::int64_t j = bottom; j <= top; ++j)
      for (std::int64_t i = left; i <= right; ++i) {
        const std::size_t place =
            static_cast<std::size_t>(j) * columns + static_cast<std::size_t>(i);
        if (heights[place] >= body.box.high.y()) continue;
        const double height = heightOver(body, (u0 + static_cast<double>(i) + 0.5) * cell,
                                         (v0 + static_cast<double>(j) + 0.5) * cell);
        if (!(height > heights[place])) continue;
        heights[place] = height;
        owners[place] = body.number;
      }
  }
  for (std::size_t k = 0; k < heights.size(); ++k)
    if (heights[k] > -HUGE_VAL) {
      const std::size_t column = k % columns, row = k / columns;
      surface.cells.push_back({(u0 + static_cast<double>(column) + 0.5) * cell,
                               (v0 + static_cast<double>(row) + 0.5) * cell, heights[k],
                               owners[k]});
    }
  return surface;
}

namespace {

/// Coarse-grained density, velocity, temperature and stress on a grid.
std::vector<Row> fieldRows(const Instant& instant, const KindOptions& options) {
  FieldGrid grid;
  double size = 1.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double count = options.numbers("grid")[k];
    if (!(count >= 1.0 && count == std::floor(count) && (size *= count) <= 1e8))
      throw UsageError(
          "--grid: expected three whole numbers from 1 on, of at most 1e8 places, found '" +
          options.text("grid") + "'");
    grid.count[k] = static_cast<std::int64_t>(count);
    const auto axis = static_cast<Eigen::Index>(k);
    grid.spacing[axis] = (instant.domain().high - instant.domain().low)[axis] / count;
  }
  grid.low = instant.domain().low;
  const std::vector<char> chosen = chosenBodies(instant, options);
  const double given = options.number("width"),
               width = given > 0.0 ? given : meanDiameter(instant, chosen);
  if (!(grid.spacing.minCoeff() > 0.0 && width > 0.0)) return {};
  const CoarseFields f = coarseFields(instant, chosen, grid, width);
  std::vector<Row> rows;
  rows.reserve(grid.size());
  for (std::size_t k = 0; k < grid.size(); ++k)
    rows.push_back(rowOf(instant.conf().t, grid.place(k), f.density[k], f.solid[k], f.velocity[k],
                         f.temperature[k], f.contact[k], meanStress(f.contact[k]),
                         deviatoricStress(f.contact[k])));
  return rows;
}

/// The height of the upper surface of a cell, by its distance along an axis or from the middle.
struct Place {
  double distance, height;
  BodyId body;
};

std::vector<Row> surfaceProfile(double t, const std::vector<Place>& places, bool radial,
                                double count) {
  const auto [near, far] = std::ranges::minmax(places, {}, &Place::distance);
  const double low = radial ? 0.0 : near.distance, width = (far.distance - low) / count;
  struct Sum {
    double sum = 0.0, top = notKnown;
    std::int64_t cells = 0;
  };
  std::vector<Sum> bins(static_cast<std::size_t>(count));
  for (const Place& p : places) {
    const double place = width > 0.0 ? std::floor((p.distance - low) / width) : 0.0;
    Sum& bin = bins[static_cast<std::size_t>(std::min(place, count - 1.0))];
    bin.sum += p.height;
    bin.top = std::fmax(bin.top, p.height);
    ++bin.cells;
  }
  std::vector<Row> rows;
  for (std::size_t k = 0; k < bins.size(); ++k) {
    const auto& [sum, top, cells] = bins[k];
    const double from = low + width * static_cast<double>(k);
    rows.push_back(rowOf(t, k, from + 0.5 * width, from, from + width,
                         cells > 0 ? sum / static_cast<double>(cells) : notKnown, top, cells));
  }
  return rows;
}

/// The line of least squares through the cells between two levels of the heap.
std::vector<Row> slopeRow(double t, const std::vector<Place>& places, double base) {
  const double peak = std::ranges::max(places, {}, &Place::height).height,
               low = base + 0.2 * (peak - base), high = base + 0.8 * (peak - base);
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  const auto eachCell = [&](auto&& f) {
    for (const Place& p : places)
      if (p.height >= low && p.height <= high) f(p);
  };
  eachCell([&](const Place& p) {
    n += 1.0;
    x += p.distance;
    y += p.height;
  });
  x /= n;
  y /= n;
  eachCell([&](const Place& p) {
    xx += (p.distance - x) * (p.distance - x);
    xy += (p.distance - x) * (p.height - y);
  });
  const double slope = n > 2.0 && xx > 0.0 ? xy / xx : notKnown;
  // Cells of one body depend on each other, so that bodies are the draws, whatever the raster.
  std::map<BodyId, double> scores;
  eachCell([&](const Place& p) {
    scores[p.body] += (p.distance - x) * (p.height - y - slope * (p.distance - x));
  });
  double squares = 0.0;
  for (const auto& [body, score] : scores) squares += score * score;
  const double draws = static_cast<double>(scores.size());
  const double error = draws > 2.0 ? std::sqrt(draws / (draws - 2.0) * squares) / xx : notKnown;
  return {rowOf(t, portableAtan2(std::abs(slope), 1.0), error / (1.0 + slope * slope), slope, low,
                high, static_cast<std::int64_t>(n))};
}

/// The upper surface of a heap along an axis or around its middle, or its slope.
std::vector<Row> surfaceRows(const Instant& instant, const KindOptions& options) {
  const std::vector<char> chosen = chosenBodies(instant, options);
  const MapAxes axes(instant.conf().gravity);
  const std::string& along = options.text("along");
  const bool radial = along == "radial";
  const int axis = along[0] - 'x';
  if (!radial && axis == axes.up)
    throw UsageError("--along: expected an axis across gravity, or radial, found '" + along + "'");
  double mass = 0.0;
  Vec3 middle = Vec3::Zero();
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    mass += instant.masses()[k];
    middle += instant.masses()[k] * instant.body(k).pos;
  }
  middle /= mass;
  const double given = options.number("cell"),
               cell = given > 0.0 ? given : 0.5 * meanDiameter(instant, chosen);
  if (!(cell > 0.0)) return {};
  const TopSurface surface = topSurface(instant, chosen, cell);
  const double u = middle[axes.u], v = middle[axes.v];
  std::vector<Place> places;
  for (const TopSurface::Cell& c : surface.cells)
    places.push_back({radial           ? std::sqrt((c.u - u) * (c.u - u) + (c.v - v) * (c.v - v))
                      : axis == axes.u ? c.u
                                       : c.v,
                      c.height, c.body});
  if (places.empty()) return {};
  return options.has("repose")
             ? slopeRow(instant.conf().t, places, surface.lowest)
             : surfaceProfile(instant.conf().t, places, radial, options.number("bins"));
}

}  // namespace

std::vector<Kind> fieldKinds() {
  return {
      {.name = "surface",
       .help = "the upper surface of bodies, by distance; with --repose its angle of repose",
       .options =
           {word("along", "radial|x|y|z", "distance from the centre of mass, or along an axis"),
            whole("bins", "number of bins of distance", "20", 1, 1e5),
            positive("cell", "L", "side of a cell of the raster (half of the mean diameter)"),
            flag("repose", "a row for each file: the angle of repose, by a line of least squares"),
            selectOption},
       .columnsBy = [](const KindOptions& o) -> std::string {
         return o.has("repose") ? "t:s angle:rad error:rad slope low:m high:m cells"
                                : "t:s bin distance:m low:m high:m height:m top:m cells";
       },
       .rows = surfaceRows,
       .needs = {.contacts = false},
       .plot = {.x = "distance", .y = {"height"}, .by = "t"}},
      {.name = "field",
       .help = "coarse-grained density, velocity, temperature and stress on a grid",
       .options = {numbers("grid", "NX,NY,NZ", "number of grid points along x, y and z").needed(),
                   positive("width", "W", "standard deviation of the kernel (the mean diameter)"),
                   selectOption},
       .columns = "t:s x:m y:m z:m density:kg/m3 phi vx:m/s vy:m/s vz:m/s temperature:m2/s2 " +
                  tensorColumns("Pa") + " p:Pa q:Pa",
       .rows = fieldRows,
       .plot = {.x = "x", .y = {"z"}, .points = true}}};
}

}  // namespace scree::sim
