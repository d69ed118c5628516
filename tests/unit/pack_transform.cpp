// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes that are chosen from, joined, repeated and moved: what is not concerned keeps its bits.
#include "catch.hpp"
#include "cell_scenes.hpp"
#include "heap_scenes.hpp"

#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/instant.hpp"
#include "scree/sim/measure/selection.hpp"
#include "scree/sim/pack/transform.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::sim;
using Catch::Contains;

namespace {

Scene sceneOf(const scenes::Scene& built, const std::string& source = "first") {
  Scene scene{built.conf, built.shapes};
  scene.conf.source = source;
  return scene;
}

/// The state of a scene after some steps.
Scene afterSteps(const Scene& scene, int steps) {
  Diagnostics quiet;
  Simulation s(scene.conf, scene.shapes, {}, 1, quiet);
  for (int k = 0; k < steps; ++k) s.step();
  return {s.conf(), s.shapes()};
}

/// A heap in which all kinds of contacts have a history.
Scene heapInMotion() { return afterSteps(sceneOf(scenes::heap("Default")), 1500); }

/// Bodies of a heap on their own plate, 100 away, that differ from it as a test chooses.
Scene farHeap() {
  Scene scene = heapInMotion();
  translate(scene, {100, 0, 0});
  scene.conf.source = "second";
  return scene;
}

Scene both(const Scene& a, const Scene& b, std::vector<std::string>* notes = nullptr) {
  Diagnostics diagnostics;
  Scene scene = merged({a, b}, diagnostics);
  if (notes) *notes = diagnostics.notes();
  return scene;
}

std::vector<char> flagsOf(const Scene& scene, const std::string& formula) {
  return Selection(formula).of(scene.conf, scene.shapes);
}

/// The text of a file without the state of the run that wrote it.
std::string textOf(Scene scene) {
  scene.conf.saved.reset();
  return confText(scene.conf);
}

void checkSameForces(const InteractionRecord& a, const InteractionRecord& b) {
  CHECK(a.dn == b.dn);
  CHECK(a.fn == b.fn);
  CHECK(a.ft == b.ft);
  CHECK(a.mom == b.mom);
}

}  // namespace

TEST_CASE("two scenes become one, and the first is chosen from it with all its bytes",
          "[pack][transform]") {
  const Scene a = heapInMotion();
  Scene b = farHeap();
  SECTION("of the same groups and shapes") {}
  SECTION("with other parameters") {
    b.conf.setLawParameter("muContact", 1, 1, 0.7);
    b.conf.setDensity(1, 2600);
    b.conf.setDensity(5, 1.0);  // of no body
  }
  SECTION("with other shapes of the same names") {
    for (shape::Shape& shape : b.shapes)
      if (shape.name != "plate") shape = scenes::ball(shape.name, 0.099);
    b.conf.interactions.clear();
  }
  Scene scene = both(a, b);
  CHECK(scene.conf.nDriven == 2);
  CHECK(scene.conf.particles.size() == 98);
  CHECK(scene.conf.interactions.size() == a.conf.interactions.size() + b.conf.interactions.size());
  CHECK(std::ranges::is_sorted(scene.conf.interactions, {}, &InteractionRecord::key));
  keepBodies(scene, flagsOf(scene, "x < 50"));
  CHECK(textOf(scene) == textOf(a));
}

