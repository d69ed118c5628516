// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/rounded_surface.hpp"

#include "base/angles.hpp"
#include "base/elementary.hpp"
#include "detail/half_edges.hpp"
#include "detail/polygon_math.hpp"

#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

namespace scree::shape {
namespace {

using detail::areaVector;

using Ids = std::vector<std::uint32_t>;

/// The point at fraction s of the way from unit vector a to unit vector b on the sphere.
Vec3 onArc(const Vec3& a, const Vec3& b, double s) {
  const double angle = angleBetween(a, b);
  if (angle < 1e-9) return (a + s * (b - a)).normalized();
  return ((elementary::sin((1.0 - s) * angle) * a + elementary::sin(s * angle) * b) /
          elementary::sin(angle))
      .normalized();
}

/// Collects the patches of a rounded surface: points with normals, and polygons between them.
class Patches {
 public:
  Patches(double radius, double fineness)
      : radius_(radius), step_(0.5 * pi / std::max(fineness, 1.0)) {}

  void setRadius(double radius) { radius_ = radius; }  ///< radius for all calls that follow
  /// Number of segments of an arc of this angle [rad], at least 1.
  int segments(double angle) const {
    // An arc of 90 degrees, give or take rounding, gets exactly the requested number.
    return std::max(1, static_cast<int>(std::ceil(std::abs(angle) / step_ - 1e-6)));
  }
  /// Adds the point of the surface above `centre` in direction `normal`.
  std::uint32_t point(const Vec3& centre, const Vec3& normal) {
    surface_.points.push_back(centre + radius_ * normal);
    surface_.normals.push_back(normal);
    return static_cast<std::uint32_t>(surface_.points.size() - 1);
  }
  const Vec3& normal(std::uint32_t id) const { return surface_.normals[id]; }

