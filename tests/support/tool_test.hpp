// SPDX-License-Identifier: GPL-3.0-or-later
// Names that tests of the tools share: commands, their files, their tables and JSON.
#pragma once

#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"
#include "run_cases.hpp"

#include "scree/base/table.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace scree::testing {

using Catch::Contains;
using nlohmann::json;

/// The content of a conf-file; what a reader warns of does not count.
inline sim::Conf confAt(const std::string& path) {
  Diagnostics quiet;
  return sim::readConfFromFile(path, quiet);
}

/// JSON that a command prints which has to succeed.
inline json jsonOf(const Folder& folder, const std::string& command) {
  return parseJson(mustRun(folder, command).out);
}

/// A column of the table that a command of extract writes.
inline std::vector<double> columnOf(const Folder& folder, const std::string& command,
                                    const std::string& name) {
  mustRun(folder, "extract " + command + " -q --force -o columnOf.csv --columns " + name);
  const Table table = readTable(folder.path("columnOf.csv"));
  std::vector<double> values;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    values.push_back(table.number(row, name));
  REQUIRE(!values.empty());
  return values;
}

}  // namespace scree::testing

using namespace scree;
using namespace scree::testing;
