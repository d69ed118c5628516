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

/// Ball of each orbit among the images of all.
std::vector<std::size_t> firstBalls(const std::vector<Orbit>& orbits) {
  std::vector<std::size_t> first;
  for (std::size_t k = 0, ball = 0; k < orbits.size(); ball += orbits[k++].size())
    first.push_back(ball);
  return first;
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

DepthGrid::DepthGrid(const SolidDistance& solid, double spacing, double margin, int threads)
    : spacing_(spacing) {
  const Vec3 low = solid.low().array() - margin, high = solid.high().array() + margin;
  for (int k = 0; k < 3; ++k) {
    const double cells = std::max(1.0, std::ceil((high[k] - low[k]) / spacing));
    size_[static_cast<std::size_t>(k)] = static_cast<std::size_t>(cells) + 1;
    origin_[k] = 0.5 * (low[k] + high[k]) - 0.5 * cells * spacing;
    upper_[k] = origin_[k] + cells * spacing;
  }
  const std::size_t nx = size_[0], ny = size_[1], nz = size_[2];
  depth_.resize(nx * ny * nz);
  parallelFor(threads, nz, [&](std::size_t z) {
    std::uint32_t guess = 0;
    for (std::size_t y = 0; y < ny; ++y)
      for (std::size_t x = 0; x < nx; ++x) {
        const Vec3 at(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
        const auto near = solid.nearest(origin_ + spacing_ * at, guess);
        guess = near.triangle;
        depth_[(z * ny + y) * nx + x] = static_cast<float>(near.depth);
      }
  });
  inside_ = static_cast<std::size_t>(
      std::count_if(depth_.begin(), depth_.end(), [](float depth) { return depth > 0.0F; }));
}

double DepthGrid::operator()(const Vec3& p) const {
  const Vec3 within = p.cwiseMax(origin_).cwiseMin(upper_);
  const Vec3 at = (within - origin_) / spacing_;
  std::array<std::size_t, 3> cell{};
  Vec3 part;
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    cell[axis] = std::min(static_cast<std::size_t>(at[k]), size_[axis] - 2);
    part[k] = at[k] - static_cast<double>(cell[axis]);
  }
  const std::size_t nx = size_[0], ny = size_[1];
  const std::size_t first = (cell[2] * ny + cell[1]) * nx + cell[0];
  const auto along = [&](std::size_t k) {
    return (1.0 - part.x()) * static_cast<double>(depth_[k]) +
           part.x() * static_cast<double>(depth_[k + 1]);
  };
  const auto across = [&](std::size_t k) {
    return (1.0 - part.y()) * along(k) + part.y() * along(k + nx);
  };
  return (1.0 - part.z()) * across(first) + part.z() * across(first + nx * ny) -
         (p - within).norm();
}

double DepthGrid::iou(std::span<const Ball> balls) const {
  std::vector<char> covered(depth_.size(), 0);
  std::size_t in = 0, out = 0;
  for (const Ball& ball : balls) {
    const Vec3 centre = (ball.centre - origin_) / spacing_;
    const double radius = ball.radius / spacing_;
    std::array<std::size_t, 3> from{}, to{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<int>(k);
      const double most = static_cast<double>(size_[k]);
      from[k] = static_cast<std::size_t>(std::clamp(std::ceil(centre[axis] - radius), 0.0, most));
      to[k] =
          static_cast<std::size_t>(std::clamp(std::floor(centre[axis] + radius) + 1.0, 0.0, most));
    }
    for (std::size_t z = from[2]; z < to[2]; ++z)
      for (std::size_t y = from[1]; y < to[1]; ++y)
        for (std::size_t x = from[0]; x < to[0]; ++x) {
          const Vec3 at(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
          const std::size_t k = (z * size_[1] + y) * size_[0] + x;
          if (covered[k] || (at - centre).squaredNorm() > radius * radius) continue;
          covered[k] = 1;
          ++(depth_[k] > 0.0F ? in : out);
        }
  }
  return static_cast<double>(in) / static_cast<double>(std::max<std::size_t>(1, inside_ + out));
}

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
