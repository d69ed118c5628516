// SPDX-License-Identifier: GPL-3.0-or-later
// What rockable reads and says around a run: redirections, checks, replays, resumed runs, tables.
#include "catch.hpp"
#include "json.hpp"
#include "run_cases.hpp"

#include "scree/sim/extract/table.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/simulation.hpp"

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

const std::string shapes = ballAndPlate, conf = fallingBall("0.02");

void writeCase(const Folder& folder, const std::string& text = conf) {
  folder.write("shapes.shp", shapes);
  folder.write("case.conf", text);
}

std::size_t lineCount(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("a redirection leads to another conf-file, and its files are found there",
          "[golden][rockable]") {
  const Folder folder;
  folder.write("far/away/shapes.shp", shapes);
  folder.write("far/away/case.conf", conf);
  folder.write("far/away/drivingSystem.txt", "Control _x_Vel_ 0 1\n");
  folder.write("go.txt", "redirection far/away/ case.conf\n");
  folder.write("goOn.txt", "redirection ./ go.txt\n");
  REQUIRE(run(folder, "rockable far/away/case.conf -o direct -q").code == 0);
  const Outcome led = run(folder, "rockable goOn.txt -o led -q");
  INFO(led.err);
  REQUIRE(led.code == 0);
  CHECK(report(folder, "led")["stateHash"] == report(folder, "direct")["stateHash"]);
  CHECK(report(folder, "led")["inputs"].size() == 4);
  // A driving file beside the file that was named comes first.
  folder.write("drivingSystem.txt", "Control _x_Vel_ 0 2\n");
  REQUIRE(run(folder, "rockable goOn.txt -o other -q").code == 0);
  CHECK(report(folder, "other")["stateHash"] != report(folder, "direct")["stateHash"]);

  folder.write("round.txt", "redirection ./ round.txt\n");
  const Outcome circle = run(folder, "rockable round.txt -o no");
  CHECK(circle.code == 3);
  CHECK_THAT(circle.err, Contains("cycle"));
  folder.write("lost.txt", "redirection nowhere/ case.conf\n");
  CHECK(run(folder, "rockable lost.txt -o no").code == 4);
  CHECK_FALSE(folder.has("no"));
}

TEST_CASE("a run can be replayed, and says what has changed where it cannot",
          "[golden][rockable]") {
  const Folder folder;
  writeCase(folder, conf + "randomlyOrientedVelocities 0.2\n");
  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 7\n");
  const Outcome first = run(folder, "rockable case.conf -o out --seed 5");
  REQUIRE(first.code == 0);
  CHECK_THAT(first.err, Contains("seed 5"));
  CHECK(report(folder, "out")["seed"] == 5);
  const std::string before = folder.read("out/run.json"), table = folder.read("out/ball.txt");
  const Outcome again = run(folder, "rockable --replay out/run.json -j 3");
  INFO(again.err);
  CHECK(again.code == 0);
  CHECK_THAT(again.err, Contains("replayed 1000 steps") && Contains("as recorded"));
  CHECK(folder.read("out/run.json") == before);
  CHECK(folder.read("out/ball.txt") == table);
  const Outcome asJson = run(folder, "rockable --replay out/run.json --json -q");
  CHECK(parseJson(asJson.out)["same"] == true);

  // A run that was stopped, resumed, and asked to go on for longer, too.
  REQUIRE(run(folder, "rockable case.conf -o parts -q --steps 333 --seed 5").code == 0);
  CHECK(run(folder, "rockable --replay parts/run.json -q").code == 0);
  writeCase(folder, with(conf, "tmax 0.1", "tmax 0.2") + "randomlyOrientedVelocities 0.2\n");
  const Outcome more = run(folder, "rockable case.conf -o parts --resume --seed 5");
  REQUIRE(more.code == 0);
  CHECK(report(folder, "parts")["steps"] == 2000);
  const Outcome changed = run(folder, "rockable --replay out/run.json");
  CHECK(changed.code == 3);
  CHECK_THAT(changed.err, Contains("case.conf has changed"));
  writeCase(folder, conf + "randomlyOrientedVelocities 0.2\n");
  CHECK(run(folder, "rockable --replay parts/run.json -q").code == 0);

  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 8\n");
  CHECK_THAT(run(folder, "rockable --replay out/run.json").err,
             Contains("dataExtractors.txt has changed"));
  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 7\n");
  json forged = parseJson(before);
  forged["stateHash"] = "0123456789abcdef";
  folder.write("out/run.json", forged.dump());
  const Outcome differs = run(folder, "rockable --replay out/run.json");
  CHECK(differs.code == 3);
  CHECK_THAT(differs.err, Contains("the state differs: 0123456789abcdef"));
  CHECK(run(folder, "rockable --replay nothere.json").code == 4);
  CHECK(run(folder, "rockable --replay case.conf").code == 3);
}

TEST_CASE("a resumed run tells what the conf-file has that it does not take",
          "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  REQUIRE(run(folder, "rockable case.conf -o out -q --steps 300").code == 0);
  const Outcome same = run(folder, "rockable case.conf -o out --steps 100 --resume");
  CHECK(same.code == 0);
  CHECK_THAT(same.err, !Contains("has changed"));
  writeCase(folder,
            with(with(with(conf, "dt 1e-4", "dt 2e-4"), "muContact 0 0 0.5", "muContact 0 0 0.1"),
                 "tmax 0.1", "tmax 0.3"));
  const Outcome changed = run(folder, "rockable case.conf -o out --steps 100 --resume");
  CHECK(changed.code == 0);
  CHECK_THAT(changed.err, Contains("has changed since this run began, in dt, muContact:"));
  CHECK(report(folder, "out")["tmax"] == 0.3);
  CHECK(run(folder, "rockable case.conf -o out --steps 100 --resume --strict").code == 3);

  folder.write("out/restart.conf", "Rockable 21-08-2022\nt 0.0");
  const Outcome damaged = run(folder, "rockable case.conf -o out --resume");
  CHECK(damaged.code == 0);
  CHECK_THAT(damaged.err, Contains("out/restart.conf:2:") && Contains("does not resume from it"));
}

TEST_CASE("a finished run is resumed by its own case alone", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  REQUIRE(run(folder, "rockable case.conf -o out -q").code == 0);
  const std::string before = folder.read("out/run.json");
  const auto refused = [&](const std::string& text, const std::string& message) {
    folder.write("other.conf", text);
    const Outcome end = run(folder, "rockable other.conf -o out --resume --done other.done");
    INFO(end.err);
    CHECK(end.code == 3);
    CHECK_THAT(end.err, Contains(message) && !Contains("nothing to resume"));
    CHECK_FALSE(folder.has("other.done"));
    CHECK(folder.read("out/run.json") == before);
  };
  refused(with(conf, "Ball 0 1 1", "Ball 0 2 1"), "another body 1");
  // Where commands are still to be carried out, too.
  refused(with(conf, "Ball 0 1 1", "Ball 0 2 1") + "setAllVelocities 0 0 0\n", "another body 1");
  refused(with(conf, "tmax 0.1", "tmax 0.05"), "tmax = 0.05 is before t = 0.1");
  CHECK(run(folder, "rockable case.conf -o out --resume --compat rockable").code == 3);

  folder.write("other.conf", with(conf, "muContact 0 0 0.5", "muContact 0 0 0.1"));
  const Outcome changed = run(folder, "rockable other.conf -o out --resume");
  CHECK(changed.code == 0);
  CHECK_THAT(changed.err, Contains("has changed since this run began, in muContact") &&
                              Contains("its results are of the values of") &&
                              Contains("nothing to resume"));
  CHECK(run(folder, "rockable other.conf -o out --resume --strict").code == 3);
  const Outcome asJson = run(folder, "rockable case.conf -o out --resume --json");
  CHECK(asJson.code == 0);
  CHECK(asJson.out == before);
  // A check writes nothing.
  CHECK(run(folder, "rockable case.conf -o out --resume --check --done done").code == 0);
  CHECK_FALSE(folder.has("done"));
  REQUIRE(run(folder, "rm out/conf*").code == 0);
  CHECK(run(folder, "rockable case.conf -o out --resume").code == 0);
  CHECK(run(folder, "rockable other.conf -o out --resume").code == 3);
}

TEST_CASE("a run is resumed with the mechanics that it began with", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  REQUIRE(run(folder, "rockable case.conf -o own -q --steps 300").code == 0);
  const std::string before = folder.read("own/run.json");
  for (const char* without : {"", "; rm own/conf* own/restart.conf"}) {
    REQUIRE(run(folder, std::string("true") + without).code == 0);
    const Outcome refused = run(folder, "rockable case.conf -o own --resume --compat rockable");
    INFO(refused.err);
    CHECK(refused.code == 3);
    CHECK_THAT(refused.err, Contains("this run began without --compat rockable"));
    CHECK(folder.read("own/run.json") == before);
  }
  REQUIRE(run(folder, "rockable case.conf -o whole -q --compat rockable").code == 0);
  REQUIRE(run(folder, "rockable case.conf -o parts -q --compat rockable --steps 300").code == 0);
  // Also where it begins again.
  for (const char* without : {"", "; rm parts/conf* parts/restart.conf"}) {
    REQUIRE(run(folder, std::string("true") + without).code == 0);
    REQUIRE(run(folder, "rockable case.conf -o parts -q --resume --steps 300").code == 0);
    CHECK(report(folder, "parts")["compat"] == "rockable");
    CHECK(run(folder, "rockable --replay parts/run.json -q").code == 0);
  }
  REQUIRE(run(folder, "rockable case.conf -o parts -q --resume").code == 0);
  CHECK(report(folder, "parts")["stateHash"] == report(folder, "whole")["stateHash"]);
}

TEST_CASE("precision rounds conf-files, not the run, and is kept by a resumed one",
          "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  REQUIRE(run(folder, "rockable case.conf -o full -q").code == 0);
  writeCase(folder, conf + "precision 7\n");
  REQUIRE(run(folder, "rockable case.conf -o rounded -q").code == 0);
  REQUIRE(run(folder, "rockable case.conf -o parts -q --steps 555").code == 0);
  CHECK(folder.read("parts/restart.conf").find("precision") == std::string::npos);
  REQUIRE(run(folder, "rockable case.conf -o parts -q --resume").code == 0);
  for (const char* parts : {"rounded", "parts"})
    CHECK(report(folder, parts)["stateHash"] == report(folder, "full")["stateHash"]);
  for (const char* name : {"/conf2", "/conf5"})
    CHECK(folder.read(std::string("parts") + name) == folder.read(std::string("rounded") + name));
  CHECK_THAT(folder.read("parts/conf5"), Contains("\nprecision 7\n"));
  // The last state with all digits stands beside; without it a resumed run begins again.
  writeCase(folder, with(conf, "tmax 0.1", "tmax 0.2") + "precision 7\n");
  REQUIRE(run(folder, "rm parts/restart.conf").code == 0);
  const Outcome rounded = run(folder, "rockable case.conf -o parts --resume");
  CHECK(rounded.code == 0);
  CHECK_THAT(rounded.err, Contains("the run starts again from case.conf"));
  REQUIRE(run(folder, "rockable case.conf -o longer -q").code == 0);
  CHECK(folder.read("parts/conf10") == folder.read("longer/conf10"));
}

TEST_CASE("a run that is refused leaves nothing, and one with nothing to do says so",
          "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 1\nTrackBody 7 other.txt 1\n");
  // A check refuses it alike, and names the place once.
  for (const char* check : {"", " --check"}) {
    CAPTURE(check);
    folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 1\nTrackBody 7 other.txt 1\n");
    const Outcome absent = run(folder, std::string("rockable case.conf -o out") + check);
    CHECK(absent.code == 3);
    CHECK_THAT(absent.err, Contains("dataExtractors.txt:2:") && Contains(": there is no body 7") &&
                               !Contains("case.conf"));
    CHECK_FALSE(folder.has("out"));
    folder.write("dataExtractors.txt", "TrackBody 1 conf3 1\n");
    CHECK(run(folder, std::string("rockable case.conf -o out") + check).code == 3);
    folder.write("dataExtractors.txt", "TrackBody 1 shapes.shp 1\n");
    CHECK(run(folder, std::string("rockable case.conf") + check).code == 3);
  }
  CHECK(folder.read("shapes.shp") == shapes);
  folder.write("dataExtractors.txt", "");
  folder.write("mine/conf3", "precious");
  const Outcome refused = run(folder, "rockable case.conf -o mine");
  CHECK(refused.code == 4);
  CHECK_THAT(refused.err, Contains("mine/conf3"));
  CHECK_FALSE(folder.has("mine/conf1"));
  CHECK_FALSE(folder.has("mine/run.json"));
  writeCase(folder, with(conf, "t 0\n", "t 5\n"));
  const Outcome late = run(folder, "rockable case.conf -o late");
  CHECK(late.code == 0);
  CHECK_THAT(late.err, Contains("tmax = 0.1 is before t = 5"));
}

