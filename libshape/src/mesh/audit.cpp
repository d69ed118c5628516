// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/mesh/audit.hpp"

#include "base/elementary.hpp"
#include "detail/half_edges.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/shape/obb.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace scree::mesh {
namespace {

using shape::Edge;
using shape::Shape;
using Indices = std::vector<std::uint32_t>;

/// Relative errors: below the first no finding (files with six digits are right), then a note, a
/// warning, an error.
Severity severityOf(double error) {
  return error > 1e-2 ? Severity::error : error > 1e-4 ? Severity::warning : Severity::note;
}
constexpr double noticed = 1e-6;

/// Whether an edge or a face has each vertex. @param orBall  or it is a ball outside of the solid
std::vector<char> usedVertices(const Shape& s, bool orBall) {
  std::vector<char> used(s.vertices.size(), s.faces.empty() && s.edges.empty());
  for (const Edge& e : s.edges) used[e[0]] = used[e[1]] = 1;
  for (std::size_t f = 0; f < s.faces.size(); ++f)
    for (const std::uint32_t v : s.faces[f]) used[v] = 1;
  if (!orBall || s.radius == 0.0 || std::ranges::count(used, 0) == 0) return used;
  const shape::Core core = shape::coreOf(s);
  for (std::size_t v = 0; v < used.size(); ++v)
    used[v] |= !core.closed || !shape::encloses(core.vertices, core.faces, s.vertices[v]);
  return used;
}

/// Whether a face has an area, and no corner twice.
bool isSound(const Shape& s, std::span<const std::uint32_t> face) {
  Indices corners(face.begin(), face.end());
  std::sort(corners.begin(), corners.end());
  if (corners.size() < 3 || std::adjacent_find(corners.begin(), corners.end()) != corners.end())
    return false;
  double longest = 0.0;
  for (const std::uint32_t v : face)
    longest = std::max(longest, (s.vertices[v] - s.vertices[face[0]]).squaredNorm());
  return shape::detail::areaVector(s.vertices, face).norm() > 1e-12 * longest;
}

/// [L] largest distance of a corner from the plane of its face.
double flatnessOf(const Shape& s, std::span<const std::uint32_t> face) {
  const Vec3 n = shape::detail::areaVector(s.vertices, face).normalized(),
             middle = shape::detail::middle(s.vertices, face);
  double off = 0.0;
  for (const std::uint32_t v : face) off = std::max(off, std::abs(n.dot(s.vertices[v] - middle)));
  return off;
}

class Audit {
 public:
  explicit Audit(const Shape& s) : s_(s) {
    size_ = 2.0 * (shape::detail::boxAround(s.vertices).halfSize().norm() + s.radius);
  }

  std::vector<Finding> all() {
    if (s_.radii.empty()) vertices();  // balls may have one centre
    edges();
    faces();
    if (const double off = s_.orientation.norm() - 1.0; std::abs(off) > 1e-9)
      number("orientation", "orientation", 1.0 + off, 1.0, off, "norm of the quaternion");
    solid();
    if (s_.preCompDone) statedBox();
    return std::move(found_);
  }

 private:
  Finding& add(Severity severity, std::string_view what, std::string_view where,
               std::string message) {
    found_.push_back({severity, what, std::move(message), where, {}, {}, {}, {}, true});
    return found_.back();
  }
  Finding& number(std::string_view what, std::string_view where, double stated, double truth,
                  double error, std::string message) {
    Finding& f = add(severityOf(std::abs(error)), what, where, std::move(message));
    f.stated = stated;
    f.truth = truth;
    f.error = error;
    return f;
  }
  /// Adds a finding that counts elements, if there are any, and names the first of them.
  void count(Severity severity, std::string_view what, std::string_view where,
             std::string_view sentence, std::size_t n, Indices first, bool mendable = true) {
    if (n == 0) return;
    if (first.size() > 4) first.resize(4);
    Finding& f =
        add(severity, what, where,
            first.empty() ? fmt::format("{} {}", n, sentence)
                          : fmt::format("{} {} (first: {})", n, sentence, fmt::join(first, ", ")));
    f.elements = std::move(first);
    f.mendable = mendable;
  }
  void count(Severity severity, std::string_view what, std::string_view where,
             std::string_view sentence, const Indices& which) {
    count(severity, what, where, sentence, which.size(), which);
  }

