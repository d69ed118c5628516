// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit_cover.hpp"

#include "base/elementary.hpp"
#include "even_directions.hpp"

#include "scree/base/math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace scree::clump::detail {
namespace {

constexpr std::size_t samplesOnSphere = 320;
// One ball of n adds about 3/n² to the ratio. Early rounds may keep a loss of a tenth of that.
constexpr double warmth = 0.3;
constexpr double trades = 0.5;           // share of the rounds that trade a ball for one elsewhere
constexpr std::size_t largestGroup = 3;  // orbits that are placed again together

}  // namespace

FitCover::FitCover(const DepthField& depth, const std::vector<Orbit>& candidates,
                   const SymmetryGroup& group, Occupancy& grid, const RayVolumes& rays,
                   const Options& options)
    : depth_(depth),
      candidates_(candidates),
      group_(group),
      grid_(grid),
      rays_(rays),
      options_(options),
      directions_(evenDirections(samplesOnSphere)) {}

/// What a change of covered cubes is worth: cubes outside count against it.
double FitCover::value(const Occupancy::Count& count) const {
  return static_cast<double>(count.in) -
         std::max(0.5, grid_.iou()) * static_cast<double>(count.out);
}

/// What an orbit would be worth, for each of its balls.
double FitCover::gain(const Orbit& orbit) {
  if (orbit.size() == 1) return value(grid_.gain(orbit.ball));
  const Occupancy::Count before = grid_.covered();
  const std::vector<Ball> images = imagesOf(group_, orbit);
  for (const Ball& image : images) grid_.add(image);
  const Occupancy::Count after = grid_.covered();
  for (const Ball& image : images) grid_.remove(image);
  return value({after.in - before.in, after.out - before.out}) / static_cast<double>(images.size());
}

/// What a chosen orbit gains beside the others, for each of its balls.
double FitCover::loss(const Orbit& orbit) {
  const std::vector<Ball> images = imagesOf(group_, orbit);
  for (const Ball& image : images) grid_.remove(image);
  const double gained = gain(orbit);
  for (const Ball& image : images) grid_.add(image);
  return gained;
}

void FitCover::remove(std::size_t which) {
  for (const Ball& image : imagesOf(group_, orbits_[which])) grid_.remove(image);
  count_ -= orbits_[which].size();
  orbits_.erase(orbits_.begin() + static_cast<std::ptrdiff_t>(which));
}

void FitCover::add(const Orbit& orbit) {
  for (const Ball& image : imagesOf(group_, orbit)) grid_.add(image);
  orbits_.push_back(orbit);
  count_ += orbit.size();
}

bool FitCover::addBest(std::size_t count, std::size_t stride, Rng* random) {
  constexpr double chance = 0.7;
  Orbit best;
  double most = 0.0;
  for (std::size_t k = orbits_.size() % stride; k < candidates_.size(); k += stride)
    for (const double more : {0.0, 0.02}) {
      if (count_ + candidates_[k].size() > count) continue;
      Orbit orbit = candidates_[k];
      if (options_.radius > 0.0) {
        if (more > 0.0) continue;
        orbit.ball.radius = options_.radius;
      } else {
        orbit.ball.radius += more * options_.size;
      }
      double here = gain(orbit);
      if (random) here *= 1.0 - chance * random->uniform();
      if (here > most) most = here, best = std::move(orbit);
    }
  if (most == 0.0) return addFirst([&](std::size_t k) { return candidates_[k].size() <= count; });
  add(best);
  return true;
}

/// Where no ball gains because all are larger than the solid, the first is that of the best ratio.
template <class Allowed>
bool FitCover::addFirst(Allowed&& allowed) {
  if (count_ > 0) return false;
  std::size_t best = candidates_.size();
  double most = 0.0;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    if (!allowed(k)) continue;
    add(sized(candidates_[k]));
    if (const double here = grid_.iou(); here > most) most = here, best = k;
    remove(0);
  }
  if (best == candidates_.size()) return false;
  add(sized(candidates_[best]));
  return true;
}

