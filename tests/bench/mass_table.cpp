// SPDX-License-Identifier: GPL-3.0-or-later
// The shared shapes and scans at three radii: method, values, bounds, time; then the aims of speed.
// A program, not a test; all numbers are processor time of one thread.
//   bench_mass_table [--aims] [FOLDER OF DATA]      both tables, or the second alone
#include "mass_bench.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/mesh_change.hpp"
#include "scree/shape/shape_file.hpp"

#include <cstdio>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::mass;

namespace {

void tell(const std::string& name, const shape::Shape& body, const std::string& radius) {
  std::printf("| %s | %s ", name.c_str(), radius.c_str());
  try {
    double seconds = 0.0;
    const MassReport m = bench::timed([&] { return massReport(body); }, seconds);
    const SolidProperties& s = m.solid;
    const Vec3 i = principalFrame(s.inertiaPerMass, 1e-6).moments;
    const MassBound bound = m.bound.value_or(MassBound{});
    std::printf("| %s | %.9g | %.6g %.6g %.6g | %.1e | %.1e | %.1e | %.2g |\n",
                std::string(methodName(m.method)).c_str(), s.volume, i.x(), i.y(), i.z(),
                bound.volume, bound.centre, bound.inertia, seconds);
  } catch (const Error& error) {
    std::printf("| refused: %s | | | | | | |\n", error.what());
  }
  std::fflush(stdout);
}

void atThreeRadii(const std::string& name, shape::Shape body) {
  for (const double percent : {0.1, 1.0, 10.0}) {
    body.radius = 0.01 * percent * bench::extentOf(body);
    char text[16];
    std::snprintf(text, sizeof text, "%g %%", percent);
    tell(name, body, text);
  }
}

void table(const std::filesystem::path& data) {
  std::printf(
      "| body | r / size | method | V | I/m | bound of V | of the centre | of I | s |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  Diagnostics quiet;
  for (const char* file : {"alpha3", "octahedron", "samoyed"})
    for (const shape::Shape& s : shape::readShapesFromFile(
             (data / "shapes" / (std::string(file) + ".shp")).string(), quiet)) {
      char text[32];
      std::snprintf(text, sizeof text, "its own, %.2g %%", 100.0 * s.radius / bench::extentOf(s));
      tell(s.name, s, text);
      atThreeRadii(s.name, s);
    }
  const struct {
    const char *name, *file;
  } meshes[] = {{"octahedron", "meshes/Octahedron.stl"},
                {"ellipsoid", "meshes/Ellipsoid_R_2.0_1.0_1.0.stl"},
                {"torus", "meshes/Torus.stl"},
                {"femur", "meshes/Human_femur.stl"},
                {"rock", "meshes/rock.stl"},
                {"SP1A", "authume/STL/SP1A.stl"},
                {"SP3A", "authume/STL/SP3A.stl"}};
  for (const auto& [name, file] : meshes) {
    const shape::HoleFilling whole =
        shape::filledHoles(shape::readMeshFromFile((data / file).string()));
    std::string title = name;
    title += " (" + std::to_string(whole.mesh.faces.size()) + " triangles";
    title +=
        whole.triangles ? ", " + std::to_string(whole.triangles) + " of them to close it)" : ")";
    atThreeRadii(title, shape::shapeFromMesh(whole.mesh, 0.0));
  }
}

void aim(const std::string& what, double wanted, double found, const std::string& worth = "") {
  std::printf("| %s | < %g s | %.2g s | %s%s |\n", what.c_str(), wanted, found,
              found < wanted ? "reached" : "not reached", worth.c_str());
  std::fflush(stdout);
}

/// Rods, a plate and a solid tetrahedron of three radii, over one another at random.
CertifiedBody mixedClump(Rng& rng) {
  const auto point = [&] {
    return Vec3(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
  };
  CertifiedBody body;
  RoundedPart rods, plate, solid;
  rods.vertices = {point(), point(), point(), point()};
  rods.segments = {{0, 1}, {2, 3}};
  rods.radius = rng.uniform(0.1, 0.4);
  plate.vertices = {point(), point(), point()};
  plate.triangles = {{0, 1, 2}};
  plate.radius = rng.uniform(0.05, 0.2);
  solid.vertices = {point(), point(), point(), point()};
  const Vec3& o = solid.vertices[0];
  if ((solid.vertices[1] - o).cross(solid.vertices[2] - o).dot(solid.vertices[3] - o) < 0.0)
    std::swap(solid.vertices[0], solid.vertices[1]);
  solid.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  solid.solid = true;
  solid.radius = rng.uniform(0.0, 0.2);
  body.parts = {rods, plate, solid};
  return body;
}

void aims(const std::filesystem::path& data) {
  std::printf("\n| what | aim | CPU time | |\n|---|---|---|---|\n");
  double seconds = 0.0;
  const shape::Shape boulder = shape::makeBoulder(100, Vec3(1, 0.8, 0.6), 0.02, 7);
  bench::timed([&] { return massReport(boulder); }, seconds, 0.2);
  aim("convex, 100 faces: volume, centre, inertia", 1e-3, seconds);

  Rng rng(1);
  std::vector<mass::Ball> balls;
  for (int k = 0; k < 1000; ++k) {
    const Vec3 c(rng.uniform(), rng.uniform(), rng.uniform());
    balls.push_back({c, rng.uniform(0.03, 0.08)});
  }
  bench::timed([&] { return mass::ballUnionMoments(balls); }, seconds, 0.2);
  aim("union of 1,000 balls", 0.1, seconds);

  const auto certify = [&](const char* what, const CertifiedBody& body) {
    const CertifiedMass m =
        bench::timed([&] { return certifiedMass(body, {.tolerance = 1e-7}); }, seconds, 0.05);
    char worth[32];
    std::snprintf(worth, sizeof worth, ", bound %.0e", m.bound.volume);
    aim(what, 0.2, seconds, worth);
  };
  const auto skeleton = [](const shape::Shape& s) {
    RoundedPart part;
    part.vertices = s.vertices;
    for (const shape::Edge& e : s.edges) part.segments.push_back({e[0], e[1]});
    part.radius = s.radius;
    return CertifiedBody{{part}, {}};
  };
  certify("three rods that cross, to 1e-7", skeleton(bench::crossedRods()));
  certify("two skew rods, to 1e-7", skeleton(bench::skewRods()));
  RoundedPart cross;
  cross.vertices = {Vec3(-1, -1, 0), Vec3(1, -1, 0),   Vec3(1, 1, 0),   Vec3(-1, 1, 0),
                    Vec3(-1, 0, -1), Vec3(1, 0.2, -1), Vec3(1, 0.2, 1), Vec3(-1, 0, 1)};
  cross.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
  cross.radius = 0.05;
  certify("two plates that cross, to 1e-7", {{cross}, {}});
  double slowest = 0.0, mean = 0.0, worst = 0.0;
  constexpr int clumps = 50;
  for (int k = 0; k < clumps; ++k) {
    const CertifiedBody body = mixedClump(rng);
    const CertifiedMass m =
        bench::timed([&] { return certifiedMass(body, {.tolerance = 1e-7}); }, seconds);
    slowest = std::max(slowest, seconds);
    mean += seconds / clumps;
    worst = std::max(worst, m.bound.volume);
  }
  char worth[32];
  std::snprintf(worth, sizeof worth, ", bound %.0e", worst);
  aim("mixed clumps (2 rods, plate, solid), to 1e-7: mean of 50", 0.2, mean, worth);
  aim("the slowest of them", 0.2, slowest);

  if (!std::filesystem::exists(data / "authume")) return;
  const shape::Shape scan = bench::meshOf(data / "authume/STL/SP3A.stl", 0.02);
  for (const auto& [tolerance, wanted] : {std::pair{1e-5, 1.0}, {1e-6, 5.0}, {1e-7, 5.0}}) {
    const MassReport m =
        bench::timed([&] { return massReport(scan, {.tolerance = tolerance}); }, seconds);
    char what[64];
    std::snprintf(what, sizeof what, "scan SP3A, r 0.02, to %.0e", tolerance);
    std::snprintf(worth, sizeof worth, ", bound %.0e", m.bound->volume);
    aim(what, wanted, seconds, worth);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool aimsAlone = argc > 1 && std::string(argv[1]) == "--aims";
  const int next = aimsAlone ? 2 : 1;
  const std::filesystem::path data = argc > next ? argv[next] : SCREE_TEST_DATA;
  if (!aimsAlone && std::filesystem::exists(data / "meshes")) table(data);
  aims(data);
}
