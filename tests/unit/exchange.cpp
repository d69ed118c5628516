// SPDX-License-Identifier: GPL-3.0-or-later
// Exports to exaDEM and LAMMPS number by number, and imports of what they write. Figures without
// another source come from a sheet of runs of LAMMPS (29 Sep 2021) and sources of exaDEM 1.2.2.
#include "scree/sim/exchange/exchange.hpp"

#include "bond_scenes.hpp"
#include "catch.hpp"
#include "command.hpp"
#include "heap_scenes.hpp"

#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/commands.hpp"
#include "scree/sim/law/law_info.hpp"
#include "scree/sim/measure/instant.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::sim;
using Catch::Contains;

namespace {

using Files = std::map<std::string, std::string>;

RunInput inputOf(const ModelBuilder& built) {
  RunInput input;
  input.conf = built.conf;
  input.shapes = built.shapes;
  return input;
}

Files exportedTo(Target target, const RunInput& scene, bool strict = false) {
  Diagnostics diagnostics(strict);
  return exported(scene, target, diagnostics);
}

/// The numbers of the line that begins with `start`, without it; words and brackets are passed.
std::vector<double> numbersBehind(const std::string& text, const std::string& start) {
  const auto at = text.find(start);
  INFO(start << "\n" << text);
  REQUIRE(at != std::string::npos);
  std::string line = text.substr(at + start.size(), text.find('\n', at) - at - start.size());
  std::ranges::replace_if(
      line, [](char c) { return std::string("[],{}:").find(c) < 6; }, ' ');
  std::istringstream words(line);
  std::vector<double> numbers;
  for (std::string word; words >> word;)
    if (const auto number = parseNumber(word)) numbers.push_back(*number);
  return numbers;
}
void checkNear(const std::vector<double>& found, const std::vector<double>& wanted, double within) {
  REQUIRE(found.size() >= wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    CAPTURE(k);
    CHECK(std::abs(found[k] - wanted[k]) <= within * std::max(1.0, std::abs(wanted[k])));
  }
}

/// Balls of these radii on the axis z, or anywhere, as one body.
shape::Shape clump(const std::string& name, const std::vector<Vec3>& at,
                   const std::vector<double>& radii) {
  shape::Shape s;
  s.name = name;
  s.vertices = at;
  s.radius = *std::ranges::max_element(radii);
  if (std::ranges::count(radii, s.radius) < std::ssize(radii)) s.radii = radii;
  mass::survey(s);
  return s;
}
shape::Shape dumbbell() { return clump("dumbbell", {{0, 0, -0.06}, {0, 0, 0.06}}, {0.1, 0.1}); }

/// Three bodies over a plane z = 0, a driven plate of group 0.
scenes::Scene threeBodies() {
  scenes::Scene scene;
  constexpr double c = 0.70710678118654757;
  scene.addDriven(scenes::plate("plate", 5.0, 0.05), {0, 0, -0.05}, 0, Quat(c, c, 0, 0));
  scene.add(scenes::ball("ball", 0.1), {0, 0, 0.5}, 1);
  scene.add(dumbbell(), {0.5, 0, 0.5}, 1);
  ParticleRecord& last = scene.body(scene.add(dumbbell(), {1, 0, 0.5}, 2));
  last.q = Quat(0.9659258262890683, 0, 0.25881904510252074, 0);
  last.vel = Vec3(0.1, 0, -0.2);
  last.vrot = Vec3(0, 1, 2);
  scene.density(1, 2600);
  scene.density(2, 1300);
  for (const auto& [g, h, en2] :
       {std::tuple(0u, 1u, 0.25), {1u, 1u, 0.25}, {0u, 2u, 0.09}, {1u, 2u, 0.09}, {2u, 2u, 0.09}})
    scene.law(g, h, 1e7, en2, 8e6, 0.3);
  scene.conf.gravity = Vec3(0, 0, -9.81);
  scene.conf.dt = 1e-5;
  scene.conf.tmax = 0.4;
  scene.conf.interConf = 0.1;
  return scene;
}

/// Boxes, rods and balls of two groups with different densities and three sizes.
RunInput mixedScene() {
  scenes::Scene scene = scenes::heap("Default");
  for (std::size_t k = 1; k < scene.conf.particles.size(); ++k) {
    scene.conf.particles[k].group = 1 + k % 2;
    scene.conf.particles[k].homothety = std::array{1.0, 0.75, 1.25}[k / 3 % 3];
  }
  scene.density(2, 1700);
  for (const std::uint32_t g : {0u, 1u, 2u}) scene.law(g, 2, 2e5, 0.1, 1e5, 0.5);
  return inputOf(scene);
}

void checkItems(const RunInput& scene, Target target, std::string_view kind,
                const std::set<std::string>& wanted) {
  std::set<std::string> items;
  for (const Loss& loss : lossesOf(scene, target))
    if (loss.fate.name == kind) items.insert(loss.item);
  CHECK(items == wanted);
}

constexpr std::string_view lost = "lost", approximated = "approximated";

}  // namespace

