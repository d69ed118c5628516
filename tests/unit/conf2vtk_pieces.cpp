// SPDX-License-Identifier: GPL-3.0-or-later
#include "conf2vtk_case.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPointData.h>
#include <vtkXMLMultiBlockDataReader.h>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::test;
using Catch::Contains;
namespace fs = std::filesystem;

TEST_CASE("centres carry one point a body, with its numbers", "[conf2vtk]") {
  const SeriesFolder folder(1);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.arrays = {"all"};
  convert(options);
  const auto data = read(folder / "vtk/centres/centres_0000.vtp");
  REQUIRE(data->GetNumberOfPoints() == 3);
  CHECK(pointOf(data, 2) == Vec3(5, 6, 7));
  vtkPointData* arrays = data->GetPointData();
  CHECK(arrays->GetArray("speed")->GetTuple1(1) == 5.0);
  CHECK(arrays->GetArray("orientation")->GetComponent(2, 0) == Approx(0.8));
  CHECK(arrays->GetArray("orientation")->GetComponent(2, 3) == Approx(0.6));
  CHECK(arrays->GetArray("driven")->GetTuple1(0) == 1.0);
  CHECK(arrays->GetArray("driven")->GetTuple1(1) == 0.0);
  CHECK(arrays->GetArray("radius")->GetTuple1(1) == Approx(0.5));
  CHECK(arrays->GetArray("mass")->GetTuple1(1) == Approx(2700 * 8 * 0.0654498));
  CHECK(arrays->GetArray("coordination")->GetTuple1(1) == 2.0);
  CHECK(arrays->GetArray("coordination")->GetTuple1(2) == 1.0);
  CHECK(arrays->GetArray("fragment")->GetTuple1(2) == 2.0);
  CHECK(arrays->GetArray("overlap_max")->GetTuple1(1) == Approx(2e-3));
  // Action and reaction: what the interactions say of body 0, less what they say of body 2.
  const double* force = arrays->GetArray("force")->GetTuple3(1);
  CHECK(force[0] == Approx(123.456789012345 - 3));
  CHECK(force[1] == Approx(1000));
  CHECK(force[2] == Approx(-4));
  REQUIRE(arrays->GetGlobalIds() != nullptr);
  CHECK(arrays->GetGlobalIds()->GetTuple1(2) == 2.0);
  CHECK(data->GetFieldData()->GetArray("TimeValue")->GetTuple1(0) == 0.0);
  CHECK(data->GetFieldData()->GetAbstractArray("shape_names")->GetNumberOfValues() == 2);
}

TEST_CASE("contact points carry the forces of the conf-file to the bit", "[conf2vtk]") {
  const SeriesFolder folder(1);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.doubles = true;
  options.arrays = {"all"};
  convert(options);
  const auto data = read(folder / "vtk/contacts/contacts_0000.vtp");
  REQUIRE(data->GetNumberOfPoints() == 2);
  CHECK(pointOf(data, 0) == Vec3(0, 0.4995, 0.05));
  vtkPointData* arrays = data->GetPointData();
  CHECK(arrays->GetArray("fn")->GetTuple1(1) == 123.456789012345);
  CHECK(arrays->GetArray("ft_norm")->GetTuple1(0) == 5.0);
  CHECK(Vec3(arrays->GetArray("force_normal")->GetTuple3(0)) == Vec3(0, -1000, 0));
  CHECK(Vec3(arrays->GetArray("force_tangential")->GetTuple3(0)) == Vec3(3, 0, 4));
  CHECK(arrays->GetArray("dn")->GetTuple1(1) == -2e-3);
  CHECK(arrays->GetArray("type")->GetTuple1(0) == 2.0);
  CHECK(arrays->GetArray("sub_j")->GetTuple1(0) == 3.0);
  CHECK(arrays->GetArray("id_i")->GetTuple1(1) == 1.0);
  CHECK(arrays->GetArray("mobilisation")->GetTuple1(0) == Approx(5.0 / 500.0));
  CHECK(arrays->GetArray("damping")->GetTuple1(0) == 12.5);
}

TEST_CASE("force chains join centres, and end at the contact with a driven body", "[conf2vtk]") {
  const SeriesFolder folder(1);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.contacts = ContactDrawing::chains;
  convert(options);
  CHECK_FALSE(fs::exists(folder / "vtk/contacts.pvd"));
  const auto data = read(folder / "vtk/chains/chains_0000.vtp");
  REQUIRE(data->GetNumberOfLines() == 2);
  CHECK(pointOf(data, 0) == Vec3(0, 0.4995, 0.05));
  CHECK(pointOf(data, 1) == Vec3(0, 0.999, 0.05));
  CHECK(pointOf(data, 3) == Vec3(5, 6, 7));
  CHECK(data->GetCellData()->GetArray("fn")->GetTuple1(0) == Approx(1000));
  CHECK(data->GetCellData()->GetArray("ft_norm")->GetTuple1(0) == Approx(5));
  CHECK(data->GetPointData()->GetArray("tube_radius")->GetTuple1(0) > 0.0);
}