  /// Adds a polygon. Corners named twice in a row count once; fewer than three add nothing.
  void cell(std::span<const std::uint32_t> ids) {
    Ids corners;
    for (const std::uint32_t id : ids)
      if (corners.empty() || corners.back() != id) corners.push_back(id);
    while (corners.size() > 1 && corners.back() == corners.front()) corners.pop_back();
    if (corners.size() >= 3) surface_.cells.add(corners);
  }
  void cell(std::initializer_list<std::uint32_t> ids) { cell({ids.begin(), ids.size()}); }
  /// Adds a face, moved out along its normal. @returns its points
  Ids face(std::span<const Vec3> vertices, std::span<const std::uint32_t> corners,
           const Vec3& normal) {
    Ids ids;
    for (const std::uint32_t v : corners) ids.push_back(point(vertices[v], normal));
    cell(ids);
    return ids;
  }
  /// Adds quads between two rows of points. Seen from outside, with the rows running downwards,
  /// `right` lies to the right.
  void strip(const Ids& left, const Ids& right) {
    for (std::size_t i = 0; i + 1 < left.size(); ++i)
      cell({left[i], left[i + 1], right[i + 1], right[i]});
  }
  /// Adds points from `first` to `last`, both given, along the arc between their normals.
  Ids arc(const Vec3& centre, std::uint32_t first, std::uint32_t last, int segmentCount) {
    const Vec3 a = normal(first), b = normal(last);
    Ids ids{first};
    for (int k = 1; k < segmentCount; ++k)
      ids.push_back(point(centre, onArc(a, b, static_cast<double>(k) / segmentCount)));
    ids.push_back(last);
    return ids;
  }
  /// Adds the part of the sphere around `centre` within arcs that follow each other
  /// counter-clockwise; the last point of each is the first of the next.
  void spherePatch(const Vec3& centre, const std::vector<Ids>& arcs) {
    Ids loop;
    bool alike = true;
    for (const Ids& side : arcs) {
      loop.insert(loop.end(), side.begin(), side.end() - 1);
      alike &= side.size() == arcs[0].size();
    }
    if (arcs.size() == 3 && alike) {  // a triangle of arcs AB, BC, CA: rows from A to BC
      const std::size_t s = arcs[0].size() - 1;
      Ids above{arcs[0][0]};
      for (std::size_t i = 1; i <= s; ++i) {
        Ids row{arcs[0][i]};
        const std::uint32_t end = arcs[2][s - i];
        if (i == s) {
          row = arcs[1];
        } else {
          const Vec3 a = normal(row[0]), b = normal(end);
          for (std::size_t j = 1; j < i; ++j)
            row.push_back(
                point(centre, onArc(a, b, static_cast<double>(j) / static_cast<double>(i))));
          row.push_back(end);
        }
        for (std::size_t j = 0; j < i; ++j) {
          cell({above[j], row[j], row[j + 1]});
          if (j + 1 < i) cell({above[j], row[j + 1], above[j + 1]});
        }
        above = std::move(row);
      }
      return;
    }
    // Any other outline: rings around `top`, or one polygon if one ring is enough.
    Vec3 sum = Vec3::Zero();
    for (const Ids& side : arcs) sum += normal(side[0]);
    const Vec3 top = sum.normalized();
    double reach = 0.0;
    for (const std::uint32_t id : loop) reach = std::max(reach, angleBetween(top, normal(id)));
    const int rings = loop.size() == arcs.size() ? 1 : segments(reach);
    if (rings == 1) {
      cell(loop);
      return;
    }
    const std::size_t n = loop.size();
    for (int ring = 1; ring <= rings; ++ring) {
      Ids inner;
      if (ring == rings) {
        inner.assign(n, point(centre, top));
      } else {
        // Each point moves to `top` along its own meridian, by equal shares of what is left.
        const double share = 1.0 / (rings - ring + 1);
        for (const std::uint32_t id : loop)
          inner.push_back(point(centre, onArc(Vec3(normal(id)), top, share)));
      }
      for (std::size_t k = 0; k < n; ++k)
        cell({loop[k], loop[(k + 1) % n], inner[(k + 1) % n], inner[k]});
      loop = std::move(inner);
    }
  }
  /// Adds the convex spherical polygon of the sphere around `centre` with these corners.
  void spherePolygon(const Vec3& centre, const std::vector<Vec3>& corners) {
    Ids ids;
    for (const Vec3& n : corners) ids.push_back(point(centre, n));
    std::vector<Ids> arcs;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const std::size_t next = (k + 1) % corners.size();
      arcs.push_back(
          arc(centre, ids[k], ids[next], segments(angleBetween(corners[k], corners[next]))));
    }
    spherePatch(centre, arcs);
  }

  RoundedSurface take() { return std::move(surface_); }

 private:
  double radius_, step_;  ///< [L] of the rounding; [rad] longest segment of an arc
  RoundedSurface surface_;
};

/// Unit vectors with d · x <= 0 for each d of `blocked`, as convex spherical polygons: the octants
/// of the sphere, each cut by the planes across all d.
std::vector<std::vector<Vec3>> freeDirections(const std::vector<Vec3>& blocked) {
  std::vector<std::vector<Vec3>> out;
  for (int octant = 0; octant < 8; ++octant) {
    const double sx = octant & 1 ? -1.0 : 1.0, sy = octant & 2 ? -1.0 : 1.0,
                 sz = octant & 4 ? -1.0 : 1.0;
    std::vector<Vec3> corners{Vec3(sx, 0, 0), Vec3(0, sy, 0), Vec3(0, 0, sz)};
    if (sx * sy * sz < 0.0) std::swap(corners[1], corners[2]);
    for (const Vec3& d : blocked) {
      std::vector<Vec3> kept;
      for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3 &a = corners[k], &b = corners[(k + 1) % corners.size()];
        const double sa = a.dot(d), sb = b.dot(d);
        if (sa <= 1e-12) kept.push_back(a);
        if ((sa > 1e-12) != (sb > 1e-12) && std::abs(sa) > 1e-12 && std::abs(sb) > 1e-12)
          kept.push_back((std::abs(sb) * a + std::abs(sa) * b).normalized());
      }
      corners = std::move(kept);
      if (corners.size() < 3) break;
    }
    Vec3 area = Vec3::Zero();
    for (std::size_t k = 2; k < corners.size(); ++k)
      area += (corners[k - 1] - corners[0]).cross(corners[k] - corners[0]);
    if (corners.size() >= 3 && area.norm() > 1e-9) out.push_back(std::move(corners));
  }
  return out;
}

