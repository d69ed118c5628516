// SPDX-License-Identifier: GPL-3.0-or-later
#include "conf_values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::sim {

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

std::string rowName(std::string_view keyword, std::uint32_t group1, std::uint32_t group2) {
  return fmt::format("{} {} {}", keyword, std::min(group1, group2), std::max(group1, group2));
}

}  // namespace scree::sim
