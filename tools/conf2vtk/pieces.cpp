// SPDX-License-Identifier: GPL-3.0-or-later
#include "pieces.hpp"

#include "periodic_images.hpp"

#include "scree/base/version.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

namespace scree::tools {
namespace {

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
