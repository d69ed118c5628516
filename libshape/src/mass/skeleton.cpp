// SPDX-License-Identifier: GPL-3.0-or-later
#include "skeleton.hpp"

#include "base/angles.hpp"
#include "detail/crossings.hpp"
#include "detail/half_edges.hpp"

#include "scree/base/error.hpp"

#include <map>

namespace scree::mass::detail {

Solid::Solid(std::vector<std::array<Vec3, 3>> triangles) : triangles_(std::move(triangles)) {
  std::vector<shape::Aabb> boxes(triangles_.size());
  for (std::size_t k = 0; k < boxes.size(); ++k)
    for (const Vec3& v : triangles_[k]) boxes[k].add(v);
  tree_ = shape::AabbTree(boxes, 4);
}

namespace {

/// Directions without small integers in them, so that rays seldom meet edges of made bodies.
const std::array<Vec3, 8> rayDirections{
    Vec3(0.5377, 0.6124, 0.5796),   Vec3(-0.6831, 0.4127, 0.6025),  Vec3(0.3719, -0.7853, 0.4949),
    Vec3(0.2917, 0.4463, -0.8460),  Vec3(-0.4519, -0.5531, 0.6999), Vec3(0.7723, -0.2391, -0.5885),
    Vec3(-0.3361, 0.8017, -0.4943), Vec3(-0.6143, -0.3571, -0.7036)};

/// Winding number from solid angles: slow, and always an answer.
double windingAbout(const std::vector<std::array<Vec3, 3>>& triangles, const Vec3& p) {
  double sum = 0.0;
  for (const auto& t : triangles) sum += solidAngle(t[0] - p, t[1] - p, t[2] - p);
  return sum / (4.0 * pi);
}

}  // namespace

bool Solid::contains(const Vec3& p) const {
  if (tree_.empty()) return false;
  const shape::Aabb& whole = tree_.node(0).box;
  if ((p.array() < whole.low.array()).any() || (p.array() > whole.high.array()).any()) return false;
  for (const Vec3& direction : rayDirections) {
    const Vec3 inverse = direction.cwiseInverse();
    int winding = 0;
    bool clear = true;
    std::uint32_t stack[64];
    int top = 0;
    stack[top++] = 0;
    while (top > 0 && clear) {
      const shape::AabbTree::Node& node = tree_.node(stack[--top]);
      const Vec3 low = (node.box.low - p).cwiseProduct(inverse),
                 high = (node.box.high - p).cwiseProduct(inverse);
      const double from = low.cwiseMin(high).maxCoeff(), to = low.cwiseMax(high).minCoeff();
      if (to < 0.0 || from > to * (1.0 + 1e-12) + 1e-14) continue;
      if (!node.leaf()) {
        stack[top++] = node.first + 1;
        stack[top++] = node.first;
        continue;
      }
      for (const std::uint32_t item : tree_.items(node)) {
        const auto& t = triangles_[item];
        const Vec3 ab = t[1] - t[0], ac = t[2] - t[0], n = ab.cross(ac);
        const double slope = n.dot(direction), size = n.norm();
        if (!(size > 0.0)) continue;
        // Signed volumes against the three edges decide; near zero the ray is too near an edge.
        const Vec3 a = t[0] - p, b = t[1] - p, c = t[2] - p;
        const double u = direction.dot(b.cross(c)), v = direction.dot(c.cross(a)),
                     w = direction.dot(a.cross(b));
        const double reach = a.squaredNorm() + ab.squaredNorm() + ac.squaredNorm();
        const double noise = 1e-13 * reach;
        const bool negative = u < -noise || v < -noise || w < -noise;
        const bool positive = u > noise || v > noise || w > noise;
        if (negative && positive) continue;
        if (std::min({std::fabs(u), std::fabs(v), std::fabs(w)}) <= noise ||
            std::fabs(slope) <= 1e-9 * size) {
          clear = false;
          break;
        }
        if (n.dot(a) / slope > 0.0) winding += slope > 0.0 ? 1 : -1;
      }
    }
    if (clear) return winding != 0;
  }
  return std::fabs(windingAbout(triangles_, p)) > 0.5;
}

namespace {

void checkFinite(const CertifiedBody& body) {
  for (const RoundedPart& part : body.parts) {
    if (!std::isfinite(part.radius) || part.radius < 0.0)
      throw GeometryError("the radius of a part must be finite and at least 0");
    for (const Vec3& v : part.vertices)
      if (!v.allFinite()) throw GeometryError("a coordinate is not a finite number");
    const auto check = [&](std::uint32_t v) {
      if (v >= part.vertices.size())
        throw GeometryError("a part uses a vertex that does not exist");
    };
    for (const auto& t : part.triangles) std::for_each(t.begin(), t.end(), check);
    for (const auto& s : part.segments) std::for_each(s.begin(), s.end(), check);
    std::for_each(part.points.begin(), part.points.end(), check);
  }
  for (const EllipsoidPart& e : body.ellipsoids)
    if (!e.centre.allFinite() || !e.stretch.allFinite() || !(e.stretch.determinant() != 0.0))
      throw GeometryError("the semi-axes of an ellipsoid must be numbers above 0");
}

shape::Aabb boxOf(const CertifiedBody& body) {
  shape::Aabb box;
  const auto add = [&](const Vec3& p, const Vec3& reach) {
    box.add(Vec3(p - reach));
    box.add(Vec3(p + reach));
  };
  for (const RoundedPart& part : body.parts) {
    const Vec3 reach = Vec3::Constant(part.radius);
    for (const auto& t : part.triangles)
      for (const std::uint32_t v : t) add(part.vertices[v], reach);
    for (const auto& s : part.segments)
      for (const std::uint32_t v : s) add(part.vertices[v], reach);
    for (const std::uint32_t v : part.points) add(part.vertices[v], reach);
  }
  for (const EllipsoidPart& e : body.ellipsoids) add(e.centre, e.stretch.rowwise().norm());
  return box;
}

/// Adds one part: equal vertices, edges and faces once, and no tubes and balls where other pieces
/// of the surface hide them.
class PartBuilder {
 public:
  PartBuilder(Skeleton& out, const RoundedPart& part) : out_(out), part_(part) {
    for (const Vec3& v : part.vertices) vertex_.push_back((v - out.origin) / out.scale);
    joined_ = shape::detail::firstEqual(vertex_);
    radius_ = part.radius / out.scale;
    solid_ = part.solid && !part.triangles.empty() ? static_cast<std::uint32_t>(out.solids.size())
                                                   : nothing;
  }

