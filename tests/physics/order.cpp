// SPDX-License-Identifier: GPL-3.0-or-later
// Runs keep their bodies by place; what comes out goes by the numbers of the file.
#include "catch.hpp"
#include "cell_scenes.hpp"
#include "command.hpp"
#include "heap_scenes.hpp"

#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/commands.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

using namespace scree;
using namespace scree::scenes;
using sim::BodyId;

namespace {

/// Numbers at random; those of driven bodies stay, and those of the first three others, so that
/// shapes are named in the same order. @returns for each body its new number
std::vector<BodyId> drawNumbers(const Scene& scene) {
  std::vector<BodyId> numbers(scene.conf.particles.size());
  std::iota(numbers.begin(), numbers.end(), BodyId{0});
  Rng rng(3);
  const std::size_t first = scene.conf.nDriven + 3;
  for (std::size_t k = numbers.size(); k > first + 1; --k)
    std::swap(numbers[k - 1],
              numbers[first + static_cast<std::size_t>(rng.uniform(0.0, 1.0) *
                                                       static_cast<double>(k - first))]);
  return numbers;
}
Scene renumbered(const Scene& scene, const std::vector<BodyId>& numbers) {
  Scene other = scene;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    other.conf.particles[numbers[k]] = scene.conf.particles[k];
  return other;
}
/// As a state of a run in the order of its file, some steps before its bodies are sorted again.
constexpr std::uint64_t before = 348;
Scene unsorted(Scene scene) {
  scene.conf.makeState().runState = sim::RunState{0.0, 2048 - before};
  scene.conf.t = static_cast<double>(2048 - before) * scene.conf.dt;
  for (std::size_t k = scene.conf.nDriven; k < scene.conf.particles.size(); ++k)
    scene.conf.particles[k].acc = scene.conf.gravity;
  return scene;
}

/// Pairs of glued cubes on a plate, body 0, which shear off each other at once and stay in contact.
/// Their numbers have nothing to do with where they are.
Scene gluedPairs(int pairs) {
  Scene scene;
  scene.conf.forceLaw = "StickedLinks";
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.add(plate("plate", 8.0, 0.05), {0, -0.05, 0});
  const shape::Shape cube = box("cube", 0.8, 0.8, 0.8, 0.1);
  for (const int side : {0, 1})
    for (int pair = 0; pair < pairs; ++pair) {
      const int place = 37 * pair % pairs;
      const Vec3 at(1.15 * (place % 10 - 4.5), 0.5 + side, 1.15 * (place / 10 - 4.5));
      auto& p = scene.conf.particles[scene.add(cube, at, 1)];
      p.vel = Vec3(0.3 * (2 * side - 1), -side, 0);
      p.cluster = pair;
    }
  scene.conf.setDensity(1, 2500);
  for (const std::uint32_t g : {0u, 1u}) scene.law(g, 1, 1e6, 0.1, 8e5, 0.4);
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, double>>{
           {"kn", 1e6}, {"kt", 8e5}, {"en2", 0.1}, {"fn0", 10}, {"ft0", 10}, {"pow", 2}})
    scene.conf.setLawParameter(std::string(name) + "InnerBond", 1, 1, value);
  scene.conf.commands = {{"stickVerticesInClusters", {"conf", "0.01"}}};
  Diagnostics quiet;
  sim::runCommands(scene.conf, scene.shapes, quiet);
  scene.conf.nDriven = 1;
  scene.conf.dt = 1e-4;
  return scene;
}

}  // namespace

TEST_CASE("how a file numbers its bodies changes no bit of what they do", "[physics][order]") {
  const Scene scene = heap("Default", {480});
  const auto numbers = drawNumbers(scene);
  auto plain = scene.start(2), drawn = renumbered(scene, numbers).start(2);
  plain->steps(600);
  drawn->steps(600);
  const sim::Conf a = plain->conf(), b = drawn->conf();
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    REQUIRE(b.particles[numbers[k]].pos == a.particles[k].pos);
    REQUIRE(b.particles[numbers[k]].q.coeffs() == a.particles[k].q.coeffs());
    REQUIRE(b.particles[numbers[k]].vel == a.particles[k].vel);
  }
  CHECK(plain->energyBudget().residual == drawn->energyBudget().residual);

  // Contacts, each seen from its lower body.
  std::vector<sim::InteractionRecord> contacts = a.interactions;
  REQUIRE(contacts.size() == b.interactions.size());
  for (sim::InteractionRecord& r : contacts) {
    r.key.i = numbers[r.key.i];
    r.key.j = numbers[r.key.j];
    r.putLowerFirst();
  }
  std::sort(contacts.begin(), contacts.end(),
            [](const auto& x, const auto& y) { return x.key < y.key; });
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    REQUIRE(contacts[k].key == b.interactions[k].key);
    REQUIRE(contacts[k].fn == b.interactions[k].fn);
    REQUIRE(contacts[k].ft == b.interactions[k].ft);
    REQUIRE(contacts[k].n == b.interactions[k].n);
    REQUIRE((contacts[k].vel - b.interactions[k].vel).norm() < 1e-12);
    REQUIRE((contacts[k].pos - b.interactions[k].pos).norm() < 1e-3);  // on the surface of either
  }
}

