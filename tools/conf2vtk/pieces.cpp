// SPDX-License-Identifier: GPL-3.0-or-later
#include "pieces.hpp"

#include "scree/base/version.hpp"
#include "scree/sim/model/images.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace scree::tools {

namespace {

/// Vertices, lines and polygons, in VTK's order.
using AllCells = std::array<vtp::Cells, 3>;
constexpr std::array<vtp::Cells Outline::*, 3> kindsOfCells{&Outline::vertices, &Outline::lines,
                                                            &Outline::polygons};

/// The number of bodies of one shape for a part of a file that makes the file shortest; 0: they are
/// too few for parts of their own. All parts of a shape have one copy of the cells in the file.
/// A part costs some 2 kB of XML, a body of the copy some 3 bytes for each corner and cell.
std::size_t sizeOfParts(std::size_t bodies, std::size_t cornersAndCells) {
  const double each = 3.0 * static_cast<double>(cornersAndCells) + 1.0;
  const auto size = static_cast<std::size_t>(
      std::max(1.0, std::round(std::sqrt(static_cast<double>(bodies) * 2000.0 / each))));
  return bodies < std::max<std::size_t>(4, 2 * size) ? 0 : size;
}

/// How bodies of a piece are drawn.
struct BodyDrawing {
  const Scene& scene;
  const ArrayChoice& arrays;
  Outline DrawnShape::*outline;
  bool unbound, doublePoints;

  const Outline& outlineOf(const DrawnBody& b) const { return scene.shapeOf(b.body).*outline; }

  /// Cells of bodies that follow each other.
  AllCells cellsOf(std::span<const DrawnBody> bodies) const {
    AllCells cells;
    std::size_t base = 0;
    for (const DrawnBody& b : bodies) {
      for (std::size_t k = 0; k < 3; ++k)
        cells[k].append((outlineOf(b).*kindsOfCells[k]).get(), base);
      base += outlineOf(b).points.size();
    }
    return cells;
  }

  /// Some bodies as a part of a file. @param cells  as cellsOf has them
  vtp::PolyPiece part(std::span<const DrawnBody> bodies, const AllCells& cells) const {
    vtp::PolyPiece piece;
    piece.vertices = cells[0];
    piece.lines = cells[1];
    piece.polygons = cells[2];
    std::size_t points = 0;
    for (const DrawnBody& b : bodies) points += outlineOf(b).points.size();
    if (points > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw std::runtime_error("more than 2.1 billion points in one file");
    piece.points.reserve(points);
    for (const DrawnBody& b : bodies) {
      const sim::ParticleRecord& p = scene.conf->particles[b.body];
      const Mat3 scaled = p.homothety * rotationMatrix(p.q);
      const Vec3 centre = p.pos + b.shift;
      for (const Vec3& x : outlineOf(b).points) piece.points.push_back(centre + scaled * x);
    }
    std::vector<BodyItem> items;
    std::vector<std::size_t> repeat;
    for (const auto kind : kindsOfCells)
      for (const DrawnBody& b : bodies)
        if (const std::size_t count = (outlineOf(b).*kind).size(); count > 0) {
          items.push_back({scene, b.body});
          repeat.push_back(count);
        }
    // A wall that does not move is written once for the whole series. Two arrays that may change
    // nevertheless are left out, since the centres have them: orientation and coordination.
    for (const auto& row : bodyArrays())
      if (arrays.wants(row.name, row.byDefault) && row.name != "orientation" &&
          (row.name != "coordination" || unbound || arrays.wantsContactSums()))
        piece.cellData.push_back(filledArray(row, items, repeat, arrays.doubles()));
    piece.scalars = "speed";
    piece.vectors = "velocity";
    piece.tensors = "stress";
    piece.doublePoints = doublePoints;
    return piece;
  }
};

/// Whether 32-bit coordinates, good to 6e-8 of themselves, are too coarse for bodies so small.
bool farFromOrigin(const Scene& scene) {
  double farthest = 0.0, smallest = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < scene.bodyCount(); ++b) {
    farthest = std::max(farthest, scene.conf->particles[b].pos.cwiseAbs().maxCoeff());
    if (scene.size(b) > 0.0) smallest = std::min(smallest, scene.size(b));
  }
  return farthest > 1e5 * smallest;
}

void addVertex(vtp::PolyPiece& piece, const Vec3& point) {
  piece.vertices.add({static_cast<std::uint32_t>(piece.points.size())});
  piece.points.push_back(point);
}

void addLine(vtp::PolyPiece& piece, std::initializer_list<Vec3> points) {
  std::vector<std::uint32_t> line(points.size());
  std::iota(line.begin(), line.end(), static_cast<std::uint32_t>(piece.points.size()));
  piece.points.insert(piece.points.end(), points);
  piece.lines.add(line);
}

}  // namespace

