// SPDX-License-Identifier: GPL-3.0-or-later
// Measures place by place: coarse-grained fields, the upper surface, files read without their
// contacts; volumes of bodies of any shape in regions, and what they share, against closed
// forms.
#include "catch.hpp"
#include "command.hpp"
#include "kind_table.hpp"
#include "measured_models.hpp"
#include "regions.hpp"
#include "sample_shapes.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/domain.hpp"
#include "scree/sim/measure/stress.hpp"

#include <cmath>
#include <numeric>

using namespace scree;
using namespace scree::scenes;
using namespace scree::testing;
using sim::Instant;
using sim::PlacedShape;
using sim::Region;
using sim::UnionVolume;
using testing::KindTable;

namespace {

const double unitBallMass = 1000.0 * pi / 6.0;

sim::FieldGrid gridAround(double half, std::int64_t n) {
  sim::FieldGrid grid;
  grid.low = Vec3::Constant(-half);
  grid.spacing = Vec3::Constant(2.0 * half / static_cast<double>(n));
  grid.count = {n, n, n};
  return grid;
}

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

TEST_CASE("a field has the kernel of its page, whose integral is the mass", "[measure][field]") {
  const Model m = freeBalls(0.5, {Vec3(0.01, -0.02, 0.03)});
  const Instant instant(m.conf, m.shapes);
  const std::vector<char> all(1, 1);
  const double width = 0.6, cut = std::sqrt(11.0) * width;
  // At the centre of the ball.
  sim::FieldGrid one;
  one.low = Vec3(-0.49, -0.52, -0.47);
  const auto at = sim::coarseFields(instant, all, one, width);
  CHECK(at.density[0] ==
        Approx(unitBallMass * 315.0 / (64.0 * pi * cut * cut * cut)).epsilon(1e-14));
  CHECK(at.solid[0] == Approx(at.density[0] / 1000.0).epsilon(1e-14));
  // Sums over a grid: mass, and width² as the variance along an axis. The rule of middles is exact
  // to 1e-6 for a kernel of 40 boxes with two continuous derivatives.
  const sim::FieldGrid grid = gridAround(2.2, 44);
  const auto f = sim::coarseFields(instant, all, grid, width);
  double mass = 0.0, spread = 0.0;
  for (std::size_t k = 0; k < grid.size(); ++k) {
    const double share = f.density[k] * grid.spacing.prod();
    mass += share;
    spread += share * (grid.place(k).x() - 0.01) * (grid.place(k).x() - 0.01);
  }
  CHECK(mass == Approx(unitBallMass).epsilon(1e-6));
  CHECK(spread / mass == Approx(width * width).epsilon(1e-5));
}

TEST_CASE("the stress of a field integrates to that of its bodies", "[measure][field]") {
  const double R = 0.1, F = 50.0, width = 0.08, cut = std::sqrt(11.0) * width;
  const Model m = squeezedBall(R, F, Vec3::Zero());
  const Instant instant(m.conf, m.shapes);
  const std::vector<char> chosen{0, 0, 1};
  // At the centre: both arms give the integral of (1 - s²q)³ over s, q = R²/c².
  sim::FieldGrid one;
  one.low = Vec3::Constant(-0.5);
  const double q = R * R / (cut * cut);
  const auto at = sim::coarseFields(instant, chosen, one, width);
  CHECK(at.contact[0](0, 0) == Approx(2.0 * F * R * 315.0 / (64.0 * pi * cut * cut * cut) *
                                      (1.0 - q + 0.6 * q * q - q * q * q / 7.0))
                                   .epsilon(1e-13));
  const sim::FieldGrid grid = gridAround(0.4, 50);
  const auto f = sim::coarseFields(instant, chosen, grid, width);
  const Mat3 sum =
      grid.spacing.prod() * std::accumulate(f.contact.begin(), f.contact.end(), Mat3(Mat3::Zero()));
  CHECK(sum(0, 0) == Approx(2.0 * F * R).epsilon(1e-5));
  CHECK((sum - instant.virials()[2]).norm() <= 1e-5 * 2.0 * F * R);
}

TEST_CASE("a field of a lattice in a cell is even, with the stress of the whole",
          "[measure][field]") {
  const Model m = ballLattice(sim::LatticeType::fcc, 3, 0.5, 100.0);
  const KindTable whole("stress", m), t("field", m, {{"grid", "4,4,4"}, {"width", "0.8"}});
  REQUIRE(t.rows.size() == 64);
  for (std::size_t k = 0; k < t.rows.size(); ++k) {
    // Ripples of a lattice behind a kernel of reach 2.65 diameters.
    CHECK(t(k, "phi") == Approx(0.740480489693).epsilon(2e-3));
    CHECK(t(k, "p") == Approx(whole(0, "p")).epsilon(2e-3));
    CHECK(t(k, "temperature") == 0.0);
  }
}

TEST_CASE("the temperature of a field is that of velocities about their mean", "[measure][field]") {
  Model m = freeBalls(0.5, {Vec3(0.2, 0, 0), Vec3(-0.2, 0, 0)});
  m.conf.particles[0].vel = Vec3(3, 1, 0);
  m.conf.particles[1].vel = Vec3(3, -1, 0);
  const Instant instant(m.conf, m.shapes);
  sim::FieldGrid one;
  one.low = Vec3::Constant(-0.5);
  const auto f = sim::coarseFields(instant, std::vector<char>(2, 1), one, 0.5);
  CHECK((f.velocity[0] - Vec3(3, 0, 0)).norm() < 1e-14);
  CHECK(f.temperature[0] == Approx(1.0 / 3.0).epsilon(1e-14));
  CHECK(f.kinetic[0](1, 1) == Approx(f.density[0]).epsilon(1e-14));
}

TEST_CASE("the upper surface of balls, rods and faces is exact at each cell",
          "[measure][surface]") {
  const std::vector<char> one(1, 1);
  Model m = freeBalls(0.5, {Vec3(0.3, 2.0, -0.2)});
  {
    const Instant instant(m.conf, m.shapes);
    const sim::TopSurface surface = sim::topSurface(instant, one, 0.1);
    CHECK(surface.cells.size() > 60);
    CHECK(surface.lowest == 1.5);
    for (const auto& c : surface.cells)
      CHECK(c.height ==
            Approx(2.0 + std::sqrt(0.25 - (c.u - 0.3) * (c.u - 0.3) - (c.v + 0.2) * (c.v + 0.2)))
                .epsilon(1e-13));
  }
  // A rod of radius 0.2 along x, tilted by 30 degrees about z: height √(r² - v²)/cos + x tan.
  m = modelOf({rod("rod", 2.0, 0.2)});
  m.conf.particles.resize(1);
  const double tilt = pi / 6.0;
  m.conf.particles[0].q = Quat(std::cos(tilt / 2), 0, 0, std::sin(tilt / 2));
  {
    const Instant instant(m.conf, m.shapes);
    const sim::TopSurface surface = sim::topSurface(instant, one, 0.05);
    int inside = 0;
    for (const auto& c : surface.cells) {
      if (std::abs(c.u) > 0.6 || std::abs(c.v) > 0.2) continue;
      CHECK(c.height == Approx(std::sqrt(0.04 - c.v * c.v) / std::cos(tilt) + c.u * std::tan(tilt))
                            .epsilon(1e-12));
      ++inside;
    }
    CHECK(inside > 100);
  }
}

TEST_CASE("a cone of many sides has its angle of repose around the centre", "[measure][surface]") {
  // A cone of height 0.6 and radius 1 with 720 sides: its faces lie within 1 - cos(π/720) = 1e-5.
  shape::Shape s;
  s.name = "cone";
  constexpr std::uint32_t sides = 720;
  s.vertices.push_back(Vec3(0, 0.6, 0));
  for (std::uint32_t k = 0; k < sides; ++k) {
    const double a = 2.0 * pi * k / sides;
    s.vertices.push_back(Vec3(std::cos(a), 0, std::sin(a)));
  }
  for (std::uint32_t k = 0; k < sides; ++k) {
    s.edges.push_back({0, k + 1});
    s.edges.push_back({k + 1, (k + 1) % sides + 1});
    s.faces.add({0u, k + 1, (k + 1) % sides + 1});
  }
  s.volume = 1.0;
  s.inertiaPerMass = Vec3::Ones();
  Model m = modelOf({s});
  m.conf.particles.resize(1);
  const KindTable t("surface", m, {{"repose", ""}, {"cell", "0.05"}});
  REQUIRE(t.rows.size() == 1);
  CHECK(t(0, "angle") == Approx(std::atan(0.6)).epsilon(2e-5));
  CHECK(t(0, "slope") == Approx(-0.6).epsilon(2e-5));
  CHECK(std::isnan(t(0, "error")));  // one body is one draw
  CHECK(t(0, "low") == Approx(0.12).epsilon(0.05));
  CHECK(t(0, "cells") > 500);
}

TEST_CASE("the error of an angle of repose follows from bodies, not from cells of the raster",
          "[measure][surface]") {
  std::vector<Vec3> places;
  Rng rng(5);
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j)
      places.emplace_back(0.1 * i, 0.1 * j, 0.05 * i + 0.05 * rng.uniform());
  const Model m = freeBalls(0.05, places);
  const auto error = [&](const char* cell) {
    return KindTable("surface", m, {{"repose", ""}, {"along", "x"}, {"cell", cell}})(0, "error");
  };
  const double coarse = error("0.02");
  CHECK(coarse > 0.005);
  CHECK(error("0.005") == Approx(coarse).epsilon(0.3));
}

