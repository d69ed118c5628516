// SPDX-License-Identifier: GPL-3.0-or-later
#include "kind_parts.hpp"

#include "scree/sim/measure/ensemble.hpp"
#include "scree/sim/measure/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::sim {

PostproCommands readPostproCommands(TextReader& in) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  PostproCommands commands;
  while (!in.atEnd()) {
    const std::string word(in.word("keyword"));
    if (word[0] == '#' || word[0] == '/' || word[0] == '!') {
      in.skipLine();
    } else if (word == "firstConf") {
      commands.firstConf = in.integer(word, 0, most);
    } else if (word == "lastConf") {
      commands.lastConf = in.integer(word, 0, most);
    } else if (word == "stepConf") {
      commands.stepConf = in.integer(word, 1, most);
    } else if (word == "PostProcessor") {
      commands.processor = in.word("PostProcessor");
      if (!commands.isStress() && commands.processor != "ClusterGranulo")
        throw in.error("PostProcessor: expected ParticleStress or ClusterGranulo");
    } else if (commands.isStress() && word == "Volume") {
      commands.volume = in.positive("Volume");
    } else if (commands.isStress() && word == "ConfVolumes") {
      const std::size_t count = in.count("ConfVolumes", 4);
      for (std::size_t k = 0; k < count; ++k) {
        const std::int64_t conf = in.integer("number of a conf-file", 0, most);
        commands.volumeOfConf[conf] = in.positive("volume of a conf-file");
      }
    } else if (commands.processor == "ClusterGranulo" && word == "SievingSizes") {
      const std::size_t count = in.count("SievingSizes", 2);
      for (std::size_t k = 0; k < count; ++k) commands.sievingSizes.push_back(in.number("size"));
    } else {
      throw in.error(fmt::format("unknown word '{}'", shown(word)));
    }
  }
  if (commands.processor.empty() || commands.lastConf < commands.firstConf ||
      (!commands.isStress() && commands.sievingSizes.empty()))
    throw in.errorAtNext(
        "expected firstConf, lastConf of at least that, and PostProcessor with its words");
  return commands;
}

PostproTable postproTable(const PostproCommands& commands, const Instant& instant) {
  PostproTable out;
  if (!commands.isStress()) {
    const auto parts = bondedParts(instant.conf(), freeBodies(instant)).bodies;
    std::vector<double> counts(commands.sievingSizes.size(), 0.0);
    for (const auto& part : parts) counts[std::min(part.size(), counts.size()) - 1] += 1.0;
    out.table.columns = columnsFrom("size share");
    for (std::size_t k = 0; k < counts.size(); ++k)
      out.table.rows.push_back(
          rowOf(commands.sievingSizes[k], counts[k] / static_cast<double>(parts.size())));
    return out;
  }
  const auto own = commands.volumeOfConf.find(instant.conf().iconf);
  const double volume = own != commands.volumeOfConf.end() ? own->second : commands.volume;
  out.table.columns = columnsFrom(tensorColumns("N.m") + " a:N.m r:N.m along:N.m across:N.m");
  for (std::size_t k = 0; k < instant.bodyCount(); ++k) {
    const Mat3 m = instant.isDriven(k) ? Mat3(Mat3::Zero()) : instant.virials()[k];
    const Quat& q = instant.body(k).q;
    const Vec3 e = rotated(q, Vec3::UnitX()), f = rotated(q, Vec3::UnitY()),
               u = rotated(q, Vec3::UnitZ());
    const double along = u.dot(m * u), a = e.dot(m * e), b = f.dot(m * f);
    out.table.rows.push_back(rowOf(m, along, std::sqrt(a * a + b * b), along, m.trace() - along));
    out.total += m;
  }
  out.total = volume > 0.0 ? Mat3(out.total / volume) : Mat3(Mat3::Zero());
  return out;
}

}  // namespace scree::sim
