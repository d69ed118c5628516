// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes of bodies of any shape in regions, and what they share, against closed forms.
#include "catch.hpp"
#include "kind_table.hpp"
#include "measured_models.hpp"
#include "regions.hpp"
#include "sample_shapes.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/measure/domain.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace scree;
using namespace scree::scenes;
using sim::PlacedShape;
using sim::Region;
using sim::UnionVolume;
using testing::KindTable;

namespace {

constexpr double tolerance = 1e-5;

/// A shape and its set of points.
struct Solid {
  explicit Solid(shape::Shape s) : shape(std::move(s)), points(shape) {}
  Solid(const Solid&) = delete;
  shape::Shape shape;
  sim::SolidShape points;
};
PlacedShape at(const Solid& s, const Vec3& pos, const Quat& q = Quat::Identity(),
               double homothety = 1.0) {
  return {&s.points, pos, q, homothety};
}

/// By one search and by pairs, a union agrees with a closed form within its own bound.
void check(const std::string& box, const std::vector<PlacedShape>& bodies, double expected) {
  INFO(box);
  const Region r = sim::parseRegion(box);
  const UnionVolume once = sim::unionIn(r, bodies, tolerance * r.volume),
                    pairs = sim::unionByPairs(bodies, {}, &r, tolerance * r.volume);
  CHECK(once.bound <= 1.001 * tolerance * r.volume);
  for (const UnionVolume& found : {once, pairs})
    CHECK(std::abs(found.volume - expected) <= found.bound + 1e-11 * r.volume);
}

}  // namespace

TEST_CASE("a union of balls is their volume less lenses, three in one place count once",
          "[measure][union]") {
  const Solid one(ball("one", 0.5));
  const Vec3 a(0.2, 0.1, -0.3), b = a + 0.7 * Vec3(2, -1, 2) / 3.0;
  const std::vector<PlacedShape> two{at(one, a), at(one, b, Quat::Identity(), 0.8)};
  const double both = ballVolume(0.5) + ballVolume(0.4) - sim::sharedByBalls(0.5, 0.4, 0.7);
  check("box:-1,-1,-1,2,2,2", two, both);
  // The same ball three times, and one cut by a box.
  check("box:-1,-1,-1,2,2,2", {at(one, a), at(one, a), at(one, a)}, ballVolume(0.5));
  const char* corner = "box:-0.1,-0.1,-1,0.5,0.4,0";
  check(corner, {at(one, a)}, sim::ballInside(sim::parseRegion(corner), a, 0.5));
  check("box:5,5,5,6,6,6", two, 0.0);
}

TEST_CASE("slabs of a rounded cube have the volumes of closed forms", "[measure][union]") {
  // A cube of side 2a, rounded by r: a slab between its faces, and the layer above its upper face.
  const double a = 0.4, r = 0.1;
  const Solid cube(box("cube", 2 * a, 2 * a, 2 * a, r));
  Vec3 reach = Vec3::Zero();
  for (const Vec3& v : cube.shape.vertices) reach = reach.cwiseMax(v.cwiseAbs());
  REQUIRE(reach.x() == Approx(a));  // what `box` makes: corners of the core
  const double across = 4.0 * a * a + 8.0 * a * r + pi * r * r;
  const double layer = 4.0 * a * a * r + 2.0 * pi * a * r * r + 2.0 / 3.0 * pi * r * r * r;
  for (const Quat& q : {Quat(Quat::Identity()), Quat(std::sqrt(0.5), 0, 0, std::sqrt(0.5))}) {
    check("box:-1,-1,-0.25,1,1,0.15", {at(cube, Vec3::Zero(), q)}, across * 0.4);
    check("box:-1,-1,0.4,1,1,1", {at(cube, Vec3::Zero(), q)}, layer);
    check("box:-1,-1,-1,1,1,1", {at(cube, Vec3::Zero(), q)}, 2.0 * layer + across * 2.0 * a);
  }
  // Two of them that overlap along x: as one of a longer core.
  check("box:-2,-2,-0.25,2,2,0.15", {at(cube, Vec3::Zero()), at(cube, Vec3(0.5, 0, 0))},
        0.4 * (across + 0.5 * (2.0 * a + 2.0 * r)));
}

