// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace scree {

/// Builds a JSON text in memory, item by item; commas and quotes are placed by the writer.
///
///     JsonWriter json;
///     json.beginObject().member("schema", 1).key("sizes").beginArray().value(0.5).end().end();
///     json.take();  // {"schema":1,"sizes":[0.5]}
///
/// Doubles are written as the shortest text that reads back to the same bits. JSON has no NaN and
/// no infinity: both become null, as does an empty optional. Only strings are written by
/// nlohmann_json: it would write the number 1 as "1.0", and has nothing like newLine().
class JsonWriter {
 public:
  JsonWriter() = default;  ///< all on one line, except at newLine()
  /// Writes each item on its own line, indented by `blanks` for each level. An empty array or
  /// object stays on one line.
  explicit JsonWriter(int blanks) : blanks_(blanks) {}
  JsonWriter& beginObject() { return open('{'); }
  JsonWriter& beginArray() { return open('['); }
  /// Ends the innermost object or array. @pre there is one
  JsonWriter& end();
  /// Name of the next value of an object.
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);
  JsonWriter& value(bool truth);
  JsonWriter& null();
  template <std::integral I>
  JsonWriter& value(I number) {
    return raw(std::to_string(number));
  }
  template <class T>
  JsonWriter& value(const std::optional<T>& item) {
    return item ? value(*item) : null();
  }
  JsonWriter& value(const Vec3& v);  ///< [x, y, z]
  JsonWriter& value(const Mat3& m);  ///< nine numbers, row by row
  JsonWriter& value(const Quat& q);  ///< [w, x, y, z]
  template <class T>
  JsonWriter& member(std::string_view name, const T& item) {
    return key(name).value(item);
  }
  template <class Items>
  JsonWriter& list(const Items& items) {
    beginArray();
    for (const auto& item : items) value(item);
    return end();
  }
  /// Begins a new line before the next item or end, which makes the text easier to read.
  JsonWriter& newLine() {
    pendingLine_ = true;
    return *this;
  }

  const std::string& text() const noexcept { return text_; }
  std::string take() noexcept { return std::move(text_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& raw(std::string_view item);
  /// Writes the comma and the line end that the next item needs before it.
  void separate();
  void breakLine();

  std::string text_;
  std::string open_;  ///< closing brackets of the objects and arrays that have not ended
  int blanks_ = 0;    ///< indentation of each level; 0: all on one line
  bool first_ = true, afterKey_ = false, pendingLine_ = false;
};

/// `text` as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD (RFC 8259).
std::string jsonString(std::string_view text);
/// Appends `number`, or null where it is not finite.
void appendJson(std::string& out, double number);

}  // namespace scree
