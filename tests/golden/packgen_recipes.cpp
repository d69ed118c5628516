// SPDX-License-Identifier: GPL-3.0-or-later
// packgen run: command files of Rockable against what its own programs make of them (public data,
// with true masses), and recipes of verbs against the commands typed.
#include "tool_test.hpp"

#include "scree/shape/shape_file.hpp"

namespace {

std::vector<shape::Shape> shapesOf(const std::string& text) {
  TextReader in("shapes", text);
  Diagnostics diagnostics;
  return shape::readShapes(in, diagnostics);
}

/// Faces as sets of corners: upstream's winding varies.
std::set<std::set<std::uint32_t>> facesOf(const shape::Shape& shape) {
  std::set<std::set<std::uint32_t>> faces;
  for (std::size_t f = 0; f < shape.faces.size(); ++f)
    faces.insert({shape.faces[f].begin(), shape.faces[f].end()});
  return faces;
}

/// Shapes as upstream writes them, to its six digits, with the true masses in `facts`.
void compareShapes(const std::string& made, const std::string& expected, const json& facts) {
  const auto ours = shapesOf(made), theirs = shapesOf(expected);
  REQUIRE(ours.size() == theirs.size());
  REQUIRE(facts.size() == theirs.size());
  for (std::size_t k = 0; k < ours.size(); ++k) {
    const shape::Shape &a = ours[k], &b = theirs[k];
    INFO(a.name);
    const json& fact = facts[k];
    const double size = b.obb.extent.maxCoeff();
    CHECK(a.name == b.name);
    CHECK(a.isSurface == b.isSurface);
    CHECK(a.preCompDone);
    CHECK(a.radius == Approx(b.radius).epsilon(1e-5));
    CHECK(a.edges == b.edges);
    CHECK(facesOf(a) == facesOf(b));
    REQUIRE(a.vertices.size() == b.vertices.size());
    for (std::size_t v = 0; v < a.vertices.size(); ++v)
      CHECK((a.vertices[v] - b.vertices[v]).norm() < 1e-5 * size);
    const double digits = a.isSurface ? 1e-4 : 5e-6;  // their vertices have six digits
    CHECK(a.volume == Approx(fact.at("volume_true").get<double>()).epsilon(digits));
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(a.inertiaPerMass[static_cast<int>(i)] ==
            Approx(fact.at("I/m_true")[i].get<double>()).epsilon(digits));
      CHECK(a.obb.extent[static_cast<int>(i)] ==
            Approx(fact.at("obb.extent")[i].get<double>()).epsilon(1e-5));
    }
    CHECK(a.obb.centre.norm() < 1e-9 * size);
  }
}

/// The cubes of the two random packings: all but their orientations is known.
void checkCubes(const std::vector<std::string>& lines) {
  REQUIRE(lines.size() == 3375);
  std::array<double, 4> squares{};
  for (std::size_t k = 0; k < lines.size(); ++k) {
    TextReader in("cubes", lines[k]);
    INFO(lines[k]);
    CHECK(in.word("name") == "Cube");
    CHECK(in.integer("group", 0, 9) == 0);
    CHECK(in.integer("cluster", 0, 9999) == static_cast<std::int64_t>(k));
    CHECK(in.number("homothety") == 1.0);
    const Vec3 cell(static_cast<double>(k / 15 % 15), static_cast<double>(k / 225),
                    static_cast<double>(k % 15));  // y outermost, then x, then z
    CHECK((in.vec3("x") - 0.25 / 15 * (cell + Vec3::Constant(0.5))).norm() < 1e-15);
    CHECK(in.vec3("v").isZero());
    CHECK(in.vec3("a").isZero());
    const Quat q = in.quaternion("q");
    CHECK(q.norm() == Approx(1.0).epsilon(1e-15));
    const std::array<double, 4> parts{q.w(), q.x(), q.y(), q.z()};
    for (std::size_t i = 0; i < 4; ++i) squares[i] += parts[i] * parts[i] / 3375.0;
  }
  for (const double mean : squares) CHECK(std::abs(mean - 0.25) < 0.013);  // uniform rotations
}

