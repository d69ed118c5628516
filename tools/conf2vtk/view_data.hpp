// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "arrays.hpp"
#include "conf2vtk.hpp"
#include "image/render.hpp"
#include "pieces.hpp"
#include "scene.hpp"
#include "vtk/poly_piece.hpp"

#include "scree/base/parallel.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace scree::tools {

/// One number of each body, to colour by.
struct ViewArray {
  std::string name, unit;
  bool category = false;  ///< a name more than a size: group, cluster, shape
  /// Limits of colours: the 1st and the 99th percentile over all frames and free bodies. They are
  /// the least and the largest of at most 100 values, or if percentiles are equal.
  double low = 0.0, high = 0.0;
  bool cut = false;  ///< whether values lie beyond the limits
  /// Numbers of the colours of a category, by value: 0 has the most free bodies over all frames.
  std::map<float, int> ranks{};
};

/// A body, or a periodic image of the one before it.
struct ViewBody {
  const DrawnShape* shape = nullptr;
  std::int32_t id = 0;  ///< index in the conf-file
  std::int32_t group = 0;
  std::uint8_t driven = 0;  ///< 0 moved by forces, 1 driven, 2 idem, before what moves
  bool isImage = false;
  Vec3 position = Vec3::Zero();  ///< [L]
  Vec3 shift = Vec3::Zero();     ///< [L] of `position` from the place in the file
  Quat orientation = Quat::Identity();
  double homothety = 1.0;
  double speed = 0.0;  ///< [L/T]

  /// A point of the body frame at homothety 1, where it is.
  Vec3 placed(const Vec3& p) const { return position + rotated(orientation, homothety * p); }
};

/// The part of one conf-file that pages and pictures show.
struct ViewFrame {
  double time = 0.0;
  std::string source;
  std::vector<ViewBody> bodies;
  std::vector<std::vector<float>> values;  ///< for each array one number a body
  std::vector<Chain> chains;
  std::vector<DrawnBond> bonds;  ///< one for each interface
  Vec3 centre = Vec3::Zero();    ///< [L] of the free bodies or of the cell; they are moved from it
  std::vector<Wall> walls;       ///< round ones
  sim::PeriodicCell cell;

  /// Corner k of the cell: bits of k choose the vectors.
  Vec3 corner(int k) const { return cell.h * Vec3(k & 1, k >> 1 & 1, k >> 2); }
};

/// The path of a body that moves by forces.
struct ViewTrack {
  struct Point {
    std::size_t frame, body;  ///< its frame, and the place there
    Vec3 place;               ///< [L] centre; in a periodic cell each step is the shortest one
    double time, speed;       ///< [T], [L/T]
  };
  std::int32_t id = 0, group = 0;
  double length = 0.0;  ///< [L]
  std::vector<Point> points;
};

struct ViewSeries {
  std::vector<ViewArray> arrays;
  std::vector<ViewFrame> frames;  ///< by time; those of equal times in the order of the files
  std::vector<ViewTrack> tracks;  ///< by id
  image::View view;
  double highestForce = 0.0;  ///< [F] of all chains
  /// Box around all that is framed: the bodies that move by forces, at all times. Also those of the
  /// others, round walls and the cell that are at most twice as large. [L] along the axes of the
  /// view, and along the axes of the files, there with all chains.
  shape::Aabb box, seen;
};

/// The camera that options ask for. @param gravity  downwards in pictures; zero: against y
image::View viewOf(const std::vector<double>& azimuthAndElevation, const Vec3& gravity);

/// The array to colour by: the one of that name; without a name speed, where it is there.
std::size_t firstArray(const ViewSeries& series, const std::string& name);

/// The arrays that `choice` wants, as far as they are one number a body; vectors count by their
/// norm. Without a choice: the default ones, force, pressure, displacement and overlap_max.
/// @param also  an array that is there whatever `choice` wants; may be empty
/// @throws UsageError, with the names that there are, where nothing can be coloured by `also`
using ViewRows = std::vector<const ArrayRow<BodyItem>*>;
ViewRows viewRows(const ArrayChoice& choice, const std::string& also = {});

/// @param options  `images`; `bonds`; `explode`, which moves ends of chains and bonds with bodies
ViewFrame viewFrame(const Scene& scene, const std::string& source, const ViewRows& rows,
                    const Conf2vtkOptions& options = {});

/// Sorts frames by time and finds tracks, limits of colours and what is framed. Frames that were
/// never filled are left out. A driven body stands before what moves where it is framed and its
/// middle is nearer to the camera.
ViewSeries viewSeries(const ViewRows& rows, std::vector<ViewFrame> frames, const image::View& view);

/// The tracks as lines. Points have `time` and `speed`; cells have `id`, `group` and `length`.
/// @param doubles  `speed` with 64 bits
vtp::PolyPiece tracksPiece(const ViewSeries& series, bool doubles);

/// One HTML file that shows a series in a browser, without a network and without other files:
/// data, three.js with its licence, and tools/conf2vtk/page/.
///
/// Positions are 32-bit numbers that count from the middle of the scene. Orientations have 16 bits
/// a component, so they are off by at most 1e-4 rad. Ends of chains and bonds are off by 1/65,535
/// of the box around the scene. Equal data, of bodies that rest or arrays that stay, are there
/// once. Names from files are data to the page, never a part of it.
/// @param options  `colourBy`, `explode`, `tracks`, `zoom`
/// @throws UsageError where the page would exceed what browsers take (400 MB)
std::string pageText(const std::string& title, const ViewSeries& series,
                     const Conf2vtkOptions& options);

/// One line for people: how many bodies, at which times.
std::string summaryOf(const ViewSeries& series);

/// A Python script that ParaView opens ready to look at: `paraview --script=view.py`. It names the
/// collections relative to itself, so the folder may move.
/// @param kinds    collections beside it, "particles" for particles.pvd
/// @param options  `colourBy`, `zoom`
std::string viewScript(const std::vector<std::string>& kinds, const image::View& view,
                       const Conf2vtkOptions& options);

/// Draws a series without a display, one picture a frame: bodies by a colour, driven ones grey, the
/// periodic cell, round walls, the time, and on request bonds or force chains, and the tracks up to
/// that time. What moves is drawn over driven bodies, and what stands before it is left out. All
/// pictures share one camera, with gravity downwards, and one range of colours.
/// @param options  `colourBy`, `contacts`, `explode`, `tracks`, `size`, `zoom`, `threads`
/// @param paths    as picturePaths has them
/// @return the bytes written
std::size_t drawPictures(const ViewSeries& series, const Conf2vtkOptions& options,
                         const std::vector<std::string>& paths, const Progress& progress);

/// FILE.png; of a series FILE_0000.png and on. None where `path` is empty.
std::vector<std::string> picturePaths(const std::string& path, std::size_t count);

}  // namespace scree::tools
