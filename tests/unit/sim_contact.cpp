// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "detect/broad_phase.hpp"
#include "detect/many_contact_pair.hpp"
#include "detect/sub_search.hpp"
#include "engine/pair_force.hpp"
#include "scenes.hpp"

#include "scree/base/rng.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <set>

using namespace scree;
using namespace scree::sim;

namespace {

BodyPose poseOf(const ShapeGeometry& g, const Vec3& pos, const Quat& q, double h = 1.0) {
  BodyPose p;
  p.pos = pos;
  p.turn = h * rotationMatrix(q);
  p.scale = h;
  p.radius = h * g.radius;
  p.shape = &g;
  return p;
}

/// All combinations of sub-elements of two bodies, as candidates.
std::vector<Candidate> all(const ShapeGeometry& a, const ShapeGeometry& b) {
  std::vector<Candidate> list;
  const auto n = [](const auto& v) { return static_cast<std::uint32_t>(v.size()); };
  for (std::uint32_t v = 0; v < n(a.vertices); ++v) {
    for (std::uint32_t w = 0; w < n(b.vertices); ++w)
      list.push_back({v, w, Pairing::vertexVertex, false, 0});
    for (std::uint32_t e = 0; e < n(b.edges); ++e)
      list.push_back({v, e, Pairing::vertexEdge, false, 0});
    for (std::uint32_t f = 0; f < n(b.faces); ++f)
      list.push_back({v, f, Pairing::vertexFace, false, 0});
  }
  for (std::uint32_t e = 0; e < n(a.edges); ++e)
    for (std::uint32_t f = 0; f < n(b.edges); ++f)
      list.push_back({e, f, Pairing::edgeEdge, false, 0});
  for (std::uint32_t w = 0; w < n(b.vertices); ++w) {
    for (std::uint32_t e = 0; e < n(a.edges); ++e)
      list.push_back({w, e, Pairing::vertexEdge, true, 0});
    for (std::uint32_t f = 0; f < n(a.faces); ++f)
      list.push_back({w, f, Pairing::vertexFace, true, 0});
  }
  return list;
}

bool test(const Candidate& c, const BodyPose& a, const BodyPose& b, Touch& touch, double& rest) {
  const BodyPose &i = c.swapped ? b : a, &j = c.swapped ? a : b;
  return touches(c, i, j, i.pos - j.pos, touch, rest);
}

/// Distance of two vertices, edges, or a vertex and an edge, without radii. Infinite for a vertex
/// and a face, whose distance is that to a side of the face or else along its normal.
double coreDistance(const Candidate& c, const BodyPose& a, const BodyPose& b) {
  const BodyPose &i = c.swapped ? b : a, &j = c.swapped ? a : b;
  const auto vertex = [](const BodyPose& p, std::uint32_t k) {
    return Vec3(p.pos + p.turn * p.shape->vertices[k]);
  };
  const auto edge = [&](const BodyPose& p, std::uint32_t k) {
    const auto& e = p.shape->edges[k];
    return std::pair(vertex(p, e[0]), vertex(p, e[1]));
  };
  switch (c.pairing) {
    case Pairing::vertexVertex:
      return (vertex(i, c.iSub) - vertex(j, c.jSub)).norm();
    case Pairing::vertexEdge: {
      const auto [from, to] = edge(j, c.jSub);
      return std::sqrt(pointSegmentDistance2(vertex(i, c.iSub) - from, to - from));
    }
    case Pairing::edgeEdge: {
      const auto [fromI, toI] = edge(i, c.iSub);
      const auto [fromJ, toJ] = edge(j, c.jSub);
      return std::sqrt(segmentDistance2(fromI - fromJ, toI - fromI, toJ - fromJ));
    }
    default:
      return HUGE_VAL;
  }
}

shape::Shape tetrahedron() {
  shape::Shape s;
  s.name = "tetrahedron";
  s.radius = 0.05;
  s.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1.2, 0}, {0, 0, 0.8}};
  s.edges = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  for (const auto& f : {std::array{0u, 1u, 2u}, {0u, 1u, 3u}, {0u, 2u, 3u}, {1u, 2u, 3u}})
    s.faces.add(f);
  mass::survey(s);
  return s;
}

