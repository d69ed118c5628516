// SPDX-License-Identifier: GPL-3.0-or-later
// Conf-files of random content: nothing is lost on the way through a file, in any order of
// keywords.
#include "catch.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::sim;

namespace {

Conf read(const std::string& text) {
  Diagnostics strict(true);
  TextReader in("conf", text);
  return readConf(in, strict);
}

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
std::uint32_t below(Rng& rng, double n) { return static_cast<std::uint32_t>(rng.uniform(0.0, n)); }

Conf randomConf(Rng& rng) {
  Conf c;
  c.forceLaw = "Default";
  c.t = number(rng);
  c.tmax = number(rng);
  c.dt = positive(rng);
  c.interVerlet = positive(rng);
  c.interConf = positive(rng);
  c.DVerlet = positive(rng);
  c.dVerlet = positive(rng);
  c.gravity = vector(rng);
  c.numericalDampingCoeff = positive(rng);
  c.velocityBarrier = positive(rng);
  c.angularVelocityBarrierExponent = number(rng);
  c.preventCrossingLength = positive(rng);
  c.cellMinSizes = vector(rng);
  c.dynamicUpdateNL = 1;
  c.dispUpdateNL = positive(rng);
  c.angleUpdateNL = positive(rng);
  c.iconf = static_cast<int>(below(rng, 1e9));
  c.shapeFile = "a.shp";
  for (std::uint32_t g = 0; g < 4; ++g) c.setDensity(g, positive(rng));
  for (const std::string_view name : lawParameterNames())
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t g1 = below(rng, 4), g2 = below(rng, 4);
      c.setLawParameter(std::string(name), g1, g2, positive(rng));
    }
  // Names of shapes may be those of keywords, or longer than any short string.
  for (const char* name : {"t", "Particles", "h", "a-name-that-is-longer-than-most-of-them"})
    c.internShapeName(name);
  for (int k = 0; k < 20; ++k) {
    ParticleRecord p;
    p.shapeName = below(rng, 4);
    p.group = below(rng, 4);
    p.cluster = static_cast<std::int32_t>(below(rng, 100)) - 50;
    p.homothety = positive(rng);
    p.pos = vector(rng);
    p.vel = vector(rng);
    p.acc = vector(rng);
    p.q = rng.orientation();
    p.vrot = vector(rng);
    p.arot = vector(rng);
    c.particles.push_back(p);
  }
  c.nDriven = below(rng, 20);
  for (std::uint32_t k = 0; k < 15; ++k) {
    InteractionRecord r;
    r.key = {k, k + 1 + below(rng, 4), static_cast<Pairing>(below(rng, 4)), below(rng, 9),
             below(rng, 9)};
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
  if (rng.uniform() < 0.5) c.runState = RunState{number(rng), 12345};
  return c;
}

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same(const Vec3& a, const Vec3& b) {
  return same(a.x(), b.x()) && same(a.y(), b.y()) && same(a.z(), b.z());
}

/// The lines of a file, with each list of bodies or contacts as one piece; the header first.
std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    const std::string line = text.substr(begin, end - begin);
    const std::size_t words =
        static_cast<std::size_t>(std::count(line.begin(), line.end(), ' ')) + 1;
    if (words >= 23 && !out.empty())
      out.back() += line;  // a line of a list, or the comment that names its columns
    else
      out.push_back(line);
    begin = end;
  }
  return out;
}

}  // namespace

TEST_CASE("load, save, load is the identity on every number", "[sim][conf]") {
  Rng rng(11);
  for (int round = 0; round < 200; ++round) {
    const Conf conf = randomConf(rng);
    const std::string text = confText(conf);
    const Conf again = read(text);
    REQUIRE(confText(again) == text);
    REQUIRE(again.particles.size() == conf.particles.size());
    for (std::size_t k = 0; k < conf.particles.size(); ++k) {
      const ParticleRecord &a = conf.particles[k], &b = again.particles[k];
      REQUIRE(conf.shapeNameOf(a) == again.shapeNameOf(b));
      REQUIRE((a.group == b.group && a.cluster == b.cluster && same(a.homothety, b.homothety)));
      REQUIRE((same(a.pos, b.pos) && same(a.vel, b.vel) && same(a.acc, b.acc)));
      REQUIRE((same(a.q.w(), b.q.w()) && same(Vec3(a.q.vec()), Vec3(b.q.vec()))));
      REQUIRE((same(a.vrot, b.vrot) && same(a.arot, b.arot)));
    }
    for (std::size_t k = 0; k < conf.interactions.size(); ++k) {
      const InteractionRecord &a = conf.interactions[k], &b = again.interactions[k];
      REQUIRE(a.key == b.key);
      REQUIRE((same(a.n, b.n) && same(a.dn, b.dn) && same(a.pos, b.pos) && same(a.vel, b.vel)));
      REQUIRE((same(a.fn, b.fn) && same(a.ft, b.ft) && same(a.mom, b.mom) && same(a.damp, b.damp)));
    }
    for (const auto& [name, values] : conf.lawParameters)
      for (const PairValue& v : values)
        REQUIRE(same(again.lawParameter(name, v.group2, v.group1), v.value));
    REQUIRE(
        (same(again.t, conf.t) && same(again.dt, conf.dt) && same(again.gravity, conf.gravity)));
    REQUIRE((same(again.interConf, conf.interConf) && same(again.dVerlet, conf.dVerlet)));
    REQUIRE(again.runState.has_value() == conf.runState.has_value());
    if (conf.runState) REQUIRE(same(again.runState->t0, conf.runState->t0));
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

TEST_CASE("the order of keywords does not matter", "[sim][conf]") {
  Rng rng(13);
  for (int round = 0; round < 200; ++round) {
    const std::string text = confText(randomConf(rng));
    std::vector<std::string> parts = pieces(text);
    for (std::size_t k = parts.size() - 1; k > 1; --k)
      std::swap(parts[k], parts[1 + below(rng, static_cast<double>(k))]);
    std::string shuffled;
    for (const std::string& part : parts) shuffled += part;
    INFO(shuffled);
    REQUIRE(confText(read(shuffled)) == text);
  }
}
