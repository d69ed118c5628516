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

constexpr std::array<std::string_view, 4> postproWords{"firstConf", "lastConf", "stepConf",
                                                       "PostProcessor"};
constexpr std::array<std::string_view, 2> processors{"ParticleStress", "ClusterGranulo"};

bool skipComment(TextReader& in) {
  const char first = in.peek()[0];
  if (first != '#' && first != '/' && first != '!') return false;
  in.word("comment");
  in.skipLine();
  return true;
}

/// Reads the words of a processor, up to the end of the file.
void readProcessor(TextReader& in, PostproCommands& commands) {
  constexpr std::int64_t mostConf = std::numeric_limits<std::int32_t>::max();
  const bool stress = commands.processor == PostproCommands::Processor::particleStress;
  while (!in.atEnd()) {
    if (skipComment(in)) continue;
    const std::string word(in.word("keyword"));
    if (stress && word == "Volume") {
      commands.volume = in.positive("Volume");
    } else if (stress && word == "ConfVolumes") {
      const std::size_t count = in.count("ConfVolumes", 4);
      for (std::size_t k = 0; k < count; ++k) {
        const std::int64_t conf = in.integer("number of a conf-file", 0, mostConf);
        commands.volumeOfConf[conf] = in.positive("volume of a conf-file");
      }
    } else if (!stress && word == "SievingSizes") {
      const std::size_t count = in.count("SievingSizes", 2);
      for (std::size_t k = 0; k < count; ++k) commands.sievingSizes.push_back(in.number("size"));
    } else {
      throw in.error(fmt::format("unknown word '{}' of {}; expected {}", shown(word),
                                 nameOf(commands.processor),
                                 stress ? "Volume or ConfVolumes" : "SievingSizes"));
    }
  }
  if (!stress && commands.sievingSizes.empty())
    throw in.errorAtNext("ClusterGranulo: expected SievingSizes with their count and the sizes");
}

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
  while (!in.atEnd()) {
    if (skipComment(in)) continue;
    const std::string word(in.word("keyword"));
    if (word == "firstConf") {
      commands.firstConf = in.integer(word, 0, most);
    } else if (word == "lastConf") {
      commands.lastConf = in.integer(word, 0, most);
    } else if (word == "stepConf") {
      commands.stepConf = in.integer(word, 1, most);
    } else if (word == "PostProcessor") {
      const std::string name(in.word("PostProcessor"));
      const auto found = std::ranges::find(processors, name);
      if (found == processors.end())
        throw in.error(fmt::format("PostProcessor: unknown name '{}'{}; there are {}", shown(name),
                                   suggestion(name, processors), fmt::join(processors, ", ")));
      commands.processor = static_cast<PostproCommands::Processor>(found - processors.begin());
      readProcessor(in, commands);
      if (commands.lastConf < commands.firstConf)
        throw in.error(
            fmt::format("lastConf: expected a number of at least firstConf ({}), found {}",
                        commands.firstConf, commands.lastConf));
      return commands;
    } else {
      throw in.error(fmt::format("unknown word '{}'{}; expected one of {}", shown(word),
                                 suggestion(word, postproWords), fmt::join(postproWords, ", ")));
    }
  }
  throw in.errorAtNext("expected PostProcessor with one of " +
                       fmt::format("{}", fmt::join(processors, ", ")));
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
