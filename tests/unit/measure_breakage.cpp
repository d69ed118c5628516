// SPDX-License-Identifier: GPL-3.0-or-later
// Fragments, sieve curves, damage, forces, walls, runout and impacts of models that are known.
#include "catch.hpp"
#include "kind_table.hpp"
#include "measured_models.hpp"

#include "scree/sim/measure/law_values.hpp"

#include <cmath>
#include <memory>

using namespace scree;
using namespace scree::scenes;
using sim::Instant;
using testing::KindTable;

namespace {

/// Balls of radius 0.5 in a row along x, 1 apart, of density 1000; neighbours `bonded[k]`, k + 1
/// are glued.
Model row(int n, const std::vector<int>& bonded) {
  Model m = modelOf({ball("ball", 0.5)});
  for (int k = 0; k < n; ++k) m.conf.particles.emplace_back().pos.x() = k;
  for (const int k : bonded) {
    sim::InterfaceRecord& face = m.conf.interfaces.emplace_back();
    face.i = static_cast<sim::BodyId>(k);
    face.j = static_cast<sim::BodyId>(k + 1);
    face.bonds.resize(1);
  }
  return m;
}
const double ballMass = 1000.0 * pi / 6.0;

/// A plate and balls of radius 0.5 on it, of density 1000.
Model onPlate(std::size_t balls) {
  Model m = modelOf({plate("plate", 5.0, 0.25), ball("ball", 0.5)});
  m.conf.nDriven = 1;
  m.conf.particles.resize(1 + balls);
  for (std::size_t b = 1; b <= balls; ++b) m.conf.particles[b].shapeName = 1;
  return m;
}

/// Instants of a series that `make` builds, file after file.
struct Files {
  std::vector<std::unique_ptr<Model>> models;
  std::vector<std::unique_ptr<Instant>> instants;
  std::vector<const Instant*> series;

  template <class Make>
  Files(int count, Make&& make) {
    for (int k = 0; k < count; ++k) {
      models.push_back(std::make_unique<Model>(make(k)));
      instants.push_back(std::make_unique<Instant>(models.back()->conf, models.back()->shapes));
      series.push_back(instants.back().get());
    }
  }
};

std::string endOf(const KindTable& t, std::size_t row) {
  return std::get<std::string>(t.cell(row, "end"));
}

}  // namespace

TEST_CASE("fragments are what bonds hold together, with their mass and least box",
          "[measure][fragments]") {
  const Model m = row(6, {0, 1, 3});  // 0-1-2, 3-4, 5
  const KindTable f("fragments", m);
  REQUIRE(f.rows.size() == 3);
  const double bodies[] = {3, 2, 1};
  double mass = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(f(k, "bodies") == bodies[k]);
    CHECK(f(k, "mass") == Approx(bodies[k] * ballMass).epsilon(1e-14));
    CHECK(f(k, "L") == Approx(bodies[k]).epsilon(1e-9));
    CHECK(f(k, "I") == Approx(1.0).epsilon(1e-9));
    CHECK(f(k, "S") == Approx(1.0).epsilon(1e-9));
    CHECK(f(k, "diameter") == Approx(std::cbrt(bodies[k])).epsilon(1e-14));
    mass += f(k, "mass");
  }
  CHECK(f(1, "fragment") == 3.0);
  CHECK(mass == Approx(6.0 * ballMass).epsilon(1e-14));
}

TEST_CASE("a fragment across a side of the cell is put together by images",
          "[measure][fragments]") {
  Model m = row(4, {0, 1, 2});
  m.conf.cell.used = true;
  m.conf.cell.h = Vec3(7.0, 5.0, 5.0).asDiagonal();
  for (sim::ParticleRecord& p : m.conf.particles) {
    p.pos.x() += 5.5;
    p.pos.x() -= p.pos.x() > 7.0 ? 7.0 : 0.0;
  }
  const KindTable f("fragments", m);
  REQUIRE(f.rows.size() == 1);
  CHECK(f(0, "L") == Approx(4.0).epsilon(1e-9));
}

