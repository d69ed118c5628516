// SPDX-License-Identifier: GPL-3.0-or-later
#include "near_pairs.hpp"

#include "detect/broad_phase.hpp"
#include "detect/near_distance.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::sim {
namespace {

double reachOf(const BodyPose& p) { return p.shape->boundingRadius * p.scale + p.radius; }

template <class T>
void appendRange(const std::vector<T>& from, std::size_t first, std::size_t count,
                 std::vector<T>& to) {
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
  to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
}

/// In its place where that is hardly too large.
template <class T>
void keepCopy(const std::vector<T>& from, std::vector<T>& to) {
  if (to.capacity() > from.size() + from.size() / 4) to = {};
  to.assign(from.begin(), from.end());
}

/// Codes of one word: pairing, swapped, and 14 bits for each of the two numbers.
constexpr std::uint32_t subBits = 14, subMask = (1U << subBits) - 1U;

}  // namespace

bool NearPairs::complete() const {
  return margin_ >= 0.0 && std::ranges::all_of(path_, [&](double path) { return path <= margin_; });
}

void NearPairs::append(const Candidate& c, Pool& pool) const {
  pool.skipUntil.push_back(0.0F);
  const std::uint32_t kind = static_cast<std::uint32_t>(c.pairing) | (c.swapped ? 4U : 0U);
  if (words_ == 1) {
    pool.codes.push_back(kind << (2 * subBits) | c.iSub << subBits | c.jSub);
  } else {
    pool.codes.push_back(kind << 29 | c.jSub);
    pool.codes.push_back(c.iSub);
  }
}

Candidate NearPairs::candidate(std::size_t block, const Pair& pair, std::size_t k) const {
  const std::uint32_t* code = pools_[block].codes.data() + words_ * (pair.first + k);
  const std::uint32_t kind = words_ == 1 ? *code >> (2 * subBits) : *code >> 29;
  const auto pairing = static_cast<Pairing>(kind & 3U);
  if (words_ == 1) return {*code >> subBits & subMask, *code & subMask, pairing, (kind & 4U) != 0};
  return {code[1], *code & (mostSubElements - 1), pairing, (kind & 4U) != 0};
}

std::size_t NearPairs::bytes() const {
  std::size_t sum = path_.capacity() * sizeof(double) + pairs_.capacity() * sizeof(Pair) +
                    shifts_.capacity() * sizeof(CellShift) + pools_.capacity() * sizeof(Pool);
  for (const Pool& pool : pools_)
    sum += pool.skipUntil.capacity() * sizeof(float) +
           pool.codes.capacity() * sizeof(*pool.codes.data());
  return sum;
}

void NearPairs::free() {
  margin_ = -1.0;
  pairs_ = {};
  shifts_ = {};
  pools_ = {};
}

void NearPairs::rebuild(const PoseOf& poseOf, std::size_t driven, double margin,
                        const Images* images, int threads) {
  free();
  std::vector<shape::Aabb> boxes(path_.size());
  std::vector<Vec3> centres(path_.size());
  std::vector<double> reach(path_.size());
  double farthest = 0.0;
  for (std::size_t k = 0; k < path_.size(); ++k) {
    const BodyPose p = poseOf(k);
    boxes[k] = boxOf(p, margin + p.radius);
    if (images) boxes[k].move(-images->offset(images->cellsOff(p.pos)));
    centres[k] = p.pos;
    reach[k] = reachOf(p);
    farthest = std::max(farthest, p.pos.cwiseAbs().maxCoeff() + reach[k]);
  }
  auto near = images ? overlappingImages(boxes, images->h, static_cast<BodyId>(driven), threads)
                     : overlappingPairs(boxes, static_cast<BodyId>(driven), threads);
  boxes = {};
  margin_ = margin;
  slack_ = 4.0 * roundingMargin * farthest;
  const auto apart = [&](const std::pair<BodyId, BodyId>& pair) {
    Vec3 d = centres[pair.first] - centres[pair.second];
    if (images) d -= images->offset(images->nearest(d));
    const double most = reach[pair.first] + reach[pair.second] + 2.0 * margin + slack_;
    return d.squaredNorm() > most * most;
  };
  std::erase_if(near, apart);
  pairs_.resize(near.size());
  for (std::size_t r = 0; r < near.size(); ++r) {
    pairs_[r].a = near[r].first;
    pairs_[r].b = near[r].second;
  }
  if (images) shifts_.resize(near.size(), CellShift::Zero());
  pools_.resize((near.size() + together - 1) / together);
  std::ranges::fill(path_, 0.0);
}

void NearPairs::renew(std::size_t block, const PoseOf& poseOf, double skin, const Images* images,
                      Scratch& scratch) {
  const std::span<Pair> pairs = this->block(block);
  const auto holds = [&](const Pair& p) { return path(p) < static_cast<double>(p.expires); };
  if (std::ranges::all_of(pairs, holds)) return;
  Pool &pool = pools_[block], &fresh = scratch.pool;
  fresh.skipUntil.clear();
  fresh.codes.clear();
  for (Pair& pair : pairs) {
    const auto first = static_cast<std::uint32_t>(fresh.skipUntil.size());
    if (holds(pair)) {
      appendRange(pool.skipUntil, pair.first, pair.count, fresh.skipUntil);
      appendRange(pool.codes, words_ * pair.first, words_ * pair.count, fresh.codes);
      pair.first = first;
      continue;
    }
    const BodyPose a = poseOf(pair.a), b = poseOf(pair.b);
    NearSubElements& found = scratch.found;
    if (images) {
      CellShift& shift = shifts_[static_cast<std::size_t>(&pair - pairs_.data())];
      shift = images->nearest(a.pos - b.pos);
      const BodyPose image = imageOf(b, *images, shift);
      findNear(a, image, skin, found);
      // Nor can another image touch before it has come near.
      const double sum = reachOf(a) + reachOf(image);
      found.gap = std::min({found.gap, sum, images->othersBeyond(a.pos - image.pos) - sum});
    } else {
      findNear(a, b, skin, found);
    }
    pair.first = first;
    pair.count = static_cast<std::uint32_t>(found.candidates.size());
    for (const Candidate& c : found.candidates) append(c, fresh);
    const double now = path(pair);
    pair.expires = bound(now + found.gap);
    pair.skipUntil = pair.count > 0 ? -1.0F : pair.expires;
  }
  keepCopy(fresh.skipUntil, pool.skipUntil);
  keepCopy(fresh.codes, pool.codes);
}

}  // namespace scree::sim
