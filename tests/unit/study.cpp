// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of studies against closed forms, and where values stand in the files of a case.
#include "scree/sim/study/study.hpp"

#include "catch.hpp"
#include "folder.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;
using sim::Plan;

namespace {

Table planned(const std::vector<std::string>& vary, std::optional<Plan> plan = {},
              std::optional<std::int64_t> runs = {}, std::uint64_t seed = 1) {
  sim::StudyPlan p{{}, plan, runs, seed};
  for (const std::string& text : vary) p.variations.push_back(sim::variationFrom(text));
  return sim::runsOf(p);
}

std::vector<std::string> column(const Table& table, const std::string& name) {
  std::vector<std::string> texts;
  for (const Row& row : table.rows) texts.push_back(std::get<std::string>(row[table.column(name)]));
  return texts;
}

/// A case of one fixed and two free boxes, with values of all forms.
const std::string confText =
    "Rockable 21-08-2022\n"
    "# muContact 0 1 0.9 stays\n"
    "t 0\ntmax 1\ndt 1e-4\ninterConf 0.1\ngravity 0 -9.81 0\n"
    "density 0 2700\ndensity 1 2700\n"
    "knContact 0 0 1e6\nknContact 0 1 1e6\nknContact 1 1 1e6\n"
    "muContact 1 0 0.5   # order as some write it\nmuContact 1 1 0.4\n"
    "nDriven 1\nshapeFile box.shp\n"
    "Particles 3\n"
    "Box 0 0 1  0 0 0  0 0 0  0 0 0  1 0 0 0  0 0 0  0 0 0\n"
    "Box 1 1 1  0 3 0  0 0 0  0 0 0  1 0 0 0  0 0 0  0 0 0\n"
    "Box 1 2 1  0 6 0  0 0 0  0 0 0  1 0 0 0  0 0 0  0 0 0\n"
    "Interactions 0\nInterfaces 0\n";

/// The case with `now` in place of `old`.
std::string at(const std::string& old, const std::string& now) {
  std::string text = confText;
  return text.replace(text.find(old), old.size(), now);
}

void writeCase(const Folder& folder, const std::string& conf = confText) {
  shape::Shape box = shape::makeBox({1.0, 1.0, 1.0}, 0.1);
  box.name = "Box";
  mass::survey(box);
  folder.write("case/box.shp", shape::shapesText({box}));
  folder.write("case/conf0", conf);
}

std::size_t write(const Folder& folder, const Table& runs, bool append = false) {
  Diagnostics diagnostics(true);
  sim::StudyOptions options;
  options.folder = folder.path("study");
  options.append = append;
  return sim::writeStudy(sim::readStudyCase(folder.path("case")), runs, options, diagnostics);
}

sim::Conf confOf(const Folder& folder, const std::string& run) {
  Diagnostics diagnostics(true);
  return sim::readConfFromFile(folder.path("study/" + run + "/conf0"), diagnostics);
}

/// The lines of a file that its model does not have.
std::vector<std::string> newLines(const std::string& text, const std::string& model) {
  std::vector<std::string> lines;
  std::set<std::string> known;
  std::istringstream old(model), now(text);
  for (std::string line; std::getline(old, line);) known.insert(line);
  for (std::string line; std::getline(now, line);)
    if (!known.contains(line)) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("a grid has all combinations, the last variation fastest", "[study]") {
  const Folder folder;
  const std::string table = folder.write("ab.csv", "run,a,b\n7,1,one\n9,2.50,two\n");
  const Table runs = planned({table, "mu=0.1:0.5:5", "law=Default,Avalanche"});
  REQUIRE(runs.rows.size() == 20);
  CHECK(column(runs, "run").front() == "0001");
  CHECK(column(runs, "run").back() == "0020");
  const auto a = column(runs, "a"), b = column(runs, "b"), mu = column(runs, "mu"),
             law = column(runs, "law");
  CHECK(b[9] == "one");
  CHECK(a[10] == "2.50");  // texts of tables stay
  CHECK(b[10] == "two");
  CHECK(std::vector(mu.begin(), mu.begin() + 10) ==
        std::vector<std::string>{"0.1", "0.1", "0.2", "0.2", "0.3", "0.3", "0.4", "0.4", "0.5",
                                 "0.5"});
  CHECK(law[0] == "Default");
  CHECK(law[1] == "Avalanche");
  CHECK(column(planned({"kn=1e5:1e5:1"}), "kn") == std::vector<std::string>{"100000"});
  CHECK(column(planned({"seed=5:7:3"}), "seed") == std::vector<std::string>{"5", "6", "7"});
  const auto seeds = column(planned({}, {}, 5000), "seed");
  CHECK(std::set(seeds.begin(), seeds.end()).size() == 5000);
}

TEST_CASE("draws have their distributions, and more runs leave the first ones alone", "[study]") {
  for (const Plan plan : {Plan::random, Plan::sobol}) {
    constexpr int n = 1024;
    const std::vector<std::string> vary{"u=uniform:2,6", "g=normal:10,3", "w=a,b,c,d"};
    const Table runs = planned(vary, plan, n), few = planned(vary, plan, 100);
    CHECK(std::equal(few.rows.begin(), few.rows.end(), runs.rows.begin()));
    CHECK(planned(vary, plan, n, 2).rows != runs.rows);
    // Each quantity as its distribution function, which is uniform in [0, 1].
    std::vector<double> u, g, w;
    for (const std::string& text : column(runs, "u")) u.push_back((std::stod(text) - 2.0) / 4.0);
    for (const std::string& text : column(runs, "g"))
      g.push_back(0.5 * std::erfc(-(std::stod(text) - 10.0) / 3.0 / std::sqrt(2.0)));
    for (const std::string& text : column(runs, "w")) w.push_back((text[0] - 'a' + 0.5) / 4.0);
    for (auto* x : {&u, &g}) {
      std::vector<double> sorted = *x;
      std::ranges::sort(sorted);
      double worst = 0.0;
      for (int k = 0; k < n; ++k)
        worst = std::max(worst, std::abs(sorted[static_cast<std::size_t>(k)] - (k + 0.5) / n));
      // Kolmogorov: 1.95/√n is exceeded once in 1000; a Sobol sequence has one point in each nth.
      CHECK(worst < (plan == Plan::sobol ? 0.5 / n + 1e-12 : 1.95 / std::sqrt(n)));
    }
    // 32 x 32 cells of two coordinates have one point of a Sobol sequence each, 4 x 256 as well.
    std::set<std::pair<int, int>> cells, strips;
    for (std::size_t k = 0; k < n; ++k) {
      cells.emplace(static_cast<int>(32 * u[k]), static_cast<int>(32 * g[k]));
      strips.emplace(static_cast<int>(256 * u[k]), static_cast<int>(4 * w[k]));
    }
    CHECK((cells.size() == n) == (plan == Plan::sobol));
    CHECK((strips.size() == n) == (plan == Plan::sobol));
  }
}

TEST_CASE("plans that cannot be meant are refused", "[study]") {
  const auto says = [](const std::vector<std::string>& vary, std::optional<Plan> plan,
                       std::optional<std::int64_t> runs, const std::string& text) {
    INFO(text);
    CHECK_THROWS_WITH(planned(vary, plan, runs), Contains(text));
  };
  says({"mu=0.1:0.5:0"}, {}, {}, "expected 1 to 1000000 values");
  says({"mu=normal:1,0"}, {}, 3, "standard deviation above 0");
  says({"mu=uniform:2,1"}, {}, 3, "A below B");
  says({"mu=uniform:0,1"}, Plan::grid, {}, "no distributions");
  says({"mu=uniform:0,1"}, {}, {}, "how many runs are to be drawn");
  says({"mu=1,2"}, {}, 3, "2 points");
  says({"mu=1,2", "mu=3,4"}, {}, {}, "varies twice");
  says({}, {}, 1'000'000'000, "1 to 1000000 runs");
}

TEST_CASE("values come where a name means, and all other bytes stay", "[study]") {
  struct Case {
    std::string vary;
    std::vector<std::string> lines;  ///< of the conf-file that are new
  };
  const std::vector<Case> cases{
      {"muContact:0-1=0.7", {"muContact 1 0 0.7   # order as some write it"}},
      {"muContact=0.7", {"muContact 1 0 0.7   # order as some write it", "muContact 1 1 0.7"}},
      {"knContact:1-1=8e5", {"knContact 1 1 8e5"}},
      {"density:1=2500", {"density 1 2500"}},
      {"gravity=0 0 -9.81", {"gravity 0 0 -9.81"}},
      {"dt=2e-5", {"dt 2e-5"}},
      {"shapeFile=box.shp", {}}};
  for (const Case& c : cases) {
    INFO(c.vary);
    const Folder folder;
    writeCase(folder);
    write(folder, planned({c.vary}, Plan::grid));
    std::vector<std::string> lines = newLines(folder.read("study/0001/conf0"), confText);
    CHECK(std::erase(lines, "shapeFile ../shapes/box.shp") == 1);
    CHECK(lines == c.lines);
    CHECK(confOf(folder, "0001").particles.size() == 3);
    Diagnostics diagnostics(true);
    CHECK(sim::shapesOf(confOf(folder, "0001"), diagnostics).size() == 1);
  }
}

TEST_CASE("a name within a line is refused: not all of its values would vary", "[study]") {
  const Folder folder;
  writeCase(folder, at("0.4\n", "0.4 muContact 0 1 0.3\n"));
  CHECK_THROWS_WITH(write(folder, planned({"muContact=0.7"}, Plan::grid)),
                    Contains("stands within a line"));
}

TEST_CASE("marks may stand in all files of a case, and shape-files may vary", "[study]") {
  const Folder folder;
  writeCase(folder, at("tmax 1", "tmax @end@"));
  folder.write("other/small.shp", folder.read("case/box.shp"));
  folder.write("case/drivingSystem.txt", "Control _x_Vel_ 0 @speed@\n");
  folder.write("case/dataExtractors.txt", "TrackBody 1 body@run@.txt @n@\n");
  const Table runs = planned(
      {"end=2,3", "speed=0.5", "n=7", "shapeFile=box.shp," + folder.path("other/small.shp")});
  CHECK(write(folder, runs) == 0);
  CHECK(folder.has("study/shapes/small.shp"));
  CHECK(confOf(folder, "0003").tmax == 3.0);
  CHECK(confOf(folder, "0003").shapeFile == "../shapes/box.shp");
  CHECK(confOf(folder, "0004").shapeFile == "../shapes/small.shp");
  CHECK(folder.read("study/0003/drivingSystem.txt") == "Control _x_Vel_ 0 0.5\n");
  CHECK(folder.read("study/0003/dataExtractors.txt") == "TrackBody 1 body0003.txt 7\n");
}

TEST_CASE("a study grows without a change of what is there", "[study]") {
  const Folder folder;
  writeCase(folder);
  const std::vector<std::string> vary{"dt=uniform:1e-5,1e-4"};
  for (const Plan plan : {Plan::random, Plan::sobol}) {
    write(folder, planned(vary, plan, 10));
    folder.write("study/0004/mine", "");
    std::vector<std::string> before;
    for (const std::string& run : column(planned(vary, plan, 10), "run"))
      before.push_back(folder.read("study/" + run + "/conf0"));
    const auto time = fs::last_write_time(folder / "study/0010/conf0");
    CHECK_THROWS_AS(write(folder, planned(vary, plan, 20)), IoError);
    CHECK(write(folder, planned(vary, plan, 20), true) == 10);
    for (std::size_t k = 0; k < 10; ++k)
      CHECK(folder.read("study/" + column(planned(vary, plan, 10), "run")[k] + "/conf0") ==
            before[k]);
    CHECK(fs::last_write_time(folder / "study/0010/conf0") == time);
    CHECK(folder.has("study/0004/mine"));
    CHECK(folder.has("study/0020/conf0"));
    CHECK(readTable(folder / "study/runs.csv").rows.size() == 20);
    // Another plan, and fewer runs.
    CHECK_THROWS_WITH(write(folder, planned(vary, plan, 30, 2), true),
                      Contains("not the first ones"));
    CHECK_THROWS_WITH(write(folder, planned(vary, plan, 15), true), Contains("not the first ones"));
    fs::remove_all(folder / "study");
  }
}

TEST_CASE("cases and names that cannot be meant are refused, and nothing is written", "[study]") {
  struct Case {
    std::string vary, says, conf = confText;
  };
  const std::vector<Case> cases{
      {"muContactt=0.1", "did you mean 'muContact'"},
      {"nothing=0.1", "no file of the case has the mark @nothing@"},
      {"muContact:0-2=0.1", "no line 'muContact 0 2 VALUE'"},
      {"muContact:0-1=0.3,-0.1", "run 0002 (muContact:0-1 = -0.1): "},
      {"shapeFile=none.shp", "none.shp"},
      {"size=0,fast", "run 0001 (size = 0): ", at("Box 1 1 1", "Box 1 1 @size@")},
      {"speed=fast", "found 'fast'", at("0 3 0  0", "0 3 0  @speed@")},
      {"dt=1", "no line 'dt", "redirection case/ conf7\n"}};
  for (const Case& c : cases) {
    INFO(c.vary);
    const Folder folder;
    writeCase(folder, c.conf);
    CHECK_THROWS_WITH(write(folder, planned({c.vary}, Plan::grid)), Contains(c.says));
    CHECK_FALSE(folder.has("study"));
  }
  const Folder folder;
  CHECK_THROWS_AS(sim::readStudyCase(folder.path("none")), IoError);
}

TEST_CASE("the status of a study follows from the files of its runs", "[study]") {
  const Folder folder;
  writeCase(folder);
  write(folder, planned({}, {}, 6));
  const auto record = [&](const std::string& run, const std::string& status, double time,
                          double wall) {
    sim::RunRecord r;
    r.status = status;
    r.time = time;
    r.tmax = 1.0;
    r.wallSeconds = wall;
    folder.write("study/" + run + "/run.json", sim::runJson(r));
  };
  record("0001", "tmax", 1.0, 40.0);
  record("0002", "rest", 0.5, 20.0);
  record("0003", "running", 0.25, 5.0);
  record("0004", "stopped", 0.5, 15.0);
  folder.write("study/logs/0005.failed", "exit code 3:\nconf0:1:1: broken\n");
  sim::StudyStatus s = sim::studyStatus(folder / "study");
  CHECK(std::vector{s.runs, s.done, s.running, s.stopped, s.failed, s.waiting} ==
        std::vector<std::size_t>{6, 2, 1, 1, 1, 1});
  CHECK(s.secondsLeft == 30.0 * (0.75 + 0.5 + 1.0));
  CHECK(s.failures == std::vector<std::string>{"0005: exit code 3: conf0:1:1: broken "});
  // A killed run has written nothing for long.
  const auto old = fs::file_time_type::clock::now() - std::chrono::minutes(7);
  for (const auto& entry : fs::directory_iterator(folder / "study/0003"))
    fs::last_write_time(entry, old);
  s = sim::studyStatus(folder / "study");
  CHECK(s.running == 0);
  CHECK(s.stopped == 2);
}
