// SPDX-License-Identifier: GPL-3.0-or-later
#include "pack/body_overlap.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/mass/unions.hpp"
#include "scree/sim/pack/fill.hpp"

#define BOOST_ALLOW_DEPRECATED_HEADERS  // which Boost itself includes, with a message
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace scree::sim {
namespace {

namespace geometry = boost::geometry;

/// [-] of the width of a container: nearer than that a body has no room between two walls.
constexpr double exactFit = 1e-9;
/// Random places that are tried for a body before it is refused.
constexpr int mostAttempts = 1'000'000;

/// Balls that stand in a container, in a tree of their boxes (Boost).
class StandingBalls {
 public:
  explicit StandingBalls(const Container& container) : box_(container.box()) {
    cell_.used = container.periodic();
    cell_.h = box_.high.asDiagonal();
  }

  void add(const Vec3& centre, double radius) {
    tree_.insert({boxOf(centre, radius), static_cast<std::uint32_t>(balls_.size())});
    balls_.push_back({centre, radius});
    largest_ = std::max(largest_, radius);
  }

  /// Calls f(number, centre of its image) for the balls whose surface may be nearer to `x` than
  /// `reach`, until it returns true. @returns whether it did
  template <class F>
  bool any(const Vec3& x, double reach, F&& f) const {
    bool found = false;
    const shape::Aabb all = box_.grown(largest_);
    forEachImage(cell_, x, reach, all.low, all.high, [&](const Vec3& shift) {
      for (auto at = tree_.qbegin(geometry::index::intersects(boxOf(x + shift, reach)));
           !found && at != tree_.qend(); ++at) {
        const mass::Ball& ball = balls_[at->second];
        const Vec3 centre = ball.centre - shift;
        const double most = reach + ball.radius;
        found = (centre - x).squaredNorm() < most * most && f(at->second, centre);
      }
    });
    return found;
  }

 private:
  using Point = geometry::model::point<double, 3, geometry::cs::cartesian>;
  using Box = geometry::model::box<Point>;
  static Box boxOf(const Vec3& c, double r) {
    return {{c.x() - r, c.y() - r, c.z() - r}, {c.x() + r, c.y() + r, c.z() + r}};
  }

  shape::Aabb box_;
  PeriodicCell cell_;
  double largest_ = 0.0;  ///< [L] radius
  std::vector<mass::Ball> balls_;
  geometry::index::rtree<std::pair<Box, std::uint32_t>, geometry::index::quadratic<16>> tree_;
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
        overlap_(withWall()),
        outer_(container) {
    checkSizes();
    if (!container.convex()) wall_ = overlap_.poseOf(wallBody_);
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
  /// The shapes of the bodies, and that of a mesh, which no body may overlap.
  std::vector<shape::Shape> withWall() {
    std::vector<PlacedBody> some(std::min<std::size_t>(plan_.size(), 1000));
    for (std::size_t k = 0; k < some.size(); ++k) {
      some[k].shape = plan_[k].shape;
      some[k].homothety = plan_[k].homothety;
    }
    const std::vector<shape::Shape> all = container_.withMeshWall(shapes_, some);
    if (!some.empty()) wallBody_ = some.front();
    return all;
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

  bool hasRoom(const PlacedBody& body) {
    if (!container_.holds(shapes_[body.shape], body)) return false;
    const BodyPose pose = overlap_.poseOf(body);
    if (!container_.convex()) {
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
    PlacedBody body{planned.shape, options_.group, static_cast<std::int32_t>(bodies_.size() + 1),
                    false, planned.homothety};
    for (int k = 0; k < mostAttempts; ++k) {
      body.pos = container_.randomPoint(rng_);
      body.q = rng_.orientation();
      if (!hasRoom(body)) continue;
      outer_.add(body.pos, body.homothety * overlap_.outerRadius(body.shape));
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
  PlacedBody wallBody_;  ///< of a mesh
  BodyOverlap overlap_;
  StandingBalls outer_;  ///< balls that hold bodies, in the order of these
  std::vector<PlacedBody> bodies_;
  std::vector<BodyPose> poses_;
  NearSubElements scratch_;
  BodyPose wall_;
};

}  // namespace

FillResult scatter(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                   const Container& container, const PlaceOptions& options) {
  return Scatterer(shapes, plan, container, options).run();
}

}  // namespace scree::sim
