// SPDX-License-Identifier: GPL-3.0-or-later
#include "hidden.hpp"

#include <algorithm>

namespace scree::mass::detail {
namespace {

Vec3 toCorner(const Vec3& halfSize, unsigned c) {
  return halfSize.cwiseProduct(Vec3(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1));
}

/// The vertex of an element that is its nearest point to all of a box, if one is. Where it is to
/// the corners it is all over the box, for such regions are convex.
const Vec3* onlyVertex(const Element& e, const Vec3& centre, const Vec3& halfSize,
                       const std::array<double, 8>& f) {
  if (e.kind != Element::Kind::triangle) return nullptr;
  for (const Vec3& p : e.corner) {
    bool all = true;
    for (unsigned c = 0; c < 8 && all; ++c)
      all = f[c] == (centre + toCorner(halfSize, c) - p).norm() - e.radius;
    if (all) return &p;
  }
  return nullptr;
}

}  // namespace

void dropHidden(const Skeleton& skeleton, const Vec3& centre, const Vec3& halfSize,
                std::vector<Near>& near) {
  constexpr std::size_t enough = 4, pairwise = 48, manyFaces = 12;
  if (near.size() <= enough) return;
  struct AtCorners {
    std::array<double, 8> f, tangent;
  };
  std::vector<AtCorners> at(near.size());
  std::array<std::size_t, 9> nearest{};  // at each corner, and at the centre
  for (std::size_t k = 0; k < near.size(); ++k) {
    const Element& e = skeleton.elements[near[k].element];
    for (unsigned c = 0; c < 8; ++c) {
      const Vec3 way = toCorner(halfSize, c);
      Vec3 slope;
      at[k].f[c] = distanceTo(skeleton, e, centre + way, slope);
      at[k].tangent[c] = near[k].f + near[k].slope.dot(way);
      if (at[k].f[c] < at[nearest[c]].f[c]) nearest[c] = k;
    }
    if (near[k].f < near[nearest[8]].f) nearest[8] = k;
  }
  std::vector<bool> dropped(near.size(), false);
  const auto hides = [&](std::size_t i, std::size_t j) {
    if (i == j || dropped[i]) return false;
    for (unsigned c = 0; c < 8; ++c)
      if (at[i].f[c] > at[j].tangent[c]) return false;
    return true;
  };
  std::size_t left = near.size();
  const auto drop = [&](std::size_t j) {
    dropped[j] = true;
    --left;
  };
  for (std::size_t j = 0; j < near.size(); ++j)
    if (!near[j].crosses &&
        std::ranges::any_of(nearest, [&](std::size_t i) { return hides(i, j); }))
      drop(j);
  if (left > enough && left <= pairwise)
    for (std::size_t j = 0; j < near.size(); ++j) {
      if (dropped[j] || near[j].crosses) continue;
      for (std::size_t i = 0; i < near.size() && !dropped[j]; ++i)
        if (hides(i, j)) drop(j);
    }
  if (left > manyFaces) {
    std::vector<const Vec3*> vertex(near.size(), nullptr);
    for (std::size_t j = 0; j < near.size(); ++j) {
      if (dropped[j]) continue;
      const Element& e = skeleton.elements[near[j].element];
      vertex[j] = onlyVertex(e, centre, halfSize, at[j].f);
      if (!vertex[j] || near[j].crosses) continue;
      for (std::size_t i = 0; i < j && !dropped[j]; ++i)
        if (vertex[i] && !dropped[i] && *vertex[i] == *vertex[j] &&
            skeleton.elements[near[i].element].radius == e.radius)
          drop(j);
    }
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < near.size(); ++k)
    if (!dropped[k]) near[kept++] = near[k];
  near.resize(kept);
}

}  // namespace scree::mass::detail
