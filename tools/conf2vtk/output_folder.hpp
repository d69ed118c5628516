// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "conf2vtk.hpp"
#include "pieces.hpp"
#include "series.hpp"
#include "vtk/collection.hpp"

#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
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
/// the same options; else they are made again. Entries of earlier calls stay while their conf-file
/// is there.
class OutputFolder {
 public:
  /// @param items  conf-files; must live as long as this
  /// @param shapesChanged  when the shape-file was written; nothing: there is none
  OutputFolder(const Conf2vtkOptions& options, std::vector<Kind> kinds,
               const std::vector<SeriesItem>& items,
               std::optional<std::filesystem::file_time_type> shapesChanged);

  const std::vector<Kind>& kinds() const { return kinds_; }
  /// One flag an item: its pieces are to be made.
  const std::vector<char>& remake() const { return remake_; }

  /// The pieces of one conf-file on disk, not listed yet.
  struct Written {
    std::vector<std::string> files;
    std::size_t bytes = 0;
  };
  /// A failure that is no affair of one conf-file: a full disk.
  struct OutputFailed {
    std::exception_ptr cause;
  };
  /// Writes the piece of one kind of an item. Pieces come in the order of the kinds.
  /// @param text  empty: the piece of the first item serves for this one, too
  /// @throws OutputFailed
  void write(std::size_t kind, const std::string& text, std::size_t item, Written& written) const;
  /// Lists the pieces of an item, which are complete. Now and then writes the collections, so that
  /// a long conversion can be watched. Safe to call from several threads.
  void list(const Written& written, std::size_t item, double time);
  /// Drops entries whose conf-file is gone, writes the collections, and removes pieces that none
  /// lists any more. Reports what is odd about times.
  /// @return how many pieces left the series
  std::size_t finish(Diagnostics& diagnostics);
  /// Names of the collections; the one that people open first comes first.
  std::vector<std::string> collections() const;

 private:
  std::string inFolder(const std::string& name) const;
  void recall();
  bool isKept(std::size_t item, const std::set<std::string>& remade) const;
  std::size_t dropGone();
  void writeCollections() const;
  void removeUnlisted() const;

  const Conf2vtkOptions& options_;
  std::vector<Kind> kinds_;
  const std::vector<SeriesItem>& items_;
  std::optional<std::filesystem::file_time_type> shapesChanged_;
  std::vector<std::string> folders_;  ///< hashes of the folders of the items
  std::set<std::string> listed_;      ///< pieces that collections of earlier calls name
  std::vector<char> remake_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point lastCollections_ = std::chrono::steady_clock::now();
};

}  // namespace scree::tools
