// SPDX-License-Identifier: GPL-3.0-or-later
#include "missed_contacts.hpp"

#include "contact/reach_as_rockable.hpp"
#include "engine/engine.hpp"

#include <algorithm>

namespace scree::sim {
namespace {

bool holds(const Contacts& contacts, const PairRow& row, const Candidate& wanted) {
  const std::span<const Candidate> listed = contacts.candidatesOf(row);
  return std::any_of(listed.begin(), listed.end(),
                     [&](const Candidate& c) { return c.order() == wanted.order(); });
}

}  // namespace

MissedContacts::MissedContacts(const Simulation& simulation) {
  for (const shape::Shape& s : simulation.shapes()) geometries_.push_back(shapeGeometry(s));
  const Bodies& b = simulation.bodies();
  placed_.resize(b.size());
  for (std::size_t k = 0; k < b.size(); ++k) {
    placed_[k].shape = &geometries_[b.shape[k]];
    placed_[k].scale = b.homothety[k];
    placed_[k].radius = b.homothety[k] * placed_[k].shape->radius;
  }
}

MissedContacts::Seen MissedContacts::look(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  for (std::size_t k = 0; k < b.size(); ++k) {
    placed_[k].pos = b.pos[k];
    placed_[k].turn = b.homothety[k] * rotationMatrix(b.q[k].normalized());
  }
  if (all_.bonded != simulation.engine().lists().bonded) {
    all_.bonded = simulation.engine().lists().bonded;
    all_.expire();
  }
  // In a periodic cell, too: there, contacts of two edges across a side are in no list (Q13).
  const PeriodicCell& cell = simulation.cell();
  Images images;
  if (cell.used) images.set(cell.h);
  all_.update(b, placed_, simulation.threads(), cell.used ? &images : nullptr);

  const Contacts& listed = simulation.engine().lists().contacts;
  Seen seen;
  auto row = listed.rows.begin();
  for (const PairRow& near : all_.contacts.rows) {
    const std::pair pair(near.a, near.b);
    while (row != listed.rows.end() && std::pair(row->a, row->b) < pair) ++row;
    Vec3 apart = placed_[near.a].pos - placed_[near.b].pos;
    if (cell.used) apart -= images.offset(images.nearest(apart));
    const bool has = row != listed.rows.end() && std::pair(row->a, row->b) == pair;
    for (const Candidate& c : all_.contacts.candidatesOf(near)) {
      const Placed &i = placed_[c.swapped ? near.b : near.a],
                   &j = placed_[c.swapped ? near.a : near.b];
      const asRockable::Reach reach =
          asRockable::reachOf(c, i, j, c.swapped ? Vec3(-apart) : apart, 0.0);
      if (!reach.over || !(reach.gap < 0.0) || (has && holds(listed, *row, c))) continue;
      if (seen.contacts++ == 0) {
        seen.i = near.a;
        seen.j = near.b;
      }
    }
  }
  return seen;
}

}  // namespace scree::sim
