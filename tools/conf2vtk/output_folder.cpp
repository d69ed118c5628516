// SPDX-License-Identifier: GPL-3.0-or-later
#include "output_folder.hpp"

#include "links.hpp"
#include "walls.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/base/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// The version of arrays and geometry of pieces; a number higher where the same options make them
/// otherwise. Pieces of an earlier number are made again.
constexpr int contentVersion = 2;

std::string_view compressionName(const vtp::VtpOptions& encoding) {
  if (encoding.ascii) return "ascii";
  switch (encoding.compression) {
    case vtp::Compression::none:
      return "none";
    case vtp::Compression::lz4:
      return "lz4";
    case vtp::Compression::zlib:
      return "zlib";
  }
  return "";
}

/// Whether the driven bodies of two conf-files are the same, at the same places, with the same
/// speeds. If so, a terrain is written once for a whole series.
bool sameDriven(const sim::Conf& a, const sim::Conf& b) {
  if (a.nDriven != b.nDriven || a.shapeNames != b.shapeNames || a.shapeFile != b.shapeFile)
    return false;
  for (std::size_t k = 0; k < a.nDriven; ++k) {
    const sim::ParticleRecord &p = a.particles[k], &r = b.particles[k];
    if (p.shapeName != r.shapeName || p.group != r.group || p.cluster != r.cluster ||
        p.homothety != r.homothety || p.pos != r.pos || p.q.coeffs() != r.q.coeffs() ||
        p.vel != r.vel || p.vrot != r.vrot || p.acc != r.acc || p.arot != r.arot)
      return false;
  }
  return true;
}

std::optional<fs::file_time_type> changed(const std::string& path) {
  std::error_code code;
  const auto time = fs::last_write_time(path, code);
  return code ? std::nullopt : std::optional(time);
}

