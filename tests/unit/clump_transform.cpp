// SPDX-License-Identifier: GPL-3.0-or-later
// Packs moved, turned, scaled, repeated and sorted: mass properties follow by the laws of rigid
// motion, and exact operations give back the same bits. Values of `#@` lines, markers of shared
// nodes, members that are not clumped, bounding balls.
#include "catch.hpp"
#include "clump/member_geometry.hpp"
#include "random_pack.hpp"

#include "scree/clump/clump_mass.hpp"
#include "scree/clump/pack_transform.hpp"

#include <algorithm>
#include <cmath>

using namespace scree;
using namespace scree::clump;
using namespace scree::testing;
using Catch::Contains;

namespace {

Mat3 turnMatrix(int axis, double degrees) {
  return Eigen::AngleAxisd(degrees * pi / 180.0, Vec3::Unit(axis)).toRotationMatrix();
}

/// Moments of the members one by one: closed forms for each type, linear in the solid.
struct Sum {
  double volume;
  Vec3 centre;
  Mat3 tensor;  ///< about the centre, unit density
};
Sum sumOf(const PackParticle& p) {
  mass::Moments m;
  const Vec3 origin = p.members.front().nodes().empty() ? p.members.front().centre
                                                        : p.members.front().nodes().front();
  for (const PackMember& member : p.members) m += memberMoments(member, origin);
  const mass::SolidProperties s = mass::solidProperties(m);
  return {s.volume, s.centre + origin, s.volume * s.inertiaPerMass};
}

void checkMoved(const PackParticle& before, const PackParticle& after, const Mat3& turn,
                double factor, const Vec3& by) {
  const Sum a = sumOf(before), b = sumOf(after);
  const double volume = std::pow(factor, 3) * a.volume;
  const Mat3 tensor = std::pow(factor, 5) * turn * a.tensor * turn.transpose();
  const Vec3 centre = factor * (turn * a.centre) + by;
  CHECK(std::fabs(b.volume - volume) <= 1e-12 * volume);
  CHECK((b.centre - centre).norm() <= 1e-12 * (std::cbrt(volume) + centre.norm() + by.norm()));
  CHECK((b.tensor - tensor).norm() <= 1e-12 * tensor.norm());
}

}  // namespace

TEST_CASE("mass, centre and tensor of 1000 random packs follow every motion",
          "[clump][transform]") {
  Rng rng(24);
  for (int trial = 0; trial < 1000; ++trial) {
    const ShapePack pack = packOf(randomPackText(rng, false));
    const int axis = trial % 3;
    const double degrees = trial % 5 == 0 ? 90.0 * (trial % 7) : rng.uniform(-720, 720);
    const double factor = rng.uniform(0.1, 5.0);
    const Vec3 by(rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-9, 9));
    ShapePack moved = pack;
    rotate(moved, axis, degrees);
    scale(moved, factor);
    translate(moved, by);
    REQUIRE(moved.particles.size() == pack.particles.size());
    const ShapePack again = packOf(shapePackText(moved));  // what is written is what is meant
    for (std::size_t k = 0; k < pack.particles.size(); ++k) {
      INFO("trial " << trial << " particle " << k);
      checkMoved(pack.particles[k], again.particles[k], turnMatrix(axis, degrees), factor, by);
    }
  }
}

TEST_CASE("four quarter turns and shifts there and back give the same bits", "[clump][transform]") {
  Rng rng(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const std::string text = shapePackText(packOf(randomPackText(rng, trial % 2 == 0)));
    for (int axis = 0; axis < 3; ++axis) {
      ShapePack pack = packOf(text);
      for (const double degrees : {90.0, -270.0, 450.0, 90.0}) rotate(pack, axis, degrees);
      CHECK(shapePackText(pack) == text);
      rotate(pack, axis, 180.0);
      rotate(pack, axis, -180.0);
      CHECK(shapePackText(pack) == text);
      rotate(pack, axis, 720.0);
      CHECK(shapePackText(pack) == text);
    }
    // An Ellipsoid's rotation vector is not moved, all other numbers are multiples of 2^-20.
    ShapePack pack = packOf(text);
    translate(pack, {0x1p20, -0x1p20, 0x1p20});
    translate(pack, {-0x1p20, 0x1p20, -0x1p20});
    CHECK(shapePackText(pack) == text);
    scale(pack, 0.125);
    scale(pack, 8.0);
    CHECK(shapePackText(pack) == text);
  }
}

