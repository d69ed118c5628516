// SPDX-License-Identifier: GPL-3.0-or-later
#include "pack/body_overlap.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/rng.hpp"
#include "scree/sim/pack/fill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace scree::sim {
namespace {

/// [-] of the width of a container: nearer than that a body has no room between two walls.
constexpr double exactFit = 1e-9;
/// Random places that are tried for a body before it is refused.
constexpr int mostAttempts = 1'000'000;

/// Balls in cubic cells of several sizes. Each ball stands in the level whose cells are as wide as
/// its diameter, or up to twice as wide. So small balls among large ones are found as fast.
class CentreGrid {
 public:
  /// @param cell  [L] edges of a periodic cell at the origin; zero: none
  CentreGrid(double largestRadius, const Vec3& cell) : widest_(2.0 * largestRadius), cell_(cell) {}

  void add(std::uint32_t item, const Vec3& centre, double radius) {
    std::size_t level = 0;
    while (level < 30 && widthOf(level + 1) >= 2.0 * radius * (1.0 - 1e-9)) ++level;
    while (levels_.size() <= level) levels_.push_back(newLevel(levels_.size()));
    Level& l = levels_[level];
    l.any = true;
    items_.push_back({centre, radius, item});
    l.cells[key(l, cellOf(l, centre))].push_back(static_cast<std::uint32_t>(items_.size() - 1));
  }

  /// Calls f(item, centre of its nearest image, radius) for the balls whose surface may be nearer
  /// to `x` than `reach`, until it returns true. @returns whether it did
  template <class F>
  bool any(const Vec3& x, double reach, F&& f) const {
    for (const Level& l : levels_) {
      if (!l.any) continue;
      const double far = reach + 0.5 * l.largest;
      Cell low, high;
      for (int k = 0; k < 3; ++k) {
        low[k] = static_cast<std::int64_t>(std::floor((x[k] - far) / l.width[k]));
        high[k] = static_cast<std::int64_t>(std::floor((x[k] + far) / l.width[k]));
        if (cell_[k] > 0.0 && high[k] - low[k] >= l.count[k]) high[k] = low[k] + l.count[k] - 1;
      }
      for (std::int64_t i = low[0]; i <= high[0]; ++i)
        for (std::int64_t j = low[1]; j <= high[1]; ++j)
          for (std::int64_t k = low[2]; k <= high[2]; ++k) {
            const auto found = l.cells.find(key(l, {i, j, k}));
            if (found == l.cells.end()) continue;
            for (const std::uint32_t n : found->second) {
              const Ball& ball = items_[n];
              const Vec3 centre = nearestImage(ball.centre, x);
              const double most = reach + ball.radius;
              if ((centre - x).squaredNorm() < most * most && f(ball.item, centre, ball.radius))
                return true;
            }
          }
    }
    return false;
  }

  Vec3 nearestImage(Vec3 centre, const Vec3& x) const {
    for (int k = 0; k < 3; ++k)
      if (cell_[k] > 0.0) centre[k] -= cell_[k] * std::floor((centre[k] - x[k]) / cell_[k] + 0.5);
    return centre;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Ball {
    Vec3 centre;
    double radius;
    std::uint32_t item;
  };
  struct Level {
    bool any = false;
    double largest = 0.0;  ///< diameter
    Vec3 width;
    Cell count{};
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells;
  };

  double widthOf(std::size_t level) const {
    return widest_ / static_cast<double>(std::uint64_t{1} << level);
  }
  Level newLevel(std::size_t k) const {
    Level l;
    l.largest = widthOf(k);
    for (int axis = 0; axis < 3; ++axis) {
      l.width[axis] = l.largest;
      if (cell_[axis] > 0.0) {
        l.count[static_cast<std::size_t>(axis)] =
            std::max<std::int64_t>(1, static_cast<std::int64_t>(cell_[axis] / l.largest));
        l.width[axis] = cell_[axis] / static_cast<double>(l.count[static_cast<std::size_t>(axis)]);
      }
    }
    return l;
  }
  static Cell cellOf(const Level& l, const Vec3& x) {
    Cell c;
    for (int k = 0; k < 3; ++k)
      c[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(std::floor(x[k] / l.width[k]));
    return c;
  }
  std::uint64_t key(const Level& l, Cell c) const {
    std::uint64_t key = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (l.count[k] > 0) c[k] = ((c[k] % l.count[k]) + l.count[k]) % l.count[k];
      key = (key << 21) | (static_cast<std::uint64_t>(c[k] + (1 << 20)) & 0x1fffff);
    }
    return key;
  }

  double widest_;
  Vec3 cell_;
  std::vector<Level> levels_;
  std::vector<Ball> items_;
};

/// Places the bodies of a plan, one after the other.
class Scatterer {
 public:
  Scatterer(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
            const Container& container, const ScatterOptions& options)
      : shapes_(shapes),
        plan_(plan),
        container_(container),
        options_(options),
        rng_(options.seed),
        overlap_(shapes),
        outer_(largestRadius(), cellOf(container)) {
    checkSizes();
    addMesh();
  }

