// SPDX-License-Identifier: GPL-3.0-or-later
#include "compat/reference_list.hpp"

#include "contact/listed_reach.hpp"
#include "detect/broad_phase.hpp"
#include "engine/state.hpp"
#include "model/thread_shares.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <iterator>

namespace scree::sim {
namespace {

/// Factor by which bodies may speed up between lists before a vertex past an edge can be missed.
constexpr double quickening = 8.0;

/// An oriented box in global axes. Its own axes are the columns of `axes`; lengths in [L].
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

/// Difference between the list of one pair and the one before, in the order of files.
struct Changes {
  std::vector<Candidate> fresh, gone;
};

/// The key that files have for a candidate of a pair.
ContactKey keyOf(const std::pair<BodyId, BodyId>& pair, const Candidate& c) {
  return {c.swapped ? pair.second : pair.first, c.swapped ? pair.first : pair.second, c.pairing,
          c.iSub, c.jSub};
}

class PairSearch {
 public:
  PairSearch(const BodyPose& a, const BodyPose& b, const PlacedBox& boxA, const PlacedBox& boxB,
             double skin)
      : a_(a), b_(b), boxA_(grown(boxA, skin)), boxB_(grown(boxB, skin)), skin_(skin) {}

  /// Changes of the list, given the old one. @param old  in the order of files
  /// @param motion  [L] bound on the approach of two points before the next lists
  Changes changes(std::span<const Candidate> old, double longestEdge, double motion) {
    // Past its ends an edge has a margin of `skin` times its length (Q2), which may be far. But a
    // vertex there acts only once it is beside the edge itself, so the search goes no farther than
    // bodies may move before the next lists.
    const double rounding = a_.radius + b_.radius, reach = rounding + skin_;
    const double past = std::max(skin_, 0.0) * longestEdge;
    const double full = std::sqrt(past * past + reach * reach) - rounding;
    const double look = std::min(full, std::max(skin_, motion)) * (1.0 + 1e-9);
    NearSubElements found;
    if (reach > 0.0) findNear(a_, b_, look, found);
    std::erase_if(found.candidates, [this](const Candidate& c) { return !(near(c) && tested(c)); });
    Changes out;
    const auto order = [](const Candidate& c) { return c.order(); };
    std::ranges::set_difference(found.candidates, old, std::back_inserter(out.fresh), {}, order,
                                order);
    std::ranges::set_difference(old, found.candidates, std::back_inserter(out.gone), {}, order,
                                order);
    std::erase_if(out.gone, [this](const Candidate& c) { return !tested(c); });
    return out;
  }

 private:
  bool near(const Candidate& c) const {
    const BodyPose &i = c.swapped ? b_ : a_, &j = c.swapped ? a_ : b_;
    return listedReach(c, i, j, i.pos - j.pos, skin_).near;
  }
  /// Whether a candidate is tested: edges always, a vertex if a cube about it meets the other box.
  bool tested(const Candidate& c) {
    if (c.pairing == Pairing::edgeEdge) return true;
    if (known_ && knownSwapped_ == c.swapped && knownVertex_ == c.iSub) return knownTested_;
    const BodyPose& i = c.swapped ? b_ : a_;
    const PlacedBox cube{i.pos + i.arm(i.shape->vertices[c.iSub]), Vec3::Constant(i.radius + skin_),
                         Mat3::Identity()};
    known_ = true;
    knownSwapped_ = c.swapped;
    knownVertex_ = c.iSub;
    knownTested_ = meet(cube, c.swapped ? boxA_ : boxB_);
    return knownTested_;
  }

