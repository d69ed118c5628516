// SPDX-License-Identifier: GPL-3.0-or-later
#include "stale.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <set>
#include <utility>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// Knows which conf-files are there by their content.
class Standing {
 public:
  Standing(const std::vector<SeriesItem>& items, const std::vector<std::string>& sources)
      : known_(sources.begin(), sources.end()) {
    for (const SeriesItem& item : items)
      if (item.path == "-")
        blind_ = true;
      else
        folders_.insert(fs::path(item.path).parent_path().string());
  }
  bool has(const std::string& source) {
    // From a stream nobody can know what became of other conf-files.
    if (blind_ || source.empty() || known_.contains(source)) return true;
    lookAround();
    return blind_ || known_.contains(source);
  }

 private:
  void lookAround() {
    if (std::exchange(looked_, true)) return;
    std::error_code code;
    try {
      for (const std::string& folder : folders_)
        for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, code))
          known_.insert(fingerprintOf(entry.path().string()));
    } catch (const IoError&) {
      blind_ = true;  // it may be what a piece was made of
    }
  }
  std::set<std::string> known_, folders_;
  bool blind_ = false, looked_ = false;
};

/// The process that a temporary name ends in is gone.
bool abandoned(const std::string& name) {
  const auto at = name.rfind(".tmp-");
  if (at == std::string::npos) return false;
  const auto pid = parseNumber(name.substr(at + 5));
  return pid && *pid >= 1.0 && *pid < 1e9 && ::kill(static_cast<pid_t>(*pid), 0) != 0 &&
         errno == ESRCH;
}

}  // namespace

std::size_t dropStale(std::vector<Kind>& kinds, const std::vector<SeriesItem>& items,
                      const std::vector<std::string>& sources, const std::string& folder) {
  Standing standing(items, sources);
  std::size_t dropped = 0;
  std::set<std::string> named;
  for (Kind& kind : kinds) {
    named.insert(kind.name);
    dropped += std::erase_if(kind.pieces,
                             [&](const auto& piece) { return !standing.has(piece.second.source); });
  }
  for (const std::string_view kind : kindNames()) {
    if (named.contains(std::string(kind))) continue;
    const std::string path = (fs::path(folder) / (std::string(kind) + ".pvd")).string();
    auto old = vtp::readCollection(path);
    if (!old) continue;
    const std::size_t gone =
        std::erase_if(old->entries, [&](const auto& entry) { return !standing.has(entry.source); });
    if (gone == 0) continue;
    dropped += gone;
    if (old->entries.empty())
      fs::remove(path);
    else
      writeFile(path, vtp::collectionText(*old), Existing::replace);
  }
  return dropped;
}

void removeUnlisted(const std::vector<Kind>& kinds, const std::string& folder) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code))
    if (entry.is_regular_file(code) && abandoned(entry.path().filename().string()))
      fs::remove(entry.path(), code);
  for (const std::string_view view : kindNames()) {
    const std::string kind(view);
    const fs::path pieces = fs::path(folder) / kind;
    if (!fs::is_directory(pieces, code)) continue;
    std::set<std::string> listed;
    const auto now = std::ranges::find(kinds, kind, &Kind::name);
    if (now != kinds.end()) {
      for (const auto& [tag, piece] : now->pieces) listed.insert(piece.file);
    } else {
      const std::string path = (fs::path(folder) / (kind + ".pvd")).string();
      const auto old = vtp::readCollection(path);
      if (!old && fs::exists(path)) continue;  // not of our making: leave its files alone
      if (old)
        for (const auto& entry : old->entries) listed.insert(entry.file);
    }
    std::vector<fs::path> unlisted;
    for (const auto& entry : fs::directory_iterator(pieces, code)) {
      const std::string name = entry.path().filename().string();
      const bool piece = name.starts_with(kind + "_") && name.ends_with(".vtp");
      if (abandoned(name) || (piece && !listed.contains(kind + "/" + name)))
        unlisted.push_back(entry.path());
    }
    for (const fs::path& path : unlisted) fs::remove(path, code);
    fs::remove(pieces, code);  // does nothing unless it is empty
  }
}

}  // namespace scree::tools
