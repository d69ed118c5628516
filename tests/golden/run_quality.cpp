// SPDX-License-Identifier: GPL-3.0-or-later
// The figures and findings of a run: how well it has kept what must be kept.
#include "catch.hpp"
#include "paths.hpp"
#include "run_cases.hpp"

#include "scree/base/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

void writeBallOfStiffness(const Folder& folder, const std::string& stiffness) {
  writeCase(folder,
            with(with(fallingBall("0.01"), "knContact 0 0 1e5", "knContact 0 0 " + stiffness),
                 "tmax 0.1", "tmax 0.4"));
}

/// Largest |residual| over exchanged of the lines of energy.txt.
double largestResidual(const std::string& file) {
  const Table table = readTable(file);
  double most = 0.0;
  for (std::size_t k = 0; k < table.rows.size(); ++k)
    if (const double exchanged = table.number(k, "exchanged"); exchanged > 0.0)
      most = std::max(most, std::abs(table.number(k, "residual")) / exchanged);
  return most;
}

}  // namespace

TEST_CASE("the largest overlap counts the state at the start", "[golden][run][quality]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  // The ball would touch the plate at 0.15. It leaves by a quarter of the overlap before the next
  // check.
  folder.write("case.conf", with(fallingBall("0.01"), "0 0.152 0", "0 0.06 0"));
  const Outcome outcome = run(folder, "rockable case.conf -o out --steps 300");
  INFO(outcome.err);
  CHECK_THAT(outcome.err, Contains("largest overlap 45 % of a size"));
  const double largest = report(folder, "out")["quality"]["largestOverlap"].get<double>();
  CHECK(std::abs(largest - 0.09 / 0.2) < 1e-12);
}

TEST_CASE("a run ends with its figures, in a line and in run.json", "[golden][run][quality]") {
  const Folder folder;
  writeBallOfStiffness(folder, "1e6");
  const Outcome whole = run(folder, "rockable case.conf -o out");
  INFO(whole.err);
  REQUIRE(whole.code == 0);
  const json quality = report(folder, "out")["quality"];
  CHECK(quality["withinBounds"] == true);
  CHECK(quality["skinViolations"] == 0);
  // Each line of energy.txt is of a look; others lie between.
  CHECK(quality["energyResidual"].get<double>() >=
        largestResidual(folder.path("out/energy.txt")) * (1.0 - 1e-12));
  // A fall of 2 mm and the weight press a spring by (m g/k)(1 + sqrt(1 + 2 k h/(m g))) at most.
  const double mg = 0.004188790204786391 * 2600 * 10, k = 1e6,
               deepest = mg / k * (1.0 + std::sqrt(1.0 + 2.0 * k * 0.002 / mg));
  CHECK(quality["largestOverlap"].get<double>() > 0.0);
  CHECK(quality["largestOverlap"].get<double>() <= deepest / 0.2);
  CHECK_THAT(whole.err, Contains("energy residual ") && Contains(", energy gain ") &&
                            Contains(", largest overlap ") && Contains(", skin violations 0"));
}

TEST_CASE("with --strict a figure beyond its bound ends a run with 3, after saving",
          "[golden][run][quality]") {
  const Folder folder;
  writeBallOfStiffness(folder, "1e4");  // the ball sinks in by 5 % of its size
  CHECK(run(folder, "rockable case.conf -o lax -q").code == 0);
  const json lax = report(folder, "lax")["quality"];
  CHECK(lax["withinBounds"] == false);
  CHECK(lax["largestOverlap"].get<double>() > 0.01);
  const Outcome strict = run(folder, "rockable case.conf -o out --strict --done done.json");
  CHECK(strict.code == 3);
  CHECK(report(folder, "out")["status"] == "tmax");
  CHECK(folder.has("done.json"));
  CHECK(folder.read("out/conf40") == folder.read("lax/conf40"));
  // What was beyond a bound before a run was stopped counts for the resumed one.
  CHECK(run(folder, "rockable case.conf -o parts -q --steps 3800").code == 0);
  CHECK(run(folder, "rockable case.conf -o parts -q --resume --strict").code == 3);
  CHECK(report(folder, "parts")["quality"] == lax);
  // A run that is done stays one that went wrong.
  for (const char* const done : {"out", "lax", "parts"}) {
    INFO(done);
    const std::string again = std::string("rockable case.conf --resume -o ") + done;
    CHECK(run(folder, again).code == 0);
    const Outcome refused = run(folder, again + " --strict");
    CHECK(refused.code == 3);
    CHECK_THAT(refused.err, Contains("under --strict"));
  }
}

