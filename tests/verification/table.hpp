// SPDX-License-Identifier: GPL-3.0-or-later
// Problems with known answers, and the table they make.
#pragma once

#include <string>
#include <vector>

namespace scree::verification {

/// One number that was computed, beside what it should be.
struct Row {
  std::string quantity;
  double computed = 0.0, expected = 0.0;
  double tolerance = 0.0;
  bool relative = false;  ///< error and tolerance are shares of `expected`

  double error() const;
  bool holds() const;  ///< false for NaN
};

/// Report of a problem.
class Report {
 public:
  void relative(std::string quantity, double computed, double expected, double tolerance) {
    rows_.push_back({std::move(quantity), computed, expected, tolerance, true});
  }
  void absolute(std::string quantity, double computed, double expected, double tolerance) {
    rows_.push_back({std::move(quantity), computed, expected, tolerance, false});
  }
  /// A number that should vanish.
  void atMost(std::string quantity, double computed, double bound) {
    absolute(std::move(quantity), computed, 0.0, bound);
  }
  void count(std::string quantity, std::size_t computed, std::size_t expected) {
    absolute(std::move(quantity), static_cast<double>(computed), static_cast<double>(expected),
             0.0);
  }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  std::vector<Row> rows_;
};

struct Problem {
  std::string section;  ///< of the verification benchmarks: 2.1, ...
  std::string name;     ///< unique
  std::string source;   ///< where the expected numbers and the tolerances come from
  bool isLong = false;  ///< takes more than a second or so
  void (*run)(Report&) = nullptr;
};

// One list a topic.
std::vector<Problem> motionProblems();
std::vector<Problem> impactProblems();
std::vector<Problem> restingProblems();
std::vector<Problem> rollingProblems();
std::vector<Problem> geometryProblems();
std::vector<Problem> bondProblems();
std::vector<Problem> assemblyProblems();
std::vector<Problem> packingProblems();
std::vector<Problem> wallProblems();

/// All of them, by section.
std::vector<Problem> allProblems();

struct Result {
  Problem problem;
  std::vector<Row> rows;
};

std::string asText(const Result& result);
std::string asMarkdown(const std::vector<Result>& results);

/// `text` with what stands between its two markers replaced by `block`.
/// @throws std::runtime_error where there are no markers
std::string withBlock(const std::string& text, const std::string& block);
/// A row as a document holds it.
struct WrittenRow {
  std::string problem, quantity;
  std::string computed, expected, tolerance;  ///< as written
};
/// The rows between the markers of `text`, in their order.
std::vector<WrittenRow> rowsInBlock(const std::string& text);
/// How `written` differs from `row`, or "".
///
/// `computed` may be off by 1e-9 of itself or by a hundredth of the tolerance, whichever is more.
/// Functions of the C library may differ in their last digit between machines. `expected` may be
/// off by 1e-9 of itself.
std::string difference(const WrittenRow& written, const Row& row);

}  // namespace scree::verification
