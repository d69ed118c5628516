// SPDX-License-Identifier: GPL-3.0-or-later
#include "kind.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace scree::tools {
namespace {

UsageError expected(const std::string& name, const std::string& what, const std::string& found) {
  return UsageError(fmt::format("--{}: expected {}, found '{}'", name, what, shown(found)));
}

std::vector<std::string> piecesOf(const std::string& text) {
  std::vector<std::string> pieces;
  std::size_t at = 0;
  for (;;) {
    const auto comma = text.find(',', at);
    pieces.push_back(text.substr(at, comma - at));
    if (comma == std::string::npos) return pieces;
    at = comma + 1;
  }
}

}  // namespace

std::string KindOptions::text(const std::string& name, const std::string& otherwise) const {
  const auto found = values_.find(name);
  return found == values_.end() ? otherwise : found->second;
}

std::string KindOptions::oneOf(const std::string& name,
                               const std::vector<std::string_view>& words) const {
  const std::string value = text(name, std::string(words.front()));
  if (std::ranges::find(words, value) == words.end())
    throw expected(name, fmt::format("one of {}", fmt::join(words, " ")), value);
  return value;
}

double KindOptions::number(const std::string& name, double otherwise) const {
  if (!has(name)) return otherwise;
  const auto value = parseNumber(values_.at(name));
  if (!value || !std::isfinite(*value)) throw expected(name, "a number", values_.at(name));
  return *value;
}

double KindOptions::positive(const std::string& name, double otherwise) const {
  const double value = number(name, otherwise);
  if (has(name) && !(value > 0.0)) throw expected(name, "a number above 0", values_.at(name));
  return value;
}

std::vector<double> KindOptions::numbers(const std::string& name, std::size_t count) const {
  std::vector<double> values;
  const std::string given = text(name, "");
  for (const std::string& piece : piecesOf(given)) {
    const auto value = parseNumber(piece);
    if (!value || !std::isfinite(*value))
      throw expected(name, fmt::format("{} numbers with commas between them", count), given);
    values.push_back(*value);
  }
  if (values.size() != count)
    throw expected(name, fmt::format("{} numbers with commas between them", count), given);
  return values;
}

std::int64_t KindOptions::integer(const std::string& name, std::int64_t otherwise,
                                  std::int64_t least, std::int64_t most) const {
  if (!has(name)) return otherwise;
  const auto value = parseInteger(values_.at(name));
  if (!value || *value < least || *value > most)
    throw expected(name, fmt::format("a whole number from {} to {}", least, most),
                   values_.at(name));
  return *value;
}

std::vector<std::int64_t> KindOptions::list(const std::string& name, std::int64_t least,
                                            std::int64_t most) const {
  constexpr std::size_t mostItems = 1'000'000;
  const std::string given = text(name, "");
  const std::string wanted =
      least < 0 ? fmt::format("whole numbers of at least {}, such as 3,4,7-9", least)
                : std::string("whole numbers from 0 on, such as 3,4,7-9");
  std::vector<std::int64_t> items;
  std::set<std::int64_t> seen;
  for (const std::string& piece : piecesOf(given)) {
    // A sign may stand in front, so the dash of a range is the first one behind a digit.
    const auto dash = piece.find('-', 1);
    const auto first = parseInteger(piece.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parseInteger(piece.substr(dash + 1));
    if (!first || !last || *first < least || *last > most || *last < *first)
      throw expected(name, wanted, given);
    if (static_cast<std::uint64_t>(*last - *first) >= mostItems)
      throw expected(name, fmt::format("at most {} numbers", mostItems), given);
    for (std::int64_t k = *first; k <= *last; ++k)
      if (seen.insert(k).second) items.push_back(k);
  }
  return items;
}

sim::Selection KindOptions::selection() const {
  if (!has("select")) return {};
  try {
    return sim::Selection(values_.at("select"));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--select: {}", error.what()));
  }
}

std::vector<char> chosenBodies(const sim::Instant& instant, const sim::Selection& selection,
                               bool driven) {
  std::vector<char> chosen = selection.of(instant.conf(), instant.shapes());
  for (std::size_t k = 0; !driven && k < chosen.size() && instant.isDriven(k); ++k) chosen[k] = 0;
  return chosen;
}

}  // namespace scree::tools
