// SPDX-License-Identifier: GPL-3.0-or-later
#include "read_image.hpp"

#include "inputs.hpp"
#include "read_tiff.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;
using Sizes = std::array<std::size_t, 3>;

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw ParseError({name}, why);
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(" \t", at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(" \t", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// An array of numbers in a file, as a header describes it.
struct Array {
  ByteSource data;
  std::uint64_t offset = 0;
  SampleForm sample;
  Sizes size{};
  bool deflated = false;
  std::optional<Vec3> spacing;  ///< as the header says, in its unit
};

/// Reads the bytes of an array in their order, decompressed where they are deflated.
class ArrayStream {
 public:
  explicit ArrayStream(const Array& array)
      : array_(array), at_(array.offset), in_(std::size_t{1} << 18) {
    if (!array.deflated) return;
    stream_ = std::make_unique<z_stream>();
    std::memset(stream_.get(), 0, sizeof(z_stream));
    if (inflateInit2(stream_.get(), 15 + 32) != Z_OK) throw std::bad_alloc();  // zlib or gzip
  }
  ~ArrayStream() {
    if (stream_) inflateEnd(stream_.get());
  }
  ArrayStream(const ArrayStream&) = delete;
  ArrayStream& operator=(const ArrayStream&) = delete;

  void read(char* to, std::size_t count) {
    if (!stream_) {
      if (array_.data.read(at_, to, count) != count) truncated();
      at_ += count;
      return;
    }
    stream_->next_out = reinterpret_cast<Bytef*>(to);
    for (std::size_t left = count; left > 0;) {
      if (stream_->avail_in == 0) {
        const std::size_t got = array_.data.read(at_, in_.data(), in_.size());
        if (got == 0) truncated();
        at_ += got;
        stream_->next_in = reinterpret_cast<Bytef*>(in_.data());
        stream_->avail_in = static_cast<uInt>(got);
      }
      const auto now = static_cast<uInt>(std::min<std::size_t>(left, 1U << 30));
      stream_->avail_out = now;
      const int code = inflate(stream_.get(), Z_NO_FLUSH);
      left -= now - stream_->avail_out;
      if (left == 0) return;
      if (code == Z_STREAM_END) truncated();
      if (code != Z_OK && code != Z_BUF_ERROR)
        refuse(array_.data.name, "the compressed data are broken");
    }
  }

 private:
  [[noreturn]] void truncated() const {
    refuse(array_.data.name, fmt::format("the file is cut off: {} voxels of {} bytes are not there",
                                         fmt::join(array_.size, " x "), array_.sample.bytes));
  }

  const Array& array_;
  std::uint64_t at_;
  std::vector<char> in_;
  std::unique_ptr<z_stream> stream_;
};

scan::LabelVolume labelsOf(const Array& array) {
  std::size_t voxels = 1;
  const std::uint64_t there = array.data.size - std::min(array.offset, array.data.size);
  // Deflate makes at most 1032 bytes of one.
  const std::uint64_t most = array.deflated ? 1100 * there + 4096 : there;
  for (const std::size_t n : array.size) {
    if (n == 0) refuse(array.data.name, "the image has no voxels");
    if (n > most / voxels / array.sample.bytes)
      refuse(array.data.name, fmt::format("{} voxels of {} bytes cannot stand in {} bytes",
                                          fmt::join(array.size, " x "), array.sample.bytes, there));
    voxels *= n;
  }
  scan::LabelVolume out;
  out.size = array.size;
  out.labels.resize(voxels);
  ArrayStream stream(array);
  const std::size_t row = array.size[0] * array.size[1];
  std::vector<char> bytes(row * array.sample.bytes);
  for (std::size_t k = 0; k < array.size[2]; ++k) {
    stream.read(bytes.data(), bytes.size());
    addLabels(array.data.name, bytes.data(), row, array.sample, out.labels.data() + k * row);
  }
  return out;
}

/// Form of a type by its name: uint16 and the like, and those of NRRD (unsigned short, uint16_t)
/// and MetaImage (MET_USHORT).
SampleForm formOf(const std::string& name, const std::string& type) {
  std::string word;
  for (const char c : lower(type))
    if (std::isalnum(static_cast<unsigned char>(c))) word += c;
  const auto drop = [&](std::string_view begin) {
    if (!word.starts_with(begin)) return false;
    word.erase(0, begin.size());
    return true;
  };
  drop("met");
  SampleForm form;
  form.isSigned = !drop("unsigned") && !(word.size() > 1 && drop("u"));
  drop("signed");
  for (const auto& [bytes, names] :
       {std::pair(1, " char int8 int8t "), std::pair(2, " short shortint int16 int16t "),
        std::pair(4, " int int32 int32t "), std::pair(8, " longlong longlongint int64 int64t ")})
    if (std::string_view(names).find(' ' + word + ' ') != std::string_view::npos)
      form.bytes = static_cast<std::size_t>(bytes);
  if (form.bytes > 0) return form;
  if (word == "float" || word == "double")
    refuse(name, fmt::format("type {}: grey values, not labels; {}", type, segmentFirst));
  refuse(name, fmt::format("unknown type '{}' of voxels", type));
}

Sizes sizesFrom(const std::string& name, const std::string& text) {
  const std::vector<std::string> words = wordsOf(text);
  Sizes out{};
  if (words.size() != 3) refuse(name, fmt::format("sizes '{}': expected three, of a volume", text));
  for (std::size_t a = 0; a < 3; ++a) {
    const auto n = parseNumber(words[a]);
    if (!n || !(*n >= 1.0 && *n <= 1e9) || *n != static_cast<double>(static_cast<std::size_t>(*n)))
      refuse(name, fmt::format("sizes '{}': expected whole numbers from 1", text));
    out[a] = static_cast<std::size_t>(*n);
  }
  return out;
}

std::optional<Vec3> spacingFrom(const std::string& text) {
  const std::vector<std::string> words = wordsOf(text);
  Vec3 out;
  if (words.size() != 3) return {};
  for (Eigen::Index a = 0; a < 3; ++a) {
    const auto s = parseNumber(words[static_cast<std::size_t>(a)]);
    if (!s || !(*s > 0.0 && *s < 1e50)) return {};
    out[a] = *s;
  }
  return out;
}

/// The fields of a header, and where its data begin.
struct Header {
  std::map<std::string, std::string, std::less<>> fields;  ///< names in lower case
  std::uint64_t end = 0;                                   ///< [byte] where data begin

  const std::string& at(const std::string& name, const std::string& field) const {
    const auto found = fields.find(field);
    if (found == fields.end()) refuse(name, fmt::format("the header has no '{}'", field));
    return found->second;
  }
  std::string get(const std::string& field, const std::string& other) const {
    const auto found = fields.find(field);
    return found == fields.end() ? other : found->second;
  }
};

Header headerOf(const ByteSource& source, char separator, std::string_view last) {
  constexpr std::size_t longest = 1 << 16;
  std::string text(std::min<std::uint64_t>(source.size, longest), '\0');
  text.resize(source.read(0, text.data(), text.size()));
  Header header;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos && text.size() == longest) break;
    const std::string line = trimmed(std::string_view(text).substr(at, end - at));
    at = end == std::string::npos ? text.size() : end + 1;
    header.end = at;
    if (line.empty() && last.empty()) return header;
    const std::size_t cut = line.find(separator);
    if (line.starts_with('#') || cut == std::string::npos) continue;
    const std::string field = lower(trimmed(std::string_view(line).substr(0, cut)));
    header.fields[field] = trimmed(std::string_view(line).substr(cut + 1));
    if (!last.empty() && field == last) return header;
  }
  if (!last.empty()) refuse(source.name, fmt::format("the header has no '{}'", last));
  return header;  // data in a file of their own
}

