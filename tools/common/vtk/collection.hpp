// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools::vtp {

/// A ParaView collection (.pvd): which file shows which time. VTK has no writer for it.
struct Collection {
  struct Entry {
    double time = 0.0;        ///< [T]
    std::string file;         ///< relative to the folder of the .pvd
    std::string source = {};  ///< the file it was made from, seen from the .pvd; a comment there
    bool operator==(const Entry&) const = default;
  };
  std::string note;  ///< one line kept as a comment: how the files were made
  std::vector<Entry> entries;
};

/// Its text, entries sorted by time and, where times are equal, by name.
std::string collectionText(Collection collection);

/// A collection that `collectionText` wrote; nothing where `path` does not exist or is not of our
/// making.
std::optional<Collection> readCollection(const std::string& path);
/// The same from the text of such a file.
std::optional<Collection> collectionFrom(std::string_view text);

/// A multi-block file (.vtm) that names one file a block; files relative to its folder.
struct Block {
  std::string name, file;
};
std::string multiBlockText(const std::vector<Block>& blocks);

/// `text` with & < > " ' as XML writes them in attributes, and back.
std::string xmlEscaped(std::string_view text);
std::string xmlUnescaped(std::string_view text);

}  // namespace scree::tools::vtp
