// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/model/conf.hpp"
#include "scree/sim/model/row_planes.hpp"

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
  double wake = 0.0;         ///< sleeps until the paths of both bodies sum up to this

  Candidate() = default;
  Candidate(std::uint32_t i, std::uint32_t j, Pairing p, bool s, double w = 0.0)
      : iSub(i), jSub(j & (mostSubElements - 1)), pairing(p), swapped(s), wake(w) {}

  /// Order of the candidates of a row: that of the conf-file.
  auto order() const {
    return std::tuple(bool(swapped), Pairing(pairing), iSub, std::uint32_t(jSub));
  }
};
static_assert(sizeof(Candidate) == 16);

/// What a touching contact carries from step to step; all zero for one that does not touch.
struct ContactState {
  double dn = 0.0;          ///< [L] gap at the last evaluation; < 0 exactly for touching contacts
  double fn = 0.0;          ///< [F] on i along n
  Vec3 ft = Vec3::Zero();   ///< [F] on i, across n
  Vec3 mom = Vec3::Zero();  ///< [F L] on i
};
static_assert(sizeof(ContactState) == 64, "one line of memory a contact");

/// What Rockable keeps with a contact beyond that.
struct ContactAsRockable {
  double damp = 0.0;        ///< [M/T] normal viscosity: what it was when the contact was listed
  Vec3 vel = Vec3::Zero();  ///< [L/T] of j relative to i at the point, when it last touched
};

/// All candidates of one pair of near bodies, a < b, in the pool [first, first + count).
struct PairRow {
  BodyId a = 0, b = 0;
  std::uint32_t first = 0, count = 0, room = 0;
  std::uint32_t parameters = 0;  ///< place in the table of the force law
  static constexpr std::uint32_t noPlanes = UINT32_MAX;
  std::uint32_t planes = noPlanes;  ///< place in `Contacts::planes`, of a crowded row
  double damp = 0.0;                ///< [M/T] normal viscosity of this pair
  double slack = 0.0;               ///< [L] rounding of positions and paths, taken off every bound
  double wakes = 0.0;               ///< least `wake` of the candidates: below it nothing happens
};

/// Rows sorted by (a, b), each with its candidates in the order of the conf-file. A contact of the
/// file whose first body has the higher number stands in the row of the lower one, `swapped`.
struct Contacts {
  std::vector<PairRow> rows;
  std::vector<Candidate> candidates;          ///< the pool; rows own separate parts of it
  std::vector<ContactState> states;           ///< parallel to candidates
  std::vector<RowPlanes> planes;              ///< of rows that have very many candidates
  std::vector<ContactAsRockable> asRockable;  ///< parallel to candidates, with `--compat` alone

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
};

/// Fills `firstStart`, `secondStart` and `secondRows` for the rows there are.
void indexRows(Contacts& contacts, std::size_t bodies);

}  // namespace scree::sim
