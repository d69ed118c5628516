// SPDX-License-Identifier: GPL-3.0-or-later
// Conf-files of random content: nothing is lost on the way through a file, in any order of
// keywords.
#include "catch.hpp"
#include "conf_text.hpp"

#include "scree/base/rng.hpp"

#include <cctype>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::samples;
using namespace scree::sim;

namespace {

/// Numbers of every size, with all bits of the mantissa in use, some whole and some zero.
double number(Rng& rng) {
  const double kind = rng.uniform();
  if (kind < 0.1) return 0.0;
  if (kind < 0.2) return std::floor(rng.uniform(-1000.0, 1000.0));
  return std::ldexp(rng.uniform(-1.0, 1.0), static_cast<int>(rng.uniform(-900.0, 900.0)));
}
double positive(Rng& rng) { return std::abs(number(rng)) + 1e-300; }
Vec3 vector(Rng& rng) {
  const double x = number(rng), y = number(rng), z = number(rng);
  return {x, y, z};
}
std::uint32_t randomBelow(Rng& rng, double n) {
  return static_cast<std::uint32_t>(rng.uniform(0.0, n));
}
Mat3 matrix(Rng& rng) {
  Mat3 m;
  for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = number(rng);
  return m;
}
bool maybe(Rng& rng) { return rng.uniform() < 0.5; }
std::string oneOf(Rng& rng, const std::vector<std::string>& words) {
  return words[randomBelow(rng, static_cast<double>(words.size()))];
}

/// Interfaces in all layouts.
void addInterfaces(Rng& rng, Conf& c) {
  c.paramsInInterfaces = static_cast<int>(randomBelow(rng, 2));
  for (std::uint32_t k = randomBelow(rng, 5); k > 0; --k) {
    InterfaceRecord face{k, k + 5, positive(rng), {}, {}, {}};
    if (maybe(rng)) {
      BondParameters& p = face.params.emplace();
      for (double* v : {&p.kn, &p.kt, &p.kr, &p.fn0, &p.ft0, &p.mom0, &p.power, &p.gc})
        *v = positive(rng);
    }
    if (maybe(rng)) face.area = positive(rng);
    const bool slips = maybe(rng);
    for (std::uint32_t b = 1 + randomBelow(rng, 4); b > 0; --b)
      face.bonds.push_back({static_cast<Pairing>(randomBelow(rng, 4)), randomBelow(rng, 9),
                            randomBelow(rng, 9), slips ? vector(rng) : Vec3(Vec3::Zero()),
                            slips ? number(rng) : 0.0});
    c.interfaces.push_back(face);
  }
}

/// State that `#scree` lines hold.
void addState(Rng& rng, Conf& c) {
  SavedState& state = c.makeState();
  if (maybe(rng)) state.runState = RunState{number(rng), 12345};
  if (maybe(rng)) {
    EnergyLedger& l = state.energy.emplace();
    for (double* v : {&l.start, &l.startPotential, &l.startTangential, &l.startRolling,
                      &l.normalLoss, &l.switched, &l.tangential, &l.rolling, &l.damping,
                      &l.barriers, &l.breakage, &l.bodyForces, &l.drives, &l.exchanged,
                      &l.nextDamping, &l.nextBarriers, &l.nextBodyForces})
      *v = number(rng);
    if (c.cell.used) {
      l.cell = number(rng);
      l.cellVirial = matrix(rng);
    }
  }
  if (c.integrator == "Beeman")
    for (std::size_t k = 0; k < c.particles.size(); ++k)
      state.earlierMotion.push_back({vector(rng), vector(rng), vector(rng)});
  for (std::uint32_t k = randomBelow(rng, 3); k > 0; --k) {
    Boundary b;
    if (maybe(rng)) {
      b.kind = Boundary::Kind::cylinder;
      b.axis = rng.direction();
    }
    if (b.kind == Boundary::Kind::cylinder && maybe(rng)) {
      b.kind = Boundary::Kind::cone;
      b.setAngle(rng.uniform(1.0, 89.0));
    }
    if (b.kind == Boundary::Kind::cylinder && maybe(rng)) b.kind = Boundary::Kind::plane;
    b.centre = vector(rng);
    if (b.kind != Boundary::Kind::plane) b.radius = positive(rng);
    b.group = randomBelow(rng, 4);
    if (maybe(rng)) {
      b.vel = vector(rng);
      b.spin = b.kind == Boundary::Kind::ball ? vector(rng) : Vec3(number(rng) * b.axis);
      b.power = number(rng);
    }
    c.boundaries.push_back(b);
    c.boundaryTouches.push_back({0, k, randomBelow(rng, 9), number(rng), number(rng), vector(rng),
                                 vector(rng), vector(rng)});
  }
  if (maybe(rng)) state.bondedArea = BondedArea{positive(rng), positive(rng)};
  if (maybe(rng)) {
    state.summedClock =
        SummedClock{number(rng), number(rng), number(rng), number(rng), maybe(rng), maybe(rng), {}};
    for (std::size_t k = 0; k < c.particles.size(); ++k)
      state.summedClock->moved.push_back({vector(rng), rng.orientation()});
    InteractionRecord r;
    r.key = {1, 2, Pairing::vertexEdge, 3, 4};
    r.dn = number(rng);
    r.fn = number(rng);
    r.ft = vector(rng);
    r.mom = vector(rng);
    r.damp = number(rng);
    state.idle.push_back(r);
  }
}

Conf randomConf(Rng& rng) {
  Conf c;
  c.forceLaw = oneOf(rng, {"Default", "Avalanche", "StickedLinks", "BCM", "GeoVisc"});
  c.integrator = oneOf(rng, {"velocityVerlet", "Euler", "Beeman", "RungeKutta4"});
  c.cell.used = maybe(rng);
  c.t = number(rng);
  c.gravity = vector(rng);
  c.iconf = static_cast<int>(randomBelow(rng, 1e9));
  c.shapeFile = "a.shp";
  for (std::uint32_t g = 0; g < 4; ++g) c.setDensity(g, positive(rng));
  for (const std::string_view name : lawParameterNames())
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t g1 = randomBelow(rng, 4), g2 = randomBelow(rng, 4);
      c.setLawParameter(std::string(name), g1, g2, positive(rng));
    }
  // Names of shapes may be those of keywords, or longer than any short string.
  for (const char* name : {"t", "Particles", "h", "a-name-that-is-longer-than-most-of-them"})
    c.internShapeName(name);
  for (int k = 0; k < 20; ++k) {
    ParticleRecord p;
    p.shapeName = randomBelow(rng, 4);
    p.group = randomBelow(rng, 4);
    p.cluster = static_cast<std::int32_t>(randomBelow(rng, 100)) - 50;
    p.homothety = positive(rng);
    p.pos = vector(rng);
    p.vel = vector(rng);
    p.acc = vector(rng);
    p.q = rng.orientation();
    p.vrot = vector(rng);
    p.arot = vector(rng);
    c.particles.push_back(p);
  }
  c.nDriven = randomBelow(rng, 20);
  for (std::uint32_t k = 0; k < 15; ++k) {
    InteractionRecord r;
    r.key = {k, k + 1 + randomBelow(rng, 4), static_cast<Pairing>(randomBelow(rng, 4)),
             randomBelow(rng, 9), randomBelow(rng, 9)};
    r.n = rng.direction();
    r.dn = number(rng);
    r.pos = vector(rng);
    r.vel = vector(rng);
    r.fn = number(rng);
    r.ft = vector(rng);
    r.mom = vector(rng);
    r.damp = number(rng);
    c.interactions.push_back(r);
  }
  addInterfaces(rng, c);
  addState(rng, c);
  return c;
}

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same(const Vec3& a, const Vec3& b) {
  return same(a.x(), b.x()) && same(a.y(), b.y()) && same(a.z(), b.z());
}

}  // namespace

