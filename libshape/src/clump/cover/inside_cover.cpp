// SPDX-License-Identifier: GPL-3.0-or-later
#include "inside_cover.hpp"

#include "base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace scree::clump::detail {
namespace {

constexpr std::size_t largestGroup = 4;  // orbits that are placed again together
constexpr double roundsForEach = 15.0;   // orbit
constexpr double spread = 0.3;  // of the gains from which the search chooses at random, relative
constexpr double spreadOfOrbits = 0.6;  // the same for few orbits, whose sizes must vary
// One ball of n adds about 3/n² of the volume. Early rounds may keep a loss of a tenth of that;
// what loses half of it after a few steps is given up.
constexpr double warmth = 0.3, hopeless = 1.5;

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

double smallShare(std::size_t count) {
  return 1.0 / (static_cast<double>(count) * static_cast<double>(count));
}

bool same(const Ball& a, const Ball& b) { return a.centre == b.centre && a.radius == b.radius; }

}  // namespace

InsideCover::InsideCover(CandidatePool& pool, const SymmetryGroup& group,
                         const InsideAscent& ascent, double size, std::uint64_t seed)
    : pool_(pool),
      group_(group),
      ascent_(ascent),
      size_(size),
      seed_(seed),
      random_(seed),
      spread_(spread) {}

InsideCover::~InsideCover() { pool_.uncover(imagesOf(group_, at_.orbits)); }

bool InsideCover::addBest(std::size_t count) {
  if (balls().size() >= count) return false;
  const std::size_t best = pool_.best(count - balls().size(), 0.0, random_);
  if (best == pool_.candidates().size()) return false;
  addCandidate(best);
  return true;
}

bool InsideCover::addBestOf(std::span<const std::uint32_t> kinds, std::uint32_t kind) {
  const std::size_t best = pool_.bestOf(kinds, kind);
  if (best == pool_.candidates().size()) return false;
  addCandidate(best);
  return true;
}

void InsideCover::addCandidate(std::size_t which) {
  std::vector<Orbit> orbits = at_.orbits;
  std::vector<std::int32_t> from(orbits.size());
  std::iota(from.begin(), from.end(), 0);
  from.push_back(-1);
  orbits.push_back(pool_.candidates()[which]);
  pool_.cover(imagesOf(group_, orbits.back()));
  at_ = ascent_.changed(at_, std::move(orbits), from);
}

void InsideCover::begin(std::vector<Orbit> orbits) {
  random_ = Rng(seed_);
  spread_ = spreadOfOrbits;
  replace(orbits.empty() ? PlacedOrbits{} : ascent_.placed(std::move(orbits)));
}

/// Makes `next` the current balls; the pool follows.
void InsideCover::replace(PlacedOrbits next) {
  pool_.uncover(imagesOf(group_, at_.orbits));
  at_ = std::move(next);
  pool_.cover(imagesOf(group_, at_.orbits));
}

void InsideCover::settle() {
  PlacedOrbits moved = at_;
  ascent_.climb(moved, std::vector<char>(moved.orbits.size(), 1),
                {0.03 * size_, 1e-6 * size_, 60, 1e-7});
  replace(std::move(moved));
}

void InsideCover::dropLeast() {
  std::size_t least = 0;
  double loss = std::numeric_limits<double>::max();
  for (std::size_t k = 0; k < at_.orbits.size(); ++k) {
    const std::vector<Ball> images = imagesOf(group_, at_.orbits[k]);
    const std::int64_t before = pool_.covered();
    pool_.uncover(images);
    const double here =
        static_cast<double>(before - pool_.covered()) / static_cast<double>(images.size());
    pool_.cover(images);
    if (here < loss) loss = here, least = k;
  }
  std::vector<Orbit> left = at_.orbits;
  left.erase(left.begin() + static_cast<std::ptrdiff_t>(least));
  replace(ascent_.placed(std::move(left)));
}