std::string folderOf(const SeriesItem& item) {
  const std::string folder = fs::path(item.path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

std::string Kind::fileOf(const std::string& tag) const {
  return fmt::format("{0}/{0}_{1}.vtp", name, tag);
}

std::vector<Kind> kindsOf(const Conf2vtkOptions& options, const ArrayChoice& arrays,
                          const sim::Conf& first, const DrawnShapes& shapes) {
  std::string common =
      fmt::format("conf2vtk {} content {} arrays {} compress {}", version(), contentVersion,
                  arrays.text(), compressionName(options.encoding));
  // As a hash: a condition may hold what no comment of XML can.
  if (!options.select.empty()) common += " select " + hashOf(options.select);
  // Displacements and broken bonds refer to the first file.
  const std::string referring = fmt::format("{} since {}", common, shortest(first.t));
  if (arrays.wantsReference()) common = referring;
  const std::string rounded = fmt::format("{} rounded {}", common, options.fineness);
  std::vector<Kind> kinds;
  const auto add = [&](const std::string& name, const std::string& note, auto piece) {
    kinds.push_back({name, note, piece, {}, {}});
  };
  // What is drawn of a body, and the words that tell pieces made so from others.
  BodyDrawing drawing;
  drawing.normals = options.normals;
  drawing.images = options.images && first.cell.used;
  std::string drawn = rounded + (options.normals ? " normals" : "");
  std::string name = "particles";
  if (options.geometry == Geometry::skeleton) {
    drawing.outline = &DrawnShape::skeleton;
    drawn = common + " skeleton";
  }
  BodyDrawing drivenDrawing = drawing;
  drivenDrawing.sumsOfContacts = false;
  std::string drivenDrawn = drawn;
  if (arrays.wantsFaceLoads()) {
    drivenDrawing.outline = &DrawnShape::skeleton;
    drivenDrawing.faceLoads = true;
    drivenDrawn = common + " skeleton";
  }
  if (options.geometry == Geometry::boxes) {
    drawing.outline = &DrawnShape::box;
    drawn = common;
    name = "boxes";
  }
  if (drawing.images) drawn += " images";
  add("centres", common, [&](const Scene& s) { return centresPiece(s, arrays); });
  if (options.geometry != Geometry::glyphs)
    add(name, drawn, [&arrays, drawing](const Scene& s) {
      return bodiesPiece(s, arrays, Bodies::unbound, drawing);
    });
  if (first.nDriven > 0) {
    add("driven", drivenDrawn, [&arrays, drivenDrawing](const Scene& s) {
      return bodiesPiece(s, arrays, Bodies::driven, drivenDrawing);
    });
    // Arrays that follow from contacts change with time though nothing moves.
    if (!arrays.wantsContactSums() && options.select.empty()) kinds.back().sharesWith = sameDriven;
  }
  if (options.contacts == ContactDrawing::points)
    add("contacts", common, [&](const Scene& s) { return contactsPiece(s, arrays); });
  if (options.contacts == ContactDrawing::chains)
    add("chains", common, [&](const Scene& s) { return chainsPiece(s, arrays); });
  if (options.bonds)
    add("bonds", referring, [&](const Scene& s) { return bondsPiece(s, arrays.doubles()); });
  if (hasWalls(first, shapes)) add("walls", common, [](const Scene& s) { return wallsPiece(s); });
  if (first.cell.used) add("cell", common, [](const Scene& s) { return cellPiece(s); });
  return kinds;
}

OutputFolder::OutputFolder(const Conf2vtkOptions& options, std::vector<Kind> kinds,
                           const std::vector<SeriesItem>& items,
                           std::optional<fs::file_time_type> shapesChanged)
    : options_(options),
      kinds_(std::move(kinds)),
      items_(items),
      shapesChanged_(shapesChanged),
      remake_(items.size(), 0) {
  std::map<std::string, std::string> hashes;
  for (const SeriesItem& item : items_) {
    std::string& hash = hashes[folderOf(item)];
    if (hash.empty()) hash = hashOf(relativeTo(folderOf(item), options_.output));
    folders_.push_back(item.path == "-" ? std::string() : hash);
  }
  recall();
  std::set<std::string> remade;
  for (std::size_t k = 0; k < items_.size(); ++k) {
    if (!options_.remake && isKept(k, remade)) continue;
    remake_[k] = 1;
    for (const Kind& kind : kinds_) remade.insert(kind.fileOf(items_[k].tag));
  }
}

std::string OutputFolder::inFolder(const std::string& name) const {
  return (fs::path(options_.output) / name).string();
}

/// Takes over the pieces of earlier calls that their collections list, where they still exist.
void OutputFolder::recall() {
  for (Kind& kind : kinds_) {
    const auto old = vtp::readCollection(inFolder(kind.name + ".pvd"));
    if (!old) continue;
    for (const auto& entry : old->entries) {
      const std::string tag = tagOf(entry.source), own = kind.fileOf(tag);
      // What does not look like ours is left alone.
      if (entry.source.empty() || entry.source.find('/') != std::string::npos) continue;
      if (entry.file == own) listed_.insert(own);
      if (old->note == kind.note && fs::is_regular_file(inFolder(entry.file)))
        kind.entries[tag] = entry;
    }
  }
}

bool OutputFolder::isKept(std::size_t k, const std::set<std::string>& remade) const {
  const SeriesItem& item = items_[k];
  const auto confChanged = changed(item.path);
  const auto centresMade = changed(inFolder(kinds_.front().fileOf(item.tag)));
  if (!confChanged || !centresMade) return false;
  for (const Kind& kind : kinds_) {
    const auto there = kind.entries.find(item.tag);
    if (there == kind.entries.end() || remade.contains(there->second.file)) return false;
    if (there->second.folder != folders_[k]) return false;
    const auto made = changed(inFolder(there->second.file));
    if (!made || (shapesChanged_ && *made < *shapesChanged_)) return false;
    // A piece of an earlier conf-file that this one shares must not have changed since.
    const bool own = there->second.file == kind.fileOf(item.tag);
    if (own ? *made < *confChanged : *made > *centresMade) return false;
  }
  return true;
}

void OutputFolder::write(std::size_t kind, const std::string& text, std::size_t item,
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

void OutputFolder::list(const Written& written, std::size_t item, double time) {
  const std::scoped_lock lock(mutex_);
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    kinds_[k].entries[items_[item].tag] = {time, written.files[k], items_[item].name,
                                           folders_[item]};
  const auto now = std::chrono::steady_clock::now();
  if (now - lastCollections_ > std::chrono::seconds(3)) {
    writeCollections();
    lastCollections_ = now;
  }
}

/// Looks for conf-files in the folders of the items alone.
std::size_t OutputFolder::dropGone() {
  std::map<std::string, std::string> pathOf;  // of each folder, by its hash
  for (std::size_t k = 0; k < items_.size(); ++k)
    if (!folders_[k].empty()) pathOf.emplace(folders_[k], folderOf(items_[k]));
  std::size_t dropped = 0;
  std::error_code code;
  for (Kind& kind : kinds_)
    dropped += std::erase_if(kind.entries, [&](const auto& tagged) {
      const vtp::Collection::Entry& entry = tagged.second;
      const auto folder = pathOf.find(entry.folder);
      if (folder == pathOf.end()) return false;
      // A file may have been compressed or unpacked since.
      const std::string path((fs::path(folder->second) / withoutZst(entry.source)).string());
      return !fs::exists(path, code) && !fs::exists(path + ".zst", code);
    });
  return dropped;
}

std::size_t OutputFolder::finish(Diagnostics& diagnostics) {
  const std::size_t dropped = options_.keepStale ? 0 : dropGone();
  writeCollections();
  removeUnlisted();
  std::vector<double> times;
  std::vector<SeriesItem> shown;
  for (const SeriesItem& item : items_) {
    const auto known = kinds_.front().entries.find(item.tag);
    if (known == kinds_.front().entries.end()) continue;
    times.push_back(known->second.time);
    shown.push_back(item);
  }
  reportTimes(shown, times, diagnostics);
  return dropped;
}

std::vector<std::string> OutputFolder::collections() const {
  std::vector<std::string> names;
  for (const Kind& kind : kinds_) names.push_back(kind.name + ".pvd");
  std::rotate(names.begin(), names.begin() + 1, names.end());
  return names;
}

void OutputFolder::writeCollections() const {
  for (const Kind& kind : kinds_) {
    if (kind.entries.empty()) continue;
    vtp::Collection collection{kind.note, {}};
    for (const auto& [tag, entry] : kind.entries) collection.entries.push_back(entry);
    writeFile(inFolder(kind.name + ".pvd"), vtp::collectionText(collection), Existing::replace);
  }
}

/// Also removes what calls that were killed left half-written. Other files stay.
void OutputFolder::removeUnlisted() const {
  std::set<std::string> old = options_.keepStale ? std::set<std::string>() : listed_;
  const auto addTemporaries = [&](const std::string& folder, const std::string& name) {
    std::error_code code;
    for (fs::directory_iterator entry(inFolder(folder), code), end; !code && entry != end;
         entry.increment(code)) {
      const std::string file = entry->path().filename().string();
      if (nameOfDeadTemporary(file).starts_with(name))
        old.insert((fs::path(folder) / file).string());
    }
  };
  for (const Kind& kind : kinds_) {
    for (const auto& [tag, entry] : kind.entries) old.erase(entry.file);
    addTemporaries("", kind.name + ".pvd");
    addTemporaries(kind.name, kind.name + "_");
  }
  std::error_code code;
  for (const std::string& file : old) fs::remove(inFolder(file), code);
}

}  // namespace scree::tools
