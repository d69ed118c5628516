// SPDX-License-Identifier: GPL-3.0-or-later
// The figures and findings of a run: how well it has kept what must be kept.
#include "tool_test.hpp"

namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

/// Writes the falling ball, with changes, as case.conf.
void writeBall(const Folder& folder, const Changes& changes, const std::string& interConf = "0.01",
               const std::string& dt = "1e-4") {
  writeCase(folder, with(fallingBall(interConf, dt), changes));
}

json qualityOf(const Folder& folder, const std::string& out) {
  return report(folder, out)["quality"];
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

TEST_CASE("what goes wrong in a run is named, and --strict makes it end with 3",
          "[golden][run][quality]") {
  struct Row {
    Changes changes;
    std::vector<std::string> says;
    int code = 0;  ///< without --strict
    std::string status = "tmax";
    double overlap = -1.0;  ///< the largest, of a size, where it is known
  };
  const std::string plate = "Plan 0 0 1 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n";
  const std::vector<Row> rows{
      // The ball would touch the plate at 0.15. It leaves by a quarter of the overlap before the
      // next check.
      {{{"0 0.152 0", "0 0.06 0"}}, {"largest overlap 45 % of a size"}, 0, "tmax", 0.09 / 0.2},
      // Past a wall that stands upright.
      {{{"nDriven 1", "nDriven 0\n#scree boundary plane -1 0 0 1 0 0 0"},
        {"Particles 2\n" + plate, "Particles 1\n"}},
       {"fall for ever"},
       3},
      {{{"knContact 0 0 1e5", "knContact 0 0 1e300"}, {"0 0.152 0", "0 0.149 0"}},
       {"NaN or infinite", "until it failed: energy residual "},
       3,
       "failed"},
      // Three steps in a contact, by an explicit method: the spring gives back more than it took.
      {{{"knContact 0 0 1e5", "knContact 0 0 2e7"}, {"nDriven 1", "Integrator Euler\nnDriven 1"}},
       {"error: case.conf: the energy residual is "},
       3},
      // Dropped at 5 m/s. Undamped, it would go in by v sqrt(m/kn) = 5.2 cm, more than the two
      // radii of a ball and a plate of 5 mm.
      {{{"0.152 0 0.5 0", "0.152 0 0 -5"}, {"knContact 0 0 1e5", "knContact 0 0 1e4"}},
       {"overlaps of up to"}},
      // At 2000 m/s a step of 1e-4 s is 20 cm, more than ball and plate are rounded by together. It
      // is through before any look, and below the plate at the end.
      {{{"0.152 0 0.5 0", "0.152 0 0 -2000"}},
       {"near bodies move by 1.33 times their rounding in a step", "(bodies 0 and 1 at t = 0.000"},
       3},
      // At 40 cm a step it is never so near as lists look: 5 cm above the plate, then 5 cm below.
      {{{"0.152 0 0.5 0", "0.6 0 0 -4000"}},
       {"bodies move by 2 times their size in a step", "(body 1 at"},
       3}};
  for (const Row& row : rows) {
    const Folder folder;
    writeBall(folder, row.changes);
    INFO(row.says.front());
    expect(folder, "rockable case.conf -o out --done done", row.code, row.says);
    CHECK(report(folder, "out")["status"] == row.status);
    CHECK(folder.has("done") == (row.status == "tmax"));
    const json quality = qualityOf(folder, "out");
    if (row.status == "failed") CHECK(quality["withinBounds"] == false);
    if (row.overlap >= 0.0)
      CHECK(std::abs(quality["largestOverlap"].get<double>() - row.overlap) < 1e-12);
    if (row.status == "tmax") expect(folder, "rockable case.conf -o out --resume", row.code);
    expect(folder, "rockable case.conf -o out --strict --force", 3);
  }
}

TEST_CASE("a run ends with its figures, in a line and in run.json", "[golden][run][quality]") {
  const Folder folder;
  writeBall(folder, {{"knContact 0 0 1e5", "knContact 0 0 1e6"}, {"tmax 0.1", "tmax 0.4"}});
  expect(folder, "rockable case.conf -o out --strict", 0,
         {"energy residual ", ", energy gain ", ", largest overlap ", ", skin violations 0"});
  const json quality = qualityOf(folder, "out");
  CHECK(quality["withinBounds"] == true);
  CHECK(quality["skinViolations"] == 0);
  CHECK(report(folder, "out")["findings"].empty());
  // Each line of energy.txt is of a look; others lie between.
  CHECK(quality["energyResidual"].get<double>() >=
        largestResidual(folder.path("out/energy.txt")) * (1.0 - 1e-12));
  // A fall of 2 mm and the weight press a spring by (m g/k)(1 + sqrt(1 + 2 k h/(m g))) at most.
  const double mg = 0.004188790204786391 * 2600 * 10, k = 1e6,
               deepest = mg / k * (1.0 + std::sqrt(1.0 + 2.0 * k * 0.002 / mg));
  CHECK(quality["largestOverlap"].get<double>() > 0.0);
  CHECK(quality["largestOverlap"].get<double>() <= deepest / 0.2);

  // A state whose gravity or density was edited is no finding.
  const std::string state = with(folder.read("out/conf40"), "tmax 0.4", "tmax 0.8");
  for (const auto& [from, to] :
       Changes{{"gravity 0 -10 0", "gravity 4 -9 0"}, {"density 0 2600", "density 0 1000"}}) {
    folder.write("out/edited.conf", with(state, from, to));
    expect(folder, "rockable out/edited.conf -o edited --strict --force", 0,
           {"the balance takes this as work"});
    CHECK(qualityOf(folder, "edited")["energyResidual"].get<double>() < 1e-3);
  }
  folder.write("out/same.conf", state);
  CHECK_THAT(mustRun(folder, "rockable out/same.conf -o same --strict").err, !Contains("as work"));
}

TEST_CASE("a figure or finding beyond its bound counts after a stop, and for a run that is done",
          "[golden][run][quality]") {
  const Folder folder;
  // The ball sinks in by 5 % of its size.
  writeBall(folder, {{"knContact 0 0 1e5", "knContact 0 0 1e4"}, {"tmax 0.1", "tmax 0.4"}});
  expect(folder, "rockable case.conf -o lax -q", 0);
  const json lax = qualityOf(folder, "lax");
  CHECK(lax["withinBounds"] == false);
  expect(folder, "rockable case.conf -o out --strict", 3);
  CHECK(folder.read("out/conf40") == folder.read("lax/conf40"));
  expect(folder, "rockable case.conf -o parts -q --steps 3800", 0);
  expect(folder, "rockable case.conf -o parts -q --resume --strict", 3);
  CHECK(qualityOf(folder, "parts") == lax);
  for (const std::string done : {"out", "lax", "parts"}) {
    expect(folder, "rockable case.conf --resume -o " + done, 0);
    expect(folder, "rockable case.conf --resume --strict -o " + done, 3, {"under --strict"});
  }

  // Findings are printed once, also with --quiet.
  writeBall(folder, {{"0.152 0 0.5 0", "0.152 0 0.5 -2"}});
  const Outcome whole = expect(folder, "rockable case.conf -o whole -q --strict", 3,
                               {"1 finding about the run, errors under --strict\n"});
  const std::size_t at = whole.err.find("warning: overlaps of up to ");
  REQUIRE(at != std::string::npos);
  CHECK(whole.err.find("overlaps of up to ", at + 20) == std::string::npos);
  mustRun(folder, "rockable case.conf -o two -q --steps 400");
  expect(folder, "rockable case.conf -o two -q --resume --strict", 3);
  for (const char* what : {"findings", "watch"})
    CHECK(report(folder, "two")[what] == report(folder, "whole")[what]);
  // Also where nothing more is found.
  writeBall(folder, {});
  mustRun(folder, "rockable case.conf -o slow -q --steps 400");
  json record = report(folder, "slow");
  record["watch"]["leap"] = {{"looks", 3}, {"worst", 0.25}, {"time", 0.01}, {"i", 1}, {"j", 1}};
  folder.write("slow/run.json", record.dump());
  expect(folder, "rockable case.conf -o slow --resume --strict", 3,
         {"bodies move by 0.25 times their size in a step"});
}

TEST_CASE("a stop adds no check of the energy", "[golden][run][quality]") {
  const Folder folder;
  // Bonded blocks that begin to bend: in the first steps little energy is exchanged.
  const std::string beam = "rockable " + goldenFolder() + "/../../data/beam/conf0 -q -o ";
  mustRun(folder, beam + "whole");
  mustRun(folder, beam + "parts --steps 10");
  CHECK(qualityOf(folder, "parts")["energyResidual"].is_null());
  for (const char* steps : {"0", "0", "60", "1", "0", "129", "0"})
    mustRun(folder, beam + "parts --resume --steps " + steps);
  expect(folder, beam + "parts --resume --strict", 0);
  CHECK(qualityOf(folder, "parts")["energyResidual"] ==
        qualityOf(folder, "whole")["energyResidual"]);
}

TEST_CASE("energy that too long a step makes is a finding", "[golden][run][quality]") {
  const Folder folder;
  // Of the critical step 2 √(m/kn) = 0.0209 this is 0.86. The ball rises to ten times its height,
  // and the budget closes.
  const Changes slowly{{"tmax 0.1", "tmax 40"},
                       {"gravity 0 -10 0", "gravity 0 -0.05 0"},
                       {"en2Contact 0 0 0.25", "en2Contact 0 0 1"},
                       {"0 0.152 0 0.5", "0 0.16 0 0"}};
  writeBall(folder, slowly, "1", "0.018");
  expect(folder, "rockable case.conf -o out --strict", 3,
         {"dt = 0.018 gives 1.8 steps to the shortest contact"});
  expect(folder, "rockable case.conf -o out", 0, {"warning: contacts have made energy: "});
  const json quality = qualityOf(folder, "out");
  CHECK(quality["withinBounds"] == false);
  CHECK(quality["energyResidual"].get<double>() < 1e-9);
  CHECK(quality["energyGain"].get<double>() > 0.1);
  // The ball starts at rest, and falls by 1 cm with a weight of 0.54.
  const double mg = 0.004188790204786391 * 2600 * 0.05;
  CHECK(quality["energySupplied"].get<double>() > 0.0);
  CHECK(quality["energySupplied"].get<double>() < 0.012 * mg);
  // Steps of a fiftieth of the contact.
  writeBall(folder, slowly, "1", "6e-4");
  mustRun(folder, "rockable case.conf -o fine -q --strict --until 4");
  CHECK(qualityOf(folder, "fine")["energyGain"].get<double>() < 0.01);
}

TEST_CASE("a short contact between two conf-files is not missed", "[golden][run][quality]") {
  const Folder folder;
  // A ball of 10.9 kg falls by 0.15 onto a spring of 1e4: a contact of 52 steps, from step 87 on.
  // The run has 190.
  const Changes fall{{"knContact 0 0 1e5", "knContact 0 0 1e4"},
                     {"tmax 0.1", "tmax 0.38"},
                     {"0 0.152 0 0.5", "0 0.3 0 0"}};
  writeBall(folder, fall, "2e-3", "2e-3");
  expect(folder, "rockable case.conf -o often -q --strict", 3);
  writeBall(folder, fall, "1", "2e-3");
  const Outcome rare = expect(folder, "rockable case.conf -o rare --strict", 3);
  const json few = qualityOf(folder, "rare"), all = qualityOf(folder, "often");
  CHECK(all["largestOverlap"].get<double>() > 0.2);
  CHECK(few["largestOverlap"].get<double>() > 0.8 * all["largestOverlap"].get<double>());
  CHECK(few["checks"].get<int>() >= 9);
  CHECK(few["checks"].get<int>() < 15);
  CHECK(all["checks"].get<int>() >= 190);
  CHECK_THAT(rare.err, Contains(" of a size in " + few["checks"].dump() + " checks, "));
  // A stop during the contact, at a check that is due.
  expect(folder, "rockable case.conf -o parts -q --steps 120", 0);
  expect(folder, "rockable case.conf -o parts -q --resume --strict", 3);
  for (const char* what : {"largestOverlap", "checks"})
    CHECK(qualityOf(folder, "parts")[what] == few[what]);
  CHECK(sameState(folder, "parts", "often"));
}

TEST_CASE("a sharp body high above the plate is no finding, near it is one",
          "[golden][run][quality]") {
  const Folder folder;
  mustRun(folder, "shapeSurvey make box --size 0.2 0.2 0.2 --radius 0.001 -q -o box.shp");
  for (const std::string y : {"0.152", "1.152"}) {
    writeBall(folder, {{"Ball 0", "Box 0"}, {"0.152 0 0.5 0", y + " 0 0 -40"}});
    folder.write("shapes.shp",
                 with(ballAndPlate, "radius 0.05", "radius 0.001") + folder.read("box.shp"));
    const std::string said = run(folder, "rockable case.conf -o " + y + " --steps 20").err;
    CHECK((said.find("times their rounding in a step") != std::string::npos) == (y == "0.152"));
  }
}

TEST_CASE("periods in which the lists of --compat rockable may miss contacts are counted",
          "[golden][run][compat]") {
  const Folder folder;
  // Lists are made each second, when the ball is ten times as high above the plate as they look. At
  // 5 m/s it is there after 20 ms and falls through.
  writeBall(folder, {{"interVerlet 0.01", "interVerlet 1"},
                     {"0.152 0 0.5 0", "0.25 0 0 -5"},
                     {"tmax 0.1", "tmax 2"}});
  mustRun(folder, "rockable case.conf -o as --compat rockable --until 1.1");
  CHECK(report(folder, "as")["missedContacts"] == 1);
  CHECK(qualityOf(folder, "as")["withinBounds"] == false);
  mustRun(folder, "rockable case.conf -o own --until 1.1");
  CHECK(report(folder, "own")["missedContacts"] == 0);
}
