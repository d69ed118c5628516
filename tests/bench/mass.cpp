// SPDX-License-Identifier: GPL-3.0-or-later
// Table of docs/mass-properties.md, as Markdown: errors of all methods on the same bodies. A
// program, not a test; all numbers are processor time of one thread.
//   bench_mass [FOLDER OF DATA]
#include "../support/sample_shapes.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/mass/certified.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/mesh.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::mass;
namespace fs = std::filesystem;

namespace {

double cpuSeconds() {
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
  for (; cpuSeconds() - begin < atLeast; ++calls) result = f();
  seconds = (cpuSeconds() - begin) / calls;
  return result;
}

shape::Shape rods(double radius, std::vector<Vec3> vertices) {
  shape::Shape s;
  s.radius = radius;
  s.vertices = std::move(vertices);
  for (std::uint32_t k = 0; k < s.vertices.size(); k += 2) s.edges.push_back({k, k + 1});
  return s;
}

/// Volume of two rods of radius 1/2 and axes of 3, across each other, the axes 1/5 apart. Their
/// crease is no plane curve. The common part of a slice is a rectangle; in equal steps of t,
/// z = 1/10 + 2/5 sin t, the integral converges to the last digit.
double skewRodsVolume() {
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

double extentOf(const std::vector<Vec3>& vertices) {
  Vec3 low = vertices[0], high = low;
  for (const Vec3& v : vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  return (high - low).maxCoeff();
}

struct Subject {
  std::string name;
  shape::Shape shape;
  double volume;
};

struct Point {
  double seconds = 0.0, error = 0.0;
};

/// A method that samples: the volume that it finds with so many points, cells a side or boxes.
struct Method {
  std::function<double(const CertifiedBody&, double work)> volume;
  double first, factor, last;
};
const std::vector<Method> sampling{
    {[](const CertifiedBody& body, double boxes) {
       return innerOctreeMass(body, static_cast<std::size_t>(boxes), 0.0).volume;
     },
     64, 2.0, 3e6},
    {[](const CertifiedBody& body, double side) {
       std::vector<Vec3> ends;
       for (const RoundedPart& part : body.parts)
         for (const Vec3& v : part.vertices)
           for (const double r : {-part.radius, part.radius}) ends.push_back(v.array() + r);
       return gridMass(body, extentOf(ends) / std::floor(side)).volume;
     },
     4, 1.26, 600},
    {[](const CertifiedBody& body, double points) {
       return sobolMass(body, static_cast<std::size_t>(points)).volume;
     },
     32, 2.0, 1e8}};

/// The finest run that takes at most a second, or the coarsest there is.
Point withinASecond(const Method& method, const CertifiedBody& body, double truth) {
  Point best;
  for (double work = method.first; work <= method.last; work *= method.factor) {
    Point now;
    try {
      const double volume = timed([&] { return method.volume(body, work); }, now.seconds);
      now.error = std::fabs(volume / truth - 1.0);
    } catch (const GeometryError&) {
      continue;  // so coarse that nothing is inside
    }
    if (best.seconds > 0.0 && now.seconds > 1.0) break;
    best = now;
    if (now.seconds > 0.6) break;
  }
  return best;
}

/// Root of the mean square over turned copies, so that no grid is lucky.
std::string overTurns(int turns, const Subject& subject,
                      const std::function<Point(const shape::Shape&)>& f) {
  Rng rng(3);
  Point sum;
  for (int k = 0; k < turns; ++k) {
    const Point p = f(samples::turnedBy(subject.shape, rng.orientation()));
    sum.seconds += p.seconds / turns;
    sum.error += p.error * p.error / turns;
  }
  return fmt::format("| {:.1e} ({:.2g} s)", std::sqrt(sum.error), sum.seconds);
}

void methods(const fs::path& data) {
  std::vector<Subject> subjects{
      {"box 0.8 × 0.4 × 0.2, r 0.05", samples::box(0.8, 0.4, 0.2, 0.05), 0.131519173063163},
      {"L solid, r 0.2", samples::letterL(0.2), 6.45095569263505},
      // Half as long as two radii: alpha3 of the shared shapes.
      {"three rods that cross",
       rods(0.475540075799599 / 2, {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0),
                                    Vec3(0, 0, 1), Vec3(0, 0, -1)}),
       pi / 6.0},
      {"two skew rods",
       rods(0.5, {Vec3(-1.5, 0, 0), Vec3(1.5, 0, 0), Vec3(0, -1.5, 0.2), Vec3(0, 1.5, 0.2)}),
       skewRodsVolume()}};
  for (Vec3& v : subjects[2].shape.vertices) v *= 0.475540075799599;
  if (fs::exists(data / "authume")) {
    // The finest bound is the truth here: 1e-9.
    const shape::Shape scan = shape::shapeFromMesh(
        shape::readMeshFromFile((data / "authume/STL/SP3A.stl").string()), 0.02);
    subjects.push_back(
        {"scan SP3A, r 0.02", scan, massReport(scan, {.tolerance = 1e-9}).solid.volume});
  }
  fmt::print(
      "| body | exact | certified | octree, 1 s | grid, 1 s | Monte Carlo, 1 s |\n"
      "|---|---|---|---|---|---|\n");
  for (const Subject& subject : subjects) {
    const auto error = [&](double volume) { return std::fabs(volume / subject.volume - 1.0); };
    std::string row = "| none";
    if (shape::coreOf(subject.shape).convex)
      row = overTurns(5, subject, [&](const shape::Shape& s) {
        Point p;
        p.error = error(timed(
            [&] { return massReport(s, {.method = MassOptions::Choice::exact}).solid.volume; },
            p.seconds, 1e-3));
        return p;
      });
    double bound = 0.0;
    row += overTurns(5, subject, [&](const shape::Shape& s) {
      Point p;
      const CertifiedBody body = mass::bodyOf(s, shape::coreOf(s));
      const CertifiedMass m =
          timed([&] { return certifiedMass(body, {.tolerance = 1e-7}); }, p.seconds, 1e-3);
      bound = std::max(bound, m.bound.volume);
      p.error = error(m.solid.volume);
      return p;
    });
    row += fmt::format(", bound {:.0e}", bound);
    for (const Method& method : sampling)
      row += overTurns(2, subject, [&](const shape::Shape& s) {
        return withinASecond(method, mass::bodyOf(s, shape::coreOf(s)), subject.volume);
      });
    fmt::print("| {} {} |\n", subject.name, row);
  }
}

}  // namespace

int main(int argc, char** argv) { methods(argc > 1 ? argv[1] : SCREE_TEST_DATA); }
