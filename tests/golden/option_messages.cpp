// SPDX-License-Identifier: GPL-3.0-or-later
// What tools say of a command line that they refuse, and what --json and --verbose print.
#include "catch.hpp"
#include "json.hpp"
#include "run_cases.hpp"

#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

TEST_CASE("a usage error names its cause in plain words, and the help", "[golden][bad]") {
  struct Refusal {
    std::string command, says, help;
  };
  const std::vector<Refusal> refusals{
      {"packgen lattice --pressure 3", "unknown option --pressure", "packgen lattice --help"},
      {"shapeSurvey make -z", "unknown option -z", "shapeSurvey make --help"},
      {"shapeSurvey make --sise 3", "unknown option --sise (did you mean '--size'?)",
       "shapeSurvey make --help"},
      {"shapeSurvey list a.shp b.shp", "unexpected argument 'b.shp'", "shapeSurvey list --help"},
      {"shapeSurvey", "expected a verb: make, import, ", "shapeSurvey --help"},
      {"packgen latice --shape a", "unknown verb 'latice' (did you mean 'lattice'?)",
       "packgen --help"},
      {"clumpify crush a", "unknown verb 'crush'", "clumpify --help"},
      {"packgen lattice --shape a --gravity 1 2", "--gravity: ", "packgen lattice --help"},
      {"shapeSurvey make box --radius", "--radius: ", "shapeSurvey make --help"},
      {"rockable a.conf -j 9999", "--jobs: ", "rockable --help"},
      {"conf2vtk a.conf --contacts lines", "--contacts: ", "conf2vtk --help"},
      {"rockable a.conf --until 1 --steps 2", "excludes", "rockable --help"},
      {"packgen lattice --shape box.shp --library - -o out/conf0", "--library -",
       "packgen lattice --help"},
  };
  const Folder folder;
  REQUIRE(run(folder, "shapeSurvey make box -o box.shp").code == 0);
  for (const Refusal& r : refusals) {
    const Outcome outcome = run(folder, r.command);
    INFO(r.command << ": " << outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Contains(r.says) && Contains(r.help));
  }
}

TEST_CASE("shapeSurvey prints a report where -o names a file", "[golden]") {
  const Folder folder;
  folder.write("rock.off",
               "OFF 4 4 0  0 0 0 1 0 0 0 1 0 0 0 1  3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n");
  const auto made = parseJson(run(folder, "shapeSurvey make boulder --seed 3 --json -o b.shp").out);
  CHECK(made["schema"] == 1);
  CHECK(made["file"] == "b.shp");
  CHECK(made["seed"] == 3);
  CHECK(made["faces"] == 30);
  const auto drawn =
      parseJson(run(folder, "shapeSurvey image b.shp --size 90 60 --json -o b.png").out);
  CHECK(drawn["width"] == 90);
  CHECK(drawn["bytes"] == folder.read("b.png").size());
  for (const std::string command :
       {"make box", "import rock.off --radius 0.1", "compute b.shp", "image b.shp -o -",
        "export b.shp -o -", "check b.shp --fix -o -"}) {
    const Outcome refused = run(folder, "shapeSurvey " + command + " --json");
    INFO(command << ": " << refused.err);
    CHECK(refused.code == 2);
    CHECK(refused.out.empty());
    CHECK_THAT(refused.err, Contains("both want standard output"));
  }
}

TEST_CASE("verbose tools report versions, threads, time, memory and each warning", "[golden]") {
  const Folder folder;
  REQUIRE(run(folder, "shapeSurvey make box --radius 0.1 -o box.shp").code == 0);
  const Outcome loud =
      run(folder,
          "packgen scatter -v -j 1 --shapes box.shp --container box:5,5,5 --number 5 -o out/conf0");
  INFO(loud.err);
  CHECK(loud.code == 0);
  for (const char* part : {"packgen ", ", commit ", "CGAL ", "1 thread on ", " MB: placing took ",
                           " s in all, ", " of processor time, at most "})
    CHECK_THAT(loud.err, Contains(part));
  CHECK_THAT(run(folder, "packgen info out/conf0").err, !Contains(" in all, "));
  folder.write("bad.shp", folder.read("box.shp") + "stray 1\nstray 2\n");
  const std::string command = "shapeSurvey list bad.shp";
  const auto count = [](const std::string& text) {
    std::size_t n = 0;
    for (std::size_t at = text.find("warning:"); at != std::string::npos;
         at = text.find("warning:", at + 1))
      ++n;
    return n;
  };
  CHECK(count(run(folder, command + " -v").err) >= count(run(folder, command).err));
}

TEST_CASE("a message ends the line of a progress bar", "[golden]") {
  const Folder folder;
  REQUIRE(run(folder, "shapeSurvey make box --radius 0.1 -o box.shp").code == 0);
  const Outcome drawn = run(folder,
                            "packgen scatter --progress always --shapes box.shp --container "
                            "box:5,5,5 --number 20 -o out/conf0");
  INFO(drawn.err);
  CHECK_THAT(drawn.err, Contains("100 %  0 s left \x1b[K\n"));
  const Outcome failed = run(folder,
                             "packgen scatter --progress always --shapes box.shp --container "
                             "box:2,2,2 --number 20 -o no/conf0");
  CHECK(failed.code == 3);
  CHECK_THAT(failed.err, Contains("\npackgen: error: "));
}

TEST_CASE("packgen names the place in a table that has no header, and a path that is too long",
          "[golden][bad]") {
  const Folder folder;
  REQUIRE(run(folder, "shapeSurvey make box --radius 0.1 -o box.shp").code == 0);
  folder.write("pack.txt", "# mine\n0 Sphere 0 0 0 1\n");
  const Outcome pack = run(folder, "packgen from pack.txt --shapes box.shp -o out/conf0");
  CHECK(pack.code == 3);
  CHECK_THAT(pack.err, Contains("pack.txt:2:1:"));
  const Outcome longName =
      run(folder, "packgen lattice --shape box.shp -o " + std::string(5000, 'a'));
  CHECK(longName.code == 4);
  CHECK_THAT(longName.err, Contains("too long"));
}

TEST_CASE("rockable refuses empty values of options instead of ignoring them", "[golden][bad]") {
  const Folder folder;
  for (const std::string option :
       {"", "--done ", "--replay ", "--keep ", "--rest ", "--compat ", "--list "}) {
    const Outcome refused = run(folder, "rockable " + option + "''");
    INFO(option << "\n" << refused.err);
    CHECK(refused.code == 2);
    CHECK_THAT(
        refused.err,
        Contains("error: " + (option.empty() ? "CONF" : option.substr(0, option.size() - 1)) +
                 ": expected a value, found ''"));
  }
  folder.write("options.toml", "done = \"\"\n");
  const Outcome ofFile = run(folder, "rockable --config options.toml");
  CHECK(ofFile.code == 3);
  CHECK_THAT(ofFile.err, Contains("options.toml:1:") && Contains("expected a value, found ''"));
}
