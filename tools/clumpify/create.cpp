// SPDX-License-Identifier: GPL-3.0-or-later
#include "create.hpp"

#include "blocks.hpp"
#include "input.hpp"
#include "mass.hpp"
#include "run_tool.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/clump/pack_transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace scree::tools {
namespace {

std::vector<double> numbers(const std::vector<std::string>& words, std::string_view option) {
  std::vector<double> out;
  for (const std::string& word : words) {
    const auto value = parseNumber(word);
    if (!value || !std::isfinite(*value))
      throw UsageError(
          fmt::format("{}: expected a finite number, found '{}'", option, shown(word)));
    out.push_back(*value);
  }
  return out;
}

std::vector<clump::PackGroup> groupsFrom(const std::vector<std::string>& words,
                                         std::string_view option) {
  std::vector<clump::PackGroup> out;
  for (const std::string& word : words) {
    const auto group = clump::parsedGroup(word);
    if (!group)
      throw UsageError(
          fmt::format("{}: expected NAME or NAME:SLOT without blanks, control characters, '#' and "
                      "'='; found '{}'",
                      option, shown(word)));
    out.push_back(*group);
  }
  return out;
}

void checkPositive(const std::optional<double>& value, std::string_view option) {
  if (value && (!(*value > 0.0) || !std::isfinite(*value)))
    throw UsageError(fmt::format("{}: expected a finite number above 0", option));
}

/// How the user gave the centroid.
std::string positionOption(const ComposeWords& w) {
  return w.positionX   ? "--position-x"
         : w.positionY ? "--position-y"
         : w.positionZ ? "--position-z"
                       : "--position";
}

/// The given centroid, from its vector or its components; components not given are 0.
std::optional<Vec3> positionFrom(const ComposeWords& w) {
  const bool components = w.positionX || w.positionY || w.positionZ;
  if (w.position.empty() && !components) return std::nullopt;
  if (!w.position.empty() && components)
    throw UsageError("--position and --position-x, -y, -z exclude each other");
  if (components) {
    const Vec3 p(w.positionX.value_or(0.0), w.positionY.value_or(0.0), w.positionZ.value_or(0.0));
    if (!p.allFinite()) throw UsageError("--position-x, -y, -z: expected finite numbers");
    return p;
  }
  const std::vector<double> p = numbers(w.position, "--position");
  if (p.size() == 2)
    throw UsageError("--position with two numbers is the 2D form; clumps here are 3D: X Y Z");
  if (p.size() != 3)
    throw UsageError(fmt::format("--position: expected three numbers X Y Z, found {}", p.size()));
  return Vec3(p[0], p[1], p[2]);
}

/// Blocks that the words do not choose may be missing, where a pebble cannot be what they are. An
/// expression chooses among pebbles alone.
std::function<bool(std::int64_t)> mayLose(const ComposeWords& words) {
  if (!words.select.empty()) return [](std::int64_t) { return true; };
  if (words.ids.empty()) return {};
  return [ranges = idRanges(words.ids, "--ids")](std::int64_t id) {
    return std::none_of(ranges.begin(), ranges.end(),
                        [&](const auto& r) { return id >= r.first && id <= r.second; });
  };
}

/// Which particles the words choose, of one file or of several.
class Choice {
 public:
  explicit Choice(const ComposeWords& words) : words_(words) {
    if (!words.ids.empty() && !words.select.empty())
      throw UsageError("--ids and --select exclude each other: either chooses the blocks");
    if (!words.ids.empty()) ranges_ = idRanges(words.ids, "--ids");
    met_.assign(ranges_.size(), false);
  }

  std::vector<bool> of(const clump::ShapePack& pack) {
    std::vector<bool> out(pack.particles.size(), ranges_.empty());
    for (std::size_t k = 0; k < out.size(); ++k)
      for (std::size_t r = 0; r < ranges_.size(); ++r)
        if (pack.particles[k].id >= ranges_[r].first && pack.particles[k].id <= ranges_[r].second)
          out[k] = met_[r] = true;
    if (!words_.select.empty()) {
      const auto values =
          particleValues(pack, "--select", words_.select, {.threads = words_.threads});
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = Condition::isTrue(values[k]);
    }
    any_ = any_ || std::find(out.begin(), out.end(), true) != out.end();
    return out;
  }

  /// @throws ModelError if a part of the words chose nothing in any of the files
  void check() const {
    for (std::size_t r = 0; r < ranges_.size(); ++r)
      if (!met_[r])
        throw ModelError(fmt::format("--ids {}: no block has an ID from {} to {}", words_.ids,
                                     ranges_[r].first, ranges_[r].second));
    if (!words_.select.empty() && !any_)
      throw ModelError(fmt::format("--select '{}' chooses no block", words_.select));
  }

