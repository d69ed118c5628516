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
#include <map>
#include <tuple>
#include <vector>

using namespace scree;
using namespace scree::sim;

namespace {

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