TEST_CASE("The option --check says what would run, and what looks wrong", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  folder.write("dataExtractors.txt", "dnStat gaps.txt 10\n");
  const Outcome text = run(folder, "rockable --check case.conf -o out");
  INFO(text.out << text.err);
  REQUIRE(text.code == 0);
  CHECK_FALSE(folder.has("out"));
  CHECK_THAT(text.out, Contains("conf1 to conf5") && Contains("gaps.txt: 100 records") &&
                           Contains("Ball, group 0: 1 of") && Contains("1 driven"));
  CHECK_THAT(text.err, !Contains("warning"));
  const json check = parseJson(run(folder, "rockable --dry-run case.conf --json").out);
  CHECK(check["bodies"] == 2);
  CHECK(check["steps"] == 1000);
  CHECK(check["confFiles"] == 5);
  const double mass = 2600 * 0.004188790204786391;
  CHECK(check["mass"].get<double>() == Approx(mass).epsilon(1e-14));
  CHECK(check["contactPeriod"].get<double>() == Approx(3.14159265358979 * std::sqrt(mass / 1e5)));
  CHECK(check["listsCoverSpeed"].get<double>() == Approx(0.5));  // half of 0.01 in 0.01
  CHECK(check["deepOverlaps"] == 0);
  CHECK(check["driven"] == 1);
  CHECK(check["kinds"][0] == json({{"shape", "Ball"},
                                   {"group", 0},
                                   {"free", 1},
                                   {"driven", 0},
                                   {"mass", check["mass"]},
                                   {"leastMass", check["mass"]},
                                   {"mostMass", check["mass"]}}));
  // A spring and dashpot with e² = 1/4 that cannot pull: Schwager & Pöschel's formula.
  CHECK(check["restitution"][0]["nominal"] == 0.5);
  CHECK(check["restitution"][0]["effective"].get<double>() == Approx(0.550283).margin(5e-7));
  CHECK_THAT(text.out, Contains("groups 0-0: 0.5 requested by en2Contact"));
  CHECK(check["dtOverCritical"].get<double>() ==
        Approx(1e-4 / (2 * std::sqrt(mass / 1e5))).epsilon(1e-12));
  CHECK(check["stateBytes"].get<double>() > 1000);
  CHECK(check["confFileBytes"].get<double>() > 500);
  CHECK(check["predictedSeconds"].get<double>() > 0.0);

  // A ball 10 mm into the plate, a small one inside it, and a step beyond the critical one.
  writeCase(folder, with(with(with(conf, "0 0.152 0", "0 0.14 0"), "dt 1e-4", "dt 0.01"),
                         "interConf 0.02", "interConf 1e-300"));
  const Outcome odd = run(folder, "rockable --check case.conf --json");
  const json wrong = parseJson(odd.out);
  CHECK(wrong["deepOverlaps"] == 1);
  CHECK(wrong["largestOverlap"].get<double>() == Approx(0.01));
  CHECK(wrong["largestOverlapOverSize"].get<double>() == Approx(0.05));
  CHECK(wrong["worstPair"] == json::array({0, 1}));
  CHECK(wrong["confFiles"] == wrong["steps"]);
  writeCase(folder, with(conf, "dt 1e-4", "dt 0.03"));
  CHECK_THAT(run(folder, "rockable --check case.conf").err, Contains("critical time step"));
  for (const std::string& line : {odd.out, text.out}) {
    std::istringstream lines(line);
    for (std::string l; std::getline(lines, l);) CHECK(l.size() < 160);
  }
}

