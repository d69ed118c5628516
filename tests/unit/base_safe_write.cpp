// SPDX-License-Identifier: GPL-3.0-or-later
// Files written so that nothing is lost, whatever fails.
#include "base/safe_write.hpp"
#include "catch.hpp"
#include "command.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"

#include <csignal>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
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

TEST_CASE("a file that is written in parts is a new one, and appears whole or not at all",
          "[base][files]") {
  const Folder folder;
  folder.write("victim", "precious");
  const std::string temporary = "table.tmp-" + std::to_string(getpid());
  fs::create_symlink(folder.path("victim"), folder.path(temporary));
  fs::create_symlink(folder.path("victim"), folder.path("table"));
  {
    PiecewiseFile file(folder.path("table"));
    file.append("one\n");
    file.append("two\n");
    CHECK(folder.read("table") == "precious");
    file.finish();
  }
  CHECK(folder.read("table") == "one\ntwo\n");
  CHECK(folder.read("victim") == "precious");
  { PiecewiseFile(folder.path("other")).append("one\n"); }
  CHECK_FALSE(folder.has("other"));
  CHECK_FALSE(folder.has("other.tmp-" + std::to_string(getpid())));
}

TEST_CASE("a part of a file holds the bytes that stand there", "[base][files]") {
  const Folder folder;
  folder.write("file", "0123456789");
  CHECK(readPart(folder.path("file"), 3, 4) == "3456");
  CHECK(readPart(folder.path("file"), 8, 100) == "89");
  CHECK(readPart(folder.path("file"), 100, 1).empty());
  CHECK_THROWS_AS(readPart(folder.path("nowhere"), 0, 1), IoError);
}

TEST_CASE("temporary files of processes that are gone are known by their names", "[base][files]") {
  CHECK(nameOfDeadTemporary("conf7.tmp-999999999") == "conf7");
  CHECK(nameOfDeadTemporary("a.tmp-1.tmp-999999999") == "a.tmp-1");
  CHECK(nameOfDeadTemporary("conf7.tmp-" + std::to_string(getppid())).empty());
  // One that has ended, but that its parent has not asked after.
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t info{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
  CHECK(nameOfDeadTemporary("conf7.tmp-" + std::to_string(child)) == "conf7");
  REQUIRE(waitpid(child, nullptr, 0) == child);
  // No number of a process, whatever arithmetic makes of it.
  for (const char* const pid : {"", "1e8", "+999999999", "-5", "0", "999999999x", "99999999999"}) {
    CHECK(nameOfDeadTemporary(std::string("conf7.tmp-") + pid).empty());
    CHECK_FALSE(namesTemporary(std::string("conf7.tmp-") + pid));
  }
  CHECK(namesTemporary("conf7.tmp-" + std::to_string(getppid())));
  CHECK(namesTemporary("a.tmp-1.tmp-999999999"));
  CHECK_FALSE(namesTemporary("conf7"));
}
