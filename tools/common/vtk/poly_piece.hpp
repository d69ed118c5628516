// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/polygons.hpp"

#include <cstdint>
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

/// Points, cells and arrays of one .vtp file, without a word of VTK.
///
/// Cell arrays run over all vertices first, then lines, then polygons: that is VTK's order.
struct PolyPiece {
  std::vector<Vec3> points;  ///< [L]
  bool doublePoints = true;  ///< else 32-bit coordinates, good to 1e-7 of the largest one
  shape::Polygons vertices, lines, polygons;

  std::vector<DataArray> pointData, cellData;
  std::vector<DataArray> fieldData;                                     ///< of the file as a whole
  std::vector<std::pair<std::string, std::vector<std::string>>> texts;  ///< idem, words

  // What ParaView takes first for colours, arrows, shading and identity; names of arrays above,
  // in the point or in the cell data; empty for none.
  std::string scalars, vectors, normals, globalIds;

  std::size_t cellCount() const { return vertices.size() + lines.size() + polygons.size(); }
};

}  // namespace scree::tools::vtp
