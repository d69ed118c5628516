// SPDX-License-Identifier: GPL-3.0-or-later
#include "loads.hpp"

#include "base/elementary.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/pack/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::sim {

std::vector<std::optional<double>> numbersOf(std::string_view option, const std::string& text,
                                             std::size_t most, std::string_view form,
                                             std::optional<std::size_t> mayBeNegative) {
  std::vector<std::optional<double>> numbers;
  for (std::size_t at = text.find(':'); at != std::string::npos;) {
    const std::size_t comma = text.find(',', at + 1);
    const std::string word =
        text.substr(at + 1, comma == std::string::npos ? std::string::npos : comma - at - 1);
    const auto value = parseNumber(word);
    const bool leftOut = word.empty() && comma != std::string::npos;
    if (!leftOut && (!value || !std::isfinite(*value) || *value == 0.0 ||
                     (*value < 0.0 && mayBeNegative != numbers.size())))
      throw UsageError(fmt::format("{} {}: expected {} with numbers above 0, found '{}'", option,
                                   text.substr(0, 60), form, word));
    numbers.push_back(value);
    at = comma;
  }
  if (numbers.size() > most)
    throw UsageError(fmt::format("{} {}: expected {}, found {} numbers", option, text.substr(0, 60),
                                 form, numbers.size()));
  return numbers;
}

std::vector<double> positiveNumbers(std::string_view option, const std::string& text,
                                    std::size_t count, std::string_view form) {
  std::vector<double> numbers;
  for (const std::optional<double>& value : numbersOf(option, text, count, form))
    if (value) numbers.push_back(*value);
  if (numbers.size() != count)
    throw UsageError(fmt::format("{} {}: expected {}", option, text.substr(0, 60), form));
  return numbers;
}

double roundedUp(double value) {
  const double unit = elementary::pow(10.0, std::floor(elementary::log10(value)));
  return *parseNumber(fmt::format("{:.0e}", std::ceil(value / unit * (1.0 - 1e-9)) * unit));
}

double roundedDown(double value) {
  const int exponent = static_cast<int>(std::floor(elementary::log10(value))) - 1;
  // 1e-9: a value that is round already must not lose a unit to the rounding of the logarithm.
  const double mantissa = std::floor(value / elementary::pow(10.0, exponent) * (1.0 + 1e-9));
  return *parseNumber(fmt::format("{}e{}", static_cast<int>(mantissa), exponent));
}

Scales scalesOf(const Conf& conf, std::span<const shape::Shape> shapes) {
  std::vector<double> thickness, outer;  // of each shape
  for (const shape::Shape& shape : shapes) {
    const double least = 2.0 * boundingBox(shape, PlacedBody{}).halfSize().minCoeff();
    outer.push_back(boundingRadius(shape));
    thickness.push_back(least > 0.0 ? least : outer.back());
  }
  const bool anyFree = conf.nDriven < conf.particles.size();
  Scales scales;
  for (std::size_t k = 0; k < conf.particles.size(); ++k) {
    const ParticleRecord& body = conf.particles[k];
    const shape::Shape& shape = shapes[body.shapeName];
    const bool driven = k < conf.nDriven;
    const double h = body.homothety, size = 2.0 * h * outer[body.shapeName];
    scales.speed = std::max(scales.speed, body.vel.norm() + 0.5 * size * body.vrot.norm());
    if (anyFree && driven) continue;
    if (!driven) ++scales.free;
    scales.rounding = std::max(scales.rounding, h * shape.radius);
    scales.least = std::min(scales.least, h * shape.radius);
    scales.thickness = std::min(scales.thickness, h * thickness[body.shapeName]);
    scales.smallest = std::min(scales.smallest, size);
    scales.largest = std::max(scales.largest, size);
    const double mass = h * h * h * shape.volume * conf.densityOf(body.group);
    if (!driven && !(mass > 0.0 && shape.inertiaPerMass.minCoeff() > 0.0))
      throw ModelError(fmt::format(
          "shape '{}' has no volume or no inertia: a body that is not driven needs both",
          shape.name));
    if (mass > 0.0) {
      scales.mass = std::min(scales.mass, mass);
      scales.heaviest = std::max(scales.heaviest, mass);
      scales.inertia = std::min(scales.inertia, mass * h * h * shape.inertiaPerMass.minCoeff());
    }
  }
  return scales;
}

