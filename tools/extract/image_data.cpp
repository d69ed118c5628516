// SPDX-License-Identifier: GPL-3.0-or-later
#include "image_data.hpp"

#include "read_table.hpp"
#include "vtk/appended_data.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <filesystem>

namespace scree::tools {
namespace {

struct Array {
  const char* name;
  std::size_t first, components;  // columns of `field`
};
constexpr Array arrays[] = {{"density", 4, 1},     {"solid_fraction", 5, 1}, {"velocity", 6, 3},
                            {"temperature", 9, 1}, {"stress", 10, 9},        {"pressure", 19, 1},
                            {"deviator", 20, 1}};

template <class T>
void appendBytes(std::string& text, T value) {
  static_assert(std::endian::native == std::endian::little);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  text.append(bytes, sizeof value);
}

}  // namespace

std::string imageDataText(const std::vector<sim::Row>& rows,
                          const std::array<std::int64_t, 3>& count) {
  // Middles of the boxes follow from rows; a single place along an axis has a box of side 1.
  const auto place = [&](std::size_t row) {
    return Vec3(numberOf(rows[row][1]), numberOf(rows[row][2]), numberOf(rows[row][3]));
  };
  Vec3 spacing = Vec3::Ones();
  const auto nx = static_cast<std::size_t>(count[0]), ny = static_cast<std::size_t>(count[1]);
  const std::size_t next[] = {1, nx, nx * ny};
  for (int k = 0; k < 3; ++k)
    if (count[static_cast<std::size_t>(k)] > 1) spacing[k] = place(next[k])[k] - place(0)[k];
  const Vec3 origin = place(0) - 0.5 * spacing;
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", count[0], count[1], count[2]);
  std::string head = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<ImageData WholeExtent=\"{}\" "
      "Origin=\"{} {} {}\" Spacing=\"{} {} {}\">\n<FieldData>\n<DataArray type=\"Float64\" "
      "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n</FieldData>\n"
      "<Piece Extent=\"{}\">\n<PointData/>\n<CellData Scalars=\"solid_fraction\">\n",
      extent, origin.x(), origin.y(), origin.z(), spacing.x(), spacing.y(), spacing.z(),
      numberOf(rows.front()[0]), extent);
  std::string data;
  for (const Array& array : arrays) {
    head += fmt::format(
        "<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
        "offset=\"{}\"/>\n",
        array.name, array.components, data.size());
    appendBytes(data, static_cast<std::uint64_t>(rows.size() * array.components * sizeof(double)));
    for (const sim::Row& row : rows)
      for (std::size_t c = 0; c < array.components; ++c)
        appendBytes(data, numberOf(row[array.first + c]));
  }
  head += "</CellData>\n</Piece>\n</ImageData>\n";
  vtp::openAppendedData(head, data.size());
  return head + data + "\n</AppendedData>\n</VTKFile>\n";
}

std::string ImageSink::numbered(std::int64_t number) const {
  const std::filesystem::path path(path_);
  return (path.parent_path() /
          fmt::format("{}_{}{}", path.stem().string(), number, path.extension().string()))
      .string();
}

void ImageSink::write(const std::vector<sim::Row>& rows, const std::string& path) const {
  if (rows.empty()) throw ModelError(fmt::format("{}: there are no bodies, so no field", path));
  writeFile(path, imageDataText(rows, count_), existing_);
}

void ImageSink::take(std::vector<sim::Row> rows) {
  if (taken_ == 0) {
    first_ = std::move(rows);
  } else {
    if (taken_ == 1) write(first_, numbered(0));
    first_.clear();
    write(rows, numbered(taken_));
  }
  ++taken_;
}

void ImageSink::finish(Diagnostics&) {
  if (taken_ == 1) write(first_, path_);
}

}  // namespace scree::tools
