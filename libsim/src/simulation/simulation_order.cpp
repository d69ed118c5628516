// SPDX-License-Identifier: GPL-3.0-or-later
// In which order a run keeps its bodies: by place, and by place again where they have mixed.
#include "../bonds/bond_system.hpp"
#include "../cell/cell_motion.hpp"
#include "../drives/drive_system.hpp"
#include "../energy/energy_account.hpp"
#include "../forces/force_field.hpp"
#include "../state/world.hpp"
#include "integrators.hpp"

#include "scree/sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace scree::sim {
namespace {

/// A new order is worth making all lists anew if contacts reach over less than this share of the
/// bodies that they reach over in the old one.
constexpr double worthIt = 0.7;

}  // namespace

bool Simulation::mayOrder() const {
  // Bonds and joints name bodies; and Rockable adds forces up in the order of the file.
  return !compat_ && conf_.interfaces.empty() && bonds_->empty() && conf_.joints.empty();
}

void Simulation::orderBodies(bool complete, Diagnostics& diagnostics) {
  const std::vector<ParticleRecord>& particles = conf_.particles;
  // A file whose bodies somebody has changed goes on in its own order.
  const auto fits = [&] {
    if (conf_.order.size() != particles.size()) return false;
    for (std::size_t k = 0; k < std::min<std::size_t>(conf_.nDriven, particles.size()); ++k)
      if (conf_.order[k] != k) return false;
    return true;
  };
  if (!complete || !mayOrder() || !fits()) {
    if (complete && mayOrder() && !conf_.order.empty())
      diagnostics.warn(conf_.errorAt(
          "#scree order",
          fmt::format(
              "#scree order: does not fit {} bodies of which {} are driven: the run goes on "
              "in the order of the file, and may differ in last digits",
              particles.size(), conf_.nDriven)));
    conf_.order.clear();
    if (!complete && mayOrder()) {
      std::vector<Vec3> places;
      for (const ParticleRecord& p : particles) places.push_back(p.pos);
      conf_.order = orderByPlace(places, conf_.nDriven);
    }
  }
  try {
    order_ = BodyOrder(conf_.order, conf_.nDriven);
  } catch (const ModelError& error) {
    throw conf_.errorAt("#scree order", fmt::format("#scree order: {}", error.what()));
  }
  if (order_.ofFile()) return;
  conf_.particles = order_.toRun(conf_.particles);
  conf_.particleLines = order_.toRun(conf_.particleLines);
  conf_.earlierMotion = order_.toRun(conf_.earlierMotion);
  order_.renumberForRun(conf_.interactions);
  for (BoundaryTouch& t : conf_.boundaryTouches) t.body = order_.body(t.body);
}

void Simulation::reorder() {
  if (!mayOrder()) return;
  BodyOrder fresh(orderByPlace(order_.toFile(bodies_.pos), bodies_.driven), bodies_.driven);
  // By contacts that touch, which are part of the state: lists are not.
  const auto distance = [](std::uint64_t a, std::uint64_t b) { return a < b ? b - a : a - b; };
  std::uint64_t now = 0, then = 0;
  for (const PairRow& row : lists_.contacts.rows) {
    if (row.a < bodies_.driven) continue;
    bool touching = false;
    lists_.contacts.forEachTouching(row, [&touching](auto&&...) { touching = true; });
    if (!touching) continue;
    now += distance(row.a, row.b);
    then += distance(fresh.body(order_.number(row.a)), fresh.body(order_.number(row.b)));
  }
  if (static_cast<double>(then) < worthIt * static_cast<double>(now)) take(std::move(fresh));
}

void Simulation::take(BodyOrder order) {
  std::vector<InteractionRecord> contacts = interactions();
  conf_.boundaryTouches = boundaryTouches();
  const auto move = [&](auto& ofBodies) { ofBodies = order.toRun(order_.toFile(ofBodies)); };
  bodies_.forEachArray(move);
  move(radius_);
  move(placed_);
  move(dragArea_);
  move(integrators_->earlier(compat_));
  move(conf_.particles);
  move(conf_.particleLines);
  for (BodyId* body : {&cell_->first, &cell_->second})
    if (*body != CellMotion::noBody) *body = order.body(order_.number(*body));
  order_ = std::move(order);
  conf_.order = order_.numbers();
  ++reorderings_;

  for (BoundaryTouch& t : conf_.boundaryTouches) t.body = order_.body(t.body);
  field_->placeWalls(world(), std::move(conf_.boundaryTouches));
  lists_.contacts = Contacts();
  lists_.expirePairs();
  lists_.update(bodies_, placed_, threads_, images());
  order_.renumberForRun(contacts);
  for (const InteractionRecord& r : contacts) loadContact(r);

  // Sums over contacts in their new order, as a run that is resumed here makes them.
  const std::vector<Vec3> force = bodies_.force, moment = bodies_.moment;
  std::fill(bodies_.force.begin(), bodies_.force.end(), Vec3::Zero());
  std::fill(bodies_.moment.begin(), bodies_.moment.end(), Vec3::Zero());
  drives_->addForces(bodies_);
  addRememberedForces(lists_.contacts, placed_, images(), compat_, bodies_);
  energy_->keepDrivenForces(bodies_, drives_->drives().controls);
  bodies_.force = force;
  bodies_.moment = moment;
}

}  // namespace scree::sim
