// SPDX-License-Identifier: GPL-3.0-or-later
#include "pack_request.hpp"

#include "write_pack.hpp"

#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/pack/body_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace scree::tools {
namespace {

sim::Measure measureOf(const std::string& option, const std::string& word, bool volume) {
  if (word == "number") return sim::Measure::number;
  if (word == "mass" || (volume && word == "volume")) return sim::Measure::mass;
  throw UsageError(fmt::format("{}: expected number{}, found '{}'", option,
                               volume ? ", mass or volume" : " or mass", word));
}

/// `FILE[:NAME]` and the share behind '=', where there is one.
std::pair<std::string, std::optional<double>> sharedSource(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) return {text, std::nullopt};
  const auto share = parseNumber(std::string_view(text).substr(equals + 1));
  if (!share || !(*share >= 0.0) || !std::isfinite(*share))
    throw UsageError(fmt::format("--shapes {}: expected a share not below 0 behind '=', found '{}'",
                                 text, text.substr(equals + 1)));
  return {text.substr(0, equals), share};
}

double sizeOf(const shape::Shape& shape, const sim::PlannedBody& body) {
  return body.homothety * portablePow(6.0 / pi * shape.volume, 1.0 / 3.0);
}

}  // namespace

void addRequestOptions(CLI::App& verb, PackRequest& r) {
  verb.add_option("--shapes,--shape", r.shapes,
                  "Shape-files, or single shapes of them, each with its share (default 1)")
      ->expected(1)
      ->required()
      ->take_all()
      ->option_text("FILE[:NAME][=SHARE]...");
  verb.add_option("--container", r.container,
                  "box:LX,LY,LZ periodic:LX,LY,LZ cylinder:R,H drum:R,L sphere:R "
                  "hopper:R,r,ANGLE,H mesh:FILE")
      ->required()
      ->option_text("C");
  verb.add_option("--solid-fraction", r.solidFraction,
                  "Volume of the bodies over that of the container")
      ->option_text("F");
  verb.add_option("--number", r.number, "Number of bodies")->option_text("N");
  verb.add_option("--share-by", r.shareBy, "What shares count: number (default), mass or volume");
  verb.add_option("--grading", r.grading,
                  "Sizes [m] as diameters of balls of equal volume: uniform:A,B "
                  "lognormal:MEDIAN,SIGMA fuller:A,B,Q beta:A,B,P,Q or FILE.csv with the columns "
                  "d,passing");
  verb.add_option("--by", r.gradingBy, "What the curve counts: mass (default) or number");
  verb.add_option("--seed", r.seed, "Seed of positions and orientations, default 1");
  verb.add_option("--group", r.group, "Group of the bodies, default 1")
      ->check(CLI::Range(0U, 999U));
  addPackOptions(verb, r.pack, false);
}

ReadRequest readRequest(PackRequest& request, const CommonOptions& common) {
  if (request.solidFraction && !(*request.solidFraction > 0.0 && *request.solidFraction < 1.0))
    throw UsageError(
        fmt::format("--solid-fraction: expected a number between 0 and 1, found {:.6g}",
                    *request.solidFraction));
  if (request.number && (*request.number < 1 || *request.number > sim::mostPackedBodies))
    throw UsageError(fmt::format("--number: expected a whole number from 1 to {}, found {}",
                                 sim::mostPackedBodies, *request.number));
  ReadRequest read;
  read.plan.shareBy = measureOf("--share-by", request.shareBy, true);
  read.plan.gradingBy = measureOf("--by", request.gradingBy, false);
  read.container = sim::Container::parse(request.container);
  request.pack.otherInputs = {request.grading};
  if (const std::size_t colon = request.container.find(':'); colon != std::string::npos)
    request.pack.otherInputs.push_back(request.container.substr(colon + 1));
  if (read.container.periodic() && !request.pack.gravityGiven)
    request.pack.settings.gravity.setZero();
  if (!request.grading.empty()) read.plan.grading = sim::SizeGrading::parse(request.grading);

  Diagnostics diagnostics(common.strict);
  std::vector<sim::LibrarySource> sources;
  std::map<std::string, double> shares;
  request.pack.libraries.clear();
  for (const std::string& text : request.shapes) {
    const auto [file, share] = sharedSource(text);
    request.pack.libraries.push_back(file);
    sources.push_back(sim::librarySource(file));
    Diagnostics ignored;
    for (const shape::Shape& s : sim::gatheredShapes({sources.back()}, ignored))
      shares[s.name] += share.value_or(1.0);
  }
  read.shapes = sim::gatheredShapes(sources, diagnostics);
  for (const shape::Shape& s : read.shapes) read.plan.shares.push_back(shares[s.name]);
  const auto surveyed = sim::surveyShapes(read.shapes);
  read.unchanged = surveyed.empty();
  printWarnings(diagnostics, common);
  saySurveyed(surveyed, common);
  return read;
}

