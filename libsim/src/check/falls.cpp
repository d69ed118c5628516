// SPDX-License-Identifier: GPL-3.0-or-later
#include "falls.hpp"

#include "engine/engine.hpp"
#include "missed_contacts.hpp"

#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace scree::sim {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A rectangle across the direction of the fall. [L]
struct Rectangle {
  Vec2 low = Vec2::Constant(infinity), high = Vec2::Constant(-infinity);
  void add(const Vec2& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  void widen(double by) {
    low.array() -= by;
    high.array() += by;
  }
};

/// How deep the skeletons of driven bodies reach, and how high they do with their rounding, by
/// columns. Depth grows along the fall. A body whose centre is deeper than a skeleton is pushed
/// down by it.
class Columns {
 public:
  Columns(const Simulation& simulation, const Vec3& direction) : down_(direction.normalized()) {
    across_[0] = down_.unitOrthogonal();
    across_[1] = down_.cross(across_[0]);
    const Bodies& b = simulation.bodies();
    for (std::size_t k = 0; k < b.driven; ++k) take(simulation, k, false);
    if (!(extent_.low.array() <= extent_.high.array()).all()) return;
    const double widest = (extent_.high - extent_.low).maxCoeff();
    extent_.widen(1e-9 * widest);
    size_ = (extent_.high - extent_.low) / side;
    if (!(size_.minCoeff() > 0.0)) size_ = Vec2::Constant(std::max(widest, 1.0) / side);
    deepest_.assign(side * side, -infinity);
    highest_.assign(side * side, infinity);
    for (std::size_t k = 0; k < b.driven; ++k) take(simulation, k, true);
  }

  double depth(const Vec3& x) const { return down_.dot(x); }
  Vec2 place(const Vec3& x) const { return {across_[0].dot(x), across_[1].dot(x)}; }
  double bottom() const { return bottom_; }  ///< of all; -infinity where there is nothing

  /// Whether a skeleton in these columns reaches as deep as `depth` or deeper.
  bool below(const Rectangle& r, double depth) const {
    return any(r, [&](std::size_t c) { return deepest_[c] >= depth; });
  }
  /// [L] depth of the top of what stands in these columns above `depth`; infinite where nothing.
  double top(const Rectangle& r, double depth) const {
    double top = infinity;
    any(r, [&](std::size_t c) {
      if (highest_[c] < depth) top = std::min(top, highest_[c]);
      return false;
    });
    return top;
  }

 private:
  static constexpr std::size_t side = 256;

  std::size_t column(double x, int axis) const {
    const double c = (x - extent_.low[axis]) / size_[axis];
    return static_cast<std::size_t>(std::clamp(c, 0.0, side - 1.0));
  }
  template <class F>
  bool any(const Rectangle& r, F&& f) const {
    if (deepest_.empty() || (r.low.array() > extent_.high.array()).any() ||
        (r.high.array() < extent_.low.array()).any())
      return false;
    const std::size_t x1 = column(r.high.x(), 0), y1 = column(r.high.y(), 1);
    for (std::size_t x = column(r.low.x(), 0); x <= x1; ++x)
      for (std::size_t y = column(r.low.y(), 1); y <= y1; ++y)
        if (f(x * side + y)) return true;
    return false;
  }
  void mark(std::size_t column, double high, double deep) {
    deepest_[column] = std::max(deepest_[column], deep);
    highest_[column] = std::min(highest_[column], high);
  }
  void markBall(const Vec3& p, double radius) {
    Rectangle r;
    r.add(place(p));
    r.widen(radius);
    const double d = depth(p);
    any(r, [&](std::size_t c) {
      mark(c, d - radius, d);
      return false;
    });
  }

