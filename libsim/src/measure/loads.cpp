// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/loads.hpp"

#include <optional>

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
  const std::optional<Domain> domain = conf.cell.used ? cellDomain(instant) : wallDomain(instant);
  for (const WallSide& side : domain ? domain->sides : std::vector<WallSide>()) {
    if (side.body == WallSide::plane) {
      loads.round[side.face].area = side.area;
      continue;
    }
    WallLoad& wall = loads.driven[side.body];
    if (wall.area > 0.0) continue;  // one body on two sides: the first counts
    wall.area = side.area;
    // The sum turns -0 into 0.
    wall.pressure = side.space.normal.dot(wall.force) / wall.area + 0.0;
  }
  for (std::size_t k = 0; k < loads.round.size(); ++k) {
    const Boundary& b = conf.boundaries[k];
    const auto ends = domain ? domain->squareEnds() : std::nullopt;
    WallLoad& wall = loads.round[k];
    if (b.kind == Boundary::Kind::ball)
      wall.area = 4.0 * pi * b.radius * b.radius;
    else if (b.kind == Boundary::Kind::cylinder && ends)
      wall.area = 2.0 * pi * b.radius * (ends->second - ends->first);
    wall.pressure = wall.fn / wall.area;
  }
  return loads;
}

}  // namespace scree::sim
