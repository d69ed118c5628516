// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/complete.hpp"

#include "base/elementary.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace scree::sim {
namespace {

constexpr std::array<std::string_view, 2> laws{"Default", "Avalanche"};

/// `value` rounded up to one digit.
double roundedUp(double value) {
  const double unit = elementary::pow(10.0, std::floor(elementary::log10(value)));
  return *parseNumber(fmt::format("{:.0e}", std::ceil(value / unit * (1.0 - 1e-9)) * unit));
}

/// `value` rounded down to two digits, as the decimal number that files then show.
double roundedDown(double value) {
  const int exponent = static_cast<int>(std::floor(elementary::log10(value))) - 1;
  // 1e-9: a value that is round already must not lose a unit to the rounding of the logarithm.
  const double mantissa = std::floor(value / elementary::pow(10.0, exponent) * (1.0 + 1e-9));
  return *parseNumber(fmt::format("{}e{}", static_cast<int>(mantissa), exponent));
}

std::string lawNamed(const std::string& name) {
  if (name == "Avalanches") return "Avalanche";
  if (std::ranges::find(laws, name) == laws.end())
    throw ModelError(fmt::format("unknown force law '{}'{}; laws are {}", name,
                                 suggestion(name, laws), fmt::join(laws, " ")));
  return name;
}

void checkRange(double value, std::string_view what, bool positive) {
  if (!std::isfinite(value) || (positive ? !(value > 0.0) : !(value >= 0.0)))
    throw ModelError(fmt::format("{}: expected a number {} 0, found {:.6g}", what,
                                 positive ? "above" : "not below", value));
}

void checkGroup(const std::set<std::uint32_t>& groups, std::uint32_t group, std::string_view what) {
  if (!groups.contains(group))
    throw ModelError(fmt::format("{}: no body is of group {}; groups are {}", what, group,
                                 fmt::join(groups, " ")));
}

/// Sets one parameter for all pairs of groups; returns the largest value.
double setParameter(Conf& conf, const std::set<std::uint32_t>& groups, const std::string& keyword,
                    std::string_view what, const PairSetting& setting, bool positive) {
  checkRange(setting.general, what, positive);
  for (const std::uint32_t g1 : groups)
    for (const std::uint32_t g2 : groups)
      if (g1 <= g2) conf.setLawParameter(keyword, g1, g2, setting.general);
  double largest = setting.general;
  for (const PairValue& pair : setting.special) {
    checkRange(pair.value, what, positive);
    checkGroup(groups, pair.group1, what);
    checkGroup(groups, pair.group2, what);
    conf.setLawParameter(keyword, pair.group1, pair.group2, pair.value);
    largest = std::max(largest, pair.value);
  }
  return largest;
}

/// What the choice of steps and distances looks at.
struct Scales {
  std::size_t free = 0;      ///< bodies that are not driven
  double mass = 1e300;       ///< [M] smallest
  double heaviest = 0.0;     ///< [M]
  double inertia = 1e300;    ///< [M L²] smallest principal moment
  double thickness = 1e300;  ///< [L] smallest
  double smallest = 1e300;   ///< [L] least size, the diameter of the ball about the centre
  double largest = 0.0;      ///< [L] likewise
  double speed = 0.0;        ///< [L/T] largest, driven bodies included
};

Scales scalesOf(const Arrangement& arrangement, const Conf& conf) {
  std::vector<double> thickness, outer;  // of each shape
  for (const shape::Shape& shape : arrangement.shapes) {
    const double least = 2.0 * boundingBox(shape, PlacedBody{}).halfSize().minCoeff();
    outer.push_back(boundingRadius(shape));
    thickness.push_back(least > 0.0 ? least : outer.back());
  }
  const bool anyFree =
      std::ranges::any_of(arrangement.bodies, [](const auto& b) { return !b.driven; });
  Scales scales;
  for (const PlacedBody& body : arrangement.bodies) {
    const shape::Shape& shape = arrangement.shapes[body.shape];
    const double h = body.homothety;
    scales.speed =
        std::max(scales.speed, body.vel.norm() + h * outer[body.shape] * body.vrot.norm());
    if (anyFree && body.driven) continue;
    if (!body.driven) ++scales.free;
    scales.thickness = std::min(scales.thickness, h * thickness[body.shape]);
    scales.smallest = std::min(scales.smallest, 2.0 * h * outer[body.shape]);
    scales.largest = std::max(scales.largest, 2.0 * h * outer[body.shape]);
    const double mass = h * h * h * shape.volume * conf.densityOf(body.group);
    if (!body.driven && !(mass > 0.0))
      throw ModelError(fmt::format("shape '{}' has no volume: a body that is not driven needs mass",
                                   shape.name));
    if (!body.driven && !(shape.inertiaPerMass.minCoeff() > 0.0))
      throw ModelError(fmt::format(
          "shape '{}' has no inertia: a body that is not driven needs some", shape.name));
    if (mass > 0.0) {
      scales.mass = std::min(scales.mass, mass);
      scales.heaviest = std::max(scales.heaviest, mass);
      scales.inertia = std::min(scales.inertia, mass * h * h * shape.inertiaPerMass.minCoeff());
    }
  }
  return scales;
}

/// What the stiffness has to carry, from where bodies stand and how they move at the start.
struct Load {
  double force = 0.0;   ///< [F] on a contact at the bottom, at rest
  double impact = 0.0;  ///< [M L²/T²] energy of the heaviest body at the fastest speed expected
  double drop = 0.0;    ///< [L] that bodies can fall
  double speed = 0.0;   ///< [L/T] after that
};

/// The load of a scene under gravity `g`.
///
/// The free bodies spread their weight W over the base A of their box; the largest body carries
/// twice its share, 2 W D² / A, since contact forces in packings vary. A body falls by the height
/// above the lowest surface, less what the bodies below fill when they are packed to 0.6.
Load loadOf(const Arrangement& arrangement, const Conf& conf, const Scales& scales) {
  Load load;
  load.speed = scales.speed;
  const double g = conf.gravity.norm();
  if (scales.free > 0 && g > 0.0) {
    const Vec3 up = conf.gravity / -g;
    double lowest = HUGE_VAL, top = -HUGE_VAL, weight = 0.0, volume = 0.0;
    shape::Aabb box;
    for (const PlacedBody& body : arrangement.bodies) {
      const shape::Shape& shape = arrangement.shapes[body.shape];
      const shape::Aabb own = boundingBox(shape, body);
      const double bottom = up.dot(own.centre()) - up.cwiseAbs().dot(own.halfSize());
      lowest = std::min(lowest, bottom);
      if (body.driven) continue;
      top = std::max(top, bottom);
      box.add(own);
      const double v = body.homothety * body.homothety * body.homothety * shape.volume;
      volume += v;
      weight += v * conf.densityOf(body.group) * g;
    }
    for (const Boundary& b : arrangement.boundaries) {
      const double along = up.dot(b.axis);
      const double across = b.kind == Boundary::Kind::ball ? 1.0 : std::sqrt(1.0 - along * along);
      if (across > 1e-6) lowest = std::min(lowest, up.dot(b.centre) - b.radius * across);
    }
    const Vec3 size = 2.0 * box.halfSize();
    const double base = size.prod() / up.cwiseAbs().dot(size);
    load.force =
        std::max(2.0 * weight / base * scales.largest * scales.largest, scales.heaviest * g);
    load.drop = std::max(top - lowest - volume / (0.6 * base), 0.1 * scales.largest);
    load.speed += std::sqrt(2.0 * g * load.drop);
  }
  load.impact = 0.5 * scales.heaviest * load.speed * load.speed;
  return load;
}

/// The least stiffness that keeps overlaps below the share `allowed` of the size of a body, with
/// the reason.
double chosenStiffness(const Scales& scales, const Load& load, double allowed,
                       std::string& reason) {
  const double atRest = allowed * scales.smallest, atImpact = allowed * scales.largest;
  const double byWeight = load.force / atRest, byImpact = 2.0 * load.impact / (atImpact * atImpact);
  if (scales.free == 0 || !(std::max(byWeight, byImpact) > 0.0)) {
    reason = "nothing presses or falls: the default";
    return 1e6;
  }
  reason = byWeight >= byImpact
               ? fmt::format(
                     "the weight above presses a contact at the bottom with up to {:.3g} N, and in "
                     "by {:.2g} % of the smallest size {:.3g} m",
                     load.force, 100.0 * allowed, scales.smallest)
               : fmt::format(
                     "the heaviest body, {:.3g} kg at {:.3g} m/s after a fall of {:.3g} m, presses "
                     "a contact in by {:.2g} % of the largest size {:.3g} m",
                     scales.heaviest, load.speed, load.drop, 100.0 * allowed, scales.largest);
  return roundedUp(std::max(byWeight, byImpact));
}

/// The time step that resolves the shortest contact, with the reason.
double chosenStep(const Scales& scales, double kn, double kr, double duration,
                  std::string& reason) {
  if (scales.free == 0) {
    reason = "no body is free: duration / 1000";
    return roundedDown(duration / 1000.0);
  }
  const double mass = 0.5 * scales.mass;  // of two alike; one against a wall swings more slowly
  double shortest = pi * std::sqrt(mass / kn);
  reason = fmt::format(
      "smallest mass {:.4g} kg, knContact {:.4g} N/m: a contact lasts pi sqrt(m/kn) = {:.3g} s "
      "with m = "
      "{:.4g} kg, resolved in 25 steps or more",
      scales.mass, kn, shortest, mass);
  if (kr > 0.0) {
    const double rolling = pi * std::sqrt(scales.inertia / kr);
    if (rolling < shortest) {
      shortest = rolling;
      reason = fmt::format(
          "smallest moment of inertia {:.4g} kg m2, krContact {:.4g} N m: rolling to and fro lasts "
          "pi "
          "sqrt(I/kr) = {:.3g} s, resolved in 25 steps or more",
          scales.inertia, kr, shortest);
    }
  }
  return roundedDown(shortest / 25.0);
}

}  // namespace

