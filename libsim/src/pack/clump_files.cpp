// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/clump_files.hpp"

#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
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

/// A shape as a particle, with its stated mass where that is not the mass of the geometry.
/// @param states  whether it is not, once known: many bodies may have the shape
clump::PackParticle blockOf(const shape::Shape& shape, const clump::ShapePose& pose,
                            std::int64_t id, std::optional<bool>& states, Blocks& blocks) {
  clump::PackParticle particle = clump::shapeParticle(shape, pose, id);
  blocks.placing = std::max(blocks.placing, placingError(shape, pose));
  if (!states) states = clump::statesOtherMass(shape);
  if (*states) particle.carried().given = clump::statedMass(shape, pose);
  return particle;
}

/// Refuses a block, or reports that it is left out.
void loseBlock(const ParseError& why, bool mayLose, Diagnostics& diagnostics) {
  if (!mayLose) throw why;
  diagnostics.warn(why);
}

void readConfBlocks(TextReader& in, const BlockOptions& options, Blocks& blocks,
                    Diagnostics& diagnostics) {
  const Conf conf = readConf(in, diagnostics);
  const std::vector<shape::Shape> shapes = shapesOf(conf, diagnostics);
  clump::ShapePack& pack = blocks.pack;
  std::vector<std::optional<bool>> states(shapes.size());
  for (std::size_t k = 0; k < conf.particles.size(); ++k) {
    const ParticleRecord& p = conf.particles[k];
    try {
      pack.particles.push_back(blockOf(shapes[p.shapeName], {p.pos, p.q, p.homothety},
                                       static_cast<std::int64_t>(k), states[p.shapeName], blocks));
      clump::Carried& carried = pack.particles.back().carried();
      carried.groups.push_back({std::to_string(p.group), std::string(clump::confSlot)});
      if (const double density = conf.densityOf(p.group); density > 0.0)
        clump::setDensity(carried, density);
    } catch (const GeometryError& error) {
      const bool may = options.mayLose && options.mayLose(static_cast<std::int64_t>(k));
      const std::string what = fmt::format("body {}: {}{}", k, error.what(),
                                           may ? std::string("; it is left out") : options.remedy);
      const std::size_t line = k < conf.particleLines.size() ? conf.particleLines[k] : 0;
      loseBlock(ParseError({conf.source, line, 1}, what), may, diagnostics);
    }
  }
  takeCell(conf, in.name(), pack, diagnostics);
}