TEST_CASE("capsules that overlap have the volumes of closed forms", "[measure][union]") {
  const double length = 2.0, r = 0.3;
  const Solid capsule(samples::stick(length, r));
  const double one = pi * r * r * length + ballVolume(r);
  // Side by side: lenses of discs along the length, and of balls at the ends.
  const double d = 0.4;
  const Vec3 way = (capsule.shape.vertices[1] - capsule.shape.vertices[0]).normalized();
  const Vec3 beside = way.unitOrthogonal();
  check("box:-3,-3,-3,3,3,3", {at(capsule, Vec3::Zero()), at(capsule, d * beside)},
        2.0 * one - sim::sharedByDiscs(r, r, d) * length - sim::sharedByBalls(r, r, d));
  // Across each other, axes meeting: Steinmetz' 16/3 r³ is shared.
  const Quat across = shortestTurn(way, beside);
  check("box:-3,-3,-3,3,3,3", {at(capsule, Vec3::Zero()), at(capsule, Vec3::Zero(), across)},
        2.0 * one - 16.0 / 3.0 * r * r * r);
}

TEST_CASE("a union by pairs is that of one search, within both bounds", "[measure][union]") {
  // Rounded bodies in a box, most of them in touch, some deeply.
  const Solid rock(samples::dodecahedron(0.6, 0.05)), stone(ball("stone", 0.5));
  Rng rng(7);
  std::vector<PlacedShape> bodies;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) {
        const bool isBall = (i + j + k) % 4 == 0;
        bodies.push_back(at(isBall ? stone : rock, Vec3(1e3 + 1.02 * i, 0.98 * j, k),
                            rng.orientation(), rng.uniform(0.95, 1.05)));
      }
  const Region box = sim::parseRegion("box:998,-2,-2,1005,5,5");
  const UnionVolume once = sim::unionIn(box, bodies, 1e-6 * box.volume),
                    pairs = sim::unionByPairs(bodies, {}, nullptr, 1e-5 * box.volume);
  CHECK(pairs.bound <= 1e-5 * box.volume);
  CHECK(std::abs(once.volume - pairs.volume) <= once.bound + pairs.bound);
  // A finer bound makes it finer, down to where three bodies may meet.
  const UnionVolume finer = sim::unionByPairs(bodies, {}, nullptr, 1e-7 * box.volume);
  CHECK(std::abs(once.volume - finer.volume) <= once.bound + finer.bound);
  CHECK(finer.bound < pairs.bound);
  // Bodies that share nothing.
  const UnionVolume two =
      sim::unionByPairs({at(stone, Vec3::Zero()), at(stone, Vec3(1.001, 0, 0))}, {}, nullptr, 1e-9);
  CHECK(two.volume == Approx(2.0 * ballVolume(0.5)).epsilon(1e-9));
}

TEST_CASE("a union by pairs has closed forms of cubes, lenses and periodic images",
          "[measure][union]") {
  const Solid cube(box("cube", 1.0, 1.0, 1.0, 0.0));
  const Quat turn(Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()));
  const Vec3 shift = turn * Vec3(0.99, 0.1, -0.2), a(5, -3, 2);
  const auto pair =
      sim::unionByPairs({at(cube, a, turn), at(cube, Vec3(a + shift), turn)}, {}, nullptr, 1e-8);
  CHECK(pair.bound == 0.0);
  CHECK(std::abs(pair.volume - (2.0 - 0.01 * 0.9 * 0.8)) <= 1e-12);
  // A cubic lattice whose one ball meets six images.
  const Solid one(ball("one", 0.51));
  std::vector<PlacedShape> images;
  for (const Vec3& n : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}) {
    images.push_back(at(one, n));
    images.push_back(at(one, Vec3(-n)));
  }
  const auto lattice = sim::unionByPairs({at(one, Vec3::Zero())}, images, nullptr, 1e-6);
  CHECK(std::abs(lattice.volume - (ballVolume(0.51) - 3.0 * sim::sharedByBalls(0.51, 0.51, 1.0))) <=
        lattice.bound + 1e-12);
  // Where three bodies meet, the bound covers what they share, and says so.
  const Vec3 o = Vec3::Zero();
  const auto thrice = sim::unionByPairs({at(one, o), at(one, o), at(one, o)}, {}, nullptr, 1e-6);
  CHECK(std::abs(thrice.volume - ballVolume(0.51)) > 1e-6);
  CHECK(thrice.bound >= std::abs(thrice.volume - ballVolume(0.51)));
}

