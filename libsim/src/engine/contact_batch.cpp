// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contact_batch.hpp"

#include "contact/lanes.hpp"

#include <algorithm>
#include <cstddef>

namespace scree::sim {
namespace {

/// Enough candidates for a batch; their tasks and parts fit the cache of a core.
constexpr std::size_t candidatesOfBatch = 512;

/// Number of the list of a task. Tasks of one list are evaluated side by side, except those of
/// vertices at vertices.
constexpr std::size_t listOf(Pairing pairing, bool swapped) {
  return 2 * static_cast<std::size_t>(pairing) + swapped;
}

/// Calls f for each of four tasks.
template <class Task, class F>
[[gnu::always_inline]] inline Places<const double> places(const Task* t, F&& f) {
  return {f(t[0]), f(t[1]), f(t[2]), f(t[3])};
}
[[gnu::always_inline]] inline const double* vertex(const BodyPose& body, std::uint32_t k) {
  return body.shape->vertices[k].data();
}

// Numbers of a pose, from its first: position, turn by columns, velocity, spin, scale, radius.
constexpr std::size_t numberOfVel = 12, numberOfSpin = 15, numberOfScale = 18, numberOfRadius = 19;
static_assert(offsetof(BodyPose, vel) == numberOfVel * sizeof(double) &&
              offsetof(BodyPose, spin) == numberOfSpin * sizeof(double) &&
              offsetof(BodyPose, radius) == numberOfRadius * sizeof(double));

/// Where a body stands, one a lane.
struct PlaceLanes {
  Lane all[12];
  [[gnu::always_inline]] explicit PlaceLanes(const Places<const double>& poses) {
    gatherFour(poses, 0, all);
    gatherFour(poses, 4, all + 4);
    gatherFour(poses, 8, all + 8);
  }
  [[gnu::always_inline]] Lane3 pos() const { return {all[0], all[1], all[2]}; }
  /// As BodyPose has it; Eigen sums the last row from its end.
  [[gnu::always_inline]] Lane3 arm(const Lane3& p) const {
    const Lane* m = all + 3;
    return {(m[0] * p.x + m[3] * p.y) + m[6] * p.z, (m[1] * p.x + m[4] * p.y) + m[7] * p.z,
            m[2] * p.x + (m[5] * p.y + m[8] * p.z)};
  }
  [[gnu::always_inline]] Lane3 inBody(const Lane3& p, const Lane& scale) const {
    const Lane* m = all + 3;
    return 1.0 / (scale * scale) *
           Lane3((m[0] * p.x + m[1] * p.y) + m[2] * p.z, (m[3] * p.x + m[4] * p.y) + m[5] * p.z,
                 (m[6] * p.x + m[7] * p.y) + m[8] * p.z);
  }
};

/// Contacts in lanes, and what their motion needs.
struct TouchLanes : TouchOf<Lane, Lane3> {
  Lane3 branch;  ///< [L] centre of a minus that of b
  Lane::Mask holds;