/// Draws any skeleton, piece by piece: the part of the sphere around each vertex that faces away
/// from its edges, the part of the tube around each edge that faces away from its faces, and the
/// outer side of each face, or both sides.
class PieceDrawer {
 public:
  PieceDrawer(Patches& out, const Shape& shape, const Core& core)
      : out_(out),
        shape_(shape),
        faces_(core.faces),
        closed_(core.closed),
        first_(detail::firstEqual(shape.vertices)),
        onFace_(shape.vertices.size()) {}

  void draw() {
    drawFaces();
    collectEdges();
    for (const auto& [edge, faces] : edges_) drawEdge(edge, faces);
    for (std::uint32_t v = 0; v < shape_.vertices.size(); ++v) {
      if (first_[v] != v) continue;
      out_.setRadius(shape_.radiusAt(v));
      drawVertex(v);
    }
  }

 private:
  void drawFaces() {
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      const Vec3 area = areaVector(shape_.vertices, faces_[f]);
      normals_.push_back(area.norm() > 0.0 ? Vec3(area.normalized()) : Vec3(Vec3::Zero()));
      if (normals_.back().isZero()) continue;
      out_.face(shape_.vertices, faces_[f], normals_.back());
      if (closed_) continue;
      Ids back;
      for (const std::uint32_t v : faces_[f])
        back.push_back(out_.point(shape_.vertices[v], -normals_.back()));
      out_.cell(Ids(back.rbegin(), back.rend()));
    }
  }

  void collectEdges() {
    const auto at = [&](std::uint32_t a, std::uint32_t b) -> std::vector<std::uint32_t>& {
      return edges_[{std::min(a, b), std::max(a, b)}];
    };
    for (const Edge& e : shape_.edges)
      if (first_[e[0]] != first_[e[1]]) at(first_[e[0]], first_[e[1]]);
    for (std::uint32_t f = 0; f < faces_.size(); ++f)
      for (std::size_t k = 0; k < faces_[f].size(); ++k) {
        const std::uint32_t a = first_[faces_[f][k]],
                            b = first_[faces_[f][(k + 1) % faces_[f].size()]];
        onFace_[a] = 1;
        if (a != b && !normals_[f].isZero()) at(a, b).push_back(f);
      }
    arms_.resize(shape_.vertices.size());
    for (std::uint32_t f = 0; f < faces_.size(); ++f)
      for (std::size_t k = 0, n = faces_[f].size(); n > 3 && k < n; ++k) {
        // At a reflex corner of a polygon the face reaches beyond what its edges span, so the
        // direction midway between them, into the face, is an arm, too.
        const std::uint32_t v = first_[faces_[f][k]];
        const Vec3 in = shape_.vertices[v] - shape_.vertices[faces_[f][(k + n - 1) % n]];
        const Vec3 out = shape_.vertices[faces_[f][(k + 1) % n]] - shape_.vertices[v];
        if (in.cross(out).dot(normals_[f]) < 0.0)
          arms_[v].push_back({(in.normalized() - out.normalized()).normalized(), false});
      }
  }

  void drawEdge(const Edge& edge, const std::vector<std::uint32_t>& faces) {
    const Vec3 &p = shape_.vertices[edge[0]], &q = shape_.vertices[edge[1]];
    const Vec3 t = (q - p).normalized();
    const auto isHeld = [&](std::uint32_t v) { return onFace_[v] || isInside(shape_.vertices[v]); };
    if (faces.empty() && isHeld(edge[0]) && isHeld(edge[1]) && isInside(0.5 * (p + q))) return;
    const auto noteArms = [&](bool ridge, bool flat = false) {
      arms_[edge[0]].push_back({t, ridge, flat});
      arms_[edge[1]].push_back({-t, ridge, flat});
    };
    const Mat3 frame = axesAlong(t);
    // The directions that look away from a face are half a circle about t. Those that look away
    // from all faces are at the angles centre + [low, high].
    double centre = 0.0, low = -pi, high = pi;
    Vec3 outward = Vec3::Zero();
    for (std::size_t k = 0; k < faces.size(); ++k) {
      const std::uint32_t f = faces[k];
      Vec3 inFace = normals_[f].cross(t);
      if (!runsForward(f, edge)) inFace = -inFace;
      outward += normals_[f];
      const double angle = elementary::atan2(-inFace.dot(frame.col(2)), -inFace.dot(frame.col(1)));
      if (k == 0) {
        centre = angle;
        low = -0.5 * pi;
        high = 0.5 * pi;
      } else {
        const double off = std::remainder(angle - centre, 2.0 * pi);
        low = std::max(low, off - 0.5 * pi);
        high = std::min(high, off + 0.5 * pi);
      }
    }
    if (high - low < 1e-6) return noteArms(false, true);
    const auto direction = [&](double angle) {
      return Vec3(elementary::cos(centre + angle) * frame.col(1) +
                  elementary::sin(centre + angle) * frame.col(2));
    };
    const bool hidden =
        closed_ && !faces.empty() && direction(0.5 * (low + high)).dot(outward) <= 0.0;  // reflex
    noteArms(!hidden);
    if (hidden) return;
    const int s = out_.segments(high - low);
    const bool whole = high - low > 2.0 * pi - 1e-9;
    Ids atP, atQ;
    for (int k = 0; k <= s; ++k) {
      if (whole && k == s) {
        atP.push_back(atP[0]);
        atQ.push_back(atQ[0]);
        break;
      }
      const Vec3 n = direction(low + (high - low) * k / s);
      atP.push_back(out_.point(p, n));
      atQ.push_back(out_.point(q, n));
    }
    // Angles run counter-clockwise about t. With the rows downwards, t points right: from p to q.
    out_.strip(atP, atQ);
  }

  void drawVertex(std::uint32_t v) {
    std::vector<Vec3> directions;
    for (const Arm& arm : arms_[v]) directions.push_back(arm.direction);
    for (const auto& corners : freeDirections(directions))
      if (!closed_ || (onFace_[v] ? looksOut(v, corners) : !isInside(shape_.vertices[v])))
        out_.spherePolygon(shape_.vertices[v], corners);
  }

  /// Whether a point lies inside the solid. O(faces)
  bool isInside(const Vec3& p) const { return closed_ && encloses(shape_.vertices, faces_, p); }

  /// Whether a patch of a closed mesh that faces away from all edges at v faces out of the solid.
  /// The solid lies on the side of the edges unless their outermost one, in any one direction
  /// across the patch, is reflex: then v is the bottom of a pit.
  bool looksOut(std::uint32_t v, const std::vector<Vec3>& corners) const {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& c : corners) sum += c;
    const Vec3 up = sum.normalized(), sideways = axesAlong(up).col(1);
    bool ridge = false;
    double outermost = -1e300;
    for (const Arm& arm : arms_[v]) {
      if (arm.flat) continue;  // it lies within a face, whose sides decide
      const double reach = arm.direction.dot(sideways) / std::max(-arm.direction.dot(up), 1e-9);
      if (reach > outermost) {
        outermost = reach;
        ridge = arm.ridge;
      }
    }
    return ridge;
  }

  /// Whether a face runs along an edge from its first end to its second.
  bool runsForward(std::uint32_t f, const Edge& edge) const {
    const auto corners = faces_[f];
    for (std::size_t k = 0; k < corners.size(); ++k)
      if (first_[corners[k]] == edge[0] && first_[corners[(k + 1) % corners.size()]] == edge[1])
        return true;
    return false;
  }

  Patches& out_;
  const Shape& shape_;
  const Polygons& faces_;
  bool closed_;
  std::vector<std::uint32_t> first_;  ///< by vertex: the first vertex in the same place
  std::vector<char> onFace_;          ///< by first vertex: whether a face has it as a corner
  std::vector<Vec3> normals_;
  std::map<Edge, std::vector<std::uint32_t>> edges_;  ///< faces at each edge of first vertices
  /// Direction in which the skeleton extends from a vertex.
  struct Arm {
    Vec3 direction;
    bool ridge;         ///< an edge of which the tube shows
    bool flat = false;  ///< between two faces in one plane
  };
  std::vector<std::vector<Arm>> arms_;  ///< by first vertex
};

