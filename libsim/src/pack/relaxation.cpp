// SPDX-License-Identifier: GPL-3.0-or-later
#include "relaxation.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

/// [-] of the stiffness of a contact.
constexpr double leastStepDamping = 1e-7, mostStepDamping = 1.0;
/// Steps are shorter than the first, or longer than the second, where damping rises or falls.
constexpr double shortStep = 0.3, longStep = 0.8, dampingChange = 5.0;
/// [-] of the resultants remains after the solution of a step.
constexpr double solved = 0.02;
/// [-] of the stiffness of a contact, in the preconditioner alone: bodies held by one or two.
constexpr double loose = 1e-3;
/// [-] of the longest move: growth of the two radii of a contact within one list of contacts.
constexpr double shareOfGrowth = 0.2;
/// [-] by which the virial may be off at the end.
constexpr double virialError = 0.01;

/// @tparam S  unknowns of a body: 3 for balls, 6 with turns
template <int S>
class Relaxation {
 public:
  Relaxation(std::span<const SoftContact> contacts, std::size_t bodies,
             const RelaxationOptions& options)
      : contacts_(contacts), options_(options), bodies_(bodies), damping_(options.damping) {
    at_.setZero(at(bodies + mostWalls) + 1);
    largest_ = std::isfinite(options.farthest) ? options.farthest : 0.0;
    for (const SoftContact& c : contacts) {
      // The branch of a wall is the radius of the ball.
      radii_.push_back(S == 3 && std::isfinite(c.apart) ? c.apart + c.intrusion - options.shell
                                                        : c.branch);
      largest_ = std::max(largest_, radii_.back());
    }
  }

  Relaxed run() {
    findForces(at_, force_);
    const double enough = options_.tolerance * norm();
    for (int k = 0; k < options_.mostSteps; ++k) {
      const bool pressed =
          options_.virial < 0.0 || std::abs(growthOf(force_)) < virialError * options_.virial;
      const double mean = mean_ * std::sqrt(static_cast<double>(bodies_ - options_.driven));
      if (pressed && norm() <= std::max(enough, options_.balance * mean)) break;
      findLinks();
      if (!solve(true)) solve(false);
      const double farthest = longestLine(), length = searchLine(farthest);
      if (!(length > 0.0)) break;
      std::swap(at_, trial_);
      std::swap(force_, trialForce_);
      if (length >= 0.99 * farthest) break;
      if (options_.hold > 0.0) continue;  // which damps as well
      if (length < shortStep) damping_ = std::min(dampingChange * damping_, mostStepDamping);
      if (length > longStep) damping_ = std::max(damping_ / dampingChange, leastStepDamping);
    }
    Relaxed result;
    result.growth = 1.0 + growthOf(at_);
    result.damping = damping_;
    for (std::size_t b = 0; b < bodies_; ++b) {
      result.move.push_back(at_.template segment<3>(at(b)));
      if constexpr (S == 6) result.turn.push_back(at_.template segment<3>(at(b) + 3));
    }
    return result;
  }

 private:
  /// Moves of bodies and walls, or forces on them, and the growth as one more unknown.
  using Values = Eigen::VectorXd;
  using Part = Eigen::Matrix<double, S, 1>;
  using Block = Eigen::Matrix<double, S, S>;
  /// A contact that presses, as it stands at `at_`.
  struct Link {
    Eigen::Index a, b;
    const SoftContact* contact;  ///< with its levers
    Vec3 n;
    double radii;      ///< [L] what a growth of 1 adds to the intrusion
    double stiffness;  ///< [-] along n
    double across;     ///< [-] across n: minus force over distance
  };
  struct Pressing {
    Vec3 n;
    double distance = HUGE_VAL;  ///< [L] of the centres
    double force = 0.0;          ///< [L] below 0 where the two are apart
  };

