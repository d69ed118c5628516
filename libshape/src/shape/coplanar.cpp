// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "detail/half_edges.hpp"
#include "detail/merged_faces.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <numeric>
#include <span>

namespace scree::shape {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

using Loop = std::vector<std::uint32_t>;

class Merger {
 public:
  Merger(std::span<const Vec3> points, const Polygons& faces, const detail::MergeLimits& limits)
      : points_(points), faces_(faces), limits_(limits) {
    for (std::uint32_t f = 0; f < faces.size(); ++f) {
      area_.push_back(detail::areaVector(points, faces[f]));
      first_.push_back(across_.size());
      across_.resize(across_.size() + faces[f].size(), none);
    }
    detail::forEachEdge(detail::sortedHalfEdges(faces), [&](std::span<const detail::HalfEdge> e) {
      if (e.size() != 2 || e[0].forward == e[1].forward || e[0].face == e[1].face) return;
      for (const std::size_t k : {0u, 1u}) {
        const auto c = faces[e[k].face];
        const std::uint32_t from = e[k].forward ? e[k].low : e[k].high;
        const std::uint32_t to = e[k].forward ? e[k].high : e[k].low;
        std::size_t side = 0;
        while (c[side] != from || c[(side + 1) % c.size()] != to) ++side;
        across_[first_[e[k].face] + side] = e[1 - k].face;
      }
    });
  }

  detail::MergedFaces merge() {
    growAll();
    std::vector<char> apart(regions_.size(), 0);
    detail::MergedFaces out;
    std::vector<Loop>& polygons = out.polygons;
    std::vector<std::uint32_t> regionOf;
    // A region that yields no simple polygon falls back to its faces. Its neighbours may then need
    // corners that they had dropped, so all are made again. Each round settles one at least.
    for (bool settled = false; !settled;) {
      polygons.clear(), regionOf.clear();
      for (std::uint32_t r = 0; r < regions_.size(); ++r) {
        if (!apart[r]) polygons.push_back(boundary(r));
        for (std::size_t k = 0; apart[r] && k < regions_[r].size(); ++k)
          polygons.emplace_back(faces_[regions_[r][k]].begin(), faces_[regions_[r][k]].end());
        regionOf.resize(polygons.size(), r);
      }
      dropFlatCorners(polygons);
      settled = true;
      for (std::size_t k = 0; k < polygons.size(); ++k) {
        const std::uint32_t r = regionOf[k];
        if (apart[r] || regions_[r].size() == 1 || isSimple(points_, polygons[k])) continue;
        apart[r] = 1;
        settled = false;
      }
    }
    for (std::size_t k = 0; k < polygons.size(); ++k) {
      const std::uint32_t r = regionOf[k];
      if (!apart[r] && (regions_[r].size() > 1 || polygons[k].size() > 3))
        out.flatness = std::max(out.flatness, unevenness(regions_[r], polygons[k]));
    }
    return out;
  }

 private:
  /// The face beyond a side, where these two alone have it and run through it opposite ways.
  std::uint32_t across(std::uint32_t f, std::size_t side) const {
    return across_[first_[f] + side];
  }

  struct Plane {
    Vec3 normal, origin;
  };

  bool inPlane(std::uint32_t f, const Vec3& seedNormal, const Plane& plane) const {
    const double size = area_[f].norm(), along = area_[f].dot(seedNormal);
    if (size > 0.0 && along >= limits_.leastCosine * size) return true;
    double longest = 0.0;
    const auto corners = faces_[f];
    for (std::size_t k = 0; k < corners.size(); ++k) {
      if (std::abs(plane.normal.dot(points_[corners[k]] - plane.origin)) > limits_.fromPlane)
        return false;
      const Vec3 side = points_[corners[(k + 1) % corners.size()]] - points_[corners[k]];
      longest = std::max(longest, side.norm());
    }
    // A needle as thin as the rounding has no normal to speak of; all others must not fold back.
    return along > 0.0 || size <= limits_.fromPlane * longest;
  }

