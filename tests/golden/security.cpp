// SPDX-License-Identifier: GPL-3.0-or-later
// Names in files, and names of files, that were made to do harm.
#include "tool_test.hpp"

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

}  // namespace

TEST_CASE("a picture of a table runs nothing in the names of its columns, cells and files",
          "[golden][security]") {
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) return skip("no gnuplot");
  const Folder folder;
  writeFallingBall(folder);
  mustRun(folder, "rockable case.conf -o out -q");
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
    expect(folder, "extract join evil.csv -o j.csv --plot p.svg --force", 0);
    CHECK_THAT(folder.read("p.svg"), Contains("</svg>") && !Contains("<script"));
    expect(folder, "gnuplot p.gp", 0);
    CHECK_FALSE(folder.has("pwned"));
    // The table itself stays one that can be read.
    expect(folder, "extract join j.csv -o k.csv --force", 0);
    CHECK(linesOf(folder.read("k.csv")) == linesOf(folder.read("j.csv")));
  }
  // In the names of files and folders, and in values of the command line.
  for (const std::string& name : names) {
    const std::string file = "f" + name, home = "in " + file;
    INFO(name);
    fs::create_directory(folder.path(home));
    folder.write(home + "/shapes.shp", ballAndPlate);
    folder.write(home + "/" + file, fallingBall("0.02"));
    expect(folder,
           "extract energy " + quoted(home + "/" + file) +
               " --add x=" + quoted(name.find('\n') == std::string::npos ? name : "") +
               " -o t.csv --force --plot " + quoted(home + "/" + file + ".svg"),
           0);
    CHECK(folder.has(home + "/" + file + ".svg"));
    CHECK_FALSE(folder.has("pwned"));
    CHECK_FALSE(folder.has(home + "/pwned"));
  }
  // gnuplot takes an output that begins with | as a command.
  expect(folder, "extract energy out -o t.csv --force --plot '|touch pwned;.svg'", 0);
  CHECK(folder.has("|touch pwned;.svg"));
  CHECK_FALSE(folder.has("pwned"));
}

TEST_CASE("no program takes a library from the current folder", "[golden][security]") {
  const Folder folder;
  for (const char* name : {"libfmt.so.9", "libstdc++.so.6", "libc.so.6", "libz.so.1"})
    folder.write(name, "no library");
  for (const char* tool : {"shapeSurvey", "clumpify", "packgen", "rockable", "extract", "conf2vtk"})
    mustRun(folder, std::string(tool) + " --version");
}

TEST_CASE("names from files do not reach a page, XML or JSON unescaped", "[golden][security]") {
  const Folder folder;
  const std::string shape = "</script><script>alert(1)</script>", file = "x&\"<y>'-->1";
  folder.write("shapes.shp", with(ballAndPlate, "name Ball", "name " + shape));
  folder.write(file, with(fallingBall("0.02"),
                          {{"Ball 0", shape + " 0"}, {"nDriven 1", "#scree none\nnDriven 1"}}));
  const std::string page = "<img src=x onerror=alert(2)>.html";
  mustRun(folder, "conf2vtk " + quoted(file) + " -o vtk --html " + quoted(page) + " --json");
  CHECK_THAT(folder.read(page), !Contains("alert(1)</script>") && !Contains("<img src=x"));
  CHECK_THAT(folder.read("vtk/particles.pvd"),
             Contains("x&amp;&quot;&lt;y&gt;&apos;") || !Contains("<y>"));

  // run.json and tables hold such names as text.
  mustRun(folder, "rockable " + quoted(file) + " -o out -q");
  CHECK_THAT(report(folder, "out")["inputs"][0]["path"].get<std::string>(), Contains(file));
  CHECK_THAT(jsonOf(folder, "extract bodies --columns shape --format json out/conf1").dump(),
             Contains(shape));
}

TEST_CASE("a name that is no UTF-8 does not end a run", "[golden][security]") {
  const Folder folder;
  writeFallingBall(folder, "\xff\xfe.conf");
  expect(folder, "rockable '\xff\xfe.conf' -o out -q --steps 100", 0);
  expect(folder, "rockable '\xff\xfe.conf' -o out -q --resume", 0);
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
  const auto listed = jsonOf(folder, "shapeSurvey list shapes.shp --json");
  CHECK(listed["shapes"][0]["name"] == name);
}

