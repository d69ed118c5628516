// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/base/table.hpp"
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/measure/instant.hpp"

#include <cmath>
#include <string>

using namespace scree;
using namespace scree::sim;

namespace {

/// A floor, a ball on it and a rod that leans on the ball: bodies 0, 1, 2.
struct ThreeBodies {
  Conf conf;
  std::vector<shape::Shape> shapes;

  ThreeBodies() {
    shape::Shape floor, ball, rod;
    floor.radius = 0.5;
    floor.vertices = {{-2, 0, -2}, {2, 0, -2}, {2, 0, 2}, {-2, 0, 2}};
    ball.radius = 1.0;
    ball.vertices = {Vec3::Zero()};
    rod.radius = 0.25;
    rod.vertices = {{-1, 0, 0}, {1, 0, 0}};
    shapes = {floor, ball, rod};

    conf.source = "conf7";
    conf.t = 0.125;
    conf.iconf = 7;
    conf.nDriven = 1;
    conf.particles.resize(3);
    conf.particles[1].shapeName = 1;
    conf.particles[1].cluster = 4;
    conf.particles[1].pos = {0, 1.5, 0};
    conf.particles[1].vel = {1, -2, 3};
    conf.particles[1].vrot = {0.5, 0, -0.5};
    conf.particles[2].shapeName = 2;
    conf.particles[2].cluster = 4;
    conf.particles[2].homothety = 2.0;
    conf.particles[2].pos = {4, 1.5, 0};
    conf.particles[2].q = Quat(std::sqrt(0.5), 0, 0, std::sqrt(0.5));  // x becomes y

    // Ball (i) on the floor (j): pushed up with 10 N, dragged along x with 2 N, at its lowest
    // point.
    InteractionRecord onFloor;
    onFloor.key = {1, 0, Pairing::vertexFace, 0, 0};
    onFloor.n = {0, 1, 0};
    onFloor.pos = {0, 0.5, 0};
    onFloor.fn = 10;
    onFloor.ft = {2, 0, 0};
    onFloor.mom = {0, 0, 0.25};
    // Ball (i) and rod (j) meet at (1, 1.5, 0); the rod pushes the ball to -x with 4 N.
    InteractionRecord withRod;
    withRod.key = {1, 2, Pairing::vertexEdge, 0, 0};
    withRod.n = {-1, 0, 0};
    withRod.pos = {1, 1.5, 0};
    withRod.fn = 4;
    withRod.ft = {0, 1, 0};
    conf.interactions = {onFloor, withRod};
  }
};

Extractor extractorOf(std::string_view name, std::vector<double> values = {}) {
  return {*std::ranges::find(extractorKinds(), name, &Kind::inRun), std::move(values)};
}

std::string line(const Extractor& extractor, const Conf& conf,
                 const std::vector<shape::Shape>& shapes = {}) {
  return tableText(TableFormat::txt, {"", "", extractor.columns()},
                   extractor.rows(Instant(conf, shapes)));
}

/// A value of the first row of an extractor.
double value(const Extractor& extractor, const Conf& conf, const std::vector<shape::Shape>& shapes,
             std::string_view column) {
  return Table{"", extractor.columns(), extractor.rows(Instant(conf, shapes))}.number(0, column);
}
double track(const ThreeBodies& model, BodyId body, std::string_view column) {
  return value(extractorOf("TrackBody", {double(body)}), model.conf, model.shapes, column);
}

}  // namespace

TEST_CASE("TrackBody sums the contacts of a body, of either side, and nothing else", "[extract]") {
  const ThreeBodies model;
  const std::string names = "# t x y z vx vy vz qw qx qy qz wx wy wz fx fy fz mx my mz\n";
  // Force on the ball: (2, 10, 0) + (-4, 1, 0). Moments: (0,-1,0) x (2,10,0) + (0,0,0.25) and
  // (1,0,0) x (-4,1,0).
  CHECK(line(extractorOf("TrackBody", {1}), model.conf) ==
        names + "0.125 0 1.5 0 1 -2 3 1 0 0 0 0.5 0 -0.5 -2 11 0 0 0 3.25\n");
  // The rod has the opposite force, at 3 m from its centre: (-3,0,0) x (4,-1,0).
  CHECK(track(model, 2, "fx") == 4.0);
  CHECK(track(model, 2, "fy") == -1.0);
  CHECK(track(model, 2, "mz") == 3.0);
  // The floor: -(2, 10, 0) at (0, 0.5, 0), and the moment that the ball got.
  CHECK(track(model, 0, "fy") == -10.0);
  CHECK(track(model, 0, "mz") == 1.0 - 0.25);
}

