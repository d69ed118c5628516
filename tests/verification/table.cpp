// SPDX-License-Identifier: GPL-3.0-or-later
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace scree::verification {
namespace {

constexpr const char* beginMark = "<!-- verification: begin -->\n";
constexpr const char* endMark = "<!-- verification: end -->\n";

std::string errorText(const Row& r) {
  return fmt::format("{:.1e}{}", r.error(), r.relative ? " rel" : "");
}
std::string toleranceText(const Row& r) {
  return fmt::format("{:.3g}{}", r.tolerance, r.relative ? " rel" : "");
}

/// Section, so that 2.10 follows 2.9.
std::pair<int, int> order(const std::string& section) {
  int a = 0, b = 0;
  char dot = 0;
  std::istringstream(section) >> a >> dot >> b;
  return {a, b};
}

struct Bounds {
  std::size_t from = 0, to = 0;
};
Bounds boundsIn(const std::string& text) {
  const std::size_t a = text.find(beginMark), b = text.find(endMark);
  if (a == std::string::npos || b == std::string::npos || b < a)
    throw std::runtime_error(fmt::format("expected the lines {}and {}", beginMark, endMark));
  return {a + std::string(beginMark).size(), b};
}

}  // namespace

double Row::error() const {
  const double difference = computed - expected;
  return relative ? difference / expected : difference;
}
bool Row::holds() const { return std::abs(error()) <= tolerance; }

std::vector<Problem> allProblems() {
  std::vector<Problem> all;
  for (auto* list :
       {motionProblems, impactProblems, restingProblems, rollingProblems, geometryProblems,
        bondProblems, assemblyProblems, packingProblems, wallProblems})
    std::ranges::move(list(), std::back_inserter(all));
  std::ranges::stable_sort(all, {}, [](const Problem& p) { return order(p.section); });
  return all;
}

std::string asText(const Result& result) {
  std::string text = fmt::format("{} {}\n", result.problem.section, result.problem.name);
  for (const Row& r : result.rows)
    text +=
        fmt::format("  {} {:<58} {:>17.10g} {:>17.10g} {:>12} of {}\n", r.holds() ? "ok  " : "FAIL",
                    r.quantity, r.computed, r.expected, errorText(r), toleranceText(r));
  return text;
}

std::string asMarkdown(const std::vector<Result>& results) {
  std::string text, section;
  for (const Result& result : results) {
    const Problem& problem = result.problem;
    if (const std::string now = problem.section.substr(0, 1); now != section) {
      section = now;
      text += fmt::format("\n### Section {}\n", section);
    }
    text += fmt::format("\n**{} {}** ({})\n\n", problem.section, problem.name, problem.source);
    text += "| quantity | computed | expected | tolerance |\n|---|---|---|---|\n";
    for (const Row& r : result.rows)
      text += fmt::format("| {} | {:.10g} | {:.10g} | {} |\n", r.quantity, r.computed, r.expected,
                          toleranceText(r));
  }
  return text + "\n";
}

std::string withBlock(const std::string& text, const std::string& block) {
  const Bounds b = boundsIn(text);
  return text.substr(0, b.from) + block + text.substr(b.to);
}

std::vector<WrittenRow> rowsInBlock(const std::string& text) {
  const Bounds b = boundsIn(text);
  std::istringstream lines(text.substr(b.from, b.to - b.from));
  std::vector<WrittenRow> rows;
  std::string problem;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("**")) {
      const std::size_t from = line.find(' ') + 1;
      problem = line.substr(from, line.find("**", from) - from);
    }
    if (!line.starts_with("| ") || line.starts_with("| quantity |")) continue;
    std::istringstream cells(line.substr(2));
    WrittenRow row;
    row.problem = problem;
    for (std::string* to : {&row.quantity, &row.computed, &row.expected, &row.tolerance}) {
      std::getline(cells, *to, '|');
      while (!to->empty() && to->front() == ' ') to->erase(0, 1);
      while (!to->empty() && to->back() == ' ') to->pop_back();
    }
    rows.push_back(row);
  }
  return rows;
}

std::string difference(const WrittenRow& written, const Row& row) {
  if (written.quantity != row.quantity)
    return fmt::format("'{}' where '{}' belongs", written.quantity, row.quantity);
  if (written.tolerance != toleranceText(row))
    return fmt::format("'{}': tolerance {} where it is {}", row.quantity, written.tolerance,
                       toleranceText(row));
  const auto off = [&](const char* what, const std::string& text, double value, double allowed) {
    char* after = nullptr;
    const double number = std::strtod(text.c_str(), &after);
    const bool same = after != text.c_str() && *after == 0 &&
                      std::abs(number - value) <= std::max(allowed, 1e-9 * std::abs(value));
    return same ? std::string()
                : fmt::format("'{}': {} {} where it is {:.10g}", row.quantity, what, text, value);
  };
  const double tolerance = row.tolerance * (row.relative ? std::abs(row.expected) : 1.0);
  if (std::string text = off("computed", written.computed, row.computed, 0.01 * tolerance);
      !text.empty())
    return text;
  return off("expected", written.expected, row.expected, 0.0);
}

}  // namespace scree::verification