TEST_CASE("a stop adds no check of the energy", "[golden][run][quality]") {
  const Folder folder;
  // Bonded blocks that begin to bend: in the first steps little energy is exchanged.
  const std::string beam = goldenFolder() + "/../../data/beam/conf0";
  REQUIRE(run(folder, "rockable " + beam + " -o whole -q").code == 0);
  const auto residual = [&](const char* out) {
    return report(folder, out)["quality"]["energyResidual"];
  };
  REQUIRE(run(folder, "rockable " + beam + " -o parts -q --steps 10").code == 0);
  CHECK(residual("parts").is_null());
  for (const char* steps : {"0", "0", "60", "1", "0", "129", "0"})
    REQUIRE(run(folder, "rockable " + beam + " -o parts -q --resume --steps " + steps).code == 0);
  const Outcome end = run(folder, "rockable " + beam + " -o parts --resume --strict");
  INFO(end.err);
  CHECK(end.code == 0);
  CHECK(residual("parts") == residual("whole"));
}

TEST_CASE("a run whose bodies fall for ever ends with 3, also past a wall that stands upright",
          "[golden][run][quality]") {
  const Folder folder;
  writeCase(folder, with(ballConf,
                         "nDriven 1\nshapeFile shapes.shp\nParticles 2\n"
                         "Plan 0 0 1 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n",
                         "nDriven 0\n#scree boundary plane -1 0 0 1 0 0 0\nshapeFile shapes.shp\n"
                         "Particles 1\n"));
  const Outcome fall = run(folder, "rockable case.conf -o out -q");
  CHECK(fall.code == 3);
  CHECK_THAT(fall.err, Catch::Contains("fall for ever"));
  CHECK(folder.has("out/conf5"));
}

TEST_CASE("energy that too long a step makes is a finding", "[golden][run][quality]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  const auto ball = [](const std::string& dt) {
    std::string text = with(fallingBall("1", dt), "tmax 0.1", "tmax 40");
    text = with(with(text, "gravity 0 -10 0", "gravity 0 -0.05 0"), "en2Contact 0 0 0.25",
                "en2Contact 0 0 1");
    return with(text, "0 0.152 0 0.5", "0 0.16 0 0");
  };
  // Of the critical step 2 √(m/kn) = 0.0209 this is 0.86. The ball rises to ten times its height,
  // and the budget closes.
  folder.write("long.conf", ball("0.018"));
  const Outcome strict = run(folder, "rockable long.conf -o out --strict");
  CHECK(strict.code == 3);
  CHECK_THAT(strict.err, Contains("dt = 0.018 gives 1.8 steps to the shortest contact"));
  const Outcome outcome = run(folder, "rockable long.conf -o out");
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, Contains("warning: contacts have made energy: "));
  const json quality = report(folder, "out")["quality"];
  CHECK(quality["withinBounds"] == false);
  CHECK(quality["energyResidual"].get<double>() < 1e-9);
  CHECK(quality["energyGain"].get<double>() > 0.1);
  // The ball starts at rest, and falls by 1 cm with a weight of 0.54.
  const double mg = 0.004188790204786391 * 2600 * 0.05;
  CHECK(quality["energySupplied"].get<double>() > 0.0);
  CHECK(quality["energySupplied"].get<double>() < 0.012 * mg);
  // Steps of a fiftieth of the contact.
  folder.write("short.conf", with(ball("6e-4"), "tmax 40", "tmax 4"));
  REQUIRE(run(folder, "rockable short.conf -o fine -q --strict").code == 0);
  CHECK(report(folder, "fine")["quality"]["energyGain"].get<double>() < 0.01);
}

