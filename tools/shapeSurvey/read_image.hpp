// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/scan/grains.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace scree::tools {

struct RawForm {
  std::array<std::size_t, 3> size{};  ///< voxels along x, y, z
  std::string type;                   ///< uint8, int16, ..., uint32; with "be" behind: big-endian
};

/// Checks if this names an image rather than a mesh: by its ending, a folder, or a pattern.
bool namesImage(const std::string& path);

/// Reads a labelled volume: TIFF (all pages of one file, or the files of a folder or a pattern in
/// the order of their numbers), MetaImage, NRRD, or raw where `raw` is given.
/// @param diagnostics  gets a warning of voxels whose proportions are not those in the file
/// @throws ParseError for a broken file and for what cannot be labels; IoError; UsageError
scan::LabelVolume readLabels(const std::string& path, const Vec3& voxel,
                             const std::optional<RawForm>& raw, Diagnostics& diagnostics);

/// The positive numbers of a text, parted by blanks or commas, where there are three; else nothing.
std::optional<Vec3> threeNumbers(const std::string& text);

/// Advice that every refusal of a grey image gives.
inline constexpr std::string_view segmentFirst =
    "segment the image and label its grains first, for example by the watershed of ITK, "
    "scikit-image or spam";

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