TEST_CASE("a sieve lets through what is smaller than its mesh, by mass", "[measure][sieve]") {
  Model m = row(4, {});
  const double sizes[] = {1.0, 2.0, 3.0, 4.0};
  for (std::size_t k = 0; k < 4; ++k) {
    m.conf.particles[k].homothety = sizes[k];
    m.conf.particles[k].pos.x() = 10.0 * static_cast<double>(k);
  }
  const KindTable curve("sieve", m);  // masses 1 8 27 64 of 100
  REQUIRE(curve.rows.size() == 4);
  const double passing[] = {0.01, 0.09, 0.36, 1.0};
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(curve(k, "size") == Approx(sizes[k]).epsilon(1e-12));
    CHECK(curve(k, "passing") == Approx(passing[k]).epsilon(1e-14));
  }
  const KindTable d("sieve", m, {{"of", "diameter"}});
  CHECK(d(2, "size") == Approx(3.0).epsilon(1e-14));
}

TEST_CASE("the load of an interface follows the criterion of its law", "[measure][bonds]") {
  Model m = row(3, {0, 1});
  m.conf.interfaces[0].area = 0.5;
  m.conf.interfaces[0].bonds.resize(2);
  m.conf.interfaces[0].bonds[1].iSub = 1;
  m.conf.interfaces[0].dn0 = 1e-4;
  for (const std::uint32_t sub : {0U, 1U}) {
    const double dn = sub == 0 ? 3.1e-3 : -1e-3;  // one opens by 3e-3, one is pressed
    touch(m, {0, 1, sim::Pairing::vertexVertex, sub, 0}, Vec3::Zero(), Vec3::Zero(), dn,
          sub == 0 ? -30.0 : 11.0)
        .ft = Vec3(0, 40.0, 0);
  }
  for (const auto& [keyword, value] : {std::pair{"knInnerBond", 2e4},
                                       {"ktInnerBond", 1e4},
                                       {"fn0InnerBond", 100.0},
                                       {"ft0InnerBond", 80.0},
                                       {"gcInnerBond", 0.5}})
    m.conf.setLawParameter(keyword, 0, 0, value);
  const auto loads = [&](const char* law) {
    m.conf.forceLaw = law;
    const Instant instant(m.conf, m.shapes);
    return sim::LawValues(instant).bondLoads();
  };
  // The first bond: (40/80)² + 30/100, with the exponent that a run takes without one. The second
  // interface has no bond in the list of contacts.
  const auto byStrength = loads("StickedLinks");
  REQUIRE(byStrength.size() == 2);
  CHECK(byStrength[0] == Approx(0.55).epsilon(1e-14));
  CHECK(byStrength[1] == 0.0);
  // Each of two bonds has half of the stiffness: 1e4 and 5e3. Compression does not count.
  const auto byEnergy = loads("BCM");
  CHECK(byEnergy[0] == Approx((0.5 * 1e4 * 9e-6 + 2 * 0.5 * 1600 / 5e3) / (2 * 0.5 * 0.5)));
  CHECK(std::isnan(byEnergy[1]));  // without an area
  CHECK(std::isnan(loads("Default")[0]));
}

TEST_CASE("damage counts what has broken since the first file", "[measure][damage]") {
  Model m = row(5, {0, 1, 2, 3}), later = row(5, {1});
  m.conf.makeState().bondedArea = sim::BondedArea{8.0, 0.0};
  later.conf.makeState().bondedArea = sim::BondedArea{8.0, 6.0};
  const Instant first(m.conf, m.shapes), second(later.conf, later.shapes);
  const KindTable t("damage", {&first, &second});
  CHECK(t(0, "broken") == 0.0);
  t.check(1, "interfaces broken brokenBonds damage newSurface", {1.0, 3.0, 3.0, 0.75, 12.0});
}

TEST_CASE("walls bear the forces of what presses on them, over the area between them",
          "[measure][walls]") {
  const Model m = squeezedBall(0.1, 50.0);
  const KindTable t("walls", m);
  REQUIRE(t.rows.size() == 2);
  CHECK(t(0, "fx") == -50.0);
  CHECK(t(1, "fx") == 50.0);
  CHECK(t(0, "points") == 1.0);
  CHECK(std::isnan(t(0, "pressure")));  // four sides are open
  // A bowl of radius 2: pressure is Σ fn over its surface.
  Model bowl = row(1, {});
  bowl.conf.boundaries.resize(1);
  bowl.conf.boundaries[0].radius = 2.0;
  bowl.conf.particles[0].pos = Vec3(0, -1.5, 0);
  sim::BoundaryTouch touch;
  touch.dn = -1e-9;
  touch.fn = 3.0;
  bowl.conf.boundaryTouches = {touch};
  const KindTable w("walls", bowl);
  REQUIRE(w.rows.size() == 1);
  CHECK(w(0, "fy") == Approx(-3.0));
  CHECK(w(0, "pressure") == Approx(3.0 / (16.0 * pi)).epsilon(1e-14));
}

