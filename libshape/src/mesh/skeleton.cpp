// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit_parts.hpp"
#include "detail/half_edges.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/shape/obb.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace scree::mesh {
namespace {

using shape::Shape;
using Indices = std::vector<std::uint32_t>;

constexpr std::size_t named = 4;  ///< elements named in a finding

/// A finding that counts elements: how many, and the first of them.
class Count {
 public:
  void add(std::size_t element) {
    ++count_;
    if (first_.size() < named) first_.push_back(static_cast<std::uint32_t>(element));
  }
  void tell(std::vector<Finding>& found, Severity severity, std::string_view what,
            std::string_view where, const char* element, const char* sentence) const {
    if (count_ == 0) return;
    Finding f;
    f.severity = severity;
    f.what = what;
    f.where = where;
    f.elements = first_;
    f.message = times(count_, element) + " " + sentence + places(element, first_);
    found.push_back(std::move(f));
  }

 private:
  std::size_t count_ = 0;
  Indices first_;
};

std::vector<char> usedVertices(const Shape& s) {
  std::vector<char> used(s.vertices.size(), 0);
  for (const shape::Edge& e : s.edges) used[e[0]] = used[e[1]] = 1;
  for (std::size_t f = 0; f < s.faces.size(); ++f)
    for (const std::uint32_t v : s.faces[f]) used[v] = 1;
  return used;
}

void auditVertices(const Shape& s, std::vector<Finding>& found) {
  if (!s.radii.empty()) return;  // balls may have one centre
  Count twins, unused;
  const Indices first = shape::detail::firstEqual(s.vertices);
  for (std::size_t v = 0; v < first.size(); ++v)
    if (first[v] != v) twins.add(v);
  twins.tell(found, Severity::warning, "duplicate-vertices", "nv", "vertex",
             "at the position of an earlier one");
  if (s.faces.empty() && s.edges.empty()) return;
  const std::vector<char> used = usedVertices(s);
  for (std::size_t v = 0; v < used.size(); ++v)
    if (!used[v]) unused.add(v);
  unused.tell(found, Severity::warning, "unused-vertices", "nv", "vertex",
              "without edge and face: separate balls");
}

void auditEdges(const Shape& s, std::vector<Finding>& found) {
  Count zero, twice;
  std::set<shape::Edge> seen;
  for (std::size_t k = 0; k < s.edges.size(); ++k) {
    const shape::Edge& e = s.edges[k];
    if (s.vertices[e[0]] == s.vertices[e[1]])
      zero.add(k);
    else if (!seen.insert({std::min(e[0], e[1]), std::max(e[0], e[1])}).second)
      twice.add(k);
  }
  std::size_t missing = 0;
  std::string first;
  for (const shape::Edge& e : shape::edgesOf(s.faces)) {
    if (s.vertices[e[0]] == s.vertices[e[1]] || seen.contains(e)) continue;
    if (missing++ < named) first += fmt::format("{}{} {}", first.empty() ? "" : ", ", e[0], e[1]);
  }
  zero.tell(found, Severity::warning, "zero-length-edges", "ne", "edge", "without length");
  twice.tell(found, Severity::warning, "duplicate-edges", "ne", "edge", "listed before");
  if (missing == 0) return;
  Finding f;
  f.severity = Severity::error;
  f.what = "missing-edges";
  f.where = "ne";
  f.message = fmt::format(
      "{} of faces not listed as edges: other bodies pass through the rounding there (between "
      "vertices {})",
      times(missing, "side"), first);
  found.push_back(std::move(f));
}

void auditFaces(const Shape& s, std::vector<Finding>& found) {
  shape::Aabb box;
  for (const Vec3& v : s.vertices) box.add(v);
  const double size = 2.0 * (box.halfSize().norm() + s.radius);
  Count flat, twice, bent;
  std::set<std::vector<std::uint32_t>> seen;
  double flatness = 0.0;
  for (std::size_t f = 0; f < s.faces.size(); ++f) {
    const auto face = s.faces[f];
    std::vector<std::uint32_t> corners(face.begin(), face.end());
    std::sort(corners.begin(), corners.end());
    const bool repeats = std::adjacent_find(corners.begin(), corners.end()) != corners.end();
    Vec3 area = Vec3::Zero(), middle = Vec3::Zero();
    double longest = 0.0;
    for (std::size_t k = 0; k < face.size(); ++k) {
      const Vec3 a = s.vertices[face[k]] - s.vertices[face[0]],
                 b = s.vertices[face[(k + 1) % face.size()]] - s.vertices[face[0]];
      area += 0.5 * a.cross(b);
      middle += s.vertices[face[k]] / static_cast<double>(face.size());
      longest = std::max(longest, (b - a).norm());
    }
    if (repeats || !(area.norm() > 1e-12 * longest * longest)) {
      flat.add(f);
      continue;
    }
    if (!seen.insert(corners).second) twice.add(f);
    if (face.size() == 3) continue;
    const Vec3 n = area.normalized();
    double off = 0.0;
    for (const std::uint32_t v : face) off = std::max(off, std::abs(n.dot(s.vertices[v] - middle)));
    if (off > 1e-6 * size) bent.add(f);
    flatness = std::max(flatness, off);
  }
  flat.tell(found, Severity::warning, "degenerate-faces", "nf", "face",
            "without area, or with a corner twice");
  twice.tell(found, Severity::warning, "duplicate-faces", "nf", "face", "listed before");
  bent.tell(found, flatness > 1e-3 * size ? Severity::error : Severity::warning, "not-plane", "nf",
            "face", "whose corners are off its plane");
  if (flatness > 1e-6 * size) {
    found.back().stated = flatness;
    found.back().truth = 0.0;
    found.back().error = flatness / size;
  }
}

}  // namespace

