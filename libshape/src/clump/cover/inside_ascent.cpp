// SPDX-License-Identifier: GPL-3.0-or-later
#include "inside_ascent.hpp"

#include "even_directions.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::clump::detail {
namespace {

constexpr std::size_t samplesOnSphere = 300;

/// Room between a ball and a face, and the rate at which it grows with the centre.
struct Contact {
  double room;
  Vec3 away;
};

/// Faces that the ball may meet within a step.
std::vector<Contact> contactsOf(const SolidDistance& solid, const Ball& ball, double step) {
  std::vector<Contact> contacts;
  const auto near = solid.nearest(ball.centre);
  const double inCore = near.depth - solid.radius();  // of the centre, below the faces
  if (inCore <= 0.0) {  // within the rounding: only the nearest point of the core counts
    const Vec3 towards = near.point - ball.centre;
    const double distance = towards.norm();
    contacts.push_back(
        {near.depth - ball.radius, distance > 0.0 ? Vec3(towards / distance) : Vec3(Vec3::Zero())});
    return contacts;
  }
  const double reach = ball.radius - solid.radius() + 2.0 * step;
  const shape::Aabb box{ball.centre.array() - reach, ball.centre.array() + reach};
  solid.surface().tree().forEachNear(box, [&](std::uint32_t triangle) {
    const Vec3 from = ball.centre - solid.nearestOnTriangle(triangle, ball.centre);
    const double distance = from.norm();
    if (distance < reach && distance > 0.0)
      contacts.push_back({distance + solid.radius() - ball.radius, from / distance});
  });
  return contacts;
}

/// Displacement within `step` for which pull · displacement + grow · (least room) is largest, by
/// steps along the slope of the face with the least room. Without `grow` room must stay positive.
Vec3 bestMove(const std::vector<Contact>& contacts, const Vec3& pull, bool grow, double step) {
  constexpr int rounds = 60;
  Vec3 at = Vec3::Zero(), best = at;
  double most = -1e300;
  for (int round = 0; round < rounds; ++round) {
    double least = 1e300;
    const Contact* tightest = nullptr;
    for (const Contact& contact : contacts)
      if (const double room = contact.room + contact.away.dot(at); room < least)
        least = room, tightest = &contact;
    if (!tightest) least = 0.0;
    Vec3 slope = pull;
    double value = pull.dot(at);
    if (grow) {
      value += least;
      if (tightest) slope += tightest->away;
    } else if (least < 0.0) {
      value = -1e300;
      slope = tightest->away;
    }
    if (value > most) most = value, best = at;
    const double length = slope.norm();
    if (!(length > 1e-12)) break;
    at += step / ((1.0 + 0.3 * round) * length) * slope;
    if (const double far = at.norm(); far > step) at *= step / far;
  }
  return best;
}

}  // namespace

InsideAscent::InsideAscent(const SolidDistance& solid, const SymmetryGroup& group,
                           double leastRadius, double radius, int threads)
    : solid_(solid),
      group_(group),
      leastRadius_(leastRadius),
      radius_(radius),
      threads_(threads),
      directions_(evenDirections(samplesOnSphere)) {}

double InsideAscent::volume(std::span<const Orbit> orbits) const {
  return orbits.empty() ? 0.0 : ballUnionMoments(imagesOf(group_, orbits), threads_).moments.m0;
}

Ball InsideAscent::moved(std::span<const Ball> balls, std::size_t which, const Mat3& moves,
                         double step) const {
  const Ball& ball = balls[which];
  std::vector<std::uint32_t> near;
  for (std::uint32_t k = 0; k < balls.size(); ++k) {
    const double reach = balls[k].radius + ball.radius;
    if (k != which && (balls[k].centre - ball.centre).squaredNorm() < reach * reach)
      near.push_back(k);
  }
  Vec3 pull = Vec3::Zero();
  double visible = 0.0;
  for (const Vec3& n : directions_) {
    const Vec3 x = ball.centre + ball.radius * n;
    bool hidden = false;
    for (std::size_t k = 0; k < near.size() && !hidden; ++k) {
      const Ball& other = balls[near[k]];
      hidden = (x - other.centre).squaredNorm() < other.radius * other.radius;
      // The next direction is close by: the same ball hides it as a rule.
      if (hidden) std::swap(near[0], near[k]);
    }
    if (hidden) continue;
    visible += 1.0;
    pull += n;
  }
  if (visible == 0.0) return ball;
  const double length = std::min(step, 0.5 * ball.radius);
  const Vec3 by = moves * bestMove(contactsOf(solid_, ball, length), moves * (pull / visible),
                                   radius_ == 0.0, length);
  Ball next{ball.centre + by, ball.radius};
  const double depth = solid_.depth(next.centre) * (1.0 - 1e-14);
  if (radius_ > 0.0) return depth >= radius_ ? next : ball;
  next.radius = depth;
  return depth >= leastRadius_ && depth > 0.0 ? next : ball;
}

double InsideAscent::climb(std::vector<Orbit>& orbits, double volume,
                           const std::vector<char>& active, const Steps& steps) const {
  double step = steps.first;
  for (int done = 0; done < steps.most && step > steps.least; ++done) {
    const std::vector<Ball> balls = imagesOf(group_, orbits);
    std::vector<std::size_t> first;  // ball of each orbit
    for (std::size_t k = 0, at = 0; k < orbits.size(); at += orbits[k++].size())
      first.push_back(at);
    std::vector<Orbit> next = orbits;
    parallelFor(threads_, orbits.size(), [&](std::size_t k) {
      if (active[k]) next[k].ball = moved(balls, first[k], orbits[k].moves, step);
    });
    const double there = this->volume(next);
    if (there > volume) {
      const bool little = there - volume < 1e-6 * there && done > 2;
      volume = there;
      orbits = std::move(next);
      if (little) break;
      step *= 1.2;
    } else {
      step *= 0.4;
    }
  }
  return volume;
}

}  // namespace scree::clump::detail