/// The file beside a header that holds its data.
ByteSource dataFile(const ByteSource& header, const std::string& path) {
  if (path.find_first_of("%*") != std::string::npos || lower(path).starts_with("list"))
    refuse(header.name, fmt::format("data in several files ('{}') are not read; write one", path));
  const fs::path folder = fs::path(header.name).parent_path();
  return fileSource((fs::path(path).is_absolute() ? fs::path(path) : folder / path).string());
}

scan::LabelVolume withSpacing(const Array& array, const Vec3& voxel, Diagnostics& diagnostics) {
  if (array.spacing) {
    const Vec3 ratio = array.spacing->cwiseQuotient(voxel);
    if (ratio.maxCoeff() > 1.01 * ratio.minCoeff())
      diagnostics.warn(fmt::format(
          "{}: voxels have the proportions {:g} : {:g} : {:g} in the file, others by --voxel",
          array.data.name, array.spacing->x(), array.spacing->y(), array.spacing->z()));
  }
  return labelsOf(array);
}

bool isTrue(const std::string& text) { return lower(text) == "true" || text == "1"; }

Array metaImage(const ByteSource& source) {
  const Header header = headerOf(source, '=', "elementdatafile");
  const std::string& name = source.name;
  Array array;
  if (header.get("ndims", "3") != "3") refuse(name, "expected a volume: NDims = 3");
  if (header.get("elementnumberofchannels", "1") != "1")
    refuse(name, "colours are no labels: ElementNumberOfChannels is not 1");
  if (!isTrue(header.get("binarydata", "True"))) refuse(name, "data as text are not read");
  array.size = sizesFrom(name, header.at(name, "dimsize"));
  array.sample = formOf(name, header.at(name, "elementtype"));
  array.sample.bigEndian =
      isTrue(header.get("binarydatabyteordermsb", header.get("elementbyteordermsb", "False")));
  array.deflated = isTrue(header.get("compresseddata", "False"));
  array.spacing = spacingFrom(header.get("elementspacing", header.get("elementsize", "")));
  const std::string& file = header.at(name, "elementdatafile");
  if (lower(file) == "local") {
    array.data = source;
    array.offset = header.end;
    return array;
  }
  array.data = dataFile(source, file);
  const auto skipped = parseNumber(header.get("headersize", "0"));
  if (!skipped || !(*skipped >= -1.0 && *skipped < 1e15)) refuse(name, "HeaderSize is no number");
  std::uint64_t bytes = array.sample.bytes;
  for (const std::size_t n : array.size) bytes *= n;
  array.offset = *skipped >= 0.0 ? static_cast<std::uint64_t>(*skipped)
                                 : array.data.size - std::min(bytes, array.data.size);
  return array;
}

