// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell_word.hpp"

namespace scree::tools {

std::string shellWord(std::string_view text) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:,=+@%-";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos)
    return std::string(text);
  std::string word = "'";
  for (const char c : text)
    if (c == '\'')
      word += "'\\''";
    else
      word += c;
  return word + '\'';
}

}  // namespace scree::tools
