// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/error.hpp"

#include <fmt/format.h>

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
  warnings_.emplace_back(oddity.what());
}

void Diagnostics::warn(const std::string& oddity) {
  if (strict_) throw ModelError(oddity);
  warnings_.push_back(oddity);
}

}  // namespace scree
