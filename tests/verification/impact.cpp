// SPDX-License-Identifier: GPL-3.0-or-later
// Sections 3.1, 3.2, 3.7, 3.8, 3.9: bodies that meet a plane, or each other, and part.
#include "elastic_scenes.hpp"
#include "free_bodies.hpp"
#include "law/contact_law.hpp"
#include "table.hpp"

#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/law/law_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace scree;
using namespace scree::scenes;

namespace scree::verification {
namespace {

void restitution(Report& report) {
  const double n = 2000;
  for (const double e : {1.0, 0.9, 0.7, 0.5, 0.3, 0.1})
    report.absolute(fmt::format("Default, √en2 = {}: e", e),
                    reboundSpeed("Default", "velocityVerlet", 1e6, e * e, 1.0, n),
                    clampedRestitution(dampingRatio(e)), 0.5 / n + 1e-4);
  for (const char* law : {"StickedLinks", "BCM", "GeoVisc"})
    report.absolute(fmt::format("{}, √en2 = 0.5: e", law),
                    reboundSpeed(law, "velocityVerlet", 1e6, 0.25, 1.0, n),
                    clampedRestitution(dampingRatio(0.5)), 0.5 / n + 1e-4);
  report.absolute("Euler, √en2 = 0.5: e", reboundSpeed("Default", "Euler", 1e6, 0.25, 1.0, n),
                  clampedRestitution(dampingRatio(0.5)), 3.5 / n + 1e-4);
  for (const char* integrator : {"Beeman", "RungeKutta4"})
    report.absolute(fmt::format("{}, √en2 = 0.5: e", integrator),
                    reboundSpeed("Default", integrator, 1e6, 0.25, 1.0, n),
                    clampedRestitution(dampingRatio(0.5)), 0.5 / n + 1e-4);
  for (const double en2 : {0.81, 0.25, 0.05})
    report.absolute(fmt::format("Avalanche, en2 = {}: e", en2),
                    reboundSpeed("Avalanche", "velocityVerlet", 1e6, en2, 1.0, n), std::sqrt(en2),
                    0.5 / n + 1e-4);
  report.absolute("closed form for en2 = 0.01", sim::springDashpotRestitution(0.01), 0.252729,
                  5.1e-7);
}

void undampedContact(Report& report) {
  const double kn = 1e6;
  Scene scene = ballOnPlane(radius + 1e-3);
  scene.law(0, 1, kn, 1.0, 0, 0);
  scene.conf.dt = pi * std::sqrt(ballMass() / kn) / 2000;
  scene.conf.particles[1].vel = Vec3(0, -1, 0);
  auto s = scene.start();
  double deepest = 0.0, contact = 0.0;
  while (s->bodies().vel[1].y() <= 0 || s->contactCount() > 0) {
    s->step();
    deepest = std::max(deepest, radius - s->bodies().pos[1].y());
    contact += s->contactCount() > 0 ? scene.conf.dt : 0.0;
  }
  report.relative("time of contact π√(m/kn) [s]", contact, 1.036766e-2, 1.0 / 2000);
  report.relative("depth v√(m/kn) [m]", deepest, 3.300129e-3, 0.5 / 2000 + 1e-4);
}

void elasticImpact(Report& report) {
  for (const bool onPlane : {true, false}) {
    ElasticImpact impact;
    impact.onPlane = onPlane;
    const std::string what = onPlane ? "ball on plane" : "ball on ball";
    for (const double speed : {0.01, 0.1, 1.0}) {
      impact.speed = speed;
      impact.e = 1.0;
      const ElasticImpact::Outcome o = impact.run();
      const std::string say = fmt::format("{}, {} m/s: ", what, speed);
      report.relative(say + "largest overlap [m]", o.deepest, impact.deepest(), 1e-5);
      report.relative(say + "time of contact [s]", o.duration, impact.contactTime(),
                      2 / impact.perContact);
      for (const double e : {0.3, 0.5, 0.7, 0.9, 0.95}) {
        impact.e = e;
        report.absolute(fmt::format("{}e = {}", say, e), impact.run().restitution, e, 1e-3);
      }
    }
  }
}

void viscousRate(Report& report) {
  // α -> en2 (as the file says it) -> viscosity -> α.
  for (const double rate : {0.05, 0.3, 0.9}) {
    TextReader in("c", fmt::format("Rockable 21-08-2022\nen2ContactFromViscRate 0 0 {}\n"
                                   "Particles 0\n",
                                   rate));
    Diagnostics quiet;
    const double en2 = sim::readConf(in, quiet).lawParameter("en2Contact", 0, 0);
    report.relative(fmt::format("rate {}: en2", rate), en2,
                    std::exp(-2 * pi * rate / std::sqrt(1 - rate * rate)), 1e-13);
    report.relative(fmt::format("rate {}: share of critical damping", rate),
                    sim::normalViscosity(1e6, en2, 4.0) / (2 * std::sqrt(1e6 * 4.0)), rate, 1e-13);
  }
}

Scene dropped(double kn, double en2, double height, double perContact) {
  Scene scene = ballOnPlane(radius + height);
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.law(0, 1, kn, en2, 0, 0);
  scene.conf.dt = pi * std::sqrt(ballMass() / kn) / perContact;
  return scene;
}

void peaks(Report& report) {
  {
    auto s = dropped(1e6, 1.0, 0.1, 200).start();
    double worst = 0.0, before = 0.0;
    for (int k = 0; k < 10;) {
      s->step();
      const double v = s->bodies().vel[1].y();
      if (before > 0 && v <= 0) {
        const double peak = s->bodies().pos[1].y() - radius + v * v / (2 * 9.81);
        if (std::abs(peak - 0.1) > std::abs(worst)) worst = peak - 0.1;
        ++k;
      }
      before = v;
    }
    report.atMost("e = 1: worst of ten peaks, off 0.1 m by [m]", worst, 2e-5);
  }
  // e = 0.7 in the limit of a stiff contact, whose time Tc falls with the root of kn. The weight
  // takes e up by half of g Tc/v at a bounce of speed v, each bounce is within 0.5/N of its e.
  const double e = clampedRestitution(dampingRatio(0.7));
  const double n = 400;
  double slowness = 0.0;
  for (int k = 0; k < 5; ++k) slowness += 1 / (std::sqrt(2 * 9.81 * 0.1) * std::pow(e, k));
  for (const double kn : {1e8, 1e10}) {
    auto s = dropped(kn, 0.49, 0.1, n).start();
    const double contact = pi * std::sqrt(ballMass() / kn);
    double before = 0.0, rest = 0.0, worst = 0.0, wasTouching = 0.0;
    int k = 0;
    while (rest == 0.0) {
      s->step();
      const double v = s->bodies().vel[1].y();
      if (before > 0 && v <= 0 && s->contactCount() == 0 && k < 5) {
        ++k;
        worst = std::max(
            worst, std::abs((s->bodies().pos[1].y() - radius) / (0.1 * std::pow(e, 2.0 * k)) - 1));
      }
      before = v;
      // At rest: it touches without a break for ten times of contact.
      if (s->contactCount() == 0) wasTouching = s->time();
      if (s->time() - wasTouching > 10 * contact) rest = wasTouching;
    }
    const std::string say = fmt::format("√en2 = 0.7, kn = {:.0e}: ", kn);
    report.atMost(say + "peaks 1 to 5 over h0 e^2k, off by", worst,
                  9.81 * contact * slowness + 5 / n);
    // The last bounces, slower than g Tc, are missing, and each takes its time: 20 Tc or so.
    report.absolute(say + "time to rest [s]", rest, std::sqrt(2 * 0.1 / 9.81) * (1 + e) / (1 - e),
                    20 * contact);
  }
}

struct Rebound {
  Vec3 vel, spin;
};
Rebound oblique(double kn, double e, double vn, double vt, double spin, double mu) {
  Scene scene = ballOnPlane(radius + 1e-5);
  scene.law(0, 1, kn, e * e, kn, mu);
  scene.conf.dt = pi * std::sqrt(ballMass() / kn) / 2000;
  scene.conf.particles[1].vel = Vec3(vt, -vn, 0);
  scene.conf.particles[1].vrot = Vec3(0, 0, spin);
  auto s = scene.start();
  while (s->bodies().vel[1].y() <= 0 || s->contactCount() > 0) s->step();
  return {s->bodies().vel[1], s->bodies().spin[1]};
}

void obliqueImpact(Report& report) {
  const double mu = 0.1, vn = 1, vt = 2;
  for (const double kn : {1e8, 1e10}) {
    // Points of contact stand nearer to the centre by the overlap: up to v√(m/kn).
    const double arm = vn * std::sqrt(ballMass() / kn) / radius + 1e-3;
    for (const double e : {1.0, 0.5}) {
      // Friction is bounded by the elastic force, which presses on after the whole one has ended:
      // its impulse is m vn (1 + e_out (1 - 2ζ²)).
      const double zeta = e == 1.0 ? 0.0 : dampingRatio(e);
      const double impulse = vn * (1 + clampedRestitution(zeta) * (1 - 2 * zeta * zeta));
      const Rebound r = oblique(kn, e, vn, vt, 0, mu);
      const std::string say = fmt::format("kn = {:.0e}, √en2 = {}: ", kn, e);
      report.absolute(say + "vt' [m/s]", r.vel.x(), vt - mu * impulse, 5e-4);
      report.relative(say + "ω' [1/s]", -r.spin.z(), 5 * mu * impulse / (2 * radius), arm);
    }
  }
  const double spin = 40.0;  // clockwise from above the plane: drives along -x
  const Rebound r = oblique(1e10, 1.0, vn, 0, spin, mu);
  report.absolute("spin alone: vt' [m/s]", -r.vel.x(), mu * 2 * vn, 5e-4);
  report.relative("spin alone: ω' [1/s]", r.spin.z(), spin - 5 * mu * 2 * vn / (2 * radius), 1e-3);
}

void headOnWithShear(Report& report) {
  const double mu = 0.1, vn = 1, vt = 2, kn = 1e12, e = 1.0;
  Scene scene;
  scene.add(ball("ball", radius), {-radius - 5e-6, 0, 0}, 1);
  scene.add(ball("ball", radius), {radius + 5e-6, 0, 0}, 1);
  scene.conf.setDensity(1, density);
  scene.law(1, 1, kn, e * e, kn, mu);
  scene.conf.dt = pi * std::sqrt(0.5 * ballMass() / kn) / 2000;
  scene.conf.particles[0].vel = Vec3(vn, -vt, 0);
  scene.conf.particles[1].vel = Vec3(-vn, vt, 0);
  auto s = scene.start();
  const Momenta begin = momentaOf(*s);
  // The line of centres turns by 2 vt Tc/(2R) = 1.5e-4 while they touch.
  while (s->bodies().vel[1].x() <= 0 || s->contactCount() > 0) s->step();
  const Momenta end = momentaOf(*s);
  report.absolute("vn' = e vn [m/s]", s->bodies().vel[1].x(), e * vn, 1e-3);
  report.absolute("vt' = vt − μ(1+e) vn [m/s]", s->bodies().vel[1].y(), vt - mu * (1 + e) * vn,
                  1e-3);
  report.relative("ω' = 5μ(1+e) vn/(2R), as rolling off [1/s]", s->bodies().spin[1].z(),
                  5 * mu * (1 + e) * vn / (2 * radius), 1e-3);
  report.atMost("linear momentum, off by", (end.linear - begin.linear).norm() / end.linearSize,
                1e-12);
  report.atMost("angular momentum, off by",
                (end.angular - begin.angular).norm() / begin.angularSize, 1e-12);
}

void eccentric(Report& report) {
  const Quat q(Eigen::AngleAxisd(0.6, Vec3(1, 0.3, 0.7).normalized()));
  const double core = 0.4, r = 0.1, mass = cubeMass();
  Vec3 arm = Vec3::Zero();  // lowest corner of the core
  for (int k = 0; k < 8; ++k) {
    const Vec3 corner =
        rotated(q, Vec3(k & 1 ? core : -core, k & 2 ? core : -core, k & 4 ? core : -core));
    if (corner.y() < arm.y()) arm = corner;
  }
  const double inertia = mass * 0.161966351935;  // about any axis
  const Vec3 lever = arm.cross(Vec3::UnitY());
  const double effective = 1 / (1 / mass + lever.squaredNorm() / inertia);
  for (const double e : {1.0, 0.5})
    for (const double kn : {1e8, 1e10}) {
      Scene scene = cubeOnPlane(r - arm.y() + 1e-5);
      scene.conf.particles[1].q = q;
      scene.conf.particles[1].vel = Vec3(0, -1, 0);
      scene.law(0, 1, kn, e * e, 0, 0);
      scene.conf.dt = pi * std::sqrt(effective / kn) / 1000;
      auto s = scene.start();
      const double energy = kineticEnergy(*s);
      bool touched = false;
      while (!touched || s->contactCount() > 0) {
        s->step();
        touched = touched || s->contactCount() > 0;
      }
      // The damper is tuned with m and acts on the effective mass.
      const double out =
          e == 1.0 ? 1.0 : clampedRestitution(dampingRatio(e) * std::sqrt(mass / effective));
      const double impulse = (1 + out) * effective;
      const Vec3 spin = lever * (impulse / inertia);
      // The error comes from the length of the contact, which falls with the root of kn.
      const double tolerance = kn == 1e10 ? 1e-3 : 1e-2;
      const std::string say = fmt::format("√en2 = {}, kn = {:.0e}: ", e, kn);
      report.absolute(say + "v' [m/s]", s->bodies().vel[1].y(), -1 + impulse / mass, tolerance);
      report.absolute(say + "ω'x [1/s]", s->bodies().spin[1].x(), spin.x(), tolerance);
      report.atMost(say + "ω'y [1/s]", s->bodies().spin[1].y(), 1e-12);
      report.absolute(say + "ω'z [1/s]", s->bodies().spin[1].z(), spin.z(), tolerance);
      if (e == 1.0)
        report.atMost(say + "kinetic energy, off by", kineticEnergy(*s) / energy - 1, 1e-3);
    }
}

void vibratedPlate(Report& report) {
  const Flight f = thrownByPlate(1e9, 1e-6);
  report.relative("lift-off at asin(1/Γ)/ω [s]", f.left, 8.3333e-3, 1e-3);
  report.relative("landing [s]", f.landed, 82.4813e-3, 1e-3);
  report.relative("largest gap [m]", f.gap, 6.290587e-3, 1e-3);
}

}  // namespace

std::vector<Problem> impactProblems() {
  return {
      {"3.1", "normal restitution",
       "T. Schwager & T. Pöschel, Granular Matter 9, 2007; a touch begins within a step: 0.5/N + "
       "1e-4, Euler 3.5/N, N = 2000",
       false, restitution},
      {"3.1", "undamped contact", "half an oscillation; a touch begins within a step", false,
       undampedContact},
      {"3.1", "elastic balls (HertzMindlin)",
       "(15 m v²/(16 E √R))^(2/5), 2.9432 δ/v: K. L. Johnson, Contact Mechanics, 1985, 11.4; "
       "4000 steps a contact",
       false, elasticImpact},
      {"3.1", "viscous rate and en2", "en2 = exp(−2πα/√(1−α²)); rounding", false, viscousRate},
      {"3.2", "bouncing ball",
       "peaks h0 e^2k, rest after √(2h0/g)(1+e)/(1−e) for a stiff contact; e of 3.1; tolerances "
       "fall "
       "with the time of contact",
       false, peaks},
      {"3.7", "oblique impact of a ball",
       "gross sliding; friction is capped by the elastic force; lever R less the overlap", false,
       obliqueImpact},
      {"3.7", "head-on with shear", "gross sliding; momenta", false, headOnWithShear},
      {"3.8", "eccentric impact of a cube",
       "impulse on the effective mass 1/(1/m + (a×n)ᵀI⁻¹(a×n)); 1e-3 at kn 1e10, ten times at 1e8",
       false, eccentric},
      {"3.9", "ball on a vibrated plate", "parabola over the sine, Γ = 2, 10 Hz", false,
       vibratedPlate},
  };
}

}  // namespace scree::verification
