// SPDX-License-Identifier: GPL-3.0-or-later
#include "convert.hpp"

#include "blocks.hpp"
#include "body_targets.hpp"
#include "input.hpp"
#include "losses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace scree::tools {
namespace {

using Kind = clump::MemberType::Kind;

constexpr std::array<std::string_view, 8> targetNames{"shapepack", "conf", "shp",    "exadem",
                                                      "yade",      "csv",  "lammps", "liggghts"};
constexpr std::array<std::string_view, 6> sourceNames{"auto", "shapepack", "conf",
                                                      "shp",  "yade",      "csv"};

template <std::size_t N>
void checkFormat(const std::string& name, const std::array<std::string_view, N>& known,
                 std::string_view option) {
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw UsageError(fmt::format("{} {}: unknown format{}; available: {}", option, shown(name),
                                 suggestion(name, known), fmt::join(known, ", ")));
}

/// A sphere alone is a uniform ball in these formats: a density of its own gives it its mass.
void giveToBall(SphereBody& b, Losses& losses) {
  const auto& members = b.particle->members;
  if (members.size() > 1) {
    losses.serious(
        fmt::format("particle {} has given mass properties, and its spheres are not clumped",
                    b.particle->id),
        "they are left out");
    return;
  }
  const clump::PackMember& ball = members.front();
  const double r = ball.radius, across = 0.4 * r * r;
  const Mat3 uniform = across * Mat3::Identity();
  constexpr double same = 1e-9;
  const mass::SolidProperties& given = b.mass.solid;
  if ((given.centre - ball.centre).norm() > same * r ||
      (given.inertiaPerMass - uniform).norm() > same * across)
    losses.serious(
        fmt::format("particle {} has a given centre or inertia, and a sphere alone is a uniform "
                    "ball in this format",
                    b.particle->id),
        "they are left out");
  b.density = b.totalMass() / (4.0 / 3.0 * pi * r * r * r);
}

std::vector<ConvertedFile> toSpheres(const clump::ShapePack& pack, const Target& target,
                                     const ConvertOptions& options, Losses& losses) {
  reportPack(pack, options, target.cell, target.density, losses);
  std::vector<SphereBody> bodies;
  for (const clump::PackParticle& p : pack.particles) {
    const auto other = std::find_if(p.members.begin(), p.members.end(),
                                    [](const auto& m) { return m.kind() != Kind::sphere; });
    if (other != p.members.end()) {
      losses.serious(fmt::format("particle {} has a {}, and this format knows spheres only", p.id,
                                 other->type->name),
                     particleLeftOut);
      continue;
    }
    reportParticle(p, {.mass = target.mass, .density = target.density}, losses);
    if (p.unclumped && p.members.size() > 1)
      losses.minor("members that are not clumped become spheres alone; the mark u is left out");
    if (!target.ids) reportId(p, bodies.size(), losses);
    if (target.ids && !bodies.empty() && bodies.back().particle->id == p.id)
      losses.minor("neighbours of the same ID get different ones");
    clump::ShapePack single;
    single.particles = {p};
    single.particles[0].unclumped = false;
    SphereBody b;
    b.particle = &p;
    b.mass = clump::packMasses(single, {.threads = options.threads}).front();
    b.density = p.carried().density.value_or(options.density);
    if (p.carried().given && target.mass && !b.isClump()) giveToBall(b, losses);
    bodies.push_back(std::move(b));
  }
  if (!target.places && std::any_of(bodies.begin(), bodies.end(), [](const SphereBody& b) {
        return b.mass.solid.centre.norm() > 0.0 || b.particle->unclumped;
      }))
    losses.minor("positions have no place in templates and are left out");
  return target.write(bodies, pack, options);
}

}  // namespace

void checkTarget(const std::string& format, std::string_view option) {
  checkFormat(format, targetNames, option);
}

void checkName(const ConvertOptions& options) {
  if (options.to == "shapepack" || options.to == "shp" || options.to == "exadem" ||
      options.to == "csv")
    return;  // files that name no other
  if (options.name.find_first_of(" \t\r\n\v\f'\"\\#$&") != std::string::npos)
    throw UsageError(
        fmt::format("-o {}: files of this format name each other, so blanks, quotes, \\, #, $ and "
                    "& are not allowed; use letters, digits, '-', '_' and '.'",
                    shown(options.name)));
}

bool writesSeveralFiles(const std::string& format) {
  const auto& targets = sphereTargets();
  return format == "conf" || std::any_of(targets.begin(), targets.end(), [&](const Target& t) {
           return t.name == format && t.severalFiles;
         });
}

void refuseStandardOutput(const std::string& format) {
  throw UsageError(fmt::format("{}: this format has several files: -o NAME names them", format));
}

bool holdsMass(const std::string& format) {
  const auto& targets = sphereTargets();
  return std::none_of(targets.begin(), targets.end(),
                      [&](const Target& t) { return t.name == format && !t.mass; });
}

std::vector<ConvertedFile> written(const clump::ShapePack& pack, const ConvertOptions& options,
                                   Diagnostics& diagnostics) {
  checkTarget(options.to, options.toOption);
  checkName(options);
  Losses losses(options, diagnostics);
  if (options.to == "shapepack") {
    if (!options.densityGiven) return {{"", clump::shapePackText(pack)}};
    clump::ShapePack dense = pack;
    for (clump::PackParticle& p : dense.particles)
      if (!p.carried().density) p.carried().density = options.density;
    return {{"", clump::shapePackText(dense)}};
  }
  if (options.to == "conf") return toConf(pack, options, losses, diagnostics);
  if (options.to == "shp" || options.to == "exadem") return toShapes(pack, options, losses);
  const auto& targets = sphereTargets();  // all names that are left
  const auto target = std::find_if(targets.begin(), targets.end(),
                                   [&](const Target& t) { return t.name == options.to; });
  return toSpheres(pack, *target, options, losses);
}

std::vector<ConvertedFile> converted(const ConvertOptions& options, Diagnostics& diagnostics) {
  checkFormat(options.from, sourceNames, "--from");
  checkTarget(options.to, options.toOption);  // before anything is read
  checkName(options);
  const clump::ShapePack pack =
      blocksFrom(options.input, options.fromNan, diagnostics, options.from,
                 [&](std::int64_t) { return options.lossy; },
                 {.forms = {.facets = true, .plates = true}, .remedy = "; " + options.remedy});
  return inFile(options.input, [&] { return written(pack, options, diagnostics); });
}

void writeConverted(const std::vector<ConvertedFile>& files, const std::string& output,
                    const std::string& format, Existing existing) {
  if (output == "-" && files.size() > 1) refuseStandardOutput(format);
  for (const ConvertedFile& f : files) checkMayWrite(output + f.suffix, existing);
  for (const ConvertedFile& f : files) writeFile(output + f.suffix, f.text, existing);
}

}  // namespace scree::tools
