// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of the output of extract: awk, gnuplot, Python; tables of ensembles; pictures; a run that
// is followed while it writes.
#include "catch.hpp"
#include "command.hpp"
#include "run_cases.hpp"
#include "squeezed_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <sstream>
#include <thread>

using namespace scree;
using namespace scree::testing;
using Catch::Matchers::Contains;

namespace {

void writeConf(const Folder& folder, int k) { writeSqueezed(folder, k, k, 5.0); }

bool isThere(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

}  // namespace

TEST_CASE("Python reads the tables without options", "[golden][extract]") {
  const Folder folder;
  for (const int k : {0, 1, 2}) writeConf(folder, k);
  REQUIRE(run(folder, "extract bodies --driven run -o bodies.csv").code == 0);
  REQUIRE(run(folder, "extract bodies --driven run -o bodies.json --json").code == 0);
  if (!isThere("python3")) return skip("no python3");
  folder.write("read.py", R"(
import csv, json
rows = list(csv.DictReader(l for l in open("bodies.csv") if not l.startswith("#")))
table = json.load(open("bodies.json"))
assert table["schema"] == 1
names = table["columns"]
assert list(rows[0]) == names, names
assert len(rows) == len(table["rows"]) == 9
for row, values in zip(rows, table["rows"]):
    for name, value in zip(names, values):
        if value is None:
            assert row[name] == "nan"
        elif isinstance(value, str):
            assert row[name] == value
        else:
            assert float(row[name]) == value, (name, row[name], value)
print(sum(float(row["vx"]) for row in rows), table["units"]["vx"])
)");
  // The sum of vx over bodies and files is 0 + 1/3 + 2/3.
  const Outcome python = run(folder, "python3 read.py");
  INFO(python.err);
  CHECK(python.out == "1.0 m/s\n");
}

TEST_CASE("join puts the columns of runs.csv beside the rows of each run",
          "[golden][extract][join]") {
  const Folder folder;
  folder.write("study/runs.csv", "run,mu,shape\n0001,0.3,boulder\n0002,0.5,slab\n0003,0.7,slab\n");
  folder.write("study/tables/0001.csv", "# a\n# b\n# units: id=-,vMax=m/s\nid,vMax\n1,2.5\n2,3\n");
  folder.write("study/tables/0002.csv", "# a\n# b\n# units: id=-,vMax=m/s\nid,vMax\n1,4\n");
  const Outcome o = run(folder, "extract join 'study/tables/*.csv'");
  INFO(o.err);
  CHECK(o.code == 0);
  CHECK(linesOf(o.out) == std::vector<std::string>{"run,id,vMax,mu,shape", "0001,1,2.5,0.3,boulder",
                                                   "0001,2,3,0.3,boulder", "0002,1,4,0.5,slab"});
  CHECK_THAT(o.out, Contains("# units: vMax=m/s"));
  CHECK_THAT(o.err, Contains("1 of its runs have no row in these tables"));
  // By the folder of the table, and by a column of it.
  folder.write("study/0003/runout.csv", "id,vMax\n1,9\n");
  CHECK(linesOf(run(folder, "extract join study/0003/runout.csv -q").out).back() ==
        "0003,1,9,0.7,slab");
  folder.write("own.csv", "id,run\n1,2\n1,3\n");
  CHECK(
      linesOf(run(folder, "extract join own.csv --runs study/runs.csv -q --columns run,mu").out) ==
      std::vector<std::string>{"run,mu", "0002,0.5", "0003,0.7"});
  folder.write("clash.csv", "run,mu\n1,7\n");
  CHECK(linesOf(run(folder, "extract join clash.csv --runs study/runs.csv -q").out) ==
        std::vector<std::string>{"run,mu,run_mu,shape", "0001,7,0.3,boulder"});
  // Without a table of runs the name of the table is its run.
  folder.write("apart/x7.csv", "id\n1\n");
  CHECK(linesOf(run(folder, "extract join apart/x7.csv").out) ==
        std::vector<std::string>{"run,id", "x7,1"});
  // Without one, names such as 07 stay as they are, and plain numbers are numbers.
  for (const char* name : {"07", "7", "1e3", "08"})
    folder.write(std::string("apart/") + name + ".csv", "id\n1\n");
  CHECK(linesOf(run(folder, "extract join apart/07.csv apart/1e3.csv apart/08.csv").out) ==
        std::vector<std::string>{"run,id", "07,1", "1e3,1", "08,1"});
  // Tables of a run name no units: they are those of its extractor.
  folder.write("apart/speed.txt", "t,speed\n0,1\n");
  CHECK_THAT(run(folder, "extract join apart/speed.txt").out, Contains("# units: t=s,speed=m/s\n"));
  folder.write("study/tables/0009.csv", "id,vMax\n1,4\n");
  const Outcome unknown = run(folder, "extract join study/tables/0009.csv");
  CHECK(unknown.code == 3);
  CHECK_THAT(unknown.err, Contains("no row for run '0009'"));
  folder.write("study/tables/0003.csv", "id,speed\n1,4\n");
  const Outcome other = run(folder, "extract join study/tables/0001.csv study/tables/0003.csv");
  CHECK(other.code == 3);
  CHECK_THAT(other.err, Contains("0003.csv has other columns"));
}

TEST_CASE("exceedance: the share above each level, with the standard error of the draws",
          "[golden][extract][exceedance]") {
  const Folder folder;
  folder.write("a.csv", "run,v\n1,1\n1,2\n2,2\n2,4\n");
  const Outcome o =
      run(folder, "extract exceedance --of v a.csv --columns level,p,error,above,n,censored");
  INFO(o.err);
  CHECK(o.code == 0);
  // p(1-p)/(n-1) for n = 4 independent rows.
  CHECK(linesOf(o.out) == std::vector<std::string>{"level,p,error,above,n,censored",
                                                   "1,0.75,0.25,3,4,0", "2,0.25,0.25,1,4,0",
                                                   "4,0,0,0,4,0"});
  // A curve for each run.
  CHECK(linesOf(run(folder, "extract exceedance --of v --by run --levels 1.5 a.csv --columns run,p")
                    .out) == std::vector<std::string>{"run,p", "1,0.5", "2,1"});
  CHECK(linesOf(run(folder, "extract exceedance --of v --bins 3 a.csv --columns level,p").out) ==
        std::vector<std::string>{"level,p", "1,0.75", "2,0.25", "3,0.25", "4,0"});
  // Ten releases, four of them with a row.
  CHECK(linesOf(run(folder, "extract exceedance --of v --total 10 a.csv --columns p,above,n").out)
            .at(1) == "0.3,3,10");
  CHECK(run(folder, "extract exceedance --of v --total 3 a.csv").code == 3);
  // Over several tables, nan left out.
  folder.write("b.csv", "run,v\n3,nan\n3,8\n");
  CHECK(linesOf(run(folder, "extract exceedance --of v --levels 2 a.csv b.csv --columns p,n").out)
            .back() == "0.4,5");
  const Outcome wrong = run(folder, "extract exceedance --of w a.csv");
  CHECK(wrong.code == 3);
  CHECK_THAT(wrong.err, Contains("there is no column 'w'"));
  CHECK(run(folder, "extract exceedance a.csv").code == 2);
}

TEST_CASE("bodies that left or move still are censored, and no share is certain",
          "[golden][extract][exceedance]") {
  const Folder folder;
  // Kaplan-Meier by hand: 4/5 after 10; 2/3 of that after 20, where one of three ends; one of the
  // last two is at least 30, the other ends at 40.
  folder.write("a.csv", "id,reach,end\n0,10,rest\n1,15,left\n2,20,rest\n3,30,moving\n4,40,rest\n");
  const Outcome o = run(folder, "extract exceedance --of reach a.csv --columns level,p,n,censored");
  INFO(o.err);
  CHECK(linesOf(o.out) == std::vector<std::string>{"level,p,n,censored", "10,0.8,5,2", "15,0.8,5,2",
                                                   "20,0.5333333333333333,5,2",
                                                   "30,0.5333333333333333,5,2", "40,0,5,2"});
  // No event among 20: at most 1 - 0.05^(1/20) = 0.139 with 95 %, by Wilson 0.161.
  std::string text = "id,reach,end\n";
  for (int k = 0; k < 20; ++k) text += fmt::format("{},{},rest\n", k, k);
  folder.write("c.csv", text);
  const auto none = linesOf(
      run(folder, "extract exceedance --of reach --levels 50 c.csv --columns p,low,high").out);
  CHECK(none.back().starts_with("0,0,0.161"));
  // Where all but one left early, one draw says little: Wilson's interval for n = 1.
  text = "id,reach,end\n20,50,rest\n";
  for (int k = 0; k < 19; ++k) text += fmt::format("{},0.1,left\n", k);
  folder.write("c.csv", text);
  const Outcome few =
      run(folder, "extract exceedance --of reach --levels 49,60 c.csv --columns p,low,high");
  const auto rows = linesOf(few.out);
  CHECK(rows[1].starts_with("1,0.206"));
  CHECK(rows[2].starts_with("0,0,0.793"));
  CHECK(few.err.empty());
  folder.write("c.csv", "id,reach\n20,50\n");
  CHECK_THAT(run(folder, "extract exceedance --of reach c.csv").err, Contains("no column 'end'"));
}

TEST_CASE("score ranks the points of a plan against measurements", "[golden][extract][score]") {
  const Folder folder;
  folder.write("runs.csv", "run,mu,en2\n1,0.3,0.1\n2,0.3,0.1\n3,0.5,0.1\n4,0.5,0.1\n");
  for (const char* run : {"1,10", "2,14", "3,11", "4,13"})
    folder.write(std::string("tables/") + run[0] + ".csv",
                 std::string("# units: path=m\nrun,path,end\n") + run + ",rest\n");
  // A table as surveyors write it: blanks, a name in a comment.
  folder.write("measured.txt", "# runout mass\n11 300\n13 500\n");
  mustRun(folder, "extract join 'tables/*.csv' -o all.csv");
  const std::string call =
      "extract score all.csv --against measured.txt --by mu,en2 --column path=runout ";
  const Outcome o = run(folder, call + "--columns mu,en2,runs,path.wasserstein,distance");
  INFO(o.err);
  CHECK(linesOf(o.out) == std::vector<std::string>{"mu,en2,runs,path.wasserstein,distance",
                                                   "0.5,0.1,2,0,0",
                                                   "0.3,0.1,2,1,0.7071067811865475"});
  CHECK_THAT(o.out, Contains("path.wasserstein=m"));
  // The density of 11 and of 13 is the same: N(0)/2 + N(2)/2 and N(1)/2 + N(3)/2 for S = 1.
  const auto rows = linesOf(run(folder, call + "--error path=1 --columns mu,weight").out);
  const double good = std::exp(0.0) + std::exp(-2.0), bad = std::exp(-0.5) + std::exp(-4.5);
  CHECK(rows[1].starts_with("0.5,"));
  CHECK(std::stod(rows[1].substr(4)) ==
        Approx(good * good / (good * good + bad * bad)).epsilon(1e-12));
  const Outcome profile = run(folder, call + "--error path=1 --profile mu --columns mu,runs");
  CHECK(linesOf(profile.out) == std::vector<std::string>{"mu,runs", "0.3,2", "0.5,2"});
  CHECK_THAT(profile.err, Contains("mu: 0.") && Contains("by the weights"));
  CHECK(run(folder, call + "--error path=0").code == 2);
  CHECK(run(folder, call + "--profile kn").code == 2);
  CHECK(run(folder, call + "-o measured.txt --force").code == 2);
  CHECK(run(folder, "extract score all.csv --by mu").code == 2);
  const Outcome apart = run(folder, "extract score all.csv --against measured.txt --by mu");
  CHECK(apart.code == 3);
  CHECK_THAT(apart.err, Contains("no column in common"));
  const Outcome same =
      run(folder, "extract score all.csv --against measured.txt --by en2 --column path=runout");
  CHECK(same.code == 3);
  CHECK_THAT(same.err, Contains("do not differ in en2"));
}

TEST_CASE("The option --plot draws a table with gnuplot and leaves its script beside it",
          "[golden][extract][plot]") {
  const Folder folder;
  for (const int k : {0, 1, 2}) writeConf(folder, k);
  // Without gnuplot the table and the script are there, and one sentence says what is missing.
  const Outcome without =
      run(folder,
          "mkdir none; ln -s \"$(command -v extract)\" none/extract; "
          "PATH=$PWD/none none/extract bodies --driven --columns t,x,y,z,id run -o a.csv --plot "
          "a.svg");
  INFO(without.err);
  CHECK(without.code == 2);
  CHECK_THAT(without.err, Contains("gnuplot is not installed (Debian: gnuplot-nox)"));
  CHECK(folder.has("a.csv"));
  const std::string script = folder.read("a.gp");
  CHECK_THAT(script, Contains("set xlabel \"t (s)\"") && Contains("set ylabel \"x, y, z (m)\"") &&
                         Contains("title \"x, id 0\"") && Contains("title \"z, id 2\""));
  CHECK(run(folder, "extract bodies run --plot a.jpg").code == 2);
  if (!isThere("gnuplot")) return skip("no gnuplot");
  for (const char* command : {"extract TrackBody --body 2 run -o b.csv --plot TrackBody.svg",
                              "extract bodies run/conf1 -o c.csv --plot bodies.png"}) {
    const Outcome o = run(folder, command);
    INFO(command << ": " << o.err);
    CHECK(o.code == 0);
    CHECK_THAT(o.err, !Contains("error"));
  }
  CHECK_THAT(folder.read("TrackBody.svg"), Contains("<svg") && Contains("z (m)"));
  CHECK(folder.read("bodies.png").starts_with("\x89PNG"));
  // The script alone makes the same picture.
  const std::string picture = folder.read("TrackBody.svg");
  REQUIRE(run(folder, "rm TrackBody.svg; gnuplot TrackBody.gp").code == 0);
  CHECK(folder.read("TrackBody.svg") == picture);
  CHECK(run(folder, "extract bodies run/conf1 -o h.csv --plot bodies.png").code == 4);
}

TEST_CASE("The option --follow adds rows while a run writes, and ends with it",
          "[golden][extract][follow]") {
  const Folder folder;
  writeConf(folder, 0);
  std::thread writer([&] {
    for (const int k : {1, 2, 3, 4, 5}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      // Half a file first, as programs do that write in place.
      if (k == 3) folder.write("run/conf3", "Rockable 21-08-2022\nt 3\nPart");
      if (k == 3) std::this_thread::sleep_for(std::chrono::milliseconds(150));
      writeConf(folder, k);
    }
  });
  const Outcome o =
      run(folder, "timeout 60 extract bodies run --follow --columns t,vx -o live.csv");
  writer.join();
  INFO(o.err);
  CHECK(o.code == 0);
  const Outcome after = run(folder, "extract bodies run --columns t,vx");
  CHECK(linesOf(folder.read("live.csv")) == linesOf(after.out));
  CHECK(linesOf(after.out).size() == 7);
  CHECK(linesOf(run(folder, "timeout 60 extract bodies run --follow --columns t,vx").out) ==
        linesOf(after.out));
  // A signal ends it; the rows so far are there.
  CHECK(run(folder,
            "mkdir open && cp run/conf0 run/shapes.shp open && timeout --foreground "
            "--preserve-status 2 "
            "extract bodies open --follow --columns t,vx -o open.csv")
            .code == 75);
  CHECK(linesOf(folder.read("open.csv")).size() == 2);
  CHECK(run(folder, "extract runout run --follow -o r.csv").code == 2);
  CHECK(run(folder, "extract bodies run --follow --json").code == 2);
  // A file that stays damaged is named once a later one exists.
  folder.write("run/conf3", "Rockable 21-08-2022\nt 3\nPart");
  const Outcome damaged = run(folder, "timeout 60 extract bodies run --follow --columns t,vx");
  CHECK(damaged.code == 3);
  CHECK_THAT(damaged.err, Contains("run/conf3:") && Contains("1 of 6 conf-files skipped"));
}

TEST_CASE("the pressure of walls without load is 0, not -0", "[golden][extract][walls]") {
  const Folder folder;
  writeRocks(folder);
  const Outcome o = run(folder, "extract walls conf0 --columns wall,area,pressure");
  INFO(o.out);
  CHECK(o.code == 0);
  CHECK(linesOf(o.out).size() == 7);
  CHECK_THAT(o.out, !Contains("-0\n") && !Contains("nan"));
}

TEST_CASE("a column of nan has a note", "[golden][extract]") {
  const Folder folder;
  writeConf(folder, 0);
  const Outcome o = run(folder, "extract macro run --columns t,exx,p");
  CHECK(o.code == 0);
  CHECK_THAT(o.err, Contains("nan in all rows: exx,p"));
  CHECK(run(folder, "extract energy run --columns t,kinetic").err.empty());
}
