// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/mesh_check.hpp"

#include "detail/half_edges.hpp"
#include "detail/predicates.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>

namespace scree::shape {
namespace {

constexpr std::size_t shown = 4;  ///< faces named per finding
constexpr std::size_t mostPairs = 20'000'000;
constexpr std::size_t mostHits = 2'000'000;

using Half = detail::HalfEdge;

void note(MeshCheck::Finding& finding, std::span<const Half> faces) {
  ++finding.count;
  for (const Half& h : faces)
    if (finding.faces.size() < shown) finding.faces.push_back(h.face);
}
void note(MeshCheck::Finding& finding, std::uint32_t face) {
  ++finding.count;
  if (finding.faces.size() < shown) finding.faces.push_back(face);
}

void checkEdges(const std::vector<Half>& all, const SurfaceMesh& mesh, MeshCheck& check) {
  detail::Groups parts(mesh.faces.size());
  detail::forEachEdge(all, [&](std::span<const Half> around) {
    for (const Half& h : around) parts.join(around[0].face, h.face);
    if (around.size() == 1)
      note(check.openEdges, around);
    else if (around.size() > 2)
      note(check.nonManifoldEdges, around);
    else if (around[0].forward == around[1].forward)
      note(check.wrongEdges, around);
  });
  for (std::uint32_t f = 0; f < mesh.faces.size(); ++f) check.components += parts.of(f) == f;
}

/// Corners of faces, joined through the edges that end in the same vertex: more than one group at a
/// vertex is a pinch.
void checkVertices(const std::vector<Half>& all, const SurfaceMesh& mesh, MeshCheck& check) {
  std::vector<std::uint32_t> first;
  std::uint32_t corners = 0;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    first.push_back(corners);
    corners += static_cast<std::uint32_t>(mesh.faces[f].size());
  }
  const auto cornerAt = [&](std::uint32_t f, std::uint32_t v) {
    const auto face = mesh.faces[f];
    return first[f] + static_cast<std::uint32_t>(std::ranges::find(face, v) - face.begin());
  };
  detail::Groups fans(corners);
  detail::forEachEdge(all, [&](std::span<const Half> around) {
    for (const std::uint32_t v : {around[0].low, around[0].high})
      for (const Half& h : around) fans.join(cornerAt(around[0].face, v), cornerAt(h.face, v));
  });
  std::vector<std::uint32_t> fanOf(mesh.vertices.size(), UINT32_MAX);
  std::vector<char> noted(mesh.vertices.size(), 0);
  for (std::uint32_t f = 0; f < mesh.faces.size(); ++f)
    for (const std::uint32_t v : mesh.faces[f]) {
      const std::uint32_t fan = fans.of(cornerAt(f, v));
      if (fanOf[v] == UINT32_MAX) fanOf[v] = fan;
      if (fanOf[v] == fan || noted[v]) continue;
      noted[v] = 1;
      note(check.pinchedVertices, f);
    }
}

bool onLine(const SurfaceMesh& mesh, std::span<const std::uint32_t> face) {
  for (std::size_t k = 2; k < face.size(); ++k)
    if (!detail::onOneLine(mesh.vertices[face[0]], mesh.vertices[face[1]],
                           mesh.vertices[face[k]])) {
      return false;
    }
  // All in line with the first two, unless those are one point.
  if (mesh.vertices[face[0]] != mesh.vertices[face[1]]) return true;
  return face.size() == 3 || onLine(mesh, face.subspan(1));
}

/// Whether two triangles have more in common than the vertices that they share.
bool intersect(const std::vector<Vec3>& p, std::array<std::uint32_t, 3> s,
               std::array<std::uint32_t, 3> t) {
  // Bring what they share to the front.
  std::size_t common = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = common; j < 3; ++j)
      if (common <= i && s[i] == t[j]) {
        std::swap(s[i], s[common]);
        std::swap(t[j], t[common]);
        ++common;
        break;
      }
  const std::array<Vec3, 3> a{p[s[0]], p[s[1]], p[s[2]]}, b{p[t[0]], p[t[1]], p[t[2]]};
  if (common == 0) return detail::trianglesMeet(a, b);
  // From a shared corner they meet in a segment, which ends on the far side of one of them.
  if (common == 1)
    return detail::segmentMeets(a[1], a[2], b) || detail::segmentMeets(b[1], b[2], a);
  if (common == 3) return false;  // a duplicate, counted as such
  // Along a shared side they overlap where they are folded onto each other.
  if (detail::orientation(a[0], a[1], a[2], b[2]) != 0) return false;
  const Vec3 normal = (a[1] - a[0]).cross(a[2] - a[0]);
  int along = 0;
  normal.cwiseAbs().maxCoeff(&along);
  const auto flat = [&](const Vec3& v) { return Vec2(v[(along + 1) % 3], v[(along + 2) % 3]); };
  return detail::orientation(flat(a[0]), flat(a[1]), flat(a[2])) ==
         detail::orientation(flat(b[0]), flat(b[1]), flat(b[2]));
}

/// f(place) for each place after `own` whose leaf overlaps `box`, until it returns false.
/// @returns false where it stopped, or after `mostNodes` nodes of a tree that was renumbered
template <class F>
bool forEachLater(const AabbTree& tree, const Aabb& box, std::uint32_t own, std::size_t mostNodes,
                  F&& f) {
  std::uint32_t stack[64];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const AabbTree::Node& n = tree.node(stack[--top]);
    if (n.end <= own + 1 || !n.box.overlaps(box)) continue;
    if (mostNodes-- == 0) return false;
    if (n.leaf()) {
      for (const std::uint32_t place : tree.items(n))
        if (place > own && !f(place)) return false;
    } else {
      stack[top++] = n.first + 1;
      stack[top++] = n.first;
    }
  }
  return true;
}

