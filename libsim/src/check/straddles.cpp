// SPDX-License-Identifier: GPL-3.0-or-later
#include "straddles.hpp"

#include "engine/rigid_motion.hpp"

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
  std::vector<std::array<std::uint32_t, 3>> corners;  ///< of triangles: numbers of vertices
  shape::AabbTree segmentTree, triangleTree;

  explicit Skin(const shape::Shape& s) {
    for (const auto& [a, b] : s.edges) segments.push_back({s.vertices[a], s.vertices[b]});
    shape::SurfaceMesh mesh;
    mesh.vertices = s.vertices;
    mesh.faces = s.faces;
    corners = shape::trianglesOf(mesh);
    for (const auto& [a, b, c] : corners)
      triangles.push_back({s.vertices[a], s.vertices[b], s.vertices[c]});
    segmentTree = treeOf(segments);
    triangleTree = treeOf(triangles);
  }

  /// Whether triangle `t` has corner `v` next after `u`.
  bool follows(std::uint32_t t, std::uint32_t u, std::uint32_t v) const {
    const auto& c = corners[t];
    for (std::size_t e = 0; e < 3; ++e)
      if (c[e] == u && c[(e + 1) % 3] == v) return true;
    return false;
  }
  /// A triangle across a side of another: whether both normals point to one side of the surface.
  struct Neighbour {
    std::uint32_t triangle;
    bool sameSide;
  };
  /// What is beside triangle `t` across the side from its corner `e` to the next. O(log n).
  std::vector<Neighbour> across(std::uint32_t t, std::size_t e) const {
    const std::uint32_t u = corners[t][e], v = corners[t][(e + 1) % 3];
    std::vector<Neighbour> found;
    triangleTree.forEachNear(boxOf(Segment{triangles[t][e], triangles[t][e]}),
                             [&](std::uint32_t other) {
                               if (other == t) return;
                               // Neighbours that point to one side pass their edge oppositely.
                               if (follows(other, v, u))
                                 found.push_back({other, true});
                               else if (follows(other, u, v))
                                 found.push_back({other, false});
                             });
    return found;
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

/// Triangles of a skin, moved to where a segment is.
template <class Moved>
class Piercing {
 public:
  /// @param margin  [L] that both ends of a segment must be off a plane
  Piercing(const Skin& skin, Moved moved, double margin)
      : skin_(skin), moved_(std::move(moved)), margin_(margin) {}

  /// Whether a segment goes through the surface at triangle `t`. Where it meets a side or a corner
  /// of that, it must go through all triangles there in the same sense. None may be missing.
  bool at(std::uint32_t t, const Segment& segment) const {
    const Triangle triangle = moved_(skin_.triangles[t]);
    const int sense = senseOf(triangle, segment);
    if (sense == 0) return false;
    const auto& [a, b, c] = triangle;
    const Vec3 normal = (b - a).cross(c - a);
    const double p = normal.dot(segment[0] - a), q = normal.dot(segment[1] - a);
    const Vec3 x = segment[0] + p / (p - q) * (segment[1] - segment[0]);
    const double near = 1e-6 * normal.squaredNorm();
    std::array<bool, 3> on{};
    for (std::size_t e = 0; e < 3; ++e) {
      const Vec3 &from = triangle[e], &to = triangle[(e + 1) % 3];
      const double inside = normal.dot((to - from).cross(x - from));
      if (inside < -near) return false;
      on[e] = inside <= near;
    }
    for (std::size_t e = 0; e < 3; ++e) {
      if (!on[e]) continue;
      const auto others = skin_.across(t, e);
      const auto alike = [&](const Skin::Neighbour& other) {
        return senseOf(other.triangle, segment) == (other.sameSide ? sense : -sense);
      };
      if (others.empty() || !std::ranges::all_of(others, alike)) return false;
      if (on[(e + 1) % 3] && !cornerIsPierced(t, (e + 1) % 3, sense, segment)) return false;
    }
    return true;
  }

 private:
  /// All triangles from `first` on around its corner `e` are passed in one sense, and close around
  /// it.
  bool cornerIsPierced(std::uint32_t first, std::size_t e, int sense,
                       const Segment& segment) const {
    const std::uint32_t corner = skin_.corners[first][e];
    std::vector<std::pair<std::uint32_t, int>> fan{{first, sense}};  // and the sense each must have
    for (std::size_t k = 0; k < fan.size(); ++k) {
      const auto [t, wanted] = fan[k];
      if (senseOf(t, segment) != wanted) return false;
      for (std::size_t side = 0; side < 3; ++side) {
        if (skin_.corners[t][side] != corner && skin_.corners[t][(side + 1) % 3] != corner)
          continue;
        const auto others = skin_.across(t, side);
        if (others.empty()) return false;
        for (const Skin::Neighbour& other : others)
          if (std::ranges::find(fan, other.triangle, &std::pair<std::uint32_t, int>::first) ==
              fan.end())
            fan.emplace_back(other.triangle, other.sameSide ? wanted : -wanted);
      }
    }
    return true;
  }

  int senseOf(std::uint32_t t, const Segment& segment) const {
    return senseOf(moved_(skin_.triangles[t]), segment);
  }
  /// The side to which a segment passes through the plane of a triangle; 0: it does not.
  int senseOf(const Triangle& triangle, const Segment& segment) const {
    const auto& [a, b, c] = triangle;
    const Vec3 normal = (b - a).cross(c - a);
    const double p = normal.dot(segment[0] - a), q = normal.dot(segment[1] - a),
                 least = margin_ * normal.norm();
    if (!(std::min(p, q) < -least && std::max(p, q) > least)) return 0;
    return p < q ? 1 : -1;
  }

  const Skin& skin_;
  Moved moved_;
  double margin_;
};

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
    const auto inPlace = [](const Triangle& triangle) { return triangle; };
    const Piercing ofMany(b, inPlace, scale * margin);
    for (const Segment& segment : a.segments) {
      const Segment here = moved(segment);
      b.triangleTree.forEachNear(boxOf(here), [&](std::uint32_t t) {
        if (!found && ofMany.at(t, here)) note(b.triangles[t], many);
      });
      if (found) return found;
    }
    const Piercing ofFew(a, moved, scale * margin);
    for (std::uint32_t t = 0; t < a.triangles.size(); ++t) {
      const Triangle here = moved(a.triangles[t]);
      b.segmentTree.forEachNear(boxOf(here), [&](std::uint32_t s) {
        if (!found && ofFew.at(t, b.segments[s])) note(here, few);
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
    Vec3 way = (clear - low) * crossing.normal, other = -(clear + high) * crossing.normal;
    if (-low >= high) std::swap(way, other);
    BodyId mover = through;
    if (mover < b_.driven) {
      mover = mover == i ? j : i;
      way = -way;
      other = -other;
    }
    result.move = order.number(mover);
    result.other = order.number(mover == i ? j : i);
    result.shift = way;
    result.longer = other;
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
