// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that grow from loose random places until they are near each other everywhere.
#include "soft_packing.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/sim/pack/fill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace scree::sim {
namespace {

/// Growth begins at this solid fraction, where bodies find places at random within some attempts.
constexpr double looseFraction = 0.2;
/// [-] of the size of the smallest body: distances from which contacts act, first and last.
constexpr double widestShell = 0.08, narrowestShell = 1e-4;
/// [-] likewise, where bodies are near each other everywhere.
constexpr double nearShell = 0.02;

/// [-] mean overlaps over the mean size, well beyond jamming. Balls cannot pass into each other.
constexpr double compressed = 1e-3, compressedBalls = 2e-2;
/// At the onset of jamming.
constexpr double leastOverlap = 3e-6, wantedOverlap = 8e-6, mostOverlap = 2e-5;
constexpr double noOverlap = 1e-9;
/// [-] Root mean square of the resultants over the mean contact force: on the way, at the end, and
/// at the end for balls. For thousands of balls, ten times less would cost more than all before.
constexpr double roughBalance = 1e-2, balance = 1e-4, balanceOfBalls = 1e-3;
/// [-] to which the pressure falls in one stage, within so many lists of contacts at most.
constexpr double stage = 0.4;
constexpr int mostLists = 400;

/// The bodies that hold each other where forces are carried.
Coordination coordinationIn(const SoftPacking& soft, std::size_t bodies) {
  const std::size_t driven = soft.driven();
  std::vector<HeldPair> pairs;
  for (const auto& [a, b] : soft.loadedPoints()) {
    if (pairs.empty() || pairs.back().a != a || pairs.back().b != b)
      pairs.push_back({a, b, 1});
    else
      pairs.back().points = std::min(pairs.back().points + 1, 3U);
  }
  std::vector<std::uint32_t> needed(driven, 0);
  for (std::size_t k = 0; k < bodies; ++k) needed.push_back(soft.isBall(k) ? 4 : 7);
  return coordinationOf(bodies + driven, driven, pairs, needed);
}

/// The bodies of a plan, which grow together and push each other apart, so that none overlap.
class GrowingPacking {
 public:
  /// Places the bodies at random, small enough for all to have room.
  /// @throws ModelError as scatter(), or where they have no room even so
  GrowingPacking(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                 const Container& container, const PlaceOptions& options);

  SoftPacking& soft() { return *soft_; }
  /// [-] Solid fraction as the bodies stand.
  double fraction() const { return full_ * soft_->scale() * soft_->scale() * soft_->scale(); }
  double size() const { return 0.5 * (smallest_ + largest_) * soft_->scale(); }  ///< [L] mean
  void report(double share) const {
    if (options_.progress) options_.progress(share);
  }

  /// @throws ModelError where at this scale a body could meet its own image in a periodic cell
  void requireRoomAt(double scale) const;
  /// Grows up to a scale of `target`; contacts act from `least` of the smallest size on.
  /// @returns whether it is reached
  bool grow(double target, double least);
  /// Grows on where bodies hardly make way: they overlap, well beyond a scale of `target` if need
  /// be, and the relaxation of jammed packings pushes them apart, at last at that scale.
  /// @returns whether no overlap remains there; else the packing is near the onset of jamming
  bool squeeze(double target);
  /// Grows and relaxes until forces are balanced at the onset of jamming, see fillJammed().
  void jam();
  /// Shrinks until no gap is below 0; places stay. @throws ModelError where bodies crossed
  FillResult backOff();

 private:
  /// Minimises the energy. @returns the mean overlap [-]; 0 where no overlap is above `nothing` [L]
  double minimised(double to, double nothing, int lists);
  /// Grows well beyond jamming: balls by a pressure, others in steps. @returns as minimised()
  double compress();
  /// Bodies that turn, back to the onset, where the overlap goes to zero in proportion to the
  /// scale. @returns whether it was found
  bool release(double overlap);
  bool releasePressure();  ///< the same of balls, by a pressure that falls in stages
  double overlap() const { return soft_->load().mean / size(); }

