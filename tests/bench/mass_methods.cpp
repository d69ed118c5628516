// SPDX-License-Identifier: GPL-3.0-or-later
// Methods side by side: true error, bound and time of each. A program, not a test:
//   bench_mass_methods [FOLDER OF DATA]
#include "../support/sample_shapes.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/sampling.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/core.hpp"
#include "scree/shape/mesh_io.hpp"
#include "scree/shape/shape_file.hpp"

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>

using namespace scree;
using namespace scree::mass;

namespace {

using Choice = MassOptions::Choice;

double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Run {
  MassReport report;
  double seconds;
};
Run timed(const shape::Shape& body, const MassOptions& options) {
  const double begin = cpuSeconds();
  Run run{massReport(body, options), 0.0};
  run.seconds = cpuSeconds() - begin;
  return run;
}

void row(const char* body, const char* method, const Run& run, double volume, double trace) {
  const SolidProperties& s = run.report.solid;
  std::printf("%-14s %-12s V %.12g  error V %8.1e  I %8.1e  bound %8.1e  %.4f s\n", body, method,
              s.volume, s.volume / volume - 1.0, s.inertiaPerMass.trace() / trace - 1.0,
              run.report.bound ? run.report.bound->volume : NAN, run.seconds);
}

shape::Shape crossedRods() {
  shape::Shape s;
  s.name = "alpha3";
  const double a = 0.475540075799599;
  s.radius = a / 2;
  s.vertices = {Vec3(a, 0, 0),  Vec3(-a, 0, 0), Vec3(0, a, 0),
                Vec3(0, -a, 0), Vec3(0, 0, a),  Vec3(0, 0, -a)};
  s.edges = {{0, 1}, {2, 3}, {4, 5}};
  return s;
}

/// All methods on one body, turned so that no grid is lucky, sampling as long as certified takes or
/// a tenth of a second.
void compare(const char* name, shape::Shape body, double volume, double trace) {
  body = samples::turnedBy(body, Quat(Eigen::AngleAxisd(0.6, Vec3(0.2, 0.7, 0.6).normalized())));
  if (shape::coreOf(body).convex)
    row(name, "exact", timed(body, {.method = Choice::exact}), volume, trace);
  const Run certified = timed(body, {.method = Choice::certified, .tolerance = 1e-8});
  row(name, "certified", certified, volume, trace);
  const double budget = std::max(certified.seconds, 0.1);
  body.monteCarloSteps = 1000;
  Run sobol = timed(body, {.method = Choice::montecarlo});
  while (sobol.seconds < 0.5 * budget && body.monteCarloSteps < 1 << 26) {
    body.monteCarloSteps *= 2;
    sobol = timed(body, {.method = Choice::montecarlo});
  }
  row(name, "montecarlo", sobol, volume, trace);
  MassOptions grid{.method = Choice::grid, .divisions = 20};
  Run cells = timed(body, grid);
  while (cells.seconds < 0.5 * budget && grid.divisions < 900) {
    grid.divisions = grid.divisions * 5 / 4;
    cells = timed(body, grid);
  }
  row(name, "grid", cells, volume, trace);
  row(name, "octree", timed(body, {.method = Choice::octree}), volume, trace);
}

void tell(const std::string& name, const shape::Shape& body, const MassOptions& options = {}) {
  try {
    const Run run = timed(body, options);
    const SolidProperties& s = run.report.solid;
    const Vec3 m = principalFrame(s.inertiaPerMass, 1e-6).moments;
    std::printf("| %s | %.4g | %s | %.10g | %.7g %.7g %.7g | %.1e | %.1e | %.2f |\n", name.c_str(),
                body.radius, std::string(methodName(run.report.method)).c_str(), s.volume, m.x(),
                m.y(), m.z(), run.report.bound ? run.report.bound->volume : NAN,
                run.report.bound ? run.report.bound->inertia : NAN, run.seconds);
  } catch (const Error& error) {
    std::printf("| %s | %.4g | refused: %s |\n", name.c_str(), body.radius, error.what());
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  compare("box r 0.05", samples::box(0.8, 0.4, 0.2, 0.05), 0.131519173063163,
          0.0274149446501865 + 0.0732726460573779 + 0.0861979081168164);
  compare("L r 0.2", samples::letterL(0.2), 6.45095569263505,
          0.459232498239409 + 0.706348403892217 + 0.851567410151129);
  compare("crossed rods", crossedRods(), pi / 6.0, 3 * 0.132654111349779);
  std::printf("\nbound against cells, two skew rods and the scan\n");
  const std::filesystem::path data = argc > 1 ? argv[1] : SCREE_TEST_DATA;
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    shape::Shape skew = crossedRods();
    skew.vertices[2] += Vec3(0, 0, 0.1);
    skew.vertices[4] += Vec3(0.2, 0, 0);
    const Run run = timed(skew, {.tolerance = tolerance});
    std::printf("| rods | %.0e | %.1e | %zu | %.3f |\n", tolerance, run.report.bound->volume,
                run.report.cells, run.seconds);
  }
  if (!std::filesystem::exists(data / "meshes")) return 0;
  const auto mesh = [&](const char* file, double r) {
    return shape::shapeFromMesh(shape::readMeshFromFile((data / file).string()), r);
  };
  for (const double tolerance : {1e-3, 1e-5, 1e-6, 1e-7}) {
    const Run run = timed(mesh("authume/STL/SP3A.stl", 0.02), {.tolerance = tolerance});
    std::printf("| SP3A r 0.02 | %.0e | %.1e | %zu | %.3f |\n", tolerance, run.report.bound->volume,
                run.report.cells, run.seconds);
    std::fflush(stdout);
  }
  std::printf(
      "\n| body | r | method | V | I/m | bound V | bound I | s "
      "|\n|---|---|---|---|---|---|---|---|\n");
  Diagnostics quiet;
  for (const char* file : {"alpha3", "octahedron", "samoyed"})
    for (const shape::Shape& s : shape::readShapesFromFile(
             (data / "shapes" / (std::string(file) + ".shp")).string(), quiet))
      tell(s.name, s);
  for (const char* file : {"meshes/Octahedron.stl", "meshes/Torus.stl", "meshes/Human_femur.stl",
                           "meshes/rock.stl", "authume/STL/SP1A.stl", "authume/STL/SP3A.stl"})
    for (const double part : {0.001, 0.01, 0.1}) {
      shape::Shape s = mesh(file, 0.0);
      Vec3 low = s.vertices[0], high = low;
      for (const Vec3& v : s.vertices) {
        low = low.cwiseMin(v);
        high = high.cwiseMax(v);
      }
      s.radius = part * (high - low).maxCoeff();
      tell(std::filesystem::path(file).stem().string(), s, {.work = 4'000'000});
    }
}
