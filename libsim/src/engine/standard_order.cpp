// SPDX-License-Identifier: GPL-3.0-or-later
// In which order a run keeps its bodies: by place, and by place again where they have mixed.
#include "engine/contact_records.hpp"
#include "engine/standard_engine.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace scree::sim {

void StandardEngine::reorder() {
  if (!model_.mayOrder || !state_.bonds.empty()) return;
  if (std::optional<BodyOrder> better =
          betterOrder(state_.order, state_.bodies, state_.lists.contacts))
    take(std::move(*better));
}

void StandardEngine::take(BodyOrder order) {
  std::vector<InteractionRecord> contacts = interactions();
  std::vector<BoundaryTouch> touches = boundaryTouches();
  Bodies& bodies = state_.bodies;
  const auto move = [&](auto& ofBodies) { ofBodies = order.toRun(state_.order.toFile(ofBodies)); };
  bodies.forEachArray(move);
  move(poses_);
  move(state_.earlier);
  for (BodyId* body : {&state_.cell.first, &state_.cell.second})
    if (*body != CellMotion::noBody) *body = order.body(state_.order.number(*body));
  state_.order = std::move(order);
  ++reorderings_;

  for (BoundaryTouch& t : touches) t.body = state_.order.body(t.body);
  state_.walls = field_.placeWalls(model_.file, world(), state_.walls.boundaries(), touches);
  state_.lists.contacts = Contacts();
  state_.lists.expire();
  updateAllLists();
  state_.order.renumberForRun(contacts);
  for (const InteractionRecord& r : contacts) loadContact(r, state_.lists.contacts);

  // Sums over contacts in their new order, as a run that is resumed here makes them.
  const std::vector<Vec3> force = bodies.force, moment = bodies.moment;
  std::fill(bodies.force.begin(), bodies.force.end(), Vec3::Zero());
  std::fill(bodies.moment.begin(), bodies.moment.end(), Vec3::Zero());
  state_.drives.addForces(bodies);
  addRememberedForces(state_.lists.contacts, poses_, images(), false, bodies);
  keepDrivenForces();
  bodies.force = force;
  bodies.moment = moment;
}

}  // namespace scree::sim
