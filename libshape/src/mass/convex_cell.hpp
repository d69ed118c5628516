// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/mass/moments.hpp"

#include <array>
#include <cstdint>

namespace scree::mass::detail {

/// Ten integrals as plain numbers, for inner loops: the second moments are xx yy zz xy xz yz.
struct Sums {
  double m0 = 0.0, m1[3] = {}, m2[6] = {};

  /// Parts of a solid known about `o`, added as seen from the origin.
  void add(const Sums& s, const Vec3& o, double weight = 1.0) {
    const double x = o.x(), y = o.y(), z = o.z();
    m0 += weight * s.m0;
    m1[0] += weight * (s.m1[0] + x * s.m0);
    m1[1] += weight * (s.m1[1] + y * s.m0);
    m1[2] += weight * (s.m1[2] + z * s.m0);
    m2[0] += weight * (s.m2[0] + x * (2.0 * s.m1[0] + x * s.m0));
    m2[1] += weight * (s.m2[1] + y * (2.0 * s.m1[1] + y * s.m0));
    m2[2] += weight * (s.m2[2] + z * (2.0 * s.m1[2] + z * s.m0));
    m2[3] += weight * (s.m2[3] + x * s.m1[1] + y * s.m1[0] + x * y * s.m0);
    m2[4] += weight * (s.m2[4] + x * s.m1[2] + z * s.m1[0] + x * z * s.m0);
    m2[5] += weight * (s.m2[5] + y * s.m1[2] + z * s.m1[1] + y * z * s.m0);
  }
  Sums& operator+=(const Sums& s) {
    m0 += s.m0;
    for (int k = 0; k < 3; ++k) m1[k] += s.m1[k];
    for (int k = 0; k < 6; ++k) m2[k] += s.m2[k];
    return *this;
  }
  Moments moments() const {
    Moments m;
    m.m0 = m0;
    m.m1 = Vec3(m1[0], m1[1], m1[2]);
    m.m2 << m2[0], m2[3], m2[4], m2[3], m2[1], m2[5], m2[4], m2[5], m2[2];
    return m;
  }
  static Sums of(const Moments& m) {
    return {m.m0,
            {m.m1.x(), m.m1.y(), m.m1.z()},
            {m.m2(0, 0), m.m2(1, 1), m.m2(2, 2), m.m2(0, 1), m.m2(0, 2), m.m2(1, 2)}};
  }
};

/// Sums of a box about its centre.
Sums boxSums(const Vec3& halfSize);

/// A convex polyhedron with its planes, in arrays of fixed length: what cutting cells needs.
/// Faces are loops of vertices, counter-clockwise seen from outside.
struct ConvexCell {
  static constexpr int maxVertices = 64, maxFaces = 44, maxCorners = 252;

  int vertexCount = 0, faceCount = 0;
  std::array<Vec3, maxVertices> vertex;
  std::array<Vec3, maxFaces> normal;  ///< outward, unit
  std::array<double, maxFaces> offset;
  std::array<std::uint16_t, maxFaces + 1> start;  ///< of the corners of each face
  std::array<std::uint8_t, maxCorners> corner;

  ConvexCell() {}  // arrays are written before they are read
  ConvexCell(const ConvexCell& other) { *this = other; }
  ConvexCell& operator=(const ConvexCell& other);
  static ConvexCell box(const Vec3& centre, const Vec3& halfSize);

  /// Mean of the vertices.
  Vec3 middle() const;
  /// Ten integrals about the origin.
  Sums sums() const;
  double volume() const;
};

/// Side of a plane that a cell is on.
enum class Side { above, below, cut, unsure };

/// Cuts a cell along n·x = offset. Vertices nearer than `touch` count as on the plane, and belong
/// to both parts, so that the parts fill the cell. `above` and `below` are set where the cell is
/// cut. `unsure`: the parts would not fit the arrays, or rounding leaves no convex parts.
Side split(const ConvexCell& cell, const Vec3& n, double offset, double touch, ConvexCell& above,
           ConvexCell& below);

/// Ten integrals about the origin of the part of a convex cell within a ball. Exact to rounding:
/// by the divergence theorem the planar faces, cut by discs, are enough.
Sums ballInCell(const ConvexCell& cell, const Vec3& centre, double radius);

/// The same within the cylinder about the line through `p` along the unit vector `t`.
Sums cylinderInCell(const ConvexCell& cell, const Vec3& p, const Vec3& t, double radius);

/// The same within the image of the unit ball under y -> centre + stretch y; `toUnit` is the
/// inverse of `stretch`.
Sums ellipsoidInCell(const ConvexCell& cell, const Vec3& centre, const Mat3& stretch,
                     const Mat3& toUnit);

}  // namespace scree::mass::detail
