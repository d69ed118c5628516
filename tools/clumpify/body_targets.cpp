// SPDX-License-Identifier: GPL-3.0-or-later
#include "body_targets.hpp"

#include "particle_shapes.hpp"

#include "scree/base/text_writer.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace scree::tools {
namespace {

/// Names of shapes, all different: those that particles come with, else by ID.
class ShapeNames {
 public:
  /// @param taken  a name that no shape may have
  ShapeNames(const ConvertOptions& options, Losses& losses, std::set<std::string> taken = {})
      : given_(options.shapeNames), losses_(losses), taken_(std::move(taken)) {}

  std::string next(std::int64_t id) {
    if (const auto given = given_.find(id); given != given_.end()) {
      if (taken_.insert(given->second).second) return given->second;
      losses_.minor("names that another shape of the output has are replaced by others");
    }
    for (;;) {
      const std::size_t n = ++count_[id];
      std::string name =
          n == 1 ? fmt::format("particle{}", id) : fmt::format("particle{}-{}", id, n);
      if (taken_.insert(name).second) return name;
    }
  }
  /// The shape of a particle has the name `name`.
  void replace(std::int64_t id, std::string_view name) {
    const auto given = given_.find(id);
    if (given != given_.end() && given->second != name)
      losses_.minor(
          fmt::format("single spheres share the shape '{}'; other names are left out", name));
  }