/// An L-shaped face: not convex.
shape::Shape angle() {
  shape::Shape s;
  s.name = "angle";
  s.radius = 0.05;
  s.isSurface = true;
  s.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 0.4, 0}, {0.4, 0.4, 0}, {0.4, 1, 0}, {0, 1, 0}};
  for (std::uint32_t k = 0; k < 6; ++k) s.edges.push_back({k, (k + 1) % 6});
  s.faces.add({0, 1, 2, 3, 4, 5});
  return s;
}

/// A bent, rough patch of 2 n² triangles, or of n² bent quadrangles. A face that is not convex, an
/// edge and a vertex of their own are beside it. That is more than the small shapes that are
/// searched by a slab have.
shape::Shape patch(std::uint32_t n, double size, double bend, std::uint64_t seed,
                   bool quads = false) {
  shape::Shape s;
  s.name = "patch";
  s.radius = 0.02;
  s.isSurface = true;
  Rng rng(seed);
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t k = 0; k <= n; ++k) {
      const double x = size * (i / static_cast<double>(n) - 0.5),
                   y = size * (k / static_cast<double>(n) - 0.5);
      s.vertices.emplace_back(x, y, bend * (x * x + y * y) + rng.uniform(-0.02, 0.02));
    }
  if (!quads) scenes::triangulateGrid(s, n);
  for (std::uint32_t k = 0; quads && k < n * n; ++k) {
    const std::uint32_t at = k / n * (n + 1) + k % n;
    s.faces.add({at, at + n + 1, at + n + 2, at + 1});
  }
  if (quads) s.edges = shape::edgesOf(s.faces);
  const auto first = static_cast<std::uint32_t>(s.vertices.size());
  for (const Vec3& v : angle().vertices) s.vertices.push_back(0.5 * v + Vec3(0, 0, 0.05));
  for (std::uint32_t k = 0; k < 6; ++k) s.edges.push_back({first + k, first + (k + 1) % 6});
  s.faces.add({first, first + 1, first + 2, first + 3, first + 4, first + 5});
  s.vertices.emplace_back(-0.4, -0.4, 0.1);
  s.vertices.emplace_back(-0.4, 0.4, 0.1);
  s.vertices.emplace_back(0.3, -0.4, 0.1);
  s.edges.push_back({first + 6, first + 7});
  return s;
}

/// Loads, compares and stores n lanes, and does the same number by number.
template <std::size_t n>
void checkLanes(Rng& rng) {
  std::array<std::array<double, 6>, n> rows, stored{};
  Places<const double, n> from;
  Places<double, n> to;
  for (std::size_t k = 0; k < n; ++k) {
    for (double& x : rows[k]) x = std::round(rng.uniform(-3.0, 3.0));
    from[k] = rows[k].data();
    to[k] = stored[k].data();
  }
  LaneOf<n> columns[4];
  gatherFour(from, 1, columns);
  scatterFour(columns[3], columns[2], columns[1], columns[0], to, 2);
  const LaneOf<n>&x = columns[0], &y = columns[1];
  const LaneOf<n> less = choose(x < y, x, y), root = squareRoot(magnitude(x));
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t m = 0; m < 4; ++m) {
      CHECK(columns[m][k] == rows[k][m + 1]);
      CHECK(stored[k][5 - m] == rows[k][m + 1]);
    }
    CHECK(stored[k][1] == 0.0);
    CHECK((bitsOf(x < y) >> k & 1) == (x[k] < y[k]));
    CHECK((bitsOf(x <= y) >> k & 1) == (x[k] <= y[k]));
    CHECK(less[k] == std::min(x[k], y[k]));
    CHECK(root[k] == std::sqrt(std::abs(x[k])));
  }
  CHECK(bitsOf(x < y) >> n == 0);
  CHECK(bitsOf(LaneOf<n>(NAN) < y) == 0);
}

}  // namespace