TEST_CASE("what two scenes call alike and mean otherwise gets another number or name",
          "[pack][transform]") {
  const Scene a = heapInMotion();
  Scene b = farHeap();
  b.conf.setLawParameter("muContact", 1, 1, 0.3);
  b.conf.dt *= 0.5;
  for (ParticleRecord& p : b.conf.particles) p.cluster += 3;
  for (shape::Shape& shape : b.shapes)
    if (shape.name == "ball") shape = scenes::ball("ball", 0.09);
  std::vector<std::string> notes;
  const Scene scene = both(a, b, &notes);
  const Conf& conf = scene.conf;
  CHECK(conf.particles[1].group == 0);  // the plates mean the same
  CHECK(conf.particles.back().group == 2);
  CHECK(conf.densityOf(2) == b.conf.densityOf(1));
  CHECK(conf.lawParameter("muContact", 1, 1) == 0.4);
  CHECK(conf.lawParameter("muContact", 2, 2) == 0.3);
  CHECK(conf.lawParameter("muContact", 1, 2) == 0.3);  // which no file gives: the lesser
  CHECK(conf.lawParameter("muContact", 0, 2) == b.conf.lawParameter("muContact", 0, 1));
  CHECK(conf.dt == b.conf.dt);
  std::set<std::int32_t> ofFirst, ofSecond;
  for (const ParticleRecord& p : conf.particles)
    (p.pos.x() < 50 ? ofFirst : ofSecond).insert(p.cluster);
  for (const std::int32_t cluster : ofSecond) CHECK_FALSE(ofFirst.contains(cluster));
  CHECK(std::ranges::count(conf.shapeNames, "ball_2") == 1);
  const std::string all = fmt::format("{}", fmt::join(notes, "\n"));
  for (const char* part : {"group 1 of second", "becomes 2", "ball_2", "dt is the lesser",
                           "muContact of groups 1 and 2 is the lesser"})
    CHECK_THAT(all, Contains(part));
  // A third scene shares what the second has brought.
  Diagnostics quiet;
  Scene c = b;
  translate(c, {100, 0, 0});
  const Scene three = merged({a, b, c}, quiet);
  CHECK(three.conf.nDriven == 3);
  CHECK(three.conf.shapeNames.size() == conf.shapeNames.size());
}

TEST_CASE("scenes that all bodies would have to agree upon are refused, with both values",
          "[pack][transform]") {
  const Scene a = heapInMotion();
  Scene b = farHeap();
  std::string ours = "9.81", theirs;
  SECTION("gravity") {
    b.conf.gravity = {0, 0, -1.62};
    theirs = "gravity 0 0 -1.62";
  }
  SECTION("cell") {
    b.conf.cell.used = true;
    ours = "no usePeriodicCell", theirs = "usePeriodicCell 1";
  }
  SECTION("round walls") {
    b.conf.boundaries.push_back({});
    ours = "0 round walls", theirs = "1 round walls";
  }
  Diagnostics quiet;
  CHECK_THROWS_WITH(merged({a, a}, quiet), Contains("two bodies of the shape plate"));
  CHECK_THROWS_WITH(merged({a, b}, quiet), Contains(ours) && Contains(theirs) &&
                                               Contains("second") && Contains("all bodies"));
}

TEST_CASE("a hundred steps of two scenes far apart give the forces of each, to the bit",
          "[pack][transform]") {
  Scene a = heapInMotion(), b = farHeap();
  const bool begins = GENERATE(false, true);
  if (begins)
    for (Scene* scene : {&a, &b}) scene->conf.saved.reset();
  const Scene scene = afterSteps(both(a, b), 100);
  a = afterSteps(a, 100);
  b = afterSteps(b, 100);
  std::vector<InteractionRecord> first, second;
  for (const InteractionRecord& r : scene.conf.interactions)
    (r.pos.x() < 50 ? first : second).push_back(r);
  REQUIRE(first.size() == a.conf.interactions.size());
  REQUIRE(second.size() == b.conf.interactions.size());
  REQUIRE(first.size() > 20);
  for (std::size_t k = 0; k < first.size(); ++k) checkSameForces(first[k], a.conf.interactions[k]);
  for (std::size_t k = 0; k < second.size(); ++k)
    checkSameForces(second[k], b.conf.interactions[k]);
}

