// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that set velocities, sizes and copies, read anywhere in a file and carried out in order.
#include "catch.hpp"
#include "conf_text.hpp"

#include "scree/sim/io/commands.hpp"

#include <cmath>
#include <set>
#include <string>

using namespace scree;
using namespace scree::sim;
using Catch::Contains;

namespace {

/// Bodies of clusters 0, 0, 1, 1, 2, ...; the first is driven.
Conf done(const std::string& commands, int bodies, std::uint64_t seed = 0,
          Diagnostics* diagnostics = nullptr) {
  std::string text = "Rockable 21-08-2022\nnDriven 1\nshapeFile a.shp\n" + commands + "Particles " +
                     std::to_string(bodies) + "\n";
  for (int k = 0; k < bodies; ++k)
    text += "Ball 0 " + std::to_string(k / 2) + " 1 " + std::to_string(k) +
            " 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n";
  Diagnostics strict(true);
  Conf conf = samples::read(text, strict);
  conf.seed = seed;
  runCommands(conf, {}, diagnostics ? *diagnostics : strict);
  return conf;
}

const std::string twoBodiesTail =
    "shapeFile a.shp\nParticles 2\n" + samples::bodyLine + samples::bodyLine;

Conf prepared(const std::string& text) {
  Diagnostics strict(true);
  Conf conf = samples::read(text, strict);
  runCommands(conf, {}, strict);
  return conf;
}

}  // namespace

TEST_CASE("randomlyOrientedVelocities is uniform on the sphere and can be drawn again",
          "[sim][command]") {
  constexpr int n = 20000;
  Diagnostics notes;
  const Conf conf = done("randomlyOrientedVelocities 2\n", n, 7, &notes);
  CHECK(conf.drewLots);
  REQUIRE(notes.notes().size() == 1);
  CHECK_THAT(notes.notes()[0], Contains("seed 7"));
  CHECK(conf.particles[0].vel == Vec3::Zero());  // driven
  Vec3 sum = Vec3::Zero();
  Mat3 square = Mat3::Zero();
  for (int k = 1; k < n; ++k) {
    const Vec3& v = conf.particles[static_cast<std::size_t>(k)].vel;
    REQUIRE(v.norm() == Approx(2.0).epsilon(1e-15));
    sum += v / 2.0;
    square += v * v.transpose() / 4.0;
  }
  // Mean 0 with deviation sqrt(1/3n); mean square 1/3 with sqrt(4/45n): five deviations.
  const double count = n - 1;
  CHECK(sum.cwiseAbs().maxCoeff() / count < 5.0 * std::sqrt(1.0 / 3.0 / count));
  CHECK((square / count - Mat3::Identity() / 3.0).cwiseAbs().maxCoeff() <
        5.0 * std::sqrt(4.0 / 45.0 / count));

  CHECK(confText(done("randomlyOrientedVelocities 2\n", n, 7)) == confText(conf));
  CHECK(done("randomlyOrientedVelocities 2\n", n, 8).particles[5].vel != conf.particles[5].vel);
  // A second command draws again.
  CHECK(
      done("randomlyOrientedVelocities 2\nrandomlyOrientedVelocities 2\n", n, 7).particles[5].vel !=
      conf.particles[5].vel);
}

TEST_CASE("randomlyOrientedVelocitiesClusters has one direction a cluster", "[sim][command]") {
  const Conf conf = done("randomlyOrientedVelocitiesClusters 3 1\n", 400);
  for (std::size_t k = 2; k < 400; k += 2) {
    REQUIRE(conf.particles[k].vel == conf.particles[k + 1].vel);
    REQUIRE(conf.particles[k].vel.norm() == Approx(3.0).epsilon(1e-15));
    REQUIRE(conf.particles[k].vel.y() <= 0.0);
    if (k > 2) REQUIRE(conf.particles[k].vel != conf.particles[k - 2].vel);
  }
  const Conf up = done("randomlyOrientedVelocitiesClusters 3 0\n", 400);
  int rising = 0;
  for (std::size_t k = 2; k < 400; k += 2) rising += up.particles[k].vel.y() > 0.0;
  CHECK(std::abs(rising - 100) < 5 * 7);  // half of 199, deviation 7.05
  CHECK_THROWS_AS(done("randomlyOrientedVelocitiesClusters 3 2\n", 4), ParseError);
}

TEST_CASE("homothetyRange draws sizes between its bounds for the bodies it names",
          "[sim][command]") {
  const Conf conf = done("homothetyRange 10 1009 0.5 2 3\n", 1200);
  double sum = 0.0;
  for (std::size_t k = 0; k < 1200; ++k) {
    const double h = conf.particles[k].homothety;
    if (k < 10 || k > 1009) {
      REQUIRE(h == 1.0);
      continue;
    }
    REQUIRE((h >= 0.5 && h < 2.0));
    sum += h;
  }
  CHECK(sum / 1000.0 == Approx(1.25).margin(5.0 * 1.5 / std::sqrt(12.0 * 1000.0)));
  CHECK(done("homothetyRange 10 1009 0.5 2 4\n", 1200).particles[10].homothety !=
        conf.particles[10].homothety);
  for (const char* bad : {"0 1200 0.5 2 3\n", "5 4 0.5 2 3\n", "0 4 2 0.5 3\n", "0 4 0 0.5 3\n"})
    CHECK_THROWS_AS(done(std::string("homothetyRange ") + bad, 1200), ParseError);
}

TEST_CASE("particlesClonage copies bodies into clusters of their own", "[sim][command]") {
  const Conf conf = done("particlesClonage 3 6 0.5 1 2\n", 8);
  REQUIRE(conf.particles.size() == 12);
  // Bodies 3 to 6 are of clusters 1, 2, 2, 3; the largest there is is 3.
  const std::int32_t clusters[] = {4, 5, 5, 6};
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(conf.particles[8 + k].cluster == clusters[k]);
    CHECK(conf.particles[8 + k].pos == conf.particles[3 + k].pos + Vec3(0.5, 1, 2));
  }
  // Copies of copies: still no number twice.
  const Conf twice = done("particlesClonage 1 7 9 0 0\nparticlesClonage 1 14 0 9 0\n", 8);
  std::set<std::int32_t> used;
  for (const ParticleRecord& p : twice.particles) used.insert(p.cluster);
  CHECK(twice.particles.size() == 8 + 7 + 14);
  CHECK(used.size() == 4 + 4 + 8);
  Diagnostics lenient;
  done("particlesClonage 0 1 1 0 0\n", 8, 0, &lenient);
  REQUIRE(lenient.warnings().size() == 1);
  CHECK_THAT(lenient.warnings()[0], Contains("driven bodies (1 of them)"));
}

TEST_CASE("commands are carried out in the order of the file, after all of it is read",
          "[sim][command]") {
  // Before the bodies are listed, with arguments over two lines, and a comment behind it.
  const Conf conf = prepared("Rockable 21-08-2022\nsetAllVelocities 1 2\n 3 # remark\nnDriven 1\n" +
                             twoBodiesTail + "setAllVelocities 4 5 6\n");
  CHECK(conf.commands.empty());
  CHECK(conf.particles[0].vel == Vec3::Zero());
  CHECK(conf.particles[1].vel == Vec3(4, 5, 6));
  CHECK(confText(conf).find("setAllVelocities") == std::string::npos);
}
