// SPDX-License-Identifier: GPL-3.0-or-later
// Elastic balls that meet head-on, under HertzMindlin, and what is known about them in closed form.
#pragma once

#include "contact_scenes.hpp"

#include <algorithm>
#include <cmath>

namespace scree::scenes {

/// Two balls of different radius, density and stiffness, or the first of them and a plane.
struct ElasticImpact {
  bool onPlane = false;
  double speed = 1.0;  ///< [L/T] of approach
  double e = 1.0;      ///< restitution that the file requests
  double mu = 0.0;
  double perContact = 4000;  ///< steps in the time of an undamped contact
  static constexpr double young[2] = {3e8, 1e8}, poisson[2] = {0.2, 0.35}, radii[2] = {0.15, 0.1},
                          densities[2] = {1800.0, 2600.0};

  double massOf(int k) const {
    return densities[k] * 4.0 / 3.0 * pi * radii[k] * radii[k] * radii[k];
  }
  double mass() const {
    return onPlane ? massOf(1) : massOf(0) * massOf(1) / (massOf(0) + massOf(1));
  }
  double radius() const {  ///< R*
    return onPlane ? radii[1] : radii[0] * radii[1] / (radii[0] + radii[1]);
  }
  double modulus() const {  ///< E*
    double compliance = 0.0;
    for (int k = 0; k < 2; ++k) compliance += (1 - poisson[k] * poisson[k]) / young[k];
    return 1 / compliance;
  }
  double shearModulus() const {  ///< G*
    double compliance = 0.0;
    for (int k = 0; k < 2; ++k) compliance += (2 - poisson[k]) * 2 * (1 + poisson[k]) / young[k];
    return 1 / compliance;
  }
  /// Largest overlap without losses: K. L. Johnson, Contact Mechanics, 1985, section 11.4.
  double deepest() const {
    return std::pow(15 * mass() * speed * speed / (16 * modulus() * std::sqrt(radius())), 0.4);
  }
  double contactTime() const { return 2.9432 * deepest() / speed; }

  /// The second body meets the first one, a plane or a ball of group 0, from above.
  Scene scene() const {
    Scene s;
    s.conf.forceLaw = "HertzMindlin";
    const double gap = 0.3 * speed * contactTime() / perContact;  // touches within a step
    if (onPlane) {
      s.add(plate("plate", 50.0, 0.05), {0, -0.05, 0}, 0);
      s.conf.nDriven = 1;
    } else {
      s.add(ball("below", radii[0]), {0, -radii[0], 0}, 0);
    }
    const auto above = s.add(ball("above", radii[1]), {0, radii[1] + gap, 0}, 1);
    s.conf.particles[above].vel = Vec3(0, -speed, 0);
    for (std::uint32_t k = 0; k < 2; ++k) {
      s.conf.setDensity(k, densities[k]);
      s.elastic(k, young[k], poisson[k]);
    }
    s.conf.setLawParameter("en2Contact", 0, 1, e * e);
    s.conf.setLawParameter("muContact", 0, 1, mu);
    s.conf.dt = contactTime() / perContact;
    return s;
  }

  struct Outcome {
    double restitution = 0.0;
    double deepest = 0.0;          ///< [L] largest overlap
    double duration = 0.0;         ///< [T] of the contact
    double leastForce = HUGE_VAL;  ///< [F] along n, over all steps that touch
    sim::EnergyBudget energy;      ///< at the end
    double worstResidual = 0.0;    ///< over what has been exchanged by then
  };
  Outcome run() const {
    const auto s = scene().start();
    Outcome o;
    bool touched = false;
    while (true) {
      s->step();
      const auto contacts = s->interactions();
      if (contacts.empty() && touched) break;
      for (const sim::InteractionRecord& r : contacts) {
        touched = true;
        o.deepest = std::max(o.deepest, -r.dn);
        o.leastForce = std::min(o.leastForce, r.fn);
        o.duration += s->timeStep();
      }
      const sim::EnergyBudget now = s->energyBudget();
      if (now.exchanged > 0.0)
        o.worstResidual = std::max(o.worstResidual, std::abs(now.residual) / now.exchanged);
    }
    o.restitution = (s->bodies().vel[1].y() - (onPlane ? 0.0 : s->bodies().vel[0].y())) / speed;
    o.energy = s->energyBudget();
    return o;
  }
};

}  // namespace scree::scenes
