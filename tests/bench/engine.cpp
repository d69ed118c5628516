// SPDX-License-Identifier: GPL-3.0-or-later
// Cost of a step of the engine, case by case. For the figures see docs/performance.md.
//     `bench_engine dodecahedra 600`
//     `bench_engine balls 100000 --threads 2`
//     `bench_engine dodecahedra 600 --threads 2 --turns 200`
//     `bench_engine dodecahedra 10000 --tiles 2 5`
//     `bench_engine dodecahedra 100000 --critical-path 128`
//     `bench_engine terrain 1000000`
//     `bench_engine file --conf run/conf0 --steps 70000`
// Heaps are settled first; `--states DIR` keeps what came out, and the next call begins there.
#include "engine/engine.hpp"

#include "critical_path.hpp"
#include "detect/many_contact_pair.hpp"
#include "scenes_at_scale.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/run.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <sched.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace scree;

namespace {

struct Case {
  std::function<scenes::Scene(std::size_t)> make;
  double settle;  ///< [T] that the figures of the docs were settled for
  const char* per;
};
const std::map<std::string, Case> cases{
    {"dodecahedra", {scenes::dodecahedra, 4.0, "bodies in a box"}},
    {"mixed", {scenes::mixed, 4.0, "boxes and tetrahedra in a box"}},
    {"balls", {scenes::balls, 5.0, "balls in a box"}},
    {"glued", {[](std::size_t n) { return scenes::gluedBlock(n, 0.0); }, 0.0, "glued cubes"}},
    {"breaking", {[](std::size_t n) { return scenes::gluedBlock(n, 6.0); }, 0.0, "glued cubes"}},
    {"terrain",
     {[](std::size_t triangles) {
        return scenes::boulderOnTerrain(static_cast<std::uint32_t>(
            std::lround(std::sqrt(0.5 * static_cast<double>(triangles)))));
      },
      0.0, "triangles under a boulder"}},
    {"file", {nullptr, 0.0, "what a conf-file holds"}}};

struct Cost {
  double wall = 0.0, cpu = 0.0;  ///< [s]
};
class Stopwatch {
 public:
  Cost read() const {
    return {std::chrono::duration<double>(Clock::now() - wall_).count(),
            static_cast<double>(std::clock() - cpu_) / CLOCKS_PER_SEC};
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point wall_ = Clock::now();
  std::clock_t cpu_ = std::clock();
};

double quantile(std::vector<double> v, double share) {
  std::sort(v.begin(), v.end());
  return v[static_cast<std::size_t>(share * static_cast<double>(v.size() - 1) + 0.5)];
}
double median(const std::vector<double>& v) { return quantile(v, 0.5); }

struct Options {
  std::string name, states, write, conf;
  std::size_t size = 600;
  int threads = 1, criticalPath = 0;
  std::uint64_t steps = 1000;
  int repeats = 3;
  std::size_t turns = 0;
  double settle = -1.0, shake = 0.0, seams = 0.4;
  std::vector<std::size_t> tiles;
};

/// Takes a scene `settle` further in time, or to where an earlier call has left it in `path`.
void settle(scenes::Scene& scene, double settle, const std::string& path) {
  Diagnostics quiet(true);
  if (!path.empty() && std::filesystem::exists(path)) {
    scene.conf = sim::readConfFromFile(path, quiet);
    return;
  }
  const auto simulation = scene.start(threadCount(0));
  const auto steps = static_cast<std::uint64_t>(std::lround(settle / scene.conf.dt));
  const bool terminal = isatty(STDERR_FILENO) == 1;
  for (std::uint64_t s = 0; s < steps; ++s) {
    if (s % 100 == 0 && terminal)
      std::fprintf(stderr, "\rsettling %3.0f %%",
                   100.0 * static_cast<double>(s) / static_cast<double>(steps));
    simulation->step();
  }
  if (terminal) std::fprintf(stderr, "\r              \r");
  scene.conf = simulation->conf();
  if (!path.empty()) writeFile(path, sim::confText(scene.conf), Existing::replace);
}

/// The scene as it stands once settled.
scenes::Scene settled(const Options& o) {
  const Case& c = cases.at(o.name);
  if (!c.make) {
    Diagnostics quiet(true);
    scenes::Scene scene;
    scene.conf = sim::readConfFromFile(o.conf, quiet);
    scene.shapes = sim::shapesOf(scene.conf, quiet);
    return scene;
  }
  scenes::Scene scene = c.make(o.size);
  const double time = o.settle < 0.0 ? c.settle : o.settle;
  if (time == 0.0) return scene;
  const std::string name = fmt::format("{}/{}-{}-{}", o.states, o.name, o.size, time);
  const auto path = [&](const std::string& stem) {
    return o.states.empty() ? std::string() : stem + ".conf";
  };
  settle(scene, time, path(name));
  if (o.tiles.empty()) return scene;
  scene = scenes::tiled(scene, o.tiles[0], o.tiles[1]);
  settle(scene, o.seams, path(fmt::format("{}-{}x{}-{}", name, o.tiles[0], o.tiles[1], o.seams)));
  return scene;
}

/// Counts that steps found, by samples of one in 16: reading it costs more than a step without
/// contacts.
struct Found {
  std::vector<sim::ShapeGeometry> geometries;
  double samples = 0.0, candidates = 0.0, due = 0.0, contacts = 0.0;

