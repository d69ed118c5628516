// SPDX-License-Identifier: GPL-3.0-or-later
#include "write_vtp.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_writer.hpp"

#include <fmt/format.h>
#include <vtkVersion.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <lz4.h>
#include <map>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <zlib.h>

// Written by hand, not by vtkXMLPolyDataWriter. That one takes four times as long and turns each
// list of cells into 64-bit ids twice. It cannot let two parts of a file share what they have in
// common (docs/decisions/libraries.md). VTK's reader is what tests read the files with.
static_assert(std::endian::native == std::endian::little, "files say little endian");

namespace scree::tools::vtp {
namespace {

/// Ends the XML head of a VTK file: `bytes` follow as raw appended data, after the underscore.
///
/// VTK up to 9.2 (ParaView 5.11) hands blocks of 4,096 bytes to the XML parser expat, and expects
/// the end of this tag parsed at once. From version 2.6 on, and in the security update of Debian
/// 12, expat retries an incomplete tag only when its text has doubled. Spaces before the tag leave
/// 18 bytes of it in the first block, which the closing text doubles. One block needs none.
void openAppendedData(std::string& xml, std::size_t bytes) {
  constexpr std::string_view tag = "<AppendedData encoding=\"raw\">\n_";
  constexpr std::size_t block = 4096, inFirstPortion = 18;
  constexpr std::size_t closingTags = 64;  // more than any head needs behind the data
  if (xml.size() + tag.size() + bytes + closingTags > block)
    xml.append((2 * block - inFirstPortion - xml.size() % block) % block, ' ');
  xml += tag;
}

template <class T>
constexpr const char* typeName() {
  if constexpr (std::is_same_v<T, float>) return "Float32";
  if constexpr (std::is_same_v<T, double>) return "Float64";
  if constexpr (std::is_same_v<T, std::int16_t>) return "Int16";
  if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "Int64";
  return "UInt8";
}

class Writer {
 public:
  explicit Writer(const VtpOptions& options) : options_(options) {}

  std::string text(const PolyPiece& piece) {
    xml_ =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
        "byte_order=\"LittleEndian\" header_type=\"UInt64\"";
    if (!options_.ascii && options_.compression != Compression::none)
      xml_ += fmt::format(" compressor=\"{}\"", options_.compression == Compression::lz4
                                                    ? "vtkLZ4DataCompressor"
                                                    : "vtkZLibDataCompressor");
    xml_ += ">\n <PolyData>\n  <FieldData>\n";
    for (const DataArray& array : piece.fieldData)
      addArray(array, fmt::format(" NumberOfTuples=\"{}\"", array.tuples()));
    for (const auto& [name, words] : piece.texts) addWords(name, words);
    xml_ += "  </FieldData>\n";
    addPart(piece);
    // Readers take units and names of components from the first part.
    described_ = true;
    for (const auto& make : piece.laterParts) addPart(make());
    xml_ += " </PolyData>\n";
    if (!options_.ascii) {
      openAppendedData(xml_, appended_.size());
      xml_ += appended_;
      xml_ += "\n</AppendedData>\n";
    }
    xml_ += "</VTKFile>\n";
    return std::move(xml_);
  }

 private:
  /// Type of the numbers of a list of cells, and where they begin in the appended data.
  struct CellsAt {
    const char* type = "";
    std::size_t corners = 0, offsets = 0;
  };

  void addPart(const PolyPiece& piece) {
    xml_ += fmt::format(
        "  <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" "
        "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
        piece.points.size(), piece.vertices.size(), piece.lines.size(), piece.polygons.size());
    addData("PointData", piece.pointData, piece.points.size(), piece);
    addData("CellData", piece.cellData, piece.cellCount(), piece);
    xml_ += "   <Points>\n";
    if (piece.doublePoints)
      addPoints<double>(piece);
    else
      addPoints<float>(piece);
    xml_ += "   </Points>\n";
    addCells("Verts", piece.vertices);
    addCells("Lines", piece.lines);
    addCells("Polys", piece.polygons);
    xml_ += "  </Piece>\n";
  }

  template <class T>
  void addPoints(const PolyPiece& piece) {
    std::vector<T> values(3 * piece.points.size());
    for (std::size_t p = 0; p < piece.points.size(); ++p)
      for (std::size_t c = 0; c < 3; ++c)
        values[3 * p + c] = static_cast<T>(piece.points[p][static_cast<Eigen::Index>(c)]);
    addNumbers("Points", values, 3, "", "");
  }

  void addCells(const char* kind, const Cells& cells) {
    if (cells.empty()) return;
    xml_ += fmt::format("   <{}>\n", kind);
    const shape::Polygons& list = cells.get();
    const auto known = cellsAt_.find(&list);
    if (known != cellsAt_.end() && !options_.ascii) {
      addReference("connectivity", known->second.type, known->second.corners);
      addReference("offsets", known->second.type, known->second.offsets);
    } else {
      // Small numbers need half the bytes, packed or not; readers take either.
      std::size_t largest = list.cornerCount();
      for (std::size_t c = 0; c < list.size(); ++c)
        for (const std::size_t corner : list[c]) largest = std::max(largest, corner);
      cellsAt_[&list] =
          largest < 32768 ? addIndices<std::int16_t>(list) : addIndices<std::int32_t>(list);
    }
    xml_ += fmt::format("   </{}>\n", kind);
  }

