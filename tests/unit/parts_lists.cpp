// SPDX-License-Identifier: GPL-3.0-or-later
// The neighbour list and the periodic cell, each by itself: no forces and no simulation.
#include "catch.hpp"
#include "cell_scenes.hpp"
#include "detect/neighbour_list.hpp"
#include "engine/cell_motion.hpp"
#include "engine/contact_kernel.hpp"
#include "engine/contact_sums.hpp"
#include "engine/pair_force.hpp"
#include "lone_bodies.hpp"
#include "sample_shapes.hpp"

#include "scree/base/rng.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <tuple>
#include <vector>

using namespace scree;
using namespace scree::sim;
using scree::scenes::drivesOf;
using scree::scenes::offLattice;
using scree::scenes::Scene;

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

  explicit FlyingBoxes(const shape::Shape& kind = samples::box(0.3, 0.2, 0.1, 0.02))
      : LoneBodies(14, kind) {
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

struct LoneCell {
  Conf conf;
  Model model;
  BodyOrder order;
  Bodies bodies;
  std::vector<BodyPose> poses;
  Contacts contacts;
  ContactSums sums;
  EnergyLedger ledger;
  CellMotion cell;
  Restraint restraint;
  std::uint64_t step = 0;

  LoneCell(double dt, const Vec3& edges) {
    model.dt = dt;
    conf.cell.used = true;
    conf.cell.h = edges.asDiagonal();
    cell = CellMotion(conf.cell);
  }
  void add(const Vec3& pos, const Vec3& vel) {
    bodies.resize(bodies.size() + 1);
    const std::size_t k = bodies.size() - 1;
    bodies.pos[k] = pos;
    bodies.vel[k] = vel;
    bodies.acc[k].setZero();
    bodies.mass[k] = 2.0;
    bodies.boundingRadius[k] = 0.01;
    bodies.radius[k] = 0.0;
    poses.resize(bodies.size());
  }
  World world() const {
    const double time = static_cast<double>(step) * model.dt;
    return {model, conf, restraint, order, bodies, poses, cell.imagesOrNull(), time, step};
  }
  void advance() {  // bodies fly freely in the cell
    ++step;
    cell.begin(world(), bodies, contacts, ledger);
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      bodies.vel[k] += 0.5 * model.dt * bodies.acc[k];
      bodies.pos[k] += model.dt * bodies.vel[k];
      bodies.acc[k].setZero();
    }
    indexPairs(contacts, bodies.size());
    cell.wrap(world(), bodies, contacts, ledger);
    cell.finish(world(), contacts, sums, std::nullopt, model.dt, bodies, ledger);
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

TEST_CASE("contacts in lanes have the bits of contacts one after the other", "[parts][lists]") {
  const bool concave = GENERATE(false, true);
  const shape::Shape kind = concave ? samples::letterL(0.02) : samples::box(0.3, 0.2, 0.1, 0.02);
  FlyingBoxes inLanes(kind), alone(kind);
  const auto kernel = makeKernel(lawNamed("Default"), {0});
  const std::map<std::string_view, double> values{{"knContact", 3e3},
                                                  {"ktContact", 2e3},
                                                  {"muContact", 0.3},
                                                  {"krContact", 7.0},
                                                  {"murContact", 0.01}};
  kernel->setParameters(0, ParameterSource([&](std::string_view keyword) {
                          const auto value = values.find(keyword);
                          return value == values.end() ? 0.0 : value->second;
                        }));
  std::size_t touching = 0;
  const auto pass = [&](FlyingBoxes& boxes, bool plain) {
    boxes.advance();
    for (NeighbourPair& pair : boxes.list.contacts.pairs) pair.damp = 0.7;
    ContactSums sums;
    const auto renew = [](std::uint32_t, NearSubElements&) {};
    ContactPass p{boxes.list.contacts,
                  boxes.poses,
                  ContactWeights::none,
                  {.dt = 1e-3},
                  1,
                  boxes.bodies,
                  sums,
                  renew};
    p.inLanes = !plain;
    return kernel->add(p);
  };
  for (int step = 0; step < 120; ++step) {
    for (FlyingBoxes* boxes : {&inLanes, &alone}) boxes->setSize(3, 1.25);
    const ContactPower a = pass(inLanes, false), b = pass(alone, true);
    INFO("step " << step);
    CHECK(std::tuple(a.normal, a.tangential, a.rolling, a.lost, a.switched) ==
          std::tuple(b.normal, b.tangential, b.rolling, b.lost, b.switched));
    REQUIRE(inLanes.bodies.force == alone.bodies.force);
    REQUIRE(inLanes.bodies.moment == alone.bodies.moment);
    for (std::size_t r = 0; r < alone.list.contacts.pairs.size(); ++r) {
      std::vector<ContactState> of[2];
      for (const auto& [boxes, states] : {std::pair(&inLanes, &of[0]), {&alone, &of[1]}})
        boxes->list.contacts.forEachTouching(
            boxes->list.contacts.pairs[r],
            [&](std::uint32_t, const Candidate&, const ContactState& s) { states->push_back(s); });
      REQUIRE(of[0].size() == of[1].size());
      touching += of[0].size();
      for (std::size_t k = 0; k < of[0].size(); ++k)
        REQUIRE(std::memcmp(&of[0][k], &of[1][k], sizeof(ContactState)) == 0);
    }
  }
  CHECK(touching > 2000);
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

TEST_CASE("a sheared cell is flipped, and no image moves by a bit", "[parts][cell]") {
  LoneCell c(1e-3, Vec3(1.0, 2.0, 1.5));
  c.cell.cell.kineticStress = false;
  c.cell.loading = CellLoading{CellLoading::Kind::simpleShear, 0.0, 2.0, 0, 1};
  c.cell.start(c.conf, c.world());
  const auto alike = [&](const Mat3& before) {
    return offLattice(before, c.cell.cell.h.col(1)) < 1e-12;
  };
  int flips = 0;
  for (int k = 0; k < 3000; ++k) {
    const Mat3 h = c.cell.cell.h;
    CHECK(std::abs(h(0, 1)) < 0.505 * h(0, 0));
    c.contacts.shifts.clear();
    for (int image = 0; image < 27; ++image)
      c.contacts.shifts.emplace_back(image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1);
    std::vector<Vec3> offsets;
    for (const CellShift& n : c.contacts.shifts) offsets.push_back(c.cell.images.offset(n));
    const Mat3 flow = c.cell.flow();
    c.cell.flip(c.contacts, c.ledger);
    for (std::size_t image = 0; image < offsets.size(); ++image)
      REQUIRE(c.cell.images.offset(c.contacts.shifts[image]) == offsets[image]);
    CHECK(alike(h));
    CHECK((c.cell.flow() - flow).norm() < 1e-12);
    flips += c.cell.cell.h != h;
    c.contacts.shifts.clear();
    c.advance();
  }
  CHECK(flips == 12);  // 2 · 2 · 3 s over a width of 1
}

TEST_CASE("a plane bears a ball by its weight, in a periodic cell also above an image of it",
          "[parts][cell][boundary]") {
  const bool inCell = GENERATE(false, true);
  Scene scene;
  scene.conf.boundaries = {{Boundary::Kind::plane, Vec3(0, 2, 0), Vec3::UnitY(), 0.0, 0}};
  const double kn = 1e6, weight = 2500 * scenes::ballVolume(0.1) * 9.81;
  scene.add(scenes::ball("ball", 0.1), Vec3(0.3, 2.1, 0.4), 1);
  scene.conf.particles[0].vel = Vec3(2, 0, 0);
  scene.conf.setDensity(1, 2500);
  scene.law(0, 1, kn, 0.01, 0, 0);
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.conf.dt = 1e-4;
  scene.conf.cell.used = inCell;
  scene.conf.cell.h = Vec3(1.0, 1.5, 1.0).asDiagonal();
  auto s = scene.start();
  for (int k = 0; k < 5000; ++k) s->step();
  REQUIRE(s->boundaryTouches().size() == 1);
  CHECK(s->boundaryTouches()[0].fn == Approx(weight).epsilon(1e-9));
  const Vec3& at = s->bodies().pos[0];  // the second image of the plane stands at 0.5
  CHECK(at.y() == Approx((inCell ? 0.6 : 2.1) - weight / kn).epsilon(1e-12));
  CHECK(at.x() == Approx(inCell ? 0.3 : 1.3).epsilon(1e-9));
}

TEST_CASE("a plane is refused where the sides of a cell would cut it, or move",
          "[parts][cell][boundary]") {
  Scene scene = scenes::ballsInCell(scenes::cube(1.0), 2, 0.1, 0.0);
  scene.conf.boundaries = {{Boundary::Kind::plane, Vec3::Zero(), Vec3::UnitY(), 0.0, 0}};
  const auto start = [&](const std::string& loading) { scene.start(1, drivesOf(loading, 0)); };
  CHECK_NOTHROW(start(""));
  CHECK_THROWS_AS(start("PeriodicLoading UniaxialCompression Y 100\n"), ParseError);
  CHECK_THROWS_AS(start("PeriodicLoading IsotropicCompression 100\n"), ParseError);
  scene.conf.boundaries[0].axis = Vec3(0.6, 0.8, 0);
  CHECK_THROWS_AS(start(""), ParseError);
}
