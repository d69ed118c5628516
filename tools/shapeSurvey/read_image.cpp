// SPDX-License-Identifier: GPL-3.0-or-later
#include "read_image.hpp"

#include "inputs.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <map>
#include <regex>
#include <zlib.h>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw ParseError({path}, why);
}

std::string trimmed(const std::string& text) {
  constexpr const char* blank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blank);
  return begin == std::string::npos ? std::string{}
                                    : text.substr(begin, text.find_last_not_of(blank) + 1 - begin);
}

/// An array of numbers in a file.
struct Array {
  std::string path;
  std::uint64_t offset = 0;  ///< [byte] where it begins
  SampleForm sample;
  std::array<std::size_t, 3> size{};
  bool deflated = false;
};

/// Reads the bytes of an array in their order, decompressed where they are deflated.
class ArrayStream {
 public:
  explicit ArrayStream(const Array& array) : array_(array), at_(array.offset) {
    if (inflateInit2(&stream_, 15 + 32) != Z_OK) throw std::bad_alloc();  // zlib or gzip
  }
  ~ArrayStream() { inflateEnd(&stream_); }
  ArrayStream(const ArrayStream&) = delete;
  ArrayStream& operator=(const ArrayStream&) = delete;

  std::string next(std::size_t count) {
    const std::string out = array_.deflated ? inflated(count) : part(count);
    if (out.size() < count)
      refuse(array_.path, fmt::format("the file is cut off: {} voxels of {} bytes are not there",
                                      fmt::join(array_.size, " x "), array_.sample.bytes));
    return out;
  }

 private:
  std::string part(std::size_t count) {
    std::string out = readPart(array_.path, at_, count);
    at_ += out.size();
    return out;
  }

  std::string inflated(std::size_t count) {
    std::string out(count, '\0');
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(count);
    while (stream_.avail_out > 0) {
      if (stream_.avail_in == 0) {
        in_ = part(std::size_t{1} << 18);
        stream_.next_in = reinterpret_cast<Bytef*>(in_.data());
        stream_.avail_in = static_cast<uInt>(in_.size());
      }
      const int code = inflate(&stream_, Z_NO_FLUSH);
      if (code == Z_STREAM_END || (code == Z_BUF_ERROR && in_.empty())) break;
      if (code != Z_OK && code != Z_BUF_ERROR)
        refuse(array_.path, "the compressed data are broken");
    }
    out.resize(count - stream_.avail_out);
    return out;
  }

  const Array& array_;
  std::uint64_t at_;
  std::string in_;
  z_stream stream_{};
};

void checkRegular(const std::string& path) {
  std::error_code code;
  if (!fs::is_regular_file(path, code))
    throw IoError(fmt::format("{}: {}", path, code ? code.message() : "not a regular file"));
}

scan::LabelVolume labelsOf(const Array& array) {
  checkRegular(array.path);
  const std::uint64_t bytes = fs::file_size(array.path),
                      there = bytes - std::min(array.offset, bytes);
  // Deflate makes at most 1032 bytes of one.
  const std::uint64_t most = array.deflated ? 1100 * there + 4096 : there;
  std::size_t voxels = 1;
  for (const std::size_t n : array.size) {
    if (n == 0 || n > most / voxels / array.sample.bytes)
      refuse(array.path, fmt::format("{} voxels of {} bytes cannot stand in {} bytes",
                                     fmt::join(array.size, " x "), array.sample.bytes, there));
    voxels *= n;
  }
  scan::LabelVolume out;
  out.size = array.size;
  out.labels.resize(voxels);
  ArrayStream stream(array);
  constexpr std::size_t some = 1 << 20;
  for (std::size_t v = 0; v < voxels; v += some) {
    const std::size_t count = std::min(some, voxels - v);
    const std::string numbers = stream.next(count * array.sample.bytes);
    addLabels(array.path, numbers.data(), count, array.sample, out.labels.data() + v);
  }
  return out;
}

/// Form of a type by its name: uint16, uint16be and the like, and those of NRRD (unsigned short,
/// uint16_t) and MetaImage (MET_USHORT).
SampleForm formOf(const std::string& path, const std::string& type) {
  std::string word = lowerCase(type);
  std::erase_if(word, [](unsigned char c) { return !std::isalnum(c); });
  static const std::regex pattern(
      "(?:met)?(u|unsigned|signed)?(?:(char|int8t?)|(short|shortint|int16t?)|(int|int32t?)|"
      "(longlong|longlongint|int64t?))(be)?");
  std::smatch found;
  if (!std::regex_match(word, found, pattern))
    refuse(path, fmt::format("type '{}' of voxels is not read; {}", type, segmentFirst));
  SampleForm form;
  for (std::size_t k = 0; k < 4; ++k)
    if (found[k + 2].matched) form.bytes = std::size_t{1} << k;
  form.isSigned = !found.str(1).starts_with('u');
  form.bigEndian = found[6].matched;
  return form;
}