std::vector<DrawnBody> drawnBodies(const Scene& scene, bool withImages) {
  const sim::Conf& conf = *scene.conf;
  std::vector<DrawnBody> out;
  sim::Images images;
  if (conf.cell.used) images.set(conf.cell.h);
  for (std::size_t b = 0; b < scene.bodyCount(); ++b) {
    if (!scene.shows(b)) continue;
    if (!withImages || !conf.cell.used || scene.driven(b)) {
      out.push_back({b, Vec3::Zero()});
      continue;
    }
    const Vec3& x = conf.particles[b].pos;
    const double reach = conf.particles[b].homothety * scene.shapeOf(b).reach;
    const Vec3 home = images.offset(-images.cellsOff(x));
    const Vec3 s = images.inverse * (x + home);
    out.push_back({b, home});
    // The images of the 26 cells around that reach into this one, by the ball around the body.
    for (int m = 0; m < 27; ++m) {
      const sim::CellShift shift(m / 9 - 1, m / 3 % 3 - 1, m % 3 - 1);
      bool reaches = m != 13;  // the body itself
      for (int k = 0; k < 3; ++k) {
        const double part = reach / images.width(k), place = s[k] + shift[k];
        reaches = reaches && place + part > 0.0 && place - part < 1.0;
      }
      if (reaches) out.push_back({b, home + images.offset(shift)});
    }
  }
  return out;
}

vtp::PolyPiece bodiesPiece(const Scene& scene, const ArrayChoice& arrays, bool unbound,
                           Outline DrawnShape::*outline, bool images) {
  const BodyDrawing drawing{scene, arrays, outline, unbound,
                            arrays.doubles() || farFromOrigin(scene)};
  std::vector<DrawnBody> bodies = drawnBodies(scene, images);
  std::erase_if(bodies, [&](const DrawnBody& b) { return scene.driven(b.body) == unbound; });
  std::vector<std::vector<DrawnBody>> byShape(scene.shapes->size());
  for (const DrawnBody& b : bodies) byShape[scene.conf->particles[b.body].shapeName].push_back(b);
  struct Part {
    std::vector<DrawnBody> bodies;
    AllCells cells;
  };
  // The first part takes the bodies whose shape few others have.
  std::vector<Part> parts(1);
  std::vector<char> apart(byShape.size(), 0);
  for (std::size_t s = 0; s < byShape.size(); ++s) {
    const std::vector<DrawnBody>& all = byShape[s];
    std::size_t corners = 0;
    for (const auto kind : kindsOfCells) {
      const vtp::Cells& cells = (*scene.shapes)[s].*outline.*kind;
      corners += cells.get().cornerCount() + cells.size();
    }
    const std::size_t most = sizeOfParts(all.size(), corners);
    apart[s] = most > 0;
    AllCells cells;
    for (std::size_t from = 0, copies = 0; most > 0 && from < all.size(); from += most) {
      const auto some = std::span(all).subspan(from, std::min(most, all.size() - from));
      if (some.size() != copies) cells = drawing.cellsOf(some);
      copies = some.size();
      parts.push_back({{some.begin(), some.end()}, cells});
    }
  }
  for (const DrawnBody& b : bodies)
    if (!apart[scene.conf->particles[b.body].shapeName]) parts.front().bodies.push_back(b);
  parts.front().cells = drawing.cellsOf(parts.front().bodies);
  if (parts.front().bodies.empty() && parts.size() > 1) parts.erase(parts.begin());
  vtp::PolyPiece piece = drawing.part(parts.front().bodies, parts.front().cells);
  for (std::size_t k = 1; k < parts.size(); ++k)
    piece.laterParts.emplace_back(
        [drawing, part = std::move(parts[k])] { return drawing.part(part.bodies, part.cells); });
  return piece;
}

vtp::PolyPiece centresPiece(const Scene& scene, const ArrayChoice& arrays) {
  vtp::PolyPiece piece;
  std::vector<BodyItem> items;
  for (std::uint32_t b = 0; b < scene.bodyCount(); ++b) {
    if (!scene.shows(b)) continue;
    addVertex(piece, scene.conf->particles[b].pos);
    items.push_back({scene, b});
  }
  // These tie a point to its glyph and its history: always there.
  static constexpr std::array<std::string_view, 4> needed{"id", "shape", "orientation",
                                                          "homothety"};
  for (const auto& row : bodyArrays())
    if (arrays.wants(row.name, row.byDefault) || among(needed, row.name))
      piece.pointData.push_back(filledArray(row, items, {}, arrays.doubles()));
  piece.scalars = "speed";
  piece.vectors = "velocity";
  piece.globalIds = "id";
  return piece;
}

vtp::PolyPiece contactsPiece(const Scene& scene, const ArrayChoice& arrays) {
  vtp::PolyPiece piece;
  std::vector<ContactItem> items;
  for (std::uint32_t k = 0; k < scene.links().size(); ++k) {
    const sim::Link& link = scene.links()[k];
    if (!scene.showsBetween(link.i, link.j)) continue;
    addVertex(piece, link.pos);
    items.push_back({scene, k});
  }
  addArrays(piece.pointData, contactArrays(), items, arrays);
  piece.doublePoints = arrays.doubles() || farFromOrigin(scene);
  piece.scalars = "fn";
  piece.vectors = "force_normal";
  return piece;
}

