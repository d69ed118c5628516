// SPDX-License-Identifier: GPL-3.0-or-later
// Arrows between the folders of a library point one way, and one folder knows of `--compat`. All is
// read from the sources.
#include "catch.hpp"
#include "paths.hpp"

#include "scree/base/files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace scree;

namespace {

/// A folder may include those before it. docs/architecture.md shows the same.
const std::vector<std::string> order{"model",  "contact", "law",     "detect", "io",
                                     "engine", "measure", "compat",  "check",  "run",
                                     "pack",   "study",   "exchange"};

/// The same for libshape. Folder detail is the private part of shape.
const std::vector<std::string> shapeOrder{"base", "shape", "mass", "mesh", "scan", "clump"};

/// How many headers a package installs at most: they are its contract. Raise a number for what
/// users need, and for nothing else.
constexpr std::size_t mostSimHeaders = 48, mostShapeHeaders = 36;

/// Folder of a path below include/scree/sim or src.
std::string folderOf(const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash != std::string::npos) return path.substr(0, slash);
  return path == "simulation.hpp" ? "engine" : "run";  // it declares what engines share
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

std::vector<std::string> includedBy(const std::string& text) {
  std::vector<std::string> paths;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("#include \"", 0) == 0)
      paths.push_back(line.substr(10, line.find('"', 10) - 10));
  return paths;
}

/// Folders of libsim that a source includes from; private headers are included as "folder/x.hpp".
std::vector<std::string> includesOf(const Source& source) {
  std::vector<std::string> folders;
  for (const std::string& path : includedBy(source.text)) {
    if (path.rfind("scree/sim/", 0) == 0)
      folders.push_back(folderOf(path.substr(10)));
    else if (const std::string folder = path.substr(0, path.find('/'));
             std::find(order.begin(), order.end(), folder) != order.end())
      folders.push_back(folder);
  }
  return folders;
}

/// Folder of a source of libshape, or of what a source includes; empty for other libraries.
std::string shapeFolderOf(std::string path) {
  if (path.rfind("scree/", 0) == 0) path.erase(0, 6);
  const std::string folder = path.substr(0, path.find('/'));
  if (folder == "detail") return "shape";
  return std::find(shapeOrder.begin(), shapeOrder.end(), folder) != shapeOrder.end() ? folder : "";
}

std::vector<std::filesystem::path> headersIn(const std::string& library) {
  namespace fs = std::filesystem;
  std::vector<fs::path> headers;
  const fs::path root = fs::path(testing::docsFolder()).parent_path() / library / "include";
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.path().extension() == ".hpp") headers.push_back(entry.path());
  return headers;
}

}  // namespace

TEST_CASE("the folders of libsim include each other in one direction", "[golden][includes]") {
  const std::vector<Source> sources = sourcesOfLibsim();
  REQUIRE(sources.size() > 100);
  for (const Source& source : sources)
    for (const std::string& folder : includesOf(source)) {
      INFO(source.path << " includes a header of " << folder);
      CHECK(place(folder) <= place(source.folder));
    }
}

TEST_CASE("the folders of libshape include each other in one direction", "[golden][includes]") {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(testing::docsFolder()).parent_path() / "libshape";
  const auto rank = [](const std::string& folder) {
    return std::find(shapeOrder.begin(), shapeOrder.end(), folder) - shapeOrder.begin();
  };
  std::size_t seen = 0;
  for (const fs::path& part : {root / "include/scree", root / "src"})
    for (const auto& entry : fs::recursive_directory_iterator(part)) {
      if (const auto ending = entry.path().extension(); ending != ".hpp" && ending != ".cpp")
        continue;
      const std::string own = shapeFolderOf(fs::relative(entry.path(), part).generic_string());
      INFO(entry.path());
      REQUIRE(own != "");
      for (const std::string& path : includedBy(readFile(entry.path().string())))
        if (const std::string other = shapeFolderOf(path); other != "") {
          ++seen;
          INFO("includes " << path);
          CHECK(rank(other) <= rank(own));
        }
    }
  CHECK(seen > 200);
}

