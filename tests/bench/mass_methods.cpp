// SPDX-License-Identifier: GPL-3.0-or-later
// All methods on the same bodies: what each achieves in the time that the others take. A program,
// not a test; all numbers are processor time of one thread.
//   `bench_mass_methods [FOLDER OF DATA]`  table of errors at equal time, as Markdown.
#include "../../libshape/src/mass/shape_body.hpp"
#include "../support/sample_shapes.hpp"
#include "mass_bench.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/mass/certified.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/hull.hpp"

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::mass;

namespace {

struct Subject {
  std::string name;
  shape::Shape shape;
  double volume;
};

/// One method at one fineness: the volume it finds.
struct Method {
  const char* name;
  std::function<double(const CertifiedBody&, double work)> volume;
  double first, factor, last;  ///< fineness: of points, of cells a side, of boxes
};
const std::vector<Method> sampling{
    {"octree",
     [](const CertifiedBody& body, double boxes) {
       return innerOctreeMass(body, static_cast<std::size_t>(boxes), 0.0).volume;
     },
     64, 2.0, 3e6},
    {"grid",
     [](const CertifiedBody& body, double side) {
       double size = 0.0;
       Vec3 low = Vec3::Constant(1e300), high = -low;
       for (const RoundedPart& part : body.parts)
         for (const Vec3& v : part.vertices) {
           low = low.cwiseMin(Vec3(v.array() - part.radius));
           high = high.cwiseMax(Vec3(v.array() + part.radius));
         }
       size = (high - low).maxCoeff();
       return gridMass(body, size / std::floor(side)).volume;
     },
     4, 1.26, 600},
    {"Monte Carlo",
     [](const CertifiedBody& body, double points) {
       return sobolMass(body, static_cast<std::size_t>(points)).volume;
     },
     32, 2.0, 1e8}};

struct Point {
  double seconds = 0.0, error = 0.0;
};

/// The finest run that takes at most `budget`, or the coarsest there is.
Point within(const Method& method, const CertifiedBody& body, double truth, double budget) {
  Point best;
  for (double work = method.first; work <= method.last; work *= method.factor) {
    Point now;
    double volume = 0.0;
    try {
      volume = bench::timed([&] { return method.volume(body, work); }, now.seconds);
    } catch (const GeometryError&) {
      continue;  // so coarse that nothing is inside
    }
    now.error = std::fabs(volume / truth - 1.0);
    if (best.seconds > 0.0 && now.seconds > budget) break;
    best = now;
    if (now.seconds > 0.6 * budget) break;
  }
  return best;
}

CertifiedBody turnedBody(const Subject& subject, const Quat& turn) {
  const shape::Shape s = samples::turnedBy(subject.shape, turn);
  return detail::bodyOf(s, shape::coreOf(s));
}

/// Root of the mean square over turned copies, so that no grid is lucky.
template <class F>
Point overTurns(int turns, F&& f) {
  Rng rng(3);
  Point sum;
  for (int k = 0; k < turns; ++k) {
    const Point p = f(rng.orientation());
    sum.seconds += p.seconds / turns;
    sum.error += p.error * p.error / turns;
  }
  sum.error = std::sqrt(sum.error);
  return sum;
}

std::string cell(const Point& p) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1e (%.2g s)", p.error, p.seconds);
  return text;
}

void sideBySide(const Subject& subject) {
  constexpr int turns = 5;
  std::printf("| %s ", subject.name.c_str());
  if (shape::coreOf(subject.shape).convex)
    std::printf(
        "| %s ",
        cell(overTurns(turns, [&](const Quat& turn) {
          Point p;
          const shape::Shape s = samples::turnedBy(subject.shape, turn);
          const double v = bench::timed(
              [&] { return massReport(s, {.method = MassOptions::Choice::exact}).solid.volume; },
              p.seconds, 1e-3);
          p.error = std::fabs(v / subject.volume - 1.0);
          return p;
        })).c_str());
  else
    std::printf("| none ");
  double bound = 0.0;
  const Point certified = overTurns(turns, [&](const Quat& turn) {
    Point p;
    const CertifiedBody body = turnedBody(subject, turn);
    const CertifiedMass m =
        bench::timed([&] { return certifiedMass(body, {.tolerance = 1e-7}); }, p.seconds, 1e-3);
    bound = std::max(bound, m.bound.volume);
    p.error = std::fabs(m.solid.volume / subject.volume - 1.0);
    return p;
  });
  std::printf("| %s, bound %.0e ", cell(certified).c_str(), bound);
  for (const double budget : {certified.seconds, 1.0})
    for (const Method& method : sampling) {
      const int few = budget < 0.5 ? turns : 2;
      const Point p = overTurns(few, [&](const Quat& turn) {
        return within(method, turnedBody(subject, turn), subject.volume, budget);
      });
      std::printf("| %s ", cell(p).c_str());
      std::fflush(stdout);
    }
  std::printf("|\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path data = argc > 1 ? argv[1] : SCREE_TEST_DATA;
  std::vector<Subject> subjects{
      {"box 0.8 × 0.4 × 0.2, r 0.05", samples::box(0.8, 0.4, 0.2, 0.05), 0.131519173063163},
      {"L solid, r 0.2", samples::letterL(0.2), 6.45095569263505},
      {"three rods that cross", bench::crossedRods(), pi / 6.0},
      {"two skew rods", bench::skewRods(), bench::skewRodsVolume()}};
  if (std::filesystem::exists(data / "authume")) {
    // The finest bound is the truth here: 1e-9.
    const shape::Shape scan = bench::meshOf(data / "authume/STL/SP3A.stl", 0.02);
    const double v = massReport(scan, {.tolerance = 1e-9}).solid.volume;
    subjects.push_back({"scan SP3A, r 0.02", scan, v});
  }
  std::printf(
      "| body | exact | certified | octree, equal time | grid, equal time | Monte Carlo, equal "
      "time | octree, 1 s | grid, 1 s | Monte Carlo, 1 s |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (const Subject& subject : subjects) sideBySide(subject);
}
