// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_value.hpp"

#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace scree::tools {
namespace {

/// Reads what stands to the right of the equals sign.
class ValueReader {
 public:
  ValueReader(std::string_view line, std::size_t at) : line_(line), at_(at) {}

  std::vector<std::string> values() {
    skipBlanks();
    std::vector<std::string> all;
    if (next() == '[') {
      const std::size_t open = at_++;
      for (bool more = true; more;) {
        skipBlanks();
        if (next() == ']') break;
        all.push_back(quoted() ? quotedText() : bareText(",]#"));
        skipBlanks();
        more = next() == ',';
        if (more) ++at_;
      }
      if (next() != ']')
        throw ConfigRefusal{
            fmt::format("expected ']' at the end of the list, found '{}'; write the "
                        "whole list on one line, or the value in quotes",
                        shown(trimmed(line_.substr(open)))),
            open};
      ++at_;
    } else if (quoted()) {
      all.push_back(quotedText());
    } else {
      all = separated(bareText("#"));
    }
    skipBlanks();
    if (at_ < line_.size() && next() != '#')
      throw ConfigRefusal{fmt::format("expected the end of the line after the value, found '{}'",
                                      shown(line_.substr(at_))),
                          at_};
    return all;
  }

 private:
  char next() const { return at_ < line_.size() ? line_[at_] : '\0'; }
  bool quoted() const { return next() == '"' || next() == '\''; }
  void skipBlanks() { at_ = std::min(line_.find_first_not_of(configBlanks, at_), line_.size()); }

  std::string bareText(std::string_view ends) {
    const std::size_t begin = at_;
    at_ = std::min(line_.find_first_of(ends, at_), line_.size());
    return std::string(trimmed(line_.substr(begin, at_ - begin)));
  }

  static std::vector<std::string> separated(const std::string& text) {
    const std::string_view separators = text.find(',') != std::string::npos ? "," : configBlanks;
    std::vector<std::string> all;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
      const std::string_view word = trimmed(std::string_view(text).substr(at, end - at));
      if (!word.empty()) all.emplace_back(word);
      at = end + 1;
    }
    if (all.empty()) all.emplace_back();
    return all;
  }

  std::string quotedText() {
    const std::size_t open = at_;
    const char quote = line_[at_++];
    std::string out;
    while (at_ < line_.size() && line_[at_] != quote) {
      if (quote == '"' && line_[at_] == '\\')
        escaped(out);
      else
        out += line_[at_++];
    }
    if (at_ == line_.size())
      throw ConfigRefusal{
          fmt::format("expected {} at the end of the text {}", quote, shown(line_.substr(open))),
          open};
    ++at_;
    return out;
  }

  void escaped(std::string& out) {
    constexpr std::string_view names = "\"\\btnfr", characters = "\"\\\b\t\n\f\r";
    const std::size_t begin = at_++;
    const char name = next();
    if (const std::size_t known = names.find(name); at_ < line_.size() && known < names.size()) {
      out += characters[known];
      ++at_;
      return;
    }
    const std::size_t digits = name == 'u' ? 4 : name == 'U' ? 8 : 0;
    const std::string code(line_.substr(std::min(at_ + 1, line_.size()), digits));
    const bool hexadecimal = std::all_of(code.begin(), code.end(), [](char c) {
      return std::isxdigit(static_cast<unsigned char>(c)) != 0;
    });
    const unsigned long c =
        digits > 0 && code.size() == digits && hexadecimal ? std::stoul(code, nullptr, 16) : 0UL;
    if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
      throw ConfigRefusal{fmt::format("unknown escape '{}' in a text; write \\\\ for a backslash",
                                      shown(line_.substr(begin, 2 + digits))),
                          begin};
    at_ += 1 + digits;
    const auto tail = [&](unsigned shift) {
      out += static_cast<char>(0x80 | ((c >> shift) & 0x3f));
    };
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += static_cast<char>(0xc0 | (c >> 6));
      tail(0);
    } else if (c < 0x10000) {
      out += static_cast<char>(0xe0 | (c >> 12));
      tail(6), tail(0);
    } else {
      out += static_cast<char>(0xf0 | (c >> 18));
      tail(12), tail(6), tail(0);
    }
  }

  std::string_view line_;
  std::size_t at_;
};

/// Whether a file may hold `text` without quotes: a number of TOML.
bool isPlainNumber(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  const auto digits = [&] {
    std::size_t n = 0;
    while (n < text.size() && isDigit(text[n])) ++n;
    text.remove_prefix(n);
    return n;
  };
  const bool zero = text.starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return text.empty();
}

std::string itemText(const std::string& item) {
  if (isPlainNumber(item)) return item;
  std::string out = "\"";
  for (const char c : item) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (c == '\n')
      out += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\u{:04x}", byte);
    else
      out += c;
  }
  return out + '"';
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(configBlanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(configBlanks) - from + 1);
}

std::vector<std::string> configValues(std::string_view line, std::size_t at) {
  return ValueReader(line, at).values();
}

std::string configText(const std::vector<std::string>& items) {
  if (items.size() == 1) return itemText(items.front());
  std::vector<std::string> texts;
  for (const std::string& item : items) texts.push_back(itemText(item));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace scree::tools
