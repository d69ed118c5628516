// SPDX-License-Identifier: GPL-3.0-or-later
// Broken input of every kind: one line that points at it, the right exit code, and nothing half
// done.
#include "catch.hpp"
#include "json.hpp"
#include "run_cases.hpp"

#include <sstream>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

namespace {

const std::string conf =
    "Rockable 21-08-2022\n"
    "t 0\n"
    "tmax 0.01\n"
    "dt 1e-4\n"
    "interConf 0.005\n"
    "density 0 2700\n"
    "gravity 0 -9.81 0\n"
    "forceLaw Default\n"
    "knContact 0 0 1e6\n"
    "nDriven 1\n"
    "shapeFile shapes.shp\n"
    "Particles 2\n"
    "Ball 0 0 1 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n"
    "Ball 0 0 1 0 0.19 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n"
    "Interactions 1\n"
    "0 1 0 0 0 0 -1 0 -0.01 0 0.095 0 0 0 0 1e4 0 0 0 0 0 0 0\n"
    "Interfaces 0\n";

const std::string shapes =
    "<\nname Ball\nradius 0.1\npreCompDone y\nvolume 0.004188790204786391\nI/m 0.004 0.004 0.004\n"
    "nv 1\n0 0 0\nne 0\nnf 0\n>\n";

const std::string tetra =
    "<\nname T\nradius 0.1\npreCompDone n\nnv 4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\nne 6\n0 1\n0 2\n0 "
    "3\n1 2\n1 3\n2 3\n"
    "nf 4\n3 0 1 2\n3 0 1 3\n3 0 2 3\n3 1 2 3\n>\n";

const std::string stl =
    "solid t\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 "
    "0\nendloop\nendfacet\nendsolid t\n";

struct Case {
  std::string file, text;  ///< written beside shapes.shp and good.conf before the command
  std::string command;
  int code;
  std::string says;    ///< the place, on the one line that is printed
  std::string absent;  ///< must not have been left behind
};

std::vector<Case> cases() {
  using Text = const std::string&;
  const auto other = [](Text file, Text text, Text command, int code, Text says, Text absent) {
    return Case{file, text, command, code, says, absent};
  };
  const auto bad = [](Text what, Text by, Text says) {
    return Case{"bad.conf", with(conf, what, by), "rockable bad.conf -o out", 3, says, "out"};
  };
  const auto shape = [](Text text, Text says, Text options = "") {
    return Case{"bad.shp", text, "shapeSurvey compute bad.shp -o new.shp " + options,
                3,         says, "new.shp"};
  };
  const auto mesh = [](Text file, Text text, Text says) {
    return Case{file, text, "shapeSurvey import " + file + " --radius 0.1 -o new.shp",
                3,    says, "new.shp"};
  };
  const auto usage = [](Text command, Text says) { return Case{"", "", command, 2, says, "out"}; };
  return {
      // conf-files
      bad("dt 1e-4", "dt fast", "bad.conf:4:4"),
      bad("dt 1e-4", "dt 0", "bad.conf:4:4"),
      bad("t 0\n", "t nan\n", "bad.conf:2:3"),
      bad("gravity 0", "gravity 1e999", "bad.conf:7:9"),
      bad("dt 1e-4", "dt $1 / 0$", "bad.conf:4:4"),
      bad("knContact 0 0 1e6", "knContact 0 0 -1e6", "bad.conf:9:15"),
      bad("forceLaw Default", "forceLaw Defaul", "bad.conf:8:1"),
      bad("Ball 0 0 1 0 0.19", "Bal 0 0 1 0 0.19", "bad.conf:14:1"),
      bad("Particles 2", "Particles 3", "bad.conf:15:1"),
      bad("Particles 2", "Particles 999999999999", "bad.conf:12:11"),
      bad("nDriven 1", "nDriven 1\nprecision -2", "bad.conf:11:11"),
      bad("Ball 0 0 1 0 0.19", "Ball 0 0 -1 0 0.19", "bad.conf:14:10"),
      bad("0 0.19 0 0 0 0 0 0 0 1 0 0 0", "0 0.19 0 0 0 0 0 0 0 0 0 0 0", "bad.conf:14:"),
      bad("nDriven 1", "nDriven 5", "bad.conf:10:1"),
      bad("0 1 0 0 0 0 -1", "0 7 0 0 0 0 -1", "bad.conf:16:1"),
      bad("0 1 0 0 0 0 -1", "0 1 0 0 9 0 -1", "bad.conf:16:1"),
      bad("density 0 2700", "density 1 2700", "bad.conf:14:1"),
      bad(conf.substr(conf.find("Particles")), "", "bad.conf"),
      bad("Rockable 21-08-2022", "LIGGGHTS data file", "bad.conf:1:1"),
      bad("forceLaw Default", "forceLaw Default\nBodyForce ViscousFluids 3000", "bad.conf:9:11"),
      bad("forceLaw Default", "forceLaw Default\nuseSoftParticles 1e9 0.2", "bad.conf:9:1"),
      bad("forceLaw Default",
          "forceLaw Default\nusePeriodicCell 1\nh 3 0 0 0 3 0 0 0 3\ninitSpringJoint 0 0 0 0 1 0 0 "
          "0 5",
          "bad.conf:11:1"),
      other("bad.conf", std::string("Rockable 21\0\1\2\3", 15), "rockable bad.conf -o out", 3,
            "bad.conf:1:12", "out"),
      other("bad.conf", "", "rockable bad.conf -o out", 3, "bad.conf", "out"),
      other("bad.conf", with(conf, "tmax", "tmaks"), "rockable bad.conf -o out --strict", 3,
            "bad.conf:3:1", "out"),
      other("", "", "rockable absent.conf -o out", 4, "absent.conf", "out"),
      other("", "", "rockable . -o out", 4, "folder", "out"),
      other("bad.conf", with(conf, "shapes.shp", "absent.shp"), "rockable bad.conf -o out", 4,
            "absent.shp", "out"),
      other("drivingSystem.txt", "Control _x_Vel_ 1 0.5\n", "rockable good.conf -o out", 3,
            "drivingSystem.txt:1:17", "out"),
      other("drivingSystem.txt", "PeriodicLoading IsotropicCompression 100\n",
            "rockable good.conf -o out", 3, "PeriodicLoading", "out"),
      other("drivingSystem.txt", "PeriodicLoading Isotropic 100\n", "rockable good.conf -o out", 3,
            "drivingSystem.txt:1:17", "out"),
      other("dataExtractors.txt", "TrackBody 1 ../../oops.txt 10\n", "rockable good.conf -o out", 3,
            "dataExtractors.txt:1", "out/run.json"),
      other("dataExtractors.txt", "TrackBody 1 conf1 10\n", "rockable good.conf -o out", 3,
            "dataExtractors.txt:1", "out"),
      other("drivingSystem.txt",
            "Control _yrot_Vel_ 0 1\nServo ramp _zrot_Vel_ 0 0 1 0 1\n\nControl _xyzrot_Mom_ 0 1 0 "
            "0\n",
            "rockable good.conf -o out", 3, "drivingSystem.txt:4:1", "out"),
      other("dataExtractors.txt", "TrackBody 9 body.txt 10\n", "rockable good.conf -o out", 3,
            "dataExtractors.txt:1", "out"),
      other("out/conf1", "precious\n", "rockable good.conf -o out", 4, "conf1", ""),
      // shape-files
      shape(tetra.substr(0, tetra.size() - 2), "bad.shp:1:1"),
      shape(with(tetra, "2 3\n", "2 4\n"), "bad.shp:16:3"),
      shape(with(tetra, "1 0 0", "inf 0 0"), "bad.shp:7:1"),
      shape(with(tetra, "nv 4", "nv 4000000000"), "bad.shp:5:4"),
      shape(tetra + tetra, "bad.shp:23:1"),
      shape("this is no shape-file\n", "bad.shp"),
      shape(with(with(tetra, "nf 4", "nf 3"), "3 1 2 3\n", ""), "T"),
      shape(with(tetra, "radius", "radios"), "bad.shp:3:1", "--strict"),
      // meshes
      mesh("bad.stl", stl.substr(0, 70), "bad.stl:6:1"),
      mesh("bad.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n1 1 1\n3 0 1 2\n3 1 3 2\n", "open"),
      other("", "", "shapeSurvey import absent.stl --radius 0.1 -o new.shp", 4, "absent.stl",
            "new.shp"),
      // packs, tables, series
      other("bad.txt", "0 Sphere 0 0 0 1\n1 Sphere 0 0 0 -1\n", "clumpify mass bad.txt", 3,
            "bad.txt:2:16", ""),
      other("bad.csv", "shape,x,y\nBall,0,0\n",
            "packgen from bad.csv --shapes shapes.shp -o new/conf0", 3, "bad.csv:1", "new"),
      other("bad.csv", "shape,x,y,z\nBall,0,up,0\n",
            "packgen from bad.csv --shapes shapes.shp -o new/conf0", 3, "bad.csv:2:8", "new"),
      other("", "", "extract TrackBody --body 7 good.conf -o new.csv", 3, "good.conf", "new.csv"),
      other("bad.conf", with(conf, "Ball 0 0 1 0 0.19", "Bal 0 0 1 0 0.19"),
            "conf2vtk bad.conf -o new", 3, "bad.conf:14:1", "new"),
      // command lines
      usage("rockable good.conf -o out --steps -3", "--steps"),
      usage("rockable good.conf -o out --until nan", "--until"),
      usage("rockable good.conf --stripes 3 -o out", "--stripes"),
      usage("rockable good.conf -o out --steps 3 --until 1", "--until"),
      usage("packgen lattice -o out/conf0", "packgen lattice --help"),
      other("options.toml", "# mine\njobs = 2\njob = 2\n",
            "rockable good.conf -o out --config options.toml", 3, "options.toml:3:1", "out"),
      other("options.toml", std::string(65537, '#'),
            "rockable good.conf -o out --config options.toml", 3, "options.toml: ", "out"),
      other("options.toml", "[lattise]\nspacing = 2\n",
            "packgen lattice --shape shapes.shp --config options.toml -o out/conf0", 3,
            "options.toml:1:2", "out"),
      usage("packgen lattise --shape shapes.shp -o out/conf0", "lattise"),
      usage("extract TrackBdy --body 0 good.conf -o out", "TrackBdy"),
  };
}

}  // namespace

