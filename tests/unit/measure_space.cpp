// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes of clipped bodies, porosity, profiles and pair distributions against closed forms.
#include "catch.hpp"
#include "kind_table.hpp"
#include "measured_models.hpp"
#include "regions.hpp"

#include "scree/base/rng.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/sim/measure/domain.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace scree;
using namespace scree::scenes;
using sim::Instant;
using sim::Region;
using testing::KindTable;

using sim::boxRegion;

TEST_CASE("balls cut by boxes, cylinders and balls have the volumes of textbooks",
          "[measure][region]") {
  const double R = 0.7, whole = ballVolume(R);
  const Vec3 c(0.3, -0.2, 5.0);
  const auto inside = [&](const Region& r) { return sim::ballInside(r, c, R); };
  const Vec3 far = Vec3::Constant(100.0);
  // Half, quarter, eighth, and a cap of height h.
  CHECK(inside(boxRegion(c - far, c + Vec3(0, 100, 100))) == Approx(whole / 2).epsilon(1e-13));
  CHECK(inside(boxRegion(c - Vec3(100, 100, 0), c + far)) == Approx(whole / 2).epsilon(1e-13));
  CHECK(inside(boxRegion(c - Vec3(0, 100, 0), c + far)) == Approx(whole / 4).epsilon(1e-13));
  CHECK(inside(boxRegion(c, c + far)) == Approx(whole / 8).epsilon(1e-13));
  for (const double h : {0.01, 0.3, 0.7, 1.1}) {
    const double cap = pi * h * h * (3.0 * R - h) / 3.0;
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 low = c - far;
      low[axis] = c[axis] + R - h;
      CHECK(std::abs(inside(boxRegion(low, c + far)) - cap) < 1e-12 * whole);
    }
  }
  CHECK(inside(boxRegion(c - far, c + far)) == whole);
  CHECK(inside(boxRegion(c + far, c + 2 * far)) == 0.0);
  // A box that cuts all six sides: whole less six caps that do not meet.
  const double a = 0.6, h = R - a;
  CHECK(std::abs(inside(boxRegion(c - Vec3::Constant(a), c + Vec3::Constant(a))) -
                 (whole - 6.0 * pi * h * h * (3.0 * R - h) / 3.0)) < 1e-12 * whole);
  // A cylinder through the middle, and Viviani's, of half the radius, through the centre's side.
  const auto cylinder = [&](double x, double r) {
    return scenes::cylinderRegion(c + Vec3(x, 0, -9), c + Vec3(x, 0, 9), r);
  };
  CHECK(inside(cylinder(0.0, 0.4)) ==
        Approx(whole - 4.0 / 3.0 * pi * std::pow(R * R - 0.16, 1.5)).epsilon(1e-13));
  CHECK(inside(cylinder(0.5 * R, 0.5 * R)) ==
        Approx(2.0 / 3.0 * (pi - 4.0 / 3.0) * R * R * R).epsilon(1e-13));
  CHECK(inside(cylinder(5.0, 0.1)) == 0.0);
  CHECK(inside(cylinder(0.1, 3.0)) == whole);
  // Two balls whose centres are one radius apart: 5/12 π R³.
  const Region ball = scenes::sphereRegion(c, R);
  CHECK(sim::ballInside(ball, c + Vec3(0, R, 0), R) ==
        Approx(5.0 / 12.0 * pi * R * R * R).epsilon(1e-13));
}

TEST_CASE("parts of a ball add up to the whole", "[measure][region]") {
  Rng rng(7);
  for (int k = 0; k < 40; ++k) {
    const double R = 0.2 + rng.uniform();
    const Vec3 c = 3.0 * rng.direction(), cut = c + 1.2 * R * rng.uniform() * rng.direction();
    const Vec3 far = Vec3::Constant(50.0);
    double sum = 0.0;
    for (int part = 0; part < 8; ++part) {
      Vec3 low = cut, high = cut;
      for (int axis = 0; axis < 3; ++axis)
        (part >> axis & 1 ? high : low)[axis] += part >> axis & 1 ? far[axis] : -far[axis];
      sum += sim::ballInside(boxRegion(low, high), c, R);
    }
    CHECK(std::abs(sum - ballVolume(R)) < 1e-12 * ballVolume(R));
  }
}