  void vertices() {
    Indices twins, unused;
    const Indices first = shape::detail::firstEqual(s_.vertices);
    const std::vector<char> used = usedVertices(s_, false), kept = usedVertices(s_, true);
    for (std::uint32_t v = 0; v < first.size(); ++v) {
      if (first[v] != v) twins.push_back(v);
      if (!used[v]) unused.push_back(v);
    }
    count(Severity::warning, "duplicate-vertices", "nv", "vertices at the position of earlier ones",
          twins);
    count(Severity::warning, "unused-vertices", "nv",
          "vertices without edge and face: separate balls", unused.size(), unused,
          std::ranges::count(kept, 0) > 0);
  }

  void edges() {
    Indices zero, twice;
    std::set<Edge> seen;
    for (std::uint32_t k = 0; k < s_.edges.size(); ++k) {
      const Edge& e = s_.edges[k];
      if (s_.vertices[e[0]] == s_.vertices[e[1]])
        zero.push_back(k);
      else if (!seen.insert({std::min(e[0], e[1]), std::max(e[0], e[1])}).second)
        twice.push_back(k);
    }
    std::size_t missing = 0;
    Edge first{};
    const auto halfEdges = shape::detail::sortedHalfEdges(s_.faces);
    shape::detail::forEachEdge(halfEdges, [&](std::span<const shape::detail::HalfEdge> sides) {
      const Edge e{sides[0].low, sides[0].high};
      if (s_.vertices[e[0]] == s_.vertices[e[1]] || seen.contains(e)) return;
      if (s_.isSurface && sides.size() == 1) return;  // on a rim, where a neighbour may have it
      if (missing++ == 0) first = e;
    });
    count(Severity::warning, "zero-length-edges", "ne", "edges without length", zero);
    count(Severity::warning, "duplicate-edges", "ne", "edges listed before", twice);
    if (missing > 0)
      count(Severity::error, "missing-edges", "ne",
            fmt::format("sides of faces not listed as edges, the first between vertices {} and {}: "
                        "other bodies pass through the rounding there",
                        first[0], first[1]),
            missing, {});
  }

  void faces() {
    Indices flat, twice, bent;
    double flatness = 0.0;
    const Indices alike = shape::detail::firstAlike(s_.faces);
    for (std::uint32_t f = 0; f < s_.faces.size(); ++f) {
      if (!isSound(s_, s_.faces[f])) {
        flat.push_back(f);
        continue;
      }
      // Twins that run oppositely cancel each other: none of the two is too many.
      if (alike[f] != f && shape::detail::sameWay(s_.faces[f], s_.faces[alike[f]]))
        twice.push_back(f);
      const double off = s_.faces[f].size() == 3 ? 0.0 : flatnessOf(s_, s_.faces[f]);
      if (off > 1e-6 * size_) bent.push_back(f);
      flatness = std::max(flatness, off);
    }
    count(Severity::warning, "degenerate-faces", "nf", "faces without area, or with a corner twice",
          flat);
    count(Severity::warning, "duplicate-faces", "nf", "faces listed before", twice);
    count(flatness > 1e-3 * size_ ? Severity::error : Severity::warning, "not-plane", "nf",
          "faces whose corners are off their plane", bent);
    if (bent.empty()) return;
    found_.back().stated = flatness;
    found_.back().truth = 0.0;
    found_.back().error = flatness / size_;
  }

