// SPDX-License-Identifier: GPL-3.0-or-later
#include "image/render.hpp"
#include "input.hpp"
#include "vtk/poly_piece.hpp"
#include "vtk/write_vtp.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/parallel.hpp"
#include "scree/clump/pack_transform.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/rounded_surface.hpp"
#include "scree/sim/pack/clump_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace scree::tools {
namespace {

void bracket(JsonWriter& json, std::string_view name, const shape::Bracket& b) {
  json.key(name).value(0.5 * (b.atLeast + b.atMost));
  json.key(fmt::format("{}Bound", name)).value(0.5 * (b.atMost - b.atLeast));
}

std::string range(const shape::Bracket& b) {
  return fmt::format("{:.6g} to {:.6g}", b.atLeast, b.atMost);
}

/// A line for each quantity, with its range where it has one; for people.
std::string qualityTable(const clump::CoverQuality& q) {
  std::string out;
  const auto row = [&](std::string_view name, const std::string& value, std::string_view note) {
    out += fmt::format("{:<24} {:<26} {}\n", name, value, note);
  };
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  row("spheres", std::to_string(q.spheres), "");
  row("body volume", number(q.bodyVolume), "in the unit of the file, cubed");
  row("union volume", number(q.unionVolume), "shared volume counts once");
  row("volume ratio", number(q.volumeRatio), "union over body");
  row("IoU", range(q.iou), "intersection over union, proven");
  row("centre error", number(q.centreError), "in diameters of the ball of equal volume");
  row("inertia error", number(q.inertiaError), "of the tensor per mass, relative");
  row("largest gap", range(q.uncovered), "surface of the body to the spheres, proven");
  row("largest protrusion", range(q.protruding), "spheres beyond the body, proven");
  row("Hausdorff distance", range(q.hausdorff()), "the larger of both");
  row("mean gap", fmt::format("{:.6g} ± {:.2g}", q.meanGap.mean, q.meanGap.standardError),
      "over the surface of the body, sampled, standard error");
  row("smallest radius", number(q.leastRadius), "");
  row("largest radius", number(q.largestRadius), "");
  return out + "\nGaps, protrusion, distances and radii in the unit of length of the file\n";
}

/// The balls of a file of one clump of spheres. Those that swallowedBalls() names only warn.
/// @throws ModelError for several particles, other members than spheres, or spheres not clumped
std::vector<mass::Ball> ballsFrom(const std::string& path, Diagnostics& diagnostics) {
  clump::ShapePack pack = sim::blocksFrom(path, {}, diagnostics).pack;
  const bool one = pack.particles.size() == 1;
  if (!one || (pack.particles[0].unclumped && pack.particles[0].members.size() > 1) ||
      !std::ranges::all_of(pack.particles[0].members, clump::isBall))
    throw ModelError(fmt::format("{}: expected one clump of spheres, found {}", inputName(path),
                                 one ? "other members, or spheres that are not clumped (mark u)"
                                     : fmt::format("{} particles", pack.particles.size())));
  clump::PackParticle& particle = pack.particles.front();
  if (const std::size_t count = clump::dropSwallowed(particle); count > 0)
    diagnostics.warn(
        fmt::format("{}: {} sphere(s) lie wholly inside others, or equal them; they add nothing "
                    "and do not count",
                    inputName(path), count));
  std::vector<mass::Ball> balls;
  for (const clump::PackMember& member : particle.members)
    balls.push_back({member.centre, member.radius});
  return balls;
}

/// Triangles of the surface, rounded where the solid is.
std::vector<std::array<Vec3, 3>> surfaceTriangles(const SolidInput& solid) {
  if (solid.solid.radius() == 0.0) return solid.solid.triangles();
  constexpr double fineness = 8.0;
  const shape::Shape body = solid.solid.asShape();
  std::optional<shape::RoundedSurface> surface;
  if (!shape::coreOf(body).convex) surface = shape::unionSurface(body, fineness);
  if (!surface) surface = shape::roundedSurface(body, fineness);
  return shape::SurfaceDistance({surface->points, surface->cells}).triangles();
}

/// The surface of a solid in triangles no wider than 0.04 of the cube root of its volume. Each
/// point has its distance from the balls as `distance`: negative within one. For ParaView.
vtp::PolyPiece distancePiece(const SolidInput& solid, std::span<const mass::Ball> balls) {
  vtp::PolyPiece piece;
  // Sides that are too long are split in the middle, the same for both triangles that share one.
  constexpr std::size_t mostPoints = 6'000'000;
  const double longest = 0.04 * std::cbrt(solid.body.volume);
  const std::function<void(const std::array<Vec3, 3>&)> add = [&](const std::array<Vec3, 3>& t) {
    std::size_t side = 0;
    const auto length = [&](std::size_t k) { return (t[(k + 1) % 3] - t[k]).norm(); };
    for (std::size_t k = 1; k < 3; ++k)
      if (length(k) > length(side)) side = k;
    if (length(side) <= longest || piece.points.size() > mostPoints) {
      const auto first = static_cast<std::uint32_t>(piece.points.size());
      piece.points.insert(piece.points.end(), t.begin(), t.end());
      piece.polygons.add({first, first + 1, first + 2});
      return;
    }
    const Vec3 &a = t[side], &b = t[(side + 1) % 3], &c = t[(side + 2) % 3];
    const Vec3 middle = 0.5 * (a + b);
    add({a, middle, c});
    add({middle, b, c});
  };
  for (const auto& triangle : surfaceTriangles(solid)) add(triangle);

  std::vector<double> distance;
  for (const Vec3& p : piece.points) {
    double least = 1e300;
    for (const mass::Ball& ball : balls)
      least = std::min(least, (p - ball.centre).norm() - ball.radius);
    distance.push_back(least);
  }
  piece.pointData.push_back({"distance", "", 1, std::move(distance)});
  piece.scalars = "distance";
  return piece;
}

/// PNG of the solid and, beside it at the same scale, of the balls.
std::string qualityPicture(const SolidInput& solid, std::span<const mass::Ball> balls,
                           int threads) {
  constexpr int width = 1200, height = 500, scale = 2;
  constexpr double fineness = 12.0;
  const image::Surface whole = image::roundedSurfaceOf(solid.solid.asShape(), fineness),
                       ballSurface = image::roundedSurfaceOf(shape::makeSphere(2.0), fineness);
  const image::Placed body{&whole, Vec3::Zero(), Quat::Identity(), 1.0, image::stoneColour(0)};
  std::vector<image::Placed> all{body};
  for (std::size_t k = 0; k < balls.size(); ++k)
    all.push_back(
        {&ballSurface, balls[k].centre, Quat::Identity(), balls[k].radius, image::stoneColour(k)});

  image::Canvas canvas(width, height, image::white);
  const image::View view{.sky = Vec3::UnitY(), .marginTop = 0.06};
  image::Camera camera = image::cameraFor({0, 0, width / 2, height}, all, {}, view);
  image::draw(canvas, camera, std::span(&body, 1), threads);
  camera.frame.x = width / 2;
  camera.centre.x() += width / 2;
  image::draw(canvas, camera, std::span(all).subspan(1), threads);
  canvas.text(8 * scale, 7 * scale, solid.name.substr(0, 40), scale, image::ink);
  canvas.text(width / 2 + 8 * scale, 7 * scale, fmt::format("{} spheres", balls.size()), scale,
              image::ink);
  image::drawScaleBar(canvas, camera, scale);
  return canvas.png();
}

}  // namespace

