// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contact_kernel.hpp"
#include "engine/engine.hpp"
#include "engine/world.hpp"
#include "io/conf_values.hpp"
#include "law/all_laws.hpp"
#include "run_monitor.hpp"

#include "scree/base/table.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/measure/extractors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::sim {
namespace {

void checkRestitution(const Simulation& simulation, Diagnostics& diagnostics) {
  const Conf& conf = simulation.input();
  const auto report = [&](const ParseError& error) {
    if (!engineOf(simulation).rules().anyRestitution) throw error;
    diagnostics.warn(error);
  };
  constexpr const char* meaning =
      "expected 0 to 1, the share of the energy that a collision leaves (0.25 for a restitution "
      "coefficient of 0.5)";
  for (const auto& [name, values] : conf.lawParameters) {
    if (!name.starts_with("en2")) continue;
    for (const auto& [groups, v] : values)
      if (!(v >= 0.0 && v <= 1.0)) {
        const std::string row = rowName(name, groups.first, groups.second);
        report(conf.errorAt(conf.places.contains(row) ? row : name,
                            fmt::format("{}: {}; found {}", row, meaning, v)));
      }
  }
  for (const Tempo& tempo : conf.tempos)
    if (tempo.what == Tempo::What::pair && tempo.parameter.starts_with("en2"))
      for (const double value : {tempo.v1, tempo.v2})
        if (!(value >= 0.0 && value <= 1.0))
          report(
              conf.errorAt("Tempo", fmt::format("Tempo of {} {} {}: {}; found {}", tempo.parameter,
                                                tempo.group1, tempo.group2, meaning, value)));
}

/// Calls f(g1, g2) for all pairs of groups whose bodies can meet with a force.
void forPairsThatMeet(const Simulation& simulation,
                      const std::function<void(std::uint32_t, std::uint32_t)>& f) {
  const Bodies& b = simulation.bodies();
  struct Members {
    std::size_t free = 0, all = 0;
  };
  std::map<std::uint32_t, Members> groups;
  for (std::size_t k = 0; k < b.size(); ++k) {
    ++groups[b.group[k]].all;
    groups[b.group[k]].free += k >= b.driven;
  }
  for (const Boundary& boundary : simulation.input().boundaries) ++groups[boundary.group].all;
  const ContactKernel& kernel = engineOf(simulation).kernel();
  for (const auto& [g1, m1] : groups)
    for (const auto& [g2, m2] : groups)
      if (g1 <= g2 && (m1.free > 0 || m2.free > 0) && (g1 != g2 || m1.all > 1) &&
          kernel.missing(kernel.index(g1, g2)).empty())
        f(g1, g2);
}

/// The course in time that a parameter of a pair of groups follows, the last one given, or null.
const Tempo* courseOf(const Conf& conf, std::string_view keyword, std::uint32_t g1,
                      std::uint32_t g2) {
  const Tempo* found = nullptr;
  for (const Tempo& tempo : conf.tempos)
    if (tempo.what == Tempo::What::pair && tempo.parameter == keyword &&
        std::minmax(tempo.group1, tempo.group2) == std::minmax(g1, g2))
      found = &tempo;
  return found;
}

void checkFriction(const Simulation& simulation, Diagnostics& diagnostics) {
  const Conf& conf = simulation.input();
  std::string first;
  std::size_t pairs = 0;
  forPairsThatMeet(simulation, [&](std::uint32_t g1, std::uint32_t g2) {
    if (!conf.findLawParameter("muContact", g1, g2) && !courseOf(conf, "muContact", g1, g2) &&
        pairs++ == 0)
      first = fmt::format("{}-{}", g1, g2);
  });
  if (pairs > 0)
    diagnostics.warn(conf.errorAt(
        "", fmt::format("no muContact for groups {}: they slide without friction; such pairs: {}",
                        first, pairs)));
}

/// Values of a keyword for the pair of groups at hand.
using Values = std::function<double(std::string_view keyword)>;

/// Pairs of parameters: in laws that use both, the first has no effect where the second is 0.
constexpr std::pair<std::string_view, std::string_view> partners[] = {
    {"murContact", "krContact"},
    {"krContact", "murContact"},
    {"muContact", "ktContact"},
    {"muContact", "viscTContact"}};

/// The reason why a parameter changes no force; "" where it does, and for groups without contacts.
std::string whyIdle(std::string_view law, const std::string& keyword, const Values& values,
                    const ParameterSource::OfGroup& ofGroup) {
  if (keyword.ends_with("Bond") && lawNamed(law).bonds == Breakage::noBonds)
    return fmt::format("law {} has no bonds", law);
  // mom0 of other laws is no finding: a file may hold the strengths of bonds for several laws.
  if (keyword.starts_with("mom0") && lawNamed(law).bonds == Breakage::yieldSurface) {
    const std::string turning = "kr" + keyword.substr(4);
    return values(turning) == 0.0 ? turning + " is 0" : "";
  }
  if (!keyword.ends_with("Contact")) return {};
  std::set<std::string, std::less<>> read;
  bool touch = false;
  withLaw(law, [&]<class Law>(const Law&) {
    const Values recorded = [&](std::string_view k) {
      read.emplace(k);
      return values(k);
    };
    touch = Law::missing(Law::parameters(ParameterSource(recorded, ofGroup))).empty();
  });
  if (!touch) return {};
  if (!read.contains(keyword)) return fmt::format("law {} does not use it", law);
  for (const auto& [name, other] : partners)
    if (name == keyword && read.contains(other) && values(other) == 0.0)
      return fmt::format("{} is 0", other);
  return {};
}

void checkTimeStep(const Simulation& simulation, const CriticalStep& critical,
                   Diagnostics& diagnostics) {
  const double dt = simulation.timeStep(), contact = shortestContactTime(simulation);
  std::string message;
  if (dt > critical.dt)
    message = fmt::format(
        "dt = {:.4g} is {:.3g} times the critical time step {:.4g} of {}: the run may be unstable",
        dt, dt / critical.dt, critical.dt,
        critical.body ? fmt::format("body {} with contacts: {}", *critical.body, critical.contacts)
                      : "the lightest bodies");
  else if (contact < leastStepsPerContact * dt)
    message = fmt::format(
        "dt = {:.4g} gives {:.2g} steps to the shortest contact of {:.4g}: bounces will gain or "
        "lose energy",
        dt, contact / dt, contact);
  if (!message.empty()) diagnostics.warn(simulation.input().errorAt("dt", message));
}

void checkOverlaps(const Simulation& simulation, Diagnostics& diagnostics) {
  const Overlaps o = overlapsOf(simulation);
  if (o.deep == 0) return;
  diagnostics.warn(simulation.input().errorAt(
      "Particles",
      fmt::format(
          "{} overlap by {:.3g} at the start, {:.3g} % of the size of the smaller one; contacts "
          "deeper than {:.0f} %: {}",
          pairName(o.i, o.j), o.worstDepth, 100.0 * o.worst, 100.0 * deepOverlap, o.deep)));
}

}  // namespace

