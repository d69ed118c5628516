// SPDX-License-Identifier: GPL-3.0-or-later
#include "convert.hpp"

#include "blocks.hpp"
#include "input.hpp"
#include "losses.hpp"
#include "targets.hpp"

#include "scree/clump/pack_transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace scree::tools {
namespace {

constexpr std::array<std::string_view, 6> sourceNames{"auto", "shapepack", "conf",
                                                      "shp",  "yade",      "csv"};

void checkSource(const std::string& name) {
  if (std::find(sourceNames.begin(), sourceNames.end(), name) == sourceNames.end())
    throw UsageError(fmt::format("--from {}: unknown format{}; available: {}", shown(name),
                                 suggestion(name, sourceNames), fmt::join(sourceNames, ", ")));
}

/// Without balls that would only double contacts and counts.
clump::ShapePack withoutSwallowed(const clump::ShapePack& pack, Losses& losses) {
  clump::ShapePack clean = pack;
  std::size_t dropped = 0;
  for (clump::PackParticle& p : clean.particles) dropped += clump::dropSwallowed(p);
  losses.minor(
      fmt::format("{} sphere(s) lie wholly inside others of their clump, or equal them, and add "
                  "nothing; they are left out",
                  dropped));
  return clean;
}

bool hasSwallowed(const clump::ShapePack& pack) {
  return std::any_of(pack.particles.begin(), pack.particles.end(),
                     [](const auto& p) { return !clump::swallowedBalls(p).empty(); });
}

}  // namespace

void checkName(const ConvertOptions& options) {
  if (!targetNamed(options.to, options.toOption).filesNameOther) return;
  if (options.name.find_first_of(" \t\r\n\v\f'\"\\#$&") != std::string::npos)
    throw UsageError(
        fmt::format("-o {}: files of this format name each other, so blanks, quotes, \\, #, $ and "
                    "& are not allowed; use letters, digits, '-', '_' and '.'",
                    shown(options.name)));
}

void refuseStandardOutput(const std::string& format) {
  throw UsageError(fmt::format("{}: this format has several files: -o NAME names them", format));
}

std::vector<ConvertedFile> written(const clump::ShapePack& pack, const ConvertOptions& options,
                                   Diagnostics& diagnostics) {
  const Target& target = targetNamed(options.to, options.toOption);
  checkName(options);
  Losses losses(options, diagnostics);
  if (target.everything) return target.write(pack, target, options, losses, diagnostics);
  checkSomethingLeft(pack.particles.size(), options);
  if (!hasSwallowed(pack)) return target.write(pack, target, options, losses, diagnostics);
  return target.write(withoutSwallowed(pack, losses), target, options, losses, diagnostics);
}

std::vector<ConvertedFile> converted(const ConvertOptions& options, Diagnostics& diagnostics) {
  checkSource(options.from);
  checkName(options);  // before anything is read
  bool lost = false;
  const auto mayLose = [&](std::int64_t) { return lost = options.lossy; };
  ConvertOptions named = options;
  const clump::ShapePack pack =
      blocksFrom(options.input, options.fromNan, diagnostics, options.from, mayLose,
                 {.forms = {.facets = true, .plates = true},
                  .remedy = "; " + options.remedy,
                  .names = &named.shapeNames});
  // Names that are made from IDs anyway are not lost.
  std::erase_if(named.shapeNames,
                [](const auto& n) { return n.second == fmt::format("particle{}", n.first); });
  if (lost) checkSomethingLeft(pack.particles.size(), options);
  return inFile(options.input, [&] { return written(pack, named, diagnostics); });
}

void writeConverted(const std::vector<ConvertedFile>& files, const std::string& output,
                    const std::string& format, Existing existing) {
  if (output == "-" && files.size() > 1) refuseStandardOutput(format);
  for (const ConvertedFile& f : files) checkMayWrite(output + f.suffix, existing);
  for (const ConvertedFile& f : files) writeFile(output + f.suffix, f.text, existing);
}

}  // namespace scree::tools
