// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <string_view>

namespace scree {
namespace {

/// A message "FILE:LINE:COLUMN: WHAT" in parts; one without a place has no line.
struct Placed {
  std::string_view file, line, what;
};

/// The digits that `text` begins with; they end at a ':'. Empty where it begins otherwise.
std::string_view numberBeforeColon(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && std::isdigit(static_cast<unsigned char>(text[n]))) ++n;
  return n > 0 && n < text.size() && text[n] == ':' ? text.substr(0, n) : std::string_view();
}

Placed placed(std::string_view message) {
  for (std::size_t at = message.find(':'); at != std::string_view::npos;
       at = message.find(':', at + 1)) {
    const std::string_view line = numberBeforeColon(message.substr(at + 1));
    if (line.empty()) continue;
    const std::size_t after = at + 1 + line.size() + 1;
    const std::string_view column = numberBeforeColon(message.substr(after));
    if (column.empty()) continue;
    return {message.substr(0, at), line, message.substr(after + column.size() + 1)};
  }
  return {{}, {}, message};
}

}  // namespace

std::vector<std::string> onceEach(std::span<const std::string> messages) {
  struct Group {
    std::size_t times = 0;
    std::string_view first, firstLine, lastLine;
  };
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> known;
  std::vector<Group> groups;
  for (const std::string& message : messages) {
    const Placed p = placed(message);
    const auto [at, isNew] = known.try_emplace({p.file, p.what}, groups.size());
    if (isNew) groups.push_back({0, message, p.line, p.line});
    Group& group = groups[at->second];
    ++group.times;
    group.lastLine = p.line;
  }
  std::vector<std::string> once;
  once.reserve(groups.size());
  for (const Group& g : groups)
    if (g.times == 1)
      once.emplace_back(g.first);
    else if (g.lastLine == g.firstLine)
      once.push_back(fmt::format("{} ({} times)", g.first, g.times));
    else
      once.push_back(fmt::format("{} ({} times, last in line {})", g.first, g.times, g.lastLine));
  return once;
}

}  // namespace scree
