// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/loads.hpp"

namespace scree::sim {

WallLoads wallLoads(const Instant& instant) {
  const Conf& conf = instant.conf();
  WallLoads loads;
  loads.driven.resize(conf.nDriven);
  loads.round.resize(conf.boundaries.size());
  for (const Link& link : instant.links()) {
    if (link.j == Link::none) {
      const Vec3 f = link.force();
      WallLoad& load = loads.round[link.jSub];
      load.points += 1;
      load.fn += link.fn;
      load.force -= f;
      load.moment -= (link.pos - conf.boundaries[link.jSub].centre).cross(f) + link.mom;
      continue;
    }
    for (const BodyId body : {link.i, link.j}) {
      if (body >= conf.nDriven) continue;
      loads.driven[body].points += link.touches() || link.kind == Link::Kind::bond;
      loads.driven[body].fn += link.fn;
    }
  }
  for (std::size_t k = 0; k < loads.driven.size(); ++k) {
    loads.driven[k].force = instant.actions()[k].force;
    loads.driven[k].moment = instant.actions()[k].moment;
  }
  return loads;
}

}  // namespace scree::sim
