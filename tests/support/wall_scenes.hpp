// SPDX-License-Identifier: GPL-3.0-or-later
// One wall, its upper side at y = 0, written in several ways; and what falls on it.
#pragma once

#include "contact_scenes.hpp"
#include "sample_meshes.hpp"

#include "scree/shape/make.hpp"
#include "scree/shape/mesh_change.hpp"

#include <string>
#include <vector>

namespace scree::scenes {

inline shape::Shape driven(shape::Shape s, const std::string& name, double r) {
  s.name = name;
  s.radius = r;
  s.isSurface = true;
  s.preCompDone = true;
  s.volume = 1.0;
  s.inertiaPerMass = Vec3::Ones();
  return s;
}

/// A sheet of 30 × 20 squares of 0.1 m, each two triangles, in the plane y = 0: 1,200 triangles.
/// @param merged  flat interior edges dropped, as shapeSurvey import --coplanar does
inline shape::Shape meshWall(bool merged, double r = 0.05) {
  shape::SurfaceMesh mesh;
  samples::addGrid(mesh, 30, 20,
                   [](int i, int j) { return Vec3(-1.5 + 0.1 * i, 0, 1.0 - 0.1 * j); });
  if (merged) mesh = shape::withoutLooseVertices(shape::mergedCoplanar(mesh, 0.0).mesh);
  return driven(shape::shapeFromMesh(mesh, r), merged ? "merged" : "triangles", r);
}
/// The same sheet as one face.
inline shape::Shape faceWall(double r = 0.05) {
  shape::Shape s;
  s.vertices = {{-1.5, 0, -1}, {-1.5, 0, 1}, {1.5, 0, 1}, {1.5, 0, -1}};
  s.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  s.faces.add({0, 1, 2, 3});
  return driven(s, "face", r);
}

/// A ball, a cube and a rod that are thrown on `wall`, spinning, with friction.
/// @param below  how far under y = 0 the origin of the wall stands
inline Scene thrownOn(const shape::Shape& wall, double below) {
  Scene scene;
  scene.add(wall, {0, -below, 0}, 0);
  scene.conf.nDriven = 1;
  scene.add(ball("ball", 0.1), {-0.83, 0.2, 0.13}, 1);
  scene.add(box("cube", 0.2, 0.2, 0.2, 0.02), {0.03, 0.35, 0.27}, 1,
            Quat(0.7, 0.2, -0.4, 0.3).normalized());
  scene.add(rod("rod", 0.3, 0.04), {0.74, 0.4, -0.31}, 1, Quat(0.6, 0.1, 0.5, 0.2).normalized());
  for (std::size_t k = 1; k < 4; ++k) {
    scene.conf.particles[k].vel = Vec3(0.2, -0.5, 0.1);
    scene.conf.particles[k].vrot = Vec3(1, -2, 3);
  }
  scene.conf.setDensity(1, 2500);
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.law(0, 1, 1e6, 0.5, 8e5, 0.4);
  scene.conf.dt = 5e-5;
  return scene;
}

}  // namespace scree::scenes
