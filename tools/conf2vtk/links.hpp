// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scene.hpp"
#include "vtk/poly_piece.hpp"

#include <cstdint>
#include <vector>

namespace scree::tools {

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
  Vec3 from = Vec3::Zero(), point = Vec3::Zero(), to = Vec3::Zero();  ///< [L] centre, bond, centre
};

/// In the order of interfaces and bonds; those that are broken last.
std::vector<DrawnBond> bondsOf(const Scene& scene);
/// A line a bond: centre, bond, centre, with a point on either side of the bend, so that a tube
/// around it keeps its radius.
/// @param doubles  all real numbers with 64 bits
vtp::PolyPiece bondsPiece(const Scene& scene, bool doubles);

/// The share of the bonded area of each body at the first file that is broken now. Where areas
/// are not known, it is the share of its bonds. 0 for a body without bonds.
std::vector<double> damageOf(const Scene& scene);

}  // namespace scree::tools
