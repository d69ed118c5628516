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

/// Pairs of bodies whose skeletons pass through each other: an edge of one goes through a face of
/// the other. Contacts cannot separate such bodies, and may find no overlap at all.
struct Straddles {
  std::size_t pairs = 0;
  BodyId i = 0, j = 0;  ///< of the first pair, in the order of the file and with its numbers
};

/// An edge that meets the rim of a face does not count. Both ends of the edge must be off the plane
/// of the face by a millionth of the size of the smaller body. So bodies that only touch do not
/// count, and nor do pairs of driven bodies. None in a periodic cell.
/// O(n log n) for n bodies. A near pair of k and m faces costs O(k log m), with the smaller k.
Straddles straddlesOf(const Simulation& simulation);

/// Calls f(a, b, dn [L]) for each contact that touches. Where contacts live by list, the run
/// computes no gap before its first step: then for those that will touch.
void forEachContact(const Simulation& simulation,
                    const std::function<void(BodyId, BodyId, double)>& f);

template <class F>
void MissedContacts::forEachOverlap(const Simulation& simulation, F&& f) {
  update(simulation);
  for (const NeighbourPair& pair : all_.contacts.pairs)
    for (const Candidate& c : all_.contacts.candidatesOf(pair))
      if (const double gap = gapOf(simulation, pair, c); gap < 0.0) f(pair, c, gap);
}

}  // namespace scree::sim