TEST_CASE("sharp convex bodies are cut exactly, in any orientation", "[measure][region]") {
  const shape::Shape cube = box("cube", 1.0, 1.0, 1.0, 0.0);
  const sim::SolidShape solid(cube);
  REQUIRE(solid.isSharp());
  const Vec3 far = Vec3::Constant(50.0), pos(2, 3, 4);
  const auto inside = [&](const Vec3& low, const Vec3& high, const Quat& q,
                          double homothety = 1.0) {
    return sim::polyhedronIn(boxRegion(low, high),
                             sim::PlacedShape{&solid, pos, q, homothety}.hull());
  };
  // Half of it, whatever the orientation.
  Rng rng(3);
  for (int k = 0; k < 20; ++k)
    CHECK(inside(pos - far, pos + Vec3(50, 50, 0), rng.orientation()) ==
          Approx(0.5).epsilon(1e-12));
  // Standing on a corner: a corner cut off at height h below its top is √3/2 h³.
  const Quat q = shortestTurn(Vec3(1, 1, 1).normalized(), Vec3::UnitZ());
  const double h = 0.4, top = pos.z() + 0.5 * std::sqrt(3.0);
  Vec3 low = pos - far;
  low.z() = top - h;
  CHECK(inside(low, pos + far, q) == Approx(0.5 * std::sqrt(3.0) * h * h * h).epsilon(1e-12));
  CHECK(inside(pos + far, pos + 2 * far, q) == 0.0);
  CHECK(inside(pos - far, pos + far, q, 2.0) == Approx(8.0).epsilon(1e-13));
}

TEST_CASE("any box of the size of a lattice cell holds the fraction of the lattice",
          "[measure][porosity]") {
  const auto [type, phi] =
      GENERATE(table<sim::LatticeType, double>({{sim::LatticeType::sc, pi / 6.0},
                                                {sim::LatticeType::bcc, std::sqrt(3.0) * pi / 8.0},
                                                {sim::LatticeType::fcc, 0.7404804896930609},
                                                {sim::LatticeType::hcp, 0.7404804896930609}}));
  const Model m = ballLattice(type, 3, 0.05, 1.0);
  const KindTable whole("porosity", m);
  CHECK(whole(0, "porosity") == Approx(1.0 - phi).epsilon(1e-12));
  const Vec3 size = sim::lattice(m.shapes, {.type = type, .spacing = 0.1}).cell.size,
             low(0.0137, -0.0211, 0.0523);
  const Vec3 high = low + size;
  const std::string region =
      fmt::format("box:{},{},{},{},{},{}", low.x(), low.y(), low.z(), high.x(), high.y(), high.z());
  const KindTable part("porosity", m, {{"region", region}});
  CHECK(part(0, "porosity") == Approx(1.0 - phi).epsilon(1e-11));
  CHECK(part(0, "error") == 0.0);
}