TEST_CASE("porosity measures rounded bodies that overlap as a union with a bound",
          "[measure][porosity][union]") {
  Model m = modelOf({box("cube", 0.8, 0.8, 0.8, 0.1)});
  m.conf.particles.resize(2);
  m.conf.particles[1].pos = Vec3(0.9, 0, 0);  // 0.1 deep
  touch(m, {0, 1, sim::Pairing::vertexFace, 0, 0}, -Vec3::UnitX(), Vec3(0.45, 0.3, 0.3), -0.1, 0.0);
  const double across = 0.64 + 8.0 * 0.4 * 0.1 + pi * 0.01;
  const KindTable t("porosity", m, {{"region", "box:-2,-2,-0.2,2,2,0.2"}});
  const double error = t(0, "error");
  CHECK(error > 0.0);
  CHECK(error <= 1.001e-4 * t(0, "volume"));
  CHECK(t(0, "bodies") == 2.0);
  // Two rounded squares: they share a strip and, at its ends, halves of the lens of two discs.
  const double shared = 0.1 * 0.8 + sim::sharedByDiscs(0.1, 0.1, 0.1);
  CHECK(std::abs(t(0, "solid") - 0.4 * (2.0 * across - shared)) <= error);
  const KindTable fine("porosity", m,
                       {{"region", "box:-2,-2,-0.2,2,2,0.2"}, {"tolerance", "1e-6"}});
  CHECK(fine(0, "error") <= 1.001e-6 * t(0, "volume"));
  CHECK(std::abs(fine(0, "solid") - 0.4 * (2.0 * across - shared)) <= fine(0, "error"));
}

TEST_CASE("boxes cut by cylinders of any direction have the volumes of closed forms",
          "[measure][region]") {
  const Solid two(box("two", 2, 2, 2, 0)), flat(box("flat", 40, 40, 2, 0));
  const auto cylinder = [](const Vec3& from, const Vec3& axis, double length, double radius) {
    return scenes::cylinderRegion(from, Vec3(from + length * axis.normalized()), radius);
  };
  const shape::ConvexHull cube = at(two, Vec3::Zero()).hull(),
                          plate = at(flat, Vec3::Zero()).hull();
  const Vec3 low(0, 0, -5);
  CHECK(sim::polyhedronIn(cylinder(low, Vec3::UnitZ(), 10, 0.5), cube) ==
        Approx(pi * 0.25 * 2.0).epsilon(1e-12));
  // A disc of radius 1.2 less four segments beyond the sides of the square.
  const double R = 1.2, segment = R * R * std::acos(1.0 / R) - std::sqrt(R * R - 1.0);
  CHECK(sim::polyhedronIn(cylinder(low, Vec3::UnitZ(), 10, R), cube) ==
        Approx(2.0 * (pi * R * R - 4.0 * segment)).epsilon(1e-12));
  // From the middle on, and beside.
  CHECK(sim::polyhedronIn(cylinder(Vec3::Zero(), Vec3::UnitZ(), 10, 0.5), cube) ==
        Approx(pi * 0.25).epsilon(1e-12));
  CHECK(std::abs(sim::polyhedronIn(cylinder(low + Vec3(5, 0, 0), Vec3::UnitZ(), 10, 1), cube)) <
        1e-12);
  // Through a plate of thickness 2, tilted: its length inside is 2/cos.
  for (const double angle : {0.2, 0.5, 1.0}) {
    const Vec3 axis(std::sin(angle), 0.0, std::cos(angle));
    CHECK(sim::polyhedronIn(cylinder(-15.0 * axis, axis, 30, 0.7), plate) ==
          Approx(pi * 0.49 * 2.0 / std::cos(angle)).epsilon(1e-12));
  }
}

TEST_CASE("what sharp convex bodies share counts once in porosity", "[measure][porosity]") {
  const Solid cube(box("cube", 1, 1, 1, 0));
  const auto sharedBeside = [&](const Vec3& shift) {
    return sim::sharedBy(at(cube, Vec3::Zero()).hull(), at(cube, shift).hull());
  };
  CHECK(sharedBeside(Vec3(0.3, 0.2, 0.1)).volume() == Approx(0.7 * 0.8 * 0.9).epsilon(1e-12));
  CHECK(sharedBeside(Vec3(2, 0, 0)).rank < 3);
  Model m = modelOf({cube.shape});
  m.conf.particles.resize(2);
  m.conf.particles[1].pos = Vec3(0.3, 0.2, 0.1);
  const KindTable whole("porosity", m, {{"volume", "10"}});
  CHECK(whole(0, "overlap") == Approx(0.504).epsilon(1e-12));
  CHECK(whole(0, "solid") == Approx(2.0 - 0.504).epsilon(1e-12));
  const KindTable part("porosity", m, {{"region", "box:0,0,0,0.5,2,2"}});
  CHECK(part(0, "error") == 0.0);
  CHECK(part(0, "solid") == Approx(0.125 + 0.5 * 0.7 * 0.6 - 0.5 * 0.5 * 0.5).epsilon(1e-12));
}
