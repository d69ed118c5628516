// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace scree {
namespace {

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
