// SPDX-License-Identifier: GPL-3.0-or-later
#include "cover.hpp"

#include "sphere_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace scree::tools {
namespace {

std::string formatOf(const CoverRequest& request, const std::string& output) {
  if (!request.format.empty()) return request.format;
  const std::string ending = std::filesystem::path(output).extension().string();
  return ending == ".csv" || ending == ".shp" ? ending.substr(1) : "shapepack";
}

void checkRange(const char* option, const std::optional<double>& value, double most) {
  if (value && !(*value > 0.0 && *value <= most))
    throw UsageError(fmt::format("{} {}: expected a number above 0{}", option, *value,
                                 most < 1e300 ? fmt::format(" and at most {}", most) : ""));
}

}  // namespace

void checkRequest(const CoverRequest& request) {
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
  if (!request.format.empty()) checkTarget(request.format, "--format");
  if (request.mass != "body" && request.mass != "union")
    throw UsageError(fmt::format("--mass {}: expected body or union", request.mass));
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

clump::ShapePack clumpOf(const CoverResult& result, const CoverRequest& request) {
  clump::ShapePack pack;
  clump::PackParticle& clump = pack.particles.emplace_back();
  for (const clump::Ball& b : result.balls)
    clump.members.push_back(sphereMember(b.centre, b.radius));
  if (request.mass == "body") {
    const mass::SolidProperties& body = result.solid.body;
    clump.carried.given = {body.volume, body.centre, body.volume * body.inertiaPerMass};
  }
  return pack;
}

std::vector<ConvertedFile> coverFiles(const CoverResult& result, const CoverRequest& request,
                                      const std::string& output, Diagnostics& diagnostics) {
  ConvertOptions options;
  options.to = formatOf(request, output);
  options.toOption = "--format";
  if (output != "-") options.name = std::filesystem::path(output).filename().string();
  options.lossy = true;
  options.threads = request.cover.threads;
  return written(clumpOf(result, request), options, diagnostics);
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
                       clump::uncoveredBy(result.solid.solid, some, 1e-3 * size).atLeast,
                       clump::protrudingFrom(result.solid.solid, some, 1e-3 * size).atLeast, least);
  }
  return out;
}

}  // namespace scree::tools
