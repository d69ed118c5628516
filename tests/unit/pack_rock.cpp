// SPDX-License-Identifier: GPL-3.0-or-later
// Cells that fill a solid, their bodies and bonds: laws of random tessellations, exact counts and
// volumes, closed forms of strengths.
#include "catch.hpp"
#include "folder.hpp"
#include "sample_shapes.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/sim/pack/cell_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <map>

using namespace scree;
using namespace scree::sim;

namespace {

double volumeOf(const Tessellation& t) {
  double sum = 0.0;
  for (const sim::Cell& cell : t.cells) sum += cell.volume;
  return sum;
}

/// Largest distance between the distribution of values and an exponential one of this mean.
double fromExponential(std::vector<double> values, double mean) {
  std::ranges::sort(values);
  double worst = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double f = 1.0 - std::exp(-values[k] / mean), n = static_cast<double>(values.size());
    worst = std::max({worst, std::abs(f - static_cast<double>(k) / n),
                      std::abs(f - static_cast<double>(k + 1) / n)});
  }
  return worst;
}

/// Places of the corners of a body.
std::vector<Vec3> cornersOf(const Packing& packing, std::size_t k) {
  const PlacedBody& body = packing.bodies[k];
  std::vector<Vec3> out;
  for (const Vec3& v : packing.shapes[body.shape].vertices)
    out.push_back(body.pos + rotated(body.q, v));
  return out;
}

/// Largest difference from two radii of the distance of a bonded vertex from its face.
double largestMiss(const CellBodies& made, double radius, double period) {
  double out = 0.0;
  for (const InterfaceRecord& r : made.packing.interfaces) {
    const std::vector<Vec3> of = cornersOf(made.packing, r.i), at = cornersOf(made.packing, r.j);
    const auto normalOf = [&](std::size_t body, const std::vector<Vec3>& p, std::uint32_t face) {
      const auto c = made.packing.shapes[made.packing.bodies[body].shape].faces[face];
      Vec3 sum = Vec3::Zero();
      for (std::size_t k = 2; k < c.size(); ++k)
        sum += (p[c[k - 1]] - p[c[0]]).cross(p[c[k]] - p[c[0]]);
      return Vec3(sum.normalized());
    };
    for (const BondRecord& b : r.bonds) {
      if (b.pairing != Pairing::vertexFace) continue;
      const auto face = made.packing.shapes[made.packing.bodies[r.j].shape].faces[b.jSub];
      const Vec3 n = normalOf(r.j, at, b.jSub);
      Vec3 d = of[b.iSub] - at[face[0]];
      if (period > 0.0)
        for (int axis = 0; axis < 3; ++axis) {
          const double centres =
              made.packing.bodies[r.i].pos[axis] - made.packing.bodies[r.j].pos[axis];
          d[axis] -= period * std::round(centres / period);
        }
      out = std::max(out, std::abs(n.dot(d) - 2.0 * radius));
    }
  }
  return out;
}

CellBodies glued(Tessellation t, double radius, const std::string& bond) {
  CellBodyOptions options;
  options.radius = radius;
  options.bond = BondStrength::parse(bond);
  return bodiesOf(std::move(t), options);
}

const std::string rock = "young=1e9,poisson=0.25,tensile=1e6,cohesion=2e6";

Tessellation cubes(const std::string& box) {
  const std::vector<JointSet> sets{JointSet::parse("0,0,1"), JointSet::parse("90,0,1"),
                                   JointSet::parse("90,90,1")};
  return cutByJoints(cellOf(Container::parse(box)), sets, {}, 0.01, 1);
}

}  // namespace

TEST_CASE("a Poisson-Voronoi tessellation has the faces and the volumes of theory",
          "[pack][rock]") {
  // Faces: 48 π²/35 + 2 (J. L. Meijering, Philips Res. Rep. 8, 270-290, 1953). Var V: E. N.
  // Gilbert, Ann. Math. Stat. 33, 958-972, 1962.
  const Tessellation t = voronoi(Container::parse("periodic:1,1,1"), {.cells = 10000, .seed = 3});
  REQUIRE(t.cells.size() == 10000);
  double faces = 0.0, square = 0.0;
  for (const sim::Cell& cell : t.cells) {
    faces += static_cast<double>(cell.sides.size()) / 1e4;
    square += cell.volume * cell.volume * 1e4;
  }
  CHECK(faces == Approx(48.0 * pi * pi / 35.0 + 2.0).margin(0.05));
  CHECK(square - 1.0 == Approx(0.179).margin(0.01));
  CHECK(std::abs(volumeOf(t) - 1.0) < 1e-10);
  // Each face is shared by two cells: half of all areas.
  double area = 0.0, sides = 0.0;
  for (const SharedFace& f : sharedFaces(t.cells, t.period)) area += f.area, sides += 2.0;
  CHECK(sides / 1e4 == Approx(faces).epsilon(1e-3));
  // Mean area of the faces of a cell: 5.8209 (Meijering), for a mean volume of 1.
  CHECK(2.0 * area / 1e4 * std::pow(1e4, 2.0 / 3.0) == Approx(5.8209).epsilon(5e-3));
}