TEST_CASE("a state whose gravity or density was edited is no finding", "[golden][run][quality]") {
  const Folder folder;
  writeBallOfStiffness(folder, "1e6");
  REQUIRE(run(folder, "rockable case.conf -o out -q").code == 0);
  const std::string state = folder.read("out/conf40");
  REQUIRE_THAT(state, Contains("#scree held "));
  for (const auto& [from, to] : {std::pair("gravity 0 -10 0", "gravity 4 -9 0"),
                                 std::pair("density 0 2600", "density 0 1000")}) {
    INFO(to);
    folder.write("out/edited.conf", with(with(state, from, to), "tmax 0.4", "tmax 0.8"));
    const Outcome o = run(folder, "rockable out/edited.conf -o edited --strict --force");
    INFO(o.err);
    CHECK(o.code == 0);
    CHECK_THAT(o.err, Contains("the balance takes this as work"));
    CHECK(report(folder, "edited")["quality"]["energyResidual"].get<double>() < 1e-3);
  }
  folder.write("out/same.conf", with(state, "tmax 0.4", "tmax 0.8"));
  const Outcome same = run(folder, "rockable out/same.conf -o same --strict");
  CHECK(same.code == 0);
  CHECK_THAT(same.err, !Contains("as work"));
}

TEST_CASE("energies that are rounding alone are no fault", "[golden][run][quality]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  // Two balls in a row that touch by some roundings of their places, without weight.
  std::string text =
      with(with(fallingBall("0.1"), "0 -10 0", "0 0 0"), "en2Contact 0 0 0.25", "en2Contact 0 0 1");
  text = with(with(text, "nDriven 1", "nDriven 0"), "tmax 0.1", "tmax 0.5");
  text.resize(text.find("Particles"));
  text += "Particles 3\n";
  for (const char* x : {"0.1", "0.2999999999999999", "0.4999999999999998"})
    text += fmt::format("Ball 0 0 1 {} 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n", x);
  folder.write("case.conf", text);
  const Outcome end = run(folder, "rockable case.conf -o out --strict");
  INFO(end.err);
  CHECK(end.code == 0);
  CHECK(report(folder, "out")["quality"]["energyResidual"].is_null());
}

TEST_CASE("findings are printed once, also with --quiet, and stay findings after a stop",
          "[golden][run][quality]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  folder.write("fast.conf", with(fallingBall("0.01"), "0.152 0 0.5 0", "0.152 0 0.5 -2"));
  const Outcome whole = run(folder, "rockable fast.conf -o whole -q --strict");
  CHECK(whole.code == 3);
  const std::size_t at = whole.err.find("warning: overlaps of up to ");
  REQUIRE(at != std::string::npos);
  CHECK(whole.err.find("overlaps of up to ", at + 20) == std::string::npos);
  CHECK_THAT(whole.err, Contains("1 finding about the run, errors under --strict\n"));
  REQUIRE(run(folder, "rockable fast.conf -o out -q --steps 400").code == 0);
  CHECK(run(folder, "rockable fast.conf -o out -q --resume --strict").code == 3);
  CHECK(report(folder, "whole")["findings"].size() == 1);
  CHECK(report(folder, "out")["findings"] == report(folder, "whole")["findings"]);
  CHECK(report(folder, "out")["watch"] == report(folder, "whole")["watch"]);
  // Also where nothing more is found.
  folder.write("slow.conf", fallingBall("0.01"));
  REQUIRE(run(folder, "rockable slow.conf -o slow -q --steps 400").code == 0);
  nlohmann::json record = report(folder, "slow");
  record["watch"]["leap"] = {{"looks", 3}, {"worst", 0.25}, {"time", 0.01}, {"i", 1}, {"j", 1}};
  folder.write("slow/run.json", record.dump());
  const Outcome resumed = run(folder, "rockable slow.conf -o slow --resume --strict");
  CHECK(resumed.code == 3);
  CHECK_THAT(resumed.err, Contains("bodies move by 0.25 times their size in a step"));
}