TEST_CASE("lanes of four and of eight numbers are those of single numbers", "[sim][contact]") {
  Rng rng(51);
  for (int k = 0; k < 20; ++k) {
    checkLanes<4>(rng);
    checkLanes<8>(rng);
  }
}

TEST_CASE("a search misses no contact, now or before the bodies have moved as far as it says",
          "[sim][detect]") {
  const auto [way, patches] =
      GENERATE(std::pair(SearchWay::slab, false), std::pair(SearchWay::trees, false),
               std::pair(SearchWay::trees, true));
  std::vector<shape::Shape> shapes{scenes::box("box", 1, 0.5, 0.3, 0.05), tetrahedron(), angle(),
                                   scenes::rod("rod", 1.0, 0.1), scenes::ball("ball", 0.3)};
  if (patches)  // coarse beside fine, in both orders, and alike
    shapes = {patch(2, 3.0, -0.1, 1), patch(5, 1.0, -0.5, 2), patch(7, 0.6, -0.8, 3),
              patch(8, 1.0, -0.5, 4, true)};
  std::vector<ShapeGeometry> geometries;
  for (const auto& s : shapes) geometries.push_back(shapeGeometry(s));
  const double size = patches ? 0.3 : 1.0, count = static_cast<double>(shapes.size());
  Rng rng(11);
  NearSubElements found;
  std::size_t contacts = 0, woken = 0, shortened = 0;
  for (int trial = 0; trial < (patches ? 300 : 4000); ++trial) {
    const ShapeGeometry& ga = geometries[static_cast<std::size_t>(rng.uniform(0, count))];
    const ShapeGeometry& gb = geometries[static_cast<std::size_t>(rng.uniform(0, count))];
    const double skin = trial % 3 == 0 ? 0.0 : rng.uniform(0, 0.2 * size);
    const Quat q = rng.orientation();
    const BodyPose a = poseOf(ga, {100, 20, -5}, rng.orientation(), rng.uniform(0.5, 2.0));
    const Vec3 apart = rng.uniform(patches ? 0.0 : 0.2, patches ? 0.6 : 1.5) * rng.direction();
    const BodyPose b = poseOf(gb, a.pos + apart, q, rng.uniform(0.5, 2.0));
    findNearBy(way, a, b, skin, found);
    REQUIRE(std::is_sorted(
        found.candidates.begin(), found.candidates.end(),
        [](const Candidate& x, const Candidate& y) { return x.order() < y.order(); }));
    CHECK(found.gap >= skin);
    std::set<decltype(Candidate().order())> listed;
    for (const Candidate& c : found.candidates) REQUIRE(listed.insert(c.order()).second);
    // A random small motion of b, and the bound of the accumulated displacement it used up, as the
    // engine counts it.
    const Vec3 shift = rng.uniform(0, 0.1 * size) * rng.direction(),
               spin = rng.uniform(0, 0.1 * size) * rng.direction();
    const Quat turned = (Quat(1.0, spin.x(), spin.y(), spin.z()) * q).normalized();
    const BodyPose moved = poseOf(gb, b.pos + shift, turned, b.scale);
    const double displacement =
        shift.norm() + 2.0 * (turned.coeffs() - q.coeffs()).norm() * gb.boundingRadius * b.scale;
    const auto candidates = all(ga, gb);
    shortened += candidates.size() > 20 * found.candidates.size();
    for (const Candidate& c : candidates) {
      Touch touch;
      double rest = 0.0, ignored = 0.0;
      const bool isListed = listed.contains(c.order());
      if (test(c, a, b, touch, rest)) {
        ++contacts;
        REQUIRE(isListed);
        continue;
      }
      // Not listed: their distance leaves at least the gap that the search reports.
      if (!isListed) REQUIRE(coreDistance(c, a, b) - a.radius - b.radius >= found.gap - 1e-12);
      if (!test(c, a, moved, touch, ignored)) continue;
      ++woken;
      REQUIRE(rest <= displacement * (1 + 1e-12));
      if (!isListed) REQUIRE(found.gap <= displacement * (1 + 1e-12));
    }
  }
  CHECK(contacts > 3000);
  CHECK(woken > 500);
  if (patches) CHECK(shortened > 200);
}

