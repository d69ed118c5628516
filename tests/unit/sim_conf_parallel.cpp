// SPDX-License-Identifier: GPL-3.0-or-later
// Conf-files read by several threads against the same files read by one. The same text comes back,
// and the same complaint at the same place, whatever is odd about the file.
#include "catch.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

using namespace scree;
using namespace scree::sim;

namespace {

std::size_t below(Rng& rng, std::size_t n) {
  return static_cast<std::size_t>(rng.uniform() * static_cast<double>(n));
}

/// What reading gives: the text of the conf and where its records stood, or the complaint.
std::string outcome(const std::string& text, int threads) {
  TextReader in("conf", text);
  Diagnostics diagnostics;
  std::string result;
  try {
    const Conf conf = readConf(in, diagnostics, threads);
    result = confText(conf);
    for (const auto* lines : {&conf.particleLines, &conf.interactionLines})
      for (const std::uint32_t line : *lines) result += fmt::format("{} ", line);
    for (const auto& [keyword, place] : conf.places)
      result += fmt::format("{} {}:{} ", keyword, place.line, place.column);
  } catch (const ParseError& error) {
    result = fmt::format("{} | {}", error.what(), error.excerpt());
  }
  for (const std::string& warning : diagnostics.warnings()) result += '\n' + warning;
  return result;
}

struct Layout {
  std::string lineEnd = "\n";
  double oddLines = 0.0;  ///< share of lines with something beside a record
  bool disabled = false, broken = false, trailing = false;
};

std::string numbers(Rng& rng, std::size_t n) {
  std::string text;
  for (std::size_t k = 0; k < n; ++k) text += fmt::format(" {}", rng.uniform(-1e3, 1e3));
  return text;
}

/// What may stand between two records.
std::string between(Rng& rng, const Layout& layout) {
  if (rng.uniform() >= layout.oddLines) return "";
  const char* const odd[] = {"", "   ", "\t", "# a comment", "#", "  #Slab 1 2 3"};
  std::string text = odd[below(rng, 6)] + layout.lineEnd;
  if (layout.disabled && rng.uniform() < 0.3) text += "!Slab 1 2 3" + layout.lineEnd;
  return text;
}

std::string record(Rng& rng, const Layout& layout, std::string line) {
  if (rng.uniform() < layout.oddLines) line = "  " + line + " \t";
  if (layout.broken && rng.uniform() < layout.oddLines)  // over two lines
    line.replace(line.find(' ', 10), 1, layout.lineEnd);
  if (layout.trailing && rng.uniform() < layout.oddLines) line += " # remark";
  return line + layout.lineEnd;
}

/// A file of some 1.9 MB: either list is long enough for several threads.
std::string file(Rng& rng, const Layout& layout) {
  const std::size_t bodies = 1500 + below(rng, 400), contacts = 3300 + below(rng, 400);
  std::string particles, interactions;
  std::size_t disabled = 0;
  const char* const names[] = {"Slab", "Ball", "dt", "Boulder_12"};  // one like a keyword
  const std::size_t last = 1 + below(rng, 4);
  for (std::size_t k = 0; k < bodies; ++k) {
    const std::string before = between(rng, layout);
    disabled += before.find('!') != std::string::npos;
    particles += before + record(rng, layout,
                                 fmt::format("{} {} {} 1{} 1{}", names[below(rng, last)],
                                             below(rng, 3), k, numbers(rng, 9), numbers(rng, 9)));
  }
  for (std::size_t k = 0; k < contacts; ++k) {
    std::string comment = between(rng, layout);
    if (comment.find('!') != std::string::npos) comment.clear();
    interactions += comment + record(rng, layout,
                                     fmt::format("{} {} {} {} {}{}", k % bodies, (k + 7) % bodies,
                                                 below(rng, 4), below(rng, 9), below(rng, 9),
                                                 numbers(rng, 18)));
  }
  const std::string& e = layout.lineEnd;
  return "Rockable 21-08-2022" + e + "shapeFile x.shp" + e + "unknownWord 3" + e +
         fmt::format("Particles {}", bodies + disabled) + e + particles +
         fmt::format("Interactions {}", contacts) + e + interactions + "Interfaces 0" + e +
         "dt 1e-4" + e + "dt 1e-3" + e;
}

void compare(const std::string& text) {
  const std::string one = outcome(text, 1);
  REQUIRE(outcome(text, 2) == one);
  REQUIRE(outcome(text, 5) == one);
}

}  // namespace

TEST_CASE("several threads read a conf-file as one does, in any layout", "[conf][parallel]") {
  Rng rng(3);
  std::vector<Layout> layouts{{}, {"\r\n"}, {"\n", 0.1}, {"\r\n", 0.1}, {"\n", 0.01, true}};
  layouts.push_back({"\n", 0.01, false, true});
  layouts.push_back({"\n", 0.01, false, false, true});
  layouts.push_back({"\r"});
  for (const Layout& layout : layouts) {
    const std::string text = file(rng, layout);
    REQUIRE(text.size() > std::size_t{1} << 20);
    const std::string result = outcome(text, 1);
    INFO(result.substr(0, 200));
    CHECK(result.starts_with("Rockable"));  // all of these are good files
    compare(text);
  }
}

TEST_CASE("several threads complain as one does, whatever is wrong", "[conf][parallel]") {
  Rng rng(11);
  const std::vector<std::string> junk{"x",         "1e999",
                                      "$1+$",      "$2*3$",
                                      "\n",        "\r",
                                      "#",         "!",
                                      "dt",        "EOF",
                                      "Particles", "7",
                                      "\n#",       "\n!",
                                      "0.5.5",     "99999999999999999999",
                                      "$",         "Interactions 3\n"};
  int refused = 0;
  for (int k = 0; k < 30; ++k) {
    std::string text = file(rng, {k % 2 ? "\n" : "\r\n", k % 3 ? 0.0 : 0.02});
    for (std::size_t change = 0, n = 1 + below(rng, 2); change < n; ++change) {
      const std::size_t at = 200 + below(rng, text.size() - 200);
      switch (below(rng, 4)) {
        case 0:  // a word in place of one
          text.replace(at, text.find_first_of(" \n", at) - at, junk[below(rng, junk.size())]);
          break;
        case 1:
          text.insert(text.find(' ', at) == std::string::npos ? at : text.find(' ', at),
                      " " + junk[below(rng, junk.size())] + " ");
          break;
        case 2:  // words lost
          text.erase(at, below(rng, 60));
          break;
        default:  // a line lost, or the end
          if (rng.uniform() < 0.2)
            text.resize(at);
          else
            text.erase(text.rfind('\n', at), text.find('\n', at) - text.rfind('\n', at));
      }
    }
    if (text.size() < std::size_t{1} << 20) continue;
    refused += !outcome(text, 1).starts_with("Rockable");
    compare(text);
  }
  CHECK(refused > 10);
}
