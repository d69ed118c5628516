// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "vtk/poly_piece.hpp"

#include "scree/shape/shape.hpp"
#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/instant.hpp"
#include "scree/sim/measure/law_values.hpp"
#include "scree/sim/model/conf.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace scree::tools {

/// Cells that draw one shape, in the body frame at homothety 1. Cells count from its first point.
struct Outline {
  std::vector<Vec3> points;   ///< [L]
  std::vector<Vec3> normals;  ///< unit, outwards, one per point; empty where there are none
  vtp::Cells vertices, lines, polygons;
};

/// The rounded surface. That of a convex solid encloses the exact volume: points inside the arcs
/// move outwards by a few percent of the radius. A ball or a rod gets finer arcs and keeps its
/// radius at every point, for a volume within 1 % from fineness 3 on.
/// @param fineness  segments of an arc of 90 degrees; one of 64 degrees or less gets a third fewer
/// @param united  a body that is not convex becomes one closed surface; else piece by piece
Outline roundedOutline(const shape::Shape& shape, int fineness, bool united = true);
/// The skeleton: faces; edges that bound no face as lines; vertices of neither as vertices.
Outline skeletonOutline(const shape::Shape& shape);
/// The six faces of its oriented box.
Outline boxOutline(const shape::Shape& shape);

struct DrawnShape {
  shape::Shape shape;
  Outline rounded, skeleton, box;
  double reach = 0.0;   ///< [L] farthest point from the centre
  bool isFlat = false;  ///< whether the skeleton lies in a plane
};
/// Both in the order of Conf::shapeNames.
struct DrawnShapes {
  std::vector<DrawnShape> drawn;
  std::vector<shape::Shape> shapes;
  std::size_t size() const { return drawn.size(); }
  const DrawnShape& operator[](std::size_t k) const { return drawn[k]; }
};

/// Shapes that are not convex become closed surfaces, up to 1,000 faces in all of them.
/// @param fineness  segments of an arc, as roundedOutline has it; 0: no rounded surfaces
DrawnShapes drawnShapes(std::vector<shape::Shape> shapes, int fineness, int threads = 1);

/// One conf-file, its shapes, and what follows from both.
struct Scene {
  const sim::Conf* conf = nullptr;
  const DrawnShapes* shapes = nullptr;
  /// First conf-file of the series, which displacements and broken bonds refer to; may be null.
  const sim::Conf* reference = nullptr;
  /// One flag a body where `--select` leaves some out, else empty. Sums over contacts count all.
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
  /// Tangential force over the friction bound of the law, as `extract sliding` has it. NaN for what
  /// that leaves out: bonds, gaps and contacts whose bound is 0.
  double mobilisation(std::size_t link) const;

  std::size_t bodyCount() const { return conf->particles.size(); }
  const DrawnShape& shapeOf(std::size_t body) const {
    return (*shapes)[conf->particles[body].shapeName];
  }
  bool driven(std::size_t body) const { return body < conf->nDriven; }
  bool isFlatWall(std::size_t body) const;  ///< whether it is driven and its skeleton is flat
  double radius(std::size_t body) const;    ///< [L] Minkowski radius as the body has it
  /// [F/L²] Love-Weber stress, compression positive; 0 where the volume is not known.
  Mat3 stress(std::size_t body) const;
  Vec3 displacement(std::size_t body) const;     ///< [L] since the reference; 0 without one
  double rotationAngle(std::size_t body) const;  ///< [rad] since the reference, 0 to pi
  double size(std::size_t body) const;           ///< [L] mean half side of the box around it
};
Scene sceneOf(const sim::Conf& conf, const DrawnShapes& shapes,
              const sim::Conf* reference = nullptr);

/// All contacts of one pair of bodies taken together.
struct Chain {
  sim::BodyId i = 0, j = 0;  ///< i < j; j is Scene::noBody at a round wall
  std::int32_t wall = -1;    ///< the round wall; -1: none
  Vec3 from = Vec3::Zero();  ///< [L] centre of i, or the contact where i is driven
  Vec3 to = Vec3::Zero();    ///< [L] idem for j; in a periodic cell for its image beside i
  double fn = 0.0;           ///< [F] sum of the forces along their mean normal, > 0 pushes apart
  double ft = 0.0;           ///< [F] what remains across it
  std::int32_t points = 0;
  double tubeRadius = 0.0;  ///< [L] for drawing
};

/// One chain for each pair of bodies with contacts that act, sorted by (i, j).
///
/// The tube radius is 0.15 √(fn / mean fn) of the mean body size of the pair, at most 0.5 of it.
/// Next to a driven body, the size is that of the free body alone.
std::vector<Chain> chainsOf(const Scene& scene);

/// A bond that holds, or one that held in the first file of the series and is broken now.
struct DrawnBond {
  sim::BodyId i = 0, j = 0;
  sim::BondRecord bond;
  std::int32_t state = 1;               ///< 0 broken, 1 inner (both bodies in one cluster), 2 outer
  std::int32_t bonds = 0;               ///< of its interface
  double dn0 = 0.0;                     ///< [L] gap at rest
  double area = 0.0;                    ///< [L²] that it stands for; 0: not known
  double dn = 0.0, fn = 0.0, ft = 0.0;  ///< [L], [F], [F] now; 0 where the file does not list it
  double tubeRadius = 0.0;              ///< [L] to draw it with
  double yield = 0.0;                   ///< 0: breaks; -1: no force; of the interface
  double load = 0.0;                    ///< 0: none; 1: breaks, or is broken; of the interface
  Vec3 from = Vec3::Zero(), point = Vec3::Zero(), to = Vec3::Zero();  ///< [L] centre, bond, centre
};

/// In the order of interfaces and bonds; those that are broken last.
std::vector<DrawnBond> bondsOf(const Scene& scene);

/// The share of the bonded area of each body at the first file that is broken now. Where areas
/// are not known, it is the share of its bonds. 0 for a body without bonds.
std::vector<double> damageOf(const Scene& scene);

}  // namespace scree::tools
