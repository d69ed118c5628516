// SPDX-License-Identifier: GPL-3.0-or-later
#include "postpro.hpp"

#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/stress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace scree::tools {
namespace {

constexpr std::array<std::string_view, 4> words{"firstConf", "lastConf", "stepConf",
                                                "PostProcessor"};
constexpr std::array<std::string_view, 2> processors{"ParticleStress", "ClusterGranulo"};

/// The words of a processor, up to the end of the file.
void readProcessor(TextReader& in, PostproCommands& commands) {
  constexpr std::int64_t mostConf = std::numeric_limits<std::int32_t>::max();
  const bool stress = commands.processor == PostproCommands::Processor::particleStress;
  const auto skipComment = [&] {
    const char first = in.atEnd() ? ' ' : in.peek()[0];
    if (first != '#' && first != '/' && first != '!') return false;
    in.word("comment");
    in.skipLine();
    return true;
  };
  while (!in.atEnd()) {
    if (skipComment()) continue;
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

/// M of each body as Rockable sums it: f' ⊗ c over the lines of `Interactions`, f' = -(fn n + ft).
std::vector<Mat3> momentsAboutOrigin(const sim::Conf& conf) {
  std::vector<Mat3> moments(conf.particles.size(), Mat3(Mat3::Zero()));
  for (const sim::InteractionRecord& c : conf.interactions) {
    const Mat3 part = -(c.fn * c.n + c.ft) * c.pos.transpose();
    for (const auto& [body, sign] : {std::pair(c.key.i, 1.0), std::pair(c.key.j, -1.0)})
      if (body < moments.size() && body >= conf.nDriven) moments[body] += sign * part;
  }
  return moments;
}

std::vector<Mat3> moments(const sim::Instant& instant, bool asRockable) {
  if (asRockable) return momentsAboutOrigin(instant.conf());
  std::vector<Mat3> all = instant.virials();
  for (std::size_t k = 0; k < all.size() && instant.isDriven(k); ++k) all[k].setZero();
  return all;
}

std::vector<sim::Row> stressRows(const sim::Instant& instant, bool asRockable) {
  std::vector<sim::Row> rows;
  const std::vector<Mat3> all = moments(instant, asRockable);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Mat3& m = all[k];
    const Quat& q = instant.body(k).q;
    const Vec3 u = rotated(q, Vec3::UnitZ());
    const Vec3 e = asRockable ? Vec3(Vec3::UnitX()) : rotated(q, Vec3::UnitX()),
               f = asRockable ? Vec3(Vec3::UnitX().cross(u)) : rotated(q, Vec3::UnitY());
    const double along = u.dot(m * u), a = e.dot(m * e), b = f.dot(m * f);
    sim::Row row;
    for (int c = 0; c < 9; ++c) row.emplace_back(m(c / 3, c % 3));
    for (const double value : {along, std::sqrt(a * a + b * b), along, m.trace() - along})
      row.emplace_back(value);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<sim::Row> granuloRows(const PostproCommands& commands, const sim::Instant& instant) {
  std::vector<char> chosen(instant.bodyCount(), 1);
  std::fill_n(chosen.begin(), std::min<std::size_t>(instant.conf().nDriven, chosen.size()), 0);
  const sim::BondedParts parts = sim::bondedParts(instant.conf(), chosen);
  std::vector<double> counts(commands.sievingSizes.size(), 0.0);
  for (const auto& part : parts.bodies) counts[std::min(part.size(), counts.size()) - 1] += 1.0;
  std::vector<sim::Row> rows;
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
    const char first = in.peek()[0];
    if (first == '#' || first == '/' || first == '!') {
      in.word("comment");
      in.skipLine();
      continue;
    }
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
                                 suggestion(word, words), fmt::join(words, ", ")));
    }
  }
  throw in.errorAtNext("expected PostProcessor with one of " +
                       fmt::format("{}", fmt::join(processors, ", ")));
}

std::vector<sim::Column> postproColumns(const PostproCommands& commands) {
  if (commands.processor == PostproCommands::Processor::clusterGranulo)
    return {{"size", ""}, {"share", "-"}};
  std::vector<sim::Column> columns;
  for (const char* name :
       {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz", "a", "r", "along", "across"})
    columns.push_back({name, "N.m"});
  return columns;
}

std::vector<sim::Row> postproRows(const PostproCommands& commands, const sim::Instant& instant,
                                  bool asRockable) {
  return commands.processor == PostproCommands::Processor::particleStress
             ? stressRows(instant, asRockable)
             : granuloRows(commands, instant);
}

Mat3 postproTotal(const PostproCommands& commands, const sim::Instant& instant, bool asRockable) {
  const auto own = commands.volumeOfConf.find(instant.conf().iconf);
  const double volume = own != commands.volumeOfConf.end() ? own->second : commands.volume;
  Mat3 sum = Mat3::Zero();
  if (!(volume > 0.0)) return sum;
  for (const Mat3& m : moments(instant, asRockable)) sum += m;
  return sum / volume;
}

}  // namespace scree::tools
