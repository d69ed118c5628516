// SPDX-License-Identifier: GPL-3.0-or-later
// The examples in help texts and documents work as they are printed, one after the other.
#include "catch.hpp"
#include "command.hpp"

#include <sstream>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;

namespace {

const std::vector<std::string> tools{"shapeSurvey", "packgen",  "clumpify",
                                     "rockable",    "conf2vtk", "extract"};

/// Files for examples that do not make them: a run, shapes, a pack, a table of
/// poses.
void prepare(const Folder& folder) {
  mustRun(folder, "shapeSurvey make boulder --size 0.3 --radius 0.01 -q -o rock.shp");
  mustRun(folder,
          "packgen lattice --shape rock.shp --cells 3 3 2 --walls 0.1 --duration 0.05 "
          "--interconf 0.005 -q -o run/conf0");
  mustRun(folder, "rockable run/conf0 -o run -q");
  mustRun(folder, "cp run/conf0 run/conf0.shp . && cp conf0 case.conf && rm rock.shp");
  mustRun(folder,
          "shapeSurvey make slope --steps 3 --radius 0.05 --name terrain -q -o terrain.shp");
  mustRun(folder, "shapeSurvey make boulder --radius 0.02 --name SP3A -q -o boulders.shp");
  folder.write("release.csv", "shape,x,y,z,driven\nterrain,0,0,0,1\nSP3A,0.5,20,0,0\n");
  folder.write("dataExtractors.txt", "TrackBody 6 track.txt 10\n");
}

/// Lines of an "Examples:" section, without what three blanks part from the command.
std::vector<std::string> examplesOf(const std::string& help) {
  std::vector<std::string> commands;
  const auto at = help.find("Examples:");
  if (at == std::string::npos) return commands;
  std::istringstream lines(help.substr(at));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with("  "))
    commands.push_back(line.substr(2, line.find("   ", 2) - 2));
  return commands;
}

/// Verbs that a help lists, but for those that are refused.
std::vector<std::string> verbsOf(const std::string& help) {
  std::vector<std::string> verbs;
  const auto at = help.find("Subcommands:");
  if (at == std::string::npos) return verbs;
  std::istringstream lines(help.substr(at));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with("  "))
    if (line[2] != ' ' && line.find("not available") == std::string::npos)
      verbs.push_back(line.substr(2, line.find(' ', 2) - 2));
  return verbs;
}

/// Commands in the code blocks of a page; lines that show a syntax, with [ ] or ..., are none.
std::vector<std::string> commandsOf(const std::string& page) {
  std::vector<std::string> commands;
  bool code = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) code = !code;
    if (!code || line.find('[') != std::string::npos || line.find("...") != std::string::npos)
      continue;
    const std::string first = line.substr(0, line.find(' '));
    if (first == "printf" || std::find(tools.begin(), tools.end(), first) != tools.end())
      commands.push_back(line);
  }
  return commands;
}

}  // namespace

TEST_CASE("each tool's examples work as its help prints them, one after the other",
          "[golden][docs]") {
  const Folder folder;
  prepare(folder);
  for (const std::string& tool : tools) {
    const Outcome help = run(folder, tool + " --help");
    REQUIRE(help.code == 0);
    const auto commands = examplesOf(help.out);
    INFO(tool);
    CHECK(commands.size() >= 3);
    for (const std::string& command : commands) mustRun(folder, command);
  }
}

TEST_CASE("the examples of each verb work in an empty folder", "[golden][docs]") {
  int verbs = 0;
  for (const std::string& tool : tools) {
    if (tool == "extract") continue;  // its kinds need a run: the page of the tool has examples
    const Folder none;
    for (const std::string& verb : verbsOf(run(none, tool + " --help").out)) {
      INFO(tool << " " << verb);
      const Folder folder;
      const Outcome help = run(folder, tool + " " + verb + " --help");
      CHECK(help.code == 0);
      const auto commands = examplesOf(help.out);
      CHECK(commands.size() >= 2);
      for (const std::string& command : commands) mustRun(folder, command);
      ++verbs;
    }
  }
  CHECK(verbs >= 12);
}

TEST_CASE("the commands that the pages of the tools show work one after the other",
          "[golden][docs]") {
  std::size_t commands = 0;
  for (const auto& entry : fs::directory_iterator(docsFolder() + "/tools")) {
    INFO(entry.path().string());
    const Folder folder;
    prepare(folder);
    for (const std::string& command : commandsOf(readFile(entry.path().string()))) {
      mustRun(folder, command);
      ++commands;
    }
  }
  CHECK(commands >= 15);
}

TEST_CASE("what the README and the first pages show works in an empty folder", "[golden][docs]") {
  for (const char* page : {"../README.md", "five-minutes.md", "choosing.md"}) {
    const Folder folder;
    const auto commands = commandsOf(readFile(docsFolder() + "/" + page));
    INFO(page);
    CHECK(commands.size() >= 5);
    for (const std::string& command : commands) mustRun(folder, command);
  }
}
