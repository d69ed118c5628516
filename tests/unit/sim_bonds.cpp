// SPDX-License-Identifier: GPL-3.0-or-later
// Laws, geometry and files of bonds, and the commands that glue.
#include "catch.hpp"
#include "conf_text.hpp"
#include "contact/bond_geometry.hpp"
#include "engine/pair_force.hpp"
#include "law/bond_law.hpp"
#include "paths.hpp"
#include "scenes.hpp"

#include "scree/base/rng.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/io/commands.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <tuple>
#include <utility>
#include <vector>

using namespace scree;
using namespace scree::sim;
using Catch::Contains;
using scenes::Scene;

TEST_CASE("a bond: springs and dashpots of either sign, viscosity kept out of memory",
          "[sim][bond]") {
  BondParameters p;
  p.kn = 1e6;
  p.kt = 5e5;
  p.kr = 20;
  BondKinematics k;
  k.n = k.nBefore = Vec3::UnitX();
  k.stretch = 1e-3;
  k.vel = k.slip = Vec3(2, 3, 4);
  k.spin = Vec3(0, 0, 10);
  k.damp = 100;
  const BondForce f = bondForce<TurningSprings>(k, p, Vec3(0, 1, 0), Vec3(1, 0, 0), 1e-4);
  CHECK(f.fn == Approx(-1000 + 200));
  CHECK((f.ft - Vec3(0, 1 + 150, 200)).norm() < 1e-11);
  CHECK((f.viscous - Vec3(0, 300, 400)).norm() < 1e-11);
  CHECK((f.mom - Vec3(1, 0, 0.02)).norm() < 1e-14);
  const BondForce as = bondForce<FixedSprings>(k, p, Vec3(0, 1, 0), Vec3(1, 0, 0), 1e-4);
  CHECK((as.ft - Vec3(0, 1 + 150 + 300, 200 + 400)).norm() < 1e-11);
  CHECK(as.viscous == Vec3::Zero());
}

TEST_CASE("a bond in a lane has the bits of one alone", "[sim][bond]") {
  Rng rng(11);
  const auto vector = [&] { return Vec3(rng.uniform() * rng.direction()); };
  const BondParameters p{1e6, 5e5, 20, 100, 50, 10, 2.5, 3};
  Interface face;
  face.own = face.energy = p;
  for (int round = 0; round < 50; ++round) {
    std::array<Vec3, laneCount> foot, across, side, vel, slip, spin, ft, mom;
    for (auto* all : {&foot, &across, &side, &vel, &slip, &spin, &ft, &mom})
      std::generate(all->begin(), all->end(), vector);
    if (round % 2) side[1] = across[2] = Vec3::Zero();
    const auto lanes = [](const std::array<Vec3, laneCount>& all) { return gather(all.data()); };
    const auto of = [&]<class Number, class Vector>(const Vector& footOf, const Vector& acrossOf,
                                                    const Vector& before, const Number& radius) {
      BondKinematicsOf<Number, Vector> k;
      const auto touch = bondTouch(footOf, acrossOf, radius, radius, before);
      k.stretch = touch.dn;
      k.n = touch.n;
      k.nBefore = before;
      k.twist = 0.01 * radius;
      k.damp = 100;
      return std::pair(k, touch);
    };
    const auto together = [&] {
      auto [k, touch] = of(lanes(foot), lanes(across), lanes(side), Lane(0.1));
      k.vel = lanes(vel), k.slip = lanes(slip), k.spin = lanes(spin);
      const auto f = bondForce<TurningSprings>(k, p, lanes(ft), lanes(mom), 1e-4);
      return std::tuple(touch, f, YieldSurface::of<TurningSprings>(f, k.stretch, k.slip, face),
                        FractureEnergy::of<TurningSprings>(f, k.stretch, k.slip, face),
                        elasticEnergy(p, k.stretch, f.ft, f.mom));
    }();
    for (std::size_t m = 0; m < laneCount; ++m) {
      auto [k, touch] = of(foot[m], across[m], side[m], 0.1);
      k.vel = vel[m], k.slip = slip[m], k.spin = spin[m];
      const auto f = bondForce<TurningSprings>(k, p, ft[m], mom[m], 1e-4);
      const auto& [touches, forces, load, opening, energy] = together;
      CHECK(touches.dn[m] == touch.dn);
      CHECK(touches.arm.of(m) == touch.arm);
      CHECK(forces.fn[m] == f.fn);
      CHECK(forces.ft.of(m) == f.ft);
      CHECK(forces.mom.of(m) == f.mom);
      CHECK(forces.viscous.of(m) == f.viscous);
      CHECK(load[m] == YieldSurface::of<TurningSprings>(f, k.stretch, k.slip, face));
      CHECK(opening[m] == FractureEnergy::of<TurningSprings>(f, k.stretch, k.slip, face));
      CHECK(energy[m] == elasticEnergy(p, k.stretch, f.ft, f.mom));
    }
  }
}

