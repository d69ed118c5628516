// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/cgal_wrap.hpp"
#include "detail/half_edges.hpp"
#include "detail/predicates.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace scree::shape {
namespace {

using Rim = std::vector<std::uint32_t>;
using HalfEdge = std::array<std::uint32_t, 2>;

/// Edges of one face alone, run the way a face that closes them would.
std::vector<HalfEdge> openEdges(const Polygons& faces) {
  std::vector<HalfEdge> open;
  detail::forEachEdge(detail::sortedHalfEdges(faces),
                      [&](std::span<const detail::HalfEdge> around) {
                        if (around.size() > 1) return;
                        const auto& [low, high, face, forward] = around[0];
                        open.push_back(forward ? HalfEdge{high, low} : HalfEdge{low, high});
                      });
  std::sort(open.begin(), open.end());
  return open;
}

/// Closed lines without a vertex twice. Edges that belong to none (faces wound unlike) are left out
/// and counted.
std::vector<Rim> rimsOf(const std::vector<HalfEdge>& open, std::size_t& astray) {
  std::vector<char> used(open.size(), 0);
  std::vector<Rim> rims;
  const auto nextOf = [&](std::uint32_t v) {
    auto at = std::lower_bound(open.begin(), open.end(), HalfEdge{v, 0});
    while (at != open.end() && (*at)[0] == v && used[static_cast<std::size_t>(at - open.begin())])
      ++at;
    return at != open.end() && (*at)[0] == v ? static_cast<std::size_t>(at - open.begin())
                                             : open.size();
  };
  for (std::size_t seed = 0; seed < open.size(); ++seed) {
    if (used[seed]) continue;
    Rim path{open[seed][0]};
    used[seed] = 1;
    std::uint32_t at = open[seed][1];
    while (true) {
      // Where the path comes back to one of its own vertices, a rim is complete.
      if (const auto back = std::ranges::find(path, at); back != path.end()) {
        rims.emplace_back(back, path.end());
        path.erase(back, path.end());
      }
      const std::size_t next = nextOf(at);
      if (next == open.size()) {
        astray += path.size();
        break;
      }
      path.push_back(at);
      used[next] = 1;
      at = open[next][1];
    }
  }
  return rims;
}

/// Triangles of least area on a closed line; empty where each way needs an edge that is there.
std::vector<std::array<std::uint32_t, 3>> patch(const std::vector<Vec3>& vertices, const Rim& rim,
                                                const std::vector<Edge>& edges,
                                                const std::set<Edge>& added) {
  const std::size_t n = rim.size();
  const auto area = [&](std::size_t i, std::size_t j, std::size_t k) {
    const Vec3& a = vertices[rim[i]];
    return 0.5 * (vertices[rim[j]] - a).cross(vertices[rim[k]] - a).norm();
  };
  const auto chordIsFree = [&](std::size_t i, std::size_t j) {
    if (j == i + 1 || (i == 0 && j == n - 1)) return true;
    const Edge chord{std::min(rim[i], rim[j]), std::max(rim[i], rim[j])};
    return !std::ranges::binary_search(edges, chord) && !added.contains(chord);
  };
  constexpr double never = 1e300;
  std::vector<double> least(n * n, 0.0);
  std::vector<std::uint32_t> via(n * n, 0);
  for (std::size_t span = 2; span < n; ++span)
    for (std::size_t i = 0; i + span < n; ++i) {
      const std::size_t j = i + span;
      double best = never;
      if (chordIsFree(i, j))
        for (std::size_t m = i + 1; m < j; ++m) {
          const double left = least[i * n + m], right = least[m * n + j];
          if (left >= never || right >= never) continue;
          if (const double sum = left + right + area(i, m, j); sum < best) {
            best = sum;
            via[i * n + j] = static_cast<std::uint32_t>(m);
          }
        }
      least[i * n + j] = best;
    }
  std::vector<std::array<std::uint32_t, 3>> out;
  if (n < 3 || least[n - 1] >= never) return out;
  std::vector<std::array<std::size_t, 2>> spans{{0, n - 1}};
  while (!spans.empty()) {
    const auto [i, j] = spans.back();
    spans.pop_back();
    if (j < i + 2) continue;
    const std::size_t m = via[i * n + j];
    out.push_back({rim[i], rim[m], rim[j]});
    spans.push_back({i, m});
    spans.push_back({m, j});
  }
  return out;
}

}  // namespace

HoleFilling filledHoles(const SurfaceMesh& mesh, std::size_t longestRim) {
  HoleFilling out;
  out.mesh = mesh;
  std::size_t astray = 0;
  const std::vector<Edge> edges = edgesOf(mesh.faces);
  std::set<Edge> added;  // two holes may share a pair of vertices
  for (const Rim& rim : rimsOf(openEdges(mesh.faces), astray)) {
    const auto triangles = rim.size() <= longestRim ? patch(mesh.vertices, rim, edges, added)
                                                    : std::vector<std::array<std::uint32_t, 3>>{};
    if (triangles.empty()) {
      ++out.holesLeft;
      continue;
    }
    ++out.holes;
    out.triangles += triangles.size();
    for (const auto& t : triangles) {
      out.mesh.faces.add(t);
      for (std::size_t k = 0; k < 3; ++k)
        added.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
      out.area += 0.5 * (mesh.vertices[t[1]] - mesh.vertices[t[0]])
                            .cross(mesh.vertices[t[2]] - mesh.vertices[t[0]])
                            .norm();
    }
  }
  out.holesLeft += astray > 0;
  return out;
}

SurfaceMesh wrapped(const SurfaceMesh& mesh, double alpha, double offset) {
  if (!(alpha > 0.0 && offset > 0.0 && std::isfinite(alpha) && std::isfinite(offset)))
    throw UsageError("wrap: alpha and offset must be above 0");
  // Lines and points have no inside and no outside for the wrap to find its way between.
  std::vector<std::array<std::uint32_t, 3>> triangles = trianglesOf(mesh);
  std::erase_if(triangles, [&](const auto& t) {
    return detail::onOneLine(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
  });
  if (triangles.empty()) throw GeometryError("cannot be wrapped: no face has an area");
  detail::TriangleSoup wrap;
  try {
    wrap = detail::alphaWrap(mesh.vertices, triangles, alpha, offset);
  } catch (const std::exception& error) {
    throw GeometryError(std::string("cannot be wrapped: ") + error.what());
  }
  if (wrap.triangles.empty())
    throw GeometryError("cannot be wrapped: all parts are thinner than alpha");
  SurfaceMesh out;
  out.vertices = std::move(wrap.points);
  for (const auto& t : wrap.triangles) out.faces.add(t);
  return out;
}

}  // namespace scree::shape
