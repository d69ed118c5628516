// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "law/all_laws.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/law/law_info.hpp"

#include <cmath>

using namespace scree;
using namespace scree::sim;

namespace {
ContactKinematics at(double dn, double dnBefore, const Vec3& vel) {
  ContactKinematics k;
  k.dn = dn;
  k.dnBefore = dnBefore;
  k.n = Vec3(0, 1, 0);
  k.vel = k.slip = vel;
  return k;
}
}  // namespace

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
