// SPDX-License-Identifier: GPL-3.0-or-later
#include "straddles.hpp"

#include "step/rigid_motion.hpp"

#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace scree::sim {
namespace {

using Segment = std::array<Vec3, 2>;
using Triangle = std::array<Vec3, 3>;

template <std::size_t N>
shape::Aabb boxOf(const std::array<Vec3, N>& corners) {
  shape::Aabb box;
  for (const Vec3& c : corners) box.add(c);
  return box;
}

/// Edges and faces of a shape in its frame, each in a tree.
struct Skin {
  std::vector<Segment> segments;
  std::vector<Triangle> triangles;
  shape::AabbTree segmentTree, triangleTree;

  explicit Skin(const shape::Shape& s) {
    for (const auto& [a, b] : s.edges) segments.push_back({s.vertices[a], s.vertices[b]});
    shape::SurfaceMesh mesh;
    mesh.vertices = s.vertices;
    mesh.faces = s.faces;
    for (const auto& [a, b, c] : shape::trianglesOf(mesh))
      triangles.push_back({s.vertices[a], s.vertices[b], s.vertices[c]});
    segmentTree = treeOf(segments);
    triangleTree = treeOf(triangles);
  }

 private:
  template <class Items>
  static shape::AabbTree treeOf(const Items& items) {
    std::vector<shape::Aabb> boxes;
    boxes.reserve(items.size());
    for (const auto& item : items) boxes.push_back(boxOf(item));
    return {boxes, 4};
  }
};

/// Whether a segment goes through the inside of a triangle, with both ends off its plane by more
/// than `margin`. [L]
bool pierces(const Segment& segment, const Triangle& triangle, double margin) {
  const auto& [a, b, c] = triangle;
  const Vec3 normal = (b - a).cross(c - a);
  const double p = normal.dot(segment[0] - a), q = normal.dot(segment[1] - a),
               least = margin * normal.norm();
  if (!(std::min(p, q) < -least && std::max(p, q) > least)) return false;
  const Vec3 x = segment[0] + p / (p - q) * (segment[1] - segment[0]);
  const double whole = normal.squaredNorm(), inside = 1e-6 * whole;
  return normal.dot((c - b).cross(x - b)) > inside && normal.dot((a - c).cross(x - c)) > inside &&
         normal.dot((b - a).cross(x - a)) > inside;
}

/// An edge of one body in a face of the other.
struct Crossing {
  bool faceOfFirst = false;    ///< whose face: of the first body of a pair, or of the second
  Vec3 normal = Vec3::Zero();  ///< unit, of the face
  Vec3 place = Vec3::Zero();   ///< [L] a corner of the face
};

class Search {
 public:
  explicit Search(const Simulation& simulation)
      : b_(simulation.bodies()), shapes_(simulation.shapes()), skins_(shapes_.size()) {}

  Straddles all(const BodyOrder& order) {
    Straddles result;
    std::vector<shape::Aabb> boxes(b_.size());
    for (std::size_t k = 0; k < b_.size(); ++k)
      for (const Vec3& v : shapes_[b_.shape[k]].vertices) boxes[k].add(placed(k, v));
    const shape::AabbTree tree(boxes, 4);
    std::vector<BodyId> near;
    // In the order of the file, so that the first pair is the same for each order in memory.
    for (std::size_t number = 0; number < b_.size(); ++number) {
      const BodyId i = order.body(number);
      near.clear();
      tree.forEachNear(boxes[i], [&](std::uint32_t j) {
        if (order.number(j) > number && boxes[i].overlaps(boxes[j]) &&
            (i >= b_.driven || j >= b_.driven))
          near.push_back(order.number(j));
      });
      std::sort(near.begin(), near.end());
      for (const BodyId other : near) {
        const BodyId j = order.body(other);
        if (apart(i, j)) continue;
        const auto crossing = crossingOf(i, j);
        if (crossing && result.pairs++ == 0) propose(i, j, *crossing, order, result);
      }
    }
    return result;
  }

 private:
  Vec3 placed(std::size_t k, const Vec3& v) const {
    return b_.pos[k] + rotated(b_.q[k], b_.homothety[k] * v);
  }

  const Skin& skin(BodyId k) {
    auto& known = skins_[b_.shape[k]];
    if (!known) known.emplace(shapes_[b_.shape[k]]);
    return *known;
  }

  double size(BodyId k) const {
    return b_.homothety[k] * shapes_[b_.shape[k]].obb.extent.maxCoeff();
  }

  /// Whether a plane across the line of both centres parts the bodies, as it does most near ones.
  bool apart(BodyId i, BodyId j) const {
    constexpr std::size_t most = 300;  // vertices: a terrain is no such body
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

  std::optional<Crossing> crossingOf(BodyId i, BodyId j) {
    const double margin = 1e-6 * std::min(size(i), size(j));
    const bool swapped = skin(i).triangles.size() > skin(j).triangles.size();
    const BodyId few = swapped ? j : i, many = swapped ? i : j;
    const Skin &a = skin(few), &b = skin(many);
    // From the frame of `few` to that of `many`, in which the trees stand.
    const double scale = 1.0 / b_.homothety[many];
    const auto moved = [&](auto corners) {
      for (Vec3& c : corners) c = scale * turnedBack(b_.q[many], placed(few, c) - b_.pos[many]);
      return corners;
    };
    std::optional<Crossing> found;
    const auto note = [&](const Triangle& face, BodyId owner) {
      const Vec3 normal = (face[1] - face[0]).cross(face[2] - face[0]).normalized();
      found = Crossing{owner == i, rotated(b_.q[many], normal), placed(many, face[0])};
    };
    for (const Segment& segment : a.segments) {
      const Segment here = moved(segment);
      b.triangleTree.forEachNear(boxOf(here), [&](std::uint32_t t) {
        if (!found && pierces(here, b.triangles[t], scale * margin)) note(b.triangles[t], many);
      });
      if (found) return found;
    }
    for (const Triangle& triangle : a.triangles) {
      const Triangle here = moved(triangle);
      b.segmentTree.forEachNear(boxOf(here), [&](std::uint32_t s) {
        if (!found && pierces(b.segments[s], here, scale * margin)) note(here, few);
      });
      if (found) return found;
    }
    return found;
  }

  /// The shorter way along the normal of the face on which one body leaves the plane of the face.
  void propose(BodyId i, BodyId j, const Crossing& crossing, const BodyOrder& order,
               Straddles& result) const {
    const BodyId through = crossing.faceOfFirst ? j : i;  // whose edge it is
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const Vec3& v : shapes_[b_.shape[through]].vertices) {
      const double x = crossing.normal.dot(placed(through, v) - crossing.place);
      low = std::min(low, x);
      high = std::max(high, x);
    }
    double clear = 0.0;
    for (const BodyId k : {i, j}) clear += b_.homothety[k] * shapes_[b_.shape[k]].radius;
    Vec3 way = -low < high ? (clear - low) * crossing.normal : -(clear + high) * crossing.normal;
    BodyId mover = through;
    if (mover < b_.driven) {
      mover = mover == i ? j : i;
      way = -way;
    }
    result.move = order.number(mover);
    result.other = order.number(mover == i ? j : i);
    result.shift = way;
  }

  const Bodies& b_;
  const std::vector<shape::Shape>& shapes_;
  std::vector<std::optional<Skin>> skins_;
};

}  // namespace

Straddles straddlesOf(const Simulation& simulation) {
  if (simulation.input().cell.used) return {};
  return Search(simulation).all(simulation.bodyOrder());
}

}  // namespace scree::sim
