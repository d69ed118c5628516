// SPDX-License-Identifier: GPL-3.0-or-later
// --print-config and --config: what a file of options does, and that each verb reads back its own.
#include "catch.hpp"
#include "run_cases.hpp"

#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

namespace {

/// A command whose results are the same in each run: a tool or a verb, and its arguments.
struct Call {
  std::string verb, arguments;
};

const std::vector<Call> calls{
    {"shapeSurvey make", "boulder --size 1 0.8 0.7 --faces 12 --radius 1e-2 --seed 4 -o out/b.shp"},
    {"shapeSurvey make", "sphere --name 'A=B#1'"},
    {"shapeSurvey import", "rock.off --radius 0.02 --hull --size 0.5 --name Rock -o out/r.shp"},
    {"shapeSurvey compute", "box.shp --recompute --obb aabb --method certified --tolerance 1e-4"},
    {"shapeSurvey info", "box.shp --density 2700 --json"},
    {"shapeSurvey list", "box.shp --json"},
    {"shapeSurvey check", "box.shp --fix -o out/fixed.shp"},
    {"shapeSurvey export", "box.shp --ascii --original --rounded 2 -o out/box.stl"},
    {"shapeSurvey image", "box.shp --size 96 64 --no-edges --plain --box -o out/box.png"},
    {"packgen lattice", "--shape box.shp --cells 2 2 2 --walls -o out/conf0"},
    {"packgen lattice",
     "--shape box.shp --walls 0.25 --jitter 0.5 --spacing 2.5 --random-orientation --mu 0.3 --mu "
     "0,1=0.2 --density 1=2600 --gravity 0 0 -9.81 --library out/l.shp -o out/conf0"},
    {"packgen from", "poses.csv --shapes box.shp --walls 0.5 --duration 2 -o out/conf0"},
    {"packgen scatter", "--shapes box.shp --container box:5,5,5 --number 4 -o out/conf0"},
    {"packgen scatter",
     "--shapes box.shp --container periodic:8,8,8 --solid-fraction 0.1 --grading "
     "uniform:0.8,1.2 --seed 3 -o out/conf0"},
    {"packgen fill",
     "--shapes ball.shp --container box:4,4,4 --solid-fraction 0.3 --seed 2 -o out/conf0"},
    {"packgen settle", "loose/conf0 --until 0.05 --keep-stiffness --gravity 0 0 -1 -o out/conf0"},
    {"packgen compact", "loose/conf0 --pressure 1e4 -o out/conf0"},
    {"packgen material", "--young 1e9 --poisson 0.2 --size 0.01 --json"},
    {"packgen info", "loose/conf0 --gap 0.01 --json"},
    {"clumpify mass", "pack.txt --density 2600 --json"},
    {"clumpify convert", "pack.txt --to csv --lossy -o out/pack.csv"},
    {"clumpify transform", "pack.txt pack.txt --merge --seed 5 -o out/both.txt"},
    {"clumpify lump", "pack.txt --density 2 --json"},
    {"clumpify create", "pack.txt --ids 0-1 --density 2 --group rock --group b:2 -o out/c.txt"},
    {"clumpify add", "pack.txt ball.txt --id 1 --recompute -o out/c.txt"},
    {"clumpify cover", "box.shp --spheres 8 --equal --no-overlap --inside -o out/c.txt"},
    {"clumpify quality", "cover.txt box.shp --json"},
    {"rockable", "two/conf0 --steps 3 --compress --seed 5 -o out"},
    {"rockable", "--list laws"},
    {"conf2vtk", "two/conf0 --bonds --double --ascii --contacts chains --geometry boxes -o out"},
    {"conf2vtk", "two/conf0 --image out/two.png"},
    {"extract bodies", "two/conf0 --driven --digits 4 --add run=3 -o out/t.tsv"},
    {"extract stress", "two --each body --format json"},
    {"extract diff", "two/conf0 loose/conf0"},
};

/// What a command printed and wrote. Tables begin with a comment that holds the command itself.
std::map<std::string, std::string> results(const Folder& folder, const std::string& command) {
  run(folder, "rm -rf out && mkdir out");
  const Outcome outcome = run(folder, command);
  INFO(command << "\n" << outcome.err);
  CHECK((outcome.code == 0 || (outcome.code == 3 && command.starts_with("extract"))));
  std::map<std::string, std::string> all;
  const auto without = [](const std::string& text) {
    std::string out;
    if (text.find("\"command\"") == std::string::npos)
      for (const std::string& line : linesOf(text)) out += line + '\n';
    return out;
  };
  all["standard output"] = without(outcome.out);
  for (const auto& entry : fs::recursive_directory_iterator(folder.path("out")))
    if (const std::string name = entry.path().filename().string();
        entry.is_regular_file() && name != "run.json")
      all[name] = without(readFile(entry.path().string()));
  return all;
}

/// The file with each flag that is not given as `false`.
std::string withFalseFlags(const std::string& options) {
  std::istringstream in(options);
  std::string out;
  for (std::string line; std::getline(in, line);)
    out += (line.starts_with("# ") && line.ends_with(" = false") ? line.substr(2) : line) + "\n";
  return out;
}

void prepare(const Folder& folder) {
  const auto must = [&](const std::string& command) {
    const Outcome outcome = run(folder, command);
    INFO(command << "\n" << outcome.err);
    REQUIRE(outcome.code == 0);
  };
  const std::string rock =
      "OFF 4 4 0  0 0 0 1 0 0 0 1 0 0 0 1  3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
  folder.write("rock.off", rock);
  folder.write("poses.csv", "x,y,z\n0,2,0\n3,2,0\n");
  folder.write("pack.txt", "0 Sphere 0 0 0 1\n1 Sphere 3 0 0.5 0.8\n2 Capsule 6 2 0 1.5 1 0 0\n");
  folder.write("ball.txt", "0 Sphere 0 1 0 0.5\n");
  must("shapeSurvey make box --size 1 --radius 0.1 | shapeSurvey compute - -o box.shp");
  must("shapeSurvey make sphere --size 1 | shapeSurvey compute - -o ball.shp");
  must("packgen scatter --shapes ball.shp --container box:3,4,3 --number 4 -o loose/conf0");
  must("packgen from poses.csv --shapes box.shp -o two/conf0");
  must("clumpify cover box.shp --spheres 4 -o cover.txt");
}

}  // namespace

