// SPDX-License-Identifier: GPL-3.0-or-later
#include "detect/neighbour_list.hpp"

#include "detect/broad_phase.hpp"
#include "detect/many_contact_pair.hpp"
#include "detect/near_distance.hpp"
#include "model/thread_shares.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

namespace scree::sim {
namespace {

// How far ahead lists look, in steps of motion, and between which shares of the size of the smaller
// body. They decide what a run costs, never what it computes. Figures: docs/performance.md.
// Candidates that are skipped cost little beside a search, so lists of small shapes look far; those
// of large ones would have very many.
struct Skin {
  double steps, least, most;
};
constexpr Skin slabSkin{100.0, 2e-3, 0.05}, treeSkin{40.0, 1e-3, 0.05};
constexpr double bodySteps = 200.0, bodyLeast = 0.02, bodyMost = 0.2;
/// Pools are packed once this share of them, and some more, has been left.
constexpr std::size_t poolShare = 8, poolLeft = 16;

double sizeOf(const Bodies& bodies, const BodyPose& p, BodyId k) {
  return bodies.boundingRadius[k] + p.radius;
}

double margin(const Bodies& bodies, const BodyPose& p, BodyId k) {
  // A wall or a terrain at rest uses nothing up, and a share of its size would be much.
  if (k < bodies.driven && bodies.lastMove[k] == 0.0) return 0.0;
  const double size = sizeOf(bodies, p, k);
  return std::clamp(bodySteps * bodies.lastMove[k], bodyLeast * size, bodyMost * size);
}

}  // namespace

bool NeighbourList::expired(const Bodies& bodies, std::size_t begin, std::size_t end) const {
  if (goodUntil_.size() != bodies.size()) return true;
  bool expired = false;
  for (std::size_t k = begin; k < end; ++k) expired |= !(bodies.displacement[k] <= goodUntil_[k]);
  return expired;
}

void NeighbourList::update(const Bodies& bodies, std::span<const BodyPose> poses, int threads,
                           const Images* images, PairSetup setUp) {
  const bool first = contacts.pools.empty();
  if (expired(bodies)) rebuild(bodies, poses, threads, images, setUp);
  const std::size_t blocks = contacts.pools.size(),
                    parts = std::min(static_cast<std::size_t>(std::max(threads, 1)), blocks);
  std::atomic<std::uint64_t> searches = 0;
  parallelFor(threads, parts, [&](std::size_t part) {
    NearSubElements found;
    std::uint64_t count = 0;
    const std::size_t begin = blocks * part / parts * bodyBlock,
                      end = std::min(blocks * (part + 1) / parts * bodyBlock, bodies.size());
    for (std::size_t k = begin; k < end; ++k)
      contacts.forEachPairOf(static_cast<BodyId>(k), [&](std::uint32_t r) {
        count += renew(r, bodies, poses, images, found);
      });
    searches += count;
  });
  pairSearches += searches;
  if (!first) return;
  // Side by side in memory, in the order that they are read in.
  std::vector<PairPool> packed(blocks);
  parallelFor(threads, blocks,
              [&](std::size_t k) { packed[blocks - 1 - k] = this->packed(blocks - 1 - k); });
  contacts.pools = std::move(packed);
}

bool NeighbourList::renew(std::uint32_t r, const Bodies& bodies, std::span<const BodyPose> poses,
                          const Images* images, NearSubElements& found) {
  const NeighbourPair& nearPair = contacts.pairs[r];
  if (!(bodies.displacement[nearPair.a] + bodies.displacement[nearPair.b] >= nearPair.expires))
    return false;
  if (images) contacts.shifts[r] = images->nearest(poses[nearPair.a].pos - poses[nearPair.b].pos);
  search(r, bodies, poses, images, found);
  store(r, bodies, poses, images, found);
  return true;
}

PairPool NeighbourList::packed(std::size_t block) {
  PairPool& pool = contacts.pools[block];
  PairPool packed;
  packed.candidates.reserve(pool.candidates.size() - pool.left);
  packed.states.reserve(pool.states.size() - pool.freeStates.size());
  const std::size_t first = block * bodyBlock,
                    end = std::min(first + bodyBlock, contacts.firstStart.size() - 1);
  for (std::size_t k = end; k-- > first;)
    contacts.forEachPairOf(static_cast<BodyId>(k), [&](std::uint32_t r) {
      NeighbourPair& nearPair = contacts.pairs[r];
      const auto to = static_cast<std::uint32_t>(packed.candidates.size());
      for (std::uint32_t m = nearPair.first; m < nearPair.first + nearPair.count; ++m) {
        Candidate c = pool.candidates[m];
        if (c.touching()) {
          const ContactState& state = pool.states[c.stateAt()];
          c.setStateAt(static_cast<std::uint32_t>(packed.states.size()));
          packed.states.push_back(state);
        }
        packed.candidates.push_back(c);
      }
      nearPair.first = to;
      nearPair.room = nearPair.count;
    });
  packed.planes = std::move(pool.planes);
  packed.freePlanes = std::move(pool.freePlanes);
  return packed;
}

void NeighbourList::rebuild(const Bodies& bodies, std::span<const BodyPose> poses, int threads,
                            const Images* images, PairSetup setUp) {
  ++bodyUpdates;
  const std::size_t n = bodies.size();
  std::vector<shape::Aabb> boxes(n);
  struct Ball {
    Vec3 centre;
    double radius;
  };
  std::vector<Ball> balls(n);  // around bodies with their margins, and rounding
  goodUntil_.resize(n);
  parallelFor(
      threads, n,
      [&](std::size_t k) {
        const double m = margin(bodies, poses[k], static_cast<BodyId>(k));
        boxes[k] = boxOf(poses[k], m + poses[k].radius);
        goodUntil_[k] = bodies.displacement[k] + m;
        balls[k] = {poses[k].pos, sizeOf(bodies, poses[k], static_cast<BodyId>(k)) + m +
                                      roundingMargin * (poses[k].pos.cwiseAbs().maxCoeff() +
                                                        bodies.displacement[k])};
        if (images) boxes[k].move(-images->offset(images->cellsOff(poses[k].pos)));
      },
      bodyGrain);
  const auto wanted = [&](BodyId a, BodyId b) {
    if (!images) {  // round bodies whose boxes overlap at their corners alone
      const double most = balls[a].radius + balls[b].radius;
      if ((balls[a].centre - balls[b].centre).squaredNorm() > most * most) return false;
    }
    return !isBonded({a, b});
  };
  const auto pairs = images ? overlappingImages(boxes, images->h, bodies.driven, threads, wanted)
                            : overlappingPairs(boxes, bodies.driven, threads, wanted);
  contacts.driven = bodies.driven;
  // Pairs that stay keep their place in their pool. Threads share out the first bodies.
  const std::size_t parts = rangesOf(n, threads);
  std::vector<LineVector<NeighbourPair>> nearPairs(parts), ended(parts);
  std::vector<std::vector<CellShift>> shifts(parts);
  parallelFor(threads, parts, [&](std::size_t part) {
    const auto own = [&](const auto& all, auto first) {
      const auto at = [&](std::size_t k) {
        return std::ranges::lower_bound(all, n * k / parts, {}, first);
      };
      return std::ranges::subrange(at(part), at(part + 1));
    };
    const auto now = own(pairs, &std::pair<BodyId, BodyId>::first);
    auto before = own(std::as_const(contacts.pairs), &NeighbourPair::a);
    LineVector<NeighbourPair> kept;
    kept.reserve(now.size());
    const auto keep = [&](const NeighbourPair& pair) {
      if (images)
        shifts[part].push_back(
            contacts.shifts[static_cast<std::size_t>(&pair - contacts.pairs.data())]);
      kept.push_back(pair);
    };
    // Bodies that touched and are farther apart than that after a single step keep their pair until
    // the end of their contacts is counted.
    const auto end = [&](const NeighbourPair& pair) {
      if (std::ranges::any_of(contacts.candidatesOf(pair), &Candidate::touching) &&
          !isBonded(pair.bodies()))
        keep(pair);
      else
        ended[part].push_back(pair);
    };
    for (const auto& pair : now) {
      for (; before && before.front().bodies() < pair; before.advance(1)) end(before.front());
      if (before && before.front().bodies() == pair) {
        keep(before.front());
        before.advance(1);
        continue;
      }
      if (images) shifts[part].emplace_back(0, 0, 0);  // until it is searched
      kept.push_back(newPair(pair.first, pair.second, setUp));
    }
    for (; before; before.advance(1)) end(before.front());
    nearPairs[part] = std::move(kept);
  });
  for (const auto& part : ended)
    for (const NeighbourPair& pair : part) contacts.poolOf(pair).drop(pair);
  join(threads, nearPairs, contacts.pairs);
  join(threads, shifts, contacts.shifts);
  indexPairs(contacts, n);
}

NeighbourPair NeighbourList::newPair(BodyId a, BodyId b, PairSetup setUp) {
  NeighbourPair nearPair{.a = a, .b = b, .skipUntil = -1.0, .expires = -1.0};
  if (setUp) setUp(nearPair);
  return nearPair;
}

void NeighbourList::admit(std::span<const std::pair<BodyId, BodyId>> pairs, bool periodic,
                          PairSetup setUp) {
  if (pairs.empty()) return;
  auto& nearPairs = contacts.pairs;
  auto& shifts = contacts.shifts;
  std::size_t from = nearPairs.size(), to = from + pairs.size();
  if (to > nearPairs.capacity()) nearPairs.reserve(to + to / 8);
  nearPairs.resize(to);
  if (periodic) shifts.resize(to);
  // From the back, so that each pair moves once.
  for (std::size_t p = pairs.size(); p-- > 0;) {
    const auto [a, b] = pairs[p];
    for (; from > 0 && nearPairs[from - 1].bodies() > pairs[p]; --from) {
      nearPairs[--to] = nearPairs[from - 1];
      if (periodic) shifts[to] = shifts[from - 1];
    }
    nearPairs[--to] = newPair(a, b, setUp);
    if (periodic) shifts[to] = Eigen::Vector3i::Zero();
  }
  indexPairs(contacts, contacts.firstStart.size() - 1);
}

void NeighbourList::search(std::uint32_t r, const Bodies& bodies, std::span<const BodyPose> poses,
                           const Images* images, NearSubElements& found) const {
  const NeighbourPair& nearPair = contacts.pairs[r];
  const BodyPose &a = poses[nearPair.a], &b = poses[nearPair.b];
  const double sizeA = sizeOf(bodies, a, nearPair.a), sizeB = sizeOf(bodies, b, nearPair.b),
               size = std::min(sizeA, sizeB);
  const double motion = bodies.lastMove[nearPair.a] + bodies.lastMove[nearPair.b];
  const Skin& by = searchWay(*a.shape, *b.shape) == SearchWay::slab ? slabSkin : treeSkin;
  const double skin = std::clamp(by.steps * motion, by.least * size, by.most * size);
  if (!images) {
    findNear(a, b, skin, found);
    return;
  }
  const BodyPose image = imageOf(b, *images, contacts.shifts[r]);
  findNear(a, image, skin, found);
  // Nor can another image touch before it has come near. Also, the bound by which accumulated
  // displacements grow holds only for bodies that are at most some radii apart (affineReach in
  // engine/cell_motion.hpp).
  const double sum = sizeA + sizeB;
  found.gap = std::min({found.gap, sum, images->othersBeyond(a.pos - image.pos) - sum});
}

void NeighbourList::store(std::uint32_t r, const Bodies& bodies, std::span<const BodyPose> poses,
                          const Images* images, const NearSubElements& found) {
  NeighbourPair& nearPair = contacts.pairs[r];
  PairPool& pool = contacts.poolOf(nearPair);
  // History travels by merging two sorted lists. Only touching contacts have any. One that is
  // missing from the new list has come far apart in a single step: it stays until its end is
  // counted.
  std::vector<Candidate> touching;
  for (const Candidate& c : contacts.candidatesOf(nearPair))
    if (c.touching()) touching.push_back(c);
  constexpr auto order = &Candidate::order;
  std::vector<Candidate> missing, all;
  for (const Candidate& c : touching)
    if (!std::ranges::binary_search(found.candidates, c.order(), {}, order)) missing.push_back(c);
  if (!missing.empty())
    std::ranges::merge(found.candidates, missing, std::back_inserter(all), {}, order, order);
  const std::vector<Candidate>& candidates = missing.empty() ? found.candidates : all;
  const auto count = static_cast<std::uint32_t>(candidates.size());
  const double displacement = bodies.displacement[nearPair.a] + bodies.displacement[nearPair.b];
  if (count > nearPair.room) {  // a new place at the end of the pool
    pool.left += nearPair.room;
    nearPair.first = static_cast<std::uint32_t>(pool.candidates.size());
    nearPair.room = nearPair.room == 0 ? count : count + count / 4;
    const std::size_t size = pool.candidates.size() + nearPair.room;
    if (size > pool.candidates.capacity()) pool.candidates.reserve(size + size / poolShare);
    pool.candidates.resize(size);
  }
  auto next = touching.begin();
  nearPair.count = count;
  for (std::uint32_t k = 0; k < count; ++k) {
    Candidate& candidate = pool.candidates[nearPair.first + k] = candidates[k];
    while (next != touching.end() && next->order() < candidate.order()) ++next;
    candidate.skipUntil = next != touching.end() && next->order() == candidate.order()
                              ? next->skipUntil
                              : displacement;
  }
  double lengths = bodies.boundingRadius[nearPair.a] + bodies.boundingRadius[nearPair.b] +
                   bodies.pos[nearPair.b].cwiseAbs().maxCoeff();
  if (images) lengths += images->offset(contacts.shifts[r]).cwiseAbs().maxCoeff();
  nearPair.slack = roundingMargin * lengths;
  nearPair.expires = displacement + found.gap - nearPair.slack;
  nearPair.skipUntil = count > 0 ? displacement : nearPair.expires;
  storePlanes(nearPair, pool, poses[nearPair.a], poses[nearPair.b]);
  if (pool.left > pool.candidates.size() / poolShare + poolLeft) {
    const std::size_t block = contacts.owner(nearPair) / bodyBlock;
    contacts.pools[block] = packed(block);
  }
}

void NeighbourList::storePlanes(NeighbourPair& nearPair, PairPool& pool, const BodyPose& a,
                                const BodyPose& b) const {
  if (!a.shape->thinner.empty() || !b.shape->thinner.empty()) {
    nearPair.planes = NeighbourPair::ownRadii;
    return;
  }
  const bool selects = nearPair.count >= ManyContactPair::fewest &&
                       nearPair.count <= ManyContactPair::most &&
                       searchWay(*a.shape, *b.shape) == SearchWay::trees;
  if (!selects) {
    if (nearPair.planes != NeighbourPair::noPlanes) pool.freePlanes.push_back(nearPair.planes);
    nearPair.planes = NeighbourPair::noPlanes;
    return;
  }
  if (nearPair.planes == NeighbourPair::noPlanes && !pool.freePlanes.empty()) {
    nearPair.planes = pool.freePlanes.back();
    pool.freePlanes.pop_back();
  } else if (nearPair.planes == NeighbourPair::noPlanes) {
    nearPair.planes = static_cast<std::uint32_t>(pool.planes.size());
    pool.planes.emplace_back();
  }
  sortByPlanes(*a.shape, *b.shape, contacts.candidatesOf(nearPair), pool.planes[nearPair.planes]);
}

}  // namespace scree::sim
