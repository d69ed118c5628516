// SPDX-License-Identifier: GPL-3.0-or-later
#include "cover.hpp"

#include "aggregate.hpp"
#include "input.hpp"
#include "sphere_sources.hpp"
#include "targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace scree::tools {
namespace {

std::string formatOf(const CoverRequest& request, const std::string& output) {
  if (!request.format.empty()) return request.format;
  const std::filesystem::path path(output);
  const std::string ending = path.extension().string();
  for (const Target& target : targets())
    if (!ending.empty() && target.ending == ending) return std::string(target.name);
  return path.filename().string().starts_with("conf") ? "conf" : "shapepack";
}

/// A comment with the seed, where a file of this format may have one.
void recordSeed(std::string& text, const Target& target, std::uint64_t seed) {
  if (!target.commentAfter) return;
  std::size_t at = 0;
  for (int line = 0; line < *target.commentAfter; ++line) at = text.find('\n', at) + 1;
  text.insert(at, fmt::format("# clumpify cover: seed {}\n", seed));
}

/// Whether a format of shapes is given spheres of different radii, of which it has one in a shape.
bool oneRadiusNeeded(const Target& target, const std::vector<mass::Ball>& balls) {
  return !target.everything && !target.ownRadii && !target.writeSpheres &&
         std::any_of(balls.begin(), balls.end(),
                     [&](const mass::Ball& b) { return b.radius != balls.front().radius; });
}

void checkPositive(const char* option, const std::optional<double>& value) {
  if (value && !(*value > 0.0 && *value <= 1e300))
    throw UsageError(fmt::format("{} {}: expected a number above 0", option, *value));
}

/// A goal that no number of spheres reaches would be sought without end.
void checkBelowOne(const char* option, const std::optional<double>& value) {
  if (value && !(*value > 0.0 && *value < 1.0))
    throw UsageError(fmt::format(
        "{} {}: expected a number above 0 and below 1; no number of spheres has exactly "
        "the shape of a solid with faces",
        option, *value));
}

}  // namespace

std::size_t spheresFrom(std::int64_t number) {
  if (number < 1 || number > static_cast<std::int64_t>(clump::coverLimit))
    throw UsageError(fmt::format("--spheres: expected a number from 1 to {}, found {}",
                                 clump::coverLimit, number));
  return static_cast<std::size_t>(number);
}

