// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/error.hpp"
#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <zstd.h>
#include <zstd_errors.h>

namespace scree {
namespace {

static_assert(ZSTD_VERSION_NUMBER >= 10400, "zstd 1.4 made the calls used here stable");

constexpr std::string_view ending = ".zst";
constexpr std::size_t leastRoom = std::size_t{1} << 16;  ///< bytes added for small files
/// Limit against small files that fill the memory: a text may have harmlessSize bytes plus
/// mostRatio times the size of its file. Text of the formats here has three to ten times that size.
constexpr std::size_t mostRatio = 1000, harmlessSize = std::size_t{16} << 20;

/// Error of a whole file, without line and column.
ParseError refusal(const std::string& name, const std::string& reason) {
  return ParseError({name, 0, 0}, "compressed with zstd, but " + reason);
}

}  // namespace

bool isCompressed(std::string_view data) noexcept {
  if (data.substr(0, 4) == "\x28\xB5\x2F\xFD") return true;
  // A skippable frame, 0x184D2A50 to 0x184D2A5F: parallel compressors put one in front.
  return data.size() >= 4 && (static_cast<unsigned char>(data[0]) & 0xF0u) == 0x50u &&
         data.substr(1, 3) == "\x2A\x4D\x18";
}

std::string compressed(std::string_view text) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, 1);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t n =
      ZSTD_compress2(context.get(), out.data(), out.size(), text.data(), text.size());
  if (ZSTD_isError(n)) throw std::bad_alloc();  // with room for the worst case nothing else fails
  out.resize(n);
  return out;
}

std::string decompressed(std::string_view data, const std::string& name, std::size_t most) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                     ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  const std::size_t plausible = harmlessSize + mostRatio * data.size();
  // The header claims a size of the content, or none (then `claimed` is huge). Up to 16 times the
  // file it is allocated at once; otherwise the room begins at 4 times and doubles as needed.
  const unsigned long long claimed = ZSTD_getFrameContentSize(data.data(), data.size());
  const bool believable = claimed <= 16 * data.size() + leastRoom;
  std::string text(
      std::min(believable ? static_cast<std::size_t>(claimed) : 4 * data.size() + leastRoom, most),
      '\0');
  const std::size_t fileSize = data.size();
  std::size_t done = 0;  // bytes of text, from whole frames
  // Each frame goes straight into the text: a stream would allocate the window that the frame
  // claims. A frame without enough room begins again in twice the room.
  do {
    const std::size_t frame = ZSTD_findFrameCompressedSize(data.data(), data.size());
    if (ZSTD_getErrorCode(frame) == ZSTD_error_srcSize_wrong)
      throw refusal(name, fmt::format("truncated after {} bytes, within a frame", fileSize));
    const std::size_t written = ZSTD_isError(frame)
                                    ? frame
                                    : ZSTD_decompressDCtx(context.get(), text.data() + done,
                                                          text.size() - done, data.data(), frame);
    if (!ZSTD_isError(written)) {
      done += written;
      data.remove_prefix(frame);
      continue;
    }
    if (ZSTD_getErrorCode(written) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_getErrorCode(written) != ZSTD_error_dstSize_tooSmall)
      throw refusal(
          name, fmt::format("broken after {} bytes of text: {}", done, ZSTD_getErrorName(written)));
    if (text.size() >= most)
      throw refusal(name, fmt::format("it holds more than {} bytes of text", most));
    if (text.size() >= plausible)
      throw refusal(name,
                    fmt::format("it holds more than {} bytes of text, above {} times its "
                                "size; if this is intended, decompress it first with 'zstd -d'",
                                plausible, mostRatio));
    text.resize(std::min({most, plausible, 2 * text.size() + leastRoom}));
  } while (!data.empty());
  text.resize(done);
  return text;
}

bool namesCompressed(std::string_view name) noexcept {
  return name.size() > ending.size() && name.ends_with(ending);
}

std::string_view withoutZst(std::string_view name) noexcept {
  if (namesCompressed(name)) name.remove_suffix(ending.size());
  return name;
}

}  // namespace scree
