// SPDX-License-Identifier: GPL-3.0-or-later
// Compressed files: round trips, several frames, and all that may be wrong with them. That other
// programs agree on the format is tested with the program `zstd` in golden/compressed_files.cpp.
#include "catch.hpp"
#include "command.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/rng.hpp"

#include <string>

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

std::string refusalOf(std::string_view data, std::size_t most = mostFileBytes) {
  try {
    static_cast<void>(decompressed(data, "conf7.zst", most));
  } catch (const ParseError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

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
