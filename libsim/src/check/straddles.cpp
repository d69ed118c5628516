// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/polygon_math.hpp"
#include "detect/broad_phase.hpp"
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
    // Numbers in the file of the bodies with edges: the first pair is then the same for each order
    // in memory.
    std::vector<BodyId> numbers;
    for (std::size_t number = 0; number < b_.size(); ++number)
      if (!shapes_[b_.shape[order.body(number)]].edges.empty())
        numbers.push_back(static_cast<BodyId>(number));
    const auto body = [&](std::size_t at) { return order.body(numbers[at]); };
    std::vector<shape::Aabb> boxes(numbers.size());
    parallelFor(threads, boxes.size(), [&](std::size_t at) {
      for (const Vec3& v : shapes_[b_.shape[body(at)]].vertices) boxes[at].add(placed(body(at), v));
    });
    const auto wanted = [&](BodyId x, BodyId y) {
      const BodyId i = body(x), j = body(y);
      return std::max(i, j) >= b_.driven && !apart(i, j);
    };
    const auto near = overlappingPairs(boxes, 0, threads, wanted);
    std::vector<char> crossing(near.size());
    parallelFor(threads, near.size(), [&](std::size_t k) {
      crossing[k] = cross(body(near[k].first), body(near[k].second));
    });
    const auto first = std::ranges::find(crossing, true);
    if (first == crossing.end()) return {};
    const auto& [i, j] = near[static_cast<std::size_t>(first - crossing.begin())];
    return {static_cast<std::size_t>(std::ranges::count(crossing, true)), numbers[i], numbers[j]};
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
