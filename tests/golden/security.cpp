// SPDX-License-Identifier: GPL-3.0-or-later
// Names in files, and names of files, that were made to do harm.
#include "catch.hpp"
#include "run_cases.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

namespace {

void writeFallingBall(const Folder& folder, const std::string& conf = "case.conf") {
  folder.write("shapes.shp", ballAndPlate);
  folder.write(conf, fallingBall("0.02"));
}

/// A word of a shell, quoted by the test itself.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::size_t countOf(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

const std::string evil = "a' ; touch pwned; $(touch pwned) `touch pwned` \"&<b>";

}  // namespace

TEST_CASE("a picture of a table runs nothing in the names of its columns, cells and files",
          "[golden][security]") {
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) return skip("no gnuplot");
  const Folder folder;
  writeFallingBall(folder);
  REQUIRE(run(folder, "rockable case.conf -o out -q").code == 0);
  const std::vector<std::string> names{"v`touch pwned`",
                                       "'; system('touch pwned'); #",
                                       "\"; system(\"touch pwned\"); #",
                                       "a\nsystem('touch pwned')\n#",
                                       "@x\\",
                                       "a\n!touch pwned\n",
                                       "<script>&'\"{"};
  // In the names of columns and in cells of a table that came from elsewhere.
  for (std::string name : names) {
    INFO(name);
    std::replace(name.begin(), name.end(), '\n', '\x01');
    std::string cell = "\"";
    for (const char c : name) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
    cell += '"';
    folder.write("evil.csv", "run,id," + cell + "\n0," + cell + ",1\n1," + cell + ",2\n2,b,3\n");
    const Outcome joined = run(folder, "extract join evil.csv -o j.csv --plot p.svg --force");
    INFO(joined.err);
    CHECK(joined.code == 0);
    CHECK_THAT(folder.read("p.svg"), Contains("</svg>") && !Contains("<script"));
    CHECK(run(folder, "gnuplot p.gp").code == 0);
    CHECK_FALSE(folder.has("pwned"));
    // The table itself stays one that can be read.
    CHECK(run(folder, "extract join j.csv -o k.csv --force").code == 0);
    CHECK(linesOf(folder.read("k.csv")) == linesOf(folder.read("j.csv")));
  }
  // In the names of files and folders, and in values of the command line.
  for (const std::string& name : names) {
    const std::string file = "f" + name, home = "in " + file;
    INFO(name);
    fs::create_directory(folder.path(home));
    folder.write(home + "/shapes.shp", ballAndPlate);
    folder.write(home + "/" + file, fallingBall("0.02"));
    const Outcome drawn =
        run(folder, "extract energy " + quoted(home + "/" + file) +
                        " --add x=" + quoted(name.find('\n') == std::string::npos ? name : "") +
                        " -o t.csv --force --plot " + quoted(home + "/" + file + ".svg"));
    INFO(drawn.err);
    CHECK(drawn.code == 0);
    CHECK(folder.has(home + "/" + file + ".svg"));
    // The comment of the script says how to draw it again.
    const std::string script = folder.read(home + "/" + file + ".gp"), mark = " again: gnuplot ";
    const std::size_t at = script.find(mark) + mark.size();
    if (name.find('\n') == std::string::npos)
      CHECK(run(folder, "cd " + quoted(home) + " && gnuplot " +
                            script.substr(at, script.find('\n', at) - at))
                .code == 0);
    CHECK_FALSE(folder.has("pwned"));
    CHECK_FALSE(folder.has(home + "/pwned"));
  }
  // gnuplot takes an output that begins with | as a command.
  CHECK(run(folder, "extract energy out -o t.csv --force --plot '|touch pwned;.svg'").code == 0);
  CHECK(folder.has("|touch pwned;.svg"));
  CHECK_FALSE(folder.has("pwned"));
  // Nor does a program in the folder of the picture run.
  folder.write("here/gnuplot", "#!/bin/sh\ntouch \"$HOME/pwned\"\n");
  fs::permissions(folder.path("here/gnuplot"), fs::perms::owner_all);
  run(folder, "cd here && HOME=.. PATH=.:$PATH extract energy ../out -o t.csv --plot p.svg");
  CHECK_FALSE(folder.has("pwned"));
  CHECK(run(folder, "extract energy out --add x=\"$(printf 'a\\nb')\"").code == 2);
}