TEST_CASE("TrackBody counts joints, the body force and the viscosity of bonds", "[extract]") {
  ThreeBodies model;
  Conf& conf = model.conf;
  conf.interactions.clear();
  // A spring of 100 N/m, 3 m at rest, between the centres of ball and rod, 4 m apart.
  SpringJoint joint;
  joint.i = 1;
  joint.j = 2;
  joint.stiffness = 100.0;
  joint.restLength = 3.0;
  conf.joints = {joint};
  CHECK(track(model, 1, "fx") == 100.0);
  CHECK(track(model, 2, "fx") == -100.0);
  CHECK(track(model, 0, "fx") == 0.0);
  conf.joints[0].restLength = -1.0;  // not known: nan, never a sum of what is left
  CHECK(std::isnan(track(model, 1, "fx")));
  CHECK(track(model, 0, "fx") == 0.0);
  conf.joints.clear();

  // m a towards the origin: the ball stands above it.
  model.shapes[1].volume = 2.0;
  conf.setDensity(0, 50.0);
  conf.bodyForce = AttractingPoint{Vec3::Zero(), 3.0};
  CHECK(track(model, 1, "fy") == -300.0);
  CHECK(track(model, 0, "fy") == 0.0);  // driven
  model.shapes.clear();
  CHECK(std::isnan(track(model, 1, "fy")));
  CHECK(track(model, 0, "fy") == 0.0);
  conf.bodyForce.reset();

  // A bond that slides along y with 2 m/s and opens with 7 m/s: damp times the sliding velocity.
  InteractionRecord r;
  r.key = {1, 2, Pairing::vertexVertex, 0, 0};
  r.n = {-1, 0, 0};
  r.pos = {1, 1.5, 0};
  r.ft = {0, 1, 0};
  r.vel = {7, 2, 0};
  r.damp = 10.0;
  conf.interactions = {r};
  CHECK(track(model, 1, "fy") == 1.0);  // a contact
  InterfaceRecord face;
  face.i = 1;
  face.j = 2;
  face.bonds.push_back({Pairing::vertexVertex, 0, 0, Vec3::Zero()});
  conf.interfaces = {face};
  CHECK(track(model, 1, "fy") == 1.0);  // a file of Rockable: it stands in ft
  conf.makeState().runState = RunState{};
  CHECK(track(model, 1, "fy") == 21.0);
  CHECK(track(model, 1, "fx") == 0.0);
  CHECK(track(model, 2, "fy") == -21.0);
  conf.saved->summedClock.emplace();
  CHECK(track(model, 1, "fy") == 1.0);
}

TEST_CASE("ClusterAABB boxes all bodies of a cluster, homothety and rounding included",
          "[extract]") {
  const ThreeBodies model;
  // The ball reaches from -1 to 1; the rod stands upright at x = 4, 2 long each way, 0.5 thick.
  const std::pair<const char*, double> expected[] = {{"xmin", -1},        {"ymin", 1.5 - 2.5},
                                                     {"zmin", -1},        {"xmax", 4.5},
                                                     {"ymax", 1.5 + 2.5}, {"zmax", 1}};
  for (const auto& [name, x] : expected)
    CHECK(value(extractorOf("ClusterAABB", {4}), model.conf, model.shapes, name) ==
          Approx(x).epsilon(1e-15));
}

TEST_CASE("TrackRockfall is TrackBody, and knows when a block rests", "[extract]") {
  const ThreeBodies model;
  const Extractor fall = extractorOf("TrackRockfall", {1, 0.5, 0.2});
  CHECK(line(fall, model.conf) == line(extractorOf("TrackBody", {1}), model.conf));
  const Vec3 slow(0.3, 0, 0), turning(0, 0, 0.1), still = Vec3::Zero(), g(0, -9.81, 0);
  CHECK(rests(fall, slow, turning, still, g, 1.0));
  CHECK_FALSE(rests(fall, 2 * slow, turning, still, g, 1.0));
  CHECK_FALSE(rests(fall, slow, 3 * turning, still, g, 1.0));
  // Let go at rest: 0.5 m/s takes 0.051 s.
  CHECK_FALSE(rests(fall, Vec3::Zero(), Vec3::Zero(), still, g, 0.05));
  CHECK(rests(fall, Vec3::Zero(), Vec3::Zero(), still, g, 0.052));
  // At the highest point of a flight.
  CHECK_FALSE(rests(fall, slow, turning, g, g, 1.0));
}

