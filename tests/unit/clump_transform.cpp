// SPDX-License-Identifier: GPL-3.0-or-later
// Packs moved, turned, scaled, repeated and sorted: mass properties follow by the laws of rigid
// motion, and exact operations give back the same bits.
#include "catch.hpp"
#include "random_pack.hpp"

#include "scree/clump/pack_transform.hpp"

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
