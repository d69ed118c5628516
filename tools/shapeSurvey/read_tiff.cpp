// SPDX-License-Identifier: GPL-3.0-or-later
#include "read_image.hpp"
#include "run_tool.hpp"

#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <tiffio.h>

namespace scree::tools {
namespace {

bool isTiff(std::string_view magic) {
  using namespace std::string_view_literals;
  return magic.starts_with("II*\0"sv) || magic.starts_with("MM\0*"sv) ||
         magic.starts_with("II+\0"sv) || magic.starts_with("MM\0+"sv);
}

class TiffFile {
 public:
  explicit TiffFile(const std::string& path)
      : path_(path), mostBytes_(4000 * std::filesystem::file_size(path)) {
    const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(
        TIFFOpenOptionsAlloc(), TIFFOpenOptionsFree);
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), onError, this);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), onWarning, this);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(),
                                        static_cast<tmsize_t>(mostBytes_ + (1U << 20)));
    tiff_.reset(TIFFOpenExt(path.c_str(), "rm", options.get()));
    if (!tiff_) refuse();
  }

  void addPages(std::size_t files, scan::LabelVolume& image) {
    const std::size_t pages = TIFFNumberOfDirectories(tiff_.get());
    if (image.labels.empty())
      image.labels.reserve(
          files * std::min<std::uint64_t>(
                      mostBytes_, std::uint64_t{pages} * field<std::uint32_t>(TIFFTAG_IMAGEWIDTH) *
                                      field<std::uint32_t>(TIFFTAG_IMAGELENGTH)));
    checkImageJ(pages);
    do {
      ++page_;
      if ((field<std::uint32_t>(TIFFTAG_SUBFILETYPE) & FILETYPE_REDUCEDIMAGE) == 0) addPage(image);
    } while (TIFFReadDirectory(tiff_.get()) != 0);
    ++page_;
    if (!problem_.empty()) refuse();
  }

 private:
  [[noreturn]] void refuse(const std::string& why = {}) const {
    throw ParseError({path_},
                     fmt::format("page {}: {}", std::max<std::size_t>(page_, 1),
                                 !why.empty()       ? why
                                 : problem_.empty() ? "broken or cut off"
                                                    : "broken or cut off: " + harmless(problem_)));
  }

  template <class T>
  T field(std::uint32_t tag) const {
    T value{};
    TIFFGetFieldDefaulted(tiff_.get(), tag, &value);
    return value;
  }

  void addPage(scan::LabelVolume& image) {
    const std::size_t width = field<std::uint32_t>(TIFFTAG_IMAGEWIDTH),
                      height = field<std::uint32_t>(TIFFTAG_IMAGELENGTH);
    const auto bits = field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE),
               format = field<std::uint16_t>(TIFFTAG_SAMPLEFORMAT),
               compression = field<std::uint16_t>(TIFFTAG_COMPRESSION);
    if (field<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL) != 1 ||
        (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_INT &&
         format != SAMPLEFORMAT_VOID) ||
        (bits != 8 && bits != 16 && bits != 32 && bits != 64) || compression == COMPRESSION_JPEG ||
        compression == COMPRESSION_OJPEG)
      refuse(
          fmt::format("no labels, which are one whole number of 8, 16, 32 or 64 bits a voxel, "
                      "compressed without loss; {}",
                      segmentFirst));
    const SampleForm form{bits / 8U, format == SAMPLEFORMAT_INT,
                          std::endian::native == std::endian::big};
    const std::uint64_t left = mostBytes_ / form.bytes - std::min(voxels_, mostBytes_ / form.bytes);
    if (width == 0 || height == 0 || width > left / height)
      refuse(fmt::format("{} x {} voxels of {} bytes cannot stand in {} bytes", width, height,
                         form.bytes, mostBytes_ / 4000));
    if (image.size[2] > 0 && (image.size[0] != width || image.size[1] != height))
      refuse(fmt::format("{} x {} voxels, but {} x {} in the layers before", width, height,
                         image.size[0], image.size[1]));
    voxels_ += width * height;
    image.size = {width, height, image.size[2] + 1};
    const std::size_t begin = image.labels.size();
    image.labels.resize(begin + width * height);
    readBlocks(image.labels.data() + begin, width, height, form);
  }

  /// Reads the tiles of a page, or its strips: tiles as wide as the page.
  void readBlocks(std::uint32_t* labels, std::size_t width, std::size_t height,
                  const SampleForm& form) {
    const bool tiled = TIFFIsTiled(tiff_.get()) != 0;
    const std::size_t wide = tiled ? field<std::uint32_t>(TIFFTAG_TILEWIDTH) : width;
    const std::size_t high =
        tiled ? field<std::uint32_t>(TIFFTAG_TILELENGTH)
              : std::min<std::size_t>(field<std::uint32_t>(TIFFTAG_ROWSPERSTRIP), height);
    const std::uint64_t size = tiled ? TIFFTileSize64(tiff_.get()) : TIFFStripSize64(tiff_.get());
    if (wide == 0 || high == 0 || size == 0 || size > mostBytes_ + (1U << 20) ||
        size < wide * high * form.bytes)
      refuse("its tiles or strips have no possible size");
    std::vector<char> bytes(size);
    std::uint32_t number = 0;
    for (std::size_t y = 0; y < height; y += high)
      for (std::size_t x = 0; x < width; x += wide, ++number) {
        const std::size_t rows = std::min(high, height - y), across = std::min(wide, width - x);
        const auto got = (tiled ? TIFFReadEncodedTile : TIFFReadEncodedStrip)(
            tiff_.get(), number, bytes.data(), static_cast<tmsize_t>(size));
        if (got < 0 || static_cast<std::size_t>(got) < rows * wide * form.bytes) refuse();
        for (std::size_t r = 0; r < rows; ++r)
          addLabels(path_, bytes.data() + r * wide * form.bytes, across, form,
                    labels + (y + r) * width + x);
      }
  }

  /// ImageJ writes one page of a stack above 4 GB, and all layers behind each other.
  void checkImageJ(std::size_t pages) const {
    const char* text = nullptr;
    std::size_t layers = 0;
    if (TIFFGetField(tiff_.get(), TIFFTAG_IMAGEDESCRIPTION, &text) == 0 || text == nullptr ||
        !std::string_view(text).starts_with("ImageJ="))
      return;
    if (const char* at = std::strstr(text, "images="); at != nullptr)
      layers = std::strtoull(at + 7, nullptr, 10);
    if (layers > pages)
      refuse(
          fmt::format("ImageJ wrote {} layers, but lists {}; save the stack as NRRD, or as a "
                      "sequence of slices",
                      layers, pages));
  }

  static int onError(TIFF*, void* user, const char*, const char* format, va_list values) {
    auto& file = *static_cast<TiffFile*>(user);
    char text[300];
    std::vsnprintf(text, sizeof text, format, values);
    if (file.problem_.empty()) file.problem_ = text;
    return 1;
  }
  static int onWarning(TIFF*, void*, const char*, const char*, va_list) { return 1; }

  const std::string path_;
  const std::uint64_t mostBytes_;  ///< compression that keeps labels makes no more of the file
  std::size_t page_ = 0;
  std::uint64_t voxels_ = 0;  ///< of the pages so far
  std::string problem_;       ///< first complaint of libtiff
  std::unique_ptr<TIFF, void (*)(TIFF*)> tiff_{nullptr, TIFFClose};
};

}  // namespace

void addPages(const std::string& path, std::size_t files, scan::LabelVolume& image) {
  if (!isTiff(readPart(path, 0, 8)))
    throw ParseError({path},
                     "neither TIFF, MetaImage nor NRRD by its first bytes; raw data need --size-of "
                     "and --type");
  TiffFile(path).addPages(files, image);
}

}  // namespace scree::tools
