// SPDX-License-Identifier: GPL-3.0-or-later
// Options of a verb that are operations: they run in the order of the command line.
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::tools {

using Words = std::vector<std::string>;

/// An operation: its option, and the step that its words make. `Options` has `Step`, and `steps`.
template <class Options>
struct Operation {
  std::string name;
  int count;  ///< of words
  const char* kind;
  /// Makes the step; an empty one where an earlier step does it, too.
  typename Options::Step (*step)(const Words&, Options&);
  const char* help;
  std::function<std::string(const std::string&)> check{};  ///< of each word; may be empty
};

/// Adds an operation: each time that the parser meets it, its step joins the others.
/// @throws UsageError, when it is met, for an operation of a file of options, which has no order
template <class Options>
void addOperation(CLI::App& verb, const Operation<Options>& operation, Options& options) {
  const auto met = [&verb, &options, operation](const Words& words) {
    const CLI::Option* option = verb.get_option(operation.name);
    if (std::ranges::find(verb.parse_order(), option) == verb.parse_order().end())
      throw UsageError(fmt::format(
          "{}: operations stand on the command line, which has their order", operation.name));
    try {
      if (auto step = operation.step(words, options)) options.steps.push_back(std::move(step));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", operation.name, error.what()));
    }
  };
  if (operation.count == 0) {
    verb.add_flag_callback(
            operation.name, [met] { met({}); }, operation.help)
        ->trigger_on_parse();
    return;
  }
  CLI::Option* option = verb.add_option_function<Words>(operation.name, met, operation.help);
  option->type_size(operation.count)->expected(1)->allow_extra_args(false)->trigger_on_parse();
  option->type_name(operation.kind);
  if (operation.check) option->check(operation.check);
}

/// Three counts along x, y and z. @throws UsageError
inline std::array<std::int64_t, 3> countsFrom(const Words& w) {
  std::array<std::int64_t, 3> counts{};
  for (std::size_t k = 0; k < 3; ++k) {
    counts[k] = parseInteger(w[k]).value_or(0);
    if (counts[k] < 1) throw UsageError("expected three whole numbers of at least 1");
  }
  return counts;
}

/// The words of --rotate: an axis, 0 to 2, and degrees. @throws UsageError
inline std::pair<int, double> axisAndDegrees(const Words& w) {
  const auto axis = w[0].size() == 1 ? std::string_view("xyz").find(w[0]) : std::string_view::npos;
  const double degrees = parseNumber(w[1]).value_or(NAN);
  if (axis == std::string_view::npos || !std::isfinite(degrees))
    throw UsageError(fmt::format("expected an axis x, y or z and degrees, found '{} {}'",
                                 shown(w[0]), shown(w[1])));
  return {static_cast<int>(axis), degrees};
}

// Steps of subjects that have functions of these names.

template <class Options>
typename Options::Step translation(const Words& w, Options&) {
  const Vec3 by(*parseNumber(w[0]), *parseNumber(w[1]), *parseNumber(w[2]));
  return [by](auto& subject, Diagnostics&) { translate(subject, by); };
}

template <class Options>
typename Options::Step scaling(const Words& w, Options&) {
  return [by = *parseNumber(w[0])](auto& subject, Diagnostics&) { scale(subject, by); };
}

}  // namespace scree::tools
