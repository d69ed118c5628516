// SPDX-License-Identifier: GPL-3.0-or-later
#include "pieces.hpp"

#include "scree/base/version.hpp"
#include "scree/sim/model/images.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>

namespace scree::tools {

namespace {

void append(vtp::Cells& to, const vtp::Cells& cells, std::size_t base) {
  std::vector<std::uint32_t> corners;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto from = cells.get()[c];
    corners.assign(from.begin(), from.end());
    for (std::uint32_t& corner : corners) corner += static_cast<std::uint32_t>(base);
    to.add(corners);
  }
}

/// Vertices, lines and polygons, in VTK's order.
using AllCells = std::array<vtp::Cells, 3>;
constexpr std::array<vtp::Cells Outline::*, 3> kindsOfCells{&Outline::vertices, &Outline::lines,
                                                            &Outline::polygons};

/// How many bodies of one shape make a part of a file, 0: they are too few for parts of their own.
/// Parts share their cells; those of what remains are written apart. A part costs some 2 kB of XML.
/// A body in the cells costs some 3 bytes for each corner and cell once packed. The sum is least
/// here.
std::size_t sizeOfParts(std::size_t bodies, std::size_t cornersAndCells) {
  if (bodies < 4) return 0;
  const double each = 3.0 * static_cast<double>(cornersAndCells) + 1.0;
  const double usual = std::sqrt(static_cast<double>(bodies) * 2000.0 / each);
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (auto size = std::max<std::size_t>(1, static_cast<std::size_t>(0.5 * usual));
       static_cast<double>(size) <= 2.0 * usual + 1.0; ++size) {
    const std::size_t parts = (bodies + size - 1) / size, inCells = size + bodies % size;
    const double cost = 2000.0 * static_cast<double>(parts) + each * static_cast<double>(inCells);
    if (cost < least) {
      least = cost;
      best = size;
    }
  }
  return bodies < 2 * best ? 0 : best;
}

class Drawer {
 public:
  Drawer(const Scene& scene, const ArrayChoice& arrays, const BodyDrawing& drawing)
      : scene_(scene), arrays_(arrays), drawing_(drawing) {}

  const Outline& outlineOf(std::size_t body) const {
    return scene_.shapeOf(body).*drawing_.outline;
  }