  /// Extents of a driven body, or its columns.
  void take(const Simulation& simulation, std::size_t k, bool columns) {
    const Bodies& b = simulation.bodies();
    const shape::Shape& shape = simulation.shapes()[b.shape[k]];
    const double h = b.homothety[k], radius = h * shape.radius;
    std::vector<Vec3> points;
    points.reserve(shape.vertices.size());
    for (const Vec3& v : shape.vertices) points.push_back(b.pos[k] + rotated(b.q[k], h * v));
    if (!columns) {
      Rectangle r;
      for (std::size_t v = 0; v < points.size(); ++v) {
        r.add(place(points[v]));
        bottom_ = std::max(bottom_, depth(points[v]) + h * shape.radiusAt(v));
      }
      r.widen(radius);
      extent_.add(r.low);
      extent_.add(r.high);
      return;
    }
    for (std::size_t v = 0; v < points.size(); ++v) markBall(points[v], h * shape.radiusAt(v));
    for (const shape::Edge& e : shape.edges) {
      const Vec3 from = points[e[0]], way = points[e[1]] - from;
      const Vec2 cells = (place(points[e[1]]) - place(from)).cwiseQuotient(size_);
      const int parts = 1 + static_cast<int>(std::min(cells.cwiseAbs().maxCoeff(), 2.0 * side));
      for (int n = 1; n < parts; ++n) markBall(from + way * (double(n) / parts), radius);
    }
    for (std::size_t f = 0; f < shape.faces.size(); ++f) {
      const auto corners = shape.faces[f];
      for (std::size_t c = 2; c < corners.size(); ++c)
        markTriangle(points[corners[0]], points[corners[c - 1]], points[corners[c]], radius);
    }
  }

  void markTriangle(const Vec3& a, const Vec3& b, const Vec3& c, double radius) {
    Rectangle r;
    const Vec2 p[3] = {place(a), place(b), place(c)};
    for (const Vec2& q : p) r.add(q);
    const double high = std::min({depth(a), depth(b), depth(c)}),
                 deep = std::max({depth(a), depth(b), depth(c)});
    const Vec2 u = p[1] - p[0], v = p[2] - p[0];
    const double twice = u.x() * v.y() - u.y() * v.x();
    // depth = depth(a) + slope (x - a); steep ones fill their columns from top to bottom.
    Vec2 slope = Vec2::Zero();
    const bool steep = !(std::abs(twice) > 1e-9 * u.squaredNorm() + 1e-9 * v.squaredNorm());
    if (!steep) {
      const double du = depth(b) - depth(a), dv = depth(c) - depth(a);
      slope = Vec2(du * v.y() - dv * u.y(), dv * u.x() - du * v.x()) / twice;
    }
    const double sign = twice < 0.0 ? -1.0 : 1.0;
    const Vec2 half = 0.5 * size_;
    r.widen(radius);
    any(r, [&](std::size_t column) {
      const std::size_t alongX = column / side, alongY = column % side;
      const Vec2 centre(extent_.low.x() + (double(alongX) + 0.5) * size_.x(),
                        extent_.low.y() + (double(alongY) + 0.5) * size_.y());
      if (!steep)
        for (int e = 0; e < 3; ++e) {  // beyond an edge
          const Vec2 along = sign * (p[(e + 1) % 3] - p[e]), normal(-along.y(), along.x());
          const double reach = normal.cwiseAbs().dot(half) + radius * normal.norm();
          if (normal.dot(centre - p[e]) < -reach) return false;
        }
      const double middle = depth(a) + slope.dot(centre - p[0]), by = slope.cwiseAbs().dot(half);
      mark(column, (steep ? high : std::clamp(middle - by, high, deep)) - radius,
           steep ? deep : std::clamp(middle + by, high, deep));
      return false;
    });
  }