TEST_CASE("markers of shared nodes survive motions and point at the moved node",
          "[clump][transform]") {
  ShapePack pack = packOf(
      "0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n"
      "0 Facet 0 0 0 1 nan nan 1 nan nan 2 5 5 5 0.1\n");
  translate(pack, {1, 2, 3});
  rotate(pack, 2, 90.0);
  CHECK(shapePackText(pack) ==
        "0 Tetra -2 1 3 1 -2 1 3 -2 2 3 -3 1 3 -2 1 4\n"
        "0 Facet -2 1 3 1 nan nan 1 nan nan 2 -7 6 8 0.1\n");
  CHECK(pack.particles[0].members[1].nodes()[0] == Vec3(-2, 2, 3));
}

TEST_CASE("tiling repeats a cell, and refuses what would lie upon itself", "[clump][transform]") {
  ShapePack pack =
      packOf("##PERIODIC:: 2 3 0\n4 Sphere 0 0 0 1\n7u Sphere 1 1 1 0.5\n7u Sphere 1 1 2 0.5\n");
  CHECK_THROWS_WITH(tile(pack, {1, 1, 2}), Contains("not periodic along z"));
  CHECK_THROWS_AS(tile(pack, {0, 1, 1}), ModelError);
  CHECK_THROWS_WITH(tile(pack, {1'000'000, 1'000'000, 1}), Contains("50000000"));
  tile(pack, {2, 2, 1});
  CHECK(pack.cell == Vec3(4, 6, 0));
  REQUIRE(pack.particles.size() == 8);
  CHECK(pack.particles[2].id == 8);
  CHECK(pack.particles[2].members[0].centre == Vec3(0, 3, 0));
  CHECK(pack.particles[5].members[0].centre == Vec3(3, 1, 1));
  CHECK(pack.particles[5].unclumped);
  CHECK(pack.particles[7].members[1].centre == Vec3(3, 4, 2));
}

TEST_CASE("canonical particles have their centre in the cell, and stay whole",
          "[clump][transform]") {
  ShapePack open = packOf("0 Sphere 0 0 0 1\n");
  CHECK_THROWS_AS(canonicalize(open, particleCentres(open)), ModelError);
  // The clump's centroid is at x = -0.1 although one member lies in the cell.
  ShapePack pack = packOf(
      "##PERIODIC:: 2 2 0\n0 Sphere -0.6 0 9 0.2\n0 Sphere 0.4 0 9 0.2\n1 Sphere 6 -1e-20 0 1\n");
  canonicalize(pack, particleCentres(pack));
  CHECK(pack.particles[0].members[0].centre == Vec3(1.4, 0, 9));
  CHECK(pack.particles[0].members[1].centre == Vec3(2.4, 0, 9));
  CHECK(pack.particles[1].members[0].centre.x() == 0.0);
  CHECK(pack.particles[1].members[0].centre.y() == 0.0);  // not 2, which is outside
  // Centres just below an end, of a sphere, a clump and a given value.
  ShapePack ends = packOf(
      "##PERIODIC:: 4 0 0\n0 Sphere -1e-18 0 0 1\n"
      "2 Sphere -0.3 0 0 0.5\n2 Sphere 0.29999999999999993 0 0 0.5\n"
      "#@ id=6 volume=1 position=-1e-17,0,0 inertia=1,1,1,0,0,0\n6 Sphere 1 0 0 1\n"
      "7 Sphere 8 0 0 1\n");
  canonicalize(ends, particleCentres(ends));
  for (const Vec3& centre : particleCentres(ends)) CHECK((centre.x() >= 0.0 && centre.x() < 4.0));
  const std::string once = shapePackText(ends);
  canonicalize(ends, particleCentres(ends));
  CHECK(shapePackText(ends) == once);
}

TEST_CASE("a periodic pack turns only where its cell stays a box", "[clump][transform]") {
  ShapePack pack = packOf("##PERIODIC:: 2 3 0\n0 Sphere 0 0 0 1\n");
  CHECK_THROWS_WITH(rotate(pack, 2, 30.0), Contains("30 degrees about z"));
  rotate(pack, 2, 90.0);
  CHECK(pack.cell == Vec3(3, 2, 0));
  ShapePack rod = packOf("##PERIODIC:: 0 0 5\n0 Sphere 1 0 0 1\n");
  CHECK_NOTHROW(rotate(rod, 2, 30.0));
  CHECK(rod.particles[0].members[0].centre.y() == Approx(0.5).epsilon(1e-15));
}

