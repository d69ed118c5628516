// SPDX-License-Identifier: GPL-3.0-or-later
#include "kind_parts.hpp"

#include "scree/sim/measure/ensemble.hpp"
#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/stress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace scree::sim {
namespace {

constexpr std::array<std::string_view, 2> processors{"ParticleStress", "ClusterGranulo"};

/// Volume times stress of each body, 0 for driven ones.
std::vector<Mat3> freeVirials(const Instant& instant) {
  std::vector<Mat3> all = instant.virials();
  for (std::size_t k = 0; k < all.size() && instant.isDriven(k); ++k) all[k].setZero();
  return all;
}

std::vector<Row> stressRows(const Instant& instant) {
  std::vector<Row> rows;
  const std::vector<Mat3> all = freeVirials(instant);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Mat3& m = all[k];
    const Quat& q = instant.body(k).q;
    const Vec3 u = rotated(q, Vec3::UnitZ());
    const Vec3 e = rotated(q, Vec3::UnitX()), f = rotated(q, Vec3::UnitY());
    const double along = u.dot(m * u), a = e.dot(m * e), b = f.dot(m * f);
    Row row;
    appendTensor(row, m);
    appendNumbers(row, {along, std::sqrt(a * a + b * b), along, m.trace() - along});
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Row> granuloRows(const PostproCommands& commands, const Instant& instant) {
  std::vector<char> chosen(instant.bodyCount(), 1);
  std::fill_n(chosen.begin(), std::min<std::size_t>(instant.conf().nDriven, chosen.size()), 0);
  const BondedParts parts = bondedParts(instant.conf(), chosen);
  std::vector<double> counts(commands.sievingSizes.size(), 0.0);
  for (const auto& part : parts.bodies) counts[std::min(part.size(), counts.size()) - 1] += 1.0;
  std::vector<Row> rows;
  for (std::size_t k = 0; k < counts.size(); ++k)
    rows.push_back(
        {commands.sievingSizes[k], counts[k] / static_cast<double>(parts.bodies.size())});
  return rows;
}

}  // namespace

std::string_view nameOf(PostproCommands::Processor processor) {
  return processors[static_cast<std::size_t>(processor)];
}

PostproCommands readPostproCommands(TextReader& in) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  PostproCommands commands;
  bool hasProcessor = false;
  while (!in.atEnd()) {
    const std::string word(in.word("keyword"));
    const bool stress = commands.processor == PostproCommands::Processor::particleStress;
    if (word[0] == '#' || word[0] == '/' || word[0] == '!') {
      in.skipLine();
    } else if (word == "firstConf") {
      commands.firstConf = in.integer(word, 0, most);
    } else if (word == "lastConf") {
      commands.lastConf = in.integer(word, 0, most);
    } else if (word == "stepConf") {
      commands.stepConf = in.integer(word, 1, most);
    } else if (word == "PostProcessor") {
      const auto found = std::ranges::find(processors, in.word("PostProcessor"));
      if (found == processors.end())
        throw in.error(fmt::format("PostProcessor: expected {}", fmt::join(processors, " or ")));
      commands.processor = static_cast<PostproCommands::Processor>(found - processors.begin());
      hasProcessor = true;
    } else if (hasProcessor && stress && word == "Volume") {
      commands.volume = in.positive("Volume");
    } else if (hasProcessor && stress && word == "ConfVolumes") {
      const std::size_t count = in.count("ConfVolumes", 4);
      for (std::size_t k = 0; k < count; ++k) {
        const std::int64_t conf = in.integer("number of a conf-file", 0, most);
        commands.volumeOfConf[conf] = in.positive("volume of a conf-file");
      }
    } else if (hasProcessor && !stress && word == "SievingSizes") {
      const std::size_t count = in.count("SievingSizes", 2);
      for (std::size_t k = 0; k < count; ++k) commands.sievingSizes.push_back(in.number("size"));
    } else {
      throw in.error(fmt::format("unknown word '{}'", shown(word)));
    }
  }
  const bool sizesMissing = commands.processor == PostproCommands::Processor::clusterGranulo &&
                            commands.sievingSizes.empty();
  if (!hasProcessor || sizesMissing || commands.lastConf < commands.firstConf)
    throw in.errorAtNext(
        "expected firstConf, lastConf of at least that, and PostProcessor with its words");
  return commands;
}

std::vector<Column> postproColumns(const PostproCommands& commands) {
  if (commands.processor == PostproCommands::Processor::clusterGranulo)
    return columnsFrom("size share");
  return columnsFrom(tensorColumns("N.m") + " a:N.m r:N.m along:N.m across:N.m");
}

std::vector<Row> postproRows(const PostproCommands& commands, const Instant& instant) {
  return commands.processor == PostproCommands::Processor::particleStress
             ? stressRows(instant)
             : granuloRows(commands, instant);
}

Mat3 postproTotal(const PostproCommands& commands, const Instant& instant) {
  const auto own = commands.volumeOfConf.find(instant.conf().iconf);
  const double volume = own != commands.volumeOfConf.end() ? own->second : commands.volume;
  Mat3 sum = Mat3::Zero();
  if (!(volume > 0.0)) return sum;
  for (const Mat3& m : freeVirials(instant)) sum += m;
  return sum / volume;
}

}  // namespace scree::sim
