// SPDX-License-Identifier: GPL-3.0-or-later
// Broken input of every kind: one line that points at it, the right exit code, and nothing half
// done.
#include "squeezed_run.hpp"
#include "tool_test.hpp"

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
  std::string says;  ///< the place, on the one line that is printed
};

std::vector<Case> cases() {
  using Text = const std::string&;
  const auto other = [](Text file, Text text, Text command, int code, Text says) {
    return Case{file, text, command, code, says};
  };
  const auto plain = [](Text command, int code, Text says) {
    return Case{"", "", command, code, says};
  };
  const auto usage = [&](Text command, Text says) { return plain(command, 2, says); };
  const auto bad = [](Text what, Text by, Text says) {
    return Case{"bad.conf", with(conf, what, by), "rockable bad.conf -o out", 3, says};
  };
  const auto beside = [](Text file, Text text, Text says) {
    return Case{file, text, "rockable good.conf -o out", 3, says};
  };
  const auto shape = [](Text text, Text says, Text options = "") {
    return Case{"bad.shp", text, "shapeSurvey compute bad.shp -o out " + options, 3, says};
  };
  const auto mesh = [](Text file, Text text, Text says) {
    return Case{file, text, "shapeSurvey import " + file + " --radius 0.1 -o out", 3, says};
  };
  const std::string absentShapes = with(conf, "shapes.shp", "absent.shp"),
                    place = "bad.conf:11:1: absent.shp";
  std::vector<Case> all{
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
      other("bad.conf",
            with(conf, "forceLaw Default", "forceLaw Default\nuseSoftParticles 1e9 0.2"),
            "rockable bad.conf -o out --compat rockable", 3, "bad.conf:9:1"),
      other("bad.conf",
            with(conf, "forceLaw Default",
                 "forceLaw Default\nusePeriodicCell 1\nh 3 0 0 0 3 0 0 0 3"),
            "rockable bad.conf -o out --compat rockable", 3, "usePeriodicCell"),
      other("bad.conf", std::string("Rockable 21\0\1\2\3", 15), "rockable bad.conf -o out", 3,
            "bad.conf:1:12"),
      other("bad.conf", "", "rockable bad.conf -o out", 3, "bad.conf"),
      other("bad.conf", with(conf, "tmax", "tmaks"), "rockable bad.conf -o out --strict", 3,
            "bad.conf:3:1"),
      plain("rockable absent.conf -o out", 4, "absent.conf"),
      plain("rockable . -o out", 4, "folder"),
      other("bad.conf", absentShapes, "rockable bad.conf -o out", 4, place),
      other("bad.conf", absentShapes, "conf2vtk bad.conf -o out", 4, place),
      other("bad.conf", absentShapes, "extract bodies bad.conf -o out", 4, place),
      other("bad.conf", absentShapes, "clumpify convert bad.conf --to shapepack -o out", 4, place),
      beside("drivingSystem.txt", "Control _x_Vel_ 1 0.5\n", "drivingSystem.txt:1:17"),
      beside("drivingSystem.txt", "PeriodicLoading IsotropicCompression 100\n", "PeriodicLoading"),
      beside("drivingSystem.txt", "PeriodicLoading Isotropic 100\n", "drivingSystem.txt:1:17"),
      beside("dataExtractors.txt", "TrackBody 1 ../../oops.txt 10\n", "dataExtractors.txt:1"),
      beside("dataExtractors.txt", "TrackBody 1 conf1 10\n", "dataExtractors.txt:1"),
      beside("dataExtractors.txt", "TrackBody 1 conf1.zst 10\n", "dataExtractors.txt:1"),
      beside("dataExtractors.txt", "TrackBody 1 rock.txt.zst 10\n", "dataExtractors.txt:1"),
      beside(
          "drivingSystem.txt",
          "Control _yrot_Vel_ 0 1\nServo ramp _zrot_Vel_ 0 0 1 0 1\n\nControl _xyzrot_Mom_ 0 1 0 "
          "0\n",
          "drivingSystem.txt:4:1"),
      beside("dataExtractors.txt", "TrackBody 9 body.txt 10\n", "dataExtractors.txt:1"),
      other("out/conf1", "precious\n", "rockable good.conf -o out", 4, "conf1"),
      // devices without an end
      plain("timeout 10 rockable /dev/urandom -o out", 4, "is a device, expected a file"),
      plain("timeout 10 shapeSurvey info /dev/zero", 4, "is a device, expected a file"),
      plain("timeout 10 shapeSurvey info - </dev/zero", 4, "is a device, expected a file"),
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
      plain("shapeSurvey import absent.stl --radius 0.1 -o out", 4, "absent.stl"),
      // packs, tables, series
      other("bad.txt", "0 Sphere 0 0 0 1\n1 Sphere 0 0 0 -1\n", "clumpify mass bad.txt", 3,
            "bad.txt:2:16"),
      other("bad.csv", "shape,x,y\nBall,0,0\n",
            "packgen from bad.csv --shapes shapes.shp -o out/conf0", 3, "bad.csv:1"),
      other("bad.csv", "shape,x,y,z\nBall,0,up,0\n",
            "packgen from bad.csv --shapes shapes.shp -o out/conf0", 3, "bad.csv:2:8"),
      plain("extract TrackBody --body 7 good.conf -o out", 3, "good.conf"),
      other("bad.conf", with(conf, "Ball 0 0 1 0 0.19", "Bal 0 0 1 0 0.19"),
            "conf2vtk bad.conf -o out", 3, "bad.conf:14:1"),
      // command lines
      usage("rockable good.conf -o out --steps -3", "--steps"),
      usage("rockable good.conf -o out --until nan", "--until"),
      usage("rockable good.conf --stripes 3 -o out", "--stripes"),
      usage("rockable good.conf -o out --steps 3 --until 1", "--until"),
      usage("packgen lattice -o out/conf0", "packgen lattice --help"),
      other("options.toml", "# mine\njobs = 2\njob = 2\n",
            "rockable good.conf -o out --config options.toml", 3, "options.toml:3:1"),
      other("options.toml", std::string(65537, '#'),
            "rockable good.conf -o out --config options.toml", 3, "options.toml: "),
      other("options.toml", "[lattise]\nspacing = 2\n",
            "packgen lattice --shape shapes.shp --config options.toml -o out/conf0", 3,
            "options.toml:1:2"),
      usage("rockable good.conf -o out --until -1", "--until: -1 is before t = 0"),
      usage("rockable good.conf -o out --checkpoint nan", "--checkpoint"),
      usage("rockable good.conf -o out --keep last:0", "--keep"),
      usage("rockable good.conf -o out --rest 1e-3,1e-3", "expected UNBALANCED,ENERGY,SECONDS"),
      usage("rockable good.conf -o out --rest 1,nan,1", "expected UNBALANCED,ENERGY,SECONDS"),
      usage("rockable good.conf -o out -j 9999", "rockable --help"),
      usage("rockable good.conf -o -", "-o: expected the name of a folder"),
      usage("conf2vtk good.conf -o -", "folder"),
      usage("extract --script lines.txt good.conf -o -", "folder"),
      usage("packgen lattise --shape shapes.shp -o out/conf0", "lattise"),
      usage("packgen lattice --pressure 3", "packgen lattice --help"),
      usage("packgen lattice --shape shapes.shp --library - -q -o out/conf0", "--library -"),
      usage("shapeSurvey", "make, import, "),
      usage("clumpify crush a", "crush"),
      usage("extract TrackBdy --body 0 good.conf -o out", "TrackBdy"),
      // standard input
      plain("rockable -", 3, "standard input"),
      plain("shapeSurvey info -", 3, "standard input"),
      plain("printf 1 | clumpify mass -", 3, "standard input"),
      plain("extract TrackBody --body 0 -", 3, "standard input"),
  };
  // Whole numbers.
  for (const std::string command :
       {"clumpify cover a.stl --spheres 3 --seed", "clumpify cover a.stl --spheres",
        "clumpify transform a.txt --shuffle --seed", "clumpify create a.txt --id",
        "packgen scatter --shapes a.shp --container box:1,1,1 --number 3 --seed",
        "packgen scatter --shapes a.shp --container box:1,1,1 --number",
        "packgen lattice --shape a.shp --seed", "shapeSurvey make boulder --radius 0.1 --seed",
        "rockable a.conf --seed", "rockable a.conf --steps", "conf2vtk a --every"})
    for (const std::string value : {" -1", " 99999999999999999999"})
      if (!command.ends_with("--id") || value != " -1")
        all.push_back(usage(command + value, command.substr(command.rfind("--")) + ": "));
  return all;
}

}  // namespace