std::vector<BodyId> endlessFalls(const Simulation& simulation) {
  const Conf& conf = simulation.input();
  const Bodies& b = simulation.bodies();
  const double g = conf.gravity.norm();
  if (!(g > 0.0) || conf.bodyForce || !conf.joints.empty()) return {};
  std::vector<BodyId> fall;
  if (conf.cell.used) {  // without a floor all fall, whatever they touch
    const bool floats = conf.cell.momentumCorrection > 0.0 || conf.cell.velocityCorrection > 0.0;
    if (b.driven == 0 && conf.boundaries.empty() && !floats)
      for (BodyId k = 0; k < b.size(); ++k) fall.push_back(k);
    return fall;
  }
  if (!simulation.bonds().empty()) return {};
  const Vec3 down = conf.gravity / g;
  for (const Boundary& wall : conf.boundaries) {
    const double along = std::abs(wall.axis.dot(down));
    const bool upright = wall.kind == Boundary::Kind::plane      ? along < 1e-9
                         : wall.kind == Boundary::Kind::cylinder ? along > 1.0 - 1e-9
                                                                 : false;
    if (!upright) return {};
  }
  shape::Aabb driven;
  for (std::size_t k = 0; k < b.driven; ++k)
    driven.add(boundingBox(simulation.shapes()[b.shape[k]], b.pos[k], b.q[k], b.homothety[k]));
  std::vector<char> touches(b.size(), 0);
  forEachTouchingPair(simulation, [&](const NeighbourPair& pair, const PairPool& pool) {
    if (pool.touching(pair).first > 0) touches[pair.a] = touches[pair.b] = 1;
  });
  for (std::size_t k = b.driven; k < b.size(); ++k) {
    if (touches[k]) continue;
    const shape::Aabb box = driven.grown(0.5 * bodySize(b, simulation.shapes(), k));
    const Vec3 sideways = b.vel[k] - down * down.dot(b.vel[k]);
    const bool returns = sideways.dot(driven.centre() - b.pos[k]) > 0.0;
    if (b.driven == 0 || (!returns && hasLeft(box, {}, conf.gravity, b.pos[k])))
      fall.push_back(simulation.bodyOrder().number(k));
  }
  std::sort(fall.begin(), fall.end());
  return fall;
}