  /// Cells of bodies that follow each other.
  AllCells cellsOf(std::span<const DrawnBody> bodies) const {
    AllCells cells;
    std::size_t base = 0;
    for (const DrawnBody& b : bodies) {
      const Outline& outline = outlineOf(b.body);
      for (std::size_t k = 0; k < 3; ++k) append(cells[k], outline.*kindsOfCells[k], base);
      base += outline.points.size();
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
    for (const DrawnBody& b : bodies) points += outlineOf(b.body).points.size();
    if (points > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw std::runtime_error("more than 2.1 billion points in one file");
    piece.points.reserve(points);
    for (const DrawnBody& b : bodies) {
      const sim::ParticleRecord& p = scene_.conf->particles[b.body];
      const Mat3 scaled = p.homothety * rotationMatrix(p.q);
      const Vec3 centre = p.pos + b.shift;
      for (const Vec3& x : outlineOf(b.body).points) piece.points.push_back(centre + scaled * x);
    }
    std::vector<BodyItem> items;
    std::vector<std::size_t> repeat;
    for (const auto kind : kindsOfCells)
      for (const DrawnBody& b : bodies) {
        const std::size_t count = (outlineOf(b.body).*kind).size();
        if (count == 0) continue;
        items.push_back({scene_, b.body});
        repeat.push_back(count);
      }
    // Walls that stand still are written once for a series, so what changes all the same is left to
    // the centres. An empty `repeat` would mean once each: also right, for no items at all.
    for (const auto& row : bodyArrays())
      if (arrays_.wants(row) && row.name != "orientation" &&
          (row.name != "coordination" || drawing_.sumsOfContacts || arrays_.wantsContactSums()))
        piece.cellData.push_back(filledArray(row, items, repeat, arrays_.doubles()));
    piece.scalars = "speed";
    piece.vectors = "velocity";
    piece.tensors = "stress";
    piece.doublePoints = drawing_.doublePoints;
    return piece;
  }

 private:
  const Scene& scene_;
  const ArrayChoice& arrays_;
  BodyDrawing drawing_;
};

std::vector<DrawnBody> chosen(const Scene& scene, Bodies which) {
  std::vector<DrawnBody> bodies;
  for (std::size_t b = 0; b < scene.bodyCount(); ++b)
    if (scene.shows(b) && scene.driven(b) == (which == Bodies::driven))
      bodies.push_back({b, Vec3::Zero()});
  return bodies;
}

template <class Item>
void addAll(std::vector<vtp::DataArray>& to, const std::vector<ArrayRow<Item>>& rows,
            const std::vector<Item>& items, const ArrayChoice& arrays,
            std::span<const std::size_t> repeat = {}) {
  for (const auto& row : rows)
    if (arrays.wants(row)) to.push_back(filledArray(row, items, repeat, arrays.doubles()));
}

}  // namespace

std::vector<DrawnBody> bodiesWithImages(const Scene& scene) {
  const sim::Conf& conf = *scene.conf;
  std::vector<DrawnBody> out;
  sim::Images images;
  if (conf.cell.used) images.set(conf.cell.h);
  for (std::size_t b = conf.nDriven; b < scene.bodyCount(); ++b) {
    if (!scene.shows(b)) continue;
    if (!conf.cell.used) {
      out.push_back({b, Vec3::Zero()});
      continue;
    }
    const Vec3& x = conf.particles[b].pos;
    const double reach = conf.particles[b].homothety * scene.shapeOf(b).reach;
    const Vec3 home = images.offset(-images.cellsOff(x));
    const Vec3 s = images.inverse * (x + home);
    out.push_back({b, home});
    // Along each vector: an image on the far side where the ball around the body sticks out.
    Eigen::Vector3i low, high;
    for (int k = 0; k < 3; ++k) {
      const double part = reach / images.width(k);
      high[k] = s[k] - part < 0.0 ? 1 : 0;
      low[k] = s[k] + part > 1.0 ? -1 : 0;
    }
    for (int i = low[0]; i <= high[0]; ++i)
      for (int j = low[1]; j <= high[1]; ++j)
        for (int k = low[2]; k <= high[2]; ++k)
          if (i != 0 || j != 0 || k != 0)
            out.push_back({b, home + images.offset(sim::CellShift(i, j, k))});
  }
  return out;
}

bool farFromOrigin(const Scene& scene) {
  double farthest = 0.0, smallest = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < scene.bodyCount(); ++b) {
    farthest = std::max(farthest, scene.conf->particles[b].pos.cwiseAbs().maxCoeff());
    if (scene.size(b) > 0.0) smallest = std::min(smallest, scene.size(b));
  }
  return farthest > 1e5 * smallest;
}

vtp::PolyPiece bodyCells(const Scene& scene, std::span<const DrawnBody> bodies,
                         const ArrayChoice& arrays, const BodyDrawing& asked) {
  BodyDrawing drawing = asked;
  drawing.doublePoints |= arrays.doubles() || farFromOrigin(scene);
  const auto drawer = std::make_shared<const Drawer>(scene, arrays, drawing);
  std::vector<std::vector<DrawnBody>> byShape(scene.shapes->size());
  for (const DrawnBody& b : bodies) byShape[scene.conf->particles[b.body].shapeName].push_back(b);

  struct Part {
    std::vector<DrawnBody> bodies;
    AllCells cells;
  };
  // Bodies whose shape few others have share the first part.
  std::vector<Part> parts(1);
  std::vector<char> apart(byShape.size(), 0);
  for (std::size_t s = 0; s < byShape.size(); ++s) {
    const std::vector<DrawnBody>& all = byShape[s];
    std::size_t corners = 0;
    for (const auto kind : kindsOfCells) {
      const vtp::Cells& cells = (*scene.shapes)[s].*drawing.outline.*kind;
      corners += cells.get().cornerCount() + cells.size();
    }
    const std::size_t most = sizeOfParts(all.size(), corners);
    apart[s] = most > 0;
    AllCells cells;
    for (std::size_t from = 0, copies = 0; most > 0 && from < all.size(); from += most) {
      const auto some = std::span(all).subspan(from, std::min(most, all.size() - from));
      if (some.size() != copies) cells = drawer->cellsOf(some);
      copies = some.size();
      parts.push_back({{some.begin(), some.end()}, cells});
    }
  }
  for (const DrawnBody& b : bodies)
    if (!apart[scene.conf->particles[b.body].shapeName]) parts.front().bodies.push_back(b);
  parts.front().cells = drawer->cellsOf(parts.front().bodies);
  if (parts.front().bodies.empty() && parts.size() > 1) parts.erase(parts.begin());
  vtp::PolyPiece piece = drawer->part(parts.front().bodies, parts.front().cells);
  for (std::size_t k = 1; k < parts.size(); ++k)
    piece.laterParts.emplace_back(
        [drawer, part = std::move(parts[k])] { return drawer->part(part.bodies, part.cells); });
  return piece;
}

vtp::PolyPiece centresPiece(const Scene& scene, const ArrayChoice& arrays) {
  vtp::PolyPiece piece;
  std::vector<BodyItem> items;
  for (std::uint32_t b = 0; b < scene.bodyCount(); ++b) {
    if (!scene.shows(b)) continue;
    piece.vertices.add({static_cast<std::uint32_t>(piece.points.size())});
    piece.points.push_back(scene.conf->particles[b].pos);
    items.push_back({scene, b});
  }
  for (const auto& row : bodyArrays()) {
    // The first three tie a point to its glyph and its history: always there.
    const bool needed = row.name == "id" || row.name == "shape" || row.name == "orientation" ||
                        row.name == "homothety";
    if (needed || arrays.wants(row))
      piece.pointData.push_back(filledArray(row, items, {}, arrays.doubles()));
  }
  piece.scalars = "speed";
  piece.vectors = "velocity";
  piece.globalIds = "id";
  return piece;
}

vtp::PolyPiece bodiesPiece(const Scene& scene, const ArrayChoice& arrays, Bodies which,
                           const BodyDrawing& drawing) {
  if (drawing.images && which == Bodies::unbound)
    return bodyCells(scene, bodiesWithImages(scene), arrays, drawing);
  return bodyCells(scene, chosen(scene, which), arrays, drawing);
}

vtp::PolyPiece contactsPiece(const Scene& scene, const ArrayChoice& arrays) {
  vtp::PolyPiece piece;
  std::vector<ContactItem> items;
  for (std::uint32_t k = 0; k < scene.links().size(); ++k) {
    const sim::Link& link = scene.links()[k];
    if (!scene.showsBetween(link.i, link.j)) continue;
    piece.vertices.add({static_cast<std::uint32_t>(piece.points.size())});
    piece.points.push_back(link.pos);
    items.push_back({scene, k});
  }
  addAll(piece.pointData, contactArrays(), items, arrays);
  piece.doublePoints = arrays.doubles() || farFromOrigin(scene);
  piece.scalars = "fn";
  piece.vectors = "force_normal";
  return piece;
}

vtp::PolyPiece chainsPiece(const Scene& scene, const ArrayChoice& arrays) {
  vtp::PolyPiece piece;
  std::vector<Chain> chains = chainsOf(scene);
  std::erase_if(chains, [&](const Chain& c) { return !scene.showsBetween(c.i, c.j); });
  std::vector<ChainItem> items;
  for (const Chain& chain : chains) {
    const auto first = static_cast<std::uint32_t>(piece.points.size());
    piece.points.push_back(chain.from);
    piece.points.push_back(chain.to);
    piece.lines.add({first, first + 1});
    items.push_back({scene, chain});
  }
  addAll(piece.cellData, chainArrays(), items, arrays);
  // Tubes take radius and colour from the points.
  const std::vector<std::size_t> twice(items.size(), 2);
  for (const auto& row : chainArrays())
    if (row.name == "tube_radius" || row.name == "fn")
      piece.pointData.push_back(filledArray(row, items, twice, arrays.doubles()));
  piece.scalars = "fn";
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