TEST_CASE("the bits are the same on any number of threads while the order changes",
          "[physics][order]") {
  const Scene tower = heap("Default", {480}),
              scene = unsorted(renumbered(tower, drawNumbers(tower)));
  std::vector<std::uint64_t> hashes, orders;
  for (const int threads : {1, 2, 3, 8}) {
    auto s = scene.start(threads, shaken());
    s->steps(before + 150);
    hashes.push_back(s->stateHash());
    orders.push_back(s->reorderings());
  }
  CHECK(orders[0] > 0);
  for (std::size_t k = 1; k < hashes.size(); ++k) {
    CHECK(hashes[k] == hashes[0]);
    CHECK(orders[k] == orders[0]);
  }
}

TEST_CASE("a run whose order changes goes on to the same bits from any step", "[physics][order]") {
  const std::string integrator = GENERATE("velocityVerlet", "Beeman", "Euler", "RungeKutta4");
  Scene scene = heap("Default", {300});
  const bool round = GENERATE(false, true);
  if (round)
    scene.conf.boundaries = {
        {sim::Boundary::Kind::cylinder, Vec3(0, 2, 0), Vec3::UnitY(), 0.68, 1}};
  scene.conf.integrator = integrator;
  scene = unsorted(renumbered(scene, drawNumbers(scene)));
  auto unbroken = scene.start(2, shaken());
  for (int k = 0; k < 600; ++k) unbroken->step();
  auto part = scene.start(1, shaken());
  bool touched = false;
  for (const std::uint64_t steps : {1u, 346u, 1u, 1u, 251u}) {
    part->steps(steps);
    if (part->stepIndex() == 2048) touched = !part->boundaryTouches().empty();
    part = savedAndBegun(*part, shaken());
  }
  CHECK(touched == round);
  CHECK(unbroken->reorderings() > 0);
  CHECK(part->stepIndex() == unbroken->stepIndex());
  CHECK(part->stateHash() == unbroken->stateHash());
  CHECK(part->energyBudget().residual == unbroken->energyBudget().residual);
}

TEST_CASE("so does one in a periodic cell", "[physics][order]") {
  // Its mass is that of all bodies, which differ here, and one density follows a course.
  Scene scene = soup(aslant(2.0), 0.5, 0.4, 6);
  scene.conf.cell.mh = 5;
  for (std::size_t k = 0; k < scene.conf.particles.size(); ++k)
    scene.conf.particles[k].homothety = 0.85 + 0.2 * static_cast<double>(k % 7) / 6;
  scene = unsorted(renumbered(scene, drawNumbers(scene)));
  if (GENERATE(false, true)) {
    const double t = scene.conf.t;
    scene.conf.tempos.push_back(
        {sim::Tempo::What::density, "", 1, 0, sim::Tempo::Course::ramp, t, t + 1, 2500, 9000});
  }
  const sim::Drives press = drivesOf("PeriodicLoading IsotropicCompression 20000\n", 0);
  auto unbroken = scene.start(3, press), part = scene.start(1, press);
  unbroken->steps(600);
  for (const std::uint64_t steps : {200u, 148u, 1u, 251u}) {
    part->steps(steps);
    part = savedAndBegun(*part, press, 1, false);
  }
  CHECK(unbroken->reorderings() == 1);
  CHECK(part->stateHash() == unbroken->stateHash());
  CHECK(part->cell().h == unbroken->cell().h);
}

TEST_CASE("a state without order keeps that of its file until its bodies are sorted again",
          "[physics][order]") {
  const Scene scene = heap("Default", {300});
  auto s = renumbered(scene, drawNumbers(scene)).start();
  s->steps(1700);
  sim::Conf conf = s->conf();
  CHECK(conf.state().order.size() == conf.particles.size());
  conf.saved->order.clear();
  Diagnostics quiet;
  sim::Simulation plain(conf, s->shapes(), {}, 1, quiet);
  CHECK(plain.bodyOrder().ofFile());
  CHECK(plain.stateHash() == s->stateHash());  // no step yet
  plain.steps(347);
  CHECK(plain.bodyOrder().ofFile());
  plain.steps(1);
  CHECK(!plain.bodyOrder().ofFile());
  conf.saved->runState.reset();  // no state of a run: sorted at the start
  CHECK(!sim::Simulation(conf, s->shapes(), {}, 1, quiet).bodyOrder().ofFile());
}

