// SPDX-License-Identifier: GPL-3.0-or-later
#include "cover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace scree::tools {
namespace {

std::string formatOf(const CoverRequest& request, const std::string& output) {
  if (!request.format.empty()) return request.format;
  return std::filesystem::path(output).extension() == ".csv" ? "csv" : "shapepack";
}

void checkRange(const char* option, const std::optional<double>& value, double most) {
  if (value && !(*value > 0.0 && *value <= most))
    throw UsageError(fmt::format("{} {}: expected a number above 0{}", option, *value,
                                 most < 1e300 ? fmt::format(" and at most {}", most) : ""));
}

/// Shortest digits that read back to the same number.
std::string numbers(std::initializer_list<double> values) {
  std::string out;
  for (const double value : values) out += fmt::format("{}{}", out.empty() ? "" : ",", value);
  return out;
}

}  // namespace

void checkRequest(const CoverRequest& request, const std::string& output) {
  const clump::CoverOptions& c = request.cover;
  const int goals = (c.spheres ? 1 : 0) + (c.volumeRatio ? 1 : 0) + (c.iou ? 1 : 0) +
                    (c.hausdorff ? 1 : 0) + (c.inertiaError ? 1 : 0);
  if (goals != 1)
    throw UsageError(
        "expected one of --spheres, --volume-ratio, --iou, --hausdorff and --inertia-error");
  if (c.spheres && (*c.spheres < 1 || *c.spheres > clump::coverLimit))
    throw UsageError(
        fmt::format("--spheres {}: expected a number from 1 to {}", *c.spheres, clump::coverLimit));
  checkRange("--volume-ratio", c.volumeRatio, c.inside ? 1.0 : 1e300);
  checkRange("--iou", c.iou, 1.0);
  checkRange("--hausdorff", c.hausdorff, 1e300);
  checkRange("--inertia-error", c.inertiaError, 1e300);
  if (!(c.leastRadius >= 0.0) || !std::isfinite(c.leastRadius))
    throw UsageError(fmt::format("--rmin {}: expected a number of at least 0", c.leastRadius));
  const std::string natural = c.inside ? "volume" : "iou";
  if (!request.objective.empty() && request.objective != natural)
    throw UsageError(fmt::format("--objective {}: not available; {} covers are made for {}",
                                 request.objective, c.inside ? "inside" : "best-fit", natural));
  if (request.mass != "body" && request.mass != "union")
    throw UsageError(fmt::format("--mass {}: expected body or union", request.mass));
  const std::string format = formatOf(request, output);
  if (format != "shapepack" && format != "csv")
    throw UsageError(
        fmt::format("--format {}: expected shapepack or csv; other formats follow by "
                    "clumpify convert",
                    format));
}

CoverResult cover(const CoverRequest& request, Diagnostics& diagnostics) {
  SolidInput solid = solidFrom(request.input, request.shape, request.cover.threads, diagnostics);
  try {
    std::vector<clump::Ball> balls = clump::coverOf(solid.solid, solid.body, request.cover);
    if (request.cover.spheres && balls.size() < *request.cover.spheres)
      diagnostics.warn(fmt::format("{} spheres are all that add volume; --rmin allows smaller ones",
                                   balls.size()));
    return {std::move(solid), std::move(balls)};
  } catch (const GeometryError& e) {
    throw GeometryError(fmt::format("{}: {}", request.input, e.what()));
  }
}

std::string coverText(const CoverResult& result, const CoverRequest& request,
                      const std::string& output) {
  std::string out;
  if (formatOf(request, output) == "csv") {
    out = "x,y,z,r\n";
    for (const clump::Ball& b : result.balls)
      out += fmt::format("{},{},{},{}\n", b.centre.x(), b.centre.y(), b.centre.z(), b.radius);
    return out;
  }
  const mass::SolidProperties body =
      request.mass == "body"
          ? result.solid.body
          : clump::solidOf(clump::ballUnionMoments(result.balls, request.cover.threads));
  const Mat3 inertia = body.volume * body.inertiaPerMass;
  out = fmt::format("#@ id=0 density=1 volume={} position={} inertia={}\n", body.volume,
                    numbers({body.centre.x(), body.centre.y(), body.centre.z()}),
                    numbers({inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1),
                             inertia(0, 2), inertia(1, 2)}));
  for (const clump::Ball& b : result.balls)
    out +=
        fmt::format("0 Sphere {} {} {} {}\n", b.centre.x(), b.centre.y(), b.centre.z(), b.radius);
  return out;
}

std::string curveText(const CoverResult& result, int threads) {
  std::string out = "spheres,volumeRatio,centreError,inertiaError,uncovered,protruding,rmin\n";
  const mass::SolidProperties& body = result.solid.body;
  const double size = std::cbrt(body.volume);
  double least = 1e300;
  for (std::size_t n = 1; n <= result.balls.size(); ++n) {
    const std::span<const clump::Ball> some(result.balls.data(), n);
    const mass::SolidProperties all = clump::solidOf(clump::ballUnionMoments(some, threads));
    least = std::min(least, some.back().radius);
    out += fmt::format("{},{:.9g},{:.6g},{:.6g},{:.6g},{:.6g},{}\n", n, all.volume / body.volume,
                       (all.centre - body.centre).norm() / std::cbrt(6.0 * body.volume / pi),
                       clump::inertiaErrorOf(body, all),
                       clump::uncoveredBy(result.solid.solid, some, 1e-3 * size).atMost,
                       clump::protrudingFrom(result.solid.solid, some, 1e-3 * size).atMost, least);
  }
  return out;
}

}  // namespace scree::tools
