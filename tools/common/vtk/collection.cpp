// SPDX-License-Identifier: GPL-3.0-or-later
#include "collection.hpp"

#include "scree/base/text_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace scree::tools::vtp {

std::string xmlEscaped(std::string_view text) {
  constexpr std::array<std::pair<char, std::string_view>, 5> entities{
      {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&apos;"}}};
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

std::string collectionText(std::vector<Dated> files) {
  for (Dated& file : files) file.time += 0.0;  // -0 is 0: else they have no order
  std::ranges::sort(files, {}, [](const Dated& f) { return std::tie(f.time, f.file); });
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n  <Collection>\n";
  for (const Dated& file : files)
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n",
                        shortest(file.time), xmlEscaped(file.file));
  return text + "  </Collection>\n</VTKFile>\n";
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
