// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks.hpp"

#include "input.hpp"
#include "losses.hpp"
#include "sphere_sources.hpp"

#include "scree/clump/compose.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <vector>

namespace scree::tools {
namespace {

using MayLose = std::function<bool(std::int64_t)>;

/// Places of lines in a text that is read, found when the first is needed.
class Lines {
 public:
  /// @param in  before anything of it is read
  explicit Lines(const TextReader& in) : in_(in), text_(in.rest()) {}

  /// A complaint about the line of this number, counted from 1, at its first word.
  ParseError error(std::size_t number, const std::string& message) {
    if (begins_.empty()) find();
    if (number < 1 || number > begins_.size()) return {{in_.name(), number, 0}, message};
    std::string_view line = text_.substr(begins_[number - 1]);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return in_.errorAt(line.substr(0, 1), message);
  }

 private:
  void find() {
    begins_.push_back(0);
    for (std::size_t k = 0; k < text_.size(); ++k)
      if (text_[k] == '\n' || (text_[k] == '\r' && (k + 1 == text_.size() || text_[k + 1] != '\n')))
        begins_.push_back(k + 1);
  }

  TextReader in_;
  std::string_view text_;
  std::vector<std::size_t> begins_;
};

/// What a conf-file says beside shapes and places has no room in a ShapePack.
void reportLost(const sim::Conf& conf, const std::string& path, clump::ShapePack& pack,
                Diagnostics& diagnostics) {
  std::size_t moving = 0;
  for (const sim::ParticleRecord& p : conf.particles)
    moving += p.vel != Vec3::Zero() || p.vrot != Vec3::Zero();
  if (moving > 0)
    diagnostics.warn(fmt::format(
        "{}: {} of its bodies move; blocks have no velocity, which is left out", path, moving));
  std::vector<std::string> lost;
  if (!conf.forceLaw.empty() || !conf.lawParameters.empty())
    lost.push_back("the contact law and its parameters");
  if (conf.gravity != Vec3::Zero()) lost.push_back("gravity");
  if (conf.bodyForce) lost.push_back("the body force");
  if (!conf.tempos.empty()) lost.push_back("courses in time (Tempo)");
  if (conf.nDriven > 0) lost.push_back(fmt::format("nDriven {}", conf.nDriven));
  std::set<std::int32_t> clusters;
  for (const sim::ParticleRecord& p : conf.particles) clusters.insert(p.cluster);
  if (clusters.size() < conf.particles.size()) lost.push_back("clusters");
  if (!conf.interactions.empty())
    lost.push_back(fmt::format("{} contacts", conf.interactions.size()));
  if (!conf.interfaces.empty())
    lost.push_back(fmt::format("{} interfaces", conf.interfaces.size()));
  if (!conf.joints.empty()) lost.push_back(fmt::format("{} joints", conf.joints.size()));
  if (!conf.boundaries.empty())
    lost.push_back(fmt::format("{} boundaries", conf.boundaries.size()));
  if (!lost.empty())
    diagnostics.warn(
        fmt::format("{}: blocks are shapes, positions, densities and groups; left out: {}", path,
                    fmt::join(lost, ", ")));
  if (!conf.cell.used) return;
  if (!conf.cell.vh.isZero(0.0))
    diagnostics.warn(fmt::format(
        "{}: the motion of its periodic cell has no place in a pack and is left out", path));
  const Vec3 edges = conf.cell.h.diagonal();
  if (conf.cell.h == Mat3(edges.asDiagonal()) && (edges.array() > 0.0).all())
    pack.cell = edges;
  else
    diagnostics.warn(
        fmt::format("{}: its periodic cell is not a box along the axes, and is left out", path));
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
                            std::int64_t id, std::optional<bool>& states,
                            const BlockExtras& extras) {
  clump::PackParticle particle = clump::shapeParticle(shape, pose, id, extras.forms);
  if (extras.placing) *extras.placing = std::max(*extras.placing, placingError(shape, pose));
  if (!states) states = clump::statesOtherMass(shape);
  if (*states) particle.carried().given = clump::statedMass(shape, pose);
  return particle;
}

/// Refuses a block, or reports that it is left out.
void loseBlock(const ParseError& why, bool mayLose, Diagnostics& diagnostics) {
  if (!mayLose) throw why;
  diagnostics.warn(why);
}

clump::ShapePack fromConf(TextReader& in, Diagnostics& diagnostics, const MayLose& mayLose,
                          const BlockExtras& extras) {
  Lines lines(in);
  const sim::Conf conf = sim::readConf(in, diagnostics);
  const std::vector<shape::Shape> shapes = sim::shapesOf(conf, diagnostics);
  clump::ShapePack pack;
  std::vector<std::optional<bool>> states(shapes.size());
  for (std::size_t k = 0; k < conf.particles.size(); ++k) {
    const sim::ParticleRecord& p = conf.particles[k];
    try {
      pack.particles.push_back(blockOf(shapes[p.shapeName], {p.pos, p.q, p.homothety},
                                       static_cast<std::int64_t>(k), states[p.shapeName], extras));
      clump::Carried& carried = pack.particles.back().carried();
      carried.groups.push_back({std::to_string(p.group), std::string(confSlot)});
      if (const double density = conf.densityOf(p.group); density > 0.0)
        clump::setDensity(carried, density);
    } catch (const GeometryError& error) {
      const bool may = mayLose && mayLose(static_cast<std::int64_t>(k));
      const std::string what = fmt::format("body {}: {}{}", k, error.what(),
                                           may ? std::string("; it is left out") : extras.remedy);
      const std::size_t line = k < conf.particleLines.size() ? conf.particleLines[k] : 0;
      loseBlock(conf.source == in.name() ? lines.error(line, what)
                                         : ParseError({conf.source, line, 1}, what),
                may, diagnostics);
    }
  }
  reportLost(conf, in.name(), pack, diagnostics);
  return pack;
}

clump::ShapePack fromShapes(TextReader& in, Diagnostics& diagnostics, const MayLose& mayLose,
                            const BlockExtras& extras) {
  clump::ShapePack pack;
  std::int64_t number = -1;
  std::vector<shape::ShapePlaces> places;
  for (const shape::Shape& s : shape::readShapes(in, diagnostics, &places)) {
    ++number;
    try {
      std::optional<bool> states;
      pack.particles.push_back(
          blockOf(s, {s.position, s.orientation, 1.0}, number, states, extras));
      if (extras.names) extras.names->emplace(number, s.name);
    } catch (const GeometryError& error) {
      const bool may = mayLose && mayLose(number);
      loseBlock(in.errorAt(places[static_cast<std::size_t>(number)].of("name"),
                           error.what() + (may ? std::string("; it is left out") : extras.remedy)),
                may, diagnostics);
    }
  }
  return pack;
}

}  // namespace

clump::ShapePack blocksFrom(const std::string& path, const std::string& fromNan,
                            Diagnostics& diagnostics, const std::string& format,
                            const MayLose& mayLose, const BlockExtras& extras) {
  TextReader in = TextReader::fromFile(path);
  const std::string_view kind = format == "auto" ? formatShown(in) : std::string_view(format);
  if (kind == "shp") return fromShapes(in, diagnostics, mayLose, extras);
  if (kind == "conf") return fromConf(in, diagnostics, mayLose, extras);
  if (kind == "yade") return yadePack(in, diagnostics);
  if (kind == "csv") return csvPack(in, diagnostics);
  return packFrom(in, diagnostics, fromNan);
}

std::vector<std::pair<std::int64_t, std::int64_t>> idRanges(const std::string& text,
                                                            const std::string& option) {
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  std::string_view rest = text;
  for (;;) {
    const auto comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const auto dash = item.find('-', 1);
    const auto first = parseInteger(item.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parseInteger(item.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first)
      throw UsageError(
          fmt::format("{}: expected IDs such as 0-3,7; found '{}'", option, shown(text)));
    ranges.emplace_back(*first, *last);
    if (comma == std::string_view::npos) return ranges;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace scree::tools