TEST_CASE("particles sort stably, shuffle by seed, and pass filters as a whole",
          "[clump][transform]") {
  const std::string text =
      "# first\n0 Sphere 3 0 0 1\n1 Sphere 1 0 0 1\n2 Sphere 3 0 0 2\n3 Sphere 2 0 0 1\n3 Capsule "
      "9 0 0 2 1 0 0\n";
  const auto ids = [](const ShapePack& p) {
    std::string out;
    for (const PackParticle& particle : p.particles) out += fmt::format("{}", particle.id);
    return out;
  };
  const auto numbers = [](const ShapePack& p, const char* formula) {
    return particleNumbers(p, Condition(formula, particleNames()));
  };
  ShapePack pack = packOf(text);
  sortBy(pack, numbers(pack, "x"));
  CHECK(ids(pack) == "1023");
  sortBy(pack, numbers(pack, "-xmax"));
  CHECK(ids(pack) == "3201");
  shuffle(pack, 5);
  ShapePack other = packOf(text);
  sortBy(other, numbers(other, "-xmax"));
  shuffle(other, 5);
  CHECK(shapePackText(pack) == shapePackText(other));

  for (const auto& [formula, kept] :
       std::vector<std::pair<std::string, std::string>>{{"kind == 'Sphere'", "012"},
                                                        {"shapes == 2 && spheres == 1", "3"},
                                                        {"abs(x - 3) <= 1e-12", "02"},
                                                        {"unclumped", ""}}) {
    INFO(formula);
    ShapePack some = packOf(text);
    std::vector<bool> keep;
    for (const double v : numbers(some, formula.c_str())) keep.push_back(v != 0.0);
    keepOnly(some, keep);
    CHECK(ids(some) == kept);
  }
}

TEST_CASE("packs merge under one set of IDs", "[clump][transform]") {
  Diagnostics diagnostics;
  std::vector<ShapePack> packs{packOf("0 Sphere 0 0 0 1\n5 Sphere 1 0 0 1\n"),
                               packOf("##USER-DATA:: b\n1 Sphere 2 0 0 1\n"),
                               packOf("##USER-DATA:: c\n5 Sphere 3 0 0 1\n5 Sphere 4 0 0 1\n")};
  const ShapePack all = merged(packs, diagnostics);
  CHECK(shapePackText(all) ==
        "##USER-DATA:: b\n0 Sphere 0 0 0 1\n5 Sphere 1 0 0 1\n1 Sphere 2 0 0 1\n"
        "6 Sphere 3 0 0 1\n6 Sphere 4 0 0 1\n");
  CHECK(diagnostics.warnings().size() == 1);
  packs[1].cell = Vec3(1, 1, 1);
  CHECK_THROWS_WITH(merged(packs, diagnostics), Contains("periodic cell"));
  // Two particles of one ID that come to stand together must not become one clump.
  ShapePack pack = packOf("3 Sphere 0 0 0 1\n1 Sphere 1 0 0 1\n3 Sphere 2 0 0 1\n");
  keepOnly(pack, {true, false, true});
  Diagnostics renamed;
  separateIds(pack, renamed);
  CHECK(renamed.warnings().size() == 1);
  CHECK(packOf(shapePackText(pack)).particles.size() == 2);
}

TEST_CASE("a #@ line is read, written and honoured by the mass", "[clump][carried]") {
  const std::string text =
      "# a comment\n"
      "#@ id=4 density=2600 volume=0.5 position=1,2,3 inertia=3,4,5,0.1,-0.2,0.3 "
      "group=rock:Default "
      "group=coarse:size pebble-group=fine:Default colour=red\n"
      "4 Sphere 0 0 0 1\n4 Sphere 0 0 1.2 0.8\n"
      "#@ id=5 density=2\n5 Sphere 0 0 0 1\n";
  const ShapePack pack = packOf(text);
  CHECK(shapePackText(pack) == text);
  const Carried& c = pack.particles[0].carried();
  CHECK(c.groups.size() == 2);
  CHECK(c.groups[1].slot == "size");
  CHECK(c.pebbleGroups[0].name == "fine");
  const auto masses = packMasses(pack);
  CHECK(masses[0].method == "given");
  CHECK(masses[0].density == 2600.0);
  CHECK(masses[0].solid.volume == 0.5);
  CHECK(masses[0].solid.centre == Vec3(1, 2, 3));
  CHECK(2600.0 * 0.5 * masses[0].solid.inertiaPerMass(1, 2) == Approx(0.3).epsilon(1e-14));
  CHECK(masses[1].method == "exact");
  CHECK(masses[1].density == 2.0);
}