/// With the radius that equal balls have.
Orbit FitCover::sized(Orbit orbit) const {
  if (options_.radius > 0.0) orbit.ball.radius = options_.radius;
  return orbit;
}

bool FitCover::addBestOf(std::span<const std::uint32_t> kinds, std::uint32_t kind) {
  constexpr double larger = 0.02;  // than inside
  Orbit best;
  double most = 0.0;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    if (kinds[k] != kind) continue;
    Orbit orbit = candidates_[k];
    orbit.ball.radius =
        options_.radius > 0.0 ? options_.radius : orbit.ball.radius + larger * options_.size;
    if (const double here = gain(orbit); here > most) most = here, best = std::move(orbit);
  }
  if (most == 0.0) return addFirst([&](std::size_t k) { return kinds[k] == kind; });
  add(best);
  return true;
}

/// Marks the directions in which another ball covers the surface of this one: cones about the
/// other centres.
void FitCover::hideDirections(std::span<const Ball> balls, std::size_t which) {
  const Ball& ball = balls[which];
  hidden_.assign(directions_.size(), 0);
  for (std::size_t j = 0; j < balls.size(); ++j) {
    const Vec3 to = balls[j].centre - ball.centre;
    const double square = to.squaredNorm(), reach = balls[j].radius + ball.radius;
    if (j == which || square >= reach * reach) continue;
    const double least = (ball.radius * ball.radius + square - balls[j].radius * balls[j].radius) /
                         (2.0 * ball.radius);
    if (least > 0.0 && least * least >= square) continue;  // the other ball lies within
    const auto bound = static_cast<float>(least), u = static_cast<float>(to.x()),
               v = static_cast<float>(to.y()), w = static_cast<float>(to.z());
    const float *x = lanes_[0].data(), *y = lanes_[1].data(), *z = lanes_[2].data();
    std::int32_t* hidden = hidden_.data();
    const std::size_t count = hidden_.size();
    for (std::size_t k = 0; k < count; ++k)
      hidden[k] |= x[k] * u + y[k] * v + z[k] * w > bound ? 1 : 0;
  }
}

/// Slope of the ratio, but for a common factor, over centres and radii. @param blur  [L] depth over
/// which the weight goes from its value outside to that inside
template <class Depth>
void FitCover::slopes(double blur, const std::vector<char>& active, Depth&& depth,
                      std::vector<Slope>& out) {
  const double outside = grid_.iou();
  out.assign(orbits_.size(), {});
  const std::vector<Ball> balls = imagesOf(group_, orbits_);
  const Mat3 turn = turns_.orientation().toRotationMatrix();
  turned_.clear();
  for (std::vector<float>& lane : lanes_) lane.clear();
  for (const Vec3& direction : directions_) {
    turned_.push_back(turn * direction);
    for (int k = 0; k < 3; ++k)
      lanes_[static_cast<std::size_t>(k)].push_back(static_cast<float>(turned_.back()[k]));
  }
  for (std::size_t i = 0, first = 0; i < orbits_.size(); first += orbits_[i++].size()) {
    if (!active.empty() && !active[i]) continue;
    const Ball& ball = balls[first];
    hideDirections(balls, first);
    for (std::size_t k = 0; k < turned_.size(); ++k) {
      if (hidden_[k]) continue;
      const Vec3& n = turned_[k];
      const double d = std::clamp(depth(ball.centre + ball.radius * n, first) / blur, -1.0, 1.0);
      const double weight = (d > 0.0 ? d : outside * d) * ball.radius * ball.radius;
      out[i].radius += weight;
      out[i].centre += weight * n;
    }
    out[i].centre = orbits_[i].moves * out[i].centre;
  }
  if (options_.radius == 0.0) return;
  double sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < orbits_.size(); ++i) {
    sum += static_cast<double>(orbits_[i].size()) * out[i].radius;
    count += static_cast<double>(orbits_[i].size());
  }
  for (Slope& slope : out) slope.radius = sum / count;
}

