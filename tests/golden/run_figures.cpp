// SPDX-License-Identifier: GPL-3.0-or-later
// Digits of the numbers that a run prints.
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
  mustRun(folder, "rockable case.conf -o out -q -j 1");
  mustRun(folder, "extract TrackBody --body 1 out -q -o series.csv");
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
