// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outline.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/conf.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace scree::tools {

/// A shape with what is drawn of it.
struct DrawnShape {
  shape::Shape shape;
  Outline rounded, skeleton, box;
  double reach = 0.0;  ///< [L] farthest point from the centre
  double area = 0.0;   ///< [L²] of one side, where the skeleton is flat; else 0
};
/// Both in the order of Conf::shapeNames.
struct DrawnShapes {
  std::vector<DrawnShape> drawn;
  std::vector<shape::Shape> shapes;
  std::size_t size() const { return drawn.size(); }
  const DrawnShape& operator[](std::size_t k) const { return drawn[k]; }
};

/// Shapes drawn once for a whole series; safe to ask from several threads.
class ShapeCache {
 public:
  explicit ShapeCache(int fineness) : fineness_(fineness) {}
  std::shared_ptr<const DrawnShapes> shapesFor(const sim::Conf& conf, Diagnostics& diagnostics);

 private:
  int fineness_;
  std::mutex mutex_;
  std::map<std::vector<std::string>, std::shared_ptr<const DrawnShapes>> known_;
};

/// Sums of what the listed interactions do to one body.
struct BodySums {
  Vec3 force = Vec3::Zero();   ///< [F]
  Vec3 moment = Vec3::Zero();  ///< [F L] about the centre of mass
  Mat3 stress = Mat3::Zero();  ///< [F/L²] compression positive; 0 where the volume is unknown
  double overlap = 0.0;        ///< [L] largest
  std::int32_t coordination = 0, contactPoints = 0;
  std::uint32_t fragment = 0;  ///< lowest index of the bodies glued to this one
};

/// One conf-file, its shapes, and what follows from both.
struct Scene {
  const sim::Conf* conf = nullptr;
  const DrawnShapes* shapes = nullptr;
  /// First conf-file of the series, which displacements and broken bonds refer to; may be null.
  const sim::Conf* reference = nullptr;
  /// One flag a body where some are left out (`--select`); empty: all are drawn. Sums over contacts
  /// count all bodies.
  std::vector<char> selected;
  std::vector<BodySums> sums;
  std::vector<double> damage;  ///< broken share of the bonds of each body, as damageOf has it
  /// Contacts with round walls: key.j is noBody, key.jSub the wall, n points inwards.
  std::vector<sim::InteractionRecord> atWalls;
  static constexpr sim::BodyId noBody = UINT32_MAX;

  bool shows(std::size_t body) const { return selected.empty() || selected[body]; }
  /// What is between two bodies is drawn where one of them is.
  bool showsBetween(sim::BodyId i, sim::BodyId j) const {
    return shows(i) || (j != noBody && shows(j));
  }

  std::size_t contactCount() const { return conf->interactions.size() + atWalls.size(); }
  /// Contacts in the order of the conf-file, then those with round walls.
  const sim::InteractionRecord& contact(std::size_t k) const {
    const std::size_t n = conf->interactions.size();
    return k < n ? conf->interactions[k] : atWalls[k - n];
  }
  /// From the centre of a body to a point of one of its contacts, by the nearest image. [L]
  Vec3 armTo(std::size_t body, const Vec3& point) const;

  std::size_t bodyCount() const { return conf->particles.size(); }
  const DrawnShape& shapeOf(std::size_t body) const {
    return (*shapes)[conf->particles[body].shapeName];
  }
  bool driven(std::size_t body) const { return body < conf->nDriven; }
  double radius(std::size_t body) const;         ///< [L] Minkowski radius as the body has it
  double volume(std::size_t body) const;         ///< [L³]
  double mass(std::size_t body) const;           ///< [M]
  Vec3 inertia(std::size_t body) const;          ///< [M L²] principal
  Vec3 displacement(std::size_t body) const;     ///< [L] since the reference; 0 without one
  double rotationAngle(std::size_t body) const;  ///< [rad] since the reference, 0 to pi
  double size(std::size_t body) const;           ///< [L] mean half side of the box around it
  /// A point of the body frame at homothety 1, where it is now.
  Vec3 placed(std::size_t body, const Vec3& p) const {
    const sim::ParticleRecord& particle = conf->particles[body];
    return particle.pos + rotated(particle.q, particle.homothety * p);
  }
};
Scene sceneOf(const sim::Conf& conf, const DrawnShapes& shapes,
              const sim::Conf* reference = nullptr);

/// Whether a record of the Interactions block stands for a contact or bond that acts.
bool acts(const sim::InteractionRecord& record);

}  // namespace scree::tools
