// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "conf2vtk.hpp"
#include "pieces.hpp"
#include "series.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace scree::tools {

/// One kind of file, with a collection of its own.
struct Kind {
  std::string name;
  std::function<vtp::PolyPiece(const Scene&)> piece;
  /// Whether the piece of one conf-file would show the same as that of the other; empty: never.
  std::function<bool(const sim::Conf&, const sim::Conf&)> sharesWith;

  std::string fileOf(const std::string& tag) const;  ///< relative to the folder
};

/// The kinds that the options ask for; centres come first. Keeps a reference to `arrays`.
/// @param first  the first file: says whether there are driven bodies, walls, a cell
std::vector<Kind> kindsOf(const Conf2vtkOptions& options, const ArrayChoice& arrays,
                          const sim::Conf& first, const DrawnShapes& shapes);

/// The pieces of a series in the folder of the ParaView files, and the collections that list them.
///
/// The pieces of a conf-file are kept where all are newer than it, than the shape-file and than the
/// file of settings, which is written again where the options differ from those of the last call.
class OutputFolder {
 public:
  /// @param items  conf-files; must live as long as this
  /// @param shapeFile  empty: there is none
  OutputFolder(const Conf2vtkOptions& options, const ArrayChoice& arrays, std::vector<Kind> kinds,
               const std::vector<SeriesItem>& items, const std::string& shapeFile);

  const std::vector<Kind>& kinds() const { return kinds_; }
  /// One flag an item: its pieces are to be made.
  const std::vector<char>& remake() const { return remake_; }

  /// Writes the pieces of an item. Safe to call from several threads for several items.
  /// @param texts  one a kind; empty: the piece of the first item serves for this one, too
  /// @return bytes written
  /// @throws IoError
  std::size_t write(std::size_t item, double time, const std::vector<std::string>& texts);
  /// Writes the collections of all items that have pieces.
  void finish() const;
  /// Names of the collections; the one that people open first comes first.
  std::vector<std::string> collections() const;

 private:
  std::string inFolder(const std::string& name) const;
  /// Finds the pieces of an item. @returns whether all are there and newer than `oldest`
  bool find(std::size_t item, std::filesystem::file_time_type oldest);

  const Conf2vtkOptions& options_;
  std::vector<Kind> kinds_;
  const std::vector<SeriesItem>& items_;
  struct Listed {
    double time = 0.0;               ///< [T]
    std::vector<std::string> files;  ///< one a kind; none: the item has no pieces
  };
  std::vector<Listed> listed_;        ///< one an item
  std::vector<std::string> written_;  ///< of each kind, the collection of the last call
  std::vector<char> remake_;
};

}  // namespace scree::tools
