// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of extract's kinds in memory, for tests.
#pragma once

#include "catch.hpp"
#include "measured_models.hpp"

#include "scree/sim/measure/kinds.hpp"

#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace scree::testing {

/// The table of a kind, as numbers by the names of columns.
struct KindTable : Table {
  KindTable(const std::string& kind, const std::vector<const sim::Instant*>& series,
            const std::map<std::string, std::string>& options = {})
      : Table(sim::measured(kind, options, series)) {}
  KindTable(const std::string& kind, const scenes::Model& model,
            const std::map<std::string, std::string>& options = {})
      : Table(ofModel(kind, model, options)) {}
  double operator()(std::size_t row, const std::string& column) const {
    return number(row, column);
  }
  /// Checks the numbers of a row, to the bit. @param names  of columns, with blanks between
  void check(std::size_t row, const std::string& names, const std::vector<double>& numbers) const {
    std::istringstream in(names);
    std::string column;
    for (const double expected : numbers) {
      in >> column;
      INFO(column);
      CHECK(number(row, column) == expected);
    }
    CHECK(!(in >> column));
  }

 private:
  static Table ofModel(const std::string& kind, const scenes::Model& model,
                       const std::map<std::string, std::string>& options) {
    const sim::Instant instant(model.conf, model.shapes);
    return sim::measured(kind, options, {&instant});
  }
};

}  // namespace scree::testing
