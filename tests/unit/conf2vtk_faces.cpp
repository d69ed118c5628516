// SPDX-License-Identifier: GPL-3.0-or-later
// Loads on the faces of a driven mesh, and bodies that are not convex, in ParaView files.
#include "conf2vtk_case.hpp"
#include "sample_shapes.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/shape/shape_file.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>

#include <algorithm>
#include <map>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::test;

TEST_CASE("faces of a driven mesh carry their loads, which add up to that on the body",
          "[conf2vtk]") {
  const CaseFolder folder;
  shape::Shape roof;
  roof.name = "Roof";
  roof.radius = 0.01;
  roof.isSurface = true;
  roof.preCompDone = true;
  roof.volume = 1;
  roof.inertiaPerMass = Vec3::Ones();
  roof.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)};
  roof.edges = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {0, 3}};
  roof.faces.add({0, 1, 2});
  roof.faces.add({0, 2, 3});
  writeFile(folder / "shapes.shp", shapesText() + shape::shapesText({roof}), Existing::replace);
  // Homothety 2: faces of 2 m². Balls are on face 1, on the edge between both, and on corner 1,
  // which face 0 has alone. A second ball on face 1 is the second body of its contact.
  std::string text =
      "Rockable 21-08-2022\nt 0\ntmax 1\ndt 1e-4\ninterVerlet 1\ninterConf 1\nDVerlet 0\ndVerlet "
      "0\ndensity 0 1000\ngravity 0 0 -9.81\nforceLaw Default\nknContact 0 0 1e6\niconf 0\n"
      "nDriven 1\nshapeFile shapes.shp\nprecision 17\nParticles 5\n"
      "Roof 0 0 2 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n";
  for (int k = 1; k < 5; ++k)
    text += fmt::format("Ball 0 {} 1 {} 1 0.26 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n", k, 0.3 * k);
  text +=
      "Interactions 4\n"
      "1 0 2 0 1  0 0 1  -1e-4  0.3 1 0.01  0 0 0  100 3 0 0  0 0 0  0\n"
      "2 0 1 0 2  0 0 1  -1e-4  0.6 1 0.01  0 0 0  40 0 0 0  0 0 0  0\n"
      "3 0 0 0 1  0 0 1  -1e-4  0.9 1 0.01  0 0 0  8 0 2 0  0 0 0  0\n"
      "4 0 2 0 1  0 0 1  -1e-4  1.2 1 0.01  0 0 0  10 0 0 0  0 0 0  0\n"
      "Interfaces 0\n";
  writeFile(folder / "conf0", text, Existing::replace);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.arrays = {"id", "force", "face_force", "face_pressure"};
  options.doubles = true;
  convert(options);
  const auto driven = read(folder / "vtk/driven/driven_0000.vtp");
  REQUIRE(driven->GetNumberOfPolys() == 2);
  REQUIRE(driven->GetNumberOfCells() == 2);
  vtkDataArray *force = driven->GetCellData()->GetArray("face_force"),
               *pressure = driven->GetCellData()->GetArray("face_pressure");
  REQUIRE(force != nullptr);
  REQUIRE(pressure != nullptr);
  CHECK(Vec3(force->GetTuple3(0)) == Vec3(0, -2, -28));
  CHECK(Vec3(force->GetTuple3(1)) == Vec3(-3, 0, -130));
  CHECK(pressure->GetTuple1(0) == 14.0);
  CHECK(pressure->GetTuple1(1) == 65.0);
  const Vec3 whole(driven->GetCellData()->GetArray("force")->GetTuple3(0));
  CHECK(Vec3(force->GetTuple3(0)) + Vec3(force->GetTuple3(1)) == whole);
  // Free bodies have no such arrays, and "all" leaves them out.
  const auto free = read(folder / "vtk/particles/particles_0000.vtp");
  CHECK(free->GetCellData()->GetArray("face_force") == nullptr);
  options.arrays = {"all"};
  convert(options);
  const auto again = read(folder / "vtk/driven/driven_0000.vtp");
  CHECK(again->GetCellData()->GetArray("face_force") == nullptr);
  CHECK(again->GetNumberOfPolys() > 2);  // rounded again
}

TEST_CASE("a body that is not convex is one closed surface with its volume", "[conf2vtk]") {
  const CaseFolder folder;
  shape::Shape letter = samples::letterL(0.1);
  letter.name = "Letter";
  mass::survey(letter);
  writeFile(folder / "shapes.shp", shape::shapesText({letter}), Existing::replace);
  writeFile(
      folder / "conf0",
      "Rockable 21-08-2022\nt 0\ntmax 1\ndt 1e-4\ninterVerlet 1\ninterConf 1\nDVerlet 0\n"
      "dVerlet 0\ndensity 0 1000\ngravity 0 0 -9.81\nforceLaw Default\nknContact 0 0 1e6\n"
      "iconf 0\nnDriven 0\nshapeFile shapes.shp\nprecision 17\nParticles 1\n"
      "Letter 0 0 2 5 6 7 0 0 0 0 0 0 0.8 0 0.6 0 0 0 0 0 0 0\nInteractions 0\nInterfaces 0\n",
      Existing::replace);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.doubles = true;
  options.normals = true;
  convert(options);
  const auto data = read(folder / "vtk/particles/particles_0000.vtp");
  std::map<std::pair<vtkIdType, vtkIdType>, int> edges;
  double volume = 0.0;
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    vtkIdType n = 0;
    const vtkIdType* corners = nullptr;
    data->GetCellPoints(c, n, corners);
    for (vtkIdType k = 0; k < n; ++k) {
      const vtkIdType a = corners[k], b = corners[(k + 1) % n];
      edges[std::minmax(a, b)] += a < b ? 1 : -1;
    }
    volume +=
        pointOf(data, corners[0]).dot(pointOf(data, corners[1]).cross(pointOf(data, corners[2]))) /
        6.0;
  }
  CHECK(std::ranges::all_of(edges, [](const auto& e) { return e.second == 0; }));
  CHECK(volume == Approx(8 * letter.volume).epsilon(4e-3));
  CHECK(data->GetPointData()->GetNormals() != nullptr);
}
