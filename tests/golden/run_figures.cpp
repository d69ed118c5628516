// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that a run prints: their digits, and the time that --check predicts.
#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"
#include "run_cases.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_writer.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>

using namespace scree;
using namespace scree::testing;

TEST_CASE("each number in a table has its shortest digits", "[golden][rockable]") {
  const Folder folder;
  folder.write("shapes.shp", ballAndPlate);
  folder.write("case.conf", with(with(fallingBall("0.02"), "tmax 0.1", "tmax 0.02"), "0 0.152 0",
                                 "0.1 0.1499 0"));
  folder.write("dataExtractors.txt", "TrackBody 1 ball.txt 7\n");
  REQUIRE(run(folder, "rockable case.conf -o out -q -j 1").code == 0);
  REQUIRE(run(folder, "extract TrackBody --body 1 out -q -o series.csv").code == 0);
  std::size_t numbers = 0, longs = 0;
  for (const std::string table : {"out/ball.txt", "out/energy.txt", "out/kineticEnergy.txt",
                                  "out/staticBalance.txt", "out/perf.txt", "series.csv"}) {
    std::string text = folder.read(table);
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line[0] == '#' || std::isalpha(static_cast<unsigned char>(line[0])))
        continue;
      std::istringstream words(line);
      for (std::string word; words >> word; ++numbers, longs += word.size() > 15 ? 1U : 0U)
        if (word != shortest(std::stod(word))) FAIL_CHECK(table << ": " << word);
    }
  }
  CHECK(numbers > 500);
  CHECK(longs > 100);  // no digit is lost for it
}

TEST_CASE("the run time that --check predicts is that of the run", "[golden][rockable]") {
  const Folder folder;
  REQUIRE(
      run(folder,
          "shapeSurvey make boulder --faces 20 --size 0.3 --radius 0.01 --seed 2 -q -o rock.shp")
          .code == 0);
  REQUIRE(run(folder,
              "packgen lattice --shape rock.shp --cells 4 4 4 --spacing 0.5 --random-orientation "
              "--walls 0.3 --duration 0.2 --interconf 0.1 -q -o conf0")
              .code == 0);
  // Other work on the machine slows one or the other: one of five pairs must agree.
  double ratio = 0.0;
  for (int trial = 0; trial < 5 && !(ratio > 0.5 && ratio < 2.0); ++trial) {
    const Outcome check = run(folder, "rockable --check conf0 -j 1 --json");
    REQUIRE(check.code == 0);
    REQUIRE(run(folder, "rockable conf0 -o out -q -j 1 --force").code == 0);
    ratio = parseJson(check.out)["predictedSeconds"].get<double>() /
            report(folder, "out")["wallSeconds"].get<double>();
  }
  INFO("predicted over taken: " << ratio);
  CHECK(ratio > 0.5);
  CHECK(ratio < 2.0);
}
