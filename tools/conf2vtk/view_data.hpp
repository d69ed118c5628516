// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "arrays.hpp"
#include "scene.hpp"
#include "vtk/poly_piece.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

/// One number of each body, to colour by.
struct ViewArray {
  std::string name, unit;
  bool category = false;         ///< a name more than a size: group, cluster, shape
  double low = 0.0, high = 0.0;  ///< over all frames and free bodies; equal where all are the same
};

struct ViewChain {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();  ///< [L]
  float fn = 0.0F, radius = 0.0F;               ///< [F], [L] of the tube
};
struct ViewWall {
  std::int32_t id = 0;  ///< -1 - k for the round wall k
  std::vector<Vec3> points;
  shape::Polygons polygons;
};

/// The part of one conf-file that pages and pictures show.
struct ViewFrame {
  double time = 0.0;
  std::string source;
  /// The index of each body in the conf-file. Periodic images stand behind their body.
  std::vector<std::int32_t> id;
  std::size_t images = 0;  ///< how many of the bodies are periodic images of others
  std::vector<const DrawnShape*> shape;
  std::vector<Vec3> position;
  std::vector<Vec3> shift;  ///< [L] of `position` from the place in the file
  std::vector<Quat> orientation;
  std::vector<float> homothety;
  std::vector<std::int32_t> group;
  std::vector<std::uint8_t> driven;        ///< 0 moved by forces, 1 driven, 2 a flat driven wall
  std::vector<double> speed;               ///< [L/T]
  std::vector<std::vector<float>> values;  ///< for each array one number a body
  std::vector<ViewChain> chains;
  std::vector<ViewWall> walls;  ///< round ones
  bool cell = false;
  Mat3 h = Mat3::Zero();  ///< of the periodic cell

  std::size_t bodies() const { return position.size(); }
  bool isImage(std::size_t body) const { return body > 0 && id[body] == id[body - 1]; }
};

struct ViewSeries {
  std::vector<ViewArray> arrays;
  std::vector<ViewFrame> frames;  ///< by time; those of equal times in the order of the files
  Vec3 up = Vec3::UnitZ();        ///< against gravity
  double highestForce = 0.0;      ///< [F] of all chains
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< [L] box around all that is seen at any time
};

/// The array to colour by: the one of that name; without a name speed, where it is there.
/// @throws UsageError as checkColourBy
std::size_t firstArray(const ViewSeries& series, const std::string& name);

/// Refuses an array that nothing can be coloured by, and lists those that there are.
/// @param inViews  in pages or pictures; else in ParaView alone, which has vectors, too
/// @throws UsageError
void checkColourBy(const std::string& name, bool inViews);

/// The arrays that `choice` wants, as far as they are one number a body; vectors count by their
/// norm. Without a choice: the default ones, force, pressure, displacement and overlap_max.
class ViewArrays {
 public:
  /// @param also    an array that is there whatever `choice` wants; may be empty
  /// @param images  whether frames have the periodic images that reach into the cell
  explicit ViewArrays(const ArrayChoice& choice, std::string_view also = {}, bool images = false);
  const std::vector<ViewArray>& names() const { return names_; }
  ViewFrame frame(const Scene& scene, const std::string& source) const;

 private:
  std::vector<ViewArray> names_;
  std::vector<const ArrayRow<BodyItem>*> rows_;
  bool images_ = false;
};

/// Sorts frames by time and finds ranges and bounds. Frames that were never filled are left out.
ViewSeries viewSeries(const ViewArrays& arrays, std::vector<ViewFrame> frames, const Vec3& gravity);

/// The way of each body that moves by forces as one line through its centres, for the whole series.
/// Points have `time` and `speed`; cells have `id`, `group` and `length` (way along the line). In a
/// periodic cell a line goes on outside of the cell: each step is the shortest one.
/// @param doubles  `speed` with 64 bits
vtp::PolyPiece tracksPiece(const ViewSeries& series, bool doubles);

}  // namespace scree::tools
