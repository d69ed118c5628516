// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"

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
#include <map>

namespace scree::sim {
namespace {

/// A block, and for each set the number of the slab between its joints that it lies in.
struct Block {
  Cell cell;
  std::vector<int> slabs;
};

/// Reach of a cell beyond a plane [L]. @param side  1: along the normal, -1: against it
double reachBeyond(const Cell& cell, const Vec3& normal, double offset, double side) {
  double most = -HUGE_VAL;
  for (const Vec3& v : cell.mesh.vertices) most = std::max(most, side * (normal.dot(v) - offset));
  return most;
}

/// Whether the middle of the section of a block lies in a disc about a point.
bool coversSection(const Block& block, const CellSide& plane, const Vec3& centre, double radius) {
  if (!(radius < HUGE_VAL)) return true;
  shape::Aabb box;
  const auto& vertices = block.cell.mesh.vertices;
  for (const shape::Edge& e : shape::edgesOf(block.cell.mesh.faces)) {
    const double a = plane.normal.dot(vertices[e[0]]) - plane.offset,
                 b = plane.normal.dot(vertices[e[1]]) - plane.offset;
    if ((a > 0.0) != (b > 0.0))
      box.add(vertices[e[0]] + a / (a - b) * (vertices[e[1]] - vertices[e[0]]));
  }
  return (box.centre() - centre).norm() <= radius;
}

/// Blocks that joints cut, and how.
struct Cutting {
  std::vector<Block> blocks;
  double room = 0.0;       ///< [L] radius of the ball that each part has room for
  std::size_t merged = 0;  ///< parts that would have had no room
  /// Cuts the blocks along a plane. Those above it count one slab more of the set.
  /// @param among  which blocks may be cut; gets an entry for each new one
  /// @returns how many blocks were cut
  std::size_t cut(std::vector<char>& among, const CellSide& plane, const Vec3& centre,
                  double radius);
  /// Draws the joints of one set through some blocks, and cuts those.
  std::size_t cutRegion(std::vector<char>& among, const JointSet& joints, int set, Rng& rng,
                        const Progress& progress);
};

std::size_t Cutting::cut(std::vector<char>& among, const CellSide& plane, const Vec3& centre,
                         double radius) {
  std::size_t cuts = 0;
  const auto set = static_cast<std::size_t>(plane.set);
  for (std::size_t k = 0, n = blocks.size(); k < n; ++k) {
    if (!among[k]) continue;
    const double size = 2.0 * boundingBox(blocks[k].cell).halfSize().norm(),
                 tolerance = 1e-9 * size,
                 above = reachBeyond(blocks[k].cell, plane.normal, plane.offset, 1.0),
                 below = reachBeyond(blocks[k].cell, plane.normal, plane.offset, -1.0);
    if (below <= tolerance) {
      if (!(radius < HUGE_VAL)) ++blocks[k].slabs[set];
      continue;
    }
    if (blocks.size() > 1'000'000) throw UsageError("--joint: more than 1000000 blocks");
    if (above <= tolerance || !coversSection(blocks[k], plane, centre, radius)) continue;
    std::vector<Cell> low, high;
    const Cell& cell = blocks[k].cell;
    if (cell.convex) {
      std::vector<CellSide> sides = cell.sides;
      sides.push_back(plane);
      const shape::Aabb box = boundingBox(cell);
      if (auto part = convexCell(sides, box)) low.push_back(std::move(*part));
      sides.back() = {-plane.normal, -plane.offset, plane.set};
      if (auto part = convexCell(sides, box)) high.push_back(std::move(*part));
    } else {
      std::vector<CellSide> planes = cell.cuts;
      planes.push_back(plane);
      const shape::SurfaceMesh triangles = shape::triangulated(cell.mesh);
      low = partsBehind(triangles, {&planes.back(), 1}, cell.sides);
      planes.back() = {-plane.normal, -plane.offset, plane.set};
      high = partsBehind(triangles, {&planes.back(), 1}, cell.sides);
      for (Cell& part : high) part.cuts = planes;
      planes.back() = plane;
      for (Cell& part : low) part.cuts = planes;
    }
    if (low.empty() || high.empty()) continue;
    const auto fits = [&](const Cell& part) { return hasRoom(part, room); };
    if (!std::ranges::all_of(low, fits) || !std::ranges::all_of(high, fits)) {
      ++merged;
      continue;
    }
    ++cuts;
    std::vector<int> slabs = blocks[k].slabs;
    blocks[k].cell = std::move(low.front());
    for (std::size_t m = 1; m < low.size(); ++m) {
      blocks.push_back({std::move(low[m]), slabs});
      among.push_back(1);
    }
    ++slabs[set];
    for (Cell& part : high) {
      blocks.push_back({std::move(part), slabs});
      among.push_back(1);
    }
  }
  return cuts;
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

std::size_t Cutting::cutRegion(std::vector<char>& among, const JointSet& joints, int set, Rng& rng,
                               const Progress& progress) {
  const Vec3 mean = jointNormal(joints.dip, joints.direction);
  double low = HUGE_VAL, high = -HUGE_VAL;
  shape::Aabb box;
  for (std::size_t k = 0; k < blocks.size(); ++k)
    if (among[k]) {
      box.add(boundingBox(blocks[k].cell));
      low = std::min(low, -reachBeyond(blocks[k].cell, mean, 0.0, -1.0));
      high = std::max(high, reachBeyond(blocks[k].cell, mean, 0.0, 1.0));
    }
  if ((high - low) / joints.spacing > 1e5)
    throw UsageError(
        fmt::format("--joint: a spacing of {:.6g} makes more than 100000 joints", joints.spacing));
  std::size_t cuts = 0;
  double at = low;
  while (true) {
    at += joints.exponential ? -joints.spacing * elementary::log(1.0 - rng.uniform())
                             : joints.spacing;
    if (at > high) return cuts;
    progress((at - low) / (high - low));
    const Vec3 point = box.centre() + (at - mean.dot(box.centre())) * mean;
    const Vec3 normal = joints.spread > 0.0 ? scattered(mean, joints.spread, rng) : mean;
    cuts += cut(among, {normal, normal.dot(point), set}, point, HUGE_VAL);
  }
}

}  // namespace

Vec3 jointNormal(double dip, double direction) {
  const double d = dip / 360.0, a = direction / 360.0, turn = a - std::floor(a);
  return Vec3(sinOfTurns(d) * sinOfTurns(turn), cosOfTurns(d), -sinOfTurns(d) * cosOfTurns(turn))
      .normalized();
}

JointSet JointSet::parse(const std::string& text) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError(fmt::format(
        "--joint {}: {}; expected DIP,DIPDIR,SPACING[,SPREAD][:exponential,ends=K+K,tensile=S,"
        "cohesion=C], angles in degrees, dip 0 to 90",
        text, why));
  };
  const auto number = [&](const std::string& word, bool positive) {
    const auto value = parseNumber(word);
    if (!value || !std::isfinite(*value) || *value < 0.0 || (positive && *value == 0.0))
      refuse(fmt::format("'{}' is no number {} 0", shown(word), positive ? "above" : "from"));
    return value.value_or(0.0);
  };
  const std::size_t colon = text.find(':');
  const std::vector<std::string> numbers = partsOf(text.substr(0, colon), ',');
  if (numbers.size() < 3 || numbers.size() > 4) refuse(fmt::format("{} numbers", numbers.size()));
  JointSet joints;
  joints.dip = number(numbers[0], false);
  joints.direction = number(numbers[1], false);
  joints.spacing = number(numbers[2], true);
  if (numbers.size() == 4) joints.spread = number(numbers[3], false);
  if (joints.dip > 90.0) refuse("a dip above 90");
  if (joints.spread > 60.0) refuse("a spread above 60");
  if (colon == std::string::npos) return joints;
  for (const std::string& word : partsOf(text.substr(colon + 1), ',')) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals),
                      value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (word == "exponential") {
      joints.exponential = true;
    } else if (key == "tensile") {
      joints.tensile = number(value, true);
    } else if (key == "cohesion") {
      joints.cohesion = number(value, true);
    } else if (key == "ends") {
      for (const std::string& set : partsOf(value, '+')) {
        const auto k = parseInteger(set);
        if (!k || *k < 1 || *k > 999) refuse(fmt::format("'{}' is no set", shown(set)));
        joints.ends.push_back(static_cast<std::size_t>(k.value_or(1)));
      }
    } else {
      refuse(fmt::format("unknown word '{}'", shown(word)));
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
  int count = static_cast<int>(sets.size());
  for (const Joint& joint : joints) count = std::max(count, joint.set + 1);
  Cutting cutting{{}, radius};
  std::vector<Block>& blocks = cutting.blocks;
  blocks.push_back({solid, std::vector<int>(static_cast<std::size_t>(count), 0)});
  std::vector<char> all{1};
  std::size_t cuts = 0;
  // Each set, and the surveyed joints, count as one part of the work.
  double before = 0.0;
  const double parts = static_cast<double>(sets.size()) + (joints.empty() ? 0.0 : 1.0);
  const auto report = [&](double done) {
    if (progress) progress((before + done) / parts);
  };
  for (const Joint& j : joints) {
    cuts += cutting.cut(all, {j.normal, j.normal.dot(j.point), j.set}, j.point, j.radius);
    report(static_cast<double>(&j - joints.data() + 1) / static_cast<double>(joints.size()));
  }
  before = joints.empty() ? 0.0 : 1.0;
  if (!joints.empty() && cuts == 0) throw UsageError("--planes: no joint cuts the solid");
  Rng rng(seed + 1);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    std::map<std::vector<int>, std::vector<std::size_t>> regions;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      std::vector<int> key;
      for (const std::size_t end : sets[s].ends) {
        if (end > s)
          throw UsageError(
              fmt::format("--joint: set {} ends at set {}, which is no earlier one", s + 1, end));
        key.push_back(blocks[k].slabs[end - 1]);
      }
      regions[key].push_back(k);
    }
    cuts = 0;
    double region = 0.0;
    for (const auto& [key, members] : regions) {
      std::vector<char> among(blocks.size(), 0);
      for (const std::size_t k : members) among[k] = 1;
      cuts += cutting.cutRegion(among, sets[s], static_cast<int>(s), rng, [&](double done) {
        report((region + done) / static_cast<double>(regions.size()));
      });
      ++region;
    }
    ++before;
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
