// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sink.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace scree::tools {

/// Rows of `field` of one instant as a ParaView file of image data (.vti): a box for each place,
/// and the time. The 64-bit arrays are density, solid_fraction, velocity, temperature, stress,
/// pressure and deviator. Doubles are as they are in memory, little end first.
/// @param count  places along x, y, z; x runs fastest in the rows
std::string imageDataText(const std::vector<sim::Row>& rows,
                          const std::array<std::int64_t, 3>& count);

/// A field as .vti files: the file itself for one conf-file, numbered ones (field_0.vti, ...) for
/// several.
class ImageSink : public Sink {
 public:
  ImageSink(std::string path, const std::array<std::int64_t, 3>& count, Existing existing)
      : path_(std::move(path)), count_(count), existing_(existing) {}
  void take(std::vector<sim::Row> rows) override;
  void finish(Diagnostics& diagnostics) override;

 private:
  void write(const std::vector<sim::Row>& rows, const std::string& path) const;
  std::string numbered(std::int64_t number) const;

  std::string path_;
  std::array<std::int64_t, 3> count_;
  Existing existing_;
  std::vector<sim::Row> first_;  ///< until it is known whether more come
  std::int64_t taken_ = 0;
};

}  // namespace scree::tools