/// Folder with balls and boxes, turned at random, between walls: ball/conf0 and box/conf0.
struct ScenesFolder : Folder {
  ScenesFolder() {
    mustRun(*this,
            "shapeSurvey make sphere --size 1 --name ball | shapeSurvey compute - -q -o ball.shp");
    mustRun(*this, "shapeSurvey make box --size 1 --radius 0.1 -q -o box.shp");
    for (const std::string shape : {"ball", "box"})
      mustRun(*this, "packgen lattice --shape " + shape +
                         ".shp --cells 2 2 2 --random-orientation "
                         "--walls 0.2 --law StickedLinks -q -o " +
                         shape + "/conf0");
  }
};

}  // namespace

TEST_CASE("the example files of Rockable's generator make what they make there",
          "[golden][packgen][recipe]") {
  const std::string data = publicData("rockable-generator");
  if (data.empty()) return;
  const json all = parseJson(readFile(data + "/expected.json"));
  CHECK(all.size() == 8);
  const Folder folder;
  for (const auto& [name, example] : all.items()) {
    INFO(name);
    const Outcome made =
        mustRun(folder, "packgen run " + data + "/" + name + "/" +
                            example.at("commands").get<std::string>() + " -o " + name);
    for (const auto& [file, product] : example.at("products").items()) {
      INFO(file);
      const std::string text =
          file == "standard-output.txt" ? made.out : folder.read(name + "/" + file);
      const std::string expected =
          readFile(data + "/" + name + "/" + product.at("file").get<std::string>());
      if (product.at("kind") == "shapes") {
        compareShapes(text, expected, product.at("shapes"));
      } else if (!product.at("random").get<bool>()) {
        CHECK(text == expected);
      } else {
        const std::vector<std::string> lines = linesOf(text.substr(expected.size()));
        CHECK(text.substr(0, expected.size()) == expected);
        checkCubes(lines);
        CHECK(product.at("without walls").at("bodies") == lines.size());
      }
      if (product.at("kind") == "conf") mustRun(folder, "rockable --check " + name + "/" + file);
    }
  }
  // The draws belong to the seed alone.
  const std::string cubes = "packgen run -q " + data + "/cubes-packing/genPacking.txt";
  CHECK(mustRun(folder, cubes).out == mustRun(folder, cubes + " --seed 1 -j 2").out);
  CHECK(mustRun(folder, cubes).out != mustRun(folder, cubes + " --seed 2").out);
}

TEST_CASE("commands of the generator that its examples do not use", "[golden][packgen][recipe]") {
  const Folder folder;
  folder.write("g.txt",
               "open shapes.txt\n"
               "generateShape:rectangle_xy X 0.1 1 2\n"
               "close\nopen a/input.txt\nprint> t\nprint  0\ncompute dt 2 * 0.5e-6\n"
               "/ comment\n! another\nParticles:placeHolder\nincrementNoParticles 2\n"
               "tranformation:add_translation 1 0 0\ntransformation:add_rotation 0 0 2 90\n"
               "addParticle P 1 2 0.5  1 2 3  1 0 0 0\ntransformation:reset\n"
               "close\n");
  mustRun(folder, "packgen run g.txt -o out");
  const auto shapes = shapesOf(folder.read("out/shapes.txt"));
  REQUIRE(shapes.size() == 1);
  CHECK(shapes[0].inertiaPerMass[0] > shapes[0].inertiaPerMass[1]);  // sides 1 and 2

  const std::vector<std::string> lines = linesOf(folder.read("out/a/input.txt"));
  CHECK(lines[0] == "t0");
  CHECK(lines[1] == "dt 1e-06");
  TextReader count("count", lines[2]);
  CHECK(count.word("") == "Particles");
  CHECK(count.integer("", 0, 9999) == static_cast<std::int64_t>(lines.size() - 3) + 2);
  CHECK(lines[2].size() == std::string("Particles ").size() + 12);
  TextReader body("body", lines[3]);
  for (const char* word : {"P", "1", "2", "5.0000000000000000e-01"}) CHECK(body.word("") == word);
  CHECK((body.vec3("") - Vec3(-1, 1, 3)).norm() < 1e-14);  // a quarter turn about z, then along x
  for (int k = 0; k < 6; ++k) CHECK(body.number("") == 0.0);
  CHECK(body.quaternion("").isApprox(Quat(std::sqrt(0.5), 0, 0, std::sqrt(0.5)), 1e-14));
}