TEST_CASE("Options --until, --steps, --keep and --done do what they say", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  CHECK(run(folder, "rockable case.conf -o a -q --until 0.0333 --done a/done").code == 0);
  CHECK(report(folder, "a")["steps"] == 333);
  CHECK(report(folder, "a")["end"] == "stopped");
  CHECK_FALSE(folder.has("a/done"));
  CHECK(run(folder, "rockable case.conf -o b -q --steps 333").code == 0);
  CHECK(report(folder, "a")["stateHash"] == report(folder, "b")["stateHash"]);
  CHECK(run(folder, "rockable case.conf -o b -q --resume --keep last:1 --done b/done").code == 0);
  CHECK(folder.has("b/done"));
  CHECK(folder.has("b/conf5"));
  CHECK_FALSE(folder.has("b/conf4"));
  CHECK(parseJson(folder.read("b/done"))["end"] == "tmax");
  // The conf-file of the start stays.
  CHECK(run(folder, "rockable case.conf -o c -q --keep last:1").code == 0);
  for (int k = 0; k <= 5; ++k)
    CHECK(folder.has("c/conf" + std::to_string(k)) == (k == 0 || k == 5));
  CHECK(run(folder, "rockable case.conf --until 1 --steps 1").code == 2);
  const Outcome early = run(folder, "rockable case.conf -o early --until -1");
  CHECK(early.code == 2);
  CHECK_THAT(early.err, Contains("--until: -1 is before t = 0"));
  CHECK_FALSE(folder.has("early"));
  for (const char* folderExists : {"", "mkdir ./-; "}) {
    const Outcome stream = run(folder, std::string(folderExists) + "rockable case.conf -o -");
    CHECK(stream.code == 2);
    CHECK_THAT(stream.err, Contains("-o -: a run writes a folder"));
    CHECK_FALSE(folder.has("-/run.json"));
  }
  CHECK(run(folder, "rockable case.conf --keep last:0").code == 2);
}