  static Eigen::Index at(std::size_t body) { return S * static_cast<Eigen::Index>(body); }
  static double growthOf(const Values& x) { return x[x.size() - 1]; }
  static double& growthOf(Values& x) { return x[x.size() - 1]; }
  static Part partOf(const Vec3& n, const Vec3& lever) {
    Part part;
    part.template head<3>() = n;
    if constexpr (S == 6) part.template tail<3>() = lever;
    return part;
  }
  double norm() const { return force_.head(at(bodies_)).norm(); }

  Pressing pressing(std::size_t contact, const Values& x) const {
    const SoftContact& c = contacts_[contact];
    const Vec3 moved = x.segment<3>(at(c.a)) - x.segment<3>(at(c.b));
    Pressing p{c.n, HUGE_VAL, 0.0};
    double closer = -c.n.dot(moved);
    if constexpr (S == 6) {
      closer -= c.leverA.dot(x.segment<3>(at(c.a) + 3)) - c.leverB.dot(x.segment<3>(at(c.b) + 3));
    } else if (std::isfinite(c.apart)) {  // not a wall
      const Vec3 apart = c.apart * c.n + moved;
      p.distance = apart.norm();
      closer = c.apart - p.distance;
      p.n = apart * (1.0 / p.distance);
    }
    p.force = c.weight * (c.intrusion + closer + radii_[contact] * growthOf(x));
    return p;
  }