TEST_CASE("broken input is refused in one line that points at it, and leaves nothing behind",
          "[golden][bad]") {
  for (const Case& c : cases()) {
    const Folder folder;
    folder.write("shapes.shp", shapes);
    folder.write("good.conf", conf);
    if (!c.file.empty()) folder.write(c.file, c.text);
    const auto before = filesOf(folder, "");
    expectRefusals(folder, "", "", {}, {{c.command, c.code, c.says}});
    INFO(c.command);
    CHECK(filesOf(folder, "") == before);
  }
}

TEST_CASE("no tool replaces what it reads by a file of another kind, not even with --force",
          "[golden][force]") {
  const Folder folder;
  for (const int k : {0, 1}) writeSqueezed(folder, k, 9.0 + 0.25 * k, 9.25);
  mustRun(folder, "shapeSurvey make sphere -q -o ball.shp");
  folder.write("tetra.off",
               "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n");
  folder.write("balls.txt", "0 Sphere 0.5 0.5 0.5 0.5\n0 Sphere 1.5 0.5 0.5 0.25\n");
  folder.write("more.txt", "1 Sphere 3 0 0 1\n");
  folder.write("a.csv", "id,v\n1,2\n");
  folder.write("runs.csv", "run,mu\na,2\n");
  folder.write("run/script.txt", "TrackBody 2 conf0 1\n");
  folder.write("own.txt", "TrackBody 2 own.txt 1\n");
  folder.write("poses.csv", "shape,x,y,z\nSphere,0,2,0\nSphere,3,2,0\n");
  folder.write("grading.csv", "d,passing\n0.5,0\n1,1\n");
  fs::create_symlink("run/conf0", folder.path("link"));
  fs::create_symlink("ball.shp", folder.path("link.shp"));
  mustRun(folder, "packgen from poses.csv --shapes ball.shp --walls -q -o made/conf0");
  const auto before = filesOf(folder, "");
  for (const char* command :
       {"shapeSurvey import tetra.off --radius 0 -o ./tetra.off",
        "shapeSurvey image ball.shp -o ball.shp",
        "shapeSurvey export ball.shp -o ball.shp",
        "clumpify cover tetra.off --spheres 1 -o ./tetra.off",
        "clumpify cover tetra.off --spheres 1 -o new.txt --curve tetra.off",
        "clumpify quality balls.txt tetra.off -o balls.txt",
        "clumpify mass balls.txt -o balls.txt",
        "clumpify lump balls.txt -o balls.txt",
        "clumpify convert balls.txt --to csv -o balls.txt",
        "clumpify create balls.txt -o balls.txt",
        "clumpify add balls.txt more.txt --id 0 -o more.txt",
        "clumpify transform balls.txt more.txt --merge -o more.txt",
        "packgen lattice --shape ball.shp -o link.shp",
        "packgen from poses.csv --shapes ball.shp --library poses.csv -o new",
        "packgen scatter --shapes ball.shp --container mesh:tetra.off --number 3 -o tetra.off",
        "packgen scatter --shapes ball.shp --container box:9,9,9 --number 3 "
        "--grading grading.csv -o grading.csv",
        "packgen transform made/conf0 --drop 'x > 1' -o made/conf0",
        "packgen settle made/conf0 -o made/conf0",
        "packgen settle made/conf0 --library made/conf0.shp -o new",
        "extract energy run/conf0 -o run/conf0",
        "extract energy run -o run/../run/conf1",
        "extract energy run/conf0 -o run/shapes.shp",
        "extract energy link -o run/conf0",
        "extract join a.csv -o a.csv",
        "extract join a.csv -o runs.csv",
        "extract exceedance --of v a.csv -o a.csv",
        "extract diff run/conf0 run/conf1 -o run/conf1",
        "extract --script run/script.txt run -o run",
        "extract --script own.txt run",
        "conf2vtk run -o vtk --html run/conf0",
        "conf2vtk run/conf1 -o vtk --html run/shapes.shp"}) {
    expect(folder, std::string(command) + " --force", 2, {"this file is an input"});
    fs::remove_all(folder.path("vtk"));
    CHECK(filesOf(folder, "") == before);
  }
  // Shapes and packs may be changed where they are.
  for (const char* command : {"shapeSurvey compute ball.shp -q -o ball.shp",
                              "clumpify add balls.txt more.txt --id 0 -o balls.txt",
                              "clumpify transform balls.txt --translate 1 0 0 -o balls.txt"})
    expect(folder, std::string(command) + " --force", 0);
}

