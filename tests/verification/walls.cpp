// SPDX-License-Identifier: GPL-3.0-or-later
// The same wall written in several ways, and the same scene in another place.
#include "bond_scenes.hpp"
#include "contact_scenes.hpp"
#include "heap_scenes.hpp"
#include "sample_meshes.hpp"
#include "table.hpp"

#include "scree/shape/make.hpp"
#include "scree/shape/mesh_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace scree;
using namespace scree::scenes;

namespace scree::verification {
namespace {

// One wall, its upper side at y = 0, written in several ways; and what falls on it.

shape::Shape driven(shape::Shape s, const std::string& name, double r) {
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
shape::Shape meshWall(bool merged, double r = 0.05) {
  shape::SurfaceMesh mesh;
  samples::addGrid(mesh, 30, 20,
                   [](int i, int j) { return Vec3(-1.5 + 0.1 * i, 0, 1.0 - 0.1 * j); });
  if (merged) mesh = shape::withoutLooseVertices(shape::mergedCoplanar(mesh, 0.0).mesh);
  return driven(shape::shapeFromMesh(mesh, r), merged ? "merged" : "triangles", r);
}
/// The same sheet as one face.
shape::Shape faceWall(double r = 0.05) {
  shape::Shape s;
  s.vertices = {{-1.5, 0, -1}, {-1.5, 0, 1}, {1.5, 0, 1}, {1.5, 0, -1}};
  s.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  s.faces.add({0, 1, 2, 3});
  return driven(s, "face", r);
}

/// A ball, a cube and a rod that are thrown on `wall`, spinning, with friction.
/// @param below  how far under y = 0 the origin of the wall stands
Scene thrownOn(const shape::Shape& wall, double below) {
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

void sameBounce(Report& report) {
  const double r = 0.05;
  shape::Shape block = box("block", 3.0, 0.4, 2.0, r);
  const auto triangles = meshWall(false).faces.size();
  report.count("triangles of the mesh", triangles, 1200);
  report.count("faces that are left of them", meshWall(true).faces.size(), 1);
  auto face = thrownOn(faceWall(), r).start(), solid = thrownOn(block, 0.2 + r).start(),
       merged = thrownOn(meshWall(true), r).start();
  double worstSolid = 0.0, worstMerged = 0.0, highest = 0.0;
  std::size_t bounces = 0;
  bool touched = false;
  while (face->time() < 0.6) {
    for (auto* s : {&face, &solid, &merged}) (*s)->step();
    const bool touches = face->contactCount() > 0;
    bounces += touches && !touched;
    touched = touches;
    for (std::size_t k = 1; k < 4; ++k) {
      const Vec3 at = face->bodies().pos[k];
      worstSolid = std::max(worstSolid, (solid->bodies().pos[k] - at).norm());
      worstMerged = std::max(worstMerged, (merged->bodies().pos[k] - at).norm());
      highest = std::max(highest, at.y());
    }
  }
  report.atMost("ball, cube, rod on a box instead of a face: farthest apart in 0.6 s [m]",
                worstSolid, 1e-9);
  report.atMost("on a mesh of 1,200 triangles with its flat edges dropped [m]", worstMerged, 1e-9);
  report.absolute("bounces, at least three", std::min<double>(static_cast<double>(bounces), 3), 3,
                  0);
}

/// Force on a ball that is pressed into a wall by `overlap`, over kn × overlap.
double stiffness(const shape::Shape& wall, double x, double z, double overlap) {
  Scene scene;
  scene.add(wall, {0, -0.05, 0}, 0);
  scene.conf.nDriven = 1;
  scene.add(ball("ball", 0.1), {x, 0.1 - overlap, z}, 1);
  scene.conf.setDensity(1, 2500);
  scene.law(0, 1, 1e6, 1.0, 0, 0);
  auto s = scene.start();
  s->step();
  double sum = 0.0;
  for (const auto& c : s->interactions()) sum += c.fn * std::abs(c.n.y());
  return sum / (1e6 * overlap);
}

void flatEdges(Report& report) {
  const double overlap = 1e-5;  // a ten thousandth of the radius: 1.7 mm off an edge it is felt
  const shape::Shape wall = meshWall(false);
  // The square [0, 0.1] × [-0.1, 0] and its diagonal.
  report.relative("merged: anywhere", stiffness(meshWall(true), 0.05, -0.02, overlap), 1, 1e-3);
  report.relative("triangles: within one, off its edges", stiffness(wall, 0.07, -0.02, overlap), 1,
                  1e-3);
  report.relative("triangles: beside an edge between two", stiffness(wall, 0.03, 1e-6, overlap), 2,
                  1e-3);
  // Beside a corner of the mesh: face, corner, and of the edges that meet there the half on its
  // side.
  Rng rng(5);
  for (const auto& [x, edges] : {std::pair(-0.1, 4), std::pair(0.0, 8)}) {
    double most = 0.0;
    for (int k = 0; k < 200; ++k) {
      const double angle = rng.uniform(0, 2 * pi);
      most = std::max(most,
                      stiffness(wall, x + 1e-6 * std::cos(angle), 1e-6 * std::sin(angle), overlap));
    }
    report.relative(fmt::format("triangles: beside a corner where {} meet, at most", edges), most,
                    2 + edges / 2, 1e-3);
  }
  // Within w = √(2 r overlap) of an edge, r = 0.15, the edge adds kn (overlap - d²/2r): two thirds
  // of the full stiffness on average. Edges make up (2 + √2)/0.1 1/m; strips that cross are few.
  for (const double deep : {1e-5, 1e-3}) {
    double sum = 0.0;
    const int n = 2000;
    for (int k = 0; k < n; ++k) {
      const double z = rng.uniform(-0.2, 0.2), x = rng.uniform(-0.2, 0.2);
      sum += stiffness(wall, x, z, deep) / n;
    }
    const double strip = 2 * std::sqrt(2 * 0.15 * deep) * (2 + std::sqrt(2.0)) / 0.1;
    report.relative(fmt::format("triangles of 0.1 m, overlap {:.0e} m: mean stiffness", deep), sum,
                    1 + 2.0 / 3 * strip, 0.1);
  }
}

/// Farthest that a body of `there` is from where the frame puts that of `here`.
double apart(const Scene& scene, const Quat& frame, const Vec3& shift, double time) {
  auto a = scene.start(), b = seenFrom(scene, frame, shift).start();
  double worst = 0.0;
  while (a->time() < time) {
    a->step();
    b->step();
  }
  for (std::size_t k = 0; k < a->bodies().size(); ++k)
    worst =
        std::max(worst, (shift + rotated(frame, a->bodies().pos[k]) - b->bodies().pos[k]).norm());
  return worst;
}

void movedScene(Report& report) {
  const Quat frame = Quat(0.3, 0.5, -0.7, 0.4).normalized();
  const Vec3 shift(3, -2, 5);
  // Collisions of many bodies amplify rounding, so the horizon is some bounces.
  for (const char* law : {"Default", "Avalanche", "StickedLinks", "GeoVisc"}) {
    Scene scene = heap(law);
    report.atMost(fmt::format("{}, 48 bodies on a plate, moved and turned, 0.08 s [m]", law),
                  apart(scene, frame, shift, 0.08), 1e-10);
  }
  for (const char* law : {"StickedLinks", "BCM"}) {
    Scene scene = thrown(law, 4);
    Diagnostics quiet;
    sim::runCommands(scene.conf, scene.shapes, quiet);
    report.atMost(
        fmt::format("{}, 24 bonded bodies that break on a plate, moved and turned, 0.04 s [m]",
                    law),
        apart(scene, frame, shift, 0.04), 1e-10);
  }
  Scene wall = thrownOn(faceWall(), 0.05);
  report.atMost("three bodies on a face, moved, 0.6 s [m]",
                apart(wall, Quat::Identity(), Vec3(8, 4, -2), 0.6), 1e-10);
}

}  // namespace

std::vector<Problem> wallProblems() {
  return {
      {"5", "one wall in three ways", "the same surface; rounding over some bounces", false,
       sameBounce},
      {"5", "flat edges that stay", "each sub-element counts: see below", false, flatEdges},
      {"5", "a scene moved and turned", "invariance; rounding times the growth of a few bounces",
       false, movedScene},
  };
}

}  // namespace scree::verification
