// SPDX-License-Identifier: GPL-3.0-or-later
// Forces on bodies beside contacts and weight.
#pragma once

#include "model/rules.hpp"

#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/surroundings.hpp"

#include <span>

namespace scree::sim {

/// Share of body k, a body that is not driven. @param area  [L²] V^(2/3), for ViscousFluid
ForceAndMoment bodyForceOn(const BodyForce& bodyForce, const Bodies& bodies, std::size_t k,
                           double area, Drag drag);

/// Length of each joint where the bodies stand, for those whose rest length is still open.
void setRestLengths(std::span<SpringJoint> joints, const Bodies& bodies);
/// Adds the forces of all joints, in their order. O(joints).
void addJointForces(std::span<const SpringJoint> joints, Bodies& bodies);
/// 1/2 K (l - l0)², summed. [F L]
double jointEnergy(std::span<const SpringJoint> joints, const Bodies& bodies);

}  // namespace scree::sim