TEST_CASE("load, save, load is the identity on every number", "[sim][conf]") {
  Rng rng(11);
  for (int round = 0; round < 200; ++round) {
    const Conf conf = randomConf(rng);
    const std::string text = confText(conf);
    const Conf again = read(text);
    REQUIRE(confText(again) == text);
    // The shortest text of a number reads back to its bits: those of the lists stand for all.
    REQUIRE(again.particles.size() == conf.particles.size());
    for (std::size_t k = 0; k < conf.particles.size(); ++k)
      REQUIRE((same(again.particles[k].pos, conf.particles[k].pos) &&
               same(again.particles[k].arot, conf.particles[k].arot)));
    REQUIRE(again.interactions.size() == conf.interactions.size());
    REQUIRE(again.interfaces.size() == conf.interfaces.size());
    REQUIRE(again.boundaryTouches.size() == conf.boundaryTouches.size());
    REQUIRE(again.state().runState.has_value() == conf.state().runState.has_value());
    REQUIRE(again.state().energy.has_value() == conf.state().energy.has_value());
  }
}

TEST_CASE("precision rounds bodies and contacts once, and what was rounded stays", "[sim][conf]") {
  Rng rng(12);
  for (const int decimals : {1, 6, 13, 16, 40}) {
    Conf conf = randomConf(rng);
    conf.precision = decimals;
    const std::string once = confText(conf);
    const Conf again = read(once);
    CHECK(again.precision == decimals);
    CHECK(confText(again) == once);
    // Scientific notation with d decimals is right to half a unit of the last.
    for (std::size_t k = 0; k < conf.particles.size(); ++k) {
      const double x = conf.particles[k].pos.x();
      CHECK(std::abs(again.particles[k].pos.x() - x) <=
            std::abs(x) * (5.0 * std::pow(10.0, -decimals - 1) + 1e-16) + 1e-320);
      if (decimals >= 16) CHECK(same(again.particles[k].pos, conf.particles[k].pos));
    }
    CHECK(same(again.t, conf.t));  // keywords keep all digits
  }
}
