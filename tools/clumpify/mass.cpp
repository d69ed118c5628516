// SPDX-License-Identifier: GPL-3.0-or-later
#include "mass.hpp"

#include "input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace scree::tools {

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
  if (found == methods.end())
    throw UsageError(
        fmt::format("--method {}: expected auto, exact, sum, grid or octree", options.method));
  if (!(options.tolerance >= 1e-11 && options.tolerance < 1.0))
    throw UsageError(fmt::format("--tolerance {:g}: expected a number from 1e-11 to below 1",
                                 options.tolerance));
  if (options.divisions < 1 || options.divisions > 10'000)
    throw UsageError(
        fmt::format("--divisions {}: expected a number from 1 to 10000", options.divisions));
  return clump::packMasses(packFrom(options.input, diagnostics), {.method = found->second,
                                                                  .tolerance = options.tolerance,
                                                                  .divisions = options.divisions,
                                                                  .threads = options.threads});
}

std::string massTable(const std::vector<clump::ParticleMass>& particles, double density) {
  std::string out =
      fmt::format("{:>8} {:<9} {:>7} {:>13} {:>13}  {:^41}  {:^41}  {}\n", "id", "kind", "spheres",
                  "volume", "mass", "centre", "principal moments", "method");
  double volume = 0.0;
  for (const clump::ParticleMass& p : particles) {
    const mass::SolidProperties& s = p.solid;
    const double m = density * s.volume;
    const Vec3 principal = m * mass::principalFrame(s.inertiaPerMass).moments;
    volume += s.volume;
    out += fmt::format(
        "{:>8} {:<9} {:>7} {:>13.7g} {:>13.7g}  {:>13.6g} {:>13.6g} {:>13.6g}  "
        "{:>13.6g} {:>13.6g} {:>13.6g}  {}\n",
        p.id, p.kind, p.spheres, s.volume, m, s.centre.x(), s.centre.y(), s.centre.z(),
        principal.x(), principal.y(), principal.z(), p.method);
  }
  out += fmt::format("{:>8} {:<9} {:>7} {:>13.7g} {:>13.7g}  {} particles, density {:.7g}\n",
                     "total", "", "", volume, density * volume, particles.size(), density);
  return out;
}

std::string massJson(const std::vector<clump::ParticleMass>& particles, double density) {
  std::string out = "{\"schema\":1,\"particles\":[";
  bool first = true;
  for (const clump::ParticleMass& p : particles) {
    const mass::SolidProperties& s = p.solid;
    const double m = density * s.volume;
    const mass::PrincipalFrame frame = mass::principalFrame(s.inertiaPerMass);
    Json j;
    j["id"] = p.id;
    j["kind"] = p.kind;
    j["spheres"] = p.spheres;
    j["volume"] = s.volume;
    j["mass"] = m;
    j["centre"] = jsonArray(s.centre);
    j["inertiaTensor"] = jsonRows(m * s.inertiaPerMass);
    j["principal"] = jsonArray(m * frame.moments);
    j["orientation"] = jsonQuat(frame.orientation);
    j["method"] = p.method;
    if (p.bound)
      j["bound"] = {
          {"volume", p.bound->volume}, {"centre", p.bound->centre}, {"inertia", p.bound->inertia}};
    else
      j["bound"] = nullptr;
    out += first ? "\n" : ",\n";
    out += j.dump();
    first = false;
  }
  return out + "\n]}\n";
}

}  // namespace scree::tools