  explicit Found(const std::vector<shape::Shape>& shapes) {
    for (const shape::Shape& s : shapes) geometries.push_back(sim::shapeGeometry(s));
  }
  sim::BodyPose poseOf(const sim::Bodies& bodies, sim::BodyId k) const {
    sim::BodyPose p;
    p.shape = &geometries[bodies.shape[k]];
    p.pos = bodies.pos[k];
    p.scale = bodies.homothety[k];
    p.turn = p.scale * rotationMatrix(bodies.q[k]);
    p.radius = p.scale * p.shape->radius;
    return p;
  }
  /// Due are those that a step as long as the last would look at, from where bodies stand now.
  void add(const sim::Simulation& simulation) {
    const sim::Contacts& c = sim::engineOf(simulation).lists().contacts;
    const sim::Bodies& bodies = simulation.bodies();
    ++samples;
    contacts += static_cast<double>(simulation.contactCount());
    for (const sim::NeighbourPair& pair : c.pairs) {
      candidates += pair.count;
      const double next = bodies.displacement[pair.a] + bodies.lastMove[pair.a] +
                          bodies.displacement[pair.b] + bodies.lastMove[pair.b];
      if (pair.skipUntil > next) continue;
      if (!pair.hasPlanes()) {
        for (const sim::Candidate& candidate : c.candidatesOf(pair))
          due += candidate.skipUntil <= next;
        continue;
      }
      sim::PairPlanes planes = c.poolOf(pair).planes[pair.planes];
      const sim::ManyContactPair selection(planes, pair, c.candidatesOf(pair),
                                           poseOf(bodies, pair.a), poseOf(bodies, pair.b), next);
      for (std::size_t k = selection.next(0); k < pair.count; k = selection.next(k + 1)) ++due;
    }
  }
};

/// The processors that this program may run on.
std::vector<int> processors() {
  cpu_set_t allowed;
  std::vector<int> which;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return which;
  for (int k = 0; k < CPU_SETSIZE; ++k)
    if (CPU_ISSET(k, &allowed)) which.push_back(k);
  return which;
}

/// Steps of a run on one thread that stays on its processor.
class LoneRun {
 public:
  LoneRun(const scenes::Scene& scene, int processor)
      : processor_(processor), simulation_(scene.start(1)) {}
  /// @returns microseconds a step
  double window(std::uint64_t steps) {
    double cost = 0.0;
    begin(steps, cost).join();
    return cost;
  }
  std::thread begin(std::uint64_t steps, double& cost) {
    return std::thread([this, steps, &cost] {
      cpu_set_t here;
      CPU_ZERO(&here);
      CPU_SET(processor_, &here);
      sched_setaffinity(0, sizeof here, &here);
      cost = stepping(*simulation_, steps);
    });
  }
  static double stepping(sim::Simulation& simulation, std::uint64_t steps) {
    const Stopwatch time;
    simulation.steps(steps);
    return 1e6 * time.read().wall / static_cast<double>(steps);
  }
  std::uint64_t stateHash() const { return simulation_->stateHash(); }

