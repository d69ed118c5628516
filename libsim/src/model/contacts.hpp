// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/parallel.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/conf.hpp"

#include <boost/align/aligned_allocator.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace scree::sim {

/// Vector for elements of the size of a cache line, none of which lies on two lines. An aligned
/// element type would cost each function that has one on its stack a register.
template <class T>
using LineVector = std::vector<T, boost::alignment::aligned_allocator<T, cacheLine>>;

/// The candidates of a many-contact pair, such as that of a boulder on a terrain. They are sorted
/// by the plane of the face of one body that excludes most of the other's vertices and edges. Made
/// with the list of the pair; `ManyContactPair` uses it once a step.
struct PairPlanes {
  /// Candidates excluded by the plane of a face of one body. They cannot touch while the ends of
  /// the other body's sub-element lie more than the radii off it. The face is that of the
  /// candidate, or one that has the edge of the candidate as a side.
  struct Group {
    std::uint32_t face;
    bool ofB;                    ///< it is one of b
    std::uint32_t ends;          ///< 1: vertices, 2: edges
    std::uint32_t first, count;  ///< in the arrays below
  };
  std::vector<Group> groups;
  std::vector<std::uint32_t> place;  ///< of each in its pair
  /// First and second ends [L], body frame at homothety 1; vertices have none of the second.
  std::array<std::vector<float>, 3> begin, end;

  std::vector<std::uint32_t> others;  ///< Places of those that are in no group.
  /// Places of all that touched at the last evaluation, and maybe of some that have ended.
  std::vector<std::uint32_t> touched;
};

/// Two sub-elements of a pair of bodies that may touch before their list is rebuilt. Lists hold
/// several times as many as touch, so it is kept small.
struct Candidate {
  std::uint32_t iSub = 0;
  std::uint32_t jSub : 29 = 0;  ///< below mostSubElements
  Pairing pairing : 2 = Pairing::vertexVertex;
  bool swapped : 1 = false;  ///< i is the second body of the pair
  /// Not evaluated until the accumulated displacements of both bodies sum up to this. Below 0:
  /// touches, and its last 32 bits are the place of its state.
  double skipUntil = 0.0;

  Candidate() = default;
  Candidate(std::uint32_t i, std::uint32_t j, Pairing p, bool s, double w = 0.0)
      : iSub(i), jSub(j & (mostSubElements - 1)), pairing(p), swapped(s), skipUntil(w) {}

  bool touching() const { return skipUntil < 0.0; }
  std::uint32_t stateAt() const {  ///< means nothing unless touching()
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(skipUntil));
  }
  void setStateAt(std::uint32_t place) {
    skipUntil = std::bit_cast<double>(std::bit_cast<std::uint64_t>(-1.0) | place);
  }

  /// Order of the candidates of a pair: that of the conf-file.
  auto order() const {
    return std::tuple(bool(swapped), Pairing(pairing), iSub, std::uint32_t(jSub));
  }
};
static_assert(sizeof(Candidate) == 16);

/// Memory of a touching contact from step to step. Others have one in ListedContact alone.
struct ContactState {
  double dn = 0.0;          ///< [L] gap at the last evaluation; < 0 exactly for touching contacts
  double fn = 0.0;          ///< [F] on i along n
  Vec3 ft = Vec3::Zero();   ///< [F] on i, across n
  Vec3 mom = Vec3::Zero();  ///< [F L] on i
};
static_assert(sizeof(ContactState) == cacheLine, "one line of memory a contact");

/// Where contacts live by list, each candidate has a state, which may outlive its touch, and more.
struct ListedContact {
  double damp = 0.0;        ///< [M/T] normal viscosity: what it was when the contact was listed
  Vec3 vel = Vec3::Zero();  ///< [L/T] of j relative to i at the point, when it last touched
  ContactState state;
};