namespace {

/// Free balls at these places, radius 0.1, beside driven plates of which each leaves one of the
/// half-spaces to them.
Model behindPlates(const std::vector<sim::HalfSpace>& spaces, const std::vector<Vec3>& places) {
  shape::Shape flat;  // its face lies in the plane z = 0
  flat.name = "flat";
  flat.radius = 0.02;
  flat.vertices = {{3, 3, 0}, {-3, 3, 0}, {-3, -3, 0}, {3, -3, 0}};
  flat.faces.add({0, 1, 2, 3});
  Model m = modelOf({flat, ball("ball", 0.1)});
  for (const sim::HalfSpace& h : spaces) {
    sim::ParticleRecord& p = m.conf.particles.emplace_back();
    p.q = shortestTurn(Vec3::UnitZ(), h.normal);
    p.pos = (h.offset + flat.radius) * h.normal;
  }
  m.conf.nDriven = static_cast<std::uint32_t>(spaces.size());
  for (const Vec3& x : places) {
    sim::ParticleRecord& p = m.conf.particles.emplace_back();
    p.shapeName = 1;
    p.pos = x;
  }
  return m;
}

/// The half-spaces of a box of sides 2 about the origin, under x -> F x.
std::vector<sim::HalfSpace> sidesOfBox(const Mat3& f, int axes = 3) {
  std::vector<sim::HalfSpace> spaces;
  for (int axis = 0; axis < axes; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      const Vec3 n = f.inverse().transpose() * (sign * Vec3::Unit(axis));
      spaces.push_back({n.normalized(), 1.0 / n.norm()});
    }
  return spaces;
}

sim::Boundary cylinderAbout(const Vec3& axis) {
  return {sim::Boundary::Kind::cylinder, Vec3::Zero(), axis, 0.9, 0};
}

/// Slices along each axis hold the domain and its bodies once.
void checkSums(const Model& m, double volume, double bodies) {
  const Instant instant(m.conf, m.shapes);
  CHECK(instant.domain().volume == Approx(volume).epsilon(1e-12));
  for (const char* axis : {"x", "y", "z"}) {
    INFO(axis);
    const sim::Slices slices(instant.domain(), axis[0] - 'x', 7);
    double space = 0.0, inSlices = 0.0, solid = 0.0, byPhi = 0.0;
    for (std::size_t b = 0; b < 7; ++b) space += slices.volume(b);
    CHECK(space == Approx(volume).epsilon(1e-12));
    const KindTable t("profile", {&instant}, {{"axis", axis}, {"bins", "7"}});
    for (std::size_t b = 0; b < 7; ++b) {
      inSlices += t(b, "bodies");
      solid += t(b, "solid");
      if (t(b, "solid") > 0.0) byPhi += t(b, "phi") * slices.volume(b);
      CHECK_FALSE(t(b, "phi") > 1.0);
    }
    CHECK(inSlices == Approx(bodies).epsilon(1e-12));
    CHECK(solid == Approx(bodies * ballVolume(0.1)).epsilon(1e-12));
    CHECK(byPhi == Approx(solid).epsilon(1e-12));
  }
}

Mat3 someGradient(Rng& rng, double size) {
  Mat3 f = Mat3::Identity();
  for (int k = 0; k < 9; ++k) f(k / 3, k % 3) += size * (2.0 * rng.uniform() - 1.0);
  return f;
}

}  // namespace

TEST_CASE("slices of skew cells, wedges, turned boxes and cylinders add up to the whole",
          "[measure][domain]") {
  Rng rng(5);
  const std::vector<Vec3> places{{0.3, 0.1, -0.2}, {-0.3, 0.2, 0.1}, {0.1, -0.3, 0.2}};
  for (int k = 0; k < 8; ++k) {
    INFO(k);
    Mat3 h = someGradient(rng, 0.2);
    h(0, 1) += 4.0 * rng.uniform() - 2.0;
    h(1, 2) += rng.uniform() - 0.5;
    Model cell = behindPlates({}, places);
    cell.conf.cell.used = true;
    cell.conf.cell.h = h;
    checkSums(cell, std::abs(h.determinant()), 3.0);
    const Mat3 f = someGradient(rng, 0.2);
    checkSums(behindPlates(sidesOfBox(f), places), 8.0 * std::abs(f.determinant()), 3.0);

    // A cylinder of any axis between two ends, with rings about it.
    const Vec3 axis = rng.direction();
    Model drum = behindPlates({{axis, 1.0}, {-axis, 0.8}}, places);
    drum.conf.boundaries = {cylinderAbout(axis)};
    drum.conf.gravity = -9.81 * axis;
    checkSums(drum, pi * 0.81 * 1.8, 3.0);
    const KindTable rings("profile", drum, {{"axis", "radial"}, {"bins", "4"}});
    double bodies = 0.0;
    for (std::size_t b = 0; b < 4; ++b) {
      const double low = rings(b, "low"), high = rings(b, "high");
      bodies += rings(b, "bodies");
      if (rings(b, "solid") > 0.0)
        CHECK(rings(b, "solid") / rings(b, "phi") ==
              Approx(pi * (high * high - low * low) * 1.8).epsilon(1e-12));
    }
    CHECK(rings(3, "high") == Approx(0.9).epsilon(1e-12));
    CHECK(bodies == Approx(3.0).epsilon(1e-12));
    const KindTable walls("walls", drum);
    CHECK(walls(2, "area") == Approx(2.0 * pi * 0.9 * 1.8).epsilon(1e-12));
    CHECK(walls(0, "area") == Approx(pi * 0.81).epsilon(1e-12));
  }
  // A cylinder with an oblique end, z < 1 + x/5.
  Model oblique = behindPlates(
      {{Vec3(-0.2, 0, 1).normalized(), 1.0 / std::sqrt(1.04)}, {Vec3(0, 0, -1), 0.8}}, places);
  oblique.conf.boundaries = {cylinderAbout(Vec3::UnitZ())};
  checkSums(oblique, pi * 0.81 * 1.8, 3.0);
  // A wedge of half width 0.2 + 0.5 y over 0 < y < 1 and depth 1.
  const double c = 1.0 / std::sqrt(1.25);
  Model wedge = behindPlates({{Vec3(c, -0.5 * c, 0), 0.2 * c},
                              {Vec3(-c, -0.5 * c, 0), 0.2 * c},
                              {Vec3(0, 1, 0), 1.0},
                              {Vec3(0, -1, 0), 0.0},
                              {Vec3(0, 0, 1), 0.5},
                              {Vec3(0, 0, -1), 0.5}},
                             {{0, 0.5, 0}, {0, 0.8, 0.3}});
  checkSums(wedge, 0.9, 2.0);
  const Instant inWedge(wedge.conf, wedge.shapes);
  const sim::Slices slices(inWedge.domain(), 1, 5);
  for (std::size_t b = 0; b < 5; ++b)
    CHECK(slices.volume(b) == Approx((0.5 + 0.2 * static_cast<double>(b)) * 0.2).epsilon(1e-12));
}

