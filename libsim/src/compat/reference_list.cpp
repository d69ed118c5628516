// SPDX-License-Identifier: GPL-3.0-or-later
#include "compat/reference_list.hpp"

#include "contact/reach_as_rockable.hpp"
#include "detect/broad_phase.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>

namespace scree::sim {
namespace {

/// By how much two bodies may gain speed between two lists, for what stands past the end of an edge
/// to be listed without fail.
constexpr double quickening = 8.0;

/// A box where it stands; axes are the columns.
struct PlacedBox {
  Vec3 centre, half;
  Mat3 axes;
};

/// Whether two boxes meet: separating axes, touching counts. Source: S. Gottschalk, M. Lin,
/// D. Manocha, SIGGRAPH 1996; the addend against nearly parallel axes is Rockable's.
bool meet(const PlacedBox& a, const PlacedBox& b) {
  const Mat3 turn = a.axes.transpose() * b.axes;
  const Mat3 spread = turn.cwiseAbs().array() + 1.19e-7;
  const Vec3 apart = a.axes.transpose() * (b.centre - a.centre);
  if (((apart.cwiseAbs() - a.half - spread * b.half).array() > 0.0).any()) return false;
  if ((((turn.transpose() * apart).cwiseAbs() - b.half - spread.transpose() * a.half).array() > 0.0)
          .any())
    return false;
  for (int k = 0; k < 3; ++k)
    for (int m = 0; m < 3; ++m) {
      const int k1 = (k + 1) % 3, k2 = (k + 2) % 3, m1 = (m + 1) % 3, m2 = (m + 2) % 3;
      const double reach = a.half[k1] * spread(k2, m) + a.half[k2] * spread(k1, m) +
                           b.half[m1] * spread(k, m2) + b.half[m2] * spread(k, m1);
      if (std::abs(apart[k2] * turn(k1, m) - apart[k1] * turn(k2, m)) > reach) return false;
    }
  return true;
}

PlacedBox grown(PlacedBox box, double by) {
  box.half.array() += by;
  return box;
}

std::pair<BodyId, BodyId> pairOf(const PairRow& row) { return {row.a, row.b}; }

/// The lists of one pair while they are made.
struct Entries {
  std::vector<Candidate> candidates;
  std::vector<char> fresh;  ///< not listed so far
};

/// One pair of near bodies.
class PairSearch {
 public:
  /// @param offset  [L] of b from the body that it is an image of
  PairSearch(const Placed& a, const Placed& b, const PlacedBox& boxA, const PlacedBox& boxB,
             const Vec3& offset, double skin)
      : a_(a),
        b_(b),
        boxA_(grown(boxA, skin)),
        boxB_(grown(boxB, skin)),
        offset_(offset),
        skin_(skin) {}

  /// What is to be listed, given what is listed, in row order.
  /// @param motion  [L] what no two points approach by before the next lists
  Entries listed(std::span<const Candidate> old, double longestEdge, double motion) {
    // Past the ends of an edge its margin is a share of its length: so far would the trees have to
    // look. What is listed there matters once the vertex has come to the edge itself, so no farther
    // than motion may bring it.
    const double rounding = a_.radius + b_.radius, reach = rounding + skin_;
    const double past = std::max(skin_, 0.0) * longestEdge;
    const double full = std::sqrt(past * past + reach * reach) - rounding;
    const double look = std::min(full, std::max(skin_, motion)) * (1.0 + 1e-9);
    NearSubElements found;
    if (reach > 0.0) findNear(a_, b_, look, found);
    std::erase_if(found.candidates, [this](const Candidate& c) { return !(near(c) && tested(c)); });
    Entries entries;
    auto next = found.candidates.begin();
    const auto take = [&](const Candidate& c, bool fresh) {
      entries.candidates.push_back(c);
      entries.fresh.push_back(fresh);
    };
    for (const Candidate& c : old) {
      for (; next != found.candidates.end() && next->order() < c.order(); ++next) take(*next, true);
      if (next != found.candidates.end() && next->order() == c.order()) {
        take(c, false);
        ++next;
      } else if (!tested(c)) {
        take(c, false);
      }
    }
    for (; next != found.candidates.end(); ++next) take(*next, true);
    return entries;
  }