  template <class T>
  CellsAt addIndices(const shape::Polygons& list) {
    std::vector<T> corners, offsets;
    corners.reserve(list.cornerCount());
    offsets.reserve(list.size());
    for (std::size_t c = 0; c < list.size(); ++c) {
      for (const std::uint32_t corner : list[c]) corners.push_back(static_cast<T>(corner));
      offsets.push_back(static_cast<T>(corners.size()));
    }
    return {typeName<T>(), addNumbers("connectivity", corners, 1, "", ""),
            addNumbers("offsets", offsets, 1, "", "")};
  }

  void addReference(const char* name, const char* type, std::size_t offset) {
    xml_ +=
        fmt::format("    <DataArray type=\"{}\" Name=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
                    type, name, offset);
  }

  void addData(const char* kind, const std::vector<DataArray>& arrays, std::size_t count,
               const PolyPiece& piece) {
    xml_ += fmt::format("   <{}", kind);
    const auto activate = [&](const char* attribute, const std::string& name) {
      if (!name.empty() && std::ranges::find(arrays, name, &DataArray::name) != arrays.end())
        xml_ += fmt::format(" {}=\"{}\"", attribute, xmlEscaped(name));
    };
    activate("Scalars", piece.scalars);
    activate("Vectors", piece.vectors);
    activate("Tensors", piece.tensors);
    activate("Normals", piece.normals);
    activate("GlobalIds", piece.globalIds);
    xml_ += ">\n";
    for (const DataArray& array : arrays) {
      if (array.tuples() != count)
        throw std::logic_error("array " + array.name + " does not fit its points or cells");
      addArray(array, array.name == piece.globalIds ? " IdType=\"1\"" : "");
    }
    xml_ += fmt::format("   </{}>\n", kind);
  }

  void addArray(const DataArray& array, const std::string& extra) {
    std::visit(
        [&](const auto& values) {
          addNumbers(array.name, values, array.components, array.unit, extra);
        },
        array.values);
  }

  /// @returns where its bytes begin in the appended data
  template <class T>
  std::size_t addNumbers(const std::string& name, const std::vector<T>& values,
                         std::size_t components, const std::string& unit,
                         const std::string& extra) {
    static constexpr std::array vectorNames{"x", "y", "z"};
    static constexpr std::array quaternionNames{"w", "x", "y", "z"};
    static constexpr std::array tensorNames{"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};
    xml_ += fmt::format("    <DataArray type=\"{}\" Name=\"{}\"{}", typeName<T>(), xmlEscaped(name),
                        extra);
    if (components > 1) xml_ += fmt::format(" NumberOfComponents=\"{}\"", components);
    const auto nameComponents = [&](const auto& names) {
      for (std::size_t c = 0; c < names.size(); ++c)
        xml_ += fmt::format(" ComponentName{}=\"{}\"", c, names[c]);
    };
    if (!described_ && name != "Points" && components == 3) nameComponents(vectorNames);
    if (!described_ && components == 4) nameComponents(quaternionNames);
    if (!described_ && components == 9) nameComponents(tensorNames);
    if (options_.ascii) {
      xml_ += " format=\"ascii\">\n";
      std::string line;
      for (std::size_t k = 0; k < values.size(); ++k) {
        if constexpr (std::is_same_v<T, float>)
          fmt::format_to(std::back_inserter(line), "{}", values[k]);
        else if constexpr (std::is_floating_point_v<T>)
          appendShortest(line, values[k]);
        else
          fmt::format_to(std::back_inserter(line), "{}", static_cast<long long>(values[k]));
        line +=
            (k + 1) % std::max<std::size_t>(components, components == 1 ? 12 : 1) == 0 ? '\n' : ' ';
      }
      xml_ += line;
      xml_ += '\n';
      addUnit(unit);  // after the numbers: readers look for them right behind the tag
      xml_ += "    </DataArray>\n";
      return 0;
    }
    const std::size_t offset = append(values.data(), values.size() * sizeof(T));
    xml_ += fmt::format(" format=\"appended\" offset=\"{}\"", offset);
    if (unit.empty() || described_) {
      xml_ += "/>\n";
    } else {
      xml_ += ">\n";
      addUnit(unit);
      xml_ += "    </DataArray>\n";
    }
    return offset;
  }

  void addUnit(const std::string& unit) {
    if (!unit.empty() && !described_)
      xml_ += fmt::format(
          "     <InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">{}"
          "</InformationKey>\n",
          xmlEscaped(unit));
  }

  void addWords(const std::string& name, const std::vector<std::string>& words) {
    std::string bytes;
    for (const std::string& word : words) bytes.append(word) += '\0';
    xml_ += fmt::format("    <Array type=\"String\" Name=\"{}\" NumberOfTuples=\"{}\"",
                        xmlEscaped(name), words.size());
    if (!options_.ascii) {
      xml_ +=
          fmt::format(" format=\"appended\" offset=\"{}\"/>\n", append(bytes.data(), bytes.size()));
      return;
    }
    xml_ += " format=\"ascii\">\n";
    for (const char c : bytes)
      xml_ += fmt::format("{} ", static_cast<unsigned>(static_cast<unsigned char>(c)));
    xml_ += "\n    </Array>\n";
  }

  /// Bytes as VTK's readers expect them; what was appended before is found, not written again.
  std::size_t append(const void* data, std::size_t size) {
    const XXH128_hash_t hash = XXH3_128bits(data, size);
    const auto [known, isNew] = bytesAt_.try_emplace(
        std::array{hash.high64, hash.low64, std::uint64_t{size}}, appended_.size());
    if (!isNew) return known->second;
    const char* const bytes = static_cast<const char*>(data);
    const auto put = [this](std::uint64_t number, std::size_t at) {
      std::memcpy(appended_.data() + at, &number, sizeof number);
    };
    const std::size_t begin = appended_.size();
    if (options_.compression == Compression::none) {
      appended_.resize(begin + 8);
      put(size, begin);
      appended_.append(bytes, size);
      return begin;
    }
    // Blocks of 64 KiB: what a match of LZ4 reaches back over.
    constexpr std::size_t block = 65536;
    const std::size_t blocks = (size + block - 1) / block;
    appended_.resize(begin + 8 * (3 + blocks));
    put(blocks, begin);
    put(block, begin + 8);
    put(size % block, begin + 16);
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::size_t length = std::min(block, size - b * block);
      if (const std::size_t most = compressBound(length); packed_.size() < most)
        packed_.resize(most);
      const std::size_t packed = compress(bytes + b * block, length);
      appended_.append(packed_.data(), packed);
      put(packed, begin + 8 * (3 + b));
    }
    return begin;
  }

