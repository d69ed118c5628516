// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"
#include "scree/mass/unions.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace scree::clump::detail {

using mass::Ball;

/// Small cubes over a solid, each with the number of balls that cover its centre. It ranks balls
/// by the volume that they would add; results themselves come from closed forms.
///
/// Most calls ask for a gain. Whether a cube is in the solid, and whether a ball covers it, are
/// therefore bits too, and a gain counts 64 cubes at once.
class Occupancy {
 public:
  /// @param spacing  [L] edge of a cube. @param margin  [L] how far the cubes reach beyond the box
  Occupancy(const SolidDistance& solid, double spacing, double margin, int threads);

  /// Cubes inside and outside the solid.
  struct Count {
    std::int64_t in = 0, out = 0;
  };
  Count gain(const Ball& ball) const;  ///< cubes in the ball that no ball covers yet
  void add(const Ball& ball);
  void remove(const Ball& ball);  ///< one that was added before
  void clear();

  const Count& covered() const { return covered_; }
  std::int64_t inside() const { return inside_; }  ///< cubes inside the solid
  double spacing() const { return spacing_; }
  /// Share of the solid, and of the union of both, that cubes say is covered.
  double coverage() const {
    return static_cast<double>(covered_.in) / static_cast<double>(inside_);
  }
  double iou() const {
    return static_cast<double>(covered_.in) / static_cast<double>(inside_ + covered_.out);
  }

 private:
  /// row(r, first, last) for the cubes of row r whose centres lie in the ball.
  template <class Row>
  void forEachRow(const Ball& ball, Row&& row) const;

  Vec3 origin_;  ///< centre of the first cube
  double spacing_;
  std::array<std::int64_t, 3> size_{};  ///< cubes along x, y and z; the rows lie along x
  std::size_t words_ = 0;               ///< of bits for a row
  std::vector<std::uint64_t> solid_;    ///< 1 inside the solid
  std::vector<std::uint64_t> open_;     ///< 1 where no ball covers the cube
  std::vector<std::uint16_t> balls_;    ///< how many cover the cube
  std::int64_t inside_ = 0;
  Count covered_;
};

}  // namespace scree::clump::detail
