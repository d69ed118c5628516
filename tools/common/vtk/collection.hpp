// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scree::tools::vtp {

/// A file of a ParaView collection (.pvd), and the time that it shows.
struct Dated {
  double time = 0.0;  ///< [T]
  std::string file;   ///< relative to the folder of the .pvd
};

/// The text of a collection, by time and, where times are equal, by name. VTK has no writer for it.
std::string collectionText(std::vector<Dated> files);

/// A multi-block file (.vtm) that names one file a block; files relative to its folder.
struct Block {
  std::string name, file;
};
std::string multiBlockText(const std::vector<Block>& blocks);

/// `text` with & < > " ' as XML writes them in attributes.
std::string xmlEscaped(std::string_view text);

}  // namespace scree::tools::vtp
