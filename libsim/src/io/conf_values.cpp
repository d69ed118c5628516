// SPDX-License-Identifier: GPL-3.0-or-later
#include "conf_values.hpp"

#include "scree/base/expression.hpp"

#include <fmt/format.h>

namespace scree::sim {

double scalar(TextReader& in, std::string_view what) {
  const std::string_view first = in.peek();
  if (first.empty() || first[0] != '$') return in.number(what);
  std::string expression(in.word(what).substr(1));
  while (expression.empty() || expression.back() != '$') {
    if (!in.nextOnSameLine())
      throw in.error(fmt::format("{}: expected a closing '$' on this line", what));
    expression += ' ';
    expression += in.word(what);
  }
  expression.pop_back();
  try {
    return evaluate(expression);
  } catch (const ExpressionError& error) {
    throw in.errorAt(first, fmt::format("{}: in '{}': {}", what, expression, error.what()));
  }
}

double positiveScalar(TextReader& in, std::string_view what) {
  const double value = scalar(in, what);
  if (!(value > 0.0))
    throw in.error(fmt::format("{}: expected a number above 0, found {}", what, value));
  return value;
}

double notNegativeScalar(TextReader& in, std::string_view what) {
  const double value = scalar(in, what);
  if (!(value >= 0.0))
    throw in.error(fmt::format("{}: expected a number not below 0, found {}", what, value));
  return value;
}

std::string choice(TextReader& in, std::string_view what,
                   std::initializer_list<std::string_view> allowed) {
  const std::string_view word = in.word(what);
  for (const std::string_view a : allowed)
    if (word == a) return std::string(word);
  std::string list;
  for (const std::string_view a : allowed) list += (list.empty() ? "" : ", ") + std::string(a);
  throw in.error(fmt::format("{}: expected one of {}; found '{}'{}", what, list, word.substr(0, 40),
                             suggestion(word, {allowed.begin(), allowed.size()})));
}

std::uint32_t group(TextReader& in) {
  return static_cast<std::uint32_t>(in.integer("group", 0, 1'000'000));
}

}  // namespace scree::sim
