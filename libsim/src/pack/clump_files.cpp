// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/clump_files.hpp"

#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace scree::sim {
namespace {

/// The format that a text shows by its first line behind comments.
std::string_view formatShown(const TextReader& in) {
  for (TextReader text = in; !text.atEnd(); text.skipLine()) {
    const std::string_view word = text.peek();
    if (word == "<") return "shp";
    if (word == "Rockable") return "conf";
    if (word[0] != '#' && word[0] != '!' && word[0] != '/') break;
  }
  return clump::isSphereTable(in) ? "csv" : "shapepack";
}

/// Keeps a cell that is a box along the axes, and tells what a pack does not take from a conf-file.
void takeCell(const Conf& conf, const std::string& path, clump::ShapePack& pack,
              Diagnostics& diagnostics) {
  diagnostics.note(path +
                   ": of a conf-file, shapes, places, densities and groups are read, and a "
                   "periodic cell along the axes");
  if (!conf.cell.used) return;
  const Vec3 edges = conf.cell.h.diagonal();
  if (conf.cell.h == Mat3(edges.asDiagonal()) && (edges.array() > 0.0).all())
    pack.cell = edges;
  else
    diagnostics.warn(path + ": lost: the periodic cell, which is not a box along the axes");
}

/// [L] A turn and a shift move the points of a shape by at most so much more, by rounding.
double placingError(const shape::Shape& shape, const clump::ShapePose& pose) {
  double reach = 0.0;
  for (const Vec3& v : shape.vertices) reach = std::max(reach, pose.scale * v.norm());
  return 2.0 * std::numeric_limits<double>::epsilon() *
         (pose.position.cwiseAbs().maxCoeff() + 4.0 * reach);
}

/// Adds a shape as a block, with its stated mass where that is not the mass of the geometry. One
/// that no pebble can be is refused with its place, or left out with a warning.
/// @param states  whether it states another mass, once known: many bodies may have the shape
/// @returns what the block carries; null where it is left out
clump::Carried* addBlock(const shape::Shape& shape, const clump::ShapePose& pose, std::int64_t id,
                         std::optional<bool>& states, const BlockOptions& options, Blocks& blocks,
                         const std::function<ParseError(const std::string&)>& errorOf,
                         Diagnostics& diagnostics) {
  try {
    clump::PackParticle particle = clump::shapeParticle(shape, pose, id);
    blocks.placing = std::max(blocks.placing, placingError(shape, pose));
    if (!states) states = clump::statesOtherMass(shape);
    if (*states) particle.carried().given = clump::statedMass(shape, pose);
    blocks.pack.particles.push_back(std::move(particle));
    return &blocks.pack.particles.back().carried();
  } catch (const GeometryError& error) {
    if (!options.mayLose || !options.mayLose(id)) throw errorOf(error.what() + options.remedy);
    diagnostics.warn(errorOf(error.what() + std::string("; it is left out")));
    return nullptr;
  }
}

void readConfBlocks(TextReader& in, const BlockOptions& options, Blocks& blocks,
                    Diagnostics& diagnostics) {
  const Conf conf = readConf(in, diagnostics);
  const std::vector<shape::Shape> shapes = shapesOf(conf, diagnostics);
  std::vector<std::optional<bool>> states(shapes.size());
  for (std::size_t k = 0; k < conf.particles.size(); ++k) {
    const ParticleRecord& p = conf.particles[k];
    clump::Carried* carried = addBlock(
        shapes[p.shapeName], {p.pos, p.q, p.homothety}, static_cast<std::int64_t>(k),
        states[p.shapeName], options, blocks,
        [&](const std::string& what) {
          const std::size_t line = k < conf.particleLines.size() ? conf.particleLines[k] : 0;
          return ParseError({conf.source, line, 1}, fmt::format("body {}: {}", k, what));
        },
        diagnostics);
    if (!carried) continue;
    carried->groups.push_back({std::to_string(p.group), std::string(clump::confSlot)});
    if (const double density = conf.densityOf(p.group); density > 0.0)
      clump::setDensity(*carried, density);
  }
  takeCell(conf, in.name(), blocks.pack, diagnostics);
}

void readShapeBlocks(TextReader& in, const BlockOptions& options, Blocks& blocks,
                     Diagnostics& diagnostics) {
  std::int64_t number = 0;
  std::vector<shape::ShapePlaces> places;
  for (const shape::Shape& s : shape::readShapes(in, diagnostics, &places)) {
    std::optional<bool> states;
    const auto errorOf = [&](const std::string& what) {
      return in.errorAt(places[static_cast<std::size_t>(number)].of("name"), what);
    };
    if (addBlock(s, {s.position, s.orientation.normalized(), 1.0}, number, states, options, blocks,
                 errorOf, diagnostics))
      blocks.names.emplace(number, s.name);
    ++number;
  }
}

/// Groups of bodies in a conf-file, each with one density.
class BodyGroups {
 public:
  /// Numbers that a particle of `pack` carries are for particles that carry them.
  explicit BodyGroups(const clump::ShapePack& pack) {
    for (const clump::PackParticle& p : pack.particles)
      if (const auto number = clump::confGroup(p.carried())) taken_.insert(*number);
  }

