// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contact_batch.hpp"

#include "contact/lanes.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace scree::sim {
namespace {

using Scene = ContactBatch::Scene;
using Lists = ContactBatch::Lists;
using Task = ContactBatch::Task;

/// Enough candidates for a batch; their tasks and parts fit the cache of a core.
constexpr std::size_t candidatesOfBatch = 1024;
/// Contacts side by side where lanesAreWide().
constexpr std::size_t wideLaneCount = SCREE_HAS_WIDE ? 8 : laneCount;

/// Calls f for each of n tasks.
template <std::size_t n, class F>
SCREE_INLINE Places<const double, n> places(const Task* t, F&& f) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) SCREE_INLINE_LAMBDA {
    return Places<const double, n>{f(t[k])...};
  }
  (std::make_index_sequence<n>());
}
SCREE_INLINE const double* vertex(const BodyPose& body, std::uint32_t k) {
  return body.shape->vertices[k].data();
}

// Numbers of a pose, from its first: position, turn by columns, velocity, spin, scale, radius.
static_assert(offsetof(BodyPose, vel) == 12 * sizeof(double) &&
              offsetof(BodyPose, spin) == 15 * sizeof(double) &&
              offsetof(BodyPose, radius) == 19 * sizeof(double));

/// Bodies where they stand, one a lane.
template <std::size_t n>
struct PoseLanes {
  using Number = LaneOf<n>;
  using Vector = Lane3Of<n>;
  Number all[20];
  SCREE_INLINE explicit PoseLanes(const Places<const double, n>& poses) {
    for (std::size_t k = 0; k < 20; k += 4) gatherFour(poses, k, all + k);
  }
  SCREE_INLINE Vector vel() const { return {all[12], all[13], all[14]}; }
  SCREE_INLINE Vector spin() const { return {all[15], all[16], all[17]}; }
  SCREE_INLINE const Number& scale() const { return all[18]; }
  SCREE_INLINE const Number& radius() const { return all[19]; }
  SCREE_INLINE Vector pos() const { return {all[0], all[1], all[2]}; }
  /// As BodyPose has it; Eigen sums the last row from its end.
  SCREE_INLINE Vector arm(const Vector& p) const {
    const Number* m = all + 3;
    return {(m[0] * p.x + m[3] * p.y) + m[6] * p.z, (m[1] * p.x + m[4] * p.y) + m[7] * p.z,
            m[2] * p.x + (m[5] * p.y + m[8] * p.z)};
  }
  SCREE_INLINE Vector inBody(const Vector& p) const {
    const Number* m = all + 3;
    return 1.0 / (scale() * scale()) *
           Vector((m[0] * p.x + m[1] * p.y) + m[2] * p.z, (m[3] * p.x + m[4] * p.y) + m[5] * p.z,
                  (m[6] * p.x + m[7] * p.y) + m[8] * p.z);
  }
};

/// Touches of n contacts, and which of them hold.
template <std::size_t n>
struct TouchLanes : TouchOf<LaneOf<n>, Lane3Of<n>> {
  MaskOf<n> holds;
};
template <std::size_t n>
SCREE_INLINE MaskOf<n> inside(const LaneOf<n>& x) {
  return (0.0 < x) & (x < 1.0);
}

/// Ends of the edges of i or j: those where they begin (0), or the others (1).
template <std::size_t n>
SCREE_INLINE Lane3Of<n> endOf(bool ofI, const Task* t, std::size_t which) {
  return gatherVector(places<n>(t, [&](const Task& c) {
    const BodyPose& body = ofI ? *c.i : *c.j;
    return vertex(body, body.shape->edges[ofI ? c.candidate->iSub : c.candidate->jSub][which]);
  }));
}

// The touch functions of contact/kinematics.hpp for n contacts. The numbers of a contact that
// does not hold have no meaning. `between`: centre of i minus that of j.

template <std::size_t n>
SCREE_INLINE void touchVertexEdge(const Task* t, const PoseLanes<n>& i, const PoseLanes<n>& j,
                                  const Lane3Of<n>& between, TouchLanes<n>& to) {
  const Lane3Of<n> p = i.arm(
      gatherVector(places<n>(t, [](const Task& c) { return vertex(*c.i, c.candidate->iSub); })));
  const Lane3Of<n> begin = j.arm(endOf<n>(false, t, 0)),
                   along = j.arm(endOf<n>(false, t, 1)) - begin;
  const EdgeFoot<LaneOf<n>, Lane3Of<n>> foot(p + between - begin, along);
  const LaneOf<n> radius = i.radius(), reach = radius + j.radius();
  const LaneOf<n> distance2 = foot.across.squaredNorm(), distance = squareRoot(distance2);
  to.dn = distance - reach;
  to.holds = inside(foot.lambda) & (distance2 < reach * reach) & (to.dn < 0.0);
  to.setRound(p, foot.across, distance, radius);
}