TEST_CASE("rings of a profile add up to a cylinder, with velocities around it",
          "[measure][profile]") {
  Model m = ballLattice(sim::LatticeType::fcc, 3, 0.5, 1.0);
  for (auto& p : m.conf.particles) p.vel = 0.5 * Vec3::UnitY().cross(p.pos) + Vec3(0, 0.25, 0);
  const double side = m.conf.cell.h(0, 0), middle = 0.5 * side;
  const KindTable rings("profile", m, {{"axis", "radial"}, {"bins", "5"}});
  REQUIRE(rings.rows.size() == 5);
  double sum = 0.0, space = 0.0;
  for (std::size_t k = 0; k < 5; ++k) {
    sum += rings(k, "solid");
    space += rings(k, "solid") / rings(k, "phi");
  }
  // All parts of balls inside a cylinder between two planes of the lattice.
  const sim::Region whole =
      scenes::cylinderRegion(Vec3(middle, 0, middle), Vec3(middle, side, middle), middle);
  double inside = 0.0;
  for (const auto& p : m.conf.particles)
    for (int k = 0; k < 27; ++k)
      inside += sim::ballInside(
          whole, p.pos + m.conf.cell.h * Vec3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1), 0.5);
  CHECK(sum == Approx(inside).epsilon(1e-10));
  CHECK(space == Approx(pi * middle * middle * side).epsilon(1e-12));
  // Around the axis at half a turn in 2π seconds, and up.
  CHECK(rings(2, "vy") > 0.0);
  CHECK(rings(2, "vz") == Approx(0.25).epsilon(1e-12));
}

