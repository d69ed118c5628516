// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <string_view>

namespace scree {
namespace {
std::string oneLine(const SourcePlace& where, const std::string& message) {
  if (where.line == 0) return fmt::format("{}: {}", where.file, message);
  return fmt::format("{}:{}:{}: {}", where.file, where.line, where.column, message);
}
}  // namespace

ParseError::ParseError(SourcePlace where, const std::string& message, std::string excerpt)
    : Error(oneLine(where, message)), where_(std::move(where)), excerpt_(std::move(excerpt)) {}

void Diagnostics::warn(const ParseError& oddity) {
  if (strict_) throw oddity;
  // A damaged file may have an oddity on each line: those after the first 1,000 are counted, in the
  // text of the last warning.
  constexpr std::size_t mostKept = 1000;
  constexpr std::string_view counting =
      "warnings about the content of files that are not printed: ";
  if (warnings_.size() < mostKept) {
    warnings_.emplace_back(oddity.what());
    return;
  }
  if (!warnings_.back().starts_with(counting)) warnings_.push_back(fmt::format("{}0", counting));
  std::string& last = warnings_.back();
  last = fmt::format("{}{}", counting, std::stoull(last.substr(counting.size())) + 1);
}

void Diagnostics::warn(const std::string& oddity) {
  if (strict_) throw ModelError(oddity);
  warnings_.push_back(oddity);
}

}  // namespace scree
