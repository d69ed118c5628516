// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: any text is taken as a formula, of conf-files and of --select, or refused with an
// ExpressionError whose place lies in the text.
#include "bounds.hpp"

#include "scree/base/condition.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace scree;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const fuzz::ReadingBounds bounds(size);
  try {
    if (!std::isfinite(evaluate(text))) std::abort();
  } catch (const ExpressionError& error) {
    if (error.at() > size) std::abort();
  }
  constexpr std::array names{Condition::Name{"id"}, Condition::Name{"z"},
                             Condition::Name{"shape", true}};
  const auto valueOf = [](std::size_t k) -> Condition::Value {
    if (k == 2) return std::string("Ball");
    return k == 0 ? 3.0 : -0.5;
  };
  try {
    const Condition condition(text, names);
    condition.holds(valueOf);
    condition.number(valueOf);
  } catch (const ExpressionError& error) {
    if (error.at() > size) std::abort();
  }
  return 0;
}
