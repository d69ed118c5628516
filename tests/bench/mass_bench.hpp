// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/mass/certified.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/shape.hpp"

#include <cmath>
#include <ctime>
#include <filesystem>

/// Parts that the benchmarks of mass properties share.
namespace scree::bench {

/// Processor time of this thread: honest on a machine that others use, too.
inline double cpuSeconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Result of f(), and how long one call takes: the mean of as many as fill `atLeast` seconds.
template <class F>
auto timed(F&& f, double& seconds, double atLeast = 0.0) {
  const double begin = cpuSeconds();
  auto result = f();
  int calls = 1;
  while (cpuSeconds() - begin < atLeast) {
    result = f();
    ++calls;
  }
  seconds = (cpuSeconds() - begin) / calls;
  return result;
}

/// Three rods that cross at one point, half as long as two radii: alpha3 of the shared shapes.
/// Volume π/6.
inline shape::Shape crossedRods() {
  shape::Shape s;
  s.name = "alpha3";
  const double a = 0.475540075799599;
  s.radius = a / 2;
  s.vertices = {Vec3(a, 0, 0),  Vec3(-a, 0, 0), Vec3(0, a, 0),
                Vec3(0, -a, 0), Vec3(0, 0, a),  Vec3(0, 0, -a)};
  s.edges = {{0, 1}, {2, 3}, {4, 5}};
  return s;
}

/// Two rods of radius 1/2 and axes of 3, across each other, the axes 1/5 apart. Their crease is no
/// plane curve. The volume is an integral over slices, whose common part is a rectangle. In equal
/// steps of t, z = 1/10 + 2/5 sin t, it converges to the last digit.
inline shape::Shape skewRods() {
  shape::Shape s;
  s.name = "skew rods";
  s.radius = 0.5;
  s.vertices = {Vec3(-1.5, 0, 0), Vec3(1.5, 0, 0), Vec3(0, -1.5, 0.2), Vec3(0, 1.5, 0.2)};
  s.edges = {{0, 1}, {2, 3}};
  return s;
}
inline double skewRodsVolume() {
  const double r = 0.5, apart = 0.2;
  double volume = 2.0 * (pi * r * r * 3.0 + 4.0 / 3.0 * pi * r * r * r);
  constexpr int n = 4000;
  for (int k = 0; k < n; ++k) {
    const double t = pi * (-0.5 + (k + 0.5) / n);
    const double z = 0.5 * apart + (r - 0.5 * apart) * std::sin(t);
    const double y = std::sqrt(r * r - z * z), x = std::sqrt(r * r - (z - apart) * (z - apart));
    volume -= 4.0 * x * y * (r - 0.5 * apart) * std::cos(t) * pi / n;
  }
  return volume;
}

inline double extentOf(const shape::Shape& s) {
  Vec3 low = s.vertices[0], high = low;
  for (const Vec3& v : s.vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  return (high - low).maxCoeff();
}

inline shape::Shape meshOf(const std::filesystem::path& file, double radius) {
  return shape::shapeFromMesh(shape::readMeshFromFile(file.string()), radius);
}

}  // namespace scree::bench
