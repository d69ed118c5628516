// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contact/kinematics.hpp"
#include "contact/shape_geometry.hpp"
#include "detect/neighbour_list.hpp"

#include "scree/sim/simulation.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace scree::sim {

/// Contacts that a run does not see where contacts live by list. Its lists, made each interVerlet
/// by distances of the file, do not hold them. Keeps lists of its own, by motion, beside those of
/// the run. Reads the state, never changes it.
class MissedContacts {
 public:
  explicit MissedContacts(const Simulation& simulation);
  MissedContacts(const MissedContacts&) = delete;  // its bodies point to its geometries
  MissedContacts& operator=(const MissedContacts&) = delete;

  struct Seen {
    std::size_t contacts = 0;
    BodyId i = 0, j = 0;  ///< of the first of them
  };
  /// Pairs of sub-elements that overlap as that program asks for it, and stand in no list of the
  /// run. Costs as much as three steps of 600 dodecahedra at rest, the first time nine.
  Seen look(const Simulation& simulation);

  /// Calls f(pair of bodies, candidate, gap [L]) for each pair of sub-elements that overlap, listed
  /// by the run or not. The gap does not depend on what the run has computed so far.
  template <class F>
  void forEachOverlap(const Simulation& simulation, F&& f);

 private:
  void update(const Simulation& simulation);
  /// [L] below 0: the two overlap
  double gapOf(const Simulation& simulation, const NeighbourPair& pair, const Candidate& c) const;

  std::vector<ShapeGeometry> geometries_;
  std::vector<BodyPose> poses_;
  NeighbourList all_;
};

/// Calls f(a, b, dn [L]) for each contact that touches. Where contacts live by list, the run
/// computes no gap before its first step: then for those that will touch.
void forEachContact(const Simulation& simulation,
                    const std::function<void(BodyId, BodyId, double)>& f);

/// The same with the geometry of each contact. Its normal, from j towards i, is 0 where the closest
/// points coincide.
void forEachTouch(const Simulation& simulation,
                  const std::function<void(BodyId i, BodyId j, const Touch&)>& f);

template <class F>
void MissedContacts::forEachOverlap(const Simulation& simulation, F&& f) {
  update(simulation);
  for (const NeighbourPair& pair : all_.contacts.pairs)
    for (const Candidate& c : all_.contacts.candidatesOf(pair))
      if (const double gap = gapOf(simulation, pair, c); gap < 0.0) f(pair, c, gap);
}

}  // namespace scree::sim