/// Draws a ball or a stick: rows around the axis from the low pole to the high one.
void drawStick(Patches& out, const Vec3& low, const Vec3& high, const Vec3& axis) {
  const Mat3 frame = axesAlong(axis);
  const int quarter = out.segments(0.5 * pi), around = 4 * quarter;
  std::vector<Ids> rows;
  const auto addRow = [&](const Vec3& centre, int step) {
    const double latitude = 0.5 * pi * step / quarter;
    if (std::abs(step) == quarter) {  // a pole: one point, as often as a row has points
      rows.emplace_back(static_cast<std::size_t>(around),
                        out.point(centre, step < 0 ? Vec3(-axis) : axis));
      return;
    }
    Ids row;
    for (int k = 0; k < around; ++k) {
      const double angle = 2.0 * pi * k / around;
      row.push_back(out.point(
          centre, elementary::sin(latitude) * axis +
                      elementary::cos(latitude) * (elementary::cos(angle) * frame.col(1) +
                                                   elementary::sin(angle) * frame.col(2))));
    }
    rows.push_back(std::move(row));
  };
  for (int k = -quarter; k <= 0; ++k) addRow(low, k);
  for (int k = low == high ? 1 : 0; k <= quarter; ++k) addRow(high, k);  // a ball: one equator
  for (std::size_t i = 0; i + 1 < rows.size(); ++i)
    for (std::size_t k = 0, n = rows[i].size(); k < n; ++k)
      out.cell({rows[i][k], rows[i][(k + 1) % n], rows[i + 1][(k + 1) % n], rows[i + 1][k]});
}

