// SPDX-License-Identifier: GPL-3.0-or-later
#include "missed_contacts.hpp"

#include "contact/listed_reach.hpp"
#include "engine/engine.hpp"

#include <algorithm>

namespace scree::sim {
namespace {

bool holds(const Contacts& contacts, const NeighbourPair& nearPair, const Candidate& wanted) {
  const std::span<const Candidate> listed = contacts.candidatesOf(nearPair);
  return std::any_of(listed.begin(), listed.end(),
                     [&](const Candidate& c) { return c.order() == wanted.order(); });
}

}  // namespace

MissedContacts::MissedContacts(const Simulation& simulation) {
  for (const shape::Shape& s : simulation.shapes()) geometries_.push_back(shapeGeometry(s));
  const Bodies& b = simulation.bodies();
  poses_.resize(b.size());
  for (std::size_t k = 0; k < b.size(); ++k) {
    poses_[k].shape = &geometries_[b.shape[k]];
    poses_[k].scale = b.homothety[k];
    poses_[k].radius = b.homothety[k] * poses_[k].shape->radius;
  }
}

MissedContacts::Seen MissedContacts::look(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  for (std::size_t k = 0; k < b.size(); ++k) {
    poses_[k].pos = b.pos[k];
    poses_[k].turn = b.homothety[k] * rotationMatrix(b.q[k].normalized());
  }
  if (all_.bonded != engineOf(simulation).lists().bonded) {
    all_.bonded = engineOf(simulation).lists().bonded;
    all_.expire();
  }
  // In a periodic cell, too: there, contacts of two edges across a side are in no list (Q13).
  const PeriodicCell& cell = simulation.cell();
  Images images;
  if (cell.used) images.set(cell.h);
  all_.update(b, poses_, simulation.threads(), cell.used ? &images : nullptr);

  const Contacts& listed = engineOf(simulation).lists().contacts;
  Seen seen;
  auto nearPair = listed.pairs.begin();
  for (const NeighbourPair& near : all_.contacts.pairs) {
    const std::pair pair(near.a, near.b);
    while (nearPair != listed.pairs.end() && std::pair(nearPair->a, nearPair->b) < pair) ++nearPair;
    Vec3 apart = poses_[near.a].pos - poses_[near.b].pos;
    if (cell.used) apart -= images.offset(images.nearest(apart));
    const bool has = nearPair != listed.pairs.end() && std::pair(nearPair->a, nearPair->b) == pair;
    for (const Candidate& c : all_.contacts.candidatesOf(near)) {
      const BodyPose &i = poses_[c.swapped ? near.b : near.a],
                     &j = poses_[c.swapped ? near.a : near.b];
      const ListedReach reach = listedReach(c, i, j, c.swapped ? Vec3(-apart) : apart, 0.0);
      if (!reach.over || !(reach.gap < 0.0) || (has && holds(listed, *nearPair, c))) continue;
      if (seen.contacts++ == 0) {
        seen.i = near.a;
        seen.j = near.b;
      }
    }
  }
  return seen;
}

}  // namespace scree::sim