  ScatterResult run() {
    ScatterResult result;
    double volume = 0.0;
    for (std::size_t k = 0; k < plan_.size(); ++k) {
      const PlannedBody& planned = plan_[k];
      std::optional<PlacedBody> body = placed(planned);
      if (!body) break;
      add(*body);
      body->cluster = static_cast<std::int32_t>(result.bodies.size() + 1);
      result.bodies.push_back(*body);
      const double h = planned.homothety;
      volume += h * h * h * shapes_[planned.shape].volume;
      if (options_.progress && k % 256 == 0)
        options_.progress(static_cast<double>(k) / static_cast<double>(plan_.size()));
    }
    if (options_.progress) options_.progress(1.0);
    result.solidFraction = volume / container_.volume();
    return result;
  }

 private:
  static Vec3 cellOf(const Container& container) {
    return container.periodic() ? container.box().high : Vec3(Vec3::Zero());
  }
  double largestRadius() const {
    double largest = 0.0;
    for (const PlannedBody& b : plan_)
      largest = std::max(largest, b.homothety * overlap_.outerRadius(b.shape));
    return largest;
  }

  void checkSizes() const {
    const Vec3 size = container_.box().high - container_.box().low;
    for (const PlannedBody& b : plan_) {
      const double outer = 2.0 * b.homothety * overlap_.outerRadius(b.shape);
      if (container_.periodic() && !(2.0 * outer < size.minCoeff()))
        throw ModelError(fmt::format(
            "--container {}: shape '{}' is {:.6g} across, more than half of the cell, where it "
            "would meet its own image",
            container_.text(), shapes_[b.shape].name, outer));
      const double inner = 2.0 * b.homothety * overlap_.innerRadius(b.shape);
      if (inner > size.minCoeff() * (1.0 + exactFit))
        throw ModelError(fmt::format("--container {}: shape '{}' is larger than the container",
                                     container_.text(), shapes_[b.shape].name));
      if (inner > size.minCoeff() * (1.0 - exactFit))
        throw ModelError(
            fmt::format("--container {}: shape '{}' fits exactly between the walls, {:.6g} apart, "
                        "without room for a random position; use a container that is 0.1 % larger",
                        container_.text(), shapes_[b.shape].name, size.minCoeff()));
    }
  }

  /// The faces of a mesh are a body that no other may overlap.
  void addMesh() {
    if (container_.convex()) return;
    Packing walls{shapes_, {}, {}, {}};
    for (std::size_t k = 0; k < std::min<std::size_t>(plan_.size(), 1000); ++k) {
      PlacedBody body;
      body.shape = plan_[k].shape;
      body.homothety = plan_[k].homothety;
      walls.bodies.push_back(body);
    }
    container_.addWalls(walls);
    wallBody_ = walls.bodies.front();
    wallShape_ = walls.shapes.back();
    wallOverlap_ = std::make_unique<BodyOverlap>(std::vector<shape::Shape>{wallShape_});
    wallBody_.shape = 0;
    wall_ = wallOverlap_->poseOf(wallBody_);
  }

  void add(const PlacedBody& body) {
    outer_.add(static_cast<std::uint32_t>(bodies_.size()), body.pos,
               body.homothety * overlap_.outerRadius(body.shape));
    bodies_.push_back(body);
    poses_.push_back(overlap_.poseOf(body));
  }

  bool hasRoom(const PlacedBody& body) {
    if (!container_.holds(shapes_[body.shape], body)) return false;
    const BodyPose pose = overlap_.poseOf(body);
    if (wallOverlap_) {
      findNear(pose, wall_, 0.0, scratch_);
      if (!scratch_.candidates.empty()) return false;
    }
    return !outer_.any(body.pos, body.homothety * overlap_.outerRadius(body.shape),
                       [&](std::uint32_t k, const Vec3& centre, double) {
                         BodyPose other = poses_[k];
                         other.pos = centre;
                         return overlap_.overlap(body, pose, bodies_[k], other, scratch_);
                       });
  }

  std::optional<PlacedBody> placed(const PlannedBody& planned) {
    PlacedBody body;
    body.shape = planned.shape;
    body.homothety = planned.homothety;
    body.group = options_.group;
    for (int k = 0; k < mostAttempts; ++k) {
      body.pos = container_.randomPoint(rng_);
      body.q = rng_.orientation();
      if (hasRoom(body)) return body;
    }
    return std::nullopt;
  }

  const std::vector<shape::Shape>& shapes_;
  const std::vector<PlannedBody>& plan_;
  const Container& container_;
  const ScatterOptions& options_;
  Rng rng_;
  BodyOverlap overlap_;
  CentreGrid outer_;  ///< balls that hold bodies
  std::vector<PlacedBody> bodies_;
  std::vector<BodyPose> poses_;
  NearSubElements scratch_;
  PlacedBody wallBody_;
  shape::Shape wallShape_;
  std::unique_ptr<BodyOverlap> wallOverlap_;
  BodyPose wall_;
};

}  // namespace

ScatterResult scatter(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                      const Container& container, const ScatterOptions& options) {
  return Scatterer(shapes, plan, container, options).run();
}

}  // namespace scree::sim
