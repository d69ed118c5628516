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
void addLabels(const std::string& name, const char* from, std::size_t count, const SampleForm& form,
               std::uint32_t* to);

/// Checks if a file that begins so is a TIFF or a BigTIFF.
bool isTiff(std::string_view magic);
/// Adds the pages of a TIFF file to an image, as layers along z.
/// @throws ParseError for a page of another size, colours, grey values, or broken data
void addPages(const ByteSource& source, scan::LabelVolume& image);

}  // namespace scree::tools