TEST_CASE("command files of sweepable make the same files", "[golden][packgen][recipe]") {
  const std::string data = publicData("rockable-sweepable");
  if (data.empty()) return;
  const Folder folder;
  for (const auto& [name, file, count] : {std::tuple("folding", "folding_structure.txt", 9),
                                          {"nested", "commands.txt", 11},
                                          {"features", "commands.txt", 12}}) {
    INFO(name);
    const std::string from = data + "/" + name + "/";
    const Outcome made = mustRun(folder, "packgen run " + from + file + " -o " + name);
    auto expected = filesIn(from + "expected");
    CHECK(made.out.empty());
    expected.erase("standard-output.txt");
    CHECK(expected.size() == static_cast<std::size_t>(count));
    CHECK(filesOf(folder, name) == expected);
  }

  // Faults: where upstream is wrong, crashes or ends in silence, an error or the right text.
  const std::map<std::string, std::pair<int, std::string>> faults{
      {"unmatched", {3, ":1:1: .foreach without .endforeach"}},
      {"unknown", {3, ":2:1: unknown command '.frobnicate'"}},
      {"no-line", {3, ":2:1: no line begins with 'zzz'"}},
      {"no-file", {4, ":1:1: "}},
      {"no-selection", {3, ":2:1: no line is selected"}},
      {"no-target", {3, ":3:1: the selected line has no '7777'"}},
      {"no-folder", {3, ":2:1: no folder is set"}},
      {"no-argument", {3, ":1:1: expected 1 word(s) behind .read"}},
      {"foreach-empty", {3, ":1:1: expected .foreach NAME VALUE..."}},
      {"partial", {3, ":3:1: no line begins with 'zzz'"}},
      {"stray-end", {3, ":2:1: .endforeach without .foreach"}},
      {"no-list-name", {3, ":1:1: expected 1 word(s) behind .saveCollection"}},
      {"shifted",
       {0,
        "# inserted\ndt 1e-4\ndtNot 3\nknContact 0 0 1e6\nknContact 0 1 2e6\n"
        "muContact 0 1 0.5\nmuContact 1 1 0.5\nshapeFile other.shp\n"}},
      {"dollar", {0, "\nx 1 y\n"}},
      {"percent-percent", {0, "\ndt 100%%\n"}},
      {"percent-d", {0, "\ndt %d %s\n"}}};
  for (const auto& [name, expected] : faults) {
    const std::string from = data + "/faults/" + name + ".txt";
    const Outcome outcome = expect(folder, "packgen run " + from + " -o " + name, expected.first);
    if (outcome.code == 0) {
      const auto texts = filesOf(folder, name);
      REQUIRE(texts.size() == 1);
      CHECK_THAT(texts.begin()->second, Contains(expected.second));
    } else {
      CHECK_THAT(outcome.err, Contains("error: " + from + expected.second));
      CHECK_FALSE(folder.has(name));
    }
  }
}

TEST_CASE("a recipe with loops and arithmetic gives the bytes of the commands typed",
          "[golden][packgen][recipe]") {
  const Folder folder;
  mustRun(folder, "shapeSurvey make box --size 1 --radius 0.1 -q -o box.shp");
  folder.write(
      "study.txt",
      "# Two lattices at three frictions, and a part of each.\n"
      "let n = 2\nlet gap = 1/4 + 1\n"
      "for type in sc fcc\n  for mu in 0.2:0.6:0.2\n"
      "    lattice --shape ../box.shp --type $type$ --cells $n$ $2*n$ 1 \\\r\n"
      "            --spacing $gap*2$ --mu $mu$ -o $type$/$mu$/conf0   # comment\n"
      "    transform $type$/$mu$/conf0 --select \"z < $gap$ || y > 0\" -o $type$/$mu$/part0\n"
      "  end\nend\n");
  mustRun(folder, "packgen run study.txt -o study");
  mustRun(folder,
          "mkdir typed && cd typed && for t in sc fcc; do for m in 0.2 0.4 0.6; do "
          "packgen lattice --shape ../box.shp --type $t --cells 2 4 1 --spacing 2.5 --mu $m "
          "-o $t/$m/conf0 -q && packgen transform $t/$m/conf0 --select 'z < 1.25 || y > 0' "
          "-o $t/$m/part0 -q; done; done");
  const auto texts = filesOf(folder, "study");
  CHECK(texts.size() == 18);
  CHECK(texts == filesOf(folder, "typed"));
  mustRun(folder, "rockable --check study/fcc/0.4/part0");
  expect(folder, "packgen run study.txt -o study", 4);
  const json made = jsonOf(folder, "packgen run study.txt -o study --force -q --json -j 2");
  CHECK(made.at("files").size() == 12);
  CHECK(filesOf(folder, "study") == texts);
}

