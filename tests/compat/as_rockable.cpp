// SPDX-License-Identifier: GPL-3.0-or-later
// `--compat rockable`: numbers that the reference program prints, digit by digit, and the same bits
// on any number of threads and after a restart.
#include "heap_scenes.hpp"
#include "tool_test.hpp"

using namespace scree::scenes;

namespace {

constexpr const char* planeAndSphere =
    "<\nname Plan\nradius 0.05\npreCompDone y\nvolume 0.2\nI/m 1 1 1\nobb.extent 2 0.05 0.5\n"
    "nv 4\n2 0 0.5\n2 0 -0.5\n-2 0 -0.5\n-2 0 0.5\nne 4\n0 1\n1 2\n2 3\n3 0\nnf 1\n4 0 1 2 3\n>\n"
    "<\nname Sphere\nradius 0.08\npreCompDone y\nvolume 0.004021\n"
    "I/m 0.00493333 0.00493333 0.00493333\nobb.extent 0.08 0.08 0.08\nnv 1\n0 0 0\n>\n";

/// @param law  the words of the line; may be empty
std::string sphereOnPlane(const std::string& law) {
  return "Rockable 21-08-2022\nt 0\ntmax 1e-3\ndt 1e-4\ninterVerlet 0.01\ninterConf 5e-4\n"
         "DVerlet 0.08\ndVerlet 0.02\ndensity 0 2700\ndensity 1 2700\n" +
         law +
         "knContact 0 1 1e6\nen2Contact 0 1 0.05\nktContact 0 1 1e7\nmuContact 0 1 0.4\n"
         "krContact 0 1 0\nmurContact 0 1 0\niconf 0\nnDriven 1\nshapeFile shapes.shp\n"
         "Particles 2\n"
         "Plan 0 0 1  0 -0.05 0  0 0 0  0 0 0  1 0 0 0  0 0 0  0 0 0\n"
         "Sphere 1 0 1  -0.5 0.079 0  3.69 -3.29 0  0 0 0  1 0 0 0  0 0 0  0 0 0\n"
         "Interactions 0\nInterfaces 0\n";
}

/// A run of the tool on that scene with `options`; the folder keeps its files.
void runSphere(const Folder& folder, const std::string& law,
               const std::string& options = "-o out --compat rockable") {
  folder.write("shapes.shp", planeAndSphere);
  folder.write("case.conf", sphereOnPlane(law));
  mustRun(folder, "rockable case.conf -q --force " + options);
}

std::unique_ptr<sim::Simulation> started(const Scene& scene, int threads,
                                         const sim::Drives& drives = {}) {
  return scene.start({threads, true}, drives);
}

/// Lists whose skin is often exceeded.
Scene listed(Scene scene) {
  scene.conf.interVerlet = 2.5e-3;
  scene.conf.interConf = 0.0123;
  scene.conf.DVerlet = 0.02;
  scene.conf.dVerlet = 0.005;
  return scene;
}

/// Drives body 0 up and down, and turns it.
sim::Drives shakenAndTurned() {
  sim::Drives drives = shaken();
  drives.controls.push_back({sim::Imposed::spin, 1, 0, Vec3(0, 0.3, 0)});
  return drives;
}

/// Keys of the contacts after the first step, with gaps and forces.
std::vector<sim::InteractionRecord> firstContacts(const Scene& scene) {
  auto s = started(scene, 1);
  s->step();
  s->step();
  return s->interactions();
}

}  // namespace

