// SPDX-License-Identifier: GPL-3.0-or-later
#include "law_parameters.hpp"

#include "engine/contact_kernel.hpp"
#include "law/all_laws.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

using Groups = std::set<std::uint32_t>;

/// Sets one parameter for all pairs of groups; returns the largest value.
double setParameter(Conf& conf, const Groups& groups, const std::string& keyword,
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

void setOfGroups(Conf& conf, const Groups& groups, std::string_view keyword, std::string_view what,
                 const GroupSetting& setting, bool positive) {
  checkRange(setting.general, what, positive);
  for (const std::uint32_t group : groups) conf.setGroupParameter(keyword, group, setting.general);
  for (const GroupValue& special : setting.special) {
    checkRange(special.value, what, positive);
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

[[noreturn]] void refuse(const LawInfo& law, std::string_view parameter,
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
    kn.general = chosenStiffness(scales, load, settings.overlap, reason);
    result.reasons.push_back(fmt::format("knContact {:.6g} N/m: {}", kn.general, reason));
  }
  PairSetting kt = kn;
  kt.general *= 0.8;
  for (PairValue& pair : kt.special) pair.value *= 0.8;
  if (settings.kt) kt = *settings.kt;
  const double largest = setParameter(result.conf, groups, "knContact", "kn", kn, true);
  if (scales.free > 0 && settings.kn && load.force / kn.general > 0.01 * scales.smallest)
    result.warnings.push_back(
        fmt::format("kn {:.4g} N/m: the weight above, {:.3g} N, causes overlaps of {:.2g} % of the "
                    "smallest size; {:.0e} keeps them at {:.2g} %",
                    kn.general, load.force, 100.0 * load.force / kn.general / scales.smallest,
                    load.force / (settings.overlap * scales.smallest), 100.0 * settings.overlap));
  if (tangential) setParameter(result.conf, groups, "ktContact", "kt", kt, false);
  return largest;
}

/// Elastic constants of HertzMindlin. @returns [T] the shortest contact
ShortestContact setElasticity(const PackSettings& settings, const Groups& groups,
                              const Scales& scales, const Load& load, CompletedConf& result) {
  GroupSetting young;
  if (settings.young) {
    young = *settings.young;
  } else {
    std::string reason;
    young.general = chosenModulus(scales, load, settings.overlap, settings.poisson.general, reason);
    result.reasons.push_back(fmt::format("youngModulus {:.6g} Pa: {}", young.general, reason));
  }
  const auto checkPoisson = [](double nu) {
    if (!(nu <= 0.5))
      throw UsageError(fmt::format("--poisson: expected a number up to 0.5, found {:.6g}", nu));
  };
  checkPoisson(settings.poisson.general);
  for (const GroupValue& special : settings.poisson.special) checkPoisson(special.value);
  setOfGroups(result.conf, groups, "youngModulus", "young", young, true);
  setOfGroups(result.conf, groups, "poissonRatio", "poisson", settings.poisson, false);
  ShortestContact shortest{HUGE_VAL, ""};
  const double mass = 0.5 * scales.mass;
  for (const std::uint32_t g1 : groups)
    for (const std::uint32_t g2 : groups) {
      const auto p = HertzMindlinLaw::parameters(ParameterSource(
          [&](std::string_view keyword) {
            return result.conf.lawParameter(std::string(keyword), g1, g2);
          },
          [&](std::string_view keyword, bool first) {
            return result.conf.groupParameter(keyword, first ? g1 : g2);
          }));
      shortest.time =
          std::min(shortest.time, HertzMindlinLaw::contactTime(p, mass, scales.rounding));
    }
  shortest.reason = fmt::format(
      "smallest mass {:.4g} kg: a contact as stiff as at an overlap of a hundredth of its radius "
      "lasts {:.3g} s, resolved in 25 steps or more",
      scales.mass, shortest.time);
  return shortest;
}

}  // namespace

void checkRange(double value, std::string_view what, bool positive) {
  if (!std::isfinite(value) || (positive ? !(value > 0.0) : !(value >= 0.0)))
    throw UsageError(fmt::format("--{}: expected a number {} 0, found {:.6g}", what,
                                 positive ? "above" : "not below", value));
}

void checkGroup(const std::set<std::uint32_t>& groups, std::uint32_t group, std::string_view what) {
  if (!groups.contains(group))
    throw UsageError(fmt::format("--{}: no body is of group {}; groups are {}", what, group,
                                 fmt::join(groups, " ")));
}

ShortestContact setLawParameters(const LawInfo& law, const PackSettings& settings,
                                 const Groups& groups, const Scales& scales, const Load& load,
                                 CompletedConf& result) {
  Conf& conf = result.conf;
  const std::set<std::string> used = keywordsOf(law);
  const auto has = [&](const char* keyword) { return used.contains(keyword); };
  if (settings.kn && !has("knContact")) refuse(law, "--kn", used);
  if (settings.kt && !has("ktContact")) refuse(law, "--kt", used);
  if (settings.young && !has("youngModulus")) refuse(law, "--young", used);
  if (settings.viscT && !has("viscTContact")) refuse(law, "--visct", used);
  for (const auto& [name, setting] : settings.bonds)
    if (!has(name.c_str())) refuse(law, "--bond " + name, used);
  const auto anyOf = [](const PairSetting& s) { return s.general != 0.0 || !s.special.empty(); };
  if (!has("krContact") && (anyOf(settings.kr) || anyOf(settings.mur)))
    refuse(law, anyOf(settings.kr) ? "--kr" : "--mur", used);

  double kn = 0.0;
  if (has("knContact")) kn = setStiffness(settings, groups, scales, load, has("ktContact"), result);
  setParameter(conf, groups, "en2Contact", "en2", settings.en2, false);
  setParameter(conf, groups, "muContact", "mu", settings.mu, false);
  double kr = 0.0;
  if (has("krContact")) {
    kr = setParameter(conf, groups, "krContact", "kr", settings.kr, false);
    setParameter(conf, groups, "murContact", "mur", settings.mur, false);
  }
  for (const auto& [name, setting] : settings.bonds)
    setParameter(conf, groups, name, "bond " + name, setting, false);
  if (has("youngModulus")) return setElasticity(settings, groups, scales, load, result);

  const double mass = 0.5 * scales.mass;  // of two alike; one against a wall swings more slowly
  if (has("viscTContact")) {
    PairSetting viscT;
    if (settings.viscT) {
      viscT = *settings.viscT;
    } else {
      viscT.general = roundedDown(2.0 * std::sqrt(0.8 * kn * mass));
      result.reasons.push_back(fmt::format(
          "viscTContact {:.6g} N s/m: 2 sqrt(0.8 kn m), critical damping of a spring of 0.8 kn "
          "with m = {:.4g} kg",
          viscT.general, mass));
    }
    setParameter(conf, groups, "viscTContact", "visct", viscT, false);
  }
  ShortestContact shortest{
      pi * std::sqrt(mass / kn),
      fmt::format("smallest mass {:.4g} kg, knContact {:.4g} N/m: a contact lasts pi sqrt(m/kn) = "
                  "{:.3g} s with m = {:.4g} kg, resolved in 25 steps or more",
                  scales.mass, kn, pi * std::sqrt(mass / kn), mass)};
  if (const double rolling = pi * std::sqrt(scales.inertia / kr);
      kr > 0.0 && rolling < shortest.time)
    shortest = {
        rolling,
        fmt::format("smallest moment of inertia {:.4g} kg m2, krContact {:.4g} N m: rolling "
                    "to and fro lasts pi sqrt(I/kr) = {:.3g} s, resolved in 25 steps or "
                    "more",
                    scales.inertia, kr, rolling)};
  return shortest;
}

}  // namespace scree::sim