TEST_CASE("each verb does the same with the options that --print-config wrote", "[golden]") {
  const Folder folder;
  prepare(folder);
  for (const Call& call : calls) {
    const std::string command = call.verb + " " + call.arguments;
    const auto expected = results(folder, command);
    const Outcome printed = run(folder, command + " --print-config");
    INFO(command << "\n" << printed.out << printed.err);
    REQUIRE(printed.code == 0);
    folder.write("o.toml", printed.out);
    CHECK(results(folder, call.verb + " --config o.toml") == expected);
    CHECK(run(folder, call.verb + " --config o.toml --print-config").out == printed.out);
    folder.write("o.toml", withFalseFlags(printed.out));
    CHECK(results(folder, call.verb + " --config o.toml") == expected);
  }
}

TEST_CASE("a file of options sets those of its verb alone", "[golden]") {
  const Folder folder;
  folder.write("o.toml", "[compute]\noutput = \"bleed.shp\"\n[make]\nsize = [1, 2, 3]\n");
  const Outcome made = run(folder, "shapeSurvey make box --config o.toml");
  CHECK(made.code == 0);
  CHECK(made.out == run(folder, "shapeSurvey make box --size 1 2 3").out);
  CHECK_FALSE(folder.has("bleed.shp"));
  // The command line wins.
  CHECK(run(folder, "shapeSurvey make box --size 2 --config o.toml").out ==
        run(folder, "shapeSurvey make box --size 2").out);
  const Outcome printed = run(folder, "shapeSurvey make box --print-config");
  CHECK_THAT(printed.out, Contains("[make]") && !Contains("[compute]"));
  CHECK_THAT(run(folder, "packgen lattice --shape a --walls --print-config").out,
             Contains("\nwalls = true\n"));
  CHECK_THAT(run(folder, "packgen lattice --print-config").out, Contains("\n# walls =\n"));
  CHECK(run(folder, "packgen lattice --print-config --foo").code == 2);
  // Of a negated flag, too.
  folder.write("o.toml", "[image]\nno-edges = true\n");
  CHECK_THAT(run(folder, "shapeSurvey image a -o b --config o.toml --print-config").out,
             Contains("\nedges = false\n"));
}

TEST_CASE("a file of options is TOML, and complaints name its places", "[golden]") {
  const Folder folder;
  const auto printed = [&](const std::string& text) {
    folder.write("o.toml", text);
    return run(folder, "shapeSurvey make box --config o.toml --print-config");
  };
  const std::string given = printed("jobs = 2\n[make]\nname = \"A # \\\"b\\\" \\u00e9\"").out;
  CHECK_THAT(given, Catch::StartsWith("jobs = 2\n"));
  CHECK(printed(given).out == given);
  CHECK(printed("\xEF\xBB\xBFjobs = 2\r\n[make]\r\nname = 'A # \"b\" \u00e9' # a name\r\n").out ==
        given);
  CHECK(printed("jobs = 2\nmake.name = 'A # \"b\" \u00e9'").out == given);
  const auto refused = [&](const std::string& text, const std::string& place) {
    const Outcome outcome = printed(text);
    INFO(text << ": " << outcome.err);
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, Contains("o.toml:" + place));
  };
  refused("# mine\njobs = \"abc\"\n", "2:8: ");
  refused("jobs = 9999\n", "1:8: ");
  refused("color = 'blue'\n", "1:9: ");
  refused("color = blue\n", "1:");
  refused("[make]\nradius = 'thick'\n", "2:10: ");
  refused("[make]\nradius = [[1]]\n", "2:11: ");
  refused("[make]\nradius = 1979-05-27\n", "2:10: ");
  refused("jobs = 2\nstrict = true\njobs = 3\n", "3:");
  refused("jobs = 2\nname = 'a'\n", "2:1: ");
  refused("strict = 'true'\n", "1:10: ");
  refused("verbose = 2\n", "1:11: ");
  CHECK(run(folder, "shapeSurvey make box -v -v --strict=yes --print-config").out ==
        run(folder, "shapeSurvey make box --verbose --strict --print-config").out);
  const Outcome absent = run(folder, "shapeSurvey make box --config no.toml");
  CHECK(absent.code == 4);
  CHECK_THAT(absent.err, Contains("no.toml: cannot open"));
}

