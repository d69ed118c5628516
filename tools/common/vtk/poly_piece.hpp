// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/shape.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace scree::tools::vtp {

/// One named array of a ParaView file; `values` holds `components` numbers a tuple.
struct DataArray {
  std::string name;
  std::string unit;  ///< as it is shown, "m/s"; empty for plain numbers
  std::size_t components = 1;
  std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>,
               std::vector<std::int64_t>, std::vector<std::uint8_t>>
      values;

  std::size_t tuples() const {
    return std::visit([](const auto& v) { return v.size(); }, values) / components;
  }
};

/// Cells that several pieces may share without a copy: bodies of one shape have the same ones.
class Cells {
 public:
  Cells() = default;
  Cells(shape::Polygons cells)  // NOLINT: a list of cells is one
      : cells_(std::make_shared<shape::Polygons>(std::move(cells))) {}

  const shape::Polygons& get() const { return *cells_; }
  std::size_t size() const { return get().size(); }
  bool empty() const { return size() == 0; }
  template <class Corners>
  void add(const Corners& corners) {
    own().add(corners);
  }
  void add(std::initializer_list<std::uint32_t> corners) { own().add(corners); }
  /// Cells whose points stand behind `base` others.
  void append(const shape::Polygons& cells, std::size_t base) {
    std::vector<std::uint32_t> corners;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      corners.assign(cells[c].begin(), cells[c].end());
      for (std::uint32_t& corner : corners) corner += static_cast<std::uint32_t>(base);
      own().add(corners);
    }
  }

 private:
  shape::Polygons& own() {
    if (cells_.use_count() > 1) cells_ = std::make_shared<shape::Polygons>(*cells_);
    return *cells_;
  }
  std::shared_ptr<shape::Polygons> cells_ = std::make_shared<shape::Polygons>();
};

/// Points, cells and arrays of one .vtp file, without a word of VTK.
///
/// Cell arrays run over all vertices first, then lines, then polygons: that is VTK's order.
struct PolyPiece {
  std::vector<Vec3> points;  ///< [L]
  bool doublePoints = true;  ///< else 32-bit coordinates, good to 1e-7 of the largest one
  Cells vertices, lines, polygons;

  std::vector<DataArray> pointData, cellData;
  std::vector<DataArray> fieldData;                                     ///< of the file as a whole
  std::vector<std::pair<std::string, std::vector<std::string>>> texts;  ///< idem, words

  // Arrays that ParaView takes first for colours, arrows, shading and identity; names of arrays
  // above, in the point or in the cell data; empty for none.
  std::string scalars, vectors, tensors, normals, globalIds;

  /// Further parts of the file, with the same arrays in the same order; a reader appends them. Each
  /// is made when it is written and gone afterwards, so that a large file never stands in memory as
  /// a whole. Their cells count from their own first point, so parts may share cells, which must
  /// live as long as this list: a file holds shared cells, and arrays of equal bytes, once. What is
  /// said of the file as a whole stands in the first part alone.
  std::vector<std::function<PolyPiece()>> laterParts;

  std::size_t cellCount() const { return vertices.size() + lines.size() + polygons.size(); }
};

}  // namespace scree::tools::vtp
