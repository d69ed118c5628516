// SPDX-License-Identifier: GPL-3.0-or-later
#include "clump/symmetry.hpp"

#include "scree/base/math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace scree::clump {
namespace {

constexpr std::size_t mostMaps = 1000;  // found at most
constexpr std::size_t mostTurns = 64;   // about one axis, in a group for a search
constexpr double sameMap = 3e-3;        // Frobenius norm of the difference of two maps that are one

/// Index of the map that `map` is, up to rounding and the errors of a mesh.
std::optional<std::size_t> indexOf(const std::vector<Mat3>& maps, const Mat3& map) {
  for (std::size_t k = 0; k < maps.size(); ++k)
    if (std::fabs(maps[k](0, 0) - map(0, 0)) < sameMap && (maps[k] - map).norm() < sameMap)
      return k;
  return std::nullopt;
}

/// All products of the generators; none where they are more than `most`.
std::optional<std::vector<Mat3>> closure(const std::vector<Mat3>& generators, std::size_t most) {
  std::vector<Mat3> maps{Mat3::Identity()};
  for (std::size_t k = 0; k < maps.size(); ++k)
    for (const Mat3& generator : generators) {
      const Mat3 next = generator * maps[k];
      if (indexOf(maps, next)) continue;
      if (maps.size() == most) return std::nullopt;
      maps.push_back(next);
    }
  return maps;
}

Mat3 nearestOrthogonal(const Mat3& m) {
  const Eigen::JacobiSVD<Mat3> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

bool isTurn(const Mat3& map) { return map.determinant() > 0.0; }

/// Direction that a mirror reverses, or that a half turn keeps.
Vec3 directionOf(const Mat3& map) {
  const Mat3 along =
      isTurn(map) ? Mat3(0.5 * (map + Mat3::Identity())) : Mat3(0.5 * (Mat3::Identity() - map));
  Eigen::Index column = 0;
  along.diagonal().maxCoeff(&column);
  return along.col(column).normalized();
}

/// Entries that are whole numbers but for rounding become these.
Mat3 withWholeEntries(const Mat3& map) {
  return map.unaryExpr([](double x) {
    const double whole = std::nearbyint(x);
    return std::fabs(x - whole) < 1e-12 ? whole : x;
  });
}

/// Maps that multiply exactly as those given do nearly: f(g) becomes the mean of f(g h) f(h)⁻¹ over
/// all h. Errors are squared in each round (K. Grove, H. Karcher & E. A. Ruh, Math. Ann. 211, 7-21,
/// 1974).
std::vector<Mat3> exactGroup(std::vector<Mat3> maps) {
  const std::size_t n = maps.size();
  std::vector<std::size_t> product(n * n);
  for (std::size_t g = 0; g < n; ++g)
    for (std::size_t h = 0; h < n; ++h) {
      const auto found = indexOf(maps, maps[g] * maps[h]);
      if (!found) return {Mat3::Identity()};
      product[g * n + h] = *found;
    }
  for (int round = 0; round < 5; ++round) {
    std::vector<Mat3> next(n, Mat3::Zero());
    for (std::size_t g = 0; g < n; ++g)
      for (std::size_t h = 0; h < n; ++h) next[g] += maps[product[g * n + h]] * maps[h].transpose();
    for (std::size_t g = 0; g < n; ++g)
      maps[g] = nearestOrthogonal(next[g] / static_cast<double>(n));
  }
  for (Mat3& map : maps) map = withWholeEntries(map);
  maps.front() = Mat3::Identity();
  return maps;
}

/// The group turned so that two directions of its maps that nearly are axes of the file become
/// them. Those of a mesh miss the axes by the errors of its coordinates.
std::vector<Mat3> alongAxes(std::vector<Mat3> maps) {
  constexpr double nearly = 3e-5;
  Mat3 from = Mat3::Zero(), to = Mat3::Zero();
  int found = 0;
  for (const Mat3& map : maps) {
    if ((map * map - Mat3::Identity()).norm() > 1e-9 ||
        std::fabs(std::fabs(map.trace()) - 1.0) > 0.1)
      continue;  // neither a mirror nor a half turn
    const Vec3 direction = directionOf(map);
    Eigen::Index axis = 0;
    direction.cwiseAbs().maxCoeff(&axis);
    const Vec3 unit = direction[axis] > 0.0 ? Vec3(Vec3::Unit(axis)) : Vec3(-Vec3::Unit(axis));
    if ((direction - unit).norm() > nearly) continue;
    if (found == 1 && std::fabs(to.col(0).dot(unit)) > 0.5) continue;
    from.col(found) = direction;
    to.col(found) = unit;
    if (++found == 2) break;
  }
  if (found < 2) return maps;
  from.col(2) = from.col(0).cross(from.col(1));
  to.col(2) = to.col(0).cross(to.col(1));
  const Mat3 turn = nearestOrthogonal(to * from.transpose());
  for (Mat3& map : maps) map = withWholeEntries(turn * map * turn.transpose());
  maps.front() = Mat3::Identity();
  return maps;
}

/// Whether `map` carries corners and middles of faces onto the surface.
bool carries(const SolidDistance& solid, const Vec3& centre, const Mat3& map, double tolerance) {
  std::uint32_t guess = 0;
  const auto onSurface = [&](const Vec3& p) {
    const auto near = solid.surface().nearest(centre + map * (p - centre), guess);
    guess = near.triangle;
    return near.distance <= tolerance;
  };
  // In a scattered order, so that a map that fails fails soon.
  const auto scattered = [](std::size_t n, auto&& test) {
    std::size_t stride = n / 3 + 1;
    while (n > 1 && std::gcd(stride, n) != 1) ++stride;
    for (std::size_t k = 0, at = 0; k < n; ++k, at = (at + stride) % n)
      if (!test(at)) return false;
    return true;
  };
  const auto& corners = solid.core().vertices;
  const auto& triangles = solid.triangles();
  return scattered(corners.size(), [&](std::size_t k) { return onSurface(corners[k]); }) &&
         scattered(triangles.size(), [&](std::size_t k) {
           const auto& t = triangles[k];
           return onSurface((t[0] + t[1] + t[2]) / 3.0);
         });
}

/// Corners of the mesh that lie as far from the centre, fewest first.
std::vector<std::vector<Vec3>> shellsOf(const SolidDistance& solid, const Vec3& centre,
                                        double tolerance) {
  std::vector<std::pair<double, Vec3>> corners;
  for (const Vec3& v : solid.core().vertices) corners.push_back({(v - centre).norm(), v - centre});
  std::stable_sort(corners.begin(), corners.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::vector<Vec3>> shells;
  double last = 1e300;
  for (const auto& [distance, place] : corners) {
    if (distance < 0.1 * corners.front().first) break;
    if (last - distance > 4.0 * tolerance) shells.emplace_back();
    shells.back().push_back(place);
    last = distance;
  }
  std::stable_sort(shells.begin(), shells.end(),
                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return shells;
}

Mat3 frameOf(const Vec3& a, const Vec3& b) {
  Mat3 frame;
  frame.col(0) = a.normalized();
  frame.col(1) = (b - frame.col(0).dot(b) * frame.col(0)).normalized();
  frame.col(2) = frame.col(0).cross(frame.col(1));
  return frame;
}

/// Equal turns about the axis of a turn that make a whole one.
std::size_t turnsOf(const Mat3& map) {
  const double angle = portableAcos(std::clamp(0.5 * (map.trace() - 1.0), -1.0, 1.0));
  return angle < 1e-3 ? 1 : static_cast<std::size_t>(std::lround(2.0 * pi / angle));
}

Vec3 axisOf(const Mat3& turn) {
  return Vec3(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1))
      .normalized();
}

/// Generators of the symmetries of a ring that keep `turns` equal turns.
std::vector<Mat3> ringGenerators(const std::vector<Mat3>& maps, const Mat3& least, std::size_t all,
                                 std::size_t turns) {
  const Vec3 axis = axisOf(least);
  Mat3 turn = Mat3::Identity();
  for (std::size_t k = 0; k < all / turns; ++k) turn = nearestOrthogonal(least * turn);
  std::vector<Mat3> generators{turn};
  // Of mirrors through the axis and half turns across it, those along the axes of the file.
  for (const bool turning : {false, true})
    for (const bool alongAxis : {false, true}) {
      const Mat3* best = nullptr;
      double most = -1.0;
      for (const Mat3& map : maps) {
        const bool twofold = (map * map - Mat3::Identity()).norm() < sameMap;
        if (!twofold || isTurn(map) != turning || std::fabs(map.trace() + (turning ? 1 : -1)) > 0.1)
          continue;
        const Vec3 direction = directionOf(map);
        if ((std::fabs(direction.dot(axis)) > 0.5) != alongAxis) continue;
        if (const double here = direction.cwiseAbs().maxCoeff(); here > most + 1e-6)
          most = here, best = &map;
      }
      if (best && !(turning && alongAxis)) generators.push_back(*best);
    }
  return generators;
}

}  // namespace

SymmetryGroup symmetryOf(const SolidDistance& solid, const Vec3& centre, double tolerance) {
  SymmetryGroup group{centre};
  const auto shells = shellsOf(solid, centre, tolerance);
  if (shells.empty() || shells.front().size() > mostMaps) return group;
  const auto& first = shells.front();
  const Vec3& a = first.front();
  const std::vector<Vec3>* second = nullptr;
  Vec3 b = Vec3::Zero();
  for (const auto& shell : shells) {
    for (const Vec3& v : shell)
      if (!second && v.cross(a).norm() > 0.1 * v.norm() * a.norm()) second = &shell, b = v;
    if (second) break;
  }
  if (!second || second->size() > 4 * mostMaps) return group;
  const Mat3 from = frameOf(a, b).transpose();
  const double slack = 8.0 * tolerance * std::max(a.norm(), b.norm());
  std::vector<Mat3> generators;
  for (const Vec3& imageOfA : first)
    for (const Vec3& imageOfB : *second) {
      if (std::fabs(imageOfA.dot(imageOfB) - a.dot(b)) > slack) continue;
      const Mat3 frame = frameOf(imageOfA, imageOfB);
      for (const double side : {1.0, -1.0}) {
        const Mat3 map = frame * Vec3(1.0, 1.0, side).asDiagonal() * from;
        if (indexOf(group.maps, map) || !carries(solid, centre, map, tolerance)) continue;
        generators.push_back(map);
        if (auto all = closure(generators, mostMaps))
          group.maps = std::move(*all);
        else
          generators.pop_back();
      }
    }
  return group;
}

std::vector<SymmetryGroup> groupsFor(const SymmetryGroup& group, std::size_t count) {
  std::vector<SymmetryGroup> groups;
  std::size_t turns = 1;
  const Mat3* least = nullptr;
  for (const Mat3& map : group.maps)
    if (isTurn(map))
      if (const std::size_t here = turnsOf(map); here > turns) turns = here, least = &map;
  if (!group.trivial() && turns <= 6)
    groups.push_back({group.centre, alongAxes(exactGroup(group.maps))});
  if (turns > 6) {
    std::vector<std::size_t> fours, others;
    for (std::size_t k = std::min({turns, count, mostTurns}); k >= 2; --k)
      if (turns % k == 0) (k % 4 == 0 ? fours : others).push_back(k);
    fours.resize(std::min<std::size_t>(fours.size(), 3));
    if (fours.empty()) fours.assign(others.begin(), others.begin() + (others.empty() ? 0 : 1));
    for (const std::size_t k : fours)
      if (auto maps = closure(ringGenerators(group.maps, *least, turns, k), 4 * mostTurns))
        groups.push_back({group.centre, alongAxes(exactGroup(std::move(*maps)))});
  }
  std::erase_if(groups, [](const SymmetryGroup& g) { return g.trivial(); });
  if (groups.empty()) groups.push_back({group.centre});
  return groups;
}

}  // namespace scree::clump
