// SPDX-License-Identifier: GPL-3.0-or-later
// Bonds: answers known in closed form, and the same bits whatever happens to them.
#include "catch.hpp"
#include "scenes.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/commands/commands.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::scenes;

namespace {

constexpr double cubeVolume = 0.975587013890942;  // core 0.8, radius 0.1

/// `n` unit cubes in a row along x, each glued to the next by its four corners; the first is held.
Scene row(int n, const std::string& law, double kn, double kt) {
  Scene scene;
  scene.conf.forceLaw = law;
  for (int k = 0; k < n; ++k) scene.add(box("cube", 0.8, 0.8, 0.8, 0.1), {double(k), 0, 0}, 0);
  scene.conf.nDriven = 1;
  scene.conf.setDensity(0, 1000);
  scene.law(0, 0, kn, 0.1, kt, 0.5);
  const auto set = [&](const char* name, double value) {
    scene.conf.setLawParameter(name, 0, 0, value);
  };
  set("knInnerBond", kn);
  set("ktInnerBond", kt);
  set("en2InnerBond", 0.1);
  set("powInnerBond", 2);
  scene.conf.commands = {{law == "BCM" ? "stickBCM" : "stickVerticesInClusters", {"0.01"}, {}}};
  scene.conf.nDriven = 0;  // the command leaves driven bodies free
  Diagnostics quiet;
  sim::runCommands(scene.conf, scene.shapes, quiet);
  scene.conf.nDriven = 1;
  return scene;
}

/// Moves the last body of a row by an imposed velocity, and no other way.
sim::Drives pull(sim::BodyId body, const Vec3& velocity) {
  sim::Drives drives;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 value = Vec3::Zero();
    value[axis] = velocity[axis];
    drives.controls.push_back({sim::Imposed::velocity, axis, body, value});
  }
  return drives;
}

struct Rupture {
  double peak = 0.0, at = 0.0;  ///< greatest force on the held body, and displacement there
  std::uint64_t bonds = 0;      ///< broken in the step of the rupture
  double lost = 0.0;            ///< energy
};

/// Two cubes, one held, the other pulled slowly until the interface breaks.
Rupture pulledApart(Scene scene, const Vec3& direction, bool compat = false) {
  scene.conf.nDriven = 2;
  scene.conf.dt = 1e-5;
  const double speed = 0.1;
  Diagnostics quiet;
  sim::Simulation s(scene.conf, scene.shapes, pull(1, speed * direction),
                    sim::SimulationOptions(1, compat), quiet);
  Rupture r;
  while (s.bonds().brokenInterfaces == 0 && s.stepIndex() < 400000) {
    s.step();
    r.peak = std::max(r.peak, std::abs(s.bodies().force[0].dot(direction)));
  }
  r.at = (s.bodies().pos[1] - Vec3(1, 0, 0)).dot(direction);
  r.bonds = s.bonds().brokenBonds;
  r.lost = s.bonds().energies.broken;
  CHECK(s.bonds().interfaces.empty());
  return r;
}

}  // namespace

TEST_CASE("an interface of four bonds breaks at four times the strength of one, all at once",
          "[physics][bond]") {
  // Stiff in shear, so that the bonds do not lengthen as they slip.
  const double kn = 1e6, kt = 5e6, fn0 = 2000, ft0 = 1500;
  Scene scene = row(2, "StickedLinks", kn, kt);
  scene.conf.setLawParameter("en2InnerBond", 0, 0, 1.0);
  scene.conf.setLawParameter("fn0InnerBond", 0, 0, fn0);
  scene.conf.setLawParameter("ft0InnerBond", 0, 0, ft0);
  scene.conf.setLawParameter("powInnerBond", 0, 0, GENERATE(1.0, 2.0, 3.5));
  REQUIRE(scene.conf.interfaces.size() == 1);
  REQUIRE(scene.conf.interfaces[0].bonds.size() == 4);
  const double step = 0.1 * 1e-5;  // displacement of one step
  SECTION("traction") {
    const Rupture r = pulledApart(scene, Vec3::UnitX());
    CHECK(r.at == Approx(fn0 / kn).margin(1.5 * step));
    CHECK(r.peak == Approx(4 * fn0).margin(1.5 * 4 * kn * step));
    CHECK(r.bonds == 4);
    CHECK(r.lost == Approx(4 * 0.5 * fn0 * fn0 / kn).epsilon(3e-3));
  }
  SECTION("shear") {
    const Rupture r = pulledApart(scene, Vec3::UnitY());
    CHECK(r.at == Approx(ft0 / kt).epsilon(1e-3).margin(1.5 * step));
    CHECK(r.peak == Approx(4 * ft0).epsilon(1e-3).margin(1.5 * 4 * kt * step));
    CHECK(r.bonds == 4);
  }
}