  void build() {
    collect();
    judgeEdges();
    judgeVertices();
    emit();
  }

 private:
  using Edge = std::array<std::uint32_t, 2>;
  struct EdgeUse {
    std::vector<std::uint32_t> faces;  ///< triangles with an area that have this edge
    bool segment = false;              ///< given as an edge, or a side of a triangle without area
    std::uint32_t tube = nothing;
  };

  static Edge key(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }
  Vec3 normalOf(const std::array<std::uint32_t, 3>& t) const {
    return (vertex_[t[1]] - vertex_[t[0]]).cross(vertex_[t[2]] - vertex_[t[0]]);
  }

  void collect() {
    std::vector<std::array<std::uint32_t, 3>> seen;
    std::vector<std::array<Vec3, 3>> surface;
    for (const auto& given : part_.triangles) {
      const std::array<std::uint32_t, 3> t{joined_[given[0]], joined_[given[1]], joined_[given[2]]};
      surface.push_back({vertex_[t[0]], vertex_[t[1]], vertex_[t[2]]});
      const Vec3 n = normalOf(t);
      double longest = 0.0;
      for (unsigned k = 0; k < 3; ++k)
        longest = std::max(longest, (vertex_[t[k]] - vertex_[t[(k + 1) % 3]]).squaredNorm());
      // Narrower than this a triangle is the same as its sides.
      if (!(n.norm() > 1e-12 * longest)) {
        for (unsigned k = 0; k < 3; ++k) addSegment(t[k], t[(k + 1) % 3]);
        continue;
      }
      const auto f = static_cast<std::uint32_t>(faces_.size());
      faces_.push_back(t);
      normals_.push_back(n.normalized());
      for (unsigned k = 0; k < 3; ++k) edges_[key(t[k], t[(k + 1) % 3])].faces.push_back(f);
    }
    for (const auto& s : part_.segments) addSegment(joined_[s[0]], joined_[s[1]]);
    for (const std::uint32_t v : part_.points) points_.push_back(joined_[v]);
    if (solid_ != nothing) {
      double volume = 0.0;  // negative: wound the other way about
      for (const auto& t : surface) volume += t[0].dot(t[1].cross(t[2]));
      const auto crossing = shape::detail::crossings(vertex_, faces_, 0);
      embedded_ = volume > 0.0 && crossing.complete && crossing.pairs.empty();
      out_.solids.emplace_back(std::move(surface));
    }
  }