TEST_CASE("operations of clumpify transform run where they stand", "[golden]") {
  const Folder folder;
  folder.write("one.txt", "0 Sphere 1 0 0 1\n");
  const std::string command =
      "clumpify transform one.txt --translate 1 0 0 --rotate z 90 --translate 0 5 0";
  CHECK(run(folder, command).out == "0 Sphere 0 7 0 1\n");
  folder.write("o.toml", "[transform]\ntranslate = [1, 0, 0]\n");
  CHECK(run(folder, "clumpify transform one.txt --config o.toml").code == 3);
}

TEST_CASE("flags that are false in a file of options do nothing", "[golden]") {
  const Folder folder;
  folder.write("pack.txt", "0 Sphere 0 0 0 1\n1 Sphere 3 0 0 0.8\n2 Sphere 6 0 0 0.5\n");
  folder.write("o.toml", "verbose = false\nquiet = false\n[transform]\nshuffle = false\n");
  const std::string command = "clumpify transform pack.txt --seed 3 --drop 'z < 9'";
  const Outcome plain = run(folder, command), same = run(folder, command + " --config o.toml");
  CHECK_THAT(plain.err, Contains("leaves no particle"));
  CHECK(same.out == plain.out);
  CHECK(same.err == plain.err);
}

TEST_CASE("a value in a file of options that a tool refuses is shown with its place",
          "[golden][bad]") {
  const Folder folder;
  for (const char* shape : {"box", "sphere"})
    REQUIRE(run(folder, std::string("shapeSurvey make ") + shape + " --size 1 -o " + shape + ".shp")
                .code == 0);
  REQUIRE(run(folder, "packgen lattice --shape box.shp --cells 2 2 2 -q -o conf0").code == 0);
  const std::string many = "packgen scatter --shapes box.shp --number 3 -o out/conf0";
  struct Refusal {
    std::string text, command, place;
  };
  const std::vector<Refusal> refusals{
      {"keep = 3\n", "rockable conf0 -o out", "1:8"},
      {"# mine\n\ncompat = \"x\"\n", "rockable conf0 -o out", "3:10"},
      {"output = \"\"\n", "rockable conf0", "1:10"},
      {"[lattice]\ntype = \"zzz\"\n", "packgen lattice --shape box.shp -o out/conf0", "2:8"},
      {"scatter.container =   \"box:1,2\"\n", many, "1:23"},
      {"[scatter]\ncontainer = \"foo:1\"\nseed = 4\n", many + " --seed 3", "2:13"},
      {"[info]\ndensity = -4\n", "shapeSurvey info box.shp", "2:11"},
      {"[make]\nfaces = 30\n", "shapeSurvey make box", "2:9"},
      {"[mass]\ndensity = -9\n", "clumpify mass box.shp", "2:11"},
      {"format = \"cvs\"\n", "extract bodies conf0", "1:10"},
      {"arrays = \"colour\"\n", "conf2vtk conf0 -o out", "1:10"},
      {"steps = 3\n", "rockable conf0 -o out --until 1", "1:9"},
  };
  for (const Refusal& r : refusals) {
    folder.write("o.toml", r.text);
    const Outcome outcome = run(folder, r.command + " --config o.toml");
    INFO(r.command << "\n" << r.text << outcome.err);
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, Contains("error: o.toml:" + r.place + ": ") && !Contains("--help"));
    CHECK_FALSE(folder.has("out"));
  }
  // What the command line gives is still a matter of usage, whatever the file sets.
  folder.write("o.toml", "seed = 4\nkeep = \"last:2\"\nsteps = 4\n");
  for (const char* words : {"--keep 3", "--checkpoint -1", "--sead 3", "--compat steps"}) {
    const Outcome outcome =
        run(folder, std::string("rockable conf0 -o out --config o.toml ") + words);
    INFO(words << "\n" << outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Contains("rockable --help lists the options") && !Contains("o.toml"));
  }
}
