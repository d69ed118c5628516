// SPDX-License-Identifier: GPL-3.0-or-later
#include "loads.hpp"

#include "base/elementary.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/pack/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::sim {

std::size_t formOf(std::string_view option, const std::string& text,
                   std::span<const OptionForm> forms) {
  const std::string name = text.substr(0, text.find(':'));
  const auto found = std::ranges::find(forms, name, &OptionForm::name);
  if (found != forms.end()) return static_cast<std::size_t>(found - forms.begin());
  const std::vector<std::string_view> names = namesOf(forms);
  throw UsageError(fmt::format("{}: unknown '{}'{}; there are {}", option, name.substr(0, 40),
                               suggestion(name, names), fmt::join(names, " ")));
}

std::vector<std::optional<double>> numbersOf(std::string_view option, const std::string& text,
                                             const OptionForm& form,
                                             std::optional<std::size_t> mayBeNegative) {
  const auto refuse = [&](const std::string& found) {
    throw UsageError(fmt::format("{} {}: expected {}:{} with numbers above 0{}", option,
                                 text.substr(0, 60), form.name, form.arguments, found));
  };
  std::vector<std::optional<double>> numbers;
  for (std::size_t at = text.find(':'); at != std::string::npos;) {
    const std::size_t comma = text.find(',', at + 1);
    const std::string word =
        text.substr(at + 1, comma == std::string::npos ? std::string::npos : comma - at - 1);
    const auto value = parseNumber(word);
    const bool leftOut = word.empty() && comma != std::string::npos;
    if (!leftOut && (!value || !std::isfinite(*value) || *value == 0.0 ||
                     (*value < 0.0 && mayBeNegative != numbers.size())))
      refuse(fmt::format(", found '{}'", word));
    numbers.push_back(value);
    at = comma;
  }
  if (numbers.size() > form.numbers) refuse(fmt::format(", found {} numbers", numbers.size()));
  return numbers;
}

std::vector<double> positiveNumbers(std::string_view option, const std::string& text,
                                    const OptionForm& form) {
  std::vector<double> numbers;
  for (const std::optional<double>& value : numbersOf(option, text, form))
    if (value) numbers.push_back(*value);
  if (numbers.size() != form.numbers)
    throw UsageError(fmt::format("{} {}: expected {}:{}", option, text.substr(0, 60), form.name,
                                 form.arguments));
  return numbers;
}

std::pair<std::string, double> namedNumber(const std::string& word) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const auto value = parseNumber(std::string_view(word).substr(std::min(equals + 1, word.size())));
  return {word.substr(0, equals), value && std::isfinite(*value) ? *value : NAN};
}

