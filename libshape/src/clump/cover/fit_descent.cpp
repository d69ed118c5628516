// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit_descent.hpp"

#include "samples.hpp"

#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/rng.hpp"
#include "scree/clump/cover.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::clump::detail {
namespace {

/// Change with the centre and the radius of the ball of an orbit.
struct Slope {
  Vec3 centre = Vec3::Zero();
  double radius = 0.0;
};

/// Steps along a slope whose size says little: Adam. The four numbers of a ball have one scale, so
/// that the direction of the slope is kept.
class Adam {
 public:
  explicit Adam(std::size_t orbits) : average_(orbits), square_(orbits, 0.0) {}

  /// @param length  [L] of the step of a ball whose slope stays as it is
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

/// `count` points spread evenly over the unit sphere: a spiral with the golden angle.
std::vector<Vec3> evenDirections(std::size_t count) {
  std::vector<Vec3> points;
  const double step = 0.5 * (3.0 - std::sqrt(5.0));  // [turns]
  for (std::size_t k = 0; k < count; ++k) {
    const double z = 1.0 - (2.0 * static_cast<double>(k) + 1.0) / static_cast<double>(count);
    const double across = std::sqrt(1.0 - z * z), turns = step * static_cast<double>(k);
    const double part = turns - std::floor(turns);
    points.emplace_back(across * cosOfTurns(part), across * sinOfTurns(part), z);
  }
  return points;
}

bool within(const Vec3& p, const Ball& ball) {
  return (p - ball.centre).squaredNorm() < ball.radius * ball.radius;
}

/// f(p, n) for the points p of the sphere of a ball, in directions n, that no other ball covers.
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

/// Gradient of the depth.
Vec3 slopeOf(const DepthGrid& depth, const Vec3& x, double h) {
  Vec3 slope;
  for (int k = 0; k < 3; ++k) {
    const Vec3 step = h * Vec3::Unit(k);
    slope[k] = (depth(x + step) - depth(x - step)) / (2.0 * h);
  }
  return slope;
}

}  // namespace

void FitDescent::improveIou(std::vector<Orbit>& orbits) const {
  constexpr int steps = 300;
  constexpr std::size_t samples = 320;
  constexpr double firstStep = 0.02, leastBlur = 0.003;
  const std::vector<Vec3> directions = evenDirections(samples);
  const std::vector<std::size_t> first = firstBalls(orbits);
  Rng turns(limits_.seed);
  Adam adam(orbits.size());
  std::vector<Slope> slope(orbits.size());
  std::vector<Vec3> turned(directions.size());
  double outside = 0.5;  // weight of what lies outside: the ratio
  for (int step = 0; step < steps; ++step) {
    const std::vector<Ball> balls = imagesOf(group_, orbits);
    if (step % 10 == 0) outside = depth_.iou(balls);
    const double left = 1.0 - static_cast<double>(step) / steps;
    // The weight goes from its value outside to that inside over this depth.
    const double blur = limits_.size * std::max(leastBlur, 1.5 * firstStep * left);
    const Mat3 turn = turns.orientation().toRotationMatrix();
    for (std::size_t k = 0; k < directions.size(); ++k) turned[k] = turn * directions[k];
    parallelFor(limits_.threads, orbits.size(), [&](std::size_t i) {
      slope[i] = {};
      forEachVisible(balls, first[i], turned, [&](const Vec3& p, const Vec3& n) {
        const double d = std::clamp(depth_(p) / blur, -1.0, 1.0);
        const double weight = (d > 0.0 ? d : outside * d);
        slope[i].radius += weight;
        slope[i].centre += weight * n;
      });
      const double square = orbits[i].ball.radius * orbits[i].ball.radius;
      slope[i] = {square * orbits[i].moves * slope[i].centre, square * slope[i].radius};
    });
    if (limits_.equal) {
      double sum = 0.0;
      for (std::size_t i = 0; i < orbits.size(); ++i)
        sum += static_cast<double>(orbits[i].size()) * slope[i].radius;
      for (Slope& s : slope) s.radius = sum / static_cast<double>(balls.size());
    }
    adam.step(orbits, slope, limits_.size * firstStep * (0.05 + 0.95 * left), limits_.leastRadius,
              limits_.equal);
  }
}

void FitDescent::reduceDistance(const SolidDistance& solid, std::vector<Orbit>& orbits) const {
  constexpr int steps = 400, exponent = 10;  // of the power mean
  constexpr double firstStep = 0.01;
  constexpr std::size_t surfaceCount = 4000, pointsOnBall = 200;
  /// A distance somewhere, and how it changes with the ball of the orbit that makes it.
  struct Sample {
    double distance;
    std::size_t orbit;
    Slope change;
  };
  std::vector<Vec3> surface = surfacePoints(solid, surfaceCount);
  if (solid.radius() == 0.0) {
    const auto& corners = solid.core().vertices;  // which stick out farthest
    for (std::size_t k = 0; k < corners.size(); k += corners.size() / surfaceCount + 1)
      surface.push_back(corners[k]);
  }
  const std::vector<Vec3> directions = evenDirections(pointsOnBall);
  const std::vector<std::size_t> first = firstBalls(orbits);
  std::vector<std::pair<std::size_t, Mat3>> source;  // of each image: its orbit, and the way back
  for (std::size_t k = 0; k < orbits.size(); ++k)
    for (const std::uint32_t map : orbits[k].maps)
      source.push_back({k, group_.maps[map].transpose()});
  std::vector<Orbit> best = orbits;
  double least = 1e300;
  Adam adam(orbits.size());
  std::vector<Sample> samples;
  for (int step = 0; step < steps; ++step) {
    samples.clear();
    const std::vector<Ball> balls = imagesOf(group_, orbits);
    for (const Vec3& s : surface) {
      double gap = 1e300;
      std::size_t nearest = 0;
      for (std::size_t i = 0; i < balls.size(); ++i)
        if (const double here = (s - balls[i].centre).norm() - balls[i].radius; here < gap)
          gap = here, nearest = i;
      if (gap > 0.0)
        samples.push_back(
            {gap,
             source[nearest].first,
             {source[nearest].second * (balls[nearest].centre - s).normalized(), -1.0}});
    }
    for (std::size_t k = 0; k < orbits.size(); ++k)  // one image stands for all
      forEachVisible(balls, first[k], directions, [&](const Vec3& p, const Vec3& n) {
        const double out = -depth_(p);
        if (out <= 0.0) return;
        const Vec3 change = -slopeOf(depth_, p, 0.005 * limits_.size);
        samples.push_back({out, k, {change, change.dot(n)}});
      });
    double largest = 0.0;
    for (const Sample& sample : samples) largest = std::max(largest, sample.distance);
    if (largest < least) least = largest, best = orbits;
    if (largest == 0.0) break;
    std::vector<Slope> slope(orbits.size());
    for (const Sample& sample : samples) {
      double weight = 1.0;
      for (int k = 1; k < exponent; ++k) weight *= sample.distance / largest;
      slope[sample.orbit].centre -= weight * sample.change.centre;
      slope[sample.orbit].radius -= weight * sample.change.radius;
    }
    adam.step(orbits, slope,
              limits_.size * firstStep * (1.0 - 0.98 * static_cast<double>(step) / steps),
              limits_.leastRadius, false);
  }
  orbits = best;
}

void matchInertia(const mass::SolidProperties& body, const SymmetryGroup& group,
                  std::vector<Orbit>& orbits, double spread, double leastRadius, int threads) {
  constexpr int rounds = 12;
  using Residual = Eigen::Matrix<double, 9, 1>;
  const double size = std::sqrt(body.inertiaPerMass.trace());
  const auto residual = [&](const std::vector<Orbit>& at) {
    const mass::SolidProperties all = solidOf(ballUnionMoments(imagesOf(group, at), threads));
    const Mat3 inertia = (all.inertiaPerMass - body.inertiaPerMass) / (size * size);
    Residual r;
    r << (all.centre - body.centre) / size, inertia(0, 0), inertia(1, 1), inertia(2, 2),
        inertia(0, 1), inertia(0, 2), inertia(1, 2);
    return r;
  };
  const auto movedBy = [&](const std::vector<Orbit>& from, const Eigen::VectorXd& by) {
    std::vector<Orbit> to = from;
    for (std::size_t k = 0; k < to.size(); ++k) {
      const auto first = static_cast<Eigen::Index>(4 * k);
      to[k].ball.centre += to[k].moves * by.segment<3>(first);
      to[k].ball.radius = std::max(leastRadius, to[k].ball.radius + by[first + 3]);
    }
    return to;
  };
  Residual now = residual(orbits);
  for (int round = 0; round < rounds && now.norm() > 1e-12; ++round) {
    const auto unknowns = static_cast<Eigen::Index>(4 * orbits.size());
    Eigen::MatrixXd rates(9, unknowns);
    const double h = 1e-5 * size;
    for (Eigen::Index k = 0; k < unknowns; ++k)
      rates.col(k) = (residual(movedBy(orbits, h * Eigen::VectorXd::Unit(unknowns, k))) - now) / h;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(1e-6);  // equations that symmetry fulfils have no rates
    solver.compute(rates);
    Eigen::VectorXd by = solver.solve(-now);
    if (const double far = by.cwiseAbs().maxCoeff(); far > spread) by *= spread / far;
    bool better = false;
    for (int half = 0; half < 6 && !better; ++half) {
      const std::vector<Orbit> next = movedBy(orbits, by);
      const Residual there = residual(next);
      better = there.norm() < now.norm();
      if (better) orbits = next, now = there;
      by *= 0.5;
    }
    if (!better) break;
  }
}

}  // namespace scree::clump::detail
