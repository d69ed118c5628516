// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contact/kinematics.hpp"
#include "contact/shape_geometry.hpp"
#include "model/rules.hpp"
#include "step/restraint.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/conf.hpp"
#include "scree/sim/model/integrator.hpp"

#include <optional>
#include <vector>

namespace scree::sim {

struct Contacts;

/// What a run resolves once from its file. Once a run has begun, nothing here changes.
struct Model {
  /// What the file says, in its own order of bodies: time step, gravity, joints, walls, courses in
  /// time. What a State holds, too, has its value at the start here.
  Conf conf;
  std::vector<shape::Shape> shapes;       ///< one for each name in conf.shapeNames
  std::vector<ShapeGeometry> geometries;  ///< of these
  Integrator integrator = Integrator::velocityVerlet;
  int threads = 1;
  Rules rules;
  bool complete = false;  ///< the file holds a state to the bit
};

/// @throws ParseError for what a file requests and nothing here can compute
void refuseWhatIsMissing(const Conf& conf);
/// The bodies of a file in the order of a run.
/// @param keepLengths  orientations that are not of length 1 are left so
/// @throws ParseError for a body without mass
Bodies makeBodies(const Model& model, const BodyOrder& order, bool keepLengths,
                  Diagnostics& diagnostics);
/// What contacts see of them, but for where they stand and how they move: see placeBody.
std::vector<BodyPose> initialPoses(const Model& model, const Bodies& bodies);
/// Mass and inertia of body k, by the density of its group.
void setMass(const Parameters& parameters, const Model& model, Bodies& bodies, std::size_t k);
/// What holds accelerations back, as the file has it.
Restraint restraintOf(const Conf& conf);

/// The order in which a run begins. @param may  whether the run may have an order of its own
BodyOrder startOrder(const Model& model, bool may, Diagnostics& diagnostics);
/// An order by place, where bodies have mixed so far that it is worth making all lists again.
std::optional<BodyOrder> betterOrder(const BodyOrder& now, const Bodies& bodies,
                                     const Contacts& contacts);

}  // namespace scree::sim
