// SPDX-License-Identifier: GPL-3.0-or-later
#include "ball_room.hpp"

#include "scree/shape/aabb_tree.hpp"

#include <algorithm>
#include <cmath>

namespace scree::clump::detail {
namespace {

/// f(triangle) for each triangle whose box comes within `reach` of a point, and some others.
template <class F>
void forEachWithin(const shape::AabbTree& tree, const Vec3& point, double reach, F&& f) {
  if (tree.empty()) return;
  std::uint32_t stack[64];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const shape::AabbTree::Node& node = tree.node(stack[--top]);
    const Vec3 nearest = point.cwiseMax(node.box.low).cwiseMin(node.box.high);
    if ((nearest - point).squaredNorm() >= reach * reach) continue;
    if (node.leaf()) {
      for (const std::uint32_t item : tree.items(node)) f(item);
    } else {
      stack[top++] = node.first + 1;
      stack[top++] = node.first;
    }
  }
}

}  // namespace

Contact contactWith(const SolidDistance& solid, const Ball& ball, std::uint32_t triangle) {
  const Vec3 from = ball.centre - solid.nearestOnTriangle(triangle, ball.centre);
  const double distance = from.norm();
  return {distance + solid.radius() - ball.radius,
          distance > 0.0 ? Vec3(from / distance) : Vec3(Vec3::Zero()), triangle};
}

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
  forEachWithin(solid.surface().tree(), ball.centre, reach, [&](std::uint32_t triangle) {
    const Contact contact = contactWith(solid, ball, triangle);
    if (contact.room < margin) contacts.push_back(contact);
  });
}

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

Vec3 slidingMove(const std::vector<Contact>& contacts, const Vec3& pull, double step) {
  constexpr int rounds = 60;
  Vec3 at = Vec3::Zero(), best = at;
  double most = -1e300;
  for (int round = 0; round < rounds; ++round) {
    double least = 1e300;
    const Contact* tightest = nullptr;
    for (const Contact& contact : contacts)
      if (const double room = contact.room + contact.away.dot(at); room < least)
        least = room, tightest = &contact;
    Vec3 slope = pull;
    double value = pull.dot(at);
    if (tightest && least < 0.0) {
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

}  // namespace scree::clump::detail
