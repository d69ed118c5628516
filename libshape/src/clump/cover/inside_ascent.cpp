// SPDX-License-Identifier: GPL-3.0-or-later
#include "inside_ascent.hpp"

#include "ball_room.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::clump::detail {

InsideAscent::InsideAscent(const SolidDistance& solid, const SymmetryGroup& group,
                           const Limits& limits, int threads)
    : solid_(solid), group_(group), limits_(limits), threads_(threads) {}

PlacedOrbits InsideAscent::placed(std::vector<Orbit> orbits) const {
  std::vector<Ball> balls = imagesOf(group_, orbits);
  return {std::move(orbits), UnionState(std::move(balls), threads_)};
}

PlacedOrbits InsideAscent::changed(const PlacedOrbits& before, std::vector<Orbit> orbits,
                                   std::span<const std::int32_t> from) const {
  std::vector<std::int32_t> first;  // ball of each orbit before
  std::int32_t at = 0;
  for (const Orbit& orbit : before.orbits) {
    first.push_back(at);
    at += static_cast<std::int32_t>(orbit.size());
  }
  std::vector<std::int32_t> fromBall;
  for (std::size_t k = 0; k < orbits.size(); ++k)
    for (std::size_t i = 0; i < orbits[k].size(); ++i)
      fromBall.push_back(from[k] < 0 ? -1
                                     : first[static_cast<std::size_t>(from[k])] +
                                           static_cast<std::int32_t>(i));
  std::vector<Ball> balls = imagesOf(group_, orbits);
  UnionState state = before.state.changedTo(std::move(balls), fromBall, threads_);
  return {std::move(orbits), std::move(state)};
}

Ball InsideAscent::moved(const UnionState& state, std::size_t which, const Mat3& moves,
                         double step) const {
  const Ball& ball = state.balls()[which];
  const VisiblePart& part = state.part(which);
  if (!(part.area > 1e-9 * ball.radius * ball.radius)) return ball;
  const Vec3 pull = moves * (part.pull / part.area);
  const bool grow = limits_.radius == 0.0;
  const Ball inside{ball.centre, ball.radius - limits_.protrusion};
  const double longest = std::min(0.5 * inside.radius, step * (grow ? 1.0 + pull.norm() : 1.0));
  // Of fine meshes most faces near the ball do not matter: begin with the nearest, and add the one
  // that the ball would cross.
  constexpr int mostCuts = 6;
  const int cuts = grow && inside.radius > solid_.radius() ? mostCuts : 1;
  std::vector<Contact> contacts;
  contactsOf(solid_, inside, (cuts > 1 ? 0.3 : 2.0) * longest, contacts);
  Ball next = ball;
  double depth = 0.0;
  for (int cut = 0; cut < cuts; ++cut) {
    Vec3 by =
        moves * (grow ? growingMove(contacts, pull, step) : slidingMove(contacts, pull, longest));
    if (const double length = by.norm(); length > longest) by *= longest / length;
    next.centre = ball.centre + by;
    std::uint32_t guess = 0;
    double room = 1e300;
    for (const Contact& contact : contacts)
      if (const double here = contact.room + contact.away.dot(by); here < room)
        room = here, guess = contact.triangle;
    const auto near = solid_.nearest(next.centre, guess);
    depth = near.depth * (1.0 - 1e-14);
    if (!(depth > solid_.radius()) || depth >= inside.radius + room - 0.02 * step) break;
    contacts.push_back(contactWith(solid_, inside, near.triangle));
  }
  if (!(depth > 0.0)) return ball;
  const double largest = depth + limits_.protrusion;
  if (!grow) return largest >= limits_.radius ? next : ball;
  next.radius = largest;
  return largest >= limits_.leastRadius ? next : ball;
}

void InsideAscent::climb(PlacedOrbits& at, const std::vector<char>& active,
                         const Steps& steps) const {
  double step = steps.first;
  std::vector<std::int32_t> from(at.orbits.size());
  for (int done = 0; done < steps.most && step > steps.least; ++done) {
    std::vector<std::size_t> first;  // ball of each orbit
    for (std::size_t k = 0, ball = 0; k < at.orbits.size(); ball += at.orbits[k++].size())
      first.push_back(ball);
    std::vector<Orbit> next = at.orbits;
    parallelFor(threads_, next.size(), [&](std::size_t k) {
      if (active[k]) next[k].ball = moved(at.state, first[k], next[k].moves, step);
    });
    for (std::size_t k = 0; k < next.size(); ++k)
      from[k] = next[k].ball.centre == at.orbits[k].ball.centre &&
                        next[k].ball.radius == at.orbits[k].ball.radius
                    ? static_cast<std::int32_t>(k)
                    : -1;
    PlacedOrbits there = changed(at, std::move(next), from);
    if (there.volume() > at.volume()) {
      const bool little = there.volume() - at.volume() < steps.enough * there.volume() && done > 2;
      at = std::move(there);
      if (little) break;
      step *= 1.2;
    } else {
      step *= 0.4;
    }
  }
}

}  // namespace scree::clump::detail