TEST_CASE("an edge or a face that turns under a large ball is looked at again before it touches",
          "[sim][contact]") {
  const double radius = GENERATE(0.3, 3.0, 100.0);
  const ShapeGeometry ball = shapeGeometry(scenes::ball("ball", radius));
  std::vector<ShapeGeometry> others;
  for (const auto& s : {scenes::box("box", 1, 0.5, 0.3, 0.05), tetrahedron(), angle(),
                        scenes::rod("rod", 1.0, 0.1)})
    others.push_back(shapeGeometry(s));
  Rng rng(17);
  std::size_t woken = 0;
  for (int trial = 0; trial < 10000; ++trial) {
    const ShapeGeometry& g = others[static_cast<std::size_t>(rng.uniform(0, 4))];
    const BodyPose a = poseOf(ball, {2, -3, 4}, rng.orientation());
    const Quat q = rng.orientation();
    const BodyPose b =
        poseOf(g, a.pos + (radius + rng.uniform(0.0, 0.5)) * rng.direction(), q, 1.0);
    const Vec3 shift = rng.uniform(0, 0.02) * rng.direction(),
               spin = rng.uniform(0, 0.2) * rng.direction();
    const Quat turned = (Quat(1.0, spin.x(), spin.y(), spin.z()) * q).normalized();
    const BodyPose moved = poseOf(g, b.pos + shift, turned);
    const double displacement =
        shift.norm() + 2.0 * (turned.coeffs() - q.coeffs()).norm() * g.boundingRadius;
    for (const Candidate& c : all(ball, g)) {
      Touch touch;
      double rest = 0.0, ignored = 0.0;
      if (test(c, a, b, touch, rest) || !test(c, a, moved, touch, ignored)) continue;
      ++woken;
      REQUIRE(rest <= displacement * (1 + 1e-12));
    }
  }
  CHECK(woken > 500);
}

TEST_CASE("planes of a many-contact pair miss no contact, and say how long none can begin",
          "[sim][contact]") {
  std::vector<ShapeGeometry> geometries;
  geometries.push_back(shapeGeometry(patch(2, 3.0, -0.1, 1)));
  geometries.push_back(shapeGeometry(patch(6, 1.0, -0.5, 2)));
  Rng rng(41);
  NearSubElements found;
  PairPlanes planes;
  std::size_t candidates = 0, due = 0, contacts = 0, waits = 0, met = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const bool coarseFirst = rng.uniform() < 0.5;
    const ShapeGeometry &ga = geometries[coarseFirst ? 0 : 1],
                        &gb = geometries[coarseFirst ? 1 : 0];
    // One below the other, nearly parallel, so that they may touch or lie apart.
    const Quat qa = rng.orientation();
    const Vec3 tilt = 0.05 * rng.direction();
    const Quat q = (Quat(1.0, tilt.x(), tilt.y(), tilt.z()) * qa).normalized();
    const double sign = coarseFirst ? -1.0 : 1.0;
    const BodyPose a = poseOf(ga, {4, -2, 9}, qa, rng.uniform(0.7, 1.5));
    const Vec3 apart(rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2), sign * rng.uniform(0.05, 0.4));
    const BodyPose b = poseOf(gb, a.pos + rotationMatrix(qa) * apart, q, rng.uniform(0.7, 1.5));
    findNear(a, b, 0.2, found);
    std::vector<Candidate>& listed = found.candidates;
    if (listed.size() < ManyContactPair::fewest || listed.size() > ManyContactPair::most) continue;
    sortByPlanes(ga, gb, listed, planes);
    NeighbourPair pair;
    pair.slack = 1e-11;
    const auto movedBy = [&](double most) {
      const Vec3 spin = rng.uniform(0, most) * rng.direction();
      const Quat turned = (Quat(1.0, spin.x(), spin.y(), spin.z()) * q).normalized();
      const Vec3 shift = rng.uniform(0, most) * rng.direction();
      return std::pair(
          poseOf(gb, b.pos + shift, turned, b.scale),
          shift.norm() + 2.0 * (turned.coeffs() - q.coeffs()).norm() * gb.boundingRadius * b.scale);
    };
    ManyContactPair selection(planes, pair, listed, a, b, 0.0);
    std::vector<char> looked(listed.size(), 0);
    for (std::size_t k = selection.next(0); k < listed.size(); k = selection.next(k + 1))
      looked[k] = 1;
    bool any = false;
    for (std::size_t k = 0; k < listed.size(); ++k) {
      Touch touch;
      double rest = 0.0;
      const bool touching = test(listed[k], a, b, touch, rest);
      any = any || touching;
      contacts += touching;
      if (touching) REQUIRE(looked[k]);
      if (looked[k] && !touching) listed[k].skipUntil = rest;
    }
    candidates += listed.size();
    due += static_cast<std::size_t>(std::count(looked.begin(), looked.end(), 1));
    if (any) continue;
    const double least = selection.leastSkipUntil(listed);
    waits += least > 0.0;
    for (int trialOfMotion = 0; trialOfMotion < 20; ++trialOfMotion) {
      const auto [moved, displacement] = movedBy(0.1);
      for (const Candidate& c : listed) {
        Touch touch;
        double rest = 0.0;
        if (!test(c, a, moved, touch, rest)) continue;
        ++met;
        REQUIRE(least <= displacement);
      }
    }
  }
  CHECK(contacts > 1000);
  CHECK(due < candidates / 2);
  CHECK(waits > 20);
  CHECK(met > 20);
}

