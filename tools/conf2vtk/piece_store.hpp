// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kinds.hpp"
#include "series.hpp"

#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace scree::tools {

/// The pieces of a series in the folder of the ParaView files, and the collections that list them.
/// Some are kept from earlier calls, the others are made.
class PieceStore {
 public:
  /// Takes over what earlier calls made. A link in place of a folder of pieces is replaced.
  /// @param items, sources  conf-files and their fingerprints; both must live as long as this
  /// @param shapesChanged  when the shape-file was written; nothing: there is none
  /// @param announce  gets a line for each link that is replaced
  PieceStore(const Conf2vtkOptions& options, std::vector<Kind> kinds,
             const std::vector<SeriesItem>& items, const std::vector<std::string>& sources,
             std::optional<std::filesystem::file_time_type> shapesChanged,
             const std::function<void(const std::string&)>& announce);

  const std::vector<Kind>& kinds() const { return kinds_; }
  /// Of each item whether its pieces are to be made.
  const std::vector<char>& remake() const { return remake_; }
  std::size_t keptCount() const { return kept_; }

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
  /// Drops stale pieces and writes the collections. Reports what is odd about times.
  /// @return how many pieces left the series
  std::size_t finish(Diagnostics& diagnostics);
  /// Names of the collections; the one that people open first comes first.
  std::vector<std::string> collections() const;

 private:
  std::string inFolder(const std::string& name) const;
  void replaceLink(const std::string& name,
                   const std::function<void(const std::string&)>& announce) const;
  bool isKept(std::size_t item, const std::set<std::string>& remade) const;
  void writeCollections() const;

  const Conf2vtkOptions& options_;
  std::vector<Kind> kinds_;
  const std::vector<SeriesItem>& items_;
  const std::vector<std::string>& sources_;
  std::optional<std::filesystem::file_time_type> shapesChanged_;
  std::vector<std::string> folders_;    ///< hashes of the folders of the items
  std::set<std::string> listedBefore_;  ///< pieces that collections of earlier calls name
  std::vector<char> remake_;
  std::size_t kept_ = 0;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point lastCollections_ = std::chrono::steady_clock::now();
};

}  // namespace scree::tools
