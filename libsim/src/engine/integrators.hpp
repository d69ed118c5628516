// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compat/cell_as_rockable.hpp"
#include "compat/motion_as_rockable.hpp"
#include "motion/staged_integrators.hpp"
#include "motion/velocity_verlet.hpp"

namespace scree::sim {

/// The integrators of a run, each with its own memory; those that a run does not use have none.
struct Integrators {
  VelocityVerlet velocityVerlet;
  EulerIntegrator euler;
  BeemanIntegrator beeman;
  RungeKutta4Integrator rungeKutta4;
  MotionAsRockable motionAsRockable;
  CellAsRockable cellAsRockable;

  /// The motion one step back that Beeman remembers; empty where it is not known.
  std::vector<EarlierMotion>& earlier(bool compat) {
    return compat ? motionAsRockable.earlier : beeman.earlier;
  }
  const std::vector<EarlierMotion>& earlier(bool compat) const {
    return compat ? motionAsRockable.earlier : beeman.earlier;
  }
};

}  // namespace scree::sim
