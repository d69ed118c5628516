// SPDX-License-Identifier: GPL-3.0-or-later
// --print-config and --config: what a file of options does, and that each verb reads back its own.
#include "tool_test.hpp"

namespace {

/// A command whose results are the same in each run: a tool or a verb, and its arguments.
struct Call {
  std::string verb, arguments;
};

const std::vector<Call> calls{
    {"shapeSurvey make", "boulder --size 1 0.8 0.7 --faces 12 --radius 1e-2 --seed 4 -o out/b.shp"},
    {"shapeSurvey make", "sphere --name 'A=B#1'"},
    {"shapeSurvey import", "rock.off --radius 0.02 --hull --size 0.5 --name Rock -o out/r.shp"},
    {"packgen lattice",
     "--shape box.shp --walls 0.25 --jitter 0.5 --spacing 2.5 --random-orientation --mu 0.3 --mu "
     "0,1=0.2 --density 1=2600 --gravity 0 0 -9.81 --library out/l.shp -o out/conf0"},
    {"packgen scatter",
     "--shapes box.shp --container periodic:8,8,8 --solid-fraction 0.1 --grading "
     "uniform:0.8,1.2 --seed 3 -o out/conf0"},
    {"packgen settle", "loose/conf0 --until 0.05 --keep-stiffness --gravity 0 0 -1 -o out/conf0"},
    {"packgen transform", "two/conf0 --allow-overlap --library out/t.shp -o out/conf0"},
    {"packgen material", "--young 1e9 --poisson 0.2 --size 0.01 --json"},
    {"clumpify convert", "pack.txt --to csv --lossy -o out/pack.csv"},
    {"clumpify transform", "pack.txt pack.txt --merge --seed 5 -o out/both.txt"},
    {"clumpify create", "pack.txt --ids 0-1 --density 2 --group rock --group b:2 -o out/c.txt"},
    {"rockable", "two/conf0 --steps 3 --compress --seed 5 -o out"},
    {"conf2vtk", "two/conf0 --bonds --double --ascii --contacts chains --geometry boxes -o out"},
    {"extract bodies", "two/conf0 --driven --digits 4 --add run=3 -o out/t.tsv"},
};

/// Output of a command, printed and written. Tables begin with a comment that holds the command
/// itself.
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
  for (const auto& [name, content] : filesOf(folder, "out")) all[name] = without(content);
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
  const std::string rock =
      "OFF 4 4 0  0 0 0 1 0 0 0 1 0 0 0 1  3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
  folder.write("rock.off", rock);
  folder.write("poses.csv", "x,y,z\n0,2,0\n3,2,0\n");
  folder.write("pack.txt", "0 Sphere 0 0 0 1\n1 Sphere 3 0 0.5 0.8\n2 Capsule 6 2 0 1.5 1 0 0\n");
  mustRun(folder, "shapeSurvey make box --size 1 --radius 0.1 | shapeSurvey compute - -o box.shp");
  mustRun(folder,
          "packgen scatter --shapes box.shp --container box:5,5,5 --number 4 -o loose/conf0");
  mustRun(folder, "packgen from poses.csv --shapes box.shp -o two/conf0");
}

}  // namespace

TEST_CASE("each verb does the same with the options that --print-config wrote", "[golden]") {
  const Folder folder;
  prepare(folder);
  for (const Call& call : calls) {
    const std::string command = call.verb + " " + call.arguments;
    const auto expected = results(folder, command);
    const Outcome printed = mustRun(folder, command + " --print-config");
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
  const Outcome made = expect(folder, "shapeSurvey make box --config o.toml", 0);
  CHECK(made.out == run(folder, "shapeSurvey make box --size 1 2 3").out);
  CHECK_FALSE(folder.has("bleed.shp"));
  // The command line wins.
  CHECK(run(folder, "shapeSurvey make box --size 2 --config o.toml").out ==
        run(folder, "shapeSurvey make box --size 2").out);
  const Outcome printed = run(folder, "shapeSurvey make box --print-config");
  CHECK_THAT(printed.out, Contains("[make]") && !Contains("[compute]"));
  CHECK_THAT(run(folder, "packgen lattice --shape a --walls --print-config").out,
             Contains("\nwalls = true\n"));
}

TEST_CASE("a file of options is TOML, and complaints name its places", "[golden]") {
  const Folder folder;
  const auto printed = [&](const std::string& text) {
    folder.write("o.toml", text);
    return run(folder, "shapeSurvey make box --config o.toml --print-config");
  };
  const std::string given = printed("jobs = 2\n[make]\noutput = \"A # \\\"b\\\" \\u00e9\"").out;
  CHECK_THAT(given, Catch::StartsWith("jobs = 2\n"));
  CHECK(printed(given).out == given);
  CHECK(printed("\xEF\xBB\xBFjobs = 2\r\n[make]\r\noutput = 'A # \"b\" \u00e9' # a name\r\n").out ==
        given);
  const auto refused = [&](const std::string& text, const std::string& place) {
    const Outcome outcome = printed(text);
    INFO(text << ": " << outcome.err);
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, Contains("o.toml:" + place));
  };
  refused("color = blue\n", "1:");
  refused("[make]\nradius = [[1]]\n", "2:11: ");
  refused("jobs = 2\nstrict = true\njobs = 3\n", "3:");
  refused("jobs = 2\nname = 'a'\n", "2:1: ");
  refused("strict = 'true'\n", "1:10: ");
  refused("verbose = 2\n", "1:11: ");
  expect(folder, "shapeSurvey make box --config no.toml", 4, {"no.toml: cannot open"});
}

TEST_CASE("operations of clumpify transform run where they stand", "[golden]") {
  const Folder folder;
  folder.write("one.txt", "0 Sphere 1 0 0 1\n");
  const std::string command =
      "clumpify transform one.txt --translate 1 0 0 --rotate z 90 --translate 0 5 0";
  CHECK(run(folder, command).out == "0 Sphere 0 7 0 1\n");
  folder.write("o.toml", "[transform]\ntranslate = [1, 0, 0]\n");
  expect(folder, "clumpify transform one.txt --config o.toml", 2);
}
