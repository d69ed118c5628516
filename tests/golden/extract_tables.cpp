// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of extract: how others read them, how they go on (--append and --follow lose no row and
// repeat none), where two runs part, and tracks of falling rocks.
#include "heap_scenes.hpp"
#include "squeezed_run.hpp"
#include "tool_test.hpp"

#include "scree/shape/shape_file.hpp"

#include <chrono>
#include <thread>

namespace {

void writeConf(const Folder& folder, int k) { writeSqueezed(folder, k, k, 5.0); }

/// conf-files at the times 9, 9.25, 9.5 ... With the last one the run is over.
void writeSeries(const Folder& folder, int count) {
  for (int k = 0; k < count; ++k)
    writeSqueezed(folder, k, 9.0 + 0.25 * k, 9.0 + 0.25 * (count - 1));
}

constexpr int interval = 50;  ///< steps between two files

/// Writes the case NAME/case.conf of 600 bodies and runs it for 3 intervals into NAME/out.
void runCase(const Folder& folder, const std::string& name, const std::string& drives) {
  scenes::Scene scene = scenes::heap("Default", {600});
  scene.conf.shapeFile = "shapes.shp";
  scene.conf.tmax = 3 * interval * scene.conf.dt;
  scene.conf.interConf = interval * scene.conf.dt;
  folder.write(name + "/shapes.shp", shape::shapesText(scene.shapes));
  folder.write(name + "/case.conf", sim::confText(scene.conf));
  if (!drives.empty()) folder.write(name + "/drivingSystem.txt", drives);
  const Outcome o = run(folder, fmt::format("rockable -q {0}/case.conf -o {0}/out", name));
  INFO(o.err);
  // Bodies that overlap so much at the start make energy.
  REQUIRE((o.code == 0 || o.code == 3));
}

/// Rows of a csv table as text, the line of names first.
std::vector<std::vector<std::string>> cellsOf(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

}  // namespace

TEST_CASE("Python reads the tables without options", "[golden][extract]") {
  const Folder folder;
  for (const int k : {0, 1, 2}) writeConf(folder, k);
  mustRun(folder, "extract bodies --driven run -o bodies.csv");
  mustRun(folder, "extract bodies --driven run -o bodies.json --json");
  if (!isInstalled("python3")) return skip("no python3");
  folder.write("read.py", R"(
import csv, json
rows = list(csv.DictReader(l for l in open("bodies.csv") if not l.startswith("#")))
table = json.load(open("bodies.json"))
assert table["schema"] == 1 and list(rows[0]) == table["columns"] and len(rows) == len(table["rows"]) == 9
for row, values in zip(rows, table["rows"]):
    for text, value in zip(row.values(), values):
        assert text == ("nan" if value is None else value) if value is None or isinstance(value, str) else float(text) == value
print(sum(float(row["vx"]) for row in rows), table["units"]["vx"])
)");
  // The sum of vx over bodies and files is 0 + 1/3 + 2/3.
  CHECK(mustRun(folder, "python3 read.py").out == "1.0 m/s\n");
}

TEST_CASE("join puts the columns of runs.csv beside the rows of each run",
          "[golden][extract][join]") {
  const Folder folder;
  folder.write("study/runs.csv", "run,mu,shape\n0001,0.3,boulder\n0002,0.5,slab\n0003,0.7,slab\n");
  folder.write("study/tables/0001.csv", "# a\n# b\n# units: id=-,vMax=m/s\nid,vMax\n1,2.5\n2,3\n");
  folder.write("study/tables/0002.csv", "# a\n# b\n# units: id=-,vMax=m/s\nid,vMax\n1,4\n");
  const Outcome o = expect(folder, "extract join 'study/tables/*.csv'", 0);
  CHECK(linesOf(o.out) == std::vector<std::string>{"run,id,vMax,mu,shape", "0001,1,2.5,0.3,boulder",
                                                   "0001,2,3,0.3,boulder", "0002,1,4,0.5,slab"});
  CHECK_THAT(o.out, Contains("# units: vMax=m/s"));
  CHECK_THAT(o.err, Contains("1 of its runs have no row in these tables"));
  folder.write("study/0003/runout.csv", "id,vMax\n1,9\n");
  folder.write("own.csv", "id,run\n1,2\n1,3\n");
  folder.write("clash.csv", "run,mu\n1,7\n");
  for (const char* name : {"07", "x7", "1e3", "08"})
    folder.write(std::string("apart/") + name + ".csv", "id\n1\n");
  for (const auto& [command, table] : std::vector<std::pair<std::string, std::string>>{
           // By the folder of the table, and by a column of it.
           {"study/0003/runout.csv", "run,id,vMax,mu,shape\n0003,1,9,0.7,slab\n"},
           {"own.csv --runs study/runs.csv --columns run,mu", "run,mu\n0002,0.5\n0003,0.7\n"},
           {"clash.csv --runs study/runs.csv", "run,mu,run_mu,shape\n0001,7,0.3,boulder\n"},
           // Without a table of runs the name of the table is its run, and stays as it is.
           {"apart/x7.csv apart/07.csv apart/1e3.csv apart/08.csv",
            "run,id\nx7,1\n07,1\n1e3,1\n08,1\n"}})
    CHECK(tableOf(folder, "extract join -q " + command) == table);
  // Tables of a run name no units: they are those of its extractor.
  folder.write("apart/speed.txt", "t,speed\n0,1\n");
  CHECK_THAT(run(folder, "extract join apart/speed.txt").out, Contains("# units: t=s,speed=m/s\n"));
  folder.write("study/tables/0009.csv", "id,vMax\n1,4\n");
  expect(folder, "extract join study/tables/0009.csv", 3, {"no row for run '0009'"});
  folder.write("study/tables/0003.csv", "id,speed\n1,4\n");
  expect(folder, "extract join study/tables/0001.csv study/tables/0003.csv", 3,
         {"0003.csv has other columns"});
}

TEST_CASE("exceedance: the share above each level, with the standard error of the draws",
          "[golden][extract][exceedance]") {
  const Folder folder;
  folder.write("a.csv", "run,v\n1,1\n1,2\n2,2\n2,4\n");
  folder.write("b.csv", "run,v\n3,nan\n3,8\n");
  for (const auto& [command, table] : std::vector<std::pair<std::string, std::string>>{
           // p(1-p)/(n-1) for n = 4 independent rows.
           {"a.csv --columns level,p,error,above,n,censored",
            "level,p,error,above,n,censored\n1,0.75,0.25,3,4,0\n2,0.25,0.25,1,4,0\n4,0,0,0,4,0\n"},
           // A curve for each run.
           {"--by run --levels 1.5 a.csv --columns run,p", "run,p\n1,0.5\n2,1\n"},
           {"--bins 3 a.csv --columns level,p", "level,p\n1,0.75\n2,0.25\n3,0.25\n4,0\n"},
           // Ten releases, four of them with a row.
           {"--total 10 --levels 1 a.csv --columns p,above,n", "p,above,n\n0.3,3,10\n"},
           // Over several tables, nan left out.
           {"--levels 2 a.csv b.csv --columns p,n", "p,n\n0.4,5\n"}})
    CHECK(tableOf(folder, "extract exceedance --of v " + command) == table);
  expect(folder, "extract exceedance --of v --total 3 a.csv", 3);
  expect(folder, "extract exceedance --of w a.csv", 3, {"there is no column 'w'"});
  expect(folder, "extract exceedance a.csv", 2);
}

TEST_CASE("bodies that left or move still are censored, and no share is certain",
          "[golden][extract][exceedance]") {
  const Folder folder;
  // Kaplan-Meier by hand: 4/5 after 10; 2/3 of that after 20, where one of three ends; one of the
  // last two is at least 30, the other ends at 40.
  folder.write("a.csv", "id,reach,end\n0,10,rest\n1,15,left\n2,20,rest\n3,30,moving\n4,40,rest\n");
  CHECK(tableOf(folder, "extract exceedance --of reach a.csv --columns level,p,n,censored") ==
        "level,p,n,censored\n10,0.8,5,2\n15,0.8,5,2\n20,0.5333333333333333,5,2\n"
        "30,0.5333333333333333,5,2\n40,0,5,2\n");
  // No event among 20: at most 1 - 0.05^(1/20) = 0.139 with 95 %, by Wilson 0.161.
  std::string text = "id,reach,end\n";
  for (int k = 0; k < 20; ++k) text += fmt::format("{},{},rest\n", k, k);
  folder.write("c.csv", text);
  CHECK_THAT(
      tableOf(folder, "extract exceedance --of reach --levels 50 c.csv --columns p,low,high"),
      Contains("\n0,0,0.161"));
  // Where all but one left early, one draw says little: Wilson's interval for n = 1.
  text = "id,reach,end\n20,50,rest\n";
  for (int k = 0; k < 19; ++k) text += fmt::format("{},0.1,left\n", k);
  folder.write("c.csv", text);
  const Outcome few =
      expect(folder, "extract exceedance --of reach --levels 49,60 c.csv --columns p,low,high", 0);
  CHECK_THAT(few.out, Contains("\n1,0.206") && Contains("\n0,0,0.793"));
  CHECK(few.err.empty());
  folder.write("c.csv", "id,reach\n20,50\n");
  expect(folder, "extract exceedance --of reach c.csv", 0, {"no column 'end'"});
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
  CHECK(tableOf(folder, call + "--columns mu,en2,runs,path.wasserstein,distance") ==
        "mu,en2,runs,path.wasserstein,distance\n0.5,0.1,2,0,0\n0.3,0.1,2,1,0.7071067811865475\n");
  // The density of 11 and of 13 is the same: N(0)/2 + N(2)/2 and N(1)/2 + N(3)/2 for S = 1.
  const auto rows = linesOf(run(folder, call + "--error path=1 --columns mu,weight").out);
  const double good = std::exp(0.0) + std::exp(-2.0), bad = std::exp(-0.5) + std::exp(-4.5);
  CHECK(rows[1].starts_with("0.5,"));
  CHECK(std::stod(rows[1].substr(4)) ==
        Approx(good * good / (good * good + bad * bad)).epsilon(1e-12));
  CHECK(expect(folder, call + "--error path=1 --profile mu --columns mu,runs", 0,
               {"mu: 0.", "by the weights"})
            .out.ends_with("mu,runs\n0.3,2\n0.5,2\n"));
  expect(folder, call + "--error path=0", 2);
  expect(folder, call + "--profile kn", 2);
  expect(folder, call + "-o measured.txt --force", 2);
  expect(folder, "extract score all.csv --by mu", 2);
  expect(folder, "extract score all.csv --against measured.txt --by mu", 3,
         {"no column in common"});
  expect(folder, "extract score all.csv --against measured.txt --by en2 --column path=runout", 3,
         {"do not differ in en2"});
}

TEST_CASE("The option --plot draws a table with gnuplot and leaves its script beside it",
          "[golden][extract][plot]") {
  const Folder folder;
  for (const int k : {0, 1, 2}) writeConf(folder, k);
  // Without gnuplot the table and the script are there, and one sentence says what is missing.
  expect(folder,
         "mkdir none; ln -s \"$(command -v extract)\" none/extract; "
         "PATH=$PWD/none none/extract bodies --driven --columns t,x,y,z,id run -o a.csv --plot "
         "a.svg",
         2, {"gnuplot is not installed (Debian: gnuplot-nox)"});
  CHECK(folder.has("a.csv"));
  const std::string script = folder.read("a.gp");
  CHECK_THAT(script, Contains("set xlabel \"t (s)\"") && Contains("set ylabel \"x, y, z (m)\"") &&
                         Contains("title \"x, id 0\"") && Contains("title \"z, id 2\""));
  expect(folder, "extract bodies run --plot a.jpg", 2);
  if (!isInstalled("gnuplot")) return skip("no gnuplot");
  for (const char* command : {"extract TrackBody --body 2 run -o b.csv --plot TrackBody.svg",
                              "extract bodies run/conf1 -o c.csv --plot bodies.png"}) {
    CHECK_THAT(expect(folder, command, 0).err, !Contains("error"));
  }
  CHECK_THAT(folder.read("TrackBody.svg"), Contains("<svg") && Contains("z (m)"));
  CHECK(folder.read("bodies.png").starts_with("\x89PNG"));
  // The script alone makes the same picture.
  const std::string picture = folder.read("TrackBody.svg");
  mustRun(folder, "rm TrackBody.svg; gnuplot TrackBody.gp");
  CHECK(folder.read("TrackBody.svg") == picture);
  expect(folder, "extract bodies run/conf1 -o h.csv --plot bodies.png", 4);
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
  expect(folder, "timeout 60 extract bodies run --follow --columns t,vx -o live.csv", 0);
  writer.join();
  const std::string after = tableOf(folder, "extract bodies run --columns t,vx");
  CHECK(std::count(after.begin(), after.end(), '\n') == 7);
  CHECK(tableOf(folder, "cat live.csv") == after);
  CHECK(tableOf(folder, "timeout 60 extract bodies run --follow --columns t,vx") == after);
  // A signal ends it; the rows so far are there.
  expect(folder,
         "mkdir open && cp run/conf0 run/shapes.shp open && timeout --foreground "
         "--preserve-status 2 "
         "extract bodies open --follow --columns t,vx -o open.csv",
         75);
  CHECK(linesOf(folder.read("open.csv")).size() == 2);
  expect(folder, "extract runout run --follow -o r.csv", 2);
  expect(folder, "extract bodies run --follow --json", 2);
  // A file that stays damaged is named once a later one exists.
  folder.write("run/conf3", "Rockable 21-08-2022\nt 3\nPart");
  expect(folder, "timeout 60 extract bodies run --follow --columns t,vx", 3,
         {"run/conf3:", "1 of 6 conf-files skipped"});
}

TEST_CASE("a table that was cut anywhere goes on as if it never had been",
          "[golden][extract][append]") {
  const Folder folder;
  writeSeries(folder, 4);
  const auto [format, options] = GENERATE(table<std::string, std::string>(
      {{"csv", ""}, {"tsv", "--columns t,x,id,vx"}, {"txt", "--digits 1"}}));
  const std::string command = "extract bodies --driven " + options + " --add name='a, b'";
  const std::string table = "t." + format;
  mustRun(folder, command + " run -o " + table);
  const std::string whole = folder.read(table), rows = tableOf(folder, "cat " + table);
  // Each byte from the head on would take long; steps of a prime hit lines, cells and their ends.
  for (const char* option : {"--append", "--follow"})
    for (std::size_t length = 0; length <= whole.size(); length += 173) {
      INFO(option << ", " << format << ", " << length << " of " << whole.size() << " bytes");
      folder.write(table, whole.substr(0, length));
      expect(folder, "timeout 60 " + command + " run -o " + table + ' ' + option, 0);
      CHECK(tableOf(folder, "cat " + table) == rows);
    }
  // Nothing is new.
  folder.write(table, whole);
  expect(folder, command + " run --append -o " + table, 0);
  CHECK(tableOf(folder, "cat " + table) == rows);
  expect(folder, command + " run/conf1 run/conf3 --append -o " + table, 0);
  CHECK(tableOf(folder, "cat " + table) == rows);
  // Another selection would take rows away.
  expect(folder, command + " --select 'id<1' run --append -o " + table, 2, {"rows at t = "});
  CHECK(tableOf(folder, "cat " + table) == rows);
}

TEST_CASE("each table of a script goes on from its own last row", "[golden][extract][append]") {
  const Folder folder;
  writeSeries(folder, 4);
  folder.write("script.txt", "TrackBody 2 a.txt 1\nMeanVelocity b.txt 1\ndnStat c.txt 1\n");
  mustRun(folder, "extract --script script.txt run -o whole");
  for (const char* option : {"--append", "--follow"}) {
    INFO(option);
    fs::remove_all(folder.path("cut"));
    mustRun(folder, "extract --script script.txt run -o cut");
    fs::remove(folder.path("cut/a.txt"));
    const std::string b = folder.read("cut/b.txt");
    folder.write("cut/b.txt", b.substr(0, b.find('\n', b.find('\n') + 1) + 1));
    expect(folder, std::string("timeout 60 extract --script script.txt run -o cut ") + option, 0);
    for (const char* name : {"a.txt", "b.txt", "c.txt"})
      CHECK(folder.read(std::string("cut/") + name) == folder.read(std::string("whole/") + name));
  }
}

TEST_CASE("diff --first: a servo that starts, and the last bit of a file, in runs of 600 bodies",
          "[golden][extract][diff]") {
  const Folder folder;
  const double dt = 1e-4;
  runCase(folder, "a", "");
  // The plate, body 0, begins to move within step 68: between the files of steps 50 and 100.
  runCase(folder, "servo",
          fmt::format("Servo ramp _y_Vel_ 0 0 0.5 {} {}\n", 67.5 * dt, 135.0 * dt));
  const Outcome servo =
      expect(folder, "extract diff a/out servo/out --first --columns step,body,quantity", 3);
  bool plate = false;
  const auto lines = linesOf(servo.out);
  REQUIRE(lines.size() >= 2);
  for (std::size_t k = 1; k < lines.size(); ++k) {
    CHECK(lines[k].starts_with("68,"));
    plate |= lines[k] == "68,0,vy";
  }
  CHECK(plate);
  CHECK_THAT(servo.err, Contains("18 steps of each run"));

  // The last bit of one velocity of body 17 in a file, which no run wrote.
  sim::Conf conf = confAt(folder.path("a/out/conf2"));
  mustRun(folder, "cp -r a copy");
  double& vz = conf.particles[17].vel.z();
  vz = std::nextafter(vz, 9.0);
  folder.write("copy/out/conf2", sim::confText(conf));
  const Outcome bit = expect(folder, "extract diff a/out copy/out --columns step,body,quantity", 3);
  CHECK(linesOf(bit.out) == std::vector<std::string>{"step,body,quantity", "100,17,vz"});
  const Outcome first =
      expect(folder, "extract diff a/out copy/out --first --columns step,body,quantity", 3);
  CHECK(linesOf(first.out) == linesOf(bit.out));
  CHECK_THAT(first.err, Contains("conf2 differ") && Contains("50 steps of each run"));
}

TEST_CASE("the 16 published tracks strike the ground and come to rest",
          "[golden][extract][rockfall]") {
  const std::string data = publicData("authume/trajectories/P1/SP3A");
  if (data.empty()) return;
  const Folder folder;
  const std::string track = " --track '" + data + "/Drop_position_?/orientation_?.txt'";
  const auto stops = cellsOf(run(folder, "extract runout --columns run,end" + track).out);
  CHECK(std::ranges::count(stops, "rest", [](const auto& row) { return row.back(); }) == 16);
  CHECK(cellsOf(run(folder, "extract impacts" + track).out).size() > 16);
}

TEST_CASE("a track has the body that its table names, and rasters of reach",
          "[golden][extract][rockfall]") {
  const Folder folder;
  // A ball falls 1 m along y at 1 m/s along x, strikes, and flies back up.
  const auto row = [](double t, double x, double y, double vx, double vy, double force) {
    return fmt::format("{} {} {} 0 {} {} 0 1 0 0 0 0 0 3 0 {} 0 0 0 0\n", t, x, y, vx, vy, force);
  };
  folder.write("track.txt", row(0, 0, 1, 1, 0, -20) + row(1, 1, 0.5, 1, -2, -20) +
                                row(2, 2, 0, 1, 0, 100) + row(3, 3, 0.5, 1, 1, -20));
  const std::string given = " --track track.txt --gravity 0,-10,0";
  CHECK(cellsOf(run(folder, "extract runout" + given + " --columns id,drop,end").out)[1] ==
        std::vector<std::string>{"-1", "0.5", "moving"});
  const Outcome impacts = run(folder, "extract impacts" + given + " --columns t,vIn,forceMax");
  CHECK(cellsOf(impacts.out)[1] ==
        std::vector<std::string>{"2", fmt::format("{}", std::sqrt(5.0)), "120"});
  expect(folder, "extract reach --cell 1" + given + " -o reach.asc", 0);
  CHECK(folder.read("reach.asc") ==
        "ncols 4\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n1 1 1 1\n");
  expect(folder, "extract reach --cell 1" + given + " -o v.asc --columns speedMax", 0);
  CHECK_THAT(folder.read("v.asc"),
             Contains(fmt::format("\n{0} {0} {1} {1}\n", std::sqrt(5.0), std::sqrt(2.0))));
  expect(folder, "extract reach --cell 1" + given + " -o w.asc --columns speed", 2);
  // A map seen from above: north is -z with y up, y with z up.
  folder.write(
      "n.csv",
      "t,x,y,z,vx,vy,vz,qw,qx,qy,qz,wx,wy,wz,fx,fy,fz\n0,0,1,2.5,0,0,0,1,0,0,0,0,0,0,0,0,0\n");
  CHECK(linesOf(run(folder, "extract reach --cell 1 --track n.csv --columns u,v").out)[1] ==
        "0.5,-2.5");
  CHECK(
      linesOf(run(folder, "extract reach --cell 1 --track n.csv --gravity 0,0,-9.81 --columns u,v")
                  .out)[1] == "0.5,1.5");
  // Two tables are two runs, each with its own body.
  for (const char* name : {"a", "b"})
    folder.write(std::string(name) + ".csv",
                 "t,x,y,z,vx,vy,vz,qw,qx,qy,qz,wx,wy,wz,fx,fy,fz,id\n"
                 "0,0,1,0,0,0,0,1,0,0,0,0,0,0,0,0,0," +
                     std::string(*name == 'a' ? "7" : "9") + "\n");
  CHECK(linesOf(run(folder, "extract runout --track a.csv b.csv --columns id").out) ==
        std::vector<std::string>{"run,id", "a.csv,7", "b.csv,9"});
  folder.write("short.txt", "0 1 2 3\n");
  expect(folder, "extract runout --track short.txt", 3, {"short.txt:1:", "expected 20 numbers"});
}
