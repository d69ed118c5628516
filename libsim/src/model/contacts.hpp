// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/line_vector.hpp"
#include "model/row_planes.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/conf.hpp"

#include <bit>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace scree::sim {

/// Two sub-elements of a pair of bodies that may touch before their list is made again. Lists hold
/// several times as many as touch, so it is kept small.
struct Candidate {
  std::uint32_t iSub = 0;
  std::uint32_t jSub : 29 = 0;  ///< below mostSubElements
  Pairing pairing : 2 = Pairing::vertexVertex;
  bool swapped : 1 = false;  ///< i is the second body of the row
  /// Sleeps until the paths of both bodies sum up to this. Below 0: touches, and its last 32 bits
  /// are the place of its state.
  double wake = 0.0;

  Candidate() = default;
  Candidate(std::uint32_t i, std::uint32_t j, Pairing p, bool s, double w = 0.0)
      : iSub(i), jSub(j & (mostSubElements - 1)), pairing(p), swapped(s), wake(w) {}

  bool touching() const { return wake < 0.0; }
  std::uint32_t stateAt() const {  ///< @pre touching()
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(wake));
  }
  void setStateAt(std::uint32_t place) {
    wake = std::bit_cast<double>(std::bit_cast<std::uint64_t>(-1.0) | place);
  }

  /// Order of the candidates of a row: that of the conf-file.
  auto order() const {
    return std::tuple(bool(swapped), Pairing(pairing), iSub, std::uint32_t(jSub));
  }
};
static_assert(sizeof(Candidate) == 16);

/// What a touching contact carries from step to step. One that does not touch has none, but for
/// ContactAsRockable.
struct ContactState {
  double dn = 0.0;          ///< [L] gap at the last evaluation; < 0 exactly for touching contacts
  double fn = 0.0;          ///< [F] on i along n
  Vec3 ft = Vec3::Zero();   ///< [F] on i, across n
  Vec3 mom = Vec3::Zero();  ///< [F L] on i
};
static_assert(sizeof(ContactState) == cacheLine, "one line of memory a contact");

/// With `--compat` each candidate has a state, which may outlive its touch, and more.
struct ContactAsRockable {
  double damp = 0.0;        ///< [M/T] normal viscosity: what it was when the contact was listed
  Vec3 vel = Vec3::Zero();  ///< [L/T] of j relative to i at the point, when it last touched
  ContactState state;
};

/// All candidates of one pair of near bodies, a < b: [first, first + count) of the pool of the row.
struct PairRow {
  BodyId a = 0, b = 0;
  /// [L] below this sum of the paths of a and b nothing happens: the least `wake` of the
  /// candidates, or `expires`.
  double wakes = 0.0;
  double expires = 0.0;  ///< [L] the list is good while the paths sum up to less
  std::uint32_t first = 0, count = 0, room = 0;
  std::uint32_t parameters = 0;  ///< place in the table of the force law
  static constexpr std::uint32_t noPlanes = UINT32_MAX, ownRadii = UINT32_MAX - 1;
  /// Place in `RowPool::planes`, of a crowded row; ownRadii: balls have radii of their own.
  std::uint32_t planes = noPlanes;
  double damp = 0.0;   ///< [M/T] normal viscosity of this pair
  double slack = 0.0;  ///< [L] rounding of positions and paths, taken off every bound
  bool hasPlanes() const { return planes < ownRadii; }
};
static_assert(sizeof(PairRow) == cacheLine);

/// What the rows of one block of bodies (`bodyBlock`) hold. Only the thread that has the block
/// writes here, so lists are made again and contacts begin and end without a word to the others.
struct RowPool {
  std::vector<Candidate> candidates;          ///< rows own separate parts
  LineVector<ContactState> states;            ///< of candidates that touch
  std::vector<std::uint32_t> freeStates;      ///< places that none of them owns
  std::vector<ContactAsRockable> asRockable;  ///< parallel to candidates, with `--compat` alone
  std::vector<RowPlanes> planes;              ///< of rows that have very many candidates
  std::vector<std::uint32_t> freePlanes;
  std::uint32_t left = 0;  ///< places of `candidates` that no row owns any more

  /// Makes a contact of a candidate. @returns its state, for the caller to fill
  ContactState& begin(Candidate& candidate);
  /// The end of that; whoever calls this sets its `wake`.
  void end(const Candidate& candidate) { freeStates.push_back(candidate.stateAt()); }
  /// A row is no more, nor are its contacts.
  void drop(const PairRow& row);
  /// Calls f(place in the row, candidate, state) for each contact that touches, in their order.
  template <class F>
  void forEachTouching(const PairRow& row, F&& f) const;