TEST_CASE("BCM: an interface breaks once its bonds hold the energy of two new surfaces",
          "[physics][bond]") {
  // Right physics: four bonds share kn, hold 1/2 kn δ² together and break at 2 A Gc, so at
  // δ = 2 √(A Gc/kn). Rockable counts all of kn in each bond: √(A Gc/kn), the published figures
  // 2.236e-3 ... 1.000e-2 for a face of area 1.
  const auto [gc, published] =
      GENERATE(std::pair(5e-3, 2.236e-3), std::pair(1e-2, 3.162e-3), std::pair(2e-2, 4.472e-3),
               std::pair(4e-2, 6.325e-3), std::pair(8e-2, 8.944e-3), std::pair(1e-1, 1.0e-2));
  Scene scene = row(2, "BCM", 1e3, 1e3);
  scene.conf.setLawParameter("en2InnerBond", 0, 0, 1.0);
  REQUIRE(*scene.conf.interfaces[0].area == Approx(0.64));  // the corners of the core
  scene.conf.interfaces[0].area = 1.0;
  scene.conf.setLawParameter("gcInnerBond", 0, 0, gc);
  const Rupture as = pulledApart(scene, Vec3::UnitX(), true);
  CHECK(as.at == Approx(published).epsilon(5e-4));
  CHECK(as.peak == Approx(1e3 * published).epsilon(1e-3));
  const Rupture right = pulledApart(scene, Vec3::UnitX());
  CHECK(right.at == Approx(2 * std::sqrt(gc / 1e3)).epsilon(1e-3));
  CHECK(right.lost == Approx(2 * gc).epsilon(2e-3));
  CHECK(right.bonds == 4);
}

TEST_CASE("a bonded cantilever sags as beam theory of its bonds says, at any dt and damping",
          "[physics][bond]") {
  // Interface j at x_j = j - 1/2 under shear (N-j+1)mg and moment mg Σ(i-x_j), kθ = 4 kn c².
  const auto [dt, en2] = GENERATE(std::pair(2e-4, 0.1), std::pair(1e-4, 0.1), std::pair(2e-4, 0.0));
  const double kn = 1e7, kt = 4e6, c = 0.4, m = 1000 * cubeVolume, g = 1.0;
  const int n = 4;
  double tip = 0.0, slope = 0.0;
  for (int j = 1; j <= n; ++j) {
    const double x = j - 0.5, shear = (n - j + 1) * m * g;
    double moment = 0.0;
    for (int i = j; i <= n; ++i) moment += m * g * (i - x);
    tip += shear / (4 * kt) + moment * (n - x) / (4 * kn * c * c);
    slope += moment / (4 * kn * c * c);
  }
  CHECK(tip == Approx(7.088249e-3).epsilon(1e-6));
  CHECK(slope == Approx(2.286532e-3).epsilon(1e-6));

  Scene scene = row(n + 1, "StickedLinks", kn, kt);
  scene.conf.gravity = Vec3(0, -g, 0);
  scene.conf.setLawParameter("en2InnerBond", 0, 0, en2);
  scene.conf.dt = dt;
  auto s = scene.start();
  while (s->time() < 14.0) s->step();
  CHECK(s->bodies().vel[4].norm() < 1e-5);
  CHECK(-s->bodies().pos[4].y() == Approx(tip).epsilon(5e-4));
  const Quat& q = s->bodies().q[4];
  CHECK(-2 * q.z() / q.w() == Approx(slope).epsilon(5e-4));
  CHECK(s->bonds().brokenInterfaces == 0);
}