TEST_CASE("pairs of boxes of any sizes are those that a double loop finds", "[sim][detect]") {
  Rng rng(2);
  std::vector<shape::Aabb> boxes;
  for (int k = 0; k < 400; ++k) {
    const double half = k < 3 ? 20.0 : rng.uniform(0.05, 0.5);
    const Vec3 c(rng.uniform(-5, 5), rng.uniform(-5, 5), rng.uniform(-5, 5));
    shape::Aabb box;
    box.add(c - Vec3::Constant(half));
    box.add(c + Vec3::Constant(half));
    boxes.push_back(box);
  }
  std::vector<std::pair<BodyId, BodyId>> expected;
  for (BodyId a = 0; a < 400; ++a)
    for (BodyId b = a + 1; b < 400; ++b)
      if (b >= 3 && boxes[a].overlaps(boxes[b])) expected.emplace_back(a, b);
  CHECK(overlappingPairs(boxes, 3, 1) == expected);
  CHECK(overlappingPairs(boxes, 3, 3) == expected);
}

TEST_CASE("the distance of two segments is that of a search over both, parallel ones included",
          "[sim][contact]") {
  Rng rng(21);
  for (int trial = 0; trial < 400; ++trial) {
    const Vec3 w = rng.uniform(0, 2) * rng.direction(), ea = rng.uniform(0, 2) * rng.direction();
    Vec3 eb = rng.uniform(0, 2) * rng.direction();
    if (trial % 4 == 0) eb = rng.uniform(-2, 2) * ea;                           // parallel
    if (trial % 4 == 1) eb = rng.uniform(-2, 2) * ea + 1e-8 * rng.direction();  // nearly so
    if (trial % 40 == 2) eb.setZero();
    double least = 1e300;
    for (int k = 0; k <= 1000; ++k)
      least = std::min(least, pointSegmentDistance2(w + 1e-3 * k * ea, eb));
    // The search over s is exact at its ends and off by half a step between.
    CHECK(std::sqrt(segmentDistance2(w, ea, eb)) <= std::sqrt(least) + 1e-12);
    CHECK(std::sqrt(segmentDistance2(w, ea, eb)) >= std::sqrt(least) - 0.5e-3 * ea.norm());
  }
}
