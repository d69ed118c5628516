// SPDX-License-Identifier: GPL-3.0-or-later
#include "skeleton_elements.hpp"

#include "scree/shape/mesh.hpp"

#include <algorithm>

namespace scree::shape::detail {

double squaredDistance(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double length2 = along.squaredNorm();
  const double s = length2 > 0.0 ? std::clamp((p - a).dot(along) / length2, 0.0, 1.0) : 0.0;
  return (p - a - s * along).squaredNorm();
}

double squaredDistance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const double n2 = n.squaredNorm();
  const auto inside = [&](const Vec3& from, const Vec3& to) {
    return n.cross(to - from).dot(p - from) >= 0.0;
  };
  if (n2 > 0.0 && inside(a, b) && inside(b, c) && inside(c, a)) {
    const double height = n.dot(p - a);
    return height * height / n2;
  }
  return std::min({squaredDistance(p, a, b), squaredDistance(p, b, c), squaredDistance(p, c, a)});
}

SkeletonElements::SkeletonElements(const Shape& shape, const Polygons& faces) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<char> held(shape.vertices.size(), 0);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    for (const std::uint32_t v : faces[f]) held[v] = 1;
    triangles.clear();
    triangulate(shape.vertices, faces[f], triangles);
    for (const auto& t : triangles)
      elements_.push_back({shape.vertices[t[0]], shape.vertices[t[1]], shape.vertices[t[2]]});
  }
  const std::vector<Edge> sides = edgesOf(faces);
  for (const Edge& e : shape.edges) {
    held[e[0]] = held[e[1]] = 1;
    if (!std::binary_search(sides.begin(), sides.end(),
                            Edge{std::min(e[0], e[1]), std::max(e[0], e[1])}))
      elements_.push_back({shape.vertices[e[0]], shape.vertices[e[1]], shape.vertices[e[1]]});
  }
  for (std::size_t v = 0; v < held.size(); ++v)
    if (!held[v]) elements_.push_back({shape.vertices[v], shape.vertices[v], shape.vertices[v]});
  std::vector<Aabb> boxes(elements_.size());
  for (std::size_t k = 0; k < boxes.size(); ++k)
    for (const Vec3& corner : elements_[k]) boxes[k].add(corner);
  tree_ = AabbTree(boxes, 4);
}

bool SkeletonElements::nearer(const Vec3& p, double distance) const {
  if (tree_.empty()) return false;
  const double limit = distance * distance;
  std::uint32_t stack[64];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const AabbTree::Node& node = tree_.node(stack[--top]);
    const Vec3 off = (node.box.low - p).cwiseMax(p - node.box.high).cwiseMax(0.0);
    if (!(off.squaredNorm() < limit)) continue;
    if (!node.leaf()) {
      stack[top++] = node.first + 1;
      stack[top++] = node.first;
      continue;
    }
    for (const std::uint32_t k : tree_.items(node))
      if (const auto& [a, b, c] = elements_[k]; squaredDistance(p, a, b, c) < limit) return true;
  }
  return false;
}

}  // namespace scree::shape::detail