 private:
  bool near(const Candidate& c) const {
    const Placed &i = c.swapped ? b_ : a_, &j = c.swapped ? a_ : b_;
    Vec3 between = i.pos - j.pos;
    if (c.pairing == Pairing::edgeEdge) between += offset_;  // the body itself (Q13); i is a
    return asRockable::reachOf(c, i, j, between, skin_).near;
  }
  /// Vertices are tested where a cube about them meets the box of the other body, edges always.
  bool tested(const Candidate& c) {
    if (c.pairing == Pairing::edgeEdge) return true;
    if (known_ && knownSwapped_ == c.swapped && knownVertex_ == c.iSub) return knownTested_;
    const Placed& i = c.swapped ? b_ : a_;
    const PlacedBox cube{i.pos + i.arm(i.shape->vertices[c.iSub]), Vec3::Constant(i.radius + skin_),
                         Mat3::Identity()};
    known_ = true;
    knownSwapped_ = c.swapped;
    knownVertex_ = c.iSub;
    knownTested_ = meet(cube, c.swapped ? boxA_ : boxB_);
    return knownTested_;
  }

  const Placed &a_, &b_;
  PlacedBox boxA_, boxB_;
  Vec3 offset_;
  double skin_;
  bool known_ = false, knownSwapped_ = false, knownTested_ = false;
  std::uint32_t knownVertex_ = 0;
};

}  // namespace

ReferenceList::ReferenceList(std::span<const shape::Shape> shapes,
                             std::span<const ShapeGeometry> geometries) {
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    Box box;
    box.local = shapes[k].obb;
    // A shape without a box has a point for one there, and is missed; here it gets one (Q24).
    if (!shapes[k].obbGiven && shapes[k].preCompDone) {
      box.local.centre = geometries[k].box.centre();
      box.local.extent = geometries[k].box.halfSize().array() + shapes[k].radius;
      box.local.axes.setIdentity();
    }
    for (const shape::Edge& e : shapes[k].edges)
      box.longestEdge =
          std::max(box.longestEdge, (shapes[k].vertices[e[0]] - shapes[k].vertices[e[1]]).norm());
    boxes_.push_back(box);
  }
}

void ReferenceList::adopt(std::vector<InteractionRecord> records, const Bodies& bodies,
                          PairSetup setUp, Contacts& contacts) {
  const auto candidateOf = [](const InteractionRecord& r) {
    return Candidate{r.key.iSub, r.key.jSub, r.key.pairing, r.key.i > r.key.j, 0.0};
  };
  const auto pair = [](const InteractionRecord& r) {
    return std::pair(std::min(r.key.i, r.key.j), std::max(r.key.i, r.key.j));
  };
  std::stable_sort(records.begin(), records.end(), [&](const auto& x, const auto& y) {
    return std::pair(pair(x), candidateOf(x).order()) < std::pair(pair(y), candidateOf(y).order());
  });
  contacts = Contacts();
  contacts.driven = bodies.driven;
  contacts.pools.resize((bodies.size() + bodyBlock - 1) / bodyBlock);
  const InteractionRecord* last = nullptr;
  for (const InteractionRecord& r : records) {
    if (last && last->key == r.key) continue;  // listed twice: the first one counts
    if (pair(r).second < bodies.driven || r.key.i == r.key.j) continue;
    last = &r;
    if (contacts.rows.empty() || pairOf(contacts.rows.back()) != pair(r)) {
      PairRow row;
      row.a = pair(r).first;
      row.b = pair(r).second;
      row.first = static_cast<std::uint32_t>(contacts.poolOf(row).candidates.size());
      setUp(row);
      contacts.rows.push_back(row);
    }
    PairRow& row = contacts.rows.back();
    RowPool& pool = contacts.poolOf(row);
    ++row.count;
    ++row.room;
    pool.candidates.push_back(candidateOf(r));
    pool.asRockable.push_back({r.damp, r.vel, {r.dn, r.fn, r.ft, r.mom}});
  }
  indexRows(contacts, bodies.size());
}