TEST_CASE("shifts there and back and four quarter turns give the same bits", "[pack][transform]") {
  Scene scene = heapInMotion();
  Boundary wall{.kind = Boundary::Kind::cylinder, .centre = {0.5, -1, 2}, .radius = 9};
  scene.conf.boundaries.push_back(wall);
  scene.conf.cell.h = scenes::aslant(8);
  scene.conf.cell.vh = 0.1 * scenes::aslant(2);
  for (ParticleRecord& p : scene.conf.particles) p.pos = (p.pos * 0x1p20).array().round() * 0x1p-20;
  for (InteractionRecord& r : scene.conf.interactions)
    r.pos = (r.pos * 0x1p20).array().round() * 0x1p-20;
  const std::string before = textOf(scene);
  translate(scene, {0x1p20, 0, -0x1p20});
  CHECK(textOf(scene) != before);
  translate(scene, {-0x1p20, 0, 0x1p20});
  CHECK(textOf(scene) == before);
  const std::vector<ParticleRecord> bodies = scene.conf.particles;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double degrees : {90.0, -270.0, 450.0, 90.0}) rotate(scene, axis, degrees);
    // Orientations are quaternions, whose quarter turns have roots in them.
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      Quat& q = scene.conf.particles[k].q;
      CHECK(std::abs(q.dot(bodies[k].q)) > 1.0 - 1e-14);
      q = bodies[k].q;
    }
    CHECK(textOf(scene) == before);
    rotate(scene, axis, 720.0);
    CHECK(textOf(scene) == before);
  }
}

TEST_CASE("a scene that is turned falls as the scene does, with gravity turned",
          "[pack][transform]") {
  const double degrees = GENERATE(90.0, 30.0);
  const bool periodic = GENERATE(false, true);
  Scene scene = periodic ? afterSteps(sceneOf(scenes::soup(scenes::aslant(1.2), 0.3, 0.4, 4)), 2000)
                         : heapInMotion();
  scene.conf.saved.reset();
  Scene turned = scene;
  rotate(turned, 2, degrees);
  const Quat q(Eigen::AngleAxisd(degrees * pi / 180.0, Vec3::UnitZ()));
  turned.conf.gravity = rotated(q, scene.conf.gravity);
  REQUIRE(scene.conf.interactions.size() > 5);
  scene = afterSteps(scene, 20);
  turned = afterSteps(turned, 20);
  for (std::size_t k = 0; k < scene.conf.particles.size(); ++k) {
    const Vec3 d = rotated(q, scene.conf.particles[k].pos) - turned.conf.particles[k].pos;
    CHECK((periodic ? scenes::offLattice(turned.conf.cell.h, d) : d.norm()) < 1e-12);
    CHECK((rotated(q, scene.conf.particles[k].vel) - turned.conf.particles[k].vel).norm() < 1e-8);
  }
}

TEST_CASE("copies of a periodic cell move as the cell does", "[pack][transform]") {
  scenes::Scene built = scenes::soup(scenes::aslant(1.2), 0.3, 0.4, 4);
  built.conf.cell.vh = 0.05 * Mat3::Ones();
  Scene cell = afterSteps(sceneOf(built), 2000);
  Scene copies = cell;
  repeat(copies, {2, 1, 3}, {});
  const std::size_t n = cell.conf.particles.size();
  REQUIRE(copies.conf.particles.size() == 6 * n);
  const auto across =
      std::ranges::count_if(cell.conf.interactions, [&](const InteractionRecord& r) {
        return (cell.conf.particles[r.key.i].pos - cell.conf.particles[r.key.j].pos).norm() > 0.5;
      });
  REQUIRE(across > 0);
  CHECK(copies.conf.interactions.size() == 6 * cell.conf.interactions.size());
  CHECK(copies.conf.cell.h.determinant() == Approx(6 * cell.conf.cell.h.determinant()));
  Scene moved = cell;  // as the copy that stands there
  translate(moved, cell.conf.cell.h.col(2));
  CHECK((moved.conf.particles[n - 1].vel - copies.conf.particles[2 * n - 1].vel).norm() < 1e-12);
  CHECK((moved.conf.particles[n - 1].acc - copies.conf.particles[2 * n - 1].acc).norm() < 1e-9);
  cell = afterSteps(cell, 50);
  copies = afterSteps(copies, 50);
  CHECK(copies.conf.interactions.size() == 6 * cell.conf.interactions.size());
  for (std::size_t k = 0; k < 6 * n; ++k) {
    const ParticleRecord &p = copies.conf.particles[k], &q = cell.conf.particles[k % n];
    const Vec3 at(static_cast<double>(k / n / 3), 0, static_cast<double>(k / n % 3));
    CHECK((p.vel - q.vel - cell.conf.cell.vh * at).norm() < 1e-7);
    CHECK((p.pos - q.pos - cell.conf.cell.h * at).norm() < 1e-10);
  }
  CHECK_THROWS_WITH(repeat(copies, {2, 1, 1}, Vec3(1, 0, 0)), Contains("periodic cell"));
}