void readShapeBlocks(TextReader& in, const BlockOptions& options, Blocks& blocks,
                     Diagnostics& diagnostics) {
  clump::ShapePack& pack = blocks.pack;
  std::int64_t number = -1;
  std::vector<shape::ShapePlaces> places;
  for (const shape::Shape& s : shape::readShapes(in, diagnostics, &places)) {
    ++number;
    try {
      std::optional<bool> states;
      pack.particles.push_back(
          blockOf(s, {s.position, s.orientation, 1.0}, number, states, blocks));
      blocks.names.emplace(number, s.name);
    } catch (const GeometryError& error) {
      const bool may = options.mayLose && options.mayLose(number);
      loseBlock(in.errorAt(places[static_cast<std::size_t>(number)].of("name"),
                           error.what() + (may ? std::string("; it is left out") : options.remedy)),
                may, diagnostics);
    }
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

  std::vector<GroupValue> densities() const {
    std::vector<GroupValue> values;
    for (const auto& [group, density] : densities_) values.push_back({group, density});
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
  mass::SolidProperties solid;
  solid.volume = shape.volume * square * homothety;
  solid.inertiaPerMass = Vec3(square * shape.inertiaPerMass).asDiagonal();
  return solid;
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

/// The conf-file and its shape-file, with the warnings of a packing.
std::vector<clump::FormatFile> filesOf(CompletedConf& done, const Packing& packing,
                                       const std::string& name, Diagnostics& diagnostics) {
  for (const std::string& warning : done.warnings) diagnostics.warn(warning);
  done.conf.shapeFile = name + ".shp";
  return {{"", confText(done.conf)}, {".shp", shape::shapesText(packing.shapes)}};
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
    settings.density = options.density;
  else if (std::ranges::any_of(pack.particles, [](const auto& p) { return !p.carried().density; }))
    diagnostics.note(fmt::format("density {:g} kg/m3 of particles without one; --density sets it",
                                 settings.density));
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
    const double density = p.carried().density.value_or(settings.density);
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
  settings.densities = groups.densities();
  setCell(pack, packing, losses, diagnostics);
  CompletedConf done = completed(packing, settings);
  for (const std::string& reason : done.reasons) diagnostics.note(reason);
  return filesOf(done, packing, options.name, diagnostics);
}

std::vector<clump::FormatFile> bondedFiles(std::span<const mass::Ball> balls,
                                           const BondedOptions& options, Diagnostics& diagnostics) {
  const double radius = balls.front().radius;
  clump::PackParticle unit;
  unit.members.push_back(clump::sphereMember(Vec3::Zero(), 1.0));
  Packing packing;
  packing.shapes.push_back(clump::particleShape(unit));
  packing.shapes.back().name = "ball";
  for (const mass::Ball& ball : balls) {
    PlacedBody body;
    body.cluster = 1;
    body.homothety = radius;
    body.pos = ball.centre;
    packing.bodies.push_back(body);
  }
  Material material = options.material;
  material.size = 2.0 * radius;
  if (options.volume > 0.0) {
    const double gaps = options.volume / (static_cast<double>(balls.size()) * 4.0 / 3.0 * pi *
                                          radius * radius * radius);
    material.density *= gaps;
    diagnostics.note(
        fmt::format("density {:.6g} kg/m3 of each ball: {:.6g} kg/m3 times {:.4g}, so that all "
                    "together have the "
                    "mass of the solid, although gaps between them weigh nothing",
                    material.density, options.material.density, gaps));
  }
  PackSettings settings;
  settings.density = material.density;
  if (!(material.young > 0.0) && options.strength > 0.0) {
    constexpr double strainAtBreak = 1e-3;
    material.young = options.strength / strainAtBreak;
    diagnostics.note(fmt::format(
        "young {:.4g} Pa: a bond of strength {:.4g} Pa breaks at a strain of {:g}; --young sets it",
        material.young, options.strength, strainAtBreak));
  } else if (!(material.young > 0.0)) {
    const double kn = completed(packing, settings).conf.lawParameter("knContact", 1, 1);
    material.young = 1.0;
    material.young = kn / materialParameters(material).kn;
    diagnostics.note(fmt::format(
        "young {:.4g} Pa: contacts of {:.4g} N/m carry the weight of the balls; --young sets it",
        material.young, kn));
  }
  const MaterialParameters contact = materialParameters(material);
  const MaterialBonds bond = materialBonds(material, options.strength);
  settings.kn = PairSetting{contact.kn, {}};
  settings.kt = PairSetting{contact.kt, {}};
  settings.en2.general = contact.en2;
  settings.dt = std::min(contact.dt, bond.dt);
  CompletedConf done = completed(packing, settings);
  for (const auto& reasons : {contact.reasons, bond.reasons, done.reasons})
    for (const std::string& reason : reasons) diagnostics.note(reason);

  Conf& conf = done.conf;
  conf.forceLaw = "StickedLinks";  // which takes the contacts of Default, and has bonds
  for (const auto& [name, value] :
       {std::pair{"knInnerBond", bond.kn}, std::pair{"ktInnerBond", bond.kt},
        std::pair{"krInnerBond", bond.kr}, std::pair{"en2InnerBond", contact.en2},
        std::pair{"fn0InnerBond", bond.fn0}, std::pair{"ft0InnerBond", bond.fn0},
        std::pair{"mom0InnerBond", bond.mom0}, std::pair{"powInnerBond", 2.0}})
    conf.setLawParameter(name, 1, 1, value);
  for (std::uint32_t i = 0; i < balls.size(); ++i)
    for (std::uint32_t j = i + 1; j < balls.size(); ++j) {
      const Vec3 between = balls[i].centre - balls[j].centre;
      const double distance = between.norm();
      if (distance > 2.0 * radius * (1.0 + 1e-6)) continue;
      InterfaceRecord& interface = conf.interfaces.emplace_back();
      interface.i = i;
      interface.j = j;
      interface.dn0 = distance - 2.0 * radius;
      interface.bonds.push_back({});
      InteractionRecord& unloaded = conf.interactions.emplace_back();
      unloaded.key = {i, j};
      unloaded.n = between / distance;
      unloaded.dn = interface.dn0;
      unloaded.pos = balls[j].centre + (radius + 0.5 * interface.dn0) * unloaded.n;
    }
  diagnostics.note(fmt::format(
      "{} balls of radius {:.6g}, {} bonds{}", balls.size(), radius, conf.interfaces.size(),
      options.strength > 0.0 ? "" : " that do not break; --bond-strength sets a limit"));
  return filesOf(done, packing, options.name, diagnostics);
}

}  // namespace scree::sim
