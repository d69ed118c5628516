// SPDX-License-Identifier: GPL-3.0-or-later
// Stress, fabric, volumes and curves against closed forms.
#include "catch.hpp"
#include "kind_table.hpp"
#include "measured_models.hpp"

#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/stress.hpp"

#include <cmath>

using namespace scree;
using namespace scree::scenes;
using sim::Instant;
using testing::KindTable;

TEST_CASE("a ball squeezed by F has the stress 3F/(2πR²) along the axis, wherever it stands",
          "[measure][stress]") {
  const double R = 0.1, F = 50.0, shift = GENERATE(0.0, 1e6);
  const Model m = squeezedBall(R, F, Vec3(shift, -shift, shift));
  const KindTable body("stress", m, {{"each", "body"}});
  REQUIRE(body.rows.size() == 1);  // the plates are driven
  const double expected = 3.0 * F / (2.0 * pi * R * R);
  // Places of 1e6 have rounded by 1e-10, which is 1e-9 of the radius.
  const double bound = shift == 0.0 ? 1e-14 : 1e-9;
  CHECK(body(0, "id") == 2.0);
  CHECK(body(0, "xx") == Approx(expected).epsilon(bound));
  for (const char* name : {"xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz", "s2", "s3"})
    CHECK(std::abs(body(0, name)) < bound * expected);
  CHECK(body(0, "p") == Approx(expected / 3.0).epsilon(bound));
  CHECK(body(0, "q") == Approx(expected).epsilon(bound));
  CHECK(body(0, "lode") == Approx(1.0).epsilon(1e-9));
  CHECK(body(0, "d1x") == Approx(1.0).epsilon(1e-14));
  // The whole over a volume that is given.
  const KindTable whole("stress", m, {{"volume", "0.5"}});
  CHECK(whole(0, "xx") == Approx(2.0 * R * F / 0.5).epsilon(bound));
  CHECK(whole(0, "volume") == 0.5);
}

TEST_CASE("lattices of balls pressed with F along each contact have the stress of their branches",
          "[measure][stress]") {
  const double R = 0.05, F = 3.0;
  // Σ f⊗b is isotropic: contacts of a body/2 × F × 2R /3 per body over its volume in the lattice.
  const auto [type, coordination, bodiesPerCell, side] =
      GENERATE(table<sim::LatticeType, double, double, double>(
          {{sim::LatticeType::sc, 6.0, 1.0, 2.0},
           {sim::LatticeType::bcc, 8.0, 2.0, 4.0 / std::sqrt(3.0)},
           {sim::LatticeType::fcc, 12.0, 4.0, 2.0 * std::sqrt(2.0)}}));
  const Model m = ballLattice(type, 3, R, F);
  const double volumePerBody = std::pow(side * R, 3) / bodiesPerCell;
  const double expected = 0.5 * coordination * F * 2.0 * R / 3.0 / volumePerBody;
  if (type == sim::LatticeType::sc) CHECK(expected == Approx(F / std::pow(2.0 * R, 2)));
  const KindTable stress("stress", m);
  for (const char* name : {"xx", "yy", "zz", "p"})
    CHECK(stress(0, name) == Approx(expected).epsilon(1e-12));
  for (const char* name : {"xy", "yz", "zx", "q", "skew"})
    CHECK(std::abs(stress(0, name)) < 1e-9 * expected);
  // Parts add up to the whole: bodies and bins by their volumes, groups as they are.
  const double V = stress(0, "volume");
  CHECK(V == Approx(27.0 * std::pow(side * R, 3)).epsilon(1e-14));
  for (const char* each : {"body", "bin:z,7", "group"}) {
    const KindTable parts("stress", m, {{"each", each}});
    double sum = 0.0, bodies = 0.0;
    for (std::size_t k = 0; k < parts.rows.size(); ++k) {
      sum += (std::string(each) == "group" ? V : parts(k, "volume")) * parts(k, "yy");
      bodies += parts(k, "bodies");
    }
    CHECK(sum == Approx(V * expected).epsilon(1e-12));
    CHECK(bodies == 27.0 * bodiesPerCell);
  }
  // Fabric is I/3 without anisotropy, and the lattice has its coordination number.
  const KindTable fabric("fabric", m);
  for (const char* name : {"xx", "yy", "zz"})
    CHECK(fabric(0, name) == Approx(1.0 / 3.0).epsilon(1e-12));
  for (const char* name : {"ac", "an", "at"}) CHECK(fabric(0, name) < 1e-9);
  const KindTable z("coordination", m);
  z.check(
      0, "Z Zpoints Zmechanical rattlers vv",
      {coordination, coordination, coordination, 0.0, 0.5 * coordination * 27.0 * bodiesPerCell});
  // A shift of everything by 1e6 changes nothing but rounding.
  const Model far = ballLattice(type, 3, R, F, Vec3(1e6, -1e6, 1e6));
  CHECK(KindTable("stress", far)(0, "xx") == Approx(expected).epsilon(1e-8));
}

