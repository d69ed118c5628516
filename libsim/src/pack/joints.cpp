// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "loads.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/rng.hpp"
#include "scree/base/table.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/sim/measure/kinds.hpp"
#include "scree/sim/pack/tessellation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace scree::sim {
namespace {

/// A block, and for each set the number of the slab between its joints that it lies in.
struct Block {
  Cell cell;
  std::vector<int> slabs;
};

/// Least and greatest height [L] of a cell along a normal.
std::pair<double, double> heightsOf(const Cell& cell, const Vec3& normal) {
  std::pair<double, double> heights{HUGE_VAL, -HUGE_VAL};
  for (const Vec3& v : cell.mesh.vertices)
    heights = {std::min(heights.first, normal.dot(v)), std::max(heights.second, normal.dot(v))};
  return heights;
}

std::vector<Cell> partsOf(const Cell& cell, const CellSide& plane) {
  if (!cell.convex) {
    std::vector<Cell> parts = partsBehind(shape::triangulated(cell.mesh), {&plane, 1}, cell.sides);
    for (Cell& part : parts)
      part.cuts.insert(part.cuts.begin(), cell.cuts.begin(), cell.cuts.end());
    return parts;
  }
  std::vector<CellSide> sides = cell.sides;
  sides.push_back(plane);
  if (auto part = convexCell(sides, boundingBox(cell))) return {std::move(*part)};
  return {};
}

/// The middle of the box around the section of a cell.
Vec3 middleOfSection(const Cell& cell, const CellSide& plane) {
  shape::Aabb box;
  const auto& vertices = cell.mesh.vertices;
  for (const shape::Edge& e : shape::edgesOf(cell.mesh.faces)) {
    const double a = plane.normal.dot(vertices[e[0]]) - plane.offset,
                 b = plane.normal.dot(vertices[e[1]]) - plane.offset;
    if ((a > 0.0) != (b > 0.0))
      box.add(vertices[e[0]] + a / (a - b) * (vertices[e[1]] - vertices[e[0]]));
  }
  return box.centre();
}

/// A normal about `mean` by the distribution of Fisher with this angular standard deviation.
/// Source: N. I. Fisher, T. Lewis, B. J. J. Embleton, Statistical Analysis of Spherical Data,
/// Cambridge 1987, 3.6.2 (its inverse, for the concentration (81/spread)²).
Vec3 scattered(const Vec3& mean, double spread, Rng& rng) {
  const double concentration = 81.0 / spread * (81.0 / spread), u = rng.uniform();
  const double cosine =
      1.0 + elementary::log(u + (1.0 - u) * elementary::exp(-2.0 * concentration)) / concentration;
  const double sine = std::sqrt(std::max(1.0 - cosine * cosine, 0.0)), turns = rng.uniform();
  const Mat3 axes = shape::axesAlong(mean);
  return (cosine * axes.col(0) +
          sine * (cosOfTurns(turns) * axes.col(1) + sinOfTurns(turns) * axes.col(2)))
      .normalized();
}

/// Joints of a set, drawn through some blocks.
std::vector<Joint> drawn(const JointSet& joints, int set, const std::vector<Block>& blocks,
                         Rng& rng) {
  const Vec3 mean = jointNormal(joints.dip, joints.direction);
  double low = HUGE_VAL, high = -HUGE_VAL;
  shape::Aabb box;
  for (const Block& block : blocks) {
    const auto [from, to] = heightsOf(block.cell, mean);
    box.add(boundingBox(block.cell));
    low = std::min(low, from);
    high = std::max(high, to);
  }
  if ((high - low) / joints.spacing > 1e5)
    throw UsageError(
        fmt::format("--joint: a spacing of {:.6g} makes more than 100000 joints", joints.spacing));
  std::vector<Joint> out;
  for (double at = low;;) {
    at += joints.exponential ? -joints.spacing * elementary::log(1.0 - rng.uniform())
                             : joints.spacing;
    if (at > high) return out;
    out.push_back({joints.spread > 0.0 ? scattered(mean, joints.spread, rng) : mean,
                   box.centre() + (at - mean.dot(box.centre())) * mean, HUGE_VAL, set});
  }
}

struct Cutting {
  double room;             ///< [L] radius of the ball that each part has room for
  Progress progress;       ///< of one call
  std::size_t blocks = 1;  ///< there are now
  std::size_t merged = 0;  ///< parts that would have had no room

