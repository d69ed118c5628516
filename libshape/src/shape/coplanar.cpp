// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

namespace scree::shape {
namespace {

constexpr std::uint32_t none = UINT32_MAX;
constexpr double single = 1e-7;  ///< of the size: where coordinates in single precision end

using Loop = std::vector<std::uint32_t>;

class Merger {
 public:
  Merger(const SurfaceMesh& mesh, double degrees)
      : mesh_(mesh), leastCosine_(elementary::cos(degrees * pi / 180.0)) {
    Aabb box;
    for (const Vec3& v : mesh.vertices) box.add(v);
    rounding_ = single * 2.0 * box.halfSize().norm();
    findNeighbours();
    for (std::uint32_t f = 0; f < mesh.faces.size(); ++f)
      area_.push_back(detail::areaVector(mesh.vertices, mesh.faces[f]));
  }

  CoplanarMerge merge() {
    growAll();
    apart_.assign(regions_.size(), 0);
    CoplanarMerge out;
    std::vector<Loop> polygons;
    std::vector<std::uint32_t> regionOf;
    // A region that yields no simple polygon falls back to its faces. Its neighbours may then need
    // corners that they had dropped, so all are made again. Each round settles one at least.
    for (bool settled = false; !settled;) {
      polygons.clear(), regionOf.clear();
      for (std::uint32_t r = 0; r < regions_.size(); ++r) {
        if (apart_[r]) {
          for (const std::uint32_t f : regions_[r]) {
            polygons.emplace_back(mesh_.faces[f].begin(), mesh_.faces[f].end());
            regionOf.push_back(none);
          }
        } else {
          polygons.push_back(boundary(r));
          regionOf.push_back(r);
        }
      }
      dropFlatCorners(polygons);
      settled = true;
      for (std::size_t k = 0; k < polygons.size(); ++k) {
        const std::uint32_t r = regionOf[k];
        if (r == none || regions_[r].size() == 1 || isSimple(mesh_.vertices, polygons[k])) continue;
        apart_[r] = 1;
        settled = false;
      }
    }
    for (std::size_t k = 0; k < polygons.size(); ++k) {
      out.mesh.faces.add(polygons[k]);
      if (regionOf[k] == none)
        ++out.unmerged;
      else if (regions_[regionOf[k]].size() > 1 || polygons[k].size() > 3)
        out.flatness = std::max(out.flatness, unevenness(regions_[regionOf[k]], polygons[k]));
    }
    out.pieces = pieces_;
    out.mesh.vertices = mesh_.vertices;
    out.mesh = withoutLooseVertices(out.mesh);
    return out;
  }

 private:
  void findNeighbours() {
    struct Half {
      std::uint32_t from, to, face, side;
      auto operator<=>(const Half&) const = default;
    };
    std::vector<Half> half;
    for (std::uint32_t f = 0; f < mesh_.faces.size(); ++f) {
      start_.push_back(neighbour_.size());
      const auto corners = mesh_.faces[f];
      for (std::uint32_t k = 0; k < corners.size(); ++k) {
        half.push_back({corners[k], corners[(k + 1) % corners.size()], f, k});
        neighbour_.push_back(none);
      }
    }
    std::sort(half.begin(), half.end());
    const auto range = [&](std::uint32_t from, std::uint32_t to) {
      const auto first = std::lower_bound(half.begin(), half.end(), Half{from, to, 0, 0});
      auto last = first;
      while (last != half.end() && last->from == from && last->to == to) ++last;
      return std::span<const Half>(first, last);
    };
    // Neighbours are two faces that run opposite ways along an edge of theirs alone.
    for (const Half& h : half) {
      const auto back = range(h.to, h.from);
      if (back.size() == 1 && range(h.from, h.to).size() == 1 && back[0].face != h.face)
        neighbour_[start_[h.face] + h.side] = back[0].face;
    }
  }

  std::uint32_t across(std::uint32_t f, std::size_t side) const {
    return neighbour_[start_[f] + side];
  }

  struct Plane {
    Vec3 normal, origin;
  };

  bool inPlane(std::uint32_t f, const Vec3& seedNormal, const Plane& plane) const {
    const double size = area_[f].norm(), along = area_[f].dot(seedNormal);
    if (size > 0.0 && along >= leastCosine_ * size) return true;
    double longest = 0.0;
    const auto corners = mesh_.faces[f];
    for (std::size_t k = 0; k < corners.size(); ++k) {
      if (std::abs(plane.normal.dot(mesh_.vertices[corners[k]] - plane.origin)) > rounding_)
        return false;
      const Vec3 side =
          mesh_.vertices[corners[(k + 1) % corners.size()]] - mesh_.vertices[corners[k]];
      longest = std::max(longest, side.norm());
    }
    // A needle as thin as the rounding has no normal to speak of; all others must not fold back.
    return along > 0.0 || size <= rounding_ * longest;
  }

