// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/complete.hpp"

#include "law_parameters.hpp"
#include "loads.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace scree::sim {
CompletedConf completed(const Packing& packing, const PackSettings& settings) {
  if (packing.bodies.empty()) throw ModelError("there are no bodies");
  CompletedConf result;
  Conf& conf = result.conf;
  const LawInfo& law = lawNamed(settings.law);
  conf.forceLaw = law.name;
  conf.gravity = settings.gravity;
  conf.iconf = settings.iconf;
  checkRange(settings.duration, "duration", true);
  conf.tmax = settings.duration;

  std::set<std::uint32_t> groups;
  for (const PlacedBody& body : packing.bodies) groups.insert(body.group);
  for (const Boundary& boundary : packing.boundaries) groups.insert(boundary.group);
  checkRange(settings.density, "density", true);
  for (const std::uint32_t group : groups) conf.setDensity(group, settings.density);
  for (const GroupValue& special : settings.densities) {
    checkRange(special.value, "density", true);
    checkGroup(groups, special.group, "density");
    conf.setDensity(special.group, special.value);
  }
  const Scales scales = scalesOf(packing, conf);
  for (int k = 0; k < 3; ++k)
    if (!std::isfinite(conf.gravity[k])) throw ModelError("gravity: expected three finite numbers");
  const double height = 2.0 * boundingBox(packing).halfSize().norm();
  if (!(height < 1e9 * scales.thickness))
    throw ModelError(fmt::format(
        "the pack is {:.3g} long, more than 1e9 times the smallest thickness {:.3g}: positions "
        "would lose all digits of the contacts",
        height, scales.thickness));
  if (!(settings.overlap > 0.0 && settings.overlap <= 0.1))
    throw ModelError(fmt::format("overlap: expected a number above 0, up to 0.1, found {:.6g}",
                                 settings.overlap));
  const Load load = loadOf(packing, conf, scales, settings.drive);
  // For other programs, which look for neighbours at a period: the fastest that could come about.
  const double g = conf.gravity.norm();
  const double speed = scales.speed + settings.drive.speed +
                       (g > 0.0 ? g * std::min(conf.tmax, std::sqrt(2.0 * height / g)) : 0.0);
  const ShortestContact shortest = setLawParameters(law, settings, groups, scales, load, result);
  const bool any = scales.free > 0;
  if (settings.dt) {
    checkRange(*settings.dt, "dt", true);
    conf.dt = *settings.dt;
    if (const double critical = 2.0 / pi * shortest.time; any && conf.dt > critical)
      result.warnings.push_back(
          fmt::format("dt {:.4g} s is above the critical time step, {:.4g} s: contacts will be "
                      "unstable; use {:.6g}: {}",
                      conf.dt, critical, roundedDown(shortest.time / 25.0), shortest.reason));
  } else {
    conf.dt = roundedDown(any ? shortest.time / 25.0 : settings.duration / 1000.0);
    result.reasons.push_back(fmt::format(
        "dt {:.6g} s: {}", conf.dt, any ? shortest.reason : "no body is free: duration / 1000"));
  }
  if (conf.dt > settings.duration)
    result.warnings.push_back(
        fmt::format("dt {:.4g} s is longer than the duration {:.4g} s: one step, no motion to see",
                    conf.dt, settings.duration));
  if (settings.interConf) checkRange(*settings.interConf, "interconf", true);
  conf.interConf = std::max(settings.interConf.value_or(settings.duration / 50.0), conf.dt);

  conf.dVerlet = roundedDown(0.05 * scales.thickness);
  conf.DVerlet = 2.0 * conf.dVerlet;
  // Other programs look for neighbours at this period only; Scree looks when it must.
  conf.interVerlet = speed > 0.0 ? std::clamp(roundedDown(0.5 * conf.dVerlet / speed), conf.dt,
                                              std::max(conf.dt, conf.interConf))
                                 : conf.interConf;
  result.reasons.push_back(
      fmt::format("dVerlet {:.6g} m, DVerlet {:.6g} m: 0.05 and 0.1 of the smallest thickness "
                  "{:.4g} m; interVerlet "
                  "{:.6g} s: half of dVerlet at {:.3g} m/s",
                  conf.dVerlet, conf.DVerlet, scales.thickness, conf.interVerlet, speed));
  // A hint for other programs: testing all pairs of sub-bodies is slow where shapes have many.
  if (std::ranges::any_of(packing.shapes, [](const auto& s) { return s.vertices.size() > 50; }))
    conf.addOrRemoveInteractions = "OBBtree";

  conf.boundaries = packing.boundaries;
  conf.cell = packing.cell;
  for (const PlacedBody& body : packing.bodies) {
    ParticleRecord p;
    p.shapeName = conf.internShapeName(packing.shapes[body.shape].name);
    p.group = body.group;
    p.cluster = body.cluster;
    p.homothety = body.homothety;
    p.pos = body.pos;
    p.q = body.q;
    p.vel = body.motion.vel();
    p.vrot = body.motion.vrot();
    conf.particles.push_back(p);
    if (body.driven) {
      if (conf.nDriven + 1 != conf.particles.size())
        throw ModelError("driven bodies must come first");
      ++conf.nDriven;
    }
  }
  return result;
}

}  // namespace scree::sim