  std::size_t compressBound(std::size_t length) const {
    return options_.compression == Compression::lz4
               ? static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(length)))
               : static_cast<std::size_t>(::compressBound(static_cast<uLong>(length)));
  }
  /// Into `packed_`. @returns how many bytes
  std::size_t compress(const char* bytes, std::size_t length) {
    char* const out = packed_.data();
    const std::size_t room = packed_.size();
    if (options_.compression == Compression::lz4) {
      const int packed =
          LZ4_compress_default(bytes, out, static_cast<int>(length), static_cast<int>(room));
      if (packed <= 0) throw std::runtime_error("LZ4 could not compress a block");
      return static_cast<std::size_t>(packed);
    }
    uLongf packed = static_cast<uLongf>(room);
    // Higher levels save nothing on such data and cost much time.
    if (::compress2(reinterpret_cast<Bytef*>(out), &packed, reinterpret_cast<const Bytef*>(bytes),
                    static_cast<uLong>(length), 1) != Z_OK)
      throw std::runtime_error("zlib could not compress a block");
    return static_cast<std::size_t>(packed);
  }

  const VtpOptions& options_;
  std::string xml_, appended_, packed_;
  bool described_ = false;  ///< the first part is written
  std::map<std::array<std::uint64_t, 3>, std::size_t> bytesAt_;
  std::map<const shape::Polygons*, CellsAt> cellsAt_;
};

}  // namespace

std::string vtpText(const PolyPiece& piece, const VtpOptions& options) {
  return Writer(options).text(piece);
}

std::size_t writeVtp(const std::string& path, const PolyPiece& piece, const VtpOptions& options) {
  const std::string text = vtpText(piece, options);
  writeFile(path, text, Existing::replace);
  return text.size();
}

std::string xmlEscaped(std::string_view text) {
  constexpr std::array<std::pair<char, std::string_view>, 5> entities{
      {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&apos;"}}};
  std::string out;
  for (const char c : text) {
    const auto* const entity =
        std::ranges::find(entities, c, &decltype(entities)::value_type::first);
    if (entity != entities.end())
      out += entity->second;
    else
      out += c;
  }
  return out;
}

std::string collectionText(std::vector<Dated> files) {
  for (Dated& file : files) file.time += 0.0;  // -0 is 0: else they have no order
  std::ranges::sort(files, {}, [](const Dated& f) { return std::tie(f.time, f.file); });
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n  <Collection>\n";
  for (const Dated& file : files)
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n",
                        shortest(file.time), xmlEscaped(file.file));
  return text + "  </Collection>\n</VTKFile>\n";
}

std::string multiBlockText(const std::vector<Block>& blocks) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"vtkMultiBlockDataSet\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <vtkMultiBlockDataSet>\n";
  for (std::size_t k = 0; k < blocks.size(); ++k)
    text += fmt::format("    <DataSet index=\"{}\" name=\"{}\" file=\"{}\"/>\n", k,
                        xmlEscaped(blocks[k].name), xmlEscaped(blocks[k].file));
  return text + "  </vtkMultiBlockDataSet>\n</VTKFile>\n";
}

std::string vtkVersion() { return ::vtkVersion::GetVTKVersion(); }

}  // namespace scree::tools::vtp
