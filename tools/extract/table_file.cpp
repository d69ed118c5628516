// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_file.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;
using sim::TableFormat;

constexpr std::size_t mostInMemory = std::size_t{4} << 20;

/// The line of names of a table, without what stands above it; empty where there is none.
std::string namesLine(const std::string& text, TableFormat format) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const bool comment = line.starts_with('#');
    if (format == TableFormat::txt ? comment : !comment) return line;
  }
  return {};
}

void appendTo(const std::string& path, const std::string& text) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code code;
  if (!folder.empty()) fs::create_directories(folder, code);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "ab"),
                                                             &std::fclose);
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fflush(file.get()) != 0)
    throw IoError(fmt::format("{}: {}", path, std::strerror(errno)));
}

}  // namespace

TableFile::TableFile(std::string path, const sim::TableHeader& header, const Options& options)
    : path_(std::move(path)), options_(options), writer_(options.format, header) {
  std::error_code code;
  const bool isFile = path_ != "-";
  if (options_.live && options_.format == TableFormat::json)
    throw UsageError("--follow: a json table is one object and cannot grow; jsonl can");
  if (!options_.append && !options_.live) {
    checkMayWrite(path_, options_.existing);
  } else if (isFile || options_.append) {
    if (!isFile) throw UsageError("--append needs -o FILE, the table to continue");
    if (options_.format == TableFormat::json)
      throw UsageError("--append: a json table is one object and cannot be continued; jsonl can");
    if (fs::exists(path_, code)) {
      readExisting(header);
      if (options_.live && !text_.empty()) {
        writeFile(path_, text_, Existing::replace);  // ends in a whole line now
        text_.clear();
      }
    }
  }
}

void TableFile::readExisting(const sim::TableHeader& header) {
  const std::string old = readFile(path_);
  const std::string head = writer_.take();
  if (old.empty()) {
    text_ = head;
    return;
  }
  text_ = old;
  if (text_.back() != '\n') text_ += '\n';
  if (options_.format == TableFormat::jsonl) {
    if (!old.starts_with('{'))
      throw UsageError(fmt::format("--append: {} is no jsonl table; use --format", path_));
    return;
  }
  const std::string has = namesLine(old, options_.format), needs = namesLine(head, options_.format);
  if (has != needs)
    throw UsageError(fmt::format("--append: {} has the columns '{}', expected '{}'", path_,
                                 shown(has), shown(needs)));
  if (header.columns.empty() || header.columns.front().name != "t") return;
  const std::size_t end = text_.size() - 1;
  const std::size_t newline = end == 0 ? std::string::npos : text_.rfind('\n', end - 1);
  const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
  const std::string last = text_.substr(begin, end - begin);
  if (last == has) return;
  lastTime_ = parseNumber(last.substr(0, last.find_first_of(",\t ")));
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
  if (text_.empty()) return;
  if (path_ == "-")
    writeFile("-", text_, Existing::replace);
  else
    appendTo(path_, text_);
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