/// All candidates of one pair of near bodies, a < b: [first, first + count) of its pool.
struct NeighbourPair {
  BodyId a = 0, b = 0;
  /// [L] below this sum of the accumulated displacements of a and b nothing happens: the least
  /// `skipUntil` of the candidates, or `expires`.
  double skipUntil = 0.0;
  double expires = 0.0;  ///< [L] the list holds while accumulated displacements sum up to less
  std::uint32_t first = 0, count = 0, room = 0;
  std::uint32_t parameters = 0;  ///< place in the table of the force law
  static constexpr std::uint32_t noPlanes = UINT32_MAX, ownRadii = UINT32_MAX - 1;
  /// Place in `PairPool::planes`, of a many-contact pair; ownRadii: balls have radii of their own.
  std::uint32_t planes = noPlanes;
  double damp = 0.0;   ///< [M/T] normal viscosity of this pair
  double slack = 0.0;  ///< [L] rounding of positions and displacements, taken off every bound
  bool hasPlanes() const { return planes < ownRadii; }
  std::pair<BodyId, BodyId> bodies() const { return {a, b}; }
};
static_assert(sizeof(NeighbourPair) == cacheLine);

/// Candidates and contacts of the pairs of one block of bodies (`bodyBlock`). Only the thread that
/// has the block writes here, so that nothing needs to be synchronised.
struct PairPool {
  std::vector<Candidate> candidates;      ///< pairs own separate parts
  LineVector<ContactState> states;        ///< of candidates that touch
  std::vector<std::uint32_t> freeStates;  ///< places that none of them owns
  std::vector<ListedContact> listed;      ///< parallel to candidates, where they live by list
  std::vector<PairPlanes> planes;         ///< of pairs that have very many candidates
  std::vector<std::uint32_t> freePlanes;
  std::uint32_t left = 0;  ///< places of `candidates` that no pair owns any more

  /// Makes a contact of a candidate. @returns its state, for the caller to fill
  ContactState& begin(Candidate& candidate);
  /// Ends the contact of a candidate; the caller sets its `skipUntil`.
  void end(const Candidate& candidate) { freeStates.push_back(candidate.stateAt()); }
  /// Removes a pair with its contacts.
  void drop(const NeighbourPair& pair);
  /// Returns the number of contacts of a pair that touch, and the least of their gaps [L], 0 if
  /// there are none.
  std::pair<std::size_t, double> touching(const NeighbourPair& pair) const;
  /// Calls f(place in the pair, candidate, state) for each contact that touches, in their order.
  template <class F>
  void forEachTouching(const NeighbourPair& pair, F&& f) const;
};

/// Pairs sorted by (a, b), each with its candidates in the order of the conf-file. A contact of the
/// file whose first body has the higher number stands in the pair of the lower one, `swapped`.
struct Contacts {
  LineVector<NeighbourPair> pairs;
  std::vector<PairPool> pools;  ///< of each block of bodies
  BodyId driven = 0;            ///< the first so many bodies are driven
  std::uint64_t index = 0;      ///< another number each time that pairs are indexed

  /// The body that owns the pair: the first of the two that is not driven.
  BodyId owner(const NeighbourPair& pair) const { return pair.a < driven ? pair.b : pair.a; }
  /// Number of the pool of two bodies, the lower one first.
  std::size_t poolNumber(BodyId a, BodyId b) const { return (a < driven ? b : a) / bodyBlock; }
  PairPool& poolOf(const NeighbourPair& pair) { return pools[poolNumber(pair.a, pair.b)]; }
  const PairPool& poolOf(const NeighbourPair& pair) const {
    return pools[poolNumber(pair.a, pair.b)];
  }
  std::span<Candidate> candidatesOf(const NeighbourPair& pair) {
    return {poolOf(pair).candidates.data() + pair.first, pair.count};
  }
  std::span<const Candidate> candidatesOf(const NeighbourPair& pair) const {
    return {poolOf(pair).candidates.data() + pair.first, pair.count};
  }
  std::span<const ListedContact> listedOf(const NeighbourPair& pair) const {
    return {poolOf(pair).listed.data() + pair.first, pair.count};
  }
  /// As PairPool has it.
  template <class F>
  void forEachTouching(const NeighbourPair& pair, F&& f) const {
    poolOf(pair).forEachTouching(pair, f);
  }