TEST_CASE("what is fixed inside the walls does not end the domain", "[measure][domain]") {
  std::vector<Vec3> places;
  for (int k = 0; k < 27; ++k)
    places.emplace_back(0.6 * (k % 3 - 1), 0.6 * (k / 3 % 3 - 1), 0.6 * (k / 9 - 1) + 0.05);
  Model box = behindPlates(sidesOfBox(Mat3::Identity()), places);
  const double volume = Instant(box.conf, box.shapes).domain().volume;
  shape::Shape block = shape::makeBox({0.6, 0.6, 0.5}, 0.02);
  mass::survey(block);
  box.shapes.push_back(block);
  box.conf.shapeNames.push_back("block");
  sim::ParticleRecord fixed;
  fixed.shapeName = 2;
  fixed.pos = Vec3(0, 0, -0.75);  // on the floor, below the middle
  box.conf.particles.insert(box.conf.particles.begin(), fixed);
  ++box.conf.nDriven;
  CHECK(Instant(box.conf, box.shapes).domain().volume == volume);
}

TEST_CASE("planes bound the domain as walls do", "[measure][domain]") {
  const auto plane = [](const Vec3& at, const Vec3& inwards) {
    return sim::Boundary{sim::Boundary::Kind::plane, at, inwards.normalized(), 0.0, 0};
  };
  // A box of six planes around one ball.
  Model m = behindPlates({}, {{0.1, 0.2, 0.3}});
  for (const auto& [n, d] : sidesOfBox(0.5 * Mat3::Identity()))
    m.conf.boundaries.push_back(plane(d * n, -n));
  checkSums(m, 1.0, 1.0);
  const Instant inBox(m.conf, m.shapes);
  const KindTable porosity("porosity", {&inBox}), walls("walls", {&inBox}),
      macro("macro", {&inBox});
  CHECK(porosity(0, "volume") == Approx(1.0).epsilon(1e-12));
  CHECK(macro(0, "solidFraction") == Approx(ballVolume(0.1)).epsilon(1e-12));
  for (std::size_t k = 0; k < 6; ++k) CHECK(walls(k, "area") == Approx(1.0).epsilon(1e-12));
  Model later = m;
  for (sim::Boundary& b : later.conf.boundaries) b.centre *= 0.9;
  const Instant pressed(later.conf, later.shapes);
  const KindTable strain("macro", {&inBox, &pressed});
  for (const char* name : {"exx", "eyy", "ezz"})
    CHECK(strain(1, name) == Approx(-std::log(0.9)).epsilon(1e-12));

  // A cylinder of any axis with plane ends.
  Rng rng(7);
  const Vec3 axis = rng.direction();
  Model drum = behindPlates({}, {{0.1, 0.2, 0.3}});
  drum.conf.boundaries = {plane(axis, -axis), plane(-0.8 * axis, axis), cylinderAbout(axis)};
  checkSums(drum, pi * 0.81 * 1.8, 1.0);
  const KindTable ends("walls", drum);
  CHECK(ends(0, "area") == Approx(pi * 0.81).epsilon(1e-12));
  CHECK(ends(2, "area") == Approx(2.0 * pi * 0.9 * 1.8).epsilon(1e-12));

  // A floor and a top in a skew cell, of which the space behind them does not count.
  Model cell = behindPlates({}, {{0.1, 0.5, 0.3}, {0.9, 0.4, 0.6}});
  cell.conf.cell.used = true;
  cell.conf.cell.h << 1, 0.3, 0.2, 0, 2, 0, 0, 0.1, 1.5;
  const Mat3& h = cell.conf.cell.h;
  const Vec3 up = Vec3(h.col(2)).cross(Vec3(h.col(0))).normalized();
  const double height = up.dot(h.col(1));
  cell.conf.boundaries = {plane(0.1 * height * up, up)};
  checkSums(cell, h.determinant(), 2.0);  // a plane alone repeats
  cell.conf.boundaries.push_back(plane(0.6 * height * up, -up));
  checkSums(cell, 0.5 * h.determinant(), 2.0);
  const KindTable sides("walls", cell), y("profile", cell, {{"axis", "y"}});
  for (const std::size_t k : {0u, 1u})
    CHECK(sides(k, "area") == Approx(Vec3(h.col(2)).cross(Vec3(h.col(0))).norm()).epsilon(1e-12));
  CHECK(y(9, "high") - y(0, "low") == Approx(0.5 * height / up.y()).epsilon(1e-12));
  // A plane that no lattice repeats leaves no domain but the hull.
  cell.conf.boundaries[1] = plane(Vec3(0, 1, 0), Vec3(1, -1, 0));
  CHECK(Instant(cell.conf, cell.shapes).domain().kind == sim::Domain::Kind::hull);
}