struct Header {
  std::string path;
  std::map<std::string, std::string> fields;  ///< names in lower case
  std::uint64_t end = 0;                      ///< [byte] where data may begin

  /// The first of some fields that is there. @param other  null: one must be there
  std::string get(std::initializer_list<const char*> names, const char* other = nullptr) const {
    for (const char* name : names)
      if (const auto found = fields.find(name); found != fields.end()) return found->second;
    if (other == nullptr) refuse(path, fmt::format("the header has no '{}'", *names.begin()));
    return other;
  }
};

/// Reads lines "name: value" or "name = value" to the empty line of NRRD or ElementDataFile.
Header headerOf(const std::string& path, char separator) {
  const std::string text = readPart(path, 0, 1 << 16);
  Header header{path, {}, 0};
  for (std::size_t end = 0; (end = text.find('\n', header.end)) != std::string::npos;) {
    const std::string line = trimmed(text.substr(header.end, end - header.end));
    header.end = end + 1;
    if (line.empty() && separator == ':') break;
    const std::size_t cut = line.find(separator);
    if (line.starts_with('#') || cut == std::string::npos) continue;
    const std::string field = lowerCase(trimmed(line.substr(0, cut)));
    header.fields[field] = trimmed(line.substr(cut + 1));
    if (field == "elementdatafile") break;
  }
  return header;
}

/// The array that a header of NRRD or MetaImage describes.
/// @param separator  ':' or '='
Array arrayOf(const std::string& path, char separator, const Vec3& voxel,
              Diagnostics& diagnostics) {
  const bool isNrrd = separator == ':';
  const Header header = headerOf(path, separator);
  const std::string file =
      header.get({"elementdatafile", "data file", "datafile"}, isNrrd ? "local" : nullptr);
  for (const auto& [field, value] :
       {std::pair("dimension", "3"), std::pair("ndims", "3"), std::pair("line skip", "0"),
        std::pair("lineskip", "0"), std::pair("byte skip", "0"), std::pair("byteskip", "0"),
        std::pair("headersize", "0"), std::pair("elementnumberofchannels", "1"),
        std::pair("binarydata", "true")})
    if (const std::string found = lowerCase(header.get({field}, value)); found != value)
      refuse(path, fmt::format("{} {} is not read; {} is", field, shown(found), value));
  Array array{path, header.end, formOf(path, header.get({"type", "elementtype"})), {}, false};
  const std::string sizes = header.get({"sizes", "dimsize"});
  const std::optional<Vec3> size = threeNumbers(sizes);
  for (std::size_t a = 0; a < 3; ++a) {
    const double n = size ? (*size)[static_cast<Eigen::Index>(a)] : 0.0;
    if (!(n >= 1.0 && n <= 1e9) || n != std::floor(n))
      refuse(path, fmt::format("sizes '{}': expected three whole numbers", shown(sizes)));
    array.size[a] = static_cast<std::size_t>(n);
  }
  const char* oneByte = !isNrrd || array.sample.bytes == 1 ? "false" : nullptr;
  const std::string order =
      lowerCase(header.get({"endian", "binarydatabyteordermsb", "elementbyteordermsb"}, oneByte));
  array.sample.bigEndian = order == "big" || order == "true";
  const std::string encoding =
      lowerCase(header.get({"encoding", "compresseddata"}, isNrrd ? nullptr : "false"));
  array.deflated = encoding == "gzip" || encoding == "gz" || encoding == "true";
  if (!array.deflated && encoding != "raw" && encoding != "false")
    refuse(path, fmt::format("encoding {} is not read; raw and gzip are", shown(encoding)));
  if (lowerCase(file) != "local") {
    if (file.find_first_of("%*") != std::string::npos || lowerCase(file).starts_with("list"))
      refuse(path, fmt::format("data in several files ({}) are not read", shown(file)));
    array.path = (fs::path(path).parent_path() / file).string();
    array.offset = 0;
  }
  if (const auto spacing = threeNumbers(header.get({"spacings", "elementspacing"}, ""))) {
    const Vec3 ratio = spacing->cwiseQuotient(voxel);
    if (ratio.maxCoeff() > 1.01 * ratio.minCoeff())
      diagnostics.warn(fmt::format(
          "{}: voxels have the proportions {:g} : {:g} : {:g} in the file, others by --voxel", path,
          spacing->x(), spacing->y(), spacing->z()));
  }
  return array;
}

/// Refuses grey values, which change from voxel to voxel; labels change at the borders of grains.
void checkLabels(const scan::LabelVolume& image, const std::string& path) {
  std::size_t pairs = 0, changes = 0;
  for (std::size_t v = 1; v < image.labels.size(); ++v)
    if (image.labels[v] != 0 && image.labels[v - 1] != 0) {
      ++pairs;
      changes += image.labels[v] != image.labels[v - 1];
    }
  if (pairs > 1000 && changes > pairs / 2)
    refuse(path, fmt::format("{:.0f} % of neighbouring voxels differ: grey values, not labels; {}",
                             100.0 * static_cast<double>(changes) / static_cast<double>(pairs),
                             segmentFirst));
}

