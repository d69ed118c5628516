// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "folder.hpp"
#include "vtk/write_vtp.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkXMLPolyDataReader.h>

#include <cmath>

using namespace scree;
using namespace scree::tools::vtp;

namespace {

PolyPiece mixedPiece() {
  PolyPiece piece;
  piece.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1.0 / 3.0, 2, 3}};
  piece.vertices.add({4});
  piece.lines.add({0, 4});
  piece.lines.add({1, 4});
  piece.polygons.add({0, 1, 2, 3});
  piece.pointData.push_back({"height", "m", 1, std::vector<double>{0, 0, 0, 0, 3}});
  piece.cellData.push_back({"id", "", 1, std::vector<std::int64_t>{7, 8, 9, 5000000000}});
  piece.cellData.push_back({"velocity", "m/s", 3, std::vector<float>(12, 0.5F)});
  piece.fieldData.push_back({"TimeValue", "s", 1, std::vector<double>{0.25}});
  piece.texts.emplace_back("shape_names", std::vector<std::string>{"a<b&c", "Würfel"});
  piece.scalars = "id";
  piece.vectors = "velocity";
  return piece;
}

vtkSmartPointer<vtkPolyData> readBack(const std::string& text) {
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->ReadFromInputStringOn();
  reader->SetInputString(text);
  reader->Update();
  return reader->GetOutput();
}

}  // namespace

TEST_CASE("a .vtp file holds points, cells, arrays, units, time and words in every encoding",
          "[vtk]") {
  VtpOptions options;
  options.compression = GENERATE(Compression::none, Compression::lz4, Compression::zlib);
  options.ascii = GENERATE(false, true);
  const auto data = readBack(vtpText(mixedPiece(), options));
  CHECK(data->GetNumberOfPoints() == 5);
  CHECK(data->GetNumberOfVerts() == 1);
  CHECK(data->GetNumberOfLines() == 2);
  CHECK(data->GetNumberOfPolys() == 1);
  CHECK(data->GetPoint(4)[0] == 1.0 / 3.0);
  CHECK(data->GetPointData()->GetArray("height")->GetTuple1(4) == 3.0);
  CHECK(data->GetCellData()->GetArray("id")->GetTuple1(3) == 5e9);
  REQUIRE(data->GetCellData()->GetScalars() != nullptr);
  CHECK(std::string(data->GetCellData()->GetScalars()->GetName()) == "id");
  vtkDataArray* velocity = data->GetCellData()->GetVectors();
  REQUIRE(velocity != nullptr);
  CHECK(std::string(velocity->GetComponentName(2)) == "z");
  CHECK(std::string(velocity->GetInformation()->Get(vtkDataArray::UNITS_LABEL())) == "m/s");
  CHECK(data->GetFieldData()->GetArray("TimeValue")->GetTuple1(0) == 0.25);
  auto* const names =
      vtkStringArray::SafeDownCast(data->GetFieldData()->GetAbstractArray("shape_names"));
  REQUIRE(names != nullptr);
  CHECK(names->GetValue(0) == "a<b&c");
  CHECK(names->GetValue(1) == "Würfel");
}

TEST_CASE("parts of a file share cells, and readers join them", "[vtk]") {
  PolyPiece piece = mixedPiece();
  PolyPiece part = mixedPiece();
  for (Vec3& p : part.points) p.z() += 10.0;
  part.vertices = piece.vertices;
  part.lines = piece.lines;
  part.polygons = piece.polygons;
  const std::string one = vtpText(piece, {.compression = Compression::none});
  piece.laterParts.emplace_back([part] { return part; });
  VtpOptions options;
  options.compression = GENERATE(Compression::none, Compression::lz4, Compression::zlib);
  options.ascii = GENERATE(false, true);
  const std::string text = vtpText(piece, options);
  const auto data = readBack(text);
  REQUIRE(data->GetNumberOfPoints() == 10);
  CHECK(data->GetNumberOfVerts() == 2);
  CHECK(data->GetNumberOfLines() == 4);
  REQUIRE(data->GetNumberOfPolys() == 2);
  vtkIdType n = 0;
  const vtkIdType* corners = nullptr;
  data->GetCellPoints(7, n, corners);  // the second polygon
  REQUIRE(n == 4);
  CHECK(corners[2] == 7);
  CHECK(data->GetPoint(7)[2] == 10.0);
  // Vertices of both parts come first, so do their values.
  CHECK(data->GetCellData()->GetArray("id")->GetTuple1(1) == 7.0);
  CHECK(data->GetCellData()->GetArray("id")->GetTuple1(7) == 5e9);
  CHECK(data->GetFieldData()->GetArray("TimeValue")->GetNumberOfTuples() == 1);
  // The cells, ids and velocities of the second part are not there twice.
  if (!options.ascii && options.compression == Compression::none)
    CHECK(text.size() < one.size() + 4200);
}