TEST_CASE("an order that is none is refused with its line, one of other bodies passed over",
          "[physics][order]") {
  auto s = heap("Default", {200}).start();
  const std::string text = sim::confText(s->conf()), line = "#scree order 0 ";
  const auto startsInOrderOfFile = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    other.replace(other.find(from), from.size(), to);
    TextReader in("a.conf", other);
    Diagnostics quiet;
    const sim::Conf conf = sim::readConf(in, quiet);
    const bool ofFile = sim::Simulation(conf, s->shapes(), {}, 1, quiet).bodyOrder().ofFile();
    const bool reported = std::ranges::any_of(quiet.warnings(), [](const std::string& warning) {
      return warning.find("#scree order: does not match") != std::string::npos;
    });
    CHECK(reported == ofFile);
    return ofFile;
  };
  CHECK(!startsInOrderOfFile(line, line));
  const std::size_t at = text.find(line) + line.size();
  const std::string second = text.substr(at, text.find(' ', at) - at);
  CHECK_THROWS_WITH(startsInOrderOfFile(line + second + " ", line + "0 "),
                    Catch::Contains("a.conf:3") && Catch::Contains("0 twice"));
  CHECK_THROWS_WITH(startsInOrderOfFile(line, "#scree order x "), Catch::Contains("a.conf:3:14"));
  CHECK(startsInOrderOfFile(line, "#scree order "));    // one body less
  CHECK(startsInOrderOfFile(line, "#scree order 1 "));  // the driven one elsewhere
  CHECK(startsInOrderOfFile("nDriven 1", "nDriven 40"));
}

TEST_CASE("a state with order, and bonds, joints or --compat, keeps the order of its file",
          "[physics][order]") {
  Scene scene = gluedPairs(100);
  std::vector<BodyId>& order = scene.conf.makeState().order;
  order.resize(scene.conf.particles.size());
  std::iota(order.rbegin(), order.rend(), BodyId{0});
  std::rotate(order.begin(), order.end() - 1, order.end());  // the driven body first
  scene.conf.saved->runState = sim::RunState{0.0, 0};
  sim::SimulationOptions options;
  const int with = GENERATE(0, 1, 2, 3);
  if (with != 1) scene.conf.interfaces.clear();
  if (with == 2) scene.conf.joints.push_back({1, 2, Vec3::Zero(), Vec3::Zero(), 1e3, -1.0});
  if (with == 3) options.compat = true;
  const auto s = scene.start(options);
  CHECK(s->bodyOrder().ofFile() == (with > 0));
  CHECK(s->conf().state().order.empty() == (with > 0));
}

TEST_CASE("bodies are sorted once all bonds have broken", "[physics][order][bonds]") {
  Scene scene = gluedPairs(100);
  scene = unsorted(scene);
  auto unbroken = scene.start(2), part = scene.start(1);
  CHECK(unbroken->bonds().interfaces.size() == 100);
  unbroken->steps(600);
  for (const std::uint64_t steps : {1u, 300u, 46u, 1u, 1u, 251u}) {
    part->steps(steps);
    part = savedAndBegun(*part, {});
  }
  CHECK(unbroken->bonds().interfaces.empty());
  CHECK(unbroken->reorderings() == 1);
  CHECK(part->stateHash() == unbroken->stateHash());
  const sim::EnergyBudget e = unbroken->energyBudget();
  CHECK(part->energyBudget().residual == e.residual);
  CHECK(std::abs(e.residual) < 1e-4 * e.exchanged);
}

TEST_CASE("messages about bodies that were sorted have the numbers of the file",
          "[physics][order]") {
  Scene scene = heap("Default", {.bodies = 200, .only = 2});
  const auto addFar = [&](std::uint32_t group, const shape::Shape& kind, const Vec3& at,
                          const Vec3& vel) {
    const auto body = static_cast<BodyId>(scene.add(kind, at, group));
    scene.conf.particles[body].vel = vel;
    return body;
  };
  // The sort is 348 steps of 1e-4 s away; all of this comes about later.
  const shape::Shape cube = box("cube", 0.2, 0.2, 0.2, 0.01);
  const BodyId fast = addFar(1, ball("ball", 0.1), Vec3(0, 50, 0), Vec3(0, -260, 0));
  const BodyId left = addFar(2, cube, Vec3(20, 3, 0), Vec3(1, 0, 0)),
               right = addFar(2, cube, Vec3(20.3, 3.07, 0.05), Vec3(-1, 0, 0));
  scene.conf.setDensity(2, 2500);
  scene.law(2, 2, 1e-3, 0.1, 0, 0);  // they pass into each other
  const auto numbers = drawNumbers(scene);
  scene = unsorted(renumbered(scene, numbers));
  scene.conf.shapeFile.clear();
  scene.conf.tmax = 2460 * scene.conf.dt;
  auto s = scene.start();
  const testing::Folder folder;
  sim::RunOptions options;
  options.folder = folder.path("out");
  const std::vector<std::string> findings = sim::run(*s, options).record.findings;
  REQUIRE(s->reorderings() == 1);
  const auto reported = [&](const std::string& what) {
    return std::any_of(findings.begin(), findings.end(), [&](const std::string& finding) {
      return finding.find(what) != std::string::npos;
    });
  };
  const auto [i, j] = sim::bodyPair(numbers[left], numbers[right]);
  CHECK(reported(fmt::format("through other bodies (body {} ", numbers[fast])));
  CHECK(reported(fmt::format("pairs (bodies {} and {} ", i, j)));
}
