// SPDX-License-Identifier: GPL-3.0-or-later
#include "search_parts.hpp"

#include "scree/base/parallel.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <algorithm>
#include <utility>

namespace scree::clump::detail {
namespace {

using mass::VisiblePart;

/// Room between a ball and a face, and the rate at which it grows with the centre.
struct Contact {
  double room;             ///< [L]
  Vec3 away;               ///< unit vector from the face to the centre
  std::uint32_t triangle;  ///< the face
};

/// The room to one face, for a ball whose centre is in the core.
Contact contactWith(const SolidDistance& solid, const Ball& ball, std::uint32_t triangle) {
  const Vec3 from = ball.centre - solid.nearestOnTriangle(triangle, ball.centre);
  const double distance = from.norm();
  return {distance + solid.radius() - ball.radius,
          distance > 0.0 ? Vec3(from / distance) : Vec3(Vec3::Zero()), triangle};
}

/// Faces that a ball within the solid has not more than `margin` of room to.
void contactsOf(const SolidDistance& solid, const Ball& ball, double margin,
                std::vector<Contact>& contacts) {
  contacts.clear();
  const double reach = ball.radius - solid.radius() + margin;
  if (reach <= margin) {  // within the rounding: only the nearest point of the core counts
    const auto near = solid.nearest(ball.centre);
    const Vec3 towards = near.point - ball.centre;
    const double distance = towards.norm();
    const double side = near.depth > solid.radius() ? -1.0 : 1.0;
    contacts.push_back({near.depth - ball.radius,
                        distance > 0.0 ? Vec3(side / distance * towards) : Vec3(Vec3::Zero()),
                        near.triangle});
    return;
  }
  shape::Aabb box;
  box.add(ball.centre);
  solid.surface().tree().forEachNear(box.grown(reach), [&](std::uint32_t triangle) {
    const Contact contact = contactWith(solid, ball, triangle);
    if (contact.room < margin) contacts.push_back(contact);
  });
}

/// Displacement for which pull · displacement + (least room) - displacement² / (2 step) is largest.
/// The room to a face changes as for a plane. A contact without a direction bounds the room.
Vec3 growingMove(const std::vector<Contact>& contacts, const Vec3& pull, double step) {
  // The dual problem: weights of contacts that add up to 1, for which
  // step/2 |pull + sum of weights · away|² + weights · rooms is least. Weight goes from the contact
  // that gains least by it to the one that gains most (pairwise Frank-Wolfe steps, exact along
  // each).
  constexpr int rounds = 60;
  if (contacts.empty()) return step * pull;
  std::vector<double> weight(contacts.size(), 0.0);
  std::size_t first = 0;
  for (std::size_t k = 1; k < contacts.size(); ++k)
    if (contacts[k].room < contacts[first].room) first = k;
  weight[first] = 1.0;
  Vec3 slope = pull + contacts[first].away;
  for (int round = 0; round < rounds; ++round) {
    std::size_t tight = 0, loose = 0;
    double least = 1e300, most = -1e300;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const double room = contacts[k].room + step * contacts[k].away.dot(slope);
      if (room < least) least = room, tight = k;
      if (weight[k] > 0.0 && room > most) most = room, loose = k;
    }
    if (!(most - least > 1e-7 * step)) break;
    const Vec3 change = contacts[tight].away - contacts[loose].away;
    const double bend = step * change.squaredNorm();
    const double by = bend * weight[loose] > most - least ? (most - least) / bend : weight[loose];
    weight[tight] += by;
    weight[loose] -= by;
    slope += by * change;
  }
  return step * slope;
}

/// Balls, with the part that each has in the volume of their union.
struct Union {
  explicit Union(const std::vector<Ball>& balls, int threads)
      : parts(mass::visibleParts(balls, threads)) {
    for (const VisiblePart& part : parts) volume += part.volume;
  }
  std::vector<VisiblePart> parts;
  double volume = 0.0;
};

Ball moved(const SolidDistance& solid, const MoveOptions& options, const Ball& ball,
           const VisiblePart& part, const Mat3& moves, double step) {
  if (!(part.area > 1e-9 * ball.radius * ball.radius)) return ball;
  const bool grow = !options.equal;
  // A ball that cannot grow follows the direction of the pull. That is weak beside the room, so
  // that no ball leaves the solid for it.
  const double weight = grow ? 1.0 : 0.1;
  const Vec3 towards = moves * (part.pull / part.area);
  const Vec3 pull = grow ? towards : Vec3(weight * towards.normalized());
  const double longest = std::min(0.5 * ball.radius, step * (grow ? 1.0 + pull.norm() : 1.0));
  // Most faces of a fine mesh near the ball do not matter: begin with the nearest, and add the one
  // that the ball would cross.
  constexpr int mostCuts = 6;
  const int cuts = grow && ball.radius > solid.radius() ? mostCuts : 1;
  std::vector<Contact> contacts;
  contactsOf(solid, ball, (cuts > 1 ? 0.3 : 2.0) * longest, contacts);
  if (!grow) contacts.push_back({1e-3 * step, Vec3::Zero(), 0});  // some room, for rounding
  Ball next = ball;
  double depth = 0.0;
  for (int cut = 0; cut < cuts; ++cut) {
    Vec3 by = moves * growingMove(contacts, pull, step / weight);
    if (const double length = by.norm(); length > longest) by *= longest / length;
    next.centre = ball.centre + by;
    std::uint32_t guess = 0;
    double room = 1e300;
    for (const Contact& contact : contacts)
      if (const double here = contact.room + contact.away.dot(by); here < room)
        room = here, guess = contact.triangle;
    const auto near = solid.nearest(next.centre, guess);
    depth = near.depth * (1.0 - 1e-14);
    if (!(depth > solid.radius()) || depth >= ball.radius + room - 0.02 * step) break;
    contacts.push_back(contactWith(solid, ball, near.triangle));
  }
  if (!(depth > 0.0)) return ball;
  if (!grow) return depth >= ball.radius ? next : ball;
  next.radius = depth;
  return depth >= options.leastRadius ? next : ball;
}

}  // namespace

double fillInside(const SolidDistance& solid, const SymmetryGroup& group,
                  std::vector<Orbit>& orbits, const AscentSteps& steps,
                  const MoveOptions& options) {
  double step = steps.first;
  Union here(imagesOf(group, orbits), options.threads);
  const std::vector<std::size_t> first = firstBalls(orbits);
  for (int done = 0; done < steps.most && step > steps.least; ++done) {
    std::vector<Orbit> next = orbits;
    parallelFor(options.threads, next.size(), [&](std::size_t k) {
      next[k].ball =
          moved(solid, options, orbits[k].ball, here.parts[first[k]], orbits[k].moves, step);
    });
    Union there(imagesOf(group, next), options.threads);
    if (there.volume > here.volume) {
      const bool little = there.volume - here.volume < steps.enough * there.volume && done > 2;
      orbits = std::move(next);
      here = std::move(there);
      if (little) break;
      step *= 1.2;
    } else {
      step *= 0.4;
    }
  }
  return here.volume;
}

}  // namespace scree::clump::detail
