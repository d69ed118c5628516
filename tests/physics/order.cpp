// SPDX-License-Identifier: GPL-3.0-or-later
// Runs keep their bodies by place; what comes out goes by the numbers of the file.
#include "catch.hpp"
#include "cell_scenes.hpp"
#include "command.hpp"
#include "heap_scenes.hpp"

#include "scree/sim/diagnosis.hpp"
#include "scree/sim/extract/track_body.hpp"
#include "scree/sim/run.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

using namespace scree;
using namespace scree::scenes;
using sim::BodyId;

namespace {

/// Numbers drawn by lot; those of driven bodies stay, and those of the first three others, so that
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
/// As a state of a run in the order of its file, some steps before its bodies are sorted anew.
constexpr std::uint64_t before = 348;
Scene unsorted(Scene scene) {
  scene.conf.runState = sim::RunState{0.0, 2048 - before};
  scene.conf.t = static_cast<double>(2048 - before) * scene.conf.dt;
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

  // What is told of bodies is told by the numbers of the file.
  const auto deepest = [](const sim::Conf& c) {
    return *std::min_element(c.interactions.begin(), c.interactions.end(),
                             [](const auto& x, const auto& y) { return x.dn < y.dn; });
  };
  const sim::Overlaps one = sim::overlapsOf(*plain), other = sim::overlapsOf(*drawn);
  CHECK(one.worstDepth == other.worstDepth);
  CHECK(std::pair(other.i, other.j) == sim::bodyPair(numbers[one.i], numbers[one.j]));
  CHECK(-deepest(a).dn >= one.worstDepth);
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
  const std::string integrator = GENERATE("velocityVerlet", "Beeman");
  Scene scene = heap("Default", {300});
  const bool round = GENERATE(false, true);
  if (round)
    scene.conf.boundaries = {{sim::Boundary::Kind::cylinder, Vec3(0, 2, 0), Vec3::UnitY(), 1.2, 1}};
  scene.conf.integrator = integrator;
  scene = unsorted(renumbered(scene, drawNumbers(scene)));
  auto unbroken = scene.start(2, shaken());
  for (int k = 0; k < 600; ++k) unbroken->step();
  auto part = scene.start(1, shaken());
  for (const std::uint64_t steps : {1u, 346u, 1u, 1u, 251u}) {
    part->steps(steps);
    part = savedAndBegun(*part, shaken());
  }
  CHECK(unbroken->reorderings() > 0);
  CHECK(part->stepIndex() == unbroken->stepIndex());
  CHECK(part->stateHash() == unbroken->stateHash());
  CHECK(part->energyBudget().residual == unbroken->energyBudget().residual);
}

TEST_CASE("so does one in a periodic cell", "[physics][order]") {
  Scene scene = soup(aslant(2.0), 0.5, 0.4, 6);
  scene = unsorted(renumbered(scene, drawNumbers(scene)));
  auto unbroken = scene.start(3), part = scene.start(1);
  unbroken->steps(600);
  for (const std::uint64_t steps : {200u, 148u, 1u, 251u}) {
    part->steps(steps);
    part = savedAndBegun(*part, {});
  }
  CHECK(unbroken->reorderings() == 1);
  CHECK(part->stateHash() == unbroken->stateHash());
}

TEST_CASE("a state without order goes on in that of its file until its bodies are sorted anew",
          "[physics][order]") {
  const Scene scene = heap("Default", {300});
  auto s = renumbered(scene, drawNumbers(scene)).start();
  s->steps(1700);
  sim::Conf conf = s->conf();
  CHECK(conf.order.size() == conf.particles.size());
  conf.order.clear();
  Diagnostics quiet;
  sim::Simulation plain(conf, s->shapes(), {}, 1, quiet);
  CHECK(plain.bodyOrder().ofFile());
  CHECK(plain.stateHash() == s->stateHash());  // no step yet
  plain.steps(347);
  CHECK(plain.bodyOrder().ofFile());
  plain.steps(1);
  CHECK(!plain.bodyOrder().ofFile());
  conf.runState.reset();  // no state of a run: sorted at the start
  CHECK(!sim::Simulation(conf, s->shapes(), {}, 1, quiet).bodyOrder().ofFile());
}

TEST_CASE("an order that is none is refused with its line", "[physics][order]") {
  auto s = heap("Default", {200}).start();
  const std::string text = sim::confText(s->conf());
  const auto start = [&](const std::string& order, const std::string& with) {
    std::string other = text;
    other.replace(other.find(order), order.size(), with);
    TextReader in("a.conf", other);
    Diagnostics quiet;
    sim::Conf conf = sim::readConf(in, quiet);
    sim::Simulation begun(conf, s->shapes(), {}, 1, quiet);
    return begun.bodyOrder().ofFile();
  };
  CHECK_THROWS_WITH(
      start("#scree order 0 ", "#scree order 1 "),
      Catch::Contains("a.conf:3") && Catch::Contains("#scree order: order of bodies"));
  CHECK_THROWS_WITH(start("#scree order 0 ", "#scree order x "),
                    Catch::Contains("a.conf:3:14") && Catch::Contains("#scree order"));
  CHECK_THROWS_WITH(start("#scree order 0 ", "#scree order 0 -5 "), Catch::Contains("a.conf:3:16"));
  CHECK(start("#scree order 0 ", "#scree order "));  // not of so many bodies: no order of theirs
}

TEST_CASE("the look-out and the tables of a run follow its order", "[physics][order]") {
  const testing::Folder folder;
  Scene scene = heap("Default", {480});
  scene = unsorted(renumbered(scene, drawNumbers(scene)));
  scene.conf.shapeFile.clear();
  scene.conf.tmax = 2300 * scene.conf.dt;
  scene.conf.interConf = 300 * scene.conf.dt;
  auto alone = scene.start(), watched = scene.start(2);
  alone->steps(2290 - alone->stepIndex());
  sim::RunOptions options;
  options.folder = folder.path("out");
  constexpr BodyId body = 9;
  options.extractors = {{sim::TrackBody{body}, "body.txt", 100, {}}};
  sim::run(*watched, options);
  while (watched->stepIndex() > alone->stepIndex()) alone->step();
  REQUIRE(alone->stepIndex() == watched->stepIndex());
  CHECK(watched->reorderings() > 0);
  CHECK(watched->stateHash() == alone->stateHash());

  // The table gives the forces of its steps; the same from contacts alone.
  auto again = scene.start();
  const std::uint64_t first = again->stepIndex();
  std::istringstream table(folder.read("out/body.txt"));
  std::uint64_t rows = 0, seen = first;
  bool touched = false;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream in(line);
    std::vector<double> numbers;
    for (double x; in >> x;) numbers.push_back(x);
    while (again->stepIndex() % 100 != 1 || again->stepIndex() == seen) again->step();
    seen = again->stepIndex();
    const sim::Conf conf = again->conf();
    touched |= std::any_of(conf.interactions.begin(), conf.interactions.end(),
                           [](const auto& r) { return r.key.i == body || r.key.j == body; });
    const sim::Row row = sim::TrackBody{body}.row(sim::snapshotOf(conf, again->shapes()));
    REQUIRE(row.size() == numbers.size());
    for (std::size_t k = 0; k < row.size(); ++k)
      if (const double* x = std::get_if<double>(&row[k]))
        CHECK(numbers[k] == Approx(*x).epsilon(1e-9).margin(1e-7));
    ++rows;
  }
  CHECK(touched);
  CHECK(rows == (watched->stepIndex() - first) / 100);
}
