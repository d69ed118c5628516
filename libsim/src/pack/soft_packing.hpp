// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that push each other apart, by the contact geometry and lists of runs.
#pragma once

#include "contact/kinematics.hpp"
#include "detect/neighbour_list.hpp"
#include "pack/body_overlap.hpp"
#include "relaxation.hpp"

#include "scree/shape/shape.hpp"
#include "scree/sim/pack/container.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace scree::sim {

/// Weights that make the force between two bodies a continuous function of where they stand.
///
/// The contact geometry of runs finds every pair of sub-elements that is near, and neighbouring
/// ones at once. A vertex over a face, close to its side, is also near the edge of that side. When
/// the vertex crosses the side one of the two contacts ends suddenly, and a packing cannot come to
/// balance there. Each vertex therefore counts against the nearest feature of the other body alone:
/// the face, edge or vertex whose Voronoi region it stands in. So the sum of the vertices is a
/// smooth function. Two edges count less where the feet of their common perpendicular come near the
/// end of an edge, where a vertex contact replaces theirs.
class ContactRegions {
 public:
  explicit ContactRegions(const ShapeGeometry& geometry);

  /// Whether a point at direction `n` [unit, body frame] of an edge or vertex is nearest to it.
  bool ofEdge(std::uint32_t edge, const Vec3& n) const;
  bool ofVertex(std::uint32_t vertex, const Vec3& n) const;

 private:
  std::vector<std::vector<Vec3>> outOfFace_;  ///< of each edge: in the planes of faces, out of them
  std::vector<std::vector<Vec3>> alongEdges_;  ///< of each vertex: along its edges, away from it
};

/// Weight of a contact of bodies i and j, 0 to 2 [-]; above 0 for their nearest sub-elements.
/// @param branch  [L] centre of i minus centre of j
double contactWeight(const Candidate& candidate, const BodyPose& i, const ContactRegions& ofI,
                     const BodyPose& j, const ContactRegions& ofJ, const Vec3& branch,
                     const Touch& touch);

/// A packing without friction, weight and inertia. Contacts are springs between the rounded
/// surfaces, which act from a distance `shell` on. Bodies move to where their energy is least. All
/// bodies can be scaled together.
///
/// A contact point has the stiffness 1 times its weight (ContactRegions), so forces are lengths.
/// While bodies are only pushed apart, it rises with the intrusion. Each step finds the contacts,
/// relaxes them and moves each body as far as they hold, to the same bits on any threads.
class SoftPacking {
 public:
  /// @param bodies  with their homothety at scale 1
  SoftPacking(const std::vector<shape::Shape>& shapes, std::vector<PlacedBody> bodies,
              const Container& container, int threads);
  SoftPacking(const SoftPacking&) = delete;
  SoftPacking& operator=(const SoftPacking&) = delete;

  double scale() const { return scale_; }
  void setScale(double scale);
  double shell() const { return shell_; }  ///< [L]
  void setShell(double shell) { setReach(shell_, shell); }
  double largestRadius() const { return largest_; }      ///< [L] at scale 1, about the centre
  double smallestRadius() const { return smallest_; }    ///< [L] likewise
  double smallestRounding() const { return rounding_; }  ///< [L] likewise

  /// Forces of contacts at the present positions.
  struct Load {
    double deepest = 0.0;      ///< [L] largest intrusion: shell less gap
    double mean = 0.0;         ///< [L] mean intrusion of pairs in contact, walls included
    std::size_t contacts = 0;  ///< pairs in contact, walls included
    double force = 0.0;        ///< [L] mean force of these pairs
    double resultant = 0.0;    ///< [L] rms of what is left on a body, moments over its length, too
    double energy = 0.0;       ///< [L²]
    /// [-] The share of their size that bodies have to lose so that no gap is below 0.
    double shrinkage = 0.0;
    double virial = 0.0;  ///< [L²] sum of force times distance of centres along it
  };
  const Load& load() const { return load_; }
  /// [L] least gap of all pairs and walls, as far as it is below the shell.
  double leastGap() const { return shell_ - load_.deepest; }

