// SPDX-License-Identifier: GPL-3.0-or-later
#include "kinds.hpp"

#include "bonds.hpp"
#include "pieces.hpp"
#include "surroundings.hpp"

#include "scree/base/text_writer.hpp"
#include "scree/base/version.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// What arrays and geometry of pieces are; a number higher where the same options make them
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

}  // namespace

std::string Kind::fileOf(const std::string& tag) const {
  return fmt::format("{0}/{0}_{1}.vtp", name, tag);
}

const std::vector<std::string_view>& kindNames() {
  static const std::vector<std::string_view> names{
      "centres", "particles", "boxes", "driven", "contacts", "chains", "bonds", "walls", "cell"};
  return names;
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

void recallPieces(std::vector<Kind>& kinds, const std::string& folder) {
  // A collection lists files and times. The centres never share a file, so their names show which
  // conf-file is of which time. Another kind's entry belongs to the conf-file of its time.
  const auto tagIn = [](const Kind& kind, const std::string& file) {
    const std::string before = kind.fileOf(""), begin = before.substr(0, before.size() - 4);
    return file.starts_with(begin) && file.ends_with(".vtp")
               ? file.substr(begin.size(), file.size() - begin.size() - 4)
               : std::string();
  };
  const auto& centres = kinds.front().pieces;
  std::map<double, std::string> tagAt;
  for (Kind& kind : kinds) {
    const auto old = vtp::readCollection((fs::path(folder) / (kind.name + ".pvd")).string());
    if (!old || old->note != kind.note) continue;
    for (const auto& entry : old->entries) {
      if (!fs::is_regular_file(fs::path(folder) / entry.file)) continue;
      std::string tag = tagIn(kind, entry.file);
      if (&kind != &kinds.front()) {
        const auto centre = centres.find(tag);
        if (centre == centres.end() || centre->second.time != entry.time) {
          const auto there = tagAt.find(entry.time);
          tag = there == tagAt.end() ? "" : there->second;
        }
      } else {
        tagAt.emplace(entry.time, tag);
      }
      if (!tag.empty()) kind.pieces[tag] = entry;
    }
  }
}

}  // namespace scree::tools
