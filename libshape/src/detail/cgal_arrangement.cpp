// SPDX-License-Identifier: GPL-3.0-or-later
#include "cgal_arrangement.hpp"

#include "half_edges.hpp"

#include "scree/shape/aabb_tree.hpp"

#include <CGAL/Constrained_Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Triangulation_vertex_base_with_info_2.h>
#include <CGAL/intersections.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

namespace scree::shape::detail {
namespace {

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Point = Kernel::Point_3;
using Point2 = Kernel::Point_2;
using Triangle = std::array<std::uint32_t, 3>;
constexpr std::uint32_t none = UINT32_MAX;

Point exact(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

/// Gives points with exact coordinates numbers, equal ones the same.
class PointStore {
 public:
  explicit PointStore(std::span<const Vec3> given) : rounded(given.begin(), given.end()) {
    for (const Vec3& p : given) points.push_back(exact(p));
    for (std::uint32_t k = 0; k < points.size(); ++k) numbers_.emplace(keyOf(rounded[k]), k);
  }
  std::uint32_t number(const Point& p) {
    CGAL::exact(p);  // then equal points have equal approximations
    const Vec3 near(CGAL::to_double(p.x()), CGAL::to_double(p.y()), CGAL::to_double(p.z()));
    const auto [first, last] = numbers_.equal_range(keyOf(near));
    for (auto at = first; at != last; ++at)
      if (points[at->second] == p) return at->second;
    const auto k = static_cast<std::uint32_t>(points.size());
    numbers_.emplace(keyOf(near), k);
    points.push_back(p);
    rounded.push_back(near);
    return k;
  }
  std::vector<Point> points;
  std::vector<Vec3> rounded;

 private:
  using Key = std::array<double, 3>;
  static Key keyOf(const Vec3& p) { return {p.x() + 0.0, p.y() + 0.0, p.z() + 0.0}; }
  std::multimap<Key, std::uint32_t> numbers_;
};

struct VertexNumber {
  std::uint32_t number = none;
};
using Tds = CGAL::Triangulation_data_structure_2<
    CGAL::Triangulation_vertex_base_with_info_2<VertexNumber, Kernel>,
    CGAL::Constrained_triangulation_face_base_2<Kernel>>;
using Cdt = CGAL::Constrained_Delaunay_triangulation_2<Kernel, Tds, CGAL::Exact_intersections_tag>;

/// A triangle divided along the points, segments and polygons that others have in common with it.
class DividedTriangle {
 public:
  DividedTriangle(PointStore& store, const Triangle& corners) : store_(store) {
    for (std::size_t k = 0; k < 3; ++k) corner_[k] = store.points[corners[k]];
    const Kernel::Vector_3 n =
        CGAL::cross_product(corner_[1] - corner_[0], corner_[2] - corner_[0]);
    for (int k = 0; k < 3; ++k)
      if (CGAL::abs(n[k]) > CGAL::abs(n[along_])) along_ = k;
    normal_ = n;
    u_ = (along_ + 1) % 3, v_ = (along_ + 2) % 3;
    if (CGAL::sign(n[along_]) < 0) std::swap(u_, v_);
    for (const std::uint32_t c : corners) insert(store.points[c]);
  }
  void insert(const Point& p) { handleOf(p); }
  void insert(const Point& p, const Point& q) {
    const auto a = handleOf(p), b = handleOf(q);
    if (a != b) cdt_.insert_constraint(a, b);
  }
  /// Wound as the triangle. Two triangles in one plane get the same pieces where they overlap:
  /// Delaunay triangles are unique but for points on one circle, which become a fan.
  std::vector<Triangle> pieces() {
    std::map<Cdt::Face_handle, std::uint32_t> faces;
    for (auto f = cdt_.finite_faces_begin(); f != cdt_.finite_faces_end(); ++f) {
      faces.emplace(f, static_cast<std::uint32_t>(faces.size()));
      for (int k = 0; k < 3; ++k)
        if (auto& number = f->vertex(k)->info().number; number == none)
          number = store_.number(lifted(f->vertex(k)->point()));
    }
    Groups circles(faces.size());
    for (const auto& [f, own] : faces)
      for (int k = 0; k < 3; ++k)
        if (sharesCircle(f, k)) circles.join(own, faces.at(f->neighbor(k)));
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> outlines;
    for (const auto& [f, own] : faces)
      for (int k = 0; k < 3; ++k)
        if (!sharesCircle(f, k))
          outlines[circles.of(own)].emplace(f->vertex(Cdt::ccw(k))->info().number,
                                            f->vertex(Cdt::cw(k))->info().number);
    std::vector<Triangle> out;
    for (const auto& [circle, next] : outlines) {
      const std::uint32_t first = next.begin()->first;
      for (std::uint32_t at = next.at(first); next.at(at) != first; at = next.at(at))
        out.push_back({first, at, next.at(at)});
    }
    std::ranges::sort(out);
    return out;
  }

 private:
  bool sharesCircle(Cdt::Face_handle f, int k) const {
    const auto g = f->neighbor(k);
    return !cdt_.is_infinite(g) && !f->is_constrained(k) &&
           CGAL::side_of_oriented_circle(
               f->vertex(0)->point(), f->vertex(1)->point(), f->vertex(2)->point(),
               cdt_.mirror_vertex(f, k)->point()) == CGAL::ON_ORIENTED_BOUNDARY;
  }
  Cdt::Vertex_handle handleOf(const Point& p) {
    const auto v = cdt_.insert(Point2(p[u_], p[v_]));
    if (v->info().number == none) v->info().number = store_.number(p);
    return v;
  }
  Point lifted(const Point2& p) const {
    const Point& o = corner_[0];
    std::array<Kernel::FT, 3> x;
    x[static_cast<std::size_t>(u_)] = p.x();
    x[static_cast<std::size_t>(v_)] = p.y();
    x[static_cast<std::size_t>(along_)] =
        o[along_] -
        (normal_[u_] * (p.x() - o[u_]) + normal_[v_] * (p.y() - o[v_])) / normal_[along_];
    return {x[0], x[1], x[2]};
  }

  PointStore& store_;
  std::array<Point, 3> corner_;
  Kernel::Vector_3 normal_;
  int along_ = 0, u_ = 1, v_ = 2;
  Cdt cdt_;
};

/// Where a piece is, and what triangles are there.
struct Place {
  Triangle corners{};
  std::vector<std::array<std::int64_t, 2>> sources;  ///< part, and +1 or -1: wound as `corners`
};

/// A part with how often it winds around each cell of its cluster, taken as outward.
struct WoundPart {
  std::vector<int> winding;
  double volume =
      0.0;  ///< [L³] negative where the file winds it inward; 0: its winding tells nothing
};

class Arranger {
 public:
  explicit Arranger(const PartTriangles& input) : in_(input), store_(input.points) {}

  Arrangement run() {
    divide();
    joinSides();
    joinShells();
    findClusters();
    fillCells();
    for (std::uint32_t k = 0; k < places_.size(); ++k) {
      const bool front = filled_[cellOf(front_(k))], back = filled_[cellOf(back_(k))];
      out_.pieces[k].side = front == back ? 0 : back ? 1 : -1;
      out_.pieces[k].covered = front && back;
    }
    out_.points = std::move(store_.rounded);
    return std::move(out_);
  }

 private:
  static std::uint32_t front_(std::uint32_t place) { return 2 * place; }
  static std::uint32_t back_(std::uint32_t place) { return 2 * place + 1; }
  std::uint32_t cellOf(std::uint32_t side) { return cells_->of(side); }

  void divide() {
    out_.cut.assign(in_.triangles.size(), 0);
    std::map<std::uint32_t, DividedTriangle> divided;
    const auto triangle = [&](std::uint32_t t) {
      const Triangle& c = in_.triangles[t];
      return Kernel::Triangle_3(store_.points[c[0]], store_.points[c[1]], store_.points[c[2]]);
    };
    for (const auto& [s, t] : in_.crossing) {
      const auto common = CGAL::intersection(triangle(s), triangle(t));
      if (!common) continue;
      for (const std::uint32_t k : {s, t}) {
        DividedTriangle& own = divided.try_emplace(k, store_, in_.triangles[k]).first->second;
        if (const auto* p = boost::get<Point>(&*common)) own.insert(*p);
        if (const auto* e = boost::get<Kernel::Segment_3>(&*common))
          own.insert(e->source(), e->target());
        if (const auto* f = boost::get<Kernel::Triangle_3>(&*common))
          for (int i = 0; i < 3; ++i) own.insert((*f)[i], (*f)[(i + 1) % 3]);
        if (const auto* g = boost::get<std::vector<Point>>(&*common))
          for (std::size_t i = 0; i < g->size(); ++i)
            own.insert((*g)[i], (*g)[(i + 1) % g->size()]);
      }
    }
    std::map<Triangle, std::uint32_t> known;
    const auto add = [&](const Triangle& corners, std::uint32_t t) {
      Triangle key = corners;
      std::ranges::sort(key);
      const auto [at, isNew] = known.emplace(key, static_cast<std::uint32_t>(places_.size()));
      if (isNew) {
        places_.push_back({corners, {}});
        out_.pieces.push_back({corners, t});
      }
      Place& place = places_[at->second];
      place.sources.push_back({in_.part[t], sameWay(corners, place.corners) ? 1 : -1});
    };
    for (std::uint32_t t = 0; t < in_.triangles.size(); ++t) {
      const Triangle& c = in_.triangles[t];
      const auto own = divided.find(t);
      if (own == divided.end()) {
        if (!CGAL::collinear(store_.points[c[0]], store_.points[c[1]], store_.points[c[2]]))
          add(c, t);
        continue;
      }
      const std::vector<Triangle> pieces = own->second.pieces();
      out_.cut[t] = pieces.size() > 1;
      for (const Triangle& piece : pieces) add(piece, t);
    }
  }

  /// Sides of places that bound the same space about an edge.
  void joinSides() {
    Polygons faces;
    for (const Place& place : places_) faces.add(place.corners);
    cells_.emplace(2 * places_.size() + 1);
    shells_.emplace(places_.size());
    forEachEdge(sortedHalfEdges(faces), [&](std::span<const HalfEdge> around) {
      std::vector<HalfEdge> turn(around.begin(), around.end());
      if (turn.size() > 2) sortAround(turn);
      for (std::size_t k = 0; k < turn.size(); ++k) {
        const HalfEdge &h = turn[k], &next = turn[(k + 1) % turn.size()];
        cells_->join(h.forward ? front_(h.face) : back_(h.face),
                     next.forward ? back_(next.face) : front_(next.face));
        shells_->join(h.face, next.face);
      }
    });
  }

  /// Brings places at one edge into their order about it, counter-clockwise.
  void sortAround(std::vector<HalfEdge>& around) const {
    const Point &low = store_.points[around[0].low], &high = store_.points[around[0].high];
    const auto tip = [&](const HalfEdge& h) -> const Point& {
      for (const std::uint32_t c : places_[h.face].corners)
        if (c != h.low && c != h.high) return store_.points[c];
      return low;
    };
    const Point& first = tip(around[0]);
    std::map<std::uint32_t, int>
        halfOf;  // 0: less than half a turn from the first, 1: half, 2: more
    for (std::size_t k = 1; k < around.size(); ++k) {
      const auto side = CGAL::orientation(low, high, first, tip(around[k]));
      halfOf[around[k].face] = side == CGAL::POSITIVE ? 0 : side == CGAL::ZERO ? 1 : 2;
    }
    std::sort(around.begin() + 1, around.end(), [&](const HalfEdge& a, const HalfEdge& b) {
      const int i = halfOf[a.face], j = halfOf[b.face];
      if (i != j || i == 1) return i < j;
      return CGAL::orientation(low, high, tip(a), tip(b)) == CGAL::POSITIVE;
    });
  }

  /// A place that a line meets: how far along, and the side that it comes from.
  struct Hit {
    Kernel::FT at;
    std::uint32_t from, to;
  };
  /// Places that the ray from a place on meets, in order; nothing if it meets an edge.
  std::optional<std::vector<Hit>> stabbed(std::uint32_t start, const Vec3& way,
                                          const AabbTree& tree, double reach) const {
    const auto corners = [&](std::uint32_t k) {
      const Triangle& c = places_[k].corners;
      return std::array{&store_.points[c[0]], &store_.points[c[1]], &store_.points[c[2]]};
    };
    const auto own = corners(start);
    const Point from = CGAL::centroid(*own[0], *own[1], *own[2]);
    CGAL::exact(from);
    const Point to = from + Kernel::Vector_3(way.x(), way.y(), way.z()) * Kernel::FT(reach);
    std::vector<Hit> hits;
    const auto side = CGAL::orientation(*own[0], *own[1], *own[2], to);
    if (side == CGAL::ZERO) return std::nullopt;
    hits.push_back({0, side == CGAL::POSITIVE ? back_(start) : front_(start),
                    side == CGAL::POSITIVE ? front_(start) : back_(start)});
    const Vec3 p(CGAL::to_double(from.x()), CGAL::to_double(from.y()), CGAL::to_double(from.z()));
    bool clear = true;
    const Vec3 inverse = way.cwiseInverse();
    std::vector<std::uint32_t> stack{0};
    while (!stack.empty() && clear) {
      const AabbTree::Node& node = tree.node(stack.back());
      stack.pop_back();
      const Vec3 low = (node.box.low - p).cwiseProduct(inverse),
                 high = (node.box.high - p).cwiseProduct(inverse);
      if (low.cwiseMin(high).maxCoeff() > low.cwiseMax(high).minCoeff() ||
          low.cwiseMax(high).minCoeff() < 0.0)
        continue;
      if (!node.leaf()) {
        stack.push_back(node.first + 1);
        stack.push_back(node.first);
        continue;
      }
      for (const std::uint32_t k : tree.items(node)) {
        if (k == start) continue;
        const auto c = corners(k);
        const auto s = CGAL::orientation(*c[0], *c[1], *c[2], from),
                   e = CGAL::orientation(*c[0], *c[1], *c[2], to);
        if (s == e && s != CGAL::ZERO) continue;
        const std::array turns{CGAL::orientation(from, to, *c[0], *c[1]),
                               CGAL::orientation(from, to, *c[1], *c[2]),
                               CGAL::orientation(from, to, *c[2], *c[0])};
        const bool left = std::ranges::count(turns, CGAL::POSITIVE) > 0,
                   right = std::ranges::count(turns, CGAL::NEGATIVE) > 0;
        if (left && right) continue;
        if (std::ranges::count(turns, CGAL::ZERO) > 0 || s == CGAL::ZERO || e == CGAL::ZERO) {
          clear = false;  // through an edge
          break;
        }
        const Kernel::FT near = CGAL::volume(*c[0], *c[1], *c[2], from),
                         far = CGAL::volume(*c[0], *c[1], *c[2], to);
        const bool front = s == CGAL::POSITIVE;
        hits.push_back(
            {near / (near - far), front ? front_(k) : back_(k), front ? back_(k) : front_(k)});
      }
    }
    if (!clear) return std::nullopt;
    std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.at < b.at; });
    return hits;
  }