  /// In a periodic cell, parallel to pairs (else empty): which image of b stands beside a. It is at
  /// the centre of b plus this many vectors of the cell.
  std::vector<Eigen::Vector3i> shifts;
  /// Keeps all images where they are while the centre of body k is moved back by `n` cells.
  void shiftPairs(BodyId k, const Eigen::Vector3i& n) {
    for (std::uint32_t r = firstStart[k]; r < firstStart[k + 1]; ++r) shifts[r] -= n;
    for (const std::uint32_t r : pairsAsSecond(k)) shifts[r] += n;
  }

  /// Pairs of which body k is the first one: firstStart[k] .. firstStart[k+1].
  std::vector<std::uint32_t> firstStart{0};
  /// Pairs of which it is the second one, in their order: secondStart[k] .. secondStart[k+1].
  std::vector<std::uint32_t> secondStart{0}, secondPairs;
  std::span<const std::uint32_t> pairsAsSecond(BodyId k) const {
    return {secondPairs.data() + secondStart[k], secondStart[k + 1] - secondStart[k]};
  }
  /// A driven body sums its pairs in parts, one for each block of second bodies. A part belongs to
  /// one thread, and its end depends on no thread and on no list. For each pair of a driven body
  /// the number of its part, ascending, and a last one that is no part.
  std::vector<std::uint32_t> partOf{0};
  std::vector<BodyId> partBody;  ///< whose each part is
  /// Calls f(pair number) for the pairs with driven bodies that bodies begin to end own, from the
  /// highest body down.
  template <class F>
  void forDrivenPairs(std::size_t begin, std::size_t end, F&& f) const;
  /// Calls f(pair number) for the pairs that body k owns, in the order that they are evaluated in.
  template <class F>
  void forEachPairOf(BodyId k, F&& f) const;
};

template <class F>
void PairPool::forEachTouching(const NeighbourPair& pair, F&& f) const {
  for (std::uint32_t k = 0; k < pair.count; ++k) {
    const Candidate& c = candidates[pair.first + k];
    if (!listed.empty()) {
      if (const ContactState& state = listed[pair.first + k].state; state.dn < 0.0) f(k, c, state);
    } else if (c.touching()) {
      f(k, c, states[c.stateAt()]);
    }
  }
}

template <class F>
void Contacts::forDrivenPairs(std::size_t begin, std::size_t end, F&& f) const {
  const std::uint32_t drivenPairs = firstStart[driven];
  for (std::size_t k = end; k-- > begin;)
    for (const std::uint32_t r : pairsAsSecond(static_cast<BodyId>(k))) {
      if (r >= drivenPairs) break;
      f(r);
    }
}

template <class F>
void Contacts::forEachPairOf(BodyId k, F&& f) const {
  forDrivenPairs(k, k + 1, f);
  if (k < driven) return;
  for (std::uint32_t r = firstStart[k + 1]; r-- > firstStart[k];) f(r);
}

/// Fills `firstStart`, `secondStart`, `secondPairs`, parts and pools for the pairs there are.
void indexPairs(Contacts& contacts, std::size_t bodies);

/// A value for each unordered pair of groups; groups may have any numbers.
template <class T>
class PairTable {
 public:
  PairTable() = default;
  explicit PairTable(std::vector<std::uint32_t> groups) : groups_(std::move(groups)) {
    std::sort(groups_.begin(), groups_.end());
    groups_.erase(std::unique(groups_.begin(), groups_.end()), groups_.end());
    values_.resize(groups_.size() * groups_.size());
  }
  const std::vector<std::uint32_t>& groups() const { return groups_; }
  /// Place of the value of two groups, to be kept where it is used often. O(log groups).
  std::uint32_t index(std::uint32_t g1, std::uint32_t g2) const {
    return static_cast<std::uint32_t>(rank(std::min(g1, g2)) * groups_.size() +
                                      rank(std::max(g1, g2)));
  }
  T& operator[](std::uint32_t index) { return values_[index]; }
  const T& operator[](std::uint32_t index) const { return values_[index]; }

 private:
  std::size_t rank(std::uint32_t g) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(groups_, g) - groups_.begin());
  }
  std::vector<std::uint32_t> groups_;
  std::vector<T> values_;
};

}  // namespace scree::sim
