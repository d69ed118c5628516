// SPDX-License-Identifier: GPL-3.0-or-later
#include "mass.hpp"

#include "input.hpp"

#include "scree/base/json_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace scree::tools {

namespace {

/// How a search by boxes ended, for JSON.
std::string_view endOf(const mass::OctreeBounds& octree) {
  using Stop = mass::OctreeBounds::Stop;
  switch (octree.stop) {
    case Stop::decided:
      return "decided";
    case Stop::tolerance:
      return "tolerance";
    case Stop::boxes:
      return "cap";
    case Stop::level:
      return "level";
  }
  return "";
}

/// Says for how many particles the tolerance was not reached, and what came before it.
void noteUnreached(const std::vector<clump::ParticleMass>& particles, double tolerance,
                   Diagnostics& diagnostics) {
  std::size_t all = 0, unreached = 0;
  double change = 0.0;
  std::set<std::string> limits;
  for (const clump::ParticleMass& p : particles) {
    if (!p.octree) continue;
    ++all;
    if (p.octree->reached()) continue;
    ++unreached;
    limits.insert(limitOf(*p.octree, clump::octreeBoxes));
    change = std::max(change, p.octree->change);
  }
  if (unreached > 0)
    diagnostics.note(
        fmt::format("octree: {} ended the search for {} of {} particles before the tolerance "
                    "{:.2g}; their last "
                    "level changed the volume by {:.2g} at most, relative",
                    fmt::join(limits, " or "), unreached, all, tolerance, change));
}

/// Says for how many particles a method does not apply, and why.
void noteUnfit(const std::vector<clump::PossibleMass>& particles, std::string_view method,
               Diagnostics& diagnostics) {
  const auto unfit = [](const clump::PossibleMass& p) { return !p.mass; };
  const auto count = std::ranges::count_if(particles, unfit);
  if (count > 0)
    diagnostics.note(fmt::format("{}: left out for {} of {} particles, first: {}", method, count,
                                 particles.size(),
                                 std::ranges::find_if(particles, unfit)->refusal));
}

/// A requested method does not apply where mass properties are given.
void noteGiven(const std::vector<clump::ParticleMass>& particles, std::string_view method,
               Diagnostics& diagnostics) {
  const auto given = std::count_if(particles.begin(), particles.end(),
                                   [](const auto& p) { return p.method == "given"; });
  if (given > 0)
    diagnostics.note(
        fmt::format("--method {}: {} of {} particles carry given mass properties, which count "
                    "instead; without volume=, mass=, position= and inertia= in its #@ line, a "
                    "particle has those of its shapes",
                    method, given, particles.size()));
}

/// What a list of particles has together. Members that are not clumped are bodies of their own.
struct Total {
  std::size_t particles = 0, bodies = 0;
  double volume = 0.0, mass = 0.0;
  std::array<double, 2> density{INFINITY, 0.0}, equivRad = density, boundRad = density;
};

Total totalOf(const std::vector<clump::ParticleMass>& particles, double density) {
  Total t;
  const auto widen = [](std::array<double, 2>& range, double value) {
    range = {std::min(range[0], value), std::max(range[1], value)};
  };
  t.bodies = particles.size();
  for (const clump::ParticleMass& p : particles) {
    if (p.member.value_or(0) == 0) ++t.particles;
    const double own = p.density.value_or(density);
    t.volume += p.solid.volume;
    t.mass += own * p.solid.volume;
    widen(t.density, own);
    widen(t.equivRad, p.equivRad());
    widen(t.boundRad, p.boundRad);
  }
  return t;
}

/// Numbers that a method does not use are refused, as by create.
void checkNumbers(const MassOptions& options) {
  const std::string& method = options.method;
  if (options.tolerance && method != "auto" && method != "octree" && method != "all")
    throw UsageError("--tolerance belongs to --method auto, octree and all");
  if (options.divisions && method != "grid" && method != "all")
    throw UsageError("--divisions belongs to --method grid and all");
  if (options.tolerance && !(*options.tolerance >= 1e-11 && *options.tolerance < 1.0))
    throw UsageError(fmt::format("--tolerance {:g}: expected a number from 1e-11 to below 1",
                                 *options.tolerance));
  if (options.divisions && (*options.divisions < 1 || *options.divisions > 10'000))
    throw UsageError(
        fmt::format("--divisions {}: expected a number from 1 to 10000", *options.divisions));
}

}  // namespace

std::string limitOf(const mass::OctreeBounds& octree, std::size_t allowed) {
  if (octree.stop == mass::OctreeBounds::Stop::level) return "the smallest box";
  return fmt::format("the cap of {} boxes", allowed);
}

std::vector<clump::ParticleMass> masses(const MassOptions& options, Diagnostics& diagnostics) {
  using Method = clump::ClumpMassOptions::Method;
  constexpr std::array<std::pair<std::string_view, Method>, 5> methods{
      {{"auto", Method::automatic},
       {"exact", Method::exact},
       {"sum", Method::sum},
       {"grid", Method::grid},
       {"octree", Method::octree}}};
  const auto found = std::find_if(methods.begin(), methods.end(),
                                  [&](const auto& m) { return m.first == options.method; });
  if (found == methods.end() && options.method != "all")
    throw UsageError(
        fmt::format("--method {}: expected auto, exact, sum, grid, octree or all", options.method));
  checkNumbers(options);
  clump::ClumpMassOptions common{.density = options.density, .threads = options.threads};
  if (options.tolerance) common.tolerance = *options.tolerance;
  if (options.divisions) common.divisions = *options.divisions;
  const clump::ShapePack pack = packFrom(options.input, diagnostics, options.fromNan);
  const auto by = [&](Method method) {
    common.method = method;
    auto result = inFile(options.input, [&] { return clump::packMasses(pack, common); });
    noteUnreached(result, common.tolerance, diagnostics);
    return result;
  };
  if (options.method != "all") {
    auto result = by(found->second);
    if (found->second != Method::automatic) noteGiven(result, options.method, diagnostics);
    return result;
  }
  const std::vector<clump::ParticleMass> first = by(Method::automatic);
  std::vector<std::vector<clump::PossibleMass>> others;
  for (const auto& [name, method] : methods) {
    if (method == Method::automatic || method == Method::exact) continue;
    common.method = method;
    others.push_back(clump::possibleMasses(pack, common));
    noteUnfit(others.back(), name, diagnostics);
    std::vector<clump::ParticleMass> done;
    for (const clump::PossibleMass& p : others.back())
      if (p.mass) done.push_back(*p.mass);
    noteUnreached(done, common.tolerance, diagnostics);
  }
  std::vector<clump::ParticleMass> all;
  for (std::size_t k = 0; k < first.size(); ++k) {
    all.push_back(first[k]);
    // A method that has no choice, for a single shape or given properties, appears once.
    for (const auto& column : others)
      if (column[k].mass && column[k].mass->method != first[k].method)
        all.push_back(*column[k].mass);
  }
  return all;
}

std::string massTable(const std::vector<clump::ParticleMass>& particles, double density,
                      bool total) {
  std::string out = fmt::format(
      "{:>8} {:<9} {:>7} {:>13} {:>13}  {:^41}  {:^41}  {:>11} {:>11}  {}\n", "id", "kind",
      "spheres", "volume", "mass", "centre", "principal moments", "equivRad", "boundRad", "method");
  for (const clump::ParticleMass& p : particles) {
    const mass::SolidProperties& s = p.solid;
    const double m = p.density.value_or(density) * s.volume;
    const Vec3 principal = m * mass::principalFrame(s.inertiaPerMass).moments;
    out += fmt::format(
        "{:>8} {:<9} {:>7} {:>13.7g} {:>13.7g}  {:>13.6g} {:>13.6g} {:>13.6g}  "
        "{:>13.6g} {:>13.6g} {:>13.6g}  {:>11.6g} {:>11.6g}  {}\n",
        p.id, p.kind, p.spheres, s.volume, m, s.centre.x(), s.centre.y(), s.centre.z(),
        principal.x(), principal.y(), principal.z(), p.equivRad(), p.boundRad, p.method);
  }
  const std::string_view units =
      "\nLengths L in the unit of the file; volume L³; masses in the unit of the density times L³, "
      "moments in that times L²\n";
  if (!total) return out.append(units);
  const Total t = totalOf(particles, density);
  out += fmt::format("{:>8} {:<9} {:>7} {:>13.7g} {:>13.7g}  {} particles", "total", "", "",
                     t.volume, t.mass, t.particles);
  if (t.bodies != t.particles) out += fmt::format(" in {} bodies", t.bodies);
  if (!particles.empty()) {
    out += fmt::format(", density {:.7g}", t.density[0]);
    if (t.density[0] < t.density[1]) out += fmt::format(" to {:.7g}", t.density[1]);
    out += fmt::format(", equivRad {:.7g} to {:.7g}, boundRad {:.7g} to {:.7g}", t.equivRad[0],
                       t.equivRad[1], t.boundRad[0], t.boundRad[1]);
  }
  return out.append("\n").append(units);
}

std::string massJson(const std::vector<clump::ParticleMass>& particles, double density,
                     bool total) {
  JsonWriter json;
  json.beginObject().member("schema", 1).key("particles").beginArray();
  for (const clump::ParticleMass& p : particles) {
    const mass::SolidProperties& s = p.solid;
    const double m = p.density.value_or(density) * s.volume;
    const mass::PrincipalFrame frame = mass::principalFrame(s.inertiaPerMass);
    json.newLine().beginObject().member("id", p.id);
    if (p.member) json.member("member", p.member);
    json.member("kind", p.kind).member("spheres", p.spheres).member("volume", s.volume);
    json.member("mass", m).member("centre", s.centre);
    json.member("inertiaTensor", Mat3(m * s.inertiaPerMass));
    json.member("principal", Vec3(m * frame.moments)).member("orientation", frame.orientation);
    json.member("equivRad", p.equivRad()).member("boundRad", p.boundRad);
    json.member("density", p.density.value_or(density)).member("method", p.method);
    json.key("bound");
    if (p.bound)
      json.beginObject()
          .member("volume", p.bound->volume)
          .member("centre", p.bound->centre)
          .member("inertia", p.bound->inertia)
          .end();
    else
      json.null();
    if (p.octree)
      json.key("boxes")
          .beginObject()
          .member("inside", p.octree->inside)
          .member("undecided", p.octree->undecided)
          .member("cut", p.octree->cut)
          .member("level", p.octree->level)
          .member("change", p.octree->change)
          .member("end", endOf(*p.octree))
          .end();
    json.end();
  }
  json.newLine().end();
  if (total && !particles.empty()) {
    const Total t = totalOf(particles, density);
    json.key("total").beginObject();
    json.member("particles", t.particles).member("bodies", t.bodies);
    json.member("volume", t.volume).member("mass", t.mass);
    json.key("density").list(t.density).key("equivRad").list(t.equivRad);
    json.key("boundRad").list(t.boundRad).end();
  }
  return json.end().take() + "\n";
}

}  // namespace scree::tools
