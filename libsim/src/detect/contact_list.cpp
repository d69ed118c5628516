// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/detect/contact_list.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/detect/broad_phase.hpp"
#include "scree/sim/step/crowded_row.hpp"
#include "scree/sim/step/thread_shares.hpp"

#include <algorithm>
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
/// Pools grow by this share at a time, and are packed once that share of them has been left.
constexpr std::size_t poolShare = 8;
template <class T>
void grow(std::vector<T>& pool, std::size_t by) {
  if (pool.size() + by > pool.capacity())
    pool.reserve(pool.size() + by + (pool.size() + by) / poolShare);
  pool.resize(pool.size() + by);
}
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

bool ContactList::pairsExpired(const Bodies& bodies, std::size_t begin, std::size_t end) const {
  if (goodUntil_.size() != bodies.size()) return true;
  bool expired = false;
  for (std::size_t k = begin; k < end; ++k) expired |= !(bodies.path[k] <= goodUntil_[k]);
  return expired;
}

void ContactList::findExpired(const Bodies& bodies, int threads) {
  constexpr std::size_t grain = 4096;  // rows that are worth waking a thread for
  const std::size_t rows = limits_.size(),
                    parts = std::clamp<std::size_t>(rows / grain, 1,
                                                    static_cast<std::size_t>(std::max(threads, 1)));
  expiredBy_.resize(parts);
  parallelFor(threads, parts, [&](std::size_t part) {
    std::vector<std::uint32_t>& expired = expiredBy_[part];
    expired.clear();
    const double* path = bodies.path.data();
    const auto runOut = [&](std::size_t r) {
      const RowLimit& limit = limits_[r];
      return path[limit.a] + path[limit.b] >= limit.expires;
    };
    // Nearly all are good: sixteen at a glance, without a branch for each.
    constexpr std::size_t glance = 16;
    const std::size_t end = rows * (part + 1) / parts;
    for (std::size_t r = rows * part / parts; r < end;) {
      const std::size_t to = std::min(r + glance, end);
      bool any = false;
      for (std::size_t m = r; m < to; ++m) any |= runOut(m);
      for (; any && r < to; ++r)
        if (runOut(r)) expired.push_back(static_cast<std::uint32_t>(r));
      r = to;
    }
  });
  expired_.clear();
  for (const std::vector<std::uint32_t>& expired : expiredBy_)
    expired_.insert(expired_.end(), expired.begin(), expired.end());
}

void ContactList::update(const Bodies& bodies, std::span<const Placed> placed, int threads,
                         const Images* images, bool expired) {
  if (expired) updatePairs(bodies, placed, threads, images);
  findExpired(bodies, threads);
  if (expired_.empty()) return;
  pairSearches += expired_.size();
  if (images)
    for (const std::uint32_t r : expired_) {
      const PairRow& row = contacts.rows[r];
      contacts.shifts[r] = images->nearest(placed[row.a].pos - placed[row.b].pos);
    }
  // Searches read, storing writes: so the searches may run side by side and the pool stays simple.
  constexpr std::size_t batch = 4096;
  for (std::size_t begin = 0; begin < expired_.size(); begin += batch) {
    const std::size_t count = std::min(batch, expired_.size() - begin);
    if (found_.size() < count) found_.resize(count);
    parallelFor(threads, count, [&](std::size_t k) {
      search(expired_[begin + k], bodies, placed, images, found_[k]);
    });
    for (std::size_t k = 0; k < count; ++k)
      store(expired_[begin + k], bodies, placed, images, found_[k]);
  }
  if (left_ > contacts.candidates.size() / poolShare + 64) pack();
}

void ContactList::pack() {
  std::size_t size = 0;
  for (const PairRow& row : contacts.rows) size += row.count;
  std::vector<Candidate> candidates;
  std::vector<ContactState> states;
  candidates.reserve(size + size / poolShare);
  states.reserve(size + size / poolShare);
  for (PairRow& row : contacts.rows) {
    const auto first = static_cast<std::uint32_t>(candidates.size());
    candidates.insert(candidates.end(), contacts.candidates.begin() + row.first,
                      contacts.candidates.begin() + row.first + row.count);
    states.insert(states.end(), contacts.states.begin() + row.first,
                  contacts.states.begin() + row.first + row.count);
    row.first = first;
    row.room = row.count;
  }
  contacts.candidates = std::move(candidates);
  contacts.states = std::move(states);
  left_ = 0;
}