TEST_CASE("a box of walls around a lattice bears its stress", "[measure][walls]") {
  // One ball between six plates, pressed by F from all sides: pressure F/a² on each, and inside.
  const double R = 0.1, F = 5.0;
  Model m = modelOf(
      {box("wall", 1.0, 1.0, 0.1, 0.01), ball("ball", R), box("tile", 0.1, 0.1, 0.1, 0.01)});
  m.conf.nDriven = 6;
  m.conf.particles.resize(7);
  m.conf.particles[6].shapeName = 1;
  for (int k = 0; k < 6; ++k) {
    const int axis = k / 2;
    const double sign = k % 2 == 0 ? -1.0 : 1.0, h = std::sqrt(0.5);
    sim::ParticleRecord& p = m.conf.particles[static_cast<std::size_t>(k)];
    p.pos[axis] = sign * (R + 0.06);
    if (axis == 0) p.q = Quat(h, 0, h, 0);
    if (axis == 1) p.q = Quat(h, h, 0, 0);
    touch(m, {6, static_cast<sim::BodyId>(k), sim::Pairing::vertexFace, 0, 0},
          -sign * Vec3::Unit(axis), sign * R * Vec3::Unit(axis), -1e-9, F);
  }
  const KindTable walls("walls", m), stress("stress", m, {{"volume", "walls"}});
  const double pressure = F / (4.0 * R * R);
  for (std::size_t k = 0; k < 6; ++k) CHECK(walls(k, "pressure") == Approx(pressure).epsilon(1e-9));
  CHECK(stress(0, "p") == Approx(pressure).epsilon(1e-9));
  m.conf.particles[3].shapeName = 2;  // a plate that covers a part of its side
  const KindTable tiled("walls", m);
  CHECK(std::isnan(tiled(3, "area")));
  CHECK(tiled(2, "pressure") == Approx(pressure).epsilon(1e-9));
}

TEST_CASE("forces are distributed over their mean", "[measure][forces]") {
  Model m = squeezedBall(0.1, 10.0);
  m.conf.interactions[1].fn = 30.0;
  m.conf.interactions[1].ft = Vec3(0, 4.0, 0);
  const KindTable t("forces", m, {{"bins", "4"}, {"max", "2"}});
  // Means 20: 0.5 and 1.5 of it; the area under the density is 1.
  CHECK(t(0, "mean") == 20.0);
  CHECK(t(1, "count") == 1.0);
  CHECK(t(3, "count") == 1.0);
  double area = 0.0;
  for (std::size_t k = 0; k < 4; ++k) area += t(k, "pdf") * 0.5;
  CHECK(area == Approx(1.0).epsilon(1e-14));
}

TEST_CASE("runout tells path, drop, stop and end of each body", "[measure][runout]") {
  // A plate at z = 0 from -5 to 5. Body 1 slides along x to 3 and rests, 2 falls over the edge, 3
  // still moves.
  const double x1[] = {0, 1, 2, 3, 3, 3}, v1[] = {1, 1, 1, 0.04, 0.0, 0.01};
  const Files files(6, [&](int k) {
    Model m = onPlate(3);
    m.conf.gravity = Vec3(0, -9.81, 0);
    m.conf.t = 0.5 * k;
    m.conf.particles[1].pos = Vec3(x1[k], 4.0 - x1[k], 0);
    m.conf.particles[1].vel = Vec3(v1[k], 0, 0);
    m.conf.particles[2].pos = Vec3(3.0 + k, 0.75, 0);
    m.conf.particles[2].vel = Vec3(2, 0, 0);
    m.conf.particles[3].pos = Vec3(0, 0.75, 0.1 * k);
    m.conf.particles[3].vel = Vec3(0, 0, 0.2);
    return m;
  });
  const KindTable t("runout", files.series);
  REQUIRE(t.rows.size() == 3);
  CHECK(endOf(t, 0) == "rest");
  CHECK(t(0, "tStop") == 1.5);
  CHECK(t(0, "path") == Approx(3.0 * std::sqrt(2.0)));
  CHECK(t(0, "drop") == 3.0);
  CHECK(t(0, "reach") == 3.0);
  CHECK(t(0, "angle") == Approx(pi / 4.0));
  CHECK(t(0, "vMax") == 1.0);
  CHECK(t(0, "hMax") == Approx(3.75).epsilon(1e-14));
  CHECK(t(0, "x") == 3.0);
  CHECK(endOf(t, 1) == "left");
  CHECK(t(1, "tStop") == 1.5);  // beyond 5.25
  CHECK(endOf(t, 2) == "moving");
  CHECK(t(2, "tStop") == 2.5);  // that of the last file: it stops later
}

