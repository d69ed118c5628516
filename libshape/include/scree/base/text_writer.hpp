// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree {

/// Takes the next part of a text.
using TextSink = std::function<void(std::string_view)>;

/// Builds a text of blank-separated words in memory, or passes it on in parts.
///
/// Doubles are written as the shortest text that reads back to the same bits, or, after
/// `setDecimals(n)`, in scientific notation with n decimals. Locales do not matter.
class TextWriter {
 public:
  /// @param threads  for `lines`; the text is the same for any number
  /// @param sink  gets whole lines, some 256 kB at a time; without it the text is kept
  explicit TextWriter(int threads = 1, TextSink sink = nullptr)
      : sink_(std::move(sink)), threads_(threads) {}
  /// n >= 0: scientific notation with that many decimals; n < 0: shortest exact text.
  void setDecimals(int n) noexcept { decimals_ = n; }

  TextWriter& put(std::string_view word);
  TextWriter& put(const char* word) { return put(std::string_view(word)); }
  TextWriter& put(double value);
  template <std::integral I>
  TextWriter& put(I value) {
    return put(std::string_view(std::to_string(value)));
  }
  TextWriter& put(const Vec3& v);
  TextWriter& put(const Quat& q);  ///< scalar first
  TextWriter& put(const Mat3& m);  ///< row by row
  TextWriter& endLine();
  void passOn();  ///< gives the sink what is left of the text
  /// Text as it is, without a separator before it.
  TextWriter& raw(std::string_view text);

  /// All items on one line.
  template <class... Items>
  TextWriter& line(const Items&... items) {
    (put(items), ...);
    return endLine();
  }

  /// Calls write(writer, k) for each k in [0, n), on several threads, and puts the texts in the
  /// order of k. Each call writes whole lines to the writer that it is given.
  template <class F>
  TextWriter& lines(std::size_t n, F&& write) {
    constexpr std::size_t chunk = 256;  // lines that are worth a thread
    std::vector<TextWriter> parts(threads_ > 1 ? 8 * static_cast<std::size_t>(threads_) : 0);
    std::size_t done = 0;
    while (!parts.empty() && n - done >= 2 * chunk) {
      const std::size_t begin = done, count = std::min(parts.size(), (n - begin) / chunk);
      parallelFor(threads_, count, [&](std::size_t m) {
        parts[m].text_.clear();
        parts[m].decimals_ = decimals_;
        for (std::size_t k = 0; k < chunk; ++k) write(parts[m], begin + m * chunk + k);
      });
      for (std::size_t m = 0; m < count; ++m) raw(parts[m].text_);
      done += count * chunk;
    }
    for (; done < n; ++done) write(*this, done);
    return *this;
  }

  /// Text so far, without what went to a sink.
  const std::string& text() const noexcept { return text_; }
  std::string take() noexcept { return std::move(text_); }

 private:
  static constexpr std::size_t partBytes = std::size_t{1} << 18;
  void separate();
  void passOnFull() {
    if (lineStart_ && text_.size() >= partBytes) passOn();
  }

  std::string text_;
  TextSink sink_;
  int threads_ = 1, decimals_ = -1;
  bool lineStart_ = true;
};

/// The shortest text that reads back to the same double ("0.1", "1e-04" never "0.1000000001").
std::string shortest(double value);
void appendShortest(std::string& out, double value);

}  // namespace scree
