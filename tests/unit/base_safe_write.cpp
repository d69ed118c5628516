// SPDX-License-Identifier: GPL-3.0-or-later
// Files written so that nothing is lost, whatever fails; compressed files: round trips, several
// frames,
// and all that may be wrong with them (golden/compressed_files.cpp asks the program `zstd`).
#include "base/safe_write.hpp"
#include "catch.hpp"
#include "command.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/rng.hpp"

#include <csignal>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

namespace {

std::size_t below(Rng& rng, std::size_t n) {
  return static_cast<std::size_t>(rng.uniform() * static_cast<double>(n));
}

/// Text as conf-files are: digits, blanks, line ends.
std::string digits(std::size_t n) {
  Rng rng(n + 1);
  std::string text(n, ' ');
  for (char& c : text) c = "0123456789 .-e\n"[below(rng, 15)];
  return text;
}

void writeSafely(const std::string& path, const std::string& text) {
  PiecewiseFile file(path);
  file.append(text);
  file.finish(Flush::yes);
}

std::string refusalOf(std::string_view data, std::size_t most = mostFileBytes) {
  try {
    static_cast<void>(decompressed(data, "conf7.zst", most));
  } catch (const ParseError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a link made beforehand under the temporary name is not written through",
          "[base][files]") {
  const Folder folder;
  folder.write("victim", "precious");
  const std::string path = folder.path("table");
  fs::create_symlink(folder.path("victim"), path + ".tmp-" + std::to_string(getpid()));
  writeSafely(path, "text");
  CHECK(folder.read("table") == "text");
  CHECK_FALSE(fs::is_symlink(path));
  CHECK(folder.read("victim") == "precious");
  // A result that is a link is replaced, not followed.
  fs::create_symlink(folder.path("victim"), folder.path("result"));
  writeSafely(folder.path("result"), "more");
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

TEST_CASE("parts of a file are compressed together, and a pipe gets each", "[base][files]") {
  const Folder folder;
  const auto inParts = [](const std::string& path) {
    PiecewiseFile file(path);
    for (const char* part : {"one\n", "two\n"}) file.append(part);
    file.finish(Flush::yes);
  };
  inParts(folder.path("table.zst"));
  CHECK(isCompressed(readPart(folder.path("table.zst"), 0, 4)));
  CHECK(readFile(folder.path("table.zst")) == "one\ntwo\n");
  const std::string pipe = folder.path("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::string text;
  std::thread reader([&] { text = readFile(pipe); });
  inParts(pipe);
  reader.join();
  CHECK(text == "one\ntwo\n");
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

TEST_CASE("what is compressed comes back, of any length", "[base][compression]") {
  for (const std::size_t n : {0u, 1u, 3u, 100u, 65'535u, 65'536u, 65'537u, 200'000u, 3'000'000u}) {
    INFO(n);
    const std::string text = digits(n), packed = compressed(text);
    CHECK(isCompressed(packed));
    CHECK(decompressed(packed, "f") == text);
    CHECK(decompressed(packed, "f", n) == text);  // just as much as may come
  }
  const std::string zeros(10'000'000, '0');  // comes out 10,000 times as long
  CHECK(decompressed(compressed(zeros), "f") == zeros);
  // Text that shrinks a thousandfold is none: it would fill the memory.
  const std::string blanks = compressed(std::string(60'000'000, ' '));
  CHECK_THAT(refusalOf(blanks), Contains("conf7.zst: compressed with zstd, but") &&
                                    Contains("above 1000 times its size") && Contains("'zstd -d'"));
  CHECK_FALSE(isCompressed("Rockable 21-08-2022"));
  CHECK_FALSE(isCompressed("(\xB5/"));
  CHECK_FALSE(isCompressed(""));
}

TEST_CASE("frames in a row are one text, empty ones and those to be skipped included",
          "[base][compression]") {
  const std::string a = digits(1000), b = digits(70'000);
  CHECK(decompressed(compressed(a) + compressed("") + compressed(b), "f") == a + b);
  const std::string skipped("\x50\x2A\x4D\x18\x03\x00\x00\x00xyz", 11);  // RFC 8878, 3.1.2
  CHECK(isCompressed(skipped));
  CHECK(decompressed(skipped + compressed(a), "f") == a);
}

TEST_CASE("compressed data that are cut short, changed or too long are refused by name",
          "[base][compression]") {
  const std::string text = digits(20'000), packed = compressed(text);
  for (std::size_t n = 4; n < packed.size(); n += n < 40 ? 1 : 97) {
    INFO(n);
    CHECK_THAT(refusalOf(packed.substr(0, n)),
               Contains("conf7.zst: compressed with zstd, but truncated after"));
  }
  Rng rng(7);
  for (int k = 0; k < 300; ++k) {
    std::string changed = packed;
    const auto at = below(rng, changed.size());
    changed[at] = static_cast<char>(changed[at] ^ (1 << below(rng, 8)));
    std::string read, reported;
    try {
      read = decompressed(changed, "f", 1'000'000);
    } catch (const ParseError& error) {
      reported = error.what();
    }
    // The checksum finds what the decoder does not; bits without a meaning may change.
    if (reported.empty())
      CHECK(read == text);
    else
      CHECK_THAT(reported, Contains("f: compressed with zstd, but "));
  }
  CHECK_THAT(refusalOf(packed + "Rockable"), Contains("broken after 20000 bytes"));
  CHECK_THAT(refusalOf(packed, 19'999), Contains("more than 19999 bytes"));
  CHECK_THAT(refusalOf(packed + packed, 30'000), Contains("more than 30000 bytes"));
  // A header that claims a great deal makes no room for it: 8 bytes of length, one segment.
  const std::string liar("\x28\xB5\x2F\xFD\xE0\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00", 16);
  CHECK_THAT(refusalOf(liar), Contains("broken") || Contains("truncated"));
}

TEST_CASE("files are compressed by their name and read by their content", "[base][compression]") {
  const Folder folder;
  const std::string text = digits(50'000);
  folder.write("a.zst", text);
  folder.write("b", text);
  CHECK(fs::file_size(folder.path("a.zst")) < fs::file_size(folder.path("b")));
  fs::rename(folder.path("a.zst"), folder.path("c.conf"));
  CHECK(folder.read("c.conf") == text);
  folder.write("plain.zst", "x");
  fs::rename(folder.path("b"), folder.path("plain.zst"));
  CHECK(folder.read("plain.zst") == text);
  CHECK_THROWS_AS(writeFile(folder.path("plain.zst"), "y", Existing::refuse), IoError);
  CHECK(withoutZst("out/conf7.zst") == "out/conf7");
  CHECK(withoutZst("conf7.zst.old") == "conf7.zst.old");
  CHECK_FALSE(namesCompressed(".zst"));
}