Array nrrd(const ByteSource& source) {
  const Header header = headerOf(source, ':', "");
  const std::string& name = source.name;
  Array array;
  if (header.at(name, "dimension") != "3") refuse(name, "expected a volume: dimension 3");
  array.size = sizesFrom(name, header.at(name, "sizes"));
  array.sample = formOf(name, header.at(name, "type"));
  array.sample.bigEndian = lower(header.get("endian", "little")) == "big";
  if (array.sample.bytes > 1) header.at(name, "endian");
  const std::string encoding = lower(header.at(name, "encoding"));
  array.deflated = encoding == "gzip" || encoding == "gz";
  if (encoding != "raw" && !array.deflated)
    refuse(name, fmt::format("encoding {} is not read; raw and gzip are", encoding));
  array.spacing = spacingFrom(header.get("spacings", ""));
  for (const char* skip : {"line skip", "lineskip", "byte skip", "byteskip"})
    if (header.get(skip, "0") != "0") refuse(name, fmt::format("'{}' is not read", skip));
  const std::string file = header.get("data file", header.get("datafile", ""));
  array.data = file.empty() ? source : dataFile(source, file);
  array.offset = file.empty() ? header.end : 0;
  return array;
}

Array rawArray(const ByteSource& source, const RawForm& raw) {
  Array array{source, 0, {}, raw.size, false, {}};
  std::string type = raw.type;
  const bool big = type.ends_with("be");
  if (big) type.resize(type.size() - 2);
  array.sample = formOf("--type", type);
  array.sample.bigEndian = big;
  std::uint64_t bytes = array.sample.bytes;
  for (const std::size_t n : raw.size) bytes = n > 0 && bytes <= UINT64_MAX / n ? bytes * n : 0;
  if (bytes != source.size)
    refuse(source.name, fmt::format("the file has {} bytes, {} voxels of {} bytes need {}",
                                    source.size, fmt::join(raw.size, " x "), array.sample.bytes,
                                    bytes > 0 ? std::to_string(bytes) : "more"));
  return array;
}

