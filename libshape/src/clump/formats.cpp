// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/formats.hpp"

#include "clump/sphere_formats.hpp"

#include "scree/base/text_writer.hpp"
#include "scree/clump/pack_transform.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::clump {

const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      {.name = "shapepack",
       .everything = true,
       .mass = true,
       .density = true,
       .cell = true,
       .ids = true,
       .commentAfter = 0},
      {.name = "conf",
       .ending = ".conf",
       .shapes = true,
       .mass = true,
       .density = true,
       .cell = true,
       .group = true,
       .names = true,
       .ownRadii = true,
       .bonds = true,
       .severalFiles = true,
       .filesNameOther = true,
       .commentAfter = 1},
      {.name = "shp",
       .ending = ".shp",
       .shapes = true,
       .mass = true,
       .names = true,
       .ownRadii = true,
       .commentAfter = 0},
      {.name = "exadem",
       .shapes = true,
       .mass = true,
       .places = false,
       .names = true,
       .filesNameOther = true,
       .commentAfter = 0},
      {.name = "yade", .severalFiles = true, .filesNameOther = true, .commentAfter = 1},
      {.name = "csv", .ending = ".csv", .ids = true},
      {.name = "lammps",
       .mass = true,
       .density = true,
       .cell = true,
       .severalFiles = true,
       .filesNameOther = true,
       .commentAfter = 1},
      {.name = "liggghts",
       .mass = true,
       .density = true,
       .places = false,
       .filesNameOther = true,
       .commentAfter = 0},
  };
  return all;
}

std::vector<std::string_view> formatNames() {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) names.push_back(format.name);
  return names;
}

const Format& formatNamed(const std::string& name, std::string_view option) {
  for (const Format& format : formats())
    if (format.name == name) return format;
  const std::vector<std::string_view> names = formatNames();
  throw UsageError(fmt::format("{} {}: unknown format{}; available: {}", option, shown(name),
                               suggestion(name, names), fmt::join(names, ", ")));
}

void Losses::serious(const std::string& what) {
  const std::string complaint = fmt::format("{} {}: {}", options_.option, options_.format, what);
  if (!options_.lossy) throw ModelError(complaint + "; " + options_.remedy);
  diagnostics_.warn(complaint + "; left out");
}

void Losses::minor(const std::string& what) {
  if (std::find(minor_.begin(), minor_.end(), what) == minor_.end()) minor_.push_back(what);
}

void Losses::report() const {
  if (!minor_.empty())
    diagnostics_.warn(
        fmt::format("{} {}: lost: {}", options_.option, options_.format, fmt::join(minor_, ", ")));
}

void Losses::ofPack(const ShapePack& pack, const Format& format) {
  // Names that are made from IDs anyway are not lost.
  if (!format.names && std::ranges::any_of(options_.shapeNames, [](const auto& n) {
        return n.second != fmt::format("particle{}", n.first);
      }))
    minor("names of shapes");
  if (format.everything) return;
  if (!format.cell && (pack.cell.array() != 0.0).any()) minor("the periodic cell");
  if (pack.userData) minor("the user data");
  const auto commented = [](const PackParticle& p) {
    return std::any_of(p.members.begin(), p.members.end(), [](const PackMember& m) {
      return !m.before().empty() || !m.comment().empty();
    });
  };
  if (!pack.trailing.empty() ||
      std::any_of(pack.particles.begin(), pack.particles.end(), commented))
    minor("comments");
  if (options_.densityGiven && !format.density &&
      std::any_of(pack.particles.begin(), pack.particles.end(),
                  [](const PackParticle& p) { return !p.carried().density; }))
    minor("the density of --density");
}

