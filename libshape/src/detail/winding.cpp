// SPDX-License-Identifier: GPL-3.0-or-later
#include "winding.hpp"

#include "base/angles.hpp"
#include "polygon_math.hpp"

#include "scree/shape/aabb_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace scree::shape::detail {
namespace {

struct HalfEdge {
  std::uint32_t low, high, face;
  bool forward;
};

/// Faces, their neighbours through edges, and the parts they form.
class Winding {
 public:
  Winding(std::span<const Vec3> vertices, const Polygons& faces)
      : vertices_(vertices), faces_(faces), turn_(faces.size(), 0), part_(faces.size(), 0) {
    for (std::uint32_t f = 0; f < faces.size(); ++f) {
      const auto corners = faces[f];
      for (std::size_t k = 0; k < corners.size(); ++k) {
        const std::uint32_t a = corners[k], b = corners[(k + 1) % corners.size()];
        if (a != b) half_.push_back({std::min(a, b), std::max(a, b), f, a < b});
      }
    }
    std::stable_sort(half_.begin(), half_.end(), [](const HalfEdge& a, const HalfEdge& b) {
      return a.low != b.low ? a.low < b.low : a.high < b.high;
    });
    for (std::size_t begin = 0, end; begin < half_.size(); begin = end) {
      end = begin + 1;
      while (end < half_.size() && half_[end].low == half_[begin].low &&
             half_[end].high == half_[begin].high)
        ++end;
      starts_.push_back(begin);
    }
    starts_.push_back(half_.size());
  }

  /// Closed as given, or closed once faces are turned? Then they are turned.
  bool close(std::size_t& openEdges) {
    std::size_t unbalanced = 0, lonely = 0;
    bool pairs = true;
    forEachEdge([&](std::span<const HalfEdge> around) {
      std::ptrdiff_t balance = 0;
      for (const HalfEdge& h : around) balance += h.forward ? 1 : -1;
      unbalanced += balance != 0;
      lonely += around.size() % 2;
      pairs &= around.size() == 2;
    });
    findParts();
    openEdges = lonely;
    if (unbalanced == 0) return true;
    if (!pairs || !propagate()) {
      openEdges = std::max(lonely, std::size_t{1});
      return false;
    }
    return true;
  }

  /// Turns whole parts so that they are counter-clockwise seen from outside, and cavities the other
  /// way about. A part inside an odd number of others bounds a cavity, as rays would count it.
  void settle() {
    std::vector<double> volume(parts_, 0.0);
    std::vector<Aabb> box(parts_);
    std::vector<std::vector<std::uint32_t>> members(parts_);
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      const double sign = turn_[f] ? -1.0 : 1.0;
      const Vec3 origin = vertices_[faces_[0][0]];
      forEachTriangle(vertices_, faces_[f], [&](const Vec3& a, const Vec3& b, const Vec3& c) {
        volume[part_[f]] += sign * (a - origin).dot((b - origin).cross(c - origin)) / 6.0;
      });
      for (const std::uint32_t v : faces_[f]) box[part_[f]].add(vertices_[v]);
      members[part_[f]].push_back(f);
    }
    const AabbTree tree(box, 4);
    std::vector<char> flip(parts_, 0);
    for (std::uint32_t p = 0; p < parts_; ++p) {
      bool cavity = false;
      tree.forEachNear(box[p], [&](std::uint32_t q) {
        if (p != q && (box[q].low.array() <= box[p].low.array()).all() &&
            (box[p].high.array() <= box[q].high.array()).all() &&
            std::abs(windingNumber(members[q], vertices_[faces_[members[p][0]][0]])) > 0.5)
          cavity = !cavity;
      });
      flip[p] = (volume[p] < 0.0) != cavity;
    }
    for (std::uint32_t f = 0; f < faces_.size(); ++f) turn_[f] ^= flip[part_[f]];
  }