TEST_CASE("all extractors write tables during a run, from both places", "[golden][rockable]") {
  const Folder folder;
  writeCase(folder, conf + "DataExtractor MeanVelocity speed.txt 100\n");
  folder.write("dataExtractors.txt",
               "TrackBody 1 body.txt 10\nClusterAABB 1 box.txt 10\ndnStat gaps.txt 10\n"
               "DuoBalance 0 1 duo.txt 10\nTrackDamage damage.txt 100\n");
  REQUIRE(run(folder, "rockable case.conf -o out -q").code == 0);
  CHECK(lineCount(folder.read("out/speed.txt")) == 1 + 10);
  CHECK(lineCount(folder.read("out/body.txt")) == 1 + 100);
  for (const char* file : {"box.txt", "gaps.txt", "duo.txt", "damage.txt"})
    CHECK(folder.read(std::string("out/") + file).rfind("# t ", 0) == 0);
  CHECK_THAT(folder.read("out/extractedDataDoc.txt"),
             Contains("duo.txt: DuoBalance, each 10 steps") && Contains("12 dn [m]"));
  // The first record is that of the first step.
  CHECK(folder.read("out/gaps.txt").find("\n1e-04 ") != std::string::npos);
  // On files the same rows come out: of conf2, which is the state after 400 steps.
  const Outcome table = run(folder, "extract dnStat out/conf2 --format txt");
  REQUIRE(table.code == 0);
  CHECK(table.out.rfind("# t dnMin", 0) == 0);
  for (const char* kind :
       {"TrackRockfall --body 1", "MeanVelocity", "TrackDamage", "DuoBalance --bodyI 0 --bodyJ 1"})
    CHECK(run(folder, std::string("extract ") + kind + " out").code == 0);
  CHECK(run(folder, "extract DuoBalance --bodyI 0 out").code == 2);
  // Stopped and resumed, the tables are the same.
  REQUIRE(run(folder, "rockable case.conf -o parts -q --steps 555").code == 0);
  REQUIRE(run(folder, "rockable case.conf -o parts -q --resume").code == 0);
  for (const char* file : {"body.txt", "speed.txt", "duo.txt"})
    CHECK(folder.read(std::string("parts/") + file) == folder.read(std::string("out/") + file));
}