TEST_CASE("dnStat tells overlaps from the gaps of stretched bonds", "[extract]") {
  ThreeBodies model;
  const std::string names = "# t dnMin dnMax dnMean dnMeanOverlap dnMeanGap overlaps gaps x y z\n";
  model.conf.interactions[0].dn = -0.25;
  model.conf.interactions[1].dn = 0.5;
  CHECK(line(extractorOf("dnStat"), model.conf) ==
        names + "0.125 -0.25 0.5 0.125 -0.25 0.5 1 1 0 0.5 0\n");
  model.conf.interactions[1].dn = -0.75;
  CHECK(line(extractorOf("dnStat"), model.conf) ==
        names + "0.125 -0.75 -0.25 -0.5 -0.5 nan 2 0 1 1.5 0\n");
  model.conf.interactions.clear();
  CHECK(line(extractorOf("dnStat"), model.conf) ==
        names + "0.125 nan nan nan nan nan 0 0 nan nan nan\n");
}

TEST_CASE("across a side of a periodic cell a contact has its arm to the nearest image",
          "[extract][cell]") {
  ThreeBodies model;
  const auto loads = [&] {
    std::vector<double> all;
    for (const char* name : {"fx", "fy", "fz", "mx", "my", "mz"})
      all.push_back(track(model, 2, name));
    return all;
  };
  const auto inside = loads();
  model.conf.cell.used = true;
  model.conf.cell.h << 11, 3, 0, 0, 12, 2, 0, 0, 13;
  CHECK(loads() == inside);
  // The rod has gone through three sides; its contact stands beside the ball, as files have it.
  model.conf.particles[2].pos += model.conf.cell.h * Vec3(1, -2, 1);
  const auto across = loads();
  for (std::size_t k = 0; k < 6; ++k) CHECK(across[k] == Approx(inside[k]).margin(1e-12));
}

TEST_CASE("dnStat and TrackBody know contacts with round boundaries", "[extract]") {
  ThreeBodies model;
  Boundary bowl;
  bowl.radius = 3.0;  // about the origin
  model.conf.boundaries = {bowl};
  // The ball, of radius 1 about (0, 1.5, 0): its vertex is its centre.
  const double radius =
      model.shapes[model.conf.particles[1].shapeName].radius * model.conf.particles[1].homothety;
  model.conf.particles[1].pos = Vec3(0, 3.0 - radius + 0.125, 0);
  model.conf.interactions.clear();
  BoundaryTouch t;
  t.body = 1;
  t.dn = -0.125;
  t.fn = 8;
  t.ft = Vec3(1, 0, 0);
  model.conf.boundaryTouches = {t};
  const auto gaps = [&](const char* name) {
    return value(extractorOf("dnStat"), model.conf, model.shapes, name);
  };
  CHECK(gaps("dnMin") == -0.125);
  CHECK(gaps("overlaps") == 1);
  CHECK(gaps("y") == Approx(3.0 + 0.0625));  // halfway into the wall
  CHECK(track(model, 1, "fx") == 1.0);
  CHECK(track(model, 1, "fy") == -8.0);
  CHECK(track(model, 1, "mz") == Approx(-(radius - 0.0625)));  // arm x (1, -8, 0)
  model.conf.boundaryTouches.push_back(t);
  model.conf.contactPartnership = "NumberWeight";
  CHECK(linksOf(model.conf, model.shapes).back().weight == 0.5);
  model.conf.boundaryTouches[0].vertex = 7;
  CHECK_THROWS_AS(boundaryContacts(model.conf, model.shapes), ModelError);
}

TEST_CASE("MeanVelocity is the mean speed of all bodies", "[extract]") {
  ThreeBodies model;
  model.conf.particles[0].vel = {0, 3, 0};
  model.conf.particles[1].vel = {2, 3, 6};  // 7
  model.conf.particles[2].vel = {-5, 0, 0};
  CHECK(line(extractorOf("MeanVelocity"), model.conf) == "# t speed\n0.125 5\n");
}