 private:
  const ComposeWords& words_;
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges_;
  std::vector<bool> met_;  ///< which of them chose a block
  bool any_ = false;
};

/// A clump that lies across the boundary of the cell must be stored in one piece.
void warnLong(const clump::PackParticle& clump, const Vec3& cell, Diagnostics& diagnostics) {
  const clump::ParticleBox box = clump::boxOf(clump);
  for (Eigen::Index c = 0; c < 3; ++c) {
    const double length = box.most[c] - box.least[c];
    if (cell[c] > 0.0 && length > 0.5 * cell[c])
      diagnostics.warn(fmt::format(
          "clump {}: it is {:.6g} long along {}, more than half of the periodic cell ({:.6g}), in "
          "the unit of the file. If it lies across the boundary, move its blocks to one side by "
          "{:.6g} first, so that they touch as in the cell",
          clump.id, length, "xyz"[c], cell[c], cell[c]));
  }
}

void describe(const clump::Composed& c, const clump::ComposeOptions& options,
              Diagnostics& diagnostics) {
  const clump::ParticleMass& m = c.mass;
  diagnostics.note(
      fmt::format("clump {}: {} shape{}, volume {:.9g}, centre {:.9g} {:.9g} {:.9g}, density "
                  "{:.9g}, in the units of the file ({})",
                  c.particle.id, c.particle.members.size(),
                  c.particle.members.size() == 1 ? "" : "s", m.solid.volume, m.solid.centre.x(),
                  m.solid.centre.y(), m.solid.centre.z(), m.density.value_or(1.0), m.method));
  if (m.octree) {
    diagnostics.note(fmt::format("voxels: the volume is from {:.9g} to {:.9g}; extrapolated {:.9g}",
                                 m.octree->inside, m.octree->inside + m.octree->undecided,
                                 m.solid.volume));
    if (!m.octree->reached())
      diagnostics.note(
          fmt::format("voxels: {} ended the search before the tolerance {:.2g} was reached; the "
                      "last of {} levels changed the volume by {:.2g}, relative. A larger "
                      "--max-cells or --calculate exact is more accurate",
                      limitOf(*m.octree, options.maxCells), options.tolerance, m.octree->level,
                      m.octree->change));
  }
  if (m.method == "certified")
    diagnostics.note(
        fmt::format("the overlap of these shapes has no closed form: the volume is certified to a "
                    "relative error of {:.2g}",
                    m.bound->volume));
}

}  // namespace

std::string calculateProblem(const std::string& word) {
  if (word.empty() || word == "exact" || word == "voxel" || word == "from-rblocks") return {};
  return fmt::format("expected exact, voxel or from-rblocks, found '{}'", shown(word));
}

clump::ComposeOptions composeOptions(const ComposeWords& w) {
  clump::ComposeOptions o;
  using Calculate = clump::ComposeOptions::Calculate;
  o.position = positionFrom(w);
  checkPositive(w.density, "--density");
  checkPositive(w.volume, "--volume");
  const std::string position = positionOption(w);
  const bool calculates = !w.calculate.empty() || w.recompute;
  const std::string calculate = w.calculate.empty() ? "--recompute" : "--calculate";
  if (calculates && o.position)
    throw UsageError(calculate + " finds the position of the clump; " + position +
                     " cannot be given with it");
  if (calculates && w.volume)
    throw UsageError(calculate +
                     " finds the volume of the clump; --volume cannot be given with it");
  if (calculates && !w.inertia.empty())
    throw UsageError(calculate +
                     " finds the inertia of the clump; --inertia cannot be given with it");
  if (w.volume && w.inertia.empty())
    throw UsageError("--volume needs --inertia: give both or none");
  if (!w.volume && !w.inertia.empty())
    throw UsageError("--inertia needs --volume: give both or none");
  if (o.position && !w.volume)
    throw UsageError(position + " needs --volume and --inertia: else the centroid is computed");
  o.volume = w.volume;
  if (!w.inertia.empty()) {
    const std::vector<double> six = numbers(w.inertia, "--inertia");
    if (six.size() == 1)
      throw UsageError(
          "--inertia with one number is the 2D form; clumps here are 3D: E11 E22 E33 E12 E13 E23");
    if (six.size() != 6)
      throw UsageError(fmt::format(
          "--inertia: expected six numbers E11 E22 E33 E12 E13 E23, found {}", six.size()));
    o.inertia = clump::symmetricTensor(six);
    if (const std::string problem = clump::inertiaProblem(*o.inertia); !problem.empty())
      throw UsageError("--inertia: the tensor " + problem);
  }
  if (w.calculate == "voxel")
    o.calculate = Calculate::voxel;
  else if (w.calculate == "from-rblocks")
    o.calculate = Calculate::fromBlocks;
  else if (const std::string problem = calculateProblem(w.calculate); !problem.empty())
    throw UsageError("--calculate: " + problem);
  const bool voxel = o.calculate == Calculate::voxel;
  if (w.tolerance && !voxel) throw UsageError("--tolerance belongs to --calculate voxel");
  if (w.maxCells && !voxel) throw UsageError("--max-cells belongs to --calculate voxel");
  if (w.tolerance && !(*w.tolerance >= 1e-11 && *w.tolerance < 1.0))
    throw UsageError("--tolerance: expected a number from 1e-11 to below 1");
  if (w.maxCells && (*w.maxCells < 1 || *w.maxCells > 100'000'000))
    throw UsageError("--max-cells: expected a number from 1 to 100000000");
  if (w.tolerance) o.tolerance = *w.tolerance;
  if (w.maxCells) o.maxCells = static_cast<std::size_t>(*w.maxCells);
  o.density = w.density;
  o.groups = groupsFrom(w.groups, "--group");
  o.pebbleGroups = groupsFrom(w.pebbleGroups, "--pebble-group");
  o.threads = w.threads;
  if (w.id && *w.id < 0) throw UsageError("--id: expected a number of at least 0");
  return o;
}

