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
#include <unordered_map>
#include <vector>

namespace scree::sim {
namespace {

/// [-] of the width of a container: nearer than that a body has no room between two walls.
constexpr double exactFit = 1e-9;
/// Random places that are tried for a body before it is refused.
constexpr int mostAttempts = 1'000'000;

/// Balls in cubic cells of several widths, each half of the one before. A ball stands in the level
/// whose cells are as wide as its diameter, or up to twice as wide. So small balls among large ones
/// are found as fast.
class CentreGrid {
 public:
  /// @param cell  [L] edges of a periodic cell at the origin; zero: none
  CentreGrid(double largestRadius, const Vec3& cell) : cell_(cell) {
    double width = 2.0 * largestRadius;
    for (Level& l : levels_) {
      l.largest = width;
      l.width = Vec3::Constant(width);
      for (int k = 0; k < 3; ++k) {
        if (!(cell_[k] > 0.0)) continue;
        l.count[k] = std::max<std::int64_t>(1, static_cast<std::int64_t>(cell_[k] / width));
        l.width[k] = cell_[k] / static_cast<double>(l.count[k]);
      }
      width *= 0.5;
    }
  }

  void add(std::uint32_t item, const Vec3& centre, double radius) {
    std::size_t level = 0;
    while (level + 1 < levels_.size() && levels_[level + 1].largest >= 2.0 * radius * (1.0 - 1e-9))
      ++level;
    Level& l = levels_[level];
    l.cells[key(l, cellAt(l, centre))].push_back({centre, radius, item});
  }

  /// Calls f(item, centre of its nearest image) for the balls whose surface may be nearer to `x`
  /// than `reach`, until it returns true. @returns whether it did
  template <class F>
  bool any(const Vec3& x, double reach, F&& f) const {
    for (const Level& l : levels_) {
      if (l.cells.empty()) continue;
      const Vec3 far = Vec3::Constant(reach + 0.5 * l.largest);
      const Cell low = cellAt(l, x - far);
      Cell high = cellAt(l, x + far);
      for (int k = 0; k < 3; ++k)
        if (l.count[k] > 0) high[k] = std::min(high[k], low[k] + l.count[k] - 1);
      for (std::int64_t i = low[0]; i <= high[0]; ++i)
        for (std::int64_t j = low[1]; j <= high[1]; ++j)
          for (std::int64_t k = low[2]; k <= high[2]; ++k) {
            const auto found = l.cells.find(key(l, {i, j, k}));
            if (found == l.cells.end()) continue;
            for (const Ball& ball : found->second) {
              const Vec3 centre = nearestImage(ball.centre, x);
              const double most = reach + ball.radius;
              if ((centre - x).squaredNorm() < most * most && f(ball.item, centre)) return true;
            }
          }
    }
    return false;
  }

 private:
  using Cell = Eigen::Matrix<std::int64_t, 3, 1>;
  struct Ball {
    Vec3 centre;
    double radius;
    std::uint32_t item;
  };
  struct Level {
    double largest = 0.0;  ///< [L] diameter
    Vec3 width = Vec3::Zero();
    Cell count = Cell::Zero();  ///< of a periodic cell
    std::unordered_map<std::uint64_t, std::vector<Ball>> cells;
  };

  Vec3 nearestImage(Vec3 centre, const Vec3& x) const {
    for (int k = 0; k < 3; ++k)
      if (cell_[k] > 0.0) centre[k] -= cell_[k] * std::floor((centre[k] - x[k]) / cell_[k] + 0.5);
    return centre;
  }
  static Cell cellAt(const Level& l, const Vec3& x) {
    return x.cwiseQuotient(l.width).array().floor().cast<std::int64_t>();
  }
  static std::uint64_t key(const Level& l, Cell c) {
    std::uint64_t key = 0;
    for (int k = 0; k < 3; ++k) {
      if (l.count[k] > 0) c[k] = ((c[k] % l.count[k]) + l.count[k]) % l.count[k];
      key = (key << 21) | (static_cast<std::uint64_t>(c[k] + (1 << 20)) & 0x1fffff);
    }
    return key;
  }

  Vec3 cell_;
  std::array<Level, 31> levels_;
};

/// Places the bodies of a plan, one after the other.
class Scatterer {
 public:
  Scatterer(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
            const Container& container, const PlaceOptions& options)
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

  FillResult run() {
    FillResult result;
    for (const PlannedBody& planned : plan_) {
      if (!place(planned)) break;
      if (options_.progress && bodies_.size() % 256 == 0)
        options_.progress(static_cast<double>(bodies_.size()) / static_cast<double>(plan_.size()));
    }
    if (options_.progress) options_.progress(1.0);
    result.solidFraction =
        solidVolume(shapes_, {plan_.begin(), plan_.begin() + static_cast<long>(bodies_.size())}) /
        container_.volume();
    result.bodies = std::move(bodies_);
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
        throw ModelError(
            fmt::format("--container {}: shape '{}' is {:.6g} across, more than half of the cell",
                        container_.text(), shapes_[b.shape].name, outer));
      const double inner = 2.0 * b.homothety * overlap_.innerRadius(b.shape);
      if (inner > size.minCoeff() * (1.0 - exactFit))
        throw ModelError(
            fmt::format("--container {}: shape '{}' is as large as the container, or larger",
                        container_.text(), shapes_[b.shape].name));
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

  bool hasRoom(const PlacedBody& body) {
    if (!container_.holds(shapes_[body.shape], body)) return false;
    const BodyPose pose = overlap_.poseOf(body);
    if (wallOverlap_) {
      findNear(pose, wall_, 0.0, scratch_);
      if (!scratch_.candidates.empty()) return false;
    }
    return !outer_.any(body.pos, body.homothety * overlap_.outerRadius(body.shape),
                       [&](std::uint32_t k, const Vec3& centre) {
                         BodyPose other = poses_[k];
                         other.pos = centre;
                         return overlap_.overlap(body, pose, bodies_[k], other, scratch_);
                       });
  }

  /// @returns whether a place was found
  bool place(const PlannedBody& planned) {
    PlacedBody body;
    body.shape = planned.shape;
    body.homothety = planned.homothety;
    body.group = options_.group;
    body.cluster = static_cast<std::int32_t>(bodies_.size() + 1);
    for (int k = 0; k < mostAttempts; ++k) {
      body.pos = container_.randomPoint(rng_);
      body.q = rng_.orientation();
      if (!hasRoom(body)) continue;
      outer_.add(static_cast<std::uint32_t>(bodies_.size()), body.pos,
                 body.homothety * overlap_.outerRadius(body.shape));
      bodies_.push_back(body);
      poses_.push_back(overlap_.poseOf(body));
      return true;
    }
    return false;
  }

  const std::vector<shape::Shape>& shapes_;
  const std::vector<PlannedBody>& plan_;
  const Container& container_;
  const PlaceOptions& options_;
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

FillResult scatter(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                   const Container& container, const PlaceOptions& options) {
  return Scatterer(shapes, plan, container, options).run();
}

}  // namespace scree::sim