TEST_CASE("broken input is refused in one line that points at it, and leaves nothing behind",
          "[golden][bad]") {
  const auto table = cases();
  CHECK(table.size() >= 40);
  for (const Case& c : table) {
    const Folder folder;
    folder.write("shapes.shp", shapes);
    folder.write("good.conf", conf);
    if (!c.file.empty()) folder.write(c.file, c.text);
    const Outcome outcome = run(folder, c.command);
    INFO(c.says << "\n" << c.command << "\nstdout: " << outcome.out << "\nstderr: " << outcome.err);
    CHECK(outcome.code == c.code);
    CHECK(outcome.out.empty());
    std::vector<std::string> lines;
    std::istringstream err(outcome.err);
    for (std::string line; std::getline(err, line);)
      if (line.find("warning:") == std::string::npos) lines.push_back(line);
    CHECK(lines.size() == 1);
    CHECK_THAT(outcome.err, Contains(c.says));
    if (!c.absent.empty()) CHECK_FALSE(folder.has(c.absent));
    for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
      CHECK(entry.path().string().find(".tmp-") == std::string::npos);
  }
}

TEST_CASE("options for whole numbers refuse what does not fit", "[golden][bad]") {
  const Folder folder;
  const std::string pack = "packgen scatter --shapes a.shp --container box:1,1,1 ";
  const std::vector<std::string> commands{"clumpify cover a.stl --spheres 3 --seed",
                                          "clumpify cover a.stl --spheres",
                                          "clumpify transform a.txt --shuffle --seed",
                                          pack + "--number 3 --seed",
                                          pack + "--number",
                                          "packgen lattice --shape a.shp --seed",
                                          "shapeSurvey make boulder --radius 0.1 --seed",
                                          "rockable a.conf --seed",
                                          "rockable a.conf --steps",
                                          "conf2vtk a --every"};
  for (const std::string& command : commands)
    for (const std::string value : {"-1", "99999999999999999999"}) {
      const Outcome refused = run(folder, command + " " + value);
      INFO(command << " " << value << ": " << refused.err);
      CHECK(refused.code == 2);
      CHECK_THAT(refused.err, Contains(command.substr(command.rfind("--")) + ": "));
    }
  const Outcome id = run(folder, "clumpify create a.txt --id 99999999999999999999");
  CHECK(id.code == 2);
  CHECK_THAT(id.err, Contains("--id: "));
}

