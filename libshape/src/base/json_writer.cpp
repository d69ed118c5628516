// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/json_writer.hpp"

#include "scree/base/text_writer.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

namespace scree {
namespace {

/// Bytes of the UTF-8 character that `text` begins with; 0 if it begins with none.
std::size_t characterLength(std::string_view text) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0u) != 0x80u) return 0;
  // Longer than needed, a half of a surrogate pair, or beyond the last code point.
  const unsigned second = byte(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
    return 0;
  return length;
}

}  // namespace

std::string jsonString(std::string_view text) {
  std::string out = "\"";
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    const auto byte = static_cast<unsigned char>(c);
    if (const std::size_t length = characterLength(text.substr(k)); length != 1) {
      out += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(k, length);
      if (length > 1) k += length - 1;
      continue;
    }
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\u{:04x}", byte);
    else
      out += c;
  }
  return out + '"';
}

void appendJson(std::string& out, double number) {
  if (std::isfinite(number))
    appendShortest(out, number);
  else
    out += "null";
}

void JsonWriter::separate() {
  if (afterKey_) {
    afterKey_ = false;
    return;
  }
  if (!first_) text_ += ',';
  if (pendingLine_ || (blanks_ > 0 && !open_.empty())) breakLine();
  first_ = pendingLine_ = false;
}

void JsonWriter::breakLine() {
  text_ += '\n';
  text_.append(static_cast<std::size_t>(blanks_) * open_.size(), ' ');
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  open_ += bracket == '{' ? '}' : ']';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end() {
  const char bracket = open_.back();
  open_.pop_back();
  if (pendingLine_ || (blanks_ > 0 && !first_)) breakLine();
  text_ += bracket;
  first_ = pendingLine_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  text_ += jsonString(name);
  text_ += blanks_ > 0 ? ": " : ":";
  afterKey_ = true;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view item) {
  separate();
  text_ += item;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) { return raw(jsonString(text)); }
JsonWriter& JsonWriter::value(bool truth) { return raw(truth ? "true" : "false"); }
JsonWriter& JsonWriter::value(const Vec3& v) { return list(v); }
JsonWriter& JsonWriter::value(const Mat3& m) {
  const Mat3 byRow = m.transpose();
  return list(std::span(byRow.data(), 9));
}
JsonWriter& JsonWriter::value(const Quat& q) {
  return list(std::array{q.w(), q.x(), q.y(), q.z()});
}
JsonWriter& JsonWriter::null() { return raw("null"); }
JsonWriter& JsonWriter::value(double number) {
  separate();
  appendJson(text_, number);
  return *this;
}

}  // namespace scree
