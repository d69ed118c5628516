// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell_word.hpp"

#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

namespace scree::tools {

std::string shellWord(std::string_view text) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:,=+@%-";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos)
    return std::string(text);
  std::string word;
  if (printable(text) != text) {
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '\'' || c == '\\')
        word += fmt::format("\\{}", c);
      else if (byte < 0x20 || byte >= 0x7f)
        word += fmt::format("\\{:03o}", byte);
      else
        word += c;
    }
    return "$'" + word + '\'';
  }
  word = "'";
  for (const char c : text)
    if (c == '\'')
      word += "'\\''";
    else
      word += c;
  return word + '\'';
}

std::string shellFile(std::string_view path) {
  const bool isOption = path.size() > 1 && path.front() == '-';
  return shellWord(isOption ? "./" + std::string(path) : std::string(path));
}

}  // namespace scree::tools
