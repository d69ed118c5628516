// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "paths.hpp"
#include "skip.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"
#include "scree/shape/mesh_check.hpp"

#include <filesystem>
#include <optional>

using namespace scree;
using namespace scree::shape;
using Catch::Matchers::WithinRel;

namespace {

std::optional<SurfaceMesh> shared(const std::string& name) {
  const std::filesystem::path file = std::filesystem::path(scree::testing::dataFolder()) / name;
  if (std::filesystem::exists(file)) return readMeshFromFile(file.string());
  scree::testing::skip("no " + file.string());
  return {};
}

double diagonal(const SurfaceMesh& mesh) {
  Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  return 2.0 * box.halfSize().norm();
}

}  // namespace

TEST_CASE("the boulder SP1A has a hole of one triangle", "[shape][mesh][data]") {
  const auto mesh = shared("authume/STL/SP1A.stl");
  if (!mesh) return;
  CHECK(checkMesh(*mesh).openEdges.count == 3);
  const HoleFilling filling = filledHoles(*mesh);
  CHECK(filling.triangles == 1);
  CHECK(checkMesh(filling.mesh).sound());
}

TEST_CASE("rock.stl has seven edges with four faces, its wrap has none", "[shape][mesh][data]") {
  const auto mesh = shared("meshes/rock.stl");
  if (!mesh) return;
  CHECK(checkMesh(*mesh).nonManifoldEdges.count == 7);
  const double size = diagonal(*mesh);
  const SurfaceMesh wrap = wrapped(*mesh, size / 30.0, size / 900.0);
  CHECK(checkMesh(wrap).sound());
  CHECK(signedVolume(wrap.vertices, wrap.faces) > 39349.6);  // of the mesh: it holds all of it
  CHECK(hausdorff(*mesh, wrap, 1e-3 * size).atMost < 0.05 * size);
}

TEST_CASE("the boulder SP3A is inset to a fifth of the radius", "[shape][mesh][data]") {
  const auto mesh = shared("authume/STL/SP3A.stl");
  if (!mesh) return;
  const Inset inset = insetBy(*mesh, 0.02);
  CHECK(checkMesh(inset.skeleton).sound());
  CHECK(inset.removed == 0);
  CHECK(inset.gap.atMost < 0.2 * 0.02);
  CHECK(inset.excess < 0.1 * 0.02);
  CHECK_THROWS_AS(insetBy(*mesh, 0.3), GeometryError);
  // Its hull: the same corners stand out, so nothing of that is the method's.
  SurfaceMesh convex;
  const ConvexHull hull = convexHull(mesh->vertices, 1e-7);
  convex.vertices = hull.points, convex.faces = hull.faces;
  CHECK(insetBy(convex, 0.02).gap.atMost > 0.18 * 0.02);
}
