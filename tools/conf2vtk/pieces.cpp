// SPDX-License-Identifier: GPL-3.0-or-later
#include "pieces.hpp"

#include "scree/base/version.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

namespace scree::tools {
namespace {

/// Points and cells of bodies, and of which body each cell is.
class BodyCells {
 public:
  explicit BodyCells(const Scene& scene) : scene_(scene) {}

  void reserve(std::size_t points) {
    if (points > std::numeric_limits<std::uint32_t>::max())
      throw std::runtime_error("more than 4.3 billion points in one file");
    piece.points.reserve(points);
  }
  /// Begins a body; the points that cells name count from here.
  void begin() { base_ = static_cast<std::uint32_t>(piece.points.size()); }
  void add(shape::Polygons& cells, std::span<const std::uint32_t> corners) {
    corners_.assign(corners.begin(), corners.end());
    for (std::uint32_t& c : corners_) c += base_;
    cells.add(corners_);
  }
  void add(shape::Polygons& cells, std::initializer_list<std::uint32_t> corners) {
    add(cells, std::span<const std::uint32_t>(corners.begin(), corners.size()));
  }

  /// Each body's values, repeated for its cells. `cellsOf` holds, for each list of cells in VTK's
  /// order, how many cells each of `bodies` has in it.
  vtp::PolyPiece finish(const ArrayChoice& arrays, Bodies which,
                        const std::vector<std::size_t>& bodies,
                        const std::array<std::vector<std::size_t>, 3>& cellsOf) {
    std::vector<BodyItem> items;
    std::vector<std::size_t> repeat;
    for (const auto& counts : cellsOf) {
      for (std::size_t k = 0; k < counts.size(); ++k) {
        if (counts[k] == 0) continue;
        items.push_back({scene_, bodies[k]});
        repeat.push_back(counts[k]);
      }
    }
    // Walls that stand still are written once for a series, so what changes all the same is left to
    // the centres. An empty `repeat` would mean once each: also right, for no items at all.
    for (const auto& row : bodyArrays())
      if (arrays.wants(row) && row.name != "orientation" &&
          (row.name != "coordination" || which == Bodies::unbound || arrays.wantsContactSums()))
        piece.cellData.push_back(filledArray(row, items, repeat));
    piece.scalars = "speed";
    piece.vectors = "velocity";
    piece.doublePoints = wantsDouble();
    return std::move(piece);
  }

  vtp::PolyPiece piece;

 private:
  /// 32 bits hold a coordinate to 6e-8 of itself: enough unless bodies are small and far away.
  bool wantsDouble() const {
    double farthest = 0.0, smallest = std::numeric_limits<double>::infinity();
    for (const Vec3& p : piece.points) farthest = std::max(farthest, p.cwiseAbs().maxCoeff());
    for (std::size_t b = 0; b < scene_.bodyCount(); ++b)
      if (scene_.size(b) > 0.0) smallest = std::min(smallest, scene_.size(b));
    return farthest > 1e5 * smallest;
  }

