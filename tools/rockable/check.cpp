// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"

#include "scree/sim/law/restitution.hpp"
#include "scree/sim/run.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace scree::tools {
namespace {

/// The shortest period of a contact: π √(m/kn) over all pairs of groups that can meet, with the
/// least mass of each. A time step should be a small share of it.
double shortestContact(const sim::Simulation& simulation) {
  const sim::Bodies& b = simulation.bodies();
  std::map<std::uint32_t, double> least;  // mass, by group; driven bodies are infinitely heavy
  for (std::size_t k = 0; k < b.size(); ++k) {
    const double mass = k < b.driven ? std::numeric_limits<double>::infinity() : b.mass[k];
    auto [at, isNew] = least.try_emplace(b.group[k], mass);
    at->second = std::min(at->second, mass);
  }
  double shortest = std::numeric_limits<double>::infinity();
  for (const auto& [g1, m1] : least)
    for (const auto& [g2, m2] : least) {
      const double kn = simulation.input().lawParameter("knContact", g1, g2);
      const double inverse = 1.0 / m1 + 1.0 / m2;
      if (kn > 0.0 && inverse > 0.0)
        shortest = std::min(shortest, pi * std::sqrt(1.0 / inverse / kn));
    }
  return shortest;
}

/// Pairs of groups that can meet with an `en2Contact`: what it asks for and what comes out.
struct Restitution {
  std::uint32_t g1, g2;
  double nominal, effective;
};
std::vector<Restitution> restitutions(const sim::Simulation& simulation) {
  const sim::Bodies& b = simulation.bodies();
  const std::set<std::uint32_t> all(b.group.begin(), b.group.end()),
      moving(b.group.begin() + b.driven, b.group.end());
  std::vector<Restitution> rows;
  const sim::Conf& conf = simulation.input();
  for (const std::uint32_t g1 : all)
    for (const std::uint32_t g2 : all) {
      if (g1 > g2 || !(moving.contains(g1) || moving.contains(g2))) continue;
      if (!(conf.lawParameter("knContact", g1, g2) > 0.0)) continue;
      const double en2 = conf.lawParameter("en2Contact", g1, g2);
      rows.push_back({g1, g2, std::sqrt(std::clamp(en2, 0.0, 1.0)),
                      sim::effectiveRestitution(conf.forceLaw, en2)});
    }
  return rows;
}

}  // namespace

std::string checkReport(const sim::Simulation& simulation, const RockableOptions& options) {
  const sim::Conf& conf = simulation.input();
  const sim::Bodies& b = simulation.bodies();
  double mass = 0.0, overlap = 0.0;
  for (std::size_t k = b.driven; k < b.size(); ++k) mass += b.mass[k];
  const auto contacts = simulation.interactions();
  for (const auto& r : contacts) overlap = std::max(overlap, -r.dn);
  const std::uint64_t steps = sim::stepsUntil(simulation.time(), conf.tmax, conf.dt);
  std::uint64_t files = 0;
  if (steps > 0 && conf.tmax > simulation.time())
    files = static_cast<std::uint64_t>((conf.tmax - simulation.time()) / conf.interConf + 0.5);
  const double period = shortestContact(simulation);
  const bool knowsPeriod = std::isfinite(period);
  const std::vector<Restitution> bounces = restitutions(simulation);

  if (options.common.json) {
    nlohmann::ordered_json j;
    j["schema"] = 1;
    j["bodies"] = b.size();
    j["driven"] = b.driven;
    j["mass"] = mass;
    j["forceLaw"] = conf.forceLaw;
    j["contacts"] = contacts.size();
    j["largestOverlap"] = overlap;
    j["dt"] = conf.dt;
    j["steps"] = steps;
    j["confFiles"] = files;
    j["contactPeriod"] = knowsPeriod ? nlohmann::ordered_json(period) : nlohmann::ordered_json();
    j["stepsPerContact"] =
        knowsPeriod ? nlohmann::ordered_json(period / conf.dt) : nlohmann::ordered_json();
    j["restitution"] = nlohmann::ordered_json::array();
    for (const Restitution& r : bounces)
      j["restitution"].push_back(
          {{"groups", {r.g1, r.g2}}, {"nominal", r.nominal}, {"effective", r.effective}});
    j["stateBytes"] = simulation.memoryBytes();
    return j.dump(1) + "\n";
  }
  std::string out;
  out += fmt::format("bodies          {} ({} driven), {:.6g} mass that moves\n", b.size(), b.driven,
                     mass);
  out += fmt::format("law             {}\n", conf.forceLaw);
  out += fmt::format("contacts        {} at the start, deepest overlap {:.3g}\n", contacts.size(),
                     overlap);
  if (knowsPeriod)
    out += fmt::format(
        "time step       {:.3g}, {:.1f} to the shortest contact of {:.3g}{}\n", conf.dt,
        period / conf.dt, period,
        period / conf.dt < 10.0 ? "; fewer than 10 are too few for an accurate bounce" : "");
  else
    out += fmt::format("time step       {:.3g}\n", conf.dt);
  constexpr std::size_t mostBounces = 5;
  for (std::size_t k = 0; k < std::min(bounces.size(), mostBounces); ++k) {
    const Restitution& r = bounces[k];
    out += fmt::format(
        "restitution     groups {}-{}: {:.3g} asked for by en2Contact, {:.3g} comes out\n", r.g1,
        r.g2, r.nominal, r.effective);
  }
  if (bounces.size() > mostBounces)
    out +=
        fmt::format("                and {} more pairs of groups\n", bounces.size() - mostBounces);
  out += fmt::format("steps           {} from t = {} to {}\n", steps, simulation.time(), conf.tmax);
  out += fmt::format("outputs         {} conf-files after conf{}, in {}\n", files, conf.iconf,
                     options.folder);
  out += fmt::format("state           {:.2f} MB\n",
                     static_cast<double>(simulation.memoryBytes()) * 1e-6);
  return out;
}

}  // namespace scree::tools
