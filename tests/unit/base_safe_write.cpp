// SPDX-License-Identifier: GPL-3.0-or-later
// Files written so that nothing is lost, whatever fails.
#include "base/safe_write.hpp"
#include "catch.hpp"
#include "command.hpp"

#include "scree/base/error.hpp"

#include <csignal>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

using namespace scree;
using namespace scree::testing;

TEST_CASE("a link made beforehand under the temporary name is not written through",
          "[base][files]") {
  const Folder folder;
  folder.write("victim", "precious");
  const std::string path = folder.path("table");
  fs::create_symlink(folder.path("victim"), path + ".tmp-" + std::to_string(getpid()));
  writeFileSafely(path, "text");
  CHECK(folder.read("table") == "text");
  CHECK_FALSE(fs::is_symlink(path));
  CHECK(folder.read("victim") == "precious");
  // A result that is a link is replaced, not followed.
  fs::create_symlink(folder.path("victim"), folder.path("result"));
  writeFileSafely(folder.path("result"), "more");
  CHECK(folder.read("victim") == "precious");
  CHECK(folder.read("result") == "more");
}

TEST_CASE("a line that finds no room leaves the table as it was", "[base][files]") {
  const Folder folder;
  const std::string path = folder.path("table");
  appendToFile(path, std::string(90, 'a'));
  appendToFile(path, "b\n");
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 100;  // part of the line would fit
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  CHECK_THROWS_AS(appendToFile(path, std::string(50, 'c')), IoError);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(folder.read("table") == std::string(90, 'a') + "b\n");
  flushToDisk(path);
  CHECK_NOTHROW(flushToDisk(folder.path("not there")));
}
