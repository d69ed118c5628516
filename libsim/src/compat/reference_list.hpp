// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "detect/neighbour_list.hpp"

#include "scree/shape/shape.hpp"

#include <span>
#include <vector>

namespace scree::sim {

/// Neighbour lists with the content of those of Rockable, for `--compat rockable` alone. They are
/// made when the settings say so, by its criteria. So a contact appears at the step at which it
/// appears there, late or not at all. What is listed stays until its pair of bodies is near and its
/// sub-elements are tested and found apart (docs/compatibility.md, Q2 and Q21).
///
/// Our trees find the pairs. Its own methods (bruteForce, OBBtree, linkCells) give the same lists,
/// but for linkCells, which leaves out pairs of oversized bodies (Q30).
class ReferenceList {
 public:
  /// @param shapes, geometries  one for each value of Bodies::shape
  ReferenceList(std::span<const shape::Shape> shapes, std::span<const ShapeGeometry> geometries);

  /// Puts on the lists what a file has on them, each with its own viscosity; sorted or not.
  /// Contacts of driven bodies with each other are left out.
  static void adopt(std::vector<InteractionRecord> records, const Bodies& bodies, PairSetup setUp,
                    Contacts& contacts);

  /// New lists for where the bodies stand.
  /// @param bodySkin  [L] DVerlet, between the boxes of two bodies
  /// @param skin      [L] dVerlet, between two sub-elements
  /// @param steps     until the next lists
  /// @param bonded    sorted; for these pairs nothing is added, and what is listed stays
  void update(const Bodies& bodies, std::span<const BodyPose> poses, double bodySkin, double skin,
              double steps, std::span<const std::pair<BodyId, BodyId>> bonded, int threads,
              PairSetup setUp, Contacts& contacts) const;

 private:
  struct Box {
    shape::Obb local;          ///< body frame, homothety 1
    double longestEdge = 0.0;  ///< [L] at homothety 1
  };
  std::vector<Box> boxes_;
};

}  // namespace scree::sim