TEST_CASE("one folder of libsim follows Rockable, and other code asks for rules",
          "[golden][includes]") {
  // Who may name the mode, and why.
  const std::map<std::string, std::string> may{
      {"simulation.hpp", "the option of a run, and the question whether it is set"},
      {"run/simulation.cpp", "chooses the engine"},
      {"run.hpp", "a member of run.json"},
      {"run/run_outputs.cpp", "sets that member"},
      {"run/run_tables.cpp", "gives tables the form that they have in that mode"},
      {"run/run_record.cpp", "writes and reads that member"},
      {"resumption.hpp", "compares that member with the option of a resumed run"},
      {"run/resumption.cpp", "the same"}};
  // What users read (messages, names of files) may name it.
  const std::regex literals(R"("(\\.|[^"\\])*"|docs/compatibility\.md)");
  std::size_t inItsPlace = 0, named = 0;
  for (const Source& source : sourcesOfLibsim()) {
    std::string code;
    std::istringstream lines(source.text);
    for (std::string line; std::getline(lines, line);)
      code += std::regex_replace(line, literals, "") + '\n';
    std::transform(code.begin(), code.end(), code.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool names =
        code.find("compat") != std::string::npos || code.find("asrockable") != std::string::npos;
    if (source.folder == "compat") {
      inItsPlace += names;
    } else if (may.contains(source.path)) {
      named += names;
    } else {
      INFO(source.path << " knows of --compat; a rule in model/rules.hpp can say what it needs");
      CHECK_FALSE(names);
    }
  }
  CHECK(inItsPlace > 5);
  CHECK(named == may.size());  // else the list is too long
}

TEST_CASE("a step reads the model and the state, not the file", "[golden][includes]") {
  // Who may look at Model::file, and why.
  const std::map<std::string, std::string> may{
      {"engine/state.cpp", "what goes into the next conf-file"},
      {"engine/engine.cpp", "takes the state out of it at the start"},
      {"engine/standard_engine.cpp", "places of lines in messages about boundaries"},
      {"engine/bond_setup.cpp", "the same, for bonds"},
      {"run/simulation.cpp", "Simulation::input()"}};
  const std::regex look(R"(model_?\(?\)?\.file\b)");
  std::size_t seen = 0;
  for (const Source& source : sourcesOfLibsim()) {
    const bool looks = std::regex_search(source.text, look);
    INFO(source.path << " reads Model::file");
    CHECK((!looks || may.contains(source.path)));
    seen += looks;
  }
  CHECK(seen == may.size());
}

TEST_CASE("classes of the engine stay small", "[golden][includes]") {
  constexpr std::size_t mostFunctions = 25, mostMembers = 15, mostIncludes = 8;
  const std::set<std::string> headers{"simulation.hpp", "engine/engine.hpp",
                                      "engine/standard_engine.hpp", "compat/rockable_engine.hpp"};
  const std::regex member(R"(\b\w+_( = [^;()]+)?;|\w+_ = \w+, \w+_ = \w+;)");
  std::size_t read = 0;
  for (const Source& source : sourcesOfLibsim()) {
    if (!headers.contains(source.path)) continue;
    ++read;
    INFO(source.path);
    CHECK(includedBy(source.text).size() <= mostIncludes);
    // From the first line that is not public on: declarations of the class, without its records.
    std::size_t functions = 0, members = 0;
    bool hidden = false, inRecord = false;
    std::istringstream lines(source.text);
    for (std::string line; std::getline(lines, line);) {
      line = line.substr(0, line.find("//"));
      if (line == " private:" || line == " protected:") hidden = true;
      if (line == "};") hidden = false;
      if (line.rfind("  struct ", 0) == 0) inRecord = true;
      if (hidden && !inRecord && line.rfind("  ", 0) == 0 && line.rfind("    ", 0) != 0 &&
          line.find("friend") == std::string::npos) {
        if (line.find('(') != std::string::npos)
          ++functions;
        else if (std::regex_search(line, member))
          ++members;
      }
      if (line == "  };") inRecord = false;
    }
    CAPTURE(functions, members);
    CHECK(members > 0);
    CHECK(functions <= mostFunctions);
    CHECK(members <= mostMembers);
  }
  CHECK(read == headers.size());
}

TEST_CASE("public headers include public headers alone, and there are few of them",
          "[golden][includes]") {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(testing::docsFolder()).parent_path();
  const auto sim = headersIn("libsim"), shape = headersIn("libshape");
  CHECK(sim.size() <= mostSimHeaders);
  CHECK(shape.size() <= mostShapeHeaders);
  for (const auto* headers : {&sim, &shape})
    for (const fs::path& header : *headers)
      for (const std::string& path : includedBy(readFile(header.string()))) {
        INFO(header << " includes " << path);
        CHECK((fs::exists(root / "libsim/include" / path) ||
               fs::exists(root / "libshape/include" / path)));
      }
}

TEST_CASE("tools use public headers alone", "[golden][includes]") {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(testing::docsFolder()).parent_path();
  std::size_t seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "tools")) {
    if (const auto ending = entry.path().extension(); ending != ".hpp" && ending != ".cpp")
      continue;
    for (const std::string& path : includedBy(readFile(entry.path().string()))) {
      ++seen;
      INFO(entry.path() << " includes " << path);
      const bool ours =
          fs::exists(root / "libsim/src" / path) || fs::exists(root / "libshape/src" / path);
      CHECK((!ours || fs::exists(entry.path().parent_path() / path)));
    }
  }
  CHECK(seen > 300);
}