  void findForces(const Values& x, Values& force) {
    force = -options_.hold * x;
    growthOf(force) = options_.virial;
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      const Pressing p = pressing(k, x);
      if (!(p.force > 0.0)) continue;
      sum += p.force;
      ++count;
      const SoftContact& c = contacts_[k];
      force.segment<S>(at(c.a)) += p.force * partOf(p.n, c.leverA);
      force.segment<S>(at(c.b)) -= p.force * partOf(p.n, c.leverB);
      growthOf(force) -= p.force * radii_[k];
    }
    hold(force);
    mean_ = count > 0 ? sum / static_cast<double>(count) : 0.0;
  }

  void findLinks() {
    links_.clear();
    blocks_.assign(bodies_ + mostWalls,
                   Block((options_.hold + damping_ + loose) * Block::Identity()));
    double growth = 0.0;
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      const Pressing p = pressing(k, at_);
      if (!(p.force > 0.0)) continue;
      const SoftContact& c = contacts_[k];
      links_.push_back({at(c.a), at(c.b), &c, p.n, radii_[k], c.weight, -p.force / p.distance});
      const Part ofA = partOf(p.n, c.leverA), ofB = partOf(p.n, c.leverB);
      blocks_[c.a] += c.weight * ofA * ofA.transpose();
      blocks_[c.b] += c.weight * ofB * ofB.transpose();
      growth += c.weight * radii_[k] * radii_[k];
    }
    for (Block& block : blocks_) block = block.inverse().eval();
    growthScale_ = growth > 0.0 ? 1.0 / growth : 1.0;
  }

  /// Zero for bodies that do not move, and for walls.
  void hold(Values& x) const {
    x.head(at(options_.driven)).setZero();
    x.segment(at(bodies_), at(mostWalls)).setZero();
    if (options_.virial < 0.0) growthOf(x) = 0.0;
  }

  void multiply(const Values& x, bool turning, Values& product) const {
    product = (options_.hold + damping_) * x;
    growthOf(product) = 0.0;
    for (const Link& l : links_) {
      const Vec3 d = x.segment<3>(l.a) - x.segment<3>(l.b);
      double along = l.n.dot(d);
      if constexpr (S == 6)
        along += l.contact->leverA.dot(x.segment<3>(l.a + 3)) -
                 l.contact->leverB.dot(x.segment<3>(l.b + 3));
      const double opens = l.stiffness * (along - l.radii * growthOf(x)),
                   across = turning ? l.across : 0.0;
      const Vec3 push = (opens - across * along) * l.n + across * d;
      product.segment<3>(l.a) += push;
      product.segment<3>(l.b) -= push;
      if constexpr (S == 6) {
        product.segment<3>(l.a + 3) += opens * l.contact->leverA;
        product.segment<3>(l.b + 3) -= opens * l.contact->leverB;
      }
      growthOf(product) -= l.radii * opens;
    }
    hold(product);
  }

  /// Solves a step by conjugate gradients into direction_. @param turning  normals turn with moves
  /// @returns false where the energy curves down; direction_ is then the last good one, or at the
  /// first product the scaled residual
  bool solve(bool turning) {
    const auto scale = [&](const Values& x, Values& scaled) {
      for (std::size_t b = 0; b < blocks_.size(); ++b)
        scaled.segment<S>(at(b)) = blocks_[b] * x.segment<S>(at(b));
      growthOf(scaled) = growthScale_ * growthOf(x);
    };
    Values residual = force_, scaled(residual.size()), product(residual.size());
    scale(residual, scaled);
    Values search = scaled;
    direction_.setZero(residual.size());
    double energy = residual.dot(scaled);
    const double enough = solved * solved * energy;
    for (int k = 0; k < options_.mostProducts && energy > enough; ++k) {
      multiply(search, turning, product);
      const double curvature = search.dot(product);
      if (!(curvature > 0.0)) {
        if (k == 0) direction_ = search;
        return false;
      }
      const double step = energy / curvature;
      direction_ += step * search;
      residual -= step * product;
      scale(residual, scaled);
      const double next = residual.dot(scaled);
      search = scaled + (next / energy) * search;
      energy = next;
    }
    return true;
  }

  /// How far the line along direction_ stays within the reach of the contacts found.
  double longestLine() const {
    double most = HUGE_VAL;
    for (std::size_t b = options_.driven; b < bodies_; ++b)
      if (const double speed = direction_.segment<3>(at(b)).norm(); speed > 0.0)
        most =
            std::min(most, std::max(options_.farthest - at_.segment<3>(at(b)).norm(), 0.0) / speed);
    if (const double speed = std::abs(growthOf(direction_)); speed > 0.0) {
      const double growth = shareOfGrowth * options_.farthest / largest_;
      most = std::min(most, std::max(growth - std::abs(growthOf(at_)), 0.0) / speed);
    }
    return most;
  }

  /// @returns how far to go along direction_, to where the derivative of the energy vanishes
  double searchLine(double farthest) {
    const double first = force_.dot(direction_);
    double low = 0.0, atLow = first, high = HUGE_VAL, atHigh = 0.0;
    double length = std::min(1.0, farthest);
    const auto between = [&] {
      return low + (high - low) * std::clamp(atLow / (atLow - atHigh), 0.1, 0.9);
    };
    for (int k = 0; k < 12; ++k) {
      trial_ = at_ + length * direction_;
      findForces(trial_, trialForce_);
      const double here = trialForce_.dot(direction_);
      if (std::abs(here) <= 0.1 * first || (here > 0.0 && length >= farthest)) break;
      if (here > 0.0) {
        low = length;
        atLow = here;
        length = high < HUGE_VAL ? between() : std::min(4.0 * length, farthest);
      } else {
        high = length;
        atHigh = here;
        length = between();
      }
    }
    return length;
  }

  std::span<const SoftContact> contacts_;
  std::vector<double> radii_;  ///< [L] of each contact: what a growth of 1 adds to its intrusion
  double largest_ = 0.0;       ///< [L] of these
  RelaxationOptions options_;
  std::size_t bodies_ = 0;
  Values at_, trial_, force_, trialForce_, direction_;
  std::vector<Link> links_;
  std::vector<Block> blocks_;           ///< inverse diagonal blocks
  double growthScale_ = 1.0;            ///< inverse of the diagonal of the growth
  double damping_ = 1e-3, mean_ = 0.0;  ///< [-], and [L] mean force of contacts that press
};

}  // namespace

Relaxed relaxed(std::span<const SoftContact> contacts, std::size_t bodies, bool turning,
                const RelaxationOptions& options) {
  if (turning) return Relaxation<6>(contacts, bodies, options).run();
  return Relaxation<3>(contacts, bodies, options).run();
}

}  // namespace scree::sim