  void addSegment(std::uint32_t a, std::uint32_t b) {
    if (a == b)
      points_.push_back(a);
    else
      edges_[key(a, b)].segment = true;
  }

  /// A tube is needed where some direction across the edge points away from its faces. Of a solid
  /// whose surface does not cross itself only directions to the outside count.
  bool tubeNeeded(const Edge& e, const EdgeUse& use) const {
    if (use.faces.size() != 2) return true;
    const Vec3 t = (vertex_[e[1]] - vertex_[e[0]]).normalized();
    const auto &f = faces_[use.faces[0]], &g = faces_[use.faces[1]];
    Vec3 n = normals_[use.faces[0]], m = normals_[use.faces[1]];
    const bool forward = runsAlong(f, e), other = runsAlong(g, e);
    if (forward == other) m = -m;  // as if wound alike
    const double sine = n.cross(m).dot(forward ? t : Vec3(-t));
    const bool flat = std::fabs(sine) < 1e-13 && n.dot(m) > 0.0;
    if (flat) return false;
    return !embedded_ || forward == other || sine > 0.0 || n.dot(m) < -0.999;
  }
  static bool runsAlong(const std::array<std::uint32_t, 3>& t, const Edge& e) {
    for (unsigned k = 0; k < 3; ++k)
      if (t[k] == e[0] && t[(k + 1) % 3] == e[1]) return true;
    return false;
  }

  void judgeEdges() {
    arms_.resize(vertex_.size());
    flatOnly_.assign(vertex_.size(), true);
    for (auto& [e, use] : edges_) {
      const Vec3 way = vertex_[e[1]] - vertex_[e[0]];
      const double length = way.norm();
      const Vec3 t = way / length;
      arms_[e[0]].push_back(t);
      arms_[e[1]].push_back(-t);
      const bool needed = tubeNeeded(e, use);
      if (needed || use.segment) flatOnly_[e[0]] = flatOnly_[e[1]] = false;
      if (needed && radius_ > 0.0) {
        use.tube = static_cast<std::uint32_t>(out_.tubes.size());
        out_.tubes.push_back({vertex_[e[0]], t, length, radius_});
      }
    }
  }

  /// A ball is needed where some direction has no positive part along any edge. Such directions
  /// form a cone, whose edges are across two of the arms.
  bool ballNeeded(const std::vector<Vec3>& arms) const {
    if (arms.size() < 3) return true;
    if (arms.size() > 24) return true;  // not worth the search
    for (std::size_t i = 0; i < arms.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Vec3 x = arms[i].cross(arms[j]);
        const double length = x.norm();
        if (length < 1e-9) return true;
        for (const double sign : {1.0, -1.0}) {
          const Vec3 n = sign / length * x;
          bool away = true;
          for (const Vec3& arm : arms) away &= n.dot(arm) <= 1e-9;
          if (away) return true;
        }
      }
    return false;
  }

  void judgeVertices() {
    ball_.assign(vertex_.size(), nothing);
    std::vector<bool> alone(vertex_.size(), false), needed(vertex_.size(), false);
    for (const std::uint32_t v : points_) needed[v] = alone[v] = true;
    std::vector<bool> reflexOnly(vertex_.size(), true);
    for (const auto& [e, use] : edges_)
      if (use.tube != nothing || use.segment) reflexOnly[e[0]] = reflexOnly[e[1]] = false;
    for (std::uint32_t v = 0; v < vertex_.size(); ++v)
      if (!arms_[v].empty() && !needed[v])
        needed[v] = !flatOnly_[v] && !reflexOnly[v] && ballNeeded(arms_[v]);
    if (radius_ > 0.0)
      for (std::uint32_t v = 0; v < vertex_.size(); ++v)
        if (needed[v]) {
          ball_[v] = static_cast<std::uint32_t>(out_.balls.size());
          out_.balls.push_back({vertex_[v], radius_});
        }
    for (std::uint32_t v = 0; v < vertex_.size(); ++v)
      if (alone[v] && arms_[v].empty()) addPoint(v);
  }

