// SPDX-License-Identifier: GPL-3.0-or-later
// Symmetries of solids, and covers that keep them.
#include "catch.hpp"
#include "clump/cover/symmetry.hpp"
#include "paths.hpp"
#include "skip.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/clump/cover.hpp"
#include "scree/mass/moments.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

using namespace scree;
using namespace scree::clump;

namespace {

SolidDistance solidOf(const shape::SurfaceMesh& mesh) {
  return clump::solidOf(shape::shapeFromMesh(mesh, 0.0));
}
mass::SolidProperties bodyOf(const SolidDistance& solid) {
  return mass::solidProperties(mass::meshMoments(solid.core().vertices, solid.core().faces));
}

shape::SurfaceMesh cuboid(const Vec3& half) {
  shape::SurfaceMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back(
        half.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  for (const auto& face : std::initializer_list<std::initializer_list<std::uint32_t>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    mesh.faces.add(face);
  return mesh;
}

/// Turns and reflections that exchange and reverse the axes: those of a cube.
std::vector<Mat3> cubeMaps() {
  std::vector<Mat3> maps;
  std::array<int, 3> order{0, 1, 2};
  do {
    for (int signs = 0; signs < 8; ++signs) {
      Mat3 map = Mat3::Zero();
      for (int k = 0; k < 3; ++k)
        map(k, order[static_cast<std::size_t>(k)]) = signs & (1 << k) ? -1.0 : 1.0;
      maps.push_back(map);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return maps;
}

/// Largest distance of the image of a ball from a ball of the set, radii included.
double asymmetry(const std::vector<Ball>& balls, const Vec3& centre, const Mat3& map) {
  double worst = 0.0;
  for (const Ball& ball : balls) {
    const Vec3 image = centre + map * (ball.centre - centre);
    double least = 1e300;
    for (const Ball& other : balls)
      least = std::min(
          least, std::max((other.centre - image).norm(), std::fabs(other.radius - ball.radius)));
    worst = std::max(worst, least);
  }
  return worst;
}

}  // namespace

TEST_CASE("The symmetries of cuboids are those of their edges", "[clump][symmetry]") {
  const auto symmetries = [](const Vec3& half) {
    const SolidDistance solid = solidOf(cuboid(half));
    return symmetryOf(solid, Vec3::Zero(), 1e-9).maps.size();
  };
  CHECK(symmetries({1.0, 1.0, 1.0}) == 48);
  CHECK(symmetries({1.0, 1.0, 0.4}) == 16);
  CHECK(symmetries({1.0, 0.7, 0.4}) == 8);
  SECTION("a corner that is a little off leaves the three maps that keep it, and their products") {
    shape::SurfaceMesh cube = cuboid({1.0, 1.0, 1.0});
    cube.vertices[7] *= 1.01;
    CHECK(symmetryOf(solidOf(cube), Vec3::Zero(), 1e-4).maps.size() == 6);
    CHECK(symmetryOf(solidOf(cube), Vec3::Zero(), 0.1).maps.size() == 48);
    cube.vertices[7] = {1.01, 1.02, 1.03};
    CHECK(symmetryOf(solidOf(cube), Vec3::Zero(), 1e-4).trivial());
  }
}

TEST_CASE("Maps of a group are exact where the mesh is not", "[clump][symmetry]") {
  shape::SurfaceMesh cube = cuboid({1.0, 1.0, 1.0});
  Rng random(5);
  for (Vec3& v : cube.vertices) v += 1e-7 * random.direction();
  const Quat turn = random.orientation();
  for (Vec3& v : cube.vertices) v = rotated(turn, v);
  const SymmetryGroup group = groupFor(symmetryOf(solidOf(cube), Vec3::Zero(), 1e-5));
  REQUIRE(group.maps.size() == 48);
  for (const Mat3& a : group.maps) {
    CHECK((a * a.transpose() - Mat3::Identity()).norm() < 1e-14);
    for (const Mat3& b : group.maps) {
      double least = 1e300;
      for (const Mat3& c : group.maps) least = std::min(least, (a * b - c).norm());
      if (least > 1e-13) CHECK(least <= 1e-13);
    }
  }
}

TEST_CASE("Covers of a cube have its symmetries", "[clump][cover][symmetry]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 1.0, 1.0}));
  const mass::SolidProperties body = bodyOf(solid);
  for (const bool inside : {true, false})
    for (const std::size_t count : {5U, 20U, 40U}) {
      const std::vector<Ball> balls = coverOf(solid, body, {.inside = inside, .spheres = count});
      INFO(count << " balls at most, inside " << inside << ", found " << balls.size());
      CHECK(balls.size() <= count);
      CHECK(balls.size() >= (count > 8 ? 9U : 1U));
      for (const Mat3& map : cubeMaps()) CHECK(asymmetry(balls, body.centre, map) < 1e-12);
      if (inside)
        for (const Ball& ball : balls) CHECK(solid.depth(ball.centre) >= ball.radius);
    }
}

TEST_CASE("A pair of balls is found where one in the centre leaves no room for it",
          "[clump][cover][symmetry]") {
  // Two balls of radius 0.6 at ±0.5 have an IoU of 0.733, the best one alone 0.494.
  const SolidDistance solid = solidOf(cuboid({1.0, 0.5, 0.5}));
  const mass::SolidProperties body = bodyOf(solid);
  const double ball = pi / 6.0;  // the largest that fits
  for (const bool equal : {false, true}) {
    const auto fit = coverOf(solid, body, {.equal = equal, .spheres = 2});
    CHECK(fit.size() == 2);
    CHECK(coverQuality(solid, body, fit).iou.atLeast > 0.745);
    const auto inside = coverOf(solid, body, {.inside = true, .equal = equal, .spheres = 2});
    CHECK(inside.size() == 2);
    CHECK(ballUnionMoments(inside).moments.m0 == Approx(2.0 * ball).epsilon(1e-5));
    for (const Ball& one : inside) CHECK(solid.depth(one.centre) >= one.radius);
  }
}

TEST_CASE("No ball of a cover lies wholly inside another", "[clump][cover][symmetry]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 0.5, 0.5}));  // with 16 symmetries
  const mass::SolidProperties body = bodyOf(solid);
  using enum CoverObjective;
  for (const CoverObjective objective : {volume, hausdorff, inertia}) {
    const auto balls = coverOf(solid, body, {.objective = objective, .spheres = 40});
    INFO(balls.size() << " balls");
    CHECK(balls.size() > 20);
    for (const Ball& a : balls)
      for (const Ball& b : balls)
        CHECK((&a == &b || (a.centre - b.centre).norm() + b.radius > a.radius));
    for (const Mat3& map : cubeMaps())
      if (map.row(0).cwiseAbs().maxCoeff() == std::fabs(map(0, 0)))
        CHECK(asymmetry(balls, body.centre, map) < 1e-12);
  }
}

TEST_CASE("Covers of the octahedron and the torus have their symmetries",
          "[clump][cover][symmetry]") {
  const std::string folder = testing::dataFolder() + "/meshes/";
  if (!std::filesystem::exists(folder + "Torus.stl")) return testing::skip("no public meshes");
  SECTION("octahedron") {
    const SolidDistance solid = solidOf(shape::readMeshFromFile(folder + "Octahedron.stl"));
    const mass::SolidProperties body = bodyOf(solid);
    const double size = std::cbrt(body.volume);
    const SymmetryGroup group = groupFor(symmetryOf(solid, body.centre, 1e-5 * size));
    CHECK(group.maps.size() == 48);
    for (const bool inside : {true, false}) {
      INFO("inside " << inside);
      const auto balls = coverOf(solid, body, {.inside = inside, .spheres = 20});
      CHECK(balls.size() <= 20);
      CHECK(balls.size() > 6);
      for (const Mat3& map : group.maps) CHECK(asymmetry(balls, body.centre, map) < 1e-12 * size);
    }
  }
  SECTION("torus") {
    const SolidDistance solid = solidOf(shape::readMeshFromFile(folder + "Torus.stl"));
    const mass::SolidProperties body = bodyOf(solid);
    const double size = std::cbrt(body.volume);
    const auto balls = coverOf(solid, body, {.inside = true, .spheres = 24});
    CHECK(balls.size() <= 24);
    CHECK(balls.size() >= 8);
    for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}) {
      const Mat3 mirror = Mat3::Identity() - 2.0 * axis * axis.transpose();
      CHECK(asymmetry(balls, body.centre, mirror) < 1e-5 * size);
    }
    for (const Ball& ball : balls) CHECK(solid.depth(ball.centre) >= ball.radius);
  }
}

TEST_CASE("Equal balls are equal, inside, on a lattice apart", "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 0.7, 0.5}));
  const mass::SolidProperties body = bodyOf(solid);
  for (const bool inside : {true, false}) {
    const auto balls = coverOf(solid, body, {.inside = inside, .equal = true, .spheres = 16});
    CHECK(balls.size() > 8);
    CHECK(balls.size() <= 16);
    for (const Ball& ball : balls) {
      CHECK(ball.radius == balls.front().radius);
      if (inside) CHECK(solid.depth(ball.centre) >= ball.radius);
    }
  }
  const auto lattice = coverOf(solid, body, {.equal = true, .overlap = false, .volumeRatio = 0.35});
  double volume = 0.0;
  for (std::size_t i = 0; i < lattice.size(); ++i) {
    CHECK(solid.depth(lattice[i].centre) >= lattice[i].radius);
    volume += 4.0 / 3.0 * pi * std::pow(lattice[i].radius, 3);
    for (std::size_t j = 0; j < i; ++j)
      CHECK((lattice[i].centre - lattice[j].centre).norm() >=
            2.0 * lattice[i].radius * (1.0 - 1e-12));
  }
  CHECK(volume >= 0.35 * body.volume);
}

TEST_CASE("Objectives reach what they are for", "[clump][cover]") {
  const SolidDistance solid = solidOf(cuboid({1.0, 0.7, 0.5}));
  const mass::SolidProperties body = bodyOf(solid);
  const auto quality = [&](CoverObjective objective) {
    return coverQuality(solid, body, coverOf(solid, body, {.objective = objective, .spheres = 16}),
                        {.tolerance = 1e-3});
  };
  const CoverQuality fit = quality(CoverObjective::volume),
                     near = quality(CoverObjective::hausdorff),
                     heavy = quality(CoverObjective::inertia);
  CHECK(near.hausdorff().atMost < 0.9 * fit.hausdorff().atLeast);
  CHECK(heavy.inertiaError < 1e-9);
  CHECK(heavy.centreError < 1e-9);
  CHECK(heavy.iou.atLeast > fit.iou.atMost - 0.03);
}