TEST_CASE("a shape of fcc fills 0.740480489693 of its cell, and macro says so",
          "[measure][macro]") {
  Model m = ballLattice(sim::LatticeType::fcc, 3, 0.05, 1.0);
  Model later = m;
  later.conf.t = 2.0;
  // 10 % shorter along x, 5 % along y, longer along z.
  const Mat3 stretch = Vec3(0.9, 0.95, 1.1).asDiagonal();
  later.conf.cell.h = stretch * m.conf.cell.h;
  for (sim::ParticleRecord& p : later.conf.particles) p.pos = stretch * p.pos;
  for (sim::InteractionRecord& r : later.conf.interactions) r.pos = stretch * r.pos;
  const Instant first(m.conf, m.shapes), second(later.conf, later.shapes);
  const KindTable macro("macro", {&first, &second});
  REQUIRE(macro.rows.size() == 2);
  CHECK(macro(0, "solidFraction") == Approx(pi / std::sqrt(18.0)).epsilon(1e-12));
  CHECK(macro(0, "solidFraction") == Approx(0.740480489693).epsilon(1e-12));
  CHECK(macro(0, "exx") == 0.0);
  CHECK(macro(1, "t") == 2.0);
  CHECK(macro(1, "exx") == Approx(-std::log(0.9)).epsilon(1e-13));
  CHECK(macro(1, "eyy") == Approx(-std::log(0.95)).epsilon(1e-13));
  CHECK(macro(1, "ezz") == Approx(-std::log(1.1)).epsilon(1e-13));
  CHECK(macro(1, "ev") == Approx(-std::log(0.9 * 0.95 * 1.1)).epsilon(1e-12));
  CHECK(macro(1, "solidFraction") ==
        Approx(pi / std::sqrt(18.0) / (0.9 * 0.95 * 1.1)).epsilon(1e-12));
  // sin φ = (s1 - s3)/(s1 + s3)
  const KindTable stress("stress", {&second});
  CHECK(std::sin(macro(1, "phi")) ==
        Approx((stress(0, "s1") - stress(0, "s3")) / (stress(0, "s1") + stress(0, "s3")))
            .epsilon(1e-12));
  // Without cell and walls there is no strain.
  m.conf.cell.used = false;
  CHECK(std::isnan(KindTable("macro", m)(0, "exx")));
}

TEST_CASE("the convex hull of equal balls has the volume of Steiner's formula",
          "[measure][domain]") {
  // Eight balls of radius r at the corners of a box a, b, c.
  const double a = 0.3, b = 0.5, c = 0.7, r = 0.1;
  std::vector<Vec3> places;
  for (int k = 0; k < 8; ++k) places.emplace_back((k & 1) * a, ((k >> 1) & 1) * b, (k >> 2) * c);
  Model m = freeBalls(r, places);
  const double exact = a * b * c + 2.0 * (a * b + b * c + c * a) * r + pi * r * r * (a + b + c) +
                       4.0 / 3.0 * pi * r * r * r;
  {
    const Instant instant(m.conf, m.shapes);
    CHECK(instant.hull().volume == Approx(exact).epsilon(1e-12));
    CHECK(instant.hull().low.isApprox(Vec3(-r, -r, -r), 1e-14));
    CHECK(instant.domain().kind == sim::Domain::Kind::hull);
  }
  // One of another size: support points, smaller by less than 0.5 %.
  m.conf.particles[0].homothety = 0.999;
  const Instant instant(m.conf, m.shapes);
  const double sampled = instant.hull().volume;
  CHECK(sampled < exact);
  CHECK(sampled > 0.995 * exact);
}