/// Refuses grey values, which change from voxel to voxel; labels change at the borders of grains.
void checkLabels(const scan::LabelVolume& image, const std::string& name) {
  std::size_t pairs = 0, changes = 0;
  for (std::size_t v = 1; v < image.labels.size(); ++v)
    if (image.labels[v] != 0 && image.labels[v - 1] != 0) {
      ++pairs;
      changes += image.labels[v] != image.labels[v - 1];
    }
  if (pairs > 1000 && changes > pairs / 2)
    refuse(name, fmt::format("{:.0f} % of neighbouring voxels differ: grey values, not labels; {}",
                             100.0 * static_cast<double>(changes) / static_cast<double>(pairs),
                             segmentFirst));
}

/// Names with numbers in the order of the numbers: slice9 before slice10.
bool naturallyBefore(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const auto number = [&](const std::string& s, std::size_t& at) {
        while (at + 1 < s.size() && s[at] == '0' && digit(s[at + 1])) ++at;
        const std::size_t from = at;
        while (at < s.size() && digit(s[at])) ++at;
        return s.substr(from, at - from);
      };
      const std::string x = number(a, i), y = number(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i, ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

bool isTiffName(const std::string& path) {
  const std::string ending = lower(fs::path(path).extension().string());
  return ending == ".tif" || ending == ".tiff";
}

/// The files of a folder or a pattern.
std::vector<std::string> slicesOf(const std::string& path) {
  std::vector<std::string> out;
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::directory_iterator(path))
      if (isTiffName(entry.path().string())) out.push_back(entry.path().string());
  } else {
    out = pathsOf({path});
  }
  if (out.empty()) throw IoError(fmt::format("{}: there are no TIFF files", path));
  std::ranges::sort(out, naturallyBefore);
  return out;
}

bool isPattern(const std::string& path) {
  std::error_code ignored;
  return path.find_first_of("*?[") != std::string::npos && !fs::exists(path, ignored);
}

}  // namespace

void addLabels(const std::string& name, const char* from, std::size_t count, const SampleForm& form,
               std::uint32_t* to) {
  const auto convert = [&]<class T>(T) {
    const bool swap = form.bigEndian != (std::endian::native == std::endian::big);
    for (std::size_t v = 0; v < count; ++v) {
      char bytes[sizeof(T)];
      std::memcpy(bytes, from + v * sizeof(T), sizeof(T));
      if (swap) std::ranges::reverse(bytes);
      T value;
      std::memcpy(&value, bytes, sizeof(T));
      if constexpr (std::is_signed_v<T>)
        if (value < 0)
          refuse(name, fmt::format("label {}: labels are positive, and 0 is void",
                                   static_cast<long long>(value)));
      if constexpr (sizeof(T) > 4)
        if (value > T{UINT32_MAX}) refuse(name, fmt::format("label {}: beyond 32 bits", value));
      to[v] = static_cast<std::uint32_t>(value);
    }
  };
  switch (form.bytes) {
    case 1:
      return form.isSigned ? convert(std::int8_t{}) : convert(std::uint8_t{});
    case 2:
      return form.isSigned ? convert(std::int16_t{}) : convert(std::uint16_t{});
    case 4:
      return form.isSigned ? convert(std::int32_t{}) : convert(std::uint32_t{});
    default:
      return form.isSigned ? convert(std::int64_t{}) : convert(std::uint64_t{});
  }
}

