// SPDX-License-Identifier: GPL-3.0-or-later
// Labelled images of bodies of known size and form, and files of them.
#pragma once

#include "scree/mass/shape_mass.hpp"
#include "scree/scan/grains.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tiffio.h>
#include <vector>
#include <zlib.h>

namespace scree::testing {

/// A body of known measures, about the size 1, in its own frame.
struct KnownBody {
  std::string name;
  std::function<bool(const Vec3&)> inside;
  double volume = 0.0, area = 0.0;
  Vec3 inertiaPerMass = Vec3::Zero();  ///< about the three axes of the frame, through its centre
};

inline KnownBody knownBall() {
  return {"ball", [](const Vec3& x) { return x.norm() < 0.5; }, pi / 6.0, pi, Vec3::Constant(0.1)};
}

inline KnownBody knownBox(const Vec3& sides) {
  const Vec3 square = sides.cwiseAbs2();
  return {
      "box",
      [half = Vec3(0.5 * sides)](const Vec3& x) { return (half - x.cwiseAbs()).minCoeff() > 0; },
      sides.prod(), 2.0 * (sides[0] * sides[1] + sides[1] * sides[2] + sides[2] * sides[0]),
      Vec3(square[1] + square[2], square[2] + square[0], square[0] + square[1]) / 12.0};
}

/// @param half  lengths of the half axes
inline KnownBody knownEllipsoid(const Vec3& half) {
  double area = 0.0;  // over both angles, by the midpoint rule: smooth and periodic
  constexpr int n = 400;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double t = pi * (i + 0.5) / n, f = 2.0 * pi * (j + 0.5) / n;
      const Vec3 normal(std::sin(t) * std::cos(f) / half[0], std::sin(t) * std::sin(f) / half[1],
                        std::cos(t) / half[2]);
      area += half.prod() * std::sin(t) * normal.norm() * (pi / n) * (2.0 * pi / n);
    }
  const Vec3 square = half.cwiseAbs2();
  return {"ellipsoid", [half](const Vec3& x) { return x.cwiseQuotient(half).norm() < 1.0; },
          4.0 / 3.0 * pi * half.prod(), area,
          Vec3(square[1] + square[2], square[2] + square[0], square[0] + square[1]) / 5.0};
}

/// Tells if a point is within the radius of a convex core, or in it.
class ConvexBody {
 public:
  explicit ConvexBody(const shape::Shape& shape)
      : hull_(shape::convexHull(shape.vertices)),
        surface_(shape::SurfaceMesh{hull_.points, hull_.faces}),
        radius_(shape.radius) {}
  bool holds(const Vec3& x) const {
    double out = -HUGE_VAL;
    for (std::size_t f = 0; f < hull_.faces.size(); ++f)
      out = std::max(out, hull_.normals[f].dot(x - hull_.points[hull_.faces[f][0]]));
    return out <= 0.0 || (out < radius_ && surface_.nearest(x).distance < radius_);
  }

 private:
  shape::ConvexHull hull_;
  shape::SurfaceDistance surface_;
  double radius_;
};

/// A rounded boulder in its principal frame.
inline KnownBody knownBoulder() {
  shape::Shape s = shape::makeBoulder(20, Vec3(1.0, 0.85, 0.7), 0.15, 3);
  const mass::MassReport report = mass::massReport(s);
  mass::survey(s);
  const auto body = std::make_shared<ConvexBody>(s);
  return {"rounded polyhedron", [body](const Vec3& x) { return body->holds(x); }, s.volume,
          *report.area, s.inertiaPerMass};
}

/// Marks the voxels whose centre is in the body. @param size  [voxels] of its unit length
inline void rasterise(scan::LabelVolume& image, const std::function<bool(const Vec3&)>& inside,
                      const Mat3& axes, const Vec3& centre, double size, std::uint32_t label) {
  std::size_t v = 0;
  for (std::size_t k = 0; k < image.size[2]; ++k)
    for (std::size_t j = 0; j < image.size[1]; ++j)
      for (std::size_t i = 0; i < image.size[0]; ++i, ++v) {
        const Vec3 x(static_cast<double>(i) + 0.5, static_cast<double>(j) + 0.5,
                     static_cast<double>(k) + 0.5);
        if (inside(axes.transpose() * (x - centre) / size)) image.labels[v] = label;
      }
}

inline scan::LabelVolume emptyImage(std::size_t nx, std::size_t ny, std::size_t nz) {
  scan::LabelVolume image;
  image.size = {nx, ny, nz};
  image.labels.assign(nx * ny * nz, 0);
  return image;
}

/// One body in the middle of an image, of `voxels` along its unit length, turned and off the grid.
inline scan::LabelVolume imageOf(const KnownBody& body, int voxels, const Mat3& axes,
                                 const Vec3& off) {
  const auto side = static_cast<std::size_t>(1.9 * voxels) + 4;
  scan::LabelVolume image = emptyImage(side, side, side);
  image.voxel = Vec3::Constant(1.0 / voxels);
  rasterise(image, body.inside, axes, Vec3::Constant(0.5 * static_cast<double>(side)) + off, voxels,
            1);
  return image;
}

/// The labels as numbers of a type, in the order of the voxels.
template <class T>
std::string bytesOf(const scan::LabelVolume& image, bool bigEndian = false) {
  std::string out;
  for (const std::uint32_t label : image.labels) {
    const T value = static_cast<T>(label);
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    if (bigEndian) std::reverse(bytes, bytes + sizeof(T));
    out.append(bytes, sizeof(T));
  }
  return out;
}

/// Compressed as gzip does.
inline std::string gzipped(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct TiffForm {
  std::uint16_t compression = COMPRESSION_NONE;
  bool tiled = false;
  std::uint16_t format = SAMPLEFORMAT_UINT;
};

/// Writes layers `from` to `to` as pages. @param mode  of TIFFOpen: "w", "wb" big-endian, "w8"
template <class T>
void writeTiff(const std::string& path, const scan::LabelVolume& image, const char* mode,
               const TiffForm& form = {}, std::size_t from = 0, std::size_t to = SIZE_MAX) {
  TIFF* tiff = TIFFOpen(path.c_str(), mode);
  const std::size_t nx = image.size[0], ny = image.size[1];
  for (std::size_t k = from; k < std::min(to, image.size[2]); ++k) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(nx));
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(ny));
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8 * sizeof(T));
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, form.format);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, form.compression);
    const auto at = [&](std::size_t i, std::size_t j) {
      return i < nx && j < ny ? static_cast<T>(image.labels[i + nx * (j + ny * k)]) : T{};
    };
    constexpr std::size_t side = 16;
    if (form.tiled) {
      TIFFSetField(tiff, TIFFTAG_TILEWIDTH, side);
      TIFFSetField(tiff, TIFFTAG_TILELENGTH, side);
      for (std::size_t y = 0; y < ny; y += side)
        for (std::size_t x = 0; x < nx; x += side) {
          std::array<T, side * side> tile{};
          for (std::size_t p = 0; p < tile.size(); ++p) tile[p] = at(x + p % side, y + p / side);
          TIFFWriteTile(tiff, tile.data(), static_cast<std::uint32_t>(x),
                        static_cast<std::uint32_t>(y), 0, 0);
        }
    } else {
      TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 7);
      for (std::size_t y = 0; y < ny; ++y) {
        std::vector<T> row;
        for (std::size_t i = 0; i < nx; ++i) row.push_back(at(i, y));
        TIFFWriteScanline(tiff, row.data(), static_cast<std::uint32_t>(y), 0);
      }
    }
    TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
}

}  // namespace scree::testing