  void addPoint(std::uint32_t v) {
    Element e{.kind = Element::Kind::point,
              .solid = nothing,
              .radius = radius_,
              .corner = {vertex_[v], vertex_[v], vertex_[v]}};
    e.ball[0] = ball_[v];
    out_.elements.push_back(e);
  }

  void emit() {
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      const auto& t = faces_[f];
      const Vec3& n = normals_[f];
      Element e{.kind = Element::Kind::triangle,
                .solid = solid_,
                .radius = radius_,
                .corner = {vertex_[t[0]], vertex_[t[1]], vertex_[t[2]]}};
      Slab slab;
      slab.n = n;
      const double a = n.dot(e.corner[0]), b = n.dot(e.corner[1]), c = n.dot(e.corner[2]);
      slab.low = std::min({a, b, c}) - radius_;
      slab.high = std::max({a, b, c}) + radius_;
      for (unsigned k = 0; k < 3; ++k) {
        const Vec3 &p = e.corner[k], &q = e.corner[(k + 1) % 3];
        slab.side[k] = n.cross(q - p).normalized();
        slab.at[k] = slab.side[k].dot(0.5 * (p + q));
        e.tube[k] = edges_.at(key(t[k], t[(k + 1) % 3])).tube;
        e.ball[k] = ball_[t[k]];
      }
      e.slab = static_cast<std::uint32_t>(out_.slabs.size());
      out_.slabs.push_back(slab);
      out_.elements.push_back(e);
    }
    // Edges that have no triangle to speak for them.
    for (const auto& [k, use] : edges_) {
      if (!use.faces.empty()) continue;
      Element e{.kind = Element::Kind::segment,
                .solid = nothing,
                .radius = radius_,
                .corner = {vertex_[k[0]], vertex_[k[1]], vertex_[k[1]]}};
      e.tube[0] = use.tube;
      e.ball[0] = ball_[k[0]];
      e.ball[1] = ball_[k[1]];
      out_.elements.push_back(e);
    }
  }

  Skeleton& out_;
  const RoundedPart& part_;
  double radius_ = 0.0;
  std::uint32_t solid_ = nothing;
  bool embedded_ = false;  ///< a closed surface known not to cross itself, its normals outwards
  std::vector<std::uint32_t> joined_;  ///< given vertex -> first equal one
  std::vector<Vec3> vertex_;
  std::vector<std::array<std::uint32_t, 3>> faces_;
  std::vector<Vec3> normals_;
  std::map<Edge, EdgeUse> edges_;
  std::vector<std::uint32_t> points_, ball_;
  std::vector<std::vector<Vec3>> arms_;
  std::vector<bool> flatOnly_;
};

}  // namespace

Skeleton skeletonOf(const CertifiedBody& body) {
  checkFinite(body);
  Skeleton out;
  const shape::Aabb box = boxOf(body);
  const double size = 2.0 * box.halfSize().maxCoeff();
  if (!(size > 0.0) || !std::isfinite(size))
    throw GeometryError("the body has no extent and therefore no volume");
  out.origin = box.centre();
  out.scale = std::ldexp(1.0, std::ilogb(size) + 1);
  for (const RoundedPart& part : body.parts) PartBuilder(out, part).build();
  for (const EllipsoidPart& given : body.ellipsoids) {
    Ellipsoid e;
    e.c = (given.centre - out.origin) / out.scale;
    e.stretch = given.stretch / out.scale;
    if (e.stretch.determinant() < 0.0) e.stretch.col(0) *= -1.0;
    e.toUnit = e.stretch.inverse();
    e.smallest = 1.0 / e.toUnit.norm();  // no larger than the smallest semi-axis
    Element element{.kind = Element::Kind::ellipsoid,
                    .solid = nothing,
                    .radius = 0.0,
                    .corner = {e.c, e.c, e.c}};
    element.ellipsoid = static_cast<std::uint32_t>(out.ellipsoids.size());
    out.ellipsoids.push_back(e);
    out.elements.push_back(element);
  }
  out.box.low = (box.low - out.origin) / out.scale;
  out.box.high = (box.high - out.origin) / out.scale;
  return out;
}

}  // namespace scree::mass::detail
