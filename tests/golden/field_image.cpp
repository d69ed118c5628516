// SPDX-License-Identifier: GPL-3.0-or-later
// `extract field -o FILE.vti` as ParaView opens it, against the table of the same command.
#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkXMLImageDataReader.h>

#include <cmath>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;

TEST_CASE("the image of a field holds the places and numbers of its table",
          "[golden][extract][vtk]") {
  const testing::Folder folder;
  const std::string balls =
      "Rockable 21-08-2022\nt 0.125\ntmax 1\ndt 1e-4\ninterVerlet 1e-4\ninterConf 1\nDVerlet 0.2\n"
      "dVerlet 0.1\ndensity 0 1000\ngravity 0 -9.81 0\nforceLaw Default\nknContact 0 0 1e6\n"
      "iconf 0\nnDriven 0\nshapeFile ball.shp\nParticles 3\n"
      "Ball 0 0 1  0.1 0.2 0.3  1 0 -2  0 0 0  1 0 0 0  0 0 0  0 0 0\n"
      "Ball 0 1 1  1.05 0.2 0.3  0 3 0  0 0 0  1 0 0 0  0 0 0  0 0 0\n"
      "Ball 0 2 1  0.4 1.6 0.9  0 0 0.5  0 0 0  1 0 0 0  0 0 0  0 0 0\n"
      "Interactions 1\n"
      "0 1 0 0 0  -1 0 0  -0.05  0.575 0.2 0.3  0 0 0  50000  0 100 0  0 0 0  0\n";
  folder.write("conf0", balls);
  folder.write(
      "ball.shp",
      "<\nname Ball\nradius 0.5\npreCompDone y\nvolume 0.5235987755982988\n"
      "I/m 0.1 0.1 0.1\nobb.extent 0.5 0.5 0.5\nobb.e1 1 0 0\nobb.e2 0 1 0\nobb.e3 0 0 1\n"
      "obb.center 0 0 0\nposition 0 0 0\norientation 1 0 0 0\nnv 1\n0 0 0\nne 0\nnf 0\n>\n");
  const std::string command =
      "extract field conf0 --grid 4,3,2 --region box:-0.5,-0.25,0,1.5,1.75,1 ";
  const Outcome image = run(folder, command + "-o field.vti");
  INFO(image.err);
  REQUIRE(image.code == 0);
  const Outcome printed = run(folder, command + "--json");
  REQUIRE(printed.code == 0);
  const auto table = parseJson(printed.out);
  const auto column = [&](const std::string& name) {
    for (std::size_t k = 0; k < table["columns"].size(); ++k)
      if (table["columns"][k] == name) return k;
    FAIL("no column " + name);
    return std::size_t{0};
  };

  vtkNew<vtkXMLImageDataReader> reader;
  reader->SetFileName(folder.path("field.vti").c_str());
  reader->Update();
  CHECK(reader->GetErrorCode() == 0);
  vtkImageData* field = reader->GetOutput();
  REQUIRE(field->GetNumberOfCells() == 24);
  REQUIRE(table["rows"].size() == 24);
  int points[3] = {};
  field->GetDimensions(points);
  CHECK(points[0] == 5);
  CHECK(points[1] == 4);
  CHECK(points[2] == 3);
  CHECK(field->GetSpacing()[0] == Approx(0.5));
  CHECK(field->GetSpacing()[1] == Approx(2.0 / 3.0));
  CHECK(field->GetOrigin()[0] == Approx(-0.5));
  CHECK(field->GetOrigin()[1] == Approx(-0.25));
  CHECK(field->GetFieldData()->GetArray("TimeValue")->GetTuple1(0) == 0.125);

  const std::vector<std::pair<std::string, std::vector<std::string>>> arrays{
      {"density", {"density"}},
      {"solid_fraction", {"phi"}},
      {"velocity", {"vx", "vy", "vz"}},
      {"temperature", {"temperature"}},
      {"stress", {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"}},
      {"pressure", {"p"}},
      {"deviator", {"q"}}};
  bool stressed = false;
  for (vtkIdType cell = 0; cell < 24; ++cell) {
    const auto& row = table["rows"][static_cast<std::size_t>(cell)];
    // VTK counts cells as the table does: x fastest.
    const double* box = field->GetCell(cell)->GetBounds();
    for (int axis = 0; axis < 3; ++axis)
      CHECK(0.5 * (box[2 * axis] + box[2 * axis + 1]) ==
            Approx(row[column(std::string(1, static_cast<char>('x' + axis)))].get<double>())
                .margin(1e-12));
    for (const auto& [name, columns] : arrays) {
      vtkDataArray* array = field->GetCellData()->GetArray(name.c_str());
      INFO(name << " in cell " << cell);
      REQUIRE(array);
      REQUIRE(array->GetNumberOfComponents() == static_cast<int>(columns.size()));
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto& expected = row[column(columns[k])];
        const double value = array->GetComponent(cell, static_cast<int>(k));
        if (expected.is_null())
          CHECK(std::isnan(value));
        else
          CHECK(value == expected.get<double>());  // to the bit
        stressed = stressed || (name == "stress" && value != 0.0);
      }
    }
  }
  CHECK(stressed);
}
