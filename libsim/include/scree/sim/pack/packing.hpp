// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/measure/domain.hpp"
#include "scree/sim/model/bonds.hpp"
#include "scree/sim/model/surroundings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace scree::sim {

/// One body where it stands, in the body frame of its surveyed shape.
struct PlacedBody {
  std::uint32_t shape = 0;  ///< index into Packing::shapes
  std::uint32_t group = 1;
  std::int32_t cluster = 0;
  bool driven = false;  ///< held or moved by the user, not by contacts
  double homothety = 1.0;
  Vec3 pos = Vec3::Zero();                       ///< [L] centre of mass
  Quat q = Quat::Identity();                     ///< body frame -> global frame
  Vec3 vel = Vec3::Zero(), vrot = Vec3::Zero();  ///< [L/T], [1/T] global frame
};

/// Bodies and the shapes they have: what the verbs of packgen make, before it becomes a conf-file.
/// Shapes stand in their body frame (preCompDone).
struct Packing {
  std::vector<shape::Shape> shapes;
  std::vector<PlacedBody> bodies;
  std::vector<Boundary> boundaries;  ///< round walls around all bodies
  PeriodicCell cell;
  /// Bonds with parameters of their own.
  std::vector<InterfaceRecord> interfaces{};
};

inline shape::Aabb boundingBox(const shape::Shape& shape, const PlacedBody& body) {
  return boundingBox(shape, body.pos, body.q, body.homothety);
}
shape::Aabb boundingBox(const Packing& packing);  ///< of all bodies

/// Converts a pose (x, Q) in the frame in which the shape was modelled into that of its body frame.
/// The result is x + Q h position, Q orientation, with the body's homothety h.
void moveToBodyFrame(PlacedBody& body, const shape::Shape& shape);

/// Drops the shapes that no body has; the order of the others stays.
void keepUsedShapes(Packing& packing);

/// Shapes of shape-files, as the files hold them (not surveyed).
struct ShapeLibrary {
  std::vector<shape::Shape> shapes;
  std::vector<double> shares;      ///< of each shape in a mixture
  std::vector<std::string> files;  ///< of each source
};
/// Reads `FILE[:NAME][=SHARE]` each, in order; the share is 1 by default. A colon parts file and
/// name unless a file with the whole text as its name exists. A shape that comes twice, alike, is
/// taken once, with both shares.
/// @throws ModelError for a name that is not there, or that stands for two different shapes
ShapeLibrary readLibrary(const std::vector<std::string>& sources, Diagnostics& diagnostics);

/// Brings shapes with `preCompDone n` into their body frame; returns their names.
/// @throws GeometryError naming the shape that has no solid
std::vector<std::string> surveyShapes(std::vector<shape::Shape>& shapes);

}  // namespace scree::sim