TEST_CASE("the deformation of walls, cells and cylinders is that of the map that moved them",
          "[measure][domain]") {
  Rng rng(3);
  const std::vector<Vec3> places{{0.1, 0.1, 0}, {-0.1, 0, 0}};
  const auto gradient = [](const Model& a, const Model& b) {
    return sim::deformationGradient(Instant(a.conf, a.shapes).domain(),
                                    Instant(b.conf, b.shapes).domain());
  };
  for (int k = 0; k < 8; ++k) {
    const Mat3 f = someGradient(rng, 0.2), g = someGradient(rng, 0.2);
    Model before = behindPlates(sidesOfBox(f), places),
          now = behindPlates(sidesOfBox(g * f), places);
    CHECK((gradient(before, now) - g).norm() < 1e-12);
    for (Model* m : {&before, &now}) m->conf.cell.used = true;
    before.conf.cell.h = f;
    now.conf.cell.h = g * f;
    CHECK((gradient(before, now) - g).norm() < 1e-12);
    // A cell that was flipped twice in between, and says so.
    before.conf.cell.h = now.conf.cell.h = Mat3::Identity();
    before.conf.cell.h(0, 1) = 0.7;
    now.conf.cell.h(0, 1) = 0.7 + 1.6 - 2.0;
    now.conf.cell.flips(0, 1) = -2.0;
    CHECK(std::abs(gradient(before, now)(0, 1) - 1.6) < 1e-14);
    now.conf.cell.flips.setIdentity();
  }
  // A wall that leans while its neighbours stay: no affine map.
  const Model box = behindPlates(sidesOfBox(Mat3::Identity()), places);
  Model leaning = box;
  sim::ParticleRecord& wall = leaning.conf.particles[0];
  wall.q = Quat(Eigen::AngleAxisd(0.2, wall.pos.unitOrthogonal())) * wall.q;
  CHECK(std::isnan(gradient(box, leaning)(0, 0)));
}

