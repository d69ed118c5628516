// SPDX-License-Identifier: GPL-3.0-or-later
// Measures place by place: coarse-grained fields, the upper surface; and files read without
// their contacts.
#include "catch.hpp"
#include "command.hpp"
#include "kind_table.hpp"
#include "measured_models.hpp"
#include "regions.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/stress.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

using namespace scree;
using namespace scree::scenes;
using namespace scree::testing;
using sim::Instant;

namespace {

const double unitBallMass = 1000.0 * pi / 6.0;

sim::FieldGrid gridAround(double half, std::int64_t n) {
  sim::FieldGrid grid;
  grid.low = Vec3::Constant(-half);
  grid.spacing = Vec3::Constant(2.0 * half / static_cast<double>(n));
  grid.count = {n, n, n};
  return grid;
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