CompletedConf completed(const Arrangement& arrangement, const PackSettings& settings) {
  if (arrangement.bodies.empty()) throw ModelError("there are no bodies");
  CompletedConf result;
  Conf& conf = result.conf;
  conf.forceLaw = lawNamed(settings.law);
  conf.gravity = settings.gravity;
  conf.iconf = settings.iconf;
  checkRange(settings.duration, "duration", true);
  conf.tmax = settings.duration;

  std::set<std::uint32_t> groups;
  for (const PlacedBody& body : arrangement.bodies) groups.insert(body.group);
  for (const Boundary& boundary : arrangement.boundaries) groups.insert(boundary.group);
  checkRange(settings.density, "density", true);
  for (const std::uint32_t group : groups) conf.setDensity(group, settings.density);
  for (const GroupValue& special : settings.densities) {
    checkRange(special.value, "density", true);
    checkGroup(groups, special.group, "density");
    conf.setDensity(special.group, special.value);
  }
  const Scales scales = scalesOf(arrangement, conf);
  for (int k = 0; k < 3; ++k)
    if (!std::isfinite(conf.gravity[k])) throw ModelError("gravity: expected three finite numbers");
  const double height = 2.0 * boundingBox(arrangement).halfSize().norm();
  if (!(height < 1e9 * scales.thickness))
    throw ModelError(fmt::format(
        "the pack is {:.3g} long, more than 1e9 times the smallest thickness {:.3g}: positions "
        "would lose all digits of the contacts",
        height, scales.thickness));
  if (!(settings.overlap > 0.0 && settings.overlap <= 0.1))
    throw ModelError(fmt::format("overlap: expected a number above 0, up to 0.1, found {:.6g}",
                                 settings.overlap));
  const Load load = loadOf(arrangement, conf, scales);
  // For other programs, which look for neighbours at a period: the fastest that could come about.
  const double g = conf.gravity.norm();
  const double speed =
      scales.speed + (g > 0.0 ? g * std::min(conf.tmax, std::sqrt(2.0 * height / g)) : 0.0);
  PairSetting stiffness;
  if (settings.kn) {
    stiffness = *settings.kn;
  } else {
    std::string reason;
    stiffness.general = chosenStiffness(scales, load, settings.overlap, reason);
    result.reasons.push_back(fmt::format("knContact {:.6g} N/m: {}", stiffness.general, reason));
  }
  PairSetting kt;
  if (settings.kt) {
    kt = *settings.kt;
  } else {
    kt = stiffness;
    kt.general *= 0.8;
    for (PairValue& pair : kt.special) pair.value *= 0.8;
  }
  const double kn = setParameter(conf, groups, "knContact", "kn", stiffness, true);
  if (scales.free > 0 && settings.kn && load.force / stiffness.general > 0.01 * scales.smallest)
    result.warnings.push_back(fmt::format(
        "kn {:.4g} N/m: the weight above, {:.3g} N, presses contacts in by {:.2g} % of the "
        "smallest size; {:.0e} keeps it at {:.2g} %",
        stiffness.general, load.force, 100.0 * load.force / stiffness.general / scales.smallest,
        load.force / (settings.overlap * scales.smallest), 100.0 * settings.overlap));
  setParameter(conf, groups, "en2Contact", "en2", settings.en2, false);
  setParameter(conf, groups, "ktContact", "kt", kt, false);
  setParameter(conf, groups, "muContact", "mu", settings.mu, false);
  const double kr = setParameter(conf, groups, "krContact", "kr", settings.kr, false);
  setParameter(conf, groups, "murContact", "mur", settings.mur, false);

  if (settings.dt) {
    checkRange(*settings.dt, "dt", true);
    conf.dt = *settings.dt;
  } else {
    std::string reason;
    conf.dt = chosenStep(scales, kn, kr, settings.duration, reason);
    result.reasons.push_back(fmt::format("dt {:.6g} s: {}", conf.dt, reason));
  }
  if (conf.dt > settings.duration)
    result.warnings.push_back(
        fmt::format("dt {:.4g} s is longer than the duration {:.4g} s: one step, no motion to see",
                    conf.dt, settings.duration));
  if (settings.interConf) checkRange(*settings.interConf, "interconf", true);
  conf.interConf =
      std::max(settings.interConf.value_or(roundedDown(settings.duration / 50.0)), conf.dt);

  conf.dVerlet = roundedDown(0.05 * scales.thickness);
  conf.DVerlet = 2.0 * conf.dVerlet;
  // Other programs look for neighbours at this period only; Scree looks when it must.
  conf.interVerlet = speed > 0.0 ? std::clamp(roundedDown(0.5 * conf.dVerlet / speed), conf.dt,
                                              std::max(conf.dt, conf.interConf))
                                 : conf.interConf;
  result.reasons.push_back(
      fmt::format("dVerlet {:.6g} m, DVerlet {:.6g} m: 0.05 and 0.1 of the smallest thickness "
                  "{:.4g} m; interVerlet "
                  "{:.6g} s: half of dVerlet at {:.3g} m/s",
                  conf.dVerlet, conf.DVerlet, scales.thickness, conf.interVerlet, speed));
  // A hint for other programs: testing all pairs of sub-bodies is slow where shapes have many.
  if (std::ranges::any_of(arrangement.shapes, [](const auto& s) { return s.vertices.size() > 50; }))
    conf.addOrRemoveInteractions = "OBBtree";

  conf.boundaries = arrangement.boundaries;
  conf.cell = arrangement.cell;
  for (const PlacedBody& body : arrangement.bodies) {
    ParticleRecord p;
    p.shapeName = conf.internShapeName(arrangement.shapes[body.shape].name);
    p.group = body.group;
    p.cluster = body.cluster;
    p.homothety = body.homothety;
    p.pos = body.pos;
    p.q = body.q;
    p.vel = body.vel;
    p.vrot = body.vrot;
    conf.particles.push_back(p);
    if (body.driven) {
      if (conf.nDriven + 1 != conf.particles.size())
        throw ModelError("driven bodies must come first");
      ++conf.nDriven;
    }
  }
  return result;
}

}  // namespace scree::sim