bool isTiffName(const fs::path& path) {
  const std::string ending = lowerCase(path.extension().string());
  return ending == ".tif" || ending == ".tiff";
}

bool isPattern(const std::string& path) {
  return path.find_first_of("*?[") != std::string::npos && !isThere(path);
}

/// The files of an image: one, or those of a folder or a pattern, slice9 before slice10.
std::vector<std::string> filesOf(const std::string& path) {
  std::vector<std::string> out;
  if (isFolder(path)) {
    for (const auto& entry : fs::directory_iterator(path))
      if (isTiffName(entry.path())) out.push_back(entry.path().string());
  } else if (isPattern(path)) {
    out = pathsOf({path});
  } else {
    out = {path};
  }
  if (out.empty()) throw IoError(fmt::format("{}: there are no TIFF files", path));
  for (const std::string& file : out) checkRegular(file);
  std::ranges::sort(out, [](const std::string& a, const std::string& b) {
    return ::strverscmp(a.c_str(), b.c_str()) < 0;
  });
  return out;
}

}  // namespace

void addLabels(const std::string& path, const char* from, std::size_t count, const SampleForm& form,
               std::uint32_t* to) {
  const auto convert = [&]<class T>(T) {
    const bool swap = form.bigEndian != (std::endian::native == std::endian::big);
    for (std::size_t v = 0; v < count; ++v) {
      char bytes[sizeof(T)];
      std::memcpy(bytes, from + v * sizeof(T), sizeof(T));
      if (swap) std::ranges::reverse(bytes);
      T value;
      std::memcpy(&value, bytes, sizeof(T));
      if (!std::in_range<std::uint32_t>(value))
        refuse(path, fmt::format("label {}: labels are whole numbers from 0 (void) to {}", +value,
                                 UINT32_MAX));
      to[v] = static_cast<std::uint32_t>(value);
    }
  };
  if (form.bytes == 1) return form.isSigned ? convert(std::int8_t{}) : convert(std::uint8_t{});
  if (form.bytes == 2) return form.isSigned ? convert(std::int16_t{}) : convert(std::uint16_t{});
  if (form.bytes == 4) return form.isSigned ? convert(std::int32_t{}) : convert(std::uint32_t{});
  return form.isSigned ? convert(std::int64_t{}) : convert(std::uint64_t{});
}

bool namesImage(const std::string& path) {
  static constexpr std::array<std::string_view, 5> endings{".mhd", ".mha", ".nrrd", ".nhdr",
                                                           ".raw"};
  return isTiffName(path) || isFolder(path) || isPattern(path) ||
         std::ranges::count(endings, lowerCase(fs::path(path).extension().string())) > 0;
}

std::optional<Vec3> threeNumbers(const std::string& text) {
  Vec3 out;
  Eigen::Index count = 0;
  for (std::size_t at = 0, end = 0; at <= text.size(); at = end + 1) {
    end = std::min(text.find_first_of(" \t,", at), text.size());
    if (end == at && end < text.size() && text[end] != ',') continue;  // several blanks
    const auto number = parseNumber(std::string_view(text).substr(at, end - at));
    if (count == 3 || !number || !(*number > 1e-50 && *number < 1e50)) return {};
    out[count++] = *number;
  }
  return count == 3 ? std::optional(out) : std::nullopt;
}

scan::LabelVolume readLabels(const std::string& path, const Vec3& voxel,
                             const std::optional<RawForm>& raw, Diagnostics& diagnostics) {
  const std::vector<std::string> files = filesOf(path);
  const std::string begin = readPart(files.front(), 0, 8);
  const auto is = [&](std::string_view magic) { return begin.starts_with(magic); };
  scan::LabelVolume image;
  if (raw) {
    const Array array{path, 0, formOf("--type", raw->type), raw->size, false};
    image = labelsOf(array);
    const std::uint64_t bytes = fs::file_size(path),
                        taken = image.labels.size() * array.sample.bytes;
    if (bytes != taken)
      refuse(path, fmt::format("the file has {} bytes, {} voxels of {} bytes need {}", bytes,
                               fmt::join(raw->size, " x "), array.sample.bytes, taken));
  } else if (files.size() == 1 && is("NRRD000")) {
    image = labelsOf(arrayOf(path, ':', voxel, diagnostics));
  } else if (files.size() == 1 && (is("ObjectTy") || is("NDims") || is("Comment"))) {
    image = labelsOf(arrayOf(path, '=', voxel, diagnostics));
  } else {
    for (const std::string& file : files) addPages(file, files.size(), image);
  }
  image.voxel = voxel;
  checkLabels(image, path);
  return image;
}

}  // namespace scree::tools