TEST_CASE("ways go on across the sides of a periodic cell, and end on no endless plane",
          "[measure][runout]") {
  // Once round a cell 2 wide in 2 s; a file each half second.
  const auto after = [](int k, double deep, double z, const Vec3& vel) {
    Model m = onPlate(1);
    m.conf.gravity = Vec3::Zero();
    m.conf.cell.used = true;
    m.conf.cell.h = Vec3(2, 9, deep).asDiagonal();
    m.conf.t = 0.5 * k;
    m.conf.particles[1].pos = Vec3(std::fmod(0.3 + 0.5 * k, 2.0), 3, z);
    m.conf.particles[1].vel = vel;
    return m;
  };
  const Files files(6, [&](int k) { return after(k, 9, 1, Vec3(1, 0, 0)); });
  const KindTable way("runout", files.series);
  CHECK(way(0, "path") == Approx(2.5));
  CHECK(way(0, "x") == Approx(2.8));
  for (const char* plane : {"1.9,0,0,1,0,0", "0.1,0,0,1,0,0"}) {  // each side of the crossing
    const KindTable t("screen", files.series, {{"plane", plane}});
    REQUIRE(t.rows.size() == 1);
    CHECK(t(0, "side") == 1.0);
  }
  const Files aslant(6, [&](int k) {  // leaves the cell along the plane, too
    return after(k, 1.3, std::fmod(0.9 + 0.5 * k, 1.3), Vec3(1, 0, 1));
  });
  CHECK(KindTable("screen", aslant.series, {{"plane", "1.9,0,0,1,0,0"}}).rows.size() == 1);
  for (const bool inCell : {false, true}) {  // there above an image of the plane
    const Files far(2, [&](int k) {
      Model m = onPlate(1);
      m.conf.cell.used = inCell;
      m.conf.cell.h = Vec3(99, 2, 99).asDiagonal();
      m.conf.boundaries = {
          {sim::Boundary::Kind::plane, Vec3(0, inCell ? 2 : 0, 0), Vec3::UnitY(), 0.0, 0}};
      m.conf.t = k;
      m.conf.particles[1].pos = Vec3(40.0 + k, 0.5, 0);
      return m;
    });
    const KindTable rolled("runout", far.series);
    CHECK(endOf(rolled, 0) == "rest");
    CHECK(rolled(0, "hMax") == Approx(0.5));
  }
  const Files fewer(2, [&](int k) { return onPlate(static_cast<std::size_t>(2 - k)); });
  CHECK_THROWS_AS(KindTable("runout", fewer.series), ModelError);
}

TEST_CASE("impacts tell speed and energy before and after a touch", "[measure][impacts]") {
  const double speed[] = {5, 6, 3, 1, 4, 3.5};
  const bool touches[] = {false, false, true, true, false, false};
  const Files files(6, [&](int k) {
    Model m = onPlate(1);
    m.conf.gravity = Vec3::Zero();
    m.conf.particles[0].group = 7;
    m.conf.particles[1].vel = Vec3(0, speed[k], 0);
    m.conf.t = k;
    if (touches[k])
      touch(m, {1, 0, sim::Pairing::vertexFace, 0, 0}, Vec3::UnitY(), Vec3::Zero(), -0.01,
            100.0 * k);
    return m;
  });
  const KindTable t("impacts", files.series);
  REQUIRE(t.rows.size() == 1);
  t.check(0, "t id group vIn vOut", {2.0, 1.0, 7.0, 6.0, 4.0});
  CHECK(t(0, "energyLost") == Approx(0.5 * ballMass * (36.0 - 16.0)).epsilon(1e-14));
  CHECK(t(0, "duration") == 3.0);
  CHECK(t(0, "forceMax") == 300.0);
}