TEST_CASE("a spinning bonded pair has no forces but the pull of its own turning",
          "[physics][bond]") {
  // Rigid rotation at ω about the centre of mass: the bonds must pull m ω² L/2 in all, and shear
  // nothing. The axis lies across the interface, or along the row through it.
  const double omega = 2.0, m = 1000 * cubeVolume, kn = 1e8;
  const bool across = GENERATE(true, false);
  Scene scene = row(2, "StickedLinks", kn, kn);
  scene.conf.nDriven = 0;
  scene.conf.setLawParameter("krInnerBond", 0, 0, 1e6);
  const Vec3 spin = omega * (across ? Vec3::UnitZ() : Vec3::UnitX());
  const double stretch = across ? m * omega * omega * 0.5 / (4 * kn) : 0.0;
  scene.conf.particles[1].pos.x() = 1.0 + stretch;
  const Vec3 centre(0.5 * (1 + stretch), 0, 0);
  for (auto& p : scene.conf.particles) {
    p.vrot = spin;
    p.vel = spin.cross(p.pos - centre);
  }
  scene.conf.dt = 1e-4;
  auto s = scene.start();
  double worstShear = 0.0, worstMoment = 0.0;
  while (s->time() < 3.0) {  // about one turn
    s->step();
    for (const sim::Bond& b : s->bonds().bonds) {
      worstShear = std::max(worstShear, b.ft.norm());
      worstMoment = std::max(worstMoment, b.mom.norm());
    }
  }
  const double pullOfOne = m * omega * omega * 0.5 / 4;
  CHECK(worstShear < 1e-3 * pullOfOne);
  CHECK(worstMoment < 1e-3 * pullOfOne);
  if (across) {
    double pulled = 0.0;
    for (const sim::Bond& b : s->bonds().bonds) pulled -= b.fn;
    CHECK(pulled == Approx(4 * pullOfOne).epsilon(1e-3));
  }
}

TEST_CASE("the stored tangential force of a loaded bond turns with the pair", "[physics][bond]") {
  // A loaded pair is turned as a whole about a distant axis, by drives that follow the turn: in the
  // frame of the pair nothing may change but for an error of order dt².
  const Vec3 axis = Vec3(0.3, 0.5, -0.8).normalized(), pivot(2, 7, 3);
  const double omega = 2.0;
  std::vector<double> errors;
  for (const int steps : {500, 1000}) {
    Scene scene = row(2, "StickedLinks", 1e6, 1e6);
    scene.conf.nDriven = 2;
    for (auto& r : scene.conf.interactions) {
      r.ft = Vec3(0, 30, 40);
      r.mom = Vec3(1, 2, 3);
    }
    scene.conf.dt = 0.5 / steps;
    sim::Drives drives;
    for (sim::BodyId k = 0; k < 2; ++k) {
      for (int a = 0; a < 3; ++a)
        drives.controls.push_back({sim::Imposed::velocity, a, k, Vec3::Zero()});
      drives.controls.push_back({sim::Imposed::spin, 3, k, omega * axis});
    }
    Diagnostics quiet;
    auto s = scene.start(1, drives);
    const Quat step(Eigen::AngleAxisd(omega * scene.conf.dt, axis));
    for (int k = 0; k < steps; ++k) {
      const sim::Conf conf = s->conf();
      for (std::size_t b = 0; b < 2; ++b) {
        const Vec3 r = conf.particles[b].pos - pivot, v = (step * r - r) / conf.dt;
        for (std::size_t a = 0; a < 3; ++a)
          drives.controls[4 * b + a].value =
              v[static_cast<int>(a)] * Vec3::Unit(static_cast<int>(a));
      }
      s = std::make_unique<sim::Simulation>(conf, scene.shapes, drives, 1, quiet);
      s->step();
    }
    const Quat turn(Eigen::AngleAxisd(0.5 * omega, axis));
    double worst = 0.0;
    for (const sim::Bond& b : s->bonds().bonds) {
      worst = std::max(worst, (b.ft - turn * Vec3(0, 30, 40)).norm());
      CHECK((b.mom - turn * Vec3(1, 2, 3)).norm() < 1e-6);
    }
    errors.push_back(worst);
  }
  CHECK(errors[1] < 0.2);
  CHECK(errors[0] / errors[1] == Approx(4).epsilon(0.05));
}

