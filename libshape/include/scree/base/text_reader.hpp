// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Reads a text in memory word by word. Words are separated by blanks, tabs and line ends.
///
/// All readers of text formats use this class, so that each error has file, line and column. A
/// message begins with the argument `what`, the user's name for the item that is read. Numbers are
/// read in the C locale, must fill the whole word and must be finite. In place of a number the text
/// may have arithmetic between dollar signs, on one line: `$2 * 0.5e-6$`
/// (scree/base/expression.hpp).
/// Copies share the text; words stay valid as long as any copy lives.
class TextReader {
 public:
  /// @throws ParseError if the text holds NUL bytes, that is, if it is binary
  /// @param line, column  place in the file `name` at which the text begins
  TextReader(std::string name, std::string text, std::size_t line = 1, std::size_t column = 1);

  /// Reader of the file at `path`, or of standard input for "-".
  /// @throws IoError if it cannot be read
  static TextReader fromFile(const std::string& path);

  const std::string& name() const noexcept { return name_; }

  bool atEnd();
  /// The next word without consuming it; empty at the end.
  std::string_view peek();
  /// Whether the next word is on the line of the last word read.
  bool nextOnSameLine();

  /// Number of values from the next word to the end of its line. Arithmetic counts as one.
  std::size_t valuesOnLine();

  std::string_view word(std::string_view what);
  double number(std::string_view what);
  double positive(std::string_view what);     ///< > 0
  double notNegative(std::string_view what);  ///< >= 0
  std::int64_t integer(std::string_view what, std::int64_t least, std::int64_t most);
  Vec3 vec3(std::string_view what);
  /// Four numbers, scalar first, not normalised: the caller handles norms other than 1.
  Quat quaternion(std::string_view what);
  Mat3 mat3(std::string_view what);  ///< nine numbers, row by row

  /// A count of items that follow, each of at least `bytesPerItem` bytes. @throws ParseError if the
  /// rest of the text is too short for them, so that callers can allocate memory for the count
  std::size_t count(std::string_view what, std::size_t bytesPerItem);

  /// The rest of the line of the last word, without blanks around it; moves to the next line.
  std::string_view restOfLine();
  void skipLine() { restOfLine(); }

  /// All that is still to be read.
  std::string_view rest() const noexcept { return all_.substr(at_); }
  /// A reader of `piece`, a part of this text, whose errors name places in the whole text. With it
  /// several threads can read one text.
  /// @param line  line on which `piece` begins, as line() counts
  TextReader part(std::string_view piece, std::size_t line) const;
  /// Continues after the last word that `part`, a reader that part() returned, has read.
  void goOnBehind(const TextReader& part);

  /// An error at the last word read.
  ParseError error(const std::string& message) const;
  /// An error at the next word, or at the end.
  ParseError errorAtNext(const std::string& message);
  /// An error at `piece`, a part of this text.
  ParseError errorAt(std::string_view piece, const std::string& message) const;
  /// Place of `piece`, a part of this text. The first call searches the whole text for lines.
  SourcePlace placeOf(std::string_view piece) const;
  /// Line of the last word read. Counts only from the last call on, so it is cheap after each word.
  std::size_t line();
  /// Place of the last word read; as cheap as line().
  SourcePlace place();

 private:
  class Text;  ///< the text, and the beginnings of its lines

  void skipBlanks();
  /// Value of the arithmetic whose first word, `$...`, was just read.
  double arithmetic(std::string_view what);

  std::string name_;
  std::shared_ptr<const Text> text_;
  std::string_view all_;
  std::size_t at_ = 0;         ///< next byte to look at
  std::size_t lastBegin_ = 0;  ///< first byte of the last word read
  std::size_t lastEnd_ = 0;
  std::size_t countedTo_ = 0;  ///< lines are counted up to here
  std::size_t lines_ = 1;
  std::size_t firstLine_ = 1, firstColumn_ = 1;
};

/// The number that the whole of `word` spells, if any; may have a leading +, and be inf or nan.
std::optional<double> parseNumber(std::string_view word);
/// The integer that the whole of `word` spells, if any.
std::optional<std::int64_t> parseInteger(std::string_view word);

/// A word for messages: shortened to 40 bytes, and printable().
std::string shown(std::string_view word);
/// The text with the letters A to Z in lower case.
std::string lowerCase(std::string_view text);

/// `text` with control characters spelt out, such as \x1b, so that no terminal takes them for
/// commands. They include U+0080 to U+009F in UTF-8.
/// @param kept  ASCII control characters that stay
std::string printable(std::string_view text, std::string_view kept = {});

/// The members `name` of items, as views of them.
template <class Items>
std::vector<std::string_view> namesOf(const Items& items) {
  std::vector<std::string_view> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}
/// The entry of `known` closest to `word` in spelling; empty if none is close.
std::string nearestWord(std::string_view word, std::span<const std::string_view> known);
/// " (did you mean 'x'?)" or nothing.
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

}  // namespace scree