TEST_CASE("lists come as JSON where requested", "[golden]") {
  const Folder folder;
  for (const std::string list :
       {"laws", "keywords", "servos", "extractors", "integrators", "commands"}) {
    const auto json = jsonOf(folder, "rockable --json --list " + list);
    CHECK(json["schema"] == 1);
    REQUIRE(json[list].size() > 0);
    CHECK(json[list][0].contains("help"));
  }
  CHECK(jsonOf(folder, "extract --json --list")["kinds"].size() > 0);
}

TEST_CASE("the good versions of these inputs are accepted", "[golden]") {
  const Folder folder;
  folder.write("shapes.shp", shapes);
  folder.write("good.conf", conf);
  folder.write("tetra.shp", tetra);
  // --strict wants friction to be stated, and no deep overlap at the start.
  folder.write(
      "strict.conf",
      with(conf,
           {{"knContact 0 0 1e6\n", "knContact 0 0 1e6\nktContact 0 0 1e6\nmuContact 0 0 0.5\n"},
            {"0 0.19 0", "0 0.1999 0"},
            {"-1 0 -0.01 0 0.095 0 0 0 0 1e4", "-1 0 -0.0001 0 0.09995 0 0 0 0 1e2"}}));
  expect(folder, "rockable strict.conf --check --strict", 0);
  expect(folder, "rockable good.conf -o out", 0);
  CHECK(folder.has("out/conf2"));
  expect(folder, "shapeSurvey compute tetra.shp -o new.shp --strict", 0);
  expect(folder, "extract TrackBody --body 1 out", 0);
}

TEST_CASE("shapeSurvey prints a report where -o names a file", "[golden]") {
  const Folder folder;
  folder.write("rock.off",
               "OFF 4 4 0  0 0 0 1 0 0 0 1 0 0 0 1  3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n");
  const auto made = jsonOf(folder, "shapeSurvey make boulder --seed 3 --json -o b.shp");
  CHECK(made["schema"] == 1);
  CHECK(made["file"] == "b.shp");
  CHECK(made["seed"] == 3);
  CHECK(made["faces"] == 30);
  const auto drawn = jsonOf(folder, "shapeSurvey image b.shp --size 90 60 --json -o b.png");
  CHECK(drawn["width"] == 90);
  CHECK(drawn["bytes"] == folder.read("b.png").size());
  for (const std::string command :
       {"make box", "import rock.off --radius 0.1", "compute b.shp", "image b.shp -o -",
        "export b.shp -o -", "check b.shp --fix -o -"}) {
    const Outcome refused = expect(folder, "shapeSurvey " + command + " --json", 2);
    CHECK(refused.out.empty());
    CHECK_THAT(refused.err, Contains("both want standard output"));
  }
}
