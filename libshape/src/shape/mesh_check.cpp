// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/mesh_check.hpp"

#include "detail/cgal.hpp"
#include "detail/crossings.hpp"
#include "detail/half_edges.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace scree::shape {
namespace {

constexpr std::size_t shown = 4;  ///< faces named per finding

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

void countEdges(const std::vector<Half>& all, std::size_t faces, MeshCheck& check) {
  detail::Groups parts(faces);
  detail::forEachEdge(all, [&](std::span<const Half> around) {
    for (const Half& h : around) parts.join(around[0].face, h.face);
    if (around.size() == 1)
      note(check.openEdges, around);
    else if (around.size() > 2)
      note(check.nonManifoldEdges, around);
    else if (around[0].forward == around[1].forward)
      note(check.wrongEdges, around);
  });
  for (std::uint32_t f = 0; f < faces; ++f) check.components += parts.of(f) == f;
}

/// Joins corners of faces through edges at a vertex: several groups at a vertex are a pinch.
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

void checkIntersections(const SurfaceMesh& mesh, MeshCheck& check) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint32_t> faceOf;
  for (std::uint32_t f = 0; f < mesh.faces.size(); ++f) {
    triangulate(mesh.vertices, mesh.faces[f], triangles);
    faceOf.resize(triangles.size(), f);
  }
  const detail::Crossings crossing = detail::crossings(mesh.vertices, triangles);
  check.intersectionsCounted = crossing.complete;
  check.selfIntersections.count = crossing.pairs.size();
  auto& faces = check.selfIntersections.faces;
  for (const auto& [k, other] : crossing.pairs)
    if (faces.size() < shown && (faces.empty() || faces.back() != faceOf[k]))
      faces.push_back(faceOf[k]);
}

}  // namespace

MeshCheck checkEdges(const Polygons& faces) {
  MeshCheck check;
  countEdges(detail::sortedHalfEdges(faces), faces.size(), check);
  return check;
}

MeshCheck checkMesh(const SurfaceMesh& mesh) {
  MeshCheck check;
  check.vertices = mesh.vertices.size();
  check.faces = mesh.faces.size();
  const std::vector<Half> all = detail::sortedHalfEdges(mesh.faces);
  countEdges(all, mesh.faces.size(), check);
  checkVertices(all, mesh, check);
  const std::vector<std::uint32_t> alike = detail::firstAlike(mesh.faces);
  for (std::uint32_t f = 0; f < alike.size(); ++f)
    if (alike[f] != f) note(check.duplicateFaces, f);
  for (std::uint32_t f = 0; f < mesh.faces.size(); ++f)
    if (onLine(mesh, mesh.faces[f])) note(check.degenerateFaces, f);
  checkIntersections(mesh, check);
  return check;
}

bool MeshCheck::sound() const {
  return std::ranges::all_of(defects,
                             [&](const Defect& d) { return (this->*d.finding).count == 0; });
}

std::vector<std::string> findings(const MeshCheck& check) {
  std::vector<std::string> out;
  for (const Defect& defect : defects) {
    const MeshCheck::Finding& f = check.*defect.finding;
    if (f.count == 0) continue;
    out.push_back(fmt::format("{} {}, first at face{} {}", f.count,
                              f.count == 1 ? defect.one : defect.many,
                              f.faces.size() == 1 ? "" : "s", fmt::join(f.faces, ", ")));
  }
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
  const std::vector<std::uint32_t> alike = detail::firstAlike(mesh.faces);
  SurfaceMesh out{mesh.vertices, {}};
  for (std::uint32_t f = 0; f < alike.size(); ++f)
    if (alike[f] == f) out.faces.add(mesh.faces[f]);
  return out;
}

}  // namespace scree::shape
