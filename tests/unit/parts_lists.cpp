// SPDX-License-Identifier: GPL-3.0-or-later
// The neighbour list by itself: bodies that a test moves, no forces and no simulation.
#include "catch.hpp"
#include "detect/neighbour_list.hpp"
#include "engine/cell_motion.hpp"
#include "engine/pair_force.hpp"
#include "lone_bodies.hpp"
#include "sample_shapes.hpp"

#include "scree/base/rng.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

using namespace scree;
using namespace scree::sim;

namespace {

using PairNumbers = std::vector<std::pair<BodyId, BodyId>>;

PairNumbers listedPairs(const NeighbourList& list) {
  PairNumbers pairs;
  for (const NeighbourPair& p : list.contacts.pairs) pairs.emplace_back(p.a, p.b);
  return pairs;
}

double ballGap(const LoneBodies& balls, std::size_t a, std::size_t b) {
  return (balls.bodies.pos[a] - balls.bodies.pos[b]).norm() -
         (balls.bodies.radius[a] + balls.bodies.radius[b]);
}

Vec3 randomPoint(Rng& rng) {
  const double x = rng.uniform(), y = rng.uniform();
  return {x, y, rng.uniform()};
}

/// How far body k can still move before the list expires, to 1e-12; found by bisection.
double marginOf(const NeighbourList& list, Bodies& bodies, std::size_t k) {
  const double displacement = bodies.displacement[k];
  double within = 0.0, beyond = 1.0;
  while (beyond - within > 1e-12) {
    const double middle = 0.5 * (within + beyond);
    bodies.displacement[k] = displacement + middle;
    (list.expired(bodies, k, k + 1) ? beyond : within) = middle;
  }
  bodies.displacement[k] = displacement;
  return within;
}

/// Calls f(candidate) for all pairs of sub-elements of two bodies of one shape.
template <class F>
void forEachSubElementPair(const ShapeGeometry& g, F&& f) {
  for (const bool swapped : {false, true})
    for (const Pairing pairing :
         {Pairing::vertexVertex, Pairing::vertexEdge, Pairing::vertexFace, Pairing::edgeEdge}) {
      if (swapped && (pairing == Pairing::vertexVertex || pairing == Pairing::edgeEdge)) continue;
      for (std::uint32_t i = 0; i < subElementCount(g, pairing, true); ++i)
        for (std::uint32_t j = 0; j < subElementCount(g, pairing, false); ++j)
          f(Candidate(i, j, pairing, swapped));
    }
}

/// Boxes that fly through each other and turn, with a list that follows them. Nothing acts between
/// them; the test begins and ends contacts as a kernel does.
struct FlyingBoxes : LoneBodies {
  /// First and second body, and what Candidate::order() returns.
  using Key = std::tuple<BodyId, BodyId, bool, Pairing, std::uint32_t, std::uint32_t>;

  NeighbourList list;
  std::map<Key, double> history;  ///< a number for each contact, kept beside the list
  double lastNumber = 0.0;
  int ended = 0;

  FlyingBoxes() : LoneBodies(14, samples::box(0.3, 0.2, 0.1, 0.02)) {
    Rng rng(5);
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      bodies.pos[k] = rng.direction();
      bodies.vel[k] = -0.008 * (bodies.pos[k] + 0.1 * rng.direction());
      bodies.spin[k] = 0.02 * rng.direction();
      bodies.q[k] = rng.orientation();
      placeBody(bodies, k, poses[k]);
    }
  }
  static Key keyOf(const NeighbourPair& pair, const Candidate& c) {
    return std::tuple_cat(std::tuple(pair.a, pair.b), c.order());
  }
  void advance() {
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const Vec3 pos = bodies.pos[k];
      const Quat q = bodies.q[k];
      bodies.pos[k] += bodies.vel[k];
      bodies.q[k] = turnedBy(q, bodies.spin[k], 1.0);
      accountMotion(bodies, k, pos, q, nullptr, bodies.radius[k]);
      placeBody(bodies, k, poses[k]);
    }
    list.update(bodies, poses, model.threads);
  }
  bool overlap(BodyId a, BodyId b, const Candidate& c) const {
    const BodyPose &i = poses[c.swapped ? b : a], &j = poses[c.swapped ? a : b];
    Touch touch;
    double rest;
    return touches(c, i, j, i.pos - j.pos, touch, rest);
  }
  /// All pairs of sub-elements that overlap, by brute force.
  std::vector<Key> overlapping() const {
    std::vector<Key> found;
    for (BodyId a = 0; a < bodies.size(); ++a)
      for (BodyId b = a + 1; b < bodies.size(); ++b) {
        const double most = 2.0 * (geometry.boundingRadius + geometry.radius);
        if ((bodies.pos[a] - bodies.pos[b]).norm() > most) continue;  // their balls do not touch
        forEachSubElementPair(geometry, [&](const Candidate& c) {
          if (overlap(a, b, c)) found.push_back(std::tuple_cat(std::tuple(a, b), c.order()));
        });
      }
    return found;
  }
  /// Pairs of sub-elements that overlap, though the list has no candidate for them.
  std::size_t missing() const {
    std::map<Key, bool> listed;
    for (const NeighbourPair& pair : list.contacts.pairs)
      for (const Candidate& c : list.contacts.candidatesOf(pair)) listed[keyOf(pair, c)] = true;
    std::size_t count = 0;
    for (const Key& key : overlapping()) count += listed.count(key) == 0;
    return count;
  }
  /// Contacts that the list has lost, or to which it has given the state of another contact.
  std::size_t wrongHistories() const {
    std::size_t wrong = 0, found = 0;
    for (const NeighbourPair& pair : list.contacts.pairs)
      list.contacts.forEachTouching(
          pair, [&](std::uint32_t, const Candidate& c, const ContactState& state) {
            const auto at = history.find(keyOf(pair, c));
            ++found;
            wrong += at == history.end() || at->second != state.fn;
          });
    return wrong + (history.size() - std::min(found, history.size()));
  }
  void beginAndEndContacts() {
    for (const NeighbourPair& pair : list.contacts.pairs) {
      PairPool& pool = list.contacts.poolOf(pair);
      for (Candidate& c : list.contacts.candidatesOf(pair)) {
        const bool now = overlap(pair.a, pair.b, c);
        if (now && !c.touching()) {
          history[keyOf(pair, c)] = pool.begin(c).fn = ++lastNumber;
        } else if (!now && c.touching()) {
          pool.end(c);
          c.skipUntil = bodies.displacement[pair.a] + bodies.displacement[pair.b];
          history.erase(keyOf(pair, c));
          ++ended;
        }
      }
    }
  }
};

}  // namespace

