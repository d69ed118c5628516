// SPDX-License-Identifier: GPL-3.0-or-later
// Round walls: from what a conf-file says to contacts, and back.
#include "scree/sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace scree::sim {

void Simulation::makeBoundaries() {
  boundaries_.make(conf_.boundaries, bodies_.size());
  setUpBoundaries();
  // In a state that a run has left, a hard impact may have taken a vertex beyond the wall, which
  // pushes it back.
  const bool begins = !conf_.runState || conf_.runState->step == 0;
  for (std::size_t b = 0; begins && b < conf_.boundaries.size(); ++b)
    for (std::size_t k = bodies_.driven; k < bodies_.size(); ++k)
      for (const Vec3& v : placed_[k].shape->vertices) {
        const double out = conf_.boundaries[b].outwards(placed_[k].pos + placed_[k].arm(v)).norm();
        if (out > conf_.boundaries[b].radius)
          throw conf_.errorAtParticle(
              k, fmt::format("body {} stands outside of boundary {}: a vertex is {:.6g} from its "
                             "{}, the radius is {:.6g}",
                             order_.number(k), b, out,
                             conf_.boundaries[b].kind == Boundary::Kind::ball ? "centre" : "axis",
                             conf_.boundaries[b].radius));
      }
  loadBoundaryTouches();
}

void Simulation::loadBoundaryTouches() {
  for (const BoundaryTouch& t : conf_.boundaryTouches) {
    if (t.boundary >= conf_.boundaries.size() || t.body >= bodies_.size() ||
        t.vertex >= placed_[t.body].shape->vertices.size() || !(t.dn < 0.0))
      throw conf_.errorAt("",
                          fmt::format("#scree touch {} {} {}: no such boundary, body or vertex, "
                                      "or no overlap",
                                      t.boundary, order_.number(t.body), t.vertex));
    auto& touching = boundaries_.slot(t.boundary, t.body).touching;
    if (!touching.empty() && touching.back().vertex >= t.vertex)
      throw conf_.errorAt("", "#scree touch: expected lines in the order of vertices");
    touching.push_back({t.vertex, Touch(), ContactState{t.dn, t.fn, t.ft, t.mom}, t.vel});
  }
  conf_.boundaryTouches.clear();
}

void Simulation::setUpBoundaries() {
  for (std::size_t b = 0; b < boundaries_.boundaries().size(); ++b)
    for (std::size_t k = bodies_.driven; k < bodies_.size(); ++k) {
      const std::uint32_t gb = boundaries_.boundaries()[b].group, gk = bodies_.group[k];
      auto& slot = boundaries_.slot(b, k);
      slot.parameters = groups_.index(gb, gk);
      slot.damp = kernel_->damping(slot.parameters, bodies_.mass[k]);
    }
}

std::vector<BoundaryTouch> Simulation::boundaryTouches() const {
  std::vector<BoundaryTouch> touches;
  for (std::uint32_t b = 0; b < boundaries_.boundaries().size(); ++b)
    for (BodyId k = bodies_.driven; k < bodies_.size(); ++k)
      for (const auto& t : boundaries_.slot(b, k).touching)
        touches.push_back({b, order_.number(k), t.vertex, t.state.dn, t.state.fn, t.state.ft,
                           t.state.mom, t.vel});
  if (!order_.ofFile())
    std::sort(touches.begin(), touches.end(), [](const BoundaryTouch& x, const BoundaryTouch& y) {
      return std::tuple(x.boundary, x.body, x.vertex) < std::tuple(y.boundary, y.body, y.vertex);
    });
  return touches;
}

}  // namespace scree::sim
