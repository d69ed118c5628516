// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "conf2vtk.hpp"
#include "pieces.hpp"
#include "series.hpp"
#include "vtk/collection.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace scree::tools {

/// One kind of file, with a collection of its own.
struct Kind {
  std::string name;
  std::function<vtp::PolyPiece(const Scene&)> piece;
  /// Whether the piece of one conf-file would show the same as that of the other; empty: never.
  std::function<bool(const sim::Conf&, const sim::Conf&)> sharesWith;
  std::map<std::string, vtp::Collection::Entry> entries;  ///< by tag of the conf-file

  std::string fileOf(const std::string& tag) const;  ///< relative to the folder
};

/// The kinds that the options ask for; centres come first. Keeps a reference to `arrays`.
/// @param first  the first file: says whether there are driven bodies, walls, a cell
std::vector<Kind> kindsOf(const Conf2vtkOptions& options, const ArrayChoice& arrays,
                          const sim::Conf& first, const DrawnShapes& shapes);

/// The pieces of a series in the folder of the ParaView files, and the collections that list them.
///
/// The pieces of a conf-file are kept where all are newer than it and the shape-file, and made with
/// the same options; else they are made again. Entries of earlier calls with these options stay
/// while their conf-file is there.
class OutputFolder {
 public:
  /// @param items  conf-files; must live as long as this
  /// @param shapeFile  empty: there is none
  OutputFolder(const Conf2vtkOptions& options, const ArrayChoice& arrays, std::vector<Kind> kinds,
               const std::vector<SeriesItem>& items, const std::string& shapeFile);

  const std::vector<Kind>& kinds() const { return kinds_; }
  /// One flag an item: its pieces are to be made.
  const std::vector<char>& remake() const { return remake_; }

  /// Writes the pieces of an item and lists them. Now and then writes the collections, so that a
  /// long conversion can be watched. Safe to call from several threads.
  /// @param texts  one a kind; empty: the piece of the first item serves for this one, too
  /// @return bytes written
  /// @throws IoError
  std::size_t write(std::size_t item, double time, const std::vector<std::string>& texts);
  /// Drops entries whose conf-file is gone, writes the collections, and removes pieces that these
  /// named before and do not name any more. Reports what is odd about times.
  /// @return how many pieces left the series
  std::size_t finish(Diagnostics& diagnostics);
  /// Names of the collections; the one that people open first comes first.
  std::vector<std::string> collections() const;

 private:
  std::string inFolder(const std::string& name) const;
  bool isKept(std::size_t item, const std::string& shapeFile) const;
  void writeCollections() const;

  const Conf2vtkOptions& options_;
  std::string note_;  ///< how pieces are made
  std::vector<Kind> kinds_;
  const std::vector<SeriesItem>& items_;
  std::vector<std::string> sources_;  ///< of the items, seen from the folder
  std::vector<std::string> named_;    ///< pieces that the collections named before
  std::vector<char> remake_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point lastCollections_ = std::chrono::steady_clock::now();
};

}  // namespace scree::tools