TEST_CASE("a list holds the pairs nearer than the margins of their bodies, and no others",
          "[parts][lists]") {
  LoneBodies balls(200);
  balls.model.threads = GENERATE(1, 3);
  balls.bodies.driven = 3;
  Rng rng(1);
  for (std::size_t k = 0; k < balls.bodies.size(); ++k) {
    balls.setSize(k, rng.uniform(0.05, 0.3));
    balls.setPos(k, randomPoint(rng));
    balls.bodies.displacement[k] = rng.uniform();
    balls.bodies.lastMove[k] = k == 0 ? 0.0 : rng.uniform(0.0, 1e-4);  // driven body 0 rests
  }
  NeighbourList list;
  CHECK(list.expired(balls.bodies));
  list.update(balls.bodies, balls.poses, balls.model.threads);
  CHECK_FALSE(list.expired(balls.bodies));

  std::vector<double> margins;
  for (std::size_t k = 0; k < balls.bodies.size(); ++k)
    margins.push_back(marginOf(list, balls.bodies, k));
  CHECK(margins[0] <= 1e-12);
  CHECK(*std::min_element(margins.begin() + 1, margins.end()) > 1e-4);
  PairNumbers near;
  std::size_t touching = 0;
  for (BodyId a = 0; a < balls.bodies.size(); ++a)
    for (BodyId b = std::max<BodyId>(a + 1, 3); b < balls.bodies.size(); ++b) {
      if (ballGap(balls, a, b) < margins[a] + margins[b]) near.emplace_back(a, b);
      touching += ballGap(balls, a, b) < 0.0;
    }
  REQUIRE(listedPairs(list) == near);
  CHECK(touching > 100);
  CHECK(near.size() > touching + 100);
  for (std::size_t r = 0; r < near.size(); ++r) {
    const double gap = ballGap(balls, near[r].first, near[r].second);
    // Rounding of displacements up to 1.
    CHECK(list.clearance(r, balls.bodies) <= std::max(gap, 0.0) + 1e-15);
    if (gap < 0.0) CHECK(list.contacts.candidatesOf(list.contacts.pairs[r]).size() == 1);
  }

  balls.bodies.displacement[7] = std::numeric_limits<double>::quiet_NaN();
  CHECK(list.expired(balls.bodies));
}

TEST_CASE("no contact of boxes that move is missing, and each keeps its history",
          "[parts][lists]") {
  FlyingBoxes boxes;
  int keptAtRebuild = 0;
  const int steps = 160;
  for (int step = 0; step < steps; ++step) {
    const std::uint64_t rebuilds = boxes.list.bodyUpdates;
    boxes.advance();
    INFO("step " << step);
    REQUIRE(boxes.missing() == 0);
    REQUIRE(boxes.wrongHistories() == 0);
    if (boxes.list.bodyUpdates > rebuilds) keptAtRebuild += static_cast<int>(boxes.history.size());
    boxes.beginAndEndContacts();
  }
  // Otherwise the test would show nothing.
  CHECK(boxes.ended > 200);
  CHECK(keptAtRebuild > 100);
  CHECK(boxes.list.bodyUpdates < steps / 3);
}

