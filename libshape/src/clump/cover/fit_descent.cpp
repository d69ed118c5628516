// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/angles.hpp"
#include "base/elementary.hpp"
#include "search_parts.hpp"

#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/rng.hpp"
#include "scree/clump/cover.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::clump::detail {
namespace {

/// Gradient with respect to centre and radius of the ball of an orbit.
struct Slope {
  Vec3 centre = Vec3::Zero();
  double radius = 0.0;
};

/// Gradient ascent by Adam, which scales slopes of any size to steps of a given length. All four
/// numbers of a ball share one scale, which keeps the direction of its slope.
class Adam {
 public:
  explicit Adam(std::size_t orbits) : average_(orbits), square_(orbits, 0.0) {}

  /// @param length  [L] of the step of a ball whose slope is the same at each call
  void step(std::vector<Orbit>& orbits, const std::vector<Slope>& slope, double length,
            double leastRadius, bool equal) {
    constexpr double memory = 0.8, memory2 = 0.95;
    fade_ *= memory;
    fade2_ *= memory2;
    double common = 0.0;
    for (std::size_t i = 0; i < orbits.size(); ++i) {
      average_[i].centre = memory * average_[i].centre + (1.0 - memory) * slope[i].centre;
      average_[i].radius = memory * average_[i].radius + (1.0 - memory) * slope[i].radius;
      square_[i] = memory2 * square_[i] + (1.0 - memory2) * (slope[i].centre.squaredNorm() +
                                                             slope[i].radius * slope[i].radius);
      const double scale = std::sqrt(square_[i] / (1.0 - fade2_));
      if (!(scale > 0.0)) continue;
      const double by = length / ((1.0 - fade_) * scale);
      Ball& ball = orbits[i].ball;
      ball.centre += by * orbits[i].moves * average_[i].centre;
      if (equal)
        common += by * average_[i].radius / static_cast<double>(orbits.size());
      else
        ball.radius = std::max(leastRadius, ball.radius + by * average_[i].radius);
    }
    if (!equal) return;
    const double radius = std::max(leastRadius, orbits.front().ball.radius + common);
    for (Orbit& orbit : orbits) orbit.ball.radius = radius;
  }

 private:
  std::vector<Slope> average_;
  std::vector<double> square_;
  double fade_ = 1.0, fade2_ = 1.0;
};

bool within(const Vec3& p, const Ball& ball) {
  return (p - ball.centre).squaredNorm() < ball.radius * ball.radius;
}

/// Calls f(p, n) for each point p of a ball's sphere, in direction n, that no other ball covers.
template <class F>
void forEachVisible(std::span<const Ball> balls, std::size_t which,
                    std::span<const Vec3> directions, F&& f) {
  const Ball& ball = balls[which];
  std::vector<Ball> near;
  for (std::size_t j = 0; j < balls.size(); ++j)
    if (j != which && (balls[j].centre - ball.centre).norm() < balls[j].radius + ball.radius)
      near.push_back(balls[j]);
  for (const Vec3& n : directions) {
    const Vec3 p = ball.centre + ball.radius * n;
    if (std::none_of(near.begin(), near.end(), [&](const Ball& b) { return within(p, b); }))
      f(p, n);
  }
}

/// Gradient of the depth at x, by central differences over h [L].
Vec3 slopeOf(const DepthGrid& depth, const Vec3& x, double h) {
  Vec3 slope;
  for (int k = 0; k < 3; ++k) {
    const Vec3 step = h * Vec3::Unit(k);
    slope[k] = (depth(x + step) - depth(x - step)) / (2.0 * h);
  }
  return slope;
}

}  // namespace

void improveIou(const DepthGrid& depth, const SymmetryGroup& group, std::vector<Orbit>& orbits,
                const MoveOptions& options) {
  constexpr int steps = 300;
  constexpr std::size_t samples = 320;
  constexpr double firstStep = 0.02, leastBlur = 0.003;
  const std::vector<Vec3> directions = evenDirections(samples);
  const std::vector<std::size_t> first = firstBalls(orbits);
  Rng turns(options.seed);
  Adam adam(orbits.size());
  std::vector<Slope> slope(orbits.size());
  std::vector<Vec3> turned(directions.size());
  double outside = 0.5;  // weight of points outside the solid: the current IoU
  for (int step = 0; step < steps; ++step) {
    const std::vector<Ball> balls = imagesOf(group, orbits);
    if (step % 10 == 0) outside = depth.iou(balls);
    const double left = 1.0 - static_cast<double>(step) / steps;
    // [L] Points within this distance of the surface, on either side, get less than full weight.
    const double blur = options.size * std::max(leastBlur, 1.5 * firstStep * left);
    const Mat3 turn = turns.orientation().toRotationMatrix();
    for (std::size_t k = 0; k < directions.size(); ++k) turned[k] = turn * directions[k];
    parallelFor(options.threads, orbits.size(), [&](std::size_t i) {
      slope[i] = {};
      forEachVisible(balls, first[i], turned, [&](const Vec3& p, const Vec3& n) {
        const double d = std::clamp(depth(p) / blur, -1.0, 1.0);
        const double weight = (d > 0.0 ? d : outside * d);
        slope[i].radius += weight;
        slope[i].centre += weight * n;
      });
      const double square = orbits[i].ball.radius * orbits[i].ball.radius;
      slope[i] = {square * orbits[i].moves * slope[i].centre, square * slope[i].radius};
    });
    if (options.equal) {
      double sum = 0.0;
      for (std::size_t i = 0; i < orbits.size(); ++i)
        sum += static_cast<double>(orbits[i].size()) * slope[i].radius;
      for (Slope& s : slope) s.radius = sum / static_cast<double>(balls.size());
    }
    adam.step(orbits, slope, options.size * firstStep * (0.05 + 0.95 * left), options.leastRadius,
              options.equal);
  }
}