TEST_CASE("cells fill any container, and those of a mesh that is not convex", "[pack][rock]") {
  for (const char* container :
       {"box:1,2,3", "periodic:1,2,3", "sphere:0.5", "cylinder:0.5,2", "drum:0.5,1"}) {
    INFO(container);
    const Container c = Container::parse(container);
    const Tessellation t = voronoi(c, {.cells = 300, .relax = 2, .stretch = Vec3(1, 2, 1)});
    CHECK(volumeOf(t) == Approx(c.volume()).epsilon(1e-10));
  }
  const testing::Folder folder;
  const std::string file = folder.write("l.off", samples::offOf(samples::letterL(0.0)));
  const Tessellation t = voronoi(Container::parse("mesh:" + file), {.cells = 200});
  CHECK(volumeOf(t) == Approx(3.0).epsilon(1e-10));
  CHECK(std::ranges::count(t.cells, false, &sim::Cell::convex) > 3);  // at the reflex edge
}

TEST_CASE("cells keep their volumes in any unit, and sections with a hole their hole",
          "[pack][rock]") {
  for (const double unit : {1e-6, 1e-3, 1e6}) {
    const Tessellation t =
        voronoi(Container::parse(fmt::format("box:{0},{0},{0}", unit)), {.cells = 300});
    CHECK(t.cells.size() == 300);
    CHECK(volumeOf(t) == Approx(unit * unit * unit).epsilon(1e-10));
  }
  // A square frame of 3 x 3 x 1 around a hole of 1 x 1, cut across the hole.
  shape::SurfaceMesh frame;
  for (const double y : {0.0, 1.0})
    for (const double r : {1.5, 0.5})
      for (const auto& [x, z] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
        frame.vertices.emplace_back(r * x, y, r * z);
  for (std::uint32_t k = 0; k < 4; ++k) {
    const std::uint32_t n = (k + 1) % 4;
    frame.faces.add({k, n, 4 + n, 4 + k});            // below
    frame.faces.add({8 + n, 8 + k, 12 + k, 12 + n});  // above
    frame.faces.add({n, k, 8 + k, 8 + n});            // outside
    frame.faces.add({4 + k, 4 + n, 12 + n, 12 + k});  // in the hole
  }
  const sim::Cell solid = cellOf(shape::shapeFromMesh(frame, 0.0));
  CHECK(solid.volume == Approx(8.0));
  const std::vector<JointSet> sets{JointSet::parse("0,0,0.5")};
  const Tessellation t = cutByJoints(solid, sets, {}, 0.0, 1);
  REQUIRE(t.cells.size() == 2);
  CHECK(volumeOf(t) == Approx(8.0));
  double area = 0.0;
  for (const SharedFace& f : sharedFaces(t.cells, t.period)) area += f.area;
  CHECK(area == Approx(8.0));
  // Halves beside each other share two faces of 1 x 1, 1.625 between their centres.
  const JointSet across = JointSet::parse("90,90,1.5");
  const CellBodies halves = glued(cutByJoints(solid, {&across, 1}, {}, 0.01, 1), 0.01, rock);
  REQUIRE(halves.packing.interfaces.size() == 1);
  const InterfaceRecord& both = halves.packing.interfaces[0];
  CHECK(both.area == Approx(2.0));
  REQUIRE(both.bonds.size() == 8);
  CHECK(8.0 * both.params->kn == Approx(1e9 * 2.0 / 1.625));
  CHECK(8.0 * both.params->fn0 == Approx(1e6 * 2.0));
  CHECK(halves.bondedArea == Approx(halves.faceArea));
}

TEST_CASE("relaxed cells are rounder, stretched ones longer, graded ones follow their curve",
          "[pack][rock]") {
  const Container box = Container::parse("box:1,1,1");
  const auto variance = [](const Tessellation& t) {
    double sum = 0.0, square = 0.0;
    const auto n = static_cast<double>(t.cells.size());
    for (const sim::Cell& c : t.cells) sum += c.volume, square += c.volume * c.volume;
    return n * square / (sum * sum) - 1.0;
  };
  CHECK(variance(voronoi(box, {.cells = 500})) > 0.12);
  CHECK(variance(voronoi(box, {.cells = 500, .relax = 20})) < 0.02);
  const Tessellation long_ = voronoi(box, {.cells = 500, .stretch = Vec3(1, 4, 1)});
  double ratio = 0.0;
  for (const sim::Cell& c : long_.cells) {
    const Vec3 half = boundingBox(c).halfSize();
    ratio += half.y() / std::sqrt(half.x() * half.z()) / 500.0;
  }
  CHECK(ratio == Approx(4.0).epsilon(0.2));

  const SizeGrading grading = SizeGrading::parse("lognormal:1,0.4");
  const Tessellation t = voronoi(box, {.cells = 500, .grading = grading});
  std::vector<double> wanted, got;
  double sum = 0.0;
  for (const double d : grading.sizes(Measure::mass, 500)) sum += wanted.emplace_back(d * d * d);
  for (const sim::Cell& c : t.cells) got.push_back(c.volume * sum);
  std::ranges::sort(wanted);
  std::ranges::sort(got);
  REQUIRE(got.size() == wanted.size());
  for (std::size_t k = 0; k < got.size(); ++k) CHECK(got[k] == Approx(wanted[k]).epsilon(1e-5));
}

TEST_CASE("faces of neighbours are parallel and two radii apart", "[pack][rock]") {
  const double radius = GENERATE(1e-6, 2e-3);
  const CellBodies made = glued(
      voronoi(Container::parse("periodic:1,1,1"), {.cells = 1000, .radius = radius}), radius, rock);
  REQUIRE(made.packing.interfaces.size() > 6500);
  CHECK(largestMiss(made, radius, 1.0) < 1e-12);
  for (const InterfaceRecord& r : made.packing.interfaces) CHECK(r.bonds.size() >= 3);
  CHECK(made.bondedArea / made.faceArea > 0.999);
}

TEST_CASE("three joint families cut a box into equal blocks of one shape", "[pack][rock]") {
  const Tessellation t = cubes("box:4,3,5");
  REQUIRE(t.cells.size() == 60);
  for (const sim::Cell& cell : t.cells) {
    CHECK(cell.volume == Approx(1.0).epsilon(1e-13));
    CHECK(cell.sides.size() == 6);
  }
  const CellBodies made = glued(cubes("box:4,3,5"), 0.05, rock);
  CHECK(made.packing.shapes.size() == 1);
  // 3*3*5 + 4*2*5 + 4*3*4 faces of four bonds, each of the area 1.
  REQUIRE(made.packing.interfaces.size() == 133);
  CHECK(made.faceArea == Approx(133.0));
  for (const InterfaceRecord& r : made.packing.interfaces) {
    CHECK(r.bonds.size() == 4);
    CHECK(*r.area == Approx(1.0));
    CHECK(4.0 * r.params->kn == Approx(1e9));
    CHECK(4.0 * r.params->kt == Approx(1e9 / 2.5));
    CHECK(4.0 * r.params->fn0 == Approx(1e6));
    CHECK(4.0 * r.params->ft0 == Approx(2e6));
  }
  // A box of sharp edges less what rounds the twelve edges and the eight corners.
  const double r = 0.05, rounded = (8.0 - 4.0 * pi / 3.0) * r * r * r +
                                   12.0 * (1.0 - pi / 4.0) * r * r * (1.0 - 2.0 * r);
  CHECK(made.solidFraction == Approx(1.0 - rounded).epsilon(1e-12));
}

TEST_CASE("spacings of joints are exponential, and normals scatter as Fisher has it",
          "[pack][rock]") {
  const sim::Cell bar = cellOf(Container::parse("box:1000,1,1"));
  const std::vector<JointSet> sets{JointSet::parse("90,90,1:exponential")};
  const Tessellation t = cutByJoints(bar, sets, {}, 0.0, 5);
  std::vector<double> lengths;
  for (const sim::Cell& c : t.cells) lengths.push_back(2.0 * boundingBox(c).halfSize().x());
  const auto n = static_cast<double>(lengths.size());
  CHECK(n == Approx(1000.0).margin(4.0 * std::sqrt(1000.0)));
  CHECK(fromExponential(lengths, 1.0) < 1.36 / std::sqrt(n));  // Kolmogorov-Smirnov, 5 %

  // Mean cosine about the mean normal: coth K - 1/K, with K = (81/δ)².
  const std::vector<JointSet> scattered{JointSet::parse("90,90,0.5,10")};
  const Tessellation s =
      cutByJoints(cellOf(Container::parse("box:1000,0.01,0.01")), scattered, {}, 0.0, 5);
  double cosine = 0.0, count = 0.0;
  for (const sim::Cell& c : s.cells)
    for (const CellSide& side : c.sides)
      if (side.set == 0 && side.normal.x() > 0.0) cosine += side.normal.x(), count += 1.0;
  const double k = 81.0 * 81.0 / 100.0;
  CHECK(count > 1900.0);
  CHECK(cosine / count == Approx(1.0 / std::tanh(k) - 1.0 / k).margin(4.0 / k / std::sqrt(count)));
}

TEST_CASE("joints end at earlier sets, discs cut the blocks they cover, north is -z",
          "[pack][rock]") {
  CHECK((jointNormal(0, 77) - Vec3::UnitY()).norm() < 1e-15);
  CHECK((jointNormal(90, 90) - Vec3::UnitX()).norm() < 1e-15);  // dips to the east
  CHECK((jointNormal(90, 0) + Vec3::UnitZ()).norm() < 1e-15);   // to the north
  CHECK((jointNormal(45, 180) - Vec3(0, 1, 1).normalized()).norm() < 1e-15);
  const sim::Cell box = cellOf(Container::parse("box:4,4,1"));
  // Each of the four slabs has joints of its own, at the spacing from its lowest point: 4 x 4
  // blocks. With exponential spacings the cuts of the slabs differ.
  const std::vector<JointSet> regular{JointSet::parse("0,0,1"), JointSet::parse("90,90,1:ends=1")};
  CHECK(cutByJoints(box, regular, {}, 0.0, 1).cells.size() == 16);
  const std::vector<JointSet> random{JointSet::parse("0,0,1"),
                                     JointSet::parse("90,90,1:ends=1,exponential")};
  std::map<long, int> places;
  for (const sim::Cell& c : cutByJoints(box, random, {}, 0.0, 1).cells) {
    const double x = boundingBox(c).high.x();
    if (x < 4.0 - 1e-9) ++places[std::lround(1e6 * x)];
  }
  CHECK(places.size() > 4);
  for (const auto& [x, count] : places) CHECK(count == 1);
  // A disc that covers the middle of one section of two.
  Joint whole{Vec3::UnitX(), Vec3(2, 2, 0.5)}, disc{Vec3::UnitY(), Vec3(1, 2, 0.5), 1.0};
  CHECK(cutByJoints(box, {}, std::vector{whole, disc}, 0.0, 1).cells.size() == 3);
  disc.radius = 0.1;
  disc.point.x() = 2.0;
  CHECK(cutByJoints(box, {}, std::vector{whole, disc}, 0.0, 1).cells.size() == 2);
}

TEST_CASE("a cell without room for the radius goes into its neighbours", "[pack][rock]") {
  const Container box = Container::parse("box:1,1,1");
  const double radius = 0.04;
  const Tessellation t = voronoi(box, {.cells = 400, .radius = radius});
  CHECK(t.merged > 5);
  CHECK(t.cells.size() + t.merged == 400);
  CHECK(volumeOf(t) == Approx(1.0).epsilon(1e-10));
  for (const sim::Cell& c : t.cells) CHECK(hasRoom(c, radius));
  CHECK_THROWS_AS(voronoi(box, {.cells = 400, .radius = 0.2}), UsageError);
  // The slab of 0.05 between two joints has no room for a ball of 0.03.
  const Joint low{Vec3::UnitY(), Vec3(0, 0.5, 0)}, high{Vec3::UnitY(), Vec3(0, 0.55, 0)};
  const Tessellation cut = cutByJoints(cellOf(box), {}, std::vector{low, high}, 0.03, 1);
  CHECK(cut.merged == 1);
  REQUIRE(cut.cells.size() == 2);
  CHECK(cut.cells[0].volume == Approx(0.5));
}

TEST_CASE("joints carry strengths of their own, a share of them is open, and Weibull scatters",
          "[pack][rock]") {
  const auto make = [](double persistence, const std::string& words, const std::string& bond) {
    CellBodyOptions options;
    options.radius = 0.01;
    options.persistence = persistence;
    options.sets = {JointSet::parse("0,0,1"), JointSet::parse("90,90,1" + words),
                    JointSet::parse("90,0,1")};
    options.bond = BondStrength::parse(bond);
    return bodiesOf(
        cutByJoints(cellOf(Container::parse("box:10,10,10")), options.sets, {}, 0.01, 1), options);
  };
  const CellBodies weak = make(0.0, ":tensile=1e5,cohesion=3e5", rock);
  REQUIRE(weak.packing.interfaces.size() == 2700);
  std::map<long, int> strengths;
  for (const InterfaceRecord& r : weak.packing.interfaces)
    ++strengths[std::lround(4.0 * r.params->fn0)];
  CHECK(strengths == std::map<long, int>{{100000, 900}, {1000000, 1800}});
  const double open =
      1.0 - static_cast<double>(make(0.4, "", rock).packing.interfaces.size()) / 2700.0;
  CHECK(open == Approx(0.4).margin(4.0 * std::sqrt(0.24 / 2700.0)));
  // The mean of a Weibull distribution of modulus 4 and scale 1 is Γ(5/4).
  double mean = 0.0;
  for (const InterfaceRecord& r : make(0.0, "", rock + ",weibull=4").packing.interfaces)
    mean += 4.0 * r.params->fn0 / 1e6 / 2700.0;
  CHECK(mean == Approx(std::tgamma(1.25)).margin(4.0 * 0.25 / std::sqrt(2700.0)));
}

TEST_CASE("bodies are chosen as driven by their masses", "[pack][rock]") {
  CellBodyOptions options;
  options.radius = 0.01;
  options.density = 2000.0;
  options.driven = Selection("mass > 1999 * volume && mass < 2001 * volume");
  for (const PlacedBody& body : bodiesOf(cubes("box:3,3,3"), options).packing.bodies)
    CHECK(body.driven);
}

TEST_CASE("a tessellation of Neper is read, and its faults have a line", "[pack][rock]") {
  // Two cubes side by side.
  std::string text = "***tess\n **format\n   3.4\n **general\n   3 standard\n **vertex\n   12\n";
  int id = 0;
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 2; ++y)
      for (int z = 0; z < 2; ++z) text += fmt::format("   {} {} {} {} 0\n", ++id, x, y, z);
  const std::vector<std::vector<int>> faces{
      {1, 2, 4, 3}, {5, 6, 8, 7},  {9, 10, 12, 11}, {1, 5, 6, 2},  {3, 4, 8, 7},  {1, 3, 7, 5},
      {2, 6, 8, 4}, {5, 9, 10, 6}, {7, 8, 12, 11},  {5, 7, 11, 9}, {6, 10, 12, 8}};
  text += fmt::format(" **face\n   {}\n", faces.size());
  const std::vector<std::string> planes{"0 1 0 0", "1 1 0 0", "2 1 0 0", "0 0 1 0",
                                        "1 0 1 0", "0 0 0 1", "1 0 0 1", "0 0 1 0",
                                        "1 0 1 0", "0 0 0 1", "1 0 0 1"};
  for (std::size_t k = 0; k < faces.size(); ++k)
    text += fmt::format("   {} 4 {}\n   4 1 2 3 4\n   {}\n   0 0 0 0 0\n", k + 1,
                        fmt::join(faces[k], " "), planes[k]);
  text += " **polyhedron\n   2\n   1 6 1 -2 4 5 6 7\n   2 6 2 -3 8 9 10 11\n***end\n";
  const Tessellation t = readTess(TextReader("two.tess", text));
  REQUIRE(t.cells.size() == 2);
  CHECK(t.volume == Approx(2.0));
  CHECK(sharedFaces(t.cells, t.period).size() == 1);
  for (const auto& [from, to] :
       {std::pair("3 standard", "2 standard"), std::pair("***tess", "tess"),
        std::pair("1 6 1 -2", "1 6 1 -12"), std::pair("1 6 1 -2", "1 6 1 3")}) {
    std::string bad = text;
    bad.replace(bad.find(from), std::string(from).size(), to);
    CHECK_THROWS_AS(readTess(TextReader("bad.tess", bad)), ParseError);
  }
}
