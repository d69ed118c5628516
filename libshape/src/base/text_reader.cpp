// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/text_reader.hpp"

#include "scree/base/condition.hpp"
#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <type_traits>
#include <vector>

namespace scree {
namespace {

bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The first place from `at` on that is no blank, or the end of the text. These two read nothing
/// but their arguments, so that all stays in registers.
std::size_t afterBlanks(std::string_view text, std::size_t at) {
  const char* p = text.data() + at;
  const char* const end = text.data() + text.size();
  while (p != end && isBlank(*p)) ++p;
  return static_cast<std::size_t>(p - text.data());
}

/// The first blank from `at` on, or the end of the text.
std::size_t afterWord(std::string_view text, std::size_t at) {
  const char* p = text.data() + at;
  const char* const end = text.data() + text.size();
  for (;; ++p) {
    // One comparison passes over all but blanks and a few control characters.
    while (p != end && static_cast<unsigned char>(*p) > ' ') ++p;
    if (p == end || isBlank(*p)) return static_cast<std::size_t>(p - text.data());
  }
}

/// A number at the start of a text, with the place behind it; null where the general way decides.
template <class Number>
struct Scanned {
  Number value{};
  const char* end = nullptr;
};

/// Reads a whole word as a number, in one pass.
template <class Number>
Scanned<Number> scannedWord(std::string_view text, std::size_t at) {
  const char* const end = text.data() + text.size();
  Scanned<Number> found;
  const auto [behind, code] = std::from_chars(text.data() + at, end, found.value);
  if (code != std::errc{} || (behind < end && !isBlank(*behind))) return {};
  if constexpr (std::is_floating_point_v<Number>)
    if (!std::isfinite(found.value)) return {};
  found.end = behind;
  return found;
}

}  // namespace

std::string shown(std::string_view word) {
  constexpr std::size_t most = 40;
  if (word.size() <= most) return printable(word);
  std::size_t end = most;  // not within a letter of several bytes
  while (end + 3 > most && (static_cast<unsigned char>(word[end]) & 0xc0) == 0x80) --end;
  return printable(word.substr(0, end)) + "...";
}

std::string lowerCase(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::optional<double> parseNumber(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+') word.remove_prefix(1);
  double value = 0.0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || word.empty()) return std::nullopt;
  if (code ==
      std::errc::result_out_of_range) {  // too small is 0 or subnormal; too large is no number
    value = std::strtod(std::string(word).c_str(), nullptr);
    if (!std::isfinite(value)) return std::nullopt;
    return value;
  }
  if (code != std::errc{}) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parseInteger(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+') word.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// The text of a reader and of its parts. Complaints about a file may be as many as its lines, so
/// that none of them may count lines from the beginning.
class TextReader::Text {
 public:
  struct Line {
    std::size_t number, begin;  ///< from 1; offset of its first byte
  };

  explicit Text(std::string all) : all_(std::move(all)) {}
  std::string_view all() const { return all_; }

  /// The line that the byte at `offset` stands in. The first call reads the whole text.
  Line lineOf(std::size_t offset) const {
    {
      // No std::call_once: an exception out of it needs memory, and there may be none.
      const std::lock_guard lock(marking_);
      if (marks_.empty()) mark();
    }
    const std::size_t block = offset / blockSize;
    return lineOf(offset, block * blockSize, marks_[block]);
  }

 private:
  /// The line at `offset`, from the line at `from`, which is not behind it.
  Line lineOf(std::size_t offset, std::size_t from, Line line) const {
    // A line ends in LF, CR+LF or a lone CR.
    for (std::size_t k = from; k < offset; ++k) {
      const char c = all_[k];
      if (c != '\n' && (c != '\r' || (k + 1 < all_.size() && all_[k + 1] == '\n'))) continue;
      line = {line.number + 1, k + 1};
    }
    return line;
  }
  void mark() const {
    marks_.reserve(all_.size() / blockSize + 1);  // all that may fail
    marks_.push_back({1, 0});
    for (std::size_t at = blockSize; at <= all_.size(); at += blockSize)
      marks_.push_back(lineOf(at, at - blockSize, marks_.back()));
  }

  static constexpr std::size_t blockSize = 512;
  std::string all_;
  mutable std::mutex marking_;
  mutable std::vector<Line> marks_;  ///< at each block of the text
};

TextReader::TextReader(std::string name, std::string text, std::size_t line, std::size_t column)
    : name_(std::move(name)),
      text_(std::make_shared<const Text>(std::move(text))),
      firstLine_(line),
      firstColumn_(column) {
  all_ = text_->all();
  if (all_.substr(0, 3) == "\xEF\xBB\xBF") at_ = lastBegin_ = lastEnd_ = 3;  // byte-order mark
  if (const auto nul = all_.find('\0'); nul != std::string_view::npos)
    throw ParseError(placeOf(all_.substr(nul, 1)),
                     "expected text, found binary data (a zero byte)");
}

TextReader TextReader::fromFile(const std::string& path) {
  return TextReader(inputName(path), readFile(path));
}

void TextReader::skipBlanks() {
  if (at_ < all_.size()) at_ = afterBlanks(all_, at_);
}

bool TextReader::atEnd() {
  skipBlanks();
  return at_ >= all_.size();
}

std::string_view TextReader::peek() {
  skipBlanks();
  const std::size_t end = at_ < all_.size() ? afterWord(all_, at_) : at_;
  return all_.substr(at_, end - at_);
}

bool TextReader::nextOnSameLine() {
  const std::size_t from = lastEnd_;
  skipBlanks();
  if (at_ >= all_.size()) return false;
  return all_.substr(from, at_ - from).find_first_of("\n\r") == std::string_view::npos;
}

std::size_t TextReader::valuesOnLine() {
  skipBlanks();
  std::size_t n = 0;
  for (std::size_t at = at_; at < all_.size() && all_[at] != '\n' && all_[at] != '\r';) {
    if (isBlank(all_[at])) {
      ++at;
      continue;
    }
    ++n;
    if (all_[at] == '$') at = std::min(all_.find_first_of("$\n\r", at + 1), all_.size() - 1);
    while (at < all_.size() && !isBlank(all_[at])) ++at;
  }
  return n;
}

std::string_view TextReader::word(std::string_view what) {
  const std::string_view w = peek();
  if (w.empty())
    throw errorAtNext(fmt::format("{}: expected a value, found the end of the {}", what,
                                  all_.size() < text_->all().size() ? "line" : "file"));
  lastBegin_ = at_;
  lastEnd_ = at_ = at_ + w.size();
  return w;
}

double TextReader::arithmetic(std::string_view what) {
  const std::size_t begin = lastBegin_;
  std::size_t end = all_.find_first_of("$\n\r", begin + 1);
  if (end == std::string_view::npos || all_[end] != '$')
    throw error(fmt::format("{}: expected a closing '$' on this line", what));
  lastEnd_ = at_ = end + 1;
  if (at_ < all_.size() && !isBlank(all_[at_]))
    throw errorAt(all_.substr(at_, 1),
                  fmt::format("{}: expected a blank after the closing '$'", what));
  const std::string_view expression = all_.substr(begin + 1, end - begin - 1);
  try {
    return evaluate(expression);
  } catch (const ExpressionError& problem) {
    // An error of the whole expression is reported at its beginning.
    throw errorAt(all_.substr(problem.at() > 0 ? begin + 1 + problem.at() : begin, 0),
                  fmt::format("{}: in '{}': {}", what, shown(expression), problem.what()));
  }
}

double TextReader::number(std::string_view what) {
  skipBlanks();
  if (const auto found = scannedWord<double>(all_, at_); found.end) {
    lastBegin_ = at_;
    lastEnd_ = at_ = static_cast<std::size_t>(found.end - all_.data());
    return found.value;
  }
  const std::string_view w = word(what);
  if (w[0] == '$') return arithmetic(what);
  const auto value = parseNumber(w);
  if (!value) throw error(fmt::format("{}: expected a number, found '{}'", what, shown(w)));
  if (!std::isfinite(*value))
    throw error(fmt::format("{}: expected a finite number, found '{}'", what, shown(w)));
  return *value;
}

double TextReader::positive(std::string_view what) {
  const double value = number(what);
  if (!(value > 0.0))
    throw error(fmt::format("{}: expected a number above 0, found '{}'", what,
                            shown(all_.substr(lastBegin_, lastEnd_ - lastBegin_))));
  return value;
}

double TextReader::notNegative(std::string_view what) {
  const double value = number(what);
  if (!(value >= 0.0))
    throw error(fmt::format("{}: expected a number not below 0, found '{}'", what,
                            shown(all_.substr(lastBegin_, lastEnd_ - lastBegin_))));
  return value;
}

std::int64_t TextReader::integer(std::string_view what, std::int64_t least, std::int64_t most) {
  skipBlanks();
  if (const auto found = scannedWord<std::int64_t>(all_, at_);
      found.end && found.value >= least && found.value <= most) {
    lastBegin_ = at_;
    lastEnd_ = at_ = static_cast<std::size_t>(found.end - all_.data());
    return found.value;
  }
  std::string_view w = word(what);
  std::optional<std::int64_t> value;
  if (w[0] == '$') {
    const double whole = arithmetic(what);
    w = all_.substr(lastBegin_, lastEnd_ - lastBegin_);
    if (whole == std::floor(whole) && std::abs(whole) < 0x1p53)
      value = static_cast<std::int64_t>(whole);
  } else {
    value = parseInteger(w);
  }
  if (!value) throw error(fmt::format("{}: expected a whole number, found '{}'", what, shown(w)));
  if (*value < least || *value > most) {
    const std::string range = most == INT64_MAX    ? fmt::format("of at least {}", least)
                              : least == INT64_MIN ? fmt::format("of at most {}", most)
                                                   : fmt::format("from {} to {}", least, most);
    throw error(fmt::format("{}: expected a whole number {}, found '{}'", what, range, shown(w)));
  }
  return *value;
}

Vec3 TextReader::vec3(std::string_view what) {
  const double x = number(what), y = number(what), z = number(what);
  return {x, y, z};
}

Quat TextReader::quaternion(std::string_view what) {
  const double w = number(what), x = number(what), y = number(what), z = number(what);
  return {w, x, y, z};
}

Mat3 TextReader::mat3(std::string_view what) {
  Mat3 m;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) m(row, column) = number(what);
  return m;
}

std::size_t TextReader::count(std::string_view what, std::size_t bytesPerItem) {
  const std::int64_t n = integer(what, 0, INT64_MAX);
  const std::size_t room = (all_.size() - at_) / std::max<std::size_t>(bytesPerItem, 1) + 1;
  if (static_cast<std::uint64_t>(n) > room)
    throw error(fmt::format("{}: {} items announced, the rest of the file holds at most {}", what,
                            n, room));
  return static_cast<std::size_t>(n);
}

std::string_view TextReader::restOfLine() {
  const std::size_t begin = at_;
  std::size_t end = all_.find_first_of("\n\r", begin);
  if (end == std::string_view::npos) end = all_.size();
  at_ = end;
  std::string_view rest = all_.substr(begin, end - begin);
  while (!rest.empty() && isBlank(rest.front())) rest.remove_prefix(1);
  while (!rest.empty() && isBlank(rest.back())) rest.remove_suffix(1);
  return rest;
}

TextReader TextReader::part(std::string_view piece, std::size_t line) const {
  TextReader reader = *this;
  const auto begin = static_cast<std::size_t>(piece.data() - all_.data());
  reader.all_ = all_.substr(0, begin + piece.size());
  reader.at_ = reader.lastBegin_ = reader.lastEnd_ = reader.countedTo_ = begin;
  reader.lines_ = line + 1 - firstLine_;
  return reader;
}

void TextReader::goOnBehind(const TextReader& part) {
  at_ = part.at_;
  lastBegin_ = part.lastBegin_;
  lastEnd_ = part.lastEnd_;
  countedTo_ = part.countedTo_;
  lines_ = part.lines_;
}

std::size_t TextReader::line() {
  if (lastBegin_ < countedTo_) {
    countedTo_ = 0;
    lines_ = 1;
  }
  const std::string_view before = all_.substr(0, lastBegin_);
  for (std::size_t at = before.find('\n', countedTo_); at != std::string_view::npos;
       at = before.find('\n', at + 1))
    ++lines_;
  countedTo_ = lastBegin_;
  return lines_ + firstLine_ - 1;
}

SourcePlace TextReader::place() {
  // Most lines are short, and the index of all lines is not needed then.
  constexpr std::size_t far = 512;
  std::size_t begin = lastBegin_;
  while (begin > 0 && all_[begin - 1] != '\n' && all_[begin - 1] != '\r')
    if (lastBegin_ - --begin == far) {
      begin = text_->lineOf(lastBegin_).begin;
      break;
    }
  const std::size_t inLine = lastBegin_ - begin + 1, n = line();
  return {name_, n, n == firstLine_ ? inLine + firstColumn_ - 1 : inLine};
}

SourcePlace TextReader::placeOf(std::string_view piece) const {
  const auto offset = static_cast<std::size_t>(piece.data() - all_.data());
  const Text::Line line = text_->lineOf(offset);
  const std::size_t inLine = offset - line.begin + 1;
  return {name_, line.number + firstLine_ - 1,
          line.number == 1 ? inLine + firstColumn_ - 1 : inLine};
}

ParseError TextReader::errorAt(std::string_view piece, const std::string& message) const {
  SourcePlace place = placeOf(piece);
  const auto offset = static_cast<std::size_t>(piece.data() - all_.data());
  const std::size_t begin = text_->lineOf(offset).begin;
  std::string_view line = all_.substr(begin, 400);
  line = line.substr(0, line.find_first_of("\n\r"));
  // Text that begins inside a line of its file is set in, so that a caret stands below its word.
  std::string excerpt(place.column - 1 - (offset - begin), ' ');
  excerpt += line;
  return ParseError(std::move(place), message, std::move(excerpt));
}

ParseError TextReader::error(const std::string& message) const {
  return errorAt(all_.substr(lastBegin_, lastEnd_ - lastBegin_), message);
}

ParseError TextReader::errorAtNext(const std::string& message) {
  skipBlanks();
  // At the end of the text the last word is the better place to point at than the void after it.
  if (at_ >= all_.size() && lastEnd_ > lastBegin_) return error(message);
  return errorAt(all_.substr(at_, 0), message);
}

namespace {

/// Levenshtein distances of one word of 1 to 64 letters from others, letters compared without case.
/// A column of the table is two words of 64 bits. They hold where it rises by 1 from one letter to
/// the next, and where it falls. Source: G. Myers, J. ACM 46 (1999) 395.
class Distances {
 public:
  explicit Distances(std::string_view word)
      : size_(word.size()), last_(std::uint64_t{1} << ((size_ - 1) % 64)) {
    for (std::size_t i = 0; i < size_; ++i) places_[low(word[i])] |= std::uint64_t{1} << i;
  }
  std::size_t to(std::string_view other) const {
    std::uint64_t rises = ~std::uint64_t{0}, falls = 0;
    std::size_t distance = size_;
    for (const char c : other) {
      const std::uint64_t same = places_[low(c)], vertical = same | falls,
                          horizontal = (((same & rises) + rises) ^ rises) | same;
      std::uint64_t up = falls | ~(horizontal | rises), down = rises & horizontal;
      if ((up & last_) != 0) ++distance;
      if ((down & last_) != 0) --distance;
      up = (up << 1) | 1;
      down <<= 1;
      rises = down | ~(vertical | up);
      falls = up & vertical;
    }
    return distance;
  }

 private:
  static unsigned char low(char c) {
    return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  }

  std::size_t size_;
  std::uint64_t last_;                       ///< the bit of the last letter
  std::array<std::uint64_t, 256> places_{};  ///< of each letter in the word, a bit each
};

}  // namespace

std::string nearestWord(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view w = word.substr(0, 64);
  if (w.empty()) return {};
  const Distances distances(w);
  std::string_view best;
  std::size_t least = (w.size() + 1) / 3 + 1;  // one slip in a short word, more in a long one
  for (const std::string_view k : known) {
    if (std::max(k.size(), w.size()) - std::min(k.size(), w.size()) >= least) continue;
    if (const std::size_t distance = distances.to(k); distance < least) {
      least = distance;
      best = k;
    }
  }
  return std::string(best);
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  const std::string near = nearestWord(word, known);
  return near.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", near);
}

}  // namespace scree