std::vector<IdleParameter> idleParameters(const Conf& conf) {
  std::vector<IdleParameter> idle;
  const LawInfo law = lawNamed(conf.forceLaw);
  for (const auto& [name, rows] : conf.lawParameters) {
    for (const auto& [groups, value] : rows) {
      if (value == 0.0) continue;
      const std::uint32_t g1 = groups.first, g2 = groups.second;
      const Values values = [&](std::string_view k) {
        if (const Tempo* course = courseOf(conf, k, g1, g2))
          return std::max(course->v1, course->v2);
        return conf.lawParameter(std::string(k), g1, g2);
      };
      const std::string why = whyIdle(law.name, name, values, [&](std::string_view k, bool first) {
        return conf.groupParameter(k, first ? g1 : g2);
      });
      if (why.empty()) continue;
      const std::string place = rowName(name, g1, g2);
      idle.push_back({conf.places.contains(place) ? place : name,
                      fmt::format("{} has no effect for groups {}-{}: {}", name, g1, g2, why)});
      break;  // other groups mostly have the same reason
    }
  }
  std::set<std::string, std::less<>> ofGroups;  // parameters of groups that the law uses
  withLaw(law.name, [&]<class Law>(const Law&) {
    Law::parameters(ParameterSource([](std::string_view) { return 1.0; },
                                    [&](std::string_view keyword, bool) {
                                      ofGroups.emplace(keyword);
                                      return 0.5;
                                    }));
  });
  for (const auto& [name, rows] : conf.groupParameters)
    if (!rows.empty() && !ofGroups.contains(name))
      idle.push_back(
          {name, fmt::format("{} has no effect: law {} does not use it", name, law.name)});
  for (const auto& [barrier, exponent, name] :
       {std::tuple(conf.velocityBarrier, conf.velocityBarrierExponent, "VelocityBarrier"),
        std::tuple(conf.angularVelocityBarrier, conf.angularVelocityBarrierExponent,
                   "AngularVelocityBarrier")})
    if (barrier == 0.0 && exponent != 1.0)
      idle.push_back({name + std::string("Exponent"),
                      fmt::format("{0}Exponent has no effect: {0} is 0", name)});
  if (conf.glueWithWalls && conf.nDriven == 0)
    idle.push_back({"glue_with_walls", "glue_with_walls has no effect: no body is driven"});
  return idle;
}

CriticalStep checkStart(const Simulation& simulation, bool begins, Diagnostics& diagnostics) {
  const Conf& conf = simulation.input();
  checkRestitution(simulation, diagnostics);
  checkFriction(simulation, diagnostics);
  for (const IdleParameter& idle : idleParameters(conf))
    diagnostics.warn(conf.errorAt(idle.row, idle.message));
  if (conf.tmax < simulation.time())
    diagnostics.warn(conf.errorAt("tmax", fmt::format("tmax = {} is before t = {}: nothing to run",
                                                      conf.tmax, tableTime(simulation.time()))));
  const CriticalStep critical = criticalStep(simulation);
  checkTimeStep(simulation, critical, diagnostics);
  if (!begins) return critical;
  checkOverlaps(simulation, diagnostics);
  if (const Crossings found = straddlesOf(simulation); found.pairs > 0)
    diagnostics.warn(conf.errorAt(
        "Particles", fmt::format("{} pass through each other at the start; such pairs: {}",
                                 pairName(found.i, found.j), found.pairs)));
  const std::vector<BodyId> fall = endlessFalls(simulation);
  if (!fall.empty() && (conf.nDriven + conf.boundaries.size() > 0 || conf.cell.used))
    diagnostics.warn(conf.errorAt(
        "gravity", fmt::format("body {} falls for ever along gravity: nothing below can stop it; "
                               "such bodies: {}",
                               fall.front(), fall.size())));
  return critical;
}

}  // namespace scree::sim
