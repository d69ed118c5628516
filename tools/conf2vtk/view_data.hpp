// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "arrays.hpp"
#include "scene.hpp"
#include "vtk/poly_piece.hpp"

#include "scree/shape/aabb_tree.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools {

/// One number of each body, to colour by.
struct ViewArray {
  std::string name, unit;
  bool category = false;  ///< a name more than a size: group, cluster, shape
  /// Limits of colours: the 1st and the 99th percentile over all frames and free bodies. They are
  /// `least` and `most` where there are at most 100 values, or where the percentiles are equal.
  double low = 0.0, high = 0.0;
  double least = 0.0, most = 0.0;

  bool cut() const { return least < low || high < most; }
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
  std::vector<std::uint8_t> driven;        ///< 0 moved by forces, 1 driven, 2 idem, translucent
  std::vector<double> speed;               ///< [L/T]
  std::vector<std::vector<float>> values;  ///< for each array one number a body
  std::vector<ViewChain> chains;
  std::vector<ViewWall> walls;  ///< round ones
  bool cell = false;
  Mat3 h = Mat3::Zero();  ///< of the periodic cell

  std::size_t bodies() const { return position.size(); }
  bool isImage(std::size_t body) const { return body > 0 && id[body] == id[body - 1]; }
  Vec3 inFile(std::size_t body) const { return position[body] - shift[body]; }
  /// A point of the body frame at homothety 1, where it is.
  Vec3 placed(std::size_t body, const Vec3& p) const {
    return position[body] + rotated(orientation[body], static_cast<double>(homothety[body]) * p);
  }
  /// Corner k of the cell: bits of k choose the vectors.
  Vec3 corner(int k) const { return h * Vec3(k & 1, k >> 1 & 1, k >> 2); }
};

/// The path of a body that moves by forces.
struct ViewTrack {
  std::int32_t id = 0;
  std::vector<std::size_t> frame, body;  ///< of each point: its frame, and the place there
  std::vector<Vec3> points;  ///< [L] centres; in a periodic cell each step is the shortest one
  double length = 0.0;       ///< [L]
};

/// Where the camera of pages, pictures and ParaView's view stands.
struct ViewFrom {
  Quat upright = Quat::Identity();  ///< turns the direction against gravity to z
  Mat3 axes = Mat3::Identity();     ///< columns: to the right, upwards, towards the camera
};
/// @param gravity  downwards in pictures; zero: against z
/// @param azimuth, elevation  degrees above the ground; gravity along -y turns y to z
ViewFrom viewFrom(const Vec3& gravity, double azimuth, double elevation);

struct ViewSeries {
  std::vector<ViewArray> arrays;
  std::vector<ViewFrame> frames;  ///< by time; those of equal times in the order of the files
  std::vector<ViewTrack> tracks;  ///< by id
  ViewFrom from;
  double highestForce = 0.0;  ///< [F] of all chains
  /// Box around all that is framed: the bodies that move by forces, at all times. Also those of the
  /// others, round walls and the cell that are at most twice as large. [L] along `from.axes`, and
  /// along the axes of the files, there with all chains.
  shape::Aabb box, seen;
};

/// The array to colour by: the one of that name; without a name speed, where it is there.
std::size_t firstArray(const ViewSeries& series, const std::string& name);

/// Refuses an array that nothing can be coloured by, and lists those that there are.
/// @throws UsageError
void checkColourBy(const std::string& name);

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

/// Sorts frames by time and finds tracks, limits of colours and what is framed. Frames that were
/// never filled are left out. A driven body is translucent where it is framed and its middle is
/// nearer to the camera than that of what moves.
ViewSeries viewSeries(const ViewArrays& arrays, std::vector<ViewFrame> frames,
                      const ViewFrom& from);

/// The tracks as lines. Points have `time` and `speed`; cells have `id`, `group` and `length`.
/// @param doubles  `speed` with 64 bits
vtp::PolyPiece tracksPiece(const ViewSeries& series, bool doubles);

}  // namespace scree::tools
