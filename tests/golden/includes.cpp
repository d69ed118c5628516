// SPDX-License-Identifier: GPL-3.0-or-later
// Arrows between the folders of libsim point one way, and no folder holds too much of it. Both are
// read from the sources.
#include "catch.hpp"
#include "paths.hpp"

#include "scree/base/files.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace scree;

namespace {

/// A folder may include those before it. docs/architecture.md shows the same.
const std::vector<std::string> order{"model",   "contact", "law",        "detect",   "step",
                                     "state",   "cell",    "bonds",      "drives",   "energy",
                                     "forces",  "motion",  "compat",     "commands", "io",
                                     "measure", "extract", "simulation", "run",      "pack"};

/// Arrows that still point up: each has to go. `detect` shares blocks of bodies out as steps do.
const std::set<std::pair<std::string, std::string>> known{{"detect", "step"}};

/// Folder of a path below include/scree/sim or src.
std::string folderOf(const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash != std::string::npos) return path.substr(0, slash);
  return path == "simulation.hpp" ? "simulation" : "run";
}

std::size_t place(const std::string& folder) {
  const auto at = std::find(order.begin(), order.end(), folder);
  INFO("libsim has a folder that the order does not name: " << folder);
  REQUIRE(at != order.end());
  return static_cast<std::size_t>(at - order.begin());
}

struct Source {
  std::string folder, text, path;
};

std::vector<Source> sourcesOfLibsim() {
  namespace fs = std::filesystem;
  std::vector<Source> sources;
  const fs::path root = fs::path(testing::docsFolder()).parent_path() / "libsim";
  for (const fs::path& part : {root / "include/scree/sim", root / "src"})
    for (const auto& entry : fs::recursive_directory_iterator(part))
      if (const auto ending = entry.path().extension(); ending == ".hpp" || ending == ".cpp") {
        const std::string path = fs::relative(entry.path(), part).generic_string();
        sources.push_back({folderOf(path), readFile(entry.path().string()), path});
      }
  return sources;
}

std::vector<std::string> includesOf(const Source& source) {
  std::vector<std::string> folders;
  std::istringstream lines(source.text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("#include \"", 0) != 0) continue;
    std::string path = line.substr(10, line.find('"', 10) - 10);
    if (path.rfind("scree/sim/", 0) == 0)
      folders.push_back(folderOf(path.substr(10)));
    else if (path.rfind("../", 0) == 0)
      folders.push_back(folderOf(path.substr(3)));
  }
  return folders;
}

}  // namespace

TEST_CASE("the folders of libsim include each other in one direction", "[golden][includes]") {
  const std::vector<Source> sources = sourcesOfLibsim();
  REQUIRE(sources.size() > 100);
  for (const Source& source : sources)
    for (const std::string& folder : includesOf(source)) {
      if (place(folder) <= place(source.folder)) continue;
      INFO(source.path << " includes a header of " << folder);
      CHECK(known.count({source.folder, folder}) == 1);
    }
}

TEST_CASE("no folder of libsim holds more than a fifth of its lines", "[golden][includes]") {
  std::map<std::string, std::size_t> lines;
  std::size_t all = 0;
  for (const Source& source : sourcesOfLibsim()) {
    const auto n =
        static_cast<std::size_t>(std::count(source.text.begin(), source.text.end(), '\n'));
    lines[source.folder] += n;
    all += n;
  }
  for (const auto& [folder, n] : lines) {
    INFO(folder << " has " << n << " of " << all << " lines");
    CHECK(5 * n <= all);
  }
}