std::string qualityJson(const clump::CoverQuality& q, std::optional<std::uint64_t> seed) {
  JsonWriter json;
  json.beginObject().key("schema").value(1).key("spheres").value(q.spheres);
  json.key("bodyVolume").value(q.bodyVolume).key("unionVolume").value(q.unionVolume);
  json.key("volumeRatio").value(q.volumeRatio);
  bracket(json, "iou", q.iou);
  json.key("centreError").value(q.centreError).key("inertiaError").value(q.inertiaError);
  bracket(json, "hausdorff", q.hausdorff());
  bracket(json, "uncovered", q.uncovered);
  bracket(json, "protruding", q.protruding);
  json.member("meanGap", q.meanGap.mean).member("meanGapError", q.meanGap.standardError);
  json.key("smallestRadius").value(q.leastRadius).key("largestRadius").value(q.largestRadius);
  json.key("radiusRatio").value(q.leastRadius / q.largestRadius);
  if (seed) json.member("seed", *seed);
  return json.end().take() + "\n";
}

std::string qualityLine(const clump::CoverQuality& q) {
  return fmt::format(
      "{} spheres, IoU {:.4f}, volume ratio {:.4f}, largest gap {:.4g}, protrusion {:.4g} in the "
      "unit of the file",
      q.spheres, 0.5 * (q.iou.atLeast + q.iou.atMost), q.volumeRatio, q.uncovered.atMost,
      q.protruding.atMost);
}