sim::Packing samplePacking(const PackRequest& request, const ReadRequest& read) {
  sim::plannedNumber(read.shapes, read.plan, 1);  // refuses shares and shapes that cannot be packed
  sim::Packing sample;
  sample.shapes = read.shapes;
  for (std::uint32_t k = 0; k < read.shapes.size(); ++k) {
    if (!(read.plan.shares[k] > 0.0)) continue;
    sim::PlacedBody body;
    body.shape = k;
    body.group = request.group;
    body.pos = read.container.box().centre();
    sample.bodies.push_back(body);
  }
  sim::keepUsedShapes(sample);
  read.container.addWalls(sample);
  return sample;
}

void checkRequest(const PackRequest& request, const ReadRequest& read,
                  const CommonOptions& common) {
  sim::Packing sample = samplePacking(request, read);
  const bool unchanged = read.unchanged && sample.shapes.size() == read.shapes.size();
  checkPack(std::move(sample), {.librariesUnchanged = unchanged}, request.pack, common);
}

std::vector<sim::PlannedBody> plannedBodies(const PackRequest& request, const ReadRequest& read,
                                            std::optional<double> ofFraction) {
  if (request.number)
    return sim::plannedNumber(read.shapes, read.plan, static_cast<std::size_t>(*request.number));
  const auto fraction = request.solidFraction ? request.solidFraction : ofFraction;
  if (!fraction) throw UsageError("expected --solid-fraction or --number");
  return sim::plannedVolume(read.shapes, read.plan, *fraction * read.container.volume());
}

std::optional<RealisedGrading> realisedGrading(const ReadRequest& read,
                                               const std::vector<sim::PlannedBody>& bodies) {
  if (!read.plan.grading || bodies.empty()) return std::nullopt;
  RealisedGrading made;
  made.target = read.plan.grading->text();
  made.byNumber = read.plan.gradingBy == sim::Measure::number;
  std::vector<double> sizes;
  for (const sim::PlannedBody& b : bodies) sizes.push_back(sizeOf(read.shapes[b.shape], b));
  std::sort(sizes.begin(), sizes.end());
  const auto weight = [&](double d) { return made.byNumber ? 1.0 : d * d * d; };
  double total = 0.0;
  for (const double d : sizes) total += weight(d);
  std::vector<double> at;
  for (int row = 1; row < 10; ++row) at.push_back(read.plan.grading->quantile(0.1 * row));
  at.push_back(sizes.back());
  std::sort(at.begin(), at.end());  // the largest body may be smaller than the last decile
  double below = 0.0;
  std::size_t k = 0;
  for (const double d : at) {
    for (; k < sizes.size() && sizes[k] <= d; ++k) below += weight(sizes[k]);
    made.rows.push_back({d, read.plan.grading->cumulated(d), below / total});
  }
  made.distance = sim::distance(*read.plan.grading, read.plan.gradingBy, sizes);
  made.halfLargest = 0.5 * weight(sizes.back()) / total;
  return made;
}

void sayGrading(const std::optional<RealisedGrading>& grading, const CommonOptions& common) {
  if (!grading) return;
  say(common, fmt::format("grading {} by {}: size [m], target, realised", grading->target,
                          grading->byNumber ? "number" : "mass"));
  for (const RealisedGrading::Row& row : grading->rows)
    say(common, fmt::format("  {:<12.6g} {:.4f} {:.4f}", row.size, row.target, row.realised));
  say(common, fmt::format("  largest distance {:.2g}; half the share of the largest body {:.2g}",
                          grading->distance, grading->halfLargest));
}

void addGrading(JsonWriter& json, const std::optional<RealisedGrading>& grading) {
  if (!grading) return;
  json.key("grading").beginObject().key("target").value(grading->target);
  json.key("by").value(grading->byNumber ? "number" : "mass").key("rows").beginArray();
  for (const RealisedGrading::Row& row : grading->rows) {
    json.beginObject().key("size").value(row.size).key("target").value(row.target);
    json.key("realised").value(row.realised).end();
  }
  json.end().key("distance").value(grading->distance);
  json.key("halfLargest").value(grading->halfLargest).end();
}

}  // namespace scree::tools
