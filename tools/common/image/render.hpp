// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvas.hpp"

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace scree::tools::image {

/// The surface of a shape at homothety 1 as triangles.
struct Surface {
  std::vector<Vec3> points, normals;  ///< one unit normal per point; none: faces are flat
  std::vector<std::array<std::uint32_t, 3>> triangles;
  /// Lines where faces meet at more than 11 degrees, 35 where faces are many. [L]
  struct Side {
    Vec3 from, to;
    double faceSize;  ///< root of the area of the face beside it
  };
  std::vector<Side> sides;
};
Surface surfaceOf(std::vector<Vec3> points, std::vector<Vec3> normals,
                  const shape::Polygons& polygons);
/// The rounded surface with its sides. @throws GeometryError as shape::coreOf
Surface roundedSurfaceOf(const shape::Shape& shape, double fineness);

/// A body as it stands in a picture: x = position + orientation * (homothety * point of the body).
struct Placed {
  const Surface* surface = nullptr;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  double homothety = 1.0;
  Colour colour{0.70F, 0.58F, 0.42F};

  Vec3 at(const Vec3& p) const { return position + rotated(orientation, homothety * p); }
};

/// Part of a picture that is drawn into, in pixels.
struct Frame {
  int x = 0, y = 0, width = 0, height = 0;
};

/// From where a scene is seen, and which part of it. z is up.
struct Camera {
  Frame frame;
  double pixelSize = 0.0;  ///< [L] of a pixel in the plane through the middle of the scene
  Vec3 middle = Vec3::Zero(), right = Vec3::UnitY(), up = Vec3::UnitZ();
  Vec3 towards = Vec3::UnitX();  ///< unit, to the camera
  Vec2 centre = Vec2::Zero();    ///< pixel in which the middle is seen

  /// Where a point is seen, in pixels of the picture, and its depth: [L] behind the middle.
  Vec3 project(const Vec3& p) const;
};

struct View {
  double azimuth = 35.0, elevation = 22.0;     ///< degrees: 0 looks from +x, 90 from +y
  double marginTop = 0.0, marginBottom = 0.0;  ///< share of the height kept free for words
};
/// The camera that has all bodies and points in the frame.
Camera cameraFor(const Frame& frame, std::span<const Placed> bodies, std::span<const Vec3> points,
                 const View& view);

/// The view of a camera, pixel by pixel of its frame, row by row.
struct Sight {
  static constexpr float nothing = 1e30F;
  std::vector<float> depth;        ///< [L] as Camera::project has it; `nothing` where no body is
  std::vector<std::int32_t> body;  ///< index of the nearest body; -1: none
  std::vector<float> coverage;     ///< share of the pixel that bodies fill
};

/// Draws bodies into a picture by a depth buffer with 16 samples a pixel, and a thin outline where
/// one body hides another. Light comes from the upper left. The bits are the same for any number
/// of threads.
/// @param canvas  null: only tells what is seen
Sight draw(Canvas* canvas, const Camera& camera, std::span<const Placed> bodies, int threads);

/// A line through space with what bodies hide of it, dashed and fainter where `hidden` is above 0.
void drawLine(Canvas& canvas, const Camera& camera, const Sight& sight, const Vec3& from,
              const Vec3& to, const Colour& colour, float alpha = 0.95F, float hidden = 0.45F,
              double width = 1.3);
/// Draws the edges of the faces of a body, except of faces too small to be distinguished.
void drawSides(Canvas& canvas, const Camera& camera, const Sight& sight, const Placed& body);
/// The directions x, y, z at the lower left.
/// @param turn  of the scene before it was drawn: the axes are shown turned by it
void drawAxes(Canvas& canvas, const Camera& camera, int scale, const Quat& turn);
/// A bar of a round length at the lower right. @param unit  behind the number; may be empty
void drawScaleBar(Canvas& canvas, const Camera& camera, int scale, std::string_view unit = {});

/// Colours of stones, one after the other: sand, slate, terracotta, lichen, heather.
const Colour& stoneColour(std::size_t k);
inline constexpr Colour white{1.0F, 1.0F, 1.0F}, ink{0.045F, 0.05F, 0.06F};

}  // namespace scree::tools::image
