// SPDX-License-Identifier: GPL-3.0-or-later
// Messages on command lines that are refused, and the output of --json and --verbose.
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
    std::string command, names, help;
  };
  const std::vector<Refusal> refusals{
      {"packgen lattice --pressure 3", "--pressure", "packgen lattice --help"},
      {"shapeSurvey", "make, import, ", "shapeSurvey --help"},
      {"clumpify crush a", "crush", "clumpify --help"},
      {"rockable a.conf -j 9999", "--jobs", "rockable --help"},
      {"rockable a.conf --until 1 --steps 2", "--until", "rockable --help"},
      {"packgen lattice --shape box.shp --library - -o out/conf0", "--library -",
       "packgen lattice --help"},
  };
  const Folder folder;
  mustRun(folder, "shapeSurvey make box -o box.shp");
  for (const Refusal& r : refusals) {
    const Outcome outcome = run(folder, r.command);
    INFO(r.command << ": " << outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Contains(r.names) && Contains(r.help));
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
