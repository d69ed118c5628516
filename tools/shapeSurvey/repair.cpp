// SPDX-License-Identifier: GPL-3.0-or-later
#include "check.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/obb.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace scree::tools {
namespace {

using shape::Edge;
using shape::Polygons;
using shape::Shape;

/// Vertices `keep[v]` stand for themselves alone; the others go, edges and faces follow.
void renumber(Shape& s, const std::vector<std::uint32_t>& standsFor) {
  std::vector<std::uint32_t> number(s.vertices.size(), 0);
  std::vector<Vec3> vertices;
  for (std::uint32_t v = 0; v < standsFor.size(); ++v) {
    if (standsFor[v] != v) continue;
    number[v] = static_cast<std::uint32_t>(vertices.size());
    vertices.push_back(s.vertices[v]);
  }
  const auto renamed = [&](std::uint32_t v) { return number[standsFor[v]]; };
  for (Edge& e : s.edges) e = {renamed(e[0]), renamed(e[1])};
  for (std::size_t f = 0; f < s.faces.size(); ++f)
    for (std::uint32_t& corner : s.faces[f]) corner = renamed(corner);
  s.vertices = std::move(vertices);
}

void joinVertices(Shape& s) {
  std::map<std::array<double, 3>, std::uint32_t> first;
  std::vector<std::uint32_t> standsFor;
  for (std::uint32_t v = 0; v < s.vertices.size(); ++v) {
    const Vec3& p = s.vertices[v];
    standsFor.push_back(
        first.emplace(std::array{p.x() + 0.0, p.y() + 0.0, p.z() + 0.0}, v).first->second);
  }
  renumber(s, standsFor);
}

void dropUnused(Shape& s) {
  if (s.faces.empty() && s.edges.empty()) return;
  std::vector<char> used(s.vertices.size(), 0);
  for (const Edge& e : s.edges) used[e[0]] = used[e[1]] = 1;
  for (std::size_t f = 0; f < s.faces.size(); ++f)
    for (const std::uint32_t v : s.faces[f]) used[v] = 1;
  std::vector<std::uint32_t> standsFor(s.vertices.size());
  const auto any =
      static_cast<std::uint32_t>(std::find(used.begin(), used.end(), 1) - used.begin());
  for (std::uint32_t v = 0; v < used.size(); ++v) standsFor[v] = used[v] ? v : any;
  renumber(s, standsFor);
}

/// Faces without area and repeated faces go; those that are not plane become triangles.
void mendFaces(Shape& s, bool split) {
  Polygons kept;
  std::set<std::vector<std::uint32_t>> seen;
  const auto keep = [&](std::vector<std::uint32_t> corners) {
    std::vector<std::uint32_t> once;
    for (const std::uint32_t c : corners)
      if (once.empty() || once.back() != c) once.push_back(c);
    while (once.size() > 1 && once.back() == once.front()) once.pop_back();
    corners = once;
    std::sort(once.begin(), once.end());
    if (corners.size() < 3 || std::adjacent_find(once.begin(), once.end()) != once.end()) return;
    Vec3 area = Vec3::Zero();
    double longest = 0.0;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec3 a = s.vertices[corners[k]] - s.vertices[corners[0]],
                 b = s.vertices[corners[(k + 1) % corners.size()]] - s.vertices[corners[0]];
      area += 0.5 * a.cross(b);
      longest = std::max(longest, (b - a).norm());
    }
    if (area.norm() > 1e-12 * longest * longest && seen.insert(once).second) kept.add(corners);
  };
  for (std::size_t f = 0; f < s.faces.size(); ++f) {
    const auto face = s.faces[f];
    if (!split || face.size() == 3) {
      keep({face.begin(), face.end()});
      continue;
    }
    for (std::size_t k = 2; k < face.size(); ++k) keep({face[0], face[k - 1], face[k]});
  }
  s.faces = std::move(kept);
}

/// Given edges in their order, without twins and zero lengths, then the sides that were missing.
void mendEdges(Shape& s) {
  std::vector<Edge> kept;
  std::set<Edge> seen;
  const auto keep = [&](const Edge& e) {
    if (s.vertices[e[0]] != s.vertices[e[1]] &&
        seen.insert({std::min(e[0], e[1]), std::max(e[0], e[1])}).second)
      kept.push_back(e);
  };
  for (const Edge& e : s.edges) keep(e);
  for (const Edge& e : shape::edgesOf(s.faces)) keep(e);
  s.edges = std::move(kept);
}

bool anyOf(const std::vector<Finding>& findings, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(findings, [&](const Finding& f) {
    return f.mendable && std::ranges::find(names, f.what) != names.end();
  });
}

/// Mends what stands in `findings`, skeleton first: what the numbers are worth is a question to the
/// mended one.
void mend(Shape& s, std::vector<Finding> findings, bool ofBody) {
  if (anyOf(findings, {"duplicate-vertices"})) joinVertices(s);
  if (anyOf(findings, {"duplicate-vertices", "degenerate-faces", "duplicate-faces", "not-plane"}))
    mendFaces(s, anyOf(findings, {"not-plane"}));
  if (anyOf(findings, {"inside-out"})) s.faces = shape::coreOf(s).faces;
  mendEdges(s);
  dropUnused(s);
  if (anyOf(findings, {"orientation"})) s.orientation.normalize();
  findings = audited(s, ofBody);
  if (anyOf(findings, {"volume", "inertia", "centre", "frame"})) {
    mass::SurveyOptions options;
    options.recompute = true;
    mass::survey(s, options);
  } else if (anyOf(findings, {"no-box", "box-axes"})) {
    s.obb = shape::orientedBox(s, shape::BoxMethod::minimum);
    s.obbGiven = true;
  } else if (anyOf(findings, {"box", "box-loose"})) {
    s.obb = shape::boxAlong(s, s.obb.axes);
  }
}

}  // namespace

Shape repaired(const Shape& given, bool ofBody) {
  Shape s = given;
  // Mending may bring out more: a face that loses a repeated corner need not be plane. Each round
  // leaves fewer vertices, edges or faces to mend, so few rounds do.
  for (int round = 0; round < 8; ++round) {
    const std::vector<Finding> findings = audited(s, ofBody);
    if (std::ranges::none_of(findings, &Finding::mendable)) break;
    mend(s, findings, ofBody);
  }
  return s;
}

}  // namespace scree::tools
