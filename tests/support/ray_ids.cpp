// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that the renderer of pictures sees in a conf-file with a given camera, for checks of other
// pictures.
//
//     `ray_ids CONF bodies|chains|bonds WIDTH HEIGHT EYE(3) FOCUS(3) UP(3) ANGLE [RADIUS] > IDS`
//
// ANGLE: of the view from bottom to top, in degrees. Writes one 32-bit integer per pixel, row by
// row from the top. It is the id of the body (of the chain or bond, by its place in the list) or
// -1. Driven bodies are left out. RADIUS: of the tubes of bonds.
#include "image/render.hpp"
#include "links.hpp"
#include "scene.hpp"

#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

using namespace scree;
using namespace scree::tools;

namespace {

/// A tube with round ends.
shape::Shape tube(const Vec3& from, const Vec3& to, double radius) {
  shape::Shape shape;
  shape.radius = radius;
  shape.vertices = {from, to};
  shape.edges = {{0, 1}};
  return shape;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 15) {
    std::fputs("ray_ids: too few arguments\n", stderr);
    return 2;
  }
  const std::string what = argv[2];
  const auto numberAt = [&](int k) { return std::strtod(argv[k], nullptr); };
  const auto vectorAt = [&](int k) { return Vec3(numberAt(k), numberAt(k + 1), numberAt(k + 2)); };
  Diagnostics quiet;
  const sim::Conf conf = sim::readConfFromFile(argv[1], quiet);
  ShapeCache cache(1);
  const auto shapes = cache.shapesFor(conf, quiet);
  const Scene scene = sceneOf(conf, *shapes);

  image::Camera camera;
  camera.frame = {0, 0, std::atoi(argv[3]), std::atoi(argv[4])};
  const Vec3 eye = vectorAt(5), focus = vectorAt(8), up = vectorAt(11);
  camera.middle = focus;
  camera.distance = (eye - focus).norm();
  camera.towards = (eye - focus).normalized();
  camera.right = up.cross(camera.towards).normalized();
  camera.up = camera.towards.cross(camera.right);
  camera.centre = Vec2(0.5 * camera.frame.width, 0.5 * camera.frame.height);
  camera.pixelSize =
      2.0 * camera.distance * std::tan(numberAt(14) * pi / 360.0) / camera.frame.height;

  constexpr double fineness = 16.0;
  std::vector<std::unique_ptr<image::Surface>> surfaces;
  std::vector<image::Placed> placed;
  std::vector<std::int32_t> ids;
  const auto surfaceOf = [&](const shape::Shape& shape) {
    surfaces.push_back(std::make_unique<image::Surface>(image::roundedSurfaceOf(shape, fineness)));
    return surfaces.back().get();
  };
  const auto add = [&](const shape::Shape& shape, std::size_t id) {
    placed.push_back({surfaceOf(shape)});
    ids.push_back(static_cast<std::int32_t>(id));
  };
  if (what == "bodies") {
    std::vector<const image::Surface*> surfaceOfShape;
    for (std::size_t k = 0; k < shapes->size(); ++k)
      surfaceOfShape.push_back(surfaceOf((*shapes)[k].shape));
    for (std::size_t b = conf.nDriven; b < conf.particles.size(); ++b) {
      const sim::ParticleRecord& p = conf.particles[b];
      placed.push_back({surfaceOfShape[p.shapeName], p.pos, p.q.normalized(), p.homothety});
      ids.push_back(static_cast<std::int32_t>(b));
    }
  } else if (what == "chains") {
    const std::vector<Chain> chains = chainsOf(scene);
    for (std::size_t k = 0; k < chains.size(); ++k)
      if (chains[k].tubeRadius > 0.0 && chains[k].from != chains[k].to)
        add(tube(chains[k].from, chains[k].to, chains[k].tubeRadius), k);
  } else if (what == "bonds" && argc > 15) {
    const std::vector<DrawnBond> bonds = bondsOf(scene);
    for (std::size_t k = 0; k < bonds.size(); ++k) {
      add(tube(bonds[k].from, bonds[k].point, numberAt(15)), k);
      add(tube(bonds[k].point, bonds[k].to, numberAt(15)), k);
    }
  } else {
    std::fputs("ray_ids: expected bodies, chains, or bonds and the radius of their tubes\n",
               stderr);
    return 2;
  }
  image::Sight sight = image::draw(nullptr, camera, placed, 2);
  for (std::int32_t& body : sight.body)
    if (body >= 0) body = ids[static_cast<std::size_t>(body)];
  std::fwrite(sight.body.data(), sizeof(std::int32_t), sight.body.size(), stdout);
  return 0;
}
