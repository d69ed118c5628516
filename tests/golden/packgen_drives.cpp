// SPDX-License-Identifier: GPL-3.0-or-later
// Each drive that packgen writes runs under --strict and reaches what it was requested for; each
// law runs with the parameters that packgen gives it.
#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/shape_file.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

void writeShapes(const Folder& folder) {
  std::vector<shape::Shape> shapes{shape::makeSphere(0.2), shape::makeBox({0.2, 0.16, 0.14}, 0.03)};
  shapes[0].name = "Ball";
  shapes[1].name = "Brick";
  for (shape::Shape& s : shapes) mass::survey(s);
  folder.write("shapes.shp", shape::shapesText(shapes));
}

void mustRun(const Folder& folder, const std::string& command) {
  const Outcome outcome = run(folder, command);
  INFO(command << "\n" << outcome.err);
  REQUIRE(outcome.code == 0);
}

/// Rows of a table that a kind of extract prints, by columns of names.
std::vector<std::vector<double>> table(const Folder& folder, const std::string& command,
                                       std::vector<std::string> columns) {
  const Outcome outcome = run(folder, "extract " + command + " --format csv");
  INFO(command << "\n" << outcome.err);
  REQUIRE(outcome.code == 0);
  std::istringstream lines(outcome.out);
  std::string line, word;
  std::vector<std::size_t> places;
  std::vector<std::vector<double>> rows;
  while (std::getline(lines, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> words;
    std::istringstream cells(line);
    while (std::getline(cells, word, ',')) words.push_back(word);
    if (places.empty()) {
      for (const std::string& c : columns)
        places.push_back(
            static_cast<std::size_t>(std::find(words.begin(), words.end(), c) - words.begin()));
      continue;
    }
    std::vector<double> row;
    for (const std::size_t p : places) row.push_back(std::stod(words.at(p)));
    rows.push_back(row);
  }
  REQUIRE(!rows.empty());
  return rows;
}

}  // namespace

TEST_CASE("a triaxial test holds its pressure and strains at its rate",
          "[golden][packgen][drive]") {
  const Folder folder;
  writeShapes(folder);
  SECTION("in a periodic cell") {
    mustRun(folder,
            "packgen scatter --shapes shapes.shp --container periodic:0.95,0.95,0.95 --number 40 "
            "--mu 0.4 -q -o loose/conf0");
    mustRun(folder,
            "packgen compact loose/conf0 --pressure 2e4 --drive triaxial:2e4,0.03,0.03 -q "
            "-o t/conf0");
    CHECK(folder.has("t/drivingSystem.txt"));
    CHECK(folder.has("t/dataExtractors.txt"));
    mustRun(folder, "rockable t/conf0 --check --strict");
    mustRun(folder, "rockable t/conf0 --strict -q -o run");
    const auto rows = table(folder, "macro run", {"eyy", "sxx", "syy", "szz"});
    CHECK(rows.back()[0] == Approx(0.03).epsilon(1e-2));  // a cell keeps its rate
    CHECK(0.5 * (rows.back()[1] + rows.back()[3]) == Approx(2e4).epsilon(0.1));
    CHECK(rows.back()[2] > 1.5 * 2e4);  // friction holds it
  }
  SECTION("between walls") {
    // Rolling resistance ends the spin of a ball about its contact with a smooth wall.
    mustRun(folder,
            "packgen scatter --shapes shapes.shp:Ball --container box:0.95,0.95,0.95 --number 52 "
            "--gravity 0 0 0 --mu 0.4 --mu 0,1=0 --kr 100 --mur 0.02 -q -o loose/conf0");
    mustRun(folder,
            "packgen compact loose/conf0 --pressure 2e4 --drive triaxial:2e4,0.03,0.02 -q "
            "-o t/conf0");
    mustRun(folder, "rockable t/conf0 --check --strict");
    mustRun(folder, "rockable t/conf0 --strict -q -o run");
    const auto rows = table(folder, "macro run", {"eyy"});
    CHECK(rows.back()[0] == Approx(-std::log(1 - 0.02)).epsilon(1e-2));  // a wall its velocity
  }
}

