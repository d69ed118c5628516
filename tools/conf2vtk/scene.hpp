// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "vtk/poly_piece.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/instant.hpp"
#include "scree/sim/measure/law_values.hpp"
#include "scree/sim/model/conf.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace scree::tools {

/// Cells that draw one shape, in the body frame at homothety 1. Cells count from its first point.
struct Outline {
  std::vector<Vec3> points;   ///< [L]
  std::vector<Vec3> normals;  ///< unit, outwards, one per point; empty where there are none
  vtp::Cells vertices, lines, polygons;
};

/// The rounded surface. That of a convex solid encloses the exact volume. Points inside the arcs
/// move outwards by a few percent of the radius, to restore what chords cut off. Points of faces
/// stay where they are. A ball or a rod gets finer arcs and keeps its radius at every point, for a
/// volume within 1 % from fineness 3 on.
/// @param fineness  segments of an arc of 90 degrees; one of 64 degrees or less gets a third fewer
Outline roundedOutline(const shape::Shape& shape, int fineness);
/// The skeleton: faces; edges that bound no face as lines; vertices of neither as vertices.
Outline skeletonOutline(const shape::Shape& shape);
/// The six faces of its oriented box.
Outline boxOutline(const shape::Shape& shape);

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

/// @param fineness  segments of an arc, as roundedOutline has it; 0: no rounded surfaces
DrawnShapes drawnShapes(std::vector<shape::Shape> shapes, int fineness);

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

/// One conf-file, its shapes, and what follows from both.
struct Scene {
  const sim::Conf* conf = nullptr;
  const DrawnShapes* shapes = nullptr;
  /// First conf-file of the series, which displacements and broken bonds refer to; may be null.
  const sim::Conf* reference = nullptr;
  /// One flag a body where some are left out (`--select`); empty: all are drawn. Sums over contacts
  /// count all bodies.
  std::vector<char> selected;
  /// Sums over contacts, bonds and joints, as a run and extract have them.
  std::shared_ptr<const sim::Instant> instant;
  std::shared_ptr<const sim::LawValues> law;  ///< what the force law says; for one thread
  std::vector<sim::ContactCounts> counts;     ///< one a body
  std::vector<double> damage;  ///< broken share of the bonds of each body, as damageOf has it
  std::vector<sim::BodyId> fragment;  ///< lowest index of the bodies glued to this one
  static constexpr sim::BodyId noBody = sim::Link::none;

  bool shows(std::size_t body) const { return selected.empty() || selected[body]; }
  /// Contacts, chains and bonds are drawn where one of their bodies is.
  bool showsBetween(sim::BodyId i, sim::BodyId j) const {
    return shows(i) || (j != noBody && shows(j));
  }

  /// Contacts and bonds in the order of the conf-file, then contacts with round walls.
  const std::vector<sim::Link>& links() const { return instant->links(); }
  /// [M/T] viscosity of a link's pair, as the file has it; 0 at a round wall.
  double damping(std::size_t link) const {
    return link < conf->interactions.size() ? conf->interactions[link].damp : 0.0;
  }
  /// Tangential force over the friction bound of the law, as `extract sliding` has it. NaN for what
  /// that leaves out: bonds, gaps and contacts whose bound is 0.
  double mobilisation(std::size_t link) const;

  std::size_t bodyCount() const { return conf->particles.size(); }
  const DrawnShape& shapeOf(std::size_t body) const {
    return (*shapes)[conf->particles[body].shapeName];
  }
  bool driven(std::size_t body) const { return body < conf->nDriven; }
  double radius(std::size_t body) const;  ///< [L] Minkowski radius as the body has it
  double volume(std::size_t body) const { return instant->volumes()[body]; }  ///< [L³]
  /// [F/L²] Love-Weber stress, compression positive; 0 where the volume is not known.
  Mat3 stress(std::size_t body) const;
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

/// Whether a link is drawn as a chain: it touches, or the file has a force for it.
bool acts(const sim::Link& link);

}  // namespace scree::tools
