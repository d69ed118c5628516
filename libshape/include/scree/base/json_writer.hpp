// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace scree {

/// Builds a JSON text in memory, item by item; commas and quotes are placed by the writer.
///
///     JsonWriter json;
///     json.beginObject().key("schema").value(1).key("sizes").beginArray().value(0.5).end().end();
///     json.take();  // {"schema":1,"sizes":[0.5]}
///
/// Doubles are written as the shortest text that reads back to the same bits. JSON has no NaN and
/// no infinity: both become null. Strings are taken as UTF-8; control characters, quotes and
/// backslashes are escaped (RFC 8259).
class JsonWriter {
 public:
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
  /// Begins a new line before the next item or end; for people who read the text.
  JsonWriter& newLine() {
    pendingLine_ = true;
    return *this;
  }

  const std::string& text() const noexcept { return text_; }
  std::string take() noexcept { return std::move(text_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& raw(std::string_view item);
  void separate();

  std::string text_, open_;  // the brackets that close what is open
  bool first_ = true, afterKey_ = false, pendingLine_ = false;
};

/// `text` as a JSON string, quotes included.
std::string jsonString(std::string_view text);
/// Appends `number`, or null where it is not finite.
void appendJson(std::string& out, double number);

}  // namespace scree
