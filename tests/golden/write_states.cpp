// SPDX-License-Identifier: GPL-3.0-or-later
// Prints `NAME HASH` for each case of tests/support/state_cases.hpp, as tests/golden/states.txt
// keeps them.
#include "state_cases.hpp"

#include <fmt/format.h>

int main() try {
  for (const auto& c : scree::scenes::stateCases())
    fmt::print("{} {:016x}\n", c.name, scree::scenes::lastHash(c, 1));
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "write_states: {}\n", error.what());
  return 1;
}