void checkIntersections(const SurfaceMesh& mesh, int threads, MeshCheck& check) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint32_t> faceOf;
  for (std::uint32_t f = 0; f < mesh.faces.size(); ++f) {
    triangulate(mesh.vertices, mesh.faces[f], triangles);
    faceOf.resize(triangles.size(), f);
  }
  std::vector<Aabb> box(triangles.size());
  std::vector<char> flat(triangles.size(), 0);
  parallelFor(
      threads, triangles.size(),
      [&](std::size_t k) {
        const auto& t = triangles[k];
        for (const std::uint32_t v : t) box[k].add(mesh.vertices[v]);
        flat[k] = detail::onOneLine(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
      },
      1000);
  AabbTree tree(box, 4);
  const std::vector<std::uint32_t> triangleAt = tree.renumber();
  std::vector<std::atomic<std::uint32_t>> hits(triangles.size());
  std::vector<char> counted(triangles.size(), 1);
  // Limits per triangle, so that what is counted does not depend on who counts first.
  const std::size_t n = std::max<std::size_t>(box.size(), 1);
  const std::size_t limit = std::max<std::size_t>(mostPairs / n, 100);
  const std::size_t hitLimit = std::max<std::size_t>(mostHits / n, 100);
  parallelFor(
      threads, triangles.size(),
      [&](std::size_t own) {
        const std::uint32_t k = triangleAt[own];
        if (flat[k]) return;
        std::size_t tests = 0, met = 0;
        counted[k] =
            forEachLater(tree, box[k], static_cast<std::uint32_t>(own), 20 * limit + 1000,
                         [&](std::uint32_t place) {
                           const std::uint32_t other = triangleAt[place];
                           if (flat[other] || !box[k].overlaps(box[other])) return true;
                           if (tests++ > limit || met > hitLimit) return false;
                           if (intersect(mesh.vertices, triangles[k], triangles[other])) {
                             ++met;
                             hits[std::min(k, other)].fetch_add(1, std::memory_order_relaxed);
                           }
                           return true;
                         });
      },
      200);
  for (std::size_t k = 0; k < hits.size(); ++k) {
    if (hits[k] > 0 && check.selfIntersections.faces.size() < shown)
      check.selfIntersections.faces.push_back(faceOf[k]);
    check.selfIntersections.count += hits[k];
    check.intersectionsCounted = check.intersectionsCounted && counted[k];
  }
}

}  // namespace

MeshCheck checkMesh(const SurfaceMesh& mesh, int threads) {
  MeshCheck check;
  check.vertices = mesh.vertices.size();
  check.faces = mesh.faces.size();
  const std::vector<Half> all = detail::sortedHalfEdges(mesh.faces);
  checkEdges(all, mesh, check);
  checkVertices(all, mesh, check);
  const std::vector<char> repeated = detail::repeatedFaces(mesh.faces);
  for (std::uint32_t f = 0; f < repeated.size(); ++f)
    if (repeated[f]) note(check.duplicateFaces, f);
  for (std::uint32_t f = 0; f < mesh.faces.size(); ++f)
    if (onLine(mesh, mesh.faces[f])) note(check.degenerateFaces, f);
  checkIntersections(mesh, threads, check);
  return check;
}

std::vector<std::string> findings(const MeshCheck& check) {
  std::vector<std::string> out;
  const auto tell = [&](const MeshCheck::Finding& f, const char* one, const char* many) {
    if (f.count == 0) return;
    out.push_back(fmt::format("{} {}, first at face{} {}", f.count, f.count == 1 ? one : many,
                              f.faces.size() == 1 ? "" : "s", fmt::join(f.faces, ", ")));
  };
  tell(check.openEdges, "open edge", "open edges");
  tell(check.nonManifoldEdges, "edge with more than two faces", "edges with more than two faces");
  tell(check.wrongEdges, "edge between faces of opposite winding",
       "edges between faces of opposite winding");
  tell(check.pinchedVertices, "vertex where parts touch in a point",
       "vertices where parts touch in a point");
  tell(check.degenerateFaces, "face without area", "faces without area");
  tell(check.duplicateFaces, "face given twice", "faces given twice");
  tell(check.selfIntersections, "pair of triangles that intersect",
       "pairs of triangles that intersect");
  if (!check.intersectionsCounted)
    out.push_back("too many triangles in one place to count all that intersect");
  return out;
}

SurfaceMesh woundAlike(const SurfaceMesh& mesh, std::size_t& turned) {
  std::vector<char> turn(mesh.faces.size(), 0);
  if (const auto face = detail::windAlike(detail::sortedHalfEdges(mesh.faces), turn))
    throw GeometryError(fmt::format(
        "faces cannot be wound consistently: the surface is one-sided at face {}", *face));
  turned = static_cast<std::size_t>(std::ranges::count_if(turn, [](char t) { return t != 0; }));
  return {mesh.vertices, detail::turnedFaces(mesh.faces, turn)};
}

SurfaceMesh withoutDuplicateFaces(const SurfaceMesh& mesh) {
  const std::vector<char> repeated = detail::repeatedFaces(mesh.faces);
  SurfaceMesh out;
  out.vertices = mesh.vertices;
  for (std::size_t f = 0; f < repeated.size(); ++f)
    if (!repeated[f]) out.faces.add(mesh.faces[f]);
  return out;
}

}  // namespace scree::shape
