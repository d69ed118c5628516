// SPDX-License-Identifier: GPL-3.0-or-later
#include "orbit.hpp"

#include <utility>

namespace scree::clump::detail {

Orbit orbitOf(const SymmetryGroup& group, const Ball& ball, double tolerance) {
  Orbit orbit{ball};
  if (group.trivial()) return orbit;
  const Vec3 from = ball.centre - group.centre;
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
    bool known = false;
    for (const Vec3& other : images) known = known || (other - image).norm() < tolerance;
    if (known) continue;
    images.push_back(image);
    orbit.maps.push_back(k);
  }
  return orbit;
}

void appendImages(const SymmetryGroup& group, const Orbit& orbit, std::vector<Ball>& balls) {
  balls.push_back(orbit.ball);
  for (std::size_t k = 1; k < orbit.maps.size(); ++k)
    balls.push_back({group.centre + group.maps[orbit.maps[k]] * (orbit.ball.centre - group.centre),
                     orbit.ball.radius});
}

std::vector<Ball> imagesOf(const SymmetryGroup& group, const Orbit& orbit) {
  std::vector<Ball> balls;
  appendImages(group, orbit, balls);
  return balls;
}

std::vector<Ball> imagesOf(const SymmetryGroup& group, std::span<const Orbit> orbits) {
  std::vector<Ball> balls;
  for (const Orbit& orbit : orbits) appendImages(group, orbit, balls);
  return balls;
}

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
  if (group.maps.size() > 2) {
    Mat3 all = Mat3::Zero();
    for (const Mat3& map : group.maps) all += map;
    add(all / static_cast<double>(group.maps.size()));
  }
  return spaces;
}

}  // namespace scree::clump::detail
