// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/formats.hpp"

#include "clump/member_geometry.hpp"

#include "scree/base/text_writer.hpp"
#include "scree/clump/pack_transform.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::clump {

const std::vector<Format>& formats() {
  constexpr unsigned shapeFile = holdsShapes | holdsMass | holdsNames;
  static const std::vector<Format> all{
      {"shapepack", "", holdsAll | holdsMass | holdsDensity | holdsCell | holdsPlaces | holdsIds,
       0},
      {"conf", ".conf",
       shapeFile | holdsDensity | holdsCell | holdsGroup | holdsPlaces | holdsRadii | severalFiles |
           filesNameOther,
       1},
      {"shp", ".shp", shapeFile | holdsPlaces | holdsRadii, 0},
      {"exadem", "", shapeFile, 0},
      {"yade", "", holdsPlaces | severalFiles | filesNameOther, 1},
      {"csv", ".csv", holdsPlaces | holdsIds},
      {"lammps", "",
       holdsMass | holdsDensity | holdsCell | holdsPlaces | severalFiles | filesNameOther, 1},
      {"liggghts", "", holdsMass | holdsDensity | filesNameOther, 0},
  };
  return all;
}

std::vector<std::string_view> formatNames() { return namesOf(formats()); }

const Format& formatNamed(const std::string& name) {
  for (const Format& format : formats())
    if (format.name == name) return format;
  const std::vector<std::string_view> names = formatNames();
  throw UsageError(fmt::format("unknown format {}{}; available: {}", shown(name),
                               suggestion(name, names), fmt::join(names, ", ")));
}

void Losses::serious(const std::string& what) {
  const std::string complaint = fmt::format("format {}: {}", options_.format, what);
  if (!options_.lossy) throw ModelError(complaint + "; " + options_.remedy);
  diagnostics_.warn(complaint + "; left out");
}

void Losses::minor(const std::string& what, bool isLost) {
  if (isLost && std::ranges::find(minor_, what) == minor_.end()) minor_.push_back(what);
}

void Losses::report() const {
  if (!minor_.empty())
    diagnostics_.warn(fmt::format("format {}: lost: {}", options_.format, fmt::join(minor_, ", ")));
}

void Losses::ofPack(const ShapePack& pack, const Format& format) {
  // Names that are made from IDs anyway are not lost.
  minor("names of shapes",
        !format.has(holdsNames) && std::ranges::any_of(options_.shapeNames, [](const auto& n) {
          return n.second != fmt::format("particle{}", n.first);
        }));
  if (format.has(holdsAll)) return;
  minor("the periodic cell", !format.has(holdsCell) && (pack.cell.array() != 0.0).any());
  minor("the user data", pack.userData.has_value());
  minor("comments", !pack.trailing.empty());
  for (const PackParticle& p : pack.particles)
    for (const PackMember& m : p.members)
      minor("comments", !m.before().empty() || !m.comment().empty());
  minor("the density of --density",
        options_.densityGiven && !format.has(holdsDensity) &&
            std::ranges::any_of(pack.particles, [](auto& p) { return !p.carried().density; }));
}

void Losses::ofParticle(const PackParticle& p, const Format& format) {
  const Carried& c = p.carried();
  const std::size_t held = format.has(holdsGroup) && confGroup(c) ? 1 : 0;
  minor("given mass and inertia", c.given && !format.has(holdsMass));
  minor("densities", c.density && !format.has(holdsDensity));
  minor("groups", c.groups.size() > held || !c.pebbleGroups.empty());
  minor("user keys of #@ lines", !c.others.empty());
}

std::optional<std::uint32_t> confGroup(const Carried& carried) {
  constexpr std::int64_t most = 1'000'000;  // of the format
  for (const PackGroup& g : carried.groups) {
    if (g.slot != confSlot) continue;
    if (const auto number = parseInteger(g.name); number && *number >= 0 && *number <= most)
      return static_cast<std::uint32_t>(*number);
  }
  return std::nullopt;
}

std::string ShapeNames::next(std::int64_t id) {
  const auto given = given_.find(id);
  const std::string base = given != given_.end() ? given->second : fmt::format("particle{}", id);
  for (;;) {
    const std::size_t n = ++count_[base];
    std::string name = n == 1 ? base : fmt::format("{}-{}", base, n);
    if (taken_.insert(name).second) return name;
  }
}

void forEachBody(const ShapePack& pack, Losses& losses,
                 const std::function<void(const PackParticle&)>& work) {
  for (const PackParticle& p : pack.particles) {
    if (!p.unclumped || p.members.size() < 2) {
      work(p);
      continue;
    }
    losses.minor("the mark u, since members that are not clumped become bodies of their own");
    losses.minor("given mass and inertia", p.carried().given.has_value());
    for (std::size_t k = 0; k < p.members.size(); ++k) work(memberAlone(p, k));
  }
}

namespace {

std::vector<FormatFile> shapeFile(const ShapePack& pack, const Format& format,
                                  const WriteOptions& options, Losses& losses) {
  std::vector<shape::Shape> shapes;
  ShapeNames names(options);
  forEachBody(pack, losses, [&](const PackParticle& p) {
    try {
      shapes.push_back(particleShape(p, format.has(holdsRadii)));
      shapes.back().name = names.next(p.id);
    } catch (const GeometryError& error) {
      return losses.serious(error.what());
    }
    losses.ofParticle(p, format);
  });
  if (shapes.empty()) return {};
  for (const shape::Shape& s : shapes)
    losses.minor("positions and orientations",
                 !format.has(holdsPlaces) &&
                     (s.position != Vec3::Zero() || std::fabs(s.orientation.w()) != 1.0));
  return {{"", shape::shapesText(shapes)}};
}

}  // namespace

void checkWriteOptions(const WriteOptions& options) {
  if (!formatNamed(options.format).has(filesNameOther)) return;
  if (options.name.find_first_of(" \t\r\n\v\f'\"\\#$&") != std::string::npos)
    throw UsageError(
        fmt::format("-o {}: files of this format name each other, so blanks, quotes, \\, #, $ and "
                    "& are not allowed; use letters, digits, '-', '_' and '.'",
                    shown(options.name)));
}

std::vector<FormatFile> written(ShapePack pack, const WriteOptions& options,
                                Diagnostics& diagnostics, const ConfWriter& conf) {
  checkWriteOptions(options);
  const Format& format = formatNamed(options.format);
  Losses losses(options, diagnostics);
  losses.ofPack(pack, format);
  std::vector<FormatFile> files;
  if (format.has(holdsAll)) {
    for (PackParticle& p : pack.particles)
      if (options.densityGiven && !std::as_const(p).carried().density)
        setDensity(p.carried(), options.density);
    files = {{"", shapePackText(pack)}};
  } else {
    std::size_t dropped = 0;
    for (PackParticle& p : pack.particles) dropped += dropSwallowed(p);
    losses.minor(fmt::format("{} sphere(s) wholly inside others, which add nothing", dropped),
                 dropped > 0);
    files = !format.has(holdsShapes) ? sphereFiles(pack, format, options, losses)
            : format.name == "conf"  ? conf(pack, options, losses, diagnostics)
                                     : shapeFile(pack, format, options, losses);
  }
  if (files.empty())
    throw ModelError(fmt::format("format {}: no particle is left to write", options.format));
  losses.report();
  return files;
}

}  // namespace scree::clump
