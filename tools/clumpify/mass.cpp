// SPDX-License-Identifier: GPL-3.0-or-later
#include "input.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/base/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace scree::tools {
namespace {

using Method = clump::ClumpMassOptions::Method;

struct MassVerbOptions {
  std::string input, output = "-", method = "auto";
  clump::ClumpMassOptions mass;
  clump::SharedNodes shared = clump::SharedNodes::particle;
};

const std::map<std::string, Method> methods{
    {"auto", Method::automatic}, {"exact", Method::exact},   {"sum", Method::sum},
    {"grid", Method::grid},      {"octree", Method::octree}, {"all", Method::automatic}};

std::vector<clump::ParticleMass> masses(const MassVerbOptions& options, Diagnostics& diagnostics) {
  const clump::ShapePack pack = packFrom(options.input, options.shared, diagnostics);
  clump::ClumpMassOptions mass = options.mass;
  mass.method = methods.at(options.method);
  auto first = inFile(options.input, [&] { return clump::packMasses(pack, mass); });
  if (options.method != "all") {
    const auto given = std::ranges::count(first, "given", &clump::ParticleMass::method);
    if (given > 0 && mass.method != Method::automatic)
      diagnostics.note(fmt::format(
          "--method {}: {} of {} particles carry given mass properties, which count instead",
          options.method, given, first.size()));
    return first;
  }
  std::vector<std::vector<std::optional<clump::ParticleMass>>> others;
  for (const char* name : {"sum", "grid", "octree"}) {
    mass.method = methods.at(name);
    std::string refusal;
    others.push_back(clump::possibleMasses(pack, mass, &refusal));
    if (!refusal.empty())
      diagnostics.note(
          fmt::format("{}: left out where it does not apply, first: {}", name, refusal));
  }
  std::vector<clump::ParticleMass> all;
  for (std::size_t k = 0; k < first.size(); ++k) {
    all.push_back(first[k]);
    // A method that has no choice, for a single shape or given properties, appears once.
    for (const auto& column : others)
      if (column[k] && column[k]->method != first[k].method) all.push_back(*column[k]);
  }
  return all;
}

/// A line a particle, for people.
std::string massTable(const std::vector<clump::ParticleMass>& particles, double density) {
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
  return out +
         "\nLengths L in the unit of the file; volume L³; masses in the unit of the density times "
         "L³, moments in that times L²\n";
}

}  // namespace

std::string massJson(const std::vector<clump::ParticleMass>& particles, double density) {
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
    if (const auto& b = p.bound; !b) {
      json.null();
    } else {
      json.beginObject().member("volume", b->volume).member("centre", b->centre);
      json.member("inertia", b->inertia).end();
    }
    if (const auto& boxes = p.octree) {
      json.key("boxes").beginObject().member("inside", boxes->inside);
      json.member("undecided", boxes->undecided).end();
    }
    json.end();
  }
  json.newLine().end();
  return json.end().take() + "\n";
}

Verb addMassVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<MassVerbOptions>();
  CLI::App& verb =
      addVerb(app, "mass", "Print volume, mass, centre and inertia of each particle of a ShapePack",
              "  printf '0 Sphere 0 0 0 1\\n0 Sphere 0 0 1.2 0.8\\n' > pack.txt\n"
              "  clumpify mass pack.txt --density 2600 --json\n"
              "  clumpify mass pack.txt --method sum -o sums.txt");
  verb.add_option("PACK", options->input,
                  "Pack, sphere table, conf-file or shape-file; - is standard input")
      ->required();
  verb.add_option("--density", options->mass.density,
                  "Density of particles without one, in the units of the file")
      ->check(positiveNumber())
      ->capture_default_str();
  verb.add_option(
          "--method", options->method,
          "With auto, shared volume counts once, in closed form or with a certified bound. With "
          "exact, a particle without closed form is refused. With sum, members are added up. Woo "
          "uses grid, and PFC octree. With all, the results of all methods are printed")
      ->check(CLI::IsMember(methods))
      ->option_text("auto|exact|sum|grid|octree|all")
      ->capture_default_str();
  addFromNan(verb, options->shared);
  addOutput(verb, options->output);
  const CLI::Option* divisions = verb.add_option("--divisions", options->mass.divisions,
                                                 "With grid: cells per smallest radius (default 5)")
                                     ->check(numberFrom(1, 10'000));
  const CLI::Option* tolerance =
      verb.add_option("--tolerance", options->mass.tolerance,
                      "With auto: allowed relative error of a certified volume; with octree: "
                      "largest change of the extrapolated volume in the last step (default 1e-5)")
          ->check(numberFrom(1e-11, 0.999));
  return {&verb, [options, tolerance, divisions, &common] {
            const std::string& method = options->method;
            if (tolerance->count() > 0 && method != "auto" && method != "octree" && method != "all")
              throw UsageError("--tolerance belongs to --method auto, octree and all");
            if (divisions->count() > 0 && method != "grid" && method != "all")
              throw UsageError("--divisions belongs to --method grid and all");
            checkFiles({options->input}, {options->output}, common);
            Diagnostics diagnostics(common.strict);
            options->mass.threads = threadCount(common.jobs);
            const auto particles = masses(*options, diagnostics);
            const double density = options->mass.density;
            const std::string result =
                common.json ? massJson(particles, density) : massTable(particles, density);
            printWarnings(diagnostics, common);
            writeFile(options->output, result, common.existing());
            return 0;
          }};
}

}  // namespace scree::tools
