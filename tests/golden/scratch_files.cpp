// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that CTest runs side by side write to no file of one name.
#include "catch.hpp"
#include "paths.hpp"

#include "scree/base/files.hpp"

#include <filesystem>
#include <string>

using namespace scree;

TEST_CASE("tests write in folders of their own", "[golden][scratch]") {
  namespace fs = std::filesystem;
  const fs::path tests = fs::path(testing::docsFolder()).parent_path() / "tests";
  // Names of the folder that all processes share, put together here so as not to be found.
  const std::string call = std::string("temp_directory") + "_path",
                    name = std::string("/t") + "mp/";
  std::size_t read = 0;
  for (const auto& entry : fs::recursive_directory_iterator(tests)) {
    const fs::path& path = entry.path();
    if ((path.extension() != ".cpp" && path.extension() != ".hpp") ||
        path.filename() == "folder.hpp")
      continue;
    if (path.parent_path().filename() == "bench") continue;  // run by hand, one at a time
    ++read;
    const std::string text = readFile(path.string());
    INFO(path << ": use testing::Folder");
    CHECK(text.find(call) == std::string::npos);
    CHECK(text.find(name) == std::string::npos);
  }
  CHECK(read > 150);
}