TEST_CASE("memory of a bond turns rigidly with its normal and about it", "[sim][bond]") {
  Rng rng(3);
  for (int k = 0; k < 100; ++k) {
    const Vec3 n0 = rng.direction();
    const double angle = 0.2 * rng.uniform();
    const Vec3 axis = n0.cross(rng.direction()).normalized();
    const Vec3 n1 = Eigen::AngleAxisd(angle, axis) * n0;
    const Vec3 v = rng.direction();
    const double twist = 1e-2 * rng.uniform();
    const Vec3 expected = Eigen::AngleAxisd(twist, n1) * (Eigen::AngleAxisd(angle, axis) * v);
    CHECK((transported(v, n0, n1, twist) - expected).norm() < 1e-11);
    CHECK(transported(v, n0, n1, twist).norm() == Approx(1).epsilon(1e-15));
  }
}

TEST_CASE("the yield surface: strengths of 0 put no limit, Rockable's 0/0 never breaks",
          "[sim][bond]") {
  Interface face;
  face.own = {1, 1, 1, 100, 50, 10, 2, 0};
  BondForce f;
  f.fn = -50;
  f.ft = Vec3(0, 30, 40);
  f.mom = Vec3(0, 0, 5);
  const Vec3 none = f.viscous = Vec3::Zero();
  const auto load = [&] { return YieldSurface::of<TurningSprings>(f, 0.0, none, face); };
  CHECK(load() == Approx(1.0 + 0.25 + 0.5 - 1.0));
  face.own.power = 3.5;
  CHECK(load() == Approx(1.0 + std::pow(0.5, 3.5) + 0.5 - 1.0).epsilon(1e-14));
  face.own.mom0 = 0;
  CHECK(load() == Approx(0.5));
  f.mom.setZero();
  CHECK(std::isnan(YieldSurface::of<FixedSprings>(f, 0.0, none, face)));
  CHECK_FALSE(YieldSurface::breaks<FixedSprings>(NAN, face));
  face.own.ft0 = face.own.fn0 = 0;
  CHECK(load() == -1.0);
}

TEST_CASE("where a contact touches, a bond has the same geometry, beyond its ends it goes on",
          "[sim][bond]") {
  const shape::Shape box = scenes::box("box", 0.8, 0.6, 0.4, 0.1);
  const ShapeGeometry g = shapeGeometry(box);
  Rng rng(5);
  int touching = 0;
  for (int k = 0; k < 20000; ++k) {
    BodyPose i, j;
    for (BodyPose* p : {&i, &j}) {
      p->scale = 1.5;
      p->turn = 1.5 * rotationMatrix(rng.orientation());
      p->radius = 0.15;
      p->shape = &g;
    }
    i.pos = 0.9 * rng.direction();
    const Candidate c{static_cast<std::uint32_t>(rng.uniform() * 6),
                      static_cast<std::uint32_t>(rng.uniform() * 6),
                      static_cast<Pairing>(static_cast<int>(rng.uniform() * 4)), false, 0.0};
    Touch touch;
    double rest = 0.0;
    if (!touches(c, i, j, i.pos, touch, rest)) continue;
    ++touching;
    const Touch bond = bondGeometry(c.pairing, i, j, i.pos, c.iSub, c.jSub);
    CHECK(std::abs(bond.dn - touch.dn) < 1e-13);
    CHECK((bond.n - touch.n).norm() < 1e-11);
    CHECK((bond.arm - touch.arm).norm() < 1e-11);
  }
  CHECK(touching > 300);
}

