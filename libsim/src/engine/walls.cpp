// SPDX-License-Identifier: GPL-3.0-or-later
// Round walls: from what a conf-file says to contacts, and back.
#include "force_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace scree::sim {

BoundaryContacts ForceField::makeWalls(const Conf& file, const World& world,
                                       const std::vector<BoundaryTouch>& touches) const {
  // In a state that a run has left, a hard impact may have taken a vertex beyond the wall, which
  // pushes it back.
  const bool begins = !file.runState || file.runState->step == 0;
  for (std::size_t b = 0; begins && b < file.boundaries.size(); ++b)
    for (std::size_t k = world.bodies.driven; k < world.bodies.size(); ++k)
      for (const Vec3& v : world.poses[k].shape->vertices) {
        const Boundary& wall = file.boundaries[b];
        const Vec3 vertex = world.poses[k].pos + world.poses[k].arm(v);
        Vec3 inwards;
        const double depth = wall.distance(vertex, inwards);
        if (depth >= 0.0) continue;
        const std::string where =
            wall.kind == Boundary::Kind::cone
                ? fmt::format("{:.6g} beyond the cone", -depth)
                : fmt::format("{:.6g} from its {}, the radius is {:.6g}",
                              wall.outwards(vertex).norm(),
                              wall.kind == Boundary::Kind::ball ? "centre" : "axis", wall.radius);
        throw file.errorAtParticle(world.order.number(k),
                                   fmt::format("body {} is outside boundary {}: a vertex is {}",
                                               world.order.number(k), b, where));
      }
  return placeWalls(file, world, file.boundaries, touches);
}

BoundaryContacts ForceField::placeWalls(const Conf& file, const World& world,
                                        std::vector<Boundary> boundaries,
                                        const std::vector<BoundaryTouch>& touches) const {
  BoundaryContacts walls;
  walls.make(std::move(boundaries), world.bodies.size());
  setUpWalls(world.bodies, walls);
  for (const BoundaryTouch& t : touches) {
    const auto isCone = [&] { return walls.boundaries()[t.boundary].kind == Boundary::Kind::cone; };
    if (t.boundary >= walls.boundaries().size() || t.body >= world.bodies.size() ||
        t.vertex >= world.poses[t.body].shape->vertices.size() * (isCone() ? 2 : 1) ||
        !(t.dn < 0.0))
      throw file.errorAt("", fmt::format("#scree touch {} {} {}: no such boundary, body or vertex, "
                                         "or no overlap",
                                         t.boundary, world.order.number(t.body), t.vertex));
    auto& touching = walls.slot(t.boundary, t.body).touching;
    if (!touching.empty() && touching.back().vertex >= t.vertex)
      throw file.errorAt("", "#scree touch: expected lines in the order of vertices");
    touching.push_back({t.vertex, Touch(), ContactState{t.dn, t.fn, t.ft, t.mom}, t.vel});
  }
  return walls;
}

void ForceField::setUpWalls(const Bodies& bodies, BoundaryContacts& walls) const {
  for (std::size_t b = 0; b < walls.boundaries().size(); ++b)
    for (std::size_t k = bodies.driven; k < bodies.size(); ++k) {
      const std::uint32_t gb = walls.boundaries()[b].group, gk = bodies.group[k];
      auto& slot = walls.slot(b, k);
      slot.parameters = groups_.index(gb, gk);
      slot.damp = kernel_->damping(slot.parameters, bodies.mass[k]);
    }
}

std::vector<BoundaryTouch> wallTouches(const World& world, const BoundaryContacts& walls) {
  std::vector<BoundaryTouch> touches;
  for (std::uint32_t b = 0; b < walls.boundaries().size(); ++b)
    for (BodyId k = world.bodies.driven; k < world.bodies.size(); ++k)
      for (const auto& t : walls.slot(b, k).touching)
        touches.push_back({b, world.order.number(k), t.vertex, t.state.dn, t.state.fn, t.state.ft,
                           t.state.mom, t.vel});
  if (!world.order.ofFile())
    std::sort(touches.begin(), touches.end(), [](const BoundaryTouch& x, const BoundaryTouch& y) {
      return std::tuple(x.boundary, x.body, x.vertex) < std::tuple(y.boundary, y.body, y.vertex);
    });
  return touches;
}

}  // namespace scree::sim
