// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/complete.hpp"

#include "engine/contact_kernel.hpp"
#include "loads.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/commands.hpp"
#include "scree/sim/law/law_info.hpp"
#include "scree/sim/measure/instant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace scree::sim {

const std::vector<LawOption>& lawOptions() {
  constexpr double any = HUGE_VAL;
  static const std::vector<LawOption> options{
      {"--poisson", "poissonRatio", "", "Poisson's ratio, law HertzMindlin; default 0.3", 0.3, 0.5,
       false, true},
      {"--young", "youngModulus", "Pa",
       "Young's modulus [Pa], law HertzMindlin; default from weights, heights and sizes",
       std::nullopt, any, true, true},
      {"--kn", "knContact", "N/m",
       "Normal stiffness [N/m]; default from weights, heights and sizes; may be repeated",
       std::nullopt, any, true},
      {"--kt", "ktContact", "N/m", "Tangential stiffness [N/m], default 0.8 kn", std::nullopt},
      {"--en2", "en2Contact", "", "Restitution of energy, default 0.1", 0.1, 1.0},
      {"--mu", "muContact", "", "Friction, default 0.5", 0.5},
      {"--kr", "krContact", "N.m", "Rolling stiffness [N.m], default 0", 0.0},
      {"--mur", "murContact", "m",
       "Rolling arm [m], or ratio for Avalanche: bound of the rolling moment; default 0", 0.0},
      {"--visct", "viscTContact", "N.s/m",
       "Tangential viscosity [N.s/m], law GeoVisc; default critical for 0.8 kn", std::nullopt}};
  return options;
}