void checkRequest(const CoverRequest& request, const std::string& output) {
  const clump::CoverOptions& c = request.cover;
  const int goals = (c.spheres ? 1 : 0) + (c.volumeRatio ? 1 : 0) + (c.iou ? 1 : 0) +
                    (c.hausdorff ? 1 : 0) + (c.inertiaError ? 1 : 0);
  if (goals != 1)
    throw UsageError(
        "expected one of --spheres, --volume-ratio, --iou, --hausdorff and --inertia-error");
  if (c.spheres) spheresFrom(static_cast<std::int64_t>(*c.spheres));
  if (c.inside && c.protrusion == 0.0)
    checkBelowOne("--volume-ratio", c.volumeRatio);
  else if (c.volumeRatio && !(*c.volumeRatio > 0.0 && *c.volumeRatio <= 1.0))
    throw UsageError(
        fmt::format("--volume-ratio {}: expected a number above 0 and at most 1; the spheres have "
                    "about the volume of the solid",
                    *c.volumeRatio));
  checkBelowOne("--iou", c.iou);
  checkPositive("--hausdorff", c.hausdorff);
  checkPositive("--inertia-error", c.inertiaError);
  if (!(c.leastRadius >= 0.0) || !std::isfinite(c.leastRadius))
    throw UsageError(fmt::format("--rmin {}: expected a number of at least 0", c.leastRadius));
  if (!(c.effort >= 0.0 && c.effort <= 1e6))
    throw UsageError(fmt::format("--effort {}: expected a number from 0 to 1e6", c.effort));
  if (!(c.protrusion >= 0.0) || !std::isfinite(c.protrusion))
    throw UsageError(fmt::format("--protrusion {}: expected a number of at least 0", c.protrusion));
  if (c.protrusion > 0.0 && (!c.inside || c.equal))
    throw UsageError("--protrusion: only with --inside, and not with --equal");
  const std::string& objective = request.objective;
  if (!objective.empty() && objective != "volume" && objective != "iou" &&
      objective != "hausdorff" && objective != "inertia")
    throw UsageError(
        fmt::format("--objective {}: expected volume, iou, hausdorff or inertia", objective));
  if (c.inside && !objective.empty() && objective != "volume")
    throw UsageError(
        fmt::format("--objective {}: with --inside only volume is possible", objective));
  if (!c.inside && objective == "volume")
    throw UsageError("--objective volume: only with --inside; without it, iou");
  if (c.equal && (objective == "hausdorff" || objective == "inertia"))
    throw UsageError(fmt::format(
        "--objective {}: not with --equal, which leaves no radius to change", objective));
  if (!c.overlap && !c.equal)
    throw UsageError("--no-overlap: only with --equal: spheres of one radius on a lattice");
  if (!c.overlap && !c.spheres && !c.volumeRatio)
    throw UsageError("--no-overlap: expected --spheres or --volume-ratio as the goal");
  if (!c.overlap && !objective.empty() && objective != "volume")
    throw UsageError(
        fmt::format("--objective {}: not with --no-overlap, which fills a lattice", objective));
  if (const auto& strength = request.bondStrength;
      strength && (!(*strength > 0.0) || !std::isfinite(*strength)))
    throw UsageError(fmt::format("--bond-strength {}: expected a number above 0", *strength));
  if (request.bondStrength && c.overlap)
    throw UsageError("--bond-strength: only with --equal --no-overlap, written as a conf-file");
  const std::string format = formatOf(request, output);
  const Target& target = targetNamed(format, "--format");
  ConvertOptions names;
  names.to = format;
  if (output != "-") names.name = std::filesystem::path(output).filename().string();
  checkName(names);
  if (request.bondStrength && !target.bonds)
    throw UsageError(
        fmt::format("--bond-strength: the format {} holds no bonds; --format conf does", format));
  if (request.mass != "body" && request.mass != "union")
    throw UsageError(fmt::format("--mass {}: expected body or union", request.mass));
}

clump::CoverObjective objectiveOf(const CoverRequest& request) {
  using enum clump::CoverObjective;
  if (request.objective == "inertia") return inertia;
  const bool free = !request.cover.inside && !request.cover.equal;
  const bool byGoal = request.objective.empty() && request.cover.hausdorff && free;
  return request.objective == "hausdorff" || byGoal ? hausdorff : volume;
}

CoverResult cover(const CoverRequest& request, Diagnostics& diagnostics) {
  SolidInput solid = solidFrom(request.input, request.shape, request.cover.threads, diagnostics);
  try {
    clump::CoverOptions options = request.cover;
    options.objective = objectiveOf(request);
    std::vector<mass::Ball> balls = clump::coverOf(solid.solid, solid.body, options);
    if (options.spheres && balls.size() < *options.spheres)
      diagnostics.note(
          fmt::format("{} spheres of at most {}: {}", balls.size(), *options.spheres,
                      !options.overlap ? "a full lattice"
                      : clump::symmetriesOf(solid.solid, solid.body) > 1
                          ? "no better cover with the symmetries of the solid was found"
                          : "no further sphere of the least radius improves the cover"));
    return {std::move(solid), std::move(balls), {}};
  } catch (const clump::GoalNotReached& e) {
    const std::string unreached = fmt::format("{}: {}", inputName(request.input), e.what());
    if (e.balls().empty()) throw GeometryError(unreached);
    return {std::move(solid), e.balls(), unreached};
  } catch (const GeometryError& e) {
    throw GeometryError(fmt::format("{}: {}", inputName(request.input), e.what()));
  }
}