TEST_CASE("a file read without its contacts has all else", "[conf][extract]") {
  const Folder folder;
  Model m = ballLattice(sim::LatticeType::fcc, 3, 0.5, 100.0);
  m.conf.shapeFile = "shapes.shp";
  m.conf.makeState().runState = sim::RunState{0.0, 7};
  const std::string text = sim::confText(m.conf);
  folder.write("conf0", text);
  Diagnostics quiet;
  sim::Conf whole = sim::readConfFromFile(folder.path("conf0"), quiet),
            bodies = sim::readBodiesFromFile(folder.path("conf0"), quiet);
  CHECK(whole.interactions.size() > 100);
  CHECK(bodies.interactions.empty());
  whole.interactions.clear();
  CHECK(sim::confText(bodies) == sim::confText(whole));
  // What stands behind the list is read, with its line.
  folder.write("conf1", text + "knContac 0 0 5\n");
  Diagnostics warned;
  sim::readBodiesFromFile(folder.path("conf1"), warned);
  const auto lines = std::ranges::count(text, '\n');
  REQUIRE(warned.warnings().size() == 1);
  CHECK_THAT(warned.warnings()[0],
             Catch::Matchers::Contains("conf1:" + std::to_string(lines + 1) + ":1"));
  // A list that ends too early.
  folder.write("conf2", text.substr(0, text.size() * 9 / 10));
  CHECK_THROWS_AS(sim::readBodiesFromFile(folder.path("conf2"), quiet), ParseError);
}

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
