// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/loads.hpp"
#include "scree/sim/measure/stress.hpp"

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
  return loads;
}

WallPressures wallPressures(const Instant& instant, const WallLoads& loads) {
  const Conf& conf = instant.conf();
  const std::optional<Domain> domain = wallDomain(instant);
  WallPressures walls;
  walls.driven.resize(loads.driven.size());
  walls.round.resize(loads.round.size());
  const std::vector<WallFace> faces = wallFaces(instant);
  // Not where a round wall stands around, or a plate of another direction closes the box.
  if (domain && conf.boundaries.empty() && faces.size() == 6) {
    const Vec3 sides = domain->high - domain->low;
    for (const WallFace& face : faces) {
      WallPressure& wall = walls.driven[face.body];
      if (wall.area > 0.0) continue;  // one body on two sides: the first counts
      wall.area = sides[(face.axis + 1) % 3] * sides[(face.axis + 2) % 3];
      // The sum turns -0 into 0.
      wall.pressure = face.side * loads.driven[face.body].force[face.axis] / wall.area + 0.0;
    }
  }
  for (std::size_t k = 0; k < loads.round.size(); ++k) {
    const Boundary& b = conf.boundaries[k];
    WallPressure& wall = walls.round[k];
    if (b.kind == Boundary::Kind::ball)
      wall.area = 4.0 * pi * b.radius * b.radius;
    else if (b.kind == Boundary::Kind::cylinder && domain)
      wall.area =
          2.0 * pi * b.radius * (domain->high - domain->low).cwiseAbs().dot(b.axis.cwiseAbs());
    wall.pressure = loads.round[k].fn / wall.area;
  }
  return walls;
}

}  // namespace scree::sim
