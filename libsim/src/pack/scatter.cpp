// SPDX-License-Identifier: GPL-3.0-or-later
#include "centre_grid.hpp"
#include "pack/body_overlap.hpp"
#include "void_cells.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/sim/pack/fill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace scree::sim {
namespace {

/// More than that are not kept: their division would take more memory than the bodies.
constexpr std::size_t mostCells = 4'000'000;
/// [-] of the width of a container: nearer than that a body has no room between two walls.
constexpr double exactFit = 1e-9;
/// Attempts anywhere in the container before voids are looked for.
constexpr int blindAttempts = 300, mostBlindAttempts = 20'000;

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
        outer_(largestRadius(), cellOf(container)),
        inner_(largestRadius(), cellOf(container)) {
    least_ = HUGE_VAL;
    bool balls = true;
    for (const PlannedBody& b : plan) {
      balls = balls && overlap_.isBall(b.shape);
      least_ = std::min(least_, b.homothety * overlap_.innerRadius(b.shape));
    }
    equalBalls_ = balls && least_ == outer_.largestRadius();
    checkSizes();
    addMesh();
  }

  ScatterResult run(bool repeated) {
    ScatterResult result;
    double volume = 0.0;
    for (std::size_t k = 0; repeated || k < plan_.size(); ++k) {
      const PlannedBody& planned = plan_[k % plan_.size()];
      std::optional<PlacedBody> body = cells_ ? std::nullopt : placedBlindly(planned);
      if (!body && options_.thorough) body = placedInVoids(planned);
      if (!body) {
        result.saturated = true;
        break;
      }
      add(*body, result.bodies.size());
      body->cluster = static_cast<std::int32_t>(result.bodies.size() + 1);
      result.bodies.push_back(*body);
      const double h = planned.homothety;
      volume += h * h * h * shapes_[planned.shape].volume;
      if (repeated && result.bodies.size() >= mostPackedBodies)
        throw ModelError(fmt::format("more than {} bodies have room", mostPackedBodies));
      if (options_.progress && k % 256 == 0 && !repeated)
        options_.progress(static_cast<double>(k) / static_cast<double>(plan_.size()));
    }
    if (options_.progress && !repeated) options_.progress(1.0);
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

  void add(const PlacedBody& body, std::size_t k) {
    const auto number = static_cast<std::uint32_t>(k);
    bodies_.push_back(body);
    poses_.push_back(overlap_.poseOf(body));
    outer_.add(number, body.pos, body.homothety * overlap_.outerRadius(body.shape));
    if (const double inner = body.homothety * overlap_.innerRadius(body.shape); inner > 0.0)
      inner_.add(number, body.pos, inner);
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

  PlacedBody attempt(const PlannedBody& planned, const Vec3& x) {
    PlacedBody body;
    body.shape = planned.shape;
    body.homothety = planned.homothety;
    body.group = options_.group;
    body.pos = x;
    if (options_.turned) body.q = rng_.orientation();
    return body;
  }

  std::optional<PlacedBody> placedBlindly(const PlannedBody& planned) {
    const int most = options_.thorough ? blindAttempts : mostBlindAttempts;
    for (int k = 0; k < most; ++k) {
      const PlacedBody body = attempt(planned, container_.randomPoint(rng_));
      if (hasRoom(body)) return body;
    }
    return std::nullopt;
  }

  std::optional<PlacedBody> placedInVoids(const PlannedBody& planned) {
    if (!cells_) {
      // Narrow enough for single balls to cover many of them, and not too many.
      const double width = least_ > 0.0 ? 0.5 * least_ : 0.1 * outer_.largestRadius();
      const Vec3 size = container_.box().high - container_.box().low;
      cells_.emplace(container_, inner_, least_,
                     std::max(width, portablePow(size.prod() / mostCells, 1.0 / 3.0)));
      attempts_ = 0;
    }
    std::size_t inVain = 0;
    int undivided = 0;
    const std::size_t most = 20'000 + 50 * bodies_.size();
    while (!cells_->empty()) {
      // As many attempts as there are cells, then smaller cells.
      for (; attempts_ < cells_->size(); ++attempts_) {
        if (!equalBalls_ && inVain >= most) return std::nullopt;
        ++inVain;
        const PlacedBody body = attempt(planned, cells_->randomPoint(rng_));
        if (!hasRoom(body)) continue;
        ++attempts_;
        return body;
      }
      attempts_ = 0;
      // In cells too small for numbers a place is as good as none.
      if (cells_->widest() < 1e-9 * outer_.largestRadius()) return std::nullopt;
      cells_->refresh();
      const bool mayDivide = equalBalls_ || cells_->widest() > 0.1 * least_;
      if (mayDivide && cells_->size() < mostCells / 8)
        cells_->divide();
      else if (++undivided > 50)
        return std::nullopt;
    }
    return std::nullopt;
  }

  const std::vector<shape::Shape>& shapes_;
  const std::vector<PlannedBody>& plan_;
  const Container& container_;
  const ScatterOptions& options_;
  Rng rng_;
  BodyOverlap overlap_;
  CentreGrid outer_, inner_;  ///< balls that hold bodies, and balls that bodies hold
  bool equalBalls_ = false;   ///< saturation can be proven
  double least_ = 0.0;        ///< [L] least inner radius of the plan
  std::vector<PlacedBody> bodies_;
  std::vector<BodyPose> poses_;
  std::optional<VoidCells> cells_;
  std::size_t attempts_ = 0;  ///< since cells were divided
  NearSubElements scratch_;
  PlacedBody wallBody_;
  shape::Shape wallShape_;
  std::unique_ptr<BodyOverlap> wallOverlap_;
  BodyPose wall_;
};

}  // namespace

ScatterResult scatter(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                      const Container& container, const ScatterOptions& options) {
  return Scatterer(shapes, plan, container, options).run(false);
}

ScatterResult saturate(const std::vector<shape::Shape>& shapes,
                       const std::vector<PlannedBody>& plan, const Container& container,
                       const ScatterOptions& options) {
  return Scatterer(shapes, plan, container, options).run(true);
}

}  // namespace scree::sim