  /// Cuts blocks along joints. Those above count one slab more of the set. @returns how often
  std::size_t run(std::vector<Block>& among, std::span<const Joint> joints) {
    std::size_t cuts = 0, done = 0;
    for (const Joint& joint : joints) {
      for (std::size_t k = 0, n = among.size(); k < n; ++k) cuts += cut(among, k, joint);
      progress(static_cast<double>(++done) / static_cast<double>(joints.size()));
    }
    return cuts;
  }

 private:
  bool cut(std::vector<Block>& among, std::size_t k, const Joint& joint) {
    const CellSide plane{joint.normal, joint.normal.dot(joint.point), joint.set};
    const auto set = static_cast<std::size_t>(joint.set);
    const Cell& cell = among[k].cell;
    const bool endless = !(joint.radius < HUGE_VAL);
    const double tolerance = 2e-9 * boundingBox(cell).halfSize().norm();
    const auto [from, to] = heightsOf(cell, plane.normal);
    if (plane.offset - from <= tolerance) {
      among[k].slabs[set] += endless;
      return false;
    }
    if (blocks > 1'000'000) throw UsageError("--joint: more than 1000000 blocks");
    if (to - plane.offset <= tolerance ||
        (!endless && (middleOfSection(cell, plane) - joint.point).norm() > joint.radius))
      return false;
    std::vector<Cell> low = partsOf(cell, plane),
                      high = partsOf(cell, {-plane.normal, -plane.offset, plane.set});
    if (low.empty() || high.empty()) return false;
    const auto fits = [&](const Cell& part) { return hasRoom(part, room); };
    if (!std::ranges::all_of(low, fits) || !std::ranges::all_of(high, fits)) {
      ++merged;
      return false;
    }
    blocks += low.size() + high.size() - 1;
    const std::vector<int> below = among[k].slabs;
    std::vector<int> above = below;
    ++above[set];
    among[k].cell = std::move(low.front());
    for (std::size_t m = 1; m < low.size(); ++m) among.push_back({std::move(low[m]), below});
    for (Cell& part : high) among.push_back({std::move(part), above});
    return true;
  }
};

}  // namespace

Vec3 jointNormal(double dip, double direction) {
  const double d = dip / 360.0, a = direction / 360.0, turn = a - std::floor(a);
  return Vec3(sinOfTurns(d) * sinOfTurns(turn), cosOfTurns(d), -sinOfTurns(d) * cosOfTurns(turn))
      .normalized();
}

JointSet JointSet::parse(const std::string& text) {
  const auto require = [&](bool fits) {
    if (!fits)
      throw UsageError(fmt::format(
          "--joint {}: expected DIP,DIPDIR,SPACING[,SPREAD][:exponential,ends=K+K,tensile=S,"
          "cohesion=C]: a dip from 0 to 90 degrees, a dip direction from 0, a spread from 0 to 60, "
          "spacing and strengths above 0",
          shown(text)));
  };
  const std::size_t colon = std::min(text.find(':'), text.size());
  std::vector<double> v;
  for (const std::string& word : partsOf(text.substr(0, colon), ','))
    v.push_back(parseNumber(word).value_or(NAN));
  if (v.size() == 3) v.push_back(0.0);
  require(v.size() == 4 && v[0] >= 0.0 && v[0] <= 90.0 && v[1] >= 0.0 && v[1] < HUGE_VAL &&
          v[2] > 0.0 && v[2] < HUGE_VAL && v[3] >= 0.0 && v[3] <= 60.0);
  JointSet joints{v[0], v[1], v[2], v[3]};
  if (colon == text.size()) return joints;
  for (const std::string& word : partsOf(text.substr(colon + 1), ',')) {
    const auto [name, value] = namedNumber(word);
    if (word == "exponential") {
      joints.exponential = true;
    } else if (word.starts_with("ends=")) {
      for (const std::string& set : partsOf(word.substr(5), '+')) {
        const std::int64_t k = parseInteger(set).value_or(0);
        require(k >= 1 && k <= 999);
        joints.ends.push_back(static_cast<std::size_t>(k));
      }
    } else {
      require((name == "tensile" || name == "cohesion") && value > 0.0);
      (name == "tensile" ? joints.tensile : joints.cohesion) = value;
    }
  }
  return joints;
}

