// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace scree {

/// Root of everything the libraries throw. `what()` is one line, ready to print.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A place in a text: line and column count from 1, in bytes; 0 means the whole file.
struct SourcePlace {
  std::string file;
  std::size_t line = 0, column = 0;
};

/// A text that does not say what its format asks for.
/// `what()` reads "conf12:41:9: dt: expected a number, found 'abc'".
class ParseError : public Error {
 public:
  /// @param excerpt  the line in question, for a caret under it on a terminal; may be empty
  ParseError(SourcePlace where, const std::string& message, std::string excerpt = {});
  const SourcePlace& where() const noexcept { return where_; }
  const std::string& excerpt() const noexcept { return excerpt_; }

 private:
  SourcePlace where_;
  std::string excerpt_;
};

/// A body that has no usable solid: open, flat, inside out.
class GeometryError : public Error {
 public:
  using Error::Error;
};

/// Readable input that makes no simulation: an unknown shape, no friction for groups 1 and 2.
class ModelError : public Error {
 public:
  using Error::Error;
};

/// The file system said no; the message holds path and reason.
class IoError : public Error {
 public:
  using Error::Error;
};

/// A command line that cannot be meant: two options that exclude each other, a missing one.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// Collects what is odd but usable, and notes of what was done. Libraries print nothing: tools show
/// `warnings()` and `notes()` on stderr.
/// Where warnings are errors (`--strict`), `warn` throws what it is given.
class Diagnostics {
 public:
  explicit Diagnostics(bool strict = false) : strict_(strict) {}

  void warn(const ParseError& oddity);
  void warn(const std::string& oddity);  ///< becomes a ModelError where strict

  void note(const std::string& remark) {
    notes_.push_back(remark);
  }  ///< nothing odd: a seed, a sum

  bool strict() const noexcept { return strict_; }
  const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  const std::vector<std::string>& notes() const noexcept { return notes_; }

 private:
  bool strict_;
  std::vector<std::string> warnings_, notes_;
};

/// Each message once, in the order of their first appearance, with a count where it came more than
/// once: "MESSAGE (3 times)". Messages that differ only by the "FILE:LINE:COLUMN: " of one file
/// count as one. The first place stands, with "(3 times, last in line 17)". O(n log n).
std::vector<std::string> onceEach(std::span<const std::string> messages);

}  // namespace scree
