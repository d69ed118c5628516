// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/cover.hpp"

#include "base/elementary.hpp"
#include "cover/cover_goal.hpp"
#include "cover/fit_search.hpp"
#include "cover/inside_search.hpp"
#include "cover/lattice_search.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace scree::clump {
namespace {

using namespace detail;

/// One search: the methods, each with candidates made once for each group of symmetries, and what
/// it has to reach.
class Search {
 public:
  Search(const SolidDistance& solid, const mass::SolidProperties& body, const CoverOptions& options)
      : work_(solid, body, options) {}

  std::vector<Ball> run() {
    try {
      std::vector<Ball> balls;
      if (work_.options.equal && !work_.options.overlap)
        balls = bestLattice(work_);
      else
        balls = work_.options.spheres ? best(*work_.options.spheres).balls : fewest();
      return largestFirst(std::move(balls));
    } catch (const GoalNotReached& e) {
      throw GoalNotReached(e.what(), largestFirst(e.balls()));
    }
  }

 private:
  std::vector<Ball> largestFirst(std::vector<Ball> balls) const {
    dropSwallowed(balls);
    std::stable_sort(balls.begin(), balls.end(),
                     [](const Ball& a, const Ball& b) { return a.radius > b.radius; });
    return balls;
  }
  /// The best cover that a search with so many balls finds; fewer where no more are of use. As
  /// symmetric as the solid where such a cover has so few balls.
  FoundCover best(std::size_t count) {
    FoundCover found;
    const std::vector<SymmetryGroup> groups = groupsFor(work_.symmetry, count);
    for (std::size_t k = 0; k < groups.size(); ++k) {
      work_.part = {static_cast<double>(k) / static_cast<double>(groups.size()),
                    1.0 / static_cast<double>(groups.size())};
      FoundCover here = bestUnder(groups[k], count);
      if (here.worth > found.worth) found = std::move(here);
    }
    if (found.balls.empty()) found = bestUnder({work_.body.centre}, count);
    return found;
  }
  FoundCover bestUnder(const SymmetryGroup& group, std::size_t count) {
    FoundCover found = !work_.options.inside ? fit_.best(group, count)
                       : work_.options.equal ? inside_.bestEqual(group, count)
                                             : inside_.best(group, count);
    if (work_.options.inside && !group.trivial()) shrinkInto(found.balls);
    found.searched = found.balls.size();
    dropSwallowed(found.balls);
    return found;
  }

  /// Balls wholly inside others add nothing. The margin is far above the rounding of images, so
  /// that those of one orbit go together.
  void dropSwallowed(std::vector<Ball>& balls) const {
    const double margin = 1e-12 * work_.size;
    std::vector<std::size_t> order(balls.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return balls[a].radius < balls[b].radius;
    });
    std::vector<char> kept(balls.size(), 1);
    for (const std::size_t k : order)
      for (std::size_t j = 0; j < balls.size() && kept[k]; ++j)
        if (j != k && kept[j] &&
            (balls[j].centre - balls[k].centre).norm() + balls[k].radius <=
                balls[j].radius + margin)
          kept[k] = 0;
    std::size_t at = 0;
    std::erase_if(balls, [&](const Ball&) { return !kept[at++]; });
  }

  /// A mesh may miss its symmetry by a little: each ball becomes as small as its deepest image.
  void shrinkInto(std::vector<Ball>& balls) const {
    std::vector<double> depth;
    for (const Ball& ball : balls)
      depth.push_back(std::min(ball.radius, work_.radiusAt(ball.centre)));
    for (std::size_t k = 0; k < balls.size(); ++k) {
      const double radius = balls[k].radius;
      for (std::size_t j = 0; j < balls.size(); ++j)
        if (balls[j].radius == radius) balls[k].radius = std::min(balls[k].radius, depth[j]);
    }
  }

  /// The least number of balls that reaches the goal: twice as many until it is reached, then
  /// halves of what is between.
  std::vector<Ball> fewest() {
    if (work_.options.inside && work_.options.volumeRatio && !work_.options.equal &&
        work_.symmetry.trivial())
      return inside_.fewest(*work_.options.volumeRatio);
    std::size_t tooFew = 0, enough = 1;
    FoundCover found = best(enough);
    std::vector<Ball> balls = std::move(found.balls);
    std::size_t searched = found.searched;
    double nearest = INFINITY;
    std::vector<Ball> near = balls;  // that come nearest to the goal
    const auto refuse = [&](const char* why) {
      throw GoalNotReached(
          fmt::format(
              "the goal is not reached: {} balls have {}{}; a smaller least radius may help",
              near.size(), goal_.reachedBy(near), why),
          near);
    };
    int vain = 0;  // doublings that brought the goal no nearer
    while (!goal_.reached(balls)) {
      const double missing = goal_.missingBy(balls);
      if (enough >= 2 * work_.symmetry.maps.size() && missing > 0.98 * nearest) ++vain;
      if (missing < 0.98 * nearest) vain = 0;
      if (missing < nearest) near = balls;
      nearest = std::min(nearest, missing);
      if (vain == 2) refuse(", and more bring it no nearer");
      if (enough == coverLimit) refuse("");
      tooFew = enough;
      enough = std::min(2 * enough, coverLimit);
      FoundCover more = best(enough);
      // Another orbit, which has as many balls as there are symmetries at most, had room.
      if (more.searched <= searched && enough - more.searched >= work_.symmetry.maps.size())
        refuse(", and more add nothing");
      balls = std::move(more.balls);
      searched = more.searched;
    }
    while (enough - tooFew > 1) {
      const std::size_t middle = tooFew + (enough - tooFew) / 2;
      std::vector<Ball> fewer = best(middle).balls;
      if (goal_.reached(fewer)) {
        enough = middle;
        balls = std::move(fewer);
      } else {
        tooFew = middle;
      }
    }
    return balls;
  }

  CoverWork work_;
  CoverGoal goal_{work_};
  InsideSearch inside_{work_};
  FitSearch fit_{work_};
};

}  // namespace

std::size_t symmetriesOf(const SolidDistance& solid, const mass::SolidProperties& body) {
  const double tolerance = symmetryTolerance * elementary::cbrt(body.volume);
  return symmetryOf(solid, body.centre, tolerance).maps.size();
}

std::vector<Ball> coverOf(const SolidDistance& solid, const mass::SolidProperties& body,
                          const CoverOptions& options) {
  return Search(solid, body, options).run();
}

}  // namespace scree::clump