vtp::PolyPiece chainsPiece(const Scene& scene, const ArrayChoice& arrays) {
  vtp::PolyPiece piece;
  std::vector<Chain> chains = chainsOf(scene);
  std::erase_if(chains, [&](const Chain& c) { return !scene.showsBetween(c.i, c.j); });
  for (const Chain& chain : chains) addLine(piece, {chain.from, chain.to});
  addArrays(piece.cellData, chainArrays(), chains, arrays);
  // Tubes take radius and colour from the points.
  const std::vector<std::size_t> twice(chains.size(), 2);
  for (const auto& row : chainArrays())
    if (row.name == "tube_radius" || row.name == "fn")
      piece.pointData.push_back(filledArray(row, chains, twice, arrays.doubles()));
  piece.scalars = "fn";
  return piece;
}

vtp::PolyPiece bondsPiece(const Scene& scene, const ArrayChoice& arrays) {
  using B = DrawnBond;
  using enum NumberType;
  static const std::vector<ArrayRow<B>> rows{
      {"id_i", "", true, int32, &B::i},
      {"id_j", "", true, int32, &B::j},
      {"type", "", true, uint8, [](const B& b) { return b.bond.pairing; }},
      {"sub_i", "", true, int32, [](const B& b) { return b.bond.iSub; }},
      {"sub_j", "", true, int32, [](const B& b) { return b.bond.jSub; }},
      {"state", "", true, uint8, &B::state},
      {"bonds", "", true, int32, &B::bonds},
      {"dn", "m", true, float64, &B::dn},
      {"dn0", "m", true, float64, &B::dn0},
      {"fn", "N", true, float64, &B::fn},
      {"ft_norm", "N", true, float64, &B::ft},
      {"area", "m2", true, float64, &B::area},
      {"yield", "", true, float32, &B::yield},
      {"load", "", true, float32, &B::load}};
  static const ArrayRow<B> radius{"tube_radius", "m", true, float32, &B::tubeRadius};
  std::vector<B> bonds = bondsOf(scene);
  std::erase_if(bonds, [&](const B& b) { return !scene.showsBetween(b.i, b.j); });
  vtp::PolyPiece piece;
  for (const B& b : bonds) addLine(piece, {b.from, b.point, b.to});
  addArrays(piece.cellData, rows, bonds, ArrayChoice({}, arrays.doubles()));
  const std::vector<std::size_t> eachPoint(bonds.size(), 3);
  piece.pointData.push_back(filledArray(radius, bonds, eachPoint, arrays.doubles()));
  piece.scalars = "state";
  return piece;
}

vtp::PolyPiece cellPiece(const Scene& scene) {
  vtp::PolyPiece piece;
  const sim::PeriodicCell& cell = scene.conf->cell;
  for (int k = 0; k < 8; ++k) piece.points.push_back(cell.h * Vec3(k & 1, k >> 1 & 1, k >> 2));
  for (std::uint32_t k = 0; k < 8; ++k)
    for (const std::uint32_t bit : {1U, 2U, 4U})
      if (!(k & bit)) piece.lines.add({k, k | bit});
  const Mat3 rows = cell.h.transpose();
  piece.fieldData.push_back(
      {"cell_vectors_as_columns", "m", 9, std::vector<double>(rows.data(), rows.data() + 9)});
  piece.fieldData.push_back(
      {"cell_volume", "m3", 1, std::vector<double>{std::abs(cell.h.determinant())}});
  return piece;
}

vtp::PolyPiece shapePiece(const DrawnShape& drawn, std::size_t index, bool doubles) {
  vtp::PolyPiece piece;
  piece.doublePoints = doubles;
  piece.points = drawn.rounded.points;
  piece.polygons = drawn.rounded.polygons;
  std::vector<float> normals;
  for (const Vec3& n : drawn.rounded.normals)
    for (const double c : n) normals.push_back(static_cast<float>(c));
  piece.pointData.push_back({"Normals", "", 3, std::move(normals)});
  piece.normals = "Normals";
  piece.cellData.push_back(
      {"shape", "", 1,
       std::vector<std::int32_t>(piece.polygons.size(), static_cast<std::int32_t>(index))});
  piece.texts.emplace_back("shape_names", std::vector<std::string>{drawn.shape.name});
  return piece;
}

void addFileFields(vtp::PolyPiece& piece, const sim::Conf& conf, const std::string& source) {
  piece.fieldData.push_back({"TimeValue", "s", 1, std::vector<double>{conf.t}});
  piece.fieldData.push_back({"conf_index", "", 1, std::vector<std::int32_t>{conf.iconf}});
  piece.texts.emplace_back("source", std::vector<std::string>{source});
  piece.texts.emplace_back("program", std::vector<std::string>{"conf2vtk " + version()});
  piece.texts.emplace_back("units", std::vector<std::string>{"m kg s"});
  piece.texts.emplace_back("shape_names", conf.shapeNames);
}

}  // namespace scree::tools
