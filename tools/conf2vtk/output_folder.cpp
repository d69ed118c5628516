// SPDX-License-Identifier: GPL-3.0-or-later
#include "output_folder.hpp"

#include "links.hpp"
#include "vtk/collection.hpp"

#include "scree/base/files.hpp"
#include "scree/base/version.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
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

/// The text of a file of this folder; empty where there is none.
std::string textOf(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) ? readFile(path) : std::string();
}

/// All that pieces depend on beside the conf-file and the shape-file.
/// @param first  the first file, which displacements, broken bonds and shared pieces refer to
std::string settingsOf(const Conf2vtkOptions& o, const ArrayChoice& arrays,
                       const std::string& first) {
  return fmt::format(
      "conf2vtk {} content {} arrays {} geometry {} fineness {} contacts {} bonds {} "
      "images {} compression {} ascii {} since {} select {}\n",
      version(), contentVersion, arrays.text(), static_cast<int>(o.geometry), o.fineness,
      static_cast<int>(o.contacts), o.bonds, o.images, static_cast<int>(o.encoding.compression),
      o.encoding.ascii, first, o.select);
}

}  // namespace

std::string Kind::fileOf(const std::string& tag) const {
  return fmt::format("{0}/{0}_{1}.vtp", name, tag);
}

std::vector<Kind> kindsOf(const Conf2vtkOptions& options, const ArrayChoice& arrays,
                          const sim::Conf& first, const DrawnShapes& shapes) {
  std::vector<Kind> kinds;
  const auto add = [&](const std::string& name, auto piece) { kinds.push_back({name, piece, {}}); };
  BodyDrawing drawing;
  if (options.geometry == Geometry::skeleton) drawing.outline = &DrawnShape::skeleton;
  BodyDrawing drivenDrawing = drawing;
  drivenDrawing.sumsOfContacts = false;
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
    : options_(options),
      kinds_(std::move(kinds)),
      items_(items),
      listed_(items.size()),
      remake_(items.size(), 1) {
  for (const Kind& kind : kinds_) written_.push_back(textOf(inFolder(kind.name + ".pvd")));
  const std::string settings =
                        settingsOf(options, arrays, relativeTo(items.front().path, options.output)),
                    file = inFolder(".settings");
  if (options.remake || textOf(file) != settings) {
    writeFile(file, settings, Existing::replace);
    // The clock of a file system goes in steps; pieces are newer than their settings.
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const auto oldest = std::max(changed(shapeFile), changed(file));
  // The pieces of the first one may serve for all.
  if (find(0, oldest))
    for (std::size_t k = 0; k < items.size(); ++k) remake_[k] = !find(k, oldest);
}

std::string OutputFolder::inFolder(const std::string& name) const {
  return (fs::path(options_.output) / name).string();
}

bool OutputFolder::find(std::size_t k, fs::file_time_type oldest) {
  const SeriesItem& item = items_[k];
  if (item.path == "-") return false;
  const auto ofConf = changed(item.path);
  Listed found;
  for (std::size_t m = 0; m < kinds_.size(); ++m) {
    const std::string own = kinds_[m].fileOf(item.tag);
    const auto made = changed(inFolder(own));
    const bool isThere = made > oldest && made >= ofConf;
    // Where it is not there and was not listed, the piece of the first item serves.
    const bool isShared = k > 0 && kinds_[m].sharesWith && made == fs::file_time_type::min() &&
                          written_[m].find(own) == std::string::npos;
    if (!isThere && !isShared) return false;
    found.files.push_back(isThere ? own : kinds_[m].fileOf(items_.front().tag));
  }
  try {
    found.time = sim::readTimeFromFile(item.path);
  } catch (const Error&) {
    return false;  // named where it is read again
  }
  listed_[k] = std::move(found);
  return true;
}

std::size_t OutputFolder::write(std::size_t item, double time,
                                const std::vector<std::string>& texts) {
  std::size_t bytes = 0;
  Listed listed{time, std::vector<std::string>(kinds_.size())};
  // Centres come last: where they are, all others are.
  for (std::size_t k = kinds_.size(); k-- > 0;) {
    const std::string own = inFolder(kinds_[k].fileOf(items_[item].tag));
    listed.files[k] = kinds_[k].fileOf(items_[texts[k].empty() ? 0 : item].tag);
    std::error_code ignored;
    if (texts[k].empty())
      fs::remove(own, ignored);
    else
      writeFile(own, texts[k], Existing::replace);
    bytes += texts[k].size();
  }
  listed_[item] = std::move(listed);
  return bytes;
}

void OutputFolder::finish() const {
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    std::vector<vtp::Dated> pieces;
    for (const Listed& item : listed_)
      if (!item.files.empty()) pieces.push_back({item.time, item.files[k]});
    if (!pieces.empty())
      writeFile(inFolder(kinds_[k].name + ".pvd"), vtp::collectionText(std::move(pieces)),
                Existing::replace);
  }
}

std::vector<std::string> OutputFolder::collections() const {
  std::vector<std::string> names;
  for (const Kind& kind : kinds_) names.push_back(kind.name + ".pvd");
  std::rotate(names.begin(), names.begin() + 1, names.end());
  return names;
}

}  // namespace scree::tools
