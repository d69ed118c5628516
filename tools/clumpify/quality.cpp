// SPDX-License-Identifier: GPL-3.0-or-later
#include "quality.hpp"

#include "scree/base/json_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace scree::tools {
namespace {

void bracket(JsonWriter& json, std::string_view name, const shape::Bracket& b) {
  json.key(name).value(0.5 * (b.atLeast + b.atMost));
  json.key(fmt::format("{}Bound", name)).value(0.5 * (b.atMost - b.atLeast));
}

std::string range(const shape::Bracket& b) {
  return fmt::format("{:.6g} to {:.6g}", b.atLeast, b.atMost);
}

/// A bound in four digits, rounded up. A number that has four digits but for rounding keeps them.
std::string atMost(double bound) {
  if (!(bound > 0.0)) return "0";
  const double unit = std::pow(10.0, std::floor(std::log10(bound)) - 3.0);
  return fmt::format("at most {:.4g}", std::ceil(bound / unit * (1.0 - 1e-12)) * unit);
}

}  // namespace

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
  row("mean gap", range(q.meanGap), "over the surface of the body, proven");
  row("groove depth", number(q.grooveDepth), "deepest between two spheres");
  row("smallest radius", number(q.leastRadius), "");
  row("largest radius", number(q.largestRadius), "");
  return out + "\nGaps, protrusion, distances, depth and radii in the unit of length of the file\n";
}

void warnOfWideRanges(const clump::CoverQuality& q, double tolerance, Diagnostics& diagnostics) {
  const double length = tolerance * std::cbrt(q.bodyVolume);
  const auto check = [&](std::string_view name, const shape::Bracket& range, double most) {
    const double width = range.atMost - range.atLeast;
    if (width > most)
      diagnostics.warn(
          fmt::format("--tolerance {:g}: the {} is proven to {:.2g} only, where {:.2g} was "
                      "requested; the limit of work ended its search",
                      tolerance, name, width, most));
  };
  constexpr double rounding = 1.001;
  check("IoU", q.iou, 4.0 * tolerance);  // of two volumes, over a third
  check("largest gap", q.uncovered, rounding * length);
  check("largest protrusion", q.protruding, rounding * length);
  check("mean gap", q.meanGap, rounding * length);
}

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
  bracket(json, "meanGap", q.meanGap);
  json.key("grooveDepth").value(q.grooveDepth);
  json.key("smallestRadius").value(q.leastRadius).key("largestRadius").value(q.largestRadius);
  json.key("radiusRatio").value(q.leastRadius / q.largestRadius);
  if (seed) json.member("seed", *seed);
  return json.end().take() + "\n";
}

std::string qualityLine(const clump::CoverQuality& q) {
  return fmt::format(
      "{} spheres, IoU {:.4f}, volume ratio {:.4f}, largest gap {}, protrusion {} in the unit of "
      "the file",
      q.spheres, 0.5 * (q.iou.atLeast + q.iou.atMost), q.volumeRatio, atMost(q.uncovered.atMost),
      atMost(q.protruding.atMost));
}

}  // namespace scree::tools