TEST_CASE("recipes that cannot be run are refused in one line with the place",
          "[golden][packgen][recipe]") {
  const Folder folder;
  mustRun(folder, "shapeSurvey make box --size 1 --radius 0.1 -q -o box.shp");
  struct Case {
    std::string text, says;
    int code = 3;
  };
  const std::string box = "lattice --shape ../box.shp ";
  const std::vector<Case> cases{
      {"let a = 1\nfrob 1\n", ":2:1: unknown verb 'frob' (did you mean 'from'?)"},
      {"run other.txt\n", ":1:1: unknown verb 'run'"},
      {"for i in 1 2\n", ":1:1: for without end"},
      {"let a = 1\nend\n", ":2:1: end without for"},
      {"for i in 1\nend end\n", ":2:5: more than end on this line"},
      {"let 2a = 1\n", ":1:5: '2a': expected a name"},
      {"for i in 1\nend\nlet a = i\n", ":3:9: in 'i': unknown name 'i'"},
      {"for i in 1:10:0\nend\n", ":1:10: 1:10:0: expected a range of 0 to 1000000 steps"},
      {"for i in 1:2:-1\nend\n", ":1:10: "},
      {"for i in 1:1e9\nend\n", ":1:10: "},
      {"for i in 1:2000\nfor i in 1:2000\nlet a = 1\nend\nend\n", ":3:1: more than 1000000 lines"},
      {"for i of 3\nend\n", ":1:1: expected for NAME in VALUE..."},
      {"let a 3\n", ":1:1: expected let NAME = FORMULA"},
      {"let a = 1\nlet b = a + c\n", ":2:9: in 'a + c': unknown name 'c'; known are a pi"},
      {"info \"x\" $1/0$\n", ":1:10: in '1/0': the result is not a finite number"},
      {"info \"x y\n", ":1:6: expected a closing \""},
      {"info none\n", ":1:1: none: cannot open", 4},
      {box + "--frob 1\n", ":1:1: unknown option or argument '--frob'"},
      {box + "--cells 0 1 1\n", ":1:1: --cells"},
      {box + "--cells 2 2 2 --spacing 0.5\n", ":1:1: --spacing 0.5"},
      {box + "-o ../out/conf0\n", "below the folder of the outputs"},
      {box + "--library /elsewhere/x.shp\n", "below the folder of the outputs"},
      {"open ../x\nprint a\n", ":1:1: '../x': expected a path below"},
      {"open /elsewhere/x\n", ":1:1: '/elsewhere/x': expected a path below"},
      {"open a\ngenerateShape:cub C 1 2\n", ":2:1: unknown command 'generateShape:cub' (did you"},
      {"open a\ngenerateShape:cube C 1 1\n", ":2:1: "},
      {"open a\ngenerateShape:cube C 0.1 x\n", ":2:26: generateShape:cube: expected a number"},
      {"open a\ngeneratePacking:grid B 0 0 0 1 1 1 1e9 1 1 0 0 1 0\n", ":2:36: "},
      {"open a\ngeneratePacking:grid B 0 0 0 1 1 1 999999999 999 9 0 0 1 0\n",
       ":2:1: more than 10000000 bodies"},
      {"open a\ncompute dt 1/0\n", ":2:"},
      {".read box.shp\n.saveInFolder ..\n", ":2:1: '../input.txt': expected a path below"},
      {".read box.shp\n.setOutputFilename ../x\n.saveInFolder a\n", ":3:1: 'a/../x'"},
  };
  for (const Case& c : cases) {
    folder.write("bad.txt", c.text);
    expectRefusals(folder, "", "", {}, {{"packgen run bad.txt -o out -q", c.code, c.says}});
    CHECK((!folder.has("out") || filesOf(folder, "out").empty()));
  }
  // A template is never replaced.
  folder.write("t.txt", ".read box.shp\n.setOutputFilename box.shp\n.saveInFolder .\n");
  expect(folder, "packgen run t.txt --force", 2);
}