namespace {

/// A beam of two clusters that is thrown on a plate and breaks.
Scene thrown(const std::string& law, int beams) {
  Scene scene;
  scene.conf.forceLaw = law;
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.add(plate("plate", 20.0, 0.05), {0, -0.05, 0}, 0);
  scene.conf.nDriven = 1;
  const shape::Shape cube = box("cube", 0.08, 0.08, 0.08, 0.01);
  Rng rng(9);
  for (int beam = 0; beam < beams; ++beam) {
    const Quat q = rng.orientation();
    const Vec3 vel = Vec3(1, -4, 0) + rng.direction();
    for (int k = 0; k < 6; ++k) {
      const auto body =
          scene.add(cube,
                    Vec3(0.8 * (beam % 12), 0.42 + 0.1 * (beam % 3), 0.8 * (beam / 12)) +
                        q * Vec3(0.101 * (k - 2.5), 0, 0),
                    1, q);
      scene.conf.particles[body].cluster = 2 * beam + k / 3;
      scene.conf.particles[body].vel = vel;
    }
  }
  scene.conf.setDensity(1, 2500);
  for (const std::uint32_t g : {0u, 1u}) scene.law(g, 1, 1e6, 0.2, 8e5, 0.4);
  const auto set = [&](const char* name, double inner, double outer) {
    scene.conf.setLawParameter(name + std::string("InnerBond"), 1, 1, inner);
    scene.conf.setLawParameter(name + std::string("OuterBond"), 1, 1, outer);
  };
  set("kn", 1e6, 8e5);
  set("kt", 8e5, 8e5);
  set("kr", 10, 20);
  set("en2", 0.1, 0.3);
  set("fn0", 700, 300);
  set("ft0", 600, 500);
  set("mom0", 0, 1);
  set("pow", 2, 1.5);
  set("gc", 10, 5);
  scene.conf.commands = {{law == "BCM" ? "stickBCM" : "stickVerticesInClusters", {"0.002"}, {}},
                         {"stickClusters", {"0.002"}, {}}};
  scene.conf.dt = 2e-5;
  return scene;
}

}  // namespace

TEST_CASE("bonds break the same way on any number of threads, and after saving in mid-bond",
          "[physics][bond][repeat]") {
  const std::string law = GENERATE("StickedLinks", "BCM");
  const bool compat = GENERATE(false, true);
  const int steps = 6000;
  Diagnostics quiet;
  const auto start = [&](const Scene& scene, int threads) {
    return std::make_unique<sim::Simulation>(scene.conf, scene.shapes, sim::Drives{},
                                             sim::SimulationOptions(threads, compat), quiet);
  };
  SECTION("threads") {
    const Scene scene = thrown(law, 48);
    std::vector<std::uint64_t> hashes, broken;
    for (const int threads : {1, 2, 3, 8}) {
      auto s = start(scene, threads);
      CHECK(s->bonds().interfaces.size() == 48 * 5);
      for (int k = 0; k < steps / 3; ++k) s->step();
      hashes.push_back(s->stateHash());
      broken.push_back(s->bonds().brokenInterfaces);
    }
    CHECK(broken[0] > 10);
    CHECK(broken[0] < 48 * 5);
    for (const std::uint64_t h : hashes) CHECK(h == hashes[0]);
  }
  SECTION("saving") {
    const Scene scene = thrown(law, 4);
    auto unbroken = start(scene, 1);
    std::vector<int> stops;  // odd moments, and just behind each of the first breakages
    for (int k = 1; k <= steps; ++k) {
      const std::uint64_t before = unbroken->bonds().brokenInterfaces;
      unbroken->step();
      if (k % 1777 == 0 || (unbroken->bonds().brokenInterfaces > before && stops.size() < 8))
        stops.push_back(k);
    }
    CHECK(unbroken->bonds().brokenInterfaces > 1);
    if (!compat) CHECK(unbroken->bonds().interfaces.size() > 0);
    auto part = start(scene, 1);
    int at = 0;
    for (const int stop : stops) {
      for (; at < stop; ++at) part->step();
      const std::string text = sim::confText(part->conf());
      TextReader in("saved", text);
      Diagnostics strict(true);
      const sim::Conf saved = sim::readConf(in, strict);
      part = std::make_unique<sim::Simulation>(saved, scene.shapes, sim::Drives{},
                                               sim::SimulationOptions(1, compat), quiet);
      REQUIRE(sim::confText(part->conf()) == text);
    }
    for (; at < steps; ++at) part->step();
    CHECK(part->stateHash() == unbroken->stateHash());
  }
}

