// SPDX-License-Identifier: GPL-3.0-or-later
// Small runs of rockable in ParaView files, and command lines of conf2vtk.
#include "command.hpp"
#include "conf2vtk_case.hpp"

#include <cmath>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::test;

TEST_CASE("conf2vtk refuses options that contradict each other and writes nothing",
          "[golden][conf2vtk]") {
  const SeriesFolder folder(3);  // t is 0, 0.1 and 0.2
  const auto [options, code] = GENERATE(table<std::string, int>({
      {"--from nan", 2},
      {"--from 5", 3},
      {"--arrays velocty", 2},
      {"--view --color-by qqqqqqqq", 2},
      {"--ascii --compress zlib", 2},
      {"--follow --tracks", 2},
      {"--image a.png --size 5 5", 2},
      {"--size 200 200", 2},
      {"--explode 0.3", 2},
      {"--explode 0 --image a.png", 2},
      {"--explode -1 --image a.png", 2},
      {"--explode nan --html a.html", 2},
      {"--explode 0.3 --tracks --html a.html", 2},
      {"--select 'q>1'", 2},
  }));
  INFO(options);
  testing::expect(folder, "conf2vtk conf0 conf1 conf2 " + options, code);
  CHECK_FALSE(std::filesystem::exists(folder / "vtk"));
}

TEST_CASE("a round wall that moves is drawn where it is", "[golden][conf2vtk]") {
  const testing::Folder folder;
  folder.write("shapes.shp", shapesText());
  // After 500 steps at 0.5 along x its axis is at x = 0.025.
  folder.write("conf0",
               "Rockable 21-08-2022\nt 0\ntmax 0.05\ndt 1e-4\ninterVerlet 1e-4\ninterConf 0.05\n"
               "DVerlet 0.2\ndVerlet 0.1\ndensity 0 1000\ngravity 0 0 0\nforceLaw Default\n"
               "knContact 0 0 1e6\n#scree boundary cylinder 0 0 0 0 0 1 1 0\n"
               "#scree boundaryMotion 0 0.5 0 0 0 0 2\niconf 0\nnDriven 0\nshapeFile shapes.shp\n"
               "precision 17\nParticles 1\nBall 0 0 2 0.1 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n");
  testing::mustRun(folder, "rockable conf0 -o out -q -j 1");
  convert(optionsFor(folder, {"out/conf1"}));
  const auto walls = read(folder.path("vtk/walls/walls_0001.vtp"));
  REQUIRE(walls->GetNumberOfPoints() > 0);
  for (vtkIdType k = 0; k < walls->GetNumberOfPoints(); ++k) {
    const Vec3 p = pointOf(walls, k);
    CHECK(std::hypot(p[0] - 0.025, p[1]) == Approx(1.0).epsilon(1e-6));
  }
}

TEST_CASE("a picture goes to standard output, a series of pictures does not",
          "[golden][conf2vtk]") {
  const SeriesFolder folder(2);
  CHECK(testing::run(folder, "conf2vtk conf1 --image - -q").out.starts_with("\x89PNG\r\n"));
  const testing::Outcome series = testing::expect(folder, "conf2vtk . --image -", 2);
  CHECK(series.out.empty());
}