  /// Whether the region stays a disc, bounded by one line without touching points, with this face.
  bool fits(std::uint32_t f) const {
    const auto corners = mesh_.faces[f];
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
    std::vector<std::uint32_t> order(mesh_.faces.size());
    std::iota(order.begin(), order.end(), 0u);
    // The largest face of a plane knows the plane best.
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return area_[a].squaredNorm() > area_[b].squaredNorm();
    });
    region_.assign(mesh_.faces.size(), none);
    seen_.assign(mesh_.vertices.size(), none);
    plane_.assign(mesh_.faces.size(), none);
    for (const std::uint32_t seed : order)
      if (region_[seed] == none) grow(seed);
  }

  void grow(std::uint32_t seed) {
    current_ = static_cast<std::uint32_t>(regions_.size());
    const Vec3 seedNormal =
        area_[seed].norm() > 0.0 ? Vec3(area_[seed].normalized()) : Vec3::Zero();
    Plane plane{seedNormal, mesh_.vertices[mesh_.faces[seed][0]]};
    // A plane that was refused faces for the sake of a hole goes on in further pieces.
    if (plane_[seed] != none) ++pieces_;
    const std::uint32_t firstPiece = plane_[seed] != none ? plane_[seed] : current_;
    Loop members;
    std::deque<std::uint32_t> queue;
    const auto offerAround = [&](std::uint32_t f) {
      for (std::size_t k = 0; k < mesh_.faces[f].size(); ++k)
        if (const std::uint32_t other = across(f, k); other != none && region_[other] == none)
          queue.push_back(other);
    };
    const auto join = [&](std::uint32_t f) {
      region_[f] = current_;
      members.push_back(f);
      for (const std::uint32_t v : mesh_.faces[f]) seen_[v] = current_;
      offerAround(f);
    };
    join(seed);
    for (std::size_t fitted = 1;;) {
      while (!queue.empty()) {
        const std::uint32_t f = queue.front();
        queue.pop_front();
        if (region_[f] != none || !inPlane(f, seedNormal, plane)) continue;
        if (fits(f))
          join(f);  // one that does not fit now comes back with the next neighbour of it that joins
        else
          plane_[f] = firstPiece;
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

  /// The plane with the area's normal through its middle: what rounding did to corners averages
  /// out.
  Plane fit(const Loop& members) const {
    Vec3 normal = Vec3::Zero(), middle = Vec3::Zero();
    double weight = 0.0;
    for (const std::uint32_t f : members) {
      normal += area_[f];
      middle += area_[f].norm() * detail::middle(mesh_.vertices, mesh_.faces[f]);
      weight += area_[f].norm();
    }
    if (!(normal.norm() > 0.0)) return {normal, mesh_.vertices[mesh_.faces[members[0]][0]]};
    return {normal.normalized(), middle / weight};
  }

  /// The line around a region, from its lowest corner.
  Loop boundary(std::uint32_t r) const {
    std::vector<std::array<std::uint32_t, 2>> next;
    for (const std::uint32_t f : regions_[r]) {
      const auto corners = mesh_.faces[f];
      for (std::size_t k = 0; k < corners.size(); ++k)
        if (const std::uint32_t other = across(f, k); other == none || region_[other] != r)
          next.push_back({corners[k], corners[(k + 1) % corners.size()]});
    }
    std::sort(next.begin(), next.end());
    Loop loop;
    std::uint32_t at = next.front()[0];
    do {
      loop.push_back(at);
      at = (*std::lower_bound(next.begin(), next.end(), std::array{at, 0u}))[1];
    } while (at != loop.front() && loop.size() < next.size());
    return loop;
  }

  /// Corners on a straight line that all faces at them share leave.
  void dropFlatCorners(std::vector<Loop>& polygons) const {
    // The two neighbours of a corner, where all polygons agree on them and are two at most.
    struct Link {
      std::uint32_t a = none, b = none, uses = 0;
    };
    std::vector<Link> link(mesh_.vertices.size());
    for (const Loop& p : polygons)
      for (std::size_t k = 0; k < p.size(); ++k) {
        const std::uint32_t x = p[(k + p.size() - 1) % p.size()], y = p[(k + 1) % p.size()];
        Link& l = link[p[k]];
        if (++l.uses == 1)
          l.a = std::min(x, y), l.b = std::max(x, y);
        else if (l.uses > 2 || l.a != std::min(x, y) || l.b != std::max(x, y))
          l.uses = 3;
      }
    const auto free = [&](std::uint32_t v) { return link[v].uses > 0 && link[v].uses < 3; };
    std::vector<char> drop(mesh_.vertices.size(), 0), done(mesh_.vertices.size(), 0);
    const auto walk = [&](std::uint32_t from, std::uint32_t to) {
      // From a fixed corner along free ones to the next fixed one, or around.
      Loop chain{from, to};
      while (free(chain.back()) && chain.back() != chain.front() && !done[chain.back()]) {
        const Link& l = link[chain.back()];
        done[chain.back()] = 1;
        chain.push_back(l.a == chain[chain.size() - 2] ? l.b : l.a);
      }
      straighten(chain, drop);
    };
    for (const Loop& p : polygons)
      for (std::size_t k = 0; k < p.size(); ++k) {
        const std::uint32_t v = p[k], w = p[(k + 1) % p.size()];
        if (!free(v) && free(w) && !done[w]) walk(v, w);
      }
    // Lines of free corners alone: they begin at one that is a corner for sure.
    for (const Loop& p : polygons) {
      if (!std::ranges::all_of(p, [&](std::uint32_t v) { return free(v) && !done[v]; })) continue;
      const auto first = std::ranges::min_element(p, [&](std::uint32_t a, std::uint32_t b) {
        const Vec3 &u = mesh_.vertices[a], &w = mesh_.vertices[b];
        return std::lexicographical_compare(u.begin(), u.end(), w.begin(), w.end());
      });
      done[*first] = 1;
      const auto second = std::next(first) == p.end() ? p.begin() : std::next(first);
      walk(*first, *second);
    }
    // A polygon thinner than the rounding keeps its corners, and so do its neighbours then.
    for (bool settled = false; !settled;) {
      settled = true;
      for (const Loop& p : polygons) {
        if (std::ranges::count_if(p, [&](std::uint32_t v) { return !drop[v]; }) >= 3) continue;
        for (const std::uint32_t v : p) {
          settled = settled && !drop[v];
          drop[v] = 0;
        }
      }
    }
    for (Loop& p : polygons) std::erase_if(p, [&](std::uint32_t v) { return drop[v] != 0; });
  }

  /// Marks the corners of a chain that lie on the straight line between kept ones
  /// (Douglas-Peucker).
  void straighten(const Loop& chain, std::vector<char>& drop) const {
    std::vector<std::array<std::size_t, 2>> parts{{0, chain.size() - 1}};
    while (!parts.empty()) {
      const auto [from, to] = parts.back();
      parts.pop_back();
      if (to <= from + 1) continue;
      const Vec3 a = mesh_.vertices[chain[from]], along = mesh_.vertices[chain[to]] - a;
      double most = -1.0;
      std::size_t farthest = from + 1;
      double last = 0.0;
      bool onward = true;  // corners that go back and forth on the line are none to drop
      for (std::size_t k = from + 1; k < to; ++k) {
        const Vec3 p = mesh_.vertices[chain[k]] - a;
        const double t = along.squaredNorm() > 0.0
                             ? std::clamp(p.dot(along) / along.squaredNorm(), 0.0, 1.0)
                             : 0.0;
        onward = onward && t >= last;
        last = t;
        if (const double d = (p - t * along).norm(); d > most) most = d, farthest = k;
      }
      if (most <= rounding_ && onward) {
        for (std::size_t k = from + 1; k < to; ++k) drop[chain[k]] = 1;
      } else {
        parts.push_back({from, farthest});
        parts.push_back({farthest, to});
      }
    }
  }

  double unevenness(const Loop& members, const Loop& polygon) const {
    const Vec3 normal = detail::areaVector(mesh_.vertices, polygon).normalized();
    const Vec3 middle = detail::middle(mesh_.vertices, polygon);
    double most = 0.0;
    for (const std::uint32_t f : members)
      for (const std::uint32_t v : mesh_.faces[f])
        most = std::max(most, std::abs(normal.dot(mesh_.vertices[v] - middle)));
    return most;
  }

  const SurfaceMesh& mesh_;
  double leastCosine_, rounding_ = 0.0;
  std::vector<std::size_t> start_;        ///< of the sides of a face in neighbour_
  std::vector<std::uint32_t> neighbour_;  ///< per side
  std::vector<Vec3> area_;                ///< normal times area
  std::vector<std::uint32_t> region_;     ///< per face
  std::vector<std::uint32_t> seen_;       ///< per vertex: the last region that took it
  std::vector<std::uint32_t> plane_;      ///< per face: region whose plane holds it
  std::vector<Loop> regions_;
  std::vector<char> apart_;
  std::uint32_t current_ = 0;
  std::size_t pieces_ = 0;
};

}  // namespace

CoplanarMerge mergedCoplanar(const SurfaceMesh& mesh, double degrees) {
  if (!(degrees >= 0.0 && degrees < 60.0))
    throw UsageError("merging coplanar faces: expected an angle from 0 to 60 degrees");
  if (mesh.faces.empty()) return {mesh, 0.0, 0, 0};
  return Merger(mesh, degrees).merge();
}

}  // namespace scree::shape