TEST_CASE("the tables beside conf-files say what the conf-files hold", "[golden][rockable]") {
  const Folder folder;
  writeRocks(folder);
  REQUIRE(run(folder, "rockable conf0 -o out -q").code == 0);
  const auto rows = [&](const char* file) {
    std::vector<std::vector<double>> table;
    std::istringstream lines(folder.read(std::string("out/") + file));
    for (std::string line; std::getline(lines, line);) {
      if (line[0] == '#') continue;
      std::istringstream words(line);
      table.emplace_back();
      for (double x = 0.0; words >> x;) table.back().push_back(x);
    }
    return table;
  };
  const auto energies = rows("kineticEnergy.txt"), balances = rows("staticBalance.txt"),
             perf = rows("perf.txt"), budget = rows("energy.txt");
  REQUIRE(energies.size() == 8);
  REQUIRE(budget.size() == 8);
  REQUIRE(perf.size() == 8);
  REQUIRE(balances.size() >= 3);  // since bodies touch
  auto balance = balances.begin();
  for (std::size_t k = 0; k < 8; ++k) {
    Diagnostics quiet;
    const std::string path = folder.path("out/conf" + std::to_string(k + 1));
    const sim::Conf saved = sim::readConfFromFile(path, quiet);
    const sim::Simulation s(saved, sim::shapesOf(saved, quiet), {}, 1, quiet);
    const sim::Bodies& b = s.bodies();
    double translation = 0.0, rotation = 0.0, potential = 0.0;
    for (std::size_t m = saved.nDriven; m < b.size(); ++m) {
      const sim::ParticleRecord& p = saved.particles[m];
      const Vec3 w = p.q.toRotationMatrix().transpose() * p.vrot;
      translation += 0.5 * b.mass[m] * p.vel.squaredNorm();
      rotation += 0.5 * (b.inertia[m].array() * w.array().square()).sum();
      potential -= b.mass[m] * saved.gravity.dot(p.pos);
    }
    CHECK(energies[k][0] == sim::tableTime(saved.t));
    CHECK(energies[k][1] == Approx(translation).epsilon(1e-12));
    CHECK(energies[k][2] == Approx(rotation).epsilon(1e-12));
    CHECK(budget[k][1] == energies[k][1]);
    CHECK(budget[k][3] == Approx(potential).epsilon(1e-12));
    CHECK(perf[k][0] == sim::tableTime(saved.t));
    CHECK(perf[k][1] > 0.0);
    for (const std::size_t share : {2u, 3u})  // by samples of the steps
      CHECK((perf[k][share] >= 0.0 && perf[k][share] <= 100.0));

    // Mass times acceleration over contact forces, of bodies with two contacts or more.
    std::vector<std::vector<double>> fn(b.size());
    double sum = 0.0, most = 0.0, worst = 0.0;
    for (const auto& c : saved.interactions) {
      sum += c.fn;
      fn[c.key.i].push_back(c.fn);
      fn[c.key.j].push_back(c.fn);
    }
    bool any = false;
    for (std::size_t m = saved.nDriven; m < b.size(); ++m) {
      const double largest = fn[m].empty() ? 0.0 : *std::max_element(fn[m].begin(), fn[m].end());
      if (fn[m].size() < 2 || largest == 0.0) continue;
      any = true;
      const double resultant = b.mass[m] * saved.particles[m].acc.norm();
      most = std::max(most, resultant);
      worst = std::max(worst, resultant / largest);
    }
    if (!any) continue;
    REQUIRE(balance != balances.end());
    CHECK((*balance)[0] == sim::tableTime(saved.t));
    CHECK((*balance)[1] == Approx(worst).epsilon(1e-9));
    CHECK((*balance)[2] ==
          Approx(most / (sum / static_cast<double>(saved.interactions.size()))).epsilon(1e-9));
    ++balance;
  }
  CHECK(balance == balances.end());
}

