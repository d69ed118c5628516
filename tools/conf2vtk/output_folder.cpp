// SPDX-License-Identifier: GPL-3.0-or-later
#include "output_folder.hpp"

#include "links.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/base/version.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// The version of arrays and geometry of pieces; a number higher where the same options make them
/// otherwise. Pieces of an earlier number are made again.
constexpr int contentVersion = 2;

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

/// Time at which a file was last written; the earliest time if it cannot be read.
fs::file_time_type changed(const std::string& path) {
  std::error_code code;
  const auto time = fs::last_write_time(path, code);
  return code ? fs::file_time_type::min() : time;
}

/// All that pieces depend on beside the conf-file and the shape-file.
/// @param first  the first file, which displacements and broken bonds refer to
std::string settingsOf(const Conf2vtkOptions& o, const ArrayChoice& arrays,
                       const std::string& first) {
  std::string text = fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {}", version(), contentVersion, arrays.text(),
      static_cast<int>(o.geometry), o.fineness, static_cast<int>(o.contacts), o.bonds, o.images,
      o.normals, static_cast<int>(o.encoding.compression), o.encoding.ascii, o.select);
  if (arrays.wantsReference() || o.bonds) text += " since " + first;
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("conf2vtk {} settings {:016x}{:016x}", version(), hash.high64, hash.low64);
}

}  // namespace

std::string Kind::fileOf(const std::string& tag) const {
  return fmt::format("{0}/{0}_{1}.vtp", name, tag);
}

std::vector<Kind> kindsOf(const Conf2vtkOptions& options, const ArrayChoice& arrays,
                          const sim::Conf& first, const DrawnShapes& shapes) {
  std::vector<Kind> kinds;
  const auto add = [&](const std::string& name, auto piece) {
    kinds.push_back({name, piece, {}, {}});
  };
  BodyDrawing drawing;
  drawing.normals = options.normals;
  if (options.geometry == Geometry::skeleton) drawing.outline = &DrawnShape::skeleton;
  BodyDrawing drivenDrawing = drawing;
  drivenDrawing.sumsOfContacts = false;
  if (arrays.wantsFaceLoads()) {
    drivenDrawing.outline = &DrawnShape::skeleton;
    drivenDrawing.faceLoads = true;
  }
  const bool boxes = options.geometry == Geometry::boxes;
  if (boxes) drawing.outline = &DrawnShape::box;
  drawing.images = options.images && first.cell.used;
  add("centres", [&](const Scene& s) { return centresPiece(s, arrays); });
  if (options.geometry != Geometry::glyphs)
    add(boxes ? "boxes" : "particles", [&arrays, drawing](const Scene& s) {
      return bodiesPiece(s, arrays, Bodies::unbound, drawing);
    });
  if (first.nDriven > 0) {
    add("driven", [&arrays, drivenDrawing](const Scene& s) {
      return bodiesPiece(s, arrays, Bodies::driven, drivenDrawing);
    });
    // Arrays that follow from contacts change with time though nothing moves.
    if (!arrays.wantsContactSums() && options.select.empty()) kinds.back().sharesWith = sameDriven;
  }
  if (options.contacts == ContactDrawing::points)
    add("contacts", [&](const Scene& s) { return contactsPiece(s, arrays); });
  if (options.contacts == ContactDrawing::chains)
    add("chains", [&](const Scene& s) { return chainsPiece(s, arrays); });
  if (options.bonds) add("bonds", [&](const Scene& s) { return bondsPiece(s, arrays.doubles()); });
  if (hasWalls(first, shapes)) add("walls", wallsPiece);
  if (first.cell.used) add("cell", cellPiece);
  return kinds;
}

OutputFolder::OutputFolder(const Conf2vtkOptions& options, const ArrayChoice& arrays,
                           std::vector<Kind> kinds, const std::vector<SeriesItem>& items,
                           const std::string& shapeFile)
    : options_(options), kinds_(std::move(kinds)), items_(items), remake_(items.size(), 1) {
  for (const SeriesItem& item : items_)
    sources_.push_back(item.path == "-" ? std::string() : relativeTo(item.path, options_.output));
  note_ = settingsOf(options_, arrays, sources_.front());
  for (Kind& kind : kinds_) {
    const auto old = vtp::readCollection(inFolder(kind.name + ".pvd"));
    if (!old) continue;
    for (const auto& entry : old->entries) {
      if (entry.source.empty()) continue;
      const std::string tag = tagOf(fs::path(entry.source).filename().string());
      // Files that do not look like ours are left alone.
      if (entry.file == kind.fileOf(tag)) named_.push_back(entry.file);
      if (old->note == note_ && fs::is_regular_file(inFolder(entry.file)))
        kind.entries[tag] = entry;
    }
  }
  // The pieces of the first one may serve for all.
  if (!options_.remake && isKept(0, shapeFile))
    for (std::size_t k = 0; k < items_.size(); ++k) remake_[k] = !isKept(k, shapeFile);
}