namespace {

using Groups = std::set<std::uint32_t>;

/// @throws UsageError for a value that is not finite, below 0, or 0 where it must be `positive`
void checkRange(double value, std::string_view what, bool positive, double most = HUGE_VAL) {
  if (!std::isfinite(value) || (positive ? !(value > 0.0) : !(value >= 0.0)) || value > most)
    throw UsageError(fmt::format("{}: expected a number {} 0{}, found {:.6g}", what,
                                 positive ? "above" : "not below",
                                 most < HUGE_VAL ? fmt::format(", up to {:g}", most) : "", value));
}

/// Calls `set(g1, g2, value)` for each value of a setting, the general one first.
/// @throws UsageError for a value out of range, or a group that no body has
template <class Set>
void forEachValue(const PairSetting& setting, const Groups& groups, const LawOption& option,
                  Set&& set) {
  const auto check = [&](double value) {
    checkRange(value, option.option, option.positive, option.most);
  };
  if (setting.general) {
    check(*setting.general);
    for (const std::uint32_t g1 : groups)
      for (const std::uint32_t g2 : groups)
        if (g1 == g2 || (g1 < g2 && !option.ofGroup)) set(g1, g2, *setting.general);
  }
  for (const PairValue& pair : setting.special) {
    check(pair.value);
    for (const std::uint32_t group : {pair.group1, pair.group2})
      if (!groups.contains(group) || (option.ofGroup && pair.group1 != pair.group2))
        throw UsageError(fmt::format("{}: no body is of group {}; groups are {}", option.option,
                                     group, fmt::join(groups, " ")));
    set(pair.group1, pair.group2, pair.value);
  }
}

/// The row of a keyword; for one without an option of its own, of a bond, a row for it.
LawOption optionOf(const std::string& keyword) {
  for (const LawOption& option : lawOptions())
    if (option.keyword == keyword) return option;
  return {"--bond", keyword.c_str(), "", "", {}, keyword.starts_with("en2") ? 1.0 : HUGE_VAL};
}

void setParameter(Conf& conf, const Groups& groups, const LawOption& option,
                  const PairSetting& setting) {
  const std::string keyword = option.keyword;
  forEachValue(setting, groups, option, [&](std::uint32_t g1, std::uint32_t g2, double value) {
    if (option.ofGroup)
      conf.setGroupParameter(keyword, g1, value);
    else
      conf.setLawParameter(keyword, g1, g2, value);
  });
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

void requireKeyword(const LawInfo& law, const std::set<std::string>& used,
                    const std::string& keyword) {
  if (used.contains(keyword)) return;
  const std::vector<std::string_view> names(used.begin(), used.end());
  throw UsageError(fmt::format("{}: the law {} has no parameter {}{}; it has {}",
                               optionOf(keyword).option, law.name, keyword,
                               suggestion(keyword, names), fmt::join(names, " ")));
}

/// Sets all parameters of the law for all pairs of groups, with reasons of the chosen ones.
/// @throws UsageError for settings that the law does not have
void setLawParameters(const PackSettings& settings, const Load& load, CompletedConf& result,
                      Diagnostics& diagnostics) {
  Conf& conf = result.conf;
  const LawInfo& law = lawNamed(settings.law);
  const std::set<std::string> used = keywordsOf(law);
  const Groups groups = groupsInUse(conf);
  PairSetting kn;
  const auto reason = [&](const LawOption& option, double value, const std::string& text) {
    result.reasons.push_back(
        fmt::format("{} {:.6g} {}: {}", option.keyword, value, option.unit, text));
    return value;
  };
  for (const auto& [keyword, setting] : settings.parameters) requireKeyword(law, used, keyword);
  for (const LawOption& option : lawOptions()) {
    if (!used.contains(option.keyword)) continue;
    const std::string_view keyword = option.keyword;
    PairSetting setting;
    const auto given = settings.parameters.find(option.keyword);
    if (given != settings.parameters.end()) setting = given->second;
    const bool stiffness = keyword == "knContact" || keyword == "youngModulus";
    if (setting.general && stiffness && settings.overlap)
      diagnostics.warn(fmt::format("--overlap has no effect: {} is given", option.option));
    if (setting.general) {
      const Stiffness least =
          keyword == "knContact" ? leastStiffness(conf, load, 0.01) : Stiffness{};
      if (*setting.general < least.value)
        diagnostics.warn(fmt::format("knContact {:.4g} N/m is too low: {} take {:g}",
                                     *setting.general, least.reason, roundedUp(least.value)));
    } else if (stiffness) {
      const Stiffness least = leastStiffness(conf, load, settings.allowedOverlap());
      const double byDefault = option.ofGroup ? 1e9 : 1e6;
      setting.general =
          reason(option, least.value > 0.0 ? roundedUp(least.value) : byDefault, least.reason);
    } else if (keyword == "ktContact") {
      setting.general = 0.8 * *kn.general;
      std::vector<PairValue> all = kn.special;
      for (PairValue& pair : all) pair.value *= 0.8;
      all.insert(all.end(), setting.special.begin(), setting.special.end());  // the last wins
      setting.special = std::move(all);
    } else if (keyword == "viscTContact") {
      setting.general =
          reason(option, roundedDown(2.0 * std::sqrt(0.8 * *kn.general * 0.5 * load.mass)),
                 "2 sqrt(0.8 kn m), critical damping with half the smallest mass");
    } else {
      setting.general = option.value;
    }
    if (keyword == "knContact") kn = setting;
    setParameter(conf, groups, option, setting);
  }
  for (const auto& [keyword, setting] : settings.parameters)
    if (const LawOption option = optionOf(keyword); option.option == std::string_view("--bond"))
      setParameter(conf, groups, option, setting);
}

/// Friction 0 of walls that press on all sides, unless --mu names their groups: bodies would jam
/// between them, and one wall may carry many times the pressure.
void smoothWalls(const PackSettings& settings, CompletedConf& result) {
  Conf& conf = result.conf;
  const auto kind = settings.drive->kind;
  if ((kind != DrivePlan::Kind::isotropic && kind != DrivePlan::Kind::triaxial) || conf.cell.used)
    return;
  const std::vector<WallFace> faces = wallFaces(Instant(conf, result.shapes));
  if (faces.size() != 6) return;
  Groups walls, free;
  for (const WallFace& face : faces) walls.insert(conf.particles[face.body].group);
  for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k)
    free.insert(conf.particles[k].group);
  const auto given = settings.parameters.find("muContact");
  for (const std::uint32_t wall : walls)
    for (const std::uint32_t group : free) {
      const auto same = [&](const PairValue& pair) {
        return std::minmax(pair.group1, pair.group2) == std::minmax(wall, group);
      };
      if (wall == group || !(conf.lawParameter("muContact", wall, group) > 0.0) ||
          (given != settings.parameters.end() && std::ranges::any_of(given->second.special, same)))
        continue;
      conf.setLawParameter("muContact", wall, group, 0.0);
      result.reasons.push_back(fmt::format(
          "muContact {0} {1} 0 at moving walls; --mu {0},{1}=MU sets another value", wall, group));
    }
}

/// Time step as completed() says. @param reason  gets the cause
double stepOf(const Simulation& start, std::string& reason) {
  constexpr double stepsPerContact = 25.0;
  const double contact = shortestContactTime(start);
  const CriticalStep critical = criticalStep(start);
  double step = contact / stepsPerContact;
  reason =
      fmt::format("the shortest contact lasts {:.3g} s, resolved in 25 steps or more", contact);
  const Bodies& b = start.bodies();
  double inertia = HUGE_VAL, kr = 0.0;
  for (std::size_t k = b.driven; k < b.size(); ++k)
    inertia = std::min(inertia, b.inertia[k].minCoeff());
  if (const auto found = start.input().lawParameters.find("krContact");
      found != start.input().lawParameters.end())
    for (const auto& [groups, v] : found->second) kr = std::max(kr, v);
  if (const double rolling = pi * std::sqrt(inertia / kr) / stepsPerContact; rolling < step) {
    step = rolling;
    reason = fmt::format("rolling to and fro lasts pi sqrt(I/kr) = {:.3g} s, resolved in 25 steps",
                         stepsPerContact * rolling);
  }
  constexpr double share = 0.3;  // ten steps in a period of the highest frequency there can be
  if (share * critical.dt < step) {
    step = share * critical.dt;
    reason = fmt::format(
        "body {} on its contacts and bonds is stable up to {:.3g} s, of which "
        "this is 0.3",
        critical.body.value_or(0), critical.dt);
  }
  return std::isfinite(step) ? roundedDown(step) : step;
}

}  // namespace