  /// @returns centre of i minus that of j
  template <bool swapped>
  [[gnu::always_inline]] Lane3 between(const Lane3& i, const Lane3& j) {
    branch = swapped ? j - i : i - j;
    return swapped ? -branch : branch;
  }
};
[[gnu::always_inline]] inline Lane::Mask inside(const Lane& x) { return (0.0 < x) & (x < 1.0); }

// The touch functions of contact/kinematics.hpp for four contacts. The numbers of a contact that
// does not hold have no meaning. `i` and `j`: poses.

template <bool swapped, class Task>
[[gnu::always_inline]] inline void touchVertexEdge(const Task* t, const Places<const double>& i,
                                                   const Places<const double>& j, TouchLanes& to) {
  const auto end = [&](std::size_t which) {
    return gatherVector(places(t, [&](const Task& c) {
      return vertex(*c.j, c.j->shape->edges[c.candidate->jSub][which]);
    }));
  };
  const PlaceLanes placeI(i);
  const Lane3 p = placeI.arm(
      gatherVector(places(t, [](const Task& c) { return vertex(*c.i, c.candidate->iSub); })));
  const PlaceLanes placeJ(j);
  const Lane3 branch = to.between<swapped>(placeI.pos(), placeJ.pos());
  const Lane3 begin = placeJ.arm(end(0)), along = placeJ.arm(end(1)) - begin;
  const EdgeFoot<Lane, Lane3> foot(p + branch - begin, along);
  const Lane radius = gather(i, numberOfRadius), reach = radius + gather(j, numberOfRadius);
  const Lane distance2 = foot.across.squaredNorm(), distance = squareRoot(distance2);
  to.dn = distance - reach;
  to.holds = inside(foot.lambda) & (distance2 < reach * reach) & (to.dn < 0.0);
  to.setRound(p, foot.across, distance, radius);
}

template <bool swapped, class Task>
[[gnu::always_inline]] inline void touchVertexFace(const Task* t, const Places<const double>& i,
                                                   const Places<const double>& j, TouchLanes& to) {
  const auto face = [](const Task& c) -> const ShapeGeometry::Face& {
    return c.j->shape->faces[c.candidate->jSub];
  };
  const PlaceLanes placeI(i);
  const Lane3 p = placeI.arm(
      gatherVector(places(t, [](const Task& c) { return vertex(*c.i, c.candidate->iSub); })));
  const PlaceLanes placeJ(j);
  const Lane3 branch = to.between<swapped>(placeI.pos(), placeJ.pos());
  const Lane scale = gather(j, numberOfScale), radius = gather(i, numberOfRadius);
  const Lane3 local = placeJ.inBody(p + branch, scale);
  Lane plane[4];
  gatherFour(places(t, [&](const Task& c) { return face(c).normal.data(); }), 0, plane);
  const Lane3 normal{plane[0], plane[1], plane[2]};
  const Lane height = normal.dot(local) - plane[3];
  to.dn = magnitude(height) * scale - (radius + gather(j, numberOfRadius));
  to.n = choose(height < 0.0, Lane(-1.0), Lane(1.0)) / scale * placeJ.arm(normal);
  to.setArm(p, radius);

  Places<const double> side =
      places(t, [&](const Task& c) { return c.j->shape->sides[face(c).first].normal.data(); });
  std::array<std::uint32_t, laneCount> count;
  for (std::size_t lane = 0; lane < laneCount; ++lane) count[lane] = face(t[lane]).count;
  to.holds = to.dn < 0.0;
  for (std::uint32_t k = 1; k <= std::max({count[0], count[1], count[2], count[3]}); ++k) {
    gatherFour(side, 0, plane);
    to.holds = to.holds & (Lane3(plane[0], plane[1], plane[2]).dot(local) - plane[3] < 0.0);
    for (std::size_t lane = 0; lane < laneCount; ++lane)  // a face repeats its last side
      if (k < count[lane]) side[lane] += sizeof(ShapeGeometry::Side) / sizeof(double);
  }
}

template <bool swapped, class Task>
[[gnu::always_inline]] inline void touchEdgeEdge(const Task* t, const Places<const double>& i,
                                                 const Places<const double>& j, TouchLanes& to) {
  const auto endI = [&](std::size_t which) {
    return gatherVector(places(t, [&](const Task& c) {
      return vertex(*c.i, c.i->shape->edges[c.candidate->iSub][which]);
    }));
  };
  const auto endJ = [&](std::size_t which) {
    return gatherVector(places(t, [&](const Task& c) {
      return vertex(*c.j, c.j->shape->edges[c.candidate->jSub][which]);
    }));
  };
  const PlaceLanes placeI(i);
  const Lane3 beginI = placeI.arm(endI(0)), alongI = placeI.arm(endI(1)) - beginI;
  const PlaceLanes placeJ(j);
  const Lane3 beginJ = placeJ.arm(endJ(0)), alongJ = placeJ.arm(endJ(1)) - beginJ;
  const Lane3 w = beginI + to.between<swapped>(placeI.pos(), placeJ.pos()) - beginJ;
  const EdgeFeet<Lane, Lane3> feet(w, alongI, alongJ);
  const Lane3 across = w + feet.s * alongI - feet.t * alongJ;
  const Lane distance = across.norm(), radius = gather(i, numberOfRadius);
  to.dn = distance - (radius + gather(j, numberOfRadius));
  to.holds = (1e-12 * feet.c * feet.d < feet.determinant) & inside(feet.s) & inside(feet.t) &
             (to.dn < 0.0);
  to.setRound(beginI + feet.s * alongI, across, distance, radius);
}

}  // namespace

bool ContactBatch::pays(std::span<const BodyPose> freeBodies) {
  const auto isBall = [](const BodyPose& p) { return p.shape->ball; };
  return lanesAreRegisters() && !std::ranges::all_of(freeBodies, isBall);
}

template <Pairing pairing, bool swapped>
[[gnu::always_inline]] inline void ContactBatch::evaluateFour(const Scene& scene, const Task* t,
                                                              ContactState& none) {
  const auto i = places(t, [](const Task& c) { return c.i->pos.data(); });
  const auto j = places(t, [](const Task& c) { return c.j->pos.data(); });
  TouchLanes touch;
  if constexpr (pairing == Pairing::vertexEdge) touchVertexEdge<swapped>(t, i, j, touch);
  if constexpr (pairing == Pairing::vertexFace) touchVertexFace<swapped>(t, i, j, touch);
  if constexpr (pairing == Pairing::edgeEdge) touchEdgeEdge<swapped>(t, i, j, touch);

  // How b moves relative to a, and j relative to i.
  const Lane3 armB = swapped ? touch.arm : touch.arm + touch.branch;
  const auto velAndSpin = [](const Places<const double>& poses, Lane3& vel, Lane3& spin) {
    gatherTwo(poses, numberOfVel, vel.x, vel.y);
    gatherTwo(poses, numberOfVel + 2, vel.z, spin.x);
    gatherTwo(poses, numberOfSpin + 1, spin.y, spin.z);
  };
  Lane3 velA, spinA, velB, spinB;
  velAndSpin(swapped ? j : i, velA, spinA);
  velAndSpin(swapped ? i : j, velB, spinB);
  const Lane3 spin = spinB - spinA;
  const Lane3 vel = (velB - velA + spinA.cross(touch.branch)) + spin.cross(armB);

  Lane law[4], memory[8];
  const auto parameters =
      places(t, [&](const Task& c) { return &scene.parameters[c.pair->parameters].kn; });
  const auto states = places(t, [](const Task& c) { return &c.state->dn; });
  gatherFour(parameters, 0, law);
  gatherFour(states, 0, memory);
  gatherFour(states, 4, memory + 4);
  const DefaultLaw::ParamsOf<Lane> p{law[0], law[1], law[2], law[3], gather(parameters, 4), 0.0};
  const ContactForceOf<Lane, Lane3> last{
      memory[1], {memory[2], memory[3], memory[4]}, {memory[5], memory[6], memory[7]}};
  ContactKinematicsOf<Lane, Lane3> k;
  k.dn = touch.dn;
  k.dnBefore = memory[0];
  k.n = touch.n;
  k.vel = k.slip = swapped ? -vel : vel;
  k.spin = swapped ? -spin : spin;
  k.damp = gather(places(t, [](const Task& c) { return &c.pair->damp; }), 0);
  const ContactForceOf<Lane, Lane3> f = DefaultLaw::force(k, p, last, scene.dt);
  ContactPowerOf<Lane> power;
  power.touch(k, DefaultLaw::springs(p, 0.0), 1.0, 1.0, last, f, scene.dt);

  const Lane3 onI = f.fn * k.n + f.ft, force = swapped ? -onI : onI;
  const Lane3 moment = -(armB.cross(force) + (swapped ? -f.mom : f.mom));
  Places<double> to;
  for (std::size_t lane = 0; lane < laneCount; ++lane) to[lane] = t[lane].part->force.data();
  scatterFour(force.x, force.y, force.z, power.normal, to, 0);
  scatterFour(moment.x, moment.y, moment.z, power.tangential, to, 4);
  scatterFour(power.rolling, power.lost, power.switched,
              choose(touch.holds, k.dnBefore, Lane(ContactPart::apart)), to, 8);
  const unsigned holds = bitsOf(touch.holds);
  for (std::size_t lane = 0; lane < laneCount; ++lane)
    to[lane] = &(holds >> lane & 1 ? *t[lane].state : none).dn;
  scatterFour(k.dn, f.fn, f.ft.x, f.ft.y, to, 0);
  scatterFour(f.ft.z, f.mom.x, f.mom.y, f.mom.z, to, 4);
}

template <Pairing pairing, bool swapped>
[[gnu::always_inline]] inline void ContactBatch::evaluateAll(const Scene& scene) {
  const std::size_t list = listOf(pairing, swapped);
  Task *task = &tasks_[list * room_], *end = ends_[list];
  if (task == end) return;
  ContactPart spare;
  ContactState none;
  for (; (end - task) % laneCount != 0; ++end) {  // lanes that are left over do it once more
    *end = end[-1];
    end->part = &spare;
    end->state = &(none = ContactState());
  }
  for (; task != end; task += laneCount) {
    ahead_.fetch();
    evaluateFour<pairing, swapped>(scene, task, none);
  }
}

SCREE_IN_LANES void ContactBatch::evaluateLists(const Scene& scene) {
  evaluateAll<Pairing::vertexEdge, false>(scene);
  evaluateAll<Pairing::vertexEdge, true>(scene);
  evaluateAll<Pairing::vertexFace, false>(scene);
  evaluateAll<Pairing::vertexFace, true>(scene);
  evaluateAll<Pairing::edgeEdge, false>(scene);
}

std::size_t ContactBatch::evaluate(const Scene& scene, std::size_t top, std::size_t least,
                                   FunctionRef<void(std::uint32_t)> renew) {
  count_ = candidates_ = nextCut_ = 0;
  cuts_.assign(1, 0);
  std::size_t low = top;
  do {
    const std::size_t end = low;
    low = std::max((low - 1) / bodyBlock * bodyBlock, least);
    find(scene, low, end, renew);
  } while (low > least && candidates_ < candidatesOfBatch);
  list(scene);
  lookAhead(scene, std::max(scene.begin, low - std::min(low, top - low)), low);
  evaluateLists(scene);
  sumPairs(scene);
  return low;
}

/// Adds those pairs of the bodies from `low` to `top` that are due.
void ContactBatch::find(const Scene& scene, std::size_t low, std::size_t top,
                        FunctionRef<void(std::uint32_t)> renew) {
  const Contacts& contacts = scene.contacts;
  const double* const moved = scene.bodies.displacement.data();
  const std::size_t most = count_ + contacts.firstStart[top] - contacts.firstStart[low] +
                           contacts.secondStart[top] - contacts.secondStart[low] + 1;
  if (pairs_.size() < most) pairs_.resize(2 * most);
  const bool far = contacts.pairs.size() > pairsOfCaches;
  std::size_t count = count_, candidates = candidates_;
  const auto look = [&](std::uint32_t r) {
    const NeighbourPair& pair = contacts.pairs[r];
    const double displacement = moved[pair.a] + moved[pair.b];
    if (pair.expires <= displacement && pair.skipUntil <= displacement) renew(r);
    const bool due = !(pair.skipUntil > displacement);
    pairs_[count].number = r;
    count += due;
    candidates += due ? pair.count : 0;
    if (far || pair.b >= scene.end) prefetch(&scene.poses[pair.b], sizeof(BodyPose));
  };
  contacts.forDrivenPairs(low, top, look);
  cuts_.push_back(count);
  for (std::uint32_t r = contacts.firstStart[top]; r-- > contacts.firstStart[low];) look(r);
  cuts_.push_back(count);
  count_ = count;
  candidates_ = candidates;
}

/// Lists the candidates that are due, sorts them by pairing, and sorts pairs by how many of them
/// they have.
void ContactBatch::list(const Scene& scene) {
  Contacts& contacts = scene.contacts;
  if (room_ < candidates_ + laneCount) {
    room_ = 2 * candidates_ + laneCount;
    due_.resize(room_);
    parts_.resize(room_);
    begun_.resize(room_);
    tasks_.resize(lists * room_);
  }
  if (sums_.size() < pairs_.size()) {
    sums_.resize(pairs_.size());
    byCount_.resize(countLists * pairs_.size());
  }
  for (std::size_t m = 0; m < countLists; ++m) countEnds_[m] = &byCount_[m * sums_.size()];
  std::size_t count = 0;
  for (std::uint32_t n = 0; n < count_; ++n) {
    DuePair& due = pairs_[n];
    const NeighbourPair& pair = contacts.pairs[due.number];
    const BodyPose &a = scene.poses[pair.a], &b = scene.poses[pair.b];
    const bool beside = contacts.shifts.empty() || contacts.shifts[due.number].isZero();
    const std::size_t first = count;
    due.count = alone;
    if (beside && pair.planes == NeighbourPair::noPlanes && !(a.shape->ball && b.shape->ball)) {
      const double displacement =
          scene.bodies.displacement[pair.a] + scene.bodies.displacement[pair.b];
      for (const Candidate& c : contacts.candidatesOf(pair)) {
        due_[count] = {&c, &pair};
        count += !(c.skipUntil > displacement);
      }
      due.first = static_cast<std::uint32_t>(first);
      due.count = static_cast<std::uint32_t>(count - first);
    }
    *countEnds_[std::min(count - first, countLists - 1)]++ = n;
  }

  std::array<Task*, lists> ends;  // not a member, so that stores to tasks leave it alone
  for (std::size_t l = 0; l < lists; ++l) ends[l] = &tasks_[l * room_];
  for (std::size_t k = 0; k < count; ++k) {
    const Candidate& c = *due_[k].candidate;
    const NeighbourPair& pair = *due_[k].pair;
    parts_[k].before = ContactPart::apart;
    ContactState* state = &begun_[k];
    if (c.touching())
      state = &contacts.poolOf(pair).states[c.stateAt()];
    else
      *state = ContactState();
    const BodyId flip = (pair.a ^ pair.b) & (BodyId{0} - c.swapped);  // no branch
    const BodyPose &i = scene.poses[pair.a ^ flip], &j = scene.poses[pair.b ^ flip];
    const bool inLanes =
        j.shape->plainFaces || c.pairing != Pairing::vertexFace || j.shape->faces[c.jSub].plain();
    *ends[inLanes ? listOf(c.pairing, c.swapped) : 0]++ = {&i, &j, &c, &pair, state, &parts_[k]};
  }
  ends_ = ends;
}

/// Chooses the memory to fetch for the next bodies while contacts are evaluated.
void ContactBatch::lookAhead(const Scene& scene, std::size_t begin, std::size_t end) {
  const Contacts& contacts = scene.contacts;
  ahead_.clear();
  if (begin == end || contacts.pairs.size() <= pairsOfCore) return;
  const bool all = contacts.pairs.size() > pairsOfCaches;  // else only states come too late
  if (all) {
    ahead_.add(contacts.pairs.data() + contacts.firstStart[begin],
               contacts.firstStart[end] - contacts.firstStart[begin]);
    ahead_.add(contacts.secondPairs.data() + contacts.secondStart[begin],
               contacts.secondStart[end] - contacts.secondStart[begin]);
    ahead_.add(&scene.poses[begin], end - begin);
    ahead_.add(&scene.bodies.displacement[begin], end - begin);
    ahead_.add(&scene.bodies.force[begin], end - begin);
    ahead_.add(&scene.bodies.moment[begin], end - begin);
  }
  for (std::size_t block = (end - 1) / bodyBlock + 1; block-- > begin / bodyBlock;) {
    const PairPool& pool = contacts.pools[block];
    if (all) ahead_.add(pool.candidates.data(), pool.candidates.size());
    ahead_.add(pool.states.data(), pool.states.size());
  }
  std::size_t fours = 0;
  for (std::size_t l = 2; l < lists; ++l)
    fours += (static_cast<std::size_t>(ends_[l] - &tasks_[l * room_]) + laneCount - 1) / laneCount;
  ahead_.setPace(fours);
}

/// Sums up the parts of each pair. All pairs of a list have as many, but the last one, so that the
/// loop ends where the processor guesses.
SCREE_IN_LANES void ContactBatch::sumPairs(const Scene& scene) {
  for (const std::uint32_t* n = byCount_.data(); n != countEnds_[0]; ++n) sums_[*n].looked = 0;
  for (std::size_t m = 1; m < countLists; ++m)
    for (const std::uint32_t* n = &byCount_[m * sums_.size()]; n != countEnds_[m]; ++n) {
      const DuePair& due = pairs_[*n];
      Lane force = 0.0, moment = 0.0, rest = 0.0;
      bool goOn = true;
      for (const ContactPart& part : std::span(parts(due), due.count)) {
        force += loaded<laneCount>(part.force.data());
        moment += loaded<laneCount>(part.moment.data());
        rest += loaded<laneCount>(&part.rolling);
        goOn &= part.before < 0.0;
      }
      PairForce& sum = sums_[*n];
      sum.looked = goOn ? due.count : 0;
      sum.force = {force[0], force[1], force[2]};
      sum.momentB = {moment[0], moment[1], moment[2]};
      sum.power = {force[3], moment[3], rest[0], rest[1], rest[2]};
      const NeighbourPair& pair = scene.contacts.pairs[due.number];
      sum.finish(scene.poses[pair.a].pos - scene.poses[pair.b].pos);
    }
}

}  // namespace scree::sim