TEST_CASE("DuoBalance lists the contacts of two bodies, in any order of the two", "[extract]") {
  ThreeBodies model;
  for (InteractionRecord& c : model.conf.interactions) c.dn = -0.25;
  const std::string names = "# t nvv nve nvf nee type i j isub jsub weight dn fn ftx fty ftz\n",
                    row = "0.125 0 0 1 0 vf 1 0 0 0 1 -0.25 10 2 0 0\n";
  CHECK(line(extractorOf("DuoBalance", {1, 0}), model.conf) == names + row);
  CHECK(line(extractorOf("DuoBalance", {0, 1}), model.conf) == names + row);
  CHECK(line(extractorOf("DuoBalance", {0, 2}), model.conf) ==
        names + "0.125 0 0 0 0 none 0 2 nan nan nan nan nan nan nan nan\n");
  // Half of the stiffness for each of two contacts.
  model.conf.contactPartnership = "NumberWeight";
  model.conf.interactions.push_back(model.conf.interactions[1]);
  CHECK(value(extractorOf("DuoBalance", {1, 2}), model.conf, {}, "weight") == 0.5);
  CHECK_THROWS_AS(line(extractorOf("DuoBalance", {1, 3}), model.conf), ModelError);
}

TEST_CASE("contacts of a pair share its stiffness by number or by overlap, bonds keep theirs",
          "[extract]") {
  Conf conf;
  const auto add = [&](BodyId i, BodyId j, std::uint32_t sub, double dn) {
    InteractionRecord r;
    r.key = {i, j, Pairing::vertexFace, sub, 0};
    r.dn = dn;
    conf.interactions.push_back(r);
  };
  add(0, 1, 0, -1.0);
  add(0, 1, 1, -3.0);
  add(0, 2, 0, -5.0);
  add(0, 2, 1, 0.5);   // apart
  add(0, 2, 2, -2.0);  // a bond
  add(1, 0, 0, -4.0);  // the other way round, the same pair as the first two
  InterfaceRecord face;
  face.i = 0;
  face.j = 2;
  face.bonds.push_back({Pairing::vertexFace, 2, 0, Vec3::Zero()});
  conf.interfaces.push_back(face);
  CHECK(partnershipWeights(conf).empty());
  conf.contactPartnership = "NumberWeight";
  CHECK(partnershipWeights(conf) == std::vector<double>{1.0 / 3, 1.0 / 3, 1, 1, 1, 1.0 / 3});
  conf.contactPartnership = "OverlapWeight";
  CHECK(partnershipWeights(conf) == std::vector<double>{0.125, 0.375, 1, 1, 1, 0.5});
  // Contacts of bodies with boundaries come last.
  conf.boundaryTouches = {{.boundary = 0, .body = 1, .dn = -1.0},
                          {.boundary = 0, .body = 2, .dn = -1.0},
                          {.boundary = 0, .body = 2, .dn = -3.0},
                          {.boundary = 1, .body = 2, .dn = -1.0}};
  CHECK(partnershipWeights(conf) ==
        std::vector<double>{0.125, 0.375, 1, 1, 1, 0.5, 1, 0.25, 0.75, 1});
}

TEST_CASE("dataExtractors.txt lists extractors, their files and periods", "[extract]") {
  Diagnostics diagnostics;
  TextReader in(
      "dataExtractors.txt",
      "# tracks\nTrackBody 12 body.txt 100\n! off\nClusterAABB -1 box.txt 1 # every step\n");
  const auto lines = readDataExtractors(in, diagnostics);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].extractor.body() == 12);
  CHECK(lines[0].file == "body.txt");
  CHECK(lines[0].period == 100);
  CHECK(lines[0].where.line == 2);
  CHECK(lines[1].extractor.values[0] == -1);
  CHECK(diagnostics.warnings().empty());
}

TEST_CASE("broken lines of dataExtractors.txt are refused with their place", "[extract]") {
  const auto [text, place] = GENERATE(table<std::string, std::string>({
      {"TrackBody\n1 a.txt 1\n", "d:1:1:"},
      {"TrackBody -1 a.txt 1\n", "d:1:11:"},
      {"TrackBody 1\nTrackBody 2 b.txt 1\n", "d:1:11:"},
      {"TrackBody 1 a.txt\n", "d:1:13:"},
      {"TrackBody 1 a.txt 0\n", "d:1:19:"},
      {"TrackBody 1 a.txt 1 2\n", "d:1:21:"},
      {"TrackBody 1 a.txt 1\nTrackBody 2 a.txt 1\n", "d:2:1:"},
  }));
  Diagnostics diagnostics;
  TextReader in("d", text);
  CHECK_THROWS_WITH(readDataExtractors(in, diagnostics), Catch::Matchers::StartsWith(place));
}
