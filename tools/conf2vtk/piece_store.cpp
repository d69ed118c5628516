// SPDX-License-Identifier: GPL-3.0-or-later
#include "piece_store.hpp"

#include "stale.hpp"

#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace scree::tools {

namespace fs = std::filesystem;

namespace {

std::optional<fs::file_time_type> changed(const std::string& path) {
  std::error_code code;
  const auto time = fs::last_write_time(path, code);
  return code ? std::nullopt : std::optional(time);
}

}  // namespace

PieceStore::PieceStore(const Conf2vtkOptions& options, std::vector<Kind> kinds,
                       const std::vector<SeriesItem>& items,
                       const std::vector<std::string>& sources,
                       std::optional<fs::file_time_type> shapesChanged,
                       const std::function<void(const std::string&)>& announce)
    : options_(options),
      kinds_(std::move(kinds)),
      items_(items),
      sources_(sources),
      shapesChanged_(shapesChanged),
      folders_(hashesOfFolders(items, options.output)),
      listedBefore_(listedPieces(options.output)),
      remake_(items.size(), 0) {
  for (const Kind& kind : kinds_) replaceLink(kind.name, announce);
  if (options_.tracks) replaceLink("tracks", announce);
  if (options_.geometry == Geometry::glyphs) replaceLink("shapes", announce);
  recallPieces(kinds_, options_.output);
  std::set<std::string> remade;
  for (std::size_t k = 0; k < items_.size(); ++k) {
    if (!options_.remake && isKept(k, remade)) {
      ++kept_;
      for (Kind& kind : kinds_) kind.pieces[items_[k].tag].folder = folders_[k];
      continue;
    }
    remake_[k] = 1;
    for (const Kind& kind : kinds_) remade.insert(kind.fileOf(items_[k].tag));
  }
}

std::string PieceStore::inFolder(const std::string& name) const {
  return (fs::path(options_.output) / name).string();
}

/// A link in place of a folder of pieces would lead out of the folder named: it goes.
void PieceStore::replaceLink(const std::string& name,
                             const std::function<void(const std::string&)>& announce) const {
  std::error_code code;
  if (!fs::is_symlink(inFolder(name), code)) return;
  const std::string target = fs::read_symlink(inFolder(name), code).string();
  if (!fs::remove(inFolder(name), code))
    throw IoError(
        fmt::format("{}: is a link, which is not followed for writing; remove it", inFolder(name)));
  announce(fmt::format("{}: a folder replaces the link to {}", inFolder(name), target));
}

bool PieceStore::isKept(std::size_t k, const std::set<std::string>& remade) const {
  const SeriesItem& item = items_[k];
  const auto confChanged = changed(item.path);
  const auto centresMade = changed(inFolder(kinds_.front().fileOf(item.tag)));
  if (!confChanged || !centresMade) return false;
  for (const Kind& kind : kinds_) {
    const auto piece = kind.pieces.find(item.tag);
    if (piece == kind.pieces.end() || remade.contains(piece->second.file)) return false;
    if (sources_[k].empty() || piece->second.source != sources_[k]) return false;
    const auto made = changed(inFolder(piece->second.file));
    if (!made || (shapesChanged_ && *made < *shapesChanged_)) return false;
    // A piece of an earlier conf-file that this one shares must not have changed since.
    const bool own = piece->second.file == kind.fileOf(item.tag);
    if (own ? *made < *confChanged : *made > *centresMade) return false;
  }
  return true;
}

void PieceStore::write(std::size_t kind, const std::string& text, std::size_t item,
                       Written& written) const {
  const bool shared = text.empty();
  written.files.push_back(kinds_[kind].fileOf(shared ? items_.front().tag : items_[item].tag));
  written.bytes += text.size();
  if (shared) return;
  try {
    writeFile(inFolder(written.files.back()), text, Existing::replace);
  } catch (...) {
    throw OutputFailed{std::current_exception()};
  }
}

void PieceStore::list(const Written& written, std::size_t item, double time) {
  const std::scoped_lock lock(mutex_);
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    kinds_[k].pieces[items_[item].tag] = {time, written.files[k], sources_[item], folders_[item]};
  const auto now = std::chrono::steady_clock::now();
  if (now - lastCollections_ > std::chrono::seconds(3)) {
    writeCollections();
    lastCollections_ = now;
  }
}

std::size_t PieceStore::finish(Diagnostics& diagnostics) {
  std::size_t removed = 0;
  if (!options_.keepStale) removed = dropStale(kinds_, items_, sources_, folders_, options_.output);
  writeCollections();
  if (!options_.keepStale) removeUnlisted(listedBefore_, options_.output);
  std::vector<double> times;
  std::vector<SeriesItem> shown;
  for (const SeriesItem& item : items_) {
    const auto known = kinds_.front().pieces.find(item.tag);
    if (known == kinds_.front().pieces.end()) continue;
    times.push_back(known->second.time);
    shown.push_back(item);
  }
  reportTimes(shown, times, diagnostics);
  return removed;
}

std::vector<std::string> PieceStore::collections() const {
  std::vector<std::string> names;
  for (const Kind& kind : kinds_) names.push_back(kind.name + ".pvd");
  std::rotate(names.begin(), names.begin() + 1, names.end());
  return names;
}

void PieceStore::writeCollections() const {
  for (const Kind& kind : kinds_) {
    if (kind.pieces.empty()) continue;
    vtp::Collection collection{kind.note, {}};
    for (const auto& [tag, piece] : kind.pieces) collection.entries.push_back(piece);
    writeFile(inFolder(kind.name + ".pvd"), vtp::collectionText(collection), Existing::replace);
  }
}

}  // namespace scree::tools