TEST_CASE("a run whose energy is wrong ends with 3 after saving", "[golden][run][quality]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  // Three steps in a contact, by an explicit method: the spring gives back more than it took.
  folder.write("coarse.conf",
               with(with(fallingBall("0.01"), "knContact 0 0 1e5", "knContact 0 0 2e7"),
                    "nDriven 1", "Integrator Euler\nnDriven 1"));
  for (const std::string again : {"", " --resume"}) {
    const Outcome end = run(folder, "rockable coarse.conf -o out -q --done done" + again);
    INFO(again << "\n" << end.err);
    CHECK(end.code == 3);
    CHECK_THAT(end.err, Contains("error: coarse.conf: the energy residual is "));
    CHECK(report(folder, "out")["status"] == "tmax");
    CHECK_THAT(report(folder, "out")["fault"].get<std::string>(), Contains("energy residual is "));
    CHECK(folder.has("out/conf10"));
    CHECK(folder.has("done"));
  }
}

TEST_CASE("a short contact between two conf-files is not missed", "[golden][run][quality]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  // A ball of 10.9 kg falls by 0.15 onto a spring of 1e4: a contact of 52 steps, from step 87 on.
  // The run has 190.
  const auto ball = [](const std::string& interConf) {
    return with(with(with(fallingBall(interConf, "2e-3"), "knContact 0 0 1e5", "knContact 0 0 1e4"),
                     "tmax 0.1", "tmax 0.38"),
                "0 0.152 0 0.5", "0 0.3 0 0");
  };
  folder.write("rare.conf", ball("1"));
  folder.write("often.conf", ball("2e-3"));
  const Outcome rare = run(folder, "rockable rare.conf -o rare --strict");
  INFO(rare.err);
  CHECK(rare.code == 3);
  CHECK(run(folder, "rockable often.conf -o often -q --strict").code == 3);
  const json few = report(folder, "rare")["quality"], all = report(folder, "often")["quality"];
  CHECK(all["largestOverlap"].get<double>() > 0.2);
  CHECK(few["largestOverlap"].get<double>() > 0.8 * all["largestOverlap"].get<double>());
  CHECK(few["checks"].get<int>() >= 9);
  CHECK(few["checks"].get<int>() < 15);
  CHECK(all["checks"].get<int>() >= 190);
  CHECK_THAT(rare.err, Contains(" of a size in " + few["checks"].dump() + " checks, "));
  // A stop during the contact, at a check that is due.
  CHECK(run(folder, "rockable rare.conf -o parts -q --steps 120").code == 0);
  CHECK(run(folder, "rockable rare.conf -o parts -q --resume --strict").code == 3);
  CHECK(report(folder, "parts")["quality"]["largestOverlap"] == few["largestOverlap"]);
  CHECK(report(folder, "parts")["quality"]["checks"] == few["checks"]);
  CHECK(report(folder, "parts")["stateHash"] == report(folder, "often")["stateHash"]);
}

TEST_CASE("a run that failed is not within bounds", "[golden][run][quality]") {
  const Folder folder;
  writeCase(folder, with(with(fallingBall("0.1"), "knContact 0 0 1e5", "knContact 0 0 1e300"),
                         "0 0.152 0 0.5", "0 0.149 0 0.5"));
  const Outcome end = run(folder, "rockable case.conf -o out");
  INFO(end.err);
  CHECK(end.code == 3);
  CHECK_THAT(end.err, Contains("NaN or infinite") && Contains("until it failed: energy residual "));
  CHECK(report(folder, "out")["status"] == "failed");
  CHECK(report(folder, "out")["quality"]["withinBounds"] == false);
}

