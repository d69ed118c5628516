// SPDX-License-Identifier: GPL-3.0-or-later
// A packing of convex bodies as a labelled image.
#pragma once

#include "label_images.hpp"

#include "scree/sim/measure/domain.hpp"
#include "scree/sim/simulation.hpp"

#include <vector>

namespace scree::testing {

/// Free bodies get their number in the file, from 1, as label. A voxel whose centre is in two gets
/// the larger. @param voxel  [L] side
/// @param origin  gets the place of the image's corner
inline scan::LabelVolume imageOf(const sim::Simulation& packing, double voxel, Vec3& origin) {
  const sim::Bodies& b = packing.bodies();
  std::vector<std::shared_ptr<ConvexBody>> solids;
  for (const shape::Shape& s : packing.shapes()) solids.push_back(std::make_shared<ConvexBody>(s));
  shape::Aabb all;
  std::vector<shape::Aabb> boxes(b.size());
  for (std::size_t k = b.driven; k < b.size(); ++k) {
    boxes[k] = sim::boundingBox(packing.shapes()[b.shape[k]], b.pos[k], b.q[k], b.homothety[k]);
    all.add(boxes[k]);
  }
  origin = all.low - Vec3::Constant(3.0 * voxel);
  const auto count = [&](int axis) {
    return static_cast<std::size_t>((all.high[axis] - all.low[axis]) / voxel) + 7;
  };
  scan::LabelVolume image = emptyImage(count(0), count(1), count(2));
  image.voxel = Vec3::Constant(voxel);
  for (std::size_t k = b.driven; k < b.size(); ++k) {
    std::array<std::size_t, 3> low{}, high{};
    for (int a = 0; a < 3; ++a) {
      low[static_cast<std::size_t>(a)] =
          static_cast<std::size_t>((boxes[k].low[a] - origin[a]) / voxel);
      high[static_cast<std::size_t>(a)] =
          static_cast<std::size_t>((boxes[k].high[a] - origin[a]) / voxel) + 1;
    }
    for (std::size_t z = low[2]; z < high[2]; ++z)
      for (std::size_t y = low[1]; y < high[1]; ++y)
        for (std::size_t x = low[0]; x < high[0]; ++x) {
          const Vec3 at =
              origin + voxel * Vec3(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5,
                                    static_cast<double>(z) + 0.5);
          const Vec3 own = rotated(b.q[k].conjugate(), Vec3(at - b.pos[k])) / b.homothety[k];
          if (solids[b.shape[k]]->holds(own))
            image.labels[x + image.size[0] * (y + image.size[1] * z)] =
                static_cast<std::uint32_t>(k - b.driven + 1);
        }
  }
  return image;
}

}  // namespace scree::testing
