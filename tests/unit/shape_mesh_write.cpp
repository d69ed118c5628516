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

struct Way {
  const char* name;
  MeshFormat format;
  bool ascii;
};
const Way ways[] = {{"obj", MeshFormat::obj, false},      {"off", MeshFormat::off, false},
                    {"ply", MeshFormat::ply, false},      {"ascii ply", MeshFormat::ply, true},
                    {"ascii stl", MeshFormat::stl, true}, {"stl", MeshFormat::stl, false}};

}  // namespace

TEST_CASE("meshes written read back to the bit", "[shape][mesh]") {
  const SurfaceMesh mesh = crookedL();
  const std::vector<Vec3> normals(mesh.vertices.size(), Vec3::UnitZ());
  for (const Way& way : ways)
    for (const bool withNormals : {false, true}) {
      INFO(way.name << " " << withNormals);
      MeshWriteOptions options{.name = "L", .ascii = way.ascii};
      if (withNormals) options.normals = normals;
      const std::string bytes = meshBytes(mesh, way.format, options);
      const SurfaceMesh back = readMesh("mesh", bytes, way.format);
      if (way.format != MeshFormat::stl) {
        CHECK(back.vertices == mesh.vertices);
        CHECK(back.faces == mesh.faces);
        continue;
      }
      // STL knows triangles alone, in order of first appearance, in binary as single precision.
      CHECK(back.faces.size() == 2 * 4 + 6 * 2);
      CHECK(meshTopology(back.vertices.size(), back.faces).closed());
      REQUIRE(back.vertices.size() == mesh.vertices.size());
      for (const Vec3& v : back.vertices) {
        double nearest = 1.0;
        for (const Vec3& w : mesh.vertices) {
          Vec3 held = w;
          if (!way.ascii)
            for (double& x : held) x = inSinglePrecision(x);
          nearest = std::min(nearest, (held - v).norm());
        }
        CHECK(nearest == 0.0);
      }
      CHECK_THAT(signedVolume(back.vertices, back.faces), WithinRel(3.0, way.ascii ? 1e-14 : 1e-6));
    }
}

TEST_CASE("a format is guessed from what was written", "[shape][mesh]") {
  const SurfaceMesh mesh = crookedL();
  for (const Way& way : ways) {
    INFO(way.name);
    CHECK(readMesh("bytes", meshBytes(mesh, way.format, {.name = "solid", .ascii = way.ascii}))
              .vertices.size() == 12);
  }
}

TEST_CASE("what single precision cannot hold is refused", "[shape][mesh]") {
  SurfaceMesh mesh = crookedL();
  mesh.vertices[3].x() = 1e39;
  CHECK_THROWS_WITH(meshBytes(mesh, MeshFormat::stl), Catch::Contains("1e+39"));
  CHECK(readMesh("m", meshBytes(mesh, MeshFormat::stl, {.ascii = true}), MeshFormat::stl)
            .vertices.size() == 12);
}

TEST_CASE("polygons that are not convex become triangles that do not overlap", "[shape][mesh]") {
  // Stars: area of the triangles and of the polygon agree only where none overlaps.
  for (std::uint32_t tips = 3; tips < 12; ++tips)
    for (const double inner : {0.1, 0.5, 0.9, 1.0}) {
      INFO(tips << " " << inner);
      SurfaceMesh star;
      std::vector<std::uint32_t> corners;
      const Quat q(Eigen::AngleAxisd(0.3 * tips, Vec3(1, -2, 0.5).normalized()));
      for (std::uint32_t k = 0; k < 2 * tips; ++k) {
        const double r = k % 2 ? inner : 1.0, a = pi * k / tips;
        star.vertices.push_back(rotated(q, Vec3(r * std::cos(a), r * std::sin(a), 0.0)));
        corners.push_back(k);
      }
      star.faces.add(corners);
      const SurfaceMesh back =
          readMesh("star.stl", meshBytes(star, MeshFormat::stl, {.ascii = true}));
      REQUIRE(back.faces.size() == 2 * tips - 2);
      double area = 0.0;
      for (std::size_t t = 0; t < back.faces.size(); ++t) {
        const auto c = back.faces[t];
        const Vec3& o = back.vertices[c[0]];
        area += 0.5 * (back.vertices[c[1]] - o).cross(back.vertices[c[2]] - o).norm();
      }
      CHECK_THAT(area, WithinRel(tips * inner * std::sin(pi / tips), 1e-12));
      // Each side of the star is the side of one triangle, each other side that of two.
      CHECK(meshTopology(back.vertices.size(), back.faces).openEdges == 2 * tips);
      CHECK(meshTopology(back.vertices.size(), back.faces).wrongEdges == 0);
    }
}
