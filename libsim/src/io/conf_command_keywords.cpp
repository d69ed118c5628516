// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that prepare a state: their rows follow from the table of commands.
#include "conf_values.hpp"

#include "scree/sim/io/commands.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace scree::sim {
namespace {

/// So many words as the row in the table of commands has names of arguments.
template <std::size_t K>
void readCommand(TextReader& in, Conf& conf, Diagnostics&) {
  const CommandInfo& info = allCommands()[K];
  Command command;
  command.keyword = info.name;
  const auto words = 1 + std::count(info.arguments.begin(), info.arguments.end(), ' ');
  for (auto k = words; k > 0; --k) {
    if (in.peek().starts_with('$'))
      command.arguments.push_back(shortest(in.number(info.name)));
    else
      command.arguments.emplace_back(in.word(info.name));
  }
  conf.commands.push_back(std::move(command));
}

// Readers are plain functions, one for each place in the table of commands.
constexpr std::size_t mostCommands = 32;
template <std::size_t... K>
constexpr std::array<void (*)(TextReader&, Conf&, Diagnostics&), sizeof...(K)> readers(
    std::index_sequence<K...>) {
  return {readCommand<K>...};
}

}  // namespace

std::vector<ConfKeyword> commandKeywords() {
  static constexpr auto byPlace = readers(std::make_index_sequence<mostCommands>{});
  std::vector<ConfKeyword> rows;
  for (std::size_t k = 0; k < allCommands().size(); ++k) {
    const CommandInfo& info = allCommands()[k];
    rows.push_back({info.name, {}, info.arguments, "", "", info.help, byPlace.at(k), nullptr});
  }
  return rows;
}

}  // namespace scree::sim
