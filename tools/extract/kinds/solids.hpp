// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kind.hpp"

#include "scree/sim/measure/region.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace scree::tools {

/// Volumes of bodies inside regions. Bodies that a region holds wholly count by the volume of their
/// shape. What its border cuts is exact for balls and for sharp convex shapes. Of other bodies it
/// is the share of `tries` Sobol points of their box, nan for no tries.
class SolidVolumes {
 public:
  SolidVolumes(const sim::Instant& instant, std::size_t tries);

  /// [L³] of body k, whose centre stands `shift` away from where the file has it.
  double inside(std::size_t k, const sim::Region& region, const Vec3& shift = Vec3::Zero());
  const sim::SolidShape& shapeOf(std::size_t k);
  double reach(std::size_t k) { return instant_.body(k).homothety * shapeOf(k).boundingRadius(); }

  /// Calls f(shift) for each image of body k that a ball of its reach may bring into the box [low,
  /// high]. Without a periodic cell, it calls f for the body itself.
  void forEachImage(std::size_t k, const Vec3& low, const Vec3& high,
                    const std::function<void(const Vec3&)>& f);

 private:
  const sim::Instant& instant_;
  std::size_t tries_;
  std::vector<std::unique_ptr<sim::SolidShape>> shapes_;
  std::vector<std::vector<Vec3>> samples_;
};

/// A region without the one inside it, where there is one; without a region, all of space.
struct Space {
  std::optional<sim::Region> region, hole;
  bool holds(const Vec3& point) const {
    return (!region || region->contains(point)) && (!hole || !hole->contains(point));
  }
  /// Whether a border may cut a ball of this place.
  bool cuts(const Vec3& centre, double radius) const {
    return (region && region->side(centre, radius) == 0) ||
           (hole && hole->side(centre, radius) == 0);
  }
};

/// [L³] what touching pairs of bodies share inside a space. Also how far the volume of all bodies
/// less this may be from that of their union. That is what three bodies may share, and what a
/// border may cut of a lens. Infinite where a pair has no closed form: other than two balls, or two
/// sharp convex bodies.
struct SharedVolume {
  double volume = 0.0, error = 0.0;
};
SharedVolume sharedVolume(SolidVolumes& solids, const sim::Instant& instant,
                          const std::vector<char>& chosen, const Space& space);

/// The box around a region.
std::pair<Vec3, Vec3> boxAround(const sim::Region& region);

}  // namespace scree::tools
