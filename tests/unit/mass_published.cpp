// SPDX-License-Identifier: GPL-3.0-or-later
// Mass properties and boxes that the reference program is published to write, sampled by the same
// points. Volume, centre, moments in their order, and orientation agree to rounding.
#include "catch.hpp"
#include "sample_shapes.hpp"

#include "scree/mass/certified.hpp"
#include "scree/mass/shape_mass.hpp"

using namespace scree;
using namespace scree::mass;

namespace {

SurveyOptions sampled() {
  SurveyOptions options;
  options.mass.method = MassOptions::Choice::montecarlo;
  options.box = shape::BoxMethod::aabb;
  return options;
}

/// A right tetrahedron of legs 1, 2, 3, r 0.1; the last face in the order of `last`.
shape::Shape tetrahedron(std::vector<std::uint32_t> last = {1, 2, 3}) {
  shape::Shape s;
  s.name = "tetrahedron";
  s.radius = 0.1;
  s.monteCarloSteps = 200000;
  s.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
  s.edges = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  s.faces.add({0, 1, 2});
  s.faces.add({0, 1, 3});
  s.faces.add({0, 2, 3});
  s.faces.add(last);
  return s;
}

void same(const Vec3& actual, const Vec3& expected, double tolerance) {
  INFO(actual.transpose() << " for " << expected.transpose());
  CHECK((actual - expected).cwiseAbs().maxCoeff() <= tolerance);
}

}  // namespace

TEST_CASE("Sobol points give the published volumes and moments of a cube", "[mass][sampling]") {
  struct Published {
    int points;
    double volume;  ///< five digits are published
    Vec3 moments;
  };
  for (const Published& e :
       {Published{1000, 0.98300, {0.16053272665435805, 0.16127184964306457, 0.15901813061029488}},
        Published{10000, 0.97520, {0.16231707239981669, 0.16211322223664454, 0.16214054689378751}},
        Published{
            100000, 0.97569, {0.16185636207915988, 0.16192154515546342, 0.16184787264614228}}}) {
    CAPTURE(e.points);
    shape::Shape cube = samples::box(0.8, 0.8, 0.8, 0.1);
    cube.monteCarloSteps = e.points;
    const MassReport report = massReport(cube, sampled().mass);
    CHECK(report.method == Method::montecarlo);
    CHECK_FALSE(report.bound);
    survey(cube, sampled());
    CHECK(std::abs(cube.volume - e.volume) <= 5.1e-6);
    same(cube.inertiaPerMass, e.moments, 1e-14);
  }
  SobolPoints points;
  CHECK(points.next() == Vec3(0.5, 0.5, 0.5));
  CHECK(points.next() == Vec3(0.25, 0.75, 0.25));
  CHECK(points.next() == Vec3(0.75, 0.25, 0.75));
  CHECK(points.next() == Vec3(0.375, 0.625, 0.125));
  CHECK(points.next() == Vec3(0.875, 0.125, 0.625));
  CHECK(points.next() == Vec3(0.125, 0.375, 0.375));
  CHECK(points.next() == Vec3(0.625, 0.875, 0.875));
  CHECK(points.next() == Vec3(0.3125, 0.3125, 0.6875));
}

TEST_CASE("Sobol points give the published numbers of a tetrahedron", "[mass][sampling]") {
  shape::Shape s = tetrahedron();
  survey(s, sampled());
  CHECK(std::abs(s.volume - 2.05290624) <= 1e-14);
  same(s.position, {0.23445291991479253, 0.53018084532124887, 0.83360295707689980}, 1e-14);
  same(s.inertiaPerMass, {0.73951895352038610, 0.57753213847077567, 0.23809133503221958}, 1e-14);
  same(s.orientation.vec(), {0.15805299054620595, -0.067704174283726298, 0.16260857109759533},
       1e-14);
  CHECK(std::abs(s.orientation.w() - 0.97159345899895710) <= 1e-14);
  same(s.obb.extent, {0.56897459739015699, 1.1658456808435935, 1.8404512525469532}, 1e-14);
}

TEST_CASE("boxes of a tetrahedron are the published ones where those hold it", "[shape][box]") {
  for (const auto& last : {std::vector<std::uint32_t>{1, 2, 3}, {1, 3, 2}}) {
    const shape::Shape solid = tetrahedron(last);
    const shape::Obb pca = shape::orientedBox(solid, shape::BoxMethod::pca),
                     aabb = shape::orientedBox(solid, shape::BoxMethod::aabb),
                     minimum = shape::orientedBox(solid, shape::BoxMethod::minimum);
    // Option 0; six digits are published.
    same(pca.extent, {0.569741, 1.16847, 1.83465}, 5.1e-6);
    same(pca.centre, {0.104904, 0.451516, 1.32453}, 5.1e-6);
    same(aabb.extent, {0.6, 1.1, 1.6}, 1e-15);  // option 2
    same(aabb.centre, {0.5, 1.0, 1.5}, 1e-15);
    // Option 1 is that box, too. But with the last face listed 1 3 2 it is one of 1.68 x 1.21 x 0.1
    // that leaves vertex 0 out. Option 3 puts that box about the mean of the vertices, so that it
    // leaves out all but one. Ours hold all.
    same(minimum.extent, {0.6, 1.1, 1.6}, 1e-12);
    same(minimum.centre, {0.5, 1.0, 1.5}, 1e-12);
    for (const shape::Obb* box : {&pca, &aabb, &minimum})
      for (const Vec3& v : tetrahedron().vertices)
        CHECK(((box->axes.transpose() * (v - box->centre)).cwiseAbs().array() + 0.1 <=
               box->extent.array() + 1e-12)
                  .all());
  }
}