/// Draws a plate: both sides, half a tube along each edge, a lune of the sphere at each corner.
void drawPlate(Patches& out, const ConvexHull& hull) {
  const Vec3 n = hull.normals[0];
  const auto outline = hull.faces[0];
  const std::size_t count = outline.size();
  const int half = out.segments(pi);
  Ids top, bottom;
  for (const std::uint32_t v : outline) {
    top.push_back(out.point(hull.points[v], n));
    bottom.push_back(out.point(hull.points[v], -n));
  }
  out.cell(top);
  out.cell(Ids(bottom.rbegin(), bottom.rend()));
  const auto meridian = [&](std::size_t k, const Vec3& outward) {
    Ids ids{top[k]};
    for (int i = 1; i < half; ++i)
      ids.push_back(
          out.point(hull.points[outline[k]],
                    elementary::cos(pi * i / half) * n + elementary::sin(pi * i / half) * outward));
    ids.push_back(bottom[k]);
    return ids;
  };
  std::vector<Vec3> rim;      // outward, across the edge from corner k
  std::vector<Ids> from, to;  // meridians at the two ends of the edge from corner k
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t next = (k + 1) % count;
    rim.push_back((hull.points[outline[next]] - hull.points[outline[k]]).cross(n).normalized());
    from.push_back(meridian(k, rim[k]));
    to.push_back(meridian(next, rim[k]));
    out.strip(from[k], to[k]);
  }
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t before = (k + count - 1) % count;
    const int strips = out.segments(angleBetween(rim[before], rim[k]));
    Ids left = to[before];
    for (int i = 1; i <= strips; ++i) {
      Ids right = i == strips
                      ? from[k]
                      : meridian(k, onArc(rim[before], rim[k], static_cast<double>(i) / strips));
      out.strip(left, right);
      left = std::move(right);
    }
  }
}