Verb addQualityVerb(CLI::App& app, const CommonOptions& common) {
  struct Options {
    std::string clump, solid, shape, vtp, image, output = "-";
  };
  const auto options = std::make_shared<Options>();
  CLI::App& verb =
      addVerb(app, "quality", "Compare a clump of spheres with the solid that it represents",
              "  shapeSurvey make box --size 2 1 1 -o box.shp\n"
              "  clumpify cover box.shp --spheres 12 -o fit.txt\n"
              "  clumpify quality fit.txt box.shp --json");
  verb.add_option("CLUMP", options->clump,
                  "One clump of spheres: ShapePack, shape-file, or table of YADE or CSV")
      ->required();
  verb.add_option("SHAPE", options->solid, "Mesh (STL, OBJ, PLY, OFF) or shape-file")->required();
  verb.add_option("--shape", options->shape, "Name of the shape in a shape-file of several")
      ->option_text("NAME");
  const auto ending = [](const std::string& wanted) {
    return [wanted](const std::string& file) {
      return isStandardOutput(file) || file.ends_with(wanted)
                 ? std::string()
                 : fmt::format("expected a name that ends in {}", wanted);
    };
  };
  verb.add_option("--vtp", options->vtp,
                  "ParaView file: the surface of the solid with its distance from the spheres")
      ->check(ending(".vtp"))
      ->option_text("FILE.vtp");
  verb.add_option("--image", options->image, "PNG picture of the solid and the spheres")
      ->check(ending(".png"))
      ->option_text("FILE.png");
  addOutput(verb, options->output);
  return {
      &verb, [options, &common] {
        checkFiles({options->clump, options->solid},
                   {options->output, options->vtp, options->image}, common);
        Diagnostics diagnostics(common.strict);
        const int threads = threadCount(common.jobs);
        const auto balls = ballsFrom(options->clump, diagnostics);
        const SolidInput solid = solidFrom(options->solid, options->shape, threads, diagnostics);
        const clump::CoverQuality quality =
            clump::coverQuality(solid.solid, solid.body, balls, {.threads = threads});
        printWarnings(diagnostics, common);
        if (!options->vtp.empty())
          writeFile(
              options->vtp,
              vtp::vtpText(distancePiece(solid, balls), {.compression = vtp::Compression::zlib}),
              common.existing());
        if (!options->image.empty())
          writeFile(options->image, qualityPicture(solid, balls, threads), common.existing());
        writeFile(options->output, common.json ? qualityJson(quality) : qualityTable(quality),
                  common.existing());
        return 0;
      }};
}

}  // namespace scree::tools