std::vector<Joint> readJoints(TextReader text) {
  CsvReader table(std::move(text));
  std::vector<std::size_t> at;
  for (const char* name : {"x", "y", "z", "dip", "dipdir"}) {
    if (!table.column(name))
      throw table.headerError(
          fmt::format("expected the columns x,y,z,dip,dipdir; '{}' is missing", name));
    at.push_back(*table.column(name));
  }
  const auto radius = table.column("radius"), set = table.column("set");
  std::vector<Joint> joints;
  while (table.next()) {
    Joint& joint = joints.emplace_back();
    joint.point = {table.number(at[0]), table.number(at[1]), table.number(at[2])};
    const double dip = table.number(at[3]), direction = table.number(at[4]);
    if (!(dip >= 0.0 && dip <= 90.0)) throw table.error(at[3], "dip: expected 0 to 90 degrees");
    if (!(std::abs(direction) <= 3600.0))
      throw table.error(at[4], "dipdir: expected 0 to 360 degrees");
    joint.normal = jointNormal(dip, direction);
    if (radius) joint.radius = table.positive(*radius);
    if (set) joint.set = static_cast<int>(table.integer(*set, 1, 999)) - 1;
  }
  if (joints.empty()) throw table.headerError("expected a row for each joint, found none");
  return joints;
}

Tessellation cutByJoints(const Cell& solid, std::span<const JointSet> sets,
                         std::span<const Joint> joints, double radius, std::uint64_t seed,
                         const Progress& progress) {
  std::size_t count = sets.size();
  for (const Joint& joint : joints)
    count = std::max(count, static_cast<std::size_t>(joint.set) + 1);
  // The surveyed joints, and each set in each of its regions, are a part of the work.
  const double parts = static_cast<double>(sets.size()) + (joints.empty() ? 0.0 : 1.0);
  double done = 0.0, share = 1.0;
  const auto report = [&](double part) {
    if (progress) progress((done + share * part) / parts);
  };
  Cutting cutting{radius, report};
  std::vector<Block> blocks{{solid, std::vector<int>(count, 0)}};
  if (!joints.empty()) {
    if (cutting.run(blocks, joints) == 0) throw UsageError("--planes: no joint cuts the solid");
    done = 1.0;
  }
  Rng rng(seed + 1);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    // Blocks between the same joints of the sets at which this one ends.
    std::map<std::vector<int>, std::vector<Block>> regions;
    for (Block& block : blocks) {
      std::vector<int> key;
      for (const std::size_t end : sets[s].ends) {
        if (end > s)
          throw UsageError(
              fmt::format("--joint: set {} ends at set {}, which is no earlier one", s + 1, end));
        key.push_back(block.slabs[end - 1]);
      }
      regions[key].push_back(std::move(block));
    }
    blocks.clear();
    std::size_t cuts = 0;
    share = 1.0 / static_cast<double>(regions.size());
    for (auto& [key, region] : regions) {
      cuts += cutting.run(region, drawn(sets[s], static_cast<int>(s), region, rng));
      std::ranges::move(region, std::back_inserter(blocks));
      done += share;
    }
    if (cuts == 0)
      throw UsageError(fmt::format("--joint: set {}, spacing {:.6g}, cuts nothing{}", s + 1,
                                   sets[s].spacing,
                                   cutting.merged > 0 ? ": --radius leaves parts no room" : ""));
  }
  Tessellation out;
  out.volume = solid.volume;
  out.merged = cutting.merged;
  if (out.merged > 0)
    out.notes.push_back(
        fmt::format("blocks over which a joint passed, since a part would have had "
                    "no room for a ball of the radius: {}",
                    out.merged));
  if (!solid.convex) out.solid = solid;
  for (Block& block : blocks) out.cells.push_back(std::move(block.cell));
  return out;
}

}  // namespace scree::sim
