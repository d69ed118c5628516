// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/json_writer.hpp"

#include "scree/base/text_writer.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree {

std::string jsonString(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
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
  if (pendingLine_) text_ += '\n';
  first_ = pendingLine_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  open_ += bracket == '{' ? '}' : ']';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end() {
  if (pendingLine_) text_ += '\n';
  text_ += open_.back();
  open_.pop_back();
  first_ = pendingLine_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  text_ += jsonString(name);
  text_ += ':';
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
JsonWriter& JsonWriter::null() { return raw("null"); }
JsonWriter& JsonWriter::value(double number) {
  separate();
  appendJson(text_, number);
  return *this;
}

}  // namespace scree
