// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.hpp"

#include "bonds.hpp"

#include "scree/shape/hull.hpp"
#include "scree/sim/detect/images.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace scree::tools {
namespace {

DrawnShape drawn(shape::Shape shape, int fineness) {
  DrawnShape result;
  result.rounded = roundedOutline(shape, fineness);
  result.skeleton = skeletonOutline(shape);
  result.box = boxOutline(shape);
  for (const Vec3& v : shape.vertices) result.reach = std::max(result.reach, v.norm());
  result.reach += shape.radius;
  if (shape.vertices.size() > 2) {
    const shape::ConvexHull hull = shape::convexHull(shape.vertices, 1e-6);
    if (hull.rank == 2) result.area = hull.area();
  }
  result.shape = std::move(shape);
  return result;
}

/// Lowest index of the bodies that bonds connect, directly or through others.
std::vector<std::uint32_t> fragmentsOf(const sim::Conf& conf) {
  std::vector<std::uint32_t> parent(conf.particles.size());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto rootOf = [&](std::uint32_t body) {
    while (parent[body] != body) body = parent[body] = parent[parent[body]];
    return body;
  };
  for (const sim::InterfaceRecord& interface : conf.interfaces) {
    const auto a = rootOf(interface.i), b = rootOf(interface.j);
    parent[std::max(a, b)] = std::min(a, b);
  }
  for (std::uint32_t body = 0; body < parent.size(); ++body) parent[body] = rootOf(body);
  return parent;
}

}  // namespace

std::shared_ptr<const DrawnShapes> ShapeCache::shapesFor(const sim::Conf& conf,
                                                         Diagnostics& diagnostics) {
  if (conf.particles.empty()) return std::make_shared<const DrawnShapes>();
  std::vector<std::string> key = conf.shapeNames;
  key.push_back(sim::resolvedPath(conf.shapeFile, conf.source));
  // Others wait while one draws: all but the first find it done.
  const std::scoped_lock lock(mutex_);
  auto& entry = known_[key];
  if (!entry) {
    DrawnShapes shapes;
    shapes.shapes = sim::shapesOf(conf, diagnostics);
    for (const shape::Shape& shape : shapes.shapes) shapes.drawn.push_back(drawn(shape, fineness_));
    entry = std::make_shared<const DrawnShapes>(std::move(shapes));
  }
  return entry;
}

bool acts(const sim::InteractionRecord& record) {
  return record.dn <= 0.0 || record.fn != 0.0 || !record.ft.isZero(0.0);
}

double Scene::radius(std::size_t body) const {
  return conf->particles[body].homothety * shapeOf(body).shape.radius;
}
double Scene::volume(std::size_t body) const {
  const double h = conf->particles[body].homothety;
  return h * h * h * shapeOf(body).shape.volume;
}
double Scene::mass(std::size_t body) const {
  return conf->densityOf(conf->particles[body].group) * volume(body);
}
Vec3 Scene::inertia(std::size_t body) const {
  const double h = conf->particles[body].homothety;
  return mass(body) * h * h * shapeOf(body).shape.inertiaPerMass;
}
Vec3 Scene::displacement(std::size_t body) const {
  if (reference == nullptr || body >= reference->particles.size()) return Vec3::Zero();
  const Vec3 moved = conf->particles[body].pos - reference->particles[body].pos;
  if (!conf->cell.used) return moved;
  sim::Images images;
  images.set(conf->cell.h);
  return moved - images.offset(images.nearest(moved));
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

Vec3 Scene::armTo(std::size_t body, const Vec3& point) const {
  const Vec3 arm = point - conf->particles[body].pos;
  if (!conf->cell.used) return arm;
  const Vec3 cells = conf->cell.h.inverse() * arm;
  return arm - conf->cell.h * Vec3(cells.array().round());
}

Scene sceneOf(const sim::Conf& conf, const DrawnShapes& shapes, const sim::Conf* reference) {
  Scene scene;
  scene.conf = &conf;
  scene.shapes = &shapes;
  scene.reference = reference;
  scene.sums.resize(conf.particles.size());
  scene.atWalls = sim::boundaryContacts(conf, shapes.shapes);
  // Files keep a pair's vertex-edge and vertex-face contacts under (i, j) and under (j, i).
  std::vector<std::pair<sim::BodyId, sim::BodyId>> pairs;
  for (std::size_t k = 0; k < scene.contactCount(); ++k) {
    const sim::InteractionRecord& record = scene.contact(k);
    if (!acts(record)) continue;
    if (record.key.j == Scene::noBody)
      pairs.emplace_back(record.key.i, Scene::noBody - record.key.jSub);  // each wall is one
    else
      pairs.push_back(std::minmax(record.key.i, record.key.j));
    const Vec3 onI = record.fn * record.n + record.ft;
    const auto add = [&](sim::BodyId body, double sign) {
      BodySums& sum = scene.sums[body];
      const Vec3 force = sign * onI, arm = scene.armTo(body, record.pos);
      sum.force += force;
      sum.moment += arm.cross(force) + sign * record.mom;
      sum.stress -= force * arm.transpose();
      sum.overlap = std::max(sum.overlap, -record.dn);
      ++sum.contactPoints;
    };
    add(record.key.i, 1.0);
    if (record.key.j != Scene::noBody) add(record.key.j, -1.0);
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [i, j] : pairs) {
    ++scene.sums[i].coordination;
    if (j < scene.sums.size()) ++scene.sums[j].coordination;
  }
  scene.damage = damageOf(scene);
  const auto fragments = fragmentsOf(conf);
  for (std::size_t body = 0; body < scene.sums.size(); ++body) {
    const double volume = scene.volume(body);
    if (volume > 0.0)
      scene.sums[body].stress /= volume;
    else
      scene.sums[body].stress.setZero();
    scene.sums[body].fragment = fragments[body];
  }
  return scene;
}

}  // namespace scree::tools
