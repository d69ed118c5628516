// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "engine/ball_pair.hpp"
#include "law/all_laws.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/sim/law/law_info.hpp"

#include <array>
#include <cmath>

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

ContactKinematics at(double dn, double dnBefore, const Vec3& vel) {
  ContactKinematics k;
  k.dn = dn;
  k.dnBefore = dnBefore;
  k.n = Vec3(0, 1, 0);
  k.vel = k.slip = vel;
  return k;
}

}  // namespace

TEST_CASE("two balls get what the general way from candidates to forces gives", "[sim][contact]") {
  compareAll(AnyLaw());
}

TEST_CASE("AvalancheLaw: loads along kn, unloads along en2 kn, reloads from where it stands",
          "[sim][law]") {
  const AvalancheLaw::Params p{1e6, 0.25, 0, 0, 0, 0};
  ContactForce f = AvalancheLaw::force(at(-1e-3, 0, Vec3::Zero()), p, {}, 1e-4);
  CHECK(f.fn == Approx(1000));
  f = AvalancheLaw::force(at(-2e-3, -1e-3, Vec3::Zero()), p, f, 1e-4);
  CHECK(f.fn == Approx(2000));
  f = AvalancheLaw::force(at(-1.5e-3, -2e-3, Vec3::Zero()), p, f, 1e-4);
  CHECK(f.fn == Approx(0.25 * 1500));
  f = AvalancheLaw::force(at(-1.6e-3, -1.5e-3, Vec3::Zero()), p, f, 1e-4);
  CHECK(f.fn == Approx(0.25 * 1500 + 100));
}

TEST_CASE("StickedLinks, BCM: friction and rolling are bounded by the whole normal force",
          "[sim][law]") {
  const StickedLinksLaw::Params p{1e6, 1e6, 0.5, 10.0, 0.02};
  ContactKinematics k = at(-1e-3, 0, {3, 2, 4});
  k.damp = 100;
  k.spin = Vec3(0, 0, 100);
  ContactForce f;
  for (int step = 0; step < 1000; ++step) f = StickedLinksLaw::force(k, p, f, 1e-4);
  CHECK(f.fn == Approx(1000 + 200).epsilon(1e-15));
  CHECK(f.ft.norm() == Approx(0.5 * 1200).epsilon(1e-14));
  CHECK(f.mom.norm() == Approx(0.02 * 1200).epsilon(1e-14));
  const ContactForce b = BcmLaw::force(k, p, f, 1e-4);
  CHECK(b.ft == StickedLinksLaw::force(k, p, f, 1e-4).ft);
}

TEST_CASE("GeoVisc: friction is viscous up to Coulomb's bound and has no memory", "[sim][law]") {
  const GeoViscLaw::Params p{1e6, 50.0, 0.5, 0, 0};
  ContactKinematics k = at(-1e-3, 0, {3, 2, 4});
  const ContactForce f = GeoViscLaw::force(k, p, {1, {7, 0, 7}, {}}, 1e-4);
  CHECK(f.ft.x() == Approx(150));
  CHECK(f.ft.z() == Approx(200));
  k.vel *= 10;
  CHECK(GeoViscLaw::force(k, p, {}, 1e-4).ft.norm() == Approx(500).epsilon(1e-14));
}

TEST_CASE("viscosity follows from the requested restitution", "[sim][law]") {
  // 2 α √(kn m), α = -ln e/√(ln²e + π²); the value of the case in docs/verification.md: kn 1e6, en2
  // 0.05.
  const double mass = 2700 * 0.004021;
  CHECK(normalViscosity(1e6, 0.05, mass) == Approx(2836.1052306457582).epsilon(1e-14));
  CHECK(normalViscosity(1e6, 0.0, mass) == Approx(2 * std::sqrt(1e6 * mass)));
  CHECK(normalViscosity(1e6, -1.0, mass) == Approx(2 * std::sqrt(1e6 * mass)));
  CHECK(normalViscosity(1e6, 1.0, mass) == 0.0);
}

TEST_CASE(
    "a law is found by the name files use, old names included, others are named in the refusal",
    "[sim][law]") {
  CHECK(lawNamed("Default").name == "Default");
  CHECK(lawNamed("Avalanche").name == "Avalanche");
  CHECK(lawNamed("Avalanches").name == "Avalanche");
  CHECK_THROWS_WITH(lawNamed("Defaul"),
                    Catch::Contains("did you mean 'Default'") && Catch::Contains("Avalanche"));
}