  /// Whether the region stays a disc, bounded by one line without touching points, with this face.
  bool fits(std::uint32_t f) const {
    const auto corners = faces_[f];
    const std::size_t n = corners.size();
    const auto shared = [&](std::size_t k) {
      const std::uint32_t other = across(f, k % n);
      return other != none && region_[other] == current_;
    };
    std::size_t runs = 0, sharedSides = 0;
    for (std::size_t k = 0; k < n; ++k) {
      sharedSides += shared(k);
      runs += shared(k) && !shared(k + n - 1);
      // A corner that is not on the shared line must be new to the region.
      if (!shared(k) && !shared(k + n - 1) && seen_[corners[k]] == current_) return false;
    }
    return runs == 1 && sharedSides < n;
  }

  void growAll() {
    std::vector<std::uint32_t> order(faces_.size());
    std::iota(order.begin(), order.end(), 0u);
    // The largest face of a plane knows the plane best.
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return area_[a].squaredNorm() > area_[b].squaredNorm();
    });
    region_.assign(faces_.size(), none);
    seen_.assign(points_.size(), none);
    for (const std::uint32_t seed : order)
      if (region_[seed] == none) grow(seed);
  }

  void grow(std::uint32_t seed) {
    current_ = static_cast<std::uint32_t>(regions_.size());
    const Vec3 seedNormal =
        area_[seed].norm() > 0.0 ? Vec3(area_[seed].normalized()) : Vec3::Zero();
    Plane plane{seedNormal, points_[faces_[seed][0]]};
    Loop members;
    std::deque<std::uint32_t> queue;
    const auto offerAround = [&](std::uint32_t f) {
      for (std::size_t k = 0; k < faces_[f].size(); ++k)
        if (const std::uint32_t other = across(f, k); other != none && region_[other] == none)
          queue.push_back(other);
    };
    const auto join = [&](std::uint32_t f) {
      region_[f] = current_;
      members.push_back(f);
      for (const std::uint32_t v : faces_[f]) seen_[v] = current_;
      offerAround(f);
    };
    join(seed);
    for (std::size_t fitted = 1;;) {
      while (!queue.empty()) {
        const std::uint32_t f = queue.front();
        queue.pop_front();
        if (region_[f] != none || !inPlane(f, seedNormal, plane)) continue;
        // One that does not fit now comes back with the next neighbour of it that joins.
        if (fits(f)) join(f);
      }
      // One face, rounded, does not know where its plane is far away: fit it to all of them, and
      // see who belongs to it now. The region must have doubled, so this ends soon.
      if (members.size() < 2 * fitted) break;
      fitted = members.size();
      plane = fit(members);
      for (const std::uint32_t f : members) offerAround(f);
    }
    regions_.push_back(std::move(members));
  }

  /// The plane with the area's normal through its middle: rounding of corners averages out.
  Plane fit(const Loop& members) const {
    Vec3 normal = Vec3::Zero(), middle = Vec3::Zero();
    double weight = 0.0;
    for (const std::uint32_t f : members) {
      normal += area_[f];
      middle += area_[f].norm() * detail::middle(points_, faces_[f]);
      weight += area_[f].norm();
    }
    if (!(normal.norm() > 0.0)) return {normal, points_[faces_[members[0]][0]]};
    return {normal.normalized(), middle / weight};
  }

  /// The line around a region; empty where there is none.
  Loop boundary(std::uint32_t r) const {
    const auto first = faces_[regions_[r][0]];
    if (regions_[r].size() == 1) return {first.begin(), first.end()};
    std::vector<Edge> rim;
    for (const std::uint32_t f : regions_[r]) {
      const auto corners = faces_[f];
      for (std::size_t k = 0; k < corners.size(); ++k)
        if (const std::uint32_t other = across(f, k); other == none || region_[other] != r)
          rim.push_back({corners[k], corners[(k + 1) % corners.size()]});
    }
    const std::vector<Loop> loops = detail::loopsOf(rim);
    return loops.size() == 1 ? loops[0] : Loop();
  }

  /// Corners on a straight line leave where all polygons at them agree on that line. Of neighbours
  /// only one goes at a time, so that what lies on a slight curve stays near it.
  void dropFlatCorners(std::vector<Loop>& polygons) const {
    struct Link {
      std::uint32_t a = none, b = none, uses = 0;
      std::array<std::size_t, 2> polygon{};
    };
    for (bool any = true; any;) {
      any = false;
      std::vector<Link> link(points_.size());
      std::vector<std::size_t> left;
      for (const Loop& p : polygons) {
        for (std::size_t k = 0; k < p.size(); ++k) {
          const auto [x, y] = std::minmax(p[(k + p.size() - 1) % p.size()], p[(k + 1) % p.size()]);
          Link& l = link[p[k]];
          if (l.uses == 0) l.a = x, l.b = y;
          if (l.uses > 1 || l.a != x || l.b != y)
            l.uses = 3;
          else
            l.polygon[l.uses++] = left.size();
        }
        left.push_back(p.size());
      }
      std::vector<char> drop(link.size(), 0);
      for (std::uint32_t v = 0; v < link.size(); ++v) {
        const Link& l = link[v];
        if (l.uses == 0 || l.uses > 2 || drop[l.a] || drop[l.b]) continue;
        const std::span<const std::size_t> at(l.polygon.data(), l.uses);
        if (std::ranges::any_of(at, [&](std::size_t p) { return left[p] <= 3; })) continue;
        const Vec3 along = points_[l.b] - points_[l.a], to = points_[v] - points_[l.a];
        const double t = to.dot(along) / along.squaredNorm();
        if (!(t > 0.0 && t < 1.0 && (to - t * along).norm() <= limits_.fromLine)) continue;
        drop[v] = 1;
        any = true;
        for (const std::size_t p : at) --left[p];
      }
      for (Loop& p : polygons) std::erase_if(p, [&](std::uint32_t v) { return drop[v] != 0; });
    }
  }

  double unevenness(const Loop& members, const Loop& polygon) const {
    const Vec3 normal = detail::areaVector(points_, polygon).normalized();
    const Vec3 middle = detail::middle(points_, polygon);
    double most = 0.0;
    for (const std::uint32_t f : members)
      for (const std::uint32_t v : faces_[f])
        most = std::max(most, std::abs(normal.dot(points_[v] - middle)));
    return most;
  }

  std::span<const Vec3> points_;
  const Polygons& faces_;
  std::vector<std::size_t> first_;     ///< per face: its first side among all
  std::vector<std::uint32_t> across_;  ///< per side
  detail::MergeLimits limits_;
  std::vector<Vec3> area_;             ///< normal times area
  std::vector<std::uint32_t> region_;  ///< per face
  std::vector<std::uint32_t> seen_;    ///< per vertex: the last region that took it
  std::vector<Loop> regions_;
  std::uint32_t current_ = 0;
};

}  // namespace

detail::MergedFaces detail::mergedFaces(std::span<const Vec3> points, const Polygons& faces,
                                        const MergeLimits& limits) {
  return Merger(points, faces, limits).merge();
}

CoplanarMerge mergedCoplanar(const SurfaceMesh& mesh, double degrees, double flat) {
  if (!(degrees >= 0.0 && degrees < 60.0))
    throw UsageError("merging coplanar faces: expected an angle from 0 to 60 degrees");
  if (mesh.faces.empty()) return {mesh, 0.0};
  const double rounding = flat * 2.0 * detail::boxAround(mesh.vertices).halfSize().norm();
  const detail::MergedFaces merged = detail::mergedFaces(
      mesh.vertices, mesh.faces, {elementary::cos(degrees * pi / 180.0), rounding, rounding});
  SurfaceMesh out{mesh.vertices, {}};
  for (const Loop& polygon : merged.polygons) out.faces.add(polygon);
  return {withoutLooseVertices(out), merged.flatness};
}

}  // namespace scree::shape