TEST_CASE("what fills a folder is not written to standard output", "[golden][bad]") {
  const Folder folder;
  folder.write("conf0", "");
  folder.write("lines.txt", "TrackBody 0 ball.txt 1\n");
  for (const char* command :
       {"rockable conf0", "conf2vtk conf0", "extract --script lines.txt conf0"}) {
    const Outcome refused = run(folder, std::string(command) + " -o -");
    INFO(command << ": " << refused.err);
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Contains("-o") && Contains("folder"));
    CHECK_FALSE(folder.has("-"));
  }
}

TEST_CASE("a shape-file that is not there is named with the line that asks for it",
          "[golden][bad]") {
  const Folder folder;
  folder.write("a.conf",
               "Rockable 21-08-2022\nt 0\ntmax 1\ndt 1e-4\ndensity 0 2600\n"
               "shapeFile none.shp\nParticles 1\n"
               "Ball 0 1 1 0 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n");
  for (const std::string command :
       {"rockable a.conf -o o", "conf2vtk a.conf -o v", "extract bodies a.conf",
        "clumpify convert a.conf --to shapepack"}) {
    const Outcome o = run(folder, command);
    INFO(command << "\n" << o.err);
    CHECK(o.code == 4);
    CHECK_THAT(o.err, Contains("a.conf:6:1: none.shp: no such file, neither beside a.conf nor"));
  }
}