clump::ShapePack clumpOf(const CoverResult& result, const CoverRequest& request) {
  clump::ShapePack pack;
  clump::PackParticle& clump = pack.particles.emplace_back();
  for (const mass::Ball& b : result.balls)
    clump.members.push_back(sphereMember(b.centre, b.radius));
  if (request.mass == "body") {
    const mass::SolidProperties& body = result.solid.body;
    clump.carried().given = {body.volume, body.centre, body.volume * body.inertiaPerMass};
  }
  return pack;
}

std::vector<ConvertedFile> coverFiles(const CoverResult& result, const CoverRequest& request,
                                      const std::string& output, Diagnostics& diagnostics) {
  ConvertOptions options;
  options.to = formatOf(request, output);
  options.toOption = "--format";
  if (output != "-") {
    options.name = std::filesystem::path(output).filename().string();
    options.toFile = true;
  }
  options.threads = request.cover.threads;
  const Target& target = targetNamed(options.to, options.toOption);
  options.remedy = oneRadiusNeeded(target, result.balls)
                       ? "--equal gives spheres of one radius"
                       : "--mass union leaves out the mass properties of the body";
  std::vector<ConvertedFile> files;
  if (!request.cover.overlap && target.bonds) {
    double volume = 0.0;
    for (const mass::Ball& b : result.balls)
      volume += 4.0 / 3.0 * pi * b.radius * b.radius * b.radius;
    // With the mass of the body, balls are denser, since gaps between them weigh nothing.
    const double share = request.mass == "body" ? result.solid.body.volume / volume : 1.0;
    files = aggregateConf(
        result.balls,
        {.density = share, .strength = request.bondStrength.value_or(0.0), .name = options.name},
        diagnostics);
  } else {
    if (!request.cover.overlap)
      diagnostics.note(
          fmt::format("{} {}: the spheres become one rigid clump, because this format holds no "
                      "bonds; --format conf does",
                      options.toOption, options.to));
    clump::ShapePack pack = clumpOf(result, request);
    if (pack.particles.front().carried().given && !target.mass) {
      diagnostics.warn(
          fmt::format("--format {}: the mass of the body has no place in this format "
                      "and is left out",
                      options.to));
      pack.particles.front().carried().given.reset();
    }
    files = written(pack, options, diagnostics);
  }
  recordSeed(files.front().text, target, request.cover.seed);
  // So that shapeSurvey check does not take these values for those of the spheres.
  if (target.name == "shp" && request.mass == "body")
    files.front().text.insert(0, "#@ properties=body\n");
  return files;
}

std::string curveText(const CoverResult& result, int threads) {
  std::string out =
      "spheres,volumeRatio,centreError,inertiaError,uncovered,protruding,rmin,iou,inside,outside,"
      "hausdorff\n";
  const clump::SolidDistance& solid = result.solid.solid;
  const mass::SolidProperties& body = result.solid.body;
  const double accuracy = 1e-3 * std::cbrt(body.volume);
  double least = 1e300;
  for (std::size_t n = 1; n <= result.balls.size(); ++n) {
    const std::span<const mass::Ball> some(result.balls.data(), n);
    const mass::SolidProperties all = mass::solidOf(mass::ballUnionMoments(some, threads));
    least = std::min(least, some.back().radius);
    const double uncovered = clump::uncoveredBy(solid, some, accuracy).atLeast;
    const double protruding = clump::protrudingFrom(solid, some, accuracy).atLeast;
    double beyond = 0.0;
    if (protruding > 0.0) {
      const shape::Bracket outside = clump::volumeOutside(solid, body, some, {.threads = threads});
      beyond = 0.5 * (outside.atLeast + outside.atMost);
    }
    out += fmt::format("{},{:.9g},{:.6g},{:.6g},{:.6g},{:.6g},{},{:.6g},{:.6g},{:.6g},{:.6g}\n", n,
                       all.volume / body.volume,
                       (all.centre - body.centre).norm() / std::cbrt(6.0 * body.volume / pi),
                       clump::inertiaErrorOf(body, all), uncovered, protruding, least,
                       (all.volume - beyond) / (body.volume + beyond),
                       (all.volume - beyond) / body.volume, beyond / body.volume,
                       std::max(uncovered, protruding));
  }
  return out;
}

}  // namespace scree::tools