TEST_CASE("tables that an input file names stay in the folder of outputs", "[golden][security]") {
  const Folder folder, elsewhere;
  writeFallingBall(folder);
  mustRun(folder, "rockable case.conf -o whole -q");
  fs::create_directories(folder.path("else"));
  for (const std::string& name :
       {std::string("../escaped.txt"), std::string("sub/../../escaped.txt"),
        elsewhere.path("escaped.txt"), std::string(".."), std::string("."), std::string("sub/"),
        std::string("conf3/t.txt"), std::string("./conf3"), std::string("run.json/t"),
        std::string(5000, 'x')}) {
    INFO(name);
    folder.write("dataExtractors.txt", "MeanVelocity " + name + " 10\n");
    expect(folder, "rockable case.conf -o out", 3, {"dataExtractors.txt:1:"});
    if (name.find("..") != std::string::npos)
      expect(folder, "extract --script dataExtractors.txt whole -o tables", 3);
    folder.write("line.conf", fallingBall("0.02") + "DataExtractor MeanVelocity " + name + " 10\n");
    expect(folder, "rm dataExtractors.txt; rockable line.conf -o out", 3);
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
          "extract --script dataExtractors.txt whole -o tables"})
      expect(folder, command, 4, {"/sub: ", "dataExtractors.txt:1"});
  }
  CHECK(fs::is_empty(folder.path("else")));
  CHECK_FALSE(folder.has("out/conf0"));
  // A folder in its place is fine.
  fs::remove(folder.path("out/sub"));
  expect(folder, "rockable case.conf -o out -q", 0);
  CHECK(folder.has("out/sub/rock.txt"));
}

TEST_CASE("a run.json that lies removes nothing outside its folder", "[golden][security]") {
  const Folder folder;
  writeFallingBall(folder);
  folder.write("precious", "text");
  folder.write("out/sub/precious", "text");
  mustRun(folder, "rockable case.conf -o out -q");
  json record = report(folder, "out");
  for (const std::string& name :
       {std::string("../precious"), folder.path("precious"), std::string(".."), std::string("."),
        std::string("sub"), std::string("sub/precious"), std::string()})
    record["outputs"].push_back(name);
  folder.write("out/run.json", record.dump());
  expect(folder, "rockable case.conf -o out -q --force", 0);
  CHECK(folder.has("precious"));
  CHECK(folder.has("out/sub/precious"));
  // Nor does a folder that is empty go.
  fs::create_directory(folder.path("out/empty"));
  record["outputs"].push_back("empty");
  folder.write("out/run.json", record.dump());
  expect(folder, "rockable case.conf -o out -q --force", 0);
  CHECK(folder.has("out/empty"));
}

TEST_CASE("links are followed for reading, and replaced for writing", "[golden][security]") {
  const Folder folder;
  writeFallingBall(folder, "real.conf");
  fs::create_symlink("real.conf", folder.path("case.conf"));
  mustRun(folder, "shapeSurvey make box --size 1 --radius 0.1 -q -o box.shp");
  folder.write("clump.txt", "0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n");
  mustRun(folder, "rockable case.conf -o whole -q");
  mustRun(folder, "conf2vtk whole -o shown -q");
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
    expect(folder, command, 0);
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
  writeFallingBall(folder, "case.conf");
  const std::string name = GENERATE("drivingSystem.txt", "dataExtractors.txt");
  mustRun(folder, "ln -s nowhere " + name);
  for (const std::string mode : {" --check", " -o out --steps 5"}) {
    expect(folder, "rockable case.conf" + mode, 4, {"error: " + name + ": is a link to nowhere, "});
    CHECK_FALSE(folder.has("out"));
  }
  // Once the link leads to a file, the run starts, also without a command in it.
  folder.write("nowhere", "# nothing\n");
  expect(folder, "rockable case.conf -q -o out --steps 5", 0);
}

TEST_CASE("devices and pipes that the command line names are written to", "[golden][security]") {
  const Folder folder;
  const std::string make = "shapeSurvey make box --size 1 --radius 0.1 -q --force -o ";
  const std::string box = run(folder, make + "-").out;
  REQUIRE_FALSE(box.empty());
  CHECK(run(folder, make + "/dev/stdout").out == box);
  expect(folder, make + "/dev/null", 0);
  CHECK(fs::is_character_file("/dev/null"));
  CHECK(run(folder, "mkfifo pipe; cat pipe & " + make + "pipe && wait").out == box);
}