TEST_CASE("standard input has a name in messages", "[golden][bad]") {
  const Folder folder;
  for (const char* command : {"rockable -", "shapeSurvey info -", "printf 1 | clumpify mass -",
                              "extract TrackBody --body 0 -"}) {
    const Outcome outcome = run(folder, command);
    INFO(command);
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, Catch::Contains("standard input"));
  }
}

TEST_CASE("shapeSurvey never replaces what it reads by a file of another kind", "[golden][bad]") {
  const Folder folder;
  REQUIRE(run(folder, "shapeSurvey make sphere -q -o ball.shp").code == 0);
  const std::string mesh =
      "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
  folder.write("tetra.off", mesh);
  const std::string ball = folder.read("ball.shp");
  for (const char* command : {"import tetra.off --radius 0 -o ./tetra.off",
                              "image ball.shp -o ball.shp", "export ball.shp -o ball.shp"}) {
    const Outcome o = run(folder, std::string("shapeSurvey ") + command + " --force");
    INFO(command << "\n" << o.err);
    CHECK(o.code == 2);
    CHECK_THAT(o.err, Contains("this file is an input"));
    CHECK(folder.read("ball.shp") == ball);
    CHECK(folder.read("tetra.off") == mesh);
  }
  // Shapes may be changed where they are.
  CHECK(run(folder, "shapeSurvey compute ball.shp -q -o ball.shp --force").code == 0);
}

TEST_CASE("each tool says what it was built with", "[golden]") {
  const Folder folder;
  for (const std::string tool :
       {"shapeSurvey", "packgen", "clumpify", "rockable", "conf2vtk", "extract"}) {
    const auto json = parseJson(run(folder, tool + " --version --json").out);
    for (const char* library : {"CGAL", "Eigen", "fmt", "CLI11"})
      CHECK_FALSE(json["libraries"][library].get<std::string>().empty());
    CHECK(json["libraries"].contains("VTK") == (tool == "conf2vtk" || tool == "shapeSurvey"));
  }
}

TEST_CASE("lists come as JSON where requested", "[golden]") {
  const Folder folder;
  for (const std::string list :
       {"laws", "keywords", "servos", "extractors", "integrators", "commands"}) {
    const auto json = parseJson(run(folder, "rockable --json --list " + list).out);
    CHECK(json["schema"] == 1);
    REQUIRE(json[list].size() > 0);
    CHECK(json[list][0].contains("help"));
  }
  CHECK(parseJson(run(folder, "extract --json --list").out)["kinds"].size() > 0);
}

TEST_CASE("the good versions of these inputs are accepted", "[golden]") {
  const Folder folder;
  folder.write("shapes.shp", shapes);
  folder.write("good.conf", conf);
  folder.write("tetra.shp", tetra);
  // --strict wants friction to be stated, and no deep overlap at the start.
  std::string strict = with(conf, "knContact 0 0 1e6\n",
                            "knContact 0 0 1e6\nktContact 0 0 1e6\nmuContact 0 0 0.5\n");
  strict = with(strict, "0 0.19 0", "0 0.1999 0");
  strict = with(strict, "-1 0 -0.01 0 0.095 0 0 0 0 1e4", "-1 0 -0.0001 0 0.09995 0 0 0 0 1e2");
  folder.write("strict.conf", strict);
  CHECK(run(folder, "rockable strict.conf --check --strict").code == 0);
  CHECK(run(folder, "rockable good.conf -o out").code == 0);
  CHECK(folder.has("out/conf2"));
  CHECK(run(folder, "shapeSurvey compute tetra.shp -o new.shp --strict").code == 0);
  CHECK(run(folder, "extract TrackBody --body 1 out").code == 0);
}