void ReferenceList::update(const Bodies& bodies, std::span<const Placed> placed, double bodySkin,
                           double skin, double steps,
                           std::span<const std::pair<BodyId, BodyId>> bonded, const Images* images,
                           int threads, PairSetup setUp, Contacts& contacts) const {
  const std::size_t n = bodies.size();
  std::vector<PlacedBox> boxes(n);
  std::vector<shape::Aabb> around(n);
  parallelFor(threads, n, [&](std::size_t k) {
    const Placed& p = placed[k];
    const Box& box = boxes_[bodies.shape[k]];
    boxes[k] = {p.pos + p.arm(box.local.centre), p.scale * box.local.extent,
                p.turn * box.local.axes * (1.0 / p.scale)};
    const Vec3 half = boxes[k].axes.cwiseAbs() * (boxes[k].half.array() + 0.5 * bodySkin).matrix();
    // The test of boxes has an addend in favour of meeting; so has this one, in excess of it.
    const double more = 1e-5 * (half.norm() + std::abs(bodySkin));
    around[k].low = (boxes[k].centre - half).array() - more;
    around[k].high = (boxes[k].centre + half).array() + more;
    if (images) around[k].move(-images->offset(images->cellsOff(p.pos)));
  });
  std::vector<std::pair<BodyId, BodyId>> pairs =
      images ? overlappingImages(around, images->h, bodies.driven, threads)
             : overlappingPairs(around, bodies.driven, threads);
  if (!bonded.empty())
    std::erase_if(pairs, [&](const std::pair<BodyId, BodyId>& pair) {
      return std::binary_search(bonded.begin(), bonded.end(), pair);
    });
  std::vector<Entries> found(pairs.size());
  std::vector<char> meeting(pairs.size(), 0);
  const auto oldRow = [&](const std::pair<BodyId, BodyId>& pair) {
    const auto row =
        std::lower_bound(contacts.rows.begin(), contacts.rows.end(), pair,
                         [](const PairRow& x, const auto& y) { return pairOf(x) < y; });
    return row != contacts.rows.end() && pairOf(*row) == pair ? &*row : nullptr;
  };
  const auto listedIn = [&](const PairRow* row) {
    return row ? std::as_const(contacts).candidatesOf(*row) : std::span<const Candidate>();
  };
  parallelFor(
      threads, pairs.size(),
      [&](std::size_t m) {
        const auto [a, b] = pairs[m];
        Placed second = placed[b];
        PlacedBox boxB = boxes[b];
        Vec3 offset = Vec3::Zero();
        if (images) {
          const CellShift nearest = images->nearest(placed[a].pos - placed[b].pos);
          offset = images->offset(nearest);
          second = imageOf(placed[b], *images, nearest);
          boxB.centre += offset;
        }
        if (!meet(grown(boxes[a], 0.5 * bodySkin), grown(boxB, 0.5 * bodySkin))) return;
        meeting[m] = 1;
        const double longest = std::max(placed[a].scale * boxes_[bodies.shape[a]].longestEdge,
                                        placed[b].scale * boxes_[bodies.shape[b]].longestEdge);
        found[m] = PairSearch(placed[a], second, boxes[a], boxB, offset, skin)
                       .listed(listedIn(oldRow(pairs[m])), longest,
                               quickening * steps * (bodies.lastMove[a] + bodies.lastMove[b]));
      },
      8);

  // Rows of near pairs as found, rows of others as they are: both sorted, so they merge.
  Contacts fresh;
  fresh.driven = bodies.driven;
  fresh.pools.resize(contacts.pools.size());
  const auto open = [&](const PairRow* old, const std::pair<BodyId, BodyId>& pair) {
    PairRow row;
    if (old) row = *old;
    row.a = pair.first;
    row.b = pair.second;
    row.first = static_cast<std::uint32_t>(fresh.poolOf(row).candidates.size());
    row.count = 0;
    return row;
  };
  const auto add = [&](PairRow& row, const Candidate& c, const ContactAsRockable& contact) {
    RowPool& pool = fresh.poolOf(row);
    pool.candidates.push_back(c);
    pool.asRockable.push_back(contact);
    ++row.count;
  };
  const auto close = [&](PairRow row) {
    row.room = row.count;
    if (row.count > 0) fresh.rows.push_back(row);
  };
  auto old = contacts.rows.begin();
  const auto keepUpTo = [&](const std::pair<BodyId, BodyId>& end) {
    for (; old != contacts.rows.end() && pairOf(*old) < end; ++old) {
      PairRow row = open(&*old, pairOf(*old));
      for (std::uint32_t k = 0; k < old->count; ++k)
        add(row, contacts.candidatesOf(*old)[k], contacts.asRockableOf(*old)[k]);
      close(row);
    }
  };
  for (std::size_t m = 0; m < pairs.size(); ++m) {
    if (!meeting[m]) continue;
    keepUpTo(pairs[m]);
    const PairRow* from = old != contacts.rows.end() && pairOf(*old) == pairs[m] ? &*old : nullptr;
    PairRow row = open(from, pairs[m]);
    setUp(row);  // what is new has the viscosity of the parameters of now
    std::size_t at = 0;
    for (std::size_t k = 0; k < found[m].candidates.size(); ++k) {
      const Candidate& c = found[m].candidates[k];
      if (found[m].fresh[k]) {
        add(row, c, {row.damp, Vec3::Zero(), {}});
      } else {
        while (contacts.candidatesOf(*from)[at].order() != c.order()) ++at;
        add(row, contacts.candidatesOf(*from)[at], contacts.asRockableOf(*from)[at]);
      }
    }
    close(row);
    if (from) ++old;
  }
  keepUpTo({static_cast<BodyId>(n), 0});
  indexRows(fresh, n);
  contacts = std::move(fresh);
}

}  // namespace scree::sim