TEST_CASE("lists of cells have 16-bit indices where these hold, also beside larger ones", "[vtk]") {
  const auto lines = [](std::size_t count) {
    PolyPiece piece;
    piece.doublePoints = false;
    for (std::uint32_t p = 0; p <= count; ++p) piece.points.emplace_back(p, 0.0, 0.0);
    for (std::uint32_t p = 0; p < count; ++p) piece.lines.add({p, p + 1});
    return piece;
  };
  const std::size_t small = 16383, large = 16384;  // of 32,766 and of 32,768 corners
  PolyPiece both = lines(small);
  both.laterParts.emplace_back([part = lines(large)] { return part; });
  VtpOptions options;
  options.compression = GENERATE(Compression::none, Compression::lz4);
  const std::string text = vtpText(both, options);
  CHECK(text.find("type=\"Int16\" Name=\"offsets\"") <
        text.find("type=\"Int32\" Name=\"offsets\""));
  CHECK(text.find("type=\"Int32\" Name=\"offsets\"") != std::string::npos);
  const auto data = readBack(text);
  REQUIRE(data->GetNumberOfLines() == static_cast<vtkIdType>(small + large));
  vtkIdType n = 0;
  const vtkIdType* corners = nullptr;
  data->GetCellPoints(static_cast<vtkIdType>(small) - 1, n, corners);
  REQUIRE(n == 2);
  CHECK(corners[1] == static_cast<vtkIdType>(small));
  data->GetCellPoints(static_cast<vtkIdType>(small + large) - 1, n, corners);
  REQUIRE(n == 2);
  CHECK(corners[1] == static_cast<vtkIdType>(small + large + 1));
}

TEST_CASE("appended data begin where old and new XML parsers find them", "[vtk]") {
  // A parser of 4,096 bytes at a time sees 18 bytes of the tag first (appended_data.hpp).
  const std::size_t points = GENERATE(5, 400);
  for (std::size_t more = 0; more < 4200; more += 97) {
    PolyPiece piece;
    for (std::size_t p = 0; p < points; ++p)
      piece.points.emplace_back(std::sin(static_cast<double>(p)), 1.0, 2.0);
    piece.pointData.push_back({std::string(more + 1, 'x'), "", 1, std::vector<double>(points)});
    const std::string text = vtpText(piece, {});
    const std::size_t tag = text.find("<AppendedData");
    REQUIRE(tag != std::string::npos);
    if (text.size() > 4096)
      CHECK((tag + 18) % 4096 == 0);
    else
      CHECK(text[tag - 1] == '\n');  // no spaces where all is read at once
    const auto data = readBack(text);
    REQUIRE(data->GetNumberOfPoints() == static_cast<vtkIdType>(points));
    CHECK(data->GetPoint(4)[0] == std::sin(4.0));
  }
}

TEST_CASE("a collection lists times in order", "[vtk]") {
  const std::string text =
      collectionText({{10.0, "p/p_2.vtp"}, {0.1, "p/p_1.vtp"}, {1e-7, "a&b.vtp"}});
  CHECK(text.find("file=\"a&amp;b.vtp\"") < text.find("step=\"0.1\""));
  CHECK(text.find("step=\"0.1\"") < text.find("step=\"10\""));
  // One time, however it is written.
  const std::string zeros = collectionText({{0.0, "a"}, {-0.0, "b"}, {-0.0, "a"}});
  CHECK(zeros.find("\"-0\"") == std::string::npos);
  CHECK(zeros.find("\"b\"") > zeros.rfind("\"a\""));
}