void FitCover::replaceAll(std::vector<Orbit> orbits) {
  orbits_ = std::move(orbits);
  grid_.clear();
  count_ = 0;
  for (const Orbit& orbit : orbits_) {
    for (const Ball& image : imagesOf(group_, orbit)) grid_.add(image);
    count_ += orbit.size();
  }
}

void FitCover::remember() {
  const double here = iou();
  if (here <= bestIou_) return;
  bestIou_ = here;
  best_ = orbits_;
}

void FitCover::settle() {
  if (best_.empty()) return;
  replaceAll(best_);
  if (options_.radius > 0.0) options_.radius = orbits_.front().ball.radius;
}

void FitCover::descend(int steps, double firstStep, const std::vector<char>& active, bool ranked) {
  follow(
      {steps, firstStep, 0.003}, active, [this](const Vec3& x, std::size_t) { return depth_(x); },
      ranked);
}

void FitCover::polish(const SolidDistance& solid) {
  directions_ = evenDirections(2 * samplesOnSphere);
  std::vector<std::uint32_t> guess(count_, 0);
  follow(
      {100, 0.004, 5e-4, 0.0025}, {},
      [&](const Vec3& x, std::size_t ball) {
        const auto near = solid.nearest(x, guess[ball]);
        guess[ball] = near.triangle;
        return near.depth;
      },
      false);
}

/// Adam along the slope. @param ranked  whether some of the balls on the way may be the best so far
template <class Depth>
void FitCover::follow(const Pace& pace, const std::vector<char>& active, Depth&& depth,
                      bool ranked) {
  constexpr double memory = 0.8, memory2 = 0.95;
  struct Average {
    std::array<double, 4> slope{};
    double square = 0.0;
  };
  std::vector<Average> average(orbits_.size());
  std::vector<Slope> slope;
  double fade = 1.0, fade2 = 1.0;
  for (int step = 0; step < pace.steps; ++step) {
    const double part = static_cast<double>(step) / static_cast<double>(pace.steps);
    const double shrunk =
        pace.lastShare > 0.0 ? elementary::pow(pace.lastShare, part) : 1.0 - 0.95 * part;
    const double length = options_.size * pace.firstStep * shrunk;
    slopes(options_.size * std::max(pace.leastBlur, 1.5 * pace.firstStep * (1.0 - part)), active,
           depth, slope);
    fade *= memory;
    fade2 *= memory2;
    double common = 0.0;  // change of the radius where all have the same
    for (std::size_t i = 0; i < orbits_.size(); ++i) {
      const std::array<double, 4> g{slope[i].centre.x(), slope[i].centre.y(), slope[i].centre.z(),
                                    slope[i].radius};
      // One scale for the four numbers of a ball, so that the direction of the slope is kept.
      double square = 0.0;
      for (std::size_t k = 0; k < 4; ++k) {
        average[i].slope[k] = memory * average[i].slope[k] + (1.0 - memory) * g[k];
        square += g[k] * g[k];
      }
      average[i].square = memory2 * average[i].square + (1.0 - memory2) * square;
      const double scale = std::sqrt(average[i].square / (1.0 - fade2));
      if (!(scale > 0.0)) continue;
      const double by = length / ((1.0 - fade) * scale);
      Ball& ball = orbits_[i].ball;
      for (int k = 0; k < 3; ++k)
        ball.centre[k] += by * average[i].slope[static_cast<std::size_t>(k)];
      if (options_.radius > 0.0)
        common += by * average[i].slope[3] / static_cast<double>(orbits_.size());
      else
        ball.radius = std::max(options_.leastRadius, ball.radius + by * average[i].slope[3]);
    }
    if (options_.radius > 0.0) {
      options_.radius = std::max(options_.leastRadius, options_.radius + common);
      for (Orbit& orbit : orbits_) orbit.ball.radius = options_.radius;
    }
    if (step % 10 == 9 || step + 1 == pace.steps) {
      replaceAll(std::move(orbits_));
      if (ranked) remember();
    }
  }
}