TEST_CASE("a screen tells where and how fast bodies cross it, and reach counts runs apart",
          "[measure][screen]") {
  // Thrown at (4, 0, 2): the parabola between two files is followed exactly.
  const Vec3 g(0, -10, 0), v(4, 6, 2);
  const Files files(3, [&](int k) {
    Model m = onPlate(1);
    m.conf.gravity = g;
    m.conf.t = k;
    m.conf.particles[1].pos = v * k + 0.5 * k * k * g;
    m.conf.particles[1].vel = v + k * g;
    return m;
  });
  const KindTable t("screen", files.series, {{"plane", "3,0,0,2,0,0"}});
  REQUIRE(t.rows.size() == 1);
  CHECK(t(0, "t") == Approx(0.75).epsilon(1e-12));
  CHECK(t(0, "side") == 1.0);
  CHECK(t(0, "x") == Approx(3.0).epsilon(1e-12));
  CHECK(t(0, "y") == Approx(4.5 - 5.0 * 0.5625).epsilon(1e-12));
  CHECK(t(0, "height") == Approx(4.5 - 5.0 * 0.5625 - 0.25).epsilon(1e-12));  // where it crosses
  CHECK(t(0, "vy") == Approx(6.0 - 7.5).epsilon(1e-12));
  CHECK(t(0, "energy") == Approx(0.5 * ballMass * (16.0 + 2.25 + 4.0)).epsilon(1e-12));
  const KindTable both("screen", files.series, {{"plane", "0,0.5,0,0,1,0"}});
  REQUIRE(both.rows.size() == 2);  // up and down
  CHECK(both(1, "side") == -1.0);
  // Up and down again between two files: y = 6 t - 5 t².
  const KindTable between("screen", files.series, {{"plane", "0,1.5,0,0,1,0"}});
  REQUIRE(between.rows.size() == 2);
  CHECK(between(0, "t") == Approx(0.6 - std::sqrt(0.06)).epsilon(1e-12));
  CHECK(between(1, "t") == Approx(0.6 + std::sqrt(0.06)).epsilon(1e-12));
}

TEST_CASE("a straight column under load is one chain, a slack neighbour is none",
          "[measure][chains]") {
  // Five balls in a row pressed by 10 N, and one beside the middle that bears 1 N.
  Model m = row(6, {});
  m.conf.particles[5].pos = Vec3(2, 1, 0);
  const auto press = [&](sim::BodyId i, sim::BodyId j, double force) {
    const Vec3 a = m.conf.particles[i].pos, b = m.conf.particles[j].pos;
    touch(m, {i, j, sim::Pairing::vertexVertex, 0, 0}, (a - b).normalized(), 0.5 * (a + b), -1e-9,
          force);
  };
  for (sim::BodyId k = 0; k < 4; ++k) press(k, k + 1, 10.0);
  press(2, 5, 1.0);
  const KindTable t("chains", m);
  REQUIRE(t.rows.size() == 1);
  // The ends have one contact each, half of the stress of the others, which is below the mean.
  t.check(0, "chain bodies links", {1.0, 3.0, 2.0});
  CHECK(t(0, "length") == Approx(2.0).epsilon(1e-14));
  CHECK(t(0, "force") == Approx(10.0).epsilon(1e-14));
  CHECK(KindTable("chains", m, {{"least", "4"}}).rows.empty());
}

TEST_CASE("reach counts bodies in the cells between their places", "[measure][reach]") {
  const Files files(2, [&](int k) {
    Model m = row(2, {});
    m.conf.gravity = Vec3(0, 0, -9.81);
    m.conf.particles[0].pos = Vec3(0.5 + 3.0 * k, 0.5, 2.0);  // through four cells
    m.conf.particles[1].pos = Vec3(2.5, 0.5, 1.0);            // stays
    m.conf.particles[0].vel = Vec3(k, 0, 0);
    return m;
  });
  const KindTable t("reach", files.series, {{"cell", "1"}});
  REQUIRE(t.rows.size() == 4);
  const double passes[] = {1, 1, 2, 1};
  for (std::size_t k = 0; k < 4; ++k) {
    t.check(k, "u v passes frequency",
            {0.5 + static_cast<double>(k), 0.5, passes[k], 0.5 * passes[k]});
  }
  CHECK(t(3, "energyMax") == Approx(0.5 * ballMass).epsilon(1e-14));
  // Along the line between both files; the cell ends at x = 3.
  CHECK(t(2, "energyMean") == Approx(0.5 * 2.5 / 3.0 * 0.5 * ballMass).epsilon(1e-14));
  const Files corner(2, [&](int k) {  // a thousandth of the way is in the second cell
    Model m = row(1, {});
    m.conf.gravity = Vec3(0, 0, -9.81);
    m.conf.particles[0].pos = Vec3(0.5 + k, 0.499 + k, 0);
    return m;
  });
  CHECK(KindTable("reach", corner.series, {{"cell", "1"}}).rows.size() == 3);
}
