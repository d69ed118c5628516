// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/measure/selection.hpp"
#include "scree/sim/model/conf.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

/// A conf-file in memory and its shapes, as readRunInput() gives them. It has bodies.
struct Scene {
  Conf conf;
  std::vector<shape::Shape> shapes;  ///< one for each of conf.shapeNames, in its order
};

// Numbers that a function does not concern keep their bits. The run that lines `#scree` hold ends:
// one of the result begins at the time t, after keepBodies(), merged(), repeat() and translate()
// with the forces of the file. Where bodies get other numbers, lines `DataExtractor` go.

/// Leaves the bodies whose flag is set, some at least, with the contacts, bonds and joints among
/// them. Shapes, and parameters of groups, that have lost their last body go, too.
void keepBodies(Scene& scene, std::span<const char> stays);

/// All scenes in one: driven bodies first, those of the first scene before those of the second.
///
/// Settings are those of the first scene, but for the smallest dt and the most decimals. Numbers
/// and names of a later scene stay where they mean the same, else notes name the new ones:
/// - a group with other parameters than the same number before gets a free number. Contacts of
///   groups that no file has both of get the lesser of the values that both have with themselves.
/// - clusters count on from the largest, if one of them is taken.
/// - a shape of another form than the same name before becomes NAME_2, NAME_3, ...
/// - a boundary that is there already is not added again.
/// @throws ModelError with both values where all bodies would have to share what differs, such as
/// the law, gravity or the cell; and where a body stands exactly where another of its shape does
Scene merged(std::vector<Scene> scenes, Diagnostics& diagnostics);

/// Repeats a scene along three steps; the copy (i, j, k) is moved by `steps` (i, j, k).
///
/// Contacts, bonds and joints are copied, across the sides of a periodic cell, too, which grows
/// with the copies. Clusters of each copy count on from those before. Boundaries stay single.
/// @param counts  at least 1 each
/// @param steps   [L] as columns
/// @throws ModelError where a step is 0 or not the vector of the periodic cell, and above 50
/// million bodies
void repeat(Scene& scene, const std::array<std::int64_t, 3>& counts, const Mat3& steps);

/// Moves bodies, contacts and boundaries. The periodic cell and body forces stay.
void translate(Scene& scene, const Vec3& by);

/// Turns bodies, contacts, boundaries and the periodic cell about an axis through the origin;
/// gravity and body forces stay. Quarter turns only exchange and negate numbers, but for
/// orientations; they keep the vectors of the cell in the order of the axes.
/// @param axis  0, 1 or 2 for x, y or z @param degrees  right-handed, finite
void rotate(Scene& scene, int axis, double degrees);

/// Multiplies all lengths by `factor`: bodies by their homothety, positions, boundaries, the cell,
/// gaps and areas of bonds. Velocities, stiffnesses and strengths stay, contacts begin unloaded.
/// Below 1 dt becomes shorter by factor^1.5, as the masses ask for.
void scale(Scene& scene, double factor);

/// A value of bodies and the formula that sets it: `vx=0`, `group=1 + (z > 2)`.
class BodySetting {
 public:
  /// @param text  NAME=EXPR; NAME is group cluster homothety x y z vx vy vz wx wy or wz, EXPR a
  ///              formula of a Selection
  /// @throws UsageError
  explicit BodySetting(const std::string& text);
  /// Sets the value of each body from its own numbers before. Bodies that move or change their size
  /// lose their contacts and bonds. @returns how many bodies have changed
  /// @throws ModelError naming a body whose value would be out of range; then none has changed
  std::size_t apply(Scene& scene) const;

 private:
  std::size_t value_ = 0;  ///< index of the name
  Selection formula_;
};

/// Gives the bodies that have the shape `name` another one, in the same pose of centre of mass and
/// principal axes. They lose their contacts and bonds. A name that is taken changes as in merged().
/// @param shape  surveyed @returns how many bodies. @throws ModelError if no body has the shape
std::size_t replaceShape(Scene& scene, const std::string& name, const shape::Shape& shape);

/// Numbers clusters from 0 in the order of their first bodies.
void renumberClusters(Scene& scene);

/// Makes the scene a beginning: t and iconf 0, contacts dropped, bonds unloaded. Bodies keep their
/// velocities and joints their rest lengths.
void dropHistory(Scene& scene);

}  // namespace scree::sim
