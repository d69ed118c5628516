// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/error.hpp"

#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

namespace scree {
namespace {

std::string oneLine(const SourcePlace& where, const std::string& message) {
  if (where.line == 0) return fmt::format("{}: {}", where.file, message);
  return fmt::format("{}:{}:{}: {}", where.file, where.line, where.column, message);
}

/// A message "FILE:LINE:COLUMN: WHAT" in parts; one without a place has no line.
struct Placed {
  std::string_view file, line, what;
};

Placed placed(std::string_view message) {
  const std::string_view before = message.substr(0, message.find(": "));
  const auto column = before.rfind(':');
  const auto line = column == 0 ? column : before.rfind(':', column - 1);
  const auto isNumber = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (column >= before.size() || line >= column || !isNumber(before.substr(column + 1)) ||
      !isNumber(before.substr(line + 1, column - line - 1)))
    return {{}, {}, message};
  return {before.substr(0, line), before.substr(line + 1, column - line - 1),
          message.substr(before.size())};
}

unsigned char byteAt(std::string_view text, std::size_t k) {
  return k < text.size() ? static_cast<unsigned char>(text[k]) : 0;
}

/// The bytes of the UTF-8 character at `k`; 1 where none stands there.
std::size_t lengthAt(std::string_view text, std::size_t k) {
  const unsigned char first = byteAt(text, k);
  const std::size_t length = first >= 0xf0 && first < 0xf5   ? 4
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xc2 && first < 0xe0 ? 2
                                                             : 1;
  for (std::size_t j = 1; j < length; ++j)
    if (const unsigned char next = byteAt(text, k + j); next < 0x80 || next >= 0xc0) return 1;
  return length;
}

}  // namespace

ParseError::ParseError(SourcePlace where, const std::string& message, std::string excerpt)
    : Error(oneLine(where, message)), where_(std::move(where)), excerpt_(std::move(excerpt)) {}

void Diagnostics::warn(const ParseError& oddity) {
  if (strict_) throw oddity;
  // A damaged file may have an oddity on each line: those after the first 1,000 are counted, in the
  // text of the last warning.
  constexpr std::size_t mostKept = 1000;
  constexpr std::string_view counting =
      "warnings about the content of files that are not printed: ";
  if (warnings_.size() < mostKept) {
    warnings_.emplace_back(oddity.what());
    return;
  }
  if (!warnings_.back().starts_with(counting)) warnings_.push_back(fmt::format("{}0", counting));
  std::string& last = warnings_.back();
  last = fmt::format("{}{}", counting, std::stoull(last.substr(counting.size())) + 1);
}

void Diagnostics::warn(const std::string& oddity) {
  if (strict_) throw ModelError(oddity);
  warnings_.push_back(oddity);
}

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

std::string printable(std::string_view text, std::string_view kept) {
  std::string out;
  for (std::size_t k = 0; k < text.size();) {
    const std::string_view character = text.substr(k, lengthAt(text, k));
    const unsigned char byte = byteAt(text, k);
    // A terminal of eight bits takes a lone byte for one of the latter.
    const bool control = character.size() == 1
                             ? (byte < 0x20 || (byte >= 0x7f && byte < 0xa0)) &&
                                   kept.find(text[k]) == std::string_view::npos
                             : character.size() == 2 && byte == 0xc2 && byteAt(text, k + 1) < 0xa0;
    if (control)
      for (const char c : character) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += character;
    k += character.size();
  }
  return out;
}

}  // namespace scree