TEST_CASE("bodies whose bonds broke under load push each other as contacts from the next step on",
          "[physics][bond]") {
  // Pressed together and sheared until the bonds give way: the normal force goes on, the tangential
  // one drops to what friction holds.
  const double kn = 1e6, mu = 0.3, press = 1e-3;
  Scene scene = row(2, "StickedLinks", kn, 1e6);
  scene.law(0, 0, kn, 1.0, 1e6, mu);
  scene.conf.setLawParameter("en2InnerBond", 0, 0, 1.0);
  scene.conf.setLawParameter("ft0InnerBond", 0, 0, 1500);
  scene.conf.particles[1].pos.x() = 1.0 - press;
  scene.conf.particles[1].vel = Vec3(0, 0.1, 0);
  scene.conf.setDensity(0, 1e9);  // too heavy for these forces to move
  scene.conf.dt = 1e-5;
  auto s = scene.start();
  while (s->bonds().brokenInterfaces == 0) s->step();
  CHECK(s->bodies().force[0].x() == Approx(-4 * kn * press).epsilon(1e-2));
  CHECK(std::abs(s->bodies().force[0].y()) == Approx(4 * 1500).epsilon(1e-2));
  CHECK(s->contactCount() >= 4);
  s->step();
  // Each corner also stands over edges of the other face by now, whose contacts begin to push; the
  // four that were bonds keep their friction.
  CHECK(s->bodies().force[0].x() < -4 * kn * press * 0.98);
  CHECK(std::abs(s->bodies().force[0].y()) == Approx(4 * mu * kn * press).epsilon(5e-2));
}

TEST_CASE("energy of a vibrating bonded row: kinetic, elastic and dissipated add up",
          "[physics][bond]") {
  Scene scene = row(5, "StickedLinks", 1e7, 4e6);
  scene.conf.nDriven = 0;
  scene.conf.setLawParameter("en2InnerBond", 0, 0, GENERATE(1.0, 0.5));
  scene.conf.setLawParameter("krInnerBond", 0, 0, 1e5);
  for (std::size_t k = 0; k < 5; ++k) {
    scene.conf.particles[k].vel = Vec3(0.1 * double(k % 2), 0.05 * double(k), -0.03);
    scene.conf.particles[k].vrot = Vec3(0.2, 0, 0.1 * double(k % 3));
  }
  scene.conf.dt = 1e-5;
  auto s = scene.start();
  const auto kinetic = [&] {
    const auto& b = s->bodies();
    double e = 0.0;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const Vec3 spin = turnedBack(b.q[k], b.spin[k]);
      e += 0.5 * b.mass[k] * b.vel[k].squaredNorm() +
           0.5 * spin.dot(b.inertia[k].cwiseProduct(spin));
    }
    return e;
  };
  const double total = kinetic();
  double dissipated = 0.0, most = 0.0;
  for (int k = 0; k < 20000; ++k) {
    s->step();
    dissipated += s->bonds().energies.dissipated;
    most = std::max(most, s->bonds().energies.elastic);
  }
  CHECK(most > 0.01 * total);
  CHECK(kinetic() + s->bonds().energies.elastic + dissipated == Approx(total).epsilon(2e-3));
}

TEST_CASE("a row glued across the sides of a periodic cell moves as one that is not",
          "[physics][bond][cell]") {
  const std::string law = GENERATE("StickedLinks", "BCM");
  Scene inside = row(3, law, 1e6, 1e6);
  inside.conf.nDriven = 0;
  inside.conf.setLawParameter("fn0InnerBond", 0, 0, 3000);
  inside.conf.setLawParameter("gcInnerBond", 0, 0, 5);
  inside.conf.cell.used = true;
  inside.conf.cell.h = 8.0 * Mat3::Identity();
  inside.conf.dt = 1e-4;
  for (std::size_t k = 0; k < 3; ++k) {
    inside.conf.particles[k].pos += Vec3(3, 3, 3);
    inside.conf.particles[k].vel = Vec3(0.4 * double(k), 0.1 * double(k % 2), 0);
    inside.conf.particles[k].vrot = Vec3(0, 0.3, 0.1 * double(k));
  }
  Scene across = inside;
  for (auto& p : across.conf.particles)
    p.pos.x() += p.pos.x() < 3.5 ? 4.0 : -4.0;  // a side of the cell between the first two
  auto a = inside.start(), b = across.start();
  for (int k = 0; k < 2000; ++k) {
    a->step();
    b->step();
  }
  CHECK(a->bonds().brokenInterfaces == b->bonds().brokenInterfaces);
  for (std::size_t k = 0; k < 3; ++k) {
    Vec3 apart = (b->bodies().pos[k] - a->bodies().pos[k]) - Vec3(4, 0, 0);
    for (int c = 0; c < 3; ++c) apart[c] -= 8.0 * std::round(apart[c] / 8.0);
    CHECK(apart.norm() < 1e-9);
    CHECK((a->bodies().spin[k] - b->bodies().spin[k]).norm() < 1e-8);
  }
}
