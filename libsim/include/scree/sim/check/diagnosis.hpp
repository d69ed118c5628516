// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/sim/measure/domain.hpp"
#include "scree/sim/simulation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scree::sim {

// Checks of a state: by `rockable --check` before a run, by the run monitor during it.

/// Size of a body: the diameter of the ball about its centre that holds it, rounding included. [L]
double bodySize(const Bodies& bodies, const std::vector<shape::Shape>& shapes, std::size_t k);

/// Deeper overlaps, over the size of the smaller body that moves, ask for stiffer contacts.
constexpr double deepOverlap = 0.01;

/// "bodies 3 and 4", or "body 3 and a boundary" where both numbers are the same.
std::string pairName(BodyId i, BodyId j);

/// The touching contacts of a state, those with round boundaries included.
struct Overlaps {
  std::size_t contacts = 0;
  std::size_t deep = 0;     ///< beyond `deepOverlap`
  double worst = 0.0;       ///< [-] deepest overlap over size
  double worstDepth = 0.0;  ///< [L] of that contact
  BodyId i = 0, j = 0;      ///< its bodies; the same twice for one and a boundary
};
Overlaps overlapsOf(const Simulation& simulation);

/// Pairs of bodies that passed into each other, or were placed so.
struct Crossings {
  std::size_t pairs = 0;
  BodyId i = 0, j = 0;  ///< the first of them, with its numbers in the file
};

/// Corners of all shapes, and planes of those that are convex solids; computed once a simulation.
class ConvexCores {
 public:
  explicit ConvexCores(const std::vector<shape::Shape>& shapes);

  /// Near bodies of which a corner of the skeleton of one is inside the skeleton of the other, a
  /// convex solid. Shapes of many hundred corners are left out. O(corners × faces) a near pair.
  Crossings crossings(const Simulation& simulation) const;

 private:
  struct Solid {
    std::vector<Vec3> corners;
    std::vector<HalfSpace> planes;  ///< none: not a convex solid
    double size = 0.0;              ///< [L] farthest corner from the origin
  };
  /// [L] Distance of the farthest corner of a body from its centre.
  double size(const Bodies& bodies, BodyId k) const {
    return bodies.homothety[k] * solids_[bodies.shape[k]].size;
  }
  /// [L] Depth of a corner in body k up to which it counts as outside.
  double slackOf(const Bodies& bodies, BodyId k) const { return 1e-9 * size(bodies, k); }
  /// Whether all corners of `of` are beyond a face of the solid of `in`: the one that its centre is
  /// farthest beyond. @param branch  [L] centre of `of` minus that of the nearest image of `in`
  bool faceParts(const Bodies& bodies, BodyId of, BodyId in, const Vec3& branch) const;
  /// Whether a corner of `of` is inside the solid of `in`. @param branch  as for faceParts()
  bool hasCornerIn(const Bodies& bodies, BodyId of, BodyId in, const Vec3& branch) const;

  std::vector<Solid> solids_;
  bool anySolid_ = false;
};

/// Half period of the stiffest contact that is possible: π √(m/kn) for a linear spring (see
/// ContactKernel::contactTime). It is the least over all pairs of groups, with the least mass and
/// the largest rounding of each. Driven bodies count as infinitely heavy. A time step should be a
/// small share of it; velocity Verlet is unstable beyond 2/π of it. [T], infinite where nothing can
/// touch. What several contacts at once add in stiffness is not counted: see criticalStep. Of a
/// `Tempo` the present value counts.
double shortestContactTime(const Simulation& simulation);

/// Steps in the shortest contact below which bounces gain or lose energy. The residual of the
/// energy of a bouncing ball was 22 % with 8 steps, and 0.9 % with 12.
constexpr double leastStepsPerContact = 10.0;

/// The time step up to which velocity Verlet is stable while the present contacts and bonds last:
/// the least of two estimates.
struct CriticalStep {
  double dt = 0.0;  ///< [T], infinite where nothing can touch
  /// Number in the file of the body whose contacts at the present state give it, all together.
  /// None: that of one contact of two bodies, 2/π of the shortest contact time.
  std::optional<BodyId> body = {};
  std::uint32_t contacts = 0;  ///< of that body
};
/// For each free body the step where dt² K + 2 dt C reaches 4 M; without viscosity that is 2/ω.
/// K sums up kn n nᵀ + kt (1 - n nᵀ) and the rolling stiffness of its contacts with bodies, moved
/// to its centre, C their viscosity along n. A contact with a free body of mass M' counts 1 + M/M'
/// times, so that no motion of the neighbours is stiffer: the step is a lower bound, exact for two
/// bodies and for lattices. kt counts with friction alone. Of Avalanche kn is the stiffness in
/// unloading. Contacts overlap, or are apart by 1e-9 of a size at most. Bonded bodies count twice:
/// on their bonds, and on the contacts that they have once these are broken, each with its whole
/// stiffness. O(near pairs); the same bits for any number of threads.
CriticalStep criticalStep(const Simulation& simulation);

/// Finds before the first step what will go wrong with a run. Each finding is one warning.
/// - A restitution `en2...` outside 0 to 1, of a pair of groups or of a `Tempo`. This one throws,
///   unless the run departs from correct physics where Rockable does.
/// - Pairs of groups that can meet and have no `muContact`: their friction is 0.
/// - Parameters without effect, a tmax before the present time.
/// - A time step beyond the critical one, or fewer than `leastStepsPerContact` in the shortest
///   contact.
/// - Overlaps deeper than 1 % of a size, bodies that pass through each other, and bodies that fall
///   without end. These are checked at the start of a run, not where a run continues.
/// @param begins  the state is the first one of a run
/// @throws ParseError as above, and for each warning where `diagnostics` is strict
/// @returns the critical step
CriticalStep checkStart(const Simulation& simulation, bool begins, Diagnostics& diagnostics);

/// Pairs of bodies whose skeletons pass through each other: an edge of one goes through a face of
/// the other. Contacts cannot separate such bodies, and may find no overlap at all.
///
/// An edge that meets the rim of a face does not count. Both ends of the edge must be off the plane
/// of the face by a millionth of the size of the smaller body. So bodies that only touch do not
/// count, and nor do pairs of driven bodies. None in a periodic cell.
/// O(n log n) for n bodies. A near pair of k and m faces costs O(k log m), with the smaller k.
Crossings straddlesOf(const Simulation& simulation);

/// Numbers in the file of free bodies that nothing can stop on their fall along gravity: they touch
/// nothing, have left the box around all that is driven (see hasLeft), and do not move back to it.
/// All that touch nothing, where nothing is driven. Empty where gravity is 0, and where a boundary
/// that is not upright, bonds, joints, a cell or a body force may hold bodies.
std::vector<BodyId> endlessFalls(const Simulation& simulation);

/// A parameter that changes no force: another is 0, the law does not use it, or nothing needs it.
struct IdleParameter {
  std::string row;      ///< its first line in the conf-file, as `Conf::places` names it
  std::string message;  ///< "murContact has no effect for groups 0-1: krContact is 0"
};
/// Parameters of contacts above 0 that switch nothing, in the order of their keywords. A tangential
/// stiffness of groups whose friction is 0 is no such parameter.
std::vector<IdleParameter> idleParameters(const Conf& conf);

}  // namespace scree::sim
