// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_file.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/measure/growing_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;
using sim::TableFormat;

constexpr std::size_t mostInMemory = std::size_t{4} << 20;

bool isStandardOutput(const std::string& path) { return path == "-" || path == "/dev/stdout"; }

}  // namespace

TableFile::TableFile(std::string path, const sim::TableHeader& header, const Options& options)
    : path_(isStandardOutput(path) ? "-" : std::move(path)),
      options_(options),
      header_(header),
      writer_(options.format, header) {
  if (!options_.append && !options_.live) {
    checkMayWrite(path_, options_.existing);
    return;
  }
  const char* option = options_.live ? "--follow" : "--append";
  if (options_.format == TableFormat::json)
    throw UsageError(
        fmt::format("{}: a json table is one object and cannot grow; jsonl can", option));
  if (path_ == "-") {
    if (options_.append) throw UsageError("--append needs -o FILE, the table to continue");
    return;
  }
  if (options_.live && namesCompressed(path_))
    throw UsageError(fmt::format(
        "--follow: {} would be compressed, and cannot grow; leave the ending .zst out", path_));
  if (isStream()) return;
  const auto time = std::ranges::find(header_.columns, "t", &sim::Column::name);
  if (time == header_.columns.end())
    throw UsageError(fmt::format(
        "{}: the table needs the column t, by which it goes on; add it to --columns", option));
  time_ = static_cast<std::size_t>(time - header_.columns.begin());
  const std::string head = writer_.take();
  had_ = existingTable(path_, header_, options_.format, head);
  if (had_.lastTime) lastRows_ = had_.text.substr(had_.lastRows);
  text_ = had_.text.empty() ? head : had_.text;
  std::error_code code;
  isInPlace_ = options_.live && !had_.text.empty() && !had_.isCut && !fs::is_symlink(path_, code);
  if (isInPlace_) text_.clear();
}

/// A pipe or a device, which has no rows.
bool TableFile::isStream() const {
  std::error_code code;
  return path_ == "-" || (fs::exists(path_, code) && !fs::is_regular_file(path_, code));
}

void TableFile::rowsOfFile(const std::vector<sim::Row>& rows) {
  if (rows.empty()) return;
  if (had_.lastTime) {
    const auto* t = std::get_if<double>(&rows.front()[time_]);
    const double time = t ? sim::tableTime(*t) : std::nan("");
    if (time == *had_.lastTime) {
      sim::TableWriter own(options_.format, header_);
      own.take();
      for (const sim::Row& row : rows) own.row(row);
      const std::string lines = own.take();
      if (lastRows_.starts_with(lines)) {
        lastRows_.erase(0, lines.size());
      } else if (!lastRows_.empty() && lines.starts_with(lastRows_)) {
        text_ += lines.substr(lastRows_.size());
        lastRows_.clear();
      }
      return;
    }
    if (!(time > *had_.lastTime)) return;
    lastRows_.clear();  // the table has gone on
  }
  for (const sim::Row& row : rows) this->row(row);
}

void TableFile::row(const sim::Row& row) {
  writer_.row(row);
  if (options_.live || writer_.size() < (path_ == "-" ? std::size_t{1} << 20 : mostInMemory))
    return;
  text_ += writer_.take();
  if (path_ == "-") {
    writeFile("-", text_, Existing::replace);
    text_.clear();
  } else if (!namesCompressed(path_)) {
    spill();
  }
}

void TableFile::spill() {
  std::error_code code;
  if (!spilled_) {
    // What is no regular file, a pipe for instance, takes everything at once.
    if (fs::exists(path_, code) && !fs::is_regular_file(path_, code)) return;
    spilled_.emplace(path_);
  }
  spilled_->append(text_);
  text_.clear();
}

void TableFile::flush() {
  text_ += writer_.take();
  if (path_ == "-") {
    writeFile("-", text_, Existing::replace);
  } else if (isInPlace_ || isStream()) {
    if (!text_.empty()) sim::appendLines(path_, text_);
  } else {
    // In place of a link, and of a table that was cut short.
    writeFile(path_, text_, Existing::replace);
    isInPlace_ = true;
  }
  text_.clear();
}

void TableFile::finish() {
  if (options_.live) {
    writer_.finish();
    return flush();
  }
  writer_.finish();
  text_ += writer_.take();
  const Existing existing = options_.append ? Existing::replace : options_.existing;
  if (!spilled_) {
    writeFile(path_, text_, existing);
    return;
  }
  spill();
  checkMayWrite(path_, existing);
  spilled_->finish();
  spilled_.reset();
}

}  // namespace scree::tools
