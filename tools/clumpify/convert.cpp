// SPDX-License-Identifier: GPL-3.0-or-later
#include "convert.hpp"

#include "input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace scree::tools {
namespace {

/// What the command line names; the first is what this version reads and writes.
constexpr std::array<std::string_view, 9> formats{
    "shapepack", "shp", "liggghts", "lammps", "yade", "chrono", "mercury", "exadem", "csv"};

void checkFormat(const std::string& name, std::string_view option) {
  if (name == formats.front()) return;
  if (std::find(formats.begin(), formats.end(), name) != formats.end())
    throw UsageError(
        fmt::format("{} {}: this format is not available yet; available: shapepack", option, name));
  throw UsageError(fmt::format("{} {}: unknown format{}; available: shapepack", option, name,
                               suggestion(name, formats)));
}

}  // namespace

std::string converted(const ConvertOptions& options, Diagnostics& diagnostics) {
  checkFormat(options.from, "--from");
  checkFormat(options.to, "--to");
  return clump::shapePackText(packFrom(options.input, diagnostics, options.fromNan));
}

}  // namespace scree::tools