TEST_CASE("a key of a #@ line that resembles a known one is warned about", "[clump][carried]") {
  std::vector<std::string> warnings;
  for (const auto& [word, meant] : std::vector<std::pair<std::string, std::string>>{
           {"densty=1", "density"}, {"gruop=a", "group"}}) {
    const ShapePack pack = packOf("#@ id=0 " + word + "\n0 Sphere 0 0 0 1\n", &warnings);
    REQUIRE(warnings.size() == 1);
    CHECK_THAT(warnings[0], Contains("pack.txt:1:9") && Contains("did you mean '" + meant + "'"));
    CHECK(pack.particles[0].carried().others == std::vector<std::string>{word});
  }
  packOf("#@ id=0 colour=red\n0 Sphere 0 0 0 1\n", &warnings);
  CHECK(warnings.empty());
}

TEST_CASE("bad #@ lines are refused at their place, strays are warned about", "[clump][carried]") {
  const auto [line, place] = GENERATE(table<std::string, std::string>({
      {"#@ id=0 density=0", "1:17"},
      {"#@ id=0 density", "1:9"},
      {"#@ id=0 volume=1 inertia=1,1,1,0,0,0", "1:1"},
      {"#@ id=0 volume=1 position=0,0 inertia=1,1,1,0,0,0", "1:27"},
      {"#@ id=0 volume=1 position=0,0,0 inertia=1,1,3,0,0,0", "1:41"},
      {"#@ id=0 volume=1 position=0,0,0 inertia=1,1,1,2,0,0", "1:41"},
      {"#@ id=0 group=a:b:c", "1:15"},
  }));
  INFO(line);
  CHECK_THROWS_WITH(packOf(line + "\n0 Sphere 0 0 0 1\n"), Catch::StartsWith("pack.txt:" + place));
  std::vector<std::string> warnings;
  const std::string stray =
      "#@ id=7 density=2\n0 Sphere 0 0 0 1\n0 Sphere 1 0 0 1\n#@ id=0 density=3\n";
  const ShapePack pack = packOf(stray, &warnings);
  CHECK(warnings.size() == 2);
  CHECK(!pack.particles[0].carried().density);
  CHECK(shapePackText(pack) ==
        "# @ id=7 density=2\n0 Sphere 0 0 0 1\n0 Sphere 1 0 0 1\n# @ id=0 density=3\n");
}

TEST_CASE("what a particle carries moves with it", "[clump][carried]") {
  const std::string text =
      "#@ id=0 density=3 volume=2 position=1,2,3 inertia=3,4,5,0.5,-0.25,1\n0 Sphere 1 2 3 1\n";
  ShapePack pack = packOf(text);
  rotate(pack, 2, 90.0);
  const GivenMass& turned = *pack.particles[0].carried().given;
  CHECK(turned.centre == Vec3(-2, 1, 3));
  CHECK(turned.inertia == symmetricTensor({4, 3, 5, -0.5, -1, -0.25}));
  for (int k = 0; k < 3; ++k) rotate(pack, 2, 90.0);
  CHECK(shapePackText(pack) == text);
  scale(pack, 2.0);
  CHECK(pack.particles[0].carried().given->volume == 16.0);
  CHECK(pack.particles[0].carried().given->inertia(0, 0) == 96.0);
  CHECK(pack.particles[0].carried().given->centre == Vec3(2, 4, 6));
  ShapePack other = packOf(text);
  const Mat3 before = other.particles[0].carried().given->inertia;
  rotate(other, 0, 33.0);
  const Mat3 turn = Eigen::AngleAxisd(33.0 * pi / 180.0, Vec3::UnitX()).toRotationMatrix();
  CHECK((other.particles[0].carried().given->inertia - turn * before * turn.transpose()).norm() <
        1e-14);
  other.cell = Vec3(9, 0, 0);
  tile(other, {2, 1, 1});
  CHECK(other.particles[1].carried().density == 3.0);
  CHECK(other.particles[1].carried().given->centre.x() == 10.0);
}