  /// Shells that touch no other: a ray from each tells in whose space it lies.
  void joinShells() {
    std::vector<Aabb> boxes(places_.size());
    Aabb all;
    for (std::size_t k = 0; k < boxes.size(); ++k) {
      for (const std::uint32_t c : places_[k].corners) boxes[k].add(store_.rounded[c]);
      all.add(boxes[k]);
    }
    const double size = 2.0 * all.halfSize().norm();
    for (Aabb& box : boxes) box = box.grown(1e-14 * (size + all.centre().norm()));
    const AabbTree tree(boxes, 4);
    const std::array<Vec3, 4> ways{Vec3(0.5377, 0.6124, 0.5796), Vec3(-0.6831, 0.4127, 0.6025),
                                   Vec3(0.3719, -0.7853, 0.4949), Vec3(0.2917, 0.4463, -0.8460)};
    const auto infinity = static_cast<std::uint32_t>(2 * places_.size());
    std::map<std::uint32_t, std::vector<std::uint32_t>> shells;
    for (std::uint32_t k = 0; k < places_.size(); ++k) shells[shells_->of(k)].push_back(k);
    for (const auto& [shell, members] : shells)
      for (std::size_t trial = 0; trial < 64; ++trial) {
        const std::uint32_t start = members[(trial * 7919) % members.size()];
        const auto hits = stabbed(start, ways[trial % 4], tree, 4.0 * size);
        if (!hits) continue;
        for (std::size_t k = 0; k < hits->size(); ++k)
          cells_->join((*hits)[k].to, k + 1 < hits->size() ? (*hits)[k + 1].from : infinity);
        break;
      }
  }