  const Container& container_;
  const PlaceOptions& options_;
  std::unique_ptr<SoftPacking> soft_;
  std::size_t number_ = 0;                 ///< of the bodies planned
  double full_ = 0.0;                      ///< solid fraction at scale 1
  double scale_ = 1.0;                     ///< at which growth begins
  double smallest_ = 0.0, largest_ = 0.0;  ///< [L] outer diameters at scale 1
  bool balanced_ = false;                  ///< forces, by the last minimisation
};

GrowingPacking::GrowingPacking(const std::vector<shape::Shape>& shapes,
                               const std::vector<PlannedBody>& plan, const Container& container,
                               const PlaceOptions& options)
    : container_(container), options_(options), number_(plan.size()) {
  full_ = solidVolume(shapes, plan) / container.volume();
  double start = std::min(looseFraction, full_);
  PlaceOptions o = options;
  o.progress = {};
  FillResult loose;
  for (int attempt = 0; attempt < 4; ++attempt) {
    std::vector<PlannedBody> small = plan;
    scale_ = portablePow(start / full_, 1.0 / 3.0);
    for (PlannedBody& b : small) b.homothety *= scale_;
    loose = scatter(shapes, small, container, o);
    if (loose.bodies.size() == plan.size()) break;
    start *= 0.5;
  }
  if (loose.bodies.size() < plan.size())
    throw ModelError(
        fmt::format("--container {}: the bodies have no room at a solid fraction of {:.3g}",
                    container.text(), 2.0 * start));
  for (std::size_t k = 0; k < plan.size(); ++k) loose.bodies[k].homothety = plan[k].homothety;
  soft_ =
      std::make_unique<SoftPacking>(shapes, std::move(loose.bodies), container, options.threads);
  soft_->setScale(scale_);
  smallest_ = 2.0 * soft_->smallestRadius();
  largest_ = 2.0 * soft_->largestRadius();
  soft_->setShell(widestShell * smallest_ * scale_);
}

void GrowingPacking::requireRoomAt(double scale) const {
  if (!container_.periodic()) return;
  // The rule of runs in a periodic cell.
  const double across = 2.0 * scale * soft_->largestRadius();
  if (2.0 * across < container_.box().high.minCoeff()) return;
  throw ModelError(
      fmt::format("--container {}: the largest body is {:.6g} across at a solid fraction of "
                  "{:.4f}, more than half of the cell",
                  container_.text(), across, full_ * scale * scale * scale));
}

bool GrowingPacking::grow(double target, double least) {
  soft_->clear(0.5 * soft_->shell(), 400);
  SoftPacking::Snapshot good = soft_->snapshot();
  double gap = soft_->leastGap();  // of `good`, above 0
  while (soft_->scale() < target) {
    const double shell = soft_->shell(), scale = soft_->scale();
    // The two largest come nearer by a part of the shell, and of the least gap.
    const double closer = std::min(0.3 * shell, 0.6 * gap);
    soft_->setScale(std::min(target, scale * (1.0 + closer / (scale * largest_))));
    const bool clear = soft_->clear(0.5 * shell, 300);
    if (soft_->leastGap() > 0.15 * shell) {
      good = soft_->snapshot();
      gap = soft_->leastGap();
      report(std::clamp((soft_->scale() - scale_) / std::max(1.0 - scale_, 1e-9), 0.0, 1.0));
      if (clear) continue;
    } else {
      soft_->restore(good);
    }
    if (0.5 * shell < least * smallest_) return false;
    // So that the least gap is half of it at most.
    soft_->setShell(std::min(0.5 * shell, 2.0 * gap));
    soft_->clear(0.5 * soft_->shell(), 300);
    if (soft_->leastGap() >= gap) {
      good = soft_->snapshot();
      gap = soft_->leastGap();
    } else {
      soft_->restore(good);
    }
  }
  return true;
}

bool GrowingPacking::squeeze(double target) {
  // Overlaps below the first go when the bodies shrink by the second.
  constexpr double allowed = 1e-6, beyond = 1e-5;
  const auto clear = [&](double to, int lists) {
    return minimised(to, allowed * smallest_ * soft_->scale(), lists) == 0.0;
  };
  // A packing that was compressed is denser without overlaps than one that never was.
  compress();
  if (soft_->scale() >= target) {
    soft_->setScale(target * (1.0 + beyond));
    if (clear(balance, 600)) {
      soft_->setScale(target);
      return true;
    }
  }
  // Back to about where they jam, for what is reported.
  for (int k = 0; k < 8 && overlap() > 1e-4; ++k) {
    soft_->setScale(soft_->scale() * (1.0 - overlap()));
    clear(roughBalance, 100);
  }
  return false;
}

void GrowingPacking::jam() {
  grow(1e9, nearShell);
  requireRoomAt(soft_->scale());
  const double compressedTo = compress();
  const bool jammed = soft_->turning() ? release(compressedTo) : releasePressure();
  requireRoomAt(soft_->scale());
  if (!jammed)
    throw ModelError(fmt::format(
        "fill --jammed: no balanced state near a solid fraction of {:.4f}: mean overlap {:.2g} of "
        "the size; another --seed, or --solid-fraction {:.2f}, may help",
        fraction(), overlap(), 0.97 * fraction()));
}

double GrowingPacking::minimised(double to, double nothing, int lists) {
  balanced_ = soft_->minimise(to, nothing, lists);
  return soft_->load().deepest > nothing ? overlap() : 0.0;
}

double GrowingPacking::compress() {
  // Bodies with hardly any rounding keep a gap, so that none passes into another.
  soft_->setShell(std::max(0.0, 0.005 * size() - 2.0 * soft_->smallestRounding() * soft_->scale()));
  if (!soft_->turning()) {
    // Contacts are as many as those of balls that are just held.
    const double virial = 3.0 * static_cast<double>(number_) * compressedBalls * size() * size();
    balanced_ = soft_->minimise(roughBalance, 0.0, mostLists, virial);
    return overlap();
  }
  double now = minimised(roughBalance, noOverlap * size(), 300);
  for (int k = 0; k < 100 && now < compressed; ++k) {
    soft_->setScale(1.005 * soft_->scale());
    now = minimised(roughBalance, noOverlap * size(), 30);
    // Bodies that still make way are not jammed.
    if (now >= compressed && !balanced_) now = minimised(roughBalance, noOverlap * size(), 300);
    report(0.3 + 0.002 * k);
  }
  return now;
}

bool GrowingPacking::release(double now) {
  double slope = 0.7;                 // d(overlap) / d(ln scale), updated on the way
  double before = 0.0, change = 0.0;  // the overlap before the last step, and that step
  constexpr int search = 60;          // minimisations; more are in vain
  for (int k = 0; k < search; ++k) {
    report(0.5 + 0.5 * k / search);
    now = minimised(now > 1e-4 ? roughBalance : 0.1 * roughBalance, noOverlap * size(), 300);
    if (now >= leastOverlap && now <= mostOverlap) {
      now = minimised(balance, noOverlap * size(), 600);
      if (balanced_ && now >= leastOverlap && now <= mostOverlap) return true;
    }
    if (now > mostOverlap) {
      if (before > now && change < 0.0) slope = std::clamp((now - before) / change, 0.4, 5.0);
      const double down = (now - std::max(0.1 * now, wantedOverlap)) / slope;
      // After a step up, half of it at most: both sides of the onset are known.
      change = change > 0.0 ? -std::min(down, 0.5 * change) : -down;
      before = now;
    } else {
      // Steps halve when they turn back, and go on as they are while no force is found.
      if (change == 0.0) change = 1e-3;
      if (change < 0.0) change *= -0.5;
      before = 0.0;
    }
    soft_->setScale(soft_->scale() * (1.0 + change));
  }
  return false;
}

bool GrowingPacking::releasePressure() {
  double virial = 0.0;  // goes with the overlap, whatever the number of contacts
  for (int k = 0; k < 100 && balanced_ && overlap() > 1.3 * wantedOverlap; ++k) {
    report(0.3 + 0.7 * k / 12.0);
    virial = std::max(stage, wantedOverlap / overlap()) * soft_->load().virial;
    balanced_ = soft_->minimise(roughBalance, 0.0, mostLists, virial);
  }
  return balanced_ && soft_->minimise(balanceOfBalls, 0.0, mostLists, virial);
}

FillResult GrowingPacking::backOff() {
  soft_->setShell(0.0);
  soft_->clear(HUGE_VAL, 0);
  for (int k = 0; k < 60 && soft_->load().deepest > 0.0; ++k) {
    soft_->setScale(soft_->scale() * (1.0 - 1.001 * soft_->load().shrinkage - 1e-13));
    soft_->clear(HUGE_VAL, 0);
  }
  if (soft_->load().deepest > 0.0 || soft_->crossings() > 0)
    throw ModelError(
        "fill: bodies have passed into each other; another --seed or rounder shapes may help");
  FillResult r;
  r.bodies = soft_->bodies();
  r.solidFraction = r.reached = fraction();
  for (std::size_t k = 0; k < r.bodies.size(); ++k)
    r.bodies[k].cluster = static_cast<std::int32_t>(k + 1);
  return r;
}

}  // namespace