TEST_CASE("a radius rounds tetrahedra, and moves with scale", "[clump][carried]") {
  // A right tetrahedron swept by a ball: Steiner's formula V + S r + M r^2 + 4/3 pi r^3.
  const std::string text = "#@ id=0 radius=0.25\n0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n";
  ShapePack pack = packOf(text);
  CHECK(shapePackText(pack) == text);
  const double r = 0.25, area = 1.5 + std::sqrt(3.0) / 2.0;
  const double edges =
      3.0 * (pi / 2.0) + 3.0 * std::sqrt(2.0) * (pi - std::acos(1.0 / std::sqrt(3.0)));
  const double volume = 1.0 / 6.0 + area * r + 0.5 * edges * r * r + 4.0 / 3.0 * pi * r * r * r;
  const ParticleMass p = packMasses(pack)[0];
  CHECK(p.method == "exact");
  CHECK(p.solid.volume == Approx(volume).epsilon(1e-13));
  CHECK(p.boundRad == Approx(std::sqrt(2.0 / 3.0) + 0.25).epsilon(1e-12));
  scale(pack, 2.0);
  CHECK_THAT(shapePackText(pack), Contains("radius=0.5"));
  CHECK(packMasses(pack)[0].solid.volume == Approx(8.0 * volume).epsilon(1e-13));
}

TEST_CASE("tetrahedra of one particle may have different roundings", "[clump][carried]") {
  const std::string near = "0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n";
  const std::string far = "0 Tetra 9 0 0 1 9 0 0 10 0 0 9 1 0 9 0 1\n", ball = "0 Sphere 4 0 0 1\n";
  const auto volumeOf = [](const std::string& text) {
    return packMasses(packOf(text))[0].solid.volume;
  };
  const std::string both = "#@ id=0 radius=0.25,0.125\n" + near + ball + far;
  const ShapePack pack = packOf(both);
  CHECK(shapePackText(pack) == both);
  CHECK(volumeOf(both) == Approx(volumeOf("#@ id=0 radius=0.25\n" + near) + volumeOf(ball) +
                                 volumeOf("#@ id=0 radius=0.125\n" + far))
                              .epsilon(1e-12));
  CHECK(shapePackText(packOf("#@ id=0 radius=0.5,0.5\n" + near + far)) ==
        "#@ id=0 radius=0.5\n" + near + far);
  const std::string sharp = "#@ id=0 radius=0,0.5\n" + near + far;
  CHECK(shapePackText(packOf(sharp)) == sharp);
  // The same tetrahedron again, with less rounding, is inside the first.
  const ParticleMass inside = packMasses(packOf("#@ id=0 radius=0.25,0.125\n" + near + near))[0];
  CHECK(inside.solid.volume == Approx(volumeOf("#@ id=0 radius=0.25\n" + near))
                                   .epsilon(inside.bound ? inside.bound->volume : 1e-12));
  CHECK((!inside.bound || inside.bound->volume < 2e-5));
  CHECK_THROWS_WITH(packOf("#@ id=0 radius=1,2,3\n" + near + far), Contains("pack.txt:1:1: "));
  CHECK_THROWS_WITH(packOf("#@ id=0 radius=1,-2\n" + near + far), Contains("pack.txt:1:18: "));
}

TEST_CASE("markers of shared nodes count over the particle or over the line", "[clump][carried]") {
  const std::string two =
      "0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n"
      "0 Tetra 0 0 0 1 2 0 0 nan 0 0 3 1 1 nan nan 1\n";
  const ShapePack whole = packOf(two), lines = packOf(two, nullptr, SharedNodes::line);
  CHECK(whole.particles[0].members[1].nodes()[1] == Vec3(0, 0, 0));  // first of the particle
  CHECK(whole.particles[0].members[1].nodes()[3] == Vec3(1, 0, 0));
  CHECK(lines.particles[0].members[1].nodes()[1] == Vec3(2, 0, 0));  // first of the line
  CHECK(lines.particles[0].members[1].nodes()[3] == Vec3(3, 1, 1));
  // Written again, the markers mean the same nodes, now counted over the particle.
  const ShapePack again = packOf(shapePackText(lines));
  for (std::size_t k = 0; k < 4; ++k)
    CHECK(again.particles[0].members[1].nodes()[k] == lines.particles[0].members[1].nodes()[k]);
  CHECK_THROWS_WITH(packOf("0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n"
                           "0 Facet 0 0 0 1 nan nan 0 1 0 0 0 1 0 1\n",
                           nullptr, SharedNodes::line),
                    Contains("2:25") && Contains("nodes of this line"));
}