/// Which balls come near a place; the others of many may stay where they are.
std::vector<char> FitCover::nearTo(const Vec3& place) const {
  std::vector<char> near;
  for (const Orbit& orbit : orbits_)
    near.push_back((orbit.ball.centre - place).norm() - orbit.ball.radius < 0.35 * options_.size);
  return near;
}

/// Takes a few neighbours away and places them again. @returns those that should move
std::vector<char> FitCover::placeAgain(std::size_t count, std::size_t group, Rng& random) {
  const std::size_t first =
      std::min(orbits_.size() - 1,
               static_cast<std::size_t>(random.uniform() * static_cast<double>(orbits_.size())));
  // Those whose surfaces come nearest to the centre of the first.
  const Vec3 middle = orbits_[first].ball.centre;
  std::stable_sort(orbits_.begin(), orbits_.end(), [&](const Orbit& a, const Orbit& b) {
    return (a.ball.centre - middle).norm() - a.ball.radius >
           (b.ball.centre - middle).norm() - b.ball.radius;
  });
  for (std::size_t k = 0; k < group; ++k) remove(orbits_.size() - 1);
  const std::size_t kept = orbits_.size();
  // By gain alone, orbits of one size would always follow each other.
  while (addBest(count, 3, varied_ ? &random : nullptr)) {
  }
  std::vector<char> active = nearTo(middle);
  std::fill(active.begin() + static_cast<std::ptrdiff_t>(kept), active.end(), char{1});
  return active;
}

/// One ball more, at a place that would gain by it, and one less, of those that are of least use.
bool FitCover::tradeOne(std::size_t count, Rng& random, std::vector<char>& active) {
  constexpr double chance = 0.5;
  const std::size_t before = orbits_.size();
  if (!addBest(count + 1, 5, &random)) return false;
  const Vec3 place = orbits_.back().ball.centre;
  descend(40, 0.02, nearTo(place), false);
  std::size_t least = 0;
  double smallest = HUGE_VAL;
  for (std::size_t k = 0; k < before; ++k)
    if (const double here = loss(orbits_[k]) * (1.0 - chance * random.uniform()); here < smallest)
      smallest = here, least = k;
  const Vec3 gone = orbits_[least].ball.centre;
  remove(least);
  active = nearTo(place);
  const std::vector<char> around = nearTo(gone);
  for (std::size_t k = 0; k < active.size(); ++k) active[k] = active[k] || around[k];
  return true;
}

void FitCover::exchange(std::size_t count, int rounds, Rng& random,
                        FunctionRef<void(double)> progress) {
  constexpr std::size_t many = 24;
  settle();
  std::vector<Orbit> current = orbits_;
  double currentIou = iou();
  const double usualLoss = warmth / (static_cast<double>(count) * static_cast<double>(count));
  for (int round = 0; round < rounds && orbits_.size() > 1; ++round) {
    const double share = static_cast<double>(round) / static_cast<double>(rounds);
    progress(share);
    std::vector<char> active;
    if (group_.trivial() && random.uniform() < trades) {
      if (!tradeOne(count, random, active)) continue;
    } else {
      const std::size_t group = 1 + static_cast<std::size_t>(round) % largestGroup;
      active = placeAgain(count, std::min(group, orbits_.size() - 1), random);
    }
    if (orbits_.size() <= many) active.clear();
    descend(100, 0.02, active);
    const double allowed = -usualLoss * (1.0 - share) * elementary::log(1.0 - random.uniform());
    if (const double here = iou(); here > currentIou - allowed) {
      current = orbits_;
      currentIou = here;
    } else {
      replaceAll(current);
      if (options_.radius > 0.0) options_.radius = orbits_.front().ball.radius;
    }
  }
  settle();
}

