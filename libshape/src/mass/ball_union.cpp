// SPDX-License-Identifier: GPL-3.0-or-later
#include "clipped_ball.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace scree::mass {
namespace {

shape::Aabb boxOf(const Ball& ball) {
  return {ball.centre.array() - ball.radius, ball.centre.array() + ball.radius};
}

shape::Aabb boxOf(std::span<const Ball> balls) {
  if (balls.empty()) throw GeometryError("a union of balls needs at least one ball");
  shape::Aabb box;
  for (std::size_t k = 0; k < balls.size(); ++k) {
    const Ball& ball = balls[k];
    if (!(ball.radius > 0.0) || !std::isfinite(ball.radius) || !ball.centre.allFinite())
      throw GeometryError(fmt::format(
          "ball {}: expected a finite centre and a radius above 0, found {} {} {} and {}", k,
          ball.centre.x(), ball.centre.y(), ball.centre.z(), ball.radius));
    box.add(boxOf(ball));
  }
  return box;
}

/// The balls with their centres on a grid of 2^-62 of the size of the whole. Away from zero doubles
/// are coarser than that. Near zero the grid removes offsets that no result could show. Such
/// offsets make planes that coincide in all but the twenty-fifth digit, and would need numbers
/// longer than ours.
std::vector<Ball> onGrid(std::span<const Ball> balls, const shape::Aabb& box) {
  std::vector<Ball> moved(balls.begin(), balls.end());
  const double size = box.halfSize().maxCoeff();
  if (!std::isnormal(size)) return moved;  // nothing to gain for balls too small for their place
  const double step = std::ldexp(1.0, std::ilogb(size) - 61);
  const auto rounded = [step](double x) {
    const double steps = x / step;
    return std::fabs(steps) < 0x1.0p52 ? std::nearbyint(steps) * step : x;
  };
  if (!(step > 0.0)) return moved;
  for (Ball& ball : moved) ball.centre = ball.centre.unaryExpr(rounded);
  return moved;
}

/// Finds balls that may touch a given one.
class Neighbourhood {
 public:
  explicit Neighbourhood(std::span<const Ball> balls) : balls_(balls) {
    // Below this number looking at all of them is as fast as any structure.
    if (balls.size() <= 300) return;
    std::vector<shape::Aabb> boxes;
    boxes.reserve(balls.size());
    for (const Ball& ball : balls) boxes.push_back(boxOf(ball));
    tree_ = shape::AabbTree(boxes, 8);
  }

  /// Indices of the balls that reach into ball i, in ascending order.
  void near(std::size_t i, std::vector<std::uint32_t>& out) const {
    out.clear();
    const auto consider = [&](std::size_t j) {
      const double reach = balls_[i].radius + balls_[j].radius;
      if (j != i && (balls_[j].centre - balls_[i].centre).squaredNorm() < reach * reach)
        out.push_back(static_cast<std::uint32_t>(j));
    };
    if (tree_.empty()) {
      for (std::size_t j = 0; j < balls_.size(); ++j) consider(j);
    } else {
      tree_.forEachNear(boxOf(balls_[i]), consider);
      std::sort(out.begin(), out.end());
    }
  }

 private:
  std::span<const Ball> balls_;
  shape::AabbTree tree_;
};

/// Whether ball a lies within ball b, up to rounding.
bool within(const Ball& a, const Ball& b) {
  return (b.centre - a.centre).norm() + a.radius <= b.radius * (1.0 + 4e-16);
}

/// Result of clip(cell, ball, neighbours, result) for each ball; the default one for a ball within
/// others. Of repeated balls, which contain each other, the first counts.
template <class Result, class Clip>
std::vector<Result> partsOf(std::span<const Ball> balls, int threads, Clip&& clip) {
  const Neighbourhood all(balls);
  std::vector<char> kept(balls.size(), 1);
  parallelFor(threads, balls.size(), [&](std::size_t i) {
    std::vector<std::uint32_t> near;
    all.near(i, near);
    for (const std::uint32_t j : near)
      if (within(balls[i], balls[j]) && (j < i || !within(balls[j], balls[i]))) kept[i] = 0;
  });
  std::vector<Result> parts(balls.size());
  parallelFor(threads, balls.size(), [&](std::size_t i) {
    if (!kept[i]) return;
    std::vector<std::uint32_t> near;
    std::vector<Ball> neighbours;
    all.near(i, near);
    for (const std::uint32_t j : near)
      if (kept[j]) neighbours.push_back(balls[j]);
    ClippedBall<double> plain;
    if (clip(plain, balls[i], neighbours, parts[i])) return;
    ClippedBall<scree::detail::DoubleDouble> fine;
    clip(fine, balls[i], neighbours, parts[i]);
  });
  return parts;
}

}  // namespace

BallMoments ballUnionMoments(std::span<const Ball> given, int threads) {
  BallMoments result;
  const shape::Aabb box = boxOf(given);
  result.origin = box.centre();
  const std::vector<Ball> balls = onGrid(given, box);
  const auto pieces = partsOf<Moments>(
      balls, threads, [](auto& cell, const Ball& ball, std::span<const Ball> near, Moments& out) {
        return cell.moments(ball, near, out);
      });
  for (std::size_t i = 0; i < balls.size(); ++i)
    result.moments += pieces[i].movedBy(balls[i].centre - result.origin);
  return result;
}

std::vector<VisiblePart> visibleParts(std::span<const Ball> balls, int threads) {
  return partsOf<VisiblePart>(
      balls, threads, [](auto& cell, const Ball& ball, std::span<const Ball> near, auto& out) {
        return cell.visible(ball, near, out);
      });
}

SolidProperties solidOf(const BallMoments& body) {
  SolidProperties solid = solidProperties(body.moments);
  solid.centre += body.origin;
  return solid;
}

}  // namespace scree::mass
