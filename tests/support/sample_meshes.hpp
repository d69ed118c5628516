// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/rng.hpp"
#include "scree/shape/mesh.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>

/// Meshes whose faces, volume and distances are known, for tests.
namespace scree::samples {

using shape::SurfaceMesh;

/// A grid of nx by ny squares, each two triangles, at point(i, j).
inline void addGrid(SurfaceMesh& mesh, int nx, int ny, const std::function<Vec3(int, int)>& point) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  const auto at = [&](int i, int j) {
    return first + static_cast<std::uint32_t>(j * (nx + 1) + i);
  };
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) mesh.vertices.push_back(point(i, j));
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      // Diagonals of both kinds.
      if ((i + j) % 2) {
        mesh.faces.add({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        mesh.faces.add({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      } else {
        mesh.faces.add({at(i, j), at(i + 1, j), at(i, j + 1)});
        mesh.faces.add({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
}

/// A box with corners at 0 and `size`, each side cut into 2 n² triangles.
inline SurfaceMesh griddedBox(const Vec3& size, int n) {
  SurfaceMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool top : {false, true}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      addGrid(mesh, n, n, [&](int i, int j) {
        Vec3 p = Vec3::Zero();
        p[top ? u : v] = size[top ? u : v] * i / n;
        p[top ? v : u] = size[top ? v : u] * j / n;
        p[axis] = top ? size[axis] : 0.0;
        return p;
      });
    }
  return shape::welded(mesh, 0.0);
}

/// A ball of subdivided latitude and longitude, poles closed.
inline SurfaceMesh globe(double radius, int n) {
  SurfaceMesh mesh;
  addGrid(mesh, 2 * n, n, [&](int i, int j) {
    const double theta = pi * j / n, phi = 2.0 * pi * (i % (2 * n)) / (2 * n);
    const double s = j == 0 || j == n ? 0.0 : std::sin(theta);
    return Vec3(-radius * s * std::cos(phi), radius * s * std::sin(phi), radius * std::cos(theta));
  });
  return shape::welded(mesh, 1e-12 * radius);
}

inline SurfaceMesh torus(double big, double small, int n, int m) {
  SurfaceMesh mesh;
  addGrid(mesh, n, m, [&](int i, int j) {
    const double u = 2.0 * pi * (i % n) / n, v = 2.0 * pi * (j % m) / m;
    const double r = big + small * std::cos(v);
    return Vec3(r * std::cos(u), r * std::sin(u), small * std::sin(v));
  });
  return shape::welded(mesh, 0.0);
}

/// A prism on a polygon with a square hole: 0 <= x, y <= 3 without 1 <= x, y <= 2, height 1.
inline SurfaceMesh squareRing() {
  SurfaceMesh mesh;
  for (const double z : {0.0, 1.0}) {
    SurfaceMesh side;
    addGrid(side, 3, 3, [&](int i, int j) { return Vec3(i, j, z); });
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), side.vertices.begin(), side.vertices.end());
    for (std::size_t f = 0; f < side.faces.size(); ++f) {
      Vec3 middle = Vec3::Zero();
      for (const auto v : side.faces[f]) middle += side.vertices[v] / 3.0;
      if ((middle.head<2>() - Vec2(1.5, 1.5)).cwiseAbs().maxCoeff() < 0.5) continue;
      const auto c = side.faces[f];
      if (z > 0.0)
        mesh.faces.add({first + c[0], first + c[1], first + c[2]});
      else
        mesh.faces.add({first + c[0], first + c[2], first + c[1]});
    }
  }
  const std::array<Vec2, 8> line{{{0, 0}, {3, 0}, {3, 3}, {0, 3}, {1, 1}, {1, 2}, {2, 2}, {2, 1}}};
  for (std::size_t k = 0; k < 8; ++k) {
    const Vec2 a = line[k], b = line[k / 4 * 4 + (k + 1) % 4];
    addGrid(mesh, k < 4 ? 3 : 1, 1, [&](int i, int j) {
      const Vec2 p = a + (b - a) * i / (k < 4 ? 3 : 1);
      return Vec3(p.x(), p.y(), j);
    });
  }
  return shape::welded(mesh, 0.0);
}

template <class F>
SurfaceMesh mapped(SurfaceMesh mesh, F&& f) {
  for (Vec3& v : mesh.vertices) v = f(v);
  return mesh;
}

inline SurfaceMesh joined(SurfaceMesh a, const SurfaceMesh& b) {
  const auto first = static_cast<std::uint32_t>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  std::vector<std::uint32_t> corners;
  for (std::size_t f = 0; f < b.faces.size(); ++f) {
    corners.assign(b.faces[f].begin(), b.faces[f].end());
    for (auto& c : corners) c += first;
    a.faces.add(corners);
  }
  return a;
}

inline SurfaceMesh withoutFace(const SurfaceMesh& mesh, std::size_t gone) {
  SurfaceMesh out;
  out.vertices = mesh.vertices;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    if (f != gone) out.faces.add(mesh.faces[f]);
  return out;
}

}  // namespace scree::samples