TEST_CASE("nearly parallel long edges that Rockable lets touch have a normal and a point in files",
          "[compat]") {
  // Two rods of 10 m cross at 1.5e-6 rad, and turn towards each other. After three steps the sine
  // is 9e-7: |E_i|²|E_j|² sin² is 8e-9, above the bound of Rockable (1e-12), and below ours (1e-8).
  const Folder folder;
  folder.write("shapes.shp",
               "<\nname Rod\nradius 0.1\npreCompDone y\nvolume 0.3\nI/m 0.005 8 8\n"
               "obb.extent 5.1 0.1 0.1\nnv 2\n-5 0 0\n5 0 0\nne 1\n0 1\nnf 0\n>\n");
  folder.write("case.conf",
               "Rockable 21-08-2022\nt 0\ntmax 4e-5\ndt 1e-5\ninterVerlet 0.01\ninterConf 1e-5\n"
               "DVerlet 0.08\ndVerlet 0.02\ndensity 0 2700\nforceLaw Default\nknContact 0 0 1e6\n"
               "en2Contact 0 0 0.05\nktContact 0 0 1e6\nmuContact 0 0 0.4\nkrContact 0 0 0\n"
               "murContact 0 0 0\niconf 0\nnDriven 1\nshapeFile shapes.shp\nParticles 2\n"
               "Rod 0 0 1  0 0 0  0 0 0  0 0 0  1 0 0 0  0 0 0  0 0 0\n"
               "Rod 0 0 1  0 0.19 0  0 0 0  0 0 0  1 0 7.5e-7 0  0 -0.02 0  0 0 0\n"
               "Interactions 0\nInterfaces 0\n");
  mustRun(folder, "rockable case.conf -q -o out --compat rockable");
  for (const char* file : {"out/conf1", "out/conf2", "out/conf3"}) {
    CAPTURE(file);
    std::size_t edges = 0;
    for (const sim::InteractionRecord& r : confAt(folder.path(file)).interactions) {
      if (r.key.pairing != sim::Pairing::edgeEdge) continue;
      ++edges;
      CHECK(r.dn < 0.0);
      CHECK(std::abs(r.n.y() + 1.0) < 1e-9);  // from the upper rod to the lower one
      CHECK(std::abs(r.pos.y() - 0.095) < 1e-6);
    }
    CHECK(edges == 1);
  }
}

TEST_CASE("a sphere on a plane: ten steps end in the numbers that the reference program prints",
          "[compat]") {
  struct Expected {
    const char* law;
    double x, y, vx, vy, ay, qw, qz, spin, spinAcc, dn, fn, ft;
  };
  const Expected e =
      GENERATE(Expected{"Default", -0.49634539598126842, 0.076149763618642258, 3.5995130214523376,
                        -2.3604906852187590, 974.18895737000764, 0.99999996000791891,
                        -2.8281471059805446e-04, -1.4415097734861237, -2245.0225917929338,
                        -0.0038502363813577301, 10682.981480478962, -1540.0945525430920},
               Expected{"Avalanche", -0.49634639508953726, 0.075796082723843222, 3.5952714114706414,
                        -3.0629885286766037, 377.40870146147228, 0.99999995777024675,
                        -2.9061917489097723e-04, -1.5074049557787226, -2445.6972002728671,
                        -0.0042039172761567656, 4203.9172761567661, -1681.5669104627066});
  CAPTURE(e.law);
  const Folder folder;
  runSphere(folder, std::string("forceLaw ") + e.law + "\n");
  CHECK_FALSE(folder.has("out/conf3"));
  const sim::Conf conf = confAt(folder.path("out/conf2"));
  const sim::ParticleRecord& p = conf.particles.at(1);
  const auto same = [](double actual, double expected) {
    CHECK(std::abs(actual - expected) <= 1e-15 * std::abs(expected));
  };
  same(p.pos.x(), e.x);
  same(p.pos.y(), e.y);
  same(p.vel.x(), e.vx);
  same(p.vel.y(), e.vy);
  same(p.acc.y(), e.ay);
  same(p.q.w(), e.qw);
  same(p.q.z(), e.qz);
  same(p.vrot.z(), e.spin);
  same(p.arot.z(), e.spinAcc);
  REQUIRE(conf.interactions.size() == 1);
  const sim::InteractionRecord& r = conf.interactions[0];
  CHECK(r.key == sim::ContactKey{1, 0, sim::Pairing::vertexFace, 0, 0});
  CHECK(r.n == Vec3(0, 1, 0));
  same(r.dn, e.dn);
  same(r.fn, e.fn);
  same(r.ft.x(), e.ft);
  same(r.damp, 2836.1052306457582);
  if (e.law == std::string("Default")) {
    std::istringstream energies(folder.read("out/kineticEnergy.txt"));
    for (const double expected : {0.0005, 116.775, 0.00668552, 0.001, 100.579, 0.0556472}) {
      double printed = 0.0;
      energies >> printed;
      CHECK(std::abs(printed - expected) <= 0.5e-5 * expected);  // six digits are published
    }
  }
}

TEST_CASE("the number of steps is that of a sum of time steps", "[compat]") {
  Scene scene;
  scene.add(ball("ball", 0.1), {0, 0, 0}, 1);
  scene.conf.setDensity(1, 2500);
  scene.conf.dt = 1e-4;
  for (const auto& [tmax, expected] :
       {std::pair{1e-3, 10}, {2e-3, 20}, {3e-3, 31}, {5e-3, 51}, {1e-2, 101}}) {
    auto s = started(scene, 1);
    int steps = 0;
    for (; s->time() <= tmax; ++steps) s->step();
    CHECK(steps == expected);
  }
}