/// Draws a convex solid: faces, edges and corners that share their points.
void drawSolid(Patches& out, const ConvexHull& hull) {
  const Polygons& faces = hull.faces;
  std::map<std::array<std::uint32_t, 2>, std::uint32_t> above;  // point by face and corner
  for (std::uint32_t f = 0; f < faces.size(); ++f) {
    const Ids ids = out.face(hull.points, faces[f], hull.normals[f]);
    for (std::size_t k = 0; k < ids.size(); ++k) above[{f, faces[f][k]}] = ids[k];
  }
  const detail::Sides sides(faces);
  // By side: the arc over its start, from the face on its left to that on its right.
  std::map<std::array<std::uint32_t, 2>, Ids> arcs;
  for (const auto& [a, b, left] : sides.all()) {
    if (a > b) continue;
    const std::uint32_t right = sides.leftOf(b, a);
    const int s = out.segments(angleBetween(hull.normals[left], hull.normals[right]));
    const Ids& atA = arcs[{a, b}] =
        out.arc(hull.points[a], above.at({left, a}), above.at({right, a}), s);
    const Ids atB = out.arc(hull.points[b], above.at({left, b}), above.at({right, b}), s);
    out.strip(atA, atB);
    arcs[{b, a}].assign(atB.rbegin(), atB.rend());
  }
  for (std::uint32_t v = 0; v < hull.points.size(); ++v) {
    std::vector<Ids> corner;
    for (const std::uint32_t f : sides.around(v)) {
      const Ids& arc = arcs.at({v, sides.before(f, v)});
      corner.emplace_back(arc.rbegin(), arc.rend());
    }
    out.spherePatch(hull.points[v], corner);
  }
}

/// Draws the faces alone, for a shape without radius.
void drawSharp(Patches& out, std::span<const Vec3> points, const Polygons& faces) {
  for (std::size_t f = 0; f < faces.size(); ++f)
    if (const Vec3 area = areaVector(points, faces[f]); area.norm() > 0.0)
      out.face(points, faces[f], area.normalized());
}

}  // namespace

RoundedSurface roundedSurface(const Shape& shape, double fineness) {
  Patches out(shape.radius, fineness);
  if (shape.vertices.empty()) return out.take();
  Core core = coreOf(shape);
  if (core.convex && core.hull.rank == 3 && core.flatness > 0.0) {
    // Faces written with few digits are bent a little, and the hull splits them into triangles.
    // Drawn as one they need half of the points. `bend` is in units of the size, as in
    // convexHull(), with a factor to spare; above 1e-5 it counts as part of the shape.
    const Aabb box = detail::boxAround(core.hull.points);
    const double bend = 4.0 * core.flatness / (box.high - box.low).maxCoeff();
    if (bend < 1e-5) core.hull = convexHull(shape.vertices, bend);
  }
  if (shape.radius == 0.0) {
    if (core.convex && core.hull.rank == 3)
      drawSharp(out, core.hull.points, core.hull.faces);
    else
      drawSharp(out, core.vertices, core.faces);
  } else if (!core.convex) {
    Shape skeleton = shape;
    skeleton.vertices = core.vertices;
    PieceDrawer(out, skeleton, core).draw();
  } else if (core.hull.rank == 3) {
    drawSolid(out, core.hull);
  } else if (core.hull.rank == 2) {
    drawPlate(out, core.hull);
  } else {
    const Vec3 low = core.hull.points.front(), high = core.hull.points.back();
    drawStick(out, low, high,
              core.hull.rank == 1 ? Vec3((high - low).normalized()) : Vec3(Vec3::UnitZ()));
  }
  return out.take();
}

}  // namespace scree::shape