  bool anyTurned() const {
    return std::ranges::any_of(turn_, [](char t) { return t != 0; });
  }

  Polygons result() const {
    Polygons out;
    std::vector<std::uint32_t> corners;
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      corners.assign(faces_[f].begin(), faces_[f].end());
      if (turn_[f]) std::reverse(corners.begin() + 1, corners.end());
      out.add(corners);
    }
    return out;
  }

 private:
  template <class F>
  void forEachEdge(F&& f) const {
    for (std::size_t e = 0; e + 1 < starts_.size(); ++e)
      f(std::span<const HalfEdge>(half_.data() + starts_[e], half_.data() + starts_[e + 1]));
  }

  void findParts() {
    std::vector<std::uint32_t> parent(faces_.size());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t f) {
      while (parent[f] != f) f = parent[f] = parent[parent[f]];
      return f;
    };
    forEachEdge([&](std::span<const HalfEdge> around) {
      for (const HalfEdge& h : around) {
        const std::uint32_t a = root(around[0].face), b = root(h.face);
        parent[std::max(a, b)] = std::min(a, b);
      }
    });
    std::vector<std::uint32_t> number(faces_.size(), 0);
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      if (root(f) == f) number[f] = parts_++;
      part_[f] = number[root(f)];
    }
  }

  /// Makes neighbours run opposite ways along their edge; false for a one-sided surface.
  bool propagate() {
    struct Link {
      std::uint32_t from, to;
      bool sameWay;
      auto operator<=>(const Link&) const = default;
    };
    std::vector<Link> links;
    forEachEdge([&](std::span<const HalfEdge> around) {
      const bool same = around[0].forward == around[1].forward;
      links.push_back({around[0].face, around[1].face, same});
      links.push_back({around[1].face, around[0].face, same});
    });
    std::sort(links.begin(), links.end());
    std::vector<char> seen(faces_.size(), 0);
    std::vector<std::uint32_t> stack;
    for (std::uint32_t seed = 0; seed < faces_.size(); ++seed) {
      if (seen[seed]) continue;
      seen[seed] = 1;
      stack.push_back(seed);
      while (!stack.empty()) {
        const std::uint32_t f = stack.back();
        stack.pop_back();
        for (auto at = std::lower_bound(links.begin(), links.end(), Link{f, 0, false});
             at != links.end() && at->from == f; ++at) {
          const char wanted = static_cast<char>(at->sameWay ? !turn_[f] : turn_[f]);
          if (!seen[at->to]) {
            seen[at->to] = 1;
            turn_[at->to] = wanted;
            stack.push_back(at->to);
          } else if (turn_[at->to] != wanted) {
            return false;
          }
        }
      }
    }
    return true;
  }

  double windingNumber(const std::vector<std::uint32_t>& part, const Vec3& p) const {
    double sum = 0.0;
    for (const std::uint32_t f : part) {
      const double sign = turn_[f] ? -1.0 : 1.0;
      forEachTriangle(vertices_, faces_[f], [&](const Vec3& a, const Vec3& b, const Vec3& c) {
        sum += sign * solidAngle(a - p, b - p, c - p);
      });
    }
    return sum / (4.0 * pi);
  }

  std::span<const Vec3> vertices_;
  const Polygons& faces_;
  std::vector<HalfEdge> half_;
  std::vector<std::size_t> starts_;
  std::vector<char> turn_;
  std::vector<std::uint32_t> part_;
  std::uint32_t parts_ = 0;
};

}  // namespace

WoundFaces woundFaces(std::span<const Vec3> vertices, const Polygons& faces) {
  WoundFaces out;
  Winding winding(vertices, faces);
  out.closed = winding.close(out.openEdges);
  if (out.closed) winding.settle();
  out.turned = out.closed && winding.anyTurned();
  out.faces = out.turned ? winding.result() : faces;
  return out;
}

}  // namespace scree::shape::detail
