// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/json_writer.hpp"

#include "scree/base/text_writer.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <span>

namespace scree {

std::string jsonString(std::string_view text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
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