TEST_CASE("bonds follow their bodies", "[pack][transform]") {
  const Scene row = afterSteps(sceneOf(scenes::row(4, "StickedLinks", 1e6, 8e5)), 50);
  REQUIRE(row.conf.interfaces.size() == 3);
  const auto checkStarts = [](const Scene& scene) {
    Diagnostics strict(true);
    Simulation s(scene.conf, scene.shapes, {}, 1, strict);
    CHECK(s.bonds().interfaces.size() == scene.conf.interfaces.size());
  };
  Scene scene = row;
  SECTION("chosen: those of both bodies stay") {
    keepBodies(scene, std::vector<char>{1, 0, 1, 1});
    REQUIRE(scene.conf.interfaces.size() == 1);
    CHECK(scene.conf.interfaces[0].i + scene.conf.interfaces[0].j == 3);
    CHECK(scene.conf.interactions.size() == 4);
    checkStarts(scene);
  }
  SECTION("copied: inside each copy, in clusters of its own") {
    repeat(scene, {1, 3, 1}, Vec3(9, 3, 9));
    CHECK(scene.conf.interfaces.size() == 9);
    CHECK(scene.conf.nDriven == 3);
    checkStarts(scene);
    renumberClusters(scene);
    CHECK(scene.conf.particles.front().cluster == 0);
    CHECK(scene.conf.particles.back().cluster == 2);
  }
  SECTION("that may cross the sides of a cell: refused") {
    scene = sceneOf(scenes::rowAcrossCell("StickedLinks"));
    CHECK_THROWS_WITH(repeat(scene, {2, 2, 1}, {}), Contains("bonds and joints"));
  }
  SECTION("without history: no loads") {
    scene.conf.particles[3].vel = Vec3(-1, 0, 0);
    scene = afterSteps(scene, 20);
    const double load = std::ranges::max(scene.conf.interactions, {}, &InteractionRecord::fn).fn;
    REQUIRE(load > 1.0);
    dropHistory(scene);
    CHECK(scene.conf.t == 0.0);
    CHECK(scene.conf.interactions.size() == 12);
    for (const InteractionRecord& r : scene.conf.interactions) CHECK(r.fn == 0.0);
    checkStarts(scene);
    for (ParticleRecord& p : scene.conf.particles) p.vel = p.vrot = Vec3::Zero();  // no viscosity
    for (const InteractionRecord& r : afterSteps(scene, 0).conf.interactions)
      CHECK(std::abs(r.fn) < 1e-6 * load);
  }
  SECTION("turned: their forces, with viscosity, turn with them") {
    for (InteractionRecord& r : scene.conf.interactions) {
      r.damp = 3.0;
      r.vel = 7.0 * r.n.unitOrthogonal();
    }
    const std::vector<Link> before = linksOf(scene.conf, scene.shapes);
    const bool set = GENERATE(false, true);  // a formula that sets nothing
    if (set) setValues(scene, "group = group");
    if (!set) rotate(scene, 2, 90.0);
    const std::vector<Link> after = linksOf(scene.conf, scene.shapes);
    for (std::size_t k = 0; k < before.size(); ++k) {
      const Vec3 f = before[k].ft;
      CHECK(after[k].ft == (set ? f : Vec3(-f.y(), f.x(), f.z())));
    }
  }
  SECTION("scaled: gaps and areas, too") {
    for (InteractionRecord& r : scene.conf.interactions) r.dn = 0.25;  // at rest from now on
    const double area = scene.conf.interfaces[0].area.value_or(0.0);
    scene.conf.joints.resize(1);
    scene.conf.joints[0].onI = Vec3(2, 0, 0);
    scene.conf.joints[0].restLength = 4.0;
    scale(scene, 0.25);
    CHECK(scene.conf.joints[0].onI == Vec3(0.5, 0, 0));
    CHECK(scene.conf.joints[0].restLength == 1.0);
    scene.conf.joints.clear();
    CHECK(scene.conf.interfaces[0].dn0 == 0.0625);
    CHECK(scene.conf.interfaces[0].area.value_or(0.0) == area / 16);
    CHECK(scene.conf.particles[3].homothety == 0.25);
    CHECK(scene.conf.dt == Approx(row.conf.dt / 8).epsilon(0.1));
    checkStarts(scene);
  }
  SECTION("of a body that moves or changes its shape: dropped") {
    SECTION("moves") { CHECK(setValues(scene, "y = (id == 1)*5") > 0); }
    SECTION("other shape") {
      CHECK(replaceShape(scene, "cube", scenes::box("cube", 0.9, 0.8, 0.8, 0.05)) == 4);
      CHECK(scene.conf.shapeNameOf(scene.conf.particles[3]) == "cube_2");
    }
    CHECK(scene.conf.interfaces.size() < 3);
  }
}