  /// The group that a particle carries, or else one for its density, counted from 1.
  std::uint32_t of(const clump::PackParticle& p, double density, clump::Losses& losses) {
    if (const auto number = clump::confGroup(p.carried())) {
      if (densities_.try_emplace(*number, density).first->second == density) return *number;
      losses.minor("group numbers of bodies that differ in density from their group");
    }
    const auto [own, isNew] = own_.try_emplace(density, 1);
    if (isNew) {
      while (!taken_.insert(own->second).second) ++own->second;
      densities_.emplace(own->second, density);
    }
    return own->second;
  }

  std::vector<PairValue> densities() const {
    std::vector<PairValue> values;
    for (const auto& [group, density] : densities_) values.push_back({group, group, density});
    return values;
  }

 private:
  std::set<std::uint32_t> taken_;
  std::map<std::uint32_t, double> densities_;
  std::map<double, std::uint32_t> own_;  ///< by density
};

/// Mass properties of a shape at unit density. @param homothety  factor of its lengths
mass::SolidProperties solidOf(const shape::Shape& shape, double homothety) {
  const double square = homothety * homothety;
  return {shape.volume * square * homothety, Vec3::Zero(),
          Vec3(square * shape.inertiaPerMass).asDiagonal()};
}

/// Makes a packing periodic where the pack is so along all axes.
void setCell(const clump::ShapePack& pack, Packing& packing, clump::Losses& losses,
             Diagnostics& diagnostics) {
  if ((pack.cell.array() == 0.0).all()) return;
  if ((pack.cell.array() == 0.0).any()) {
    losses.minor("the cell, which is periodic along some axes only");
    return;
  }
  packing.cell.used = true;
  packing.cell.h = pack.cell.asDiagonal();
  diagnostics.note("gravity 0 0 0: in a periodic cell bodies would fall without end");
}

}  // namespace

Blocks blocksFrom(const std::string& path, const BlockOptions& options, Diagnostics& diagnostics) {
  TextReader in = TextReader::fromFile(path);
  Blocks blocks;
  const std::string_view format =
      options.format == "auto" ? formatShown(in) : std::string_view(options.format);
  if (format == "shp")
    readShapeBlocks(in, options, blocks, diagnostics);
  else if (format == "conf")
    readConfBlocks(in, options, blocks, diagnostics);
  else if (format == "shapepack")
    blocks.pack = clump::readShapePack(in, diagnostics, options.sharedNodes);
  else
    blocks.pack = clump::readSphereTable(in, diagnostics, format == "yade");
  if ((format == "shp" || format == "conf") && blocks.pack.particles.empty())
    throw ModelError(fmt::format("{}: no particle is left to write", in.name()));
  return blocks;
}

std::vector<clump::FormatFile> confFiles(const clump::ShapePack& pack,
                                         const clump::WriteOptions& options, clump::Losses& losses,
                                         Diagnostics& diagnostics) {
  const clump::Format& format = clump::formatNamed("conf");
  Packing packing;
  PackSettings settings;
  if (options.densityGiven)
    settings.density.general = options.density;
  else if (std::ranges::any_of(pack.particles, [](const auto& p) { return !p.carried().density; }))
    diagnostics.note(fmt::format("density {:g} kg/m3 of particles without one; --density sets it",
                                 *settings.density.general));
  BodyGroups groups(pack);
  std::optional<std::uint32_t> ball;
  clump::ShapeNames names(options, "ball");
  clump::forEachBody(pack, losses, [&](const clump::PackParticle& p) {
    const bool single =
        p.members.size() == 1 && clump::isBall(p.members.front()) && !p.carried().given;
    if (!single || !ball) {
      clump::PackParticle modelled = p;
      if (single) {
        modelled.members.front().centre = Vec3::Zero();
        modelled.members.front().radius = 1.0;
      }
      try {
        packing.shapes.push_back(clump::particleShape(modelled));
      } catch (const GeometryError& error) {
        return losses.serious(error.what());
      }
      packing.shapes.back().name = single ? "ball" : names.next(p.id);
      if (single) ball = static_cast<std::uint32_t>(packing.shapes.size() - 1);
    }
    const double density = p.carried().density.value_or(*settings.density.general);
    clump::checkMass(p,
                     single ? solidOf(packing.shapes[*ball], p.members.front().radius)
                            : solidOf(packing.shapes.back(), 1.0),
                     density);
    losses.ofParticle(p, format);
    losses.minor("names of single spheres, which share the shape 'ball'",
                 single && options.shapeNames.contains(p.id));
    PlacedBody body;
    if (single) {
      body.shape = *ball;
      body.homothety = p.members.front().radius;
      body.pos = p.members.front().centre;
      losses.minor("IDs", p.id != static_cast<std::int64_t>(packing.bodies.size()));
    } else {
      body.shape = static_cast<std::uint32_t>(packing.shapes.size() - 1);
      body.pos = packing.shapes.back().position;
      body.q = packing.shapes.back().orientation;
    }
    body.group = groups.of(p, density, losses);
    body.cluster = static_cast<std::int32_t>(packing.bodies.size()) + 1;
    packing.bodies.push_back(body);
  });
  if (packing.bodies.empty()) return {};
  settings.density.special = groups.densities();
  setCell(pack, packing, losses, diagnostics);
  CompletedConf done = completed(packing, settings, diagnostics);
  for (const std::string& reason : done.reasons) diagnostics.note(reason);
  done.conf.shapeFile = options.name + ".shp";
  return {{"", confText(done.conf)}, {".shp", shape::shapesText(packing.shapes)}};
}

}  // namespace scree::sim
