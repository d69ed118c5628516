// SPDX-License-Identifier: GPL-3.0-or-later
#include "near_pairs.hpp"

#include "detect/broad_phase.hpp"
#include "detect/near_distance.hpp"

#include <cmath>
#include <utility>

namespace scree::sim {
namespace {

double reachOf(const BodyPose& p) { return p.shape->boundingRadius * p.scale + p.radius; }

}  // namespace

bool NearPairs::complete() const {
  return margin_ >= 0.0 && std::ranges::all_of(path_, [&](double path) { return path <= margin_; });
}

std::size_t NearPairs::bytes() const {
  std::size_t sum = path_.capacity() * sizeof(double) + pairs_.capacity() * sizeof(Pair) +
                    shifts_.capacity() * sizeof(CellShift) + pools_.capacity() * sizeof(pools_[0]);
  for (const std::vector<Sub>& pool : pools_) sum += pool.capacity() * sizeof(Sub);
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
  std::erase_if(near, [&](const std::pair<BodyId, BodyId>& pair) {
    Vec3 d = centres[pair.first] - centres[pair.second];
    if (images) d -= images->offset(images->nearest(d));
    const double most = reach[pair.first] + reach[pair.second] + 2.0 * margin + slack_;
    return d.squaredNorm() > most * most;
  });
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
  std::vector<Sub>&pool = pools_[block], &fresh = scratch.pool;
  fresh.clear();
  for (Pair& pair : pairs) {
    const auto first = static_cast<std::uint32_t>(fresh.size());
    if (holds(pair)) {
      const std::span<Sub> kept = candidates(block, pair);
      fresh.insert(fresh.end(), kept.begin(), kept.end());
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
    for (const Candidate& c : found.candidates) fresh.emplace_back(c);
    pair.expires = bound(path(pair) + found.gap);
    pair.skipUntil = pair.count > 0 ? -1.0F : pair.expires;
  }
  // In its place where that is hardly too large.
  if (pool.capacity() > fresh.size() + fresh.size() / 4) pool = {};
  pool.assign(fresh.begin(), fresh.end());
}

}  // namespace scree::sim