std::vector<PlannedBody> plannedBodies(const FillRequest& request,
                                       std::optional<double> ofFraction) {
  if (request.number) return plannedNumber(request.shapes, request.plan, *request.number);
  const auto fraction = request.solidFraction ? request.solidFraction : ofFraction;
  if (!fraction) throw UsageError("expected --solid-fraction or --number");
  return plannedVolume(request.shapes, request.plan, *fraction * request.container.volume());
}

FillResult filledTo(const FillRequest& request) {
  std::vector<PlannedBody> plan = plannedBodies(request);
  double fraction = solidVolume(request.shapes, plan) / request.container.volume();
  if (request.solidFraction) {
    const double by = portablePow(*request.solidFraction / fraction, 1.0 / 3.0);
    for (PlannedBody& b : plan) b.homothety *= by;
    fraction = *request.solidFraction;
  }
  if (!(fraction < 1.0))
    throw ModelError(fmt::format("--container {}: the bodies have {:.4f} times its volume",
                                 request.container.text(), fraction));
  FillResult result = fill(request.shapes, plan, request.container, request.place);
  if (!result.complete)
    throw ModelError(
        fmt::format("the bodies jam at a solid fraction of {:.4f}; {:.4f} is requested",
                    result.reached, fraction));
  return result;
}

