// SPDX-License-Identifier: GPL-3.0-or-later
#include "missed_contacts.hpp"

#include "contact/listed_reach.hpp"
#include "engine/engine.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

bool holds(const Contacts& contacts, const NeighbourPair& nearPair, const Candidate& wanted) {
  const std::span<const Candidate> listed = contacts.candidatesOf(nearPair);
  return std::any_of(listed.begin(), listed.end(),
                     [&](const Candidate& c) { return c.order() == wanted.order(); });
}

/// Calls f(pair of bodies, candidate, dn) as forEachContact does.
template <class F>
void forEachSeen(const Simulation& simulation, F&& f) {
  const bool byList = engineOf(simulation).rules().byList;
  if (byList && simulation.stepIndex() == 0) {
    MissedContacts(simulation).forEachOverlap(simulation, f);
    return;
  }
  const Bodies& b = simulation.bodies();
  const Contacts& contacts = engineOf(simulation).lists().contacts;
  for (const NeighbourPair& pair : contacts.pairs) {
    if (!byList && pair.skipUntil > b.displacement[pair.a] + b.displacement[pair.b])
      continue;  // all skipped
    contacts.forEachTouching(
        pair, [&](std::uint32_t, const Candidate& c, const ContactState& s) { f(pair, c, s.dn); });
  }
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

void MissedContacts::update(const Simulation& simulation) {
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
}

double MissedContacts::gapOf(const Simulation& simulation, const NeighbourPair& pair,
                             const Candidate& c) const {
  Vec3 apart = poses_[pair.a].pos - poses_[pair.b].pos;
  if (const PeriodicCell& cell = simulation.cell(); cell.used) {
    Images images;
    images.set(cell.h);
    apart -= images.offset(images.nearest(apart));
  }
  const BodyPose &i = poses_[c.swapped ? pair.b : pair.a], &j = poses_[c.swapped ? pair.a : pair.b];
  const ListedReach reach = listedReach(c, i, j, c.swapped ? Vec3(-apart) : apart, 0.0);
  return reach.over ? reach.gap : HUGE_VAL;
}

MissedContacts::Seen MissedContacts::look(const Simulation& simulation) {
  const Contacts& listed = engineOf(simulation).lists().contacts;
  Seen seen;
  auto nearPair = listed.pairs.begin();
  forEachOverlap(simulation, [&](const NeighbourPair& near, const Candidate& c, double) {
    const std::pair pair(near.a, near.b);
    while (nearPair != listed.pairs.end() && std::pair(nearPair->a, nearPair->b) < pair) ++nearPair;
    const bool has = nearPair != listed.pairs.end() && std::pair(nearPair->a, nearPair->b) == pair;
    if (has && holds(listed, *nearPair, c)) return;
    if (seen.contacts++ == 0) {
      seen.i = near.a;
      seen.j = near.b;
    }
  });
  return seen;
}

void forEachContact(const Simulation& simulation,
                    const std::function<void(BodyId, BodyId, double)>& f) {
  forEachSeen(simulation, [&](const NeighbourPair& pair, const Candidate&, double dn) {
    f(pair.a, pair.b, dn);
  });
}

}  // namespace scree::sim