TEST_CASE("each geometry has its own files", "[conf2vtk]") {
  const SeriesFolder folder(1);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.geometry = Geometry::skeleton;
  convert(options);
  auto data = read(folder / "vtk/particles/particles_0000.vtp");
  CHECK(data->GetNumberOfVerts() == 1);  // the ball
  CHECK(data->GetNumberOfLines() == 0);
  CHECK(data->GetNumberOfPolys() == 6);
  CHECK(data->GetCellData()->GetArray("id")->GetTuple1(0) == 1.0);
  CHECK(data->GetCellData()->GetArray("id")->GetTuple1(6) == 2.0);

  options.geometry = Geometry::boxes;
  convert(options);
  data = read(folder / "vtk/boxes/boxes_0000.vtp");
  CHECK(data->GetNumberOfPolys() == 12);
  CHECK((pointOf(data, 0) - pointOf(data, 7)).norm() == Approx(std::sqrt(3.0)));

  options.geometry = Geometry::glyphs;
  options.view = true;
  convert(options);
  vtkNew<vtkXMLMultiBlockDataReader> reader;
  reader->SetFileName((folder / "vtk/shapes.vtm").c_str());
  reader->Update();
  auto* const shapes = vtkMultiBlockDataSet::SafeDownCast(reader->GetOutput());
  REQUIRE(shapes != nullptr);
  REQUIRE(shapes->GetNumberOfBlocks() == 2);
  auto* const ball = vtkPolyData::SafeDownCast(shapes->GetBlock(1));
  REQUIRE(ball != nullptr);
  CHECK(pointOf(ball, 0).norm() == Approx(0.25));
  CHECK_THAT(readFile(folder / "vtk/view.py"), Contains("3D Glyphs"));
}

TEST_CASE("without --geometry large files become glyphs, and a line says so", "[conf2vtk]") {
  const SeriesFolder folder(1);
  // A ball of fineness 32 has some 90,000 points, so that 40 of them pass 32 MB.
  std::string text = confText(0, 0), more;
  for (int k = 3; k < 43; ++k)
    more += fmt::format("Ball 0 {} 1  {} 50 0  0 0 0  0 0 0  1 0 0 0  0 0 0  0 0 0\n", k, k);
  text.insert(text.find("Interactions 2"), more);
  text.replace(text.find("Particles 3"), 11, "Particles 43");
  writeFile(folder / "conf1", text, Existing::replace);
  Conf2vtkOptions options = optionsFor(folder, {"conf1"});
  Diagnostics quiet;
  for (const bool large : {true, false}) {
    options.fineness = large ? 32 : 3;
    options.output = folder / fmt::format("vtk{}", large);
    std::string lines;
    conf2vtk(options, quiet, [&](const std::string& line) { lines += line; }, {});
    CHECK(fs::exists(options.output + "/shapes.vtm") == large);
    CHECK(fs::exists(options.output + "/particles.pvd") != large);
    CHECK((lines.find("glyphs") != std::string::npos) == large);
  }
}

TEST_CASE("rounded bodies enclose their exact volume and end where they touch", "[conf2vtk]") {
  const SeriesFolder folder(1);
  Conf2vtkOptions options = optionsFor(folder, {"conf0"});
  options.doubles = true;
  options.fineness = GENERATE(2, 3, 8);
  options.arrays = {"all"};
  convert(options);
  const auto data = read(folder / "vtk/particles/particles_0000.vtp");
  vtkDataArray* ids = data->GetCellData()->GetArray("id");
  double volume[3] = {0, 0, 0};
  Vec3 most = Vec3::Zero();  // of the cube, in its frame
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    vtkIdType n = 0;
    const vtkIdType* corners = nullptr;
    data->GetCellPoints(c, n, corners);
    const Vec3 a = pointOf(data, corners[0]);
    if (ids->GetTuple1(c) == 1.0)
      CHECK((a - Vec3(0, 0.999, 0.05)).norm() == Approx(0.5).epsilon(1e-12));
    else
      most = most.cwiseMax(turnedBack(Quat(0.8, 0, 0, 0.6), a - Vec3(5, 6, 7)).cwiseAbs());
    for (vtkIdType k = 2; k < n; ++k)
      volume[static_cast<int>(ids->GetTuple1(c))] +=
          a.dot(pointOf(data, corners[k - 1]).cross(pointOf(data, corners[k]))) / 6.0;
  }
  // Cube, edges and corners: 0.8^3 + 6 x 0.8^2 r + 3 x 0.8 pi r^2 + 4/3 pi r^3.
  CHECK(volume[2] == Approx(0.512 + 0.384 + 0.024 * pi + 0.004 / 3 * pi).epsilon(1e-10));
  CHECK(volume[1] / (4.0 / 3.0 * pi * 0.125) ==
        Approx(1.0).epsilon(options.fineness > 2 ? 0.01 : 0.03));
  for (int axis = 0; axis < 3; ++axis)
    CHECK(most[axis] == Approx(cubeHalf + cubeRadius).epsilon(1e-12));
  double bounds[6];
  read(folder / "vtk/driven/driven_0000.vtp")->GetBounds(bounds);
  CHECK(bounds[3] == Approx(0.5));
  CHECK(data->GetCellData()->GetArray("velocity")->GetDataType() == VTK_DOUBLE);
  CHECK(data->GetPoints()->GetDataType() == VTK_DOUBLE);
  REQUIRE(data->GetCellData()->GetTensors() != nullptr);
}