CreatedPack created(const std::string& input, const ComposeWords& words, Diagnostics& diagnostics) {
  clump::ComposeOptions options = composeOptions(words);
  CreatedPack result;
  result.pack = blocksFrom(input, words.fromNan, diagnostics, "auto", mayLose(words),
                           {.forms = {}, .remedy = {}, .placing = &options.placing});
  Choice choice(words);
  const std::vector<bool> take = choice.of(result.pack);
  choice.check();
  std::vector<clump::PackParticle> blocks, rest;
  std::int64_t largest = -1;
  for (std::size_t k = 0; k < take.size(); ++k) {
    largest = std::max(largest, result.pack.particles[k].id);
    (take[k] ? blocks : rest).push_back(std::move(result.pack.particles[k]));
  }
  if (blocks.empty()) throw ModelError(fmt::format("{}: contains no block", inputName(input)));
  if (words.id)
    for (const clump::PackParticle& p : rest)
      if (p.id == *words.id)
        throw ModelError(
            fmt::format("--id {}: a block that stays has this ID; leave the option "
                        "out for the next free one",
                        *words.id));
  if (!words.id && largest == std::numeric_limits<std::int64_t>::max())
    throw ModelError("no ID is free above the largest; give one by --id");
  result.clump = inFile(input, [&] {
    return clump::composed(blocks, words.id.value_or(largest + 1), options, diagnostics);
  });
  warnLong(result.clump.particle, result.pack.cell, diagnostics);
  describe(result.clump, options, diagnostics);
  result.pack.particles = std::move(rest);
  result.pack.particles.push_back(result.clump.particle);
  clump::separateIds(result.pack, diagnostics);  // blocks between which others stood
  return result;
}

CreatedPack added(const std::string& input, const std::vector<std::string>& pebbles,
                  const ComposeWords& words, Diagnostics& diagnostics) {
  if (!words.id) throw UsageError("--id is needed: it names the clump that gets the pebbles");
  clump::ComposeOptions options = composeOptions(words);
  std::vector<std::string> inputs{input};
  inputs.insert(inputs.end(), pebbles.begin(), pebbles.end());
  checkInputs(inputs);
  CreatedPack result;
  const BlockExtras extras{.forms = {}, .remedy = {}, .placing = &options.placing};
  result.pack = blocksFrom(input, words.fromNan, diagnostics, "auto", {}, extras);
  clump::PackParticle* target = nullptr;
  for (clump::PackParticle& p : result.pack.particles) {
    if (p.id != *words.id) continue;
    if (target)
      throw ModelError(
          fmt::format("{}: several particles have ID {}", inputName(input), *words.id));
    target = &p;
  }
  if (!target) throw ModelError(fmt::format("{}: no clump has ID {}", inputName(input), *words.id));
  const auto at = static_cast<std::size_t>(target - result.pack.particles.data());
  std::vector<clump::PackParticle> blocks;
  std::vector<bool> stays(result.pack.particles.size(), true);
  Choice choice(words);
  for (const std::string& path : pebbles) {
    const bool same = sameFile(path, input);
    clump::ShapePack other;
    if (!same) other = blocksFrom(path, words.fromNan, diagnostics, "auto", mayLose(words), extras);
    const clump::ShapePack& pack = same ? result.pack : other;
    const std::vector<bool> take = choice.of(pack);
    for (std::size_t k = 0; k < take.size(); ++k) {
      if (!take[k] || (same && (k == at || !stays[k]))) continue;
      blocks.push_back(pack.particles[k]);
      if (same) stays[k] = false;
    }
  }
  choice.check();
  result.clump =
      inFile(input, [&] { return clump::extended(*target, blocks, options, diagnostics); });
  warnLong(result.clump.particle, result.pack.cell, diagnostics);
  describe(result.clump, options, diagnostics);
  *target = result.clump.particle;
  if (std::find(stays.begin(), stays.end(), false) == stays.end()) return result;
  clump::keepOnly(result.pack, stays);
  clump::separateIds(result.pack, diagnostics);
  return result;
}

}  // namespace scree::tools
