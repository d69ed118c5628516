// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.hpp"

#include "scree/mass/moments.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/rounded_surface.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/domain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace scree::tools {

namespace {

/// Moves the points that belong to no face along their normals until `volume` is enclosed.
void fitVolume(shape::RoundedSurface& surface, const shape::ConvexHull& hull, double r,
               double volume) {
  std::vector<std::size_t> movable;
  for (std::size_t p = 0; p < surface.points.size(); ++p) {
    const Vec3& n = surface.normals[p];
    if (std::ranges::none_of(hull.normals,
                             [&](const Vec3& face) { return (face - n).squaredNorm() < 1e-9; }))
      movable.push_back(p);
  }
  if (movable.empty()) return;
  double moved = 0.0;
  const auto moveTo = [&](double d) {
    for (const std::size_t p : movable) surface.points[p] += (d - moved) * surface.normals[p];
    moved = d;
    return shape::signedVolume(surface.points, surface.cells);
  };
  // The volume is a smooth, growing function of so small a shift: secants meet it at once.
  double d0 = 0.0, v0 = moveTo(d0), d1 = 0.01 * r;
  for (int k = 0; k < 8; ++k) {
    const double v1 = moveTo(d1);
    if (std::abs(v1 - volume) <= 1e-12 * volume || v1 == v0) break;
    const double next = std::clamp(d1 + (volume - v1) * (d1 - d0) / (v1 - v0), 0.0, 0.3 * r);
    d0 = std::exchange(d1, next);
    v0 = v1;
  }
}

DrawnShape drawn(shape::Shape shape, int fineness) {
  DrawnShape result;
  if (fineness > 0) result.rounded = roundedOutline(shape, fineness);
  result.skeleton = skeletonOutline(shape);
  result.box = boxOutline(shape);
  for (std::size_t v = 0; v < shape.vertices.size(); ++v)
    result.reach = std::max(result.reach, shape.vertices[v].norm() + shape.radiusAt(v));
  result.isFlat = shape.vertices.size() > 2 && shape::convexHull(shape.vertices, 1e-6).rank == 2;
  result.shape = std::move(shape);
  return result;
}

}  // namespace

Outline roundedOutline(const shape::Shape& shape, int fineness) {
  if (shape.vertices.empty()) return {};
  const shape::Core core = shape.radius > 0.0 ? shape::coreOf(shape) : shape::Core{};
  std::optional<shape::RoundedSurface> surface;
  if (core.convex && core.hull.rank == 3) {
    // A little less than whole, so that the arcs of a dodecahedron (63.4 degrees) get two thirds.
    surface = shape::roundedSurface(shape, std::max(1.0, fineness - 0.2));
    fitVolume(*surface, core.hull, shape.radius,
              mass::sweptHullMoments(core.hull, shape.radius).m0);
  } else {
    // Balls and rods are finer: a ball of 4 q segments around loses some 1 / q² of its volume.
    const double segments = !shape.faces.empty() ? fineness : fineness == 1 ? 3.0 : 3.4 * fineness;
    if (!core.convex) surface = shape::unionSurface(shape, segments);
    if (!surface) surface = shape::roundedSurface(shape, segments);
  }
  return {
      std::move(surface->points), std::move(surface->normals), {}, {}, std::move(surface->cells)};
}

Outline skeletonOutline(const shape::Shape& shape) {
  Outline out;
  out.points = shape.vertices;
  std::vector<bool> used(shape.vertices.size(), false);
  std::set<shape::Edge> ofFaces;
  for (std::size_t f = 0; f < shape.faces.size(); ++f) {
    const auto corners = shape.faces[f];
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const auto [low, high] = std::minmax(corners[k], corners[(k + 1) % corners.size()]);
      ofFaces.insert({low, high});
      used[corners[k]] = true;
    }
  }
  for (const shape::Edge& edge : shape.edges) {
    const auto [low, high] = std::minmax(edge[0], edge[1]);
    if (!ofFaces.contains({low, high})) out.lines.add({edge[0], edge[1]});
    used[low] = used[high] = true;
  }
  for (std::uint32_t v = 0; v < used.size(); ++v)
    if (!used[v]) out.vertices.add({v});
  out.polygons = shape.faces;
  return out;
}

Outline boxOutline(const shape::Shape& shape) {
  Outline out;
  const shape::Obb& box = shape.obb;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 signs(corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0);
    out.points.push_back(box.centre + box.axes * box.extent.cwiseProduct(signs));
  }
  for (const auto& face : {std::array<std::uint32_t, 4>{0, 2, 3, 1},
                           {4, 5, 7, 6},
                           {0, 1, 5, 4},
                           {2, 6, 7, 3},
                           {0, 4, 6, 2},
                           {1, 3, 7, 5}})
    out.polygons.add(face);
  return out;
}

DrawnShapes drawnShapes(std::vector<shape::Shape> shapes, int fineness) {
  DrawnShapes all;
  all.shapes = std::move(shapes);
  for (const shape::Shape& shape : all.shapes) all.drawn.push_back(drawn(shape, fineness));
  return all;
}

double Scene::radius(std::size_t body) const {
  return conf->particles[body].homothety * shapeOf(body).shape.radius;
}
bool Scene::isFlatWall(std::size_t body) const { return driven(body) && shapeOf(body).isFlat; }
Mat3 Scene::stress(std::size_t body) const {
  const double volume = instant->volumes()[body];
  return volume > 0.0 ? Mat3(instant->virials()[body] / volume) : Mat3(Mat3::Zero());
}
double Scene::mobilisation(std::size_t link) const {
  const sim::Link& l = links()[link];
  if (!l.touches() || l.kind == sim::Link::Kind::bond) return std::nan("");
  const double bound = law->frictionBound(l);
  return bound == 0.0 ? std::nan("") : l.ft.norm() / bound;
}
Vec3 Scene::displacement(std::size_t body) const {
  if (reference == nullptr || body >= reference->particles.size()) return Vec3::Zero();
  const Vec3 moved = conf->particles[body].pos - reference->particles[body].pos;
  if (!conf->cell.used) return moved;
  return moved - sim::Lattice(conf->cell.h).nearest(moved);
}
double Scene::rotationAngle(std::size_t body) const {
  if (reference == nullptr || body >= reference->particles.size()) return 0.0;
  const Quat turn = conf->particles[body].q * reference->particles[body].q.conjugate();
  return 2.0 * std::atan2(turn.vec().norm(), std::abs(turn.w()));
}
double Scene::size(std::size_t body) const {
  const double mean = std::cbrt(shapeOf(body).shape.obb.extent.prod());
  return mean > 0.0 ? conf->particles[body].homothety * mean : radius(body);
}

Scene sceneOf(const sim::Conf& conf, const DrawnShapes& shapes, const sim::Conf* reference) {
  Scene scene;
  scene.conf = &conf;
  scene.shapes = &shapes;
  scene.reference = reference;
  scene.instant = std::make_shared<const sim::Instant>(conf, shapes.shapes);
  scene.law = std::make_shared<const sim::LawValues>(*scene.instant);
  scene.counts = sim::contactCounts(*scene.instant);
  scene.damage = damageOf(scene);
  scene.fragment = sim::fragmentLabels(conf);
  return scene;
}

}  // namespace scree::tools
