// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the readers of images.
#pragma once

#include "read_image.hpp"

namespace scree::tools {

/// Form of the number of a voxel.
struct SampleForm {
  std::size_t bytes = 0;  ///< 1, 2, 4 or 8
  bool isSigned = false;
  bool bigEndian = false;
};
/// Converts numbers to labels. @throws ParseError naming a negative label, or one beyond 32 bits
void addLabels(const std::string& path, const char* from, std::size_t count, const SampleForm& form,
               std::uint32_t* to);

/// Adds the pages of a TIFF file to an image, as layers along z.
/// @param files  of this kind in all: memory for all of them is reserved at once
/// @throws ParseError for a page of another size, colours, grey values, or broken data
void addPages(const std::string& path, std::size_t files, scan::LabelVolume& image);

}  // namespace scree::tools
