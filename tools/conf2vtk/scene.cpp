// SPDX-License-Identifier: GPL-3.0-or-later
#include "scene.hpp"

#include "bonds.hpp"

#include "scree/shape/hull.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/model/images.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::tools {
namespace {

DrawnShape drawn(shape::Shape shape, int fineness) {
  DrawnShape result;
  if (fineness > 0) result.rounded = roundedOutline(shape, fineness);
  result.skeleton = skeletonOutline(shape);
  result.box = boxOutline(shape);
  for (std::size_t v = 0; v < shape.vertices.size(); ++v)
    result.reach = std::max(result.reach, shape.vertices[v].norm() + shape.radiusAt(v));
  if (shape.vertices.size() > 2) {
    const shape::ConvexHull hull = shape::convexHull(shape.vertices, 1e-6);
    if (hull.rank == 2) result.area = hull.area();
  }
  result.shape = std::move(shape);
  return result;
}

}  // namespace

DrawnShapes drawnShapes(std::vector<shape::Shape> shapes, int fineness) {
  DrawnShapes all;
  all.shapes = std::move(shapes);
  for (const shape::Shape& shape : all.shapes) all.drawn.push_back(drawn(shape, fineness));
  return all;
}

std::shared_ptr<const DrawnShapes> ShapeCache::shapesFor(const sim::Conf& conf,
                                                         Diagnostics& diagnostics) {
  if (conf.particles.empty()) return std::make_shared<const DrawnShapes>();
  std::vector<std::string> key = conf.shapeNames;
  key.push_back(sim::shapeFileOf(conf));
  // Others wait while one draws: all but the first find it done.
  const std::scoped_lock lock(mutex_);
  auto& entry = known_[key];
  if (!entry) {
    entry = std::make_shared<const DrawnShapes>(
        drawnShapes(sim::shapesOf(conf, diagnostics), fineness_));
  }
  return entry;
}

bool acts(const sim::Link& link) {
  return link.dn <= 0.0 || link.fn != 0.0 || !link.ft.isZero(0.0);
}

double Scene::radius(std::size_t body) const {
  return conf->particles[body].homothety * shapeOf(body).shape.radius;
}
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