TEST_CASE("a check predicts the conf-files of a run whose contacts are to come",
          "[golden][rockable]") {
  const Folder folder;
  const std::string kept = goldenFolder() + "/heap/";
  folder.write("heap.conf", readFile(kept + "heap.conf"));
  folder.write("rocks-and-walls.shp", readFile(kept + "rocks-and-walls.shp"));
  const json check = parseJson(run(folder, "rockable heap.conf --check --json -q").out);
  REQUIRE(run(folder, "rockable heap.conf -o out -q").code == 0);
  double all = 0.0, first = 0.0, last = 0.0;
  const int files = check["confFiles"];
  const std::int64_t from = sim::confNumber(std::string(check["firstConf"])).value();
  for (std::int64_t k = from; k < from + files; ++k) {
    last = static_cast<double>(folder.read("out/conf" + std::to_string(k)).size());
    all += last;
  }
  first = static_cast<double>(folder.read("heap.conf").size());
  CAPTURE(first, last, all, check.dump());
  CHECK(check["confFileBytes"].get<double>() == Approx(last).epsilon(0.1));
  CHECK(check["confFilesBytes"].get<double>() == Approx(all).epsilon(0.2));
}

TEST_CASE("TrackBody of a run leaves out what drives impose and gravity, as of a file",
          "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  // The ball touches from 0.02 to 0.05 s.
  folder.write("drivingSystem.txt", "Control _y_For_ 0 50\nControl _zrot_Mom_ 0 3\n");
  folder.write("dataExtractors.txt", "TrackBody 0 plate.txt 1\nTrackBody 1 ball.txt 1\n");
  REQUIRE(run(folder, "rockable case.conf -o out -q --until 0.04").code == 0);
  const auto lastRow = [](const std::string& text) {
    std::istringstream words(text.substr(text.rfind('\n', text.size() - 2) + 1));
    std::vector<double> row;
    for (double x = 0.0; words >> x;) row.push_back(x);
    return row;
  };
  for (const int body : {0, 1}) {
    const auto inRun = lastRow(folder.read(body == 0 ? "out/plate.txt" : "out/ball.txt")),
               ofFile = lastRow(run(folder, "extract TrackBody --format txt --body " +
                                                std::to_string(body) + " out/conf2")
                                    .out);
    REQUIRE(inRun.size() == 20);
    REQUIRE(ofFile.size() == 20);
    CHECK(std::abs(inRun[15]) > 10.0);
    for (std::size_t k = 0; k < 20; ++k)
      CHECK(inRun[k] == Approx(ofFile[k]).epsilon(1e-12).margin(1e-12));
  }
}

TEST_CASE("TrackRockfall ends a run when the block leaves the slope or rests",
          "[golden][rockable]") {
  const Folder folder;
  writeCase(folder, with(conf, "tmax 0.1", "tmax 10"));
  // At 0.5 m/s the centre leaves the plate of half side 2, rounded by 0.05, after 4.1 s; friction
  // acts but the ball rolls on.
  folder.write("dataExtractors.txt", "TrackRockfall 1 0 0 fall.txt 100\n");
  const Outcome left = run(folder, "rockable case.conf -o out --done out/done");
  INFO(left.err);
  REQUIRE(left.code == 0);
  CHECK_THAT(left.err, Contains("body 1 has left the box around the driven bodies"));
  const json end = report(folder, "out");
  CHECK(end["end"] == "extractor");
  CHECK(end["time"].get<double>() > 4.0);
  CHECK(end["time"].get<double>() < 8.0);
  CHECK(folder.has("out/done"));
  CHECK_THAT(run(folder, "rockable case.conf -o out --resume").err, Contains("nothing to resume"));
  CHECK(run(folder, "rockable --replay out/run.json -q").code == 0);

  folder.write("dataExtractors.txt", "TrackRockfall 1 0.6 10 fall.txt 100\n");
  const Outcome rests = run(folder, "rockable case.conf -o rest");
  CHECK_THAT(rests.err, Contains("body 1 rests"));
  // Slow enough from the start, so only the 0.6 m/s / 10 m/s² of the fall are waited for.
  CHECK(report(folder, "rest")["time"].get<double>() == Approx(0.0601).margin(1.5e-4));
}

