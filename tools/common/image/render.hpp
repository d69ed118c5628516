// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvas.hpp"
#include "rounded_body.hpp"

#include "scree/shape/shape.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree::tools::image {

/// A body as it stands in a picture: x = position + orientation * (homothety * point of the body).
struct Placed {
  const RoundedBody* body = nullptr;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  double homothety = 1.0;
  Colour colour{0.70F, 0.58F, 0.42F};
};

/// From where the scene is seen: z is up, azimuth 0 looks from +x, 90 degrees from +y.
struct View {
  double azimuth = 35.0, elevation = 22.0;  ///< degrees
  bool perspective = false;                 ///< else orthographic: lengths are true everywhere
};

struct Style {
  bool edges = true;   ///< lines where faces meet at more than 11 degrees, 35 where they are many
  bool ground = true;  ///< a shadow on the plane under the bodies, seen from above
  std::vector<Vec3> keep;  ///< points that the picture holds, too
  bool fitBodies = true;   ///< else the picture is fitted to `keep` alone: the same for a series
  int shadowRays = 16;     ///< to the lamp from each point; twice as many to the sky
  double marginTop = 0.0, marginBottom = 0.0;  ///< share of the height kept free for words
};

/// Part of a picture that is drawn into, in pixels.
struct Frame {
  int x = 0, y = 0, width = 0, height = 0;
};

/// A scene as it was drawn: for what is put over it, and for measuring it.
struct Rendering {
  Frame frame;
  double pixelSize = 0.0;       ///< [L] of a pixel in the plane through the middle of the scene
  std::vector<float> coverage;  ///< share of each pixel that bodies fill, row by row
  std::vector<float> depth;     ///< [L] to what each pixel shows, along the view; large: none
  Vec3 middle = Vec3::Zero(), right = Vec3::UnitY(), up = Vec3::UnitZ();
  Vec3 towards = Vec3::UnitX();  ///< unit, to the camera
  Vec2 centre = Vec2::Zero();    ///< pixel in which the middle is seen
  double origin = 0.0;           ///< [L] from the middle to where depths are counted from
  double distance = 0.0;         ///< [L] of the camera from the middle, for perspective; else 0

  /// Where a point is seen, in pixels of the picture, and its depth as in `depth`.
  Vec3 project(const Vec3& p) const;
};

/// Draws bodies into a frame of a picture, fitted to it. Rays meet the exact rounded bodies. Light
/// comes from the upper left with soft shadows; corners get less of the ambient light. Pixels on
/// outlines have 16 rays. Rows in parallel, the same bits for any number of threads.
Rendering render(Canvas& canvas, const Frame& frame, std::span<const Placed> bodies,
                 const View& view, const Style& style, int threads);

/// What each pixel shows of some bodies, row by row, by one ray through its middle.
struct Sight {
  std::vector<float> depth;        ///< [L] as in Rendering::depth
  std::vector<std::int32_t> body;  ///< index of the nearest body; -1: none
};
/// Looks at bodies with the camera of a picture: its frame, pixelSize, middle, right, up, towards,
/// centre and distance.
Sight sightOf(const Rendering& rendering, std::span<const Placed> bodies, int threads);

std::vector<Vec3> corners(const shape::Obb& box);
/// Lines of a box, fainter where the bodies hide it.
void drawBox(Canvas& canvas, const Rendering& rendering, const shape::Obb& box,
             const Colour& colour);
/// A line through space, fainter where bodies hide it.
void drawLine(Canvas& canvas, const Rendering& rendering, const Vec3& from, const Vec3& to,
              const Colour& colour);
/// The directions x, y, z at the lower left; a bar of a round length at the lower right.
/// @param unit  of lengths, written behind the number; may be empty
/// @param turn  of the scene before it was drawn: the axes are shown turned by it
void drawAxes(Canvas& canvas, const Rendering& rendering, int scale,
              const Quat& turn = Quat::Identity());
void drawScaleBar(Canvas& canvas, const Rendering& rendering, int scale,
                  std::string_view unit = {});

}  // namespace scree::tools::image
