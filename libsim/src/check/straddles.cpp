// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/polygon_math.hpp"
#include "engine/rigid_motion.hpp"

#include "scree/base/parallel.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/sim/check/diagnosis.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace scree::sim {
namespace {

using Segment = std::array<Vec3, 2>;
using Triangle = std::array<Vec3, 3>;

template <class Items>
shape::AabbTree treeOf(const Items& items) {
  std::vector<shape::Aabb> boxes;
  boxes.reserve(items.size());
  for (const auto& item : items) boxes.push_back(shape::detail::boxAround(item));
  return {boxes, 4};
}

/// Edges and faces of a shape in its frame, each in a tree.
struct Skin {
  std::vector<Segment> segments;
  std::vector<Triangle> triangles;
  /// Whether each side of a triangle, from corner e on, is an edge of the shape, not within a face.
  std::vector<std::array<bool, 3>> atRim;
  shape::AabbTree segmentTree, triangleTree;

  explicit Skin(const shape::Shape& s) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const auto& [a, b] : s.edges) {
      segments.push_back({s.vertices[a], s.vertices[b]});
      edges.insert(std::minmax(a, b));
    }
    for (const auto& corners : shape::trianglesOf({s.vertices, s.faces})) {
      auto& triangle = triangles.emplace_back();
      auto& rim = atRim.emplace_back();
      for (std::size_t e = 0; e < 3; ++e) {
        triangle[e] = s.vertices[corners[e]];
        rim[e] = edges.contains(std::minmax(corners[e], corners[(e + 1) % 3]));
      }
    }
    segmentTree = treeOf(segments);
    triangleTree = treeOf(triangles);
  }
};

/// Whether a segment goes through the inside of a triangle, to which sides not `atRim` belong.
/// @param margin  [L] that both ends of the segment must be off the plane
bool pierces(const Segment& segment, const Triangle& triangle, const std::array<bool, 3>& atRim,
             double margin) {
  const auto& [a, b, c] = triangle;
  const Vec3 normal = (b - a).cross(c - a);
  const double p = normal.dot(segment[0] - a), q = normal.dot(segment[1] - a),
               least = margin * normal.norm();
  if (!(std::min(p, q) < -least && std::max(p, q) > least)) return false;
  const Vec3 x = segment[0] + p / (p - q) * (segment[1] - segment[0]);
  const double near = 1e-6 * normal.squaredNorm();
  for (std::size_t e = 0; e < 3; ++e) {
    const Vec3 &from = triangle[e], &to = triangle[(e + 1) % 3];
    if (normal.dot((to - from).cross(x - from)) < (atRim[e] ? near : -near)) return false;
  }
  return true;
}

class Search {
 public:
  explicit Search(const Simulation& simulation)
      : b_(simulation.bodies()), shapes_(simulation.shapes()), skins_(shapes_.size()) {}

  Crossings all(const BodyOrder& order, int threads) {
    std::vector<BodyId> bodies;  // those with edges
    for (std::size_t number = 0; number < b_.size(); ++number)
      if (!shapes_[b_.shape[order.body(number)]].edges.empty())
        bodies.push_back(static_cast<BodyId>(number));
    std::vector<shape::Aabb> boxes(bodies.size());
    parallelFor(threads, bodies.size(), [&](std::size_t at) {
      const BodyId k = order.body(bodies[at]);
      for (const Vec3& v : shapes_[b_.shape[k]].vertices) boxes[at].add(placed(k, v));
    });
    const shape::AabbTree tree(boxes, 4, threads);
    std::vector<Crossings> found(bodies.size());
    parallelFor(threads, bodies.size(), [&](std::size_t at) {
      const BodyId number = bodies[at], i = order.body(number);
      tree.forEachNear(boxes[at], [&](std::uint32_t other) {
        const BodyId j = order.body(bodies[other]);
        if (other <= at || !boxes[at].overlaps(boxes[other]) || std::max(i, j) < b_.driven ||
            apart(i, j) || !cross(i, j))
          return;
        const BodyId second =
            found[at].pairs > 0 ? std::min(found[at].j, bodies[other]) : bodies[other];
        found[at] = {found[at].pairs + 1, number, second};
      });
    });
    // In the order of the file, so that the first pair is the same for each order in memory.
    Crossings result;
    for (const Crossings& of : found) {
      if (result.pairs == 0) result = {0, of.i, of.j};
      result.pairs += of.pairs;
    }
    return result;
  }

 private:
  Vec3 placed(std::size_t k, const Vec3& v) const {
    return b_.pos[k] + rotated(b_.q[k], b_.homothety[k] * v);
  }

  const Skin& skin(BodyId k) {
    const std::lock_guard lock(making_);
    auto& known = skins_[b_.shape[k]];
    if (!known) known.emplace(shapes_[b_.shape[k]]);
    return *known;
  }

  double size(BodyId k) const {
    return b_.homothety[k] * shapes_[b_.shape[k]].obb.extent.maxCoeff();
  }

  /// Whether a plane normal to the line of centres separates two bodies, as it does most near ones.
  bool apart(BodyId i, BodyId j) const {
    constexpr std::size_t most = 300;  // vertices; with more the test costs more than it saves
    const Vec3 way = b_.pos[j] - b_.pos[i];
    double high = -HUGE_VAL, low = HUGE_VAL;
    for (const BodyId k : {i, j}) {
      const auto& vertices = shapes_[b_.shape[k]].vertices;
      if (vertices.size() > most) return false;
      const Vec3 here = turnedBack(b_.q[k], way);
      const double middle = way.dot(b_.pos[k]);
      for (const Vec3& v : vertices) {
        const double x = middle + b_.homothety[k] * here.dot(v);
        if (k == i)
          high = std::max(high, x);
        else
          low = std::min(low, x);
      }
    }
    return high < low;
  }

  bool cross(BodyId i, BodyId j) {
    const bool swapped = skin(i).triangles.size() > skin(j).triangles.size();
    const BodyId few = swapped ? j : i, many = swapped ? i : j;
    const Skin &a = skin(few), &b = skin(many);
    // `moved`: from the body frame of `few` to that of `many` at homothety 1, as in the trees.
    const double scale = 1.0 / b_.homothety[many],
                 margin = scale * 1e-6 * std::min(size(i), size(j));
    const auto moved = [&](auto corners) {
      for (Vec3& c : corners) c = scale * turnedBack(b_.q[many], placed(few, c) - b_.pos[many]);
      return corners;
    };
    bool found = false;
    for (std::size_t k = 0; k < a.segments.size() && !found; ++k) {
      const Segment here = moved(a.segments[k]);
      b.triangleTree.forEachNear(shape::detail::boxAround(here), [&](std::uint32_t t) {
        found = found || pierces(here, b.triangles[t], b.atRim[t], margin);
      });
    }
    for (std::size_t t = 0; t < a.triangles.size() && !found; ++t) {
      const Triangle here = moved(a.triangles[t]);
      b.segmentTree.forEachNear(shape::detail::boxAround(here), [&](std::uint32_t s) {
        found = found || pierces(b.segments[s], here, a.atRim[t], margin);
      });
    }
    return found;
  }

  const Bodies& b_;
  const std::vector<shape::Shape>& shapes_;
  std::vector<std::optional<Skin>> skins_;
  std::mutex making_;  ///< of skins
};

}  // namespace

Crossings straddlesOf(const Simulation& simulation) {
  if (simulation.input().cell.used) return {};
  return Search(simulation).all(simulation.bodyOrder(), simulation.threads());
}

}  // namespace scree::sim