  std::size_t memoryBytes() const;
};

/// Rows sorted by (a, b), each with its candidates in the order of the conf-file. A contact of the
/// file whose first body has the higher number stands in the row of the lower one, `swapped`.
struct Contacts {
  LineVector<PairRow> rows;
  std::vector<RowPool> pools;  ///< of each block of bodies
  BodyId driven = 0;           ///< the first so many bodies are driven
  std::uint64_t index = 0;     ///< another number each time that rows are indexed

  /// The body whose the row is: the first one that is not driven.
  BodyId owner(const PairRow& row) const { return row.a < driven ? row.b : row.a; }
  RowPool& poolOf(const PairRow& row) { return pools[owner(row) / bodyBlock]; }
  const RowPool& poolOf(const PairRow& row) const { return pools[owner(row) / bodyBlock]; }
  std::span<Candidate> candidatesOf(const PairRow& row) {
    return {poolOf(row).candidates.data() + row.first, row.count};
  }
  std::span<const Candidate> candidatesOf(const PairRow& row) const {
    return {poolOf(row).candidates.data() + row.first, row.count};
  }
  std::span<const ContactAsRockable> asRockableOf(const PairRow& row) const {
    return {poolOf(row).asRockable.data() + row.first, row.count};
  }
  /// As RowPool has it.
  template <class F>
  void forEachTouching(const PairRow& row, F&& f) const {
    poolOf(row).forEachTouching(row, f);
  }

  /// In a periodic cell, parallel to rows (else empty): which image of b stands beside a, at the
  /// centre of b plus so many vectors of the cell.
  std::vector<Eigen::Vector3i> shifts;
  /// Keeps all images where they are while the centre of body k is moved back by `n` cells.
  void shiftRows(BodyId k, const Eigen::Vector3i& n) {
    for (std::uint32_t r = firstStart[k]; r < firstStart[k + 1]; ++r) shifts[r] -= n;
    for (const std::uint32_t r : rowsAsSecond(k)) shifts[r] += n;
  }

  /// Rows of which body k is the first one: firstStart[k] .. firstStart[k+1].
  std::vector<std::uint32_t> firstStart{0};
  /// Rows of which it is the second one, in row order: secondRows[secondStart[k] ..
  /// secondStart[k+1]).
  std::vector<std::uint32_t> secondStart{0}, secondRows;
  std::span<const std::uint32_t> rowsAsSecond(BodyId k) const {
    return {secondRows.data() + secondStart[k], secondStart[k + 1] - secondStart[k]};
  }
  /// A driven body sums its rows in parts, one for each block of second bodies: a part belongs to
  /// one thread, and where it ends depends on no thread and on no list. For each row of a driven
  /// body the number of its part, ascending, and a last one that is no part.
  std::vector<std::uint32_t> partOf{0};
  std::vector<BodyId> partBody;  ///< whose each part is
  /// Calls f(row number) for the rows that body k owns, in the order that they are evaluated in.
  template <class F>
  void forEachRowOf(BodyId k, F&& f) const;

  std::size_t memoryBytes() const;
};

template <class F>
void RowPool::forEachTouching(const PairRow& row, F&& f) const {
  for (std::uint32_t k = 0; k < row.count; ++k) {
    const Candidate& c = candidates[row.first + k];
    if (!asRockable.empty()) {
      if (const ContactState& state = asRockable[row.first + k].state; state.dn < 0.0)
        f(k, c, state);
    } else if (c.touching()) {
      f(k, c, states[c.stateAt()]);
    }
  }
}

template <class F>
void Contacts::forEachRowOf(BodyId k, F&& f) const {
  const std::uint32_t drivenRows = firstStart[driven];
  for (const std::uint32_t r : rowsAsSecond(k)) {
    if (r >= drivenRows) break;
    f(r);
  }
  if (k < driven) return;
  for (std::uint32_t r = firstStart[k + 1]; r-- > firstStart[k];) f(r);
}

/// Fills `firstStart`, `secondStart`, `secondRows` and the parts for the rows there are; as many
/// pools as `bodies` need.
void indexRows(Contacts& contacts, std::size_t bodies);

}  // namespace scree::sim