TEST_CASE("the run monitor reports deep overlaps and of bodies inside each other",
          "[golden][rockable]") {
  const Folder folder;
  // Dropped at 5 m/s. Undamped, it would go in by v sqrt(m/kn) = 5.2 cm, more than the two radii of
  // a ball and a plate of 5 mm.
  writeCase(folder,
            with(with(ballConf, "0.5 0 0", "0 -5 0"), "knContact 0 0 1e5", "knContact 0 0 1e4"));
  const Outcome deep = run(folder, "rockable case.conf -o out");
  REQUIRE(deep.code == 0);
  CHECK_THAT(deep.err, Contains("overlaps of up to"));
  CHECK(report(folder, "out")["findings"].size() >= 1);
  CHECK(run(folder, "rockable case.conf -o out --strict").code == 3);
  writeCase(folder, with(ballConf, "knContact 0 0 1e5", "knContact 0 0 1e7"));
  const Outcome fine = run(folder, "rockable case.conf -o fine --strict");
  INFO(fine.err);
  CHECK(fine.code == 0);
  CHECK(report(folder, "fine")["findings"].empty());
}

TEST_CASE("the run monitor reports bodies that can pass through each other in a step",
          "[golden][rockable]") {
  const Folder folder;
  // At 2000 m/s a step of 1e-4 s is 20 cm, more than ball and plate are rounded by together. It is
  // through before any look.
  writeCase(folder, with(ballConf, "0.5 0 0", "0 -2000 0"));
  const Outcome fast = run(folder, "rockable case.conf -o fast");
  REQUIRE(fast.code == 3);  // the ball is below the plate at the end
  INFO(fast.err);
  CHECK_THAT(fast.err, Contains("near bodies move by 1.33 times their rounding in a step") &&
                           Contains("(bodies 0 and 1 at t = 0.000"));
  // At 40 cm a step it is never so near as lists look: 5 cm above the plate, then 5 cm below.
  writeCase(folder, with(with(ballConf, "0.5 0 0", "0 -4000 0"), "0 0.152 0", "0 0.6 0"));
  CHECK_THAT(run(folder, "rockable case.conf -o leap").err,
             Contains("bodies move by 2 times their size in a step") && Contains("(body 1 at"));
  // Sharper than a step is long, but high above the plate: nothing to tell. On its way down, when
  // the plate is nearer than the step is long, there is.
  REQUIRE(
      run(folder, "shapeSurvey make box --size 0.2 0.2 0.2 --radius 0.001 -q -o box.shp").code ==
      0);
  writeCase(folder, with(with(ballConf, "Ball 0", "Box 0"), "0.5 0 0", "0 -40 0"));
  folder.write("shapes.shp",
               with(ballAndPlate, "radius 0.05", "radius 0.001") + folder.read("box.shp"));
  const Outcome near = run(folder, "rockable case.conf -o near --steps 20");
  INFO(near.err);
  CHECK_THAT(near.err, Contains("times their rounding in a step"));
  folder.write("case.conf", with(folder.read("case.conf"), "0 0.152 0", "0 1.152 0"));
  CHECK_THAT(run(folder, "rockable case.conf -o high --steps 20").err, !Contains("rounding"));
}

TEST_CASE("periods in which the lists of --compat rockable may miss contacts are counted",
          "[golden][rockable][compat]") {
  const Folder folder;
  // Lists are made each second, when the ball is ten times as high above the plate as they look. At
  // 5 m/s it is there after 20 ms and falls through.
  writeCase(
      folder,
      with(with(with(with(ballConf, "interVerlet 0.01", "interVerlet 1"), "0.5 0 0", "0 -5 0"),
                "0 0.152 0", "0 0.25 0"),
           "tmax 0.1", "tmax 2"));
  REQUIRE(run(folder, "rockable case.conf -o as --compat rockable --until 1.1").code == 0);
  CHECK(report(folder, "as")["missedContacts"] == 1);
  CHECK(report(folder, "as")["quality"]["withinBounds"] == false);
  REQUIRE(run(folder, "rockable case.conf -o own --until 1.1").code == 0);
  CHECK(report(folder, "own")["missedContacts"] == 0);
}