  /// Places that touch, be it in a vertex.
  void findClusters() {
    Groups clusters(places_.size());
    std::vector<std::uint32_t> at(store_.points.size(), none);
    for (std::uint32_t k = 0; k < places_.size(); ++k)
      for (const std::uint32_t c : places_[k].corners) {
        if (at[c] != none) clusters.join(at[c], k);
        at[c] = k;
      }
    clusterOf_.resize(places_.size());
    for (std::uint32_t k = 0; k < places_.size(); ++k) {
      clusterOf_[k] = clusters.of(k);
      members_[clusterOf_[k]].push_back(k);
      for (const std::uint32_t side : {front_(k), back_(k)}) boundedBy_[cellOf(side)].push_back(k);
    }
  }

  /// Whether each cell is part of the solid, from infinity inwards.
  void fillCells() {
    filled_.assign(2 * places_.size() + 1, 0);
    reversed_ = filled_;
    std::vector<char> seen(filled_.size(), 0);
    std::map<std::uint32_t, char> done;
    std::vector<std::uint32_t> next{cellOf(static_cast<std::uint32_t>(2 * places_.size()))};
    seen[next[0]] = 1;
    for (std::size_t k = 0; k < next.size(); ++k) {
      const std::uint32_t outside = next[k];
      for (const std::uint32_t place : boundedBy_[outside]) {
        char& isDone = done[clusterOf_[place]];
        if (isDone) continue;
        isDone = 1;
        for (const auto& [cell, solid] : solidOf(members_[clusterOf_[place]], outside)) {
          if (seen[cell]) continue;
          seen[cell] = 1;
          filled_[cell] = solid;
          next.push_back(cell);
        }
      }
    }
  }

