// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contact/kinematics.hpp"
#include "contact/shape_geometry.hpp"
#include "engine/restraint.hpp"
#include "model/rules.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/conf.hpp"
#include "scree/sim/model/integrator.hpp"

#include <optional>
#include <string>
#include <vector>

namespace scree::sim {

struct Contacts;

/// What a run resolves once from its file. Once a run has begun, nothing here changes.
struct Model {
  std::vector<shape::Shape> shapes;       ///< by `Bodies::shape`
  std::vector<ShapeGeometry> geometries;  ///< of these
  double dt = 0.0;                        ///< [T] time step
  Vec3 gravity = Vec3::Zero();            ///< [L/T²]
  std::optional<BodyForce> bodyForce;
  std::vector<SpringJoint> joints;
  std::vector<Tempo> tempos;  ///< courses in time, in the order of the file
  Integrator integrator = Integrator::velocityVerlet;
  Rules rules;
  int threads = 1;
  bool complete = false;  ///< the file holds a state to the bit
  bool mayOrder = false;  ///< bodies may be sorted by place, unless bonds name them
  std::string source;     ///< name of the file, for messages; "" for none
  /// What the file says, without the state that it holds: conf-files of the run say it again.
  /// Steps read nothing of it.
  Conf file;
};

/// @throws ParseError for what a file requests and nothing here can compute
void refuseWhatIsMissing(const Conf& conf);
/// The bodies of a file in the order of a run.
/// @param keepLengths  orientations that are not of length 1 are left so
/// @throws ParseError for a body without mass
Bodies makeBodies(const Conf& file, const Model& model, const BodyOrder& order, bool keepLengths,
                  Diagnostics& diagnostics);
/// What contacts see of them, but for where they stand and how they move: see placeBody.
std::vector<BodyPose> initialPoses(const Model& model, const Bodies& bodies);
/// Mass and inertia of body k, by the density of its group.
void setMass(const Parameters& parameters, const Model& model, Bodies& bodies, std::size_t k);
/// What holds accelerations back, as the file has it.
Restraint restraintOf(const Conf& conf);

/// The order in which a run begins.
/// @param may  whether the run may have an order of its own
/// @param complete  the file holds a state to the bit, and its order
BodyOrder startOrder(const Conf& file, bool may, bool complete, Diagnostics& diagnostics);
/// An order by place, where bodies have mixed so far that it is worth making all lists again.
std::optional<BodyOrder> betterOrder(const BodyOrder& now, const Bodies& bodies,
                                     const Contacts& contacts);

}  // namespace scree::sim