TEST_CASE("names from files do not reach a page, XML or JSON unescaped", "[golden][security]") {
  const Folder folder;
  const std::string shape = "</script><script>alert(1)</script>", file = "x&\"<y>'-->1";
  folder.write("shapes.shp", with(ballAndPlate, "name Ball", "name " + shape));
  folder.write(file, with(with(fallingBall("0.02"), "Ball 0", shape + " 0"), "nDriven 1",
                          "#scree none\nnDriven 1"));
  const std::string page = "<img src=x onerror=alert(2)>.html";
  const Outcome made =
      run(folder, "conf2vtk " + quoted(file) + " -o vtk --html " + quoted(page) + " --json");
  INFO(made.err);
  REQUIRE(made.code == 0);
  const std::string html = folder.read(page);
  CHECK_THAT(html, !Contains("alert(1)</script>") && !Contains("<img src=x"));
  // Those of the page itself: its data, and its program.
  CHECK(countOf(html, "<script") == 2);
  CHECK(countOf(html, "</script>") == 2);
  CHECK_THAT(folder.read("vtk/particles.pvd"),
             Contains("x&amp;&quot;&lt;y&gt;&apos;") || !Contains("<y>"));

  // run.json and tables hold such names as text.
  REQUIRE(run(folder, "rockable " + quoted(file) + " -o out -q").code == 0);
  CHECK_THAT(report(folder, "out")["inputs"][0]["path"].get<std::string>(), Contains(file));
  const Outcome table = run(folder, "extract bodies --columns t,id,shape --format json out/conf1");
  INFO(table.err);
  REQUIRE(table.code == 0);
  CHECK_THAT(table.out, Contains(shape));
  CHECK(nlohmann::json::accept(table.out));
}

TEST_CASE("a name that is no UTF-8 does not end a run", "[golden][security]") {
  const Folder folder;
  writeFallingBall(folder, "\xff\xfe.conf");
  const Outcome stopped = run(folder, "rockable '\xff\xfe.conf' -o out -q --steps 100");
  INFO(stopped.err);
  CHECK(stopped.code == 0);
  CHECK(run(folder, "rockable '\xff\xfe.conf' -o out -q --resume").code == 0);
  CHECK(report(folder, "out")["status"] == "tmax");
}

TEST_CASE("control characters in names and texts reach the terminal spelt out",
          "[golden][security]") {
  const Folder folder;
  const std::string name =
      "\x1b[31mRED\x1b]0;title\x07\xc2\x9b"
      "31m";
  const std::string spelt = "\\x1b[31mRED\\x1b]0;title\\x07\\xc2\\x9b31m";
  folder.write("shapes.shp", with(ballAndPlate, "name Ball", "name " + name));
  const std::string conf = with(fallingBall("0.02"), "Ball 0", name + " 0");
  folder.write("case.conf", conf);
  folder.write("keyword.conf", with(conf, "tmax 0.1", name + " 1\ntmax 0.1"));
  folder.write("number.conf", with(conf, "tmax 0.1", "tmax " + name));
  folder.write("dataExtractors.txt", "MeanVelocity a" + name + " 10\n");
  for (const std::string& command :
       {std::string("rockable keyword.conf --check"), std::string("rockable number.conf --check"),
        "extract MeanVelocity case.conf " + quoted(name), "conf2vtk " + quoted(name),
        "shapeSurvey info " + quoted(name), "packgen info " + quoted(name),
        "clumpify mass " + quoted(name), std::string("shapeSurvey list shapes.shp"),
        std::string("shapeSurvey info shapes.shp"),
        std::string("shapeSurvey check shapes.shp --fix -o new.shp")}) {
    const Outcome outcome = run(folder, command);
    INFO(command << "\n" << outcome.out << outcome.err);
    CHECK_THAT(outcome.out + outcome.err,
               Contains(spelt) && !Contains("\x1b") && !Contains("\x07") && !Contains("\xc2\x9b"));
  }
  // Machines get the name itself.
  const auto listed = parseJson(run(folder, "shapeSurvey list shapes.shp --json").out);
  CHECK(listed["shapes"][0]["name"] == name);
}