TEST_CASE("isotropic, oedometric and sheared samples reach what was requested",
          "[golden][packgen][drive]") {
  const Folder folder;
  writeShapes(folder);
  SECTION("isotropic, after a change of the pressure") {
    mustRun(folder,
            "packgen scatter --shapes shapes.shp --container box:0.95,0.95,0.95 --number 50 "
            "--gravity 0 0 0 --mu 0,1=0 -q -o loose/conf0");
    mustRun(folder,
            "packgen compact loose/conf0 --pressure 1e4 --drive isotropic:2e4 --duration 0.5 "
            "-q -o t/conf0");
    mustRun(folder, "rockable t/conf0 --strict -q -o run");
    for (const auto& wall : table(folder, "walls t/conf0", {"pressure"}))
      CHECK(wall[0] == Approx(1e4).epsilon(0.02));
    CHECK(table(folder, "macro run", {"p"}).back()[0] == Approx(2e4).epsilon(0.05));
  }
  SECTION("oedometer in a cylinder") {
    mustRun(folder,
            "packgen scatter --shapes shapes.shp --container cylinder:0.45,1 --number 40 "
            "--gravity 0 0 0 -q -o loose/conf0");
    mustRun(folder,
            "packgen compact loose/conf0 --pressure 2e4 --axes y --drive oedometer:2e4 "
            "--duration 0.1 -q -o t/conf0");
    mustRun(folder, "rockable t/conf0 --strict -q -o run");
    const auto rows = table(folder, "walls run/conf50", {"wall", "fy"});
    CHECK(std::abs(rows.at(1)[1]) == Approx(2e4 * pi * 0.2025).epsilon(0.02));
  }
  SECTION("shear") {
    mustRun(folder,
            "packgen scatter --shapes shapes.shp --container periodic:0.85,0.85,0.85 --number 36 "
            "-q -o loose/conf0");
    mustRun(folder,
            "packgen compact loose/conf0 --pressure 2e4 --drive shear:2e4,0.1,0.1 -q -o t/conf0");
    mustRun(folder, "rockable t/conf0 --strict -q -o run");
    const auto rows = table(folder, "macro run", {"exy", "syy"});
    CHECK(std::abs(rows.back()[0]) == Approx(0.05).epsilon(0.1));  // half the angle 0.1
    CHECK(rows.back()[1] == Approx(2e4).epsilon(0.1));
  }
}

TEST_CASE("walls that press on all sides have no friction unless it is given",
          "[golden][packgen][drive]") {
  const Folder folder;
  writeShapes(folder);
  const auto muOfWalls = [&](const std::string& options) {
    mustRun(folder,
            "packgen scatter --shapes shapes.shp --container box:1,1,1 --number 20 --mu 0.3 "
            "--gravity 0 0 0 -q --force -o made/conf0 --drive " +
                options);
    const std::string text = folder.read("made/conf0");
    return std::stod(text.substr(text.find("muContact 0 1 ") + 14));
  };
  CHECK(muOfWalls("isotropic") == 0.0);
  CHECK(muOfWalls("triaxial:1e4") == 0.0);
  CHECK(muOfWalls("isotropic --mu 1,0=0.2") == 0.2);
  CHECK(muOfWalls("oedometer") == 0.3);
}

TEST_CASE("a drive without a pressure takes that of the packing", "[golden][packgen][drive]") {
  const Folder folder;
  writeShapes(folder);
  mustRun(folder,
          "packgen scatter --shapes shapes.shp:Ball --container periodic:0.85,0.85,0.85 --number "
          "40 --mu 0 -q -o loose/conf0");
  mustRun(folder, "packgen compact loose/conf0 --pressure 3e4 --drive triaxial -q -o t/conf0");
  CHECK_THAT(folder.read("t/drivingSystem.txt"), Contains("TriaxialCompression Y 30000 "));
}

TEST_CASE("a triaxial test between smooth walls overlaps by less than 1 %",
          "[golden][packgen][drive]") {
  const Folder folder;
  writeShapes(folder);
  mustRun(folder,
          "packgen fill --shapes shapes.shp:Brick --container box:0.75,0.75,0.75 --solid-fraction "
          "0.4 --gravity 0 0 0 --mu 0,1=0 --seed 4 -q -o loose/conf0");
  mustRun(folder, "packgen compact loose/conf0 --pressure 1e4 --drive triaxial:1e4 -q -o t/conf0");
  mustRun(folder, "rockable t/conf0 --strict -q -o run");
  CHECK(parseJson(folder.read("run/run.json")).at("quality").at("largestOverlap") < 0.01);
}