std::set<std::uint32_t> groupsInUse(const Conf& conf) {
  std::set<std::uint32_t> groups;
  for (const ParticleRecord& p : conf.particles) groups.insert(p.group);
  for (const Boundary& b : conf.boundaries) groups.insert(b.group);
  return groups;
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

namespace {

/// [L] The lowest place of a boundary along the unit vector `up`; infinite where it has none.
double lowestOf(const Boundary& b, const Vec3& up) {
  const double along = up.dot(b.axis), centre = up.dot(b.centre);
  const double across =
      b.kind == Boundary::Kind::ball ? 1.0 : std::sqrt(std::max(1.0 - along * along, 0.0));
  if (b.kind == Boundary::Kind::plane) return along > 1e-6 ? centre : HUGE_VAL;
  if (b.kind == Boundary::Kind::cone)  // it opens upwards: its outlet, or its apex
    return along > b.sine ? centre + b.radius * (b.cosine / b.sine * along - across) : HUGE_VAL;
  return across > 1e-6 ? centre - b.radius * across : HUGE_VAL;
}

/// Sizes and masses alone.
Load sizesOf(const Conf& conf, std::span<const shape::Shape> shapes) {
  std::vector<double> thickness, outer;  // of each shape
  for (const shape::Shape& shape : shapes) {
    const double least = 2.0 * boundingBox(shape, PlacedBody{}).halfSize().minCoeff();
    outer.push_back(boundingRadius(shape));
    thickness.push_back(least > 0.0 ? least : outer.back());
  }
  const bool anyFree = conf.nDriven < conf.particles.size();
  Load load;
  for (std::size_t k = 0; k < conf.particles.size(); ++k) {
    const ParticleRecord& body = conf.particles[k];
    const shape::Shape& shape = shapes[body.shapeName];
    const bool driven = k < conf.nDriven;
    const double h = body.homothety, size = 2.0 * h * outer[body.shapeName];
    load.given = std::max(load.given, body.vel.norm() + 0.5 * size * body.vrot.norm());
    if (anyFree && driven) continue;
    load.rounding = std::min(load.rounding, h * shape.radius);
    load.thickness = std::min(load.thickness, h * thickness[body.shapeName]);
    load.smallest = std::min(load.smallest, size);
    load.largest = std::max(load.largest, size);
    if (driven) continue;
    ++load.free;
    const double mass = h * h * h * shape.volume * conf.densityOf(body.group);
    if (!(mass > 0.0 && shape.inertiaPerMass.minCoeff() > 0.0))
      throw ModelError(fmt::format(
          "shape '{}' has no volume or no inertia: a body that is not driven needs both",
          shape.name));
    load.mass = std::min(load.mass, mass);
    load.heaviest = std::max(load.heaviest, mass);
  }
  return load;
}

}  // namespace

Load loadOf(const Conf& conf, std::span<const shape::Shape> shapes, const DriveLoad& drive) {
  Load load = sizesOf(conf, shapes);
  load.given += drive.speed;
  load.speed = load.given;
  double stress = 4.0 * drive.pressure;
  const double g = conf.gravity.norm();
  if (load.free > 0 && g > 0.0) {
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
    for (const Boundary& b : conf.boundaries) lowest = std::min(lowest, lowestOf(b, up));
    const Vec3 size = 2.0 * box.halfSize();
    const double base = size.prod() / up.cwiseAbs().dot(size);
    stress += weight / base;
    load.force = load.heaviest * g;
    load.drop = std::max(top - lowest - volume / (0.6 * base), 0.1 * load.largest);
    load.speed += std::sqrt(2.0 * g * load.drop);
  }
  load.force = std::max(load.force, 2.0 * stress * load.largest * load.largest);
  load.impact = 0.5 * load.heaviest * load.speed * load.speed;
  return load;
}

Stiffness leastStiffness(const Conf& conf, const Load& load, double allowed) {
  if (load.free == 0 || !(std::max(load.force, load.impact) > 0.0))
    return {0.0, "nothing presses or falls: the default"};
  const double atRest = allowed * load.smallest, atImpact = allowed * load.largest;
  double byWeight = load.force / atRest, byImpact = 2.0 * load.impact / (atImpact * atImpact);
  std::string how;
  if (conf.forceLaw == "HertzMindlin") {
    // Two bodies that meet with roundings of r have R* = r / 2; E* = E / (2 (1 - nu^2)).
    double poisson = 0.0;
    if (const auto found = conf.groupParameters.find("poissonRatio");
        found != conf.groupParameters.end())
      for (const auto& [group, v] : found->second) poisson = std::max(poisson, v);
    const double root = std::sqrt(0.5 * load.rounding), ofStar = 2.0 * (1.0 - poisson * poisson);
    byWeight = ofStar * (load.force / (4.0 / 3.0 * root * std::sqrt(atRest) * atRest));
    byImpact = ofStar * (15.0 * 2.0 * load.impact /
                         (16.0 * root * atImpact * atImpact * std::sqrt(atImpact)));
    how = fmt::format(" at a radius of {:.3g} m (Hertz)", 0.5 * load.rounding);
  }
  const std::string cause =
      byWeight >= byImpact
          ? fmt::format("weight and pressure load a contact by up to {:.3g} N", load.force)
          : fmt::format("the heaviest body, {:.3g} kg at {:.3g} m/s{}", load.heaviest, load.speed,
                        load.drop > 0.0 ? fmt::format(" after a fall of {:.3g} m", load.drop)
                                        : " from the start");
  return {std::max(byWeight, byImpact),
          fmt::format("{}: overlaps of at most {:.2g} % of the {} size {:.3g} m{}", cause,
                      100.0 * allowed, byWeight >= byImpact ? "smallest" : "largest",
                      byWeight >= byImpact ? load.smallest : load.largest, how)};
}

Grains grainsOf(const Conf& conf, std::span<const shape::Shape> shapes) {
  double volume = 0.0;
  Grains g;
  for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k) {
    const ParticleRecord& p = conf.particles[k];
    const double v = p.homothety * p.homothety * p.homothety * shapes[p.shapeName].volume;
    volume += v;
    g.mass += v * conf.densityOf(p.group);
  }
  if (!(volume > 0.0)) throw ModelError("--drive: there are no free bodies");
  const double mean = volume / static_cast<double>(conf.particles.size() - conf.nDriven);
  g.size = elementary::pow(6.0 / pi * mean, 1.0 / 3.0);
  g.density = g.mass / volume;
  return g;
}

}  // namespace scree::sim
