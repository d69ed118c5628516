// SPDX-License-Identifier: GPL-3.0-or-later
// Broken input of every kind: one line that points at it, the right exit code, and nothing half
// done.
#include "catch.hpp"
#include "json.hpp"
#include "run_cases.hpp"

#include <algorithm>
#include <set>
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
  std::string title;
  std::string file, text;  ///< written beside shapes.shp and good.conf before the command
  std::string command;
  int code;
  std::vector<std::string> says;  ///< all of these on the one line
  std::string absent;             ///< must not have been left behind
};

std::vector<Case> cases() {
  const auto bad = [](const std::string& title, const std::string& what, const std::string& by,
                      std::vector<std::string> says) {
    return Case{title,           "bad.conf", with(conf, what, by), "rockable bad.conf -o out", 3,
                std::move(says), "out"};
  };
  const auto shape = [](const std::string& title, const std::string& text,
                        std::vector<std::string> says, const std::string& options = "") {
    return Case{
        title, "bad.shp",       text,     "shapeSurvey compute bad.shp -o new.shp " + options,
        3,     std::move(says), "new.shp"};
  };
  const auto mesh = [](const std::string& title, const std::string& file, const std::string& text,
                       std::vector<std::string> says) {
    return Case{title,    file,
                text,     "shapeSurvey import " + file + " --radius 0.1 -o new.shp",
                3,        std::move(says),
                "new.shp"};
  };
  const auto usage = [](const std::string& title, const std::string& command,
                        std::vector<std::string> says) {
    return Case{title, "", "", command, 2, std::move(says), "out"};
  };
  const auto other = [](const std::string& title, const std::string& file, const std::string& text,
                        const std::string& command, int code, std::vector<std::string> says,
                        const std::string& absent) {
    return Case{title, file, text, command, code, std::move(says), absent};
  };
  return {
      // conf-files
      bad("a word where a number is expected", "dt 1e-4", "dt fast",
          {"bad.conf:4:4", "dt", "'fast'"}),
      bad("a number with something after it", "tmax 0.01", "tmax 0.01s", {"bad.conf:3:6", "0.01s"}),
      bad("a time step of no length", "dt 1e-4", "dt 0", {"bad.conf:4:4", "above 0"}),
      bad("a time that is NaN", "t 0\n", "t nan\n", {"bad.conf:2:3", "finite", "nan"}),
      bad("a number beyond all doubles", "gravity 0", "gravity 1e999", {"bad.conf:7:9", "1e999"}),
      bad("arithmetic that cannot be computed", "dt 1e-4", "dt $1 / 0$",
          {"bad.conf:4:4", "finite"}),
      bad("arithmetic without an end", "dt 1e-4", "dt $1e-4", {"bad.conf:4:4", "'$'"}),
      bad("a negative stiffness", "knContact 0 0 1e6", "knContact 0 0 -1e6",
          {"bad.conf:9:15", "below 0"}),
      bad("a group beyond all tables", "density 0 2700", "density 99999999 2700",
          {"bad.conf:6:9", "group"}),
      bad("an unknown law, with the nearest one", "forceLaw Default", "forceLaw Defaul",
          {"bad.conf:8:1", "'Defaul'", "did you mean 'Default'", "Avalanche"}),
      bad("a shape that the library does not have", "Ball 0 0 1 0 0.19", "Bal 0 0 1 0 0.19",
          {"bad.conf:14:1", "'Bal'", "did you mean 'Ball'"}),
      bad("more bodies announced than there are", "Particles 2", "Particles 3",
          {"bad.conf:15:1", "3 announced, found 2"}),
      bad("a huge count", "Particles 2", "Particles 999999999999",
          {"bad.conf:12:11", "999999999999 items announced"}),
      bad("decimals below 0", "nDriven 1", "nDriven 1\nprecision -2",
          {"bad.conf:11:11", "precision: expected 0 to 60, found -2"}),
      bad("a negative count", "Particles 2", "Particles -2", {"bad.conf:12:11", "-2"}),
      bad("a body of negative size", "Ball 0 0 1 0 0.19", "Ball 0 0 -1 0 0.19",
          {"bad.conf:14:10", "homothety"}),
      bad("an orientation of no length", "0 0.19 0 0 0 0 0 0 0 1 0 0 0",
          "0 0.19 0 0 0 0 0 0 0 0 0 0 0", {"bad.conf:14:", "quaternion"}),
      bad("more driven bodies than bodies", "nDriven 1", "nDriven 5",
          {"bad.conf:10:1", "nDriven", "5"}),
      bad("a contact of a body that is not there", "0 1 0 0 0 0 -1", "0 7 0 0 0 0 -1",
          {"bad.conf:16:1", "body 7", "there are 2"}),
      bad("a contact of a vertex that is not there", "0 1 0 0 0 0 -1", "0 1 0 0 9 0 -1",
          {"bad.conf:16:1", "found 9"}),
      bad("a contact of an unknown type", "0 1 0 0 0 0 -1", "0 1 4 0 0 0 -1",
          {"bad.conf:16:5", "0 to 3"}),
      bad("a file that ends in the middle of a body", conf.substr(conf.find("0.19")), "0.19 0 0",
          {"bad.conf:14:", "end of the file"}),
      bad("a body without density", "density 0 2700", "density 1 2700",
          {"bad.conf:14:1", "density for group 0"}),
      bad("no bodies at all", conf.substr(conf.find("Particles")), "", {"bad.conf", "Particles"}),
      bad("bodies without a library of shapes", "shapeFile shapes.shp\n", "",
          {"bad.conf", "shapeFile"}),
      bad("another format altogether", "Rockable 21-08-2022", "LIGGGHTS data file",
          {"bad.conf:1:1", "Rockable", "LIGGGHTS"}),
      bad("a body force that does not exist", "forceLaw Default",
          "forceLaw Default\nBodyForce ViscousFluids 3000",
          {"bad.conf:9:11", "BodyForce", "did you mean 'ViscousFluid'"}),
      bad("a joint of one body with itself", "forceLaw Default",
          "forceLaw Default\ninitSpringJoint 0 0 0 0 0 1 0 0 5", {"bad.conf:9", "two bodies"}),
      bad("soft particles, which no program computes", "forceLaw Default",
          "forceLaw Default\nuseSoftParticles 1e9 0.2",
          {"bad.conf:9:1", "rigid", "remove the line"}),
      bad("no date behind the first word", "Rockable 21-08-2022", "Rockable",
          {"bad.conf:2:1", "dd-mm-yyyy", "'t'"}),
      bad("an unknown mode of threads", "forceLaw Default", "forceLaw Default\nparallel_mode Mutex",
          {"bad.conf:9:15", "CellMutex"}),
      bad("a number of a conf-file that is not whole", "nDriven 1", "nDriven 1\niconf 2.5",
          {"bad.conf:11:7", "whole number"}),
      bad("joints in a periodic cell", "forceLaw Default",
          "forceLaw Default\nusePeriodicCell 1\nh 3 0 0 0 3 0 0 0 3\ninitSpringJoint 0 0 0 0 1 0 0 "
          "0 5",
          {"bad.conf:11:1", "cannot cross a periodic cell"}),
      bad("a bad choice of a word", "forceLaw Default", "forceLaw Default\nUpdateNL linkcell",
          {"bad.conf:9:10", "linkCells"}),
      other("binary data instead of a conf-file", "bad.conf",
            std::string("Rockable 21\0\1\2\3", 15), "rockable bad.conf -o out", 3,
            {"bad.conf:1:12", "binary"}, "out"),
      other("an empty conf-file", "bad.conf", "", "rockable bad.conf -o out", 3,
            {"bad.conf", "found nothing"}, "out"),
      other("an unknown keyword, where warnings are errors", "bad.conf",
            with(conf, "tmax", "tmaks"), "rockable bad.conf -o out --strict", 3,
            {"bad.conf:3:1", "'tmaks'", "did you mean 'tmax'"}, "out"),
      other("a conf-file that is not there", "", "", "rockable absent.conf -o out", 4,
            {"absent.conf", "No such file"}, "out"),
      other("a folder instead of a conf-file", "", "", "rockable . -o out", 4, {"folder"}, "out"),
      other("a shape-file that is not there", "bad.conf", with(conf, "shapes.shp", "absent.shp"),
            "rockable bad.conf -o out", 4, {"absent.shp"}, "out"),
      other("a drive for a body that is not driven", "drivingSystem.txt", "Control _x_Vel_ 1 0.5\n",
            "rockable good.conf -o out", 3, {"drivingSystem.txt:1:17", "not driven"}, "out"),
      other("an unknown servo", "drivingSystem.txt", "# a comment\nServo shakr 0 1 0 0 1 1\n",
            "rockable good.conf -o out", 3, {"drivingSystem.txt:2:7", "did you mean 'shaker'"},
            "out"),
      other("a loading of a cell where there is none", "drivingSystem.txt",
            "PeriodicLoading IsotropicCompression 100\n", "rockable good.conf -o out", 3,
            {"PeriodicLoading", "usePeriodicCell"}, "out"),
      other("an unknown loading of a cell", "drivingSystem.txt", "PeriodicLoading Isotropic 100\n",
            "rockable good.conf -o out", 3, {"drivingSystem.txt:1:17", "IsotropicCompression"},
            "out"),
      other("an unknown mode of control", "drivingSystem.txt", "Control _w_Vel_ 0 1\n",
            "rockable good.conf -o out", 3, {"drivingSystem.txt:1:9", "_x_Vel_"}, "out"),
      other("a table that would be written elsewhere", "dataExtractors.txt",
            "TrackBody 1 ../../oops.txt 10\n", "rockable good.conf -o out", 3,
            {"dataExtractors.txt:1", "inside the folder"}, "out/run.json"),
      other("a table named as a file of the run", "dataExtractors.txt", "TrackBody 1 conf1 10\n",
            "rockable good.conf -o out", 3, {"dataExtractors.txt:1", "conf1"}, "out"),
      other("a component driven twice", "drivingSystem.txt",
            "Control _x_Vel_ 0 1\nControl _x_For_ 0 3\n", "rockable good.conf -o out", 3,
            {"drivingSystem.txt:2:1", "drivingSystem.txt:1:1"}, "out"),
      other("a servo turns a body that a moment drives", "drivingSystem.txt",
            "Control _yrot_Vel_ 0 1\nServo ramp _zrot_Vel_ 0 0 1 0 1\n\nControl _xyzrot_Mom_ 0 1 0 "
            "0\n",
            "rockable good.conf -o out", 3, {"drivingSystem.txt:4:1", "drivingSystem.txt:2:1"},
            "out"),
      other("a table of a body that is not there", "dataExtractors.txt",
            "TrackBody 9 body.txt 10\n", "rockable good.conf -o out", 3,
            {"dataExtractors.txt:1", "9"}, "out"),
      other("outputs that no run has written are kept", "out/conf1", "precious\n",
            "rockable good.conf -o out", 4, {"conf1", "--force"}, ""),
      // shape-files
      shape("a shape without an end", tetra.substr(0, tetra.size() - 2),
            {"bad.shp:1:1", "'T'", "'>'"}),
      shape("a shape that begins inside another", with(tetra, ">\n", "<\nname U\n"),
            {"bad.shp:22:1", "'>'"}),
      shape("an edge of a vertex that is not there", with(tetra, "2 3\n", "2 4\n"),
            {"bad.shp:16:3", "vertex 4", "there are 4"}),
      shape("a face of two corners", with(tetra, "3 0 1 2", "2 0 1"),
            {"bad.shp:18:1", "3 corners"}),
      shape("a vertex at infinity", with(tetra, "1 0 0", "inf 0 0"), {"bad.shp:7:1", "finite"}),
      shape("a negative radius", with(tetra, "radius 0.1", "radius -0.1"),
            {"bad.shp:3:8", "below 0"}),
      shape("a huge number of vertices", with(tetra, "nv 4", "nv 4000000000"),
            {"bad.shp:5:4", "4000000000 items"}),
      shape("two shapes of one name", tetra + tetra, {"bad.shp:23:1", "'T'", "already"}),
      shape("no shapes at all", "this is no shape-file\n", {"bad.shp", "none"}),
      shape("an open solid", with(with(tetra, "nf 4", "nf 3"), "3 1 2 3\n", ""), {"T", "open"}),
      shape("an unknown keyword, where warnings are errors", with(tetra, "radius", "radios"),
            {"bad.shp:3:1", "did you mean 'radius'"}, "--strict"),
      // meshes
      mesh("a mesh that breaks off", "bad.stl", stl.substr(0, 70),
           {"bad.stl:6:1", "end of the file"}),
      mesh("a mesh with a word for a number", "bad.stl", with(stl, "0 1 0", "0 one 0"),
           {"bad.stl:5:10", "'one'"}),
      mesh("an open mesh that is not said to be a surface", "bad.off",
           "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n1 1 1\n3 0 1 2\n3 1 3 2\n", {"open", "--surface"}),
      mesh("an index beyond the vertices", "bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n",
           {"bad.obj:4:7", "9"}),
      mesh("a count that the file cannot hold", "bad.off", "OFF\n4000000000 1 0\n0 0 0\n",
           {"bad.off:2:1", "4000000000"}),
      mesh("a binary mesh of the wrong length", "bad.stl",
           std::string(80, 'x') + std::string("\xff\xff\xff\x7f", 4) + "short", {"bad.stl"}),
      other("a mesh that is not there", "", "",
            "shapeSurvey import absent.stl --radius 0.1 -o new.shp", 4, {"absent.stl"}, "new.shp"),
      // packs, tables, series
      other("a pack with a ball of no size", "bad.txt", "0 Sphere 0 0 0 1\n1 Sphere 0 0 0 -1\n",
            "clumpify mass bad.txt", 3, {"bad.txt:2:16"}, ""),
      other("a pack with an unknown kind", "bad.txt", "0 Spere 0 0 0 1\n",
            "clumpify convert bad.txt --to shapepack -o new.txt", 3, {"bad.txt:1:3", "Sphere"},
            "new.txt"),
      other("a table without a column that is needed", "bad.csv", "shape,x,y\nBall,0,0\n",
            "packgen from bad.csv --shapes shapes.shp -o new/conf0", 3, {"bad.csv:1", "z"}, "new"),
      other("a table with a word for a number", "bad.csv", "shape,x,y,z\nBall,0,up,0\n",
            "packgen from bad.csv --shapes shapes.shp -o new/conf0", 3, {"bad.csv:2:8", "'up'"},
            "new"),
      other("a body that the series does not have", "", "",
            "extract TrackBody --body 7 good.conf -o new.csv", 3, {"good.conf", "7"}, "new.csv"),
      other("a conf-file that cannot be drawn", "bad.conf",
            with(conf, "Ball 0 0 1 0 0.19", "Bal 0 0 1 0 0.19"), "conf2vtk bad.conf -o new", 3,
            {"bad.conf:14:1", "'Bal'"}, "new"),
      // command lines
      usage("a negative number of steps", "rockable good.conf -o out --steps -3", {"--steps"}),
      usage("a time that is NaN", "rockable good.conf -o out --until nan", {"--until"}),
      usage("an unknown option", "rockable good.conf --stripes 3 -o out", {"--stripes"}),
      usage("an option without its value", "rockable good.conf -o out --steps", {"--steps"}),
      usage("a value that an option cannot have", "rockable good.conf -o out -j many", {"many"}),
      usage("two options that exclude each other", "rockable good.conf -o out --steps 3 --until 1",
            {"--until", "--steps"}),
      usage("an option missing of a verb", "packgen lattice -o out/conf0",
            {"packgen lattice --help"}),
      other("an unknown option in a file of options", "options.toml", "# mine\njobs = 2\njob = 2\n",
            "rockable good.conf -o out --config options.toml", 3,
            {"options.toml:3:1", "'job'", "'jobs'"}, "out"),
      other("a list that no bracket closes in a file of options", "options.toml",
            "output=[=\"out.txt\"\njobs=3\nstrict=true]\n",
            "rockable good.conf -o out --config options.toml", 3, {"options.toml:1:"}, "out"),
      other("a file of options that is none", "options.toml", "jobs = 2\nPK\x03\x04\n",
            "extract TrackBody --body 1 good.conf -o out --config options.toml", 3,
            {"options.toml:2:"}, "out"),
      other("a file of options of more than 64 kB", "options.toml", std::string(65537, '#'),
            "rockable good.conf -o out --config options.toml", 3, {"options.toml: ", "64 kB"},
            "out"),
      other("an unknown verb in a file of options", "options.toml", "[lattise]\nspacing = 2\n",
            "packgen lattice --shape shapes.shp --config options.toml -o out/conf0", 3,
            {"options.toml:1:2", "'lattise'"}, "out"),
      usage("an unknown list", "rockable --list colours", {"colours", "laws"}),
      usage("an unknown verb", "packgen lattise --shape shapes.shp -o out/conf0", {"lattise"}),
      usage("an unknown kind of table", "extract TrackBdy --body 0 good.conf -o out",
            {"TrackBdy", "TrackBody"}),
      usage("a verb that is not there", "clumpify crush shapes.shp -o out", {"crush"}),
  };
}

}  // namespace

