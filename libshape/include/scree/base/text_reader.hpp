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

namespace scree {

/// Blank-separated words of a text that is wholly in memory, each with its place.
///
/// Every reader of a text format is written on this class, so that each complaint has file, line
/// and column. `what` names the thing being read, as the user knows it; it opens the message.
/// Numbers are read in the C locale, must fill the whole word and must be finite. Wherever a number
/// stands, arithmetic between dollar signs on one line may stand too: `$2 * 0.5e-6$`
/// (scree/base/expression.hpp).
/// Copies share the text; words stay valid as long as any copy lives.
class TextReader {
 public:
  /// @throws ParseError if the text holds NUL bytes, that is, if it is binary
  /// @param line, column  where the text begins in the file that complaints name
  TextReader(std::string name, std::string text, std::size_t line = 1, std::size_t column = 1);

  /// The file at `path`, or standard input for "-".
  /// @throws IoError if it cannot be read
  static TextReader fromFile(const std::string& path);

  const std::string& name() const noexcept { return name_; }

  bool atEnd();
  /// The next word without consuming it; empty at the end.
  std::string_view peek();
  /// Whether the next word stands on the line of the last one read.
  bool nextOnSameLine();

  /// How many values stand from the next word to the end of its line; arithmetic counts as one.
  std::size_t valuesOnLine();

  std::string_view word(std::string_view what);
  double number(std::string_view what);
  double positive(std::string_view what);     ///< > 0
  double notNegative(std::string_view what);  ///< >= 0
  std::int64_t integer(std::string_view what, std::int64_t least, std::int64_t most);
  Vec3 vec3(std::string_view what);
  /// Four numbers, scalar first, as they stand: the caller decides what a norm off 1 means.
  Quat quaternion(std::string_view what);
  Mat3 mat3(std::string_view what);  ///< nine numbers, row by row

  /// A count of items that each take at least `bytesPerItem` of the text still to come. A count
  /// that the text cannot hold is refused before anything is allocated.
  std::size_t count(std::string_view what, std::size_t bytesPerItem);

  /// The rest of the line of the last word read, without surrounding blanks; moves to the next
  /// line.
  std::string_view restOfLine();
  void skipLine() { restOfLine(); }

  /// All that is still to be read.
  std::string_view rest() const noexcept { return all_.substr(at_); }
  /// A reader of `piece`, a part of this text, with the places it has here: for several threads.
  /// @param line  that `piece` begins on, as line() would tell it
  TextReader part(std::string_view piece, std::size_t line) const;
  /// Goes on behind the last word that `part`, a part of this text, has read.
  void goOnBehind(const TextReader& part);

  /// A complaint about the last word read.
  ParseError error(const std::string& message) const;
  /// A complaint about the word that comes next, or about the end.
  ParseError errorAtNext(const std::string& message);
  /// A complaint about any piece of this text.
  ParseError errorAt(std::string_view piece, const std::string& message) const;
  /// Place of any piece of this text. The first call reads the whole text.
  SourcePlace placeOf(std::string_view piece) const;
  /// Line of the last word read; cheap to call while reading goes on.
  std::size_t line();
  /// Place of the last word read; as cheap as line().
  SourcePlace place();

 private:
  class Text;  ///< what is read, and where its lines begin

  void skipBlanks();
  /// Value of the arithmetic whose first word, `$...`, was just read.
  double arithmetic(std::string_view what);

  std::string name_;
  std::shared_ptr<const Text> text_;
  std::string_view all_;
  std::size_t at_ = 0;         ///< next byte to look at
  std::size_t lastBegin_ = 0;  ///< last word read
  std::size_t lastEnd_ = 0;
  std::size_t countedTo_ = 0;  ///< lines are counted up to here
  std::size_t lines_ = 1;
  std::size_t firstLine_ = 1, firstColumn_ = 1;
};

/// `word` as a number, if it is one as a whole (a leading + is accepted); may be inf or nan.
std::optional<double> parseNumber(std::string_view word);
/// `word` as a whole number, if it is one.
std::optional<std::int64_t> parseInteger(std::string_view word);

/// A word as a message shows it: short, and with nothing a terminal could trip over.
std::string shown(std::string_view word);

/// `text` with nothing that a terminal takes for a command. Control characters, in UTF-8 those from
/// U+0080 to U+009F too, are spelt out as \x1b.
/// @param kept  control characters of ASCII that stay
std::string printable(std::string_view text, std::string_view kept = {});

/// The entry of `known` closest to `word` in letters, for "did you mean"; empty if none is near.
std::string nearestWord(std::string_view word, std::span<const std::string_view> known);
/// " (did you mean 'x'?)" or nothing.
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

}  // namespace scree
