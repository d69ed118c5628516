// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/complete.hpp"

#include "engine/contact_kernel.hpp"
#include "loads.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/law/law_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace scree::sim {
namespace {

using Groups = std::set<std::uint32_t>;

/// @throws UsageError for a value that is not finite, below 0, or 0 where it must be `positive`
void checkRange(double value, std::string_view what, bool positive) {
  if (!std::isfinite(value) || (positive ? !(value > 0.0) : !(value >= 0.0)))
    throw UsageError(fmt::format("--{}: expected a number {} 0, found {:.6g}", what,
                                 positive ? "above" : "not below", value));
}

/// @throws UsageError where no body has this group
void checkGroup(const Groups& groups, std::uint32_t group, std::string_view what) {
  if (!groups.contains(group))
    throw UsageError(fmt::format("--{}: no body is of group {}; groups are {}", what, group,
                                 fmt::join(groups, " ")));
}

/// Sets one parameter for all pairs of groups; returns the largest value.
double setParameter(Conf& conf, const Groups& groups, const std::string& keyword,
                    std::string_view what, const PairSetting& setting, bool positive) {
  const auto check = [&](double value) {
    checkRange(value, what, positive);
    if (keyword.starts_with("en2") && !(value <= 1.0))
      throw UsageError(fmt::format("--{}: expected a number up to 1, found {:.6g}", what, value));
  };
  if (!std::isnan(setting.general)) {
    check(setting.general);
    for (const std::uint32_t g1 : groups)
      for (const std::uint32_t g2 : groups)
        if (g1 <= g2) conf.setLawParameter(keyword, g1, g2, setting.general);
  }
  double largest = setting.general;
  for (const PairValue& pair : setting.special) {
    check(pair.value);
    checkGroup(groups, pair.group1, what);
    checkGroup(groups, pair.group2, what);
    conf.setLawParameter(keyword, pair.group1, pair.group2, pair.value);
    largest = std::max(largest, pair.value);
  }
  return largest;
}

void setOfGroups(Conf& conf, const Groups& groups, std::string_view keyword, std::string_view what,
                 const GroupSetting& setting, bool positive) {
  const auto check = [&](double value) {
    checkRange(value, what, positive);
    if (keyword == "poissonRatio" && !(value <= 0.5))
      throw UsageError(fmt::format("--{}: expected a number up to 0.5, found {:.6g}", what, value));
  };
  check(setting.general);
  for (const std::uint32_t group : groups) conf.setGroupParameter(keyword, group, setting.general);
  for (const GroupValue& special : setting.special) {
    check(special.value);
    checkGroup(groups, special.group, what);
    conf.setGroupParameter(keyword, special.group, special.value);
  }
}

/// The keywords that a law reads, its bonds included.
std::set<std::string> keywordsOf(const LawInfo& law) {
  std::set<std::string> used;
  const auto kernel = makeKernel(law, {0});
  kernel->setParameters(kernel->index(0, 0), ParameterSource(
                                                 [&](std::string_view keyword) {
                                                   used.emplace(keyword);
                                                   return 1.0;
                                                 },
                                                 [&](std::string_view keyword, bool) {
                                                   used.emplace(keyword);
                                                   return 0.5;
                                                 }));
  if (law.bonds != Breakage::noBonds)
    for (const std::string_view name : {"kn", "kt", "kr", "fn0", "ft0", "mom0", "pow", "en2", "gc"})
      for (const std::string_view bond : {"InnerBond", "OuterBond"})
        used.insert(std::string(name) + std::string(bond));
  return used;
}

[[noreturn]] void refuseParameter(const LawInfo& law, std::string_view parameter,
                                  const std::set<std::string>& used) {
  const std::vector<std::string_view> names(used.begin(), used.end());
  throw UsageError(fmt::format("{}: the law {} has no such parameter{}; it has {}", parameter,
                               law.name, suggestion(parameter, names), fmt::join(names, " ")));
}

/// The stiffness of a linear law. @returns the largest
double setStiffness(const PackSettings& settings, const Groups& groups, const Scales& scales,
                    const Load& load, bool tangential, CompletedConf& result) {
  PairSetting kn;
  if (settings.kn) {
    kn = *settings.kn;
  } else {
    std::string reason;
    const double least = leastStiffness(scales, load, settings.overlap, reason);
    kn.general = least > 0.0 ? roundedUp(least) : 1e6;
    result.reasons.push_back(fmt::format("knContact {:.6g} N/m: {}", kn.general, reason));
  }
  PairSetting kt = kn;
  kt.general *= 0.8;
  for (PairValue& pair : kt.special) pair.value *= 0.8;
  if (settings.kt) kt = *settings.kt;
  const double largest = setParameter(result.conf, groups, "knContact", "kn", kn, true);
  std::string reason;
  if (const double least = leastStiffness(scales, load, 0.01, reason);
      settings.kn && kn.general < least)
    result.warnings.push_back(
        fmt::format("kn {:.4g} N/m is too low: {}; {:g} keeps that, dt follows from it", kn.general,
                    reason, roundedUp(least)));
  if (tangential) setParameter(result.conf, groups, "ktContact", "kt", kt, false);
  return largest;
}

/// Elastic constants of HertzMindlin.
void setElasticity(const PackSettings& settings, const Groups& groups, const Scales& scales,
                   const Load& load, CompletedConf& result) {
  const GroupSetting poisson = settings.poisson.value_or(GroupSetting{0.3, {}});
  GroupSetting young;
  if (settings.young) {
    young = *settings.young;
  } else {
    std::string reason;
    const double least = leastModulus(scales, load, settings.overlap, poisson.general, reason);
    young.general = least > 0.0 ? roundedUp(least) : 1e9;
    result.reasons.push_back(fmt::format("youngModulus {:.6g} Pa: {}", young.general, reason));
  }
  setOfGroups(result.conf, groups, "youngModulus", "young", young, true);
  setOfGroups(result.conf, groups, "poissonRatio", "poisson", poisson, false);
}

/// [T] The shortest contact of bodies with the mass of the lightest. @param reason  of a step that
/// resolves it
double shortestContact(const LawInfo& law, const Groups& groups, const Scales& scales,
                       const Conf& conf, std::string& reason) {
  const double mass = 0.5 * scales.mass;  // of two alike; one against a wall swings more slowly
  const auto kernel = makeKernel(law, {groups.begin(), groups.end()});
  double shortest = HUGE_VAL, kr = 0.0;
  for (const std::uint32_t g1 : groups)
    for (const std::uint32_t g2 : groups) {
      const auto pair = kernel->index(g1, g2);
      kernel->setParameters(pair, ParameterSource(
                                      [&](std::string_view keyword) {
                                        return conf.lawParameter(std::string(keyword), g1, g2);
                                      },
                                      [&](std::string_view keyword, bool first) {
                                        return conf.groupParameter(keyword, first ? g1 : g2);
                                      }));
      shortest = std::min(shortest, kernel->contactTime(pair, mass, scales.rounding));
      kr = std::max(kr, conf.lawParameter("krContact", g1, g2));
    }
  reason = fmt::format(
      "smallest mass {:.4g} kg: the shortest contact lasts {:.3g} s, resolved in 25 steps or more",
      scales.mass, shortest);
  const double rolling = pi * std::sqrt(scales.inertia / kr);
  if (!(kr > 0.0 && rolling < shortest)) return shortest;
  reason = fmt::format(
      "smallest moment of inertia {:.4g} kg m2, krContact {:.4g} N m: rolling to and fro lasts pi "
      "sqrt(I/kr) = {:.3g} s, resolved in 25 steps or more",
      scales.inertia, kr, rolling);
  return rolling;
}

/// Sets all parameters of a law for all pairs of `groups`, with the reasons of those that are
/// chosen.
/// @throws UsageError for settings that the law does not have
void setLawParameters(const LawInfo& law, const PackSettings& settings, const Groups& groups,
                      const Scales& scales, const Load& load, CompletedConf& result) {
  Conf& conf = result.conf;
  const std::set<std::string> used = keywordsOf(law);
  const auto has = [&](const char* keyword) { return used.contains(keyword); };
  const auto anyOf = [](const PairSetting& s) { return s.general != 0.0 || !s.special.empty(); };
  const std::pair<const char*, std::pair<bool, const char*>> given[] = {
      {"--kn", {settings.kn.has_value(), "knContact"}},
      {"--kt", {settings.kt.has_value(), "ktContact"}},
      {"--young", {settings.young.has_value(), "youngModulus"}},
      {"--poisson", {settings.poisson.has_value(), "poissonRatio"}},
      {"--visct", {settings.viscT.has_value(), "viscTContact"}},
      {"--kr", {anyOf(settings.kr), "krContact"}},
      {"--mur", {anyOf(settings.mur), "murContact"}}};
  for (const auto& [option, what] : given)
    if (what.first && !has(what.second)) refuseParameter(law, option, used);
  for (const auto& [name, setting] : settings.bonds)
    if (!has(name.c_str())) refuseParameter(law, "--bond " + name, used);

  double kn = 0.0;
  if (has("knContact")) kn = setStiffness(settings, groups, scales, load, has("ktContact"), result);
  setParameter(conf, groups, "en2Contact", "en2", settings.en2, false);
  setParameter(conf, groups, "muContact", "mu", settings.mu, false);
  if (has("krContact")) {
    setParameter(conf, groups, "krContact", "kr", settings.kr, false);
    setParameter(conf, groups, "murContact", "mur", settings.mur, false);
  }
  for (const auto& [name, setting] : settings.bonds)
    setParameter(conf, groups, name, "bond " + name, setting, false);
  if (has("youngModulus")) setElasticity(settings, groups, scales, load, result);
  if (!has("viscTContact")) return;
  PairSetting viscT;
  if (settings.viscT) {
    viscT = *settings.viscT;
  } else {
    const double mass = 0.5 * scales.mass;
    viscT.general = roundedDown(2.0 * std::sqrt(0.8 * kn * mass));
    result.reasons.push_back(fmt::format(
        "viscTContact {:.6g} N s/m: 2 sqrt(0.8 kn m), critical damping of a spring of 0.8 kn with "
        "m = {:.4g} kg",
        viscT.general, mass));
  }
  setParameter(conf, groups, "viscTContact", "visct", viscT, false);
}

/// The bodies and their surroundings, in the order of a conf-file.
void putBodies(const Packing& packing, CompletedConf& result) {
  Conf& conf = result.conf;
  conf.boundaries = packing.boundaries;
  conf.cell = packing.cell;
  conf.particles.reserve(packing.bodies.size());
  for (const PlacedBody& body : packing.bodies) {
    ParticleRecord p;
    p.shapeName = conf.internShapeName(packing.shapes[body.shape].name);
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
  for (const std::string& name : conf.shapeNames)
    result.shapes.push_back(*shape::findShape(packing.shapes, name));
}

/// Friction 0 of walls that press on all sides, unless --mu names their groups.
void smoothWalls(const DrivePlan& plan, const PackSettings& settings, CompletedConf& result) {
  for (const PairValue& rough : roughWalls(plan, result.conf, result.shapes)) {
    const auto same = [&](const PairValue& pair) {
      return std::minmax(pair.group1, pair.group2) == std::minmax(rough.group1, rough.group2);
    };
    if (rough.group1 == rough.group2 || std::ranges::any_of(settings.mu.special, same)) continue;
    result.conf.setLawParameter("muContact", rough.group1, rough.group2, 0.0);
    result.reasons.push_back(fmt::format(
        "muContact {0} {1} 0: with friction, bodies may jam between moving walls, and one wall may "
        "carry many times the pressure; --mu {0},{1}=MU sets another value",
        rough.group1, rough.group2));
  }
}

}  // namespace

CompletedConf completed(const Packing& packing, const PackSettings& settings) {
  if (packing.bodies.empty()) throw ModelError("there are no bodies");
  CompletedConf result;
  Conf& conf = result.conf;
  const LawInfo& law = lawNamed(settings.law);
  conf.forceLaw = law.name;
  conf.gravity =
      settings.gravity.value_or(packing.cell.used ? Vec3(Vec3::Zero()) : Vec3(0.0, -9.81, 0.0));
  conf.tmax = settings.duration.value_or(1.0);
  checkRange(conf.tmax, "duration", true);

  std::set<std::uint32_t> groups;
  for (const PlacedBody& body : packing.bodies) groups.insert(body.group);
  for (const Boundary& boundary : packing.boundaries) groups.insert(boundary.group);
  checkRange(settings.density, "density", true);
  for (const std::uint32_t group : groups) conf.setDensity(group, settings.density);
  for (const GroupValue& special : settings.densities) {
    checkRange(special.value, "density", true);
    checkGroup(groups, special.group, "density");
    conf.setDensity(special.group, special.value);
  }
  putBodies(packing, result);
  const Scales scales = scalesOf(conf, result.shapes);
  for (int k = 0; k < 3; ++k)
    if (!std::isfinite(conf.gravity[k])) throw ModelError("gravity: expected three finite numbers");
  const double height = 2.0 * boundingBox(packing).halfSize().norm();
  if (!(height < 1e9 * scales.thickness))
    throw ModelError(fmt::format(
        "the pack is {:.3g} long, more than 1e9 times the smallest thickness {:.3g}: positions "
        "would lose all digits of the contacts",
        height, scales.thickness));
  if (!(settings.overlap > 0.0 && settings.overlap <= 0.1))
    throw UsageError(fmt::format("--overlap: expected a number above 0, up to 0.1, found {:.6g}",
                                 settings.overlap));
  DriveLoad ofDrive = settings.load;
  if (settings.drive) {
    const DriveLoad more = driveLoad(*settings.drive, conf, result.shapes);
    ofDrive = {std::max(ofDrive.pressure, more.pressure), std::max(ofDrive.speed, more.speed)};
  }
  if (scales.heaviest > 1e6 || scales.largest > 100.0)
    result.warnings.push_back(fmt::format(
        "bodies of up to {:.3g} kg and {:.3g} m: lengths are in metres; for shapes in millimetres, "
        "shapeSurvey import --scale 0.001",
        scales.heaviest, scales.largest));
  const Load load = loadOf(conf, result.shapes, scales, ofDrive);
  // For other programs, which look for neighbours at a period: the fastest that could come about.
  const double g = conf.gravity.norm();
  const double speed = scales.speed + ofDrive.speed +
                       (g > 0.0 ? g * std::min(conf.tmax, std::sqrt(2.0 * height / g)) : 0.0);
  setLawParameters(law, settings, groups, scales, load, result);
  const bool any = scales.free > 0;
  std::string reason;
  const double shortest = shortestContact(law, groups, scales, conf, reason);
  if (settings.dt) {
    checkRange(*settings.dt, "dt", true);
    conf.dt = *settings.dt;
    if (const double critical = 2.0 / pi * shortest; any && conf.dt > critical)
      result.warnings.push_back(
          fmt::format("dt {:.4g} s is above the critical time step, {:.4g} s: contacts will be "
                      "unstable; use {:.6g}: {}",
                      conf.dt, critical, roundedDown(shortest / 25.0), reason));
  } else {
    conf.dt = roundedDown(any ? shortest / 25.0 : conf.tmax / 1000.0);
    result.reasons.push_back(
        fmt::format("dt {:.6g} s: {}", conf.dt, any ? reason : "no body is free: duration / 1000"));
  }
  if (conf.dt > conf.tmax)
    result.warnings.push_back(
        fmt::format("dt {:.4g} s is longer than the duration {:.4g} s: one step, no motion to see",
                    conf.dt, conf.tmax));
  if (settings.interConf) checkRange(*settings.interConf, "interconf", true);
  conf.interConf = std::max(settings.interConf.value_or(conf.tmax / 50.0), conf.dt);

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
  if (std::ranges::any_of(packing.shapes, [](const auto& s) { return s.vertices.size() > 50; }))
    conf.others.push_back({"AddOrRemoveInteractions", "OBBtree", {}});

  if (settings.drive) smoothWalls(*settings.drive, settings, result);
  for (const IdleParameter& idle : idleParameters(conf)) result.warnings.push_back(idle.message);
  return result;
}

void changeContacts(Conf& conf, const std::map<std::string, PairSetting>& settings) {
  Groups groups;
  for (const ParticleRecord& p : conf.particles) groups.insert(p.group);
  for (const Boundary& boundary : conf.boundaries) groups.insert(boundary.group);
  const LawInfo& law = lawNamed(conf.forceLaw);
  const std::set<std::string> used = keywordsOf(law);
  for (const auto& [keyword, setting] : settings) {
    const std::string option = keyword.substr(0, keyword.find("Contact"));
    if (!used.contains(keyword)) refuseParameter(law, "--" + option, used);
    setParameter(conf, groups, keyword, option, setting, false);
  }
}

}  // namespace scree::sim
