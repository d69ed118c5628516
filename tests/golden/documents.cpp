// SPDX-License-Identifier: GPL-3.0-or-later
// What the documents say is what the programs do.
#include "catch.hpp"
#include "command.hpp"

#include <sstream>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;

TEST_CASE("the pages on formats hold the tables that the programs read by", "[golden][docs]") {
  const Folder folder;
  const std::pair<const char*, const char*> pages[] = {
      {"formats/conf.md", "rockable --list keywords"},
      {"formats/shape.md", "shapeSurvey --list keywords"}};
  for (const auto& [page, command] : pages) {
    const std::string text = readFile(std::string(SCREE_DOCS "/") + page);
    const Outcome table = run(folder, command);
    REQUIRE(table.code == 0);
    std::istringstream lines(table.out);
    int rows = 0;
    for (std::string line; std::getline(lines, line); ++rows) {
      INFO(page << " lacks the row\n" << line << "\n(`" << command << "` prints the table)");
      CHECK(text.find(line) != std::string::npos);
    }
    CHECK(rows > 15);
  }
}

TEST_CASE("what rockable lists is named in its pages", "[golden][docs]") {
  const Folder folder;
  const auto page = [](const std::string& name) {
    return readFile(std::string(SCREE_DOCS "/") + name);
  };
  // First words of the lines that do not begin with a blank.
  const auto names = [&](const std::string& kind) {
    std::vector<std::string> words;
    std::istringstream lines(run(folder, "rockable --list " + kind).out);
    for (std::string line; std::getline(lines, line);)
      if (!line.empty() && line[0] != ' ') words.push_back(line.substr(0, line.find(' ')));
    return words;
  };
  const std::pair<const char*, const char*> pages[] = {{"laws", "formats/conf.md"},
                                                       {"extractors", "tools/extract.md"},
                                                       {"commands", "formats/conf.md"}};
  for (const auto& [kind, file] : pages) {
    const std::string text = page(file);
    const auto all = names(kind);
    CHECK(all.size() >= 5);
    for (const std::string& name : all) {
      INFO(file << " does not name " << name);
      CHECK(text.find("`" + name + "`") != std::string::npos);
    }
  }
  const std::string driving = page("formats/driving.md");
  std::istringstream servos(run(folder, "rockable --list servos").out);
  for (std::string line; std::getline(servos, line) && !line.empty();) {
    INFO("formats/driving.md lacks the line\n" << line);
    CHECK(driving.find(line) != std::string::npos);
  }
}

TEST_CASE("each tool's examples work as its help prints them, one after the other",
          "[golden][docs]") {
  const Folder folder;
  // What the examples of rockable, conf2vtk and extract begin with.
  REQUIRE(run(folder, "shapeSurvey make boulder --size 0.3 --radius 0.01 -q -o rock.shp").code ==
          0);
  REQUIRE(run(folder,
              "packgen lattice --shape rock.shp --cells 3 3 2 --walls 0.1 --duration 0.05 "
              "--interconf 0.005 -q -o run/conf0")
              .code == 0);
  REQUIRE(run(folder, "rockable run/conf0 -o run -q").code == 0);
  REQUIRE(run(folder, "cp run/conf0 run/conf0.shp .").code == 0);
  REQUIRE(run(folder, "cp conf0 case.conf").code == 0);
  for (const std::string tool :
       {"shapeSurvey", "packgen", "clumpify", "rockable", "conf2vtk", "extract"}) {
    const Outcome help = run(folder, tool + " --help");
    REQUIRE(help.code == 0);
    std::istringstream lines(help.out.substr(help.out.find("Examples:")));
    std::string line;
    std::getline(lines, line);
    int examples = 0;
    while (std::getline(lines, line) && line.substr(0, 2) == "  ") {
      // Words after three blanks explain the example.
      const std::string command = line.substr(2, line.find("   ", 2) - 2);
      const Outcome outcome = run(folder, command);
      INFO(command << "\n" << outcome.err);
      CHECK(outcome.code == 0);
      ++examples;
    }
    INFO(tool);
    CHECK(examples >= 3);
  }
}
