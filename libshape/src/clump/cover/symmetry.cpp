// SPDX-License-Identifier: GPL-3.0-or-later
#include "clump/cover/search_parts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::clump {
namespace {

/// The maps that exchange and reverse axes, the identity first.
std::vector<Mat3> axisMaps() {
  std::vector<Mat3> maps;
  std::array<Eigen::Index, 3> order{0, 1, 2};
  do {
    for (int signs = 0; signs < 8; ++signs) {
      Mat3 map = Mat3::Zero();
      for (Eigen::Index k = 0; k < 3; ++k)
        map(k, order[static_cast<std::size_t>(k)]) = signs & (1 << k) ? -1.0 : 1.0;
      maps.push_back(map);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return maps;
}

/// About 4,000 corners and middles of faces, seen from `centre`.
std::vector<Vec3> samplesOf(const SolidDistance& solid, const Vec3& centre) {
  constexpr std::size_t most = 2000;
  std::vector<Vec3> samples;
  const auto& corners = solid.core().vertices;
  const auto& triangles = solid.triangles();
  for (std::size_t k = 0; k < corners.size(); k += corners.size() / most + 1)
    samples.push_back(corners[k] - centre);
  for (std::size_t k = 0; k < triangles.size(); k += triangles.size() / most + 1)
    samples.push_back((triangles[k][0] + triangles[k][1] + triangles[k][2]) / 3.0 - centre);
  return samples;
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
    if (std::ranges::any_of(images, [&](const Vec3& v) { return (v - image).norm() < tolerance; }))
      continue;
    images.push_back(image);
    orbit.maps.push_back(k);
  }
  return orbit;
}

/// The sets of points that single maps keep, and all, as projections: planes, axes and the centre.
std::vector<Mat3> keptSpaces(const SymmetryGroup& group) {
  std::vector<Mat3> spaces;
  const auto add = [&](const Mat3& space) {
    if (std::ranges::none_of(spaces, [&](const Mat3& s) { return (s - space).norm() < 1e-6; }))
      spaces.push_back(space);
  };
  Mat3 all = Mat3::Zero();
  for (const Mat3& map : group.maps) {
    all += map;
    // The mean of the powers of a map. No map that exchanges axes has another order than 1, 2, 3,
    // 4 or 6.
    Mat3 power = map, sum = Mat3::Zero();
    for (int k = 0; k < 12; ++k) {
      sum += power;
      power = power * map;
    }
    if (&map != &group.maps.front()) add(sum / 12.0);
  }
  add(all / static_cast<double>(group.maps.size()));
  return spaces;
}

}  // namespace

SymmetryGroup symmetryOf(const SolidDistance& solid, const mass::SolidProperties& body,
                         double tolerance) {
  const std::vector<Vec3> samples = samplesOf(solid, body.centre);
  const auto carries = [&](const Mat3& map) {
    std::uint32_t guess = 0;
    return std::ranges::all_of(samples, [&](const Vec3& p) {
      const auto near = solid.surface().nearest(body.centre + map * p, guess);
      guess = near.triangle;
      return near.distance <= tolerance;
    });
  };
  SymmetryGroup group{body.centre};
  const Mat3 principal = rotationMatrix(mass::principalFrame(body.inertiaPerMass).orientation);
  for (const Mat3& frame : {Mat3(Mat3::Identity()), principal}) {
    std::vector<Mat3> maps;
    for (const Mat3& map : axisMaps())
      if (const Mat3 turned = frame * map * frame.transpose(); carries(turned))
        maps.push_back(maps.empty() ? Mat3(Mat3::Identity()) : turned);
    if (maps.size() > group.maps.size()) group.maps = std::move(maps);
  }
  return group;
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

std::vector<std::size_t> firstBalls(std::span<const Orbit> orbits) {
  std::vector<std::size_t> first;
  for (std::size_t k = 0, ball = 0; k < orbits.size(); ball += orbits[k++].size())
    first.push_back(ball);
  return first;
}

std::vector<Orbit> candidateOrbits(const SymmetryGroup& group, std::span<const Vec3> places,
                                   double tolerance,
                                   const std::function<double(const Vec3&)>& radiusAt) {
  std::vector<Orbit> orbits;
  const auto consider = [&](Orbit orbit) {
    orbit.ball.radius = radiusAt(orbit.ball.centre);
    const auto same = [&](const Orbit& other) {
      return other.size() == orbit.size() &&
             (other.ball.centre - orbit.ball.centre).norm() < tolerance;
    };
    if (!(orbit.ball.radius > 0.0) || (!group.trivial() && std::ranges::any_of(orbits, same)))
      return;
    orbits.push_back(std::move(orbit));
  };
  const std::vector<Mat3> spaces = keptSpaces(group);
  for (const Vec3& place : places) {
    if (group.trivial()) {
      consider({{place, 0.0}});
      continue;
    }
    consider(orbitAt(group, place, tolerance));
    const Vec3 from = place - group.centre;
    for (int dimension = 2; dimension >= 0; --dimension) {
      const Mat3* nearest = nullptr;
      for (const Mat3& space : spaces)
        if (std::lround(space.trace()) == dimension &&
            (!nearest || (space * from - from).norm() < (*nearest * from - from).norm()))
          nearest = &space;
      if (nearest) consider(orbitAt(group, group.centre + *nearest * from, tolerance));
    }
  }
  return orbits;
}

}  // namespace scree::clump