TEST_CASE("given mass properties of members that are not clumped have no effect",
          "[clump][carried]") {
  const std::string text =
      "#@ id=0 density=3 volume=1 position=0,0,0.4 inertia=1,1,1,0,0,0\n0u Sphere 0 0 0 1\n"
      "0u Sphere 0 0 1.2 0.8\n";
  std::vector<std::string> warnings;
  const ShapePack pack = packOf(text, &warnings);
  const auto masses = packMasses(pack);
  REQUIRE(masses.size() == 2);
  CHECK(masses[0].member == 0U);
  CHECK(masses[1].member == 1U);
  CHECK(masses[1].kind == "Sphere");
  const double second = 4.0 / 3.0 * pi * 0.512;
  CHECK(masses[1].solid.volume == Approx(second).epsilon(1e-14));
  CHECK(masses[1].density == 3.0);
  const auto names = particleNames();
  CHECK(particleNumbers(pack, Condition("volume", names))[0] ==
        Approx(4.0 / 3.0 * pi + second).epsilon(1e-14));
  CHECK(shapePackText(pack) == text);
  // A single shape is weighed as a whole, whatever its mark.
  const ShapePack single =
      packOf("#@ id=0 volume=1 position=0,0,0 inertia=1,1,1,0,0,0\n0u Sphere 0 0 0 1\n", &warnings);
  CHECK(warnings.empty());
  CHECK(packMasses(single).at(0).method == "given");
}

TEST_CASE("equivalent and bounding radii of particles", "[clump][carried]") {
  const auto radii = [](const std::string& text) {
    const ParticleMass p = packMasses(packOf(text))[0];
    return std::pair{p.equivRad(), p.boundRad};
  };
  CHECK(radii("0 Sphere 1 2 3 2").first == Approx(2.0).epsilon(1e-14));
  CHECK(radii("0 Sphere 1 2 3 2").second == Approx(2.0).epsilon(1e-14));
  CHECK(radii("0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n").second == Approx(1.5).epsilon(1e-14));
  CHECK(radii("0 Capsule 0 0 0 1.5 1 0 0").second == Approx(1.5).epsilon(1e-14));
  CHECK(radii("0 Ellipsoid 5 0 0 3 0 0 0 3 1 2").first == Approx(std::cbrt(6.0)).epsilon(1e-14));
  CHECK(radii("0 Ellipsoid 5 0 0 3 0 0 0 3 1 2").second == Approx(3.0).epsilon(1e-14));
  // A unit ball and an ellipsoid in line: from -1 to 6.
  CHECK(radii("0 Sphere 0 0 0 1\n0 Ellipsoid 4 0 0 2 0 0 0 2 1 1").second ==
        Approx(3.5).epsilon(1e-9));
  CHECK(radii("0 Tetra 0 0 0 9 0 0 0 1 0 0 0 1 0 0 0 1").second ==
        Approx(std::sqrt(2.0 / 3.0)).epsilon(1e-12));
  CHECK(radii("0 Facet 0 0 0 9 -1 0 0 1 0 0 0 0.5 0 0.75").second == Approx(1.25).epsilon(1e-12));

  // Random clumps with ellipsoids: no sampled surface point is outside, and the ball touches on all
  // sides.
  Rng rng(5);
  for (int trial = 0; trial < 50; ++trial) {
    const ShapePack pack = packOf(randomPackText(rng, false));
    for (const PackParticle& p : pack.particles) {
      const Ball ball = boundingBall(p.members);
      double reach = 0.0;
      for (const PackMember& m : p.members) {
        for (const Ball& part : hullBalls(m, Vec3::Zero()))
          reach = std::max(reach, (part.centre - ball.centre).norm() + part.radius);
        for (int k = 0; m.kind() == MemberType::Kind::ellipsoid && k < 400; ++k) {
          const Vec3 on = ellipsoidSemiAxes(m).cwiseProduct(rng.direction());
          const Vec3 point = m.centre + rotationMatrix(ellipsoidOrientation(m)) * on;
          reach = std::max(reach, (point - ball.centre).norm());
        }
      }
      CHECK(reach <= ball.radius * (1.0 + 1e-12));
      CHECK(reach >= ball.radius * 0.8);
    }
  }
}
