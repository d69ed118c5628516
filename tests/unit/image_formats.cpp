// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of labelled images, and what they refuse.
#include "command.hpp"
#include "json.hpp"
#include "label_images.hpp"
#include "read_image.hpp"

#include "scree/base/error.hpp"

#include <string>

using namespace scree;
using namespace scree::testing;
using Catch::Matchers::Contains;

namespace {

/// Three boxes with the labels 1, 2 and `last`, in an image of odd sides.
scan::LabelVolume threeBoxes(std::uint32_t last) {
  scan::LabelVolume image = emptyImage(37, 23, 11);
  for (std::size_t k = 1; k < 10; ++k)
    for (std::size_t j = 2; j < 20; ++j)
      for (std::size_t i = 1; i < 34; ++i)
        image.labels[i + 37 * (j + 23 * k)] = i < 11 ? 1 : i < 22 ? 2 + (k > 5 ? last : 0) : last;
  return image;
}

scan::LabelVolume read(const std::string& path, std::optional<tools::RawForm> raw = {}) {
  Diagnostics diagnostics(true);
  return tools::readLabels(path, Vec3::Ones(), raw, diagnostics);
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

void checkSame(const scan::LabelVolume& found, const scan::LabelVolume& wanted) {
  CHECK(found.size == wanted.size);
  CHECK(found.labels == wanted.labels);
}

const std::string nrrdHead =
    "NRRD0004\n# a comment\ntype: uint16\ndimension: 3\nsizes: 37 23 11\nspacings: 2 2 2\n";
const std::string metaHead =
    "ObjectType = Image\nNDims = 3\nBinaryData = True\nDimSize = 37 23 11\n";

}  // namespace

TEST_CASE("TIFF is read in either byte order, compressed, in tiles, of all widths", "[image]") {
  const Folder folder;
  const std::string path = folder / "labels.tif";
  const scan::LabelVolume bytes = threeBoxes(200), words = threeBoxes(40'000),
                          longs = threeBoxes(3'000'000'000);
  for (const char* mode : {"wl", "wb", "w8", "wb8"})
    for (const int packing :
         {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS})
      for (const bool tiled : {false, true}) {
        CAPTURE(mode, packing, tiled);
        const auto compression = static_cast<std::uint16_t>(packing);
        writeTiff<std::uint8_t>(path, bytes, mode, {compression, tiled});
        checkSame(read(path), bytes);
        writeTiff<std::uint16_t>(path, words, mode, {compression, tiled});
        checkSame(read(path), words);
        writeTiff<std::uint32_t>(path, longs, mode, {compression, tiled});
        checkSame(read(path), longs);
      }
  writeTiff<std::int16_t>(path, threeBoxes(300), "w", {.format = SAMPLEFORMAT_INT});
  checkSame(read(path), threeBoxes(300));
  // The same numbers, taken with a sign: 40,000 is -25,536.
  writeTiff<std::uint16_t>(path, words, "w", {.format = SAMPLEFORMAT_INT});
  CHECK_THAT(refusal([&] { read(path); }), Contains("label -25536"));
}

TEST_CASE("slices in files of their own stand in the order of their numbers", "[image]") {
  const Folder folder;
  const scan::LabelVolume image = threeBoxes(300);
  fs::create_directory(folder / "slices");
  for (std::size_t k = 0; k < image.size[2]; ++k)
    writeTiff<std::uint16_t>(folder / ("slices/s" + std::to_string(k + 1) + ".tif"), image, "w", {},
                             k, k + 1);
  checkSame(read(folder / "slices"), image);
  checkSame(read(folder / "slices/s*.tif"), image);
  writeTiff<std::uint16_t>(folder / "slices/s12.tif", emptyImage(37, 24, 1), "w");
  CHECK_THAT(refusal([&] { read(folder / "slices"); }), Contains("37 x 24") && Contains("37 x 23"));
  folder.write("slices/s12.tif", "not an image");
  CHECK_THAT(refusal([&] { read(folder / "slices"); }), Contains("s12.tif") && Contains("TIFF"));
  CHECK_THAT(refusal([&] { read(folder / "none*.tif"); }), Contains("none*.tif: no file matches"));
}

TEST_CASE("MetaImage is read with its data beside it and inside it", "[image]") {
  const Folder folder;
  const scan::LabelVolume image = threeBoxes(300);
  const std::string big = bytesOf<std::int32_t>(image, true);
  folder.write("a.mha", metaHead + "ElementType = MET_USHORT\nElementDataFile = LOCAL\n" +
                            bytesOf<std::uint16_t>(image));
  checkSame(read(folder / "a.mha"), image);
  folder.write("b.mha", metaHead +
                            "CompressedData = True\nBinaryDataByteOrderMSB = True\n"
                            "ElementType = MET_INT\nElementDataFile = LOCAL\n" +
                            gzipped(big));
  checkSame(read(folder / "b.mha"), image);
  folder.write("c.raw", big);
  folder.write("c.mhd", metaHead +
                            "ElementByteOrderMSB = True\nElementType = MET_INT\n"
                            "ElementDataFile = c.raw\n");
  checkSame(read(folder / "c.mhd"), image);
  folder.write("d.mhd", metaHead + "ElementType = MET_FLOAT\nElementDataFile = c.raw\n");
  CHECK_THAT(refusal([&] { read(folder / "d.mhd"); }), Contains("MET_FLOAT"));
  folder.write("e.mhd",
               metaHead + "HeaderSize = -1\nElementType = MET_INT\nElementDataFile = c.raw\n");
  CHECK_THAT(refusal([&] { read(folder / "e.mhd"); }), Contains("headersize -1 is not read"));
}

TEST_CASE("NRRD is read raw and compressed, and with its data beside it", "[image]") {
  const Folder folder;
  const scan::LabelVolume image = threeBoxes(300);
  const std::string data = bytesOf<std::uint16_t>(image, true);
  folder.write("a.nrrd", nrrdHead + "endian: big\nencoding: raw\n\n" + data);
  checkSame(read(folder / "a.nrrd"), image);
  folder.write("b.nrrd", nrrdHead + "endian: big\nencoding: gzip\n\n" + gzipped(data));
  checkSame(read(folder / "b.nrrd"), image);
  folder.write("c.nhdr", nrrdHead + "endian: big\nencoding: gz\ndata file: c.gz\n");
  folder.write("c.gz", gzipped(data));
  checkSame(read(folder / "c.nhdr"), image);
  folder.write("d.nrrd", nrrdHead + "endian: big\nencoding: text\n\n1 2 3");
  CHECK_THAT(refusal([&] { read(folder / "d.nrrd"); }), Contains("encoding text"));
  // Other proportions than the file's are a warning, here an error.
  Diagnostics strict(true);
  CHECK_THAT(refusal([&] { tools::readLabels(folder / "a.nrrd", Vec3(1, 1, 2), {}, strict); }),
             Contains("proportions 2 : 2 : 2"));
}

TEST_CASE("raw data are read by size and type", "[image]") {
  const Folder folder;
  const scan::LabelVolume image = threeBoxes(300);
  folder.write("a.raw", bytesOf<std::uint16_t>(image));
  checkSame(read(folder / "a.raw", tools::RawForm{{37, 23, 11}, "uint16"}), image);
  folder.write("b.raw", bytesOf<std::int64_t>(image, true));
  checkSame(read(folder / "b.raw", tools::RawForm{{37, 23, 11}, "int64be"}), image);
  CHECK_THAT(refusal([&] {
               read(folder / "a.raw", tools::RawForm{{37, 23, 11}, "uint32"});
             }),
             Contains("cannot stand in 18722 bytes"));
}

TEST_CASE("broken, cut off and boastful images are refused in one line", "[image]") {
  const Folder folder;
  const scan::LabelVolume image = threeBoxes(300);
  const std::string data = bytesOf<std::uint16_t>(image);
  const auto refused = [&](const std::string& name, const std::string& bytes,
                           const std::string& why) {
    INFO(name);
    const std::string text = refusal([&] { read(folder.write(name, bytes)); });
    CHECK_THAT(text, Contains(why) && Contains(name));
    CHECK(text.find('\n') == std::string::npos);
  };
  writeTiff<std::uint16_t>(folder / "whole.tif", image, "w", {COMPRESSION_LZW});
  const std::string whole = folder.read("whole.tif");
  refused("cut.tif", whole.substr(0, whole.size() / 2), "cut off");
  refused("empty.tif", "", "first bytes");
  refused("cut.nrrd", nrrdHead + "endian: little\nencoding: raw\n\n" + data.substr(9),
          "cannot stand in");
  const std::string packed = gzipped(data);
  refused("cutz.nrrd",
          nrrdHead + "endian: little\nencoding: gzip\n\n" + packed.substr(0, packed.size() / 2),
          "cut off");
  refused(
      "brokenz.nrrd",
      nrrdHead + "endian: little\nencoding: gzip\n\nnothing like it, but long enough to hold it",
      "the compressed data are broken");
  const std::string huge =
      "NDims = 3\nDimSize = 1000000 1000000 1000000\nElementType = MET_UCHAR\n";
  refused("huge.mha", huge + "ElementDataFile = LOCAL\nxxx", "cannot stand in 3 bytes");
  refused("endless.mha", "NDims = 3\n" + std::string(100'000, 'x'), "no 'elementdatafile'");
  // A page that says it has ten thousand times the pixels.
  TIFF* tiff = TIFFOpen((folder / "boast.tif").c_str(), "w");
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 1'000'000);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1'000'000);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 1'000'000);
  TIFFWriteRawStrip(tiff, 0, const_cast<char*>("abc"), 3);
  TIFFClose(tiff);
  refused("boast.tif", folder.read("boast.tif"), "cannot stand in");
}
