// SPDX-License-Identifier: GPL-3.0-or-later
#include "clump/cover/symmetry.hpp"

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

/// The orbit of a ball about `at`. Where maps move the centre by less than `tolerance`, it is
/// placed exactly where they keep it.
Orbit orbitAt(const SymmetryGroup& group, const Vec3& at, double tolerance) {
  Orbit orbit;
  const Vec3 from = at - group.centre;
  Mat3 kept = Mat3::Zero();
  double count = 0.0;
  for (const Mat3& map : group.maps)
    if ((map * from - from).norm() < tolerance) kept += map, count += 1.0;
  // The mean of the maps that keep a point is the projection onto all points that they keep.
  orbit.moves = kept / count;
  const Vec3 placed = orbit.moves * from;
  orbit.ball.centre = group.centre + placed;
  orbit.maps.clear();
  std::vector<Vec3> images;
  for (std::uint32_t k = 0; k < group.maps.size(); ++k) {
    const Vec3 image = group.maps[k] * placed;
    if (std::any_of(images.begin(), images.end(),
                    [&](const Vec3& other) { return (other - image).norm() < tolerance; }))
      continue;
    images.push_back(image);
    orbit.maps.push_back(k);
  }
  return orbit;
}

/// The sets of points that maps of the group keep, as projections: planes, axes and the centre.
std::vector<Mat3> keptSpaces(const SymmetryGroup& group) {
  std::vector<Mat3> spaces;
  const auto add = [&](const Mat3& space) {
    for (const Mat3& other : spaces)
      if ((other - space).norm() < 1e-6) return;
    spaces.push_back(space);
  };
  // The points that a map keeps: the mean of its powers.
  for (std::size_t k = 1; k < group.maps.size(); ++k) {
    Mat3 power = group.maps[k], sum = Mat3::Identity();
    double count = 1.0;
    while ((power - Mat3::Identity()).norm() > 1e-6 && count < 1000.0) {
      sum += power;
      power = power * group.maps[k];
      count += 1.0;
    }
    add(sum / count);
  }
  // Where two planes meet lies an axis, and all meet in the centre.
  const std::size_t single = spaces.size();
  for (std::size_t i = 0; i < single; ++i)
    for (std::size_t j = i + 1; j < single; ++j) {
      if (std::lround(spaces[i].trace()) != 2 || std::lround(spaces[j].trace()) != 2) continue;
      const Mat3 across = 2.0 * Mat3::Identity() - spaces[i] - spaces[j];
      const Eigen::SelfAdjointEigenSolver<Mat3> solver(across);
      const Vec3 axis = solver.eigenvectors().col(0);
      add(axis * axis.transpose());
    }
  Mat3 all = Mat3::Zero();
  for (const Mat3& map : group.maps) all += map;
  add(all / static_cast<double>(group.maps.size()));
  return spaces;
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

SymmetryGroup groupFor(const SymmetryGroup& group) {
  constexpr std::size_t mostTurns = 6;
  std::vector<Mat3> maps = group.maps;
  // Maps that exchange and reverse the axes of the file are a group, too.
  if (std::ranges::any_of(maps, [](const Mat3& m) { return isTurn(m) && turnsOf(m) > mostTurns; }))
    std::erase_if(maps, [](const Mat3& m) {
      return (m - m.array().round().matrix()).cwiseAbs().maxCoeff() > sameMap;
    });
  return {group.centre, exactGroup(std::move(maps))};
}

std::vector<Ball> imagesOf(const SymmetryGroup& group, std::span<const Orbit> orbits) {
  std::vector<Ball> balls;
  for (const Orbit& orbit : orbits) {
    balls.push_back(orbit.ball);
    for (std::size_t k = 1; k < orbit.maps.size(); ++k)
      balls.push_back(
          {group.centre + group.maps[orbit.maps[k]] * (orbit.ball.centre - group.centre),
           orbit.ball.radius});
  }
  return balls;
}

std::vector<Orbit> candidateOrbits(const SymmetryGroup& group, std::span<const Ball> balls,
                                   double tolerance, FunctionRef<double(const Vec3&)> radiusAt) {
  std::vector<Orbit> orbits;
  if (group.trivial()) {
    for (const Ball& ball : balls) orbits.push_back({ball});
    return orbits;
  }
  const auto consider = [&](const Vec3& centre) {
    Orbit orbit = orbitAt(group, centre, tolerance);
    orbit.ball.radius = radiusAt(orbit.ball.centre);
    if (!(orbit.ball.radius > 0.0)) return;
    for (const Orbit& other : orbits)
      if (other.size() == orbit.size() &&
          (other.ball.centre - orbit.ball.centre).norm() < tolerance)
        return;
    orbits.push_back(std::move(orbit));
  };
  const std::vector<Mat3> spaces = keptSpaces(group);
  for (const Ball& ball : balls) {
    const Vec3 from = ball.centre - group.centre;
    consider(ball.centre);
    for (int dimension = 2; dimension >= 0; --dimension) {
      double nearest = 1e300;
      Vec3 place = from;
      for (const Mat3& space : spaces) {
        if (static_cast<int>(std::lround(space.trace())) != dimension) continue;
        const Vec3 there = space * from;
        if (const double away = (there - from).norm(); away < nearest)
          nearest = away, place = there;
      }
      if (nearest < 1e300) consider(group.centre + place);
    }
  }
  return orbits;
}

}  // namespace scree::clump
