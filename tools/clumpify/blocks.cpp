// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks.hpp"

#include "input.hpp"
#include "sphere_sources.hpp"

#include "scree/clump/compose.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

namespace scree::tools {
namespace {

/// What a conf-file says beside shapes and places has no room in a ShapePack.
void reportLost(const sim::Conf& conf, const std::string& path, clump::ShapePack& pack,
                Diagnostics& diagnostics) {
  std::size_t moving = 0;
  for (const sim::ParticleRecord& p : conf.particles)
    moving += p.vel != Vec3::Zero() || p.vrot != Vec3::Zero();
  if (moving > 0)
    diagnostics.warn(fmt::format(
        "{}: {} of its bodies move; blocks have no velocity, and it is left out", path, moving));
  if (!conf.cell.used) return;
  const Vec3 edges = conf.cell.h.diagonal();
  if (conf.cell.h == Mat3(edges.asDiagonal()) && (edges.array() > 0.0).all())
    pack.cell = edges;
  else
    diagnostics.warn(
        fmt::format("{}: its periodic cell is no box along the axes, and is left out", path));
}

clump::ShapePack fromConf(TextReader& in, const std::string& path, Diagnostics& diagnostics,
                          bool lossy) {
  sim::Conf conf = sim::readConf(in, diagnostics);
  conf.shapeFile = sim::resolvedPath(conf.shapeFile, path);
  const std::vector<shape::Shape> shapes = sim::shapesOf(conf, diagnostics);
  clump::ShapePack pack;
  for (std::size_t k = 0; k < conf.particles.size(); ++k) {
    const sim::ParticleRecord& p = conf.particles[k];
    try {
      pack.particles.push_back(clump::shapeParticle(shapes[p.shapeName], {p.pos, p.q, p.homothety},
                                                    static_cast<std::int64_t>(k)));
      clump::Carried& carried = pack.particles.back().carried();
      if (const double density = conf.densityOf(p.group); density > 0.0) {
        carried.density = density;
        if (carried.given) carried.given->inertia *= density;
      }
    } catch (const GeometryError& error) {
      const std::string what = fmt::format("{}: body {}: {}", path, k, error.what());
      if (!lossy) throw GeometryError(what);
      diagnostics.warn(what + "; it is left out");
    }
  }
  reportLost(conf, path, pack, diagnostics);
  return pack;
}

clump::ShapePack fromShapes(TextReader& in, Diagnostics& diagnostics, bool lossy) {
  clump::ShapePack pack;
  std::int64_t number = 0;
  for (const shape::Shape& s : shape::readShapes(in, diagnostics)) {
    try {
      pack.particles.push_back(clump::shapeParticle(s, {s.position, s.orientation, 1.0}, number++));
    } catch (const GeometryError& error) {
      if (!lossy) throw;
      diagnostics.warn(fmt::format("{}; it is left out", error.what()));
    }
  }
  return pack;
}

}  // namespace

clump::ShapePack blocksFrom(const std::string& path, const std::string& fromNan,
                            Diagnostics& diagnostics, const std::string& format, bool lossy) {
  if (path == "-" && format == "auto") return packFrom(path, diagnostics, fromNan);
  if (format == "shapepack") return packFrom(path, diagnostics, fromNan);
  TextReader in = TextReader::fromFile(path);
  const std::string_view first = in.peek();
  const auto is = [&](std::string_view name, bool shows) {
    return format == name || (format == "auto" && shows);
  };
  if (is("shp", first == "<")) return fromShapes(in, diagnostics, lossy);
  if (is("conf", first == "Rockable")) return fromConf(in, path, diagnostics, lossy);
  if (is("yade", first == "#format")) return yadePack(in);
  if (is("csv", first.starts_with("x,y,z,r"))) return csvPack(in);
  return packFrom(path, diagnostics, fromNan);
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
