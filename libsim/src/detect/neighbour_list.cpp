// SPDX-License-Identifier: GPL-3.0-or-later
#include "detect/neighbour_list.hpp"

#include "detect/broad_phase.hpp"
#include "detect/crowded_row.hpp"
#include "model/thread_shares.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

namespace scree::sim {
namespace {

// How far ahead lists look, in steps of motion, and between which shares of the size of the smaller
// body. They decide what a run costs, never what it computes. Figures: docs/performance.md.
// Candidates that sleep cost little beside a search, so lists of small shapes look far; those of
// large ones would have very many.
struct Skin {
  double steps, least, most;
};
constexpr Skin slabSkin{100.0, 2e-3, 0.05}, treeSkin{40.0, 1e-3, 0.05};
constexpr double bodySteps = 200.0, bodyLeast = 0.02, bodyMost = 0.2;
/// Pools are packed once this share of them, and some more, has been left.
constexpr std::size_t poolShare = 8, poolLeft = 16;
/// Rounding of positions, as a share of the lengths that enter them.
constexpr double roundingMargin = 1e-12;

double sizeOf(const Bodies& bodies, const Placed& p, BodyId k) {
  return bodies.reach[k] + p.radius;
}

double margin(const Bodies& bodies, const Placed& p, BodyId k) {
  // A wall or a terrain at rest uses nothing up, and a share of its size would be much.
  if (k < bodies.driven && bodies.lastMove[k] == 0.0) return 0.0;
  const double size = sizeOf(bodies, p, k);
  return std::clamp(bodySteps * bodies.lastMove[k], bodyLeast * size, bodyMost * size);
}

/// Box of the skeleton, grown. That of few vertices is exact; that of many is the smaller of the
/// turned box of the body frame and the box of the ball about the centre.
shape::Aabb boxOf(const Placed& p, double grown) {
  constexpr std::size_t few = 64;
  shape::Aabb box;
  if (p.shape->vertices.size() <= few) {
    Vec3 low = Vec3::Constant(HUGE_VAL), high = -low;
    for (const Vec3& v : p.shape->vertices) {
      const Vec3 arm = p.arm(v);
      low = low.cwiseMin(arm);
      high = high.cwiseMax(arm);
    }
    box.low = p.pos + low;
    box.high = p.pos + high;
  } else {
    const shape::Aabb& local = p.shape->box;
    const Vec3 centre = p.arm(local.centre()), half = p.turn.cwiseAbs() * local.halfSize();
    const Vec3 reach = Vec3::Constant(p.shape->reach * p.scale);
    box.low = p.pos + (centre - half).cwiseMax(-reach);
    box.high = p.pos + (centre + half).cwiseMin(reach);
  }
  const double slack =
      grown + roundingMargin * (p.pos.cwiseAbs().maxCoeff() + p.shape->reach * p.scale);
  box.low.array() -= slack;
  box.high.array() += slack;
  return box;
}

}  // namespace

bool NeighbourList::expired(const Bodies& bodies, std::size_t begin, std::size_t end) const {
  if (goodUntil_.size() != bodies.size()) return true;
  bool expired = false;
  for (std::size_t k = begin; k < end; ++k) expired |= !(bodies.path[k] <= goodUntil_[k]);
  return expired;
}

void NeighbourList::update(const Bodies& bodies, std::span<const Placed> placed, int threads,
                           const Images* images, PairSetup setUp) {
  const bool first = contacts.pools.empty();
  if (expired(bodies)) rebuild(bodies, placed, threads, images, setUp);
  const std::size_t blocks = contacts.pools.size(),
                    parts = std::min(static_cast<std::size_t>(std::max(threads, 1)), blocks);
  std::atomic<std::uint64_t> searches = 0;
  parallelFor(threads, parts, [&](std::size_t part) {
    NearSubElements found;
    std::uint64_t count = 0;
    const std::size_t begin = blocks * part / parts * bodyBlock,
                      end = std::min(blocks * (part + 1) / parts * bodyBlock, bodies.size());
    for (std::size_t k = begin; k < end; ++k)
      contacts.forEachRowOf(static_cast<BodyId>(k), [&](std::uint32_t r) {
        count += renew(r, bodies, placed, images, found);
      });
    searches += count;
  });
  pairSearches += searches;
  if (!first) return;
  // Side by side in memory, in the order that they are read in.
  std::vector<RowPool> packed(blocks);
  for (std::size_t b = blocks; b-- > 0;) packed[b] = this->packed(b);
  contacts.pools = std::move(packed);
}

bool NeighbourList::renew(std::uint32_t r, const Bodies& bodies, std::span<const Placed> placed,
                          const Images* images, NearSubElements& found) {
  const PairRow& row = contacts.rows[r];
  if (!(bodies.path[row.a] + bodies.path[row.b] >= row.expires)) return false;
  if (images) contacts.shifts[r] = images->nearest(placed[row.a].pos - placed[row.b].pos);
  search(r, bodies, placed, images, found);
  store(r, bodies, placed, images, found);
  return true;
}

RowPool NeighbourList::packed(std::size_t block) {
  RowPool& pool = contacts.pools[block];
  RowPool packed;
  packed.candidates.reserve(pool.candidates.size() - pool.left);
  packed.states.reserve(pool.states.size() - pool.freeStates.size());
  const std::size_t first = block * bodyBlock,
                    end = std::min(first + bodyBlock, contacts.firstStart.size() - 1);
  for (std::size_t k = end; k-- > first;)
    contacts.forEachRowOf(static_cast<BodyId>(k), [&](std::uint32_t r) {
      PairRow& row = contacts.rows[r];
      const auto to = static_cast<std::uint32_t>(packed.candidates.size());
      for (std::uint32_t m = row.first; m < row.first + row.count; ++m) {
        Candidate c = pool.candidates[m];
        if (c.touching()) {
          const ContactState& state = pool.states[c.stateAt()];
          c.setStateAt(static_cast<std::uint32_t>(packed.states.size()));
          packed.states.push_back(state);
        }
        packed.candidates.push_back(c);
      }
      row.first = to;
      row.room = row.count;
    });
  packed.planes = std::move(pool.planes);
  packed.freePlanes = std::move(pool.freePlanes);
  return packed;
}

void NeighbourList::rebuild(const Bodies& bodies, std::span<const Placed> placed, int threads,
                            const Images* images, PairSetup setUp) {
  ++bodyUpdates;
  const std::size_t n = bodies.size();
  std::vector<shape::Aabb> boxes(n);
  goodUntil_.resize(n);
  parallelFor(
      threads, n,
      [&](std::size_t k) {
        const double m = margin(bodies, placed[k], static_cast<BodyId>(k));
        boxes[k] = boxOf(placed[k], m + placed[k].radius);
        goodUntil_[k] = bodies.path[k] + m;
        if (images) boxes[k].move(-images->offset(images->cellsOff(placed[k].pos)));
      },
      bodyGrain);
  auto pairs = images ? overlappingImages(boxes, images->h, bodies.driven, threads)
                      : overlappingPairs(boxes, bodies.driven, threads);
  if (!images)  // round bodies whose boxes overlap at their corners alone
    std::erase_if(pairs, [&](const std::pair<BodyId, BodyId>& pair) {
      const auto reach = [&](BodyId k) {
        return sizeOf(bodies, placed[k], k) + (goodUntil_[k] - bodies.path[k]);
      };
      const Vec3 &a = placed[pair.first].pos, &b = placed[pair.second].pos;
      const double most = reach(pair.first) + reach(pair.second) +
                          roundingMargin * (a.cwiseAbs().maxCoeff() + b.cwiseAbs().maxCoeff() +
                                            bodies.path[pair.first] + bodies.path[pair.second]);
      return (a - b).squaredNorm() > most * most;
    });
  if (!bonded.empty())
    std::erase_if(pairs, [this](const std::pair<BodyId, BodyId>& pair) {
      return std::binary_search(bonded.begin(), bonded.end(), pair);
    });

  // Rows that stay keep their place in their pool.
  LineVector<PairRow> rows;
  rows.reserve(pairs.size());
  std::vector<CellShift> shifts;
  contacts.driven = bodies.driven;
  auto old = contacts.rows.begin();
  const auto keep = [&](const PairRow& row) {
    if (images)
      shifts.push_back(contacts.shifts[static_cast<std::size_t>(&row - contacts.rows.data())]);
    rows.push_back(row);
  };
  // Bodies that touched and are farther apart than that after a single step keep their row until
  // the end of their contacts is counted.
  const auto endOf = [&](const PairRow& row) {
    const std::span<const Candidate> candidates = contacts.candidatesOf(row);
    if (std::any_of(candidates.begin(), candidates.end(),
                    [](const Candidate& c) { return c.touching(); }) &&
        !std::binary_search(bonded.begin(), bonded.end(), std::pair(row.a, row.b)))
      keep(row);
    else
      contacts.poolOf(row).drop(row);
  };
  for (const auto& [a, b] : pairs) {
    for (; old != contacts.rows.end() && std::pair(old->a, old->b) < std::pair(a, b); ++old)
      endOf(*old);
    if (old != contacts.rows.end() && old->a == a && old->b == b) {
      keep(*old);
      ++old;
      continue;
    }
    if (images) shifts.emplace_back(0, 0, 0);  // until it is searched
    rows.push_back(newRow(a, b, setUp));
  }
  for (; old != contacts.rows.end(); ++old) endOf(*old);
  contacts.rows = std::move(rows);
  contacts.shifts = std::move(shifts);
  indexRows(contacts, n);
}

PairRow NeighbourList::newRow(BodyId a, BodyId b, PairSetup setUp) {
  PairRow row;
  row.a = a;
  row.b = b;
  row.expires = row.wakes = -1.0;
  if (setUp) setUp(row);
  return row;
}

void NeighbourList::admit(std::span<const std::pair<BodyId, BodyId>> pairs, bool periodic,
                          PairSetup setUp) {
  if (pairs.empty()) return;
  auto& rows = contacts.rows;
  auto& shifts = contacts.shifts;
  std::size_t from = rows.size(), to = from + pairs.size();
  if (to > rows.capacity()) rows.reserve(to + to / 8);
  rows.resize(to);
  if (periodic) shifts.resize(to);
  // From the back, so that each row moves once.
  for (std::size_t p = pairs.size(); p-- > 0;) {
    const auto [a, b] = pairs[p];
    for (; from > 0 && std::pair(rows[from - 1].a, rows[from - 1].b) > pairs[p]; --from) {
      rows[--to] = rows[from - 1];
      if (periodic) shifts[to] = shifts[from - 1];
    }
    rows[--to] = newRow(a, b, setUp);
    if (periodic) shifts[to] = Eigen::Vector3i::Zero();
  }
  indexRows(contacts, contacts.firstStart.size() - 1);
}

void NeighbourList::search(std::uint32_t r, const Bodies& bodies, std::span<const Placed> placed,
                           const Images* images, NearSubElements& found) const {
  const PairRow& row = contacts.rows[r];
  const double size =
      std::min(sizeOf(bodies, placed[row.a], row.a), sizeOf(bodies, placed[row.b], row.b));
  const double motion = bodies.lastMove[row.a] + bodies.lastMove[row.b];
  const Skin& by = searchWay(*placed[row.a].shape, *placed[row.b].shape) == SearchWay::slab
                       ? slabSkin
                       : treeSkin;
  const double skin = std::clamp(by.steps * motion, by.least * size, by.most * size);
  if (!images) {
    findNear(placed[row.a], placed[row.b], skin, found);
    return;
  }
  const Placed image = imageOf(placed[row.b], *images, contacts.shifts[r]);
  findNear(placed[row.a], image, skin, found);
  // Nor can another image touch before it has come near; and the bound by which paths grow holds
  // for bodies that are not farther apart than some radii (simulation_cell.cpp).
  const double sum = sizeOf(bodies, placed[row.a], row.a) + sizeOf(bodies, placed[row.b], row.b);
  found.gap = std::min({found.gap, sum, images->othersBeyond(placed[row.a].pos - image.pos) - sum});
}

void NeighbourList::store(std::uint32_t r, const Bodies& bodies, std::span<const Placed> placed,
                          const Images* images, const NearSubElements& found) {
  PairRow& row = contacts.rows[r];
  RowPool& pool = contacts.poolOf(row);
  // History travels by merging two sorted lists. Only touching contacts have any. One that is
  // missing from the new list has come far apart in a single step: it stays until its end is
  // counted.
  std::vector<Candidate> touching;
  for (const Candidate& c : contacts.candidatesOf(row))
    if (c.touching()) touching.push_back(c);
  const auto before = [](const Candidate& x, const Candidate& y) { return x.order() < y.order(); };
  std::vector<Candidate> missing;
  for (const Candidate& c : touching)
    if (!std::binary_search(found.candidates.begin(), found.candidates.end(), c, before))
      missing.push_back(c);
  std::vector<Candidate> all;
  if (!missing.empty())
    std::merge(found.candidates.begin(), found.candidates.end(), missing.begin(), missing.end(),
               std::back_inserter(all), before);
  const std::vector<Candidate>& candidates = missing.empty() ? found.candidates : all;
  const auto count = static_cast<std::uint32_t>(candidates.size());
  const double path = bodies.path[row.a] + bodies.path[row.b];
  if (count > row.room) {  // a new place at the end of the pool
    pool.left += row.room;
    row.first = static_cast<std::uint32_t>(pool.candidates.size());
    row.room = row.room == 0 ? count : count + count / 4;
    const std::size_t size = pool.candidates.size() + row.room;
    if (size > pool.candidates.capacity()) pool.candidates.reserve(size + size / poolShare);
    pool.candidates.resize(size);
  }
  auto next = touching.begin();
  row.count = count;
  for (std::uint32_t k = 0; k < count; ++k) {
    Candidate& candidate = pool.candidates[row.first + k] = candidates[k];
    while (next != touching.end() && next->order() < candidate.order()) ++next;
    candidate.wake =
        next != touching.end() && next->order() == candidate.order() ? next->wake : path;
  }
  double lengths =
      bodies.reach[row.a] + bodies.reach[row.b] + bodies.pos[row.b].cwiseAbs().maxCoeff();
  if (images) lengths += images->offset(contacts.shifts[r]).cwiseAbs().maxCoeff();
  row.slack = roundingMargin * lengths;
  row.expires = path + found.gap - row.slack;
  row.wakes = count > 0 ? path : row.expires;
  storePlanes(row, pool, placed[row.a], placed[row.b]);
  if (pool.left > pool.candidates.size() / poolShare + poolLeft) {
    const std::size_t block = contacts.owner(row) / bodyBlock;
    contacts.pools[block] = packed(block);
  }
}

void NeighbourList::storePlanes(PairRow& row, RowPool& pool, const Placed& a,
                                const Placed& b) const {
  if (!a.shape->thinner.empty() || !b.shape->thinner.empty()) {
    row.planes = PairRow::ownRadii;
    return;
  }
  const bool crowded = row.count >= CrowdedRow::fewest && row.count <= CrowdedRow::most &&
                       searchWay(*a.shape, *b.shape) == SearchWay::trees;
  if (!crowded) {
    if (row.planes != PairRow::noPlanes) pool.freePlanes.push_back(row.planes);
    row.planes = PairRow::noPlanes;
    return;
  }
  if (row.planes == PairRow::noPlanes && !pool.freePlanes.empty()) {
    row.planes = pool.freePlanes.back();
    pool.freePlanes.pop_back();
  } else if (row.planes == PairRow::noPlanes) {
    row.planes = static_cast<std::uint32_t>(pool.planes.size());
    pool.planes.emplace_back();
  }
  sortByPlanes(*a.shape, *b.shape, contacts.candidatesOf(row), pool.planes[row.planes]);
}

}  // namespace scree::sim
