// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/base/text_writer.hpp"
#include "scree/shape/shape.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::shape {

/// One keyword of a shape-file: the row that reads, writes and documents it.
struct ShapeKeyword {
  std::string_view name, arguments, unit, byDefault, help;
  std::function<void(TextReader&, Shape&)> read;
  std::function<void(TextWriter&, const Shape&)> write;  ///< the whole line, or nothing
};
/// All keywords, in the order in which they are written.
const std::vector<ShapeKeyword>& shapeKeywords();

/// Words of the text that a shape was read from: TextReader::placeOf and errorAt have their places.
struct ShapePlaces {
  std::string_view opening;                ///< `<`
  std::vector<std::string_view> keywords;  ///< known ones, in the order of the file

  /// First place of `keyword`; the opening for one that is not given.
  std::string_view of(std::string_view keyword) const;
};

/// All shapes of a library in Rockable's shape-file format (docs/formats/shape.md).
///
/// Unknown keywords warn, with the nearest known one.
/// @throws ParseError for a bad value, an index of a vertex that is not there, a shape without
/// name, radius or vertices, two shapes of one name, a `<` before the `>` of the shape before
/// @param places  gets the places of each shape; valid as long as `in`; may be null
std::vector<Shape> readShapes(TextReader& in, Diagnostics& diagnostics,
                              std::vector<ShapePlaces>* places = nullptr);
std::vector<Shape> readShapesFromFile(const std::string& path, Diagnostics& diagnostics);

/// Writes what `readShapes` reads back to the same bits, one record a line, so that other readers
/// of the format take it too.
std::string shapesText(const std::vector<Shape>& shapes);

/// Whether a file name ends as those of meshes do: .stl, .obj, .ply, .off, also with .zst behind.
bool namesMesh(const std::string& path);

/// The shapes of a shape-file; or a mesh as one shape without rounding, named after the file: the
/// boundary of the solid that it bounds (coreOf), or a surface where it bounds none. Coordinates in
/// the unit and the frame of the file.
/// @param force  read a mesh that announces another number of facets than it holds
/// @throws ParseError with line and column, IoError, or GeometryError for a coordinate beyond 1e50
std::vector<Shape> readShapesOrMesh(const std::string& path, Diagnostics& diagnostics,
                                    bool force = false);

}  // namespace scree::shape
