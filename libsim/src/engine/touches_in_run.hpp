// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pair_force.hpp"

namespace scree::sim {

/// As touches(), by the bound of the run: where contacts live by list, long edges at a sine below
/// 1e-6 may touch. Forces and records of such contacts need the same answer as the step that made
/// them.
inline bool touchesInRun(bool byList, const Candidate& c, const BodyPose& i, const BodyPose& j,
                         const Vec3& branch, Touch& touch, double& rest) {
  return byList ? touches<true>(c, i, j, branch, touch, rest)
                : touches<false>(c, i, j, branch, touch, rest);
}

}  // namespace scree::sim
