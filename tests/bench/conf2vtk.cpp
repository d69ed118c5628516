// SPDX-License-Identifier: GPL-3.0-or-later
// Cost of one conf-file in conf2vtk on one core. Prints processor time, from reading it to the last
// file renamed, and megabytes of all kinds together. Run by hand; docs/performance.md keeps the
// figures.
#include "conf2vtk.hpp"

#include "sample_shapes.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/math.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <random>
#include <string>
#include <unistd.h>

using namespace scree;
namespace fs = std::filesystem;

namespace {

/// A lattice of turned bodies in a box with five walls, each with contacts to its next neighbours
/// along x, y, z. Forces are random.
std::string packing(const std::string& shape, int n, int walls, int pointsAPair) {
  std::mt19937_64 draw(7);
  const auto unit = [&] { return static_cast<double>(draw() >> 11) * 0x1p-53; };
  const auto signedUnit = [&] { return 2.0 * unit() - 1.0; };
  const int side = static_cast<int>(std::ceil(std::cbrt(n)));
  std::string text = fmt::format(
      "Rockable 21-08-2022\nt 0\ntmax 1\ndt 1e-4\ninterVerlet 1\ninterConf 1\nDVerlet 0\ndVerlet "
      "0\n"
      "density 0 2700\ngravity 0 0 -9.81\nforceLaw Default\nknContact 0 0 1e6\nmuContact 0 0 0.5\n"
      "iconf 0\nnDriven {}\nshapeFile shapes.shp\nprecision 13\nParticles {}\n",
      walls, n + walls);
  for (int w = 0; w < walls; ++w)
    text += fmt::format("Plate 0 0 1  0 0 {}  0 0 0  0 0 0  1 0 0 0  0 0 0  0 0 0\n", -w - 1);
  for (int k = 0; k < n; ++k) {
    Quat q(signedUnit(), signedUnit(), signedUnit(), signedUnit());
    q.normalize();
    text += fmt::format(
        "{} 0 {} 1  {:.13e} {:.13e} {:.13e}  {:.13e} {:.13e} {:.13e}  0 0 -9.81  {:.13e} {:.13e} "
        "{:.13e} {:.13e}  {:.13e} {:.13e} {:.13e}  0 0 0\n",
        shape, k, k % side + 0.05 * unit(), k / side % side + 0.05 * unit(),
        k / side / side + 0.05 * unit(), 0.1 * signedUnit(), 0.1 * signedUnit(), 0.1 * signedUnit(),
        q.w(), q.x(), q.y(), q.z(), signedUnit(), signedUnit(), signedUnit());
  }
  std::string contacts;
  int count = 0;
  for (int k = 0; k < n && pointsAPair > 0; ++k)
    for (const int step : {1, side, side * side})
      for (int p = 0; p < pointsAPair && k + step < n; ++p, ++count)
        contacts += fmt::format(
            "{} {} 2 {} {}  {:.13e} {:.13e} {:.13e}  {:.13e}  {:.13e} {:.13e} {:.13e}  0 0 0  "
            "{:.13e} "
            "{:.13e} {:.13e} {:.13e}  0 0 0  {:.13e}\n",
            walls + k, walls + k + step, p, p, step == 1 ? -1.0 : 0.0, step == side ? -1.0 : 0.0,
            step == side * side ? -1.0 : 0.0, -1e-6 * unit(), k % side + unit(),
            k / side % side + unit(), k / side / side + unit(), 10.0 * unit(), unit(), unit(),
            unit(), 12.5);
  return text + fmt::format("Interactions {}\n{}Interfaces 0\n", count, contacts);
}

struct Case {
  std::string name, conf;
  tools::Geometry geometry;
  std::string limit;
};

double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

tools::Conf2vtkOptions optionsFor(const fs::path& folder, tools::Geometry geometry) {
  tools::Conf2vtkOptions options;
  options.confs = {(folder / "conf0").string()};
  options.output = (folder / "vtk").string();
  options.geometry = geometry;
  options.remake = true;
  return options;
}

std::size_t convert(const tools::Conf2vtkOptions& options) {
  Diagnostics diagnostics;
  return tools::conf2vtk(options, diagnostics, [](const std::string&) {}, {}).bytes;
}

}  // namespace

int main() {
  const fs::path folder = fs::temp_directory_path() / fmt::format("scree_bench_{}", ::getpid());
  fs::create_directories(folder);
  shape::Shape dodecahedron = samples::dodecahedron(0.445, 0.0545), ball = shape::makeSphere(0.5),
               plate = shape::makePlate(10, 10, 0.05);
  dodecahedron.name = "Dodecahedron";
  ball.name = "Ball";
  plate.name = "Plate";
  for (shape::Shape* s : {&dodecahedron, &ball, &plate}) {
    s->preCompDone = true;  // as a survey leaves them: no time goes into masses
    s->volume = 0.35;
    s->inertiaPerMass = Vec3::Constant(0.08);
    s->obb.extent = Vec3::Constant(0.47);
    s->obbGiven = true;
  }
  writeFile((folder / "shapes.shp").string(), shape::shapesText({dodecahedron, ball, plate}),
            Existing::replace);
  using tools::Geometry;
  const std::vector<Case> cases{
      {"600 dodecahedra, rounded", packing("Dodecahedron", 600, 5, 2), Geometry::rounded,
       "15 ms, 2.5 MB"},
      {"20,000 dodecahedra, rounded", packing("Dodecahedron", 20'000, 5, 2), Geometry::rounded, ""},
      {"600 dodecahedra, skeleton", packing("Dodecahedron", 600, 5, 1), Geometry::skeleton,
       "5 ms, 0.4 MB"},
      {"100,000 balls, glyphs", packing("Ball", 100'000, 5, 0), Geometry::glyphs, "300 ms, 9 MB"}};
  fmt::print("{:32} {:>10} {:>10}   limits\n", "a file, one core", "ms", "MB");
  for (const Case& c : cases) {
    writeFile((folder / "conf0").string(), c.conf, Existing::replace);
    double least = HUGE_VAL;
    std::size_t bytes = 0;
    for (int run = 0; run < 9; ++run) {
      const double before = processorSeconds();
      bytes = convert(optionsFor(folder, c.geometry));
      // The first run of a process pays for its pages.
      if (run > 0) least = std::min(least, processorSeconds() - before);
    }
    fmt::print("{:32} {:10.1f} {:10.2f}   {}\n", c.name, 1e3 * least,
               1e-6 * static_cast<double>(bytes), c.limit);
    fs::remove_all(folder / "vtk");
  }
  fs::remove_all(folder);
}
