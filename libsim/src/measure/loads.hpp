// SPDX-License-Identifier: GPL-3.0-or-later
// Where forces act on bodies: what the stress of a body and its coarse-grained field have in
// common.
#pragma once

#include "scree/sim/measure/instant.hpp"

#include <cmath>

namespace scree::sim {

/// Calls f(body, arm, force) for each force on a body at centre + arm. First of links in their
/// order, of either side; then of joints, with the middle of the spring as the point. NaN where the
/// rest length of a joint is not known.
template <class F>
void eachLoad(const Instant& instant, F&& f) {
  for (const Link& link : instant.links()) {
    const Vec3 force = link.force();
    f(link.i, link.armI, force);
    if (link.j != Link::none) f(link.j, link.armJ, Vec3(-force));
  }
  for (const SpringJoint& s : instant.conf().joints) {
    if (s.i >= instant.bodyCount() || s.j >= instant.bodyCount()) continue;
    const ParticleRecord &i = instant.body(s.i), &j = instant.body(s.j);
    const Vec3 armI = rotated(i.q, s.onI), armJ = rotated(j.q, s.onJ);
    const Vec3 way = (j.pos - i.pos) + (armJ - armI);
    const double length = way.norm();
    if (length == 0.0) continue;
    const double rest = s.restLength < 0.0 ? std::nan("") : s.restLength;
    const Vec3 force = way * (s.stiffness * (length - rest) / length);
    f(s.i, Vec3(armI + 0.5 * way), force);
    f(s.j, Vec3(armJ - 0.5 * way), Vec3(-force));
  }
}

}  // namespace scree::sim
