// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_shape.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace scree::tools {
namespace {

/// `value` rounded to so many significant digits; its shortest text has no more of them.
double rounded(double value, int digits) {
  if (!std::isfinite(value)) return value;
  return parseNumber(fmt::format("{:.{}e}", value, digits - 1)).value_or(value);
}

}  // namespace

TableShape::TableShape(std::vector<sim::Column> columns, const std::vector<std::string>& add,
                       const std::string& wanted, int digits)
    : columns_(std::move(columns)), digits_(digits) {
  for (const std::string& text : add) {
    const auto equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto good = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    if (equals == std::string::npos || name.empty() || !std::all_of(name.begin(), name.end(), good))
      throw UsageError(fmt::format(
          "--add '{}': expected NAME=VALUE, NAME of letters, digits, '_' and '.'", shown(text)));
    for (const sim::Column& c : columns_)
      if (c.name == name)
        throw UsageError(fmt::format("--add {}: there is a column of this name already", name));
    const std::string value = text.substr(equals + 1);
    if (std::ranges::any_of(
            value, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
      throw UsageError(fmt::format(
          "--add {}: expected a value without control characters, found '{}'", name, shown(value)));
    columns_.push_back({name, ""});
    const bool isName = value.size() > 1 && value[0] == '0' &&
                        value.find_first_not_of("0123456789") == value.npos;  // such as run 0007
    if (const auto integer = parseInteger(value); integer && !isName)
      added_.emplace_back(*integer);
    else if (const auto number = parseNumber(value); number && !isName)
      added_.emplace_back(*number);
    else
      added_.emplace_back(value);
  }
  named_ = columns_.size();
  if (wanted.empty()) return;
  std::vector<sim::Column> chosen;
  for (std::size_t at = 0; at <= wanted.size();) {
    const std::size_t comma = std::min(wanted.find(',', at), wanted.size());
    const std::string name = wanted.substr(at, comma - at);
    at = comma + 1;
    const auto found = std::ranges::find(columns_, name, &sim::Column::name);
    std::vector<std::string_view> names;
    for (const sim::Column& c : columns_) names.push_back(c.name);
    if (found == columns_.end())
      throw UsageError(fmt::format("--columns: there is no column '{}'{}; there are {}",
                                   shown(name), suggestion(name, names), fmt::join(names, ",")));
    if (std::ranges::find(chosen, name, &sim::Column::name) != chosen.end())
      throw UsageError(fmt::format("--columns: '{}' is given twice", name));
    chosen.push_back(*found);
    order_.push_back(static_cast<std::size_t>(found - columns_.begin()));
  }
  named_ = chosen.size();
  // What --add asks for is wanted even where --columns does not name it.
  for (std::size_t k = columns_.size() - added_.size(); k < columns_.size(); ++k)
    if (std::ranges::find(order_, k) == order_.end()) {
      chosen.push_back(columns_[k]);
      order_.push_back(k);
    }
  columns_ = std::move(chosen);
}

sim::Row TableShape::operator()(sim::Row row) const {
  row.insert(row.end(), added_.begin(), added_.end());
  if (!order_.empty()) {
    sim::Row chosen;
    chosen.reserve(order_.size());
    for (const std::size_t k : order_) chosen.push_back(row[k]);
    row = std::move(chosen);
  }
  // A time keeps all digits: it tells the rows of one file from those of the next.
  for (std::size_t k = 0; digits_ > 0 && k < row.size(); ++k)
    if (auto* value = std::get_if<double>(&row[k]); value && columns_[k].name != "t")
      *value = rounded(*value, digits_);
  return row;
}

}  // namespace scree::tools
