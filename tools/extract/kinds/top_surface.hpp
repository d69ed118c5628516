// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kind.hpp"

#include <array>
#include <vector>

namespace scree::tools {

/// The axes of a map: `up` against gravity, by the axis nearest to it (z without gravity). The
/// other two are across it, in the order x, y, z.
struct MapAxes {
  explicit MapAxes(const Vec3& gravity);
  int up = 2, u = 0, v = 1;
  double sign = 1.0;  ///< of the direction up along its axis
};

/// Heights of the upper surface of bodies on a raster across gravity, exact at the middle of each
/// cell. A height is the highest point of all spheres of vertices, cylinders of edges and offset
/// faces there.
class TopSurface {
 public:
  /// @param cell  [L] side of a cell; cells are numbered from the origin
  /// @throws ModelError for a raster of more than 1e8 cells
  /// O(cells below bodies * elements of a body)
  TopSurface(const sim::Instant& instant, const std::vector<char>& chosen, double cell);

  struct Cell {
    double u, v;    ///< [L] middle
    double height;  ///< [L] along up
  };
  const std::vector<Cell>& cells() const { return cells_; }  ///< those with a body, by v, then u
  double lowest() const { return lowest_; }                  ///< [L] point of all bodies
  const MapAxes& axes() const { return axes_; }

 private:
  MapAxes axes_;
  std::vector<Cell> cells_;
  double lowest_ = notKnown;
};

}  // namespace scree::tools
