// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that grow from loose random places until they are near each other everywhere.
#pragma once

#include "soft_packing.hpp"

#include "scree/sim/pack/fill.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace scree::sim {

/// The bodies of a plan, which grow together and push each other apart, so that none overlap.
class GrowingPacking {
 public:
  /// Places the bodies at random, small enough for all to have room.
  /// @throws ModelError as scatter(), or where they have no room even so
  GrowingPacking(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                 const Container& container, const FillOptions& options);

  SoftPacking& soft() { return *soft_; }
  double fraction() const;  ///< [-] solid fraction as the bodies stand
  std::size_t number() const { return number_; }
  double size() const { return 0.5 * (smallest_ + largest_) * soft_->scale(); }  ///< [L] mean
  void report(double share) const;

  /// @throws ModelError where at this scale a body could meet its own image in a periodic cell
  void requireRoomAt(double scale) const;
  /// Grows up to a scale of `target`, with contacts that act from `least` of the smallest
  /// size on.
  /// @returns whether it is reached
  bool grow(double target, double least);
  /// Grows and relaxes until forces are balanced at the onset of jamming, see fillJammed().
  void jam();
  /// Shrinks until no gap is below 0; places stay. @throws ModelError where bodies crossed
  FillResult backOff();

 private:
  void compressAndRelease();
  void releasePressure();
  double overlap() const { return soft_->load().mean / size(); }

  const Container& container_;
  const FillOptions& options_;
  std::unique_ptr<SoftPacking> soft_;
  std::size_t number_ = 0;                 ///< of the bodies planned
  double full_ = 0.0;                      ///< solid fraction at scale 1
  double scale_ = 1.0;                     ///< at which growth begins
  double smallest_ = 0.0, largest_ = 0.0;  ///< [L] outer diameters at scale 1
};

}  // namespace scree::sim