TEST_CASE("area between bonds: convex hull in their plane, in any order", "[sim][bond]") {
  const Quat q = Quat(0.3, 0.5, -0.7, 0.4).normalized();
  std::vector<Vec3> points;
  for (const auto& [x, y] : {std::pair(0.0, 0.0), {2.0, 1.0}, {2.0, 0.0}, {0.0, 1.0}, {1.0, 0.5}})
    points.push_back(Vec3(3, 4, 5) + q * Vec3(x, y, 0));
  CHECK(bondArea(points) == Approx(2.0));
  points.resize(2);
  CHECK(bondArea(points) == 0.0);
  CHECK(bondArea({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}) == Approx(0.0).margin(1e-15));
  CHECK(bondArea({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}) == 0.0);
}

namespace {

Scene cubesAt(const std::vector<Vec3>& places) {
  Scene scene;
  scene.conf.forceLaw = "StickedLinks";
  for (const Vec3& x : places) scene.add(scenes::formatCube(), x);
  scene.conf.setDensity(0, 1000);
  scene.law(0, 0, 1e6, 0.05, 1e6, 0.4);
  for (const char* name : {"knInnerBond", "knOuterBond", "ktInnerBond", "ktOuterBond"})
    scene.conf.setLawParameter(name, 0, 0, 1e6);
  return scene;
}

Scene threeCubes() {
  Scene scene = cubesAt({{0, 0, 0}, {1.001, 0, 0}, {2.003, 0, 0}});
  scene.conf.particles[2].cluster = 1;
  scene.conf.setLawParameter("en2InnerBond", 0, 0, 0.1);
  return scene;
}

void command(Scene& scene, const std::string& keyword, const std::string& arguments) {
  Diagnostics strict(true);
  scene.conf.commands = {{keyword, {"conf", arguments, 3, 1}}};
  runCommands(scene.conf, scene.shapes, strict);
}

}  // namespace

TEST_CASE("stickVerticesInClusters and stickClusters give the interfaces of the reference",
          "[sim][bond][command]") {
  Scene scene = threeCubes();
  command(scene, "stickVerticesInClusters", "0.01");
  command(scene, "stickClusters", "0.02");
  const auto& faces = scene.conf.interfaces;
  REQUIRE(faces.size() == 2);
  CHECK((faces[0].i == 0 && faces[0].j == 1));
  CHECK(faces[0].dn0 == Approx(0.001).epsilon(1e-9));
  REQUIRE(faces[0].bonds.size() == 4);
  const std::pair<std::uint32_t, std::uint32_t> expected[] = {{0, 1}, {3, 2}, {4, 5}, {7, 6}};
  for (std::size_t k = 0; k < 4; ++k)
    CHECK((faces[0].bonds[k].iSub == expected[k].first &&
           faces[0].bonds[k].jSub == expected[k].second));
  CHECK((faces[1].i == 1 && faces[1].j == 2));
  CHECK(faces[1].dn0 == Approx(0.002).epsilon(1e-12));
  REQUIRE(faces[1].bonds.size() == 1);
  CHECK((faces[1].bonds[0].pairing == Pairing::vertexVertex && faces[1].bonds[0].iSub == 7 &&
         faces[1].bonds[0].jSub == 6));
  const Conf saved = scene.start()->conf();
  REQUIRE(saved.interactions.size() == 5);
  // 15199.178423989530 and 19010.407514202598 for the volume 0.975587 of the documents' cube.
  for (std::size_t k = 0; k < 4; ++k)
    CHECK(saved.interactions[k].damp == Approx(15199.178423989530).epsilon(1e-12));
  CHECK(saved.interactions[4].damp == Approx(19010.407514202598).epsilon(1e-12));
  // A bond between clusters that has a viscosity of its own uses it.
  scene.conf.setLawParameter("en2OuterBond", 0, 0, 0.1);
  CHECK(scene.start()->conf().interactions[4].damp == Approx(15199.178423989530).epsilon(1e-12));
}

