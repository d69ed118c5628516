// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "engine/ball_pair.hpp"
#include "law/all_laws.hpp"

#include "scree/base/rng.hpp"

#include <array>

using namespace scree;
using namespace scree::sim;

namespace {

/// Two balls that overlap, are apart, or have been in touch until now, one of them perhaps driven.
struct Pair {
  std::array<BodyPose, 2> poses;
  std::array<MeanMotion, 2> mean;
  NeighbourPair pair;
  PairPool pool;
  bool aDriven;

  Pair(const ShapeGeometry& ball, Rng& rng) {
    const auto any = [&] {
      const double x = rng.uniform(-1.0, 1.0), y = rng.uniform(-1.0, 1.0);
      return Vec3(x, y, rng.uniform(-1.0, 1.0));
    };
    for (std::size_t k = 0; k < 2; ++k) {
      poses[k].vel = any();
      poses[k].spin = rng.uniform(0.0, 1.0) < 0.2 ? Vec3(Vec3::Zero()) : Vec3(any());
      poses[k].radius = rng.uniform(0.5, 1.0);
      poses[k].shape = &ball;
      mean[k] = {any(), any()};
    }
    const double gap = rng.uniform(-0.2, 0.1);
    poses[0].pos = any();
    poses[1].pos = poses[0].pos + (poses[0].radius + poses[1].radius + gap) * any().normalized();
    pair.b = 1;
    pair.count = pair.room = 1;
    pair.expires = 10.0;
    pair.damp = rng.uniform(0.0, 3.0);
    pair.slack = 1e-3;
    pool.candidates.emplace_back(0, 0, Pairing::vertexVertex, false);
    if (rng.uniform(0.0, 1.0) < 0.7)
      pool.begin(pool.candidates[0]) = {-rng.uniform(0.0, 0.1), rng.uniform(0.0, 1.0), any(),
                                        any()};
    aDriven = rng.uniform(0.0, 1.0) < 0.5;
  }
};

void requireNear(const Vec3& x, const Vec3& y) {
  REQUIRE((x - y).norm() <= 1e-13 * (1.0 + y.norm()));
}
void requireNear(double x, double y) { REQUIRE(std::abs(x - y) <= 1e-12 * (1.0 + std::abs(y))); }

/// By evaluateBalls and by evaluatePair, which knows nothing of balls but their vertex.
template <ContactLaw Law, bool byMean>
void compare(const HistoryUpdate& update) {
  ShapeGeometry ball;
  ball.ball = true;
  ball.vertices = {Vec3::Zero()};
  Rng rng(7);
  const auto parameters = Law::parameters(
      ParameterSource([](std::string_view) { return 0.6; }, [](auto, bool) { return 0.6; }));
  for (int round = 0; round < 500; ++round) {
    Pair one(ball, rng);
    HistoryUpdate grown = update;
    if constexpr (byMean) grown.mean = one.mean.data();
    Pair two = one;
    PairForce direct, general;
    const auto& [a, b] = one.poses;
    REQUIRE(isOfBalls(one.pair, a, b));
    const bool acts = evaluateBalls<Law, byMean>(one.pair, one.pool, a, b, one.aDriven, 1.0,
                                                 parameters, grown, direct);
    REQUIRE(acts == evaluatePair<Law, PairOptions{.byMean = byMean}>(
                        {two.pair, two.pool, a, b, one.aDriven, 1.0, parameters,
                         ContactWeights::none, grown},
                        general));
    requireNear(direct.force, general.force);
    requireNear(direct.momentA, general.momentA);
    requireNear(direct.momentB, general.momentB);
    requireNear(direct.power.normal, general.power.normal);
    requireNear(direct.power.tangential, general.power.tangential);
    requireNear(direct.power.rolling, general.power.rolling);
    requireNear(direct.power.lost, general.power.lost);
    requireNear(direct.power.switched, general.power.switched);
    REQUIRE(direct.looked == general.looked);
    const Candidate &c = one.pool.candidates[0], &d = two.pool.candidates[0];
    REQUIRE(c.touching() == d.touching());
    REQUIRE(one.pool.freeStates == two.pool.freeStates);
    if (!c.touching()) {
      REQUIRE(c.skipUntil == d.skipUntil);
      REQUIRE(one.pair.skipUntil == two.pair.skipUntil);
      continue;
    }
    const ContactState &s = one.pool.states[c.stateAt()], &t = two.pool.states[d.stateAt()];
    requireNear(s.dn, t.dn);
    requireNear(s.fn, t.fn);
    requireNear(s.ft, t.ft);
    requireNear(s.mom, t.mom);
  }
}

template <class... Law>
void compareAll(std::variant<Law...>) {
  (compare<Law, false>(HistoryUpdate{1e-2}), ...);
  (compare<Law, true>(HistoryUpdate{1e-2}), ...);
  HistoryUpdate stage{1e-2};  // within a step: nothing is kept
  stage.keep = false;
  (compare<Law, true>(stage), ...);
}

}  // namespace

TEST_CASE("two balls get what the general way from candidates to forces gives", "[sim][contact]") {
  compareAll(AnyLaw());
}