std::string OutputFolder::inFolder(const std::string& name) const {
  return (fs::path(options_.output) / name).string();
}

bool OutputFolder::isKept(std::size_t k, const std::string& shapeFile) const {
  const SeriesItem& item = items_[k];
  const auto centresMade = changed(inFolder(kinds_.front().fileOf(item.tag)));
  const auto newest = std::max(changed(item.path), changed(shapeFile));
  if (centresMade < newest) return false;
  return std::ranges::all_of(kinds_, [&](const Kind& kind) {
    const auto entry = kind.entries.find(item.tag);
    if (entry == kind.entries.end() || entry->second.source != sources_[k]) return false;
    const std::string& file = entry->second.file;
    const auto made = changed(inFolder(file));
    // A piece of an earlier conf-file that this one shares must not have changed since.
    return file == kind.fileOf(item.tag) ? made >= newest : made <= centresMade;
  });
}

std::size_t OutputFolder::write(std::size_t item, double time,
                                const std::vector<std::string>& texts) {
  std::size_t bytes = 0;
  std::vector<std::string> files;
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    files.push_back(kinds_[k].fileOf(items_[texts[k].empty() ? 0 : item].tag));
    if (!texts[k].empty()) writeFile(inFolder(files[k]), texts[k], Existing::replace);
    bytes += texts[k].size();
  }
  const std::scoped_lock lock(mutex_);
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    kinds_[k].entries[items_[item].tag] = {time, files[k], sources_[item]};
  const auto now = std::chrono::steady_clock::now();
  if (now - lastCollections_ > std::chrono::seconds(3)) {
    writeCollections();
    lastCollections_ = now;
  }
  return bytes;
}

std::size_t OutputFolder::finish(Diagnostics& diagnostics) {
  // A file may have been compressed or unpacked since.
  const auto isGone = [&](const auto& tagged) {
    const std::string path = inFolder(std::string(withoutZst(tagged.second.source)));
    std::error_code code;
    return !tagged.second.source.empty() && !fs::exists(path, code) &&
           !fs::exists(path + ".zst", code);
  };
  std::size_t dropped = 0;
  std::set<std::string> gone(named_.begin(), named_.end());
  for (Kind& kind : kinds_) {
    if (!options_.keepStale) dropped += std::erase_if(kind.entries, isGone);
    for (const auto& [tag, entry] : kind.entries) gone.erase(entry.file);
  }
  writeCollections();
  std::error_code code;
  if (options_.keepStale) gone.clear();
  // Also what calls that were killed have left half-written.
  for (const Kind& kind : kinds_)
    for (const std::string& folder : {std::string(), kind.name})
      for (fs::directory_iterator file(inFolder(folder), code), end; !code && file != end;
           file.increment(code)) {
        const std::string name = file->path().filename().string();
        if (nameOfDeadTemporary(name).starts_with(kind.name))
          gone.insert((fs::path(folder) / name).string());
      }
  for (const std::string& file : gone) fs::remove(inFolder(file), code);
  const SeriesItem* before = nullptr;
  double time = 0.0;
  for (const SeriesItem& item : items_) {
    const auto known = kinds_.front().entries.find(item.tag);
    if (known == kinds_.front().entries.end()) continue;
    const double now = known->second.time;
    if (before != nullptr && now <= time)
      diagnostics.warn(
          fmt::format("{}: its time {} is not after the {} of {}: collections are "
                      "sorted by time, and ParaView shows one file for each time",
                      item.path, shortest(now), shortest(time), before->path));
    before = &item;
    time = now;
  }
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
    vtp::Collection collection{note_, {}};
    for (const auto& [tag, entry] : kind.entries) collection.entries.push_back(entry);
    writeFile(inFolder(kind.name + ".pvd"), vtp::collectionText(collection), Existing::replace);
  }
}

}  // namespace scree::tools