Load loadOf(const Conf& conf, std::span<const shape::Shape> shapes, const Scales& scales,
            const DriveLoad& drive) {
  Load load;
  load.given = load.speed = scales.speed + drive.speed;
  load.pressure = drive.pressure;
  double stress = 4.0 * drive.pressure;
  const double g = conf.gravity.norm();
  if (scales.free > 0 && g > 0.0) {
    const Vec3 up = conf.gravity / -g;
    double lowest = HUGE_VAL, top = -HUGE_VAL, weight = 0.0, volume = 0.0;
    shape::Aabb box;
    for (std::size_t k = 0; k < conf.particles.size(); ++k) {
      const ParticleRecord& body = conf.particles[k];
      const shape::Shape& shape = shapes[body.shapeName];
      const shape::Aabb own = boundingBox(shape, body.pos, body.q, body.homothety);
      const double bottom = up.dot(own.centre()) - up.cwiseAbs().dot(own.halfSize());
      lowest = std::min(lowest, bottom);
      if (k < conf.nDriven) continue;
      top = std::max(top, bottom);
      box.add(own);
      const double v = body.homothety * body.homothety * body.homothety * shape.volume;
      volume += v;
      weight += v * conf.densityOf(body.group) * g;
    }
    for (const Boundary& b : conf.boundaries) {
      const double along = up.dot(b.axis);
      if (b.kind == Boundary::Kind::plane) {
        if (along > 1e-6) lowest = std::min(lowest, up.dot(b.centre));
        continue;
      }
      const double across = b.kind == Boundary::Kind::ball ? 1.0 : std::sqrt(1.0 - along * along);
      if (b.kind == Boundary::Kind::cone) {
        if (along > b.sine)  // it opens upwards: its outlet, or its apex, is the lowest place
          lowest =
              std::min(lowest, up.dot(b.centre) + b.radius * (b.cosine / b.sine * along - across));
        continue;
      }
      if (across > 1e-6) lowest = std::min(lowest, up.dot(b.centre) - b.radius * across);
    }
    const Vec3 size = 2.0 * box.halfSize();
    const double base = size.prod() / up.cwiseAbs().dot(size);
    stress += weight / base;
    load.force = scales.heaviest * g;
    load.drop = std::max(top - lowest - volume / (0.6 * base), 0.1 * scales.largest);
    load.speed += std::sqrt(2.0 * g * load.drop);
  }
  load.force = std::max(load.force, 2.0 * stress * scales.largest * scales.largest);
  load.impact = 0.5 * scales.heaviest * load.speed * load.speed;
  return load;
}

namespace {

/// Cause of the speed of a load.
std::string causeOf(const Load& load) {
  if (!(load.given > 0.0)) return fmt::format("after a fall of {:.3g} m", load.drop);
  if (!(load.drop > 0.0)) return "from the start";
  return fmt::format("({:.3g} m/s from the start, the rest by a fall of {:.3g} m)", load.given,
                     load.drop);
}

}  // namespace

double leastStiffness(const Scales& scales, const Load& load, double allowed, std::string& reason) {
  const double atRest = allowed * scales.smallest, atImpact = allowed * scales.largest;
  const double byWeight = load.force / atRest, byImpact = 2.0 * load.impact / (atImpact * atImpact);
  if (scales.free == 0 || !(std::max(byWeight, byImpact) > 0.0)) {
    reason = "nothing presses or falls: the default";
    return 0.0;
  }
  reason =
      byWeight >= byImpact
          ? fmt::format(
                "{} up to {:.3g} N, which causes an overlap of {:.2g} % of the smallest size "
                "{:.3g} m",
                load.pressure > 0.0 ? "weight and pressure load a contact by"
                                    : "the weight above loads a contact at the bottom by",
                load.force, 100.0 * allowed, scales.smallest)
          : fmt::format(
                "the heaviest body, {:.3g} kg at {:.3g} m/s {}, causes an overlap of {:.2g} % of "
                "the largest size {:.3g} m",
                scales.heaviest, load.speed, causeOf(load), 100.0 * allowed, scales.largest);
  return std::max(byWeight, byImpact);
}

double leastModulus(const Scales& scales, const Load& load, double allowed, double poisson,
                    std::string& reason) {
  if (scales.free == 0 || !(std::max(load.force, load.impact) > 0.0)) {
    reason = "nothing presses or falls: the default";
    return 0.0;
  }
  // Two bodies that meet with roundings of r have R* = r / 2; E* = E / (2 (1 - nu^2)).
  const double root = std::sqrt(0.5 * scales.least);
  const double atRest = allowed * scales.smallest, atImpact = allowed * scales.largest;
  const double byWeight = load.force / (4.0 / 3.0 * root * std::sqrt(atRest) * atRest);
  const double byImpact =
      15.0 * 2.0 * load.impact / (16.0 * root * atImpact * atImpact * std::sqrt(atImpact));
  reason = fmt::format(
      "{}, which at a radius of {:.3g} m causes an overlap of {:.2g} % of a size (Hertz)",
      byWeight >= byImpact ? fmt::format("a contact carries up to {:.3g} N", load.force)
                           : fmt::format("the heaviest body, {:.3g} kg, meets others at {:.3g} m/s",
                                         scales.heaviest, load.speed),
      0.5 * scales.least, 100.0 * allowed);
  return 2.0 * (1.0 - poisson * poisson) * std::max(byWeight, byImpact);
}

}  // namespace scree::sim
