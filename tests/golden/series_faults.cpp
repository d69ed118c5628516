// SPDX-License-Identifier: GPL-3.0-or-later
// A machine that fails at one file of a series: the tool names that file, goes on with the others
// and ends with 4.
#include "catch.hpp"
#include "run_cases.hpp"

#include <fstream>
#include <sstream>
#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

namespace {

/// The library of the sanitizer in this process, with a colon behind it; else nothing. A program
/// must load it before all others.
std::string firstLibrary() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    for (const char* name : {"/libasan.so", "/libtsan.so"})
      if (line.find(name) != std::string::npos) return line.substr(line.find('/')) + ":";
  return "";
}

/// Runs a command in which one call to the system fails, as tests/faults/faults.cpp describes.
Outcome runWithFault(const Folder& folder, const std::string& fault, const std::string& command) {
  const std::string libraries = firstLibrary() + toolsFolder() + "/../tests/bin/scree_faults.so";
  return run(folder, "SCREE_FAULT=" + fault + " SCREE_FAULT_COUNT=count LD_PRELOAD='" + libraries +
                         "' " + command);
}

/// Number of such calls in the whole command.
int calls(const Folder& folder, const std::string& call, const std::string& command) {
  REQUIRE(runWithFault(folder, call + ":0:EIO", command).code == 0);
  return std::stoi(folder.read("count"));
}

void writeSeries(const Folder& folder) {
  writeCase(folder, fallingBall("0.02"));
  REQUIRE(run(folder, "rockable case.conf -o whole -q").code == 0);
}

}  // namespace

TEST_CASE("a failed read of one file of a series ends with 4, and what is written is right",
          "[golden][series]") {
  const Folder folder;
  writeSeries(folder);
  // Files 1, 2 and 3 lie in the span; each is read for its time and its content.
  const auto [command, result] = GENERATE(table<std::string, std::string>(
      {{"conf2vtk whole --from 0.015 --to 0.065 -q -j 1 -o out --force", "out/particles.pvd"},
       {"extract TrackBody --body 1 whole -q -j 1 -o table.csv --force", "table.csv"}}));
  const int reads = calls(folder, "read", command);
  REQUIRE(reads > 6);
  const std::string whole = folder.read(result);
  int refused = 0;
  for (int n = 1; n <= reads; ++n) {
    fs::remove_all(folder.path("out"));
    fs::remove(folder.path("table.csv"));
    const Outcome outcome = runWithFault(folder, "read:" + std::to_string(n) + ":EIO", command);
    INFO("read " << n << " of " << reads << "\n" << outcome.err);
    CHECK((outcome.code == 0 || outcome.code == 4));
    if (outcome.code == 0) CHECK(folder.read(result) == whole);
    refused += outcome.code == 4;
    if (!folder.has(result)) continue;
    // Each line that is left stands in that of the whole series.
    std::istringstream lines(folder.read(result));
    for (std::string line; std::getline(lines, line);) CHECK_THAT(whole, Contains(line + "\n"));
  }
  CHECK(refused > 3);
}
