// SPDX-License-Identifier: GPL-3.0-or-later
#include "option_numbers.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::sim {

std::vector<double> positiveNumbers(std::string_view option, const std::string& text,
                                    std::size_t count, std::string_view form) {
  std::vector<double> numbers;
  for (std::size_t at = text.find(':'); at != std::string::npos;) {
    const std::size_t comma = text.find(',', at + 1);
    const std::string word =
        text.substr(at + 1, comma == std::string::npos ? std::string::npos : comma - at - 1);
    const auto value = parseNumber(word);
    if (!value || !(*value > 0.0) || !std::isfinite(*value))
      throw UsageError(
          fmt::format("{} {}: expected numbers above 0, found '{}'", option, text, word));
    numbers.push_back(*value);
    at = comma;
  }
  if (numbers.size() != count)
    throw UsageError(fmt::format("{} {}: expected {}", option, text, form));
  return numbers;
}

}  // namespace scree::sim
