// SPDX-License-Identifier: GPL-3.0-or-later
// In which order a run keeps its bodies: by place, and by place again where they have mixed.
#include "engine.hpp"
#include "state/contact_records.hpp"

#include <algorithm>
#include <utility>

namespace scree::sim {

bool Engine::mayOrder() const {
  // Bonds and joints name bodies; and Rockable adds forces up in the order of the file.
  return !compat_ && conf_.interfaces.empty() && bonds_.empty() && conf_.joints.empty();
}

void Engine::reorder() {
  if (!mayOrder()) return;
  if (std::optional<BodyOrder> better = betterOrder(order_, bodies_, lists_.contacts))
    take(std::move(*better));
}

void Engine::take(BodyOrder order) {
  std::vector<InteractionRecord> contacts = interactions();
  conf_.boundaryTouches = boundaryTouches();
  const auto move = [&](auto& ofBodies) { ofBodies = order.toRun(order_.toFile(ofBodies)); };
  bodies_.forEachArray(move);
  move(model_.radius);
  move(placed_);
  move(model_.dragArea);
  move(integrators_.earlier(compat_));
  move(conf_.particles);
  move(conf_.particleLines);
  for (BodyId* body : {&cell_.first, &cell_.second})
    if (*body != CellMotion::noBody) *body = order.body(order_.number(*body));
  order_ = std::move(order);
  conf_.order = order_.numbers();
  ++reorderings_;

  for (BoundaryTouch& t : conf_.boundaryTouches) t.body = order_.body(t.body);
  field_.placeWalls(world(), field_.walls(), std::move(conf_.boundaryTouches));
  lists_.contacts = Contacts();
  lists_.expire();
  lists_.update(bodies_, placed_, threads_, images(), field_.pairSetup(bodies_));
  order_.renumberForRun(contacts);
  for (const InteractionRecord& r : contacts) loadContact(r, lists_.contacts);

  // Sums over contacts in their new order, as a run that is resumed here makes them.
  const std::vector<Vec3> force = bodies_.force, moment = bodies_.moment;
  std::fill(bodies_.force.begin(), bodies_.force.end(), Vec3::Zero());
  std::fill(bodies_.moment.begin(), bodies_.moment.end(), Vec3::Zero());
  drives_.addForces(bodies_);
  addRememberedForces(lists_.contacts, placed_, images(), compat_, bodies_);
  energy_.keepDrivenForces(bodies_, drives_.drives().controls);
  bodies_.force = force;
  bodies_.moment = moment;
}

}  // namespace scree::sim