  /// Moves the bodies until the deepest intrusion is below `enough` [L], in `most` steps.
  /// @returns whether it is
  bool clear(double enough, int most);
  /// Moves the bodies until forces are balanced. Then the resultants (root mean square) are below
  /// `balance` [-] of the mean force, or no pair is in contact by more than `nothing` [L].
  /// @param virial  [L²] bodies grow or shrink until load().virial is this within 5 %; below 0:
  ///                sizes stay
  /// @returns whether that is reached within `most` lists of contacts
  bool minimise(double balance, double nothing, int most, double virial = -1.0);

  /// The bodies of each contact point that carries force, walls numbered on from the number of
  /// bodies; points of one pair side by side.
  std::vector<std::pair<BodyId, BodyId>> loadedPoints() const;
  /// Pairs of which the skeletons cross: there should be none.
  std::size_t crossings();
  /// Whether a body has no direction, so that moments do not turn it.
  bool isBall(std::size_t body) const { return geometry_.isBall(bodies_.shape[body + driven_]); }

  bool turning() const { return turning_; }  ///< some body has a direction

  /// The bodies as they stand, with the scale in their homothety, centres in the periodic cell.
  std::vector<PlacedBody> bodies() const;
  std::size_t driven() const { return driven_; }  ///< bodies in front of these: a mesh
  struct Snapshot {
    std::vector<Vec3> pos;
    std::vector<Quat> q;
    double scale = 1.0;
  };
  Snapshot snapshot() const { return {bodies_.pos, bodies_.q, scale_}; }
  void restore(const Snapshot& snapshot);

 private:
  void setReach(double& reach, double to);  ///< of shell_ or look_
  double lever(std::size_t k) const;        ///< [L] by which turns count as moves
  double homothety(std::size_t k) const {
    return k < driven_ ? bodies_.homothety[k] : scale_ * bodies_.homothety[k];
  }
  /// Counts a change of the surface, or a move, of body k as displacement, which lists watch.
  void travel(std::size_t k, double by) {
    bodies_.displacement[k] += by;
    bodies_.lastMove[k] = by;
  }
  BodyPose poseOf(std::size_t k) const;
  BodyPose imageBeside(const NeighbourPair& pair) const;  ///< second body of the pair
  void evaluate();
  void evaluatePair(NeighbourPair& pair, std::vector<SoftContact>& found);
  double stiffening(double intrusion) const;  ///< [-] factor of the weight of a contact
  void meetWalls(std::size_t k, std::vector<SoftContact>& found) const;
  /// Load, added up as contacts are found.
  struct Sums {
    double intrusions = 0.0, forces = 0.0;
  };
  void sumUp(std::span<const SoftContact> found, Sums& sums);
  void sumUpBodies(const Sums& sums);
  bool relax(RelaxationOptions options);  ///< one step; whether it went downhill
  void moveBody(std::size_t k, const Vec3& move, const Vec3& turn, double longest);

  std::vector<shape::Shape> shapes_;
  std::uint32_t driven_ = 0;
  const Container& container_;
  int threads_;
  BodyOverlap geometry_;
  std::vector<ContactRegions> regions_;
  Bodies bodies_;              ///< what lists read; homotheties at scale 1, forces [L]
  std::vector<double> outer_;  ///< [L] radius about the centre at scale 1, rounding included
  std::vector<double> apart_;  ///< [L] of each body the least distance of its skeleton from another
  std::vector<BodyPose> poses_;
  NeighbourList lists_;      ///< candidates; contacts have no history
  std::uint32_t group_ = 0;  ///< of all bodies that move
  Images images_;
  bool periodic_, turning_ = false;
  double scale_ = 1.0, shell_ = 0.0, largest_ = 0.0, smallest_ = 0.0, rounding_ = 0.0;
  double look_ = 0.0;     ///< [L] beyond the shell, where contacts may begin within a step
  double damping_ = 0.0;  ///< [-] larger where steps have proven wrong
  std::vector<std::vector<SoftContact>> found_;  ///< of some blocks of bodies
  bool pushing_ = true;  ///< stiffness rises with the intrusion; else forces come to balance
  std::vector<SoftContact> contacts_;
  Load load_;
};

}  // namespace scree::sim
