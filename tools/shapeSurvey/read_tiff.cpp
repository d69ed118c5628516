// SPDX-License-Identifier: GPL-3.0-or-later
#include "read_tiff.hpp"

#include "messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <tiffio.h>

namespace scree::tools {
namespace {

/// One TIFF file while it is read; libtiff sees the bytes of a source.
class TiffFile {
 public:
  explicit TiffFile(const ByteSource& source) : source_(source) {
    const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(
        TIFFOpenOptionsAlloc(), TIFFOpenOptionsFree);
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), onError, this);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), onWarning, this);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(),
                                        static_cast<tmsize_t>(mostBytes() + (1U << 20)));
    tiff_.reset(TIFFClientOpenExt(source.name.c_str(), "rm", this, onRead, onWrite, onSeek, onClose,
                                  onSize, nullptr, nullptr, options.get()));
    if (!tiff_) refuse("");
  }

  void addPages(scan::LabelVolume& image) {
    std::size_t page = 0;
    do {
      ++page;
      std::uint32_t kind = 0;
      TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_SUBFILETYPE, &kind);
      if ((kind & FILETYPE_REDUCEDIMAGE) == 0) addPage(image, page);
    } while (TIFFReadDirectory(tiff_.get()) != 0);
    if (!problem_.empty()) refuse(fmt::format("page {}: ", page + 1));
    checkImageJ(page);
  }

 private:
  /// No compression of TIFF that keeps labels makes more of a byte, in a whole image.
  std::uint64_t mostBytes() const { return 4000 * source_.size; }

  [[noreturn]] void refuse(const std::string& where, const std::string& why = {}) const {
    throw ParseError({source_.name},
                     where + (!why.empty()       ? why
                              : problem_.empty() ? "the file is broken or cut off"
                                                 : "broken or cut off: " + harmless(problem_)));
  }

  template <class T>
  T field(std::uint32_t tag) const {
    T value{};
    TIFFGetFieldDefaulted(tiff_.get(), tag, &value);
    return value;
  }

  void addPage(scan::LabelVolume& image, std::size_t page) {
    const std::string where = fmt::format("page {}: ", page);
    const std::size_t width = field<std::uint32_t>(TIFFTAG_IMAGEWIDTH),
                      height = field<std::uint32_t>(TIFFTAG_IMAGELENGTH);
    const auto bits = field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE),
               format = field<std::uint16_t>(TIFFTAG_SAMPLEFORMAT),
               compression = field<std::uint16_t>(TIFFTAG_COMPRESSION);
    if (field<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL) != 1) refuse(where, "colours are no labels");
    if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_INT && format != SAMPLEFORMAT_VOID)
      refuse(where, fmt::format("grey values, not labels; {}", segmentFirst));
    if (compression == COMPRESSION_JPEG || compression == COMPRESSION_OJPEG)
      refuse(where, "JPEG changes the numbers of voxels; save labels without loss");
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
      refuse(where, fmt::format("{} bits a voxel; expected 8, 16, 32 or 64", bits));
    const std::size_t bytes = bits / 8;
    if (width == 0 || height == 0 ||
        static_cast<double>(width) * static_cast<double>(height) * static_cast<double>(bytes) +
                static_cast<double>(image.labels.size() * bytes) >
            static_cast<double>(mostBytes()))
      refuse(where, fmt::format("{} x {} voxels of {} bytes cannot stand in {} bytes", width,
                                height, bytes, source_.size));
    if (image.size[2] > 0 && (image.size[0] != width || image.size[1] != height))
      refuse(where, fmt::format("{} x {} voxels, but {} x {} in the layers before", width, height,
                                image.size[0], image.size[1]));
    image.size = {width, height, image.size[2] + 1};
    const std::size_t begin = image.labels.size();
    image.labels.resize(begin + width * height);
    const SampleForm form{bytes, format == SAMPLEFORMAT_INT,
                          std::endian::native == std::endian::big};
    readBlocks({image.labels.data() + begin, width, height}, form, where);
  }

  struct Layer {
    std::uint32_t* labels;
    std::size_t width, height;
  };

  /// Reads the tiles of a page, or its strips: tiles as wide as the page.
  void readBlocks(const Layer& layer, const SampleForm& form, const std::string& where) {
    const bool tiled = TIFFIsTiled(tiff_.get()) != 0;
    const std::size_t wide = tiled ? field<std::uint32_t>(TIFFTAG_TILEWIDTH) : layer.width;
    const std::size_t high = std::min<std::size_t>(
        field<std::uint32_t>(tiled ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP),
        tiled ? UINT32_MAX : layer.height);
    const std::uint64_t size = tiled ? TIFFTileSize64(tiff_.get()) : TIFFStripSize64(tiff_.get());
    if (wide == 0 || high == 0 || size == 0 || size > mostBytes() + (1U << 20) ||
        size < (tiled ? wide * high * form.bytes : wide * form.bytes))
      refuse(where, "its tiles or strips have no possible size");
    std::vector<char> bytes(size);
    std::uint32_t number = 0;
    for (std::size_t y = 0; y < layer.height; y += high)
      for (std::size_t x = 0; x < layer.width; x += wide, ++number) {
        const std::size_t rows = std::min(high, layer.height - y),
                          across = std::min(wide, layer.width - x);
        const std::size_t least = tiled ? size : rows * wide * form.bytes;
        const auto got = tiled ? TIFFReadEncodedTile(tiff_.get(), number, bytes.data(),
                                                     static_cast<tmsize_t>(size))
                               : TIFFReadEncodedStrip(tiff_.get(), number, bytes.data(),
                                                      static_cast<tmsize_t>(size));
        if (got < 0 || static_cast<std::size_t>(got) < least) refuse(where);
        for (std::size_t r = 0; r < rows; ++r)
          addLabels(source_.name, bytes.data() + r * wide * form.bytes, across, form,
                    layer.labels + (y + r) * layer.width + x);
      }
  }

  /// ImageJ writes one page of a stack above 4 GB, and all layers behind each other.
  void checkImageJ(std::size_t pages) {
    const char* text = nullptr;
    if (TIFFSetDirectory(tiff_.get(), 0) == 0 ||
        TIFFGetField(tiff_.get(), TIFFTAG_IMAGEDESCRIPTION, &text) == 0 || text == nullptr)
      return;
    const std::string_view description(text);
    const std::size_t at = description.find("images=");
    if (!description.starts_with("ImageJ=") || at == std::string_view::npos) return;
    std::size_t images = 0;
    for (const char c : description.substr(at + 7)) {
      if (c < '0' || c > '9' || images > 1'000'000'000) break;
      images = 10 * images + static_cast<std::size_t>(c - '0');
    }
    if (images > pages)
      refuse("", fmt::format("ImageJ wrote {} layers, but lists {}; save the stack as NRRD, or as "
                             "a sequence of slices",
                             images, pages));
  }

  static TiffFile& self(thandle_t handle) { return *static_cast<TiffFile*>(handle); }
  static tmsize_t onRead(thandle_t handle, void* to, tmsize_t count) {
    TiffFile& file = self(handle);
    const std::size_t got =
        file.source_.read(file.at_, static_cast<char*>(to), static_cast<std::size_t>(count));
    file.at_ += got;
    return static_cast<tmsize_t>(got);
  }
  static tmsize_t onWrite(thandle_t, void*, tmsize_t) { return -1; }
  static toff_t onSeek(thandle_t handle, toff_t to, int whence) {
    TiffFile& file = self(handle);
    file.at_ = to + (whence == SEEK_CUR ? file.at_ : whence == SEEK_END ? file.source_.size : 0);
    return file.at_;
  }
  static int onClose(thandle_t) { return 0; }
  static toff_t onSize(thandle_t handle) { return self(handle).source_.size; }
  static int onError(TIFF*, void* user, const char*, const char* format, va_list values) {
    auto& file = *static_cast<TiffFile*>(user);
    char text[300];
    std::vsnprintf(text, sizeof text, format, values);
    if (file.problem_.empty()) file.problem_ = text;
    return 1;
  }
  static int onWarning(TIFF*, void*, const char*, const char*, va_list) { return 1; }

  const ByteSource& source_;
  std::uint64_t at_ = 0;
  std::string problem_;  ///< first complaint of libtiff
  std::unique_ptr<TIFF, void (*)(TIFF*)> tiff_{nullptr, TIFFClose};
};

}  // namespace

bool isTiff(std::string_view magic) {
  using namespace std::string_view_literals;
  return magic.starts_with("II*\0"sv) || magic.starts_with("MM\0*"sv) ||
         magic.starts_with("II+\0"sv) || magic.starts_with("MM\0+"sv);
}

void addPages(const ByteSource& source, scan::LabelVolume& image) {
  TiffFile(source).addPages(image);
}

}  // namespace scree::tools
