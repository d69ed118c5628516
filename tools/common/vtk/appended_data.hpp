// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scree::tools::vtp {

/// Ends the XML head of a VTK file: `bytes` follow as raw appended data, after the underscore.
///
/// Spaces before the tag move it to where a block of 4,096 bytes ends five bytes behind its name.
/// VTK up to 9.2 (ParaView 5.11) hands such blocks to the XML parser expat. It hands over the end
/// of this tag in small portions and expects it parsed at once. From version 2.6 on, and in the
/// security update of Debian 12, expat retries an incomplete tag only when its text has doubled.
/// With 18 bytes in the first portion, the closing text doubles them: such files open with every
/// version. A file that fits in one block needs no spaces.
inline void openAppendedData(std::string& xml, std::size_t bytes) {
  constexpr std::string_view tag = "<AppendedData encoding=\"raw\">\n_";
  constexpr std::size_t block = 4096, inFirstPortion = 18;
  constexpr std::size_t closingTags = 64;  // more than any head needs behind the data
  if (xml.size() + tag.size() + bytes + closingTags > block)
    xml.append((2 * block - inFirstPortion - xml.size() % block) % block, ' ');
  xml += tag;
}

}  // namespace scree::tools::vtp