TEST_CASE("tables that an input file names stay in the folder of outputs", "[golden][security]") {
  const Folder folder, elsewhere;
  writeFallingBall(folder);
  REQUIRE(run(folder, "rockable case.conf -o whole -q").code == 0);
  fs::create_directories(folder.path("else"));
  for (const std::string& name :
       {std::string("../escaped.txt"), std::string("sub/../../escaped.txt"),
        elsewhere.path("escaped.txt"), std::string(".."), std::string("."), std::string("sub/"),
        std::string("conf3/t.txt"), std::string("./conf3"), std::string("run.json/t"),
        std::string(5000, 'x')}) {
    INFO(name);
    folder.write("dataExtractors.txt", "MeanVelocity " + name + " 10\n");
    const Outcome refused = run(folder, "rockable case.conf -o out");
    CHECK(refused.code == 3);
    CHECK_THAT(refused.err, Contains("dataExtractors.txt:1:"));
    if (name.find("..") != std::string::npos)
      CHECK(run(folder, "extract --script dataExtractors.txt whole -o tables").code == 3);
    folder.write("line.conf", fallingBall("0.02") + "DataExtractor MeanVelocity " + name + " 10\n");
    CHECK(run(folder, "rm dataExtractors.txt; rockable line.conf -o out").code == 3);
  }
  CHECK_FALSE(folder.has("escaped.txt"));
  CHECK_FALSE(elsewhere.has("escaped.txt"));
  CHECK_FALSE(folder.has("out"));
  // Nor do they leave it through links.
  for (const std::string out : {"out", "tables"}) {
    fs::create_directories(folder.path(out));
    fs::create_symlink("../else", folder.path(out + "/sub"));
  }
  for (const std::string name : {"sub/rock.txt", "sub/deep/rock.txt", "./sub/rock.txt"}) {
    folder.write("dataExtractors.txt", "TrackBody 1 " + name + " 30\n");
    for (const std::string command :
         {"rockable case.conf -o out", "rockable case.conf -o out --resume",
          "extract --script dataExtractors.txt whole -o tables"}) {
      const Outcome refused = run(folder, command);
      INFO(name << " " << command);
      CHECK(refused.code == 4);
      CHECK_THAT(refused.err, Contains("/sub: ") && Contains("dataExtractors.txt:1"));
    }
  }
  CHECK(fs::is_empty(folder.path("else")));
  CHECK_FALSE(folder.has("out/conf0"));
  // A folder in its place is fine.
  fs::remove(folder.path("out/sub"));
  CHECK(run(folder, "rockable case.conf -o out -q").code == 0);
  CHECK(folder.has("out/sub/rock.txt"));
}

TEST_CASE("a run.json that lies removes nothing outside its folder", "[golden][security]") {
  const Folder folder;
  writeFallingBall(folder);
  folder.write("precious", "text");
  folder.write("out/sub/precious", "text");
  REQUIRE(run(folder, "rockable case.conf -o out -q").code == 0);
  nlohmann::json record = report(folder, "out");
  for (const std::string& name :
       {std::string("../precious"), folder.path("precious"), std::string(".."), std::string("."),
        std::string("sub"), std::string("sub/precious"), std::string()})
    record["outputs"].push_back(name);
  folder.write("out/run.json", record.dump());
  CHECK(run(folder, "rockable case.conf -o out -q --force").code == 0);
  CHECK(folder.has("precious"));
  CHECK(folder.has("out/sub/precious"));
  // Nor does a folder that is empty go.
  fs::create_directory(folder.path("out/empty"));
  record["outputs"].push_back("empty");
  folder.write("out/run.json", record.dump());
  CHECK(run(folder, "rockable case.conf -o out -q --force").code == 0);
  CHECK(folder.has("out/empty"));
}

TEST_CASE("links are followed for reading, and replaced for writing", "[golden][security]") {
  const Folder folder;
  writeFallingBall(folder, "real.conf");
  fs::create_symlink("real.conf", folder.path("case.conf"));
  REQUIRE(run(folder, "shapeSurvey make box --size 1 --radius 0.1 -q -o box.shp").code == 0);
  folder.write("clump.txt", "0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n");
  REQUIRE(run(folder, "rockable case.conf -o whole -q").code == 0);
  REQUIRE(run(folder, "conf2vtk whole -o shown -q").code == 0);
  // Each output of each tool is a link to the same file before.
  const auto linked = [&](const std::string& name) {
    fs::create_directories(fs::path(folder.path(name)).parent_path());
    fs::create_symlink(folder.path("victim"), folder.path(name));
    return name;
  };
  folder.write("victim", "precious");
  std::vector<std::string> names;
  for (const auto& [name, content] : filesOf(folder, "whole"))
    names.push_back(linked("out/" + name));
  for (const auto& [name, content] : filesOf(folder, "shown"))
    names.push_back(linked("vtk/" + name));
  for (const char* name : {"made.shp", "table.csv", "lattice/conf0", "clump.pack", "done.json"})
    names.push_back(linked(name));
  for (const char* command :
       {"rockable case.conf -o out -q --force --done done.json", "conf2vtk whole -o vtk -q --force",
        "shapeSurvey compute box.shp -q -o made.shp --force",
        "extract MeanVelocity whole -q -o table.csv --force",
        "packgen lattice --shape box.shp --cells 2 2 2 -q -o lattice/conf0 --force",
        "clumpify convert clump.txt --to shapepack -q -o clump.pack --force"}) {
    const Outcome outcome = run(folder, command);
    INFO(command << "\n" << outcome.err);
    CHECK(outcome.code == 0);
    CHECK(folder.read("victim") == "precious");
  }
  for (const std::string& name : names) {
    INFO(name);
    // What a shape-file or a restart is not written for goes or stays, but is never written
    // through.
    CHECK((!fs::is_symlink(folder.path(name)) || name == "out/restart.conf"));
  }
  CHECK(fs::is_symlink(folder.path("case.conf")));
}