TEST_CASE("without --compat the contact of the start is seen, with it, at the first step",
          "[compat]") {
  const Folder folder;
  runSphere(folder, "forceLaw Default\n");
  CHECK(confAt(folder.path("out/conf0")).particles[1].acc == Vec3(0, -9.81, 0));
  runSphere(folder, "forceLaw Default\n", "-o out");
  CHECK(confAt(folder.path("out/conf0")).particles[1].acc.y() > 100.0);
}

TEST_CASE("an absent law and Avalanches are Default with --compat, Avalanche without", "[compat]") {
  const std::string line = GENERATE("", "forceLaw Avalanches\n");
  const Folder folder;
  runSphere(folder, line);
  CHECK(confAt(folder.path("out/conf2")).forceLaw == "Default");
  CHECK(folder.read("out/run.json").find("\"compat\": \"rockable\"") != std::string::npos);
  runSphere(folder, line, "-o out");
  CHECK(confAt(folder.path("out/conf2")).forceLaw == "Avalanche");
  CHECK(folder.read("out/run.json").find("\"compat\": null") != std::string::npos);
}

TEST_CASE("compat: the same bits on 1, 2, 3 and 8 threads, saved and resumed as well",
          "[compat][repeat]") {
  const auto [law, integrator] =
      GENERATE(std::pair("Default", "velocityVerlet"), std::pair("Avalanche", "velocityVerlet"),
               std::pair("Default", "Euler"), std::pair("Default", "Beeman"),
               std::pair("Default", "RungeKutta4"));
  CAPTURE(law, integrator);
  Scene scene = listed(heap(law, {.bodies = 480}));
  scene.conf.integrator = integrator;
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 3, 8}) {
    auto s = started(scene, threads, shakenAndTurned());
    for (int k = 0; k < 400; ++k) {
      s->step();
      if (threads == 3 && k % 131 == 0) s = savedAndBegun(*s, shakenAndTurned(), threads);
    }
    hashes.push_back(s->stateHash());
    if (threads == 1) CHECK(s->contactCount() > 20);
  }
  for (const std::uint64_t h : hashes) CHECK(h == hashes[0]);
}

TEST_CASE("crossed edges below a millimetre pass through each other with --compat alone",
          "[compat]") {
  // At 1 mm, the limit, rounding decides; the published contact is there, so a hair above it.
  for (const double length : {1.0, 0.1, 0.01, 0.001 * (1 + 1e-12), 0.0009}) {
    const double r = 0.1 * length;
    Scene scene;
    scene.conf.dVerlet = scene.conf.DVerlet = 0.5 * r;
    scene.conf.dt = 1e-12;
    scene.conf.interVerlet = 1e-12;
    scene.conf.setDensity(1, 1000);
    scene.law(1, 1, 1e3, 1.0, 0, 0);
    for (const int axis : {0, 1}) {
      shape::Shape stick = ball(axis == 0 ? "alongX" : "alongY", r);
      stick.vertices = {-0.5 * length * Vec3::Unit(axis), 0.5 * length * Vec3::Unit(axis)};
      stick.edges = {{0, 1}};
      scene.add(stick, Vec3(0, 0, axis * 1.9 * r), 1);
    }
    CAPTURE(length);
    const auto contacts = firstContacts(scene);
    const auto here = scene.start()->interactions();
    REQUIRE(here.size() == 1);
    if (length < 0.001) {
      CHECK(contacts.empty());
      continue;
    }
    REQUIRE(contacts.size() == 1);
    CHECK(contacts[0].key == sim::ContactKey{0, 1, sim::Pairing::edgeEdge, 0, 0});
    CHECK((contacts[0].n - Vec3(0, 0, -1)).norm() < 1e-12);
    CHECK(std::abs(contacts[0].dn + 0.1 * r) < 1e-9 * r);
  }
}

