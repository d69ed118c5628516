// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks.hpp"

#include "input.hpp"

#include "scree/clump/shape_particle.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

namespace scree::tools {
namespace {

clump::ShapePack fromConf(TextReader& in, const std::string& path, Diagnostics& diagnostics) {
  sim::Conf conf = sim::readConf(in, diagnostics);
  conf.shapeFile = sim::resolvedPath(conf.shapeFile, path);
  const std::vector<shape::Shape> shapes = sim::shapesOf(conf, diagnostics);
  clump::ShapePack pack;
  for (std::size_t k = 0; k < conf.particles.size(); ++k) {
    const sim::ParticleRecord& p = conf.particles[k];
    try {
      pack.particles.push_back(clump::shapeParticle(shapes[p.shapeName], {p.pos, p.q, p.homothety},
                                                    static_cast<std::int64_t>(k)));
      if (const double density = conf.densityOf(p.group); density > 0.0)
        pack.particles.back().carried.density = density;
    } catch (const GeometryError& error) {
      throw GeometryError(fmt::format("{}: body {}: {}", path, k, error.what()));
    }
  }
  return pack;
}

clump::ShapePack fromShapes(TextReader& in, Diagnostics& diagnostics) {
  clump::ShapePack pack;
  for (const shape::Shape& s : shape::readShapes(in, diagnostics))
    pack.particles.push_back(clump::shapeParticle(
        s, {s.position, s.orientation, 1.0}, static_cast<std::int64_t>(pack.particles.size())));
  return pack;
}

}  // namespace

clump::ShapePack blocksFrom(const std::string& path, const std::string& fromNan,
                            Diagnostics& diagnostics) {
  if (path == "-") return packFrom(path, diagnostics, fromNan);
  TextReader in = TextReader::fromFile(path);
  const std::string_view first = in.peek();
  if (first == "<") return fromShapes(in, diagnostics);
  if (first == "Rockable") return fromConf(in, path, diagnostics);
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
