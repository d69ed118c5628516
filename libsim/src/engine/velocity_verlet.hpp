// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "detect/neighbour_list.hpp"
#include "engine/cell_motion.hpp"
#include "engine/contact_sums.hpp"
#include "engine/drive_system.hpp"
#include "engine/world.hpp"

#include <atomic>
#include <span>
#include <vector>

namespace scree::sim {

/// Velocity Verlet: order 2, one evaluation of forces a step. Owns what is known of the step that
/// has begun, or that free bodies have gone ahead into.
///
/// Where nothing but contacts and gravity acts, a thread moves its bodies on at once. It goes from
/// the forces of one step through its end and the start of the next. ContactSums decides which
/// threads may do so, and when others read their bodies.
class VelocityVerlet {
 public:
  /// The objects that a step moves, and those that it looks at.
  struct Scene {
    const World& world;
    Bodies& bodies;
    std::vector<BodyPose>& poses;
    const CellMotion* cell;  ///< null without one
    const NeighbourList& lists;
    ThreadShares& shares;
    std::span<const double> mostMoves;  ///< [L] of each body, see StepWatch; empty: no matter
  };
  /// Work of threads on their bodies once contacts have acted on them.
  class AfterForces {
   public:
    AfterForces(VelocityVerlet& integrator, const Scene& scene, bool ahead)
        : integrator_(integrator), scene_(scene), ahead_(ahead) {}
    void operator()(std::size_t begin, std::size_t end) const;

   private:
    VelocityVerlet& integrator_;
    const Scene& scene_;
    bool ahead_;
  };

  /// First half of a step: driven bodies, and free ones unless they have gone ahead.
  void begin(const Scene& scene, DriveSystem& drives);
  /// Before forces, where bodies go ahead into the next step: nothing is known of that yet.
  void beginAhead() { expired_ = false; }
  /// Second half of free bodies.
  void finish(const Scene& scene);
  /// @param ahead  whether free bodies have gone into the next step
  void endForces(bool ahead) { ahead_ = ahead; }

  bool expired() const { return expired_; }  ///< near pairs of bodies have to be found again
  bool tooFar() const { return tooFar_; }    ///< a body has moved further than the scene allows
  bool ahead() const { return ahead_; }
  /// Takes what other integrators have moved.
  void watch(const Bodies& bodies, std::span<const double> mostMoves);

 private:
  template <bool ends, bool begins>
  void moveRange(const Scene& scene, std::size_t begin, std::size_t end);
  template <bool ends, bool begins>
  std::size_t moveWide(const Scene& scene, std::size_t begin, std::size_t end);
  template <bool ends, bool begins>
  void moveRest(const Scene& scene, std::size_t begin, std::size_t end);
  template <bool ends, bool begins, std::size_t n>
  std::size_t moveLanes(const Scene& scene, std::size_t begin, std::size_t end);
  void look(const Scene& scene, std::size_t begin, std::size_t end);

  std::atomic<bool> expired_ = false, tooFar_ = false;
  bool ahead_ = false;
};

}  // namespace scree::sim
