// SPDX-License-Identifier: GPL-3.0-or-later
#include "inside_cover.hpp"

#include "base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree::clump::detail {
namespace {

constexpr std::size_t largestGroup = 4;  // orbits that are placed again together
constexpr int roundsForEach = 18;        // orbit, where there are few
constexpr double spread = 0.3;   // of the gains from which the search chooses at random, relative
constexpr double warmth = 2e-4;  // loss of volume that early rounds may keep, relative

std::size_t below(Rng& random, std::size_t count) {
  return std::min(count - 1,
                  static_cast<std::size_t>(random.uniform() * static_cast<double>(count)));
}

/// Whether two orbits come so close that moving one may pay for the other.
bool meet(const SymmetryGroup& group, const Orbit& a, const Orbit& b) {
  const double reach = 0.8 * (a.ball.radius + b.ball.radius);
  for (const Ball& image : imagesOf(group, b))
    if ((image.centre - a.ball.centre).squaredNorm() < reach * reach) return true;
  return false;
}

bool same(const Ball& a, const Ball& b) { return a.centre == b.centre && a.radius == b.radius; }

}  // namespace

InsideCover::InsideCover(CandidatePool& pool, const SymmetryGroup& group,
                         const InsideAscent& ascent, double size, std::uint64_t seed)
    : pool_(pool), group_(group), ascent_(ascent), size_(size), random_(seed) {}

InsideCover::~InsideCover() { pool_.uncover(imagesOf(group_, orbits_)); }

/// The candidate of at most `room` balls that gains most for each of its balls; the number of
/// candidates where none gains. With `noise`, one of those that gain nearly as much.
std::size_t InsideCover::chosen(std::size_t room, double noise) {
  const auto& candidates = pool_.candidates();
  const auto worth = [&](std::size_t k) {
    return candidates[k].size() > room
               ? 0.0
               : static_cast<double>(pool_.gain(k)) / static_cast<double>(candidates[k].size());
  };
  std::size_t best = candidates.size();
  double most = 0.0;
  for (std::size_t k = 0; k < candidates.size(); ++k)
    if (const double here = worth(k); here > most) most = here, best = k;
  if (noise == 0.0 || best == candidates.size()) return best;
  const double enough = (1.0 - noise) * most;
  most = 0.0;
  for (std::size_t k = 0; k < candidates.size(); ++k)
    if (double here = worth(k); here > enough) {
      here *= 1.0 + noise * random_.uniform();
      if (here > most) most = here, best = k;
    }
  return best;
}

bool InsideCover::addBest(std::size_t count) {
  if (count_ >= count) return false;
  const std::size_t best = chosen(count - count_, 0.0);
  if (best == pool_.candidates().size()) return false;
  orbits_.push_back(pool_.candidates()[best]);
  count_ += orbits_.back().size();
  pool_.cover(imagesOf(group_, orbits_.back()));
  volume_ = ascent_.volume(orbits_);
  return true;
}

/// Makes `orbits` the current ones; the pool follows.
void InsideCover::replace(const std::vector<Orbit>& orbits) {
  pool_.uncover(imagesOf(group_, orbits_));
  orbits_ = orbits;
  pool_.cover(imagesOf(group_, orbits_));
  count_ = 0;
  for (const Orbit& orbit : orbits_) count_ += orbit.size();
}

void InsideCover::settle() {
  std::vector<Orbit> moved = orbits_;
  const std::vector<char> all(moved.size(), 1);
  volume_ = ascent_.climb(moved, volume_, all, {0.03 * size_, 1e-5 * size_, 60});
  replace(moved);
}

void InsideCover::dropLeast() {
  std::size_t least = 0;
  double loss = std::numeric_limits<double>::max();
  for (std::size_t k = 0; k < orbits_.size(); ++k) {
    const std::vector<Ball> images = imagesOf(group_, orbits_[k]);
    const std::int64_t before = pool_.covered();
    pool_.uncover(images);
    const double here =
        static_cast<double>(before - pool_.covered()) / static_cast<double>(images.size());
    pool_.cover(images);
    if (here < loss) loss = here, least = k;
  }
  std::vector<Orbit> left = orbits_;
  left.erase(left.begin() + static_cast<std::ptrdiff_t>(least));
  replace(left);
  volume_ = ascent_.volume(orbits_);
}

