// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/pair_force.hpp"

namespace scree::sim {

/// As touches(), by the bound of the run: with `--compat rockable`, long edges at a sine below 1e-6
/// may touch. Forces and records of such contacts need the same answer as the step that made them.
inline bool touchesInRun(bool compat, const Candidate& c, const BodyPose& i, const BodyPose& j,
                         const Vec3& branch, Touch& touch, double& rest) {
  return compat ? touches<true>(c, i, j, branch, touch, rest)
                : touches<false>(c, i, j, branch, touch, rest);
}

}  // namespace scree::sim