void Losses::ofParticle(const PackParticle& p, const Format& format) {
  if (p.carried().given && !format.mass) minor("given mass and inertia");
  if (p.carried().density && !format.density) minor("densities");
  const std::size_t held = format.group && confGroup(p.carried()) ? 1 : 0;
  if (p.carried().groups.size() > held || !p.carried().pebbleGroups.empty()) minor("groups");
  if (!p.carried().others.empty()) minor("user keys of #@ lines");
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

ShapeNames::ShapeNames(const WriteOptions& options, Losses& losses, const std::string& taken)
    : given_(options.shapeNames), losses_(losses) {
  taken_[taken] = true;
}

std::string ShapeNames::next(std::int64_t id) {
  if (const auto given = given_.find(id); given != given_.end()) {
    if (!std::exchange(taken_[given->second], true)) return given->second;
    losses_.minor("names that another shape of the file has");
  }
  for (;;) {
    const std::size_t n = ++count_[id];
    std::string name = n == 1 ? fmt::format("particle{}", id) : fmt::format("particle{}-{}", id, n);
    if (!std::exchange(taken_[name], true)) return name;
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
    if (p.carried().given) losses.minor("given mass and inertia");
    for (const PackMember& m : p.members) {
      PackParticle part;
      part.id = p.id;
      part.line = p.line;
      part.members = {m};
      if (!p.carried().empty()) {
        part.carried() = p.carried();
        part.carried().given.reset();
      }
      work(part);
    }
  }
}

namespace {

std::vector<FormatFile> shapePackFile(const ShapePack& pack, const WriteOptions& options) {
  if (!options.densityGiven) return {{"", shapePackText(pack)}};
  ShapePack dense = pack;
  for (PackParticle& p : dense.particles)
    if (!p.carried().density) setDensity(p.carried(), options.density);
  return {{"", shapePackText(dense)}};
}

/// Lines of an input file of exaDEM (YAML) that read the shapes.
std::string exademSnippet(const std::vector<shape::Shape>& shapes, const WriteOptions& options) {
  std::string out = fmt::format(
      "# exaDEM: paste this into the run file. The operator stands in the block input_data,\n"
      "# before those that make particles. It reads the shapes of {}. The mass of a particle is\n"
      "# the density that the run file gives,\n"
      "# times the volume of its shape. Types of particles are the numbers of the shapes:\n",
      options.name);
  for (std::size_t k = 0; k < shapes.size(); ++k)
    out += fmt::format("# type {}: {}, volume {}\n", k, shapes[k].name, shortest(shapes[k].volume));
  return out + fmt::format("input_data:\n  - read_shape_file: {{ filename: {} }}\n", options.name);
}

std::vector<FormatFile> shapeFile(const ShapePack& pack, const Format& format,
                                  const WriteOptions& options, Losses& losses) {
  std::vector<shape::Shape> shapes;
  ShapeNames names(options, losses);
  forEachBody(pack, losses, [&](const PackParticle& p) {
    try {
      shapes.push_back(particleShape(p, format.ownRadii));
      shapes.back().name = names.next(p.id);
    } catch (const GeometryError& error) {
      return losses.serious(error.what());
    }
    losses.ofParticle(p, format);
  });
  if (shapes.empty()) return {};
  std::vector<FormatFile> files{{"", shape::shapesText(shapes)}};
  if (format.places) return files;
  if (std::any_of(shapes.begin(), shapes.end(), [](const shape::Shape& s) {
        return s.position != Vec3::Zero() || std::fabs(s.orientation.w()) != 1.0;
      }))
    losses.minor("positions and orientations, which exaDEM ignores");
  if (options.toFile) files.push_back({".msp", exademSnippet(shapes, options)});
  return files;
}

std::vector<FormatFile> sphereFiles(const ShapePack& pack, const Format& format,
                                    const WriteOptions& options, Losses& losses) {
  std::vector<SphereBody> bodies;
  std::size_t number = 0;  // of the next body, as formats without IDs count
  for (const PackParticle& p : pack.particles) {
    const auto other =
        std::find_if(p.members.begin(), p.members.end(), [](const auto& m) { return !isBall(m); });
    if (other != p.members.end()) {
      losses.serious(
          fmt::format("particle {} has a member of type {}, and this format knows "
                      "spheres only",
                      p.id, other->type->name));
      continue;
    }
    losses.ofParticle(p, format);
    if (p.unclumped && p.members.size() > 1) losses.minor("the mark u");
    if ((!format.ids && p.id != static_cast<std::int64_t>(number)) ||
        (format.ids && !bodies.empty() && bodies.back().particle->id == p.id))
      losses.minor("IDs");
    ShapePack single;
    single.particles = {p};
    single.particles[0].unclumped = false;
    SphereBody b;
    b.particle = &p;
    b.mass = packMasses(single, {.density = options.density, .threads = options.threads}).front();
    b.density = p.carried().density.value_or(options.density);
    if (p.carried().given && format.mass && !b.isClump())
      losses.minor("given mass and inertia of single spheres, which are uniform balls");
    number += b.count();
    bodies.push_back(std::move(b));
  }
  if (bodies.empty()) return {};
  if (!format.places && std::any_of(bodies.begin(), bodies.end(), [](const SphereBody& b) {
        return b.mass.solid.centre.norm() > 0.0 || b.particle->unclumped;
      }))
    losses.minor("positions");
  if (format.name == "yade") return yadeFiles(bodies, options);
  if (format.name == "csv") return csvFiles(bodies);
  return format.name == "lammps" ? lammpsFiles(bodies, pack, options)
                                 : liggghtsFiles(bodies, options);
}

}  // namespace

void checkWriteOptions(const WriteOptions& options) {
  if (!formatNamed(options.format, options.option).filesNameOther) return;
  if (options.name.find_first_of(" \t\r\n\v\f'\"\\#$&") != std::string::npos)
    throw UsageError(
        fmt::format("-o {}: files of this format name each other, so blanks, quotes, \\, #, $ and "
                    "& are not allowed; use letters, digits, '-', '_' and '.'",
                    shown(options.name)));
}

std::vector<FormatFile> written(const ShapePack& pack, const WriteOptions& options,
                                Diagnostics& diagnostics, const ConfWriter& conf) {
  checkWriteOptions(options);
  const Format& format = formatNamed(options.format, options.option);
  Losses losses(options, diagnostics);
  losses.ofPack(pack, format);
  std::vector<FormatFile> files;
  if (format.everything) {
    files = shapePackFile(pack, options);
  } else {
    ShapePack clean = pack;
    std::size_t dropped = 0;
    for (PackParticle& p : clean.particles) dropped += dropSwallowed(p);
    if (dropped > 0)
      losses.minor(fmt::format("{} sphere(s) wholly inside others, which add nothing", dropped));
    files = !format.shapes          ? sphereFiles(clean, format, options, losses)
            : format.name == "conf" ? conf(clean, options, losses, diagnostics)
                                    : shapeFile(clean, format, options, losses);
  }
  if (files.empty())
    throw ModelError(
        fmt::format("{} {}: no particle is left to write", options.option, options.format));
  losses.report();
  return files;
}

}  // namespace scree::clump
