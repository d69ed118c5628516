// SPDX-License-Identifier: GPL-3.0-or-later
#include "periodic_images.hpp"

#include "scree/sim/model/images.hpp"

namespace scree::tools {

std::vector<DrawnBody> bodiesWithImages(const Scene& scene) {
  const sim::Conf& conf = *scene.conf;
  std::vector<DrawnBody> out;
  sim::Images images;
  if (conf.cell.used) images.set(conf.cell.h);
  for (std::size_t b = conf.nDriven; b < scene.bodyCount(); ++b) {
    if (!scene.shows(b)) continue;
    if (!conf.cell.used) {
      out.push_back({b, Vec3::Zero()});
      continue;
    }
    const Vec3& x = conf.particles[b].pos;
    const double reach = conf.particles[b].homothety * scene.shapeOf(b).reach;
    const Vec3 home = images.offset(-images.cellsOff(x));
    const Vec3 s = images.inverse * (x + home);
    out.push_back({b, home});
    // Along each vector: an image on the far side where the ball around the body sticks out.
    Eigen::Vector3i low, high;
    for (int k = 0; k < 3; ++k) {
      const double part = reach / images.width(k);
      high[k] = s[k] - part < 0.0 ? 1 : 0;
      low[k] = s[k] + part > 1.0 ? -1 : 0;
    }
    for (int i = low[0]; i <= high[0]; ++i)
      for (int j = low[1]; j <= high[1]; ++j)
        for (int k = low[2]; k <= high[2]; ++k)
          if (i != 0 || j != 0 || k != 0)
            out.push_back({b, home + images.offset(sim::CellShift(i, j, k))});
  }
  return out;
}

}  // namespace scree::tools