  /// Decides for each cell about a cluster whether it belongs to the solid.
  std::map<std::uint32_t, char> solidOf(const std::vector<std::uint32_t>& cluster,
                                        std::uint32_t outside) {
    struct Wall {
      std::uint32_t front, back, place;
    };
    std::map<std::uint32_t, std::uint32_t> numbers{{outside, 0}};
    const auto numberOf = [&](std::uint32_t side) {
      return numbers.emplace(cellOf(side), static_cast<std::uint32_t>(numbers.size()))
          .first->second;
    };
    // Walls between the same two cells, with the same parts, count once.
    std::vector<Wall> walls;
    std::map<std::uint32_t, std::vector<std::uint32_t>> wallsOf;  // of a part
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::vector<std::array<std::int64_t, 2>>>,
             int>
        known;
    for (const std::uint32_t k : cluster) {
      const Wall wall{numberOf(front_(k)), numberOf(back_(k)), k};
      if (!known.emplace(std::tuple{wall.front, wall.back, places_[k].sources}, 0).second) continue;
      for (const auto& source : places_[k].sources) {
        auto& own = wallsOf[static_cast<std::uint32_t>(source[0])];
        const auto w = static_cast<std::uint32_t>(walls.size());
        if (own.empty() || own.back() != w) own.push_back(w);
      }
      walls.push_back(wall);
    }
    const std::size_t n = numbers.size();
    std::vector<std::vector<std::uint32_t>> at(n);
    for (std::uint32_t w = 0; w < walls.size(); ++w) {
      at[walls[w].front].push_back(w);
      at[walls[w].back].push_back(w);
    }
    std::vector<WoundPart> parts;
    for (const auto& [part, own] : wallsOf) parts.push_back(woundPart(part, own, walls, at));
    bool reversed = reversed_[outside] != 0;
    const std::vector<int> sum = sumOf(parts, filled_[outside] != 0, reversed);
    std::map<std::uint32_t, char> out;
    for (const auto& [cell, number] : numbers) {
      out[cell] = sum[number] > 0;
      if (cell != outside) reversed_[cell] = reversed;
    }
    return out;
  }