 private:
  const std::map<std::int64_t, std::string>& given_;
  Losses& losses_;
  std::set<std::string> taken_;
  std::map<std::int64_t, std::size_t> count_;
};

/// Calls `work` for each particle, and for each member of a particle that is not clumped. A density
/// goes with each member. A given mass is that of all together, so it is lost.
void forEachBody(const clump::ShapePack& pack, Losses& losses,
                 const std::function<void(const clump::PackParticle&)>& work) {
  for (const clump::PackParticle& p : pack.particles) {
    if (!p.unclumped || p.members.size() < 2) {
      work(p);
      continue;
    }
    losses.minor("members that are not clumped become bodies of their own; the mark u is left out");
    if (p.carried().given)
      losses.serious(
          fmt::format("particle {} has given mass properties, and its members are not clumped",
                      p.id),
          "they are left out");
    for (const clump::PackMember& m : p.members) {
      clump::PackParticle part;
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

/// Groups of bodies in a conf-file, each with one density.
class Groups {
 public:
  /// Numbers that a particle of `pack` carries are for particles that carry them.
  explicit Groups(const clump::ShapePack& pack) {
    for (const clump::PackParticle& p : pack.particles)
      if (const auto number = confGroup(p.carried())) taken_.insert(*number);
  }

  /// The group that a particle carries, or else one for its density, counted from 1.
  std::uint32_t of(const clump::PackParticle& p, double density, Losses& losses) {
    if (const auto number = confGroup(p.carried())) {
      if (densities_.try_emplace(*number, density).first->second == density) return *number;
      losses.minor(fmt::format(
          "group {} has bodies of different densities; those unlike the first get another group",
          *number));
    }
    const auto [own, isNew] = own_.try_emplace(density, 1);
    if (isNew) {
      while (!taken_.insert(own->second).second) ++own->second;
      densities_.emplace(own->second, density);
    }
    return own->second;
  }

  std::vector<sim::GroupValue> densities() const {
    std::vector<sim::GroupValue> values;
    for (const auto& [group, density] : densities_) values.push_back({group, density});
    return values;
  }

 private:
  std::set<std::uint32_t> taken_;
  std::map<std::uint32_t, double> densities_;
  std::map<double, std::uint32_t> own_;  ///< by density
};

/// Of a shape, at unit density. @param homothety  by which the body is larger
mass::SolidProperties solidOf(const shape::Shape& shape, double homothety) {
  const double square = homothety * homothety;
  mass::SolidProperties solid;
  solid.volume = shape.volume * square * homothety;
  solid.inertiaPerMass = Vec3(square * shape.inertiaPerMass).asDiagonal();
  return solid;
}

/// Makes a packing periodic where the pack is so along all axes, without gravity, which would let
/// bodies fall without end.
void setCell(const clump::ShapePack& pack, sim::Packing& packing, sim::PackSettings& settings,
             const ConvertOptions& options, Losses& losses, Diagnostics& diagnostics) {
  if ((pack.cell.array() == 0.0).all()) return;
  if ((pack.cell.array() == 0.0).any()) {
    losses.minor(
        "a cell that is periodic along some axes only has no place in this format and is left out");
    return;
  }
  packing.cell.used = true;
  packing.cell.h = pack.cell.asDiagonal();
  settings.gravity.setZero();
  diagnostics.note("gravity 0 0 0: in a periodic cell bodies would fall without end");
  // As runs require it.
  double first = 0.0, second = 0.0;
  for (const sim::PlacedBody& body : packing.bodies) {
    const double radius = body.homothety * sim::boundingRadius(packing.shapes[body.shape]);
    second = std::max(second, std::min(first, radius));
    first = std::max(first, radius);
  }
  if (packing.bodies.size() == 1) {
    if (2.0 * first >= 0.5 * pack.cell.minCoeff())
      diagnostics.warn(fmt::format(
          "{} {}: the periodic cell is {:.6g} wide, so its only body, with a bounding radius of "
          "{:.6g}, could touch its own images, which rockable refuses (lengths in the unit of the "
          "file)",
          options.toOption, options.to, pack.cell.minCoeff(), first));
    return;
  }
  if (first + second >= 0.5 * pack.cell.minCoeff())
    diagnostics.warn(fmt::format(
        "{} {}: the periodic cell is {:.6g} wide, so the two largest bodies, with bounding radii "
        "{:.6g} and {:.6g}, could touch two images of each other, which rockable refuses (lengths "
        "in the unit of the file)",
        options.toOption, options.to, pack.cell.minCoeff(), first, second));
}

/// What reads the shapes in an input file of exaDEM (YAML).
std::string exademSnippet(const std::vector<shape::Shape>& shapes, const ConvertOptions& options) {
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

}  // namespace

std::vector<ConvertedFile> toShapes(const clump::ShapePack& pack, const Target& target,
                                    const ConvertOptions& options, Losses& losses, Diagnostics&) {
  reportPack(pack, options, target, losses);
  std::vector<shape::Shape> shapes;
  ShapeNames names(options, losses);
  forEachBody(pack, losses, [&](const clump::PackParticle& p) {
    try {
      shapes.push_back(particleShape(p, target.ownRadii));
      shapes.back().name = names.next(p.id);
    } catch (const GeometryError& error) {
      losses.serious(error.what(), particleLeftOut);
      return;
    }
    reportParticle(p, target, losses);
  });
  checkSomethingLeft(shapes.size(), options);
  if (target.places) return {{"", shape::shapesText(shapes)}};
  if (std::any_of(shapes.begin(), shapes.end(), [](const shape::Shape& s) {
        return s.position != Vec3::Zero() || std::fabs(s.orientation.w()) != 1.0;
      }))
    losses.minor(
        "exaDEM ignores where shapes stand and how they are turned, so their positions and "
        "orientations are lost");
  std::vector<ConvertedFile> files{{"", shape::shapesText(shapes)}};
  if (options.toFile) files.push_back({".msp", exademSnippet(shapes, options)});
  return files;
}

std::vector<ConvertedFile> toConf(const clump::ShapePack& pack, const Target& target,
                                  const ConvertOptions& options, Losses& losses,
                                  Diagnostics& diagnostics) {
  reportPack(pack, options, target, losses);
  sim::Packing packing;
  sim::PackSettings settings;
  settings.density = options.density;
  Groups groups(pack);
  std::optional<std::uint32_t> ball;
  ShapeNames names(options, losses, {"ball"});
  forEachBody(pack, losses, [&](const clump::PackParticle& p) {
    const bool single =
        p.members.size() == 1 && clump::isBall(p.members.front()) && !p.carried().given;
    if (!single || !ball) {
      clump::PackParticle modelled = p;
      if (single) {
        modelled.members.front().centre = Vec3::Zero();
        modelled.members.front().radius = 1.0;
      }
      try {
        packing.shapes.push_back(particleShape(modelled));
      } catch (const GeometryError& error) {
        losses.serious(error.what(), particleLeftOut);
        return;
      }
      packing.shapes.back().name = single ? "ball" : names.next(p.id);
      if (single) ball = static_cast<std::uint32_t>(packing.shapes.size() - 1);
    }
    const double density = p.carried().density.value_or(options.density);
    clump::checkMass(p,
                     single ? solidOf(packing.shapes[*ball], p.members.front().radius)
                            : solidOf(packing.shapes.back(), 1.0),
                     density);
    reportParticle(p, target, losses);
    if (single) names.replace(p.id, "ball");
    sim::PlacedBody body;
    if (single) {
      body.shape = *ball;
      body.homothety = p.members.front().radius;
      body.pos = p.members.front().centre;
      if (p.id != static_cast<std::int64_t>(packing.bodies.size()))
        losses.minor("IDs of spheres have no place in this format; bodies are numbered in order");
    } else {
      body.shape = static_cast<std::uint32_t>(packing.shapes.size() - 1);
      body.pos = packing.shapes.back().position;
      body.q = packing.shapes.back().orientation;
    }
    body.group = groups.of(p, density, losses);
    body.cluster = static_cast<std::int32_t>(packing.bodies.size()) + 1;
    packing.bodies.push_back(body);
  });
  checkSomethingLeft(packing.bodies.size(), options);
  settings.densities = groups.densities();
  setCell(pack, packing, settings, options, losses, diagnostics);
  sim::CompletedConf done = sim::completed(packing, settings);
  for (const std::string& warning : done.warnings) diagnostics.warn(warning);
  for (const std::string& reason : done.reasons) diagnostics.note(reason);
  done.conf.shapeFile = options.name + ".shp";
  return {{"", sim::confText(done.conf)}, {".shp", shape::shapesText(packing.shapes)}};
}

}  // namespace scree::tools
