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
constexpr std::size_t least = std::size_t{1} << 16;  ///< room for what comes out, to begin with
/// Text of the formats here shrinks to a third or a tenth. Beyond the second figure, text of more
/// than a thousand times the size of its file is no such text.
constexpr std::size_t mostRatio = 1000, anyRatio = std::size_t{16} << 20;

ParseError refusal(const std::string& name, const std::string& reason) {
  return ParseError({name, 0, 0}, "compressed with zstd, but " + reason);
}

}  // namespace

bool isCompressed(std::string_view data) noexcept {
  if (data.substr(0, 4) == "\x28\xB5\x2F\xFD") return true;
  // A frame to be skipped: parallel compressors put one in front.
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
  const std::size_t likely = anyRatio + mostRatio * data.size();
  // The header claims a size of the content. A plausible size is allocated at once; otherwise the
  // room doubles as needed.
  const unsigned long long claimed = ZSTD_getFrameContentSize(data.data(), data.size());
  const bool believable = claimed <= 16 * data.size() + least;
  std::string text(
      std::min(believable ? static_cast<std::size_t>(claimed) : 4 * data.size() + least, most),
      '\0');
  ZSTD_inBuffer in{data.data(), data.size(), 0};
  ZSTD_outBuffer out{text.data(), text.size(), 0};
  for (;;) {
    const std::size_t before = in.pos + out.pos;
    const std::size_t left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_isError(left))
      throw refusal(
          name, fmt::format("broken after {} bytes of text: {}", out.pos, ZSTD_getErrorName(left)));
    if (left == 0 && in.pos == in.size) break;  // a whole frame, and nothing behind it
    if (in.pos + out.pos != before) continue;
    if (out.pos < out.size)
      throw refusal(name, fmt::format("truncated after {} bytes of text", out.pos));
    if (out.size >= most)
      throw refusal(name, fmt::format("it holds more than {} bytes of text", most));
    if (out.size >= likely)
      throw refusal(name,
                    fmt::format("it holds more than {} bytes of text, above {} times its "
                                "size; if this is intended, decompress it first with 'zstd -d'",
                                likely, mostRatio));
    text.resize(std::min({most, likely, 2 * text.size() + least}));
    out.dst = text.data();
    out.size = text.size();
  }
  text.resize(out.pos);
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