std::string times(std::size_t n, const char* what) {
  const std::string_view one = what;
  if (n == 1) return fmt::format("1 {}", one);
  if (one == "vertex") return fmt::format("{} vertices", n);
  return fmt::format("{} {}s", n, one);
}

std::string places(const char* what, std::span<const std::uint32_t> which) {
  if (which.empty()) return "";
  std::string plural = times(2, what).substr(2);
  return fmt::format(" ({} {})", which.size() == 1 ? what : plural, fmt::join(which, ", "));
}

void auditSkeleton(const Shape& shape, std::vector<Finding>& found) {
  auditVertices(shape, found);
  auditEdges(shape, found);
  auditFaces(shape, found);
}

void auditMesh(const Shape& s, std::vector<Finding>& found) {
  constexpr std::size_t affordable = 200'000;
  if (s.faces.size() < 2) return;
  const auto add = [&](Severity severity, std::string_view what, std::string_view where,
                       std::string message, const Indices& elements) {
    Finding f;
    f.severity = severity;
    f.what = what;
    f.where = where;
    f.message = std::move(message);
    f.elements = elements;
    f.mendable = false;
    found.push_back(std::move(f));
  };
  const shape::MeshTopology topology = shape::meshTopology(s.vertices.size(), s.faces);
  if (s.isSurface && s.faces.size() > 3 && topology.closed())
    add(Severity::note, "surface-closed", "isSurface",
        "marked as a surface, yet its faces close: it counts as hollow", {});
  if (s.faces.size() > affordable) return;
  // Twins, a finding of their own, would pass through each other's faces.
  const Indices first = shape::detail::firstEqual(s.vertices);
  shape::SurfaceMesh joined{s.vertices, {}};
  Indices corners;
  for (std::size_t f = 0; f < s.faces.size(); ++f) {
    corners.clear();
    for (const std::uint32_t v : s.faces[f]) corners.push_back(first[v]);
    joined.faces.add(corners);
  }
  const shape::MeshCheck mesh = shape::checkMesh(joined);
  if (!s.isSurface && mesh.nonManifoldEdges.count > 0)
    add(Severity::warning, "non-manifold", "nf",
        times(mesh.nonManifoldEdges.count, "edge") + " with more than two faces" +
            places("face", mesh.nonManifoldEdges.faces),
        mesh.nonManifoldEdges.faces);
  if (mesh.selfIntersections.count > 0)
    add(s.isSurface ? Severity::note : Severity::warning, "self-intersecting", "nf",
        fmt::format(
            "{}{} of triangles pass through each other{}; what they cover twice counts once",
            mesh.intersectionsCounted ? "" : "at least ",
            times(mesh.selfIntersections.count, "pair"),
            places("face", mesh.selfIntersections.faces)),
        mesh.selfIntersections.faces);
}

namespace {

using shape::Edge;
using shape::Polygons;

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

void dropUnused(Shape& s) {
  if (s.faces.empty() && s.edges.empty()) return;
  const std::vector<char> used = usedVertices(s);
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
  if (anyOf(findings, {"duplicate-vertices"})) renumber(s, shape::detail::firstEqual(s.vertices));
  if (anyOf(findings, {"duplicate-vertices", "degenerate-faces", "duplicate-faces", "not-plane"}))
    mendFaces(s, anyOf(findings, {"not-plane"}));
  if (anyOf(findings, {"inside-out"}))
    if (const shape::Core core = shape::coreOf(s); !core.arranged) s.faces = core.faces;
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

}  // namespace scree::mesh