  const BodyPose &a_, &b_;
  PlacedBox boxA_, boxB_;
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
    // Rockable takes a missing box for a point and misses contacts; here it is computed (Q24).
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
    if (contacts.pairs.empty() || contacts.pairs.back().bodies() != pair(r)) {
      NeighbourPair nearPair{pair(r).first, pair(r).second};
      nearPair.first = static_cast<std::uint32_t>(contacts.poolOf(nearPair).candidates.size());
      setUp(nearPair);
      contacts.pairs.push_back(nearPair);
    }
    NeighbourPair& nearPair = contacts.pairs.back();
    PairPool& pool = contacts.poolOf(nearPair);
    ++nearPair.count;
    ++nearPair.room;
    pool.candidates.push_back(candidateOf(r));
    pool.listed.push_back({r.damp, r.vel, {r.dn, r.fn, r.ft, r.mom}});
  }
  indexPairs(contacts, bodies.size());
}

void ReferenceList::update(const Bodies& bodies, std::span<const BodyPose> poses, double bodySkin,
                           double skin, double steps,
                           std::span<const std::pair<BodyId, BodyId>> bonded, int threads,
                           PairSetup setUp, Contacts& contacts) const {
  const std::size_t n = bodies.size();
  std::vector<PlacedBox> boxes(n);
  std::vector<shape::Aabb> around(n);
  parallelFor(
      threads, n,
      [&](std::size_t k) {
        const BodyPose& p = poses[k];
        const Box& box = boxes_[bodies.shape[k]];
        boxes[k] = {p.pos + p.arm(box.local.centre), p.scale * box.local.extent,
                    p.turn * box.local.axes * (1.0 / p.scale)};
        const Vec3 half =
            boxes[k].axes.cwiseAbs() * (boxes[k].half.array() + 0.5 * bodySkin).matrix();
        // Slightly larger than the addend in meet() needs, so that no pair is missed.
        const double more = 1e-5 * (half.norm() + std::abs(bodySkin));
        around[k].low = (boxes[k].centre - half).array() - more;
        around[k].high = (boxes[k].centre + half).array() + more;
      },
      bodyGrain);
  const std::vector<std::pair<BodyId, BodyId>> pairs = overlappingPairs(
      around, bodies.driven, threads,
      [&](BodyId a, BodyId b) { return !std::ranges::binary_search(bonded, std::pair(a, b)); });
  std::vector<Changes> changes(pairs.size());
  const auto listedOf = [&](const std::pair<BodyId, BodyId>& pair) -> std::span<const Candidate> {
    const auto old = std::ranges::lower_bound(contacts.pairs, pair, {}, &NeighbourPair::bodies);
    if (old == contacts.pairs.end() || old->bodies() != pair) return {};
    return std::as_const(contacts).candidatesOf(*old);
  };
  parallelFor(
      threads, pairs.size(),
      [&](std::size_t m) {
        const auto [a, b] = pairs[m];
        if (!meet(grown(boxes[a], 0.5 * bodySkin), grown(boxes[b], 0.5 * bodySkin))) return;
        const double longest = std::max(poses[a].scale * boxes_[bodies.shape[a]].longestEdge,
                                        poses[b].scale * boxes_[bodies.shape[b]].longestEdge);
        changes[m] = PairSearch(poses[a], poses[b], boxes[a], boxes[b], skin)
                         .changes(listedOf(pairs[m]), longest,
                                  quickening * steps * (bodies.lastMove[a] + bodies.lastMove[b]));
      },
      8);

  std::vector<InteractionRecord> records = listedContacts(contacts);
  std::vector<ContactKey> gone;
  for (std::size_t m = 0; m < pairs.size(); ++m) {
    for (const Candidate& c : changes[m].gone) gone.push_back(keyOf(pairs[m], c));
    NeighbourPair now{pairs[m].first, pairs[m].second};
    if (!changes[m].fresh.empty()) setUp(now);  // with the present viscosity
    for (const Candidate& c : changes[m].fresh) {
      InteractionRecord& r = records.emplace_back();
      r.key = keyOf(pairs[m], c);
      r.damp = now.damp;
    }
  }
  std::ranges::sort(gone);
  std::erase_if(
      records, [&](const InteractionRecord& r) { return std::ranges::binary_search(gone, r.key); });
  adopt(std::move(records), bodies, setUp, contacts);
}

}  // namespace scree::sim