TEST_CASE("each keyword, law, integrator, servo and control has one row of losses", "[exchange]") {
  std::multiset<std::string> items;
  for (const FateRow& row : fateTable())
    for (const std::string& item : row.all()) {
      items.insert(std::string(item));
      for (const Fate& fate : {row.exadem, row.lammps}) CHECK(!fate.text.empty());
    }
  std::set<std::string> keywords, first;
  for (const ConfKeyword& keyword : confKeywords()) keywords.insert(std::string(keyword.name));
  for (const std::string& item : items) {
    INFO(item);
    CHECK(items.count(item) == 1);
    first.insert(item.substr(0, item.find(' ')));
  }
  for (const std::string& keyword : keywords) {
    INFO(keyword);
    CHECK(first.contains(keyword));
  }
  for (const std::string& item : first) {
    INFO(item);
    CHECK((keywords.contains(item) ||
           std::set<std::string>{"#scree", "Control", "Servo", "PeriodicLoading"}.contains(item)));
  }
  for (const LawInfo& law : allLaws()) CHECK(items.count("forceLaw " + std::string(law.name)) == 1);
  for (const ServoInfo& servo : allServos())
    CHECK(items.count("Servo " + std::string(servo.name)) == 1);
}

TEST_CASE("the page of packgen says what that table approximates or loses", "[exchange]") {
  const std::string page = readFile(testing::docsFolder() + "/tools/packgen.md");
  const auto cell = [](const Fate& fate) {
    return std::string(fate.name) + ": " + std::string(fate.text);
  };
  for (const FateRow& row : fateTable())
    if (row.exadem.name != "carried" || row.lammps.name != "carried")
      CHECK_THAT(
          page,
          Contains(" | " + cell(row.exadem) + " | " +
                   (row.lammps.text == row.exadem.text ? "the same" : cell(row.lammps)) + " |\n"));
}

