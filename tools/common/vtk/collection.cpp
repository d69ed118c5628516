// SPDX-License-Identifier: GPL-3.0-or-later
#include "collection.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/base/text_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <tuple>
#include <utility>

namespace scree::tools::vtp {
namespace {

constexpr std::string_view noteBegin = "<!-- scree: ", sourceBegin = "<!-- of ", end = " -->";

constexpr std::array<std::pair<char, std::string_view>, 5> entities{
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&apos;"}}};

/// The text of a comment of ours in one line; empty where it has none.
std::string comment(std::string_view line, std::string_view begin) {
  const auto at = line.find(begin);
  if (at == std::string_view::npos || !line.ends_with(end)) return {};
  line.remove_prefix(at + begin.size());
  return line.size() < end.size() ? std::string()
                                  : std::string(line.substr(0, line.size() - end.size()));
}

/// Value of an attribute in one line of ours; empty where it has none.
std::string attribute(std::string_view line, std::string_view name) {
  const std::string key = fmt::format(" {}=\"", name);
  const auto begin = line.find(key);
  if (begin == std::string_view::npos) return {};
  const auto from = begin + key.size();
  const auto to = line.find('"', from);
  return to == std::string_view::npos ? std::string() : xmlUnescaped(line.substr(from, to - from));
}

}  // namespace

std::string xmlEscaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto* const entity =
        std::ranges::find(entities, c, &decltype(entities)::value_type::first);
    if (entity != entities.end())
      out += entity->second;
    else
      out += c;
  }
  return out;
}

std::string xmlUnescaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto* const entity =
        std::ranges::find_if(entities, [&](const auto& e) { return text.starts_with(e.second); });
    out += entity != entities.end() ? entity->first : text.front();
    text.remove_prefix(entity != entities.end() ? entity->second.size() : 1);
  }
  return out;
}

std::string collectionText(Collection collection) {
  for (auto& entry : collection.entries) entry.time += 0.0;  // -0 is 0: else they have no order
  std::ranges::sort(collection.entries, [](const auto& a, const auto& b) {
    return std::tie(a.time, a.file) < std::tie(b.time, b.file);
  });
  std::string text = "<?xml version=\"1.0\"?>\n";
  if (!collection.note.empty()) text.append(noteBegin).append(collection.note).append(end) += '\n';
  text +=
      "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n  <Collection>\n";
  for (const auto& entry : collection.entries) {
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>",
                        shortest(entry.time), xmlEscaped(entry.file));
    // A comment of XML cannot hold two hyphens, nor a line of ours a line break: such a file is
    // converted again each time.
    const std::string source = xmlEscaped(entry.source);
    if (source.find("--") == std::string::npos && source.find('\n') == std::string::npos &&
        !source.empty())
      text.append(sourceBegin).append(source).append(end);
    text += '\n';
  }
  return text + "  </Collection>\n</VTKFile>\n";
}

std::optional<Collection> readCollection(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return std::nullopt;
  return collectionFrom(readFile(path));
}

std::optional<Collection> collectionFrom(std::string_view rest) {
  Collection found;
  while (!rest.empty()) {
    const auto length = rest.find('\n');
    const std::string_view line = rest.substr(0, length);
    rest.remove_prefix(length == std::string_view::npos ? rest.size() : length + 1);
    if (line.starts_with(noteBegin)) {
      found.note = comment(line, noteBegin);
    } else if (line.find("<DataSet ") != std::string_view::npos) {
      const auto time = parseNumber(attribute(line, "timestep"));
      std::string file = attribute(line, "file");
      if (!time || file.empty()) return std::nullopt;
      found.entries.push_back({*time, std::move(file), xmlUnescaped(comment(line, sourceBegin))});
    }
  }
  if (found.note.empty()) return std::nullopt;
  return found;
}

std::string multiBlockText(const std::vector<Block>& blocks) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"vtkMultiBlockDataSet\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <vtkMultiBlockDataSet>\n";
  for (std::size_t k = 0; k < blocks.size(); ++k)
    text += fmt::format("    <DataSet index=\"{}\" name=\"{}\" file=\"{}\"/>\n", k,
                        xmlEscaped(blocks[k].name), xmlEscaped(blocks[k].file));
  return text + "  </vtkMultiBlockDataSet>\n</VTKFile>\n";
}

}  // namespace scree::tools::vtp