TEST_CASE("a drum turns and a box vibrates as requested", "[golden][packgen][drive]") {
  const Folder folder;
  writeShapes(folder);
  SECTION("a drum: wall and ends turn") {
    mustRun(folder,
            "packgen scatter --shapes shapes.shp --container drum:0.6,0.6 --number 25 "
            "--drive drum:1.5 --duration 0.2 -q -o t/conf0");
    CHECK_THAT(folder.read("t/conf0"), Contains("#scree boundaryMotion 0 0 0 0 0 0 1.5"));
    CHECK_THAT(folder.read("t/drivingSystem.txt"), Contains("Control _zrot_Vel_ 1 1.5"));
    mustRun(folder, "rockable t/conf0 --check --strict");
    mustRun(folder, "rockable t/conf0 --strict -q -o run");
    const auto rows = table(folder, "bodies run/conf50 --driven", {"id", "wz"});
    CHECK(rows.at(0)[1] == Approx(1.5));
  }
  SECTION("a box that shakes") {
    mustRun(folder,
            "packgen scatter --shapes shapes.shp --container box:1,1,1 --number 20 "
            "--drive vibration:0.01,10 --duration 0.125 --interconf 0.025 -q -o t/conf0");
    mustRun(folder, "rockable t/conf0 --strict -q -o run");
    const auto rows = table(folder, "bodies run --driven --select 'id == 2'", {"t", "y"});
    for (const auto& row : rows)  // the wall y-
      CHECK(row[1] - rows.front()[1] == Approx(0.01 * std::sin(2 * pi * 10 * row[0])).margin(1e-6));
  }
}

TEST_CASE("every law runs with the parameters that packgen gives it", "[golden][packgen][laws]") {
  const Folder folder;
  writeShapes(folder);
  const Outcome list = run(folder, "rockable --list laws --json");
  REQUIRE(list.code == 0);
  std::vector<std::string> names;
  const json listed = parseJson(list.out);
  for (const json& law : listed.at("laws")) names.push_back(law.at("name"));
  REQUIRE(names.size() >= 6);
  for (const std::string& name : names) {
    INFO(name);
    mustRun(folder, "packgen scatter --shapes shapes.shp --container box:1,1,1 --number 25 --law " +
                        name + " -q -o " + name + "/conf0");
    mustRun(folder, "rockable " + name + "/conf0 --check --strict");
    mustRun(folder, "rockable " + name + "/conf0 --steps 2000 --strict -q -o run-" + name);
    const json quality = parseJson(folder.read("run-" + name + "/run.json"));
    CHECK(quality.at("quality").at("largestOverlap") < 0.01);
  }
  mustRun(folder,
          "packgen scatter --shapes shapes.shp --container box:1,1,1 --number 5 --law HertzMindlin "
          "--young 5e7 --young 0=1e8 --poisson 0.2 -q -o own/conf0");
  CHECK_THAT(folder.read("own/conf0"),
             Contains("youngModulus 0 1e+08") && Contains("poissonRatio 1 0.2"));
  mustRun(folder,
          "packgen scatter --shapes shapes.shp --container box:1,1,1 --number 5 --law StickedLinks "
          "--bond knInnerBond=2e6 --bond fn0InnerBond:1,1=900 -q -o glued/conf0");
  CHECK_THAT(folder.read("glued/conf0"),
             Contains("knInnerBond 1 1 2e+06") && Contains("fn0InnerBond 1 1 900"));
}

TEST_CASE("settle writes what rockable goes on from, and nothing where bodies do not rest",
          "[golden][packgen][settle]") {
  const Folder folder;
  writeShapes(folder);
  mustRun(folder,
          "packgen scatter --shapes shapes.shp:Brick --container box:0.8,1.2,0.8 --number 24 -q "
          "-o loose/conf0");
  CHECK(run(folder, "packgen settle loose/conf0 --until-rest --until 0.05 -q -o e/conf0").code ==
        3);
  CHECK_FALSE(folder.has("e"));
  const Outcome settled =
      run(folder, "packgen settle loose/conf0 --until-rest --json -q -o heap/conf3");
  INFO(settled.err);
  REQUIRE(settled.code == 0);
  const json report = parseJson(settled.out);
  CHECK(report.at("atRest") == true);
  CHECK(report.at("overlap") < 0.01);
  mustRun(folder, "rockable heap/conf3 --check --strict");
  mustRun(folder, "rockable heap/conf3 --steps 1000 --strict -q -o run");
}
