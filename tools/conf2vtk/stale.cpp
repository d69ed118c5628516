// SPDX-License-Identifier: GPL-3.0-or-later
#include "stale.hpp"

#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// What is in a folder, as far as it can be listed.
std::vector<fs::path> pathsIn(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code))
    paths.push_back(entry->path());
  return paths;
}

/// Knows which conf-files are there by their content.
class Standing {
 public:
  Standing(const std::vector<SeriesItem>& items, const std::vector<std::string>& sources,
           const std::vector<std::string>& folders)
      : known_(sources.begin(), sources.end()) {
    for (std::size_t k = 0; k < items.size(); ++k)
      pathOf_.emplace(folders[k], fs::path(items[k].path).parent_path().string());
  }
  bool has(const vtp::Collection::Entry& piece) {
    // Nobody can know here what became of conf-files in other folders.
    if (piece.source.empty() || piece.folder.empty() || !pathOf_.contains(piece.folder))
      return true;
    if (known_.contains(piece.source)) return true;
    lookAround();
    return blind_ || known_.contains(piece.source);
  }

 private:
  void lookAround() {
    if (std::exchange(looked_, true)) return;
    try {
      for (const auto& [hash, folder] : pathOf_)
        if (!hash.empty())
          for (const fs::path& path : pathsIn(folder.empty() ? "." : folder))
            known_.insert(fingerprintOf(path.string()));
    } catch (const IoError&) {
      blind_ = true;  // it may be what a piece was made of
    }
  }
  std::set<std::string> known_;
  std::map<std::string, std::string> pathOf_;  ///< of each folder of the items, by its hash
  bool blind_ = false, looked_ = false;
};

/// Whether `name` may be that of a piece of `kind`.
bool isPiece(std::string_view name, std::string_view kind) {
  return name.starts_with(kind) && name.substr(kind.size()).starts_with('_') &&
         name.ends_with(".vtp") && name.find('/') == std::string_view::npos;
}

/// The folder of the pieces of `kind` in `folder`, unless a link to elsewhere stands there.
bool isOwnFolder(const fs::path& pieces) {
  std::error_code code;
  return fs::symlink_status(pieces, code).type() == fs::file_type::directory;
}

}  // namespace

std::vector<std::string> hashesOfFolders(const std::vector<SeriesItem>& items,
                                         const std::string& folder) {
  std::vector<std::string> hashes;
  std::map<std::string, std::string> hashOfPath;
  for (const SeriesItem& item : items) {
    const std::string path = fs::path(item.path).parent_path().string();
    auto known = hashOfPath.find(path);
    if (known == hashOfPath.end())
      known = hashOfPath.emplace(path, hashOf(relativeTo(path.empty() ? "." : path, folder))).first;
    hashes.push_back(item.path == "-" ? std::string() : known->second);
  }
  return hashes;
}

std::set<std::string> listedPieces(const std::string& folder) {
  std::set<std::string> pieces;
  for (const std::string_view view : kindNames()) {
    const std::string kind(view);
    const auto old = vtp::readCollection((fs::path(folder) / (kind + ".pvd")).string());
    if (!old) continue;
    for (const auto& entry : old->entries)
      if (entry.file.starts_with(kind + "/") &&
          isPiece(std::string_view(entry.file).substr(kind.size() + 1), kind))
        pieces.insert(entry.file);
  }
  return pieces;
}

std::size_t dropStale(std::vector<Kind>& kinds, const std::vector<SeriesItem>& items,
                      const std::vector<std::string>& sources,
                      const std::vector<std::string>& folders, const std::string& folder) {
  Standing standing(items, sources, folders);
  std::size_t dropped = 0;
  std::set<std::string> named;
  for (Kind& kind : kinds) {
    named.insert(kind.name);
    dropped +=
        std::erase_if(kind.pieces, [&](const auto& piece) { return !standing.has(piece.second); });
  }
  for (const std::string_view kind : kindNames()) {
    if (named.contains(std::string(kind))) continue;
    const std::string path = (fs::path(folder) / (std::string(kind) + ".pvd")).string();
    auto old = vtp::readCollection(path);
    if (!old) continue;
    const std::size_t gone =
        std::erase_if(old->entries, [&](const auto& entry) { return !standing.has(entry); });
    if (gone == 0) continue;
    dropped += gone;
    if (old->entries.empty()) {
      std::error_code code;
      fs::remove(path, code);
      if (code) throw IoError(fmt::format("{}: cannot remove it: {}", path, code.message()));
    } else {
      writeFile(path, vtp::collectionText(*old), Existing::replace);
    }
  }
  return dropped;
}

void removeUnlisted(const std::set<std::string>& before, const std::string& folder) {
  std::error_code code;
  const std::set<std::string> now = listedPieces(folder);
  for (const std::string_view kind : kindNames()) {
    std::vector<fs::path> old;
    const std::string list = std::string(kind) + ".pvd";
    for (const fs::path& path : pathsIn(folder))
      if (nameOfDeadTemporary(path.filename().string()) == list) old.push_back(path);
    const fs::path pieces = fs::path(folder) / kind;
    if (isOwnFolder(pieces)) {
      for (const fs::path& path : pathsIn(pieces))
        if (isPiece(nameOfDeadTemporary(path.filename().string()), kind)) old.push_back(path);
      for (const std::string& file : before)
        if (file.starts_with(std::string(kind) + "/") && !now.contains(file))
          old.push_back(fs::path(folder) / file);
    }
    for (const fs::path& path : old) fs::remove(path, code);
    if (isOwnFolder(pieces)) fs::remove(pieces, code);  // does nothing unless it is empty
  }
}

}  // namespace scree::tools