ByteSource sourceOf(const std::string& name, std::string_view bytes) {
  return {name, bytes.size(), [bytes](std::uint64_t at, char* to, std::size_t count) {
            if (at >= bytes.size()) return std::size_t{0};
            count = std::min<std::size_t>(count, bytes.size() - at);
            std::memcpy(to, bytes.data() + at, count);
            return count;
          }};
}

ByteSource fileSource(const std::string& path) {
  const std::shared_ptr<int> file(new int(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), [](int* fd) {
    if (*fd >= 0) ::close(*fd);
    delete fd;
  });
  struct stat status {};
  if (*file < 0 || ::fstat(*file, &status) != 0)
    throw IoError(fmt::format("{}: {}", path, std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) throw IoError(fmt::format("{}: not a regular file", path));
  return {path, static_cast<std::uint64_t>(status.st_size),
          [file, path](std::uint64_t at, char* to, std::size_t count) {
            std::size_t got = 0;
            while (got < count) {
              const ssize_t n = ::pread(*file, to + got, count - got, static_cast<off_t>(at + got));
              if (n < 0 && errno == EINTR) continue;
              if (n < 0) throw IoError(fmt::format("{}: {}", path, std::strerror(errno)));
              if (n == 0) break;
              got += static_cast<std::size_t>(n);
            }
            return got;
          }};
}

bool namesImage(const std::string& path) {
  const std::string ending = lower(fs::path(path).extension().string());
  std::error_code ignored;
  return isTiffName(path) || ending == ".mhd" || ending == ".mha" || ending == ".nrrd" ||
         ending == ".nhdr" || ending == ".raw" || fs::is_directory(path, ignored) ||
         isPattern(path);
}

scan::LabelVolume readLabels(const ByteSource& source, const Vec3& voxel,
                             const std::optional<RawForm>& raw, Diagnostics& diagnostics) {
  char begin[8]{};
  source.read(0, begin, sizeof begin);
  const std::string_view magic(begin, sizeof begin);
  scan::LabelVolume image;
  if (raw) {
    image = labelsOf(rawArray(source, *raw));
  } else if (isTiff(magic)) {
    addPages(source, image);
  } else if (magic.starts_with("NRRD000")) {
    image = withSpacing(nrrd(source), voxel, diagnostics);
  } else if (magic.starts_with("ObjectTy") || magic.starts_with("NDims") ||
             magic.starts_with("Comment")) {
    image = withSpacing(metaImage(source), voxel, diagnostics);
  } else {
    refuse(source.name,
           "neither TIFF, MetaImage nor NRRD by its first bytes; raw data need --size-of and "
           "--type");
  }
  image.voxel = voxel;
  checkLabels(image, source.name);
  return image;
}

scan::LabelVolume readLabels(const std::string& path, const Vec3& voxel,
                             const std::optional<RawForm>& raw, Diagnostics& diagnostics) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored) && !isPattern(path))
    return readLabels(fileSource(path), voxel, raw, diagnostics);
  if (raw) throw UsageError("--size-of: describes one file of raw data");
  scan::LabelVolume image;
  for (const std::string& slice : slicesOf(path)) {
    const ByteSource source = fileSource(slice);
    char begin[8]{};
    source.read(0, begin, sizeof begin);
    if (!isTiff({begin, sizeof begin})) refuse(slice, "not a TIFF file by its first bytes");
    addPages(source, image);
  }
  image.voxel = voxel;
  checkLabels(image, path);
  return image;
}

}  // namespace scree::tools