TEST_CASE("three bodies for LAMMPS: masses, tensors, momenta, dashpots", "[exchange][lammps]") {
  const Files files = exportedTo(Target::lammps, inputOf(threeBodies()));
  const std::string& data = files.at("case.data");
  CHECK_THAT(data, Contains("5 atoms\n2 atom types\n") && Contains("\nAtoms # hybrid\n"));
  const std::string atoms = data.substr(data.find("Atoms"));
  checkNear(numbersBehind(atoms, "\n1 "), {1, 0, 0, 0.5, 0.2, 2600, 2}, 1e-12);
  checkNear(numbersBehind(atoms, "\n2 "), {1, 0.5, 0, 0.44, 0.2, 2329.6, 3}, 1e-9);
  checkNear(numbersBehind(atoms, "\n3 "), {1, 0.5, 0, 0.56, 0.2, 2329.6, 3}, 1e-9);
  const std::vector<double> four = numbersBehind(atoms, "\n4 ");
  checkNear(four, {2, 0.97, 0, 0.44803847577293365, 0.2, 1164.8, 4}, 1e-9);
  const std::string& infile = files.at("case.infile");
  CHECK(infile.starts_with("2\n3 "));
  checkNear(numbersBehind(infile, "\n3 "),
            {19.516411322140755, 0.5, 0, 0.5, 0.16237654220021105, 0.16237654220021105,
             0.0820804499034034, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
            1e-9);
  const std::vector<double> third = numbersBehind(infile, "\n4 ");
  CHECK(third.size() == 19);
  checkNear(third,
            {9.758205661070377, 1, 0, 0.5, 0.07115125956300457, 0.08118827110010553,
             0.05107723648880265, 0, -0.01738461393841385, 0, 0.1, 0, -0.2, -0.0347692278768277,
             0.08118827110010553, 0.1021544729776053, 0, 0, 0},
            1e-9);
  const std::string& run = files.at("case.in");
  checkNear(numbersBehind(run, "pair_coeff 1 1 hooke"), {1e7, 0.411395354970, 8e6, 0, 0.3}, 1e-11);
  checkNear(numbersBehind(run, "pair_coeff 1 2 hooke"), {1e7, 0.202599473033, 8e6, 0, 0.3}, 1e-11);
  checkNear(numbersBehind(run, "fix w0t2 type2 wall/gran/region granular hooke"),
            {1e7, 0.202599473033, 8e6, 0, 0.3}, 1e-11);
  checkNear(numbersBehind(run, "region w0 plane"), {0, 0, 0, 0, 0, 1}, 1e-12);
  CHECK_THAT(run, Contains("group singles id 1:1\n") && Contains("group clumps id 2:5\n") &&
                      Contains("gravity 9.81 vector 0 0 -9.81") && Contains("run 40000\n") &&
                      Contains("local 10000 bodies.dump") && Contains("timestep 1e-05\n"));
}

TEST_CASE("three bodies for exaDEM: shapes by density, laws by group", "[exchange][exadem]") {
  const Files files = exportedTo(Target::exadem, inputOf(threeBodies()));
  CHECK_THAT(files.at("case.conf"), Contains("density 0 2600\ndensity 1 2600\ndensity 2 1300\n") &&
                                        Contains("\nnDriven 0\n") && Contains("\nParticles 3\n") &&
                                        Contains("\ndumbbell_2 2 "));
  const std::string& run = files.at("case.msp");
  CHECK_THAT(run, Contains("group1: [0, 0, 0, 1, 1, 2]") &&
                      Contains("group2: [0, 1, 2, 1, 2, 2]") && Contains("driver_id: [0, 0, 0]") &&
                      Contains("simulation_end_iteration: 40000") &&
                      Contains("gravity: [0, 0, -9.81]") && Contains("force_to_accel"));
  checkNear(numbersBehind(run, "damprate:"),
            {1, 0.215453761966, 0.357857130503, 0.215453761966, 0.357857130503, 0.357857130503},
            1e-11);
  const std::string walls = run.substr(run.find("drivers_contact_params"));
  checkNear(numbersBehind(walls, "damprate:"), {1, 0.215453761966, 0.357857130503}, 1e-11);
  checkNear(numbersBehind(run, "cell_size:"), {0.336}, 1e-12);  // 2.1 times the reach of 0.16
  CHECK_THAT(run, Contains("minkowski: 0.05, state: { center: [0, 0, -0.05]"));
  // Each line of the shape-file is one record: a line that is `<` alone, one vertex a line.
  CHECK_THAT(files.at("case.shp"), Contains("\nnv 2\n0 0 -0.06\n0 0 0.06\n") && Contains("<\n"));
}

TEST_CASE("exaDEM gets each body with its mass, moments and surface", "[exchange][exadem]") {
  const RunInput scene = mixedScene();
  const Files files = exportedTo(Target::exadem, scene);
  Diagnostics quiet;
  TextReader confText("case.conf", files.at("case.conf")),
      shapeText("case.shp", files.at("case.shp"));
  const Conf conf = readConf(confText, quiet);
  const std::vector<shape::Shape> shapes = shape::readShapes(shapeText, quiet);
  CHECK(shapes.size() == 18);  // three shapes, three sizes, two densities
  const Instant instant(scene.conf, scene.shapes);
  REQUIRE(conf.particles.size() == 48);
  for (std::size_t k = 0; k < conf.particles.size(); ++k) {
    const ParticleRecord &now = conf.particles[k], &p = scene.conf.particles[k + 1];
    const auto number = static_cast<std::uint32_t>(
        std::ranges::find(shapes, conf.shapeNameOf(now), &shape::Shape::name) - shapes.begin());
    const shape::Shape& s = shapes.at(number);
    const double mass = conf.densityOf(number) * s.volume;  // as its reader does
    CHECK(mass == Approx(instant.masses()[k + 1]).epsilon(1e-14));
    CHECK((mass * s.inertiaPerMass - instant.inertias()[k + 1]).norm() < 1e-14 * mass);
    CHECK((s.vertices[0] - p.homothety * instant.shapeOf(k + 1).vertices[0]).norm() == 0.0);
    CHECK(s.radius == p.homothety * instant.shapeOf(k + 1).radius);
    CHECK((now.pos == p.pos && now.q.coeffs() == p.q.coeffs() && now.vel == p.vel &&
           now.vrot == p.vrot && now.group == p.group && now.homothety == 1.0));
  }
}

TEST_CASE("spheres of a clump weigh as much as it, about its centre", "[exchange][lammps]") {
  scenes::Scene scene;
  scene.density(1, 2600);
  scene.law(1, 1, 1e6, 0.25, 8e5, 0.3);
  SECTION("of two, where only one choice is left") {
    scene.add(clump("T2", {{0, 0, 0}, {0.12, 0, 0}}, {0.1, 0.08}), Vec3::Zero(), 1);
    const Files files = exportedTo(Target::lammps, inputOf(scene));
    checkNear(numbersBehind(files.at("case.infile"), "\n1 "), {15.315264186250243}, 1e-12);
    const std::string data = files.at("case.data");
    const std::string atoms = data.substr(data.find("Atoms"));
    CHECK(numbersBehind(atoms, "\n1 ")[5] == Approx(2488.28125).epsilon(1e-9));
    CHECK(numbersBehind(atoms, "\n2 ")[5] == Approx(2281.18896484375).epsilon(1e-9));
  }
  SECTION("of many in any place") {
    Rng rng(3);
    for (std::size_t n = 3; n < 40; ++n) {
      std::vector<Vec3> at{Vec3::Zero()};
      std::vector<double> radii{0.1};
      while (at.size() < n) {
        at.push_back(at.back() + 0.11 * rng.direction());
        radii.push_back(rng.uniform(0.05, 0.2));
      }
      scene.add(clump("c" + std::to_string(n), at, radii), 5.0 * double(n) * Vec3::UnitX(), 1);
    }
    const Files files = exportedTo(Target::lammps, inputOf(scene));
    const Instant instant(scene.conf, scene.shapes);
    std::vector<double> sums(scene.conf.particles.size());
    std::vector<Vec3> firsts(sums.size(), Vec3::Zero());
    std::istringstream atoms(
        files.at("case.data").substr(files.at("case.data").find("# hybrid") + 8));
    double id = 0, type = 0, x = 0, y = 0, z = 0, d = 0, density = 0;
    std::size_t molecule = 0, count = 0;
    for (; atoms >> id >> type >> x >> y >> z >> d >> density >> molecule; ++count) {
      const double mass = density * pi / 6.0 * d * d * d;
      CHECK(mass > 0.0);
      sums.at(molecule - 1) += mass;
      firsts.at(molecule - 1) += mass * (Vec3(x, y, z) - scene.conf.particles[molecule - 1].pos);
    }
    CHECK(count == 777);  // 3 + ... + 39
    for (std::size_t k = 0; k < sums.size(); ++k) {
      CHECK(sums[k] == Approx(instant.masses()[k]).epsilon(1e-12));
      CHECK(firsts[k].norm() < 1e-12 * sums[k]);
    }
  }
}

TEST_CASE("a run that ends with an output has it, whatever dt", "[exchange][lammps]") {
  scenes::Scene scene = threeBodies();
  scene.conf.dt = 0.4 / 33.3;  // 8.325 steps an output
  CHECK_THAT(exportedTo(Target::lammps, inputOf(scene)).at("case.in"), Contains("\nrun 32\n"));
  scene.conf.tmax = 0.41;
  CHECK_THAT(exportedTo(Target::lammps, inputOf(scene)).at("case.in"), Contains("\nrun 34\n"));
}

TEST_CASE("the dashpot of LAMMPS is ours for each restitution", "[exchange][lammps]") {
  for (const auto& [en2, root] : {std::pair(0.0, -0.121151907567),
                                  {0.0001, -0.072755337750},
                                  {0.01, 0.022393356490},
                                  {0.05, 0.130584127387},
                                  {0.49, 0.635223556535},
                                  {0.81, 0.875561052642},
                                  {1.0, 1.000653771375}}) {
    scenes::Scene scene = threeBodies();
    scene.law(1, 1, 1e7, en2, 8e6, 0.3);
    CHECK(numbersBehind(exportedTo(Target::lammps, inputOf(scene)).at("case.in"),
                        "pair_coeff 1 1 hooke")[1] == Approx(root).margin(1e-11));
  }
}

TEST_CASE("a drum turns in both programs", "[exchange]") {
  scenes::Scene scene;
  for (const double z : {-0.05, 1.05})
    scene.addDriven(scenes::plate("end", 2.0, 0.05), {0, 0, z}, 0,
                    Quat(0.70710678118654757, 0.70710678118654757, 0, 0));
  scene.add(scenes::ball("ball", 0.1), {0.2, -0.4, 0.5}, 1);
  scene.density(1, 2500);
  for (const std::uint32_t g : {0u, 1u}) scene.law(g, 1, 1e6, 0.25, 8e5, 0.3);
  Boundary& drum = scene.conf.boundaries.emplace_back();
  drum.kind = Boundary::Kind::cylinder;
  drum.radius = 1.0;
  drum.spin = Vec3(0, 0, 0.5);
  const RunInput input = inputOf(scene);
  const std::string yaml = exportedTo(Target::exadem, input).at("case.msp");
  CHECK_THAT(yaml, Contains("register_cylinder: { id: 2, state: { center: [0, 0, 0], radius: 1, "
                            "axis: [1, 1, 0], vrot: [0, 0, 0.5] }"));
  const std::string run = exportedTo(Target::lammps, input).at("case.in");
  CHECK_THAT(run,
             Contains("variable turn2 equal 0.5*time\nregion w2 cylinder z 0 0 1 INF INF open 1 "
                      "open 2 rotate v_turn2 0 0 0 0 0 1\nfix w2t1 type1"));
  checkNear(numbersBehind(run, "region w1 plane"), {0, 0, 1, 0, 0, -1}, 1e-12);
  checkItems(input, Target::exadem, approximated, {});
  checkItems(input, Target::lammps, approximated, {"forceLaw Default", "nDriven plates"});
  checkItems(input, Target::lammps, lost, {});
}

TEST_CASE("losses are those of the scene, and --strict refuses them", "[exchange]") {
  RunInput scene = mixedScene();
  scene.conf.interactions.emplace_back().ft = Vec3(0, 1, 0);
  scene.drives = scenes::shaken();
  scene.drives.controls.push_back({Imposed::velocity, 0, 0, Vec3(0.1, 0, 0)});
  checkItems(scene, Target::exadem, lost, {"Interactions", "krContact", "murContact"});
  CHECK_THROWS_WITH(exportedTo(Target::exadem, scene, true), Contains("lost: krContact"));
  CHECK_THAT(exportedTo(Target::exadem, scene).at("case.msp"),
             Contains("LINEAR_MOTION, motion_vector: [1, 0, 0], const_vel: 0.1 }"));
  CHECK_THROWS_WITH(exportedTo(Target::lammps, scene),
                    Contains("shape 'box' has edges or faces") && Contains("clumpify cover"));
  scene.conf.forceLaw = "HertzMindlin";
  CHECK_THROWS_WITH(exportedTo(Target::exadem, scene), Contains("forceLaw HertzMindlin"));
}

TEST_CASE("a glued block arrives loose, which is listed", "[exchange]") {
  const RunInput scene = inputOf(scenes::row(4, "StickedLinks", 1e6, 8e5));
  REQUIRE(scene.conf.interfaces.size() == 3);
  checkItems(scene, Target::exadem, lost,
             {"Interfaces", "knInnerBond", "ktInnerBond", "en2InnerBond", "powInnerBond"});
  checkItems(scene, Target::exadem, approximated, {"forceLaw StickedLinks"});
  const Files files = exportedTo(Target::exadem, scene);
  CHECK_THAT(files.at("losses.txt"), Contains("lost: Interfaces: glued bodies are loose\n"));
  CHECK_THAT(files.at("case.conf"), Contains("\nParticles 3\n") && Contains("density 0 1000\n"));
}

TEST_CASE("periodic cells fit the cells of exaDEM and the box of LAMMPS, or are refused",
          "[exchange]") {
  scenes::Scene scene;
  scene.add(dumbbell(), {-0.25, 0.5, 7.5}, 1);  // 2.1 reaches are 0.336
  scene.density(1, 2600);
  scene.law(1, 1, 1e6, 0.25, 8e5, 0.3);
  scene.conf.cell.used = true;
  scene.conf.cell.h = Vec3(1.5, 3.0, 4.5).asDiagonal();
  RunInput input = inputOf(scene);
  checkItems(input, Target::exadem, lost, {});
  CHECK_THAT(
      exportedTo(Target::exadem, input).at("case.msp"),
      Contains("bounds: [[0, 0, 0], [1.5, 3, 4.5]], grid_dims: [4, 8, 12], cell_size: 0.375") &&
          Contains("periodic: [true, true, true]"));
  Mat3& h = input.conf.cell.h;
  const std::string data = exportedTo(Target::lammps, input).at("case.data");
  CHECK_THAT(data, Contains("0 4.5 zlo zhi # periodic\n"));
  checkNear(numbersBehind(data, "\n1 1 "), {1.25, 0.5, 2.94}, 1e-12);  // wrapped as a whole
  h(0, 1) = 0.5;
  CHECK_THROWS_WITH(exportedTo(Target::exadem, input), Contains("along the axes"));
  CHECK_THROWS_WITH(exportedTo(Target::lammps, input), Contains("along the axes"));
  h = Vec3(1.5, 3.0, 4.6).asDiagonal();
  CHECK_THROWS_WITH(exportedTo(Target::exadem, input), Contains("multiples of one length"));
}

namespace {

/// Calls f with each state of dumps.
std::vector<Conf> statesOf(const std::vector<std::string>& dumps, Target target,
                           const RunInput& like) {
  std::vector<TextReader> in;
  for (const std::string& dump : dumps) in.emplace_back("dump", dump);
  std::vector<Conf> states;
  imported(in, target, like, [&](Conf&& conf) { states.push_back(std::move(conf)); });
  return states;
}

std::string words(const std::vector<double>& numbers) {
  TextWriter out;
  for (const double n : numbers) out.put(n);
  return out.take();
}

/// A frame of bodies.dump. LAMMPS has other body axes, turned by `axes`.
std::string frameOf(int step, const Conf& conf, const Instant& instant, const Quat& axes) {
  std::string text = "ITEM: TIME\n" + std::to_string(step * 1e-5) + "\nITEM: TIMESTEP\n" +
                     std::to_string(step) +
                     "\nITEM: NUMBER OF ENTRIES\n2\nITEM: BOX BOUNDS mm mm mm\n0 9\n0 9\n0 9\n"
                     "ITEM: ENTRIES index";
  for (int k = 1; k <= 15; ++k) text += " c_bodies[" + std::to_string(k) + "]";
  for (const int k : {2, 3}) {
    const ParticleRecord& p = conf.particles[std::size_t(k)];
    const Quat q = p.q * axes;
    text += "\n" + words({double(k), k + 1.0, instant.masses()[std::size_t(k)], p.pos.x(),
                          p.pos.y(), p.pos.z(), p.vel.x(), p.vel.y(), p.vel.z(), q.w(), q.x(),
                          q.y(), q.z(), p.vrot.x(), p.vrot.y(), p.vrot.z()});
  }
  return text + "\n";
}
std::string sphereFrame(int step, const Vec3& pos) {
  return "ITEM: TIME\n" + std::to_string(step * 1e-5) + "\nITEM: TIMESTEP\n" +
         std::to_string(step) +
         "\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS mm mm mm\n0 9\n0 9\n0 9\nITEM: ATOMS mol "
         "mass "
         "xu yu zu vx vy vz omegax omegay omegaz\n" +
         words({2, 10.890854532444616, pos.x(), pos.y(), pos.z(), 0, 0, -1, 0, 0, 3}) + "\n";
}

}  // namespace

TEST_CASE("dumps of LAMMPS become conf-files, whatever axes its bodies have",
          "[exchange][import]") {
  const scenes::Scene scene = threeBodies();
  const RunInput like = inputOf(scene);
  Conf moved = like.conf;
  Rng rng(5);
  for (std::size_t k : {2, 3}) {
    moved.particles[k].q = rng.orientation();
    moved.particles[k].pos += rng.direction();
  }
  const Instant instant(like.conf, like.shapes);
  const Quat axes = rng.orientation();
  const std::string bodies =
                        frameOf(0, like.conf, instant, axes) + frameOf(500, moved, instant, axes),
                    spheres = sphereFrame(0, {0, 0, 0.5}) + sphereFrame(500, {0, 0, 0.09});
  const std::vector<Conf> states = statesOf({bodies, spheres}, Target::lammps, like);
  REQUIRE(states.size() == 2);
  CHECK(states[1].t == Approx(0.005));
  CHECK(states[1].iconf == like.conf.iconf + 1);
  for (std::size_t k : {2, 3}) {
    const ParticleRecord &first = states[0].particles[k], &last = states[1].particles[k];
    CHECK((first.q.coeffs() - like.conf.particles[k].q.coeffs()).norm() < 1e-15);
    CHECK(std::abs(last.q.dot(moved.particles[k].q)) == Approx(1.0).epsilon(1e-14));
    CHECK((last.pos == moved.particles[k].pos && last.vrot == like.conf.particles[k].vrot));
  }
  // The ball stands 0.01 in the plate: the contact has the force of its spring.
  CHECK(states[1].particles[1].vrot == Vec3(0, 0, 3));
  REQUIRE(states[1].interactions.size() >= 1);
  CHECK(states[1].interactions[0].fn == Approx(1e7 * 0.01).epsilon(1e-9));
  // All but contacts and places of lines is the file that was exported.
  Conf first = states[0], given = like.conf;
  for (Conf* conf : {&first, &given}) conf->interactions.clear();
  first.particles[1].vel = first.particles[1].vrot = Vec3::Zero();
  given.precision = first.precision = 12;
  CHECK(confText(first) == confText(given));

  const auto refused = [&](const std::string& b, const std::string& s, const std::string& says) {
    INFO(says);
    CHECK_THROWS_WITH(statesOf({b, s}, Target::lammps, like), Contains(says));
  };
  const auto without = [](std::string text, const std::string& old, const std::string& now) {
    REQUIRE(text.find(old) != std::string::npos);
    return text.replace(text.rfind(old), old.size(), now);
  };
  refused(bodies.substr(0, bodies.size() - 30), spheres, "dump:");
  refused(bodies, sphereFrame(0, {0, 0, 0.5}), "frame");
  refused(without(bodies, "ENTRIES\n2", "ENTRIES\n90000000000"), spheres, "items announced");
  refused(bodies, without(spheres, "\n2 10.8", "\n3 10.8"), "body 2 comes twice");
  refused(bodies, without(spheres, "10.89", "10.99"), "another mass");
  refused(bodies, without(spheres, "TIME\n0.005", "TIME\n0.004"), "t = 0.004, but 0.005");
  refused(bodies.substr(0, bodies.size() - 1), spheres, "ends within a line");
  CHECK_THROWS_WITH(statesOf({bodies}, Target::lammps, like),
                    Contains("body 1 of scene is not in"));
}

TEST_CASE("extended XYZ files of exaDEM become conf-files", "[exchange][import]") {
  scenes::Scene scene = threeBodies();
  scene.conf.cell.used = true;
  scene.conf.cell.h = Vec3(4, 5, 6).asDiagonal();
  const RunInput like = inputOf(scene);
  const std::string head =
      "3\nLattice=\"4 0 0 0 5 0 0 0 6\" "
      "Properties=species:S:1:pos:R:3:vel:R:3:id:I:1:orient:R:4:vrot:"
      "R:3 Time=0.25\n";
  const std::string text = head +
                           "XX 1 2 3 0 0 1 2 0 1 0 0 7 8 9\n"
                           "XX -1 2 9 0 0 2 0 1 0 0 0 0 0 0\nXX 3 3 3 0 0 3 1 1 0 0 0 0 0 0\n";
  const Conf state = statesOf({text}, Target::exadem, like).at(0);
  CHECK(state.t == 0.25);
  CHECK(state.cell.h == like.conf.cell.h);
  CHECK(state.particles[1].pos == Vec3(3, 2, 3));  // id 0, in the cell
  CHECK(state.particles[3].vel == Vec3(0, 0, 1));
  CHECK(state.particles[3].q.x() == 1.0);
  CHECK(state.particles[3].vrot == Vec3(7, 8, 9));
  CHECK(state.particles[3].group == 2);
  for (const auto& [old, now, says] :
       std::vector<std::array<std::string, 3>>{{"3\nL", "4\nL", "species"},
                                               {"Lattice=\"4", "Lattice=\"5", "the box measures"},
                                               {"orient:R", "quat:R", "there is no column orient"},
                                               {"0 1 0 0 7", "0 2 0 0 7", "unit quaternion"},
                                               {"XX 3 3 3", "XX 3 3 inf", "inf"}}) {
    std::string bad = text;
    INFO(now);
    CHECK_THROWS_WITH(statesOf({bad.replace(bad.find(old), old.size(), now)}, Target::exadem, like),
                      Contains(says));
  }
}