 private:
  int processor_;
  std::unique_ptr<sim::Simulation> simulation_;
};

/// Windows of a run on many threads in turns with runs of one thread each, alone and side by side.
/// So whatever else the machine does falls on all of them. How fast two runs are side by side is
/// what its cores can give. They may be of unlike speed, or share the parts of one.
int takeTurns(const scenes::Scene& scene, const Options& o) {
  const auto cores = processors();
  const auto threads = static_cast<std::size_t>(o.threads);
  if (cores.size() < threads)
    throw Error(fmt::format("--turns: expected a core for each of {} threads, found {}", threads,
                            cores.size()));
  const auto team = scene.start(o.threads);
  std::vector<LoneRun> lone;
  for (std::size_t k = 0; k < threads; ++k) lone.emplace_back(scene, cores[k]);
  const auto sideBySide = [&] {
    std::vector<double> costs(threads);
    std::vector<std::thread> running;
    for (std::size_t k = 0; k < threads; ++k) running.push_back(lone[k].begin(o.steps, costs[k]));
    for (std::thread& t : running) t.join();
    return costs;
  };
  const auto rate = [](const std::vector<double>& costs) {
    double sum = 0.0;
    for (const double cost : costs) sum += 1.0 / cost;
    return sum;
  };
  std::vector<double> alone, beside, together, times, share;
  for (std::size_t turn = 0; turn <= o.turns; ++turn) {
    std::vector<double> costs;
    for (LoneRun& run : lone) costs.push_back(run.window(o.steps));
    const double all = rate(sideBySide());
    const double cost = LoneRun::stepping(*team, 2 * o.steps);
    if (turn == 0) continue;  // until caches are warm
    alone.insert(alone.end(), costs.begin(), costs.end());
    beside.push_back(1.0 / all);
    together.push_back(cost);
    times.push_back(static_cast<double>(threads) / rate(costs) / cost);
    share.push_back(100.0 / all / cost);
  }
  fmt::print("{} {} ({}), {} turns of {} steps: least, quarter, median, three quarters\n", o.name,
             o.size, cases.at(o.name).per, o.turns, o.steps);
  const auto line = [](const std::string& what, const std::vector<double>& v) {
    fmt::print("  {:<44}", what);
    for (const double q : {0.0, 0.25, 0.5, 0.75}) fmt::print(" {:8.4g}", quantile(v, q));
    fmt::print("\n");
  };
  line("one thread alone, us a step", alone);
  line(fmt::format("{} runs side by side, us a step of any", threads), beside);
  line(fmt::format("one run on {} threads, us a step", threads), together);
  line("times as fast as one thread", times);
  line("share of what runs side by side do, %", share);
  bool same = true;
  for (const LoneRun& run : lone) same &= run.stateHash() == team->stateHash();
  fmt::print("  the same state: {}\n", same ? "yes" : "NO");
  return same ? 0 : 1;
}

int bench(const Options& o) {
  scenes::Scene scene = settled(o);
  if (o.shake > 0.0) {
    Rng rng(3);
    const auto any = [&](double most) {
      const double x = rng.uniform(-most, most), y = rng.uniform(-most, most),
                   z = rng.uniform(-most, most);
      return Vec3(x, y, z);
    };
    for (std::size_t k = scene.conf.nDriven; k < scene.conf.particles.size(); ++k) {
      scene.conf.particles[k].vel += any(o.shake);
      scene.conf.particles[k].vrot += any(2.0 * o.shake);
    }
  }
  if (!o.write.empty()) {
    scene.conf.tmax = scene.conf.t + (static_cast<double>(o.steps) - 0.5) * scene.conf.dt;
    writeFile(o.write + "/scene.shp", shape::shapesText(scene.shapes), Existing::replace);
    writeFile(o.write + "/scene.conf", sim::confText(scene.conf), Existing::replace);
    return 0;
  }
  if (o.turns > 0) return takeTurns(scene, o);
  std::vector<double> wall, cpu, start;
  std::string last;
  for (int repeat = 0; repeat < o.repeats; ++repeat) {
    const Stopwatch starting;
    const auto simulation = scene.start(o.threads);
    start.push_back(starting.read().wall);
    const std::uint64_t searches = simulation->pairSearches(),
                        updates = sim::engineOf(*simulation).lists().bodyUpdates;
    const Stopwatch stepping;
    simulation->steps(o.steps);
    const Cost cost = stepping.read();
    wall.push_back(cost.wall);
    cpu.push_back(cost.cpu);
    if (repeat + 1 < o.repeats) continue;

    Found found(scene.shapes);
    if (!cases.at(o.name).make) {
      const auto again = scene.start(o.threads);
      for (std::uint64_t s = 0; s < o.steps; ++s) {
        again->step();
        if (s % 16 == 0) found.add(*again);
      }
    }
    const double steps = static_cast<double>(o.steps);
    const std::size_t bodies = simulation->bodies().size(),
                      free = bodies - simulation->bodies().driven;
    const sim::Contacts& contacts = sim::engineOf(*simulation).lists().contacts;
    std::size_t candidates = 0;
    for (const sim::NeighbourPair& pair : contacts.pairs) candidates += pair.count;
    const double perStep = 1e6 * median(wall) / steps,
                 perParticle = perStep / static_cast<double>(free);
    fmt::print("{} {} ({}), {} threads, {} steps, median of {}\n", o.name, o.size,
               cases.at(o.name).per, o.threads, o.steps, o.repeats);
    fmt::print("  {:.4g} us a step, {:.4g} us a particle and step; processor {:.4g} us a step\n",
               perStep, perParticle, 1e6 * median(cpu) / steps);
    fmt::print("  start {:.4g} ms\n", 1e3 * median(start));
    fmt::print(
        "  {} contacts, {} bonds, {} neighbour pairs, {} candidates; {:.3g} contacts/s, "
        "{:.3g} sub-element pairs/s\n",
        simulation->contactCount(), simulation->bonds().all().size(), contacts.pairs.size(),
        candidates,
        static_cast<double>(simulation->contactCount() + simulation->bonds().all().size()) * 1e6 /
            perStep,
        static_cast<double>(candidates) * 1e6 / perStep);
    fmt::print("  {:.3g} pair searches a step, {} lists of bodies\n",
               static_cast<double>(simulation->pairSearches() - searches) / steps,
               sim::engineOf(*simulation).lists().bodyUpdates - updates);
    if (found.samples > 0.0)
      fmt::print("  a step, on average: {:.0f} candidates, {:.1f} of them awake, {:.2f} contacts\n",
                 found.candidates / found.samples, found.due / found.samples,
                 found.contacts / found.samples);
    double all = 0.0;
    const auto seconds = [&](std::size_t s) {
      return sim::engineOf(*simulation)
          .stageTimes()
          .seconds(static_cast<sim::StageTimes::Stage>(s));
    };
    for (std::size_t s = 0; s < sim::StageTimes::count; ++s) all += seconds(s);
    fmt::print(" ");
    for (std::size_t s = 0; all > 0.0 && s < sim::StageTimes::count; ++s)  // some steps are timed
      fmt::print(" {} {:.1f} %", sim::StageTimes::names[s], 100.0 * seconds(s) / all);
    fmt::print("\n  state {:016x}\n", simulation->stateHash());
    fmt::print("  {:.4g} kB of memory a particle, all of the program\n",
               1e-3 * static_cast<double>(sim::peakMemoryBytes()) / static_cast<double>(free));
    if (o.criticalPath > 0)
      critical::printCriticalPath(
          *simulation, o.criticalPath, 1e6 * *std::ranges::min_element(cpu) / steps,
          static_cast<double>(sim::engineOf(*simulation).lists().bodyUpdates - updates) / steps);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Costs of a step, by case and size.");
  Options o;
  std::vector<std::string> names;
  for (const auto& [name, unused] : cases) names.push_back(name);
  app.add_option("case", o.name, "which scene")->required()->check(CLI::IsMember(names));
  app.add_option("size", o.size, "how many bodies, or triangles of the terrain")
      ->check(CLI::Range(1, 10'000'000));
  app.add_option("--conf", o.conf, "the file of the case `file`")->check(CLI::ExistingFile);
  app.add_option("-j,--threads", o.threads, "threads")->check(CLI::Range(1, 256));
  app.add_option("--steps", o.steps, "steps that are measured");
  app.add_option("--repeats", o.repeats, "runs; the median counts")->check(CLI::Range(1, 100));
  app.add_option("--turns", o.turns,
                 "so many windows of --steps steps, in turns with runs on one thread")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--critical-path", o.criticalPath,
                 "also compute the time of a step on up to N threads from measured parts")
      ->check(CLI::Range(1, 128));
  app.add_option("--settle", o.settle, "time that the heap is given to settle, s");
  app.add_option("--tiles", o.tiles, "so many settled heaps along x and z, as one")
      ->expected(2)
      ->check(CLI::Range(1, 100));
  app.add_option("--seams", o.seams, "time that the seams of tiles are given to settle, s")
      ->capture_default_str();
  app.add_option("--shake", o.shake, "random velocities added once settled, m/s");
  app.add_option("--states", o.states, "folder that keeps settled heaps")
      ->check(CLI::ExistingDirectory);
  app.add_option("--write", o.write, "write scene.conf and scene.shp for rockable here, and end")
      ->check(CLI::ExistingDirectory);
  CLI11_PARSE(app, argc, argv);
  if ((o.name == "file") == o.conf.empty()) {
    std::fprintf(stderr, "bench_engine: the case `file`, and no other, has a --conf FILE\n");
    return 2;
  }
  try {
    return bench(o);
  } catch (const Error& e) {
    std::fprintf(stderr, "bench_engine: %s\n", e.what());
    return 3;
  }
}