CompletedConf withBodies(const Packing& packing) {
  CompletedConf result;
  Conf& conf = result.conf;
  conf.boundaries = packing.boundaries;
  conf.cell = packing.cell;
  conf.particles.reserve(packing.bodies.size());
  for (const PlacedBody& body : packing.bodies) {
    conf.particles.push_back({conf.internShapeName(packing.shapes[body.shape].name), body.group,
                              body.cluster, body.homothety, body.pos, body.vel, Vec3::Zero(),
                              body.q, body.vrot});
    if (body.driven && ++conf.nDriven != conf.particles.size())
      throw ModelError("driven bodies must come first");
  }
  for (const std::string& name : conf.shapeNames)
    result.shapes.push_back(*shape::findShape(packing.shapes, name));
  return result;
}

CompletedConf completed(const Packing& packing, const PackSettings& settings,
                        Diagnostics& diagnostics) {
  if (packing.bodies.empty()) throw ModelError("there are no bodies");
  CompletedConf result = withBodies(packing);
  Conf& conf = result.conf;
  conf.source = settings.source;
  conf.forceLaw = lawNamed(settings.law).name;
  conf.gravity =
      settings.gravity.value_or(packing.cell.used ? Vec3(Vec3::Zero()) : Vec3(0.0, -9.81, 0.0));
  if (!conf.gravity.allFinite()) throw ModelError("gravity: expected three finite numbers");
  conf.tmax = settings.duration.value_or(1.0);
  checkRange(conf.tmax, "--duration", true);
  checkRange(settings.allowedOverlap(), "--overlap", true, 0.1);
  forEachValue(settings.density, groupsInUse(conf),
               {"--density", "density", "kg/m3", "", {}, HUGE_VAL, true, true},
               [&](std::uint32_t g, std::uint32_t, double value) { conf.setDensity(g, value); });
  DriveLoad ofDrive = settings.load;
  if (settings.drive) {
    const DriveLoad more = driveLoad(*settings.drive, conf, result.shapes);
    ofDrive = {std::max(ofDrive.pressure, more.pressure), std::max(ofDrive.speed, more.speed)};
  }
  const Load load = loadOf(conf, result.shapes, ofDrive);
  const double height = 2.0 * boundingBox(packing).halfSize().norm();
  if (!(height < 1e9 * load.thickness))
    throw ModelError(
        fmt::format("the pack is {:.3g} long, more than 1e9 times the smallest thickness {:.3g}",
                    height, load.thickness));
  if (load.free > 0 && (load.heaviest > 1e6 || load.largest > 100.0))
    diagnostics.warn(fmt::format("bodies of up to {:.3g} kg and {:.3g} m: lengths are in metres",
                                 load.heaviest, load.largest));
  setLawParameters(settings, load, result, diagnostics);
  if (!packing.interfaces.empty()) {
    conf.paramsInInterfaces = 1;
    glue(conf, result.shapes, packing.interfaces);
  }
  if (settings.drive) smoothWalls(settings, result);

  if (settings.dt) {
    checkRange(*settings.dt, "--dt", true);
    conf.dt = *settings.dt;
  } else {
    Diagnostics ignored;
    std::string reason;
    conf.dt = stepOf(Simulation(conf, result.shapes, {}, settings.threads, ignored), reason);
    if (!std::isfinite(conf.dt)) {
      conf.dt = roundedDown(conf.tmax / 1000.0);
      reason = "no two bodies can touch: duration / 1000";
    }
    result.reasons.push_back(fmt::format("dt {:.6g} s: {}", conf.dt, reason));
  }
  if (settings.interConf) checkRange(*settings.interConf, "--interconf", true);
  conf.interConf = std::max(settings.interConf.value_or(conf.tmax / 50.0), conf.dt);
  conf.dVerlet = roundedDown(0.05 * load.thickness);
  conf.DVerlet = 2.0 * conf.dVerlet;
  // Other programs look for neighbours at this period only; Scree looks when it must.
  const double g = conf.gravity.norm();
  const double speed =
      load.given + (g > 0.0 ? g * std::min(conf.tmax, std::sqrt(2.0 * height / g)) : 0.0);
  conf.interVerlet = speed > 0.0 ? std::clamp(roundedDown(0.5 * conf.dVerlet / speed), conf.dt,
                                              std::max(conf.dt, conf.interConf))
                                 : conf.interConf;
  return result;
}

void changeContacts(Conf& conf, const std::map<std::string, PairSetting>& settings) {
  const LawInfo& law = lawNamed(conf.forceLaw);
  const std::set<std::string> used = keywordsOf(law);
  const Groups groups = groupsInUse(conf);
  for (const auto& [keyword, setting] : settings) {
    requireKeyword(law, used, keyword);
    setParameter(conf, groups, optionOf(keyword), setting);
  }
}

}  // namespace scree::sim
