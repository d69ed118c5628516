// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contact/kinematics.hpp"
#include "contact/shape_geometry.hpp"
#include "step/restraint.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/body_order.hpp"
#include "scree/sim/model/conf.hpp"

#include <optional>
#include <vector>

namespace scree::sim {

struct Contacts;

/// What a run resolves once from its file.
struct Model {
  std::vector<shape::Shape> shapes;       ///< one for each name in conf.shapeNames
  std::vector<ShapeGeometry> geometries;  ///< of these
  std::vector<double> radius;             ///< [L] rounding of each body
  std::vector<double> dragArea;           ///< [L²] V^(2/3) of each body, for a viscous fluid
  Restraint restraint;
};

/// @throws ParseError for what a file asks for and nothing here can compute
void refuseWhatIsMissing(const Conf& conf);
/// Of shapes that Rockable has not: clumps with a radius for each ball.
/// @throws ParseError for the first body of such a shape
void refuseAsRockable(const Conf& conf, const std::vector<shape::Shape>& shapes);
/// The bodies of a file, and what belongs to them. @pre model.shapes is complete
/// @param keepLengths  orientations that are not of length 1 are left so
/// @throws ParseError for a body without mass
Bodies makeBodies(const Conf& conf, const BodyOrder& order, bool keepLengths, Model& model,
                  std::vector<Placed>& placed, Diagnostics& diagnostics);
/// Mass and inertia of body k, by the density of its group.
void setMass(const Conf& conf, const Model& model, Bodies& bodies, std::size_t k);

/// The order in which a run begins, and the conf in that order.
/// @param complete  the file holds a state to the bit, and may hold its order
/// @param may       whether the run may have an order of its own
BodyOrder startOrder(Conf& conf, bool complete, bool may, Diagnostics& diagnostics);
/// An order by place, where bodies have mixed so far that it is worth making all lists again.
std::optional<BodyOrder> betterOrder(const BodyOrder& now, const Bodies& bodies,
                                     const Contacts& contacts);

}  // namespace scree::sim
