// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts of bodies with boundaries around them.
#pragma once

#include "contact/kinematics.hpp"
#include "engine/pair_force.hpp"
#include "model/contacts.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/surroundings.hpp"

#include <optional>
#include <span>
#include <vector>

namespace scree::sim {

/// The contacts of boundaries and bodies.
///
/// Only vertices need to be tested. The distance of a point from a centre, from an axis or beyond a
/// cone is a convex function. A body's skeleton lies within the hull of its vertices, so none of
/// its points stands farther out than some vertex. Rounded by the same radius, none digs deeper. A
/// clump, whose vertices have radii of their own, has nothing else. The rim of a cone with an
/// outlet is not convex: there, vertices stand for the body. In a periodic cell a plane repeats
/// with the cell, and a body meets the image of it that its centre stands above.
///
/// Near the axis of a cone, the rounding of a vertex reaches both sides. The contact with the side
/// across the axis has the number of the vertex plus that of all vertices. Without it, the force
/// would jump where the vertex crosses the axis, and the vertex would not come to rest.
class BoundaryContacts {
 public:
  struct Touching {
    std::uint32_t vertex = 0;  ///< plus the number of vertices: across the axis of a cone
    Touch touch;
    ContactState state;
    Vec3 vel = Vec3::Zero();  ///< [L/T] as BoundaryTouch has it, at the last evaluation
  };
  /// One boundary and one body.
  struct Slot {
    std::uint32_t parameters = 0;    ///< place in the table of the force law
    double damp = 0.0;               ///< [M/T]
    double skipUntil = 0.0;          ///< [L] accumulated displacement of the body that ends a skip
    std::vector<Touching> touching;  ///< at the end of the last step, in the order of vertices
    std::vector<Touching> now;       ///< at the evaluation at hand
  };

  void make(std::vector<Boundary> boundaries, std::size_t bodies) {
    boundaries_ = std::move(boundaries);
    bodies_ = bodies;
    slots_.resize(boundaries_.size() * bodies);
    paths_.assign(boundaries_.size(), Path());
    for (std::size_t b = 0; b < boundaries_.size(); ++b)
      paths_[b].startCentre = boundaries_[b].centre;
  }
  /// Moves the boundaries to where they stand `dt` [T] after the start of the step.
  void moveTo(double dt) {
    for (std::size_t b = 0; b < boundaries_.size(); ++b) {
      Boundary& boundary = boundaries_[b];
      if (boundary.vel == Vec3::Zero()) continue;
      boundary.centre = paths_[b].startCentre + dt * boundary.vel;
      paths_[b].length = paths_[b].startLength + dt * boundary.vel.norm();
    }
  }
  bool empty() const { return boundaries_.empty(); }
  const std::vector<Boundary>& boundaries() const { return boundaries_; }
  Slot& slot(std::size_t boundary, std::size_t body) { return slots_[boundary * bodies_ + body]; }
  const Slot& slot(std::size_t boundary, std::size_t body) const {
    return slots_[boundary * bodies_ + body];
  }