TEST_CASE("a scene tells which contacts it does not list", "[pack][transform]") {
  Scene fresh = farHeap();
  fresh.conf.interactions.clear();
  fresh.conf.saved.reset();
  CHECK(missesContacts(both(heapInMotion(), fresh).conf));
  CHECK(!missesContacts(both(heapInMotion(), farHeap()).conf));
  Scene row = afterSteps(sceneOf(scenes::row(4, "StickedLinks", 1e6, 8e5)), 5);
  row.conf.boundaries = {{Boundary::Kind::plane, Vec3(0, -9, 0), Vec3::UnitY(), 0.0, 0}};
  row.conf.boundaryTouches.resize(1);
  row.conf.boundaryTouches[0].body = 3;
  CHECK(!missesContacts(row.conf));
  Scene copies = row;
  repeat(copies, {1, 1, 2}, Vec3(9, 9, 9));
  CHECK(missesContacts(copies.conf));
  // Its ft has the viscosity of bonds, and still has when the clock is gone.
  row.conf.makeState().summedClock.emplace();
  translate(row, {1, 0, 0});
  CHECK(!row.conf.state().viscosityApart());
}

TEST_CASE("formulas set values of bodies, or are refused as a whole", "[pack][transform]") {
  Scene scene = heapInMotion();
  const Scene before = scene;
  CHECK(setValues(scene, "vx = 2*vx + z") > 40);
  const ParticleRecord &p = scene.conf.particles[7], &q = before.conf.particles[7];
  CHECK(p.vel.x() == 2 * q.vel.x() + q.pos.z());
  CHECK(p.vel.y() == q.vel.y());
  CHECK(scene.conf.interactions.size() == before.conf.interactions.size());
  CHECK(!missesContacts(scene.conf));
  CHECK(setValues(scene, "cluster=id - 3") > 40);
  CHECK(scene.conf.particles[1].cluster == -2);
  const std::string text = textOf(scene);
  for (const char* bad : {"group=id/2", "wy=1/0", "cluster=1e12"})
    CHECK_THROWS_AS(setValues(scene, bad), ModelError);
  CHECK(textOf(scene) == text);
  CHECK_THROWS_AS(setValues(scene, "size=2"), UsageError);
  CHECK(setValues(scene, "homothety = homothety*(1 + 1e-9*(id == 7))") == 1);
  CHECK(scene.conf.interactions.size() < before.conf.interactions.size());
  Diagnostics quiet;
  TextReader file("edited", confText(scene.conf));
  Conf edited = readConf(file, quiet);
  CHECK(missesContacts(edited));
  CHECK(findContacts(edited, scene.shapes) > 0);  // again, with forces that nobody knows
  REQUIRE(edited.interactions.size() == before.conf.interactions.size());
  for (std::size_t k = 0; k < edited.interactions.size(); ++k) {
    const InteractionRecord &r = edited.interactions[k], &given = before.conf.interactions[k];
    CHECK(r.key == given.key);
    if (r.key.i == 7 || r.key.j == 7)
      CHECK(std::isnan(r.fn));
    else
      CHECK(r.ft == given.ft);
  }
}
