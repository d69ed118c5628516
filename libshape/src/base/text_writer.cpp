// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/text_writer.hpp"

#include <charconv>

namespace scree {

void appendShortest(std::string& out, double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  out.append(buffer, result.ptr);
}

std::string shortest(double value) {
  std::string out;
  appendShortest(out, value);
  return out;
}

void TextWriter::separate() {
  if (!lineStart_) text_ += ' ';
  lineStart_ = false;
}

TextWriter& TextWriter::put(std::string_view word) {
  separate();
  text_ += word;
  return *this;
}

TextWriter& TextWriter::put(double value) {
  separate();
  if (decimals_ < 0) {
    appendShortest(text_, value);
  } else {
    char buffer[512];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value,
                                      std::chars_format::scientific, decimals_);
    text_.append(buffer, result.ptr);
  }
  return *this;
}

TextWriter& TextWriter::put(const Vec3& v) { return put(v.x()).put(v.y()).put(v.z()); }

TextWriter& TextWriter::put(const Quat& q) { return put(q.w()).put(q.x()).put(q.y()).put(q.z()); }

TextWriter& TextWriter::put(const Mat3& m) {
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) put(m(row, column));
  return *this;
}

TextWriter& TextWriter::endLine() {
  text_ += '\n';
  lineStart_ = true;
  passOnFull();
  return *this;
}

void TextWriter::passOn() {
  if (!sink_ || text_.empty()) return;
  sink_(text_);
  text_.clear();
}

TextWriter& TextWriter::raw(std::string_view text) {
  text_ += text;
  lineStart_ = !text_.empty() && text_.back() == '\n';
  passOnFull();
  return *this;
}

}  // namespace scree
