// SPDX-License-Identifier: GPL-3.0-or-later
#include "pack_request.hpp"

#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace scree::tools {
namespace {

/// `FILE[:NAME]` and the share behind '=', where there is one.
std::pair<std::string, double> sharedSource(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) return {text, 1.0};
  const auto share = parseNumber(std::string_view(text).substr(equals + 1));
  if (!share || !(*share >= 0.0) || !std::isfinite(*share))
    throw UsageError(fmt::format("--shapes {}: expected a share not below 0 behind '=', found '{}'",
                                 text, text.substr(equals + 1)));
  return {text.substr(0, equals), *share};
}

}  // namespace

void addRequestOptions(CLI::App& verb, RequestOptions& o, const std::string& all) {
  addShapeOption(verb, "--shapes,--shape", o.shapes,
                 "Shape-files, or single shapes of them, each with its share (default 1)",
                 "FILE[:NAME][=SHARE]...");
  verb.add_option("--container", o.container,
                  "box:LX,LY,LZ periodic:LX,LY,LZ cylinder:R,H drum:R,L sphere:R "
                  "hopper:R,r,ANGLE,H mesh:FILE")
      ->required()
      ->option_text("C");
  CLI::Option* fraction = verb.add_option("--solid-fraction", o.solidFraction,
                                          "Volume of the bodies over that of the container")
                              ->option_text("F");
  CLI::Option* number = verb.add_option("--number", o.number, "Number of bodies")->option_text("N");
  fraction->excludes(number);
  fraction->excludes(all);
  verb.add_option("--share-by", o.shareBy, "What shares count: number (default), mass or volume")
      ->check(CLI::IsMember({"number", "mass", "volume"}));
  verb.add_option("--grading", o.grading,
                  "Sizes [m], see --size-by: uniform:A,B "
                  "lognormal:MEDIAN,SIGMA fuller:A,B,Q beta:A,B,P,Q or FILE.csv with the columns "
                  "d,passing");
  verb.add_option("--by", o.gradingBy, "What the curve counts: mass (default) or number")
      ->check(CLI::IsMember({"number", "mass"}));
  verb.add_option("--size-by", o.sizeBy,
                  "Size of a body: volume, the diameter of the ball of equal volume (default), or "
                  "sieve, the square opening that it passes")
      ->check(CLI::IsMember({"volume", "sieve"}));
  verb.add_option("--seed", o.seed, "Seed of positions and orientations, default 1");
  verb.add_option("--group", o.group, "Group of the bodies, default 1")
      ->check(CLI::Range(0U, 999U));
  addPackOptions(verb, o.pack, false);
}

Request readRequest(RequestOptions& options, const CommonOptions& common) {
  Request request;
  if (options.solidFraction && !(*options.solidFraction > 0.0 && *options.solidFraction < 1.0))
    throw UsageError(
        fmt::format("--solid-fraction: expected a number between 0 and 1, found {:.6g}",
                    *options.solidFraction));
  request.solidFraction = options.solidFraction;
  request.number = options.number;
  const auto measureOf = [](const std::string& word) {
    return word == "number" ? sim::Measure::number : sim::Measure::mass;
  };
  request.plan.shareBy = measureOf(options.shareBy);
  request.plan.gradingBy = measureOf(options.gradingBy);
  request.plan.bySieve = options.sizeBy == "sieve";
  request.container = sim::Container::parse(options.container);
  options.pack.otherInputs = {options.grading};
  if (const std::size_t colon = options.container.find(':'); colon != std::string::npos)
    options.pack.otherInputs.push_back(options.container.substr(colon + 1));
  if (request.container.periodic() && !options.pack.gravityGiven)
    options.pack.settings.gravity.setZero();
  if (!options.grading.empty()) request.plan.grading = sim::SizeGrading::parse(options.grading);

  Diagnostics diagnostics(common.strict);
  std::vector<sim::LibrarySource> sources;
  std::map<std::string, double> shares;
  options.pack.libraries.clear();
  for (const std::string& text : options.shapes) {
    const auto [file, share] = sharedSource(text);
    options.pack.libraries.push_back(file);
    sources.push_back(sim::librarySource(file));
    Diagnostics ignored;
    for (const shape::Shape& s : sim::gatheredShapes({sources.back()}, ignored))
      shares[s.name] += share;
  }
  request.shapes = sim::gatheredShapes(sources, diagnostics);
  for (const shape::Shape& s : request.shapes) request.plan.shares.push_back(shares[s.name]);
  const auto surveyed = sim::surveyShapes(request.shapes);
  request.unchanged = surveyed.empty();
  printWarnings(diagnostics, common);
  saySurveyed(surveyed, common);
  return request;
}

MadePack packIn(const Request& request, std::vector<sim::PlacedBody> bodies) {
  MadePack made;
  made.packing.shapes = request.shapes;
  made.packing.bodies = std::move(bodies);
  sim::keepUsedShapes(made.packing);
  request.container.addWalls(made.packing);
  made.unchanged =
      request.unchanged && made.packing.shapes.size() == request.shapes.size();  // nor walls
  return made;
}

MadePack samplePack(const RequestOptions& options, const Request& request) {
  // Refuses shares and shapes that cannot be packed.
  sim::plannedNumber(request.shapes, request.plan, 1);
  std::vector<sim::PlacedBody> bodies;
  for (std::uint32_t k = 0; k < request.shapes.size(); ++k) {
    if (!(request.plan.shares[k] > 0.0)) continue;
    sim::PlacedBody body;
    body.shape = k;
    body.group = options.group;
    body.pos = request.container.box().centre();
    bodies.push_back(body);
  }
  return packIn(request, std::move(bodies));
}

std::optional<sim::RealisedGrading> gradingOf(const Request& request,
                                              const std::vector<sim::PlacedBody>& bodies,
                                              const CommonOptions& common) {
  if (!request.plan.grading || bodies.empty()) return std::nullopt;
  std::vector<sim::PlannedBody> sizes;
  for (const sim::PlacedBody& b : bodies) sizes.push_back({b.shape, b.homothety});
  const sim::RealisedGrading grading = sim::realisedGrading(request.shapes, request.plan, sizes);
  say(common, fmt::format("grading {} by {}: size [m], target, realised", grading.target,
                          sim::nameOf(grading.by)));
  for (const auto& row : grading.rows)
    say(common, fmt::format("  {:<12.6g} {:.4f} {:.4f}", row.size, row.target, row.realised));
  say(common, fmt::format("  largest distance {:.2g}; half the share of the largest body {:.2g}",
                          grading.distance, grading.halfLargest));
  return grading;
}

void addGrading(JsonWriter& json, const std::optional<sim::RealisedGrading>& grading) {
  if (!grading) return;
  json.key("grading").beginObject().member("target", grading->target);
  json.member("by", sim::nameOf(grading->by)).key("rows").beginArray();
  for (const auto& row : grading->rows) {
    json.beginObject().member("size", row.size).member("target", row.target);
    json.member("realised", row.realised).end();
  }
  json.end().member("distance", grading->distance);
  json.member("halfLargest", grading->halfLargest).end();
}

}  // namespace scree::tools
