// SPDX-License-Identifier: GPL-3.0-or-later
#include "targets.hpp"

#include "body_targets.hpp"
#include "sphere_targets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::tools {
namespace {

std::vector<ConvertedFile> toShapePack(const clump::ShapePack& pack, const Target& target,
                                       const ConvertOptions& options, Losses& losses,
                                       Diagnostics&) {
  reportNames(options, target, losses);
  if (!options.densityGiven) return {{"", clump::shapePackText(pack)}};
  clump::ShapePack dense = pack;
  for (clump::PackParticle& p : dense.particles)
    if (!p.carried().density) clump::setDensity(p.carried(), options.density);
  return {{"", clump::shapePackText(dense)}};
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all{
      {.name = "shapepack",
       .everything = true,
       .mass = true,
       .density = true,
       .cell = true,
       .ids = true,
       .commentAfter = 0,
       .write = toShapePack},
      {.name = "conf",
       .ending = ".conf",
       .mass = true,
       .density = true,
       .cell = true,
       .group = true,
       .names = true,
       .ownRadii = true,
       .bonds = true,
       .severalFiles = true,
       .filesNameOther = true,
       .commentAfter = 1,
       .write = toConf},
      {.name = "shp",
       .ending = ".shp",
       .mass = true,
       .names = true,
       .ownRadii = true,
       .commentAfter = 0,
       .write = toShapes},
      {.name = "exadem",
       .mass = true,
       .places = false,
       .names = true,
       .filesNameOther = true,
       .commentAfter = 0,
       .write = toShapes},
      {.name = "yade",
       .severalFiles = true,
       .filesNameOther = true,
       .commentAfter = 1,
       .write = toSpheres,
       .writeSpheres = yadeFiles},
      {.name = "csv", .ending = ".csv", .ids = true, .write = toSpheres, .writeSpheres = csvFiles},
      {.name = "lammps",
       .mass = true,
       .density = true,
       .cell = true,
       .severalFiles = true,
       .filesNameOther = true,
       .commentAfter = 1,
       .write = toSpheres,
       .writeSpheres = lammpsFiles},
      {.name = "liggghts",
       .mass = true,
       .density = true,
       .places = false,
       .filesNameOther = true,
       .commentAfter = 0,
       .write = toSpheres,
       .writeSpheres = liggghtsFiles},
  };
  return all;
}

std::vector<std::string_view> targetNames() {
  std::vector<std::string_view> names;
  for (const Target& target : targets()) names.push_back(target.name);
  return names;
}

const Target& targetNamed(const std::string& format, std::string_view option) {
  const std::vector<Target>& all = targets();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Target& target) { return target.name == format; });
  if (found != all.end()) return *found;
  const std::vector<std::string_view> names = targetNames();
  throw UsageError(fmt::format("{} {}: unknown format{}; available: {}", option, shown(format),
                               suggestion(format, names), fmt::join(names, ", ")));
}

void checkSomethingLeft(std::size_t left, const ConvertOptions& options) {
  if (left == 0)
    throw ModelError(
        fmt::format("{} {}: no particle is left to write", options.toOption, options.to));
}

}  // namespace scree::tools
