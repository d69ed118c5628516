// SPDX-License-Identifier: GPL-3.0-or-later
// Small runs of rockable in ParaView files, against closed forms. They are a pair across a side of
// a periodic cell, and a ball on a round wall.
#include "command.hpp"
#include "conf2vtk_case.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>

#include <cmath>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::test;

namespace {

/// Runs balls of radius 0.5 and density 1000 for some steps of 1e-4, without losses, and converts
/// the end.
void runBalls(const testing::Folder& folder, int steps, const std::string& lines,
              const std::vector<std::string>& bodies, const std::string& gravity) {
  folder.write(
      "ball.shp",
      "<\nname Ball\nradius 0.5\npreCompDone y\nvolume 0.5235987755982988\n"
      "I/m 0.1 0.1 0.1\nobb.extent 0.5 0.5 0.5\nobb.e1 1 0 0\nobb.e2 0 1 0\nobb.e3 0 0 1\n"
      "obb.center 0 0 0\nposition 0 0 0\norientation 1 0 0 0\nnv 1\n0 0 0\nne 0\nnf 0\n>\n");
  std::string text = fmt::format(
      "Rockable 21-08-2022\nt 0\ntmax {:.1e}\ndt 1e-4\ninterVerlet 1e-4\ninterConf {:.1e}\n"
      "DVerlet 0.2\ndVerlet 0.1\ndensity 0 1000\ngravity {}\nforceLaw Default\nknContact 0 0 1e6\n"
      "en2Contact 0 0 1\n{}iconf 0\nnDriven 0\nshapeFile ball.shp\nprecision 17\nParticles {}\n",
      1e-4 * steps, 1e-4 * steps, gravity, lines, bodies.size());
  for (const std::string& body : bodies)
    text += "Ball 0 0 1 " + body + " 0 0 0 1 0 0 0 0 0 0 0 0 0\n";
  folder.write("conf0", text);
  const testing::Outcome outcome = testing::run(folder, "rockable conf0 -o out -q -j 1");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  Conf2vtkOptions options;
  options.confs = {folder.path("out/conf1")};
  options.output = folder.path("vtk");
  options.arrays = {"all"};
  options.contacts = ContactDrawing::chains;
  convert(options);
}

}  // namespace

TEST_CASE("two balls across a side of a periodic cell bear the same pressure",
          "[golden][conf2vtk]") {
  const testing::Folder folder;
  runBalls(folder, 5, "usePeriodicCell 1\nh 3 0 0 0 3 0 0 0 3\n",
           {"0.1 1 1 0 0 0", "2.15 1 1 0 0 0"}, "0 0 0");
  const auto centres = read(folder.path("vtk/centres/centres_0001.vtp"));
  vtkDataArray* pressure = centres->GetPointData()->GetArray("pressure");
  // The overlap of 0.05 swings as a cosine; pressure is force times arm over three volumes.
  const double volume = pi / 6.0, omega = std::sqrt(2e6 / (1000 * volume)),
               overlap = 0.05 * std::cos(omega * 5e-4);
  const double expected = 1e6 * overlap * 0.5 * (1.0 - overlap) / (3.0 * volume);
  CHECK(expected == Approx(15113).epsilon(2e-5));
  for (int body = 0; body < 2; ++body)
    CHECK(pressure->GetTuple1(body) == Approx(expected).epsilon(1e-4));
  CHECK(pressure->GetTuple1(0) == Approx(pressure->GetTuple1(1)).epsilon(1e-13));
  const auto chains = read(folder.path("vtk/chains/chains_0001.vtp"));
  REQUIRE(chains->GetNumberOfLines() == 1);
  CHECK((pointOf(chains, 1) - pointOf(chains, 0)).norm() == Approx(1.0 - overlap).epsilon(1e-5));
}

TEST_CASE("conf2vtk refuses options that contradict each other and writes nothing",
          "[golden][conf2vtk]") {
  const testing::Folder folder;
  makeSeries(folder, 3);  // t is 0, 0.1 and 0.2
  const auto [options, code] = GENERATE(table<std::string, int>({
      {"--from nan", 2},
      {"--from 2 --to 1", 2},
      {"--from 5", 3},
      {"--arrays velocty", 2},
      {"--view --color-by qqqqqqqq", 2},
      {"--ascii --compress zlib", 2},
      {"--follow --tracks", 2},
      {"--image a.png --size 5 5", 2},
      {"--size 200 200", 2},
      {"--select 'q>1'", 2},
      {"--images --strict", 3},
  }));
  INFO(options);
  CHECK(testing::run(folder, "conf2vtk conf0 conf1 conf2 " + options).code == code);
  CHECK_FALSE(std::filesystem::exists(folder / "vtk"));
}

TEST_CASE("conf2vtk reads patterns and lists of files as extract does", "[golden][conf2vtk]") {
  const testing::Folder folder;
  makeSeries(folder, 3);
  folder.write("list", "conf2  # the last\nconf0\n");
  const testing::Outcome pattern = testing::run(folder, "conf2vtk 'conf*' -o all");
  CHECK(pattern.code == 0);
  CHECK(std::filesystem::exists(folder / "all/centres/centres_0002.vtp"));
  const testing::Outcome list = testing::run(folder, "conf2vtk @list -o two");
  CHECK(list.code == 0);
  CHECK(std::filesystem::exists(folder / "two/centres/centres_0002.vtp"));
  CHECK_FALSE(std::filesystem::exists(folder / "two/centres/centres_0001.vtp"));
  CHECK(testing::run(folder, "conf2vtk 'none*' -o none").code == 4);
}

TEST_CASE("a round wall that moves is drawn where it is", "[golden][conf2vtk]") {
  const testing::Folder folder;
  // After 500 steps at 0.5 along x its axis is at x = 0.025.
  runBalls(folder, 500,
           "#scree boundary cylinder 0 0 0 0 0 1 1 0\n#scree boundaryMotion 0 0.5 0 0 0 0 2\n",
           {"0.1 0 0 0 0 0"}, "0 0 0");
  const auto walls = read(folder.path("vtk/walls/walls_0001.vtp"));
  REQUIRE(walls->GetNumberOfPoints() > 0);
  for (vtkIdType k = 0; k < walls->GetNumberOfPoints(); ++k) {
    const Vec3 p = pointOf(walls, k);
    CHECK(std::hypot(p[0] - 0.025, p[1]) == Approx(1.0).epsilon(1e-6));
  }
}

TEST_CASE("a picture goes to standard output, a series of pictures does not",
          "[golden][conf2vtk]") {
  const testing::Folder folder;
  runBalls(folder, 2, "", {"0 1 1 0 0 0"}, "0 0 0");
  const testing::Outcome one = testing::run(folder, "conf2vtk out/conf1 --image - -q");
  INFO(one.err);
  REQUIRE(one.code == 0);
  CHECK(one.out.starts_with("\x89PNG\r\n"));
  const testing::Outcome series = testing::run(folder, "conf2vtk out --image -");
  CHECK(series.code == 2);
  CHECK(series.out.empty());
}
