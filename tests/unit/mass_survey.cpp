// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "paths.hpp"
#include "sample_shapes.hpp"
#include "skip.hpp"

#include "scree/base/rng.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/shape_file.hpp"

#include <filesystem>

using namespace scree;
using namespace scree::mass;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

Mat3 randomTensor(Rng& rng, bool twoEqual, Mat3* axes = nullptr) {
  Vec3 c(rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0));
  if (twoEqual) c[1] = c[0];
  const Mat3 q = rotationMatrix(rng.orientation());
  if (axes) *axes = q;
  return q * (c.sum() * Mat3::Identity() - Mat3(c.asDiagonal())) * q.transpose();
}

shape::Shape surveyed(shape::Shape s, const SurveyOptions& options = {}) {
  survey(s, options);
  return s;
}

}  // namespace

TEST_CASE("a principal frame is right-handed and diagonalises its tensor", "[mass][frame]") {
  Rng rng(1);
  for (int k = 0; k < 2000; ++k) {
    const Mat3 tensor = randomTensor(rng, k % 3 == 0);
    const PrincipalFrame frame = principalFrame(tensor);
    const Mat3 q = rotationMatrix(frame.orientation);
    CHECK_THAT(q.determinant(), WithinAbs(1.0, 1e-12));
    const Mat3 diagonal = q.transpose() * tensor * q;
    CHECK((diagonal - Mat3(frame.moments.asDiagonal())).cwiseAbs().maxCoeff() < 1e-9);
    CHECK(frame.orientation.w() >= 0.0);
    // Once there, it stays there.
    CHECK(principalFrame(diagonal).orientation.vec().norm() == 0.0);
  }
}

TEST_CASE("symmetric bodies keep their axes and vertices to the bit", "[mass][survey]") {
  for (const shape::Shape& body :
       {samples::box(0.8, 0.8, 0.8, 0.1), shape::makeSphere(1.0),
        samples::regularTetrahedron(1.0, 0.1), samples::octahedron(1.0, 0.1),
        samples::dodecahedron(0.445, 0.05455), samples::box(1, 1, 2, 0.1), samples::stick(2.0, 0.5),
        shape::makePlate(1.0, 1.0, 0.05)}) {
    const shape::Shape s = surveyed(body);
    CHECK(s.vertices == body.vertices);
    CHECK(s.orientation.coeffs() == Quat::Identity().coeffs());
    CHECK(s.position == Vec3::Zero());
  }
}

TEST_CASE(
    "the files in use carry the numbers of sharp bodies, the survey finds those of the rounded "
    "ones",
    "[mass][survey][data]") {
  const std::filesystem::path data = scree::testing::dataFolder();
  const auto check = [&](const char* file, const char* name, double volume, double moment) {
    if (!std::filesystem::exists(data / file)) {
      scree::testing::skip("no " + (data / file).string());
      return;
    }
    Diagnostics diagnostics;
    const auto shapes = shape::readShapesFromFile((data / file).string(), diagnostics);
    const shape::Shape* found = shape::findShape(shapes, name);
    REQUIRE(found);
    const MassReport report = massReport(*found);
    CHECK(report.method == Method::exactConvex);
    CHECK_THAT(report.solid.volume, WithinRel(volume, 1e-13));
    const Vec3 moments = principalFrame(report.solid.inertiaPerMass).moments;
    for (int k = 0; k < 3; ++k) CHECK_THAT(moments[k], WithinRel(moment, 1e-9));
  };
  check("shapes/octahedron.shp", "Octahedron", 0.158845713614679, 0.0474880526967579);
  check("rockable-cases/518_poly_default/shape.shp", "POLYR0", 0.376378641164172,
        0.0813462551050742);
}

TEST_CASE("position and orientation lead back to the vertices of the source", "[mass][survey]") {
  Rng rng(3);
  const shape::Shape source = samples::movedBy(
      samples::turnedBy(samples::rightTetrahedron(1, 2, 3, 0.1), rng.orientation()),
      Vec3(10, -20, 30));
  const shape::Shape s = surveyed(source);
  for (std::size_t k = 0; k < s.vertices.size(); ++k)
    CHECK((s.position + rotated(s.orientation, s.vertices[k]) - source.vertices[k]).norm() < 1e-13);
  const SolidProperties there = massReport(s).solid;
  CHECK(there.centre.norm() < 1e-13);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) CHECK(std::abs(there.inertiaPerMass(i, j)) < 1e-13);
}

TEST_CASE("a surveyed shape is left as it is, to the bit, computing it again moves nothing",
          "[mass][survey]") {
  const shape::Shape once =
      surveyed(samples::movedBy(samples::rightTetrahedron(1, 2, 3, 0.1), Vec3(5, 6, 7)));
  CHECK(shape::shapesText({once}) == shape::shapesText({surveyed(once)}));
  shape::Shape odd = once;  // even where its numbers are not ours
  odd.volume = 17.0;
  CHECK(surveyed(odd).volume == 17.0);
  SurveyOptions again;
  again.recompute = true;
  const shape::Shape twice = surveyed(once, again);
  CHECK(twice.vertices == once.vertices);
  CHECK(twice.position == once.position);
  CHECK(twice.orientation.coeffs() == once.orientation.coeffs());
  CHECK_THAT(twice.volume, WithinRel(once.volume, 1e-14));
}

TEST_CASE("a surface keeps its frame", "[mass][survey]") {
  const shape::Shape slope = shape::makeSlope(4, 10, 5, 4, 0.05);
  const shape::Shape s = surveyed(slope);
  CHECK(s.preCompDone);
  CHECK(s.vertices == slope.vertices);
  CHECK(s.position == Vec3::Zero());
  // Area times 2 r is what it would be flat and without rims.
  CHECK_THAT(s.volume, WithinRel(0.1 * 4.0 * (10.0 + 5.0), 0.05));
  SurveyOptions asSheet;
  asSheet.mass.method = MassOptions::Choice::sheet;
  CHECK_THAT(surveyed(slope, asSheet).volume, WithinRel(0.1 * 4.0 * (10.0 + 5.0), 1e-14));
}