TEST_CASE("a table of bodies comes back as the same packing", "[golden][packgen][exchange]") {
  const ScenesFolder folder;
  mustRun(folder, "packgen export box/conf0 --to csv --strict -q -o table");
  mustRun(folder, "packgen from table/bodies.csv --shapes table/shapes.shp -q -o back/conf0");
  const std::string bodies =
      "extract bodies --driven --columns shape,group,cluster,x,y,z,qw,qx,qy,qz "
      "--digits 12 ";
  const auto table = [&](const std::string& conf) {
    const std::string text = mustRun(folder, bodies + conf + " -q").out;
    return text.substr(text.find("\nshape"));
  };
  CHECK(table("back/conf0") == table("box/conf0"));
}

TEST_CASE("exports say what is lost, and --strict writes nothing", "[golden][packgen][exchange]") {
  const ScenesFolder folder;
  folder.write("ball/drivingSystem.txt", "Servo shaker 0 0 1 0 0.1 2\n");
  const Outcome made = mustRun(folder, "packgen export ball/conf0 --to lammps --json -o l");
  const json report = parseJson(made.out);
  CHECK(report.at("schema") == 1);
  CHECK(report.at("bodies") == 14);
  CHECK(report.at("losses").size() == 3);
  CHECK(report.at("losses").back().at("item") == "Servo shaker");
  CHECK_THAT(made.err, Contains("lost: Servo shaker: driven bodies stay at rest"));
  CHECK_THAT(folder.read("l/losses.txt"),
             Contains("approximated: nDriven plates: an endless plane"));
  expect(folder, "packgen export ball/conf0 --to lammps --strict -q -o s", 3);
  CHECK_FALSE(folder.has("s"));
  expect(folder, "packgen export ball/conf0 --to lammps -q -o l", 4);
  expect(folder, "packgen export ball/conf0 --to lammps -q --force -o l", 0);
  expect(folder, "packgen export ball/conf0 --to yade -q -o y", 2);
  expect(folder, "packgen export box/conf0 --to lammps -q -o b", 3, {"clumpify cover"});
  CHECK_FALSE(folder.has("b"));
}

TEST_CASE("imported states are conf-files that the other tools take",
          "[golden][packgen][exchange]") {
  const ScenesFolder folder;
  const std::string table =
      mustRun(folder, "extract bodies ball/conf0 --columns id,mass,x,y,z --format txt -q").out;
  const auto dump = [&](double lift) {
    std::string rows =
        "ITEM: TIME\n" + std::to_string(lift) +
        "\nITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n8\nITEM: BOX BOUNDS mm mm mm\n"
        "0 9\n0 9\n0 9\nITEM: ATOMS mol mass xu yu zu vx vy vz omegax omegay omegaz\n";
    std::istringstream lines(table.substr(table.find('\n') + 1));
    for (double id, mass, x, y, z; lines >> id >> mass >> x >> y >> z;) {
      char row[200];
      std::snprintf(row, sizeof row, "%g %.17g %.17g %.17g %.17g 0 0 0 0 0 0\n", id + 1, mass, x,
                    y - lift, z);
      rows += row;
    }
    return rows;
  };
  folder.write("atoms.dump", dump(0.0) + dump(0.21));  // onto the floor
  const std::string command = "packgen import atoms.dump --from lammps --like ball/conf0 -o back";
  CHECK_THAT(mustRun(folder, command).err, Contains("2 conf-files, back/conf0 to back/conf1"));
  mustRun(folder, "rockable back/conf0 --check -q");
  mustRun(folder, "conf2vtk back -q -o vtk");
  // Four balls stand 0.01 in the floor.
  const std::string stress =
      mustRun(folder, "extract stress back/conf1 --columns yy --format json -q").out;
  CHECK_THAT(stress, !Contains("null") && !Contains("nan"));
  CHECK_THAT(stress, Contains("-"));  // compression
  expect(folder, command + " -q", 4);
  CHECK(jsonOf(folder, command + " -q --force --json").at("files").size() == 2);
  // A shorter run leaves no states of the longer one behind it.
  folder.write("atoms.dump", dump(0.0));
  CHECK_THAT(run(folder, command + " -q --force").err, Contains("back/conf1: is of a longer run"));
  folder.write("atoms.dump", dump(0.0) + dump(0.2).substr(0, 400));
  const Outcome bad = expect(folder, command + "2 -q", 3);
  CHECK(std::ranges::count(bad.err, '\n') == 1);
  CHECK_THAT(bad.err, Contains("atoms.dump:"));
  CHECK_FALSE(folder.has("back2"));
}