void ContactList::updatePairs(const Bodies& bodies, std::span<const Placed> placed, int threads,
                              const Images* images) {
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

  // Rows that stay keep their place in the pool.
  std::vector<PairRow> rows;
  rows.reserve(pairs.size());
  std::vector<CellShift> shifts;
  std::vector<RowLimit> limits;
  limits.reserve(pairs.size());
  auto old = contacts.rows.begin();
  const auto keep = [&](const PairRow& row) {
    const auto at = static_cast<std::size_t>(&row - contacts.rows.data());
    limits.push_back(limits_[at]);
    if (images) shifts.push_back(contacts.shifts[at]);
    rows.push_back(row);
  };
  // Bodies that touched and are farther apart than that after a single step keep their row until
  // the end of their contacts is counted.
  const auto endOf = [&](const PairRow& row) {
    const auto state = contacts.states.begin() + row.first;
    if (std::any_of(state, state + row.count, [](const ContactState& c) { return c.dn < 0.0; }) &&
        !std::binary_search(bonded.begin(), bonded.end(), std::pair(row.a, row.b))) {
      keep(row);
      return;
    }
    left_ += row.room;
    if (row.planes != PairRow::noPlanes) freePlanes_.push_back(row.planes);
  };
  for (const auto& [a, b] : pairs) {
    for (; old != contacts.rows.end() && std::pair(old->a, old->b) < std::pair(a, b); ++old)
      endOf(*old);
    if (old != contacts.rows.end() && old->a == a && old->b == b) {
      keep(*old);
      ++old;
      continue;
    }
    PairRow row;
    row.a = a;
    row.b = b;
    limits.push_back({a, b, -1.0});  // to be searched at once
    setup_(context_, row);
    if (images) shifts.emplace_back(0, 0, 0);  // until it is searched
    rows.push_back(row);
  }
  for (; old != contacts.rows.end(); ++old) endOf(*old);
  contacts.rows = std::move(rows);
  contacts.shifts = std::move(shifts);
  indexRows(contacts, n);
  limits_ = std::move(limits);
}

void ContactList::search(std::uint32_t r, const Bodies& bodies, std::span<const Placed> placed,
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
  const Placed image = images->image(placed[row.b], contacts.shifts[r]);
  findNear(placed[row.a], image, skin, found);
  // Nor can another image touch before it has come near; and the bound by which paths grow holds
  // for bodies that are not farther apart than some radii (simulation_cell.cpp).
  const double sum = sizeOf(bodies, placed[row.a], row.a) + sizeOf(bodies, placed[row.b], row.b);
  found.gap = std::min({found.gap, sum, images->othersBeyond(placed[row.a].pos - image.pos) - sum});
}

void ContactList::store(std::uint32_t r, const Bodies& bodies, std::span<const Placed> placed,
                        const Images* images, const NearSubElements& found) {
  PairRow& row = contacts.rows[r];
  const std::uint32_t from = row.first, had = row.count;
  // History travels by merging two sorted lists. Only touching contacts have any. One that is
  // missing from the new list has come far apart in a single step: it stays until its end is
  // counted.
  std::vector<std::pair<Candidate, ContactState>> touching;
  for (std::uint32_t k = from; k < from + had; ++k)
    if (contacts.states[k].dn < 0.0)
      touching.emplace_back(contacts.candidates[k], contacts.states[k]);
  const auto before = [](const Candidate& x, const Candidate& y) { return x.order() < y.order(); };
  std::vector<Candidate> missing;
  for (const auto& [c, state] : touching)
    if (!std::binary_search(found.candidates.begin(), found.candidates.end(), c, before))
      missing.push_back(c);
  std::vector<Candidate> all;
  if (!missing.empty())
    std::merge(found.candidates.begin(), found.candidates.end(), missing.begin(), missing.end(),
               std::back_inserter(all), before);
  const std::vector<Candidate>& candidates = missing.empty() ? found.candidates : all;
  const auto count = static_cast<std::uint32_t>(candidates.size());
  if (count > row.room) {  // a new place at the end of the pool
    left_ += row.room;
    row.first = static_cast<std::uint32_t>(contacts.candidates.size());
    row.room = row.room == 0 ? count : count + count / 4;
    grow(contacts.candidates, row.room);
    grow(contacts.states, row.room);
  }
  auto next = touching.begin();
  const double path = bodies.path[row.a] + bodies.path[row.b];
  row.count = count;
  for (std::uint32_t k = 0; k < count; ++k) {
    Candidate candidate = candidates[k];
    candidate.wake = path;
    contacts.candidates[row.first + k] = candidate;
    contacts.states[row.first + k] = ContactState();
    while (next != touching.end() && next->first.order() < candidate.order()) ++next;
    if (next != touching.end() && next->first.order() == candidate.order())
      contacts.states[row.first + k] = next->second;
  }
  row.wakes = count > 0 ? path : HUGE_VAL;
  double lengths =
      bodies.reach[row.a] + bodies.reach[row.b] + bodies.pos[row.b].cwiseAbs().maxCoeff();
  if (images) lengths += images->offset(contacts.shifts[r]).cwiseAbs().maxCoeff();
  row.slack = roundingMargin * lengths;
  limits_[r].expires = path + found.gap - row.slack;
  storePlanes(row, placed[row.a], placed[row.b]);
}

void ContactList::storePlanes(PairRow& row, const Placed& a, const Placed& b) {
  const bool crowded = row.count >= CrowdedRow::fewest && row.count <= CrowdedRow::most &&
                       searchWay(*a.shape, *b.shape) == SearchWay::trees;
  if (!crowded) {
    if (row.planes != PairRow::noPlanes) freePlanes_.push_back(row.planes);
    row.planes = PairRow::noPlanes;
    return;
  }
  if (row.planes == PairRow::noPlanes && !freePlanes_.empty()) {
    row.planes = freePlanes_.back();
    freePlanes_.pop_back();
  } else if (row.planes == PairRow::noPlanes) {
    row.planes = static_cast<std::uint32_t>(contacts.planes.size());
    contacts.planes.emplace_back();
  }
  sortByPlanes(*a.shape, *b.shape, {contacts.candidates.data() + row.first, row.count},
               {contacts.states.data() + row.first, row.count}, contacts.planes[row.planes]);
}

}  // namespace scree::sim