TEST_CASE("a link in place of drivingSystem.txt or dataExtractors.txt leads to a file",
          "[golden][security]") {
  const Folder folder;
  folder.write("case/shapes.shp", ballAndPlate);
  folder.write("case/case.conf", fallingBall("0.01"));
  const std::string name = GENERATE("drivingSystem.txt", "dataExtractors.txt");
  const std::string place = GENERATE("", "case/");
  const std::string mode = GENERATE(" --check", " -o out --steps 5");
  REQUIRE(run(folder, "ln -s nowhere " + place + name).code == 0);
  const Outcome refused = run(folder, "rockable case/case.conf" + mode);
  INFO(place << name << mode << "\n" << refused.err);
  CHECK(refused.code == 4);
  CHECK_THAT(refused.err, Contains("error: " + place + name +
                                   ": is a link to nowhere, which does "
                                   "not exist or cannot be reached"));
  CHECK_FALSE(folder.has("out"));
  // Of an empty file nothing follows.
  folder.write(place + "nowhere", "# nothing\n");
  CHECK(run(folder, "rockable case/case.conf -q" + mode).code == 0);
}

TEST_CASE("a link to a device or a pipe in a folder of outputs is replaced", "[golden][security]") {
  const Folder folder;
  writeFallingBall(folder);
  REQUIRE(run(folder, "rockable case.conf -o whole -q").code == 0);
  REQUIRE(run(folder, "mkfifo pipe; mkdir null piped vtk").code == 0);
  REQUIRE(run(folder, "conf2vtk whole -o shown -q").code == 0);
  for (const auto& [name, content] : filesOf(folder, "whole")) {
    fs::create_symlink("/dev/null", folder.path("null/" + name));
    fs::create_symlink("../pipe", folder.path("piped/" + name));
  }
  for (const auto& entry : fs::directory_iterator(folder.path("shown")))
    if (entry.is_regular_file())
      fs::create_symlink("../pipe", folder.path("vtk/" + entry.path().filename().string()));
  for (const char* const out : {"null", "piped"}) {
    const Outcome made =
        run(folder, "timeout -s KILL 30 rockable case.conf -q -o " + std::string(out));
    INFO(out << "\n" << made.err);
    CHECK(made.code == 0);
    CHECK(difference(folder, "whole", out) == "");
  }
  CHECK(run(folder, "timeout -s KILL 30 conf2vtk whole -o vtk -q --force").code == 0);
  CHECK(difference(folder, "shown", "vtk") == "");
  // The state of a run that is stopped, and tables that a resumed one reads.
  fs::create_symlink("/dev/null", folder.path("null/restart.conf"));
  CHECK(run(folder, "rockable case.conf -q -o null --steps 500").code == 0);
  CHECK(fs::is_regular_file(fs::symlink_status(folder.path("null/restart.conf"))));
  CHECK(run(folder,
            "rm null/perf.txt; ln -s ../pipe null/perf.txt; "
            "timeout -s KILL 30 rockable case.conf -q -o null --resume")
            .code == 0);
  CHECK(difference(folder, "whole", "null") == "");
}

TEST_CASE("devices and pipes that the command line names are written to", "[golden][security]") {
  const Folder folder;
  const std::string make = "shapeSurvey make box --size 1 --radius 0.1 -q --force -o ";
  const std::string box = run(folder, make + "-").out;
  REQUIRE_FALSE(box.empty());
  CHECK(run(folder, make + "/dev/fd/3 3>&1 | cat").out == box);
  CHECK(run(folder, make + "/dev/stderr 2>&1 >/dev/null | cat").out == box);
  CHECK(run(folder, make + "/dev/stdout").out == box);
  CHECK(run(folder, make + "/dev/null").code == 0);
  CHECK(fs::is_character_file("/dev/null"));
  CHECK(run(folder, "mkfifo pipe; cat pipe & " + make + "pipe && wait").out == box);
}

TEST_CASE("devices without an end are refused at once", "[golden][security]") {
  const Folder folder;
  writeCase(folder, fallingBall("0.01"));
  REQUIRE(run(folder, "ln -s /dev/zero drivingSystem.txt").code == 0);
  const std::string command =
      GENERATE("shapeSurvey info /dev/zero", "shapeSurvey info - </dev/zero",
               "rockable case.conf -o out", "rockable /dev/urandom -o out");
  const Outcome refused = run(folder, "timeout 10 " + command);
  INFO(command << "\n" << refused.err);
  CHECK(refused.code == 4);
  CHECK_THAT(refused.err, Contains("is a device, expected a file"));
  CHECK(run(folder, "rockable /dev/null -o out").code == 3);
}
