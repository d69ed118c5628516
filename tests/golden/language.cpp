// SPDX-License-Identifier: GPL-3.0-or-later
// Comments on declarations begin with a noun or a verb, so that each can be read alone.
#include "catch.hpp"
#include "command.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;

namespace {

/// Folders whose comments are still to be revised.
const std::vector<std::string> notYetRevised{"libshape/include/scree/clump",
                                             "libshape/include/scree/shape",
                                             "libshape/src/clump",
                                             "libshape/src/detail",
                                             "libshape/src/shape",
                                             "libsim",
                                             "tools/clumpify",
                                             "tools/common/image",
                                             "tools/common/vtk",
                                             "tools/conf2vtk",
                                             "tools/extract",
                                             "tools/packgen",
                                             "tools/rockable",
                                             "tools/shapeSurvey"};

/// The first lines of the comment blocks that begin otherwise.
std::vector<std::string> badComments(const std::string& source) {
  static const std::regex comment("^\\s*///(<?) *(.*)");
  static const std::regex bad("^(What|Of|Those|Whoever|Who|None of)\\b.*");
  std::vector<std::string> found;
  std::istringstream lines(source);
  bool goesOn = false;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    const bool isComment = std::regex_match(line, match, comment) && match[1].length() == 0;
    if (isComment && !goesOn && std::regex_match(match[2].str(), bad)) found.push_back(line);
    goesOn = isComment;
  }
  return found;
}

}  // namespace

TEST_CASE("comments on declarations begin with a noun or a verb", "[golden][docs][language]") {
  CHECK(badComments("/// Of a body.\nint a;\n  /// Mass\n  /// Of it.\n/// Whole.\n").size() == 1);
  const fs::path root = fs::path(docsFolder()).parent_path();
  std::size_t sources = 0;
  for (const char* folder : {"libshape", "libsim", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string name = fs::relative(entry.path(), root).generic_string();
      if (!name.ends_with(".hpp") && !name.ends_with(".cpp")) continue;
      ++sources;
      if (std::ranges::any_of(notYetRevised, [&](const auto& f) { return name.starts_with(f); }))
        continue;
      for (const std::string& line : badComments(readFile(entry.path().string())))
        FAIL_CHECK(name << ": " << line);
    }
  CHECK(sources > 300);
}