  /// Faces together: edges with more than two of them, faces that cross.
  void together(const shape::Core& core) {
    constexpr std::size_t affordable = 200'000;
    if (s_.faces.size() < 2 || s_.faces.size() > affordable) return;
    // Twins, a finding of their own, would pass through each other's faces.
    const shape::MeshCheck mesh = shape::checkMesh(
        shape::detail::renumbered(s_.vertices, s_.faces, shape::detail::firstEqual(s_.vertices)));
    if (!s_.isSurface)
      count(Severity::warning, "non-manifold", "nf", "edges with more than two faces",
            mesh.nonManifoldEdges.count, mesh.nonManifoldEdges.faces, false);
    // Points where an import cut faces are rounded: these cross by a hair, which adds no volume.
    if (core.closed) {
      const double given = std::abs(shape::signedVolume(s_.vertices, s_.faces)),
                   solid = shape::signedVolume(core.vertices, core.faces);
      if (std::abs(given - solid) <= 1e-9 * solid) return;
    }
    count(s_.isSurface ? Severity::note : Severity::warning, "self-intersecting", "nf",
          mesh.intersectionsCounted
              ? "pairs of triangles pass through each other; what they cover twice counts once"
              : "or more pairs of triangles pass through each other",
          mesh.selfIntersections.count, mesh.selfIntersections.faces, false);
  }

  void solid() {
    try {
      core_ = shape::coreOf(s_);
      report_ = mass::massReport(s_);
    } catch (const GeometryError& error) {
      refused(error.what());
      return;
    }
    if (!core_->convex) together(*core_);
    if (!s_.isSurface && report_->insideOut)
      add(Severity::note, "inside-out", "nf",
          "faces wound clockwise or inconsistently: the format allows it, other programs may not");
    // Surfaces are driven; their volume is a convention of the program that wrote it.
    if (s_.preCompDone && !s_.isSurface && report_->method != mass::Method::sheet) statedNumbers();
  }

  void refused(const std::string& why) {
    if (s_.faces.empty()) {
      if (!s_.preCompDone)
        add(Severity::error, "no-solid", "nf", "no faces that bound a volume: give volume and I/m")
            .mendable = false;
      return;
    }
    if (core_ && !core_->closed && !s_.isSurface) {
      const shape::MeshCheck::Finding open = shape::checkMesh({s_.vertices, s_.faces}).openEdges;
      count(Severity::error, "open", "nf",
            "edges of one face alone: close the mesh, or mark the shape as isSurface", open.count,
            open.faces, false);
      if (open.count > 0) return;
    }
    add(Severity::error, "no-solid", "nf", why).mendable = false;
  }

  void statedNumbers() {
    const mass::SolidProperties& truth = report_->solid;
    // A deviation within the bound of our own value is no error of the file. A survey takes axes
    // and a centre within four bounds for what they are given as.
    const mass::MassBound open = report_->bound.value_or(mass::MassBound{});
    const double off = s_.volume / truth.volume - 1.0;
    if (std::abs(off) > noticed + open.volume)
      number("volume", "volume", s_.volume, truth.volume, off, "of the rounded body");
    const Vec3 moments = truth.inertiaPerMass.diagonal();
    const double largest = moments.maxCoeff();
    int worst = 0;
    const Vec3 difference = s_.inertiaPerMass - moments;
    const double most = difference.cwiseAbs().maxCoeff(&worst);
    if (most > (noticed + open.inertia) * largest)
      number("inertia", "I/m", s_.inertiaPerMass[worst], moments[worst],
             difference[worst] / largest, fmt::format("moment {} of the rounded body", worst + 1));
    const double diameter = elementary::cbrt(6.0 * truth.volume / pi);
    if (const double away = truth.centre.norm(); away > (noticed + 4.0 * open.centre) * diameter)
      number("centre", "nv", 0.0, away, away / diameter,
             "distance of the centre of mass from the origin of the body frame");
    const Mat3& i = truth.inertiaPerMass;
    const double across = std::max({std::abs(i(0, 1)), std::abs(i(0, 2)), std::abs(i(1, 2))});
    if (across > (noticed + 4.0 * open.inertia) * largest)
      number("frame", "nv", 0.0, across, across / largest,
             "off-diagonal inertia: the axes of the body frame are not principal");
  }