void InsideCover::search(std::size_t count, int rounds, double goal,
                         FunctionRef<void(double)> progress) {
  while (addBest(count)) {
  }
  settle();
  std::vector<Orbit> best = orbits_;
  double bestVolume = volume_;
  rounds = std::min(rounds, roundsForEach * static_cast<int>(orbits_.size()));
  for (int round = 0; round < rounds && bestVolume < goal && orbits_.size() > 1; ++round) {
    const double share = static_cast<double>(round) / static_cast<double>(rounds);
    // A random orbit and some of those nearest to it go.
    const Orbit first = orbits_[below(random_, orbits_.size())];
    const std::size_t size = 1 + below(random_, std::min(largestGroup, orbits_.size() - 1));
    std::vector<std::pair<double, std::size_t>> near;
    for (std::size_t k = 0; k < orbits_.size(); ++k) {
      double away = same(orbits_[k].ball, first.ball) ? -1e300 : 1e300;
      for (const Ball& image : imagesOf(group_, orbits_[k]))
        away = std::min(away, (image.centre - first.ball.centre).norm());
      near.push_back({away - random_.uniform() * orbits_[k].ball.radius, k});
    }
    std::sort(near.begin(), near.end());
    near.resize(size);
    std::vector<char> gone(orbits_.size(), 0);
    std::vector<Orbit> removed, trial;
    for (const auto& entry : near) gone[entry.second] = 1;
    std::size_t room = count - count_;
    for (std::size_t k = 0; k < orbits_.size(); ++k) {
      (gone[k] ? removed : trial).push_back(orbits_[k]);
      if (gone[k]) room += orbits_[k].size();
    }
    // Others come.
    pool_.uncover(imagesOf(group_, removed));
    const std::size_t kept = trial.size();
    while (room > 0) {
      const std::size_t next = chosen(room, spread);
      if (next == pool_.candidates().size()) break;
      trial.push_back(pool_.candidates()[next]);
      room -= trial.back().size();
      pool_.cover(imagesOf(group_, trial.back()));
    }
    // What is near them moves.
    std::vector<char> active(trial.size(), 1);
    for (std::size_t k = 0; k < kept; ++k) {
      active[k] = 0;
      for (std::size_t j = kept; j < trial.size() && !active[k]; ++j)
        active[k] = meet(group_, trial[k], trial[j]);
      for (std::size_t j = 0; j < removed.size() && !active[k]; ++j)
        active[k] = meet(group_, trial[k], removed[j]);
    }
    const std::vector<Orbit> placed = trial;
    const double volume =
        ascent_.climb(trial, ascent_.volume(trial), active, {0.03 * size_, 5e-4 * size_, 8});
    const double allowed = -warmth * (1.0 - share) * volume_ *
                           elementary::log(std::max(1e-300, 1.0 - random_.uniform()));
    if (volume > volume_ - allowed) {
      for (std::size_t k = 0; k < trial.size(); ++k)
        if (!same(trial[k].ball, placed[k].ball)) {
          pool_.uncover(imagesOf(group_, placed[k]));
          pool_.cover(imagesOf(group_, trial[k]));
        }
      count_ = count - room;
      orbits_ = std::move(trial);
      volume_ = volume;
      if (volume_ > bestVolume) bestVolume = volume_, best = orbits_;
    } else {
      for (std::size_t k = kept; k < placed.size(); ++k) pool_.uncover(imagesOf(group_, placed[k]));
      pool_.cover(imagesOf(group_, removed));
    }
    progress(share);
  }
  replace(best);
  volume_ = bestVolume;
  settle();
}

}  // namespace scree::clump::detail
