// SPDX-License-Identifier: GPL-3.0-or-later
// Computes problems with known answers and prints computed and expected number, error and
// tolerance.
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
    "  --long           also run the problems that take more than about a second\n"
    "  --only NAME      run only those whose section or name contains NAME\n"
    "  --list           print sections and names\n"
    "  --markdown       print the table in the form of docs/verification-table.txt\n"
    "  --update FILE    write the table of all problems between the markers of FILE\n"
    "  --check FILE     compare the table in FILE, with its numbers, with what is computed\n\n"
    "Exit code 1 if a number is off by more than its tolerance, or FILE differs.\n"
    "Example: verification --only 3.1\n";

/// Whether the document has the same problems, and the rows of those that ran with their numbers.
bool sameTable(const std::string& path, const std::vector<Problem>& problems,
               const std::vector<Result>& results) {
  const std::vector<WrittenRow> written = rowsInBlock(readFile(path));
  std::set<std::string> documented, known;
  for (const WrittenRow& row : written) documented.insert(row.problem);
  for (const Problem& p : problems) known.insert(p.name);
  bool same = true;
  const auto complain = [&](const std::string& what) {
    fmt::print(stderr, "{}: {} (verification --update {} writes the table)\n", path, what, path);
    same = false;
  };
  for (const std::string& n : documented)
    if (!known.contains(n)) complain(fmt::format("there is no problem '{}'", n));
  for (const std::string& n : known)
    if (!documented.contains(n)) complain(fmt::format("'{}' is missing", n));
  for (const Result& result : results) {
    std::vector<WrittenRow> rows;
    for (const WrittenRow& row : written)
      if (row.problem == result.problem.name) rows.push_back(row);
    if (rows.size() != result.rows.size()) {
      complain(fmt::format("'{}' has {} rows, {} were computed", result.problem.name, rows.size(),
                           result.rows.size()));
      continue;
    }
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (const std::string text = difference(rows[k], result.rows[k]); !text.empty())
        complain(fmt::format("{}: {}", result.problem.name, text));
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
  const bool named = check.empty() || sameTable(check, problems, results);
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