  void statedBox() {
    if (!s_.obbGiven) {
      add(Severity::error, "no-box", "preCompDone",
          "preCompDone y, but no obb: programs that trust it find no neighbours");
      return;
    }
    const Mat3& axes = s_.obb.axes;
    const double skew = (axes.transpose() * axes - Mat3::Identity()).cwiseAbs().maxCoeff();
    if (skew > 1e-6) {
      number("box-axes", "obb.e1", skew, 0.0, skew, "the axes of the box are not orthonormal");
      return;
    }
    Vec3 used = Vec3::Zero();
    for (std::size_t v = 0; v < s_.vertices.size(); ++v)
      used = used.cwiseMax((axes.transpose() * (s_.vertices[v] - s_.obb.centre)).cwiseAbs() +
                           Vec3::Constant(s_.radiusAt(v)));
    int worst = 0;
    const double beyond = (used - s_.obb.extent).maxCoeff(&worst);
    if (beyond > 1e-9 * size_) {
      number("box", "obb.extent", s_.obb.extent[worst], used[worst],
             -beyond / std::max(used[worst], 1e-300), "the box does not contain the body");
    }
  }

  const Shape& s_;
  double size_ = 0.0;
  std::optional<shape::Core> core_;
  std::optional<mass::MassReport> report_;
  std::vector<Finding> found_;
};

/// Vertices that do not stand for themselves go; edges and faces follow.
void renumber(Shape& s, const Indices& standsFor) {
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
  const std::vector<char> used = usedVertices(s, true);
  const auto any = static_cast<std::uint32_t>(std::ranges::find(used, 1) - used.begin());
  Indices standsFor;
  for (std::uint32_t v = 0; v < used.size(); ++v) standsFor.push_back(used[v] ? v : any);
  renumber(s, standsFor);
}

/// Faces without area and repeated faces go; those that are not plane become triangles.
void mendFaces(Shape& s, bool split) {
  shape::Polygons all, kept;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (std::size_t f = 0; f < s.faces.size(); ++f) {
    const auto face = s.faces[f];
    triangles.clear();
    if (!split || face.size() == 3)
      all.add(face);
    else
      shape::triangulate(s.vertices, face, triangles);
    for (const auto& t : triangles) all.add(t);
  }
  Indices same(s.vertices.size());
  std::iota(same.begin(), same.end(), 0u);
  all = shape::detail::renumbered({}, all, same).faces;  // without corners twice in a row
  const Indices alike = shape::detail::firstAlike(all);
  for (std::uint32_t f = 0; f < all.size(); ++f)
    if ((alike[f] == f || !shape::detail::sameWay(all[f], all[alike[f]])) && isSound(s, all[f]))
      kept.add(all[f]);
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
void mend(Shape& s, std::vector<Finding> findings) {
  if (s.radii.empty()) {
    renumber(s, shape::detail::firstEqual(s.vertices));
    mendFaces(s, anyOf(findings, {"not-plane"}));
  }
  if (anyOf(findings, {"inside-out"}))
    if (const shape::Core core = shape::coreOf(s); !core.arranged) s.faces = core.faces;
  mendEdges(s);
  if (s.radii.empty()) dropUnused(s);
  if (anyOf(findings, {"orientation"})) s.orientation.normalize();
  findings = audited(s);
  if (anyOf(findings, {"volume", "inertia", "centre", "frame"})) {
    mass::survey(s, {.recompute = true});
  } else if (anyOf(findings, {"no-box", "box-axes"})) {
    s.obb = shape::orientedBox(s, shape::BoxMethod::minimum);
    s.obbGiven = true;
  } else if (anyOf(findings, {"box"})) {
    s.obb = shape::boxAlong(s, s.obb.axes);
  }
}

}  // namespace

std::vector<Finding> audited(const Shape& shape) {
  std::vector<Finding> findings = Audit(shape).all();
  if (!shape.ofBody || !shape::isOfBalls(shape)) return findings;
  for (Finding& f : findings) {
    const bool given =
        f.what == "volume" || f.what == "inertia" || f.what == "centre" || f.what == "frame";
    if (!given) continue;
    f.severity = Severity::note;
    f.mendable = false;
    f.message += "; the file gives that of the body for which the spheres stand";
  }
  return findings;
}

Shape repaired(const Shape& given) {
  Shape s = given;
  // Mending may bring out more: a face that loses a repeated corner need not be plane. Each round
  // leaves fewer vertices, edges or faces to mend, so few rounds do.
  for (int round = 0; round < 8; ++round) {
    const std::vector<Finding> findings = audited(s);
    if (std::ranges::none_of(findings, &Finding::mendable)) break;
    mend(s, findings);
  }
  return s;
}

}  // namespace scree::mesh