  /// How often a part winds around each cell of its cluster, taken as outward; cell 0 is outside.
  template <class Walls>
  WoundPart woundPart(std::uint32_t part, const std::vector<std::uint32_t>& own, const Walls& walls,
                      const std::vector<std::vector<std::uint32_t>>& at) const {
    std::vector<int> through(walls.size(), 0);  // from front to back
    std::vector<char> ofPart(walls.size(), 0);
    for (const std::uint32_t w : own) {
      ofPart[w] = 1;
      for (const auto& source : places_[walls[w].place].sources)
        if (source[0] == part) through[w] += static_cast<int>(source[1]);
    }
    const ClosedPart& kind = in_.parts[part];
    for (const bool enclosed : {kind.kind == ClosedPart::Kind::enclosed, true}) {
      std::vector<int> out(at.size(), enclosed ? 1 : 0);
      std::vector<char> seen(at.size(), 0);
      std::vector<std::uint32_t> next{0};
      seen[0] = 1;
      out[0] = 0;
      for (std::size_t k = 0; k < next.size(); ++k)
        for (const std::uint32_t w : at[next[k]]) {
          const bool inwards = walls[w].front == next[k];
          const std::uint32_t cell = inwards ? walls[w].back : walls[w].front;
          if (seen[cell] || (enclosed && ofPart[w])) continue;
          seen[cell] = 1;
          out[cell] = enclosed ? 0 : out[next[k]] + (inwards ? through[w] : -through[w]);
          next.push_back(cell);
        }
      const auto [least, most] = std::ranges::minmax(out);
      if (kind.kind == ClosedPart::Kind::given && !enclosed && least < 0 && most > 0) continue;
      if (kind.kind == ClosedPart::Kind::manifold ? kind.volume < 0.0 : most <= 0)
        for (int& w : out) w = -w;
      return {std::move(out), enclosed ? 0.0 : std::copysign(kind.volume, kind.given)};
    }
    return {};
  }

