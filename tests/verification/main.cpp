// SPDX-License-Identifier: GPL-3.0-or-later
// Computes problems with known answers and tells computed, expected, error, tolerance.
#include "table.hpp"

#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <set>
#include <string>
#include <string_view>

using namespace scree;
using namespace scree::verification;

namespace {

constexpr const char* help =
    "verification: problems with known answers (docs/verification.md)\n\n"
    "  --long           also those that take more than a second or so\n"
    "  --only NAME      those alone whose section or name contains NAME\n"
    "  --list           names and sections\n"
    "  --markdown       print the table as docs/verification.md holds it\n"
    "  --update FILE    put the table of all problems between the markers of FILE\n"
    "  --check FILE     compare the names in that table with the problems there are\n\n"
    "Ends with 1 where a number is off by more than its tolerance.\n"
    "Example: verification --only 3.1\n";

/// Whether the document names the same problems, and the same quantities of those that ran.
bool sameNames(const std::string& path, const std::vector<Problem>& problems,
               const std::vector<Result>& results) {
  const std::vector<std::string> written = namesInBlock(readFile(path));
  const std::set<std::string> names(written.begin(), written.end());
  std::set<std::string> documented, known;
  for (const std::string& n : names) documented.insert(n.substr(0, n.find(" / ")));
  for (const Problem& p : problems) known.insert(p.name);
  bool same = true;
  const auto complain = [&](const std::string& what) {
    fmt::print(stderr, "{}: {}; make it again: verification --update {}\n", path, what, path);
    same = false;
  };
  for (const std::string& n : documented)
    if (!known.contains(n)) complain(fmt::format("'{}' is no problem of this program", n));
  for (const std::string& n : known)
    if (!documented.contains(n)) complain(fmt::format("'{}' is missing", n));
  for (const Result& result : results) {
    std::size_t count = 0;
    for (const std::string& n : names)
      count += n.substr(0, n.find(" / ")) == result.problem.name ? 1 : 0;
    if (count != result.rows.size())
      complain(fmt::format("'{}' has {} rows there and {} here", result.problem.name, count,
                           result.rows.size()));
    for (const std::string& n : namesOf(result))
      if (!names.contains(n)) complain(fmt::format("'{}' is missing", n));
  }
  return same;
}

int verify(int argc, char** argv) {
  bool withLong = false, markdown = false, list = false;
  std::string only, update, check;
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    const bool last = k + 1 >= argc;
    if (word == "--long") {
      withLong = true;
    } else if (word == "--markdown") {
      markdown = true;
    } else if (word == "--list") {
      list = true;
    } else if (word == "--only" && !last) {
      only = argv[++k];
    } else if (word == "--update" && !last) {
      update = argv[++k];
    } else if (word == "--check" && !last) {
      check = argv[++k];
    } else {
      std::fputs(help, word == "--help" ? stdout : stderr);
      return word == "--help" ? 0 : 2;
    }
  }
  const std::vector<Problem> problems = allProblems();
  if (list) {
    for (const Problem& p : problems)
      fmt::print("{} {}{}\n", p.section, p.name, p.isLong ? " (--long)" : "");
    return 0;
  }
  std::vector<Result> results;
  std::size_t rows = 0, failed = 0, left = 0;
  for (const Problem& p : problems) {
    if (!only.empty() && p.section != only && p.name.find(only) == std::string::npos) continue;
    if (p.isLong && !withLong && update.empty() && only.empty()) {
      ++left;
      continue;
    }
    Report report;
    p.run(report);
    results.push_back({p, report.rows()});
    rows += report.rows().size();
    failed += static_cast<std::size_t>(
        std::ranges::count_if(report.rows(), [](const Row& r) { return !r.holds(); }));
    if (!markdown) fmt::print("{}", asText(results.back()));
  }
  if (markdown) fmt::print("{}", asMarkdown(results));
  if (!update.empty())
    writeFile(update, withBlock(readFile(update), asMarkdown(results)), Existing::replace);
  fmt::print(stderr, "{} problems, {} numbers, {} off by more than they may{}\n", results.size(),
             rows, failed, left ? fmt::format("; {} problems left to --long", left) : "");
  const bool named = check.empty() || sameNames(check, problems, results);
  return failed == 0 && named ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return verify(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "verification: {}\n", error.what());
    return 3;
  }
}