void FitCover::restart() {
  replaceAll({});
  best_.clear();
  bestIou_ = 0.0;
}

void FitCover::begin(std::vector<Orbit> orbits, double radius) {
  restart();
  varied_ = true;
  turns_ = Rng(1);
  directions_ = evenDirections(samplesOnSphere);
  if (options_.radius > 0.0) options_.radius = radius;
  replaceAll(std::move(orbits));
  if (!orbits_.empty()) remember();
}

/// Orbits of a on one side of a plane, or outside of a ball, and those of b elsewhere. None where
/// these come from one of the two alone.
std::vector<Orbit> FitCover::joined(const std::vector<Orbit>& a, const std::vector<Orbit>& b,
                                    Rng& random) const {
  const Vec3 normal = random.direction();
  const auto which =
      static_cast<std::size_t>(random.uniform() * static_cast<double>(a.size())) % a.size();
  const Vec3 place = a[which].ball.centre;
  const bool plane = random.uniform() < 0.5;
  const double reach = options_.size * random.uniform(0.25, 0.8);
  const auto ofA = [&](const Orbit& orbit) {
    const Vec3 from = orbit.ball.centre - place;
    return plane ? from.dot(normal) > 0.0 : from.norm() > reach;
  };
  std::vector<Orbit> out;
  for (const Orbit& orbit : a)
    if (ofA(orbit)) out.push_back(orbit);
  const std::size_t first = out.size();
  for (const Orbit& orbit : b)
    if (!ofA(orbit)) out.push_back(orbit);
  if (first == 0 || first == out.size()) out.clear();
  return out;
}

void FitCover::recombine(std::vector<std::vector<Orbit>> sets, std::size_t count, int rounds,
                         Rng& random, FunctionRef<void(double)> progress) {
  // What lies so far below the best after a short descent is given up; sets whose ratios differ
  // less are taken for the same.
  constexpr double hopeless = 1.5e-3, alike = 3e-6;
  std::vector<double> worth;
  for (const std::vector<Orbit>& set : sets) {
    replaceAll(set);
    worth.push_back(iou());
  }
  const auto below = [&](std::size_t n) {
    return static_cast<std::size_t>(random.uniform() * static_cast<double>(n)) % n;
  };
  const auto best = [&] {
    return static_cast<std::size_t>(std::max_element(worth.begin(), worth.end()) - worth.begin());
  };
  for (int round = 0; round < rounds; ++round) {
    progress(static_cast<double>(round) / static_cast<double>(rounds));
    const std::size_t a = random.uniform() < 0.5 ? best() : below(sets.size());
    const std::size_t b = below(sets.size());
    if (a == b) continue;
    std::vector<Orbit> child = joined(sets[a], sets[b], random);
    if (child.empty()) continue;
    replaceAll(std::move(child));
    best_.clear();
    bestIou_ = 0.0;
    while (count_ > count) {
      std::size_t least = 0;
      double smallest = HUGE_VAL;
      for (std::size_t k = 0; k < orbits_.size(); ++k)
        if (const double here = loss(orbits_[k]); here < smallest) smallest = here, least = k;
      remove(least);
    }
    while (addBest(count)) {
    }
    descend(60, 0.02);
    if (bestIou_ < worth[best()] - hopeless) continue;
    descend(200, 0.01);
    settle();
    const double here = iou();
    if (std::any_of(worth.begin(), worth.end(),
                    [&](double other) { return std::fabs(other - here) < alike; }))
      continue;
    const auto worst =
        static_cast<std::size_t>(std::min_element(worth.begin(), worth.end()) - worth.begin());
    const std::size_t place = here > worth[b] ? b : worst;
    if (here <= worth[place]) continue;
    sets[place] = orbits_;
    worth[place] = here;
  }
  restart();
  replaceAll(sets[best()]);
  remember();
}

}  // namespace scree::clump::detail