TEST_CASE(
    "bonds begin unloaded at the gaps at which they are glued, as in Rockable only on request",
    "[sim][bond][command]") {
  Scene scene = threeCubes();
  scene.conf.particles[1].q = Quat(Eigen::AngleAxisd(0.004, Vec3::UnitZ()));  // gaps differ
  scene.conf.dt = 1e-5;
  const bool asRockable = GENERATE(false, true);
  Diagnostics notes;
  scene.conf.commands = {{"stickVerticesInClusters", {"conf", "0.01"}}};
  runCommands(scene.conf, scene.shapes, notes, asRockable);
  const InterfaceRecord& face = scene.conf.interfaces.at(0);
  REQUIRE(face.bonds.size() == 4);
  REQUIRE(notes.notes().size() == 1);
  CHECK_THAT(notes.notes()[0], Contains(asRockable ? ", loaded by gaps" : ", unloaded at gaps"));
  auto s = scene.start();
  if (asRockable) {
    CHECK(face.dn0 == 0.0);
    CHECK(s->bonds().energies.elastic > 1e6 * 0.001 * 0.001);
    return;
  }
  CHECK(std::abs(face.bonds[0].extraGap) > 1e-4);
  for (int k = 0; k < 200; ++k) s->step();
  for (std::size_t k = 0; k < 3; ++k)
    CHECK((s->bodies().pos[k] - scene.conf.particles[k].pos).norm() < 1e-14);
  // Pulled apart, also after a file: by their stretch since then.
  Scene later = scene;
  later.conf = s->conf();
  later.conf.particles[1].pos.x() += 1e-3;
  later.conf.saved->runState.reset();
  const auto pulled = later.start();
  CHECK(pulled->bodies().force[0].x() == Approx(4 * 1e6 * 1e-3).epsilon(1e-4));
}

TEST_CASE("bodies are glued across the sides of a periodic cell", "[sim][bond][command]") {
  const std::string name = GENERATE("stickVerticesInClusters", "stickBCM", "stickClusters");
  const bool clusters = name == "stickClusters";
  Scene scene = cubesAt({{8.5, 9.7, 0.1}, {9.5, 9.7, 0.1}, {0.5 + 1e-3, 9.7, 0.1}});
  for (std::int32_t k = 0; clusters && k < 3; ++k) scene.conf.particles[std::size_t(k)].cluster = k;
  scene.conf.cell.used = true;
  scene.conf.cell.h = 10.0 * Mat3::Identity();
  command(scene, name, "0.01");
  REQUIRE(scene.conf.interfaces.size() == 2);
  for (const InterfaceRecord& face : scene.conf.interfaces)
    CHECK(face.bonds.size() == (clusters ? 1u : 4u));
  CHECK(scene.conf.interfaces[1].j == 2);
  CHECK(scene.conf.interfaces[1].dn0 == Approx(1e-3).epsilon(1e-9));
  auto s = scene.start();
  for (int k = 0; k < 100; ++k) s->step();
  CHECK(s->bonds().energies.elastic < 1e-15);
}