TEST_CASE("force anisotropies are nan where the fitted density of normals is not positive",
          "[measure][fabric]") {
  // Nine contacts along x and one along y: the density along y is 1 + 15/2 (0.1 - 1/3) = -0.75.
  std::vector<sim::Touching> contacts(10, sim::Touching{0, 1, Vec3::UnitX(), 1.0, Vec3::Zero()});
  contacts.back().n = Vec3::UnitY();
  const auto forcesOf = [&] {
    return sim::forceAnisotropies(contacts,
                                  7.5 * (sim::fabricOf(contacts) - Mat3::Identity() / 3.0));
  };
  const auto forces = forcesOf();
  CHECK(std::isnan(sim::invariantsOf(forces.normal).q));
  CHECK(std::isnan(sim::invariantsOf(forces.tangential).q));
  // Along x alone the density is 1 + 5, and only normal forces are anisotropic.
  contacts.back().n = Vec3::UnitX();
  CHECK(sim::invariantsOf(forcesOf().normal).q == Approx(7.5).epsilon(1e-12));
}

TEST_CASE("bodies prints the columns that are named, and only chosen bodies", "[measure][bodies]") {
  const Model m = squeezedBall(0.1, 7.0);
  const KindTable free("bodies", m), all("bodies", m, {{"driven", ""}}),
      some("bodies", m, {{"driven", ""}, {"select", "x > 0"}, {"columns", "id,x"}});
  REQUIRE(free.rows.size() == 1);
  free.check(0, "id points partners fx", {2.0, 2.0, 2.0, 0.0});
  CHECK(free(0, "mass") == Approx(1000.0 * 4.0 / 3.0 * pi * 1e-3));
  REQUIRE(all.rows.size() == 3);
  CHECK(all(0, "fx") == -7.0);
  REQUIRE(some.rows.size() == 1);
  CHECK(some.columns.size() == 2);
  CHECK(some(0, "x") == 0.1);
}

TEST_CASE("a ball that slides on its bound is counted as sliding", "[measure][sliding]") {
  Model m = squeezedBall(0.1, 10.0);
  m.conf.forceLaw = "StickedLinks";
  m.conf.setLawParameter("muContact", 0, 0, 0.5);
  m.conf.interactions[0].ft = Vec3(0, 5.0, 0);
  m.conf.interactions[1].ft = Vec3(0, 0, 1.25);
  const KindTable sliding("sliding", m);
  sliding.check(0, "contacts sliding share mobilised shareOfForce",
                {2.0, 1.0, 0.5, 0.5 * (1.0 + 0.25), 0.5});
  // Default takes the elastic part of fn: mu kn |dn|.
  m.conf.forceLaw = "Default";
  m.conf.setLawParameter("knContact", 0, 0, 1e9);
  CHECK(KindTable("sliding", m)(0, "mobilised") ==
        Approx(0.5 * (5.0 + 1.25) / (0.5 * 1e9 * 1e-7)).epsilon(1e-12));
}

TEST_CASE("overlaps are measured by the diameter of the smaller free body", "[measure]") {
  Model m = squeezedBall(0.1, 10.0);
  m.conf.interactions[0].dn = -0.004;
  m.conf.interactions[1].dn = -0.001;
  const KindTable t("overlaps", m);
  t.check(0, "overlaps max d50 mean", {2.0, 0.004, 0.001, 0.0025});
  CHECK(t(0, "relMax") == Approx(0.02).epsilon(1e-12));
  t.check(0, "beyond i j", {0.5, 2.0, 0.0});
}
