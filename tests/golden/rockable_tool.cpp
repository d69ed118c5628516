// SPDX-License-Identifier: GPL-3.0-or-later
// Work of rockable before and after the steps: redirections, checks, options that end a run; tables
// of a run, and what they hold.
#include "tool_test.hpp"

#include "scree/sim/simulation.hpp"

namespace {

std::size_t lineCount(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("a redirection leads to another conf-file, and its files are found there",
          "[golden][rockable]") {
  const Folder folder;
  folder.write("far/away/shapes.shp", ballAndPlate);
  folder.write("far/away/case.conf", ballConf);
  folder.write("far/away/drivingSystem.txt", "Control _x_Vel_ 0 1\n");
  folder.write("go.txt", "redirection far/away/ case.conf\n");
  folder.write("goOn.txt", "redirection ./ go.txt\n");
  mustRun(folder, "rockable far/away/case.conf -o direct -q");
  mustRun(folder, "rockable goOn.txt -o led -q");
  CHECK(sameState(folder, "led", "direct"));
  CHECK(report(folder, "led")["inputs"].size() == 4);
  // A driving file beside the file that was named comes first.
  folder.write("drivingSystem.txt", "Control _x_Vel_ 0 2\n");
  mustRun(folder, "rockable goOn.txt -o other -q");
  CHECK_FALSE(sameState(folder, "other", "direct"));

  folder.write("round.txt", "redirection ./ round.txt\n");
  expect(folder, "rockable round.txt -o no", 3, {"cycle"});
  folder.write("lost.txt", "redirection nowhere/ case.conf\n");
  expect(folder, "rockable lost.txt -o no", 4);
  CHECK_FALSE(folder.has("no"));
}

TEST_CASE("The option --check says what would run, and what looks wrong", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  folder.write("dataExtractors.txt", "dnStat gaps.txt 10\n");
  const Outcome text = mustRun(folder, "rockable --check case.conf -o out");
  CHECK_FALSE(folder.has("out"));
  CHECK_THAT(text.out,
             Contains("confFiles             5\n") && Contains("driven                1\n"));
  CHECK_THAT(text.err, !Contains("warning"));
  const json check = jsonOf(folder, "rockable --dry-run case.conf --json");
  CHECK(check["bodies"] == 2);
  CHECK(check["steps"] == 1000);
  CHECK(check["confFiles"] == 5);
  const double mass = 2600 * 0.004188790204786391;
  CHECK(check["mass"].get<double>() == Approx(mass).epsilon(1e-14));
  CHECK(check["contactPeriod"].get<double>() == Approx(3.14159265358979 * std::sqrt(mass / 1e5)));
  CHECK(check["deepOverlaps"] == 0);
  CHECK(check["driven"] == 1);
  CHECK(check["predictedSeconds"].get<double>() > 0.0);
  CHECK(check["byThreads"].size() == 1);  // the whole run took no longer than the trial
  CHECK(check["peakMemoryBytes"].get<double>() > 1e6);
  writeCase(folder, with(ballConf, "tmax 0.1", "tmax 1e6"));
  const json byThreads = jsonOf(folder, "rockable --check case.conf --json -j 3")["byThreads"];
  REQUIRE(byThreads.size() == 3);
  for (const int k : {0, 1, 2}) {
    CHECK(byThreads[k]["threads"] == k + 1);
    CHECK(byThreads[k]["predictedSeconds"].get<double>() ==
          Approx(1e10 * byThreads[k]["secondsPerStep"].get<double>()));
  }

  // A ball 10 mm into the plate, a small one inside it, and a step that is too long.
  writeCase(folder, with(ballConf, {{"0 0.152 0", "0 0.14 0"},
                                    {"dt 1e-4", "dt 0.01"},
                                    {"interConf 0.02", "interConf 1e-300"}}));
  const json wrong = jsonOf(folder, "rockable --check case.conf --json");
  CHECK(wrong["deepOverlaps"] == 1);
  CHECK(wrong["largestOverlap"].get<double>() == Approx(0.01));
  CHECK(wrong["largestOverlapOverSize"].get<double>() == Approx(0.05));
  CHECK(wrong["worstPair"] == json::array({0, 1}));
  CHECK(wrong["confFiles"] == wrong["steps"]);
  writeCase(folder, with(ballConf, "dt 1e-4", "dt 0.03"));
  expect(folder, "rockable --check case.conf", 0, {"critical time step"});
}

TEST_CASE("Options --until, --steps, --keep and --done do what they say", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  expect(folder, "rockable case.conf -o a -q --until 0.0333 --done a/done", 0);
  CHECK(report(folder, "a")["steps"] == 333);
  CHECK(report(folder, "a")["status"] == "stopped");
  CHECK_FALSE(folder.has("a/done"));
  expect(folder, "rockable case.conf -o b -q --steps 333", 0);
  CHECK(sameState(folder, "a", "b"));
  expect(folder, "rockable case.conf -o b -q --resume --keep last:1 --done b/done", 0);
  CHECK(folder.has("b/done"));
  CHECK(folder.has("b/conf5"));
  CHECK_FALSE(folder.has("b/conf4"));
  CHECK(parseJson(folder.read("b/done"))["status"] == "tmax");
  // The conf-file of the start stays.
  expect(folder, "rockable case.conf -o c -q --keep last:1", 0);
  for (int k = 0; k <= 5; ++k)
    CHECK(folder.has("c/conf" + std::to_string(k)) == (k == 0 || k == 5));
  writeCase(folder, with(ballConf, "t 0\n", "t 5\n"));
  expect(folder, "rockable case.conf -o late", 0, {"tmax = 0.1 is before t = 5"});
}

TEST_CASE(
    "The option --until-rest ends a run at rest, at the same step however often it was stopped",
    "[golden][rockable]") {
  const Folder folder;
  // Without the velocity along the plate, since a ball rolls on.
  writeCase(folder, with(ballConf, {{"tmax 0.1", "tmax 30"}, {"0.152 0 0.5", "0.152 0 0"}}));
  expect(folder, "rockable case.conf -o whole --until-rest --rest 1e-3,1e-4,0.05", 0,
         {"at rest: unbalanced force"});
  const json end = report(folder, "whole");
  CHECK(end["status"] == "rest");
  CHECK(end["time"].get<double>() < 29.0);
  CHECK(end["rest"]["unbalanced"].get<double>() < 1e-3);
  CHECK(end["rest"]["energy"].get<double>() < 1e-4);
  CHECK(end["time"].get<double>() - end["calmSince"].get<double>() == Approx(0.05).margin(0.011));
  expect(folder, "rockable case.conf -o whole --resume --until-rest", 0, {"nothing to resume"});
  expect(folder, "rockable --replay whole/run.json -q", 0);

  // Stopped in the middle of the calm time, and once more a step later.
  const auto steps = end["steps"].get<std::uint64_t>();
  const std::string rest = " -q -o parts --rest 1e-3,1e-4,0.05";
  mustRun(folder, "rockable case.conf --steps " + std::to_string(steps - 150) + rest);
  mustRun(folder, "rockable case.conf --resume --steps 1" + rest);
  mustRun(folder, "rockable case.conf --resume" + rest);
  CHECK(report(folder, "parts")["steps"] == end["steps"]);
  CHECK(sameState(folder, "parts", "whole"));

  // Where tmax comes first.
  writeCase(folder);
  expect(folder, "rockable case.conf -o early --until-rest", 0,
         {"tmax reached before rest: unbalanced force"});
  CHECK(report(folder, "early")["status"] == "tmax");
}

TEST_CASE("all extractors write tables during a run, from both places", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder, ballConf + "DataExtractor MeanVelocity speed.txt 100\n");
  folder.write("dataExtractors.txt",
               "TrackBody 1 body.txt 10\nClusterAABB 1 box.txt 10\ndnStat gaps.txt 10\n"
               "DuoBalance 0 1 duo.txt 10\nTrackDamage damage.txt 300\nStress stress.txt 10\n"
               "Walls walls.txt 10\n");
  mustRun(folder, "rockable case.conf -o out -q");
  // The first of 1,000 steps, those at each period, and the last.
  CHECK(lineCount(folder.read("out/speed.txt")) == 1 + 10 + 1);
  CHECK(lineCount(folder.read("out/body.txt")) == 1 + 100 + 1);
  CHECK(lineCount(folder.read("out/damage.txt")) == 1 + 4 + 1);
  // One line of names, which needs no comment to be read, and commas: as csv of extract.
  for (const std::string file : {"box", "gaps", "duo", "damage", "stress", "walls", "energy",
                                 "kineticEnergy", "staticBalance", "perf"}) {
    const std::string table = folder.read("out/" + file + ".txt");
    CHECK(table.starts_with("t,"));
    CHECK(table.find('#') == std::string::npos);
    CHECK(table.find(' ') == std::string::npos);
  }
  mustRun(folder, "rockable case.conf -o compat -q --steps 300 --compat rockable");
  CHECK(folder.read("compat/gaps.txt").starts_with("# t dnMin"));
  CHECK(std::isdigit(static_cast<unsigned char>(folder.read("compat/perf.txt")[0])));
  // The first record is that of the first step.
  CHECK(folder.read("out/gaps.txt").find("\n1e-04,") != std::string::npos);
  // On files the same rows come out: of conf2, which is the state after 400 steps.
  CHECK(mustRun(folder, "extract dnStat out/conf2 --format txt").out.starts_with("# t dnMin"));
  for (const char* kind :
       {"TrackRockfall --body 1", "MeanVelocity", "TrackDamage", "DuoBalance --bodyI 0 --bodyJ 1"})
    expect(folder, std::string("extract ") + kind + " out", 0);
  expect(folder, "extract DuoBalance --bodyI 0 out", 2);
  // Stopped and resumed, the tables are the same.
  mustRun(folder, "rockable case.conf -o parts -q --steps 555");
  mustRun(folder, "rockable case.conf -o parts -q --resume");
  for (const char* file : {"body.txt", "speed.txt", "duo.txt", "damage.txt", "walls.txt"})
    CHECK(folder.read(std::string("parts/") + file) == folder.read(std::string("out/") + file));
}

TEST_CASE("TrackRockfall ends a run when the block leaves the slope or rests",
          "[golden][rockable]") {
  const Folder folder;
  writeCase(folder, with(ballConf, "tmax 0.1", "tmax 10"));
  // At 0.5 m/s the centre leaves the plate of half side 2, rounded by 0.05, after 4.1 s; friction
  // acts but the ball rolls on.
  folder.write("dataExtractors.txt", "TrackRockfall 1 0 0 fall.txt 100\n");
  expect(folder, "rockable case.conf -o out --done out/done", 0,
         {"body 1 has left the box around the driven bodies"});
  const json end = report(folder, "out");
  CHECK(end["status"] == "extractor");
  CHECK(end["time"].get<double>() > 4.0);
  CHECK(end["time"].get<double>() < 8.0);
  CHECK(folder.has("out/done"));
  expect(folder, "rockable case.conf -o out --resume", 0, {"nothing to resume"});
  expect(folder, "rockable --replay out/run.json -q", 0);

  folder.write("dataExtractors.txt", "TrackRockfall 1 0.6 10 fall.txt 100\n");
  expect(folder, "rockable case.conf -o rest", 0, {"body 1 rests"});
  // Slow enough from the start, so only the 0.6 m/s / 10 m/s² of the fall are waited for.
  CHECK(report(folder, "rest")["time"].get<double>() == Approx(0.0601).margin(1.5e-4));
  CHECK(report(folder, "rest")["ending"]["atRest"] == true);
  // The state that ended the run is a row, though it is not due.
  const Table track = readTable(folder.path("rest/fall.txt"));
  CHECK(track.number(track.rows.size() - 1, "t") ==
        tableTime(report(folder, "rest")["time"].get<double>()));
  CHECK_THAT(mustRun(folder, "extract runout --track rest/fall.txt --restSpeed 0.6").out,
             Contains(",rest,"));
}

TEST_CASE("a run that goes on after its end keeps no record that is not due",
          "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  folder.write("dataExtractors.txt", "TrackBody 1 body.txt 300\n");
  folder.write("long.conf", with(ballConf, "tmax 0.1", "tmax 0.2"));
  mustRun(folder, "rockable long.conf -o whole -q");
  mustRun(folder, "rockable case.conf -o out -q");
  CHECK(lineCount(folder.read("out/body.txt")) == 1 + 4 + 1);
  mustRun(folder, "rockable long.conf -o out -q --resume");
  CHECK(folder.read("out/body.txt") == folder.read("whole/body.txt"));
}

TEST_CASE("the extractor Impacts has a row for each bounce, with its peak", "[golden][rockable]") {
  const Folder folder;
  // A ball of 10.9 kg falls by 2 mm and more, without loss, onto a spring: the peak of the force is
  // m g (1 + sqrt(1 + 2 k h / (m g))), the energy there m g (h + depth), and it returns.
  writeCase(folder, with(ballConf, {{"en2Contact 0 0 0.25", "en2Contact 0 0 1"},
                                    {"0.5 0 0", "0 0 0"},
                                    {"tmax 0.1", "tmax 0.5"}}));
  folder.write("dataExtractors.txt", "Impacts 1 50 hits.txt 1\n");
  mustRun(folder, "rockable case.conf -o out -q");
  const Table hits = readTable(folder.path("out/hits.txt"));
  REQUIRE(hits.rows.size() >= 3);
  const double mg = 0.004188790204786391 * 2600 * 10, k = 1e5, h = 0.002,
               peak = mg * (1.0 + std::sqrt(1.0 + 2.0 * k * h / mg));
  for (std::size_t row = 0; row < hits.rows.size(); ++row) {
    CHECK(hits.number(row, "force") == Approx(peak).epsilon(0.01));
    CHECK(hits.number(row, "fy") == Approx(peak).epsilon(0.01));
    CHECK(hits.number(row, "energy") == Approx(mg * (h + peak / k)).epsilon(0.02));
    CHECK(hits.number(row, "y") == Approx(0.05).margin(0.005));
    CHECK(hits.number(row, "other") == 0);
  }
  // With a dashpot the force is largest before the compression ends: against the states of each
  // step.
  writeCase(folder, with(ballConf, {{"0.5 0 0", "0 0 0"}, {"tmax 0.1", "tmax 0.5"}}));
  folder.write("dataExtractors.txt", "Impacts 1 50 hits.txt 1\nTrackBody 1 body.txt 1\n");
  mustRun(folder, "rockable case.conf -o damped -q");
  const Table damped = readTable(folder.path("damped/hits.txt")),
              track = readTable(folder.path("damped/body.txt"));
  REQUIRE(!damped.rows.empty());
  double largest = 0.0;
  for (std::size_t row = 0; row < track.rows.size(); ++row)
    if (track.number(row, "t") <= damped.number(0, "t"))
      largest = std::max(largest, track.number(row, "fy"));
  CHECK(damped.number(0, "fy") == Approx(largest).epsilon(1e-9));
  CHECK(damped.number(0, "energy") < 0.9 * hits.number(0, "energy"));
  // A stop within a bounce costs nothing.
  mustRun(folder, "rockable case.conf -o parts -q --steps 250");
  for (int part = 0; part < 5; ++part)
    mustRun(folder, "rockable case.conf -o parts -q --resume --steps 77");
  mustRun(folder, "rockable case.conf -o parts -q --resume");
  CHECK(folder.read("parts/hits.txt") == folder.read("damped/hits.txt"));
  // Through the side of a periodic cell a ball strikes another: the place is that at its own image.
  folder.write("dataExtractors.txt", "Impacts 1 1 hits.txt 1\n");
  writeCase(folder,
            "Rockable 21-08-2022\nt 0\ntmax 0.1\ndt 1e-4\ninterConf 0.1\ndensity 0 2600\n"
            "gravity 0 0 0\nforceLaw Default\nknContact 0 0 1e5\nen2Contact 0 0 1\n"
            "nDriven 1\nshapeFile shapes.shp\nusePeriodicCell 1\nh 4 0 0 0 4 0 0 0 4\n"
            "Particles 2\nBall 0 0 1 3.9 1 1 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n"
            "Ball 0 1 1 0.15 1 1 -1 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n");
  mustRun(folder, "rockable case.conf -o across -q");
  const Table across = readTable(folder.path("across/hits.txt"));
  REQUIRE(across.rows.size() == 1);
  CHECK(across.number(0, "x") == Approx(0.0).margin(0.01));
  folder.write("dataExtractors.txt", "Impacts 1 50 hits.txt 10\n");
  expect(folder, "rockable case.conf --check", 3);
}
