// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/polygon_math.hpp"

#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_check.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace scree::shape {
namespace {

using Triangle = std::array<Vec3, 3>;

double squaredDistance(const Aabb& box, const Vec3& p) {
  return (box.low - p).cwiseMax(p - box.high).cwiseMax(0.0).squaredNorm();
}

double squaredDistanceTo(const Vec3& p, const Triangle& t) {
  return detail::fromTriangle(t, p).off.squaredNorm();
}

/// A piece of a triangle of `from`.
struct Piece {
  Triangle corners;
  double bound;  ///< no point of it is farther than this
  std::uint32_t guess;
  std::size_t number;  ///< breaks ties, so that the result is the same on every call
  bool operator<(const Piece& other) const {
    return bound != other.bound ? bound < other.bound : number > other.number;
  }
};

}  // namespace

SurfaceDistance::SurfaceDistance(const SurfaceMesh& mesh) {
  std::vector<Aabb> boxes;
  triangles_.reserve(mesh.faces.size());
  boxes.reserve(mesh.faces.size());
  for (const auto& t : trianglesOf(mesh)) {
    triangles_.push_back({mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]});
    boxes.push_back(detail::boxAround(triangles_.back()));
  }
  tree_ = AabbTree(boxes, 4);
}

double SurfaceDistance::distance(const Vec3& p, std::uint32_t triangle) const {
  return std::sqrt(squaredDistanceTo(p, triangles_[triangle]));
}

SurfaceDistance::Nearest SurfaceDistance::nearest(const Vec3& p, std::uint32_t guess) const {
  if (triangles_.empty()) return {};
  if (guess >= triangles_.size()) guess = 0;
  double least = squaredDistanceTo(p, triangles_[guess]);
  struct Visit {
    std::uint32_t node;
    double far;
  };
  Visit stack[64];
  int top = 0;
  stack[top++] = {0, squaredDistance(tree_.node(0).box, p)};
  while (top > 0) {
    const Visit visit = stack[--top];
    if (!(visit.far < least)) continue;
    const AabbTree::Node& node = tree_.node(visit.node);
    if (node.leaf()) {
      for (const std::uint32_t k : tree_.items(node))
        if (const double d = squaredDistanceTo(p, triangles_[k]); d < least) least = d, guess = k;
      continue;
    }
    Visit left{node.first, squaredDistance(tree_.node(node.first).box, p)};
    Visit right{node.first + 1, squaredDistance(tree_.node(node.first + 1).box, p)};
    if (left.far < right.far) std::swap(left, right);
    stack[top++] = left;
    stack[top++] = right;
  }
  return {std::sqrt(least), guess};
}

Bracket farthest(const SurfaceMesh& from, const SurfaceDistance& to, double accuracy) {
  constexpr std::size_t workLimit = 2'000'000;
  double reached = 0.0;  // by a point of `from`
  std::size_t made = 0;
  const auto judge = [&](const Triangle& corners, std::uint32_t guess) {
    const Vec3 middle = (corners[0] + corners[1] + corners[2]) / 3.0;
    const auto [distance, triangle] = to.nearest(middle, guess);
    double reach = 0.0, toOne = 0.0;
    for (const Vec3& c : corners) {
      reach = std::max(reach, (c - middle).norm());
      toOne = std::max(toOne, to.distance(c, triangle));
    }
    reached = std::max(reached, distance);
    return Piece{corners, std::min(distance + reach, toOne), triangle, made++};
  };
  const auto triangles = trianglesOf(from);
  constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::uint32_t> nearTo(from.vertices.size(), none);  // triangle of `to`
  std::uint32_t guess = 0;
  for (const auto& t : triangles)
    for (const std::uint32_t v : t)
      if (nearTo[v] == none) {
        const auto found = to.nearest(from.vertices[v], guess);
        nearTo[v] = guess = found.triangle;
        reached = std::max(reached, found.distance);
      }
  // Most triangles are nowhere farther than some corner is: they need no search of their own.
  std::priority_queue<Piece> queue;
  for (const auto& t : triangles) {
    const Triangle corners{from.vertices[t[0]], from.vertices[t[1]], from.vertices[t[2]]};
    const auto isFar = [&](const Vec3& c) { return to.distance(c, nearTo[t[0]]) > reached; };
    if (std::ranges::any_of(corners, isFar)) queue.push(judge(corners, nearTo[t[0]]));
  }
  while (!queue.empty() && queue.top().bound - reached > accuracy && made < workLimit) {
    const Piece piece = queue.top();
    queue.pop();
    // Halve the longest side.
    std::size_t longest = 0;
    double length = -1.0;
    for (std::size_t k = 0; k < 3; ++k)
      if (const double l = (piece.corners[(k + 1) % 3] - piece.corners[k]).squaredNorm();
          l > length)
        length = l, longest = k;
    const Vec3 &a = piece.corners[longest], &b = piece.corners[(longest + 1) % 3],
               &c = piece.corners[(longest + 2) % 3];
    const Vec3 half = 0.5 * (a + b);
    for (const Triangle& part : {Triangle{a, half, c}, Triangle{half, b, c}}) {
      Piece next = judge(part, piece.guess);
      next.bound = std::min(next.bound, piece.bound);  // a part is bounded by the whole
      if (next.bound > reached) queue.push(next);
    }
  }
  return {reached, std::max(queue.empty() ? 0.0 : queue.top().bound, reached)};
}

Bracket hausdorff(const SurfaceMesh& a, const SurfaceMesh& b, double accuracy) {
  const Bracket there = farthest(a, SurfaceDistance(b), accuracy);
  const Bracket back = farthest(b, SurfaceDistance(a), accuracy);
  return {std::max(there.atLeast, back.atLeast), std::max(there.atMost, back.atMost)};
}

}  // namespace scree::shape