TEST_CASE("two cubes face to face with an offset have the four contacts that are published",
          "[compat]") {
  Scene scene;
  scene.conf.dt = 1e-9;
  scene.conf.interVerlet = 1e-9;
  scene.conf.DVerlet = scene.conf.dVerlet = 0.02;
  scene.conf.setDensity(1, 1000);
  scene.law(1, 1, 1e6, 1.0, 0, 0);
  scene.add(formatCube(), Vec3::Zero(), 1);
  scene.add(formatCube(), Vec3(-0.99, 0.1, 0.1), 1);
  const auto contacts = firstContacts(scene);
  REQUIRE(contacts.size() == 4);
  using sim::Pairing;
  const sim::ContactKey expected[] = {{0, 1, Pairing::vertexFace, 5, 5},
                                      {0, 1, Pairing::edgeEdge, 5, 11},
                                      {0, 1, Pairing::edgeEdge, 9, 3},
                                      {1, 0, Pairing::vertexFace, 3, 4}};
  // 0.01 deep, and full stiffness each.
  for (std::size_t k = 0; k < 4; ++k) {
    CAPTURE(k);
    CHECK(contacts[k].dn == Approx(-0.01).epsilon(1e-9));
    CHECK(contacts[k].fn == Approx(1e4).epsilon(1e-9));
    CHECK(contacts[k].key == expected[k]);
    CHECK((contacts[k].n - Vec3(contacts[k].key.i == 0 ? 1.0 : -1.0, 0, 0)).norm() < 1e-12);
  }
}

TEST_CASE("compat: what was a bond stays listed with its moment, friction cut back", "[compat]") {
  // Two cubes glued by four corners, one held, that slide and turn too fast for their bonds. These
  // break with the forces of the start, before the lists are made.
  const double kn = 1e6, kt = 8e5, kr = 1e3, mu = 0.3, press = 1e-3, dt = 1e-5;
  const Vec3 slide(0.02, 0.5, 0), turn(0.1, 0, 0);
  Scene scene;
  const shape::Shape cube = box("cube", 0.8, 0.8, 0.8, 0.1);
  for (int k = 0; k < 2; ++k) scene.add(cube, Vec3(k == 0 ? 0.0 : 1.0 - press, 0, 0), 0);
  scene.conf.forceLaw = "StickedLinks";
  scene.conf.setDensity(0, 1000);
  scene.conf.dt = dt;
  scene.conf.interVerlet = 1.0;
  scene.law(0, 0, kn, 0.5, kt, mu);
  scene.conf.setLawParameter("knInnerBond", 0, 0, kn);
  scene.conf.setLawParameter("ktInnerBond", 0, 0, kt);
  scene.conf.setLawParameter("krInnerBond", 0, 0, kr);
  scene.conf.setLawParameter("en2InnerBond", 0, 0, 0.1);
  scene.conf.setLawParameter("ft0InnerBond", 0, 0, 1.0);
  scene.conf.setLawParameter("fn0InnerBond", 0, 0, 1e9);
  scene.conf.setLawParameter("mom0InnerBond", 0, 0, 1e9);
  scene.conf.setLawParameter("powInnerBond", 0, 0, 2);
  scene.conf.commands = {{"stickVerticesInClusters", {"conf", "0.01"}}};
  scene.conf.particles[1].vel = slide;
  scene.conf.particles[1].vrot = turn;
  auto s = started(scene, 1);
  CHECK(s->bonds().brokenInterfaces == 1);
  CHECK(s->bonds().interfaces.empty());

  const double mass = s->bodies().mass[0], m = 0.5 * mass, le = 0.5 * std::log(0.1);
  const double damp = 2 * (-le / std::sqrt(le * le + pi * pi)) * std::sqrt(kn * m);
  const std::vector<sim::InteractionRecord> left = s->interactions();
  REQUIRE(left.size() == 4);
  for (const sim::InteractionRecord& r : left) {
    CHECK(r.key.pairing == sim::Pairing::vertexVertex);
    CHECK(r.dn == Approx(-press).epsilon(1e-12));
    CHECK(r.damp == Approx(damp).epsilon(1e-12));
    // j moves away: the viscous force is attractive. n points from j to i.
    CHECK(r.fn == Approx(kn * press - damp * slide.x()).epsilon(1e-9));
    CHECK(r.ft.norm() == Approx(mu * r.fn).epsilon(1e-12));
    CHECK((r.mom - kr * dt * turn).norm() < 1e-12);
  }
  // In the first step they are contacts: StickedLinks, but with the viscosity of the bonds. The
  // lists that show what else touches come at its end.
  s->step();
  CHECK(s->interactions().size() >= 4);
  const std::vector<sim::InteractionRecord> after = s->interactions();
  std::size_t same = 0;
  for (const sim::InteractionRecord& r : after)
    for (const sim::InteractionRecord& l : left)
      if (r.key == l.key) {
        ++same;
        CHECK(r.fn == Approx(-kn * r.dn + damp * r.vel.dot(r.n)).epsilon(1e-9));
        CHECK(r.ft.norm() == Approx(mu * r.fn).epsilon(1e-9));
        CHECK(r.damp == l.damp);
      }
  CHECK(same == 4);
}