TEST_CASE("the nearest image is the nearest of all, however a cell leans", "[measure][domain]") {
  Rng rng(11);
  for (int k = 0; k < 200; ++k) {
    Mat3 h = someGradient(rng, 0.2);
    h(0, 1) += 6.0 * rng.uniform() - 3.0;
    h(0, 2) += 2.0 * rng.uniform() - 1.0;
    const Vec3 d = 2.0 * rng.uniform() * rng.direction();
    double least = HUGE_VAL;
    for (int i = -25; i <= 25; ++i)
      for (int j = -6; j <= 6; ++j)
        for (int m = -6; m <= 6; ++m) least = std::min(least, (d - h * Vec3(i, j, m)).norm());
    const Vec3 shift = sim::Lattice(h).nearest(d), whole = h.inverse() * shift;
    CHECK((d - shift).norm() == Approx(least).epsilon(1e-12));
    CHECK((whole - Vec3(whole.array().round())).norm() < 1e-9);
  }
}

TEST_CASE("contacts that a file does not list are found from places, without forces",
          "[measure][contacts]") {
  Model m = ballLattice(sim::LatticeType::fcc, 3, 0.05, 1.0);
  m.conf.cell.h(0, 1) = m.conf.cell.h(0, 0);  // the same lattice
  for (sim::ParticleRecord& p : m.conf.particles) p.homothety = 1.001;
  const std::vector<sim::InteractionRecord> listed = m.conf.interactions;
  m.conf.interactions.clear();
  CHECK(sim::findContacts(m.conf, m.shapes) == listed.size());
  for (std::size_t k = 0; k < listed.size(); ++k) {
    CHECK(m.conf.interactions[k].key == listed[k].key);
    CHECK(m.conf.interactions[k].dn == Approx(-1e-4).epsilon(1e-9));
    CHECK((m.conf.interactions[k].n - listed[k].n).norm() < 1e-12);
    CHECK(std::isnan(m.conf.interactions[k].fn));
  }
  CHECK(KindTable("coordination", m)(0, "Z") == 12.0);
  // A list of bonds alone is one without contacts.
  m.conf.interactions.resize(1);
  const sim::ContactKey bond = m.conf.interactions[0].key;
  sim::InterfaceRecord& face = m.conf.interfaces.emplace_back();
  face.i = bond.i;
  face.j = bond.j;
  face.bonds.push_back({bond.pairing, bond.iSub, bond.jSub, Vec3::Zero()});
  CHECK(sim::findContacts(m.conf, m.shapes) == listed.size() - 1);
  CHECK(m.conf.interactions.size() == listed.size());
  CHECK(sim::findContacts(m.conf, m.shapes) == 0);
  m.conf.interactions.clear();
  m.conf.makeState().runState = sim::RunState{};
  CHECK(sim::findContacts(m.conf, m.shapes) == 0);  // a run lists all
}

TEST_CASE("contacts with boundaries are found at images of planes, across cones, and as they move",
          "[measure][contacts]") {
  Model m = freeBalls(0.1, {Vec3(0.3, 0.59, 0.4)});
  m.conf.cell.used = true;
  m.conf.cell.h = Vec3(1.0, 1.5, 1.0).asDiagonal();
  // Its image stands at 0.5.
  m.conf.boundaries = {{sim::Boundary::Kind::plane, Vec3(0, 2, 0), Vec3::UnitY(), 0.0, 0}};
  m.conf.boundaries[0].vel = Vec3(0, 5, 0);
  m.conf.particles[0].vrot = Vec3(0, 0, 2);
  REQUIRE(sim::findContacts(m.conf, m.shapes) == 1);
  CHECK(m.conf.boundaryTouches[0].dn == Approx(-0.01).epsilon(1e-12));
  CHECK((m.conf.boundaryTouches[0].vel - Vec3(-2 * 0.095, 5, 0)).norm() < 1e-12);
  // Near the axis of a cone a ball touches both sides.
  Model inCone = freeBalls(0.1, {Vec3(0.0001, 0.19, 0)});
  sim::Boundary cone{sim::Boundary::Kind::cone, Vec3::Zero(), Vec3::UnitY(), 0.0, 0};
  cone.setAngle(30.0);
  inCone.conf.boundaries = {cone};
  REQUIRE(sim::findContacts(inCone.conf, inCone.shapes) == 2);
  const auto& touches = inCone.conf.boundaryTouches;
  CHECK(touches[0].vertex == 0);
  CHECK(touches[1].vertex == 1);
  const double across = 2 * 0.0001 * std::cos(pi / 6);
  CHECK(touches[1].dn - touches[0].dn == Approx(across).epsilon(1e-9));
}

