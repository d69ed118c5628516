// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "arrays.hpp"
#include "conf2vtk.hpp"
#include "scene.hpp"
#include "vtk/collection.hpp"
#include "vtk/poly_piece.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace scree::tools {

/// One kind of file, with a collection of its own.
struct Kind {
  std::string name;
  std::string note;  ///< how its pieces are made: others are not kept
  std::function<vtp::PolyPiece(const Scene&)> piece;
  /// Whether the piece of one conf-file would show the same as that of the other; empty: never.
  std::function<bool(const sim::Conf&, const sim::Conf&)> sharesWith;
  std::map<std::string, vtp::Collection::Entry> pieces;  ///< by tag of the conf-file

  std::string fileOf(const std::string& tag) const;  ///< relative to the folder
};

/// The names of all kinds that any options make.
const std::vector<std::string_view>& kindNames();

/// What the options ask for; centres come first. Keeps a reference to `arrays`.
/// @param first  the first file: says whether there are driven bodies, walls, a cell
std::vector<Kind> kindsOf(const Conf2vtkOptions& options, const ArrayChoice& arrays,
                          const sim::Conf& first, const DrawnShapes& shapes);

/// Takes over the pieces of earlier calls that their collections in `folder` list. They must still
/// exist and be made as the kinds would make them.
void recallPieces(std::vector<Kind>& kinds, const std::string& folder);

}  // namespace scree::tools