  /// Adds the forces of all boundaries on all free bodies. Each body is written by one thread.
  /// O(bodies); a body that is skipped costs one comparison.
  /// @param images  of the periodic cell, where accumulated displacements do not bound how near
  ///   bodies come to a boundary; null without one
  /// @returns the power that contacts absorb, as addContactForces; summed over bodies
  template <ContactLaw Law, bool weighted>
  ContactPower addForces(std::span<const BodyPose> poses,
                         const PairTable<typename Law::Params>& parameters, ContactWeights weights,
                         const HistoryUpdate& update, int threads, const Images* images,
                         Bodies& bodies, std::vector<ContactPower>& powers) {
    powers.assign(bodies.size(), ContactPower());
    parallelFor(
        threads, bodies.size() - bodies.driven,
        [&](std::size_t m) {
          const std::size_t k = bodies.driven + m;
          std::optional<Boundary> image;
          for (std::size_t b = 0; b < boundaries_.size(); ++b) {
            Slot& s = slot(b, k);
            const double displacement = bodies.displacement[k] + paths_[b].length;
            if (!images && s.skipUntil > displacement) continue;
            const BodyPose& pose = poses[k];
            const Boundary& boundary =
                images && boundaries_[b].kind == Boundary::Kind::plane
                    ? image.emplace(planeBelow(boundaries_[b], pose.pos, *images))
                    : boundaries_[b];
            if (pose.shape->thinner.empty())
              findTouching<false>(boundary, pose, displacement, s);
            else
              findTouching<true>(boundary, pose, displacement, s);
            const MeanMotion motion =
                update.mean ? update.mean[k] : MeanMotion{pose.vel, pose.spin};
            if (update.keep)
              endsOf<Law>(boundary, pose, motion, parameters[s.parameters],
                          weighted ? weights : ContactWeights::none, update.dt, s, powers[k]);
            if (!s.now.empty())
              addForce<Law, weighted>(boundary, pose, motion, parameters[s.parameters], weights,
                                      update.dt, s, bodies.force[k], bodies.moment[k], powers[k]);
            if (update.keep)
              std::swap(s.touching, s.now);
            else if (!s.touching.empty())
              s.skipUntil = displacement;  // due until the end of the step, which decides
          }
        },
        200);
    ContactPower total;
    if (update.keep) {
      for (const ContactPower& p : powers) total += p;
      endStep(poses, bodies.driven, threads);
    }
    return total;
  }
  /// The image of a plane that repeats with a periodic cell, next below a point.
  static Boundary planeBelow(Boundary plane, const Vec3& x, const Images& images) {
    const double period = (images.h.transpose() * plane.axis).cwiseAbs().maxCoeff();
    Vec3 inwards;
    plane.centre += period * std::floor(plane.distance(x, inwards) / period) * plane.axis;
    return plane;
  }
  /// [F L/T] Mean power that boundaries which move have put into bodies over the last step.
  double meanPower() const { return meanPower_; }

  /// Energy that the contacts with all boundaries hold.
  template <ContactLaw Law>
  ContactEnergy energy(std::span<const BodyPose> poses,
                       const PairTable<typename Law::Params>& parameters,
                       ContactWeights weights) const {
    ContactEnergy sum;
    for (std::size_t k = 0; k < slots_.size(); ++k) {
      const Slot& s = slots_[k];
      const double weightSum = weights == ContactWeights::none ? 1.0 : sumBefore(weights, s);
      for (const Touching& t : s.touching)
        sum.add(t.state, springs<Law>(parameters[s.parameters], poses[k % bodies_], t.vertex),
                weightOf(weights, t.state.dn) / weightSum);
    }
    return sum;
  }

 private:
  struct Path {
    Vec3 startCentre = Vec3::Zero();         ///< [L] at the start of the step
    double length = 0.0, startLength = 0.0;  ///< [L] that the boundary has moved since `make`
  };

  /// The boundaries stand at the end of a step: sums up what those that move do to bodies.
  /// O(bodies) for each of them, in the order of bodies.
  void endStep(std::span<const BodyPose> poses, std::size_t driven, int threads) {
    meanPower_ = 0.0;
    for (std::size_t b = 0; b < boundaries_.size(); ++b) {
      Boundary& boundary = boundaries_[b];
      if (!boundary.moves()) continue;
      paths_[b].startCentre = boundary.centre;
      paths_[b].startLength = paths_[b].length;
      const double before = boundary.power;
      boundary.power = orderedSum(threads, bodies_ - driven, 0.0, [&](std::size_t m) {
        double own = 0.0;
        for (const Touching& t : slot(b, driven + m).touching) {
          const Vec3 force = t.state.fn * t.touch.n + t.state.ft;
          own += force.dot(boundary.velocityAt(poses[driven + m].pos + t.touch.arm)) +
                 t.state.mom.dot(boundary.spin);
        }
        return own;
      });
      meanPower_ += 0.5 * (before + boundary.power);
    }
  }