  Vec3 down_, across_[2];
  Rectangle extent_;
  Vec2 size_ = Vec2::Zero();
  double bottom_ = -infinity;
  std::vector<double> deepest_, highest_;
};

/// Whether a round boundary catches all that falls along `direction`.
bool boundariesCatch(const Conf& conf, const Vec3& direction) {
  return std::any_of(conf.boundaries.begin(), conf.boundaries.end(), [&](const Boundary& b) {
    if (b.kind == Boundary::Kind::cone)  // lines within its angle leave it
      return !(b.radius > 0.0) && b.axis.dot(direction) < b.cosine * direction.norm();
    return b.kind == Boundary::Kind::ball ||
           b.axis.cross(direction).norm() > 1e-9 * direction.norm() * b.axis.norm();
  });
}

/// Sets of bodies that hold each other.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0u); }
  std::uint32_t of(std::uint32_t k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[of(a)] = of(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Bodies that bonds and joints hold together.
Sets joinedBodies(const Simulation& simulation) {
  Sets sets(simulation.bodies().size());
  for (const Interface& face : simulation.bonds().interfaces) sets.join(face.i, face.j);
  const BodyOrder& order = simulation.bodyOrder();
  for (const SpringJoint& joint : simulation.input().joints)
    sets.join(order.body(joint.i), order.body(joint.j));
  return sets;
}

/// The largest friction coefficient that two groups have at any time.
double largestFriction(const Conf& conf, std::uint32_t g1, std::uint32_t g2) {
  double mu = conf.lawParameter("muContact", g1, g2);
  for (const Tempo& tempo : conf.tempos)
    if (tempo.what == Tempo::What::pair && tempo.parameter == "muContact" &&
        std::minmax(tempo.group1, tempo.group2) == std::minmax(g1, g2))
      mu = std::max({mu, tempo.v1, tempo.v2});
  return mu;
}

/// Marks the sets that a contact holds up, on a set that is caught: no law of contacts pulls.
void catchByContacts(const Simulation& simulation, const Vec3& direction, Sets& sets,
                     std::vector<char>& caught) {
  const Bodies& b = simulation.bodies();
  const Vec3 up = -direction.normalized();
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> friction;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> holds;  // a set, and one on it
  forEachTouch(simulation, [&](BodyId i, BodyId j, const Touch& touch) {
    const auto known = friction.try_emplace(std::minmax(b.group[i], b.group[j]), 0.0);
    double& mu = known.first->second;
    if (known.second) mu = largestFriction(simulation.input(), b.group[i], b.group[j]);
    const double rise = touch.n.dot(up), across = std::sqrt(std::max(0.0, 1.0 - rise * rise));
    const auto canHold = [&](double normal) {
      return touch.n.isZero() || normal + mu * across > -1e-9;
    };
    if (canHold(rise)) holds.emplace_back(sets.of(j), sets.of(i));
    if (canHold(-rise)) holds.emplace_back(sets.of(i), sets.of(j));
  });
  std::sort(holds.begin(), holds.end());
  std::vector<std::uint32_t> next;
  for (std::uint32_t k = 0; k < caught.size(); ++k)
    if (caught[k]) next.push_back(k);
  while (!next.empty()) {
    const std::uint32_t below = next.back();
    next.pop_back();
    for (auto at = std::lower_bound(holds.begin(), holds.end(), std::pair(below, 0u));
         at != holds.end() && at->first == below; ++at)
      if (!std::exchange(caught[at->second], 1)) next.push_back(at->second);
  }
}

/// [L] of a body about its centre, rounding included.
double reachOf(const Simulation& simulation, std::size_t k) {
  const Bodies& b = simulation.bodies();
  return b.boundingRadius[k] + b.homothety[k] * simulation.shapes()[b.shape[k]].radius;
}

/// Whether something driven is below body `k` on its way.
/// @param g  [L/T²]
bool lands(const Simulation& simulation, const Columns& columns, double g, std::size_t k) {
  const Bodies& b = simulation.bodies();
  const double depth = columns.depth(b.pos[k]), speed = columns.depth(b.vel[k]),
               height = columns.bottom() - depth;
  if (!(height >= 0.0)) return false;
  const double time = (std::sqrt(speed * speed + 2.0 * g * height) - speed) / g;
  Rectangle way;
  way.add(columns.place(b.pos[k]));
  way.add(columns.place(b.pos[k] + time * b.vel[k]));
  way.widen(reachOf(simulation, k));
  return columns.below(way, depth);
}

/// [L] that puts body `k` on top of what is driven and above it; nothing where nothing is.
std::optional<double> liftOf(const Simulation& simulation, const Columns& columns, std::size_t k) {
  const Vec3& pos = simulation.bodies().pos[k];
  Rectangle beside;
  beside.add(columns.place(pos));
  beside.widen(reachOf(simulation, k));
  const double depth = columns.depth(pos), top = columns.top(beside, depth);
  if (!std::isfinite(top)) return std::nullopt;
  return depth + reachOf(simulation, k) - top;
}

/// Whether there is something that bodies can land on, and something that they can miss.
bool canMiss(const Simulation& simulation, const Vec3& direction) {
  const Conf& conf = simulation.input();
  const bool attracted = conf.bodyForce && std::holds_alternative<AttractingPoint>(*conf.bodyForce);
  return direction.norm() > 0.0 && !conf.cell.used && !attracted &&
         (simulation.bodies().driven > 0 || !conf.boundaries.empty()) &&
         !boundariesCatch(conf, direction);
}

/// The solid that the skeleton of a body bounds, or nothing.
class Solid {
 public:
  Solid(const Simulation& simulation, BodyId k) {
    const Bodies& b = simulation.bodies();
    const shape::Shape& s = simulation.shapes()[b.shape[k]];
    if (s.isSurface || s.faces.size() < 4) return;
    shape::SurfaceMesh mesh;
    mesh.vertices = s.vertices;
    mesh.faces = s.faces;
    const shape::Core core = shape::coreOf(s);
    if (!core.closed || core.openEdges > 0) return;
    for (const auto& corners : shape::trianglesOf(mesh)) {
      auto& triangle = triangles_.emplace_back();
      for (std::size_t c = 0; c < 3; ++c)
        triangle[c] = b.pos[k] + rotated(b.q[k], b.homothety[k] * s.vertices[corners[c]]);
    }
  }
  /// By the number of faces that a ray goes through, askew to edges along the axes.
  bool holds(const Vec3& x) const {
    const Vec3 ray = Vec3(0.5377, 0.6213, 0.5701);
    bool inside = false;
    for (const auto& [a, b, c] : triangles_) {
      const Vec3 u = b - a, v = c - a, p = ray.cross(v), from = x - a, q = from.cross(u);
      const double volume = u.dot(p), s = from.dot(p) / volume, t = ray.dot(q) / volume;
      if (volume != 0.0 && s >= 0.0 && t >= 0.0 && s + t <= 1.0 && v.dot(q) / volume > 0.0)
        inside = !inside;
    }
    return inside;
  }

 private:
  std::vector<std::array<Vec3, 3>> triangles_;
};

}  // namespace

Falls endlessFalls(const Simulation& simulation, const Vec3& direction) {
  const Bodies& b = simulation.bodies();
  Falls falls;
  if (!canMiss(simulation, direction)) return falls;
  const double g = direction.norm();
  const Columns columns(simulation, direction);
  Sets sets = joinedBodies(simulation);
  std::vector<char> caught(b.size(), 0);  // by set
  const auto isCaught = [&](std::size_t k) -> char& {
    return caught[sets.of(static_cast<std::uint32_t>(k))];
  };
  bool all = true;
  for (std::size_t k = 0; k < b.size(); ++k) {
    const bool lies = k < b.driven || lands(simulation, columns, g, k);
    if (lies) isCaught(k) = 1;
    all = all && lies;
  }
  if (all) return falls;
  catchByContacts(simulation, direction, sets, caught);
  for (std::size_t k = b.driven; k < b.size(); ++k)
    if (!isCaught(k)) falls.bodies.push_back(simulation.bodyOrder().number(k));
  std::sort(falls.bodies.begin(), falls.bodies.end());
  if (!falls.bodies.empty())
    falls.lift = liftOf(simulation, columns, simulation.bodyOrder().body(falls.bodies.front()));
  return falls;
}

Vec3 wayToLand(const Simulation& simulation, const Vec3& direction, BodyId k, BodyId driven,
               std::span<const Vec3> ways) {
  if (!canMiss(simulation, direction)) return ways.front();
  const Columns columns(simulation, direction);
  const Solid solid(simulation, driven);
  // By its centre: what it lands on reaches deeper right below.
  const auto isGood = [&](const Vec3& way) {
    const Vec3 x = simulation.bodies().pos[k] + way;
    Rectangle below;
    below.add(columns.place(x));
    return columns.below(below, columns.depth(x)) && !solid.holds(x);
  };
  for (const Vec3& way : ways)
    if (isGood(way)) return way;
  if (const auto lift = liftOf(simulation, columns, k))
    if (const Vec3 way = -*lift * direction.normalized(); isGood(way)) return way;
  return ways.front();
}

}  // namespace scree::sim
