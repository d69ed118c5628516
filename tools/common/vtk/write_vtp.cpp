// SPDX-License-Identifier: GPL-3.0-or-later
#include "write_vtp.hpp"

#include "scree/base/files.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>
#include <vtkVersion.h>
#include <vtkXMLPolyDataWriter.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace scree::tools::vtp {
namespace {

template <class Array, class T>
vtkSmartPointer<vtkDataArray> filled(const std::vector<T>& values, std::size_t components) {
  const auto array = vtkSmartPointer<Array>::New();
  array->SetNumberOfComponents(static_cast<int>(components));
  array->SetNumberOfTuples(static_cast<vtkIdType>(values.size() / components));
  std::copy(values.begin(), values.end(), array->GetPointer(0));
  return array;
}

vtkSmartPointer<vtkDataArray> vtkArray(const DataArray& from, bool isGlobalIds) {
  struct Fill {
    std::size_t components;
    bool asIds;  // VTK wants its own index type for them
    vtkSmartPointer<vtkDataArray> operator()(const std::vector<float>& v) const {
      return filled<vtkFloatArray>(v, components);
    }
    vtkSmartPointer<vtkDataArray> operator()(const std::vector<double>& v) const {
      return filled<vtkDoubleArray>(v, components);
    }
    vtkSmartPointer<vtkDataArray> operator()(const std::vector<std::int32_t>& v) const {
      return filled<vtkTypeInt32Array>(v, components);
    }
    vtkSmartPointer<vtkDataArray> operator()(const std::vector<std::int64_t>& v) const {
      if (asIds) return filled<vtkIdTypeArray>(v, components);
      return filled<vtkTypeInt64Array>(v, components);
    }
    vtkSmartPointer<vtkDataArray> operator()(const std::vector<std::uint8_t>& v) const {
      return filled<vtkUnsignedCharArray>(v, components);
    }
  };
  const auto array = std::visit(Fill{from.components, isGlobalIds}, from.values);
  array->SetName(from.name.c_str());
  if (!from.unit.empty())
    array->GetInformation()->Set(vtkDataArray::UNITS_LABEL(), from.unit.c_str());
  static constexpr std::array vectorNames{"x", "y", "z"};
  static constexpr std::array quaternionNames{"w", "x", "y", "z"};
  static constexpr std::array tensorNames{"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};
  const auto nameComponents = [&](const auto& names) {
    for (std::size_t c = 0; c < names.size(); ++c)
      array->SetComponentName(static_cast<vtkIdType>(c), names[c]);
  };
  if (from.components == 3) nameComponents(vectorNames);
  if (from.components == 4) nameComponents(quaternionNames);
  if (from.components == 9) nameComponents(tensorNames);
  return array;
}

vtkSmartPointer<vtkPoints> vtkPointsOf(const PolyPiece& piece) {
  const auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataType(piece.doublePoints ? VTK_DOUBLE : VTK_FLOAT);
  points->SetNumberOfPoints(static_cast<vtkIdType>(piece.points.size()));
  for (std::size_t p = 0; p < piece.points.size(); ++p)
    points->SetPoint(static_cast<vtkIdType>(p), piece.points[p].data());
  return points;
}

vtkSmartPointer<vtkCellArray> vtkCells(const shape::Polygons& cells) {
  const auto array = vtkSmartPointer<vtkCellArray>::New();
  array->AllocateExact(static_cast<vtkIdType>(cells.size()),
                       static_cast<vtkIdType>(cells.cornerCount()));
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto corners = cells[c];
    array->InsertNextCell(static_cast<int>(corners.size()));
    for (const std::uint32_t corner : corners) array->InsertCellPoint(corner);
  }
  return array;
}

void addArrays(vtkDataSetAttributes* to, const std::vector<DataArray>& arrays, std::size_t count,
               const PolyPiece& piece) {
  for (const DataArray& array : arrays) {
    if (array.tuples() != count)
      throw std::logic_error("array " + array.name + " does not fit its points or cells");
    const bool isGlobalIds = array.name == piece.globalIds;
    const auto added = vtkArray(array, isGlobalIds);
    if (isGlobalIds)
      to->SetGlobalIds(added);
    else
      to->AddArray(added);
  }
  const auto activate = [&](const std::string& name, int attribute) {
    if (!name.empty() && to->HasArray(name.c_str()))
      to->SetActiveAttribute(name.c_str(), attribute);
  };
  activate(piece.scalars, vtkDataSetAttributes::SCALARS);
  activate(piece.vectors, vtkDataSetAttributes::VECTORS);
  activate(piece.normals, vtkDataSetAttributes::NORMALS);
}

}  // namespace

std::string vtpText(const PolyPiece& piece, const VtpOptions& options) {
  // Everything VTK is made anew here: its writer stores more about an array once the array's range
  // was asked for, which writing does, and the bytes would differ the second time.
  vtkNew<vtkPolyData> data;
  data->SetPoints(vtkPointsOf(piece));
  if (!piece.vertices.empty()) data->SetVerts(vtkCells(piece.vertices));
  if (!piece.lines.empty()) data->SetLines(vtkCells(piece.lines));
  if (!piece.polygons.empty()) data->SetPolys(vtkCells(piece.polygons));
  addArrays(data->GetPointData(), piece.pointData, piece.points.size(), piece);
  addArrays(data->GetCellData(), piece.cellData, piece.cellCount(), piece);
  for (const DataArray& array : piece.fieldData)
    data->GetFieldData()->AddArray(vtkArray(array, false));
  for (const auto& [name, words] : piece.texts) {
    vtkNew<vtkStringArray> array;
    array->SetName(name.c_str());
    for (const std::string& word : words) array->InsertNextValue(word);
    data->GetFieldData()->AddArray(array);
  }

  vtkNew<vtkXMLPolyDataWriter> writer;
  writer->SetInputData(data);
  writer->SetHeaderTypeToUInt64();  // the default breaks beyond 4 GiB an array
  writer->SetByteOrderToLittleEndian();
  if (options.ascii) {
    writer->SetDataModeToAscii();
  } else {
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
  }
  switch (options.compression) {
    case Compression::none:
      writer->SetCompressorTypeToNone();
      break;
    case Compression::lz4:
      writer->SetCompressorTypeToLZ4();
      break;
    case Compression::zlib:
      writer->SetCompressorTypeToZLib();
      break;
  }
  writer->SetCompressionLevel(1);  // higher levels save nothing on such data and cost much time
  // Into memory, so that the file appears by our own temporary name and rename.
  writer->WriteToOutputStringOn();
  if (writer->Write() == 0) throw std::runtime_error("VTK could not write a piece");
  return writer->GetOutputString();
}

std::size_t writeVtp(const std::string& path, const PolyPiece& piece, const VtpOptions& options) {
  const std::string text = vtpText(piece, options);
  writeFile(path, text, Existing::replace);
  return text.size();
}

std::string vtkVersion() { return ::vtkVersion::GetVTKVersion(); }

}  // namespace scree::tools::vtp