TEST_CASE(
    "The option --until-rest ends a run at rest, at the same step however often it was stopped",
    "[golden][rockable]") {
  const Folder folder;
  // Without the velocity along the plate, since a ball rolls on.
  writeCase(folder, with(with(conf, "tmax 0.1", "tmax 30"), "0.152 0 0.5", "0.152 0 0"));
  const Outcome whole =
      run(folder, "rockable case.conf -o whole --until-rest --rest 1e-3,1e-4,0.05");
  INFO(whole.err);
  REQUIRE(whole.code == 0);
  CHECK_THAT(whole.err, Contains("at rest: unbalanced force"));
  const json end = report(folder, "whole");
  CHECK(end["end"] == "rest");
  CHECK(end["time"].get<double>() < 29.0);
  CHECK(end["rest"]["unbalanced"].get<double>() < 1e-3);
  CHECK(end["rest"]["energy"].get<double>() < 1e-4);
  CHECK(end["time"].get<double>() - end["rest"]["calmSince"].get<double>() ==
        Approx(0.05).margin(0.011));
  CHECK_THAT(run(folder, "rockable case.conf -o whole --resume --until-rest").err,
             Contains("nothing to resume"));
  CHECK(run(folder, "rockable --replay whole/run.json -q").code == 0);

  // Stopped in the middle of the calm time, and once more a step later.
  const auto steps = end["steps"].get<std::uint64_t>();
  const std::string rest = " -q -o parts --rest 1e-3,1e-4,0.05";
  REQUIRE(run(folder, "rockable case.conf --steps " + std::to_string(steps - 150) + rest).code ==
          0);
  REQUIRE(run(folder, "rockable case.conf --resume --steps 1" + rest).code == 0);
  REQUIRE(run(folder, "rockable case.conf --resume" + rest).code == 0);
  CHECK(report(folder, "parts")["steps"] == end["steps"]);
  CHECK(report(folder, "parts")["stateHash"] == end["stateHash"]);
}

TEST_CASE(
    "The option --until-rest says where tmax came first, and refuses limits that mean nothing",
    "[golden][rockable]") {
  const Folder folder;
  writeCase(folder);
  const Outcome early = run(folder, "rockable case.conf -o out --until-rest");
  CHECK(early.code == 0);
  CHECK_THAT(early.err, Contains("tmax reached before rest: unbalanced force"));
  CHECK(report(folder, "out")["end"] == "tmax");
  for (const std::string rule :
       {"1e-3", "1e-3,1e-3", "0,1,1", "1,nan,1", "1,1,-1", "1,1,1,1", "x"}) {
    const Outcome wrong = run(folder, "rockable case.conf -o no --rest " + rule);
    CHECK(wrong.code == 2);
    CHECK_THAT(wrong.err, Contains("expected UNBALANCED,ENERGY,SECONDS"));
    CHECK(!folder.has("no"));
  }
}

TEST_CASE("the run monitor reports deep overlaps and of bodies inside each other",
          "[golden][rockable]") {
  const Folder folder;
  // Dropped at 5 m/s. Undamped, it would go in by v sqrt(m/kn) = 5.2 cm, more than the two radii of
  // a ball and a plate of 5 mm.
  writeCase(folder,
            with(with(conf, "0.5 0 0", "0 -5 0"), "knContact 0 0 1e5", "knContact 0 0 1e4"));
  const Outcome deep = run(folder, "rockable case.conf -o out");
  REQUIRE(deep.code == 0);
  CHECK_THAT(deep.err, Contains("overlaps of up to") && Contains("raise that of contacts"));
  CHECK(report(folder, "out")["findings"].size() >= 1);
  CHECK(run(folder, "rockable case.conf -o out --strict").code == 3);
  writeCase(folder, with(conf, "knContact 0 0 1e5", "knContact 0 0 1e7"));
  const Outcome fine = run(folder, "rockable case.conf -o fine --strict");
  INFO(fine.err);
  CHECK(fine.code == 0);
  CHECK(report(folder, "fine")["findings"].empty());
  // Lists for 0.5 m/s, a body that is faster.
  CHECK(report(folder, "out")["skinExceeded"].get<int>() > 0);
}