  /// Sum of weights at the last step: see sumOfWeights.
  static double sumBefore(ContactWeights weights, const Slot& slot) {
    double sum = 0.0;
    for (const Touching& t : slot.touching) sum += weightOf(weights, t.state.dn);
    return sum;
  }
  static double weightOf(ContactWeights weights, double dn) {
    return weights == ContactWeights::overlap ? dn : 1.0;
  }
  /// Vertex of a contact, which may be that across the axis of a cone.
  static std::uint32_t vertexOf(const BodyPose& body, std::uint32_t number) {
    const auto vertices = static_cast<std::uint32_t>(body.shape->vertices.size());
    return number < vertices ? number : number - vertices;
  }
  template <bool far = false>
  static double distanceTo(const Boundary& boundary, const BodyPose& body, const Vec3& arm,
                           double radius, Touch& touch) {
    if constexpr (far)
      touch.dn = farSideOfCone(boundary, body.pos + arm, touch.n) - radius;
    else
      touch.dn = boundary.distance(body.pos + arm, touch.n) - radius;
    touch.arm = arm - touch.n * (radius + 0.5 * touch.dn);
    return touch.dn;
  }
  /// Velocity and spin of the boundary relative to a body that moves by `vel` and `spin`.
  static Vec3 velocityOf(const Boundary& boundary, const BodyPose& body, const Vec3& arm,
                         const Vec3& vel, const Vec3& spin) {
    const Vec3 ofBody = vel + spin.cross(arm);
    return boundary.moves() ? Vec3(boundary.velocityAt(body.pos + arm) - ofBody) : Vec3(-ofBody);
  }
  static Vec3 spinOf(const Boundary& boundary, const Vec3& spin) {
    return boundary.moves() ? Vec3(boundary.spin - spin) : Vec3(-spin);
  }
  /// Springs of a contact with a vertex; a boundary counts as flat.
  template <ContactLaw Law>
  static auto springs(const typename Law::Params& parameters, const BodyPose& body,
                      std::uint32_t number) {
    if constexpr (Law::needsRadius)
      return Law::springs(parameters, body.radiusAt(vertexOf(body, number)));
    return Law::springs(parameters, body.radius);
  }

  /// The contacts of the last step that are none now.
  template <ContactLaw Law>
  static void endsOf(const Boundary& boundary, const BodyPose& body, const MeanMotion& motion,
                     const typename Law::Params& parameters, ContactWeights weights, double dt,
                     const Slot& slot, ContactPower& power) {
    auto now = slot.now.begin();
    for (const Touching& t : slot.touching) {
      while (now != slot.now.end() && now->vertex < t.vertex) ++now;
      if (now != slot.now.end() && now->vertex == t.vertex) continue;
      Touch gone;
      const std::uint32_t vertex = vertexOf(body, t.vertex);
      const Vec3 arm = body.arm(body.shape->vertices[vertex]);
      if (vertex == t.vertex)
        distanceTo(boundary, body, arm, body.radiusAt(vertex), gone);
      else if (!std::isfinite(distanceTo<true>(boundary, body, arm, body.radiusAt(vertex), gone)))
        continue;
      const double share = weights == ContactWeights::none
                               ? 1.0
                               : weightOf(weights, t.state.dn) / sumBefore(weights, slot);
      power.part(t.state, springs<Law>(parameters, body, t.vertex), share, gone,
                 velocityOf(boundary, body, gone.arm, motion.vel, motion.spin),
                 spinOf(boundary, motion.spin), dt);
    }
  }

  /// With what the contact remembers of the last step. @param old  in that step, where to go on
  static void addTouching(Touching& t, std::vector<Touching>::iterator& old, Slot& slot) {
    while (old != slot.touching.end() && old->vertex < t.vertex) ++old;
    if (old != slot.touching.end() && old->vertex == t.vertex) t.state = old->state;
    slot.now.push_back(t);
  }

