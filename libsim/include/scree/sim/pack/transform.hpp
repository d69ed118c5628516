// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/conf.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

/// A conf-file in memory and its shapes, as readRunInput() gives them. It has bodies.
struct Scene {
  Conf conf;
  std::vector<shape::Shape> shapes;  ///< one for each of conf.shapeNames, in its order
};

// Numbers that a function does not concern keep their bits. The run of the lines `#scree` ends: a
// new one begins at t, after keepBodies(), merged(), repeat() and translate() with its forces.

/// Leaves the bodies whose flag is set, some at least, with the contacts, bonds and joints among
/// them. Parameters of groups that have lost their last body go, too.
void keepBodies(Scene& scene, std::span<const char> stays);

/// All scenes in one, driven bodies first, with the settings of the first and the least dt.
///
/// Clusters of a later scene count on. A group with other parameters than the same number before
/// gets a free number, another shape of the same name becomes NAME_2. A pair of groups from
/// different files gets the lesser of the values that each has with itself. Notes tell these.
/// @throws ModelError with both values where all bodies would share what differs, such as the law,
/// gravity or the cell; also for a Tempo, round walls but those of the first scene, and bodies of
/// one shape that stand at one place
Scene merged(std::vector<Scene> scenes, Diagnostics& diagnostics);

/// Repeats a scene with its contacts, bonds and joints; clusters count on. Round walls stay single.
/// A periodic cell grows, and a contact across one of its sides becomes one between neighbouring
/// copies. Contacts of copies with round walls are left out: a run finds them, without friction.
/// @param counts  at least 1 each
/// @param step    [L] along x, y and z; none for a periodic cell, which has its vectors
/// @throws ModelError where copies coincide, a cell has bonds or joints, or above 50 million bodies
void repeat(Scene& scene, const std::array<std::int64_t, 3>& counts,
            const std::optional<Vec3>& step);

/// Moves bodies, contacts and boundaries. The periodic cell and body forces stay. Bodies of a cell
/// that moves take up its velocity and acceleration at their new place.
void translate(Scene& scene, const Vec3& by);

/// Turns bodies, contacts, boundaries and the periodic cell about an axis through the origin;
/// gravity and body forces stay. Quarter turns only exchange and negate numbers, but for
/// orientations; they keep the vectors of the cell in the order of the axes.
/// @param axis  0, 1 or 2 for x, y or z @param degrees  right-handed, finite
void rotate(Scene& scene, int axis, double degrees);

/// Multiplies all lengths by `factor`: bodies by their homothety, positions, boundaries, the cell,
/// gaps and areas of bonds. Velocities, stiffnesses and strengths stay, contacts and bonds begin
/// unloaded: the present gaps of bonds are those at rest.
/// Below 1 dt becomes shorter by factor^1.5, as the masses ask for.
void scale(Scene& scene, double factor);

/// Sets a value of each body from its own numbers before: `vx=0`, `group=1 + (z > 2)`. Bodies that
/// move or change their size lose their contacts and bonds, and the conf is marked so (EditMark).
/// @param text  NAME=EXPR; NAME is group cluster homothety x y z vx vy vz wx wy or wz, EXPR a
///              formula of a Selection @returns how many bodies have changed
/// @throws UsageError; ModelError naming a body, before any changes, whose value is out of range
std::size_t setValues(Scene& scene, const std::string& text);

/// Gives the bodies that have the shape `name` another one, in the same pose of centre of mass and
/// principal axes. They lose their contacts and bonds. A name that is taken changes as in merged().
/// @param shape  surveyed @returns how many bodies. @throws ModelError if no body has the shape
std::size_t replaceShape(Scene& scene, const std::string& name, const shape::Shape& shape);

/// Numbers clusters from 0 in the order of their first bodies.
void renumberClusters(Scene& scene);

/// Makes the scene a beginning: t is 0, contacts are dropped, bonds unloaded as by scale(). Bodies
/// keep their velocities and joints their rest lengths.
void dropHistory(Scene& scene);

}  // namespace scree::sim
