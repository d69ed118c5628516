// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools::image {

using Colour = std::array<float, 3>;  ///< linear light, 0 to 1

/// Place of a pixel in a list that goes row by row, of `width` pixels each.
inline std::size_t rowMajor(int x, int y, int width) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
         static_cast<std::size_t>(x);
}

/// A picture in linear light; (0, 0) is the upper left corner, pixels have their centre at + 0.5.
class Canvas {
 public:
  Canvas(int width, int height, Colour background);

  /// Mixes `alpha` of a colour in; nothing outside of the picture.
  void blend(int x, int y, const Colour& colour, float alpha);
  /// A line with soft edges, `width` pixels wide.
  void line(double x0, double y0, double x1, double y1, double width, const Colour& colour,
            float alpha = 1.0F);
  /// Text with its upper left corner at (x, y), each point of the 5 x 7 letters `scale` pixels
  /// wide. What is not ASCII shows as '?'.
  void text(int x, int y, std::string_view words, int scale, const Colour& colour);
  /// Width of text() in pixels.
  static int textWidth(std::string_view words, int scale);
  static constexpr int textHeight = 7;  ///< of letters at scale 1, in pixels

  /// PNG with 8 bits a channel, sRGB. The same picture gives the same bytes with one libpng.
  /// @throws std::runtime_error where libpng fails
  std::string png() const;

 private:
  int width_, height_;
  std::vector<Colour> pixels_;
};

/// The surface of a shape at homothety 1 as triangles.
struct Surface {
  std::vector<Vec3> points, normals;  ///< one unit normal per point; none: faces are flat
  std::vector<std::array<std::uint32_t, 3>> triangles;
};
/// Surface of polygons, cut into triangles.
Surface surfaceOf(std::vector<Vec3> points, std::vector<Vec3> normals,
                  const shape::Polygons& polygons);
/// Surface of shape::roundedSurface(), in triangles. @throws GeometryError as shape::coreOf
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

/// Direction from which a scene is seen, without perspective, and the place of its image.
struct Camera {
  Frame frame;
  double pixelSize = 0.0;  ///< [L] width of a pixel
  Vec3 middle = Vec3::Zero(), right = Vec3::UnitY(), up = Vec3::UnitZ();
  Vec3 towards = Vec3::UnitX();  ///< unit, from the scene to the camera
  Vec3 sky = Vec3::UnitZ();      ///< unit, upwards: the light of the sky comes from there
  Vec2 centre = Vec2::Zero();    ///< pixel in which the middle is seen

  /// Position of a point in pixels of the picture (x, y), and its depth [L] behind the middle (z).
  Vec3 project(const Vec3& p) const;
};

struct View {
  double azimuth = 35.0, elevation = 22.0;  ///< degrees; azimuth 0 looks from +x, 90 from +y
  Vec3 sky = Vec3::UnitZ();  ///< unit, upwards; z, from which angles count, is turned to it
  double marginTop = 0.0, marginBottom = 0.0;  ///< share of the frame's height, kept free for text

  Mat3 axes() const;  ///< columns: to the right, upwards, towards the camera
};
/// Camera that shows all bodies and points as large as the frame allows.
Camera cameraFor(const Frame& frame, std::span<const Placed> bodies, std::span<const Vec3> points,
                 const View& view);

/// Result of draw(): bodies seen in each pixel of the frame, row by row.
struct Sight {
  static constexpr float nothing = 1e30F;
  std::vector<float> depth;        ///< [L] as Camera::project() has it; `nothing` without a body
  std::vector<std::int32_t> body;  ///< index of the nearest body; -1: none
  std::vector<float> coverage;     ///< share of the pixel that bodies fill
};

/// Draws bodies into a picture by a depth buffer with 16 samples a pixel, and a thin outline where
/// one body hides another. Light comes from the upper left. The same bits for any number of
/// threads.
Sight draw(Canvas& canvas, const Camera& camera, std::span<const Placed> bodies, int threads);

/// Draws a line through space, `width` pixels wide. @param dashed  shows the part that bodies hide
/// by fainter dashes
void drawLine(Canvas& canvas, const Camera& camera, const Sight& sight, const Vec3& from,
              const Vec3& to, const Colour& colour, double width, bool dashed = true);
/// Draws the axes x, y, z at the lower left. @param scale  as in Canvas::text()
void drawAxes(Canvas& canvas, const Camera& camera, int scale);
/// Draws a bar of a round length at the lower right. @param unit  behind the number; may be empty
void drawScaleBar(Canvas& canvas, const Camera& camera, int scale, std::string_view unit = {});

/// Colours of stones, one after the other: sand, slate, terracotta, lichen, heather.
const Colour& stoneColour(std::size_t k);
inline constexpr Colour white{1.0F, 1.0F, 1.0F}, ink{0.045F, 0.05F, 0.06F};

}  // namespace scree::tools::image