TEST_CASE("velocities of slices are means by mass, and their scatter is the temperature",
          "[measure][profile]") {
  Model m = ballLattice(sim::LatticeType::sc, 4, 0.05, 1.0);
  // A shear flow, with ±0.3 across it; centres stand in the middle of slices.
  int k = 0;
  for (sim::ParticleRecord& p : m.conf.particles) {
    p.vel = Vec3(2.0 * p.pos.z(), k++ / 4 % 2 == 0 ? 0.3 : -0.3, 0.0);
  }
  const KindTable t("profile", m, {{"bins", "4"}, {"by", "centre"}});
  for (std::size_t b = 0; b < 4; ++b) {
    CHECK(t(b, "vx") == Approx(2.0 * (0.05 + 0.1 * static_cast<double>(b))).epsilon(1e-12));
    CHECK(t(b, "temperature") == Approx(0.03).epsilon(1e-12));
    CHECK(t(b, "bodies") == 16.0);
  }
}

TEST_CASE("shells of fcc hold 12, 6, 24 and 12 neighbours", "[measure][gr]") {
  const double d = 0.1;
  const Model m = ballLattice(sim::LatticeType::fcc, 3, 0.5 * d, 1.0);
  const KindTable g("gr", m, {{"shells", "150"}, {"max", "0.2085"}});
  REQUIRE(g.rows.size() == 150);
  const double density = 108.0 / std::pow(3.0 * std::sqrt(2.0) * d, 3);
  double last = 0.0, byG = 0.0;
  std::vector<double> shells;
  for (std::size_t k = 0; k < 150; ++k) {
    const double a = g(k, "low"), b = g(k, "high");
    byG += g(k, "g") * density * (ballVolume(b) - ballVolume(a));
    CHECK(byG == Approx(g(k, "neighbours")).margin(1e-9));
    if (g(k, "neighbours") > last) shells.push_back(g(k, "neighbours") - last);
    last = g(k, "neighbours");
  }
  CHECK(shells == std::vector<double>{12.0, 6.0, 24.0, 12.0});
}

TEST_CASE("points without order have g = 1, also near the edges of a box", "[measure][gr]") {
  Model m = freeBalls(0.001, std::vector<Vec3>(3000, Vec3::Zero()));
  Rng rng(11);
  for (sim::ParticleRecord& p : m.conf.particles)
    for (const int axis : {0, 1, 2}) p.pos[axis] = (axis == 1 ? 2.0 : 1.0) * rng.uniform();
  const KindTable g("gr", m, {{"shells", "5"}, {"max", "0.5"}});
  // Poisson: the scatter of a shell is one over the root of its pairs. With weights from 1 to 4 it
  // is 1.5 times that at most. The box around the points is smaller than theirs by 6/3000.
  for (std::size_t k = 0; k < 5; ++k)
    CHECK(std::abs(g(k, "g") - 1.0) < 4.0 * 1.5 / std::sqrt(g(k, "pairs")) + 0.002);
  // In a ball of radius 1, whose edge hides other pairs.
  m.conf.boundaries.resize(1);
  m.conf.boundaries[0].radius = 1.0;
  for (sim::ParticleRecord& p : m.conf.particles)
    p.pos = std::cbrt(rng.uniform()) * 0.999 * rng.direction();
  const KindTable inBall("gr", m, {{"shells", "5"}, {"max", "0.5"}});
  for (std::size_t k = 0; k < 5; ++k)
    CHECK(std::abs(inBall(k, "g") - 1.0) < 4.0 * 1.5 / std::sqrt(inBall(k, "pairs")) + 0.01);
}