  /// How often the parts of a cluster and the solid about it wind around each cell.
  /// @param reversed  whether the mesh is inside out there; changes where the cluster is
  std::vector<int> sumOf(const std::vector<WoundPart>& parts, bool inSolid, bool& reversed) {
    double volume = 0.0;
    for (const WoundPart& p : parts) volume += p.volume;
    if (!inSolid) reversed = volume < 0.0;
    std::vector<int> sign;
    for (const WoundPart& p : parts)
      sign.push_back((reversed ? -p.volume : p.volume) < 0.0 ? -1 : 1);
    std::vector<int> outward(parts[0].winding.size(), inSolid ? 1 : 0);
    const auto add = [&](std::vector<int>& sum, std::size_t p, int factor) {
      for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += factor * parts[p].winding[c];
    };
    std::vector<int> sum = outward;
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (sign[p] > 0) add(outward, p, 1);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      bool takes = false;
      for (std::size_t c = 0; c < sum.size(); ++c)
        takes |= parts[p].winding[c] > 0 && outward[c] > 0;
      if (!takes) sign[p] = 1;  // inside out on its own
      add(sum, p, sign[p]);
    }
    if (inSolid && in_.cavities && std::ranges::min(sum) > 0) {
      for (std::size_t p = 0; p < parts.size(); ++p) add(sum, p, -2 * sign[p]), sign[p] = -sign[p];
      reversed = !reversed;
    }
    for (std::size_t p = 0; p < parts.size(); ++p)
      out_.reversedParts += sign[p] * parts[p].volume < 0.0;
    return sum;
  }

  const PartTriangles& in_;
  PointStore store_;
  Arrangement out_;
  std::vector<Place> places_;     ///< one a piece
  std::optional<Groups> cells_;   ///< of sides of places; the last number is infinity
  std::optional<Groups> shells_;  ///< of places, through edges
  std::vector<std::uint32_t> clusterOf_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> members_, boundedBy_;
  std::vector<char> filled_, reversed_;  ///< of cells
};

}  // namespace

Arrangement arranged(const PartTriangles& input) { return Arranger(input).run(); }

}  // namespace scree::shape::detail