TEST_CASE("cases from the field: bonds and a shear without end", "[sim][bond][field]") {
  const std::string runs = testing::publicData("field/runs/");
  if (runs.empty()) return;
  const auto run = [&](const std::string& name, bool asRockable = false) {
    Diagnostics quiet;
    Conf conf = readConfFromFile(runs + name + "/conf0", quiet);
    const std::vector<shape::Shape> shapes = shapesOf(conf, quiet);
    runCommands(conf, shapes, quiet, asRockable);
    Drives drives;
    if (const std::string file = runs + name + "/drivingSystem.txt";
        std::filesystem::exists(file)) {
      TextReader in = TextReader::fromFile(file);
      drives = readDriving(in, conf.nDriven, conf.particles.size(), quiet);
    }
    const double tmax = conf.tmax;
    auto s = std::make_unique<Simulation>(conf, shapes, drives, 1, quiet);
    while (s->time() < tmax - 0.5 * s->timeStep()) s->step();
    return s;
  };
  {  // energy goes through bonds alone: 2.48 J stored, 4.15 J dissipated
    const EnergyBudget e = run("09_energy_exchanged_ignores_bonds", true)->energyBudget();
    CHECK(e.bonds == Approx(2.4811).epsilon(1e-3));
    CHECK(e.viscosity == Approx(4.1483).epsilon(1e-3));
    CHECK(e.exchanged > e.bonds + e.viscosity);
    CHECK(std::abs(e.residual) < 1e-2 * e.exchanged);
  }
  // Bodies at rest stay so: no bond is loaded by a gap of 8 mm.
  CHECK(run("10_stickVertices_preloads_gaps_silently")->energyBudget().held() < 1e-20);
  const auto row = run("12_no_gluing_across_the_periodic_side");
  CHECK(row->bonds().interfaces.size() == 2);
  CHECK(row->bonds().all().size() == 8);
  const auto sheared = run("11_shear_of_periodic_cell_stops");  // by 2.4; it ended at 2.1
  CHECK(sheared->time() == Approx(12.0).epsilon(1e-3));
  CHECK(std::abs(sheared->cell().h(0, 1)) < 0.51 * sheared->cell().h(0, 0));
  const EnergyBudget e = sheared->energyBudget();
  CHECK(std::abs(e.residual) < 1e-3 * e.exchanged);
}

TEST_CASE("commands glue each pair once, driven bodies only on request", "[sim][bond][command]") {
  Scene scene = threeCubes();
  scene.conf.nDriven = 1;
  SECTION("driven bodies stay free") {
    const std::string name =
        GENERATE("stickVerticesInClusters", "stickVerticesInClustersMoments", "stickBCM");
    command(scene, name, "0.01");
    CHECK(scene.conf.interfaces.empty());
  }
  SECTION("but for glue_with_walls") {
    scene.conf.glueWithWalls = true;
    command(scene, "stickVerticesInClusters", "0.01");
    CHECK(scene.conf.interfaces.empty());
    command(scene, "stickVerticesInClustersMoments", "0.01");
    CHECK(scene.conf.interfaces.size() == 1);
    command(scene, "stickVerticesInClustersMoments", "0.01");
    CHECK(scene.conf.interfaces.size() == 1);
  }
  SECTION("stickBCM finds the area") {
    scene.conf.nDriven = 0;
    command(scene, "stickBCM", "0.01");
    REQUIRE(scene.conf.interfaces.size() == 1);
    CHECK(*scene.conf.interfaces[0].area == Approx(0.64));
  }
  SECTION("a distance that makes no sense is refused where it stands") {
    CHECK_THROWS_WITH(command(scene, "stickBCM", "-1"), Contains("conf:3:1: epsilon"));
  }
}