  const Scene& scene_;
  std::uint32_t base_ = 0;
  std::vector<std::uint32_t> corners_;
};

std::vector<std::size_t> chosen(const Scene& scene, Bodies which) {
  std::vector<std::size_t> bodies;
  for (std::size_t b = 0; b < scene.bodyCount(); ++b)
    if (scene.driven(b) == (which == Bodies::driven)) bodies.push_back(b);
  return bodies;
}

template <class Item>
void addAll(std::vector<vtp::DataArray>& to, const std::vector<ArrayRow<Item>>& rows,
            const std::vector<Item>& items, const ArrayChoice& arrays,
            std::span<const std::size_t> repeat = {}) {
  for (const auto& row : rows)
    if (arrays.wants(row)) to.push_back(filledArray(row, items, repeat));
}

}  // namespace

vtp::PolyPiece centresPiece(const Scene& scene, const ArrayChoice& arrays) {
  vtp::PolyPiece piece;
  std::vector<BodyItem> items;
  for (std::uint32_t b = 0; b < scene.bodyCount(); ++b) {
    piece.points.push_back(scene.conf->particles[b].pos);
    piece.vertices.add({b});
    items.push_back({scene, b});
  }
  for (const auto& row : bodyArrays()) {
    // The first three tie a point to its glyph and its history: always there.
    const bool needed = row.name == "id" || row.name == "shape" || row.name == "orientation" ||
                        row.name == "homothety";
    if (needed || arrays.wants(row)) piece.pointData.push_back(filledArray(row, items, {}));
  }
  piece.scalars = "speed";
  piece.vectors = "velocity";
  piece.globalIds = "id";
  return piece;
}

vtp::PolyPiece surfacePiece(const Scene& scene, const ArrayChoice& arrays, Bodies which) {
  const std::vector<std::size_t> bodies = chosen(scene, which);
  BodyCells cells(scene);
  std::size_t points = 0;
  for (const std::size_t b : bodies) points += scene.shapeOf(b).surface.points.size();
  cells.reserve(points);
  std::vector<float> normals;
  normals.reserve(3 * points);
  std::array<std::vector<std::size_t>, 3> counts;
  for (const std::size_t b : bodies) {
    const shape::RoundedSurface& surface = scene.shapeOf(b).surface;
    const Quat& q = scene.conf->particles[b].q;
    cells.begin();
    for (const Vec3& p : surface.points) cells.piece.points.push_back(scene.placed(b, p));
    for (const Vec3& n : surface.normals) {
      const Vec3 turned = rotated(q, n);
      for (const double c : turned) normals.push_back(static_cast<float>(c));
    }
    for (std::size_t f = 0; f < surface.cells.size(); ++f)
      cells.add(cells.piece.polygons, surface.cells[f]);
    counts[2].push_back(surface.cells.size());
  }
  vtp::PolyPiece piece = cells.finish(arrays, which, bodies, counts);
  piece.pointData.push_back({"Normals", "", 3, std::move(normals)});
  piece.normals = "Normals";
  return piece;
}

vtp::PolyPiece skeletonPiece(const Scene& scene, const ArrayChoice& arrays, Bodies which) {
  const std::vector<std::size_t> bodies = chosen(scene, which);
  BodyCells cells(scene);
  std::array<std::vector<std::size_t>, 3> counts;
  for (const std::size_t b : bodies) {
    const DrawnShape& drawn = scene.shapeOf(b);
    cells.begin();
    for (const Vec3& p : drawn.shape.vertices) cells.piece.points.push_back(scene.placed(b, p));
    for (const std::uint32_t v : drawn.freeVertices) cells.add(cells.piece.vertices, {v});
    for (const shape::Edge& e : drawn.freeEdges) cells.add(cells.piece.lines, {e[0], e[1]});
    for (std::size_t f = 0; f < drawn.shape.faces.size(); ++f)
      cells.add(cells.piece.polygons, drawn.shape.faces[f]);
    counts[0].push_back(drawn.freeVertices.size());
    counts[1].push_back(drawn.freeEdges.size());
    counts[2].push_back(drawn.shape.faces.size());
  }
  cells.reserve(cells.piece.points.size());
  return cells.finish(arrays, which, bodies, counts);
}

vtp::PolyPiece boxesPiece(const Scene& scene, const ArrayChoice& arrays, Bodies which) {
  const std::vector<std::size_t> bodies = chosen(scene, which);
  BodyCells cells(scene);
  cells.reserve(8 * bodies.size());
  std::array<std::vector<std::size_t>, 3> counts;
  for (const std::size_t b : bodies) {
    const shape::Obb& box = scene.shapeOf(b).shape.obb;
    cells.begin();
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 signs(corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0);
      cells.piece.points.push_back(
          scene.placed(b, box.centre + box.axes * box.extent.cwiseProduct(signs)));
    }
    for (const auto& face : {std::array<std::uint32_t, 4>{0, 2, 3, 1},
                             {4, 5, 7, 6},
                             {0, 1, 5, 4},
                             {2, 6, 7, 3},
                             {0, 4, 6, 2},
                             {1, 3, 7, 5}})
      cells.add(cells.piece.polygons, face);
    counts[2].push_back(6);
  }
  return cells.finish(arrays, which, bodies, counts);
}

vtp::PolyPiece contactsPiece(const Scene& scene, const ArrayChoice& arrays) {
  vtp::PolyPiece piece;
  std::vector<ContactItem> items;
  const auto& records = scene.conf->interactions;
  for (std::uint32_t k = 0; k < records.size(); ++k) {
    piece.points.push_back(records[k].pos);
    piece.vertices.add({k});
    items.push_back({scene, k});
  }
  addAll(piece.pointData, contactArrays(), items, arrays);
  piece.scalars = "fn";
  piece.vectors = "force_normal";
  return piece;
}

vtp::PolyPiece chainsPiece(const Scene& scene, const ArrayChoice& arrays) {
  vtp::PolyPiece piece;
  const std::vector<Chain> chains = chainsOf(scene);
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
      piece.pointData.push_back(filledArray(row, items, twice));
  piece.scalars = "fn";
  return piece;
}

vtp::PolyPiece shapePiece(const DrawnShape& drawn, std::size_t index) {
  vtp::PolyPiece piece;
  piece.doublePoints = false;
  piece.points = drawn.surface.points;
  piece.polygons = drawn.surface.cells;
  std::vector<float> normals;
  for (const Vec3& n : drawn.surface.normals)
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