template <std::size_t n>
SCREE_INLINE void touchVertexFace(const Task* t, const PoseLanes<n>& i, const PoseLanes<n>& j,
                                  const Lane3Of<n>& between, TouchLanes<n>& to) {
  const auto face = [](const Task& c) -> const ShapeGeometry::Face& {
    return c.j->shape->faces[c.candidate->jSub];
  };
  const Lane3Of<n> p = i.arm(
      gatherVector(places<n>(t, [](const Task& c) { return vertex(*c.i, c.candidate->iSub); })));
  const Lane3Of<n> local = j.inBody(p + between);
  LaneOf<n> plane[4];
  gatherFour(places<n>(t, [&](const Task& c) { return face(c).normal.data(); }), 0, plane);
  const Lane3Of<n> normal{plane[0], plane[1], plane[2]};
  const LaneOf<n> height = normal.dot(local) - plane[3];
  to.dn = magnitude(height) * j.scale() - (i.radius() + j.radius());
  to.n = choose(height < 0.0, LaneOf<n>(-1.0), LaneOf<n>(1.0)) / j.scale() * j.arm(normal);
  to.setArm(p, i.radius());

  Places<const double, n> side =
      places<n>(t, [&](const Task& c) { return c.j->shape->sides[face(c).first].normal.data(); });
  std::array<std::uint32_t, n> count;
  std::uint32_t most = 0;
  for (std::size_t lane = 0; lane < n; ++lane) {
    count[lane] = face(t[lane]).count;
    most = std::max(most, count[lane]);
  }
  to.holds = to.dn < 0.0;
  for (std::uint32_t k = 1; k <= most; ++k) {
    gatherFour(side, 0, plane);
    to.holds = to.holds & (Lane3Of<n>(plane[0], plane[1], plane[2]).dot(local) - plane[3] < 0.0);
    for (std::size_t lane = 0; lane < n; ++lane)  // a face repeats its last side
      if (k < count[lane]) side[lane] += sizeof(ShapeGeometry::Side) / sizeof(double);
  }
}

template <std::size_t n>
SCREE_INLINE void touchEdgeEdge(const Task* t, const PoseLanes<n>& i, const PoseLanes<n>& j,
                                const Lane3Of<n>& between, TouchLanes<n>& to) {
  const Lane3Of<n> beginI = i.arm(endOf<n>(true, t, 0)),
                   alongI = i.arm(endOf<n>(true, t, 1)) - beginI;
  const Lane3Of<n> beginJ = j.arm(endOf<n>(false, t, 0)),
                   alongJ = j.arm(endOf<n>(false, t, 1)) - beginJ;
  const Lane3Of<n> w = beginI + between - beginJ;
  const EdgeFeet<LaneOf<n>, Lane3Of<n>> feet(w, alongI, alongJ);
  const Lane3Of<n> across = w + feet.s * alongI - feet.t * alongJ;
  const LaneOf<n> distance = across.norm(), radius = i.radius();
  to.dn = distance - (radius + j.radius());
  to.holds = (1e-12 * feet.c * feet.d < feet.determinant) & inside(feet.s) & inside(feet.t) &
             (to.dn < 0.0);
  to.setRound(beginI + feet.s * alongI, across, distance, radius);
}