void reduceDistance(const SolidDistance& solid, const DepthGrid& depth, const SymmetryGroup& group,
                    std::vector<Orbit>& orbits, const MoveOptions& options) {
  constexpr int steps = 400, exponent = 10;  // of the power mean that stands for the maximum
  constexpr double firstStep = 0.01;
  constexpr std::size_t surfaceCount = 4000, pointsOnBall = 200;
  std::vector<Vec3> surface = surfacePoints(solid, surfaceCount);
  if (solid.radius() == 0.0) {
    const auto& corners = solid.core().vertices;  // they stick out farthest
    for (std::size_t k = 0; k < corners.size(); k += corners.size() / surfaceCount + 1)
      surface.push_back(corners[k]);
  }
  const std::vector<Vec3> directions = evenDirections(pointsOnBall);
  const std::vector<std::size_t> first = firstBalls(orbits);
  std::vector<std::pair<std::size_t, Mat3>> source;  // of each image: orbit and inverse map
  for (std::size_t k = 0; k < orbits.size(); ++k)
    for (const std::uint32_t map : orbits[k].maps)
      source.push_back({k, group.maps[map].transpose()});
  std::vector<Orbit> best = orbits;
  double least = 1e300, before = options.size;  // [L] largest distance: least yet; last step
  Adam adam(orbits.size());
  for (int step = 0; step < steps && least > 0.0; ++step) {
    const std::vector<Ball> balls = imagesOf(group, orbits);
    std::vector<Slope> slope(orbits.size());
    double largest = 0.0;
    // Adds the slope of a distance, from its derivatives by centre and radius of an orbit's ball.
    const auto add = [&](double distance, std::size_t orbit, const Vec3& byCentre,
                         double byRadius) {
      if (!(distance > 0.0)) return;
      largest = std::max(largest, distance);
      double weight = 1.0;
      for (int k = 1; k < exponent; ++k) weight *= distance / before;
      slope[orbit].centre -= weight * byCentre;
      slope[orbit].radius -= weight * byRadius;
    };
    for (const Vec3& s : surface) {
      const auto gap = [&](const Ball& ball) { return (s - ball.centre).norm() - ball.radius; };
      const auto near = std::ranges::min_element(balls, {}, gap);
      const auto& [orbit, back] = source[static_cast<std::size_t>(near - balls.begin())];
      add(gap(*near), orbit, back * (near->centre - s).normalized(), -1.0);
    }
    for (std::size_t k = 0; k < orbits.size(); ++k)  // one image stands for all
      forEachVisible(balls, first[k], directions, [&](const Vec3& p, const Vec3& n) {
        const double out = -depth(p);
        if (out <= 0.0) return;
        const Vec3 change = -slopeOf(depth, p, 0.005 * options.size);
        add(out, k, change, change.dot(n));
      });
    if (largest < least) least = largest, best = orbits;
    before = largest;
    adam.step(orbits, slope,
              options.size * firstStep * (1.0 - 0.98 * static_cast<double>(step) / steps),
              options.leastRadius, false);
  }
  orbits = best;
}

void matchInertia(const mass::SolidProperties& body, const SymmetryGroup& group,
                  std::vector<Orbit>& orbits, const MoveOptions& options) {
  constexpr int rounds = 100;
  const auto spreadOf = [](const mass::SolidProperties& s) -> Mat3 {
    return 0.5 * s.inertiaPerMass.trace() * Mat3::Identity() - s.inertiaPerMass;
  };
  const auto root = [](const Mat3& m) {
    return Mat3(Eigen::SelfAdjointEigenSolver<Mat3>(m).operatorSqrt());
  };
  const Mat3 wanted = root(spreadOf(body));
  for (int round = 0; round < rounds; ++round) {
    const mass::SolidProperties all =
        solidOf(ballUnionMoments(imagesOf(group, orbits), options.threads));
    if (inertiaErrorOf(body, all) < 1e-13) break;
    const Mat3 stretch = wanted * root(spreadOf(all)).inverse();
    for (Orbit& orbit : orbits) {
      orbit.ball.centre = body.centre + stretch * (orbit.ball.centre - all.centre);
      orbit.ball.radius = std::max(options.leastRadius,
                                   orbit.ball.radius * elementary::cbrt(stretch.determinant()));
    }
  }
}

}  // namespace scree::clump::detail