FillResult filledToJamming(const FillRequest& request,
                           const std::function<void(const std::string&)>& note) {
  constexpr double mostScaling = 0.02;  // of bodies that have sizes of their own
  constexpr int attempts = 4;
  double guess = 0.64;  // as equal balls
  for (int k = 1;; ++k) {
    const std::vector<PlannedBody> plan = plannedBodies(request, guess);
    FillResult result = fillJammed(request.shapes, plan, request.container, request.place);
    result.scaling = result.bodies.front().homothety / plan.front().homothety;
    if (k == attempts || request.number || request.plan.grading ||
        std::abs(result.scaling - 1.0) <= mostScaling)
      return result;
    guess = result.solidFraction;
    note(fmt::format("jammed at {:.4f} with sizes times {:.4f}: repeated with other bodies", guess,
                     result.scaling));
  }
}

FillResult fill(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                const Container& container, const PlaceOptions& options) {
  GrowingPacking growth(shapes, plan, container, options);
  growth.requireRoomAt(1.0);
  const bool complete = growth.grow(1.0, narrowestShell) || growth.squeeze(1.0);
  FillResult result = growth.backOff();
  result.complete = complete;
  return result;
}

FillResult fillJammed(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                      const Container& container, const PlaceOptions& options) {
  GrowingPacking growth(shapes, plan, container, options);
  growth.jam();
  const SoftPacking& soft = growth.soft();
  const JammedState state{growth.fraction(), soft.load().mean / growth.size(),
                          soft.load().resultant / soft.load().force,
                          coordinationIn(soft, plan.size())};
  if (!(state.coordination.constraints > 0.0))
    throw ModelError(
        fmt::format("fill --jammed: all {} bodies are rattlers, with {} pairs that carry load; "
                    "more bodies or another --seed may help",
                    plan.size(), state.coordination.contacts));
  FillResult result = growth.backOff();
  result.complete = true;
  result.reached = state.solidFraction;
  result.jammed = state;
  return result;
}

PushedApart pushedApart(const std::vector<shape::Shape>& shapes, std::vector<PlacedBody> bodies,
                        double enough, int threads) {
  shape::Aabb box;
  double largest = 0.0;
  for (const PlacedBody& body : bodies) {
    const shape::Aabb own = boundingBox(shapes[body.shape], body);
    box.add(own);
    largest = std::max(largest, own.halfSize().maxCoeff());
  }
  // Walls so far away that none is touched.
  const Vec3 shift = Vec3::Constant(2.0 * largest) - box.low,
             sides = 2.0 * box.halfSize() + Vec3::Constant(4.0 * largest);
  const Container room =
      Container::parse(fmt::format("box:{},{},{}", sides.x(), sides.y(), sides.z()));
  std::vector<PlacedBody> shifted = bodies;
  for (PlacedBody& body : shifted) body.pos += shift;
  SoftPacking soft(shapes, shifted, room, threads);
  PushedApart out;
  soft.clear(HUGE_VAL, 0);
  out.before = std::max(0.0, soft.load().deepest);
  soft.clear(enough, 400);
  out.after = std::max(0.0, soft.load().deepest);
  out.crossings = soft.crossings();
  out.bodies = soft.bodies();
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    out.bodies[k].pos -= shift;
    out.bodies[k].group = bodies[k].group;
    out.bodies[k].cluster = bodies[k].cluster;
    const double move = (out.bodies[k].pos - bodies[k].pos).norm();
    out.meanMove += move / static_cast<double>(bodies.size());
    out.largestMove = std::max(out.largestMove, move);
  }
  return out;
}

}  // namespace scree::sim