/// A random orbit and some of those nearest to it, as indices in ascending order.
std::vector<std::size_t> InsideCover::groupToReplace() {
  const std::vector<Orbit>& orbits = at_.orbits;
  const std::size_t first = below(random_, orbits.size());
  const std::size_t size = 1 + below(random_, std::min(largestGroup, orbits.size() - 1));
  std::vector<std::pair<double, std::size_t>> near;
  for (std::size_t k = 0; k < orbits.size(); ++k) {
    double away = k == first ? -1e300 : 1e300;
    for (const Ball& image : imagesOf(group_, orbits[k]))
      away = std::min(away, (image.centre - orbits[first].ball.centre).norm());
    near.push_back({away - random_.uniform() * orbits[k].ball.radius, k});
  }
  std::sort(near.begin(), near.end());
  std::vector<std::size_t> gone;
  for (std::size_t k = 0; k < size; ++k) gone.push_back(near[k].second);
  std::sort(gone.begin(), gone.end());
  return gone;
}

/// Other balls in place of the orbits `gone`; kept where no more than `allowed` of volume is lost.
bool InsideCover::tryOther(std::size_t count, const std::vector<std::size_t>& gone,
                           double allowed) {
  std::vector<Orbit> removed, trial;
  std::vector<std::int32_t> from;
  std::size_t room = count - balls().size();
  for (std::size_t k = 0; k < at_.orbits.size(); ++k) {
    if (std::binary_search(gone.begin(), gone.end(), k)) {
      removed.push_back(at_.orbits[k]);
      room += removed.back().size();
    } else {
      trial.push_back(at_.orbits[k]);
      from.push_back(static_cast<std::int32_t>(k));
    }
  }
  pool_.uncover(imagesOf(group_, removed));
  const std::size_t kept = trial.size();
  while (room > 0) {
    const std::size_t next = pool_.best(room, spread_, random_);
    if (next == pool_.candidates().size()) break;
    trial.push_back(pool_.candidates()[next]);
    from.push_back(-1);
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
  const std::vector<Orbit> start = trial;
  PlacedOrbits placed = ascent_.changed(at_, std::move(trial), from);
  ascent_.climb(placed, active, {0.03 * size_, 5e-4 * size_, 3});
  if (placed.volume() > at_.volume() * (1.0 - hopeless * smallShare(count)))
    ascent_.climb(placed, active, {0.015 * size_, 5e-4 * size_, 8});
  if (!(placed.volume() > at_.volume() - allowed)) {
    for (std::size_t k = kept; k < start.size(); ++k) pool_.uncover(imagesOf(group_, start[k]));
    pool_.cover(imagesOf(group_, removed));
    return false;
  }
  for (std::size_t k = 0; k < start.size(); ++k)
    if (!same(start[k].ball, placed.orbits[k].ball)) {
      pool_.uncover(imagesOf(group_, start[k]));
      pool_.cover(imagesOf(group_, placed.orbits[k]));
    }
  at_ = std::move(placed);
  return true;
}

void InsideCover::search(std::size_t count, double effort, double goal,
                         FunctionRef<void(double)> progress) {
  while (addBest(count)) {
  }
  settle();
  PlacedOrbits best = at_;
  const int rounds =
      static_cast<int>(effort * roundsForEach * static_cast<double>(at_.orbits.size()));
  for (int round = 0; round < rounds && best.volume() < goal && at_.orbits.size() > 1; ++round) {
    const double share = static_cast<double>(round) / static_cast<double>(rounds);
    const double allowed = -warmth * smallShare(count) * (1.0 - share) * at_.volume() *
                           elementary::log(std::max(1e-300, 1.0 - random_.uniform()));
    if (tryOther(count, groupToReplace(), allowed) && volume() > best.volume()) best = at_;
    progress(share);
  }
  replace(std::move(best));
  settle();
}

}  // namespace scree::clump::detail
