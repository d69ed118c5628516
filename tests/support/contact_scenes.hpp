// SPDX-License-Identifier: GPL-3.0-or-later
// One body and one plane whose upper side is y = 0, and what is known about them in closed form.
#pragma once

#include "scenes.hpp"

#include "scree/sim/io/conf_file.hpp"

#include <cmath>
#include <string>

namespace scree::scenes {

constexpr double density = 2600.0, radius = 0.1;
/// Figures of the cube of core 0.8 swept by 0.1: verification benchmarks 1.3.
constexpr double cubeVolume = 0.975587013890942;

/// A ball of radius 0.1 over the plane; groups 0 (plane) and 1 (ball).
inline Scene ballOnPlane(double height) {
  Scene scene;
  scene.add(plate("plate", 50.0, 0.05), {0, -0.05, 0}, 0);
  scene.add(ball("ball", radius), {0, height, 0}, 1);
  scene.conf.nDriven = 1;
  scene.conf.setDensity(1, density);
  return scene;
}
inline double ballMass() { return density * 4.0 / 3.0 * pi * radius * radius * radius; }

/// The cube of side 1, core 0.8, over the plane; groups 0 (plane) and 1 (cube).
inline Scene cubeOnPlane(double height) {
  Scene scene;
  scene.add(plate("plate", 20.0, 0.05), {0, -0.05, 0}, 0);
  scene.add(box("cube", 0.8, 0.8, 0.8, 0.1), {0, height, 0}, 1);
  scene.conf.nDriven = 1;
  scene.conf.setDensity(1, density);
  return scene;
}
inline double cubeMass() { return density * cubeVolume; }

/// Share of critical damping that a restitution of e asks for; 1 where e is 0.
inline double dampingRatio(double e) {
  if (e <= 0.0) return 1.0;
  return -std::log(e) / std::sqrt(std::log(e) * std::log(e) + pi * pi);
}
/// Restitution of a spring and dashpot that cannot pull: the contact ends where the force turns.
/// Source: T. Schwager & T. Pöschel, Granular Matter 9, 2007.
inline double clampedRestitution(double zeta) {
  if (zeta <= 0.0) return 1.0;
  const double w = std::sqrt(1 - zeta * zeta);
  const double tc = zeta < std::sqrt(0.5)
                        ? (pi - std::atan(2 * zeta * w / (w * w - zeta * zeta))) / w
                        : std::atan(2 * zeta * w / (zeta * zeta - w * w)) / w;
  return std::exp(-zeta * tc);
}

/// Speed with which a ball comes back that meets the plane at `speed`, without gravity.
/// @param perContact  steps in the time of an undamped contact
inline double reboundSpeed(const std::string& law, const std::string& integrator, double kn,
                           double en2, double speed, double perContact) {
  Scene scene = ballOnPlane(radius + 1e-3);
  scene.conf.forceLaw = law;
  scene.conf.integrator = integrator;
  scene.law(0, 1, kn, en2, 0, 0);
  scene.conf.dt = pi * std::sqrt(ballMass() / kn) / perContact;
  scene.conf.particles[1].vel = Vec3(0, -speed, 0);
  auto s = scene.start();
  while (s->bodies().vel[1].y() <= 0 || s->contactCount() > 0) s->step();
  return s->bodies().vel[1].y();
}

/// Drives that a drivingSystem.txt of this text gives for `driven` bodies.
inline sim::Drives drivesOf(const std::string& text, std::uint32_t driven) {
  Diagnostics strict(true);
  TextReader in("drivingSystem.txt", text);
  return sim::readDriving(in, driven, driven, strict);
}

struct Flight {
  double left = 0.0, landed = 0.0;  ///< [T]
  double gap = 0.0;                 ///< [L] largest
};
/// A ball that does not bounce on a plate shaken by A sin wt at 10 Hz with A w²/g = 2. It leaves at
/// asin(1/2)/w with the plate's speed and flies the parabola.
inline Flight thrownByPlate(double kn, double dt) {
  const double g = 9.81, f = 10, w = 2 * pi * f, A = 2 * g / (w * w);
  Scene scene = ballOnPlane(radius - ballMass() * g / kn);  // at rest on the plate
  scene.conf.gravity = Vec3(0, -g, 0);
  scene.law(0, 1, kn, 0, 0, 0);
  scene.conf.dt = dt;
  scene.conf.particles[1].vel = Vec3(0, A * w, 0);
  char text[80];
  std::snprintf(text, sizeof text, "Servo shaker 0 0 1 0 %.17g 10", A);
  auto s = scene.start(1, drivesOf(text, 1));
  Flight flight;
  while (flight.landed == 0) {
    s->step();
    const double d = s->bodies().pos[1].y() - radius - (s->bodies().pos[0].y() + 0.05);
    flight.gap = std::max(flight.gap, d);
    if (flight.left == 0 && s->time() > 5e-3 && s->bodies().force[1].y() == 0.0)
      flight.left = s->time();
    if (flight.left > 0 && s->time() > 0.02 && s->contactCount() > 0) flight.landed = s->time();
  }
  return flight;
}

}  // namespace scree::scenes