TEST_CASE("the run monitor reports bodies that can pass through each other in a step",
          "[golden][rockable]") {
  const Folder folder;
  // At 2000 m/s a step of 1e-4 s is 20 cm, more than ball and plate are rounded by together. It is
  // through before any look.
  writeCase(folder, with(conf, "0.5 0 0", "0 -2000 0"));
  const Outcome fast = run(folder, "rockable case.conf -o fast");
  REQUIRE(fast.code == 0);
  INFO(fast.err);
  CHECK_THAT(fast.err, Contains("near bodies move by 1.33 times their rounding in a step") &&
                           Contains("(bodies 0 and 1 at t = 0.000"));
  // At 40 cm a step it is never so near as lists look: 5 cm above the plate, then 5 cm below.
  writeCase(folder, with(with(conf, "0.5 0 0", "0 -4000 0"), "0 0.152 0", "0 0.6 0"));
  CHECK_THAT(run(folder, "rockable case.conf -o leap").err,
             Contains("bodies move by 2 times their size in a step") && Contains("(body 1 at"));

  // Sharper than a step is long, but high above the plate: nothing to tell. On its way down, when
  // the plate is nearer than the step is long, there is.
  REQUIRE(
      run(folder, "shapeSurvey make box --size 0.2 0.2 0.2 --radius 0.001 -q -o box.shp").code ==
      0);
  writeCase(folder, with(with(conf, "Ball 0", "Box 0"), "0.5 0 0", "0 -40 0"));
  folder.write("shapes.shp",
               with(ballAndPlate, "radius 0.05", "radius 0.001") + folder.read("box.shp"));
  const Outcome near = run(folder, "rockable case.conf -o near --steps 20");
  INFO(near.err);
  CHECK_THAT(near.err, Contains("times their rounding in a step"));
  folder.write("case.conf", with(folder.read("case.conf"), "0 0.152 0", "0 1.152 0"));
  CHECK_THAT(run(folder, "rockable case.conf -o high --steps 20").err, !Contains("rounding"));
}

TEST_CASE("contacts that the lists of --compat rockable miss are counted and reported",
          "[golden][rockable][compat]") {
  const Folder folder;
  // Lists are made at the start alone, when the ball is ten times as high above the plate as they
  // look. At 5 m/s it is there after 20 ms and falls through.
  writeCase(folder, with(with(with(conf, "0.5 0 0", "0 -5 0"), "0 0.152 0", "0 0.25 0"),
                         "interVerlet 0.01", "interVerlet 1"));
  const Outcome missed = run(folder, "rockable case.conf -o as --compat rockable --until 0.05");
  INFO(missed.err);
  REQUIRE(missed.code == 0);
  CHECK_THAT(missed.err, Contains("a contact is in no list (bodies 0 and 1 at t = 0.0"));
  CHECK(report(folder, "as")["missedContacts"] == 1);
  CHECK(report(folder, "as")["contacts"] == 0);
  const Outcome seen = run(folder, "rockable case.conf -o own --until 0.05");
  CHECK_THAT(seen.err, !Contains("in no list"));
  CHECK(report(folder, "own")["missedContacts"] == 0);
  // Made each 10 ms they have it in time; what the lists allow to move by is reported all the same.
  writeCase(folder, with(with(conf, "0.5 0 0", "0 -5 0"), "0 0.152 0", "0 0.25 0"));
  const Outcome fine = run(folder, "rockable case.conf -o fine --until 0.05");
  CHECK_THAT(fine.err, Contains("skin exceeded in") && Contains("no contact was missed"));
}

TEST_CASE("the run monitor reports energy that does not close", "[golden][rockable]") {
  const Folder folder;
  // Three steps in a contact, explicit Euler: the spring gives back far more than it took.
  writeCase(folder, with(with(conf, "knContact 0 0 1e5", "knContact 0 0 1e7"), "nDriven 1",
                         "Integrator Euler\nnDriven 1"));
  const Outcome coarse = run(folder, "rockable case.conf -o coarse");
  REQUIRE(coarse.code == 0);
  INFO(coarse.err);
  CHECK_THAT(coarse.err, Contains("the energy budget does not close"));
}

TEST_CASE("orientations off by more than rounding are reported in one line", "[golden][rockable]") {
  const Folder folder;
  std::string text = with(conf, "Particles 2", "Particles 5");
  for (const char* place : {"-1 1 -1", "1 1 -1", "1 1 1"})  // apart, and above the plate
    text += std::string("Ball 0 1 1 ") + place + " 0 0 0 0 0 0 0.707 0 0.707 0 0 0 0 0 0 0\n";
  writeCase(folder, text);
  const Outcome checked = run(folder, "rockable --check case.conf");
  CHECK(lineCount(checked.err) == 1);
  CHECK_THAT(checked.err, Contains("case.conf:21:1") && Contains("and those of 2 more bodies"));
}

#ifndef __SANITIZE_THREAD__  // whose part of the address space has no room for such a stack
TEST_CASE("where the system has no more threads, a run takes those that there are",
          "[golden][rockable]") {
  const Folder folder;
  REQUIRE(run(folder, "shapeSurvey make boulder --size 0.3 --radius 0.01 -q -o rock.shp").code ==
          0);
  REQUIRE(
      run(folder,
          "packgen lattice --shape rock.shp --cells 8 8 8 --walls 0.1 --duration 2e-3 -q -o conf0")
          .code == 0);
  REQUIRE(run(folder, "rockable conf0 -o one -q -j 1").code == 0);
  // A stack of a terabyte is more than there is for one thread.
  const Outcome outcome = run(folder, "ulimit -s 1000000000; rockable conf0 -o many -q -j 200");
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(report(folder, "many")["stateHash"] == report(folder, "one")["stateHash"]);
}
#endif