  template <bool ownRadii>
  static void findTouching(const Boundary& boundary, const BodyPose& body, double displacement,
                           Slot& slot) {
    slot.now.clear();
    auto old = slot.touching.begin();
    double least = HUGE_VAL;
    const auto& vertices = body.shape->vertices;
    // The whole body first, as a ball.
    Vec3 ignored;
    const double rest = boundary.distance(body.pos, ignored) -
                        body.shape->boundingRadius * body.scale - body.radius;
    if (rest > 0.0) {
      least = rest;
    } else {
      for (std::uint32_t v = 0; v < vertices.size(); ++v) {
        const Vec3 arm = body.arm(vertices[v]);
        Touching t;
        const double radius = ownRadii ? body.radiusAt(v) : body.radius;
        least = std::min(least, distanceTo(boundary, body, arm, radius, t.touch));
        if (t.touch.dn >= 0.0) continue;
        t.vertex = v;
        addTouching(t, old, slot);
      }
      if (boundary.kind == Boundary::Kind::cone)
        for (std::size_t near = 0, count = slot.now.size(); near < count; ++near) {
          const std::uint32_t v = slot.now[near].vertex;
          Touching t;
          distanceTo<true>(boundary, body, body.arm(vertices[v]), body.radiusAt(v), t.touch);
          if (t.touch.dn >= 0.0) continue;
          t.vertex = v + static_cast<std::uint32_t>(vertices.size());
          addTouching(t, old, slot);
        }
    }
    // Less a little for the rounding of positions.
    const double slack = 1e-12 * (boundary.radius + boundary.centre.cwiseAbs().maxCoeff() +
                                  body.pos.cwiseAbs().maxCoeff());
    slot.skipUntil = displacement + std::max(least - slack, 0.0);
  }

  template <ContactLaw Law, bool weighted>
  static void addForce(const Boundary& boundary, const BodyPose& body, const MeanMotion& motion,
                       const typename Law::Params& parameters, ContactWeights weights, double dt,
                       Slot& slot, Vec3& force, Vec3& moment, ContactPower& power) {
    [[maybe_unused]] double sum = 0.0, before = 0.0;
    if constexpr (weighted) {
      for (const Touching& t : slot.now) sum += weightOf(weights, t.touch.dn);
      before = sumBefore(weights, slot);
    }
    for (Touching& t : slot.now) {
      ContactKinematics k;
      k.dn = t.touch.dn;
      k.dnBefore = t.state.dn;
      k.n = t.touch.n;
      k.vel = velocityOf(boundary, body, t.touch.arm, body.vel, body.spin);
      k.slip = velocityOf(boundary, body, t.touch.arm, motion.vel, motion.spin);
      k.spin = spinOf(boundary, motion.spin);
      k.damp = slot.damp;
      if constexpr (Law::needsLever) k.lever = leverOf(t.touch.arm, body.spin);
      if constexpr (Law::needsRadius)
        k.radius = body.radiusAt(vertexOf(body, t.vertex));  // a boundary counts as flat
      const ContactForce last{t.state.fn, t.state.ft, t.state.mom};
      ContactForce f;
      double share = 1.0, shareBefore = 1.0;
      if constexpr (weighted) {
        share = weightOf(weights, t.touch.dn) / sum;
        shareBefore = t.state.dn < 0.0 ? weightOf(weights, t.state.dn) / before : 0.0;
        k.damp *= std::sqrt(share);
        f = Law::force(k, parameters.weighted(share), last, dt);
      } else {
        f = Law::force(k, parameters, last, dt);
      }
      const auto elastic = springs<Law>(parameters, body, t.vertex);
      power.touch(k, elastic, shareBefore, share, last, f, dt);
      if constexpr (weighted) power.reshare(k, elastic, shareBefore, share, last, dt);
      t.state = {t.touch.dn, f.fn, f.ft, f.mom};
      t.vel = k.vel;
      const Vec3 total = f.fn * t.touch.n + f.ft;
      force += total;
      moment += t.touch.arm.cross(total) + f.mom;
    }
  }

  std::vector<Boundary> boundaries_;
  std::size_t bodies_ = 0;
  std::vector<Slot> slots_;
  std::vector<Path> paths_;  ///< of each boundary
  double meanPower_ = 0.0;
};

}  // namespace scree::sim
