// SPDX-License-Identifier: GPL-3.0-or-later
#include "distance_descent.hpp"

#include "even_directions.hpp"
#include "surface_samples.hpp"

#include "scree/clump/cover.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace scree::clump::detail {
namespace {

constexpr int exponent = 10;  // of the power mean
constexpr std::size_t surfacePoints = 4000, pointsOnBall = 200;

/// A ball of an orbit, with what turns its slope into that of the orbit.
struct Image {
  Ball ball;
  std::size_t orbit;
  Mat3 back;
};

std::vector<Image> imagesWithOrbits(const SymmetryGroup& group, const std::vector<Orbit>& orbits) {
  std::vector<Image> images;
  for (std::size_t k = 0; k < orbits.size(); ++k) {
    const std::vector<Ball> balls = imagesOf(group, orbits[k]);
    for (std::size_t i = 0; i < balls.size(); ++i)
      images.push_back({balls[i], k, group.maps[orbits[k].maps[i]].transpose()});
  }
  return images;
}

/// A distance somewhere, and how it changes with the ball that makes it.
struct Sample {
  double distance;
  std::size_t orbit;
  Vec3 centre;    ///< change with the centre of the ball of the orbit
  double radius;  ///< change with its radius
};

Vec3 slopeOf(const DepthField& depth, const Vec3& x, double h) {
  Vec3 slope;
  for (int k = 0; k < 3; ++k) {
    const Vec3 step = h * Vec3::Unit(k);
    slope[k] = (depth(x + step) - depth(x - step)) / (2.0 * h);
  }
  return slope;
}

double power(double x) {
  double result = 1.0;
  for (int k = 0; k < exponent - 1; ++k) result *= x;
  return result;
}

}  // namespace

void reduceDistance(const SolidDistance& solid, const DepthField& depth, const SymmetryGroup& group,
                    std::vector<Orbit>& orbits, double size, double leastRadius) {
  constexpr int steps = 400;
  constexpr double memory = 0.8, memory2 = 0.95, firstStep = 0.01;
  std::vector<Vec3> surface;
  if (solid.radius() > 0.0) {
    surface = roundedPoints(solid, surfacePoints);
  } else {
    for (const SurfaceSample& s : surfaceSamples(solid, surfacePoints)) surface.push_back(s.point);
    const auto& corners = solid.core().vertices;  // which stick out farthest
    const std::size_t stride = corners.size() / surfacePoints + 1;
    for (std::size_t k = 0; k < corners.size(); k += stride) surface.push_back(corners[k]);
  }
  const std::vector<Vec3> directions = evenDirections(pointsOnBall);

  std::vector<Orbit> best = orbits;
  double least = 1e300;
  std::vector<std::array<double, 4>> slope(orbits.size()), average(orbits.size());
  std::vector<double> square(orbits.size(), 0.0);
  double fade = 1.0, fade2 = 1.0;
  std::vector<Sample> samples;
  for (int step = 0; step < steps; ++step) {
    samples.clear();
    const std::vector<Image> images = imagesWithOrbits(group, orbits);
    for (const Vec3& s : surface) {
      double gap = 1e300;
      const Image* nearest = nullptr;
      for (const Image& image : images)
        if (const double here = (s - image.ball.centre).norm() - image.ball.radius; here < gap)
          gap = here, nearest = &image;
      if (nearest && gap > 0.0)
        samples.push_back(
            {gap, nearest->orbit, nearest->back * (nearest->ball.centre - s).normalized(), -1.0});
    }
    for (std::size_t i = 0; i < images.size(); ++i) {
      if (i > 0 && images[i].orbit == images[i - 1].orbit) continue;  // one image stands for all
      const Ball& ball = images[i].ball;
      for (const Vec3& n : directions) {
        const Vec3 x = ball.centre + ball.radius * n;
        const double out = -depth(x);
        if (out <= 0.0) continue;
        bool hidden = false;
        for (std::size_t j = 0; j < images.size() && !hidden; ++j)
          hidden = j != i && (x - images[j].ball.centre).squaredNorm() <
                                 images[j].ball.radius * images[j].ball.radius;
        if (hidden) continue;
        const Vec3 change = -slopeOf(depth, x, 0.005 * size);
        samples.push_back({out, images[i].orbit, images[i].back * change, change.dot(n)});
      }
    }
    double largest = 0.0;
    for (const Sample& sample : samples) largest = std::max(largest, sample.distance);
    if (largest < least) least = largest, best = orbits;
    if (largest == 0.0) break;
    for (auto& s : slope) s = {};
    for (const Sample& sample : samples) {
      const double weight = power(sample.distance / largest);
      for (std::size_t k = 0; k < 3; ++k)
        slope[sample.orbit][k] += weight * sample.centre[static_cast<int>(k)];
      slope[sample.orbit][3] += weight * sample.radius;
    }
    const double length =
        size * firstStep * (1.0 - 0.98 * static_cast<double>(step) / static_cast<double>(steps));
    fade *= memory;
    fade2 *= memory2;
    for (std::size_t k = 0; k < orbits.size(); ++k) {
      double sum = 0.0;
      for (std::size_t c = 0; c < 4; ++c) {
        average[k][c] = memory * average[k][c] + (1.0 - memory) * slope[k][c];
        sum += slope[k][c] * slope[k][c];
      }
      square[k] = memory2 * square[k] + (1.0 - memory2) * sum;
      const double scale = std::sqrt(square[k] / (1.0 - fade2));
      if (!(scale > 0.0)) continue;
      const double by = length / ((1.0 - fade) * scale);
      Ball& ball = orbits[k].ball;
      ball.centre -= by * orbits[k].moves * Vec3(average[k][0], average[k][1], average[k][2]);
      ball.radius = std::max(leastRadius, ball.radius - by * average[k][3]);
    }
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
