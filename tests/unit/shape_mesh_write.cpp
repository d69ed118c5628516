// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "sample_shapes.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"

#include <cmath>

using namespace scree;
using namespace scree::shape;
using Catch::Matchers::WithinRel;

namespace {

/// An L turned and moved, so that its coordinates use all their digits.
SurfaceMesh crookedL() {
  const Quat q(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  const Shape s = samples::movedBy(samples::turnedBy(samples::letterL(0.0), q), Vec3(0.1, 1e-7, 3));
  return {s.vertices, s.faces};
}

double inSinglePrecision(double x) {
  volatile float held = static_cast<float>(x);  // g++ 12 drops the plain casts at -O3
  return static_cast<double>(held);
}

constexpr MeshFormat formats[] = {MeshFormat::obj, MeshFormat::off, MeshFormat::ply,
                                  MeshFormat::stl};

}  // namespace

TEST_CASE("meshes written read back to the bit, also where the format is guessed",
          "[shape][mesh]") {
  const SurfaceMesh mesh = crookedL();
  for (const MeshFormat format : formats) {
    CAPTURE(static_cast<int>(format));
    const SurfaceMesh back = readMesh("bytes", meshBytes(mesh, format, "solid"));
    if (format != MeshFormat::stl) {
      CHECK(back.vertices == mesh.vertices);
      CHECK(back.faces == mesh.faces);
      continue;
    }
    // STL knows triangles alone, in order of first appearance, in single precision.
    CHECK(back.faces.size() == 2 * 4 + 6 * 2);
    CHECK(meshTopology(back.vertices.size(), back.faces).closed());
    REQUIRE(back.vertices.size() == mesh.vertices.size());
    for (const Vec3& v : back.vertices) {
      double nearest = 1.0;
      for (Vec3 held : mesh.vertices) {
        for (double& x : held) x = inSinglePrecision(x);
        nearest = std::min(nearest, (held - v).norm());
      }
      CHECK(nearest == 0.0);
    }
    CHECK_THAT(signedVolume(back.vertices, back.faces), WithinRel(3.0, 1e-6));
  }
}

TEST_CASE("what single precision cannot hold is refused", "[shape][mesh]") {
  SurfaceMesh mesh = crookedL();
  mesh.vertices[3].x() = 1e39;
  CHECK_THROWS_WITH(meshBytes(mesh, MeshFormat::stl), Catch::Contains("1e+39"));
}