TEST_CASE("broken input is refused in one line that points at it, and leaves nothing behind",
          "[golden][bad]") {
  const auto table = cases();
  CHECK(table.size() >= 40);
  for (const Case& c : table) {
    DYNAMIC_SECTION(c.title) {
      const Folder folder;
      folder.write("shapes.shp", shapes);
      folder.write("good.conf", conf);
      if (!c.file.empty()) folder.write(c.file, c.text);
      std::set<std::string> before;
      for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
        before.insert(entry.path().string());
      const Outcome outcome = run(folder, c.command);
      INFO(c.command << "\nstdout: " << outcome.out << "\nstderr: " << outcome.err);
      CHECK(outcome.code == c.code);
      CHECK(outcome.out.empty());
      std::vector<std::string> lines;
      for (std::size_t begin = 0; begin < outcome.err.size();) {
        const std::size_t end = std::min(outcome.err.find('\n', begin), outcome.err.size());
        if (const std::string line = outcome.err.substr(begin, end - begin);
            line.find("warning:") == std::string::npos)
          lines.push_back(line);
        begin = end + 1;
      }
      REQUIRE(lines.size() == 1);
      for (const std::string& part : c.says) CHECK_THAT(lines[0], Catch::Contains(part));
      if (!c.absent.empty()) CHECK_FALSE(folder.has(c.absent));
      for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
        CHECK(entry.path().string().find(".tmp-") == std::string::npos);
    }
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
