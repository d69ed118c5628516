// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"

#include "scree/base/math.hpp"

#include <cmath>
#include <string>

using namespace scree;
using Catch::Contains;

namespace {

/// The result of `clumpify mass` on a text: JSON, or where it fails the code alone.
struct Weighed {
  int code = -1;
  std::string err;
  nlohmann::json json;
  std::string methods() const {
    std::string out;
    for (const auto& p : json["particles"]) out += p["method"].get<std::string>() + " ";
    return out;
  }
};
Weighed mass(const std::string& text, const std::string& words) {
  const testing::Folder folder;
  folder.write("pack.txt", text);
  const testing::Outcome o = testing::run(folder, "clumpify mass pack.txt --json -v " + words);
  return {o.code, o.err, o.code == 0 ? testing::parseJson(o.out) : nlohmann::json()};
}

}  // namespace

TEST_CASE("clumpify mass prints the keys and numbers of its schema", "[clumpify]") {
  const testing::Folder folder;
  folder.write("pack.txt", "0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n1 Capsule 0 0 0 1.5 0 0 1\n");
  const std::string command = "clumpify mass pack.txt --density 1000";
  const auto json = testing::parseJson(testing::run(folder, command + " --json").out);
  CHECK(json["schema"] == 1);
  REQUIRE(json["particles"].size() == 2);
  const auto& clump = json["particles"][0];
  CHECK(clump["kind"] == "clump");
  CHECK(clump["spheres"] == 2);
  CHECK(clump["method"] == "exact-union");
  CHECK(clump["mass"].get<double>() == Approx(5890.486225).epsilon(1e-9));
  CHECK(clump["centre"][2].get<double>() == Approx(0.383333333).epsilon(1e-8));
  REQUIRE(clump["inertiaTensor"].size() == 9);
  CHECK(clump["inertiaTensor"][8].get<double>() == Approx(2157.390580).epsilon(1e-9));
  CHECK(clump["principal"][0].get<double>() == Approx(4181.836158).epsilon(1e-9));
  CHECK(clump["orientation"] == nlohmann::json({1.0, 0.0, 0.0, 0.0}));
  CHECK(clump["boundRad"].get<double>() == Approx(1.5).epsilon(1e-13));
  CHECK(clump["equivRad"].get<double>() ==
        Approx(std::cbrt(0.75 * 5.890486225 / pi)).epsilon(1e-9));
  CHECK(json["particles"][1]["kind"] == "Capsule");
  CHECK_THAT(testing::run(folder, command).out, Contains("exact-union"));
}

TEST_CASE("clumpify mass lists all methods, and keeps a density that a particle carries",
          "[clumpify]") {
  const Weighed all =
      mass("#@ id=0 density=3\n0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n1 Sphere 9 0 0 1\n",
           "--method all --density 7");
  CHECK(all.methods() == "exact-union sum grid octree exact grid octree ");
  CHECK(all.json["particles"][0]["density"] == 3.0);
  CHECK(all.json["particles"][4]["density"] == 7.0);
  CHECK(all.json["particles"][0]["mass"].get<double>() == Approx(3 * 5.890486225).epsilon(1e-9));
}

TEST_CASE("clumpify mass --method all leaves out what does not apply to one particle",
          "[clumpify]") {
  const std::string pack = "0 Sphere 0 0 0 1\n1 Capsule 9 0 0 1.0000001 1 0 0\n";
  const Weighed all = mass(pack, "--method all --strict");
  CHECK(all.methods() == "exact grid octree exact ");
  CHECK_THAT(all.err, Contains("grid: left out") && Contains("first: particle 1 (line 2)"));
  CHECK(mass(pack, "--method grid").code == 3);
}