template <Pairing pairing, std::size_t n>
SCREE_INLINE void evaluateSome(const Scene& scene, const Task* t, ContactState& none) {
  using Number = LaneOf<n>;
  using Vector = Lane3Of<n>;
  const PoseLanes<n> i(places<n>(t, [](const Task& c) { return c.i->pos.data(); }));
  const PoseLanes<n> j(places<n>(t, [](const Task& c) { return c.j->pos.data(); }));
  const Number sign = eachLane<n>([&](std::size_t k) SCREE_INLINE_LAMBDA { return t[k].sign; });
  const auto swapped = sign < 0.0;
  // x - y, or y - x where i is the second body of the pair.
  const auto inOrder = [&](const Vector& x, const Vector& y)
                           SCREE_INLINE_LAMBDA { return choose(swapped, y - x, x - y); };
  const Vector branch = inOrder(i.pos(), j.pos()), between = sign * branch;
  TouchLanes<n> touch;
  if constexpr (pairing == Pairing::vertexEdge) touchVertexEdge<n>(t, i, j, between, touch);
  if constexpr (pairing == Pairing::vertexFace) touchVertexFace<n>(t, i, j, between, touch);
  if constexpr (pairing == Pairing::edgeEdge) touchEdgeEdge<n>(t, i, j, between, touch);

  // How b moves relative to a, and j relative to i.
  const Vector armB = choose(swapped, touch.arm, touch.arm + branch);
  const Vector spinA = choose(swapped, j.spin(), i.spin()), spin = inOrder(j.spin(), i.spin());
  const Vector vel = (inOrder(j.vel(), i.vel()) + spinA.cross(branch)) + spin.cross(armB);

  // The last four numbers of a pair: damp is the third.
  static_assert(offsetof(NeighbourPair, damp) + 2 * sizeof(double) == sizeof(NeighbourPair) &&
                sizeof(DefaultLaw::Params) == 6 * sizeof(double));
  Number law[8], memory[8], pair[4];
  const auto parameters =
      places<n>(t, [&](const Task& c) { return &scene.parameters[c.pair->parameters].kn; });
  const auto states = places<n>(t, [](const Task& c) { return &c.state->dn; });
  gatherFour(parameters, 0, law);
  gatherFour(parameters, 2, law + 4);
  gatherFour(places<n>(t, [](const Task& c) { return &c.pair->slack - 3; }), 0, pair);
  gatherFour(states, 0, memory);
  gatherFour(states, 4, memory + 4);
  const DefaultLaw::ParamsOf<Number> p{law[0], law[1], law[2], law[3], law[6], 0.0};
  const ContactForceOf<Number, Vector> last{
      memory[1], {memory[2], memory[3], memory[4]}, {memory[5], memory[6], memory[7]}};
  ContactKinematicsOf<Number, Vector> k;
  k.dn = touch.dn;
  k.dnBefore = memory[0];
  k.n = touch.n;
  k.vel = k.slip = sign * vel;
  k.spin = sign * spin;
  k.damp = pair[2];
  const ContactForceOf<Number, Vector> f = DefaultLaw::force(k, p, last, scene.dt);
  ContactPowerOf<Number> power;
  power.touch(k, DefaultLaw::springs(p, 0.0), 1.0, 1.0, last, f, scene.dt);

  const Vector force = sign * (f.fn * k.n + f.ft);
  const Vector moment = -(armB.cross(force) + sign * f.mom);
  Places<double, n> to;
  for (std::size_t lane = 0; lane < n; ++lane) to[lane] = t[lane].part->force.data();
  scatterFour(force.x, force.y, force.z, power.normal, to, 0);
  scatterFour(moment.x, moment.y, moment.z, power.tangential, to, 4);
  scatterFour(power.rolling, power.lost, power.switched,
              choose(touch.holds, k.dnBefore, Number(ContactPart::apart)), to, 8);
  const unsigned holds = bitsOf(touch.holds);
  for (std::size_t lane = 0; lane < n; ++lane)
    to[lane] = &(holds >> lane & 1 ? *t[lane].state : none).dn;
  scatterFour(k.dn, f.fn, f.ft.x, f.ft.y, to, 0);
  scatterFour(f.ft.z, f.mom.x, f.mom.y, f.mom.z, to, 4);
}

template <Pairing pairing, std::size_t n>
SCREE_INLINE void evaluateAll(const Scene& scene, Lists& lists, Ahead& ahead) {
  constexpr auto list = static_cast<std::size_t>(pairing);
  Task *task = &lists.tasks[list * lists.room], *end = lists.ends[list];
  if (task == end) return;
  ContactPart spare;
  ContactState none;
  for (; (end - task) % n != 0; ++end) {  // lanes that are left over do it once more
    *end = end[-1];
    end->part = &spare;
    end->state = &(none = ContactState());
  }
  for (; task != end; task += n) {
    for (std::size_t k = 0; k < n; k += laneCount) ahead.fetch();
    evaluateSome<pairing, n>(scene, task, none);
  }
}

template <std::size_t n>
SCREE_INLINE void evaluateAllLists(const Scene& scene, Lists& lists, Ahead& ahead) {
  evaluateAll<Pairing::vertexEdge, n>(scene, lists, ahead);
  evaluateAll<Pairing::vertexFace, n>(scene, lists, ahead);
  evaluateAll<Pairing::edgeEdge, n>(scene, lists, ahead);
}
SCREE_IN_LANES void evaluateLists(const Scene& scene, Lists& lists, Ahead& ahead) {
  evaluateAllLists<laneCount>(scene, lists, ahead);
}
SCREE_IN_WIDE_LANES void evaluateWide(const Scene& scene, Lists& lists, Ahead& ahead) {
  evaluateAllLists<wideLaneCount>(scene, lists, ahead);
}

}  // namespace

bool ContactBatch::pays(std::span<const BodyPose> freeBodies) {
  const auto isBall = [](const BodyPose& p) { return p.shape->ball; };
  return lanesAreRegisters() && !std::ranges::all_of(freeBodies, isBall);
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
  (lanesAreWide() ? evaluateWide : evaluateLists)(scene, lists_, ahead_);
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
  if (lists_.room < candidates_ + wideLaneCount) {
    lists_.room = 2 * candidates_ + wideLaneCount;
    due_.resize(lists_.room);
    parts_.resize(lists_.room);
    begun_.resize(lists_.room);
    lists_.tasks.resize(lists_.ends.size() * lists_.room);
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

  auto ends = lists_.ends;  // not a member, so that stores to tasks leave it alone
  for (std::size_t l = 0; l < lists_.ends.size(); ++l) ends[l] = &lists_.tasks[l * lists_.room];
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
    *ends[inLanes ? static_cast<std::size_t>(c.pairing) : 0]++ = {
        &i, &j, &c, &pair, state, &parts_[k], 1.0 - 2.0 * c.swapped};
  }
  lists_.ends = ends;
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
  for (std::size_t l = 1; l < lists_.ends.size(); ++l)
    fours += (static_cast<std::size_t>(lists_.ends[l] - &lists_.tasks[l * lists_.room]) +
              laneCount - 1) /
             laneCount;
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