TEST_CASE("commands give interfaces parameters of their own", "[sim][bond][command]") {
  Scene scene = threeCubes();
  scene.conf.setLawParameter("fn0OuterBond", 0, 0, 70);
  scene.conf.setLawParameter("mom0InnerBond", 0, 0, 3);
  command(scene, "stickVerticesInClusters", "0.01");
  command(scene, "stickClusters", "0.02");
  CHECK_FALSE(scene.conf.interfaces[0].params);
  command(scene, "copyParamsToInterfaces", "outer");
  CHECK(scene.conf.paramsInInterfaces == 1);
  CHECK(scene.conf.interfaces[1].params->fn0 == 70);
  CHECK(scene.conf.interfaces[0].params->mom0 == 3);  // what it went by so far
  scene.conf.setLawParameter("knInnerBond", 0, 0, 5e6);
  command(scene, "copyParamsToInterfaces", "inner");
  CHECK(scene.conf.interfaces[0].params->kn == 5e6);
  command(scene, "setStiffnessRatioInterfaces", "0.25");
  CHECK(scene.conf.interfaces[0].params->kt == 0.25 * 5e6);
  CHECK(scene.conf.interfaces[1].params->kt == 0.25 * 1e6);
  command(scene, "setVariableStickParams", "ft0 inner 80 9 4");
  const double first = scene.conf.interfaces[0].params->ft0;
  CHECK(first > 20);
  CHECK(first < 120);
  CHECK(scene.conf.interfaces[1].params->ft0 == 0.0);
  command(scene, "setVariableStickParams", "ft0 inner 80 9 4");
  CHECK(scene.conf.interfaces[0].params->ft0 == first);
  CHECK_THROWS_WITH(command(scene, "setVariableStickParams", "mom inner 80 9 4"),
                    Contains("did you mean 'mom0'"));
}

TEST_CASE("strengths drawn by setVariableStickParams follow Weibull's law",
          "[sim][bond][command]") {
  Scene scene;
  for (int k = 0; k < 2001; ++k) scene.add(scenes::ball("ball", 0.5), {double(k), 0, 0});
  command(scene, "stickVerticesInClusters", "0.01");
  REQUIRE(scene.conf.interfaces.size() == 2000);
  command(scene, "setVariableStickParams", "fn0 inner 80 3 1");
  double mean = 0, below = 0;
  for (const auto& face : scene.conf.interfaces) {
    mean += face.params->fn0 / 2000;
    below += face.params->fn0 < 80 ? 1.0 / 2000 : 0;
  }
  CHECK(mean == Approx(80 * std::tgamma(1 + 1.0 / 3)).epsilon(0.02));
  CHECK(below == Approx(1 - std::exp(-1.0)).margin(0.03));
}

TEST_CASE("interfaces that make no sense are refused, oddities reported in one line",
          "[sim][bond]") {
  Scene scene = threeCubes();
  command(scene, "stickVerticesInClusters", "0.01");
  scene.conf.interfaceLines = {42};
  Diagnostics diagnostics;
  const auto start = [&] { Simulation(scene.conf, scene.shapes, {}, 1, diagnostics); };
  SECTION("a vertex that is not there") {
    scene.conf.interfaces[0].bonds[2].jSub = 8;
    CHECK_THROWS_WITH(start(), Contains("scene:42:1: Interfaces: body 1 has 8"));
  }
  SECTION("bonds without a state") {
    scene.conf.interactions.clear();
    start();
    REQUIRE(diagnostics.warnings().size() == 1);
    CHECK_THAT(diagnostics.warnings()[0], Contains("4 bonds without a contact"));
  }
  SECTION("lines without the parameters that they should have") {
    scene.conf.paramsInInterfaces = 1;
    const Simulation s(scene.conf, scene.shapes, {}, 1, diagnostics);
    REQUIRE(diagnostics.warnings().size() >= 1);
    CHECK_THAT(diagnostics.warnings()[0], Contains("1 interfaces without parameters"));
    REQUIRE(s.conf().interfaces[0].params);
    CHECK(s.conf().interfaces[0].params->kn == 1e6);
  }
}
