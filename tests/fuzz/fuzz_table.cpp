// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any text is read as a CSV table, cell by cell, or refused with an Error. What was
// read comes back the same from a table of its cells.
#include "bounds.hpp"

#include "scree/base/error.hpp"
#include "scree/base/table.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace scree;

using Cells = std::vector<std::vector<std::string>>;  ///< the header first

Cells cellsOf(const std::string& text) {
  CsvReader table(TextReader("fuzz", text));
  Cells cells{table.columns()};
  while (table.next()) {
    cells.emplace_back();
    for (std::size_t k = 0; k < table.columns().size(); ++k) {
      cells.back().push_back(table.text(k));
      try {
        table.number(k);
      } catch (const ParseError&) {
      }
    }
  }
  return cells;
}

/// Each cell in quotes.
std::string textOf(const Cells& cells) {
  std::string text;
  for (const auto& row : cells) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      text += k > 0 ? ",\"" : "\"";
      for (const char c : row[k]) text += c == '"' ? "\"\"" : std::string(1, c);
      text += '"';
    }
    text += '\n';
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const fuzz::ReadingBounds bounds(size);
    CsvReader table(TextReader("fuzz", text));
    while (table.next()) {
    }
  } catch (const Error&) {
    return 0;
  }
  if (size > 100'000) return 0;
  const Cells cells = cellsOf(text);
  if (cellsOf(textOf(cells)) != cells) std::abort();
  return 0;
}