TEST_CASE("balls torn apart in one step stay listed until their contact has ended",
          "[parts][lists]") {
  LoneBodies balls(2);
  balls.setPos(1, {0.99, 0.0, 0.0});
  NeighbourList list;
  list.update(balls.bodies, balls.poses, 1);
  REQUIRE(list.contacts.pairs.size() == 1);
  list.contacts.pools[0].begin(list.contacts.candidatesOf(list.contacts.pairs[0])[0]).fn = 5.0;
  balls.setPos(1, {9.0, 0.0, 0.0});
  balls.bodies.displacement[1] += 8.01;
  const NeighbourList before = list;
  list.update(balls.bodies, balls.poses, 1);
  REQUIRE(list.contacts.pairs.size() == 1);
  Candidate& candidate = list.contacts.candidatesOf(list.contacts.pairs[0])[0];
  REQUIRE(candidate.touching());
  CHECK(list.contacts.pools[0].states[candidate.stateAt()].fn == 5.0);
  list.contacts.pools[0].end(candidate);
  candidate.skipUntil = balls.bodies.displacement[1];
  list.rebuild(balls.bodies, balls.poses, 1, nullptr, {});
  CHECK(list.contacts.pairs.empty());
  // A list is a value: the copy has not changed.
  CHECK(before.contacts.candidatesOf(before.contacts.pairs[0])[0].touching());
}

TEST_CASE("bonded pairs are not listed until they are admitted", "[parts][lists]") {
  LoneBodies balls(4);
  for (std::size_t k = 0; k < 4; ++k) balls.setPos(k, {0.9 * static_cast<double>(k), 0.0, 0.0});
  std::uint32_t made = 0;
  const auto setUp = [&made](NeighbourPair& pair) { pair.parameters = ++made; };
  NeighbourList list;
  list.bonded = {{1, 2}};
  list.update(balls.bodies, balls.poses, 1, nullptr, setUp);
  CHECK(listedPairs(list) == PairNumbers{{0, 1}, {2, 3}});
  CHECK(made == 2);
  const PairNumbers released = std::exchange(list.bonded, {});
  list.admit(released, false, setUp);
  CHECK(listedPairs(list) == PairNumbers{{0, 1}, {1, 2}, {2, 3}});
  CHECK(list.contacts.pairs[1].parameters == 3);
  CHECK(list.contacts.pairs[1].count == 0);
  list.update(balls.bodies, balls.poses, 1, nullptr, setUp);
  CHECK(list.contacts.pairs[1].count == 1);
  CHECK(made == 3);
  list.bonded = {{0, 1}};
  list.expire();
  list.update(balls.bodies, balls.poses, 1, nullptr, setUp);
  CHECK(listedPairs(list) == PairNumbers{{1, 2}, {2, 3}});
}

TEST_CASE("in a periodic cell a list holds the nearest image of each neighbour", "[parts][lists]") {
  LoneBodies balls(120, ballShape(0.08));
  Images cell;
  Mat3 h;
  h << 1.0, 0.3, 0.0, 0.0, 1.1, 0.2, 0.0, 0.0, 0.9;
  cell.set(h);
  Rng rng(2);
  for (std::size_t k = 0; k < balls.bodies.size(); ++k) {
    const Vec3 whole(static_cast<double>(k % 3), 0.0, static_cast<double>(k % 2));
    balls.setPos(k, h * (randomPoint(rng) - whole));
  }
  NeighbourList list;
  list.update(balls.bodies, balls.poses, 1, &cell);
  REQUIRE(list.contacts.shifts.size() == list.contacts.pairs.size());
  const auto distance = [&](BodyId a, BodyId b, const CellShift& shift) {
    return (balls.bodies.pos[a] - balls.bodies.pos[b] - cell.offset(shift)).norm();
  };
  std::map<std::pair<BodyId, BodyId>, double> listed;
  for (std::size_t r = 0; r < list.contacts.pairs.size(); ++r) {
    const NeighbourPair& p = list.contacts.pairs[r];
    listed[{p.a, p.b}] = distance(p.a, p.b, list.contacts.shifts[r]);
  }
  CHECK(listed.size() < 120 * 119 / 4);
  std::size_t touching = 0, overTheSides = 0;
  for (BodyId a = 0; a < balls.bodies.size(); ++a)
    for (BodyId b = a + 1; b < balls.bodies.size(); ++b) {
      double least = distance(a, b, CellShift::Zero());
      const double inside = least;
      for (int x = -4; x <= 4; ++x)
        for (int y = -2; y <= 2; ++y)
          for (int z = -3; z <= 3; ++z) least = std::min(least, distance(a, b, {x, y, z}));
      if (least >= 0.16) continue;
      ++touching;
      overTheSides += inside > least;
      REQUIRE(listed.count({a, b}) == 1);
      CHECK(listed[{a, b}] == least);
    }
  CHECK(touching > 50);
  CHECK(overTheSides > 50);
}
